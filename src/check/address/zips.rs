//! Which zips a state of the United States has, and which a province of Canada.

/// How the zips of a state begin: its code, and the first three digits from and to. What lies between is another state's
/// only where it stands here as well.
const BEGINS: [(&str, u32, u32); 71] = [
    ("AK", 995, 999),
    ("AL", 350, 369),
    ("AR", 716, 729),
    ("AZ", 850, 865),
    ("CA", 900, 961),
    ("CO", 800, 816),
    ("CT", 60, 69),
    ("DC", 200, 200),
    ("DC", 202, 205),
    ("DC", 569, 569),
    ("DE", 197, 199),
    ("FL", 320, 339),
    ("FL", 341, 349),
    ("GA", 300, 319),
    ("GA", 398, 399),
    ("HI", 967, 968),
    ("IA", 500, 528),
    ("ID", 832, 838),
    ("IL", 600, 629),
    ("IN", 460, 479),
    ("KS", 660, 679),
    ("KY", 400, 427),
    ("LA", 700, 714),
    ("MA", 10, 27),
    ("MA", 55, 55),
    ("MD", 206, 219),
    ("ME", 39, 49),
    ("MI", 480, 499),
    ("MN", 550, 567),
    ("MO", 630, 658),
    ("MS", 386, 397),
    ("MT", 590, 599),
    ("NC", 270, 289),
    ("ND", 580, 588),
    ("NE", 680, 693),
    ("NH", 30, 38),
    ("NJ", 70, 89),
    ("NM", 870, 884),
    ("NV", 889, 898),
    ("NY", 5, 5),
    // Fishers Island.
    ("NY", 63, 63),
    ("NY", 100, 149),
    ("OH", 430, 459),
    ("OK", 730, 732),
    ("OK", 734, 749),
    ("OR", 970, 979),
    ("PA", 150, 196),
    ("RI", 28, 29),
    ("SC", 290, 299),
    ("SD", 570, 577),
    ("TN", 370, 385),
    ("TX", 733, 733),
    ("TX", 750, 799),
    ("TX", 885, 885),
    ("UT", 840, 847),
    ("VA", 201, 201),
    ("VA", 220, 246),
    ("VT", 50, 54),
    ("VT", 56, 59),
    ("WA", 980, 994),
    ("WI", 530, 549),
    ("WV", 247, 268),
    ("WY", 820, 831),
    // What the post counts among the states.
    ("AA", 340, 340),
    ("AE", 90, 98),
    ("AP", 962, 966),
    ("AS", 967, 967),
    ("GU", 969, 969),
    ("MP", 969, 969),
    ("PR", 6, 9),
    ("VI", 8, 8),
];

/// The letters that begin the zips of Canada's provinces.
const LETTERS: [(&str, &str); 13] = [
    ("AB", "T"),
    ("BC", "V"),
    ("MB", "R"),
    ("NB", "E"),
    ("NL", "A"),
    ("NS", "B"),
    ("NT", "X"),
    ("NU", "X"),
    ("ON", "KLMNP"),
    ("PE", "C"),
    ("QC", "GHJ"),
    ("SK", "S"),
    ("YT", "Y"),
];

/// Whether a zip is one of a state of the United States, be it without the zero in front that a spreadsheet takes.
pub(super) fn is_of_state(zip: &str, state: &str) -> bool {
    states_of(zip).any(|code| code == state)
}

/// The province that a zip is one of where that is not this one, of the United States or Canada, as its code; none where
/// nothing is known of either. Along the borders of states the post of one brings a few letters to the other: no proof.
pub(super) fn elsewhere(country: &str, zip: &str, province: &str) -> Option<&'static str> {
    let (of_zip, is_listed): (Vec<&str>, bool) = match country {
        "US" => (
            states_of(zip).collect(),
            BEGINS.iter().any(|(code, ..)| *code == province),
        ),
        "CA" => {
            let first = zip.chars().next()?.to_ascii_uppercase();
            let of_zip = LETTERS.iter().filter(|(_, letters)| letters.contains(first));
            let is_listed = LETTERS.iter().any(|(code, _)| *code == province);
            (of_zip.map(|(code, _)| *code).collect(), is_listed)
        }
        _ => return None,
    };
    let other = of_zip.first().copied()?;
    (is_listed && !of_zip.contains(&province)).then_some(other)
}

fn states_of(zip: &str) -> impl Iterator<Item = &'static str> {
    const ALL: usize = 5;
    let digits = zip.split('-').next().unwrap_or(zip);
    let is_one = (ALL - 1..=ALL).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let whole = format!("{digits:0>ALL$}");
    let begins = whole.get(..3).and_then(|begin| begin.parse::<u32>().ok());
    let begins = begins.filter(|_| is_one);
    let is_in = move |from: u32, to: u32| begins.is_some_and(|begins| (from..=to).contains(&begins));
    BEGINS
        .iter()
        .filter(move |(_, from, to)| is_in(*from, *to))
        .map(|(code, ..)| *code)
}
