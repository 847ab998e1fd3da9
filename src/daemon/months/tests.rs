use super::*;
use crate::clock::{BootTime, Now};
use crate::ledger::record::{ClaimRef, NewClaim, NewOrder, OrderRef, Seen};
use crate::money::Money;
use crate::order::Line;
use crate::quote::ServiceAmounts;

/// A ledger with one account and a sheet, and a folder for the workbooks.
struct Books {
    folder: tempfile::TempDir,
    ledger: Ledger,
    account: AccountRef,
    claim: ClaimRef,
    zone: TimeZone,
}

fn at(moment: &str) -> Now {
    Now {
        wall: moment.parse().unwrap(),
        boot: BootTime {
            id: "boot-1".into(),
            millis: 0,
        },
    }
}

fn money(amount: &str) -> Money {
    amount.parse().unwrap()
}

impl Books {
    fn new(zone: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let taken_at = at("2026-10-01T00:00:00Z").wall;
        let (account, claim) = ledger
            .write_blocking(move |store| {
                let account = store.account("main", "https://api.example.com", "shop@example.com")?;
                Ok((
                    account,
                    store.take(&NewClaim::sample(account, "monday", taken_at))?,
                ))
            })
            .unwrap();
        Self {
            folder,
            ledger,
            account,
            claim,
            zone: TimeZone::get(zone).unwrap(),
        }
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&crate::ledger::Store<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> T {
        self.ledger.write_blocking(work).unwrap()
    }

    /// An order that was created, and entered at the service, at a moment.
    fn order(&self, order_id: &str, quoted: &str, moment: &str) -> OrderRef {
        let mut new = NewOrder::sample((self.account, self.claim), order_id, money(quoted));
        new.content.ship_to.country_code = "US".to_owned();
        new.content.lines = vec![Line {
            item_sku: "TEE-S".to_owned(),
            quantity: 1,
            ..Line::default()
        }];
        let (now, pw) = (at(moment), format!("PW-{order_id}"));
        self.write(move |store| {
            let id = store.intend(&new, &now)?;
            store.answered(id, &pw, None, &now)?;
            Ok(id)
        })
    }

    /// The service's total of an order is read.
    fn read_total(&self, id: OrderRef, total: &str, moment: &str) {
        let now = at(moment);
        let total = money(total);
        self.write(move |store| {
            let order = store.order(id)?.unwrap();
            let seen = Seen {
                pw_order_id: order.pw_order_id.unwrap_or_default(),
                amounts: Some(ServiceAmounts::of_total(total)),
                ..Seen::default()
            };
            store.see(id, &seen, &now).map(drop)
        });
    }

    fn cancel(&self, id: OrderRef, moment: &str) {
        let now = at(moment);
        self.write(move |store| {
            store.ask_cancel(id, "asked", &now)?;
            store.cancel_confirmed(id, "Canceled", &now)
        });
    }

    /// The service's list is read up to a moment.
    fn read_list(&self, moment: &str) {
        let (account, now) = (self.account, at(moment));
        self.write(move |store| store.set_walked(account, now.wall, &now));
    }

    fn closer<'a>(&'a self, folder: &'a Path) -> Closer<'a> {
        Closer {
            ledger: &self.ledger,
            account: self.account,
            name: "main",
            currency: None,
            zone: &self.zone,
            catalog: None,
            folder,
        }
    }

    /// Closes what is due at a moment; gives the names of the files.
    fn close(&self, moment: &str) -> Vec<String> {
        let folder = self.folder.path().join("costs");
        let closer = self.closer(&folder);
        let next = || closer.close_next(at(moment).wall).unwrap();
        std::iter::from_fn(next)
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect()
    }

    /// The list is read to a moment, and what is due then is closed.
    fn read_and_close(&self, moment: &str) -> Vec<String> {
        self.read_list(moment);
        self.close(moment)
    }

    /// What the next month's workbook would say of the months before it.
    fn changes(&self, month: &str) -> Changes {
        let closed = self
            .ledger
            .read(|store| store.closed_months(self.account))
            .unwrap();
        let span = Span::month(month).unwrap();
        let now = at("2027-06-01T00:00:00Z").wall;
        let costs = self.closer(Path::new("")).costs(span, (now, now), &closed);
        costs.unwrap().earlier.unwrap()
    }

    /// Writes a month's workbook as a process does that is killed before it closes the month; gives where it is.
    fn write_and_die(&self, month: &str, moment: &str) -> PathBuf {
        let (folder, now) = (self.folder.path().join("costs"), at(moment).wall);
        let closer = self.closer(&folder);
        let stem = stem("main", month);
        let costs = closer.costs(Span::month(month).unwrap(), (now, now), &[]);
        let path = closer.place(&stem).unwrap();
        closer.write(&costs.unwrap(), &stem, &path).unwrap();
        path
    }

    /// The texts on the first page of a workbook.
    fn first_page(&self, name: &str) -> String {
        use calamine::Reader;
        let path = self.folder.path().join("costs").join(name);
        let mut book: calamine::Xlsx<_> = calamine::open_workbook(&path).unwrap();
        let page = book.worksheet_range_at(0).unwrap().unwrap();
        let cells = page.used_cells().map(|(_row, _column, cell)| cell.to_string());
        cells.collect::<Vec<_>>().join("\n")
    }

    /// What a page of a workbook says of its first order, by the headings of its columns.
    fn first_order(&self, name: &str, page: &str) -> std::collections::BTreeMap<String, String> {
        use calamine::Reader;
        let path = self.folder.path().join("costs").join(name);
        let mut book: calamine::Xlsx<_> = calamine::open_workbook(&path).unwrap();
        let page = book.worksheet_range(page).unwrap();
        let text = |row: &[calamine::Data]| row.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut rows = page.rows().map(text).skip_while(|row| row[0] != "Order");
        let headings = rows.next().unwrap();
        headings.into_iter().zip(rows.next().unwrap()).collect()
    }

    fn said(&self) -> Vec<(String, Said)> {
        let closed = self
            .ledger
            .read(|store| store.closed_months::<Said>(self.account));
        let closed = closed.unwrap().into_iter();
        closed.map(|month| (month.month, month.said)).collect()
    }
}

#[test]
fn a_month_is_over_in_the_zone_and_is_written_when_the_list_was_read_to_its_end() {
    let books = Books::new("America/New_York");
    books.order("1001", "12.10", "2026-11-01T03:59:59Z");
    books.order("1002", "7.00", "2026-11-01T04:00:00Z");
    assert!(
        books.read_and_close("2026-11-01T03:59:59Z").is_empty(),
        "it is still October in New York"
    );
    assert!(
        books.close("2026-11-01T09:00:00Z").is_empty(),
        "the service was away since the month ended"
    );
    assert_eq!(
        books.read_and_close("2026-11-01T10:00:00Z"),
        ["print-costs-2026-10-main.xlsx"]
    );
    let [(month, said)] = &books.said()[..] else {
        panic!("one month is closed")
    };
    assert_eq!(
        (month.as_str(), said.orders.orders, said.orders.quoted),
        ("2026-10", 1, money("12.10"))
    );
}

#[test]
fn who_works_orders_goes_on_while_a_month_is_added_up() {
    let books = Arc::new(Books::new("UTC"));
    books.order("1001", "12.10", "2026-10-05T00:00:00Z");
    let adding = Arc::clone(&books);
    let (done, is_done) = std::sync::mpsc::channel();
    let added = books.ledger.read(|_store| {
        std::thread::spawn(move || {
            let now = at("2026-11-01T01:00:00Z").wall;
            let span = Span::month("2026-10").unwrap();
            let costs = adding.closer(Path::new("")).costs(span, (now, now), &[]);
            done.send(costs.unwrap().orders.len())
        });
        Ok(is_done.recv_timeout(Duration::from_secs(30)))
    });
    assert_eq!(added.unwrap(), Ok(1), "it waits for the ledger's one reader");
}

#[test]
fn a_closed_month_is_never_written_again_and_one_that_was_not_closed_is_when_its_writer_was_killed() {
    let books = Books::new("UTC");
    let order = books.order("1001", "12.10", "2026-10-05T00:00:00Z");
    let path = books.write_and_die("2026-10", "2026-11-01T00:30:00Z");
    let left = std::fs::read(&path).unwrap();
    assert_eq!(
        books.read_and_close("2026-11-01T01:00:00Z"),
        ["print-costs-2026-10-main.xlsx"]
    );
    let written = std::fs::read(&path).unwrap();
    assert_eq!(written[..2], *b"PK");
    assert_ne!(written, left);

    books.cancel(order, "2026-11-02T00:00:00Z");
    assert!(books.read_and_close("2026-11-30T23:59:59Z").is_empty());
    assert_eq!(std::fs::read(&path).unwrap(), written);
}

#[test]
fn a_ledger_that_was_put_back_leaves_the_workbook_that_is_there_and_says_what_its_own_stands_in_for() {
    let books = Books::new("UTC");
    let first = books.write_and_die("2026-10", "2026-11-01T00:30:00Z");
    assert!(
        !books
            .first_page("print-costs-2026-10-main.xlsx")
            .contains("stands in for")
    );
    let written = std::fs::read(&first).unwrap();
    // A ledger as it was before the month was over, beside the same folder.
    let put_back = Books::new("UTC");
    let first = put_back.folder.path().join("costs/print-costs-2026-10-main.xlsx");
    std::fs::create_dir_all(first.parent().unwrap()).unwrap();
    files::write_new(&first, &written).unwrap();
    put_back.order("1001", "12.10", "2026-10-05T00:00:00Z");
    assert_eq!(
        put_back.read_and_close("2026-11-01T01:00:00Z"),
        ["print-costs-2026-10-main-2.xlsx"]
    );
    assert_eq!(std::fs::read(&first).unwrap(), written);
    let said = put_back.first_page("print-costs-2026-10-main-2.xlsx");
    assert!(
        said.contains("It stands in for print-costs-2026-10.xlsx, which was"),
        "{said}"
    );
}

#[test]
fn months_that_were_closed_by_a_clock_that_was_ahead_are_opened_again_and_written_when_they_are_over() {
    let books = Books::new("Europe/Berlin");
    let folder = books.folder.path().join("costs");
    let open_again = |latest| books.closer(&folder).open_again(at(latest).wall).unwrap();
    books.order("1001", "12.10", "2026-10-05T00:00:00Z");
    books.read_and_close("2026-11-01T01:00:00Z");
    assert!(open_again("2026-11-01T01:00:00Z").is_empty(), "it is over");
    assert_eq!(books.read_and_close("2027-02-01T01:00:00Z").len(), 3);
    assert!(
        open_again("2027-01-30T01:00:00Z").is_empty(),
        "over by a clock or a zone that is near"
    );
    // By the clock that is right.
    assert_eq!(
        open_again("2026-11-20T00:00:00Z"),
        ["2027-01", "2026-12", "2026-11"]
    );
    assert!(open_again("2026-11-20T00:00:00Z").is_empty(), "they are open");
    books.order("1002", "20.02", "2026-11-21T00:00:00Z");
    assert_eq!(
        books.read_and_close("2026-12-01T01:00:00Z"),
        ["print-costs-2026-11-main-2.xlsx"]
    );
    let said = books.first_page("print-costs-2026-11-main-2.xlsx");
    assert!(
        said.contains("print-costs-2026-11.xlsx was written before the month was over"),
        "{said}"
    );
    let said = books.said();
    let orders: Vec<u64> = said.iter().map(|(_month, said)| said.orders.orders).collect();
    assert_eq!(orders, [1, 1]);
    assert!(
        open_again("2026-11-25T00:00:00Z").is_empty(),
        "it has orders: what has come since stands in the next"
    );
}

#[test]
fn an_account_that_has_not_begun_has_no_month_and_after_its_first_each_month_is_written() {
    let books = Books::new("UTC");
    assert!(books.read_and_close("2026-11-01T01:00:00Z").is_empty());
    books.order("1001", "12.10", "2026-11-05T00:00:00Z");
    // It was stopped for two months.
    assert_eq!(
        books.read_and_close("2026-12-01T00:00:00Z"),
        ["print-costs-2026-11-main.xlsx"]
    );
    assert_eq!(
        books.read_and_close("2027-02-01T00:00:00Z"),
        ["print-costs-2026-12-main.xlsx", "print-costs-2027-01-main.xlsx"]
    );
}

#[test]
fn what_changes_after_a_month_was_closed_stands_in_the_next_once() {
    let books = Books::new("UTC");
    let canceled = books.order("1001", "10.00", "2026-10-05T00:00:00Z");
    let read_later = books.order("1002", "20.00", "2026-10-31T23:00:00Z");
    let changed = books.order("1003", "40.00", "2026-10-06T00:00:00Z");
    let same = books.order("1004", "80.00", "2026-10-07T00:00:00Z");
    for (id, total) in [(canceled, "10.00"), (changed, "40.00"), (same, "80.00")] {
        books.read_total(id, total, "2026-10-08T00:00:00Z");
    }
    books.read_and_close("2026-11-01T01:00:00Z");
    assert!(books.changes("2026-11").orders.is_empty());

    books.cancel(canceled, "2026-11-02T00:00:00Z");
    books.read_total(read_later, "19.50", "2026-11-02T00:00:00Z");
    books.read_total(changed, "41.25", "2026-11-02T00:00:00Z");
    // With other digits, and yet the same amount.
    books.read_total(same, "80.0", "2026-11-02T00:00:00Z");
    // An order without an answer that turned out to be there.
    books.order("1005", "160.00", "2026-10-31T23:30:00Z");
    let own = books.order("1006", "320.00", "2026-11-03T00:00:00Z");
    let changes = books.changes("2026-11");
    let names: Vec<_> = changes
        .orders
        .iter()
        .map(|change| change.cost.order_id.as_str())
        .collect();
    assert_eq!(names, ["1001", "1003", "1002", "1005"]);
    assert!(changes.orders.iter().all(|change| change.month == "2026-10"));
    assert_eq!(
        changes.kept,
        report::Delta {
            // -10.00 + 160.00
            quoted: money("150.00"),
            // -10.00 + 19.50 + 1.25
            service: money("10.75"),
            // 1002 at 0.50 less, 1003 at 1.25 more
            difference: money("0.75"),
        }
    );
    assert_eq!(changes.canceled.quoted, money("10.00"));
    assert_eq!(changes.canceled.service, money("10.00"));

    books.read_and_close("2026-12-01T01:00:00Z");
    assert!(books.changes("2026-12").orders.is_empty(), "told once");
    books.cancel(own, "2026-12-02T00:00:00Z");
    let later = books.changes("2026-12");
    assert_eq!((later.orders.len(), later.kept.quoted), (1, money("-320.00")));
    assert_eq!(later.orders[0].month, "2026-11");
}

#[test]
fn the_months_and_their_changes_add_up_to_what_the_orders_cost() {
    let books = Books::new("Europe/Berlin");
    let first = books.order("1001", "10.01", "2026-10-31T22:59:00Z");
    let second = books.order("1002", "20.02", "2026-10-31T23:01:00Z");
    let mut sum = Said::default();
    let mut kept = report::Delta::default();
    let mut canceled = Money::ZERO;
    for (month, end) in [
        ("2026-10", "2026-11-01T02:00:00Z"),
        ("2026-11", "2026-12-01T02:00:00Z"),
        ("2026-12", "2027-01-01T02:00:00Z"),
    ] {
        let changes = books.changes(month);
        kept.quoted = kept.quoted.plus(changes.kept.quoted).unwrap();
        kept.service = kept.service.plus(changes.kept.service).unwrap();
        canceled = canceled.plus(changes.canceled.quoted).unwrap();
        books.read_and_close(end);
        if month == "2026-10" {
            books.read_total(first, "10.02", end);
        }
        if month == "2026-11" {
            books.cancel(first, end);
            books.read_total(second, "20.02", end);
        }
    }
    for (_month, said) in books.said() {
        sum.orders.quoted = sum.orders.quoted.plus(said.orders.quoted).unwrap();
        sum.orders.service = sum.orders.service.plus(said.orders.service).unwrap();
        sum.canceled.quoted = sum.canceled.quoted.plus(said.canceled.quoted).unwrap();
    }
    assert_eq!(sum.orders.quoted.plus(kept.quoted), Ok(money("20.02")));
    assert_eq!(sum.orders.service.plus(kept.service), Ok(money("20.02")));
    assert_eq!(sum.canceled.quoted.plus(canceled), Ok(money("10.01")));
}

#[test]
fn an_order_stays_in_the_month_that_told_of_it_when_the_service_dates_it_otherwise() {
    let books = Books::new("UTC");
    let order = books.order("1001", "12.10", "2026-10-31T23:59:59Z");
    books.read_and_close("2026-11-01T01:00:00Z");
    let now = at("2026-11-01T02:00:00Z");
    books.write(move |store| {
        let seen = Seen {
            pw_order_id: "PW-1001".to_owned(),
            entered_at: Some("2026-11-01T00:00:01Z".parse().unwrap()),
            ..Seen::default()
        };
        store.see(order, &seen, &now).map(drop)
    });
    books.read_and_close("2026-12-01T01:00:00Z");
    let orders: Vec<u64> = books
        .said()
        .iter()
        .map(|(_month, said)| said.orders.orders)
        .collect();
    assert_eq!(orders, [1, 0]);
}

#[test]
fn an_order_whose_date_at_the_service_cannot_be_so_counts_when_the_ledger_made_it_and_once() {
    for (shown, expected) in [
        ("2027-10-31T12:00:00Z", "2026-10"),
        ("2001-01-01T00:00:00Z", "2026-10"),
        ("2026-11-05T12:00:00Z", "2026-10"),
        ("2026-10-28T12:00:00Z", "2026-10"),
        ("2026-11-01T12:00:00Z", "2026-11"),
    ] {
        let books = Books::new("UTC");
        let order = books.order("1001", "12.10", "2026-10-31T12:00:00Z");
        let seen = Seen {
            pw_order_id: "PW-1001".to_owned(),
            entered_at: Some(shown.parse().unwrap()),
            amounts: Some(ServiceAmounts::of_total(money("12.10"))),
            ..Seen::default()
        };
        books.write(move |store| store.see(order, &seen, &at("2026-10-31T13:00:00Z")).map(drop));
        books.read_and_close("2026-11-01T01:00:00Z");
        books.read_and_close("2026-12-01T01:00:00Z");
        let said = books.said().into_iter();
        let counted: Vec<_> = said.filter(|(_, said)| said.orders.orders > 0).collect();
        let [(month, said)] = &counted[..] else {
            panic!("it counts once: {shown}")
        };
        assert_eq!(
            (month.as_str(), said.orders.quoted),
            (expected, money("12.10")),
            "{shown}"
        );
        assert!(books.changes("2026-12").orders.is_empty(), "{shown}");
        let watched = books
            .ledger
            .read(|store| store.watched(books.account, at("2026-10-01T00:00:00Z").wall));
        assert_eq!(watched.unwrap().len(), 1, "it is followed: {shown}");
    }
}

#[test]
fn what_a_changed_order_is_agrees_with_its_amounts_and_with_what_the_next_month_calls_it() {
    let books = Books::new("UTC");
    let order = books.order("1001", "12.10", "2026-10-05T00:00:00Z");
    books.read_total(order, "12.10", "2026-10-06T00:00:00Z");
    books.read_and_close("2026-11-01T01:00:00Z");
    let shown = |word: &str, moment: &str| {
        let seen = Seen {
            pw_order_id: "PW-1001".to_owned(),
            order_status: Some(word.to_owned()),
            ..Seen::default()
        };
        let now = at(moment);
        books.write(move |store| store.see(order, &seen, &now).map(drop));
    };
    let changed = |month: &str, end: &str| {
        books.read_and_close(end);
        let name = format!("print-costs-{month}-main.xlsx");
        let row = books.first_order(&name, "Changes to earlier months");
        ["As written", "As it is", "Change of quoted"].map(|heading| row[heading].clone())
    };
    books.cancel(order, "2026-11-02T00:00:00Z");
    assert_eq!(
        changed("2026-11", "2026-12-01T01:00:00Z"),
        ["created", "canceled", "-12.1"]
    );
    shown("in_production", "2026-12-02T00:00:00Z");
    assert_eq!(
        changed("2026-12", "2027-01-01T01:00:00Z"),
        [
            "canceled",
            "created: canceled, and the service goes on with it",
            "12.1"
        ]
    );
    shown("canceled", "2027-01-02T00:00:00Z");
    assert_eq!(
        changed("2027-01", "2027-02-01T01:00:00Z"),
        ["created", "canceled", "-12.1"]
    );
}
