//! What a person does from a terminal where they could move files: `approve`, `pause`, `resume`, `init`; and what is said
//! of a ledger that is damaged.

use std::fs;

use crate::shop::Shop;

/// A shop of two inboxes whose orders wait for approval, and the held sheet of `orders.csv` in each.
fn two_with_held() -> (Shop, [String; 2]) {
    let shop = Shop::new();
    let config = format!(
        "{}approval = \"required\"\n[inbox.other]\npath = \"other\"\nstable_for = \"50ms\"\napproval = \"required\"\n\
         order_prefix = \"B-\"\n",
        shop.config()
    );
    shop.write("dropsheet.toml", config.as_bytes());
    assert_eq!(shop.run(&["init"]).status, 0);
    let held = ["orders", "other"].map(|inbox| {
        let text = fs::read(shop.path("orders.csv")).unwrap();
        shop.write(&format!("{inbox}/inbox/monday.csv"), &text);
        inbox
    });
    shop.run(&["run", "--once"]).says(3, &["monday.csv"]);
    let held = held.map(|inbox| {
        let names = shop.names(&format!("{inbox}/held"));
        assert_eq!(names.len(), 1, "{names:?}");
        format!("{inbox}/held/{}", names[0])
    });
    (shop, held)
}

#[test]
fn a_path_approves_the_file_that_it_names_and_no_other() {
    let (shop, [first, second]) = two_with_held();
    let name = second.rsplit_once('/').unwrap().1;
    fs::create_dir(shop.path("elsewhere")).unwrap();
    let copy = format!("elsewhere/{name}");
    shop.write(&copy, &fs::read(shop.path(&second)).unwrap());
    shop.run(&["approve", &copy])
        .says(1, &["is no held sheet", "nothing was decided", "approved/"]);
    assert!(shop.path(&first).exists() && shop.path(&second).exists());
    // Nor is it another one where the copy lies in the working folder.
    shop.shell(&format!(
        "cd elsewhere && dropsheet --config ../dropsheet.toml approve {name}"
    ))
    .says(1, &["is no held sheet"]);
    // A name is in both; a path is one of them.
    if first.ends_with(name) {
        shop.run(&["approve", name]).says(2, &["add --inbox"]);
    }
    shop.run(&["approve", &second]).says(
        0,
        &[
            "of inbox `other`",
            "are sent. A running dropsheet follows it within seconds",
        ],
    );
    assert!(shop.path(&first).exists() && !shop.path(&second).exists());
    assert_eq!(shop.names("other/approved").len(), 1);
}

#[test]
fn nothing_is_decided_where_no_ledger_would_follow_it() {
    let (shop, [first, second]) = two_with_held();
    let is_refused = |said: &str| {
        for (decide, held) in [("approve", &first), ("decline", &second)] {
            shop.run(&[decide, held]).says(1, &["nothing was decided", said]);
            assert!(shop.path(held).exists(), "{held}");
        }
        for part in ["orders/approved", "other/declined"] {
            assert_eq!(shop.names(part), [""; 0]);
        }
    };
    shop.shell("mkdir away && mv ledger.db* away").says(0, &[]);
    is_refused("there is no ledger at");
    shop.shell("cp away/ledger.db.mark .").says(0, &[]);
    is_refused("run `dropsheet ledger rebuild`");
    shop.write("ledger.db", &b"order_id,item_sku\n".repeat(200));
    is_refused("is damaged");
    shop.shell("rm -r ledger.db*").says(0, &[]);
    shop.run(&["run", "--once"]).says(1, &["another ledger"]);
    is_refused("it belongs to another ledger");
    shop.shell("rm -r ledger.db* && mv away/* .").says(0, &[]);
    shop.run(&["approve", &first]).says(0, &["are sent. A running"]);
    shop.run(&["decline", &second])
        .says(0, &["are not sent. A running"]);
    assert!(!shop.path(&first).exists() && !shop.path(&second).exists());
}

#[test]
fn what_is_approved_beside_stop_is_said_to_wait_for_its_end() {
    let (shop, [first, second]) = two_with_held();
    shop.run(&["pause"]).says(0, &[]);
    shop.run(&["approve", &second]).says(
        0,
        &[
            "not sent before",
            "other/STOP.txt is gone",
            "`dropsheet resume other`",
        ],
    );
    shop.run(&["decline", &first]).says(
        0,
        &["are not sent. A running dropsheet follows it within seconds"],
    );
    shop.run(&["run", "--once"])
        .says(3, &["they are sent without you"]);
    shop.run(&["resume", "other"]).says(0, &[]);
    shop.run(&["run", "--once"]).says(0, &["approved orders: "]);
}

#[test]
fn pause_and_resume_do_all_they_can_and_say_what_they_could_not() {
    let (shop, _held) = two_with_held();
    fs::remove_dir_all(shop.path("orders")).unwrap();
    shop.write("orders", b"no folder");
    shop.run(&["pause"]).says(
        1,
        &[
            "inbox `other` is stopped",
            "inbox `main` could not be stopped",
            "cannot list",
        ],
    );
    assert!(shop.path("other/STOP.txt").exists());
    shop.run(&["resume"])
        .says(1, &["inbox `other` goes on", "inbox `main` could not be resumed"]);
    assert!(!shop.path("other/STOP.txt").exists());
}

#[test]
fn init_writes_the_config_where_the_environment_says() {
    let shop = Shop::new();
    shop.shell("DROPSHEET_CONFIG=new/x.toml dropsheet init")
        .says(0, &["new/x.toml", "made"]);
    assert!(shop.path("new/x.toml").is_file() && shop.path("new/orders/inbox").is_dir());
    shop.run(&["--config", "a/b.toml", "init", "a"])
        .says(2, &["a/b.toml", "a/dropsheet.toml", "name one of them"]);
    assert!(!shop.path("a").exists());
}

#[test]
fn the_check_of_a_damaged_ledger_names_its_newest_backup() {
    let shop = Shop::new();
    assert_eq!(shop.run(&["ledger", "backup"]).status, 0);
    let backups = shop.names("ledger.db.backups");
    let newest = backups.last().unwrap();
    for aside in ["ledger.db-wal", "ledger.db-shm"] {
        drop(fs::remove_file(shop.path(aside)));
    }
    shop.write("ledger.db", &b"order_id,item_sku\n".repeat(200));
    let said = shop.run(&["ledger", "verify"]);
    said.says(1, &["is damaged", "its newest backup is", newest]);
    assert!(!said.all().contains("not backed up"), "{said:?}");
}
