//! A service that has forgotten an order and given its id to another one. It goes by ids alone, whatever name it is asked
//! for with one.

use super::*;
use crate::ledger::record::Seen as SeenOrder;
use crate::reconcile::Reason;
use crate::sync::{One, read_one};

/// A service that has one order, `NEW`, as `PW1`.
fn of_one_order(seen: &Seen) -> Act {
    if seen.line.contains("cancel-order") {
        return Act::Answer(200, r#"{"status":200,"message":"canceled"}"#.into());
    }
    if seen.line.contains("orders/detail") {
        let shown = r#"{"status":200,"order":{"pw_order_id":"PW1","order_name":"NEW","order_items":[]}}"#;
        return Act::Answer(200, shown.into());
    }
    pricing(seen)
}

/// Orders of one account that the service has answered for with one id, in their order.
async fn under_one_id<const N: usize>(shop: &Shop, names: [&str; N]) -> [OrderRef; N] {
    let mut ids = Vec::new();
    for name in names {
        let (new, now) = (shop.new_order(name), shop.clock.now());
        let answered = shop.submitter.ledger.write(move |store| {
            let id = store.intend(&new, &now)?;
            store.answered(id, "PW1", None, &now)?;
            Ok(id)
        });
        ids.push(answered.await.unwrap());
    }
    ids.try_into().unwrap()
}

#[tokio::test]
async fn the_cancel_of_an_order_whose_id_is_another_s_by_now_is_a_question_and_cancels_nothing() {
    let shop = Shop::open(machine(), of_one_order).await;
    let [old, new] = under_one_id(&shop, ["OLD", "NEW"]).await;
    let submitter = &shop.submitter;
    submitter.cancel_for_person(old).await.unwrap();
    assert_eq!(shop.stub.seen("cancel-order").len(), 0);
    let asked = shop.order(old);
    assert_eq!(asked.state, State::Canceling);
    let to = "NEW".to_owned();
    assert_eq!(asked.reason, Some(Reason::GivenAway { to }));
    assert_eq!(shop.order(new).state, State::Created);
    // The other one is what it is shown to be.
    submitter.cancel_for_person(new).await.unwrap();
    assert_eq!(shop.order(new).state, State::Canceled);
    assert_eq!(shop.stub.seen("cancel-order").len(), 1);
    // A person ends the question.
    let ended = submitter.resolve(old, &Resolution::Abandon).await.unwrap();
    assert!(matches!(ended, Ok(Resolved::AtYourWord)), "{ended:?}");
}

#[tokio::test]
async fn what_the_service_says_in_our_words_ends_no_cancel() {
    let shop = Shop::open(machine(), of_one_order).await;
    let [id] = under_one_id(&shop, ["NEW"]).await;
    let words = Reason::UnknownThere {
        words: "it is printed".to_owned(),
    }
    .words("NEW");
    let now = shop.clock.now();
    let refused_before = shop.submitter.ledger.write(move |store| {
        store.ask_cancel(id, "a person", &now)?;
        store.note(id, &words)
    });
    refused_before.await.unwrap();
    let ended = shop.submitter.resolve(id, &Resolution::Abandon).await.unwrap();
    assert!(matches!(ended, Ok(Resolved::Refused(_))), "{ended:?}");
    assert_eq!(shop.order(id).state, State::Canceling);
}

#[tokio::test]
async fn an_order_whose_id_is_another_s_by_now_is_missing_and_has_no_news_of_that_one() {
    let shop = Shop::open(machine(), of_one_order).await;
    let [old, new] = under_one_id(&shop, ["OLD", "NEW"]).await;
    let was_shown = SeenOrder {
        pw_order_id: "PW1".to_owned(),
        order_name: "OLD".to_owned(),
        entered_at: Some(shop.clock.now().wall),
        ..SeenOrder::default()
    };
    let now = shop.clock.now();
    let see = move |store: &Store<'_>| store.see(old, &was_shown, &now);
    shop.submitter.ledger.write(see).await.unwrap();
    // Long enough to be no order that the list is late with.
    shop.clock.sleep(Duration::from_hours(2));
    let (submitter, now) = (&shop.submitter, shop.clock.now());
    let read = async |id| {
        let read = read_one(submitter.list(), &submitter.ledger, &shop.order(id), &now).await;
        read.unwrap()
    };
    assert_eq!(read(old).await, One::Gone);
    assert!(shop.order(old).missing_at.is_some());
    assert!(matches!(read(new).await, One::Same | One::Changed(_)));
    assert!(shop.order(new).missing_at.is_none());
}

#[tokio::test]
async fn an_order_whose_id_was_another_s_from_the_first_is_looked_up_and_never_sent_again_by_itself() {
    let shop = Shop::open(machine(), of_one_order).await;
    let [mistaken, new] = under_one_id(&shop, ["MISTAKEN", "NEW"]).await;
    let (submitter, now) = (&shop.submitter, shop.clock.now());
    let read = read_one(submitter.list(), &submitter.ledger, &shop.order(mistaken), &now).await;
    assert!(matches!(read, Ok(One::Changed(_))), "{read:?}");
    let order = shop.order(mistaken);
    assert_eq!((order.state, order.pw_order_id), (State::Unresolved, None));
    assert_eq!(shop.order(new).pw_order_id.as_deref(), Some("PW1"));
    // What it holds was erased with its answer: where it is not there, a person is told what to do.
    let sent = submitter.send_again(&shop.order(mistaken)).await;
    assert!(matches!(sent, Ok(Ok(_))), "{sent:?}");
    let asked = shop.order(mistaken);
    assert_eq!(asked.reason, Some(Reason::NotKept));
    assert_eq!(shop.stub.seen(CREATE).len(), 0);
    let ended = submitter.resolve(mistaken, &Resolution::Abandon).await.unwrap();
    assert!(matches!(ended, Ok(Resolved::Abandoned)), "{ended:?}");
}
