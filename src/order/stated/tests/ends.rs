use super::*;

#[test]
fn a_status_says_that_an_order_is_with_the_printer_taken_back_or_stopped() {
    for told in [
        "Despatched",
        "Out for delivery",
        "PartiallyShipped",
        "In production",
        "At printer",
        "Already ordered",
        "Submitted to printer",
        "onhold",
        "OnHold",
        "Blocked",
        "Fraud",
        "CXL",
        "Canx",
        "anulowane",
        "Retoure",
        "Rücksendung",
        "Gutschrift",
        "widerrufen",
        "Reimbursed",
        "Archived",
    ] {
        assert!(tells(By::WordOfOrder, told), "{told}");
    }
    for open in [
        "No fraud",
        "Fraud check passed",
        "Ready for production",
        "In Produktion geben",
        "NotYetShipped",
        "Zahlung per Gutschrift",
        "Submitted",
        "Processing",
        "PayPal",
    ] {
        assert!(!tells(By::WordOfOrder, open), "{open}");
    }
}
