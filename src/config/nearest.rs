//! The nearest of some names to a misspelt one.

/// The names that a person may have meant, the nearest first; at most three.
pub(crate) fn nearest<'a>(misspelt: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    // With more than half of its letters changed a name is another name.
    let most = misspelt.chars().count() / 2;
    let mut ranked: Vec<(usize, &str)> = names
        .map(|name| (strsim::osa_distance(misspelt, name), name))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    ranked.sort_by_key(|(distance, _)| *distance);
    let best = ranked.first().map_or(0, |(distance, _)| *distance);
    ranked
        .into_iter()
        .take_while(|(distance, _)| *distance <= best + 1)
        .take(3)
        .map(|(_, name)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_about_as_near_as_the_nearest_are_meant() {
        let names = ["timeout", "unknown-sku", "unknown-country", "sync"];
        for (misspelt, meant) in [
            ("timout", vec!["timeout"]),
            ("unknown-skus", vec!["unknown-sku"]),
            ("snyc", vec!["sync"]),
            ("zzzz", vec![]),
        ] {
            assert_eq!(nearest(misspelt, names.into_iter()), meant, "{misspelt}");
        }
    }
}
