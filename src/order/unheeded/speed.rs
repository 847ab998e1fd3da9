//! Whether a shop's way of shipping is plainly a faster one than the standard. Its carriers call themselves so, too.

/// Words that say so wherever they stand.
const FAST: [&str; 33] = [
    "expedited",
    "expedite",
    "priority",
    "overnight",
    "nextday",
    "secondday",
    "sameday",
    "twoday",
    "2day",
    "2days",
    "24h",
    "rush",
    "urgent",
    "urgente",
    "urgence",
    "eilversand",
    "eilsendung",
    "eilzustellung",
    "eillieferung",
    "blitzversand",
    "blitzlieferung",
    "schnellversand",
    "spoed",
    "spoedlevering",
    "spoedverzending",
    "exprés",
    "exprès",
    "expresso",
    "ekspres",
    "ekspresowa",
    "expresní",
    "sedex",
    "lendemain",
];

/// How such a word begins.
const BEGINS: &str = "express";

/// Words that say so together.
const TOGETHER: [&[&str]; 21] = [
    &["next", "day"],
    &["next", "business", "day"],
    &["next", "working", "day"],
    &["second", "day"],
    &["2nd", "day"],
    &["same", "day"],
    &["two", "day"],
    &["one", "day"],
    &["1", "day"],
    &["2", "day"],
    &["24", "h"],
    &["24", "hour"],
    &["24", "hours"],
    &["24", "stunden"],
    &["nächster", "tag"],
    &["nächsten", "tag"],
    &["volgende", "dag"],
    &["día", "siguiente"],
    &["dia", "seguinte"],
    &["giorno", "successivo"],
    &["jour", "suivant"],
];

/// What a marketplace's own names for its ways of shipping begin with: `Exp US D2D Dom`.
const FIRST: [&[&str]; 3] = [&["exp"], &["second", "us"], &["next", "us"]];

/// What stands before `Express` in the name of who carries parcels, at whatever pace.
const CARRIERS: [&[&str]; 18] = [
    &["j", "t"],
    &["jt"],
    &["best"],
    &["flash"],
    &["kerry"],
    &["lbc"],
    &["spx"],
    &["shopee"],
    &["city", "link"],
    &["citylink"],
    &["sf"],
    &["s", "f"],
    &["zto"],
    &["yto"],
    &["jd"],
    &["federal"],
    &["ecom"],
    &["team", "global"],
];

/// What stands before such words where it is not so.
const NOT: [&str; 10] = [
    "no", "not", "non", "low", "without", "kein", "keine", "nicht", "sans", "sin",
];

/// What stands behind them where they speak of the time until the parcel is handed over.
const UNTIL_SENT: [&str; 6] = [
    "handling",
    "processing",
    "dispatch",
    "despatch",
    "production",
    "printing",
];

/// Whether a way of shipping is plainly a faster one.
pub(super) fn is_faster(text: &str) -> bool {
    let small = text.to_lowercase();
    let words: Vec<&str> = small
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let begins_so = words.len() > 1 && FIRST.iter().any(|first| words.starts_with(first));
    begins_so || (0..words.len()).any(|at| is_said_at(&words, at))
}

fn is_said_at(words: &[&str], at: usize) -> bool {
    let (before, from) = words.split_at(at);
    let is_denied = before.last().is_some_and(|word| NOT.contains(word));
    let Some(length) = length_of_what_says_so(from).filter(|_| !is_denied) else {
        return false;
    };
    let is_of_a_carrier = from.first() == Some(&BEGINS) && CARRIERS.iter().any(|name| before.ends_with(name));
    // `1-2 day` is a span, which a standard parcel takes as well.
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_span = from.first().is_some_and(is_number) && before.last().is_some_and(is_number);
    let is_until_sent = from.get(length).is_some_and(|word| UNTIL_SENT.contains(word));
    !is_of_a_carrier && !is_span && !is_until_sent
}

/// How many words say so from the first of these on.
fn length_of_what_says_so(from: &[&str]) -> Option<usize> {
    let first = from.first()?;
    if FAST.contains(first) || first.starts_with(BEGINS) {
        return Some(1);
    }
    let together = TOGETHER.iter().find(|words| from.starts_with(words));
    together.map(|words| words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faster_way_of_shipping_is_told_from_the_standard_in_its_many_names() {
        for faster in [
            "Express",
            "Free Express Shipping",
            "DHL Express Worldwide",
            "Expressversand",
            "EXPEDITED",
            "Expedited Shipping",
            "SecondDay",
            "Second Day",
            "NextDay",
            "Next Day Air",
            "Next working day",
            "SameDay",
            "UPS 2nd Day Air",
            "2-Day Shipping",
            "Priority",
            "USPS Priority Mail",
            "FedEx Standard Overnight",
            "Exp US D2D Dom",
            "Second US D2D Dom",
            "Kerry Express Next Day",
            "Livraison express",
            "Eilversand",
            "Envío exprés",
            "Rush",
        ] {
            assert!(is_faster(faster), "{faster}");
        }
        for standard in [
            "",
            "Standard",
            "Standard Shipping",
            "standard (3-5 business days)",
            "Standard 1-2 day delivery",
            "Economy",
            "Free",
            "Free shipping",
            "FREE Shipping, next day dispatch",
            "Flat rate",
            "flat_rate:3",
            "FreeEconomy",
            "Std US D2D Dom",
            "Econ US Dom",
            "Scheduled",
            "USPS Ground Advantage",
            "UPS Ground",
            "Royal Mail Tracked 48",
            "2nd Class",
            "Standardversand",
            "Kostenloser Versand",
            "Livraison standard",
            "Expédition standard",
            "Expedition gratuite",
            "Envío estándar",
            "Corriere espresso",
            "J&T Express",
            "Flash Express",
            "SF Express",
            "Federal Express Ground",
            "AliExpress Standard Shipping",
            "YunExpress",
            "Non-priority mail",
            "no express",
            "Local pickup",
            "Mondial Relay",
            "Second class stamp",
            "Export parcel",
        ] {
            assert!(!is_faster(standard), "{standard}");
        }
    }
}
