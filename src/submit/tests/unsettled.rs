//! Passes that have time for some orders alone, and are ended amid a request: a single pass of cron remembers nothing of
//! the one before but what is in the ledger.

use super::*;

/// Runs a pass until the service has been asked so for an order, and ends it there.
async fn pass_until_asked(shop: &Shop, settler: Settler, operation: &str, order_id: &str) {
    let submitter = Arc::clone(&shop.submitter);
    let pass = tokio::spawn(async move {
        let mut settler = settler;
        settler.round(&submitter, None).await.map(drop)
    });
    let name = format!("\"{order_id}\"");
    let is_asked = || {
        let seen = shop.stub.seen(operation);
        seen.iter().any(|seen| seen.body.contains(&name))
    };
    shop.until(is_asked).await;
    pass.abort();
    drop(pass.await);
    // What it gave to be written is written.
    shop.submitter.ledger.write(|_store| Ok(())).await.unwrap();
}

#[tokio::test]
async fn an_order_whose_look_up_never_ends_keeps_the_others_from_theirs_for_one_pass() {
    let shop = Shop::open(machine(), |seen| {
        if seen.line.contains("orders/list") && seen.body.contains("STUCK") {
            return Act::Hang;
        }
        pricing(seen)
    })
    .await;
    for order_id in ["STUCK", "NEXT"] {
        shop.lose(order_id).await;
    }
    for order_id in ["STUCK", "NEXT"] {
        pass_until_asked(&shop, Settler::of_unresolved(), "orders/list", order_id).await;
    }
}

#[tokio::test]
async fn cancels_that_are_never_answered_keep_the_others_from_being_asked_for_for_one_pass() {
    let shop = Shop::open(machine(), |seen| {
        if seen.line.contains("cancel-order") {
            return Act::Hang;
        }
        pricing(seen)
    })
    .await;
    let names: Vec<String> = (0..9).map(|n| format!("C{n}")).collect();
    for (n, order_id) in names.iter().enumerate() {
        let (new, now, pw_order_id) = (shop.new_order(order_id), shop.clock.now(), format!("PW{n}"));
        let wished = shop.submitter.ledger.write(move |store| {
            let id = store.intend(&new, &now)?;
            store.answered(id, &pw_order_id, None, &now)?;
            store.ask_cancel(id, "a test", &now).map(drop)
        });
        wished.await.unwrap();
    }
    // All but the last are asked for at once, and have their turn.
    pass_until_asked(&shop, Settler::of_cancels(), "cancel-order", "C0").await;
    pass_until_asked(&shop, Settler::of_cancels(), "cancel-order", "C8").await;
}

#[tokio::test]
async fn a_wish_for_a_cancel_is_written_as_soon_as_the_create_is_answered_and_not_before() {
    let shop = Shop::open(machine(), pricing).await;
    let (new, now) = (shop.new_order("1001"), shop.clock.now());
    let intended = shop.submitter.ledger.write(move |store| store.intend(&new, &now));
    let id = intended.await.unwrap();
    let wish = async || {
        shop.submitter
            .wish_for_person(id)
            .await
            .unwrap()
            .map(|order| order.state)
    };
    assert_eq!(wish().await, None);
    let now = shop.clock.now();
    let answered = shop
        .submitter
        .ledger
        .write(move |store| store.answered(id, "PW1", None, &now));
    answered.await.unwrap();
    assert_eq!(wish().await, Some(State::Canceling));
    assert_eq!(shop.stub.seen("cancel-order").len(), 0, "nobody is asked yet");
}
