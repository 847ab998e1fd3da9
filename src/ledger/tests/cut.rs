//! Orders that the service lists, and the ledger does not have, under the first letters of their names.

use super::*;
use crate::ledger::record::ListedRecord;
use crate::order::Order;
use crate::reconcile::{Addressee, Signature};

/// As the service lists an order of this content under this name.
fn listed(order: &Order, name: &str) -> ListedRecord {
    let to = &order.ship_to;
    ListedRecord {
        order_id: name.to_owned(),
        pw_order_id: format!("PW-{name}"),
        signature: Signature::of(order),
        zip: Some(to.zip.clone()),
        addressee: Addressee::new(&to.name, (&to.address1, Some(&to.address2)), &to.city),
        entered_at: None,
        canceled: None,
    }
}

/// Under which names the service has an order of which it lists these.
fn found(order: &Order, there: Vec<ListedRecord>) -> Vec<String> {
    let book = Book::new();
    let account = book.account;
    book.write(move |store| {
        let put = |one: &ListedRecord| store.put_listed(account, one).map(drop);
        there.iter().try_for_each(put)
    })
    .unwrap();
    let read = book
        .ledger
        .read(|store| store.at_service(account, order, &order.order_id));
    let named = read.unwrap().into_iter();
    named.map(|one| one.order_id).collect()
}

#[test]
fn an_order_that_the_service_keeps_under_the_first_letters_of_its_name_is_there_already() {
    let order_of = |order_id: &str| {
        let mut order = Book::new().new_order(order_id).content;
        order.ship_to.name = "Ada Example".to_owned();
        order.ship_to.zip = "43001".to_owned();
        order
    };
    let order = order_of("1004-2026-11-29-SHOPNAME");
    let cut = "1004-2026-11-29-SHOP";
    assert_eq!(found(&order, vec![listed(&order, cut)]), [cut]);
    // What has its very name counts alone.
    let both = [cut, &order.order_id].map(|name| listed(&order, name));
    assert_eq!(found(&order, both.to_vec()), [&*order.order_id]);
    let none: [&str; 0] = [];
    assert_eq!(found(&order, vec![listed(&order, "1004-20")]), none, "too little");
    let mut other = order.clone();
    other.ship_to.name = "Ben Sample".to_owned();
    assert_eq!(found(&order, vec![listed(&other, cut)]), none, "somebody else's");
    let mut more = order.clone();
    more.lines.extend(order.lines.first().cloned());
    assert_eq!(found(&order, vec![listed(&more, cut)]), none, "other content");
    let hidden = ListedRecord {
        zip: None,
        ..listed(&order, cut)
    };
    assert_eq!(found(&order, vec![hidden]), none, "it is not shown where it goes");
    // As the results advise to have one printed once more.
    let again = order_of("SHOP-10001-2");
    assert_eq!(found(&again, vec![listed(&again, "SHOP-10001")]), none);
}
