//! Countries and their provinces, as ISO 3166 and everyday speech name them. The data is a crate's and a hint: what
//! it does not list may exist all the same.

mod everyday;
mod meant;

use std::sync::{LazyLock, OnceLock};

use keshvar::SubdivisionType;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::recent::Recent;
use everyday::{AFFIXES, EVERYDAY, EVERYDAY_PROVINCES, NUMBERED_IN_CHINA, SHOPS_CODES};

/// A country of ISO 3166-1, or Kosovo.
#[derive(Debug)]
pub(crate) struct Country {
    /// ISO 3166-1 alpha-2.
    pub(crate) code: String,
    /// An everyday English name.
    pub(crate) name: &'static str,
    /// None where the data does not have it.
    alpha2: Option<keshvar::Alpha2>,
    /// Made when they are first asked for: most sheets go to a few countries.
    provinces: OnceLock<Provinces>,
}

#[derive(Debug, Default)]
struct Provinces {
    all: Vec<Province>,
    /// Positions in `all` by folded code and name; none where two claim it.
    by_word: FxHashMap<String, Option<usize>>,
}

/// A subdivision of ISO 3166-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Province {
    /// The code without the country's: `CA`.
    pub(crate) code: &'static str,
    /// The name.
    pub(crate) name: &'static str,
    /// Whether it is made up of other provinces of the same list, as Lombardia is of Milano and others.
    has_parts: bool,
}

impl Province {
    /// Whether both cannot be said of one place.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        self != other && self.has_parts == other.has_parts
    }
}

impl Country {
    /// Whether the data has any province of it.
    pub(crate) fn has_provinces(&self) -> bool {
        !self.provinces().all.is_empty()
    }

    /// The province with this code (`CA`, `US-CA`) or name; none where it is not listed, or two are.
    pub(crate) fn province(&self, text: &str) -> Option<&Province> {
        let provinces = self.provinces();
        let at = provinces.by_word.get(&folded(text)).or_else(|| {
            let (own, code) = text.split_once('-')?;
            let prefixed = own.eq_ignore_ascii_case(&self.code);
            provinces.by_word.get(&folded(code)).filter(|_| prefixed)
        });
        provinces.all.get((*at?)?)
    }

    /// Whether a text names a province of it, as people write it, too. A code of one letter or a number may be anything; one
    /// of several letters is a name where `by_code` says so.
    pub(crate) fn names_province(&self, text: &str, by_code: bool) -> bool {
        let (word, provinces) = (folded(text), self.provinces());
        let is_code = |province: &Province| folded(province.code) == word && folded(province.name) != word;
        let is_word = word.chars().count() > 1 && !word.contains(|c: char| c.is_ascii_digit());
        let is_listed = provinces.by_word.contains_key(&word);
        let counts = is_listed && (by_code || !provinces.all.iter().any(is_code));
        is_word && (counts || self.is_everyday(&word))
    }

    /// Whether a text names a province of it in whatever way, be it one that is made up of several: a warning says that
    /// others may be misspelled.
    pub(crate) fn knows_province(&self, text: &str) -> bool {
        let (said, provinces) = (folded(text), self.provinces());
        let is_known = |word: &str| provinces.by_word.contains_key(word) || self.is_everyday(word);
        let is_of_a_listed = || {
            let mut listed = provinces.by_word.keys();
            listed.any(|listed| bare(listed).any(|listed| listed == said))
        };
        self.province(text).is_some()
            || is_known(&said)
            || bare(&said).any(is_known)
            || is_of_a_listed()
            || self.is_its_own(text)
    }

    /// Whether a code is what shops have for the province with that name, though ISO's is another.
    pub(crate) fn is_shops_code(&self, code: &str, name: &str) -> bool {
        let said = (self.code.as_str(), &*folded(code), &*folded(name));
        SHOPS_CODES.contains(&said)
    }

    /// The province by a code of a shop's own, which has a number behind the country's: ISO's without its hyphen, `JP13`, or
    /// another one, `CN2`. Fingerprints have it as it is written.
    pub(crate) fn province_by_number(&self, text: &str) -> Option<&Province> {
        let (country, number) = text.split_at_checked(self.code.len())?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if !country.eq_ignore_ascii_case(&self.code) || !is_number {
            return None;
        }
        if self.code == "CN" {
            let at = number.parse::<usize>().ok()?.checked_sub(1)?;
            return self.province(NUMBERED_IN_CHINA.get(at)?);
        }
        self.province(&format!("{country}-{number}"))
    }

    /// Whether ISO's names of its provinces are the English ones, so that one it does not know is misspelt.
    pub(crate) fn lists_english_names(&self) -> bool {
        ENGLISH.contains(&&*self.code)
    }

    /// Whether a text is the name or the code of a country that is a city: people write it as the province, too.
    fn is_its_own(&self, text: &str) -> bool {
        CITIES.contains(&&*self.code) && country(text).is_some_and(|named| named.code == self.code)
    }

    fn is_everyday(&self, word: &str) -> bool {
        let mut everyday = EVERYDAY_PROVINCES.iter().filter(|(of, _)| *of == self.code);
        everyday.any(|(_, names)| names.contains(&word))
    }

    fn provinces(&self) -> &Provinces {
        self.provinces.get_or_init(|| match &self.alpha2 {
            Some(alpha2) => Provinces::of(&self.code, &alpha2.to_country()),
            None => Provinces::default(),
        })
    }
}

/// The country with this code (alpha-2, alpha-3) or name; as shops and ISO's lists
/// write it too: `Antigua & Barbuda`, `Spain (ES)`, `ES - Spain`, `Netherlands (the)`.
pub(crate) fn country(text: &str) -> Option<&'static Country> {
    thread_local! {
        static RECENT: Recent<(), Option<&'static Country>> = Recent::default();
    }
    RECENT.with(|recent| recent.find((), text, find_country))
}

fn find_country(text: &str) -> Option<&'static Country> {
    named(text)
        .or_else(|| named(&text.replace('&', " and ")))
        .or_else(|| named(text.trim().strip_suffix("(the)")?))
        .or_else(|| {
            let in_brackets = || text.trim().strip_suffix(')')?.split_once('(');
            let (name, code) = in_brackets()
                .or_else(|| text.split_once(" - "))
                .or_else(|| text.split_once(" – "))?;
            named(name).filter(|country| named(code).is_some_and(|same| same.code == country.code))
        })
}

fn named(text: &str) -> Option<&'static Country> {
    let (places, word): (&'static Places, String) = (&PLACES, folded(text));
    if KOSOVO.contains(&word.as_str()) {
        return Some(&places.kosovo);
    }
    // `N/A` and `n.a.` say that nobody gave one.
    if word == "na" && !text.trim().eq_ignore_ascii_case("na") {
        return None;
    }
    places.countries.get((*places.by_word.get(&word)?)?)
}

/// The country whose cars have this letter: in German addresses it stands for the country.
pub(super) fn of_cars(letter: &str) -> Option<&'static Country> {
    let places: &'static Places = &PLACES;
    let found = places
        .of_cars
        .iter()
        .find(|(of, _)| of.eq_ignore_ascii_case(letter));
    places.countries.get(found?.1)
}

/// What Kosovo is called, which has a code of its own making and none of ISO's.
const KOSOVO: [&str; 4] = ["xk", "xkx", "kosovo", "kosova"];

/// Makes the table of countries, which takes some milliseconds the first time.
pub(crate) fn know_countries() {
    LazyLock::force(&PLACES);
}

/// The country of a code and a name, either of which may be blank: none where they mean two, or the code none at all. A
/// name in another language is fine beside a code.
pub(crate) fn agreed_country(code: &str, name: &str) -> Option<&'static Country> {
    match (country(code), country(name)) {
        (None, by_name) => by_name.filter(|_| code.is_empty()),
        (Some(by_code), by_name) => by_name
            .is_none_or(|other| other.code == by_code.code)
            .then_some(by_code),
    }
}

/// Every country's code and everyday name, by name.
pub fn countries() -> Vec<(&'static str, &'static str)> {
    let places: &'static Places = &PLACES;
    let all = places.countries.iter().chain([&places.kosovo]);
    let mut all: Vec<_> = all.map(|country| (country.code.as_str(), country.name)).collect();
    all.sort_by_key(|(_code, name)| *name);
    all
}

struct Places {
    countries: Vec<Country>,
    /// Positions in `countries` by folded code and name; none where two claim it.
    by_word: FxHashMap<String, Option<usize>>,
    /// The letters that cars have, and positions in `countries`.
    of_cars: Vec<(&'static str, usize)>,
    kosovo: Country,
}

/// The countries whose list has provinces and what these are parts of, and what that is called.
const OF_PARTS: [(&str, &[SubdivisionType]); 9] = [
    ("BE", &[SubdivisionType::Region]),
    ("CZ", &[SubdivisionType::Region]),
    ("ES", &[SubdivisionType::AutonomousCommunity]),
    ("FR", &[SubdivisionType::MetropolitanRegion]),
    ("GB", &[SubdivisionType::Country, SubdivisionType::Province]),
    ("IE", &[SubdivisionType::Province]),
    (
        "IT",
        &[SubdivisionType::Region, SubdivisionType::AutonomousRegion],
    ),
    ("MA", &[SubdivisionType::Region]),
    ("PH", &[SubdivisionType::Region]),
];

fn has_parts(country: &str, kind: SubdivisionType) -> bool {
    OF_PARTS
        .iter()
        .any(|(code, kinds)| *code == country && kinds.contains(&kind))
}

/// The countries whose provinces are named in English alone.
const ENGLISH: [&str; 6] = ["AU", "CA", "GB", "IE", "NZ", "US"];

/// The countries that are little more than a city, and yet have parts in the list.
const CITIES: [&str; 4] = ["LU", "MC", "SG", "SM"];

/// What the US post knows beside the states; the data may lack them.
const ARMED_FORCES: [Province; 3] = [
    Province {
        code: "AA",
        name: "Armed Forces Americas",
        has_parts: false,
    },
    Province {
        code: "AE",
        name: "Armed Forces Europe",
        has_parts: false,
    },
    Province {
        code: "AP",
        name: "Armed Forces Pacific",
        has_parts: false,
    },
];

/// Built once: the crate makes its maps anew at every question.
static PLACES: LazyLock<Places> = LazyLock::new(|| {
    let all: Vec<keshvar::Country> = keshvar::SUPPORTED_ALPHA2_LIST
        .iter()
        .map(keshvar::Alpha2::to_country)
        .collect();
    let names_of: [fn(&keshvar::Country) -> Vec<String>; 3] = [codes, everyday, written];
    let mut words = Words::default();
    for names in names_of {
        words.add(all.iter().map(names));
    }
    let letter = |country: &keshvar::Country| {
        let letters = country.maybe_vehicle_registration_code();
        letters.filter(|letters| letters.len() == 1)
    };
    let of_cars = all.iter().enumerate();
    let of_cars = of_cars.filter_map(|(at, country)| Some((letter(country)?, at)));
    Places {
        of_cars: of_cars.collect(),
        countries: all.iter().map(Country::new).collect(),
        by_word: words.0,
        kosovo: Country {
            code: "XK".to_owned(),
            name: "Kosovo",
            alpha2: None,
            provinces: OnceLock::new(),
        },
    }
});

fn codes(country: &keshvar::Country) -> Vec<String> {
    vec![country.alpha2().to_string(), country.alpha3().to_string()]
}

fn everyday(country: &keshvar::Country) -> Vec<String> {
    everyday_names(country)
        .iter()
        .map(|name| (*name).to_owned())
        .collect()
}

fn everyday_names(country: &keshvar::Country) -> &'static [&'static str] {
    let code = country.alpha2().to_string();
    EVERYDAY
        .iter()
        .find(|(of, _)| *of == code)
        .map_or(&[], |(_, names)| *names)
}

fn written(country: &keshvar::Country) -> Vec<String> {
    let own = [country.iso_short_name(), country.iso_long_name()];
    own.iter()
        .chain(country.unofficial_name_list())
        .map(|name| (*name).to_owned())
        .collect()
}

impl Country {
    fn new(country: &keshvar::Country) -> Self {
        Self {
            code: country.alpha2().to_string(),
            name: everyday_names(country)
                .first()
                .copied()
                .unwrap_or(country.iso_short_name()),
            alpha2: Some(country.alpha2()),
            provinces: OnceLock::new(),
        }
    }
}

impl Provinces {
    fn of(code: &str, country: &keshvar::Country) -> Self {
        let mut provinces: Vec<(Province, Vec<String>)> = country
            .subdivisions()
            .values()
            .map(|province| {
                let names = province
                    .unofficial_name_list()
                    .iter()
                    .copied()
                    .chain([province.name()]);
                let names = names.map(|name| plain_name(name).to_owned()).collect();
                let known = Province {
                    code: province.code(),
                    name: plain_name(province.name()),
                    has_parts: has_parts(code, province.subdivision_type()),
                };
                (known, names)
            })
            .collect();
        if code == "US" {
            provinces.retain(|(province, _)| ARMED_FORCES.iter().all(|forces| forces.code != province.code));
            provinces.extend(ARMED_FORCES.map(|forces| (forces, vec![forces.name.to_owned()])));
        }
        let mut words = Words::default();
        words.add(
            provinces
                .iter()
                .map(|(province, _)| vec![province.code.to_owned()]),
        );
        words.add(provinces.iter().map(|(_, names)| names.clone()));
        Self {
            all: provinces.into_iter().map(|(province, _)| province).collect(),
            by_word: words.0,
        }
    }
}

/// Folded words and the position of what they name; none where two things of one rank claim a word.
#[derive(Default)]
struct Words(FxHashMap<String, Option<usize>>);

impl Words {
    /// Adds the words of things, by position; a word that an earlier call has added stays as it is.
    fn add(&mut self, things: impl Iterator<Item = Vec<String>>) {
        let mut rank: FxHashMap<String, Option<usize>> = FxHashMap::default();
        let folded = things
            .enumerate()
            .flat_map(|(at, words)| words.into_iter().map(move |word| (folded(&word), at)));
        for (word, at) in folded.filter(|(word, _)| !word.is_empty()) {
            let claimed = rank.entry(word).or_insert(Some(at));
            if *claimed != Some(at) {
                *claimed = None;
            }
        }
        for (word, at) in rank {
            self.0.entry(word).or_insert(at);
        }
    }
}

/// Without what the data adds in brackets: `Isle of Anglesey [Sir Ynys Môn GB-YNM]`.
fn plain_name(name: &'static str) -> &'static str {
    name.split(['[', '(']).next().map_or(name, str::trim)
}

/// A name without case, accents, spaces and punctuation, and without a `The` before it.
fn folded(name: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric();
    // Most are plain: taking accents apart costs more than all the rest of a check.
    let mut folded = String::with_capacity(name.len());
    if name.is_ascii() {
        folded.extend(name.chars().map(|c| c.to_ascii_lowercase()).filter(kept));
    } else {
        let letters = name.nfkd().filter(|c| !is_combining_mark(*c));
        folded.extend(letters.flat_map(char::to_lowercase).filter(kept));
    }
    let article = name
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("the "));
    match folded.strip_prefix("the") {
        Some(rest) if article => rest.to_owned(),
        _ => folded,
    }
}

/// A folded name without what says that it is a province: `countydurham`, `stockholmslan`. Of what is shorter anything may
/// be left.
fn bare(word: &str) -> impl Iterator<Item = &str> {
    const FEWEST: usize = 3;
    let without = AFFIXES
        .iter()
        .flat_map(move |affix| [word.strip_prefix(affix), word.strip_suffix(affix)]);
    let is_long = |word: &&str| word.len() >= FEWEST;
    without.flatten().filter(is_long)
}

#[cfg(test)]
mod tests;
