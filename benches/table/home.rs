//! A fresh place for dropsheet to work in: config, ledger and inbox, with the catalog already read.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Result;
use crate::process::{self, Taken};

/// The program that is measured: the one that was built with this, or another to compare it with.
pub(crate) fn dropsheet() -> OsString {
    std::env::var_os("DROPSHEET").unwrap_or_else(|| env!("CARGO_BIN_EXE_dropsheet").into())
}

/// Has the ledger say how often it committed.
const LOG: &str = "dropsheet::ledger::writer=debug";

/// How often the ledger is asked for the first create.
const LOOK: Duration = Duration::from_millis(20);

/// The place, for as long as it is kept.
#[derive(Debug)]
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// `account` and `inbox` are what the config says of them besides.
    pub(crate) fn new(url: &str, account: &str, inbox: &str) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let config = format!(
            "[account.main]\nbase_url = \"{url}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n{account}\n\
             [inbox.main]\npath = \"orders\"\nstable_for = \"1ms\"\n{inbox}\n"
        );
        fs::write(folder.path().join("dropsheet.toml"), config)?;
        fs::write(folder.path().join("password"), "sandbox")?;
        let home = Self { folder };
        home.run(&["init"])?;
        home.run(&["catalog", "refresh"])?;
        Ok(home)
    }

    /// Puts a sheet into the inbox and works it to its end.
    pub(crate) fn drop_sheet(&self, sheet: &Path, name: &str) -> Result<Taken> {
        fs::copy(sheet, self.folder.path().join("orders/inbox").join(name))?;
        self.run(&["run", "--once"])
    }

    pub(crate) fn run(&self, args: &[&str]) -> Result<Taken> {
        process::run(&mut self.command(args), &self.log())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(dropsheet());
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("DROPSHEET_LOG", LOG)
            .env("NO_COLOR", "1");
        command
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log.txt")
    }

    /// How often the ledger committed in the last run.
    pub(crate) fn commits(&self) -> Result<u64> {
        let log = fs::read_to_string(self.log())?;
        let after = log
            .rsplit_once("commits=")
            .ok_or("the ledger does not say how often it committed")?;
        let digits = after.1.split(|c: char| !c.is_ascii_digit()).next();
        Ok(digits.unwrap_or_default().parse()?)
    }

    /// Puts a sheet into the inbox and works it until its first create. Gives the seconds from taking the sheet to the
    /// create's intent.
    pub(crate) fn first_create(&self, sheet: &Path, name: &str) -> Result<f64> {
        fs::copy(sheet, self.folder.path().join("orders/inbox").join(name))?;
        let mut command = self.command(&["run", "--once"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let waited = self.wait_for_first(&mut child);
        child.kill()?;
        child.wait()?;
        waited
    }

    fn wait_for_first(&self, child: &mut Child) -> Result<f64> {
        let db = rusqlite::Connection::open(self.folder.path().join("ledger.db"))?;
        let sql = "SELECT (SELECT min(intended_at) FROM attempt) - (SELECT min(taken_at) FROM claim)";
        loop {
            if let Some(millis) = db.query_row(sql, [], |row| row.get::<_, Option<i64>>(0))? {
                return Ok(millis as f64 / 1000.0);
            }
            if let Some(ended) = child.try_wait()? {
                return Err(format!("it ended without a create: {ended}").into());
            }
            std::thread::park_timeout(LOOK);
        }
    }
}
