//! The commands that read, run as a person runs them: the built program, a config, and the sandbox for a service.

use std::path::PathBuf;
use std::process::Command;

use dropsheet::sandbox::{self, Options, Running};
use serde_json::Value;

/// A shop with one inbox and an account at a sandbox of its own.
struct Shop {
    service: Running,
    folder: tempfile::TempDir,
}

/// What a command said.
#[derive(Debug)]
struct Said {
    status: i32,
    out: String,
    err: String,
}

impl Said {
    fn json(&self) -> Value {
        assert_eq!(self.status, 0, "{self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The standard output of a command that did its work.
    fn done(&self) -> &str {
        assert_eq!(self.status, 0, "{self:?}");
        &self.out
    }
}

const CONFIG: &str = r#"
[account.main]
base_url = "{base_url}"
email = "shop@example.com"
password_file = "password"

[inbox.main]
path = "orders"
"#;

const SHEET: &str = "\
order_id,shipping_name,shipping_address1,shipping_city,shipping_province,shipping_province_code,shipping_zip,\
shipping_country,shipping_country_code,item_sku,quantity,product_name,artwork_front
1001,Ada Example,12 Maple Street,Columbus,Ohio,OH,43004,United States,US,TEE-CLASSIC-BLK-S,2,Classic Tee,https://example.com/fox.png
1002,Ben Sample,400 Pine Avenue,Portland,Oregon,OR,97205,United States,US,TEE-CLASSIC-BLK-X,1,Classic Tee,https://example.com/fox.png
";

impl Shop {
    fn new() -> Self {
        let service = sandbox::start_on_thread(Options::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let shop = Self { service, folder };
        shop.write(
            "dropsheet.toml",
            &CONFIG.replace("{base_url}", &shop.service.base_url()),
        );
        shop.write("password", "sandbox\n");
        shop
    }

    /// A shop in which a sheet was worked: one order created, one invalid.
    fn with_orders() -> Self {
        let shop = Self::new();
        assert_eq!(shop.run(&["init"]).status, 0);
        shop.write("monday.csv", SHEET);
        let said = shop.run(&["import", "monday.csv"]);
        assert_eq!(said.status, 3, "{said:?}");
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        dropsheet::files::write_new(&self.path(name), text.as_bytes()).unwrap();
    }

    /// Runs a command in the shop's folder, with nothing of this machine's own settings.
    fn run(&self, args: &[&str]) -> Said {
        self.run_with(args, &[])
    }

    /// The same with variables of the environment.
    fn run_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dropsheet"));
        for (name, _value) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("DROPSHEET_") {
                command.env_remove(name);
            }
        }
        let output = command
            .args(args)
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env_remove("XDG_CONFIG_HOME")
            .env("TZ", "UTC")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        Said {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

#[test]
fn the_demo_goes_by_no_variable_that_is_set_for_the_real_work() {
    let shop = Shop::new();
    let at = |name: &str| shop.path(name).display().to_string();
    let (url, home) = (shop.service.base_url(), at(""));
    let told = format!("[\"touch\", \"{}\"]", at("told"));
    let said = shop.run_with(
        &["demo"],
        &[
            ("TMPDIR", &home),
            ("HTTP_PROXY", &url),
            ("http_proxy", &url),
            ("ALL_PROXY", &url),
            ("CREDENTIALS_DIRECTORY", &home),
            ("DROPSHEET_CONFIG", &at("dropsheet.toml")),
            ("DROPSHEET_ACCOUNT__MAIN__BASE_URL", &url),
            ("DROPSHEET_ACCOUNT__MAIN__EMAIL", "real@example.com"),
            ("DROPSHEET_ACCOUNT__MAIN__PASSWORD_FILE", &at("password")),
            ("DROPSHEET_INBOX__MAIN__PATH", &at("orders")),
            ("DROPSHEET_INBOX__MAIN__APPROVAL", "required"),
            ("DROPSHEET_INBOX__OTHER__PATH", &at("others")),
            ("DROPSHEET_LEDGER__PATH", &at("ledger.db")),
            ("DROPSHEET_METRICS__LISTEN", "no address"),
            ("DROPSHEET_NOTIFY__COMMAND", &told),
            ("DROPSHEET_ZONE", "No/Where"),
        ],
    );
    assert!(said.done().contains("The sandbox has 17 orders now."), "{said:?}");
    let calls = shop.service.calls().counts.values().sum::<u64>();
    assert_eq!(calls, 0, "the real service is asked nothing");
    for name in ["ledger.db", "orders", "others", "told"] {
        assert!(!shop.path(name).exists(), "{name}");
    }
}

#[test]
fn status_without_a_ledger_says_what_to_do() {
    let shop = Shop::new();
    let said = shop.run(&["status"]);
    assert!(said.done().contains("there is no ledger at"), "{said:?}");
    assert!(said.out.contains("`dropsheet init`"), "{said:?}");
    let status = shop.run(&["status", "--json"]).json();
    assert_eq!(status["ledger"]["exists"], false);
    assert_eq!(status["inboxes"][0]["marker"], "missing");
    assert!(!shop.path("ledger.db").exists(), "a look makes nothing");
    assert_eq!(
        shop.run(&["orders", "list", "--json"]).json(),
        serde_json::json!([])
    );
    assert_eq!(
        shop.service.calls().counts.values().sum::<u64>(),
        0,
        "nobody is asked"
    );
}

#[test]
fn status_tells_sheets_orders_problems_and_a_stop() {
    let shop = Shop::with_orders();
    let status = shop.run(&["status", "--json"]).json();
    assert_eq!(status["ledger"]["held_by"], Value::Null);
    assert_eq!(status["inboxes"][0]["marker"], "ours");
    assert_eq!(status["inboxes"][0]["stopped"], false);
    assert_eq!(status["under_way"], serde_json::json!([]));
    assert_eq!(status["done"][0]["sheet"], "monday.csv");
    assert_eq!(status["done"][0]["orders"], 2);
    assert!(PathBuf::from(status["done"][0]["result"].as_str().unwrap()).exists());
    assert_eq!(
        status["orders"],
        serde_json::json!([{"state": "created", "orders": 1}])
    );
    assert_eq!(status["problems"][0]["order_id"], "1002");
    assert_eq!(status["problems"][0]["codes"], serde_json::json!(["unknown-sku"]));
    shop.write("orders/STOP.txt", "");
    let said = shop.run(&["status"]);
    for text in [
        "1 created",
        "STOPPED",
        "remove it to go on",
        "unknown-sku",
        "monday.csv",
        "not at work",
    ] {
        assert!(said.done().contains(text), "{text}: {said:?}");
    }
    assert!(
        !said.out.contains('\u{1b}'),
        "no colours off a terminal: {said:?}"
    );
}

#[test]
fn a_check_needs_no_password_once_the_catalog_is_cached() {
    let shop = Shop::with_orders();
    std::fs::remove_file(shop.path("password")).unwrap();
    shop.write(
        "fine.csv",
        &SHEET.replace("TEE-CLASSIC-BLK-X", "TEE-CLASSIC-BLK-S"),
    );
    let said = shop.run(&["check", "fine.csv"]);
    assert_eq!(said.status, 0, "{said:?}");
    // A SKU that is not in it would be asked for anew: that this cannot be is said.
    let said = shop.run(&["check", "monday.csv"]);
    assert_eq!(said.status, 3, "{said:?}");
    assert!(said.out.contains("unknown-sku"), "{said:?}");
    assert!(said.out.contains("no newer one could be asked for"), "{said:?}");
    let said = shop.run(&["quote", "fine.csv"]);
    assert_eq!(said.status, 2, "a price has to be asked for: {said:?}");
}

#[test]
fn doctor_tries_everything_and_says_what_is_wrong() {
    let shop = Shop::with_orders();
    let all = shop.run(&["doctor", "--json"]).json();
    assert_eq!(all["ok"], true, "{all}");
    let tried = |part: &str| {
        let checks = all["checks"].as_array().unwrap();
        checks
            .iter()
            .any(|check| check["part"] == part && check["state"] == "ok")
    };
    for part in [
        "config",
        "zone",
        "ledger",
        "ledger: disk",
        "account main",
        "account main: clock",
        "account main: catalog",
        "inbox main: marker",
        "inbox main: results/",
    ] {
        assert!(tried(part), "{part}: {all}");
    }
    assert_eq!(shop.service.count("create-new-order"), 1, "nothing is ordered");
    shop.service.set_fault("error-403-list=1").unwrap();
    let said = shop.run(&["doctor"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(
        said.out
            .contains("WRONG  account main: order list: the order list cannot be read"),
        "{said:?}"
    );
    shop.service.clear_faults();
    shop.write("orders/inbox/notes", "");
    std::fs::remove_file(shop.path("password")).unwrap();
    shop.write("password", "wrong");
    std::fs::remove_dir_all(shop.path("orders/results")).unwrap();
    let said = shop.run(&["doctor"]);
    assert_eq!(said.status, 1, "{said:?}");
    for text in [
        "WRONG  account main: no login at http://",
        "Correct the password",
        "WRONG  inbox main: results/: cannot be worked",
        "notes: a name without an ending: give it one, such as .csv",
    ] {
        assert!(said.out.contains(text), "{text}: {said:?}");
    }
    std::fs::remove_file(shop.path("orders/.dropsheet")).unwrap();
    let said = shop.run(&["doctor"]);
    assert!(said.out.contains("nothing is taken here"), "{said:?}");
    assert!(
        !shop.path("orders/results").exists(),
        "a folder that is not ours is not written to"
    );
}

#[test]
fn doctor_tells_whether_the_service_knows_where_to_send_its_notifications() {
    let shop = Shop::with_orders();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let config = format!(
        "{}[webhook]\nlisten = \"{}\"\naccess_key_file = \"key\"\npublic_url = \"https://shop.example.com/hooks\"\n",
        std::fs::read_to_string(shop.path("dropsheet.toml")).unwrap(),
        port.local_addr().unwrap(),
    );
    dropsheet::files::write_over(&shop.path("dropsheet.toml"), config.as_bytes()).unwrap();
    let said = shop.run(&["doctor"]);
    assert_eq!(said.status, 1, "{said:?}");
    for text in ["WRONG  webhook: key: ", "WRONG  webhook: port: "] {
        assert!(said.out.contains(text), "{text}: {said:?}");
    }
    drop(port);
    shop.write("key", "a-key-that-nobody-guesses");
    let said = shop.run(&["doctor"]);
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.out.contains("the service has no registration"), "{said:?}");
    assert!(said.out.contains("dropsheet webhooks register"), "{said:?}");
    assert_eq!(shop.run(&["webhooks", "register"]).status, 0);
    let all = shop.run(&["doctor", "--json"]).json();
    let checks = all["checks"].as_array().unwrap();
    for part in [
        "webhook: key",
        "webhook: port",
        "account main: webhook order-problem",
        "account main: webhook tracking",
    ] {
        let is_ok = checks
            .iter()
            .any(|check| check["part"] == part && check["state"] == "ok");
        assert!(is_ok, "{part}: {all}");
    }
}

#[test]
fn doctor_tells_a_wrong_config_with_its_line() {
    let shop = Shop::new();
    let text = CONFIG.replace("path = ", "paht = ");
    std::fs::remove_file(shop.path("dropsheet.toml")).unwrap();
    shop.write("dropsheet.toml", &text);
    let said = shop.run(&["doctor", "--json"]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(
        said.out.contains("dropsheet.toml:8: `inbox.main.paht`"),
        "{said:?}"
    );
    assert!(said.out.contains("did you mean `path`?"), "{said:?}");
}

#[test]
fn packagers_get_completions_pages_defaults_and_variables() {
    let shop = Shop::new();
    assert!(
        shop.run(&["completions", "bash"])
            .done()
            .contains("complete -F _dropsheet")
    );
    assert!(shop.run(&["man"]).done().starts_with(".ie"));
    assert_eq!(shop.run(&["man", "--out", "man"]).status, 0);
    for page in ["dropsheet.1", "dropsheet-run.1", "dropsheet-orders-list.1"] {
        assert!(shop.path("man").join(page).exists(), "{page}");
    }
    let defaults = shop.run(&["config", "--defaults"]);
    for line in [
        "repeat = \"7d\"",
        "spool = \"90d\"",
        "max_in_flight = 16",
        "stable_for = \"5s\"",
        "# smtp =",
    ] {
        assert!(defaults.done().lines().any(|known| known == line), "{line}");
    }
    let variables = shop.run(&["config", "--variables"]);
    for line in [
        "DROPSHEET_ACCOUNT__X__EMAIL  account.X.email",
        "DROPSHEET_NOTIFY__SMTP  notify.smtp",
        "DROPSHEET_ZONE  zone",
    ] {
        assert!(
            variables.done().lines().any(|known| known == line),
            "{line}: {variables:?}"
        );
    }
    let listed = shop.run(&["config", "--variables", "--json"]).json();
    let zone = serde_json::json!({"variable": "DROPSHEET_ZONE", "key": "zone"});
    assert!(listed.as_array().unwrap().contains(&zone), "{listed}");
}

#[test]
fn status_beside_a_writer_names_it() {
    let shop = Shop::with_orders();
    let writer =
        dropsheet::ledger::Ledger::open(&shop.path("ledger.db"), "process 7, dropsheet run").unwrap();
    let status = shop.run(&["status", "--json"]).json();
    assert_eq!(status["ledger"]["held_by"], "process 7, dropsheet run");
    assert_eq!(status["orders"][0]["orders"], 1);
    drop(writer);
}

#[test]
fn a_folder_of_another_ledger_is_told() {
    let shop = Shop::with_orders();
    std::fs::remove_file(shop.path("orders/.dropsheet")).unwrap();
    shop.write("orders/.dropsheet", "ledger = 0123\n");
    let said = shop.run(&["status"]);
    for text in [
        "it belongs to another ledger (0123)",
        "`dropsheet ledger rebuild`",
    ] {
        assert!(said.done().contains(text), "{text}: {said:?}");
    }
}

#[test]
fn orders_are_listed_by_state_and_account() {
    let shop = Shop::with_orders();
    let listed = shop.run(&["orders", "list", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["order_id"], "1001");
    assert_eq!(listed[0]["state"], "created");
    assert_eq!(listed[0]["account"], "main");
    let id = &shop.service.orders()[0].pw_order_id;
    assert_eq!(listed[0]["pw_order_id"], id.as_str());
    let said = shop.run(&["orders", "list"]);
    assert!(said.done().contains(id), "{said:?}");
    for nothing in [["--state", "held"], ["--limit", "0"]] {
        let args = ["orders", "list", "--json", nothing[0], nothing[1]];
        assert_eq!(shop.run(&args).json(), serde_json::json!([]), "{nothing:?}");
    }
    assert_eq!(
        shop.run(&["orders", "list", "--account", "main", "--json"])
            .json(),
        listed
    );
    let wrong = shop.run(&["orders", "list", "--state", "creatd"]);
    assert_eq!(wrong.status, 2, "{wrong:?}");
    assert!(wrong.err.contains("did you mean created?"), "{wrong:?}");
    assert_eq!(shop.run(&["orders", "list", "--account", "mian"]).status, 2);
}

#[test]
fn an_order_is_shown_with_its_trail_and_without_its_address() {
    let shop = Shop::with_orders();
    let order = shop.run(&["orders", "show", "1001", "--json"]).json();
    assert_eq!(
        order["lines"],
        serde_json::json!([{"item_sku": "TEE-CLASSIC-BLK-S", "quantity": 2}])
    );
    assert_eq!(order["attempts"][0]["answer"], "created");
    assert_eq!(order["events"][1]["new"], "created");
    assert!(order["quote"]["total"].is_number(), "{order}");
    let id = order["pw_order_id"].as_str().unwrap();
    // By the service's id; as a shop writes its own, and with a no-break space that a copied cell has.
    for called in [id, "#1001", " 1001\u{a0}"] {
        let said = shop.run(&["orders", "show", called]);
        assert!(said.done().contains("TEE-CLASSIC-BLK-S"), "{called}: {said:?}");
    }
    let said = shop.run(&["orders", "show", id]);
    assert!(said.out.contains("sending  created"), "{said:?}");
    for personal in ["Ada", "Maple", "Columbus", "43004"] {
        assert!(
            !said.out.contains(personal) && !order.to_string().contains(personal),
            "{personal}"
        );
    }
}

#[test]
fn an_order_that_is_not_known_fails_with_the_nearest() {
    let shop = Shop::with_orders();
    let said = shop.run(&["orders", "show", "10011"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(
        said.err.contains("no order `10011`; did you mean 1001?"),
        "{said:?}"
    );
}

#[test]
fn the_catalog_is_refreshed_on_command() {
    let shop = Shop::new();
    let said = shop.run(&["catalog", "refresh"]);
    assert!(said.done().contains(" SKUs of "), "{said:?}");
    assert!(shop.path("catalog.db").exists());
    assert!(!shop.path("ledger.db").exists(), "the catalog needs no ledger");
}

#[test]
fn what_a_sku_costs_and_whether_it_is_there_is_asked_anew_after_a_refresh() {
    let shop = Shop::new();
    let sku = "TEE-CLASSIC-BLK-S";
    let availability = || {
        let shown = shop.run(&["catalog", "show", sku, "--json"]).json();
        shown["availability"].as_str().unwrap().to_owned()
    };
    assert_eq!(availability(), "in_stock");
    assert!(shop.service.set_stock(sku, false));
    assert_eq!(availability(), "in_stock", "as it was read a moment ago");
    shop.run(&["catalog", "refresh"]).done();
    assert_eq!(availability(), "out_of_stock");
    let asked = shop.service.count("products-detail");
    availability();
    assert_eq!(shop.service.count("products-detail"), asked, "once is enough");
}

#[test]
fn the_catalog_is_asked_for_once_and_searched_without_a_password() {
    let shop = Shop::new();
    let found = shop
        .run(&["catalog", "search", "classic", "blk", "--json"])
        .json();
    assert!(
        found
            .as_array()
            .unwrap()
            .iter()
            .any(|entry| entry["sku"] == "TEE-CLASSIC-BLK-S"),
        "{found}"
    );
    let asked = shop.service.count("list-sku-catalogs");
    std::fs::remove_file(shop.path("password")).unwrap();
    let said = shop.run(&["catalog", "search", "TEE-CLASSIC-BLK-S"]);
    assert!(said.done().contains("1 of "), "{said:?}");
    assert_eq!(shop.service.count("list-sku-catalogs"), asked);
}

#[test]
fn a_sku_is_shown_with_its_detail_and_while_the_service_is_away() {
    let shop = Shop::new();
    let sku = shop
        .run(&["catalog", "show", "tee-classic-blk-s", "--json"])
        .json();
    assert_eq!(sku["sku"], "TEE-CLASSIC-BLK-S");
    assert!(sku["availability"].is_string(), "{sku}");
    assert!(
        sku["locations"].as_array().is_some_and(|all| !all.is_empty()),
        "{sku}"
    );
    let said = shop.run(&["catalog", "show", "TEE-CLASSIC-BLK-S"]);
    assert!(said.done().contains("made in"), "{said:?}");
    let Shop { service, folder } = shop;
    drop(service);
    let away = Shop {
        service: sandbox::start_on_thread(Options::default()).unwrap(),
        folder,
    };
    let again = away
        .run(&["catalog", "show", "TEE-CLASSIC-BLK-S", "--json"])
        .json();
    assert_eq!(again["availability"], sku["availability"]);
    let without_detail = away
        .run(&["catalog", "show", "MUG-CERAMIC-WHT-11OZ", "--json"])
        .json();
    assert_eq!(without_detail["availability"], Value::Null);
    let refused = away.run(&["catalog", "refresh"]);
    assert_eq!(refused.status, 1, "{refused:?}");
}

#[test]
fn a_sku_that_is_not_known_fails_with_the_nearest() {
    let shop = Shop::new();
    let said = shop.run(&["catalog", "show", "TEE-CLASSIC-BLK-SS"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.err.contains("TEE-CLASSIC-BLK-S"), "{said:?}");
}

#[test]
fn a_search_has_the_price_that_it_shows_in_its_json_too() {
    let shop = Shop::new();
    assert_eq!(shop.run(&["catalog", "show", "TEE-CLASSIC-BLK-S"]).status, 0);
    let found = shop
        .run(&["catalog", "search", "TEE-CLASSIC-BLK-S", "--json"])
        .json();
    let from = &found[0]["from"];
    assert!(from.is_number(), "{found}");
    let said = shop.run(&["catalog", "search", "TEE-CLASSIC-BLK-S"]);
    assert!(said.done().contains(&from.to_string()), "{said:?}");
}

#[test]
fn what_is_to_be_given_is_named_as_the_config_and_the_command_have_it() {
    let shop = Shop::new();
    let said = shop.run(&["config"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("<--defaults|--schema|--variables>"), "{said:?}");
    assert_eq!(shop.run(&["config", "--schema", "--variables"]).status, 2);
    let said = shop.run(&["init"]);
    assert!(
        said.done().contains("the file that password_file names"),
        "{said:?}"
    );
}
