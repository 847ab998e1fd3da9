//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Turns order sheets into print orders: drop a CSV or a spreadsheet into a folder, get the answer back as a sheet.
#[derive(Debug, Parser)]
#[command(name = "dropsheet", version, propagate_version = true, max_term_width = 110)]
#[command(
    after_help = "Exit statuses: 0 all done · 1 could not do it · 2 wrong usage or config · 3 done, and some \
                        orders need a person or another run · 4 another dropsheet is at work on this ledger"
)]
pub struct Cli {
    /// The config file.
    #[arg(long, global = true, value_name = "PATH", help = CONFIG_HELP)]
    pub config: Option<PathBuf>,

    /// Log more; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// How log lines are written [default: journald where systemd reads the log, else human]
    #[arg(long, global = true, value_enum, value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,

    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const CONFIG_HELP: &str = "The config file [default: the first of $DROPSHEET_CONFIG, ./dropsheet.toml, \
                           ~/.config/dropsheet/dropsheet.toml, /etc/dropsheet/dropsheet.toml]";

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For a person.
    Human,
    /// One JSON object a line.
    Json,
    /// Into systemd's journal.
    Journald,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the whole job against the built-in sandbox, in a temporary folder
    Demo(Demo),
    /// Write a commented config, make the folders of every inbox, and a first order sheet; never overwrites
    Init(Init),
    /// Work every inbox
    Run(Run),
    /// Tell every finding in a sheet; creates nothing
    Check(Check),
    /// Check and price a sheet, and write NAME.quote.xlsx; creates nothing
    Quote(Quote),
    /// Do the whole job on sheets that are not in an inbox
    Import(Import),
    /// Approve a held sheet: the orders listed in it are sent
    Approve(super::hold::Decide),
    /// Decline a held sheet: the orders listed in it are not sent
    Decline(super::hold::Decide),
    /// Send nothing more from an inbox, or from all, until `resume`
    Pause(super::hold::Which),
    /// Go on after `pause`
    Resume(super::hold::Which),
    /// Show inboxes, sheets under way, orders by state, and what needs a person
    Status(Status),
    /// List and show orders, read their states at the service, cancel and settle them
    Orders(Orders),
    /// Refresh, search, show and export the cached catalog
    Catalog(Catalog),
    /// Write the cost workbook of a month, or of a span of days
    Report(super::report::Args),
    /// Write a blank order sheet with drop-downs filled from the catalog
    Template(super::template::Args),
    /// Check config, credentials, folders, clock, disk and ledger, and say what to do
    Doctor(super::doctor::Doctor),
    /// Check, back up or rebuild the ledger
    Ledger(super::ledger::Ledger),
    /// Show, set or remove where the service sends its notifications
    Webhooks(super::webhooks::Args),
    /// Tell what a code means and how to fix it
    Explain(Explain),
    /// Run the sandbox service on its own, with faults to order
    Sandbox(Box<super::sandbox::Args>),
    /// Show the config's keys
    Config(Config),
    /// Print the completions for a shell
    Completions(super::pages::Completions),
    /// Print the manual page
    Man(super::pages::Manual),
}

/// `--json`, where lists are printed.
#[derive(Clone, Copy, Debug, Args)]
pub struct Listing {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `demo`
#[derive(Debug, Args)]
pub struct Demo {}

/// `init`
#[derive(Debug, Args)]
pub struct Init {
    /// The folder for the config [default: the folder of the config in use, else this one]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// `run`
#[derive(Debug, Args)]
pub struct Run {
    /// Make one pass and exit, as cron and systemd timers need it
    #[arg(long)]
    pub once: bool,
    /// Print what the pass has done as JSON
    #[arg(long, requires = "once")]
    pub json: bool,
}

/// `check`
#[derive(Debug, Args)]
pub struct Check {
    /// The sheets
    #[arg(required = true, value_name = "SHEET")]
    pub sheets: Vec<PathBuf>,
    /// The inbox whose settings count [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub inbox: Option<String>,
    /// Read the sheets with this profile, whatever the inbox's is: auto, native, shopify, … or one of the config's
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Fetch the artwork and look at it too
    #[arg(long)]
    pub preflight: bool,
    /// How the findings are printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// `quote`
#[derive(Debug, Args)]
pub struct Quote {
    /// The sheets
    #[arg(required = true, value_name = "SHEET")]
    pub sheets: Vec<PathBuf>,
    /// The inbox whose settings count [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub inbox: Option<String>,
    /// How what was done is printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// `import`
#[derive(Debug, Args)]
pub struct Import {
    /// The sheets
    #[arg(required = true, value_name = "SHEET")]
    pub sheets: Vec<PathBuf>,
    /// The result file, or the folder for the results [default: beside each sheet]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// The inbox whose settings count [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub inbox: Option<String>,
    /// How what was done is printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// `status`
#[derive(Debug, Args)]
pub struct Status {
    /// How it is printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// `orders`
#[derive(Debug, Args)]
pub struct Orders {
    /// What to do with them
    #[command(subcommand)]
    pub command: OrdersCommand,
}

/// `orders list|show|sync|cancel|resolve`
#[derive(Debug, Subcommand)]
pub enum OrdersCommand {
    /// List orders, the newest first
    List {
        /// Only orders in this state, such as `unresolved`
        #[arg(long, value_name = "STATE")]
        state: Option<String>,
        /// Only orders of this account
        #[arg(long, value_name = "NAME")]
        account: Option<String>,
        /// Only orders that the service lists and this ledger does not have: made by hand, elsewhere, before the ledger, or twice
        #[arg(long, conflicts_with = "state")]
        not_ours: bool,
        /// Most orders to list: 100 where nothing else is said, and all of them with --json
        #[arg(long, value_name = "N")]
        limit: Option<u32>,
        /// How they are printed.
        #[command(flatten)]
        listing: Listing,
    },
    /// Show all that the ledger knows of an order
    Show {
        /// Its id as sent, or the service's PW… id; of an order that this ledger does not have, what the service's list said
        #[arg(value_name = "ORDER")]
        order: String,
        /// How it is printed.
        #[command(flatten)]
        listing: Listing,
    },
    /// Read states, totals and trackings from the service now, and print what is new
    Sync {
        /// How it is printed.
        #[command(flatten)]
        listing: Listing,
    },
    /// Cancel orders that are not printed yet
    Cancel(super::orders::change::Cancel),
    /// Settle an order without an answer by hand; the service is asked once more first
    Resolve(super::orders::change::Resolve),
}

/// `catalog`
#[derive(Debug, Args)]
pub struct Catalog {
    /// The account whose catalog it is [default: the only one]
    #[arg(long, global = true, value_name = "NAME")]
    pub account: Option<String>,
    /// What to do with it
    #[command(subcommand)]
    pub command: CatalogCommand,
}

/// `catalog refresh|search|show|export`
#[derive(Debug, Subcommand)]
pub enum CatalogCommand {
    /// Fetch it from the service
    Refresh {},
    /// List the SKUs in whose entry every word occurs
    Search {
        /// The words
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// How they are printed.
        #[command(flatten)]
        listing: Listing,
    },
    /// Write it to a file: a workbook, or separated text where the name ends in .csv
    Export {
        /// The .xlsx or .csv file to write, or a folder for it [default: catalog.xlsx in this folder]
        #[arg(long, value_name = "PATH")]
        out: Option<PathBuf>,
    },
    /// Show all that is known of a SKU
    Show {
        /// The SKU
        #[arg(value_name = "SKU")]
        sku: String,
        /// How it is printed.
        #[command(flatten)]
        listing: Listing,
    },
}

/// `explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The code, as it stands in `result_codes`; every code where none is given
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
    /// How it is printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// `config`
#[derive(Debug, Args)]
#[group(skip)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub struct Config {
    /// Print every key with its default
    #[arg(long, group = "what")]
    pub defaults: bool,
    /// Print the JSON schema of the config file
    #[arg(long, group = "what")]
    pub schema: bool,
    /// Print the environment variable that sets each key
    #[arg(long, group = "what")]
    pub variables: bool,
    /// How the variables are printed.
    #[command(flatten)]
    pub listing: Listing,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
