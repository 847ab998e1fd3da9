//! The nearest of some names to a misspelt one.

/// The names that a person may have meant, the nearest first; at most three.
pub(crate) fn nearest<'a>(misspelt: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    // Below this two names share little more than their length.
    const SIMILAR: f64 = 0.75;
    let mut ranked: Vec<(f64, &str)> = names
        .map(|name| (strsim::jaro_winkler(misspelt, name), name))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().take(3).map(|(_, name)| name).collect()
}
