//! README.md says what is so: each of its commands is run, its configs are loaded, its links lead somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use dropsheet::outcome::Status;

use crate::shop::Shop;

const README: &str = include_str!("../../README.md");

/// How a command of the README is checked.
enum How {
    /// It is run as it stands, and ends with one of these statuses.
    Runs(&'static [i32]),
    /// It would build, or run for ever: this is run in its place and ends with 0.
    Instead(&'static str),
    /// It changes the machine: every file of ours that it names is there.
    Names,
    /// It is running right now.
    Now,
}

/// Every command of the README. One that is not here fails the test below.
const COMMANDS: &[(&str, How)] = &[
    ("cargo run --release -- demo", How::Instead("dropsheet demo")),
    ("cargo test", How::Now),
    (
        "cargo install --path . --locked",
        How::Instead("dropsheet --version"),
    ),
    ("dropsheet init", How::Runs(&[0])),
    ("dropsheet sandbox", How::Instead("dropsheet sandbox --help")),
    // The example sheet has three orders with mistakes.
    ("dropsheet check orders.csv", How::Runs(&[3])),
    ("dropsheet check orders.csv --profile native", How::Runs(&[3])),
    // It would ask hosts of the internet; `artwork` runs it against a host of its own.
    (
        "dropsheet check --preflight orders.csv",
        How::Instead("dropsheet check --preflight --help"),
    ),
    ("dropsheet quote orders.csv", How::Runs(&[3])),
    ("dropsheet run", How::Instead("dropsheet run --once")),
    ("dropsheet run --once", How::Runs(&[0])),
    // It builds a release and needs cargo-deb.
    ("systemd/package", How::Names),
    (
        "sudo apt install ./target/package/dropsheet.deb",
        How::Instead("dropsheet man"),
    ),
    (
        "sudo install -d -m 2770 -o dropsheet -g dropsheet /srv/orders",
        How::Instead("dropsheet init"),
    ),
    (
        "sudo -u dropsheet dropsheet --config /etc/dropsheet/dropsheet.toml init",
        How::Instead("dropsheet --config dropsheet.toml init"),
    ),
    ("sudo systemctl enable --now dropsheet.service", How::Names),
    ("sudo systemctl enable --now dropsheet.timer", How::Names),
    ("dropsheet import orders.csv --out results", How::Runs(&[3])),
    ("dropsheet doctor", How::Runs(&[0])),
    // Nothing is held in the shop of this test.
    (
        "dropsheet approve 2026-11-21_0914_orders",
        How::Instead("dropsheet approve --help"),
    ),
    (
        "dropsheet decline 2026-11-21_0914_orders",
        How::Instead("dropsheet decline --help"),
    ),
    ("dropsheet pause", How::Runs(&[0])),
    ("dropsheet resume", How::Runs(&[0])),
    ("dropsheet status", How::Runs(&[0, 3])),
    ("dropsheet orders list --state unresolved", How::Runs(&[0])),
    ("dropsheet orders show 2001", How::Runs(&[0])),
    ("dropsheet orders sync", How::Runs(&[0])),
    ("dropsheet orders cancel 2001 --dry-run", How::Runs(&[0])),
    ("dropsheet orders cancel 2001", How::Runs(&[0])),
    (
        "dropsheet orders resolve 2003 --created PW-100004",
        How::Instead("dropsheet orders resolve --help"),
    ),
    ("dropsheet catalog search classic tee", How::Runs(&[0])),
    ("dropsheet catalog export --out catalog.csv", How::Runs(&[0])),
    ("dropsheet template --out blank.xlsx", How::Runs(&[0])),
    ("dropsheet report --month 2026-10", How::Runs(&[0])),
    (
        "dropsheet report --from 2026-10-05 --to 2026-10-11",
        How::Runs(&[0]),
    ),
    (
        "dropsheet webhooks register",
        How::Instead("dropsheet webhooks register --help"),
    ),
    ("dropsheet webhooks show", How::Runs(&[0])),
    ("dropsheet webhooks remove", How::Runs(&[0])),
    ("dropsheet explain unknown-sku", How::Runs(&[0])),
    ("dropsheet ledger backup", How::Runs(&[0])),
    ("dropsheet ledger verify", How::Runs(&[0])),
    ("dropsheet ledger rebuild", How::Runs(&[0])),
    // Every example is compiled by `cargo test`.
    (
        "cargo run --example check_sheet examples/sheets/orders.csv",
        How::Names,
    ),
];

/// The text of each fenced block in a language.
fn blocks(language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in README.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(named)) => open = Some(format!("{named}\n")),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }
    let start = format!("{language}\n");
    blocks
        .iter()
        .filter_map(|block| block.strip_prefix(&start))
        .map(str::to_owned)
        .collect()
}

fn commands() -> Vec<String> {
    blocks("sh")
        .iter()
        .flat_map(|block| block.lines())
        .filter(|line| !line.trim().is_empty())
        .map(str::to_owned)
        .collect()
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_command_does_what_the_readme_says() {
    let shop = Shop::new();
    for command in commands() {
        let (_, how) = COMMANDS
            .iter()
            .find(|(known, _)| *known == command)
            .unwrap_or_else(|| {
                panic!(
                    "`{command}` is new in README.md: say in {} how it is checked",
                    file!()
                )
            });
        match how {
            How::Runs(statuses) => {
                let said = shop.shell(&command);
                assert!(statuses.contains(&said.status), "{command}: {said:?}");
            }
            How::Instead(other) => {
                let said = shop.shell(other);
                assert_eq!(said.status, 0, "{command}: {said:?}");
            }
            How::Names => files_are_there(&command),
            How::Now => {}
        }
    }
}

/// Every word of a command that is a path of ours, or a unit of ours, names a file that is there.
fn files_are_there(command: &str) {
    let mut seen = 0;
    for word in command.split_whitespace() {
        let path = if word.starts_with("dropsheet") && word.contains('.') {
            format!("systemd/{word}")
        } else if word == "check_sheet" {
            format!("examples/{word}.rs")
        } else if word.starts_with("systemd/") || word.starts_with("examples/") {
            word.to_owned()
        } else {
            continue;
        };
        assert!(repository().join(&path).is_file(), "{command}: {path} is missing");
        seen += 1;
    }
    assert!(seen > 0, "{command} names nothing of ours");
}

#[test]
fn every_known_command_is_in_the_readme() {
    let written: BTreeSet<String> = commands().into_iter().collect();
    for (known, _) in COMMANDS {
        assert!(written.contains(*known), "`{known}` is not in README.md any more");
    }
}

#[test]
fn the_first_two_commands_are_the_demo_and_the_tests_and_ci_runs_the_second() {
    assert_eq!(commands()[..2], ["cargo run --release -- demo", "cargo test"]);
    let ci = include_str!("../../.ci/run");
    assert!(ci.lines().any(|line| line == "cargo test"), "{ci}");
}

#[test]
fn the_crontab_line_works() {
    let shop = Shop::new();
    let lines = blocks("crontab");
    assert_eq!(lines.len(), 1);
    let fields: Vec<&str> = lines[0].split_whitespace().collect();
    let (times, command) = fields.split_at(5);
    for time in times {
        assert!(
            time.chars().all(|c| c.is_ascii_digit() || "*/,-".contains(c)),
            "{time}"
        );
    }
    let command = command.join(" ");
    assert!(command.contains("/etc/dropsheet/dropsheet.toml"), "{command}");
    let said = shop.shell(&command.replace("/etc/dropsheet/dropsheet.toml", "dropsheet.toml"));
    assert_eq!(said.status, 0, "{said:?}");
}

#[test]
fn units_start_what_the_readme_says() {
    for (unit, line) in [
        (
            include_str!("../../systemd/dropsheet.service"),
            "ExecStart=/usr/bin/dropsheet run",
        ),
        (
            include_str!("../../systemd/dropsheet-once.service"),
            "ExecStart=/usr/bin/dropsheet run --once",
        ),
        (
            include_str!("../../systemd/dropsheet.timer"),
            "Unit=dropsheet-once.service",
        ),
    ] {
        assert!(unit.lines().any(|l| l == line), "{line} in {unit}");
    }
}

#[test]
fn the_configs_load() {
    let written = blocks("toml");
    let (whole, parts) = written.split_first().unwrap();
    // The first block is a whole config; every other one is a part that stands below it.
    let with_parts = parts.iter().map(|part| format!("{whole}\n{part}"));
    let example = include_str!("../../examples/dropsheet.toml").to_owned();
    for text in with_parts.chain([whole.clone(), example]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dropsheet.toml");
        dropsheet::files::write_new(&path, text.as_bytes()).unwrap();
        let config = dropsheet::config::load(Some(&path)).unwrap();
        assert_eq!(config.accounts[0].email, "shop@example.com");
        assert_eq!(config.inboxes[0].path, folder.path().join("orders"));
    }
}

#[test]
fn the_optional_lines_of_the_example_config_load_too() {
    let mut text = String::new();
    for line in include_str!("../../examples/dropsheet.toml").lines() {
        let key = line.strip_prefix("# ").filter(|rest| rest.contains(" = "));
        text.push_str(key.unwrap_or(line));
        text.push('\n');
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dropsheet.toml");
    dropsheet::files::write_new(&path, text.as_bytes()).unwrap();
    let config = dropsheet::config::load(Some(&path)).unwrap();
    assert!(config.inboxes[0].approval_required);
    assert_eq!(config.inboxes[0].order_prefix, "B-");
}

#[test]
fn every_status_and_every_exit_status_is_explained() {
    for status in Status::ALL {
        let cell = format!("`{}`", status.word());
        assert!(
            README
                .lines()
                .any(|line| line.starts_with("| `") && line.contains(&cell)),
            "README.md does not explain {cell}"
        );
    }
    for exit in 0..=4 {
        let row = format!("| {exit} | ");
        assert!(README.lines().any(|line| line.starts_with(&row)), "{row}");
    }
}

#[test]
fn links_lead_somewhere() {
    let headings: BTreeSet<String> = README
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|heading| heading.to_lowercase().replace(' ', "-"))
        .collect();
    let mut seen = 0;
    for link in README
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
    {
        seen += 1;
        match link.strip_prefix('#') {
            Some(heading) => assert!(headings.contains(heading), "#{heading}"),
            None => assert!(repository().join(link).exists(), "{link} is missing"),
        }
    }
    assert!(seen > 5, "the README has links");
}
