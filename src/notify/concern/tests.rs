use super::*;
use crate::status::{InboxStatus, Unresolved};

fn status(at: i64) -> Status {
    Status {
        at: Timestamp::from_second(at).unwrap(),
        backed_up_at: None,
        not_backed_up: None,
        catalog_not_kept: None,
        not_told: Vec::new(),
        inboxes: Vec::new(),
        under_way: Vec::new(),
        done: Vec::new(),
        orders: Vec::new(),
        unresolved: Vec::new(),
        not_followed: Vec::new(),
        held: Vec::new(),
        held_totals: Vec::new(),
        problems: Vec::new(),
        attention: crate::attention::Needs::default(),
        catalogs: Vec::new(),
    }
}

fn ended(stem: &str, taken_at: i64, orders: &[(outcome::Status, u64)]) -> Ended {
    Ended {
        inbox: "main".into(),
        sheet: "monday.csv".into(),
        stem: stem.into(),
        taken_at: Timestamp::from_second(taken_at).unwrap(),
        rejected: false,
        orders: orders.to_vec(),
    }
}

fn keys(status: &Status, ended: &[Ended], services: &[(String, Service)]) -> Vec<String> {
    let untaken = |place: &str| Untaken {
        inbox: "main".into(),
        name: "photo.png".into(),
        place: place.into(),
    };
    let seen = Situation {
        status,
        ended,
        rejected: &[untaken("0914_photo.png"), untaken("0915_photo.png")],
        services,
        disk_is_full: true,
        began: Timestamp::from_second(1000).unwrap(),
        patience: Duration::from_hours(24),
    };
    concerns(&seen).into_iter().map(|concern| concern.key).collect()
}

#[test]
fn a_sheet_is_told_of_when_a_person_has_to_do_something_and_it_came_after_the_beginning() {
    use outcome::Status as S;
    let sheets = [
        ended("good", 2000, &[(S::Created, 7), (S::Skipped, 1)]),
        ended("bad", 2000, &[(S::Created, 7), (S::Invalid, 2)]),
        ended("before", 999, &[(S::Invalid, 2)]),
    ];
    assert_eq!(
        keys(&status(3000), &sheets, &[]),
        [
            "sheet:main/bad",
            "rejected:main/0914_photo.png",
            "rejected:main/0915_photo.png",
            "disk"
        ],
        "a second file of the same name is told of too"
    );
}

#[test]
fn services_folders_and_orders_that_wait_for_a_person_are_told() {
    let mut status = status(3000);
    status.inboxes.push(InboxStatus {
        name: "main".into(),
        path: "/orders".into(),
        account: "main".into(),
        looked_at: None,
        trouble: Some("no marker".into()),
        waits_for: None,
        waiting: 0,
        waiting_files: Vec::new(),
        left_alone: Vec::new(),
        unreadable: Vec::new(),
        rejected: Vec::new(),
        nearly_full: true,
        folder: None,
    });
    for needs_person in [true, false] {
        status.unresolved.push(Unresolved {
            order_id: if needs_person { "1001" } else { "1002" }.into(),
            account: "main".into(),
            inbox: "main".into(),
            since: status.at,
            age_seconds: 0,
            looks: 3,
            needs_person,
            why: "Ada Example, 12 Maple Street".into(),
        });
    }
    let services = [
        ("main".to_owned(), Service::Credentials),
        ("short".to_owned(), Service::Away(Duration::from_mins(30))),
        ("long".to_owned(), Service::Away(Duration::from_mins(70))),
    ];
    assert_eq!(
        keys(&status, &[], &services),
        [
            "rejected:main/0914_photo.png",
            "rejected:main/0915_photo.png",
            "credentials:main",
            "away:long",
            "folder:main",
            "disk:main",
            "disk",
            "person:main/1001"
        ]
    );
}

/// Nothing but how things stand.
fn seen(status: &Status) -> Situation<'_> {
    Situation {
        status,
        ended: &[],
        rejected: &[],
        services: &[],
        disk_is_full: false,
        began: Timestamp::from_second(1000).unwrap(),
        patience: Duration::from_hours(24),
    }
}

#[test]
fn what_is_told_of_an_order_names_it_in_the_command_that_shows_it() {
    let mut status = status(3000);
    status.unresolved.push(Unresolved {
        order_id: "1001".into(),
        account: "main".into(),
        inbox: "main".into(),
        since: status.at,
        age_seconds: 0,
        looks: 3,
        needs_person: true,
        why: String::new(),
    });
    status.attention.needs.push(Need {
        kind: Needed::Missing,
        since: status.at,
        account: "main".into(),
        inbox: "main".into(),
        sheet: "monday".into(),
        order_id: Some("1002".into()),
        pw_order_id: None,
        what: String::new(),
        todo: String::new(),
    });
    let advice: Vec<String> = concerns(&seen(&status))
        .into_iter()
        .map(|concern| concern.advice)
        .collect();
    for (advice, order) in advice.iter().zip(["1001", "1002"]) {
        assert!(
            advice.contains(&format!("`dropsheet orders show {order}`")),
            "{advice}"
        );
    }
    assert_eq!(advice.len(), 2, "{advice:?}");
}

#[test]
fn what_waits_long_for_approval_is_counted_without_what_is_approved_and_not_sent() {
    let mut status = status(400_000);
    let need = |account: &str, kind, since| Need {
        kind,
        since: Timestamp::from_second(since).unwrap(),
        account: account.into(),
        inbox: "main".into(),
        sheet: "monday".into(),
        order_id: Some("1001".into()),
        pw_order_id: None,
        what: String::new(),
        todo: String::new(),
    };
    status.attention.needs = vec![
        need("one", Needed::Held, 2000),
        need("one", Needed::Stranded, 2000),
        need("several", Needed::Held, 2000),
        need("several", Needed::Held, 399_000),
        need("fresh", Needed::Held, 399_000),
    ];
    for account in ["one", "approved"] {
        status.held_totals.push(crate::status::HeldTotal {
            account: account.into(),
            orders: 7,
            total: None,
            currency: None,
        });
    }
    let told = |status: &Status| -> Vec<String> {
        let held = concerns(&seen(status))
            .into_iter()
            .filter(|one| one.kind == Kind::Held);
        held.map(|concern| concern.what).collect()
    };
    let one = "1 order of account one waits for approval, the oldest for 1 d or longer.";
    let several = "2 orders of account several wait for approval, the oldest for 1 d or longer.";
    assert_eq!(told(&status), [one, several]);
    status.attention.more = true;
    assert_eq!(told(&status), [one.to_owned(), format!("At least {several}")]);
}

#[test]
fn what_a_restored_ledger_has_forgotten_is_told_once_an_inbox() {
    let mut status = status(3000);
    for sheet in ["a.csv", "b.csv"] {
        status.attention.needs.push(Need {
            kind: Needed::Forgotten,
            since: status.at,
            account: "main".into(),
            inbox: "main".into(),
            sheet: sheet.into(),
            order_id: None,
            pw_order_id: None,
            what: String::new(),
            todo: String::new(),
        });
    }
    let keys = keys(&status, &[], &[]);
    let told: Vec<&String> = keys.iter().filter(|key| key.starts_with("forgotten")).collect();
    assert_eq!(told, ["forgotten:main"]);
}
