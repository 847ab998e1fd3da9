//! What a buyer wrote to have it printed, by the name of the column or the option that it stands under.

use crate::order::columns::normalized;
use crate::order::nothing::says_nothing;

/// What such a name has, without case, spaces and punctuation.
const NAMES: [&str; 26] = [
    "personali",
    "personnali",
    "engrav",
    "gravur",
    "grabado",
    "incisione",
    "monogram",
    "embroider",
    "customiz",
    "customis",
    "customtext",
    "customname",
    "custominitials",
    "custommessage",
    "wunschtext",
    "wunschname",
    "texttoprint",
    "texttobeprinted",
    "nametoprint",
    "nametobeprinted",
    "giftmessage",
    "giftnote",
    "geschenknachricht",
    "grußtext",
    "messagecadeau",
    "mensajederegalo",
];

/// What it has where it speaks of something else: of what that costs, how it stands, or whether it can be had.
const OF_SOMETHING_ELSE: [&str; 19] = [
    "price", "prix", "preis", "precio", "cost", "kosten", "fee", "charge", "status", "statut", "total",
    "amount", "discount", "quantity", "izable", "isable", "isierbar", "izzabile", "tax",
];

/// Words by which a buyer wants none, as a whole.
const NO: [&str; 24] = [
    "no",
    "n",
    "false",
    "nein",
    "falsch",
    "non",
    "faux",
    "falso",
    "nee",
    "não",
    "nie",
    "none",
    "nothing",
    "no thanks",
    "no thank you",
    "nein danke",
    "non merci",
    "keine",
    "ohne",
    "aucun",
    "aucune",
    "nessuna",
    "ninguno",
    "ninguna",
];

/// How a text begins by which a buyer wants none; shops fill it in, too.
const WANTS_NONE: [&str; 20] = [
    "not requested",
    "not personali",
    "not required",
    "not wanted",
    "no personali",
    "no engraving",
    "no text",
    "no custom",
    "without personali",
    "without engraving",
    "keine personali",
    "keine gravur",
    "ohne personali",
    "ohne gravur",
    "nicht angefordert",
    "nicht gewünscht",
    "sans personnali",
    "non demandé",
    "sin personali",
    "senza personali",
];

/// Whether a column or an option holds such a text, by its name.
pub(super) fn is_called_so(name: &str) -> bool {
    let name = normalized(name);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    has(&NAMES) && !has(&OF_SOMETHING_ELSE)
}

/// Whether a text under such a name is none.
pub(super) fn is_none(text: &str) -> bool {
    let small = text.to_lowercase();
    let words = small.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let small = words.join(" ");
    let is_number_of_none = || small.bytes().all(|byte| matches!(byte, b'0' | b' '));
    says_nothing(text)
        || is_number_of_none()
        || NO.contains(&small.as_str())
        || WANTS_NONE.iter().any(|start| small.starts_with(start))
}

/// The texts that stand behind such names in a cell of several options, `Size:M,Personalization:Ada & Ben`, each with its name.
/// A text goes on to the end of its line: it may have commas and colons itself.
pub(super) fn pairs(cell: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = cell;
    while let Some((pair, behind)) = next_pair(rest) {
        found.push(pair);
        rest = behind;
    }
    found
}

/// The first of them, and what stands behind it.
fn next_pair(cell: &str) -> Option<((&str, &str), &str)> {
    let begins = std::iter::once(0).chain(cell.match_indices(BETWEEN).map(|(at, mark)| at + mark.len()));
    begins.filter_map(|at| cell.get(at..)).find_map(pair_at)
}

/// What may stand before a name.
const BETWEEN: [char; 6] = [',', ';', '|', '\n', '\r', '['];

fn pair_at(text: &str) -> Option<((&str, &str), &str)> {
    /// A name is no longer.
    const LONGEST: usize = 60;
    let text = text.trim_start();
    // Some plug-ins say so of what a line has besides.
    let text = text.strip_prefix("meta:").unwrap_or(text);
    let (name, behind) = text.split_once([':', '='])?;
    if name.len() > LONGEST || name.contains(BETWEEN) || !is_called_so(name) {
        return None;
    }
    let behind = behind.trim_start();
    let (text, behind) = behind.split_once(['\n', '\r', '|']).unwrap_or((behind, ""));
    Some(((name.trim(), text.trim()), behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_that_the_buyer_wrote_what_is_to_be_printed() {
        for name in [
            "Personalization",
            "personalisation",
            "Personnalisation",
            "Personalisierung",
            "Personalización",
            "Personalizzazione",
            "Personalisatie",
            "meta:Personalization",
            "meta:_engraving_text",
            "Line 1 Personalization",
            "Gravur",
            "Monogram initials",
            "customized-url",
            "customized-page",
            "customization",
            "Custom Text",
            "Gift message",
        ] {
            assert!(is_called_so(name), "{name}");
        }
        for name in [
            "Personalization fee",
            "Personalisation price",
            "Personalization status",
            "is-customizable",
            "Personalizable",
            "Customer name",
            "Customer note",
            "customs-info",
            "Custom label",
            "Customs Issue",
            "Personal message count status",
            "Person",
            "Size",
            "Color",
            "",
        ] {
            assert!(!is_called_so(name), "{name}");
        }
    }

    #[test]
    fn a_text_by_which_the_buyer_wants_nothing_is_none() {
        for none in [
            "",
            " ",
            "-",
            "0",
            "0.00",
            "No",
            "no.",
            "false",
            "N/A",
            "none",
            "Not requested on this item.",
            "No personalization",
            "Nein, danke",
            "ohne Gravur",
        ] {
            assert!(is_none(none), "{none}");
        }
        for text in [
            "Ada",
            "Noah",
            "Nina & Noel",
            "No. 7",
            "Nothing compares",
            "yes",
            "2026",
            "007",
            "https://zme-caps.amazon.com/t/abc",
            "O'Neil",
            "王伟",
        ] {
            assert!(!is_none(text), "{text}");
        }
    }

    #[test]
    fn a_text_is_found_behind_its_name_among_other_options() {
        let options: &[(&str, &[(&str, &str)])] = &[
            (
                "Size:S,Personalization:Happy Birthday, Ada!",
                &[("Personalization", "Happy Birthday, Ada!")],
            ),
            (
                "Personalisierung: Ada, geb. 3.5., 8:15",
                &[("Personalisierung", "Ada, geb. 3.5., 8:15")],
            ),
            ("Personalization:\nAda\nBen", &[("Personalization", "Ada")]),
            (
                "name:Fox Tee|product_id:12|sku:A|quantity:2|meta:pa_size=S|meta:Engraving=Ada",
                &[("Engraving", "Ada")],
            ),
            (
                "Engraving: Ada\nGift message: Happy day\ngclid: x",
                &[("Engraving", "Ada"), ("Gift message", "Happy day")],
            ),
            ("[Color:Black,Personalize:Ada]", &[("Personalize", "Ada]")]),
            ("Size:S,Color:Black", &[]),
            ("name:Personalised Mug: blue|sku:A|quantity:1", &[]),
            ("Personalized gift", &[]),
            ("Style:Custom fit", &[]),
            ("", &[]),
        ];
        for (cell, found) in options {
            assert_eq!(pairs(cell), *found, "{cell}");
        }
    }
}
