//! What is read of trackings.

use proptest::prelude::*;

use super::*;

#[test]
fn a_number_that_is_still_to_come_is_not_that_of_an_item_or_an_event() {
    for (raw, numbers) in [
        (r#"[{"number": "A1", "items": [{"code": "TEE-M"}]}]"#, vec!["A1"]),
        (
            r#"[{"tracking_number": null, "carrier": "UPS", "items": [{"code": "TEE-M"}]}]"#,
            vec![],
        ),
        (
            r#"[{"tracking_number": "pending", "items": [{"code": "TEE-M-2"}]}]"#,
            vec![],
        ),
        (
            r#"[{"number": "N/A"}, {"number": "-"}, {"number": 0}, "0000", "TBD"]"#,
            vec![],
        ),
        (
            r#"[{"tracking_number": null, "carrier": "UPS", "code": "US2DAYS"}, {"tracking_number": "", "no": 1}]"#,
            vec![],
        ),
        (
            r#"[{"tracking_number": " ", "events": [{"code": "announced"}]}]"#,
            vec![],
        ),
        (
            r#"[{"tracking_number": "", "parcels": [{"tracking_number": "B2"}]}]"#,
            vec!["B2"],
        ),
    ] {
        let parcels = parcels(raw);
        let told = parcels.iter().filter(|parcel| parcel.is_told());
        let found: Vec<&str> = told.filter_map(|parcel| parcel.number.as_deref()).collect();
        assert_eq!(found, numbers, "{raw}");
    }
}

#[test]
fn number_carrier_and_link_are_found_wherever_they_stand() {
    for (raw, expected) in [
        (
            r#"[{"carrier": "Example Parcel", "tracking_number": "TRK1", "tracking_url": "https://t.example.com/1"}]"#,
            "TRK1 Example Parcel https://t.example.com/1",
        ),
        (r#"["TRK1", "TRK2"]"#, "TRK1; TRK2"),
        (
            r"[92001234567890123456789012, 7]",
            "92001234567890123456789012; 7",
        ),
        (r#"["https://t.example.com/1"]"#, "https://t.example.com/1"),
        (r#"[{"Tracking Number": 12, "Company": "UPS"}]"#, "12 UPS"),
        (
            r#"[{"tracking": {"number": "A1", "company": {"name": "UPS"}}}]"#,
            "A1 UPS",
        ),
        (
            r#"[{"carrier": "UPS", "packages": [{"code": "A1"}, {"code": "B2", "url": "https://b.example.com"}]}]"#,
            "A1 UPS; B2 UPS https://b.example.com",
        ),
        (
            r#"[{"carrier": {"code": "ups"}, "tracking_numbers": ["A1", "B2"]}]"#,
            "A1 ups; B2 ups",
        ),
        (
            r#"[{"number": "A1", "links": {"public": "https://a.example.com"}}]"#,
            "A1 https://a.example.com",
        ),
        (
            r#"[{"url": "https://a.example.com", "shipment": {"number": "A1"}}]"#,
            "A1 https://a.example.com",
        ),
        (
            r#"[{"tracking_number": "A1", "events": [{"code": "delivered"}], "items": [{"code": "TEE-M", "no": 1}]}]"#,
            "A1",
        ),
        (
            r#"[{"tracking_number": "A1", "parcels": [{"tracking_number": "B2", "code": "packed"}]}]"#,
            "A1; B2",
        ),
        (
            r#"[{"tracking": "https://a.example.com"}]"#,
            "https://a.example.com",
        ),
        (r#"[{"parcel": "unusual"}]"#, r#"{"parcel":"unusual"}"#),
        (
            r#"[{"number": "A1"}, {"number": "A1"}, null, "", {}, [], false]"#,
            "A1",
        ),
        (r#"{"number": "A1"}"#, "A1"),
    ] {
        assert_eq!(shown(raw).as_deref(), Some(expected), "{raw}");
    }
    for nothing in [
        "[]",
        "[null]",
        r#"[""]"#,
        "[{}]",
        "null",
        "no json",
        r#"[{"a": null}]"#,
    ] {
        assert_eq!(shown(nothing), None, "{nothing}");
    }
}

#[test]
fn every_parcel_is_told_and_of_those_that_no_cell_can_hold_how_many_there_are() {
    let list = |count: usize, length: usize| {
        let numbers = (0..count).map(|n| format!("{n:0length$}1"));
        Value::Array(numbers.map(Value::from).collect()).to_string()
    };
    let of = |raw: &str| (parcels(raw).len(), shown(raw).unwrap());
    let (count, line) = of(&list(450, 12));
    assert_eq!((count, line.matches("; ").count()), (450, 449), "{line}");
    assert!(!line.contains("more"), "{line}");
    for (list, told) in [(list(1_000, 60), 1_000), (list(2_500, 12), MOST)] {
        let (count, line) = of(&list);
        assert_eq!(count, told);
        assert!(line.encode_utf16().count() < 32_767, "a cell holds it");
        let shown = line.matches("; ").count();
        let all = serde_json::from_str::<Vec<Value>>(&list).unwrap().len();
        let left = format!("; and {} more, which do not fit in here: ", all - shown);
        assert!(line.contains(&left), "{shown} {line}");
    }
    let nested = Value::from_iter([("packages", serde_json::from_str::<Value>(&list(300, 9)).unwrap())]);
    let held = Value::from_iter([("tracking_numbers", nested["packages"].clone())]);
    assert_eq!(parcels(&held.to_string()).len(), 300);
}

#[test]
fn times_counters_and_marks_are_no_words() {
    for (text, expected) in [
        (
            r#"{"at":"2026-11-21T09:14:00+07:00","status":"label created"}"#,
            " at status label created ",
        ),
        (
            r#"{"request":"0f1e-ab","seen":12,"status":"运输中"}"#,
            " request seen status 运输中 ",
        ),
        (r#""in transit""#, " in transit "),
        ("42", " "),
        ("", " "),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        prop::sample::select(OWN_NUMBERS.to_vec()).prop_map(str::to_owned),
        prop::sample::select(NUMBERS.to_vec()).prop_map(str::to_owned),
        prop::sample::select(CARRIERS.to_vec()).prop_map(str::to_owned),
        prop::sample::select(LINKS.to_vec()).prop_map(str::to_owned),
        ".{0,8}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "https?://.{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(12, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((name.clone(), inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_a_list_holds_each_parcel_has_a_name_of_its_own(items in prop::collection::vec(any_json(), 0..6)) {
        let found = parcels(&Value::Array(items).to_string());
        for (at, parcel) in found.iter().enumerate() {
            prop_assert!(!parcel.name().is_empty(), "{parcel:?}");
            prop_assert!(found[..at].iter().all(|other| other.name() != parcel.name()));
        }
    }

    #[test]
    fn a_text_that_is_no_list_is_survived(text in ".{0,60}") {
        parcels(&text);
    }
}
