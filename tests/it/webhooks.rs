//! Notifications: kept before they are answered, believed in nothing, and each order that they name read once.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dropsheet::clock::Clock;
use dropsheet::daemon::{self, Desks};
use dropsheet::ledger::record::{OrderRecord, Seen};
use dropsheet::service::{Webhook, WebhookKind};
use dropsheet::webhook::Receiver;
use tokio_util::sync::CancellationToken;

use crate::shop::Shop;
use crate::world::{sheet, wait_for};

const KEY: &str = "a-key-that-nobody-guesses";

/// A shop whose orders are made, with a receiver that runs in this process.
struct Receiving {
    shop: Shop,
    desks: Desks,
    address: SocketAddr,
    ending: CancellationToken,
    runtime: tokio::runtime::Runtime,
}

impl Receiving {
    fn new() -> Self {
        Self::with(include_bytes!("../../examples/sheets/orders.csv"), 3)
    }

    /// With the orders of a sheet, of which a pass comes to this status.
    fn with(sheet: &[u8], status: i32) -> Self {
        let shop = Shop::new();
        shop.write("key", KEY.as_bytes());
        let config = format!(
            "{}[webhook]\nlisten = \"127.0.0.1:0\"\naccess_key_file = \"key\"\npublic_url = \"http://127.0.0.1:1/hooks\"\n",
            shop.config()
        );
        shop.write("dropsheet.toml", config.as_bytes());
        shop.write("orders/inbox/orders.csv", sheet);
        shop.run(&["run", "--once"]).says(status, &[]);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let ending = CancellationToken::new();
        let (desks, address) = runtime.block_on(receive(&shop.path("dropsheet.toml"), &ending));
        Self {
            shop,
            desks,
            address,
            ending,
            runtime,
        }
    }

    /// Knocks with the key.
    fn knock(&self, path: &str, body: &[u8]) -> u16 {
        knock(
            self.address,
            ("POST", path),
            &format!("x-some-key: {KEY}\r\n"),
            body,
        )
    }

    fn order(&self, id: &str) -> OrderRecord {
        let found = self.desks.ledger.read(|store| store.orders_called(id));
        found.unwrap().remove(0)
    }

    fn pw(&self, id: &str) -> String {
        self.order(id).pw_order_id.unwrap()
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        self.ending.cancel();
    }
}

async fn receive(config: &Path, ending: &CancellationToken) -> (Desks, SocketAddr) {
    let config = dropsheet::config::load(Some(config)).unwrap();
    let clock = Clock::system();
    let desks = daemon::open(&config, "a test", clock.clone(), |_account| None, Arc::default())
        .await
        .unwrap();
    let receiver = Receiver::open(config.webhook.as_ref().unwrap()).await.unwrap();
    let address = receiver.address().unwrap();
    let (running, ending) = (desks.clone(), ending.clone());
    tokio::spawn(async move {
        let submitters: Vec<_> = running
            .accounts
            .values()
            .map(|one| Arc::clone(&one.submitter))
            .collect();
        receiver
            .run(&running.ledger, &submitters, (&clock, &ending))
            .await
            .unwrap();
    });
    (desks, address)
}

/// Sends a request and gives the status of its answer.
fn knock(address: SocketAddr, (method, path): (&str, &str), headers: &str, body: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: shop\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // One that is turned away early is not read to its end.
    drop(stream.write_all(body));
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer));
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1);
    status
        .unwrap_or_else(|| panic!("no answer: {answer:?}"))
        .parse()
        .unwrap()
}

#[test]
fn a_notification_of_any_shape_has_its_order_read_from_the_service() {
    let world = Receiving::new();
    let (one, two) = (world.pw("2001"), world.pw("2002"));
    assert!(world.shop.service.fulfil(&one));
    assert!(world.shop.service.fulfil(&two));
    let body = format!(r#"{{"anything":[{{"goes":"order {one}, is on its way"}}]}}"#);
    assert_eq!(world.knock("/hooks/main/tracking", body.as_bytes()), 200);
    assert_eq!(world.knock("/main/tracking", b"order_name=2002&note=x"), 200);
    for id in ["2001", "2002"] {
        wait_for("the tracking", || {
            world.order(id).trackings.is_some_and(|all| !all.is_empty())
        });
    }
    // The notice said nothing of what the service shows now: what was read is what the service says.
    assert_ne!(world.order("2001").order_status.as_deref(), Some("waiting"));
}

#[test]
fn an_order_that_the_service_does_not_show_now_holds_up_none_of_the_others() {
    let world = Receiving::new();
    for id in ["2001", "2002"] {
        assert!(world.shop.service.fulfil(&world.pw(id)));
    }
    world.shop.service.set_fault("error-500-detail=on:1").unwrap();
    assert_eq!(world.knock("/main/tracking", b"2001 and 2002"), 200);
    let has_tracking = |id| world.order(id).trackings.is_some_and(|all| !all.is_empty());
    let detail = || world.shop.service.count("orders-detail");
    wait_for("both to be asked for", || detail() >= 2);
    wait_for("a tracking", || has_tracking("2001") || has_tracking("2002"));
    assert_eq!(detail(), 2, "the first one is read later");
}

#[test]
fn an_order_that_the_service_does_not_show_within_its_first_hour_is_not_missing() {
    let world = Receiving::new();
    // The sandbox forgets nothing: the ledger is made to know the orders under ids that the service never gave, one of
    // them for longer than an order may be late.
    let db = rusqlite::Connection::open(world.shop.path("ledger.db")).unwrap();
    for (id, pw, ago) in [("2001", "PW-998", 0), ("2002", "PW-999", 7_200_000)] {
        let sql = "UPDATE orders SET pw_order_id = ?1, entered_at = coalesce(entered_at, changed_at) - ?2 WHERE order_id = ?3";
        assert_eq!(db.execute(sql, rusqlite::params![pw, ago, id]).unwrap(), 1);
    }
    let detail = || world.shop.service.count("orders-detail");
    assert_eq!(world.knock("/main/tracking", b"PW-998"), 200);
    wait_for("the young one to be asked for", || detail() == 1);
    assert_eq!(world.knock("/main/tracking", b"PW-999"), 200);
    wait_for("the older one to be missing", || {
        world.order("2002").missing_at.is_some()
    });
    assert_eq!(world.order("2001").missing_at, None);
    assert_eq!(world.knock("/main/order-problem", b"PW-998"), 200);
    wait_for("the notice of the young one", || {
        world.order("2001").noticed_at.is_some()
    });
}

#[test]
fn a_notice_of_a_problem_is_kept_for_a_person_even_where_the_service_s_words_name_none() {
    let world = Receiving::new();
    let body = format!(r#"{{"pw_order_id":"{}"}}"#, world.pw("2001"));
    let stale = || world.desks.ledger.read(|store| store.stale_claims());
    let news = || stale().unwrap().len();
    assert_eq!(news(), 0);
    assert_eq!(world.knock("/main/order-problem", body.as_bytes()), 200);
    wait_for("the notice", || world.order("2001").noticed_at.is_some());
    assert_eq!(world.order("2002").noticed_at, None);
    assert_eq!(news(), 1, "its result says so");
}

#[test]
fn a_notice_of_an_order_that_is_looked_up_counts_when_it_is_found() {
    let world = Receiving::new();
    let (by_name, by_id) = (world.order("2001"), world.order("2002"));
    let db = rusqlite::Connection::open(world.shop.path("ledger.db")).unwrap();
    let sql = "UPDATE orders SET state = 'unresolved', pw_order_id = NULL WHERE order_id IN ('2001', '2002')";
    assert_eq!(db.execute(sql, []).unwrap(), 2);
    let pw = by_id.pw_order_id.clone().unwrap();
    assert_eq!(world.knock("/main/order-problem", b"2001 has a problem"), 200);
    assert_eq!(world.knock("/main/order-problem", pw.as_bytes()), 200);
    wait_for("both to be looked at", || {
        let count = "SELECT count(*) FROM notification WHERE unread = 0";
        db.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap() == 2
    });
    for order in [by_name, by_id] {
        let seen = Seen {
            pw_order_id: order.pw_order_id.unwrap(),
            ..Seen::default()
        };
        let now = Clock::system().now();
        let found = world
            .desks
            .ledger
            .write_blocking(move |store| store.found(order.id, &seen, 0, &now));
        found.unwrap();
    }
    // The next one wakes the receiver, whatever it is.
    assert_eq!(world.knock("/main/tracking", b"nothing of ours"), 200);
    for id in ["2001", "2002"] {
        wait_for("the notice", || world.order(id).noticed_at.is_some());
    }
    let told = world.shop.run(&["status"]);
    told.says(0, &["2001", "2002", "The service sent a notice"]);
}

#[test]
fn orders_that_the_service_shows_later_keep_none_behind_them_from_being_read() {
    let ids: Vec<String> = (3001..=3101).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let world = Receiving::with(sheet(&ids).as_bytes(), 0);
    let last = ids.last().unwrap();
    assert!(world.shop.service.fulfil(&world.pw(last)));
    let db = rusqlite::Connection::open(world.shop.path("ledger.db")).unwrap();
    let sql = "UPDATE orders SET pw_order_id = 'PW-' || id WHERE order_id <> ?1";
    assert_eq!(db.execute(sql, [last]).unwrap(), 100);
    assert_eq!(world.knock("/main/tracking", ids.join(" ").as_bytes()), 200);
    wait_for("the tracking of the last one", || {
        world.order(last).trackings.is_some_and(|all| !all.is_empty())
    });
}

#[test]
fn repeats_and_floods_cost_one_look_up_an_order() {
    let world = Receiving::new();
    let before = world.shop.service.count("orders-detail");
    let body = format!(r#"{{"pw_order_id":"{}"}}"#, world.pw("2001"));
    for n in 0..40 {
        let other = format!(r#"{{"n":{n},"order":"2001","of_nobody":"9999"}}"#);
        assert_eq!(world.knock("/main/tracking", body.as_bytes()), 200);
        assert_eq!(world.knock("/main/tracking", other.as_bytes()), 200);
    }
    wait_for("a look-up", || world.shop.service.count("orders-detail") > before);
    wait_for("every notification to be looked at", || {
        world
            .desks
            .ledger
            .read(|store| store.unread_notifications(1))
            .unwrap()
            .is_empty()
    });
    assert_eq!(world.shop.service.count("orders-detail"), before + 1);
}

#[test]
fn who_does_not_show_the_key_is_turned_away_and_leaves_nothing() {
    let world = Receiving::new();
    let to = |headers: &str, method, path| knock(world.address, (method, path), headers, b"2001");
    let key = format!("x-some-key: {KEY}\r\n");
    for (headers, method, path, status) in [
        ("", "POST", "/main/tracking", 401),
        (
            "x-some-key: another-key-of-somebody\r\n",
            "POST",
            "/main/tracking",
            401,
        ),
        (
            "x-some-key: a-key-that-nobody-guesse\r\n",
            "POST",
            "/main/tracking",
            401,
        ),
        (&key, "GET", "/main/tracking", 405),
        (&key, "POST", "/main/other", 404),
        (&key, "POST", "/nobody/tracking", 404),
        (&key, "POST", "/", 404),
    ] {
        assert_eq!(to(headers, method, path), status, "{method} {path} {headers}");
    }
    assert_eq!(world.knock("/main/tracking", &vec![b'x'; 10 * 1024 * 1024]), 413);
    let unread = world
        .desks
        .ledger
        .read(|store| store.unread_notifications(1))
        .unwrap();
    assert_eq!(unread.len(), 0);
}

#[test]
fn odd_notifications_are_taken_and_stop_nothing() {
    let world = Receiving::new();
    let many: Vec<String> = (0..1000).map(|n| format!("\"{n}\"")).collect();
    for body in [
        Vec::new(),
        b"null".to_vec(),
        b"[[[[".to_vec(),
        vec![0xff, 0xfe, 0],
        format!("[{}]", many.join(",")).into_bytes(),
    ] {
        assert_eq!(world.knock("/main/tracking", &body), 200, "{body:?}");
    }
    assert!(world.shop.service.fulfil(&world.pw("2001")));
    assert_eq!(world.knock("/main/tracking", b"2001"), 200);
    wait_for("the tracking", || {
        world.order("2001").trackings.is_some_and(|all| !all.is_empty())
    });
}

#[test]
fn both_registrations_are_set_shown_without_a_key_and_removed() {
    let world = Receiving::new();
    let shop = &world.shop;
    shop.run(&["webhooks", "show"])
        .says(0, &["order-problem", "nowhere", "none"]);
    let set = shop.run(&["webhooks", "register"]);
    set.says(
        0,
        &[
            "http://127.0.0.1:1/hooks/main/order-problem",
            "http://127.0.0.1:1/hooks/main/tracking",
            "the one of webhook.access_key_file",
        ],
    );
    let account = &world.desks.accounts["main"].submitter;
    let there = world
        .runtime
        .block_on(account.client.webhook(WebhookKind::Tracking));
    assert_eq!(
        there.unwrap().unwrap().endpoint,
        "http://127.0.0.1:1/hooks/main/tracking"
    );
    // Again, over what is there.
    shop.run(&["webhooks", "register"]).says(0, &[]);
    shop.write("key", b"another-key-that-nobody-guesses");
    let shown = shop.run(&["webhooks", "show", "--json"]);
    shown.says(0, &["\"another\""]);
    for said in [set, shown] {
        assert!(!said.all().contains(KEY), "{said:?}");
    }
    let left = shop.run(&["webhooks", "remove", "--json"]).json(0);
    assert_eq!(left[0]["endpoint"], serde_json::Value::Null, "{left}");
    shop.run(&["webhooks", "remove"]).says(0, &["nowhere"]);
    let there = world
        .runtime
        .block_on(account.client.webhook(WebhookKind::OrderProblem));
    assert!(there.unwrap().is_none());
}

#[test]
fn the_address_of_another_system_is_told_when_its_registration_is_replaced_or_removed() {
    const OTHERS: &str = "https://erp.example.com/hook";
    let world = Receiving::new();
    let shop = &world.shop;
    let client = &world.desks.accounts["main"].submitter.client;
    let set = |kind| {
        let others = Webhook {
            endpoint: OTHERS.to_owned(),
            access_key: "a-key-of-another-system".into(),
            access_token: "".into(),
        };
        let done = world.runtime.block_on(async {
            if client.webhook(kind).await?.is_some() {
                client.replace_webhook(kind, &others).await
            } else {
                client.register_webhook(kind, &others).await
            }
        });
        done.unwrap();
    };
    set(WebhookKind::Tracking);
    let said = shop.run(&["webhooks", "register"]);
    said.says(
        0,
        &[&format!(
            "account main: `tracking` notifications went to {OTHERS}; that registration is replaced"
        )],
    );
    assert_eq!(
        said.out.matches("went to").count(),
        1,
        "nothing else was there: {said:?}"
    );
    assert!(!said.all().contains("a-key-of"), "no key is told: {said:?}");
    // Its own is no other's, whichever key it has.
    shop.write("key", b"another-key-that-nobody-guesses");
    let again = shop.run(&["webhooks", "register"]);
    assert!(again.status == 0 && !again.out.contains("went to"), "{again:?}");

    set(WebhookKind::OrderProblem);
    shop.service.set_fault("refuse-webhook=after:3").unwrap();
    let half = shop.run(&["webhooks", "register"]);
    half.says(1, &[OTHERS, "that registration is replaced", "cannot read"]);
    shop.service.clear_faults();

    set(WebhookKind::Tracking);
    shop.write("dropsheet.toml", shop.config().as_bytes());
    let removed = shop.run(&["webhooks", "remove", "--json"]).json(0);
    assert_eq!(
        (&removed[0]["was"], &removed[1]["was"]),
        (
            &"http://127.0.0.1:1/hooks/main/order-problem".into(),
            &OTHERS.into()
        )
    );
    set(WebhookKind::Tracking);
    shop.run(&["webhooks", "remove"])
        .says(0, &[&format!("went to {OTHERS}; that registration is removed")]);
    let none = shop.run(&["webhooks", "remove"]);
    assert!(none.status == 0 && !none.out.contains("went to"), "{none:?}");
}

#[test]
fn an_account_that_fails_keeps_no_other_from_being_registered_and_shown_and_is_named() {
    let world = Receiving::new();
    let shop = &world.shop;
    let config = std::fs::read_to_string(shop.path("dropsheet.toml")).unwrap();
    let other = |name: &str| {
        format!(
            "[account.{name}]\nbase_url = \"{}\"\nemail = \"{name}@example.com\"\npassword_file = \"{name}\"\n\n",
            shop.service.base_url()
        )
    };
    let config = format!("{}{config}{}", other("aged"), other("zoo"))
        .replace("path = \"orders\"\n", "path = \"orders\"\naccount = \"main\"\n");
    shop.write("dropsheet.toml", config.as_bytes());
    shop.write("aged", b"the one from before\n");
    for command in ["register", "show", "remove"] {
        let said = shop.run(&["webhooks", command, "--json"]);
        let rows: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let accounts: Vec<_> = rows
            .as_array()
            .unwrap()
            .iter()
            .map(|row| &row["account"])
            .collect();
        assert_eq!(accounts, ["main", "main"], "{said:?}");
        assert!(said.status != 0, "{said:?}");
        for named in ["account `aged`", "account `zoo`"] {
            assert!(said.err.contains(named), "{named}: {said:?}");
        }
        assert!(!said.err.contains("account `main`"), "{said:?}");
    }
    let said = shop.run(&["webhooks", "show", "--account", "aged"]);
    said.says(1, &["account `aged`"]);
    assert_eq!(said.out, "", "nothing was gathered");
}

#[test]
fn registering_without_an_address_says_which_key_is_missing() {
    let shop = Shop::new();
    let said = shop.run(&["webhooks", "register"]);
    said.says(2, &["webhook.listen", "127.0.0.1:8810", "webhook.public_url"]);
    shop.write("key", b"short");
    let config = format!(
        "{}[webhook]\nlisten = \"127.0.0.1:0\"\naccess_key_file = \"key\"\n",
        shop.config()
    );
    shop.write("dropsheet.toml", config.as_bytes());
    shop.run(&["webhooks", "register"])
        .says(2, &["webhook.public_url"]);
    shop.write(
        "dropsheet.toml",
        format!("{config}public_url = \"https://shop.example.com\"\n").as_bytes(),
    );
    shop.run(&["webhooks", "register"])
        .says(2, &["webhook.access_key_file", "at least 16 characters"]);
}
