//! An order that was sent under an id which is read otherwise now, since ids that look the same are one.

use super::*;
use crate::clock::{BootTime, Now};
use crate::import::ledgered::Ledgered;
use crate::ledger::record::{AtShop, NewClaim, NewOrder};
use crate::ledger::{Ledger, Store};
use crate::money::Money;

const COMPOSED: &str = "M\u{fc}ller-12";
/// As a Mac writes it, which takes the letter and its mark apart.
const APART: &str = "Mu\u{308}ller-12";

/// The order of a sheet that has this for its id.
fn of(id: &str) -> Draft {
    let mut cells = good();
    cells[0] = id.to_owned();
    drafts(&NATIVE, &[cells]).remove(0)
}

fn at_first() -> Now {
    Now {
        wall: Timestamp::UNIX_EPOCH,
        boot: BootTime {
            id: "boot".into(),
            millis: 0,
        },
    }
}

/// A ledger that has an order under an id as it was read then; `sent_id` besides its prefix.
fn book(kept: &str) -> (tempfile::TempDir, Ledger, crate::ledger::record::AccountRef) {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
    let mut draft = of(kept);
    draft.keep_former_id(kept);
    let Decided::Ready(ready) = decided_anew(draft.clone()) else {
        panic!("it can be sent")
    };
    let (mut content, kept) = (ready.order, kept.to_owned());
    content.order_id = format!("A-{kept}");
    let now = at_first();
    let written = ledger.write_blocking(move |store| {
        let account = store.account("main", "https://api.example.com", "shop@example.com")?;
        let claim = store.take(&NewClaim::sample(account, "monday", now.wall))?;
        let id = store.intend(
            &NewOrder {
                account,
                inbox: "main".to_owned(),
                sheet_order_id: kept.clone(),
                claim,
                fingerprint: draft.fingerprint(),
                content: content.clone(),
                quote: None,
                at_shop: AtShop::default(),
            },
            &now,
        )?;
        store.answered(id, "PW1", None, &now)?;
        Ok(account)
    });
    (folder, ledger, written.unwrap())
}

/// What follows from an order that nobody knows.
fn decided_anew(draft: Draft) -> Decided {
    let nobody = Others {
        older_waits: false,
        canceled: None,
    };
    decided(draft, SHEET, &nobody)
}

#[test]
fn an_order_that_was_sent_under_an_id_that_is_read_otherwise_now_is_still_known() {
    let hyphen = "A\u{2011}12";
    for (kept, again) in [
        (APART, APART),
        (APART, COMPOSED),
        (COMPOSED, APART),
        (hyphen, hyphen),
        ("A-12", hyphen),
    ] {
        let (_folder, ledger, account) = book(kept);
        let decided = ledger
            .read(|store| {
                let memory = Ledgered::new(store, account, "main");
                Ok(decided(of(again), SHEET, &memory))
            })
            .unwrap();
        let Decided::Ended(outcome, Some(order)) = decided else {
            panic!("{kept} came again as {again}: {decided:?}")
        };
        assert_eq!(order.sheet_order_id, kept);
        assert_eq!(outcome.order, Some(order.id));
    }
}

#[test]
fn an_order_whose_id_has_lost_its_zeros_is_the_known_one_where_it_is_the_same_in_everything_else() {
    let (_folder, ledger, account) = book("000000123");
    let again = |draft: Draft| {
        let by = |store: &Store<'_>| {
            let memory = Ledgered::new(store, account, "main");
            Ok(decided(draft, SHEET, &memory))
        };
        ledger.read(by).unwrap()
    };
    let Decided::Ended(outcome, Some(order)) = again(of("123")) else {
        panic!("it would be sent a second time")
    };
    assert_eq!(
        (&*order.sheet_order_id, &*outcome.order_id),
        ("000000123", "A-000000123")
    );
    assert_eq!(outcome.findings[0].code, Code::FixedId);
    // Whichever comes first.
    let (_folder, ledger, account) = book("123");
    let known = ledger.read(|store| {
        let memory = Ledgered::new(store, account, "main");
        Ok(decided(of("000000123"), SHEET, &memory))
    });
    let Decided::Ended(_, Some(order)) = known.unwrap() else {
        panic!("it would be sent a second time")
    };
    assert_eq!(order.sheet_order_id, "123");
    let mut other = good();
    (other[0], other[1]) = ("123".to_owned(), "Somebody Else".to_owned());
    for draft in [
        of("0123"),
        of("23"),
        of("1230"),
        drafts(&NATIVE, &[other]).remove(0),
    ] {
        let id = draft.order_id().to_owned();
        assert!(matches!(again(draft), Decided::Ready(_)), "{id} is another order");
    }
}

#[test]
fn an_order_that_nobody_knows_is_sent_under_the_id_that_it_looks_like() {
    for (id, sent) in [(APART, COMPOSED), (COMPOSED, COMPOSED), ("A\u{2212}12", "A-12")] {
        match decided_anew(of(id)) {
            Decided::Ready(ready) => assert_eq!(ready.order.order_id, format!("A-{sent}")),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_order_beside_a_word_is_found_behind_however_many_others() {
    let (_folder, ledger, account) = book("1");
    let ids: Vec<String> = (1001..1101).map(|n| format!("Hold {n}")).collect();
    let now = at_first();
    let written = ledger.write_blocking(move |store| {
        let claim = store.take(&NewClaim::sample(account, "tuesday", now.wall))?;
        let orders = ids
            .iter()
            .map(|id| NewOrder::sample((account, claim), id, Money::ZERO));
        orders
            .into_iter()
            .try_for_each(|new| store.intend(&new, &now).map(drop))
    });
    written.unwrap();
    let beside = |id: &str| {
        let found = ledger.read(|store| Ledgered::new(store, account, "main").written_with_more(id));
        let orders = found.unwrap().into_iter();
        orders.map(|order| order.sheet_order_id).collect::<Vec<_>>()
    };
    for n in [1001, 1064, 1065, 1100] {
        assert_eq!(beside(&n.to_string()), [format!("Hold {n}")]);
    }
    for own in ["1101", "100", "10011", "1"] {
        assert_eq!(beside(own), [""; 0], "{own}");
    }
}
