//! The machine sleeps while a create waits for its turn among the requests: what was asked before it is of last night.

use super::*;

const NIGHT: Duration = Duration::from_hours(8);

#[tokio::test]
async fn a_create_that_waits_its_turn_through_the_night_is_priced_again_before_it_leaves() {
    let shop = Shop::crowded().await;
    let (submitter, job) = (Arc::clone(&shop.submitter), shop.job("1001"));
    let sent = tokio::spawn(async move { submitter.send(&job).await });
    shop.sleep_in_the_queue(NIGHT).await;
    assert!(matches!(sent.await.unwrap(), Ok(Sent::Done)));
    assert_eq!(shop.asked(), [QUOTE, QUOTE, CREATE]);
    assert_eq!(shop.order(OrderRef(1)).state, State::Created);
}

#[tokio::test]
async fn a_create_that_waits_its_turn_for_a_moment_leaves_at_its_price() {
    let shop = Shop::crowded().await;
    let (submitter, job) = (Arc::clone(&shop.submitter), shop.job("1001"));
    let sent = tokio::spawn(async move { submitter.send(&job).await });
    shop.sleep_in_the_queue(Duration::from_secs(10)).await;
    assert!(matches!(sent.await.unwrap(), Ok(Sent::Done)));
    assert_eq!(shop.asked(), [QUOTE, CREATE]);
}

#[tokio::test]
async fn an_approved_order_that_waits_its_turn_through_the_night_is_priced_again_before_it_leaves() {
    let shop = Shop::crowded().await;
    let (new, now) = (shop.new_held("1001"), shop.clock.now());
    let ledger = shop.submitter.ledger.id().to_owned();
    let written = shop
        .submitter
        .ledger
        .write(move |store| approve(store, &new, &ledger, &now));
    written.await.unwrap();
    let submitter = Arc::clone(&shop.submitter);
    let sent = tokio::spawn(async move { submitter.send_approved().await });
    shop.sleep_in_the_queue(NIGHT).await;
    assert_eq!(sent.await.unwrap().unwrap().sent, 1);
    assert_eq!(shop.asked(), [QUOTE, QUOTE, CREATE]);
}

#[tokio::test]
async fn what_is_sent_again_waits_for_no_turn_through_the_night() {
    let shop = Shop::crowded().await;
    let id = shop.lose("1001").await;
    let submitter = Arc::clone(&shop.submitter);
    let unanswered = shop.order(id);
    let sent = tokio::spawn(async move { submitter.send_again(&unanswered).await });
    shop.sleep_in_the_queue(NIGHT).await;
    assert!(matches!(sent.await.unwrap(), Ok(Ok(Settled::Again(_)))));
    assert_eq!(shop.asked(), [QUOTE]);
    let withheld = shop.order(id);
    assert_eq!(withheld.state, State::Unresolved, "it is looked up again");
    assert!(matches!(shop.submitter.send_again(&withheld).await, Ok(Ok(_))));
    assert_eq!(shop.asked(), [QUOTE, QUOTE, CREATE]);
    assert_eq!(shop.order(id).state, State::Created);
}
