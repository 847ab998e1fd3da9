//! What is sent once more, where its price was so long in coming that its absence has to be proved again.

use serde_json::json;

use super::*;

/// An order `1001` as the list shows it.
fn listed() -> Act {
    let items = json!([{"item_sku": "TEE-M", "quantity": 1}]);
    let order = json!({"pw_order_id": "PW-1", "order_name": "1001", "shipping_country_code": "US", "order_items": items});
    Act::Answer(200, json!({"status": 200, "orders": [order]}).to_string())
}

/// A service that prices slowly, and whose search is blind. Where it `is_made`, the first create of an order 1001 comes to
/// be meanwhile.
async fn slow(is_made: bool) -> Shop {
    let (clock, is_priced) = (machine(), AtomicBool::new(false));
    let slept = clock.clone();
    let script = move |seen: &Seen| {
        let is_whole = !seen.body.is_empty();
        if is_whole && seen.line.contains(QUOTE) && !is_priced.swap(true, Ordering::SeqCst) {
            slept.sleep(Duration::from_mins(2));
        }
        let query = seen.json();
        let shows = is_made && is_priced.load(Ordering::SeqCst) && query["search"].is_null();
        if is_whole && seen.line.contains("orders/list") && shows && query["page"] == 0 {
            return listed();
        }
        pricing(seen)
    };
    Shop::open(clock, script).await
}

/// An order `1001` whose create had no answer a day ago, and which two looks have not seen since.
async fn lost_and_absent(shop: &Shop) -> OrderRef {
    let id = shop.lose("1001").await;
    shop.clock.sleep(Duration::from_hours(25));
    let (now, look) = (shop.clock.now(), shop.order(id).at_look());
    let looked = shop.submitter.ledger.write(move |store| {
        store.seen_absent(look, &now)?;
        store.seen_absent(look, &now)
    });
    looked.await.unwrap();
    id
}

#[tokio::test]
async fn an_order_that_the_list_shows_once_its_price_has_come_at_last_is_not_sent_again() {
    for (is_made, creates) in [(false, 1), (true, 0)] {
        let shop = slow(is_made).await;
        let id = lost_and_absent(&shop).await;
        let settled = shop.submitter.settle(&shop.order(id)).await;
        assert!(matches!(settled, Ok(Ok(Settled::Again(_)))), "{settled:?}");
        assert_eq!(
            shop.stub.seen(QUOTE).len(),
            1,
            "its absence was proved before it was priced"
        );
        assert_eq!(shop.stub.seen(CREATE).len(), creates, "made meanwhile: {is_made}");
    }
}

#[tokio::test]
async fn one_whose_inbox_sends_nothing_is_looked_for_seldom_and_goes_as_soon_as_it_sends_again() {
    let shop = slow(false).await;
    let stop = Arc::new(AtomicBool::new(true));
    shop.submitter.know_inbox("main", &stop, None, false);
    lost_and_absent(&shop).await;
    let mut settler = Settler::of_unresolved();
    settler.round(&shop.submitter, None).await.unwrap();
    let asked = shop.stub.seen("orders/list").len();
    let (open, due) = settler.round(&shop.submitter, None).await.unwrap();
    let pause = due.unwrap() - tokio::time::Instant::now();
    assert_eq!((open, pause > Duration::from_mins(59)), (1, true), "{pause:?}");
    assert_eq!(shop.stub.seen("orders/list").len(), asked);
    stop.store(false, Ordering::SeqCst);
    settler.round(&shop.submitter, None).await.unwrap();
    assert_eq!(shop.stub.seen(CREATE).len(), 1);
}
