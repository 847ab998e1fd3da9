use super::*;

#[test]
fn a_column_of_ones_own_that_asks_is_known_by_what_its_name_is_made_of() {
    for sent in [
        ("Sent to printer", "2026-11-20"),
        ("Sent to print", "yes"),
        ("Sent to the printer on", "2026-11-20"),
        ("sent_to_production", "TRUE"),
        ("Ordered from printer", "yes"),
        ("Submitted to printer?", "x"),
        ("Already ordered", "yes"),
        ("In production", "yes"),
        ("Has been shipped?", "yes"),
        ("Date sent to print", "2026-11-20"),
        ("Complete?", "yes"),
        ("Order complete", "x"),
        ("Wysłane", "yes"),
        ("Gesendet am", "20.11.2026"),
    ] {
        assert!(told(sent), "{sent:?}");
    }
    for ended in [
        ("Don't print", "x"),
        ("Don’t ship", "x"),
        ("Do Not Fulfill", "yes"),
        ("Do not send yet", "x"),
        ("Please don't print", "x"),
        ("Nicht drucken", "x"),
        ("Ne pas imprimer", "oui"),
        ("No enviar", "x"),
        ("Unpaid", "yes"),
        ("Not paid?", "x"),
        ("Unpaid", "24.00"),
        ("Cancelled by customer", "yes"),
        ("Customer cancelled", "yes"),
        ("Is order cancelled?", "yes"),
        ("Cancellation requested", "2026-11-20"),
        ("Buyer requested cancellation", "yes"),
        ("CXL", "x"),
        ("Rejected", "yes"),
        ("Refund issued", "12.00"),
        ("Return?", "yes"),
        ("Duplicate?", "yes"),
        ("Duplicate of", "1001"),
        ("Test order", "yes"),
        ("Annullato", "yes"),
        ("Anulado", "yes"),
        ("Anulowane", "yes"),
    ] {
        assert!(told(ended), "{ended:?}");
    }
    for no in [
        ("Send to printer", "no"),
        ("Print this?", "no"),
        ("Print now", "No"),
        ("Ready for print", "no"),
        ("Ready for production", "FALSE"),
        ("Ready to send", "not yet"),
        ("Order?", "no"),
        ("Released", "no"),
        ("Released to production", "no"),
        ("Signed off", "no"),
        ("Customer approved", "no"),
        ("Approved by customer", "pending"),
        ("Freigabe", "no"),
        ("Freigabe", "offen"),
        ("Paid in full", "no"),
        ("Fully paid", "no"),
        ("Invoice paid", "no"),
        ("Opłacone", "no"),
    ] {
        assert!(told(no), "{no:?}");
    }
}

/// Columns that say whether an order is paid.
const OF_PAYMENT: [&str; 5] = [
    "Paid",
    "Payment status",
    "Fully paid?",
    "Bezahlt",
    "Zahlungsstatus",
];

#[test]
fn a_column_of_payment_says_in_a_word_that_an_order_is_paid_in_part_or_is_to_be_paid() {
    for name in [
        "Paid",
        "Payment status",
        "Fully paid?",
        "Bezahlt",
        "Zahlungsstatus",
    ] {
        for part in [
            "partial",
            "Partially",
            "partly",
            "part",
            "half",
            "half paid",
            "paid half",
            "deposit",
            "Deposit only",
            "deposit paid",
            "deposit paid 11/20, balance due",
            "deposit $20",
            "50%",
            "50 % paid",
            "paid 50%",
            "30% deposit",
            "0%",
            "owes $10",
            "still owes 10",
            "later",
            "will pay later",
            "invoice sent",
            "Invoice sent 11/20",
            "invoiced",
            "teilweise",
            "Anzahlung",
            "angezahlt",
            "später",
            "Rechnung gesendet",
        ] {
            assert!(told((name, part)), "{name} {part}");
        }
    }
}

#[test]
fn a_column_of_payment_says_that_an_order_is_paid_or_how_and_elsewhere_such_words_say_nothing() {
    for name in OF_PAYMENT {
        for whole in [
            "paid",
            "100%",
            "100 % paid",
            "10% discount",
            "19% VAT",
            "deposit and balance paid",
            "deposit paid, rest paid in full",
            "owes nothing",
            "owes 0.00",
            "invoice sent, paid 11/20",
            "Invoice",
            "PayPal",
            "Klarna Pay Later",
            "pay later",
            "bank deposit",
            "net 30",
            "$20.00",
            "11/20",
            "free",
            "half price",
            "paid partially by gift card",
        ] {
            assert!(!told((name, whole)), "{name} {whole}");
        }
    }
    for (name, text) in [
        ("Status", "half"),
        ("Order status", "50%"),
        ("Note", "deposit paid"),
        ("Status", "later"),
    ] {
        assert!(!told((name, text)), "{name} {text}");
    }
}

#[test]
fn a_harmless_answer_or_another_name_holds_nothing() {
    for name in [
        "Sent to printer",
        "Already ordered",
        "Don't print",
        "Unpaid",
        "Cancelled by customer",
        "Return?",
        "Test order",
        "Complete?",
        "Wysłane",
    ] {
        for none in ["no", "", "false", "0", "-", "N"] {
            assert!(!told((name, none)), "{name}: {none}");
        }
    }
    for name in [
        "Send to printer",
        "Order?",
        "Released",
        "Freigabe",
        "Paid in full",
    ] {
        for go in ["yes", "", "x", "2026-11-20", "TRUE", "1"] {
            assert!(!told((name, go)), "{name}: {go}");
        }
    }
    for other in [
        ("Order", "0"),
        ("Ordered on", "2026-11-20"),
        ("Date ordered", "2026-11-20"),
        ("Ordered by", "Ada"),
        ("Shipped by", "DHL"),
        ("Delivered to", "Ada"),
        ("Sent by", "Ada"),
        ("Printed logo", "Fox"),
        ("Printed side", "front"),
        ("Draft", "2"),
        ("Return address", "12 Main St"),
        ("Return by", "2026-12-24"),
        ("Cancel by", "2026-12-24"),
        ("Refund policy", "30 days"),
        ("Cancelled orders", "2"),
        ("Transit", "3 days"),
        ("Livre", "Candide"),
        ("Hold at location", "Main St 2"),
        ("Customer sent", "photo.png"),
        ("No print", "2"),
        ("Paid at", "no"),
        ("Stop", "3"),
        ("Make", "Gildan"),
    ] {
        assert!(!told(other), "{other:?}");
    }
    let long = "is".repeat(100_000) + "sent";
    assert!(!told((long.as_str(), "yes")));
}
