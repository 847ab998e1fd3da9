//! Every reader against damaged sheets: a crash of the program, a hang, or too much memory is a failure.
//!
//! The seeds are in `tests/fuzz/corpus`, by the ending of the reader that they are for; what once was a failure is kept
//! there too. From them inputs are made by a generator that starts from a number, so that a failure can be had again.
//! The suite tries some inputs of each reader; for minutes, with the last number where it stopped to go on from:
//!
//! ```text
//! DROPSHEET_FUZZ_MINUTES=10 DROPSHEET_FUZZ_FROM=0 cargo test --test it fuzz -- --nocapture
//! ```

mod mutate;

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use dropsheet::finding::{Code, Rejection};
use dropsheet::sheet::{Limits, Row, Sheet, apart};

use crate::world::{names, write};
use mutate::{Random, mutated};

/// The readers, by the endings of their seeds.
const READERS: &[&[&str]] = &[
    &["csv", "tsv"],
    &["xlsx"],
    &["xlsm"],
    &["xlsb"],
    &["xls"],
    &["ods"],
];

/// Inputs of each reader in the suite.
const INPUTS: u64 = 60;

/// The largest input, in bytes, for which the limits on memory and time are promised.
const LARGEST: usize = 1 << 20;

/// How long one input may take: the reader's own limit on processor time, on a machine that does much else.
const SLOWEST: Duration = Duration::from_secs(90);

/// Most memory of this process, in KiB; the reader of workbooks, a process of its own, holds itself to less.
const MOST_MEMORY: u64 = 512 * 1024;

/// The codes with which a file may be rejected. `unreadable-file` is not one: it blames the machine.
const FAIR: &[Code] = &[
    Code::EmptySheet,
    Code::NotASheet,
    Code::BrokenSheet,
    Code::IncompleteSheet,
    Code::StrayQuote,
    Code::UnknownEncoding,
    Code::NoHeader,
    Code::SheetTooLarge,
    Code::TooManyRows,
    Code::TooManyColumns,
    Code::CellTooLong,
];

/// The tests of this file take turns: they measure.
static TURN: Mutex<()> = Mutex::new(());

pub(crate) fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus")
}

#[test]
fn every_seed_is_read_or_fairly_rejected() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let seeds = names(&corpus());
    for endings in READERS {
        assert!(seeds.iter().any(|name| has_ending(name, endings)), "{endings:?}");
    }
    for name in seeds {
        let read = fairly(&name, &std::fs::read(corpus().join(&name)).unwrap());
        if name.starts_with("typed") {
            assert!(read.is_some_and(|rows| rows > 2), "{name}: {read:?}");
        }
    }
}

#[test]
fn no_damaged_sheet_costs_more_than_itself() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let number = |name: &str| {
        let text = std::env::var_os(name)?;
        Some(text.to_str().unwrap().parse::<u64>().unwrap())
    };
    let minutes = number("DROPSHEET_FUZZ_MINUTES");
    let from = number("DROPSHEET_FUZZ_FROM").unwrap_or(0);
    let readers = u32::try_from(READERS.len()).unwrap();
    for endings in READERS {
        let until = minutes.map(|minutes| Instant::now() + Duration::from_mins(minutes) / readers);
        let seeds: Vec<(String, Vec<u8>)> = names(&corpus())
            .into_iter()
            .filter(|name| has_ending(name, endings))
            .map(|name| (name.clone(), std::fs::read(corpus().join(name)).unwrap()))
            .collect();
        let (mut tried, mut whole) = (0, 0);
        while until.map_or(tried < INPUTS, |until| Instant::now() < until) {
            let mut random = Random::new(from + tried);
            let (name, seed) = random.one_of(&seeds);
            let other = &random.one_of(&seeds).1;
            let input = mutated(seed, other, LARGEST, &mut random);
            whole += u64::from(fairly(&format!("{}-{name}", from + tried), &input).is_some());
            tried += 1;
        }
        println!(
            "{endings:?}: {tried} inputs, {whole} of them read, to number {}; {} MiB at most here",
            from + tried,
            peak_memory() >> 10
        );
    }
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(&format!(".{ending}")))
}

/// Reads an input whole; gives its number of rows where it is not rejected. What is not fair is kept in a file.
pub(crate) fn fairly(name: &str, input: &[u8]) -> Option<u64> {
    apart::read_with(env!("CARGO_BIN_EXE_dropsheet").into());
    let begun = Instant::now();
    let read = read(name, input);
    let (took, memory) = (begun.elapsed(), peak_memory());
    let wrong = match &read {
        Err(why) if !FAIR.contains(&why.code) => Some(format!("it is rejected as {}: {why}", why.code)),
        _ if took > SLOWEST => Some(format!("it takes {took:?}")),
        _ if memory > MOST_MEMORY => Some(format!("{memory} KiB are in use")),
        _ => None,
    };
    if let Some(wrong) = wrong {
        let kept = std::env::temp_dir().join(name);
        write(&kept, input);
        panic!("{wrong}; the input is kept as {}", kept.display());
    }
    read.ok()
}

fn read(name: &str, input: &[u8]) -> Result<u64, Rejection> {
    let mut file: File = tempfile::tempfile().unwrap();
    file.write_all(input).unwrap();
    file.rewind().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let limits = Limits {
        max_bytes: 256 << 20,
        max_rows: 1_048_576,
    };
    let is_header = |row: &Row| row.iter().any(|text| text == "order_id");
    let sheet = Sheet::open(file, name, limits, scratch.path(), &is_header)?;
    let mut rows = sheet.rows()?;
    let mut row = Row::default();
    let mut count = 0;
    while rows.next(&mut row)? {
        count += 1;
    }
    Ok(count)
}

/// The most memory that this process ever had in use, in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
