//! Whether an image has the pixels that a print area asks for.
//!
//! The interface does not show the unit of an area's width and height: with a unit from the config, pixels are
//! compared; without one, only the shape.

use rust_decimal::Decimal;

use crate::catalog::PrintArea;
use crate::finding::Code;

/// The unit of print areas. Config: `preflight.unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Width and height are pixels.
    Pixels,
    /// Inches, at the area's resolution.
    Inches,
    /// Millimetres, at the area's resolution.
    Millimetres,
    /// Centimetres, at the area's resolution.
    Centimetres,
}

/// An image may have this share fewer pixels than asked for: sizes in inches are rounded.
const SHORT_OF: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// Shapes that differ by less than this share are alike.
const ALIKE: Decimal = Decimal::from_parts(3, 0, 0, false, 2);

/// Millimetres in an inch.
const MILLIMETRES: Decimal = Decimal::from_parts(254, 0, 0, false, 1);

/// Centimetres in an inch.
const CENTIMETRES: Decimal = Decimal::from_parts(254, 0, 0, false, 2);

/// What is wrong with an image of this size for areas of which it has to fill one: nothing, where it fills any of
/// them, and where nothing is known of them.
pub(super) fn judge(size: (u64, u64), areas: &[&PrintArea], unit: Option<Unit>) -> Option<(Code, String)> {
    let size = (Decimal::from(size.0), Decimal::from(size.1));
    let mut first = None;
    for area in areas {
        match of_one(size, area, unit) {
            Some(wrong) => {
                first.get_or_insert(wrong);
            }
            None => return None,
        }
    }
    first
}

fn of_one(found: (Decimal, Decimal), area: &PrintArea, unit: Option<Unit>) -> Option<(Code, String)> {
    let wanted = area.size()?;
    let pixels = unit.and_then(|unit| pixels(wanted, area.ppi(), unit));
    if let Some((width, height)) = pixels {
        let least = Decimal::ONE - SHORT_OF;
        if found.0 < width * least || found.1 < height * least {
            let message = format!(
                "the image has {} × {} pixels; the print area wants {} × {}.",
                found.0,
                found.1,
                width.ceil(),
                height.ceil()
            );
            return Some((Code::ArtworkTooSmall, message));
        }
    }
    if is_alike(found, wanted) {
        return None;
    }
    let (width, height) = pixels.unwrap_or(wanted);
    let message = format!(
        "the image's shape, {} × {}, is unlike the print area's, {} × {}.",
        found.0,
        found.1,
        width.normalize(),
        height.normalize()
    );
    Some((Code::ArtworkShape, message))
}

/// An area's size in pixels; none where its resolution is not known and is needed.
fn pixels(size: (Decimal, Decimal), ppi: Option<Decimal>, unit: Unit) -> Option<(Decimal, Decimal)> {
    let per = match unit {
        Unit::Pixels => Decimal::ONE,
        Unit::Inches => ppi?,
        Unit::Millimetres => ppi?.checked_div(MILLIMETRES)?,
        Unit::Centimetres => ppi?.checked_div(CENTIMETRES)?,
    };
    Some((size.0.checked_mul(per)?, size.1.checked_mul(per)?))
}

/// Whether two sizes have the same shape: `a / b` within a share of `c / d`, without dividing.
fn is_alike((a, b): (Decimal, Decimal), (c, d): (Decimal, Decimal)) -> bool {
    match (a.checked_mul(d), b.checked_mul(c)) {
        (Some(one), Some(other)) => (one - other).abs() <= one.max(other) * ALIKE,
        // Numbers that large are no sizes of anything that is printed.
        (None, _) | (_, None) => true,
    }
}

/// What to do about it.
pub(super) fn hint(code: Code) -> &'static str {
    match code {
        Code::ArtworkShape => {
            "It is printed with a margin, or cut: export it in the area's shape if that matters."
        }
        _ => "Export it larger; enlarging a small picture makes it blurred.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(width: &str, height: &str, resolution: &str) -> PrintArea {
        PrintArea {
            key: "front".to_owned(),
            width: width.parse().ok(),
            height: height.parse().ok(),
            resolution: Some(resolution.to_owned()),
        }
    }

    #[test]
    fn pixels_are_compared_in_the_unit_that_the_config_says() {
        use Code::{ArtworkShape as Shape, ArtworkTooSmall as Small};
        for (size, area, unit, expected) in [
            (
                (3600, 4800),
                area("12", "16", "300 ppi"),
                Some(Unit::Inches),
                None,
            ),
            (
                (3565, 4800),
                area("12", "16", "300 ppi"),
                Some(Unit::Inches),
                None,
            ),
            (
                (1800, 2400),
                area("12", "16", "300 ppi"),
                Some(Unit::Inches),
                Some(Small),
            ),
            ((1800, 2400), area("12", "16", "300 ppi"), None, None),
            ((2400, 1800), area("12", "16", "300 ppi"), None, Some(Shape)),
            (
                (9000, 4800),
                area("12", "16", "300 ppi"),
                Some(Unit::Inches),
                Some(Shape),
            ),
            ((1200, 1600), area("1200", "1600", ""), Some(Unit::Pixels), None),
            (
                (1100, 1600),
                area("1200", "1600", ""),
                Some(Unit::Pixels),
                Some(Small),
            ),
            (
                (1000, 1000),
                area("254", "254", "100 ppi"),
                Some(Unit::Millimetres),
                None,
            ),
            (
                (980, 980),
                area("25.4", "25.4", "100 ppi"),
                Some(Unit::Centimetres),
                Some(Small),
            ),
            // Without a resolution there is nothing to compare but the shape.
            ((10, 10), area("12", "12", "fine"), Some(Unit::Inches), None),
            ((10, 10), area("0", "12", "300 ppi"), Some(Unit::Inches), None),
        ] {
            let judged = judge(size, &[&area], unit).map(|(code, _)| code);
            assert_eq!(judged, expected, "{size:?} {area:?} {unit:?}");
        }
    }

    #[test]
    fn an_image_that_fills_one_of_the_areas_will_do_and_unknown_areas_ask_for_nothing() {
        let (large, small) = (area("12", "16", "300 ppi"), area("6", "8", "300 ppi"));
        assert_eq!(judge((1800, 2400), &[&large, &small], Some(Unit::Inches)), None);
        assert_eq!(judge((1, 1), &[], Some(Unit::Inches)), None);
    }

    #[test]
    fn the_message_names_what_was_found_and_what_is_wanted() {
        let (_, message) = judge((100, 200), &[&area("12", "16", "300 ppi")], Some(Unit::Inches)).unwrap();
        assert_eq!(
            message,
            "the image has 100 × 200 pixels; the print area wants 3600 × 4800."
        );
    }
}
