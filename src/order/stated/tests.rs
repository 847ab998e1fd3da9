mod abroad;
mod ends;
mod names;
mod notes;

use super::asked::by_name;
use super::*;
use crate::order::columns::normalized;
use crate::order::tests::{NATIVE, drafts, drafts_of, good, text_row};
use crate::order::{Layout, Profiles};

#[test]
fn only_what_speaks_of_an_end_is_told() {
    let header = text_row(
        1,
        &[
            "Order Status",
            "Cancelled at",
            "Quantity refunded",
            "Status of my dog",
        ],
    );
    let stated = Stated::of(&header, &[0, 1, 2, 3]);
    for (cells, told) in [
        (["Canceled", "", "0", ""], 1),
        (["CANCELLED", "2026-11-20", "2", ""], 3),
        (["Teilweise erstattet", "", "", ""], 1),
        (["new", "", "", "Canceled"], 0),
        (["unfulfilled", " ", "0.00", ""], 0),
        (["Paid", "", "", ""], 0),
        (["Paid", "0000-00-00", "-", ""], 0),
        (["Customer canceled", "yes", "-1", ""], 3),
        (["wc-cancelled", "no", "", ""], 1),
        (["Partly shipped", "n/a", "", ""], 1),
        (["Not canceled", "not yet", "", ""], 0),
        (["", "FALSO", "", ""], 0),
        (["", "unterwegs", "", ""], 1),
        (["", "No - canceled by customer", "", ""], 1),
        (["", "unshipped", "", ""], 0),
        (["", "TBD", "", ""], 0),
        (["", "0.00 EUR", "", ""], 0),
    ] {
        assert_eq!(stated.marks(&text_row(2, &cells), "").len(), told, "{cells:?}");
    }
}

#[test]
fn a_word_for_an_end_counts_and_one_for_what_is_still_to_come_does_not() {
    for told in [
        "Partially refunded, not shipped",
        "Partially fulfilled, rest pending",
        "Teilweise erstattet, noch nicht versendet",
        "Order canceled - do not ship",
        "Customer canceled, to be refunded",
        "Pending cancellation",
        "Do not print: on hold",
        "On hold",
        "Completed",
        "Printed",
        "Sent",
        "Expédiée",
        "In transit",
        "on-hold",
        "wc-on-hold",
        "Shipped to customer",
        "Enviado por correo",
        "Geleverd",
        "EXPEDIEE",
        "Already sent",
        "Has been sent",
        "Completed, picked up",
        "Completed (12 Nov)",
        "Order completed",
        "Picked up",
        "Trash",
        "Partially paid",
        "On backorder (not paid)",
        "Awaiting bank wire payment",
    ] {
        assert!(tells(By::Word, told), "{told}");
    }
    for open in [
        "new",
        "Paid",
        "unfulfilled",
        "not shipped yet",
        "Ready to be shipped",
        "À expédier",
        "En attente d'expédition",
        "Prêt à expédier",
        "À envoyer",
        "Invoice sent",
        "not printed",
        "Awaiting collection",
        "Label printed",
        "Rechnung gedruckt",
        "no longer on hold",
        "Not yet canceled",
        "To be printed",
        "Payment completed",
        "Household goods",
        "On backorder (paid)",
        "Overdue",
        "Payment accepted",
        "To be picked up",
        "Order complete payment",
    ] {
        assert!(!tells(By::Word, open), "{open}");
    }
    assert!(!tells(By::WordOfPayment, "Completed"));
    assert!(tells(By::WordOfOrder, "Canceled") && !tells(By::WordOfOrder, "new"));
}

/// Whether an order waits by a word in a column of this name.
fn told((name, word): (&str, &str)) -> bool {
    let stated = Stated::of(&text_row(1, &[name]), &[0]);
    !stated.marks(&text_row(2, &[word]), "").is_empty()
}

#[test]
fn a_column_that_asks_is_known_with_the_answers_that_it_takes() {
    for sent in [
        ("Shipped (Y/N)", "Y"),
        ("Shipped? (yes/no)", "yes"),
        ("Versendet (J/N)", "J"),
        ("Expédié (O/N)", "O"),
        ("Order Shipped", "x"),
        ("Order Shipped (Y/N)", "y"),
        ("Is Printed", "true"),
        ("Paid (Y/N)", "N"),
        ("Bezahlt (ja/nein)", "nein"),
    ] {
        assert!(told(sent), "{sent:?}");
    }
    for other in [
        ("Shipped (Y/N)", "N"),
        ("Shipped (Y/N)", ""),
        ("Order Shipped", "no"),
        ("Paid (Y/N)", "Y"),
        ("Paid (Y/N)", ""),
        ("Gift (Y/N)", "Y"),
        ("Rush (yes/no)", "yes"),
        ("Notes (Y/N)", "canceled"),
        ("Paid on", "2026-11-20"),
        ("Order date", "2026-11-20"),
    ] {
        assert!(!told(other), "{other:?}");
    }
}

#[test]
fn an_order_with_the_number_of_a_parcel_is_sent_in_a_sheet_of_ones_own_and_perhaps_not_in_a_shops() {
    let header: Vec<&str> = NATIVE.iter().copied().chain(["Tracking Number"]).collect();
    let of = |word: &str| {
        let mut cells = good();
        cells.push(word.to_owned());
        drafts(&header, &[cells]).remove(0)
    };
    assert_eq!(
        of("1Z999AA10123456784").shop_holds(),
        ["`Tracking Number` says `1Z999AA10123456784`, as of an order that is sent already"]
    );
    for parcel in ["9400 1118 9922 3859", "9.40011E+21", "RR123456785GB"] {
        assert_eq!(of(parcel).shop_holds().len(), 1, "{parcel}");
    }
    for none in ["", "-", "pending", "N/A", "yes", "Tracked 48", "0", "TBD"] {
        assert_eq!(of(none).shop_holds(), [""; 0], "{none}");
    }
    let tiktok = [
        "Order ID",
        "Order Status",
        "SKU ID",
        "Seller SKU",
        "Quantity",
        "Recipient",
        "Tracking ID",
    ];
    let layout = Profiles::default().layout(&text_row(1, &tiktok)).unwrap();
    assert!(!layout.is_native());
    let row = text_row(2, &["1", "To ship", "2", "A", "1", "Ann", "576461234567890123"]);
    assert_eq!(layout.marks(&row), []);
    for name in [
        "Tracking #",
        "tracking_no",
        "Sendungsnummer",
        "Sendungsverfolgung",
        "Numéro de suivi",
        "N° de suivi",
        "Nº de suivi",
        "Consignment no",
    ] {
        assert_eq!(by_name(&normalized(name)), Some(By::Parcel), "{name}");
    }
    for name in ["Return tracking number", "Tracking status", "result_tracking"] {
        assert_ne!(by_name(&normalized(name)), Some(By::Parcel), "{name}");
    }
}

#[test]
fn what_is_incomplete_or_declined_has_fallen_through_where_it_is_the_order_itself() {
    // A print is incomplete before it is made, and a customer may decline what is none of the order's.
    for word in ["Declined", "Incomplete"] {
        assert!(
            tells(By::WordOfOrder, word) && tells(By::WordOfPayment, word),
            "{word}"
        );
        assert!(!tells(By::Word, word), "{word}");
    }
    assert!(heads_what_has_ended("Declined") && !heads_what_has_ended("Incomplete"));
}

#[test]
fn what_is_not_paid_or_sent_already_is_told_in_german_columns_too() {
    for held in [
        ("Zahlung", "offen"),
        ("Status", "Vorkasse offen"),
        ("Menge versendet", "1"),
        ("Sendungsverfolgung", "00340434161094042557"),
    ] {
        assert!(told(held), "{held:?}");
    }
    for open in [
        ("Zahlung", "PayPal"),
        ("Zahlung", "Vorkasse"),
        ("Zahlung", ""),
        ("Status", "Vorkasse"),
        ("Menge versendet", "0"),
        ("Sendungsverfolgung", "DHL"),
    ] {
        assert!(!told(open), "{open:?}");
    }
}

#[test]
fn a_column_is_known_by_its_name() {
    for (name, by) in [
        ("productionstatus", Some(By::Word)),
        ("transactionstatus", Some(By::WordOfOrder)),
        ("orderstatus", Some(By::WordOfOrder)),
        ("paymentstatus", Some(By::WordOfPayment)),
        ("refundstatus", Some(By::WordOfRefund)),
        ("proofstatus", None),
        ("printfilestatus", None),
        ("druckdateistatus", None),
        ("motivstatus", None),
        ("ontwerpstatus", None),
        ("personalizationstatus", None),
        ("smsstatus", None),
        ("ordernotificationstatus", None),
        ("subscriptionstatus", None),
        ("shippinglabelstatus", None),
        ("printstatus", Some(By::Word)),
        ("imprimé", None),
        ("fulfillmentstatus", Some(By::Word)),
        ("fulfilmentstatus", Some(By::Word)),
        ("état", Some(By::WordOfOrder)),
        ("donotprint", Some(By::Filling)),
        ("qtyrefunded", Some(By::Count)),
        ("returnedquantity", Some(By::Count)),
        ("qtyshipped", Some(By::CountOfSent)),
        ("refundedtotal", Some(By::Filling)),
        ("iscancelled", Some(By::Filling)),
        ("paid", Some(By::Paid)),
        ("paidat", None),
        ("payoutstatus", None),
        ("fulfillmentdate", None),
        ("internalnotes", Some(By::Note)),
        ("state", None),
        ("giftmessage", None),
        ("shipby", None),
    ] {
        assert_eq!(by_name(name), by, "{name}");
    }
    for (by, text, told) in [
        (By::Filling, "\u{2713}", true),
        (By::Filling, "-", false),
        (By::Filling, "oui", true),
        (By::Filling, "non", false),
        (By::WordOfPayment, "Pending", true),
        (By::WordOfPayment, "Unpaid", true),
        (By::WordOfPayment, "Paid", false),
        (By::WordOfPayment, "No", true),
        (By::WordOfPayment, "Overdue", true),
        (By::WordOfPayment, "Not paid yet", true),
        (By::WordOfPayment, "nicht bezahlt", true),
        (By::WordOfPayment, "No payment required", false),
        (By::WordOfPayment, "N/A", false),
        (By::WordOfRefund, "No", false),
        (By::WordOfRefund, "Pending", true),
        (By::Paid, "No", true),
        (By::Paid, "12.00", false),
        (By::Filling, "0.00", false),
        (By::Filling, "24.00", true),
        (By::Filling, "False", false),
        (By::Word, "Pending", false),
        (By::Word, "do not print", true),
        (By::Word, "Stop", true),
        (By::Word, "Done", true),
        (By::Word, "Waiting for customer", true),
        (By::Word, "Awaiting fulfillment", false),
        (By::Word, "Draft", true),
        (By::Word, "NO PRINT", true),
    ] {
        assert_eq!(tells(by, text), told, "{text}");
    }
}

#[test]
fn a_note_holds_where_it_says_that_the_order_has_ended() {
    for told in [
        "CANCELED by customer - do not print",
        "CUSTOMER CANCELLED - do not ship",
        "CANCELLED, do-not-ship",
        "On hold",
        "Please cancel",
        "Don't ship yet",
        "nicht drucken",
        "storniert",
        "Please do not print this",
        "DO NOT SHIP",
        "don't send yet",
        "Do not print it yet please",
        "Don\u{2019}t ship this order until Friday",
        "Shouldn't ship",
        "do not make this one, thanks",
        "Do not send it again, please",
        "DO NOT SHIP. Call me first",
        "Do not print this!\nWrong size",
        "do not print this customer canceled",
        "não enviar",
    ] {
        assert!(tells(By::Note, told), "{told}");
    }
    for open in [
        "Do not print the price on the slip",
        "Please do not send catalogs",
        "My last order got canceled, so please make this one quickly",
        "gift wrap",
        "not canceled",
        "Hold the ribbon",
        "Back: no print",
        "Delivered to the back door please",
        "size M",
        "If I can't make it to the door please leave it with my neighbour",
        "I won't make it before six",
        "If I don't make it, leave it with my neighbour",
        "If it does not make it before Friday",
        "I can't print this",
        "Please don't print it too dark",
        "do not send it with the invoice",
        "Do not make this too small",
        "Please don't send it to the billing address",
        "Don't make it shiny!",
        "Front logo only. No print.",
    ] {
        assert!(!tells(By::Note, open), "{open}");
    }
}

#[test]
fn a_note_holds_where_it_asks_to_wait() {
    for told in [
        "Do not ship before Dec 20",
        "Please don't print until I send the new file",
        "Hold until 12/20",
        "please hold until Friday",
        "ON HOLD until payment clears",
        "Please ship after Christmas",
    ] {
        assert!(tells(By::Note, told), "{told}");
    }
    for open in [
        "Ship before Dec 20 please",
        "Do not open until Christmas",
        "Hold for pickup",
        "Bitte erst klingeln",
    ] {
        assert!(!tells(By::Note, open), "{open}");
    }
}

#[test]
fn a_few_words_of_a_status_or_a_note_keep_an_order_back_and_those_that_go_on_do_not() {
    for (text, told) in [
        ("Paused", true),
        ("Needs approval", true),
        ("Awaiting artwork", true),
        ("Approved", false),
        ("Artwork approved", false),
        ("Awaiting collection", false),
    ] {
        assert_eq!(tells(By::Word, text), told, "{text}");
    }
    for told in [
        "cancel this one",
        "Customer wants to cancel",
        "please hold!",
        "Skip this one",
        "NOT PAID",
        "already printed",
        "Duplicate - see 1001",
        "Refund requested",
    ] {
        assert!(tells(By::Note, told), "{told}");
    }
    for open in [
        "please hold at the post office",
        "Hold this end up",
        "already sent you the file",
        "skip the invoice",
        "Duplicate the logo on the back",
        "Stop sign",
    ] {
        assert!(!tells(By::Note, open), "{open}");
    }
}

#[test]
fn an_order_waits_for_the_day_that_a_row_of_it_names_or_for_a_person_who_reads_its_words() {
    use jiff::civil::date;

    let header: Vec<&str> = NATIVE.iter().copied().chain(["Hold until", "Ship by"]).collect();
    let order = |days: &[&str]| {
        let row = |day: &&str| {
            let mut cells = good();
            cells.extend([(*day).to_owned(), "2026-12-31".to_owned()]);
            cells
        };
        let rows: Vec<Vec<String>> = days.iter().map(row).collect();
        drafts(&header, &rows).remove(0)
    };
    let today = date(2026, 11, 26);
    for days in [
        &["12/20/2026"][..],
        &["", "2026-12-20"],
        &["12/20/2026", "20.12.2026"],
    ] {
        let order = order(days);
        assert_eq!(order.too_early(today).len(), 1, "{days:?}");
        assert_eq!(order.too_early(date(2026, 12, 20)), [], "{days:?}");
        assert_eq!(order.shop_holds(), [""; 0], "{days:?}");
    }
    for day in ["11/26/2026", "2026-11-01", "", "-", "ASAP"] {
        let order = order(&[day]);
        assert_eq!(order.too_early(today), [], "{day}");
        assert_eq!(order.shop_holds(), [""; 0], "{day}");
    }
    let in_words = order(&["payment clears"]);
    assert_eq!(in_words.too_early(today), []);
    assert_eq!(in_words.shop_holds(), ["`Hold until` says `payment clears`"]);
}

#[test]
fn what_stands_below_a_heading_that_says_that_it_has_ended_waits_for_a_person() {
    let row = |first: &str| {
        let mut cells = good();
        first.clone_into(&mut cells[0]);
        cells
    };
    let heading = |text: &str| {
        let mut cells = vec![String::new(); NATIVE.len()];
        text.clone_into(&mut cells[0]);
        cells
    };
    let rows = [
        heading("TO PRINT"),
        row("1001"),
        heading("CANCELED - DO NOT PRINT"),
        row("1002"),
        heading("Open"),
        row("1003"),
        heading("Already shipped"),
        row("1004"),
        heading("New"),
        row("1005"),
        heading("SHIPPED"),
        heading("October"),
        row("1006"),
        heading("November"),
        row("1007"),
        heading("TO PRINT"),
        heading("December"),
        row("1008"),
    ];
    let held: Vec<String> = drafts(&NATIVE, &rows)
        .iter()
        .filter(|draft| !draft.is_footer() && !draft.shop_holds().is_empty())
        .map(|draft| draft.order_id().to_owned())
        .collect();
    assert_eq!(held, ["1002", "1004", "1006", "1007"]);
    let layout = Layout::read(&text_row(1, &NATIVE)).unwrap();
    let cells: Vec<String> = good();
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    for (tab, holds) in [
        ("Shipped", 1),
        ("Orders", 0),
        ("Canceled 2026", 1),
        ("Printed mugs", 0),
        ("Printed: 12.11.2026", 0),
    ] {
        let drafts = drafts_of(layout.clone().in_tab(tab, &[]), &[text_row(2, &cells)]);
        assert_eq!(drafts[0].shop_holds().len(), holds, "{tab}");
    }
    for (title, holds) in [
        ("CANCELED ORDERS", 1),
        ("DO NOT PRINT", 1),
        ("Nicht drucken", 1),
        ("Not paid", 1),
        ("Printed on 12.11.2026", 0),
        ("To print", 0),
    ] {
        let titles = ["ACME".to_owned(), title.to_owned()];
        let drafts = drafts_of(layout.clone().in_tab("", &titles), &[text_row(4, &cells)]);
        assert_eq!(drafts[0].shop_holds().len(), holds, "{title}");
    }
    // A legend of what the colours of the rows mean.
    for legend in [
        ["Shipped", "On hold", "To print"],
        ["Do not print", "Not paid", "Open"],
    ] {
        let legend = legend.map(str::to_owned);
        let drafts = drafts_of(layout.clone().in_tab("", &legend), &[text_row(5, &cells)]);
        assert!(drafts[0].shop_holds().is_empty());
    }
}

#[test]
fn a_tab_is_called_what_it_says_and_a_title_stands_above() {
    let row = good();
    let row: Vec<&str> = row.iter().map(String::as_str).collect();
    let held = |tab: &str, title: &str| {
        let layout = Layout::read(&text_row(1, &NATIVE)).unwrap();
        let layout = layout.in_tab(tab, &[title.to_owned()]);
        drafts_of(layout, &[text_row(3, &row)])[0].shop_holds().to_vec()
    };
    assert_eq!(held("Shipped", "Canceled"), ["its tab is called `Shipped`"]);
    assert_eq!(held("Orders", "Canceled"), ["it stands below `Canceled`"]);
    assert_eq!(held("Cancel Culture Merch", "Void Records"), [""; 0]);
}

#[test]
fn an_order_that_its_own_sheet_calls_canceled_waits_for_a_person() {
    let header: Vec<&str> = NATIVE.iter().copied().chain(["Payment Status"]).collect();
    let of = |word: &str| {
        let mut cells = good();
        cells.push(word.to_owned());
        drafts(&header, &[cells]).remove(0)
    };
    assert_eq!(of("Refunded").shop_holds(), ["`Payment Status` says `Refunded`"]);
    assert!(of("paid").shop_holds().is_empty());
}

#[test]
fn an_answer_that_an_order_is_to_be_canceled_or_not_to_go_on_is_asked_about() {
    for held in [
        ("Cancel", "yes"),
        ("Cancel?", "x"),
        ("Cancel order", "TRUE"),
        ("To cancel", "1"),
        ("Storno", "x"),
        ("Remove", "x"),
        ("Void", "Y"),
        ("Print?", "no"),
        ("To print", "No"),
        ("OK to print (Y/N)", "N"),
        ("Include", "FALSE"),
        ("Approved?", "Not yet"),
        ("Proof approved", "No"),
        ("Ship?", "no"),
        ("Print?", "skip"),
        ("Print?", "Canceled"),
        ("Send", "later"),
        ("Go ahead", "wait"),
        ("Freigegeben", "nein"),
        ("Print?", "refunded"),
        ("Print?", "shipped"),
        ("Print?", "already printed"),
        ("Ready to print", "void"),
        ("Approved", "cancelled by buyer"),
        ("Approved", "waiting"),
        ("Approved?", "pending approval"),
        ("Print?", "\u{2610}"),
        ("Print?", "\u{2717}"),
        ("Print?", "0"),
        ("Ship", "\u{274c}"),
    ] {
        assert!(told(held), "{held:?}");
    }
    for other in [
        ("Cancel", "no"),
        ("Cancel", ""),
        ("Void", "0"),
        ("Print?", "yes"),
        ("Print", "Sunset"),
        ("Print", "Nordic fox"),
        ("Print", "Skip the dog"),
        ("Print", "Hold my coffee"),
        ("Ship", "DHL"),
        ("Ship", "UPS Ground"),
        ("Ship", "yes"),
        ("Ship", "0"),
        ("Print", "Delivered from evil"),
        ("Print", "Shipped with love"),
        ("Print?", "\u{2611}"),
        ("Print?", "1"),
        ("Approved", "Yes, proof sent"),
        ("Approved", "2026-11-20"),
        ("Approved", ""),
        ("Confirmed", "Y"),
        // Of a tour.
        ("Stop", "3"),
    ] {
        assert!(!told(other), "{other:?}");
    }
}
