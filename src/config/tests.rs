//! The config as its users write it, right and wrong.

mod definition;
mod profiles;
mod refused;

use std::path::Path;
use std::time::Duration;

use secrecy::ExposeSecret;

use super::environment::Environment;
use super::*;

const SMALLEST: &str = r#"
[account.main]
base_url = "https://api.example.com"
email = "shop@example.com"
password_file = "password"

[inbox.main]
path = "orders"
"#;

fn load_with(text: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let path = Path::new("/srv/shop/dropsheet.toml");
    read(
        path,
        text,
        &Environment::of_test(Path::new("/srv/shop"), variables),
    )
}

fn load_text(text: &str) -> Result<Config, ConfigError> {
    load_with(text, &[])
}

/// The smallest config with more lines in its inbox, which start at line 9.
fn inbox_with(lines: &str) -> Result<Config, ConfigError> {
    load_text(&format!("{SMALLEST}{lines}\n"))
}

/// The smallest config with more lines in its account, which start at line 6.
fn account_with(lines: &str) -> Result<Config, ConfigError> {
    load_text(&SMALLEST.replace("\n\n[inbox", &format!("\n{lines}\n\n[inbox")))
}

fn message(result: Result<Config, ConfigError>) -> String {
    result.unwrap_err().to_string()
}

/// Each message begins with the config's path and the text that stands beside it.
fn assert_each_begins_with<const N: usize>(cases: [(Result<Config, ConfigError>, &str); N]) {
    for (result, expected) in cases {
        let message = message(result);
        let expected = format!("/srv/shop/dropsheet.toml{expected}");
        assert!(message.starts_with(&expected), "{message}\n  is not\n{expected}");
    }
}

#[test]
fn the_smallest_config_has_every_default() {
    let config = load_text(SMALLEST).unwrap();
    let account = &config.accounts[0];
    assert_eq!(account.name, "main");
    assert_eq!(account.max_in_flight, 16);
    assert_eq!(account.rate_limit, None);
    assert_eq!(account.timeout, Duration::from_secs(30));
    assert_eq!(account.quote_reuse, Duration::from_mins(10));
    assert_eq!(account.absent_after, Duration::from_mins(15));
    assert_eq!(account.absent_after_unproven, Duration::from_hours(24));
    assert_eq!(account.settle_for, Duration::from_secs(20));
    assert_eq!(account.resend, Resend::WhenAbsent);
    assert_eq!(account.get_params, GetParams::Both);
    assert_eq!(account.history, Duration::from_hours(90 * 24));
    assert_eq!(account.sync, Duration::from_hours(1));
    assert_eq!(account.token_file, Path::new("/srv/shop/tokens/main.json"));
    let inbox = &config.inboxes[0];
    assert_eq!(inbox.path, Path::new("/srv/shop/orders"));
    assert_eq!(inbox.account, "main");
    assert!(inbox.hold_zero && !inbox.approval_required);
    assert_eq!(inbox.province_when_blank, None);
    assert_eq!(
        (inbox.stable_for, inbox.look),
        (Duration::from_secs(5), Duration::from_secs(30))
    );
    assert_eq!(inbox.result_format, ResultFormat::Xlsx);
    assert_eq!(
        (inbox.limits.max_bytes, inbox.limits.max_rows),
        (256 << 20, 1_048_576)
    );
    assert_eq!(config.ledger, Path::new("/srv/shop/ledger.db"));
    assert_eq!(config.catalog_max_age, Duration::from_hours(24));
    assert_eq!(
        (config.keep_spool, config.keep_done),
        (Some(Duration::from_hours(90 * 24)), None)
    );
}

#[test]
fn what_is_wrong_is_told_with_file_line_key_and_what_was_expected() {
    let cases = [
        (
            account_with("timout = \"3s\""),
            ":6: `account.main.timout`: unknown key; did you mean `timeout`?",
        ),
        (
            account_with("timeout = \"soon\""),
            ":6: `account.main.timeout`: invalid value: string \"soon\", expected a time",
        ),
        (
            account_with("timeout = 30"),
            ":6: `account.main.timeout`: invalid value: integer `30`, expected a time",
        ),
        (
            account_with("timeout = \"0s\""),
            ":6: `account.main.timeout`: is no time at all",
        ),
        (
            account_with("max_in_flight = \"many\""),
            ":6: `account.main.max_in_flight`: invalid type",
        ),
        (
            account_with("max_in_flight = 0"),
            ":6: `account.main.max_in_flight`: `0` is out of range; expected 1 to 1024",
        ),
        (
            account_with("resend = \"always\""),
            ":6: `account.main.resend`: unknown variant `always`, expected `when-absent` or `never`",
        ),
        (
            account_with("rate_limit = \"fast\""),
            ":6: `account.main.rate_limit`: invalid value",
        ),
        (
            account_with("password_env = \"P\""),
            ":6: `account.main.password_env`: both",
        ),
    ];
    assert_each_begins_with(cases);
}

#[test]
fn an_inbox_has_a_folder_of_its_own() {
    for (path, how) in [
        ("./orders/", "the same folder as"),
        ("orders/inbox/two", "lies in the folder of"),
        ("orders/x/../done", "lies in the folder of"),
    ] {
        let error = inbox_with(&format!("[inbox.two]\npath = \"{path}\"")).unwrap_err();
        let expected = format!(":10: `inbox.two.path`: {how} `inbox.main`; expected a folder of its own");
        assert!(error.to_string().contains(&expected), "{path}: {error}");
    }
    for apart in ["orders-two", "orders/two", "."] {
        assert!(
            inbox_with(&format!("[inbox.two]\npath = \"{apart}\"")).is_ok(),
            "{apart}"
        );
    }
}

#[test]
fn what_is_wrong_with_an_inbox_or_unsupported_is_told_the_same_way() {
    let cases = [
        (
            inbox_with("account = \"other\""),
            ":9: `inbox.main.account`: there is no account `other`; expected one of main",
        ),
        (
            inbox_with("profile = \"shopfy\""),
            ":9: `inbox.main.profile`: there is no profile `shopfy`; expected one of auto, native, shopify,",
        ),
        (
            inbox_with(
                "[profile.own]\nrecognise = [\"A\", \"B\"]\n[profile.own.columns]\norder_id = \"A\"\nprize = \"B\"",
            ),
            ":13: `profile.own.columns.prize`: is no native column; expected one of order_id, shipping_name,",
        ),
        (
            inbox_with("max_orders_per_sheet = 0"),
            ":9: `inbox.main.max_orders_per_sheet`: `0` is out of range; expected 1 or more",
        ),
        (
            inbox_with("max_bytes = 0"),
            ":9: `inbox.main.max_bytes`: invalid value",
        ),
        (
            inbox_with("not_before = 2026-13-01"),
            ":9: `inbox.main.not_before`: not valid TOML",
        ),
        (
            inbox_with("[inbox.two]\npath = \"./orders/\""),
            ":10: `inbox.two.path`: the same folder as `inbox.main`",
        ),
        (
            inbox_with("[webhook]\nlisten = \"127.0.0.1:1\""),
            ":9: `webhook.access_key_file`: missing; expected a text such as \"access-key\"",
        ),
        (
            inbox_with("[webhook]\nlisten = \"8810\"\naccess_key_file = \"key\""),
            ":10: `webhook.listen`: `8810` is no address with a port",
        ),
        (
            inbox_with("[webhook]\nlisten = \"[::1]:1\"\naccess_key_file = \"key\"\npublic_url = \"shop\""),
            ":12: `webhook.public_url`: `shop` is no URL",
        ),
        (
            inbox_with("[preflight]\nunit = \"feet\""),
            ":10: `preflight.unit`: unknown variant `feet`",
        ),
        (
            inbox_with("[preflight]\nmax_in_flight = 0"),
            ":10: `preflight.max_in_flight`: `0` is out of range",
        ),
        (
            inbox_with("[notify]\nto = \"a@example.com\""),
            ":10: `notify.to`: unknown key",
        ),
        (
            inbox_with("[inbocks]"),
            ":9: `inbocks`: unknown key; did you mean `inbox`?",
        ),
        (
            inbox_with("[catalog]\nmax_age = 5"),
            ":10: `catalog.max_age`: invalid value: integer `5`",
        ),
        (
            inbox_with("path = \"again\""),
            ":9: not valid TOML: duplicate key",
        ),
    ];
    assert_each_begins_with(cases);
}

#[test]
fn the_receiver_and_the_figures_listen_at_two_ports_or_at_any() {
    assert_each_begins_with([(
        inbox_with(
            "[webhook]\nlisten = \"0.0.0.0:8810\"\naccess_key_file = \"key\"\n[metrics]\nlisten = \"127.0.0.1:8810\"",
        ),
        ":13: `metrics.listen`: `127.0.0.1:8810` is where `webhook.listen` is; expected another port",
    )]);
    for (receiver, figures) in [
        ("127.0.0.1:8810", "127.0.0.1:9108"),
        ("127.0.0.1:8810", "127.0.0.2:8810"),
        ("127.0.0.1:0", "127.0.0.1:0"),
    ] {
        let more = format!(
            "[webhook]\nlisten = \"{receiver}\"\naccess_key_file = \"key\"\n[metrics]\nlisten = \"{figures}\""
        );
        inbox_with(&more).unwrap();
    }
}

#[test]
fn a_sku_map_is_a_file_that_can_be_written_as_its_name_says() {
    assert_each_begins_with([
        (
            inbox_with("sku_map = \"map.ods\""),
            ":9: `inbox.main.sku_map`: `map.ods` cannot be written as a SKU map; expected a file that ends in .csv,",
        ),
        (
            inbox_with("sku_map = \"maps/shop\""),
            ":9: `inbox.main.sku_map`: `maps/shop` cannot be written as a SKU map",
        ),
    ]);
    for name in ["map.csv", "map.TSV", "maps/shop.txt", "map.xlsx"] {
        inbox_with(&format!("sku_map = \"{name}\"")).unwrap();
    }
}

#[test]
fn a_missing_key_is_named_with_the_line_of_its_table() {
    let text = SMALLEST.replace("email = \"shop@example.com\"\n", "");
    assert_eq!(
        message(load_text(&text)),
        "/srv/shop/dropsheet.toml:2: `account.main.email`: missing; expected a text such as \"shop@example.com\""
    );
    assert_eq!(
        message(load_text("")),
        "/srv/shop/dropsheet.toml: `account`: missing; expected at least one account, as [account.main] with \
         base_url and email"
    );
}

#[test]
fn a_password_never_travels_in_the_clear() {
    for (url, accepted) in [
        ("https://api.example.com/", true),
        ("http://127.0.0.1:8080", true),
        ("http://localhost:8080", true),
        ("http://[::1]:8080", true),
        ("http://api.example.com", false),
        ("http://127.0.0.1.example.com", false),
        ("https://shop:word@api.example.com", false),
        ("https://api.example.com?x=1", false),
        ("ftp://api.example.com", false),
        ("api.example.com", false),
    ] {
        let result = load_text(&SMALLEST.replace("https://api.example.com", url));
        assert_eq!(result.is_ok(), accepted, "{url}");
    }
    assert_eq!(
        load_text(&SMALLEST.replace("example.com\"\nemail", "example.com/v/\"\nemail"))
            .unwrap()
            .accounts[0]
            .base_url,
        "https://api.example.com/v"
    );
}

#[test]
fn two_names_for_one_account_are_an_error() {
    let twin =
        "[account.two]\nbase_url = \"https://API.example.com/\"\nemail = \"Shop@example.com\"\n[other]";
    let result = load_text(&SMALLEST.replace("[inbox.main]", &twin.replace("[other]", "[inbox.main]")));
    assert!(message(result).contains(":7: `account.two`: the same base_url and email as `account.main`"));
}

#[test]
fn an_inbox_names_its_account_where_there_are_several() {
    let two = "[account.b]\nbase_url = \"https://b.example.com\"\nemail = \"b@example.com\"\n\n[inbox.main]";
    let text = SMALLEST.replace("[inbox.main]", two);
    assert!(message(load_text(&text)).contains("`inbox.main.account`: missing; with several accounts"));
    let config = load_text(&format!("{text}account = \"b\"\n")).unwrap();
    assert_eq!(config.inboxes[0].account, "b");
}

#[test]
fn an_amount_keeps_its_digits_with_and_without_quotes() {
    for (written, shown) in [
        ("100.10", "100.10"),
        ("\"100.10\"", "100.10"),
        ("100", "100.00"),
        ("1_000.5", "1000.50"),
    ] {
        let config = inbox_with(&format!("max_order_total = {written}")).unwrap();
        assert_eq!(
            config.inboxes[0].max_order_total.unwrap().to_string(),
            shown,
            "{written}"
        );
    }
    assert!(inbox_with("max_order_total = 1e3").is_err());
}

#[test]
fn a_date_is_read_with_and_without_quotes() {
    for written in ["2026-11-21", "\"2026-11-21\""] {
        let config = inbox_with(&format!("not_before = {written}")).unwrap();
        assert_eq!(
            config.inboxes[0].not_before,
            Some(jiff::civil::date(2026, 11, 21))
        );
    }
    assert!(inbox_with("not_before = 2026-11-21T10:00:00Z").is_err());
}

#[test]
fn a_variable_that_was_meant_to_set_a_key_is_told_how_it_is_written() {
    for (variable, written) in [
        (
            "DROPSHEET_INBOX_MAIN_APPROVAL",
            "write DROPSHEET_INBOX__MAIN__APPROVAL,",
        ),
        (
            "DROPSHEET_ACCOUNT_MY_SHOP_PASSWORD_FILE",
            "write DROPSHEET_ACCOUNT__MY_SHOP__PASSWORD_FILE,",
        ),
        (
            "DROPSHEET_ACCOUNT_MAIN_ABSENT_AFTER_UNPROVEN",
            "write DROPSHEET_ACCOUNT__MAIN__ABSENT_AFTER_UNPROVEN,",
        ),
        ("DROPSHEET_LEDGER_PATH", "write DROPSHEET_LEDGER__PATH,"),
        ("DROPSHEET_KEEP_SPOOL", "write DROPSHEET_KEEP__SPOOL,"),
        ("DROPSHEET_NOTIFY_SMTP_USER", "write DROPSHEET_NOTIFY__SMTP_USER,"),
        (
            "DROPSHEET_INBOX_MAIN_APROVAL",
            "two underscores stand for each dot",
        ),
        ("DROPSHEET_INBOX_PATH", "two underscores stand for each dot"),
    ] {
        let message = message(load_with(SMALLEST, &[(variable, "required")]));
        let told = format!("the environment variable {variable} sets no key; {written}");
        assert!(message.contains(&told), "{message}");
    }
    // The program's own, another's, and what holds a password.
    let password = "DROPSHEET_ACCOUNT_MAIN_PASSWORD";
    for variables in [
        &[
            ("DROPSHEET_CONFIG", "x.toml"),
            ("DROPSHEET_LOG", "debug"),
            ("DROPSHEET_CRASH_AT", "x"),
        ][..],
        &[
            ("DROPSHEET_INBOX", "x"),
            ("DROPSHEETS_INBOX_MAIN_PATH", "x"),
            ("INBOX_MAIN_PATH", "x"),
        ],
        &[("DROPSHEET_VERSION_TAG", "1"), ("DROPSHEET_ZONE_NAME", "x")],
    ] {
        assert!(load_with(SMALLEST, variables).is_ok(), "{variables:?}");
    }
    let named = SMALLEST.replace(
        "password_file = \"password\"",
        &format!("password_env = \"{password}\""),
    );
    assert!(load_with(&named, &[(password, "x")]).is_ok());
    assert!(load_with(SMALLEST, &[(password, "x")]).is_err());
    let mail = format!(
        "{SMALLEST}\n[notify]\nmail_to = [\"a@example.com\"]\nsmtp = \"smtps://m\"\nsmtp_user = \"ops\"\n\
         smtp_password_env = \"DROPSHEET_NOTIFY_PASSWORD\"\n"
    );
    assert!(load_with(&mail, &[("DROPSHEET_NOTIFY_PASSWORD", "x")]).is_ok());
}

#[test]
fn a_variable_overrides_a_key_and_is_named_when_it_is_wrong() {
    let config = load_with(
        SMALLEST,
        &[
            ("DROPSHEET_ACCOUNT__MAIN__EMAIL", "other@example.com"),
            ("DROPSHEET_ACCOUNT__MAIN__MAX_IN_FLIGHT", "2"),
            ("DROPSHEET_INBOX__MAIN__ORDER_PREFIX", "12"),
            ("DROPSHEET_ZONE", "Asia/Tokyo"),
            ("DROPSHEET_LOG", "debug"),
        ],
    )
    .unwrap();
    assert_eq!(config.accounts[0].email, "other@example.com");
    assert_eq!(config.accounts[0].max_in_flight, 2);
    assert_eq!(config.inboxes[0].order_prefix, "12");
    assert_eq!(config.zone.iana_name(), Some("Asia/Tokyo"));
    for (variable, value, expected) in [
        (
            "DROPSHEET_ACCOUNT__MAIN__TIMEOUT",
            "soon",
            "`account.main.timeout` (set by the environment variable",
        ),
        ("DROPSHEET_ACCOUNT__MAIN__TIMOUT", "3s", "did you mean `timeout`?"),
        (
            "DROPSHEET_ACCOUNT__MAIN__EMAIL",
            "nobody",
            "`account.main.email` (set by the environment variable",
        ),
        ("DROPSHEET_ZONE__X", "1", "DROPSHEET_ZONE__X"),
    ] {
        let message = message(load_with(SMALLEST, &[(variable, value)]));
        assert!(
            message.contains(expected) && message.contains(variable),
            "{message}"
        );
    }
}

#[test]
fn a_password_comes_from_a_file_a_variable_or_systemd() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| files::write_new(&folder.path().join(name), text.as_bytes()).unwrap();
    put("password", "from file\n");
    put("main.password", "from systemd\r\n");
    put("blank", "\r\n\n");
    let with = |line: &str, variables: &[(&str, &str)]| {
        let text = SMALLEST.replace("password_file = \"password\"", line);
        let path = folder.path().join("dropsheet.toml");
        let config = read(&path, &text, &Environment::of_test(folder.path(), variables)).unwrap();
        config.accounts[0]
            .service(&Clock::system())
            .map(|settings| settings.password.expose_secret().to_owned())
    };
    let credentials = [("CREDENTIALS_DIRECTORY", folder.path().to_str().unwrap())];
    assert_eq!(with("password_file = \"password\"", &[]).unwrap(), "from file");
    assert_eq!(
        with(
            "password_env = \"DROPSHEET__PW\"",
            &[("DROPSHEET__PW", "from env")]
        )
        .unwrap(),
        "from env"
    );
    assert_eq!(with("", &credentials).unwrap(), "from systemd");
    let blank = with("password_file = \"blank\"", &[]).unwrap_err().to_string();
    assert!(blank.ends_with("blank is empty"), "{blank}");
    let nowhere = with("", &[]).unwrap_err().to_string();
    for way in ["password_file", "password_env", "`main.password`"] {
        assert!(nowhere.contains(way), "{nowhere}");
    }
    assert!(
        with("password_env = \"PW\"", &[])
            .unwrap_err()
            .to_string()
            .contains("PW")
    );
    assert!(
        with("password_file = \"none\"", &[])
            .unwrap_err()
            .to_string()
            .contains("none")
    );
    // As every other error of the config: file, line and key.
    let line = 1 + SMALLEST
        .lines()
        .position(|line| line.starts_with("password_file"))
        .unwrap();
    for (written, told) in [
        (
            "password_file = \"none\"",
            format!("dropsheet.toml:{line}: `account.main.password_file`: cannot read the password file "),
        ),
        (
            "password_env = \"PW\"",
            format!("dropsheet.toml:{line}: `account.main.password_env`: the environment variable PW "),
        ),
        ("", "`account.main`: no password: ".to_owned()),
    ] {
        let said = with(written, &[]).unwrap_err().to_string();
        assert!(said.contains(&told), "{said}");
    }
    let by_variable = [("DROPSHEET_ACCOUNT__MAIN__PASSWORD_FILE", "gone")];
    let said = with("", &by_variable).unwrap_err().to_string();
    let told = "dropsheet.toml: `account.main.password_file` (set by the environment variable ";
    assert!(said.contains(told), "{said}");
}

#[test]
fn no_secret_is_shown_by_debug() {
    let text = SMALLEST.replace("password_file = \"password\"", "password_env = \"PW\"");
    let config = load_with(&text, &[("PW", "hunter2")]).unwrap();
    assert!(!format!("{config:?}").contains("hunter2"));
    assert!(!format!("{:?}", config.accounts[0].service(&Clock::system())).contains("hunter2"));
}

#[test]
fn the_system_config_has_its_ledger_in_var_lib_unless_it_says_otherwise() {
    let environment = Environment::of_test(Path::new("/"), &[]);
    let config = read(Path::new(SYSTEM_CONFIG), SMALLEST, &environment).unwrap();
    assert_eq!(config.ledger, Path::new(SYSTEM_LEDGER));
    let text = format!("{SMALLEST}[ledger]\npath = \"/data/l.db\"\n");
    let config = read(Path::new(SYSTEM_CONFIG), &text, &environment).unwrap();
    assert_eq!(config.ledger, Path::new("/data/l.db"));
}

#[test]
fn the_config_is_looked_for_in_five_places() {
    let places = |given: Option<&str>, variables: &[(&str, &str)]| {
        let environment = Environment::of_test(Path::new("/srv"), variables);
        environment.places(given.map(Path::new))
    };
    let named = [("DROPSHEET_CONFIG", "/env.toml"), ("HOME", "/home/anna")];
    assert_eq!(places(Some("my.toml"), &named), [Path::new("/srv/my.toml")]);
    assert_eq!(places(None, &named), [Path::new("/env.toml")]);
    assert_eq!(
        places(None, &[("HOME", "/home/anna")]),
        [
            "/srv/dropsheet.toml",
            "/home/anna/.config/dropsheet/dropsheet.toml",
            SYSTEM_CONFIG
        ]
        .map(Path::new)
    );
    assert_eq!(
        places(None, &[("XDG_CONFIG_HOME", "/xdg")])[1],
        Path::new("/xdg/dropsheet/dropsheet.toml")
    );
}

#[test]
fn a_named_config_that_is_not_there_is_an_error_and_an_unnamed_one_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.toml");
    assert!(matches!(
        find(vec![missing.clone()], true),
        Err(ConfigError::Read { .. })
    ));
    let there = folder.path().join("there.toml");
    files::write_new(&there, b"x").unwrap();
    assert_eq!(
        find(vec![missing.clone(), there.clone()], false).unwrap().0,
        there
    );
    assert!(matches!(
        find(vec![missing.clone()], false),
        Err(ConfigError::NotFound { .. })
    ));
    // A link says that there is one, which is away: no other is taken for it.
    let link = folder.path().join("link.toml");
    std::os::unix::fs::symlink(missing, &link).unwrap();
    let error = find(vec![link.clone(), there], false).unwrap_err();
    assert!(
        matches!(&error, ConfigError::Read { path, .. } if *path == link),
        "{error}"
    );
}

#[test]
fn one_folder_by_two_names_is_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("orders/inbox")).unwrap();
    let text = format!("{SMALLEST}[inbox.two]\npath = \"orders/inbox/..\"\n");
    let path = folder.path().join("dropsheet.toml");
    let error = read(&path, &text, &Environment::of_test(folder.path(), &[])).unwrap_err();
    assert!(
        error.to_string().contains("the same folder as `inbox.main`"),
        "{error}"
    );
}
