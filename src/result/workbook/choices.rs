//! Drop-downs: what may stand in a cell, offered where it is typed. They advise: other text is allowed, for the service
//! may know more than the cached catalog.

use rust_xlsxwriter::{DataValidation, Formula, XlsxError};

/// The most UTF-16 units of a drop-down's choices together: more makes a file that needs repair.
const MAX_TEXT: usize = 255;

/// A drop-down of a few choices, the first ones that it holds; none where there is nothing to offer.
pub(super) fn of_texts<T: AsRef<str>>(among: &[T]) -> Result<Option<DataValidation>, XlsxError> {
    let offered = offered(among);
    if offered.is_empty() {
        return Ok(None);
    }
    Ok(Some(advising(
        DataValidation::new().allow_list_strings(&offered)?,
    )))
}

/// A drop-down of what stands in other cells: `=Lists!$A$2:$A$40`.
pub(super) fn of_cells(formula: &str) -> DataValidation {
    advising(DataValidation::new().allow_list_formula(Formula::new(formula)))
}

fn advising(validation: DataValidation) -> DataValidation {
    validation.show_error_message(false).show_input_message(false)
}

/// As many choices, the first ones, as a drop-down holds. One with a comma would be taken for two.
fn offered<T: AsRef<str>>(among: &[T]) -> Vec<&str> {
    let mut room = MAX_TEXT + 1;
    let fits = |choice: &&str| {
        let taken = choice.encode_utf16().count() + 1;
        let fits = taken <= room;
        room = room.saturating_sub(taken);
        fits
    };
    let whole = among
        .iter()
        .map(AsRef::as_ref)
        .filter(|choice| !choice.is_empty() && !choice.contains(','));
    whole.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_down_offers_no_more_than_a_spreadsheet_opens() {
        let (long, all) = ("a".repeat(200), "b".repeat(255));
        for (among, left) in [
            (vec!["TEE-S", "TEE-M"], 2),
            (vec!["", "a,b", "TEE-M"], 1),
            (vec![&*long, &*"c".repeat(54)], 2),
            (vec![&*long, &*"c".repeat(55), "d"], 1),
            (vec![&*all], 1),
        ] {
            assert_eq!(offered(&among).len(), left, "{among:?}");
        }
    }
}
