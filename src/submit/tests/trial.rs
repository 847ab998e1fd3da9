//! Creates that had their leave before creates were stopped.

use super::super::create::{Attempt, Leave, Ready};
use super::*;
use crate::ledger::record::ClaimState;
use crate::submit::breaker::tests::lost;

impl Shop {
    async fn leave(&self) -> Leave<'_> {
        match self.submitter.ready(&order("1001"), &|| false).await.unwrap() {
            Ready::Leave(leave) => leave,
            other => panic!("{other:?}"),
        }
    }

    async fn attempt(&self, order_id: &str, leave: Leave<'_>) -> Attempt {
        let (new, now) = (self.new_order(order_id), self.clock.now());
        let intended = self.submitter.ledger.write(move |store| store.intend(&new, &now));
        let id = intended.await.unwrap();
        let content = order(order_id);
        let attempt = self.submitter.attempt(id, &content, leave, &|| false);
        attempt.await.unwrap()
    }
}

#[tokio::test]
async fn one_that_waits_for_its_turn_leaves_beside_none_that_tries() {
    let shop = Shop::open(machine(), pricing).await;
    let (leave, health) = (shop.leave().await, &shop.submitter.health);
    (0..3).for_each(|_| health.create_unanswered(&lost(), false));
    health.turn_to_prove_now().unwrap().note(None);
    assert!(matches!(shop.attempt("1001", leave).await, Attempt::NotSent));
    assert_eq!(shop.stub.seen(CREATE).len(), 0);
    // It has the turn the next time.
    let leave = shop.leave().await;
    assert!(matches!(shop.attempt("1002", leave).await, Attempt::Created));
    let leave = shop.leave().await;
    assert!(matches!(shop.attempt("1003", leave).await, Attempt::Created));
}

#[tokio::test]
async fn that_creates_are_stopped_makes_the_service_away_only_while_something_waits_to_be_sent() {
    let shop = Shop::open(machine(), pricing).await;
    let (submitter, claim) = (&shop.submitter, shop.claim);
    let (ledger, health) = (&submitter.ledger, &submitter.health);
    (0..3).for_each(|_| health.create_unanswered(&lost(), false));
    health.turn_to_prove_now().unwrap().note(Some(&lost()));
    let is_away = || submitter.away().unwrap().is_some();
    assert!(is_away(), "its sheet waits");
    let end = move |store: &Store<'_>| store.set_claim_state(claim, ClaimState::Done);
    ledger.write(end).await.unwrap();
    assert!(!is_away() && health.away().is_some());
    let id = shop.lose("1001").await;
    assert!(is_away(), "it may have to be sent again");
    let now = shop.clock.now();
    ledger.write(move |store| store.abandon(id, &now)).await.unwrap();
    assert!(!is_away());
    let (held, now, id) = (shop.new_held("1002"), shop.clock.now(), ledger.id().to_owned());
    let approved = ledger.write(move |store| approve(store, &held, &id, &now));
    approved.await.unwrap();
    assert!(is_away(), "it is approved");
    // What is asked beside creates tells whether it is there, whatever waits.
    let shop = Shop::open(machine(), pricing).await;
    let end = move |store: &Store<'_>| store.set_claim_state(claim, ClaimState::Done);
    shop.submitter.ledger.write(end).await.unwrap();
    shop.submitter.health.permit_at_once().note(Some(&lost()));
    assert!(shop.submitter.away().unwrap().is_some());
}
