//! An order of which the service has more than it should, looked at again by a sync.

use serde_json::{Value, json};

use super::*;
use crate::sync::{Days, News, read_news};

/// What a service answers of one order: what its list has, and what its own page says.
type Script = Arc<Mutex<(Vec<Value>, Vec<Value>)>>;

fn shown(pw_order_id: &str, status: &str, payment: &str) -> Value {
    let item = json!({"item_sku": "TEE-M", "quantity": 1, "order_status": status, "payment_status": payment});
    json!({"pw_order_id": pw_order_id, "order_name": "7", "order_items": [item],
           "shipping_country_code": "US"})
}

fn answer(script: &Script, seen: &Seen) -> Act {
    let script = script.lock().unwrap();
    if seen.line.contains("orders/list") {
        let orders: &[Value] = if seen.json()["page"] == 0 { &script.0 } else { &[] };
        return Act::Answer(200, json!({"status": 200, "orders": orders}).to_string());
    }
    if seen.line.contains("orders/detail") {
        let is_it = |order: &&Value| order["pw_order_id"] == seen.json()["pw_order_id"];
        return match script.1.iter().find(is_it) {
            Some(order) => Act::Answer(200, json!({"status": 200, "order": order}).to_string()),
            None => Act::Answer(
                404,
                json!({"status": 404, "message": "no such order"}).to_string(),
            ),
        };
    }
    pricing(seen)
}

/// A shop of the order 7, which the service has as PW1, and as PW2 too.
async fn twice() -> (Shop, Script, OrderRef) {
    let script = Script::default();
    let answers = Arc::clone(&script);
    let shop = Shop::open(machine(), move |seen| answer(&answers, seen)).await;
    let (new, now) = (shop.new_order("7"), shop.clock.now());
    let answered = shop.submitter.ledger.write(move |store| {
        let id = store.intend(&new, &now)?;
        store.answered(id, "PW1", None, &now)?;
        Ok(id)
    });
    let id = answered.await.unwrap();
    let both = [shown("PW1", "waiting", "paid"), shown("PW2", "waiting", "paid")];
    script.lock().unwrap().0 = both.to_vec();
    let news = sync(&shop, Days::Due).await;
    assert_eq!(news.several.len(), 1);
    (shop, script, id)
}

async fn sync(shop: &Shop, days: Days) -> News {
    let (submitter, now) = (&shop.submitter, shop.clock.now());
    let read = read_news(submitter.list(), &submitter.ledger, submitter.account, days, &now);
    read.await.unwrap()
}

#[tokio::test]
async fn only_a_look_that_shows_the_order_itself_or_what_each_other_is_takes_one_off() {
    let own = || shown("PW1", "waiting", "paid");
    let other = |status, payment| shown("PW2", status, payment);
    for (what, list, details, left) in [
        ("both are there", vec![own(), other("waiting", "paid")], vec![], 1),
        (
            "it is canceled",
            vec![own(), other("canceled", "paid")],
            vec![],
            0,
        ),
        (
            "it is to be canceled",
            vec![own(), other("cancel_requested", "paid")],
            vec![],
            1,
        ),
        (
            "it is paid back",
            vec![own(), other("refunded", "refunded")],
            vec![],
            0,
        ),
        (
            "it is paid back and printed",
            vec![own(), other("in_production", "refunded")],
            vec![],
            1,
        ),
        (
            "it is paid back in part",
            vec![own(), other("waiting", "partially_refunded")],
            vec![],
            1,
        ),
        ("it is gone", vec![own()], vec![own()], 0),
        (
            "the list leaves it out",
            vec![own()],
            vec![other("waiting", "paid")],
            1,
        ),
        (
            "the list leaves it out, and it is canceled",
            vec![own()],
            vec![other("canceled", "paid")],
            0,
        ),
        ("the list leaves out both", vec![], vec![own()], 1),
        (
            "the list leaves out both, and it is canceled",
            vec![],
            vec![other("canceled", "paid")],
            0,
        ),
        (
            "the order itself is canceled",
            vec![shown("PW1", "canceled", "paid"), other("waiting", "paid")],
            vec![],
            1,
        ),
    ] {
        let (shop, script, id) = twice().await;
        *script.lock().unwrap() = (list, details);
        let news = sync(&shop, Days::Due).await;
        assert_eq!(shop.order(id).others, left, "{what}");
        let told = news.changes.iter().any(|(_id, told)| told.contains("of this id"));
        assert_eq!(told, left == 0, "{what}: {news:?}");
    }
}

#[tokio::test]
async fn one_too_many_that_was_paid_back_counts_again_as_soon_as_it_is_gone_on_with() {
    let both = |status, payment| {
        let own = shown("PW1", "waiting", "paid");
        (vec![own, shown("PW2", status, payment)], vec![])
    };
    for (status, payment) in [("waiting", "paid"), ("in_production", "refunded")] {
        let (shop, script, id) = twice().await;
        *script.lock().unwrap() = both("refunded", "refunded");
        for _sync in 0..2 {
            let news = sync(&shop, Days::All).await;
            assert_eq!((shop.order(id).others, news.several.len()), (0, 0));
        }
        *script.lock().unwrap() = both(status, payment);
        let news = sync(&shop, Days::All).await;
        let told = (shop.order(id).others, news.several.len());
        assert_eq!(told, (1, 1), "{status}, {payment}: {news:?}");
        let news = sync(&shop, Days::All).await;
        assert_eq!((shop.order(id).others, news.several.len()), (1, 0));
    }
}

#[tokio::test]
async fn a_list_that_cannot_be_read_to_its_end_takes_none_off() {
    let (shop, script, id) = twice().await;
    let nobody = json!({"pw_order_id": null, "order_name": "7"});
    script.lock().unwrap().0 = vec![shown("PW1", "waiting", "paid"), nobody];
    sync(&shop, Days::All).await;
    assert_eq!(shop.order(id).others, 1, "it may be the other one");
}
