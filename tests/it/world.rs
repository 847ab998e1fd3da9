//! A small world around the shipped program: a marked inbox, a ledger, and the sandbox as its print service.
//!
//! The program runs as its own process, as cron would run it. Unless a test asks for a calm service, the sandbox shows
//! new orders late, and pages, counts and sorts its list in a way that differs from test to test. When a world ends,
//! [`ending`] asserts that nothing unexplained is left.

mod ending;
mod ground;
pub(crate) mod run;
mod table;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dropsheet::sandbox::{self, FirstPage, Length, ListOrder, Options, Placed, Running};

pub(crate) use run::ran;
pub(crate) use table::Table;

/// How long a test waits for what must happen before it fails.
const PATIENCE: Duration = Duration::from_mins(3);

/// What differs from world to world.
pub(crate) struct Setup<'a> {
    /// How the service behaves.
    pub(crate) service: Options,
    /// The password that dropsheet uses; the service's own is `sandbox`.
    pub(crate) password: &'static str,
    /// `absent_after`
    pub(crate) absent_after: &'static str,
    /// `absent_after_unproven`
    pub(crate) absent_after_unproven: &'static str,
    /// `timeout`
    pub(crate) timeout: &'static str,
    /// `settle_for`
    pub(crate) settle_for: &'static str,
    /// Further lines of the account.
    pub(crate) account: &'static str,
    /// Further lines of the inbox.
    pub(crate) inbox: &'a str,
}

impl Default for Setup<'_> {
    fn default() -> Self {
        // Deterministic for each test, and different between tests: the interface leaves all of this open.
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        let n: usize = name.bytes().map(usize::from).sum();
        let first_page = [FirstPage::Zero, FirstPage::One, FirstPage::OneRepeated];
        Self {
            service: Options {
                first_page: first_page[n % 3],
                length: [Length::Page, Length::All][n % 2],
                list_order: [ListOrder::Newest, ListOrder::Oldest][n / 2 % 2],
                list_lag: Duration::from_millis(200),
                late: Duration::from_millis(600),
                slow: Duration::from_millis(2500),
                ..Options::default()
            },
            password: "sandbox",
            absent_after: "1s",
            absent_after_unproven: "1h",
            timeout: "2s",
            settle_for: "6s",
            account: "",
            inbox: "",
        }
    }
}

/// A sheet that was dropped.
pub(crate) struct Dropped {
    /// Its name.
    pub(crate) name: String,
    /// Its rows, as far as it is separated text; the header is none.
    pub(crate) rows: Option<usize>,
}

/// The folders, the service, and what was dropped.
pub(crate) struct World {
    folder: tempfile::TempDir,
    /// The print service.
    pub(crate) service: Running,
    sheets: Vec<Dropped>,
    /// Order names that may be at the service more than once, without a sheet, or at another price.
    pub(crate) excused: Vec<String>,
    ended: bool,
}

impl World {
    /// A world as [`Setup::default`] has it.
    pub(crate) fn new() -> Self {
        Self::with(Setup::default())
    }

    /// A world of one's own, with its inbox made and marked.
    pub(crate) fn with(setup: Setup<'_>) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("dropsheet-world-")
            .tempdir_in(ground::new_worlds())
            .unwrap();
        let service = sandbox::start_on_thread(setup.service).unwrap();
        let config = format!(
            "zone = \"UTC\"\n\n\
             [account.main]\nbase_url = \"{url}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n\
             timeout = \"{timeout}\"\nabsent_after = \"{absent}\"\nabsent_after_unproven = \"{unproven}\"\nsettle_for = \"{settle}\"\n{account}\n\
             [inbox.main]\npath = \"orders\"\nstable_for = \"50ms\"\nlook = \"200ms\"\nresult_format = \"csv\"\n{inbox}\n",
            url = service.base_url(),
            timeout = setup.timeout,
            absent = setup.absent_after,
            unproven = setup.absent_after_unproven,
            settle = setup.settle_for,
            account = setup.account,
            inbox = setup.inbox,
        );
        let world = Self {
            folder,
            service,
            sheets: Vec::new(),
            excused: Vec::new(),
            ended: false,
        };
        write(&world.path("dropsheet.toml"), config.as_bytes());
        write(&world.path("password"), setup.password.as_bytes());
        let made = world.dropsheet(&["init"]);
        assert_eq!(made.status, 0, "{made:?}");
        world
    }

    /// A path in the world.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A folder on another disk than the world's; none where the machine has one alone.
    pub(crate) fn elsewhere(&self) -> Option<tempfile::TempDir> {
        ground::elsewhere(self.folder.path())
    }

    /// A path in the inbox's folder.
    pub(crate) fn orders_path(&self, name: &str) -> PathBuf {
        self.path("orders").join(name)
    }

    /// Drops a sheet of separated text.
    pub(crate) fn drop_csv(&mut self, name: &str, text: &str) {
        self.drop_bytes(name, text.as_bytes());
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.as_bytes());
        self.sheets.last_mut().unwrap().rows = Some(reader.byte_records().count());
    }

    /// Drops a sheet whose rows are not counted.
    pub(crate) fn drop_bytes(&mut self, name: &str, bytes: &[u8]) {
        write(&self.orders_path("inbox").join(name), bytes);
        self.sheets.push(Dropped {
            name: name.to_owned(),
            rows: None,
        });
    }

    /// A sheet comes into the inbox by other ways, and will hold this text in the end.
    pub(crate) fn expect_csv(&mut self, name: &str, text: &str) {
        self.sheets.push(Dropped {
            name: name.to_owned(),
            rows: Some(text.lines().count() - 1),
        });
    }

    /// The newest sheet of this name has come to hold something else.
    pub(crate) fn now_holds(&mut self, name: &str, text: &str) {
        let rows = text.lines().count() - 1;
        let newest = self.sheets.iter_mut().rfind(|sheet| sheet.name == name);
        newest.unwrap().rows = Some(rows);
    }

    /// The orders at the service of one name, eldest first.
    pub(crate) fn at_service(&self, order_name: &str) -> Vec<Placed> {
        let all = self.service.orders();
        all.into_iter()
            .filter(|order| order.order_name == order_name)
            .collect()
    }

    /// How many creates were asked for.
    pub(crate) fn creates(&self) -> u64 {
        self.service.count("create-new-order")
    }

    /// The newest result of the newest sheet of this name, waited for: one that a daemon writes again stands aside for
    /// a moment.
    pub(crate) fn result(&self, sheet: &str) -> Table {
        let mut found = None;
        wait_for(&format!("{sheet} has a result"), || {
            found = self.find_result(sheet);
            found.is_some()
        });
        found.unwrap()
    }

    /// As [`World::result`], where there is one.
    pub(crate) fn find_result(&self, sheet: &str) -> Option<Table> {
        self.result_path(sheet).and_then(|path| Table::read(&path))
    }

    /// Where the newest result of the newest sheet of this name is.
    pub(crate) fn result_path(&self, sheet: &str) -> Option<PathBuf> {
        let name = Path::new(sheet).file_stem().unwrap().to_str().unwrap();
        let folder = self.orders_path("results");
        self.files("results")
            .into_iter()
            .filter_map(|file| Some((age(&file, name)?, file)))
            .max()
            .map(|(_age, file)| folder.join(file))
    }

    /// The names in one of the inbox's folders, hidden ones too, sorted.
    pub(crate) fn files(&self, part: &str) -> Vec<String> {
        names(&self.orders_path(part))
    }

    /// Asserts that nothing unexplained is left.
    pub(crate) fn end(mut self) {
        self.ended = true;
        ending::check(&self, &self.sheets);
    }
}

impl Drop for World {
    fn drop(&mut self) {
        assert!(
            self.ended || std::thread::panicking(),
            "a test forgot to end its world"
        );
    }
}

/// Where a result stands among those of a name: by the minute it was taken in, then by its number. None where it is
/// another's: `2026-11-21_0914_monday-2.result.csv`.
fn age(file: &str, name: &str) -> Option<(String, u32)> {
    let (stem, _ending) = file.split_once(".result.")?;
    let (minute, rest) = stem.split_at_checked("2026-11-21_0914".len())?;
    let number = match rest.strip_prefix('_')?.strip_prefix(name)? {
        "" => 1,
        numbered => numbered.strip_prefix('-')?.parse().ok()?,
    };
    Some((minute.to_owned(), number))
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    File::create(path).unwrap().write_all(bytes).unwrap();
}

/// Waits until something is so, by looking again and again; fails when it does not become so.
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let give_up = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < give_up, "waited in vain until {what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// A report of all days.
pub(crate) const EVER: [&str; 5] = ["report", "--from", "2020-01-01", "--to", "2099-12-31"];

/// The header of the sheets that tests write: the native columns that they need.
pub(crate) const HEADER: &str = "order_id,shipping_name,shipping_phone,shipping_address1,shipping_city,\
shipping_province,shipping_province_code,shipping_zip,shipping_country,shipping_country_code,item_sku,quantity,\
product_name,artwork_front";

/// One good row.
pub(crate) fn row(order_id: &str, quantity: u32) -> String {
    format!(
        "{order_id},Ada Example,+1 555 010 0101,12 Maple Street,Columbus,Ohio,OH,43004,United States,US,\
         TEE-CLASSIC-BLK-S,{quantity},Classic Tee,https://example.com/art/fox.png"
    )
}

/// A sheet of good orders of one piece each.
pub(crate) fn sheet(order_ids: &[&str]) -> String {
    let rows: Vec<String> = order_ids.iter().map(|id| row(id, 1)).collect();
    format!("{HEADER}\n{}\n", rows.join("\n"))
}
