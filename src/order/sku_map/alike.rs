//! What is left of an own SKU when it is written otherwise: a spreadsheet makes `123` of `00123` and `1,00E+05` of `1E5`, and
//! people leave out what separates its parts.

/// The most digits of an exponent.
const EXPONENT: usize = 4;

/// An own SKU of the map that is another one in another writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alike {
    /// The row of the map.
    pub(crate) row: u32,
    /// It, as it stands there.
    pub(crate) sku: String,
}

/// What two writings of one SKU have in common; none where nothing is left.
pub(super) fn meaning(sku: &str) -> Option<String> {
    let sku = sku.trim();
    if let Some(number) = number(sku) {
        return Some(number);
    }
    let kept = sku.chars().filter(|c| c.is_alphanumeric());
    let kept: String = kept.flat_map(char::to_lowercase).collect();
    (!kept.is_empty()).then_some(kept)
}

/// A number by its digits and its exponent, `12` and `3` of `12000`; none of what is no number.
fn number(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, whole(exponent)?),
        None => (text, 0),
    };
    let (before, after) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if before.is_empty() || !is_number(before) || !is_number(after) {
        return None;
    }
    let all = format!("{before}{after}");
    let digits = all.trim_end_matches('0');
    let zeros = i64::try_from(all.len() - digits.len()).ok()?;
    let point = i64::try_from(after.len()).ok()?;
    let digits = digits.trim_start_matches('0');
    // Of nought the exponent says nothing.
    let exponent = if digits.is_empty() {
        0
    } else {
        exponent + zeros - point
    };
    Some(format!("{digits} {exponent}"))
}

/// An exponent as it is written: `5`, `+05`, `-2`.
fn whole(text: &str) -> Option<i64> {
    let digits = text.trim_start_matches(['+', '-']);
    let is_one = !digits.is_empty() && digits.len() <= EXPONENT && text.len() <= digits.len() + 1;
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_one && is_digits).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sku_in_two_writings_has_one_meaning_and_two_skus_have_two() {
        for (one, other) in [
            ("00123", "123"),
            ("00123", "123.0"),
            ("1E5", "100000"),
            ("1E5", "1,00E+05"),
            ("0120", "120"),
            ("FOX-M", "fox m"),
            ("AB_12", "AB12"),
        ] {
            assert_eq!(meaning(one), meaning(other), "{one} {other}");
        }
        for (one, other) in [
            ("123", "1230"),
            ("123", "124"),
            ("12.3", "123"),
            ("FOX-M", "FOX-L"),
            ("AB-012", "AB-12"),
            ("1E5", "15"),
            ("E5", "5"),
            ("0", "10"),
        ] {
            assert_ne!(meaning(one), meaning(other), "{one} {other}");
        }
        assert_eq!(meaning(" - "), None);
        assert_eq!(
            meaning("1E99999999999999999999"),
            Some("1e99999999999999999999".to_owned())
        );
    }
}
