use super::*;

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
    ] {
        assert!(!tells(By::Note, open), "{open}");
    }
}
