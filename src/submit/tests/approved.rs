//! Approved orders, more than one round takes.

use super::super::approved::Wait;
use super::*;
use crate::ledger::record::CancelWish;

/// Makes so many approved orders of which an earlier create has no answer and may be on its way: none can go now.
async fn approve_unanswered(shop: &Shop, orders: usize) {
    let ids: Vec<_> = (0..orders).map(|n| format!("U-{n}")).collect();
    approve_unanswered_of(shop, &ids).await;
}

async fn approve_unanswered_of(shop: &Shop, ids: &[String]) -> Vec<OrderRef> {
    let news: Vec<_> = ids.iter().map(|id| shop.new_held(id)).collect();
    let (ledger, now) = (shop.submitter.ledger.id().to_owned(), shop.clock.now());
    let written = shop.submitter.ledger.write(move |store| {
        let approve_one = |new: &NewOrder| {
            let id = store.intend(new, &now)?;
            store.lost(id, (AttemptEnd::Unknown, "no answer came"), None, &now)?;
            store.abandon(id, &now)?;
            approve(store, new, &ledger, &now)
        };
        news.iter().map(approve_one).collect::<Result<Vec<_>, _>>()
    });
    written.await.unwrap()
}

#[tokio::test]
async fn older_ones_that_cannot_go_keep_no_younger_one_from_its_round() {
    let shop = Shop::open(machine(), pricing).await;
    approve_unanswered(&shop, 300).await;
    let (new, ledger) = (shop.new_held("1001"), shop.submitter.ledger.id().to_owned());
    let now = Now {
        wall: shop.clock.now().wall + Duration::from_secs(1),
        ..shop.clock.now()
    };
    let written = shop
        .submitter
        .ledger
        .write(move |store| approve(store, &new, &ledger, &now));
    let id = written.await.unwrap();
    let mut rounds = Vec::new();
    while rounds.len() < 4 && rounds.last().is_none_or(|last: &Released| last.more) {
        rounds.push(shop.submitter.send_approved().await.unwrap());
    }
    assert_eq!(shop.order(id).state, State::Created);
    assert_eq!(shop.asked(), [QUOTE, CREATE], "nothing is asked of the others");
    let waiting: Vec<_> = rounds.iter().map(|round| (round.sent, round.waiting)).collect();
    assert_eq!(waiting[..2], [(0, 256), (1, 255)]);
    // All of them were come to: no round follows at once for those that wait.
    let next = shop.submitter.send_approved().await.unwrap();
    assert_eq!((next.sent, next.waiting, next.more), (0, 256, false));
}

#[tokio::test]
async fn one_that_a_younger_sheet_has_still_to_cancel_waits_and_says_so_until_that_has_had_its_turn() {
    let shop = Shop::open(machine(), pricing).await;
    let (new, ledger) = (shop.new_held("1001"), shop.submitter.ledger.id().to_owned());
    let (account, now) = (shop.submitter.account, shop.clock.now());
    let written = shop.submitter.ledger.write(move |store| {
        let id = approve(store, &new, &ledger, &now)?;
        let export = store.take(&NewClaim::sample(account, "export", now.wall))?;
        let wish = CancelWish {
            claim: export,
            first_row: 2,
            account,
            order_id: "1001".to_owned(),
            inbox: "main".to_owned(),
            sheet_order_id: "1001".to_owned(),
            is_of_its_inbox: true,
            by_shop: true,
        };
        store.wish_cancel(&wish, &now)?;
        Ok((id, export))
    });
    let (id, export) = written.await.unwrap();
    let released = shop.submitter.send_approved().await.unwrap();
    assert_eq!((released.sent, released.waiting), (0, 1));
    assert_eq!(
        shop.order(id).approved_waits,
        "The sheet export says that the shop has canceled it, and has not had its turn yet."
    );
    let put = move |store: &Store<'_>| store.put_outcome(&Outcome::blank(export, 2, "1001".to_owned()));
    shop.submitter.ledger.write(put).await.unwrap();
    assert_eq!(shop.submitter.send_approved().await.unwrap().sent, 1);
    assert_eq!(shop.order(id).state, State::Created);
}

#[tokio::test]
async fn the_list_is_read_once_after_each_approval_however_their_pauses_end() {
    let shop = Shop::open(machine(), pricing).await;
    let read = async || {
        let released = shop.submitter.send_approved().await.unwrap();
        assert_eq!(released.sent, 0);
        shop.stub.seen("orders/list").len()
    };
    let let_be = async |id: OrderRef| {
        let wait = Wait {
            why: "it waits".to_owned(),
            is_alone: true,
        };
        shop.submitter.note_wait(vec![(id, 1)], &wait).await.unwrap();
    };
    let before = shop.stub.seen("orders/list").len();
    let first = approve_unanswered_of(&shop, &["1001".to_owned()]).await[0];
    let after_first = read().await;
    assert!(after_first > before);
    let_be(first).await;
    assert_eq!(read().await, after_first);
    let second = approve_unanswered_of(&shop, &["1002".to_owned()]).await[0];
    let after_second = read().await;
    assert!(after_second > after_first);
    // The one's pause ends while the other's begins.
    for next in [second, first, second] {
        shop.clock.sleep(Duration::from_mins(2));
        let_be(next).await;
        assert_eq!(read().await, after_second);
    }
}
