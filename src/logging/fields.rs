//! What a log line for a person says, on that line: a name of somebody else's in it must not begin another, nor speak to
//! the terminal.

use std::fmt::{self, Debug};

use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

use crate::files::plain;

/// Writes the message and `name=value` of each field, without what would end the line or be obeyed.
#[derive(Debug)]
pub(super) struct OnOneLine;

impl<'w> FormatFields<'w> for OnOneLine {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut line = Line {
            writer,
            is_begun: false,
            written: Ok(()),
        };
        fields.record(&mut line);
        line.written
    }
}

struct Line<'w> {
    writer: Writer<'w>,
    is_begun: bool,
    written: fmt::Result,
}

impl Line<'_> {
    fn put(&mut self, name: &str, value: &str) -> fmt::Result {
        if std::mem::replace(&mut self.is_begun, true) {
            self.writer.write_char(' ')?;
        }
        let value = plain(value);
        if name == "message" {
            self.writer.write_str(&value)
        } else if self.writer.has_ansi_escapes() {
            // The name in italics, the sign behind it dimmed.
            write!(self.writer, "\u{1b}[3m{name}\u{1b}[0m\u{1b}[2m=\u{1b}[0m{value}")
        } else {
            write!(self.writer, "{name}={value}")
        }
    }
}

impl Visit for Line<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.record_debug(field, &format_args!("{value}"));
        } else {
            self.record_debug(field, &value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if self.written.is_ok() {
            let name = field.name();
            let name = name.strip_prefix("r#").unwrap_or(name);
            self.written = self.put(name, &format!("{value:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(line);
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(colours: bool, log: impl FnOnce()) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let logger = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(colours)
            .without_time()
            .with_target(false)
            .fmt_fields(OnOneLine)
            .finish();
        tracing::subscriber::with_default(logger, log);
        let line = kept.0.lock().unwrap().clone();
        String::from_utf8(line).unwrap()
    }

    const NAME: &str = "n\n2026-11-28T00:00:00Z ERROR forged\u{1b}[31m\r\u{202e}.csv";

    #[test]
    fn a_name_begins_no_line_and_says_nothing_to_the_terminal() {
        let line = logged(false, || {
            tracing::info!(sheet = NAME, result = %NAME, orders = ?[1, 2], n = 3, "cannot put {NAME} in its place");
        });
        let plain = "n 2026-11-28T00:00:00Z ERROR forged [31m  .csv";
        assert_eq!(
            line,
            format!(
                " INFO cannot put {plain} in its place sheet={NAME:?} result={plain} orders=[1, 2] n=3\n"
            )
        );
    }

    #[test]
    fn ordinary_words_are_written_as_they_are_with_colours_and_without() {
        let log = || tracing::warn!(result = %"/srv/größe/Bücher – 10 €.xlsx", "it's “done”: 5 → 6");
        assert_eq!(
            logged(false, log),
            " WARN it's “done”: 5 → 6 result=/srv/größe/Bücher – 10 €.xlsx\n"
        );
        let coloured = logged(true, log);
        assert!(
            coloured.contains("\u{1b}[3mresult\u{1b}[0m\u{1b}[2m=\u{1b}[0m/srv/"),
            "{coloured:?}"
        );
    }
}
