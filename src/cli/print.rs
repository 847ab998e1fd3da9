//! What a command says on standard output. A reader that has gone (`dropsheet explain | head`) is no failure.

use std::io::{self, Write};

/// Prints text as it is; colours in it are left out where `NO_COLOR` is set or no terminal reads.
///
/// # Errors
/// Whatever the output says, but a closed pipe, which is a success.
pub fn text(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    forgiving(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Prints one line.
///
/// # Errors
/// As [`text`].
pub fn line(line: &str) -> io::Result<()> {
    text(&format!("{line}\n"))
}

/// Prints a value as indented JSON.
///
/// # Errors
/// As [`text`]; a value that is no JSON is one too.
pub fn json(value: &impl serde::Serialize) -> io::Result<()> {
    line(&serde_json::to_string_pretty(value).map_err(io::Error::other)?)
}

fn forgiving(result: io::Result<()>) -> io::Result<()> {
    match result {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("cannot write to standard output: {error}"),
        )),
    }
}

/// Bold text, for a heading.
pub fn bold(text: &str) -> String {
    let style = anstyle::Style::new().bold();
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_a_success_and_a_full_disk_is_not() {
        assert!(forgiving(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(forgiving(Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
