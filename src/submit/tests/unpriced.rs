//! Orders of which the service gives no price, though it answers everything else.

use tokio::task::JoinSet;

use super::*;

/// Sends an order of so many pieces of a SKU, so that no two ask for the same price.
async fn send(submitter: Arc<Submitter>, mut job: Job, (sku, quantity): (&'static str, u32)) -> Sent {
    for line in &mut job.new.content.lines {
        sku.clone_into(&mut line.item_sku);
        line.quantity = quantity;
    }
    submitter.send(&job).await.unwrap()
}

#[tokio::test]
async fn many_orders_of_one_sku_without_a_price_keep_no_other_order_waiting() {
    let shop = Shop::open(machine(), |seen| {
        if seen.line.contains(QUOTE) && seen.body.contains("MUG-15") {
            return Act::Answer(500, r#"{"status":500,"message":"no"}"#.to_owned());
        }
        pricing(seen)
    })
    .await;
    let mut mugs = JoinSet::new();
    for n in 1..=40 {
        let job = shop.job(&format!("MUG{n}"));
        mugs.spawn(send(Arc::clone(&shop.submitter), job, ("MUG-15", n)));
    }
    shop.until(|| !shop.stub.seen(QUOTE).is_empty()).await;
    let tee = send(Arc::clone(&shop.submitter), shop.job("TEE1"), ("TEE-M", 1));
    let sent = tokio::time::timeout(PATIENCE, tee).await.unwrap();
    assert!(matches!(sent, Sent::Done), "{sent:?}");
    assert_eq!(shop.stub.seen(CREATE).len(), 1);
    let sent = tokio::time::timeout(PATIENCE, mugs.join_all()).await;
    for sent in sent.unwrap() {
        let Sent::Waiting(code, why) = sent else {
            panic!("{sent:?}")
        };
        assert_eq!(code, Code::UnusableAnswer, "{why}");
        assert!(why.contains("gives no price for this order"), "{why}");
    }
    let asked = shop.stub.seen(QUOTE).len();
    assert!(asked < 100, "prices were asked for {asked} times");
}

#[tokio::test]
async fn an_order_with_another_order_s_price_is_not_sent() {
    let shop = Shop::open(machine(), |seen| {
        if !seen.line.contains(QUOTE) {
            return pricing(seen);
        }
        let total = if seen.body.contains("MUG-15") {
            "6.85"
        } else {
            "13.00"
        };
        let line = format!(r#"{{"sku":"TEE-M","quantity":1,"totalFee":{total}}}"#);
        let answer = format!(r#"{{"status":200,"data":{{"totalPrice":{total},"orderItems":[{line}]}}}}"#);
        Act::Answer(200, answer)
    })
    .await;
    let tee = send(Arc::clone(&shop.submitter), shop.job("TEE1"), ("TEE-M", 1));
    let sent = tokio::time::timeout(PATIENCE, tee).await.unwrap();
    assert!(matches!(sent, Sent::Done), "{sent:?}");
    let mug = send(Arc::clone(&shop.submitter), shop.job("MUG1"), ("MUG-15", 40));
    let sent = tokio::time::timeout(PATIENCE, mug).await.unwrap();
    let Sent::Waiting(Code::UnusableAnswer, why) = sent else {
        panic!("{sent:?}")
    };
    assert!(why.contains("of other products: TEE-M"), "{why}");
    assert_eq!(shop.stub.seen(CREATE).len(), 1);
}
