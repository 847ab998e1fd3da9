//! A cell that holds a whole line: `name:Tee|sku:AB-1|quantity:2`.

/// The parts of a cell by name, lower case. What has no name belongs to the part before it: names hold separators.
pub(super) fn parts(cell: &str, between: &str, after_name: &str) -> Vec<(String, String)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    for piece in cell.split(between) {
        match piece.split_once(after_name).filter(|(name, _)| is_name(name)) {
            Some((name, text)) => parts.push((name.trim().to_lowercase(), text.to_owned())),
            None => {
                if let Some((_, text)) = parts.last_mut() {
                    text.push_str(between);
                    text.push_str(piece);
                }
            }
        }
    }
    for (_, text) in &mut parts {
        *text = text.trim().to_owned();
    }
    parts
}

/// Names are words of small letters: `Size: M` within a product's name is none.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_taken_apart_by_its_names() {
        for (cell, wanted) in [
            (
                "name:Tee|product_id:12|sku:AB-1|quantity:2|total:24.00",
                vec![
                    ("name", "Tee"),
                    ("product_id", "12"),
                    ("sku", "AB-1"),
                    ("quantity", "2"),
                    ("total", "24.00"),
                ],
            ),
            (
                "name:Tee | Size: M|sku:|quantity:1",
                vec![("name", "Tee | Size: M"), ("sku", ""), ("quantity", "1")],
            ),
            (
                "name:Print 3:2|quantity:1",
                vec![("name", "Print 3:2"), ("quantity", "1")],
            ),
            ("nothing at all", vec![]),
        ] {
            let parts = parts(cell, "|", ":");
            let parts: Vec<(&str, &str)> = parts
                .iter()
                .map(|(name, text)| (name.as_str(), text.as_str()))
                .collect();
            assert_eq!(parts, wanted, "{cell}");
        }
    }
}
