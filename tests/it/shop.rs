//! A folder as an operator has it: a config, an inbox, a sandbox as the service, and the program itself to run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dropsheet::files;
use dropsheet::sandbox::{Options, Running, start_on_thread};
use tempfile::TempDir;

/// The header of a native sheet with what an order needs.
pub(crate) const HEADER: &str = "order_id,shipping_name,shipping_phone,shipping_address1,shipping_city,shipping_province,\
                                 shipping_province_code,shipping_zip,shipping_country,shipping_country_code,item_sku,\
                                 quantity,product_name,artwork_front";

/// A folder with a config and an inbox, and the sandbox that the config names.
pub(crate) struct Shop {
    folder: TempDir,
    pub(crate) service: Running,
}

/// What a command said and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Shop {
    /// A shop with a config, a password, an inbox that `init` has made, and `orders.csv` beside it.
    pub(crate) fn new() -> Self {
        Self::with(Options::default())
    }

    /// The same with a service that behaves so.
    pub(crate) fn with(service: Options) -> Self {
        let shop = Self {
            folder: tempfile::tempdir().unwrap(),
            service: start_on_thread(service).unwrap(),
        };
        shop.write("password", b"sandbox\n");
        shop.write("dropsheet.toml", shop.config().as_bytes());
        shop.write("orders.csv", include_bytes!("../../examples/sheets/orders.csv"));
        let said = shop.run(&["init"]);
        assert_eq!(said.status, 0, "{said:?}");
        shop
    }

    /// The config that the shop began with.
    pub(crate) fn config(&self) -> String {
        format!(
            "[account.main]\nbase_url = \"{}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n\
             settle_for = \"3s\"\n\n\
             [inbox.main]\npath = \"orders\"\nstable_for = \"50ms\"\n",
            self.service.base_url()
        )
    }

    /// A path in the shop's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file anew.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        files::write_over(&self.path(name), bytes).unwrap();
    }

    /// The names in a folder, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Runs dropsheet in the shop's folder.
    pub(crate) fn run(&self, args: &[&str]) -> Said {
        Said::of(&self.command(args).output().unwrap())
    }

    /// A command of dropsheet in the shop's folder, not started yet.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dropsheet"));
        command.args(args);
        self.in_folder(command)
    }

    /// Runs a line of a shell in the shop's folder, with the program's folder first on the path.
    pub(crate) fn shell(&self, line: &str) -> Said {
        let program = Path::new(env!("CARGO_BIN_EXE_dropsheet")).parent().unwrap();
        let mut path = program.as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("PATH", path);
        Said::of(&self.in_folder(command).output().unwrap())
    }

    fn in_folder(&self, mut command: Command) -> Command {
        command
            .current_dir(self.folder.path())
            .env("RUST_BACKTRACE", "1")
            .env("TMPDIR", self.folder.path())
            .env("XDG_CONFIG_HOME", self.folder.path())
            .env("NO_COLOR", "1")
            .env_remove("DROPSHEET_CONFIG")
            .env_remove("DROPSHEET_LOG");
        command
    }
}

impl Said {
    fn of(output: &Output) -> Self {
        let said = Self {
            status: output.status.code().expect("ended by itself"),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        for word in ["panicked", "backtrace", "RUST_BACKTRACE", "a defect of dropsheet"] {
            assert!(!said.all().contains(word), "a panic or a backtrace: {said:?}");
        }
        said
    }

    /// Everything that was said.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// What it printed for a machine, with which it ended with this status.
    pub(crate) fn json(&self, status: i32) -> serde_json::Value {
        assert_eq!(self.status, status, "{self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// That it ended with this status and said all of these words.
    pub(crate) fn says(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status, status, "{self:?}");
        for word in words {
            assert!(self.all().contains(word), "`{word}` is missing: {self:?}");
        }
    }
}
