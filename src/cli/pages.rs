//! `dropsheet completions` and `dropsheet man`: what packagers install beside the program, made from the definition of
//! the commands.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{CommandFactory, ValueEnum};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::Cli;
use super::exit::Exit;
use super::print;
use crate::{config, files};

/// `completions`
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// A shell that completes commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// bash
    Bash,
    /// elvish
    Elvish,
    /// fish
    Fish,
    /// PowerShell
    Powershell,
    /// zsh
    Zsh,
}

/// `man`
#[derive(Debug, clap::Args)]
pub struct Manual {
    /// Write a page for each command into this folder [default: print the page of dropsheet itself]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// What an exit status means, for the manual page; the same as in `--help`.
const STATUSES: [(&str, &str); 5] = [
    ("0", "all done"),
    ("1", "could not do it; the message says why"),
    ("2", "wrong usage or config"),
    ("3", "done, and some orders need a person or another run"),
    ("4", "another dropsheet is at work on this ledger"),
];

/// The variables that are no config keys.
const VARIABLES: [(&str, &str); 5] = [
    ("DROPSHEET_CONFIG", "the config file"),
    (
        "DROPSHEET_LOG",
        "what is logged: a level such as debug, or dropsheet::submit=trace",
    ),
    ("NO_COLOR", "no colours where it is set"),
    (
        "CREDENTIALS_DIRECTORY",
        "systemd's: ACCOUNT.password in it is that account's password",
    ),
    (
        "RUNTIME_DIRECTORY",
        "systemd's: where it is kept, when the ledger's disk does not take it, that a person was told",
    ),
];

/// Prints the completions of a shell.
pub(super) fn completions(args: &Completions) -> anyhow::Result<Exit> {
    let shell = match args.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Elvish => clap_complete::Shell::Elvish,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
        Shell::Zsh => clap_complete::Shell::Zsh,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "dropsheet", &mut script);
    print::text(&String::from_utf8(script).context("the completions are no text")?)?;
    Ok(Exit::Done)
}

/// Prints the manual page, or writes one for each command.
pub(super) fn manual(args: &Manual) -> anyhow::Result<Exit> {
    let mut all = Cli::command();
    // Gives each command the name of its page: dropsheet-run(1).
    all.build();
    let Some(folder) = &args.out else {
        print::text(&whole_page(&all)?)?;
        return Ok(Exit::Done);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    write(folder, "dropsheet.1", &whole_page(&all)?)?;
    let mut below: Vec<&clap::Command> = all.get_subcommands().collect();
    while let Some(command) = below.pop() {
        // The help of clap's own has a page for each page.
        if command.get_name() == "help" {
            continue;
        }
        below.extend(command.get_subcommands());
        let name = command.get_display_name().unwrap_or(command.get_name());
        let mut page = Vec::new();
        Man::new(command.clone())
            .render(&mut page)
            .context("cannot make a manual page")?;
        write(folder, &format!("{name}.1"), &text(page)?)?;
    }
    Ok(Exit::Done)
}

fn write(folder: &Path, name: &str, page: &str) -> anyhow::Result<()> {
    let path = folder.join(name);
    // Made from the program itself: an earlier one is replaced.
    files::write_over(&path, page.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

fn text(page: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(page).context("a manual page is no text")
}

/// The page of dropsheet itself, with what only it can tell: files, variables and exit statuses.
fn whole_page(command: &clap::Command) -> anyhow::Result<String> {
    let man = Man::new(command.clone().after_help(None::<&str>));
    let mut page = Vec::new();
    let render = |page: &mut Vec<u8>| -> io::Result<()> {
        man.render_title(page)?;
        man.render_name_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_description_section(page)?;
        man.render_options_section(page)?;
        man.render_subcommands_section(page)?;
        let places = [
            "--config, $DROPSHEET_CONFIG, ./dropsheet.toml, the XDG config folder, /etc/dropsheet/dropsheet.toml",
        ];
        section("CONFIG", places.map(|places| ("The first of", places)), page)?;
        section("ENVIRONMENT", VARIABLES, page)?;
        let keys = config::variables();
        section(
            "",
            keys.iter().map(|(name, key)| (name.as_str(), key.as_str())),
            page,
        )?;
        section("EXIT STATUS", STATUSES, page)
    };
    render(&mut page).context("cannot make the manual page")?;
    text(page)
}

/// A section of terms and what they mean; without a heading it goes on with the section before.
fn section<'a>(
    heading: &str,
    terms: impl IntoIterator<Item = (&'a str, &'a str)>,
    page: &mut Vec<u8>,
) -> io::Result<()> {
    let mut roff = Roff::new();
    if !heading.is_empty() {
        roff.control("SH", [heading]);
    }
    for (term, meaning) in terms {
        roff.control("TP", []);
        roff.text([bold(term)]);
        roff.text([roman(meaning)]);
    }
    roff.to_writer(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_page_tells_commands_variables_and_exit_statuses() {
        let mut command = Cli::command();
        command.build();
        let page = whole_page(&command).unwrap();
        for text in [
            "dropsheet\\-run(1)",
            "DROPSHEET_CONFIG",
            "DROPSHEET_ACCOUNT__X__EMAIL",
            "another dropsheet is at work",
        ] {
            assert!(page.contains(text), "{text}: {page}");
        }
    }

    #[test]
    fn every_command_completes_in_every_shell() {
        for shell in [
            clap_complete::Shell::Bash,
            clap_complete::Shell::Fish,
            clap_complete::Shell::Zsh,
        ] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "dropsheet", &mut script);
            let script = String::from_utf8(script).unwrap();
            for command in Cli::command().get_subcommands() {
                assert!(
                    script.contains(command.get_name()),
                    "{shell}: {}",
                    command.get_name()
                );
            }
        }
    }
}
