//! Sheets in, sheets out: each folder of `golden/` is a case. Its sheets `1.csv`, `2.csv`, … are dropped one after the
//! other and worked; `2.again` drops the result of sheet 1 once more; `inbox.toml` sets keys of the inbox, `sku-map.csv` is its SKU map. What comes
//! out must be what `1.expected.csv` says, with the service's ids and all times replaced. A rejected sheet has its
//! reason in `1.expected.txt`.
//!
//! `GOLDEN=write cargo test golden` writes what comes out; read the difference before it is committed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dropsheet::finding::{Code, Level};
use dropsheet::sandbox::Options;

use crate::world::{Setup, World, names, write};

/// How many cases are worked side by side: they wait more than they work.
const SIDE_BY_SIDE: usize = 4;

/// The merchant's SKU map, in a case that has one: it lies beside the config.
const SKU_MAP: &str = "sku-map.csv";

/// A SKU that the service has run out of, in every case.
const SOLD_OUT: &str = "TEE-CLASSIC-WHT-S";

/// Errors of rows that a sheet alone does not bring about: of the service, and of artwork that is fetched. Their tests
/// are beside `submit` and `preflight`, and in `faults`.
const ELSEWHERE: &[Code] = &[
    Code::QuoteRefused,
    Code::CancelRefused,
    Code::ArtworkUnreachable,
    Code::ArtworkNotImage,
    Code::ArtworkTooLarge,
    Code::ArtworkTooSmall,
];

/// The first error of a row in the table of codes; before it stand those of whole sheets.
const FIRST_OF_A_ROW: Code = Code::RaggedRow;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden")
}

#[test]
fn every_sheet_comes_out_as_expected() {
    let cases = names(&folder());
    assert!(cases.len() >= 60, "the cases are there");
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = cases
            .chunks(cases.len().div_ceil(SIDE_BY_SIDE))
            .map(|cases| scope.spawn(|| cases.iter().flat_map(|case| run(&folder().join(case))).collect()))
            .collect();
        let done = workers.into_iter().map(|worker| worker.join().unwrap());
        done.collect::<Vec<Vec<String>>>().concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_error_that_a_row_can_have_is_in_a_case() {
    let mut told = BTreeSet::new();
    for case in names(&folder()) {
        for file in names(&folder().join(&case)) {
            let path = folder().join(&case).join(&file);
            if file.contains(".expected.") {
                let text = std::fs::read_to_string(path).unwrap();
                let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '-'));
                told.extend(words.map(str::to_owned));
            }
        }
    }
    let missing: Vec<&str> = Code::ALL
        .iter()
        .skip_while(|code| **code != FIRST_OF_A_ROW)
        .filter(|code| code.level() == Level::Error && !ELSEWHERE.contains(code))
        .map(|code| code.name())
        .filter(|name| !told.contains(*name))
        .collect();
    assert_eq!(missing, [""; 0]);
}

/// Runs a case; gives what is not as it should be.
fn run(case: &Path) -> Vec<String> {
    let files = names(case);
    let keys = files
        .iter()
        .find(|file| *file == "inbox.toml")
        .map(|file| std::fs::read_to_string(case.join(file)).unwrap())
        .unwrap_or_default();
    let mut world = World::with(Setup {
        service: Options {
            latency: Duration::ZERO,
            ..Options::default()
        },
        inbox: &keys,
        ..Setup::default()
    });
    assert!(world.service.set_stock(SOLD_OUT, false));
    if files.iter().any(|file| file == SKU_MAP) {
        write(&world.path(SKU_MAP), &std::fs::read(case.join(SKU_MAP)).unwrap());
    }
    let sheets = files
        .iter()
        .filter(|file| !["inbox.toml", SKU_MAP].contains(&file.as_str()) && !file.contains(".expected."));
    let mut wrong = Vec::new();
    for file in sheets {
        let number = file.split('.').next().unwrap();
        let name = drop_sheet(&mut world, case, file);
        let ran = world.run_once();
        assert!(ran.status == 0 || ran.status == 3, "{}: {ran:?}", case.display());
        let (ending, came) = came_out(&world, &name);
        let expected = case.join(format!("{number}.expected.{ending}"));
        if std::env::var_os("GOLDEN").is_some() {
            write(&expected, came.as_bytes());
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if came != wanted {
            wrong.push(format!(
                "{}: {}",
                expected.display(),
                first_difference(&wanted, &came)
            ));
        }
    }
    world.end();
    wrong
}

/// Drops a case's sheet; gives its name in the inbox.
fn drop_sheet(world: &mut World, case: &Path, file: &str) -> String {
    if let Some(again) = file.strip_suffix(".again") {
        let earlier = std::fs::read_to_string(case.join(file)).unwrap();
        let result = world.result_path(&format!("sheet-{}", earlier.trim())).unwrap();
        let name = format!("sheet-{again}.csv");
        let bytes = std::fs::read(result).unwrap();
        world.drop_bytes(&name, &bytes);
        return name;
    }
    let name = format!("sheet-{file}");
    world.drop_bytes(&name, &std::fs::read(case.join(file)).unwrap());
    name
}

/// What a sheet has become: its result, or why it is rejected.
fn came_out(world: &World, name: &str) -> (&'static str, String) {
    if let Some(path) = world.result_path(name) {
        let text = String::from_utf8(std::fs::read(path).unwrap()).unwrap();
        return ("csv", normalised(text.trim_start_matches('\u{feff}')));
    }
    let rejected = world.files("rejected");
    let reason = rejected.iter().find(|file| file.ends_with(".error.txt")).unwrap();
    let text = std::fs::read_to_string(world.orders_path("rejected").join(reason)).unwrap();
    ("txt", text.replace("\r\n", "\n"))
}

/// A text with the service's ids numbered as they come and every date replaced.
fn normalised(text: &str) -> String {
    let mut out = String::new();
    let mut ids: Vec<&str> = Vec::new();
    let mut rest = text.strip_suffix('\n').unwrap_or(text);
    while let Some(first) = rest.chars().next() {
        let id = matching(rest, "PW-000000");
        let time = || matching(rest, "0000-00-00_0000").or_else(|| matching(rest, "0000-00-00"));
        let taken = if let Some(id) = id {
            if !ids.contains(&id) {
                ids.push(id);
            }
            let number = ids.iter().position(|known| *known == id).unwrap() + 1;
            out.extend(["PW-", &number.to_string()]);
            id.len()
        } else if let Some(time) = time() {
            out.push_str("TIME");
            time.len()
        } else {
            out.push(first);
            first.len_utf8()
        };
        rest = rest.split_at(taken).1;
    }
    out.replace("\r\n", "\n") + "\n"
}

/// The beginning of a text where it is like a pattern: `0` stands for any digit.
fn matching<'t>(text: &'t str, pattern: &str) -> Option<&'t str> {
    let start = text.get(..pattern.len())?;
    let alike = start.bytes().zip(pattern.bytes()).all(|(byte, like)| {
        if like == b'0' {
            byte.is_ascii_digit()
        } else {
            byte == like
        }
    });
    alike.then_some(start)
}

fn first_difference(wanted: &str, came: &str) -> String {
    let lines = wanted.lines().chain([""; 1000]).zip(came.lines().chain([""]));
    let line = lines.into_iter().find(|(wanted, came)| wanted != came);
    line.map_or_else(
        || "lines are missing at the end".to_owned(),
        |(wanted, came)| format!("\n  wanted {wanted}\n  came   {came}"),
    )
}
