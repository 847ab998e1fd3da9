//! Approved orders, more than one round takes.

use super::*;

/// Makes so many approved orders of which an earlier create has no answer and may be on its way: none can go now.
async fn approve_unanswered(shop: &Shop, orders: usize) {
    let news: Vec<_> = (0..orders).map(|n| shop.new_held(&format!("U-{n}"))).collect();
    let (ledger, now) = (shop.submitter.ledger.id().to_owned(), shop.clock.now());
    let written = shop.submitter.ledger.write(move |store| {
        for new in &news {
            let id = store.intend(new, &now)?;
            store.lost(id, (AttemptEnd::Unknown, "no answer came"), None, &now)?;
            store.abandon(id, &now)?;
            approve(store, new, &ledger, &now)?;
        }
        Ok(())
    });
    written.await.unwrap();
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
