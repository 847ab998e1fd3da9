//! What the notes for the printer say of their order.

use super::Draft;
use crate::order::columns::Field;
use crate::order::stated::says_that_it_is_sent;

impl Draft {
    /// Whether one of its notes says by itself that it is sent or done, as whoever keeps a list writes beside an order.
    pub(crate) fn is_sent_by_its_notes(&self) -> bool {
        let mut notes = self.lines.iter().map(|line| line.text(Field::VariantNote));
        notes.any(says_that_it_is_sent)
    }
}

#[cfg(test)]
mod tests {
    use crate::order::tests::{NATIVE, drafts, good};

    #[test]
    fn the_notes_of_an_order_say_that_it_is_sent() {
        for (note, is_sent) in [
            ("sent", true),
            ("shipped 11/29 UPS 1Z999", true),
            ("leave at door", false),
        ] {
            let mut cells = good();
            let column = NATIVE.iter().position(|name| *name == "variant_note").unwrap();
            note.clone_into(&mut cells[column]);
            let draft = drafts(&NATIVE, &[cells]).remove(0);
            assert_eq!(draft.is_sent_by_its_notes(), is_sent, "{note}");
        }
    }
}
