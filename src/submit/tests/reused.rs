//! A quote that was asked for another order: its age is that of the service's answer.

use futures_util::FutureExt;

use super::*;

/// An order is priced and sent; after a while an equal one is priced, and waits for its place for some time.
async fn second_after(while_: Duration, wait: Duration) -> Vec<&'static str> {
    let shop = Shop::reusing("10m", machine(), pricing).await;
    let first = shop.submitter.send(&shop.job("1001")).await;
    assert!(matches!(first, Ok(Sent::Done)));
    shop.clock.sleep(while_);
    let mut tickets = Tickets::default();
    let before = tickets.next_ticket();
    let job = Job {
        ticket: Some(tickets.next_ticket()),
        ..shop.job("1002")
    };
    let mut second = Box::pin(shop.submitter.send(&job));
    assert!((&mut second).now_or_never().is_none(), "it is not its turn");
    shop.clock.sleep(wait);
    before.pass();
    assert!(matches!(second.await, Ok(Sent::Done)));
    shop.asked()
}

#[tokio::test]
async fn a_price_that_is_used_again_is_as_old_as_its_answer_when_a_create_leaves() {
    for (while_, wait, asked) in [
        (
            Duration::from_mins(5),
            Duration::from_mins(1),
            &[QUOTE, CREATE, CREATE][..],
        ),
        (
            Duration::from_secs(590),
            Duration::from_secs(20),
            &[QUOTE, CREATE, QUOTE, CREATE],
        ),
    ] {
        assert_eq!(second_after(while_, wait).await, asked, "{while_:?}, {wait:?}");
    }
}
