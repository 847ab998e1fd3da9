//! Provinces that are certainly meant by what people write, which the data lacks.

use super::everyday::{AFFIXES, EVERYDAY_PROVINCES};
use super::{Country, Province, bare, folded};

/// Names and abbreviations without case, accents, spaces and punctuation, each with ISO's code of the one province that is
/// called so, by country.
const MEANT: [(&str, &[(&str, &str)]); 15] = [
    (
        "BE",
        &[
            ("antwerp", "VAN"),
            ("eastflanders", "VOV"),
            ("westflanders", "VWV"),
        ],
    ),
    ("CA", &[("pei", "PE")]),
    ("CH", &[("stgallen", "SG"), ("geneva", "GE")]),
    (
        "DE",
        &[
            ("nrw", "NW"),
            ("northrhinewestphalia", "NW"),
            ("lowersaxony", "NI"),
            ("saxony", "SN"),
            ("saxonyanhalt", "ST"),
            ("thuringia", "TH"),
            ("thueringen", "TH"),
            ("badenwuerttemberg", "BW"),
        ],
    ),
    ("ES", &[("seville", "SE"), ("biscay", "BI")]),
    ("GR", &[("attica", "I")]),
    ("ID", &[("jakarta", "JK"), ("westjava", "JB")]),
    (
        "IT",
        &[
            ("milan", "MI"),
            ("rome", "RM"),
            ("naples", "NA"),
            ("florence", "FI"),
            ("turin", "TO"),
            ("venice", "VE"),
            ("genoa", "GE"),
        ],
    ),
    ("MY", &[("kualalumpur", "14")]),
    (
        "NL",
        &[
            ("fryslan", "FR"),
            ("northholland", "NH"),
            ("southholland", "ZH"),
            ("northbrabant", "NB"),
        ],
    ),
    ("PT", &[("lisbon", "11")]),
    ("RO", &[("bucharest", "B")]),
    ("RU", &[("moscow", "MOW")]),
    ("US", &[("washingtondc", "DC")]),
    ("VN", &[("hochiminhcity", "SG")]),
];

/// The countries in which nothing but its province is called so with a word for a province beside its name, or without
/// that. In the United States counties have the names of states: `Washington County`.
const WITH_AFFIXES: [&str; 9] = ["BE", "CH", "ES", "IE", "IT", "JP", "NL", "PL", "SE"];

/// What a province is called in a country where that beside its name can mean nothing but the province: `New York State`,
/// `Province of Ontario`.
const KINDS: [(&str, &str); 10] = [
    ("AU", "state"),
    ("BR", "state"),
    ("CA", "province"),
    ("CN", "province"),
    ("IN", "state"),
    ("MX", "state"),
    ("MY", "state"),
    ("NG", "state"),
    ("US", "state"),
    ("ZA", "province"),
];

impl Country {
    /// The one province that is certainly meant by a text: by its code or name, by a shop's own code, or as people write it:
    /// `Washington D.C.`, `Co. Cork`, `Osaka-fu`. Fingerprints have it as it is written.
    pub(crate) fn province_meant(&self, text: &str) -> Option<&Province> {
        self.province(text)
            .or_else(|| self.province_by_number(text))
            .or_else(|| self.province_called(&folded(text)))
    }

    fn province_called(&self, word: &str) -> Option<&Province> {
        // Two that claim a word are both meant by it, or neither.
        if word.is_empty() || self.provinces().by_word.contains_key(word) {
            return None;
        }
        if let Some(province) = self.by_table(word).or_else(|| self.by_kind(word)) {
            return Some(province);
        }
        if !WITH_AFFIXES.contains(&&*self.code) {
            return None;
        }
        let listed = |word: &str| self.province(word).or_else(|| self.by_table(word));
        // `Tokyo-to` is not the `to` of Kyoto.
        let behind = AFFIXES.iter().filter_map(|affix| word.strip_suffix(affix));
        let mut found: Vec<&Province> = behind.filter_map(listed).collect();
        if found.is_empty() {
            found.extend(bare(word).filter_map(listed));
        }
        if found.is_empty() {
            let is_it = |(known, _): &(&String, &Option<usize>)| bare(known).any(|known| known == word);
            let known = self.provinces().by_word.iter().filter(is_it);
            found.extend(known.filter_map(|(_, at)| self.provinces().all.get((*at)?)));
        }
        let (first, others) = found.split_first()?;
        others.iter().all(|other| other == first).then_some(*first)
    }

    fn by_kind(&self, word: &str) -> Option<&Province> {
        let (_, kind) = KINDS.iter().find(|(of, _)| *of == self.code)?;
        let behind = word.strip_prefix(kind).and_then(|rest| rest.strip_prefix("of"));
        self.province(word.strip_suffix(kind).or(behind)?)
    }

    fn by_table(&self, word: &str) -> Option<&Province> {
        if self.code == "JP" {
            return self.by_place_in_japan(word);
        }
        let (_, words) = MEANT.iter().find(|(of, _)| *of == self.code)?;
        let (_, code) = words.iter().find(|(known, _)| *known == word)?;
        self.province(code)
    }

    /// Japan's prefectures are numbered in the order in which they are listed in its own letters.
    fn by_place_in_japan(&self, word: &str) -> Option<&Province> {
        let (_, names) = EVERYDAY_PROVINCES.iter().find(|(of, _)| *of == self.code)?;
        let at = names.iter().position(|name| *name == word)?;
        self.province(&format!("{:02}", at.checked_add(1)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::country;
    use super::*;

    #[test]
    fn a_province_that_is_certainly_meant_has_its_code() {
        for (of, text, code) in [
            ("US", "Washington DC", "DC"),
            ("US", "Washington D.C.", "DC"),
            ("US", "Washington, DC", "DC"),
            ("US", "Washington", "WA"),
            ("US", "OH", "OH"),
            ("US", "New York State", "NY"),
            ("US", "Washington State", "WA"),
            ("US", "State of Texas", "TX"),
            ("US", "NY State", "NY"),
            ("CA", "Province of Ontario", "ON"),
            ("AU", "Victoria State", "VIC"),
            ("CA", "PEI", "PE"),
            ("CA", "P.E.I.", "PE"),
            ("DE", "NRW", "NW"),
            ("DE", "Saxony", "SN"),
            ("DE", "Lower Saxony", "NI"),
            ("DE", "Bayern", "BY"),
            ("IE", "Co. Cork", "CO"),
            ("IE", "County Cork", "CO"),
            ("IE", "Co Dublin", "D"),
            ("IE", "Cork", "CO"),
            ("IE", "Co. Mayo", "MO"),
            ("JP", "東京都", "13"),
            ("JP", "東京", "13"),
            ("JP", "Tokyo-to", "13"),
            ("JP", "Osaka-fu", "27"),
            ("JP", "大阪府", "27"),
            ("JP", "京都府", "26"),
            ("JP", "北海道", "01"),
            ("JP", "沖縄県", "47"),
            ("JP", "Aichi Prefecture", "23"),
            ("JP", "JP13", "13"),
            ("NL", "North Holland", "NH"),
            ("NL", "Provincie Utrecht", "UT"),
            ("SE", "Stockholm", "AB"),
            ("CH", "Kanton Zürich", "ZH"),
            ("CH", "St. Gallen", "SG"),
            ("ES", "Seville", "SE"),
            ("IT", "Milan", "MI"),
        ] {
            let found = country(of).unwrap().province_meant(text);
            assert_eq!(found.map(|province| province.code), Some(code), "{of} {text}");
        }
        for (of, words) in MEANT {
            let country = country(of).unwrap();
            for (word, code) in words {
                let found = country.province_meant(word).map(|province| province.code);
                assert_eq!(found, Some(*code), "{of} {word}");
            }
        }
    }

    #[test]
    fn a_word_that_may_mean_another_place_has_none() {
        for (of, text) in [
            ("US", "Washington County"),
            ("US", "Ohio County"),
            ("US", "Nowhere"),
            ("US", "Foo State"),
            ("US", "State"),
            ("US", ""),
            ("GB", "London"),
            ("GB", "West Yorkshire"),
            ("GB", "Kent County"),
            ("CA", "Ontari"),
            ("IE", "County"),
            ("JP", "Edo"),
            ("JP", "to"),
            ("DE", "Saxon"),
            ("XK", "Pristina"),
        ] {
            let found = country(of).unwrap().province_meant(text);
            assert_eq!(found.map(|province| province.code), None, "{of} {text}");
        }
    }
}
