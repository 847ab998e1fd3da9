//! How a number cell of a workbook looks: as much of its number format as a result can carry on for certain. Sheets have
//! all sorts of formats, and one that is no format at all would make a result that does not open: what is written is put
//! together anew from what is understood here.

/// What is written beside an amount.
const SYMBOLS: [&str; 18] = [
    "$", "€", "£", "¥", "₹", "₩", "zł", "Kč", "Ft", "kr", "CHF", "EUR", "USD", "GBP", "US$", "CA$", "A$",
    "R$",
];

/// More zeros than a number has digits say nothing.
const MOST_ZEROS: u8 = 15;

/// A number format that is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Zeros that are always shown before the point.
    zeros: u8,
    /// Digits behind the point.
    decimals: u8,
    has_thousands: bool,
    beside: Beside,
}

/// What stands beside the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    Nothing,
    Percent,
    /// A symbol before them, by its place in [`SYMBOLS`].
    Before(u8),
    /// The same behind them.
    Behind(u8),
}

impl Look {
    /// What a format's code says, `0.00%`; none where it is not understood whole.
    pub(super) fn of(code: &str) -> Option<Self> {
        // Of nearly every number.
        if code.is_empty() || code.eq_ignore_ascii_case("general") {
            return None;
        }
        let mut reading = Reading::default();
        let mut rest = code.chars();
        while let Some(c) = rest.next() {
            match c {
                ';' => break,
                '0' | '#' | ',' | '.' => reading.digits.push(c),
                '%' => reading.put("%")?,
                '$' | '€' | '£' | '¥' => reading.put(c.encode_utf8(&mut [0; 4]))?,
                '"' => reading.put(&until('"', &mut rest)?)?,
                '[' => reading.put(in_brackets(&until(']', &mut rest)?)?)?,
                '\\' => reading.put(rest.next()?.encode_utf8(&mut [0; 4]))?,
                // As wide as the next one, or as many of the next one as there is room for.
                '_' | '*' => drop(rest.next()?),
                ' ' | '\u{a0}' | '-' | '(' | ')' => {}
                _ => return None,
            }
        }
        reading.look()
    }

    /// The code of the format.
    pub fn code(self) -> String {
        let zeros = "0".repeat(self.zeros.into());
        let whole = if self.has_thousands {
            "#,##0"
        } else {
            zeros.as_str()
        };
        let point = if self.decimals == 0 { "" } else { "." };
        let digits = format!("{whole}{point}{}", "0".repeat(self.decimals.into()));
        let symbol = |place: u8| SYMBOLS.get(usize::from(place)).copied().unwrap_or_default();
        match self.beside {
            Beside::Nothing => digits,
            Beside::Percent => format!("{digits}%"),
            Beside::Before(place) => format!("\"{}\"{digits}", symbol(place)),
            Beside::Behind(place) => format!("{digits} \"{}\"", symbol(place)),
        }
    }

    /// As it is stored with its cell.
    pub(super) fn to_bytes(self) -> [u8; 4] {
        let (how, symbol) = match self.beside {
            Beside::Nothing => (0, 0),
            Beside::Percent => (1, 0),
            Beside::Before(place) => (2, place),
            Beside::Behind(place) => (3, place),
        };
        [
            self.zeros,
            self.decimals,
            how << 1 | u8::from(self.has_thousands),
            symbol,
        ]
    }

    /// What [`Look::to_bytes`] has made; none where these bytes are no such look.
    pub(super) fn from_bytes([zeros, decimals, how, symbol]: [u8; 4]) -> Option<Self> {
        let beside = match (how >> 1, usize::from(symbol) < SYMBOLS.len()) {
            (0, _) => Beside::Nothing,
            (1, _) => Beside::Percent,
            (2, true) => Beside::Before(symbol),
            (3, true) => Beside::Behind(symbol),
            _ => return None,
        };
        let fits = (1..=MOST_ZEROS).contains(&zeros) && decimals <= MOST_ZEROS;
        fits.then_some(Self {
            zeros,
            decimals,
            has_thousands: how & 1 == 1,
            beside,
        })
    }
}

/// A format while it is read.
#[derive(Default)]
struct Reading {
    digits: String,
    before: String,
    behind: String,
}

impl Reading {
    /// Takes what stands beside the digits; none where they are not all on one side of it.
    fn put(&mut self, text: &str) -> Option<()> {
        let text = text.trim();
        let side = if self.digits.is_empty() {
            &mut self.before
        } else {
            &mut self.behind
        };
        side.push_str(text);
        (self.before.is_empty() || self.behind.is_empty()).then_some(())
    }

    fn look(&self) -> Option<Look> {
        let place = |text: &str| {
            let place = SYMBOLS.iter().position(|symbol| *symbol == text)?;
            u8::try_from(place).ok()
        };
        let beside = match (self.before.as_str(), self.behind.as_str()) {
            ("", "") => Beside::Nothing,
            ("", "%") => Beside::Percent,
            (before, "") => Beside::Before(place(before)?),
            ("", behind) => Beside::Behind(place(behind)?),
            _ => return None,
        };
        let (whole, decimals) = self.digits.split_once('.').unwrap_or((&self.digits, ""));
        // A comma at the end divides by a thousand, and `#` hides what is nothing.
        let is_plain = !decimals.contains(|c| c != '0') && whole.ends_with('0');
        let zeros = whole.bytes().filter(|byte| *byte == b'0').count();
        let [zeros, decimals] = [zeros, decimals.len()].map(|count| u8::try_from(count).unwrap_or(u8::MAX));
        let fits = is_plain && zeros <= MOST_ZEROS && decimals <= MOST_ZEROS;
        fits.then_some(Look {
            zeros,
            decimals,
            has_thousands: whole.contains(','),
            beside,
        })
    }
}

/// The text up to a mark.
fn until(end: char, rest: &mut std::str::Chars<'_>) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            c if c == end => return Some(text),
            c => text.push(c),
        }
    }
}

/// What is shown for `$€-407`, a currency with its language, or for a colour; none of a condition or a length of time.
fn in_brackets(text: &str) -> Option<&str> {
    const COLOURS: [&str; 8] = [
        "black", "blue", "cyan", "green", "magenta", "red", "white", "yellow",
    ];
    match text.strip_prefix('$') {
        Some(currency) => Some(currency.split('-').next().unwrap_or_default()),
        None => COLOURS
            .iter()
            .any(|colour| text.eq_ignore_ascii_case(colour))
            .then_some(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood_of_a_format_is_written_anew_and_the_rest_is_left() {
        for (code, written) in [
            ("0%", Some("0%")),
            ("0.00%", Some("0.00%")),
            ("0", Some("0")),
            ("0.00", Some("0.00")),
            ("00000", Some("00000")),
            ("#,##0", Some("#,##0")),
            ("#,##0.00", Some("#,##0.00")),
            ("\"$\"#,##0.00", Some("\"$\"#,##0.00")),
            ("$#,##0.00;[Red]-$#,##0.00", Some("\"$\"#,##0.00")),
            ("#,##0.00 \"€\"", Some("#,##0.00 \"€\"")),
            ("#,##0.00\\ [$€-407]", Some("#,##0.00 \"€\"")),
            ("[$£-809]#,##0.00", Some("\"£\"#,##0.00")),
            ("_-* #,##0.00\\ \"zł\"_-;-* #,##0.00", Some("#,##0.00 \"zł\"")),
            ("[Red]0.0", Some("0.0")),
            ("General", None),
            ("", None),
            ("@", None),
            ("0.00E+00", None),
            ("# ?/?", None),
            ("#", None),
            ("#.##", None),
            ("#,##0,", None),
            ("0.0,,\"M\"", None),
            ("0 \"pcs\"", None),
            ("\"No. \"0", None),
            ("[>1]0", None),
            ("[h]:mm", None),
            ("yyyy-mm-dd", None),
            ("$0 €", None),
            ("\"open", None),
            ("0000000000000000000", None),
        ] {
            assert_eq!(Look::of(code).map(Look::code).as_deref(), written, "{code}");
        }
    }

    #[test]
    fn a_look_comes_back_as_it_was_stored_and_no_other_bytes_are_one() {
        for code in ["0", "0.00%", "00000", "\"$\"#,##0.00", "0.0 \"R$\""] {
            let look = Look::of(code).unwrap();
            assert_eq!(Look::from_bytes(look.to_bytes()), Some(look), "{code}");
        }
        for bytes in [
            [0, 0, 0, 0],
            [1, 200, 0, 0],
            [99, 0, 0, 0],
            [1, 0, 4, 200],
            [1, 0, 99, 0],
        ] {
            assert_eq!(Look::from_bytes(bytes), None, "{bytes:?}");
        }
    }
}
