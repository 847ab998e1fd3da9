//! The same at sheets of growing size: time should grow with the lines, and memory as the table states.

use crate::Result;
use crate::home::Home;
use crate::sandbox::Sandbox;
use crate::sheet_rows::make;
use crate::sheets;

/// Lines of the sheets.
const LINES: [u32; 4] = [1_000, 10_000, 100_000, 1_000_000];

pub(crate) fn print() -> Result<()> {
    println!("| lines | sent: µs a line | peak | again: µs a line | peak | `check`: µs a line | peak |");
    println!("|---|---|---|---|---|---|---|");
    for ending in ["csv", "xlsx"] {
        for lines in LINES {
            let folder = tempfile::tempdir()?;
            let sheet = make(folder.path(), ending, sheets::orders(lines))?;
            let sandbox = Sandbox::start(&[])?;
            let home = Home::new(&sandbox.url, "max_in_flight = 128", "result_format = \"same\"")?;
            let text = sheet.to_string_lossy();
            let taken = [
                home.drop_sheet(&sheet, &format!("first.{ending}"))?,
                home.drop_sheet(&sheet, &format!("again.{ending}"))?,
                home.run(&["check", &text])?,
            ];
            let cells = taken.map(|taken| {
                let micros = taken.seconds() * 1e6 / f64::from(lines);
                format!("{micros:.1} | {}", taken.megabytes())
            });
            println!("| {lines} {} | {} |", ending.to_uppercase(), cells.join(" | "));
        }
    }
    Ok(())
}
