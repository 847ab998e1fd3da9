//! Values that have the right type and could not be meant.

use super::*;

#[test]
fn a_number_below_what_a_key_takes_is_told_with_what_it_takes() {
    assert_each_begins_with([
        (
            account_with("max_in_flight = -1"),
            ":6: `account.main.max_in_flight`: invalid value: integer `-1`, expected a whole number, 1 to 1024",
        ),
        (
            inbox_with("max_orders_per_sheet = -1"),
            ":9: `inbox.main.max_orders_per_sheet`: invalid value: integer `-1`, expected a whole number, 1 or more",
        ),
        (
            inbox_with("max_orders_per_sheet = 0"),
            ":9: `inbox.main.max_orders_per_sheet`: `0` is out of range; expected 1 or more",
        ),
        (
            inbox_with("max_rows = \"all\""),
            ":9: `inbox.main.max_rows`: invalid type: string \"all\", expected a whole number, 1 to 1048576",
        ),
    ]);
}

#[test]
fn what_is_wrong_with_a_name_in_quotes_is_told_with_its_line_and_what_is_missing_with_what_is_expected() {
    let inbox = "[inbox.main]\npath = \"orders\"\n";
    let account = "[account.main]\nbase_url = \"https://print.example\"\nemail = \"shop@example.com\"\npassword_file = \"pw\"\n";
    assert_each_begins_with([
        (
            load_text(&format!("{account}{inbox}[inbox.\"../x\"]\npath = \"other\"\n")),
            ":7: `inbox.../x`: the name has other characters than",
        ),
        (
            load_text(&format!(
                "{account}[account.\"x.y\"]\nemail = \"other@example.com\"\n{inbox}"
            )),
            ":5: `account.x.y`: the name has other characters than",
        ),
        (
            load_text(&format!("{account}{inbox}[profile.p]\nrecognise = [\"A\"]\n")),
            ":7: `profile.p.columns`: missing; expected a `columns` in this table",
        ),
    ]);
}

#[test]
fn a_province_that_no_cell_could_have_is_refused_with_the_words_for_a_cell() {
    let long = "x".repeat(201);
    assert_each_begins_with([
        (
            inbox_with("province_when_blank = \"New\\nYork\""),
            ":9: `inbox.main.province_when_blank`: cannot be sent: shipping_province `New\\nYork` holds an invisible character \
             (U+000A).",
        ),
        (
            inbox_with(&format!("province_when_blank = \"{long}\"")),
            ":9: `inbox.main.province_when_blank`: cannot be sent: shipping_province has 201 characters; ",
        ),
    ]);
    assert!(inbox_with("province_when_blank = \"-\"").is_ok());
}

#[test]
fn what_is_no_text_where_there_are_a_few_words_is_told_the_words() {
    assert_each_begins_with([
        (
            account_with("resend = true"),
            ":6: `account.main.resend`: invalid type: boolean `true`, expected `when-absent` or `never`",
        ),
        (
            account_with("resend = \"always\""),
            ":6: `account.main.resend`: unknown variant `always`, expected `when-absent` or `never`",
        ),
        (
            account_with("get_params = 2"),
            ":6: `account.main.get_params`: invalid type: integer `2`, expected one of `body`, `query`, `both`",
        ),
        (
            inbox_with("result_format = [\"csv\"]"),
            ":9: `inbox.main.result_format`: invalid type: sequence, expected one of `xlsx`, `same`, `csv`",
        ),
    ]);
    assert!(inbox_with("approval = \"required\"").is_ok());
}

#[test]
fn what_has_another_shape_is_told_in_words_of_the_file() {
    assert_each_begins_with([
        (
            load_text("[inbox]\npath = \"orders\"\n"),
            ":2: `inbox.path`: invalid type: string \"orders\", expected a table such as [inbox.main]",
        ),
        (
            load_text("[account]\nemail = \"shop@example.com\"\n"),
            ":2: `account.email`: invalid type: string \"shop@example.com\", expected a table such as [account.main]",
        ),
        (
            load_text("account = \"main\"\n"),
            ":1: `account`: invalid type: string \"main\", expected a table",
        ),
        (
            inbox_with("look = \"1s\"\nlook = \"2s\""),
            ":10: not valid TOML: duplicate key `look`: remove one of the two",
        ),
    ]);
}

#[test]
fn a_prefix_that_leaves_no_room_for_an_id_is_refused() {
    let prefix = |chars| inbox_with(&format!("order_prefix = \"{}\"", "P".repeat(chars)));
    assert!(prefix(63).is_ok());
    assert_each_begins_with([(
        prefix(300),
        ":9: `inbox.main.order_prefix`: has 300 characters; expected 63 at most",
    )]);
    assert_eq!(
        raw::PREFIX_CHARS + 1,
        crate::order::Field::OrderId.column().max_chars
    );
}

#[test]
fn copies_that_are_kept_for_no_time_are_refused_and_originals_are_a_persons_own() {
    let keep = |line: &str| load_text(&format!("{SMALLEST}\n[keep]\n{line}\n"));
    for line in ["spool = \"0d\"", "spool = \"0ms\""] {
        assert_each_begins_with([(
            keep(line),
            ":11: `keep.spool`: is no time at all; expected more than \"0s\", or \"for ever\"",
        )]);
    }
    for line in ["spool = \"for ever\"", "spool = \"10d\"", "done = \"0s\""] {
        assert!(keep(line).is_ok(), "{line}");
    }
}

#[test]
fn a_config_that_is_no_regular_file_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.toml");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    for place in [pipe.as_path(), folder.path()] {
        let error = find(vec![place.to_owned()], true).unwrap_err();
        let ConfigError::Read { path, source } = error else {
            panic!("{error:?}")
        };
        assert_eq!(
            (path.as_path(), source.to_string().as_str()),
            (place, "it is no regular file")
        );
    }
}

#[test]
fn a_config_that_is_not_utf8_says_on_which_line() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("latin1.toml");
    files::write_new(&place, b"zone = \"UTC\"\n# caf\xe9\n").unwrap();
    let error = find(vec![place], true).unwrap_err();
    assert!(matches!(
        error,
        ConfigError::Read { source, .. } if source.to_string() == "line 2 is not UTF-8: save the file as UTF-8 text"
    ));
}

#[test]
fn a_ledger_that_is_another_of_dropsheets_own_files_is_refused() {
    let ledger = |path: &str| {
        load_text(&format!(
            "{SMALLEST}sku_map = \"map.csv\"\n\n[ledger]\npath = \"{path}\"\n"
        ))
    };
    for (path, what) in [
        ("catalog.db", "dropsheet's own catalog.db"),
        ("state/catalog.db", "dropsheet's own catalog.db"),
        ("tokens", "dropsheet's own tokens"),
        ("./spool", "dropsheet's own spool"),
        ("dropsheet.toml", "the config"),
        ("x/../password", "`account.main.password_file`"),
        ("map.csv", "`inbox.main.sku_map`"),
        ("orders/STATUS.txt", "the STATUS.txt of `inbox.main`"),
        ("orders/.dropsheet", "the .dropsheet of `inbox.main`"),
    ] {
        let message = message(ledger(path));
        assert!(message.contains(":12: `ledger.path`: "), "{message}");
        let expected = format!("is {what}; expected a file of its own, such as \"ledger.db\"");
        assert!(message.ends_with(&expected), "{message}");
    }
    for path in ["ledger.db", "state/ledger.db", "catalog/ledger.db", "orders.db"] {
        assert!(ledger(path).is_ok(), "{path}");
    }
}

#[test]
fn a_ledger_or_a_map_that_would_be_taken_for_a_sheet_is_refused() {
    let ledger = |path: &str| load_text(&format!("{SMALLEST}\n[ledger]\npath = \"{path}\"\n"));
    let map = |path: &str| inbox_with(&format!("sku_map = \"{path}\""));
    assert_each_begins_with([
        (
            ledger("orders"),
            ":11: `ledger.path`: `/srv/shop/orders` is the folder of `inbox.main`; expected a file that lies in none",
        ),
        (
            ledger("orders/inbox/ledger.db"),
            ":11: `ledger.path`: `/srv/shop/orders/inbox/ledger.db` lies among the sheets of `inbox.main`; expected",
        ),
        (
            ledger("orders/done/kept/ledger.db"),
            ":11: `ledger.path`: `/srv/shop/orders/done/kept/ledger.db` lies among the sheets of `inbox.main`",
        ),
        (
            map("orders/inbox/map.csv"),
            ":9: `inbox.main.sku_map`: `/srv/shop/orders/inbox/map.csv` lies among the sheets of `inbox.main`",
        ),
        (
            map("orders/../orders/TRY/map.csv"),
            ":9: `inbox.main.sku_map`: `/srv/shop/orders/../orders/TRY/map.csv` lies among the sheets of",
        ),
        (
            inbox_with("[inbox.etsy]\npath = \"etsy\"\nsku_map = \"orders/try/map.csv\""),
            ":11: `inbox.etsy.sku_map`: `/srv/shop/orders/try/map.csv` lies among the sheets of `inbox.main`",
        ),
    ]);
    for path in [
        "orders/ledger.db",
        "orders/kept/ledger.db",
        "state/inbox/ledger.db",
    ] {
        assert!(ledger(path).is_ok(), "{path}");
    }
    for path in ["orders/map.csv", "map.csv", "orders/maps/map.csv"] {
        assert!(map(path).is_ok(), "{path}");
    }
}

#[test]
fn a_config_that_lies_among_the_sheets_has_its_ledger_elsewhere() {
    let at = |text: &str| {
        let path = Path::new("/srv/shop/orders/inbox/dropsheet.toml");
        let environment = Environment::of_test(Path::new("/srv/shop"), &[]);
        read(
            path,
            &text.replace("\"orders\"", "\"/srv/shop/orders\""),
            &environment,
        )
    };
    let refused = message(at(SMALLEST));
    assert!(
        refused.contains("`ledger.path`: `/srv/shop/orders/inbox/"),
        "{refused}"
    );
    assert!(at(&format!("{SMALLEST}\n[ledger]\npath = \"/srv/shop/ledger.db\"\n")).is_ok());
}

#[test]
fn what_a_table_must_have_and_lacks_is_named() {
    assert_each_begins_with([(
        inbox_with("[profile.own]\nrecognise = [\"A\"]"),
        ":9: `profile.own.columns`: missing",
    )]);
}

#[test]
fn a_path_from_a_home_that_only_a_shell_knows_is_told_to_be_written_whole() {
    for path in ["~/map.csv", "$HOME/map.csv", "${HOME}/map.csv"] {
        let told = format!(
            ":9: `inbox.main.sku_map`: `{path}` begins with a shell's word for a home; expected the whole path"
        );
        assert_each_begins_with([(inbox_with(&format!("sku_map = \"{path}\"")), &told)]);
    }
    assert!(inbox_with("sku_map = \"~map.csv\"").is_ok());
}
