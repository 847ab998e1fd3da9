use super::*;

#[test]
fn a_note_that_is_one_word_says_that_the_order_is_sent_or_done() {
    for told in ["Shipped", "delivered", "Done!", "already delivered"] {
        assert!(tells(By::Note, told), "{told}");
    }
    for open in [
        "printed",
        "sent",
        "shipped with love",
        "done in red",
        "not delivered",
        "Delivered to the back door please",
    ] {
        assert!(!tells(By::Note, open), "{open}");
    }
    // A shop's own program tags what it has sent, and other lines may be left.
    assert!(!tells(By::Tags, "VIP, shipped") && tells(By::Tags, "VIP, hold"));
}

#[test]
fn a_note_says_in_few_words_that_the_order_is_not_to_be_printed_or_not_paid() {
    for told in [
        "not paid yet",
        "waiting for payment",
        "Refund issued",
        "void",
        "Storno",
        "duplicate of 1001",
        "Duplicate of order #G3-1",
        "already ordered",
        "bereits verschickt",
        "schon gedruckt",
        "hold for artwork",
        "delete this",
        "ignore this row",
        "Not to be printed",
        "must not be shipped yet",
        "already printed 20/11",
        "déjà expédié",
        "wait for payment",
        "Please wait for the payment",
        "WAIT FOR PAYMENT!",
        "wait until paid",
        "wait till payment clears",
        "awaiting payment",
        "payment pending",
        "pending payment",
        "payment outstanding",
        "Ada called: wait for payment",
        "warten auf Zahlung",
        "wartet auf Zahlung",
        "Zahlung ausstehend",
        "en attente de paiement",
        "pendiente de pago",
        "in attesa di pagamento",
        "wacht op betaling",
        "aguardando pagamento",
    ] {
        assert!(tells(By::Note, told), "{told}");
    }
    for open in [
        "duplicate of the front on the back",
        "duplicate of side 1",
        "duplicate of my 2 prints",
        "Void black",
        "Ignore the stain on the photo",
        "delete this line from the text",
        "hold for pickup",
        "printed",
        "not paid for gift wrap",
        "Refund policy asked for",
        "schon gedruckte Karte beilegen",
        "Price not to be printed",
        "not to be printed on the back",
        "already printed card in the parcel",
        "Can't wait for the details!",
        "I can not wait for my order",
        "Please wait for me to open the door",
        "wait until someone answers the door",
        "Wait for an answer at the door",
        "Wait for it",
        "payment received",
        "Payment pending review was resolved, please print",
        "Payment: PayPal",
        "Thanks for waiting",
        "Zahlung erhalten",
        "pago recibido",
    ] {
        assert!(!tells(By::Note, open), "{open}");
    }
}

#[test]
fn a_note_says_in_a_sentence_or_behind_another_thing_that_the_order_is_not_to_be_printed() {
    for told in [
        "This order has been cancelled by the customer",
        "The customer has cancelled this order, see mail",
        "refunded on 12 Nov via PayPal",
        "URGENT: CANCEL",
        "URGENT! cancel this order asap",
        "Ada called: please cancel",
        "Customer called - hold",
        "Please cancel. Wrong size.",
        "HOLD FOR ADDRESS CONFIRMATION",
        "On hold for stock",
        "Ada called: hold until Friday",
        "CXL",
        "cxl per customer",
        "We need to cancel this one",
        "customer: already printed",
        // The replacement itself.
        "Replacement canceled by customer",
        "Replaced by 999, canceled",
        "ersetzt und storniert",
        "Replacement for 998, please cancel",
        "Replacement for 998: do not print",
        "Cancelled, print 999 instead",
        "Bestellung wurde storniert",
    ] {
        assert!(tells(By::Note, told), "{told}");
    }
    for open in [
        "Replacement for canceled order 998",
        "Replacement order for canceled 998",
        "instead of canceled order 998",
        "replaces 998 (cancelled)",
        "Reprint of refunded 998",
        "Ersatz für stornierte Bestellung 998",
        "statt stornierter Bestellung 998",
        "remplace la commande annulée 998",
        "sustituye el pedido cancelado 998",
        "Front text: on hold",
        "Back: skip",
        "Text: please cancel",
        "Anna, Max, Skip",
        "Hold the line",
        "The Void",
        "hold for customer pickup",
        "This is a gift",
        "Please print this order now, thanks",
        "The event was cancelled by the venue, we still want the shirts",
    ] {
        assert!(!tells(By::Note, open), "{open}");
    }
}

#[test]
fn a_shops_own_note_and_its_buyers_message_are_notes() {
    for heading in ["My Item Note", "My Note", "Buyer Message", "Buyer Note"] {
        assert_eq!(by_heading(heading), Some(By::Note), "{heading}");
    }
}

#[test]
fn each_tag_stands_for_itself() {
    for told in [
        "hold, gift",
        "gift, hold",
        "VIP, on hold",
        "VIP, unpaid",
        "VIP;on-hold",
        "VIP|Canceled",
        "VIP,OnHold",
        "gift, void",
        "a, duplicate order",
        "a, already printed",
        "a, please hold",
        "a, cancel",
        "a, do-not-print",
        "a, skip",
        "preorder, hold until 2026-12-24",
    ] {
        assert!(tells(By::Tags, told), "{told}");
    }
    for open in [
        "",
        "gift",
        "VIP, wholesale",
        "hold-flowers, gift",
        "gift, hold-flowers",
        "Black Friday",
        "no-refund",
        "cancel-culture",
        "VIP, The Void",
        "not canceled",
    ] {
        assert!(!tells(By::Tags, open), "{open}");
    }
}

#[test]
fn a_tag_in_a_shops_export_holds_wherever_it_stands() {
    let header = [
        "Name",
        "Email",
        "Financial Status",
        "Fulfillment Status",
        "Lineitem quantity",
        "Lineitem name",
        "Lineitem sku",
        "Lineitem requires shipping",
        "Lineitem fulfillment status",
        "Shipping Name",
        "Shipping Street",
        "Shipping Address1",
        "Shipping City",
        "Shipping Zip",
        "Shipping Province",
        "Shipping Country",
        "Tags",
        "Cancelled at",
    ];
    let layout = Profiles::default().layout(&text_row(1, &header)).unwrap();
    assert!(!layout.is_native());
    let holds = |tags: &str| {
        let mut cells = [""; 18];
        cells[16] = tags;
        let marks = layout.marks(&text_row(2, &cells)).into_iter();
        marks.map(|mark| mark.why).collect::<Vec<_>>()
    };
    assert_eq!(holds("VIP, on hold"), ["`Tags` says `VIP, on hold`"]);
    assert_eq!(holds("VIP, hold-flowers"), [""; 0]);
}

#[test]
fn a_note_that_gives_another_address_holds_its_order() {
    for name in [
        "Notes",
        "Comments",
        "Customer message",
        "Customer note",
        "Bemerkung",
    ] {
        for note in [
            "Ship to new address: 5 Oak St, Dallas TX 75001",
            "new address: 5 Oak St, Dallas TX 75001",
            "NEW ADDRESS 5 Oak St, Dallas",
            "Customer moved. New address is 5 Oak St",
            "Please change address to 5 Oak St, Dallas TX 75001",
            "change the shipping address to 5 Oak St",
            "Correct address: 5 Oak St",
            "updated address - 5 Oak St",
            "Neue Adresse: Eichenweg 5, 80331 München",
            "Bitte an neue Anschrift: Eichenweg 5",
        ] {
            assert!(told((name, note)), "{name} {note}");
        }
        for note in [
            "new address",
            "gift for their new address",
            "Address changed, row is up to date",
            "new address, thanks",
            "Print: new address: 5 Oak St",
            "Front text new address 5 Oak St",
            "new address label, 2 copies",
            "our new addresses: 3",
            "a new addressee",
            "5 Oak St",
        ] {
            assert!(!told((name, note)), "{name} {note}");
        }
    }
}
