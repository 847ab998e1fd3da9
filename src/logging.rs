//! The log: lines on standard error, for a person or as JSON, or entries with fields in systemd's journal. What is
//! logged holds no names, addresses or tokens; that is the duty of who logs.

mod fields;

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::sync::LazyLock;

use indicatif::MultiProgress;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a person.
    Human,
    /// One JSON object a line.
    Json,
    /// Into systemd's journal, each field as a field of its entry.
    Journald,
}

impl Format {
    /// The format where none was asked for: the journal where systemd reads standard error, as `$JOURNAL_STREAM` says
    /// (see systemd.exec(5)); else lines for a person.
    pub fn detect(journal_stream: Option<&str>) -> Self {
        match (journal_stream, rustix::fs::fstat(io::stderr())) {
            // Set for a whole service: a program that it starts with another standard error has it too.
            (Some(named), Ok(stat)) if named == format!("{}:{}", stat.st_dev, stat.st_ino) => Self::Journald,
            (None | Some(_), Ok(_) | Err(_)) => Self::Human,
        }
    }
}

/// What is logged, and how.
#[derive(Clone, Debug)]
pub struct Logging {
    /// How lines are written.
    pub format: Format,
    /// How often `-v` was given: information, then dropsheet's debugging, then everything.
    pub verbosity: u8,
    /// `DROPSHEET_LOG`, which overrules `verbosity`: `debug`, or `dropsheet::submit=trace`.
    pub filter: Option<String>,
    /// Whether colours may be used at all.
    pub colours: bool,
}

/// Whether colours may be used, by what `NO_COLOR` and `TERM` are set to: a terminal may say that it knows none.
pub fn may_use_colours(no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_color.is_none() && term.is_none_or(|term| term != "dumb")
}

/// Why nothing can be logged.
#[derive(Debug, thiserror::Error)]
pub enum LoggingError {
    /// The filter is none.
    #[error("DROPSHEET_LOG=`{filter}` is no log filter; expected a level such as `debug`")]
    Filter {
        /// As it was given.
        filter: String,
        /// What is wrong with it.
        #[source]
        source: tracing_subscriber::filter::ParseError,
    },
    /// Something logs already.
    #[error("logging was started twice")]
    Started(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// There is no journal to write to.
    #[error("systemd's journal cannot be written to; use `--log-format human` or `json`")]
    Journal(#[source] io::Error),
}

/// Starts logging for the whole process.
///
/// # Errors
/// See [`LoggingError`].
pub fn start(logging: &Logging) -> Result<(), LoggingError> {
    if logging.format == Format::Journald {
        let journal = tracing_journald::layer()
            .map_err(LoggingError::Journal)?
            .with_field_prefix(None)
            .with_syslog_identifier("dropsheet".to_owned());
        return tracing_subscriber::registry()
            .with(filter(logging)?)
            .with(journal)
            .try_init()
            .map_err(|error| LoggingError::Started(error.into()));
    }
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter(logging)?)
        .with_writer(|| AboveBars)
        // A line that cannot be written would be told of on standard error, where it was to go: that panics, and ends the
        // program.
        .log_internal_errors(false)
        .with_ansi(logging.colours && io::stderr().is_terminal());
    match logging.format {
        Format::Human | Format::Journald => builder
            .with_target(false)
            .fmt_fields(fields::OnOneLine)
            .try_init(),
        Format::Json => builder.json().flatten_event(true).try_init(),
    }
    .map_err(LoggingError::Started)
}

/// The progress bars that are drawn on standard error, above which log lines are written.
pub fn bars() -> &'static MultiProgress {
    static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);
    &BARS
}

/// Standard error, with the bars out of the way while something is written: else a line would go on where one ends.
struct AboveBars;

impl io::Write for AboveBars {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        bars().suspend(|| io::stderr().write(line))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn filter(logging: &Logging) -> Result<EnvFilter, LoggingError> {
    let directives = match (&logging.filter, logging.verbosity) {
        (Some(filter), _) => filter.as_str(),
        (None, 0) => "info",
        (None, 1) => "info,dropsheet=debug",
        (None, _) => "trace",
    };
    EnvFilter::builder()
        .with_default_directive(LevelFilter::WARN.into())
        .parse(directives)
        .map_err(|source| LoggingError::Filter {
            filter: directives.to_owned(),
            source,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(verbosity: u8, given: Option<&str>) -> Result<String, LoggingError> {
        let logging = Logging {
            format: Format::Human,
            verbosity,
            filter: given.map(str::to_owned),
            colours: false,
        };
        filter(&logging).map(|filter| filter.to_string())
    }

    #[test]
    fn the_journal_is_detected_by_standard_error_being_its_stream() {
        let stat = rustix::fs::fstat(io::stderr()).unwrap();
        let stream = format!("{}:{}", stat.st_dev, stat.st_ino);
        assert_eq!(Format::detect(Some(&stream)), Format::Journald);
        assert_eq!(Format::detect(Some("1:1")), Format::Human, "another's stream");
        assert_eq!(Format::detect(None), Format::Human);
    }

    #[test]
    fn colours_are_left_out_where_they_are_not_wanted_or_not_known() {
        for (no_color, term, expected) in [
            (None, None, true),
            (None, Some("xterm-256color"), true),
            (None, Some("dumb"), false),
            (Some("1"), Some("xterm-256color"), false),
            (Some(""), None, false),
        ] {
            let used = may_use_colours(no_color.map(OsStr::new), term.map(OsStr::new));
            assert_eq!(used, expected, "{no_color:?} {term:?}");
        }
    }

    #[test]
    fn the_variable_overrules_the_flags_and_a_wrong_one_is_an_error() {
        assert_eq!(shown(2, Some("error")).unwrap(), "error");
        assert_eq!(shown(2, None).unwrap(), "trace");
        assert!(
            shown(0, Some("dropsheet=loud"))
                .unwrap_err()
                .to_string()
                .contains("dropsheet=loud")
        );
    }
}
