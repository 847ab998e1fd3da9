//! The time that a title speaks of, in the languages of the header names: `November 2026`, `week 47`.

/// The names of months.
const MONTHS: [&str; 81] = [
    "january",
    "januar",
    "janvier",
    "enero",
    "gennaio",
    "januari",
    "janeiro",
    "february",
    "februar",
    "février",
    "febrero",
    "febbraio",
    "februari",
    "fevereiro",
    "march",
    "märz",
    "mars",
    "marzo",
    "maart",
    "março",
    "april",
    "avril",
    "abril",
    "aprile",
    "may",
    "mai",
    "mayo",
    "maggio",
    "mei",
    "maio",
    "june",
    "juni",
    "juin",
    "junio",
    "giugno",
    "junho",
    "july",
    "juli",
    "juillet",
    "julio",
    "luglio",
    "julho",
    "august",
    "août",
    "agosto",
    "augustus",
    "september",
    "septembre",
    "septiembre",
    "settembre",
    "setembro",
    "october",
    "oktober",
    "octobre",
    "octubre",
    "ottobre",
    "outubro",
    "november",
    "novembre",
    "noviembre",
    "novembro",
    "december",
    "dezember",
    "décembre",
    "diciembre",
    "dicembre",
    "dezembro",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "okt",
    "nov",
    "dec",
    "dez",
];

/// Words behind which a number counts, as that of a week does.
const COUNTED: [&str; 10] = [
    "week",
    "wk",
    "woche",
    "kw",
    "semaine",
    "semana",
    "settimana",
    "quarter",
    "quartal",
    "trimestre",
];

/// Whether a word is of a time that is no day: a sheet with a day in its title may be of that day, whatever it says of it.
pub(super) fn is_of_a_period(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let is_counted = before.is_some_and(|before| COUNTED.contains(before));
    words.get(at).is_some_and(|word| {
        let is_short = |least: usize, most: usize| (least..=most).contains(&word.len());
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let is_year = is_number && is_short(4, 4) && word.starts_with("20");
        let is_count = is_number && is_short(1, 2) && is_counted;
        MONTHS.contains(word) || COUNTED.contains(word) || is_year || is_count
    })
}
