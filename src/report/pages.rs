//! The pages of the cost workbook.

mod earlier;
mod orders;

use std::path::Path;

use crate::catalog::Snapshot;
use crate::clock::moment;
use crate::ledger::Cost;
use crate::money::Money;
use crate::result::tables::{About, Book, Column, Columns, Table, Value};

use super::figures::{Figures, Sums, difference, is_canceled};
use super::{Costs, ReportError};

const NOT_PAID_BACK: &str =
    "A refund is not stated by the service: whether these amounts are paid back, ask it.";

/// Writes all pages, the sums first.
pub(super) fn write(
    costs: &Costs,
    figures: &Figures,
    catalog: Option<&Snapshot>,
    path: &Path,
) -> Result<(), ReportError> {
    let title = format!("Print costs of {}, account {}", costs.span.name(), costs.account);
    let about = About {
        title: &title,
        subject: &costs.account,
        written_at: costs.written_at,
    };
    let mut book = Book::new(&about, path)?;
    summary(&mut book, costs, figures, &title)?;
    let kept = |cost: &&Cost| !is_canceled(cost);
    orders::orders(
        &mut book,
        costs,
        ("Orders", "Orders", &[]),
        &mut costs.orders.iter().filter(kept),
    )?;
    orders::lines(&mut book, costs, catalog)?;
    by_product(&mut book, costs, figures)?;
    let countries = figures.by_country.iter();
    let countries = countries.map(|(country, sums)| (vec![Value::text(country.as_str())], *sums));
    by(
        &mut book,
        costs,
        ("By country", &["Country"]),
        countries.collect(),
        figures,
    )?;
    let sheets = figures.by_sheet.iter();
    let sheets = sheets.map(|((inbox, sheet), sums)| {
        let names = vec![Value::text(inbox.as_str()), Value::text(sheet.as_str())];
        (names, *sums)
    });
    let names: &[&str] = &["Inbox", "Sheet"];
    by(
        &mut book,
        costs,
        ("By inbox and sheet", names),
        sheets.collect(),
        figures,
    )?;
    reconciliation(&mut book, costs)?;
    let canceled = ("Canceled", "Canceled orders", &[NOT_PAID_BACK][..]);
    orders::orders(
        &mut book,
        costs,
        canceled,
        &mut costs.orders.iter().filter(|cost| is_canceled(cost)),
    )?;
    not_yet_read(&mut book, costs)?;
    strangers(&mut book, costs)?;
    if let Some(changes) = &costs.earlier {
        earlier::page(&mut book, costs, changes)?;
    }
    days(&mut book, costs, figures)?;
    book.save()?;
    Ok(())
}

/// A table with its title, its sums below it, and its first columns held in view.
fn table(name: &str, title: String, lines: &[&str], columns: Vec<Column>) -> Table {
    Table {
        title,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        has_totals: true,
        ..Table::new(name, columns)
    }
}

/// The heading of a column of amounts.
fn amount(costs: &Costs, what: &str) -> Column {
    match &costs.currency {
        Some(currency) => Column::amount(&format!("{what} ({currency})")),
        None => Column::amount(what),
    }
}

fn amounts(costs: &Costs) -> [Column; 3] {
    ["Quoted total", "Service total", "Difference"].map(|what| amount(costs, what))
}

fn of_sums(sums: Sums) -> Vec<Value> {
    vec![
        Value::Count(sums.orders),
        Value::Amount(sums.quoted),
        Value::Amount(sums.service),
        Value::Amount(sums.difference),
    ]
}

/// The sentences above the sums: as of when, of which days, and why the service was not read.
fn introduction(costs: &Costs) -> Vec<String> {
    let zone = costs.zone.iana_name().unwrap_or("the machine's zone");
    let mut lines = vec![
        match costs.as_of {
            Some(at) => format!(
                "As of {} ({zone}): so far the service's order list was read.",
                moment(at, &costs.zone)
            ),
            None => "The service's order list was never read: its totals are missing.".to_owned(),
        },
        format!(
            "From {} to {}, by the day on which the service entered the order. Quoted is what the service asked \
             before the order was sent; service is what it says that it charges.",
            costs.span.first(),
            costs.span.last()
        ),
    ];
    let not_over = costs.span.not_over(&costs.zone, costs.written_at);
    lines.extend(not_over.map(str::to_owned));
    lines.extend(costs.not_read.clone());
    lines.extend(costs.stands_in.clone());
    lines
}

fn summary(book: &mut Book, costs: &Costs, figures: &Figures, title: &str) -> Result<(), ReportError> {
    let mut columns = vec![Column::text("What"), Column::count("Orders")];
    columns.extend(amounts(costs));
    columns.push(Column::text("Page"));
    let link = |page: &str| Value::Link {
        target: format!("'{page}'!A1"),
        shown: page.to_owned(),
    };
    let sums = |what: &str, sums: Sums, page: &str| {
        let mut row = vec![Value::text(what)];
        row.extend(of_sums(sums));
        row.push(link(page));
        row
    };
    let count = |what: &str, count: u64, page: &str| {
        let blank = || Value::Blank;
        vec![
            Value::text(what),
            Value::Count(count),
            blank(),
            blank(),
            blank(),
            link(page),
        ]
    };
    let mut rows = vec![
        sums("Orders", figures.orders, "Orders"),
        sums(
            "Canceled orders, not in the line above",
            figures.canceled,
            "Canceled",
        ),
        count(
            "Orders without a total of the service",
            figures.not_yet_read,
            "Not yet read",
        ),
        count(
            "Orders at the service that this ledger does not have",
            figures.not_ours,
            NOT_OURS,
        ),
    ];
    for (what, orders, delta) in costs.earlier.iter().flat_map(earlier::sums) {
        let amounts = [delta.quoted, delta.service, delta.difference].map(Value::Amount);
        let mut row = vec![Value::text(what), Value::Count(orders)];
        row.extend(amounts);
        row.push(link(earlier::NAME));
        rows.push(row);
    }
    let table = Table {
        title: title.to_owned(),
        lines: introduction(costs),
        ..Table::new("Summary", columns)
    };
    book.page(&table, rows)?;
    Ok(())
}

/// Sums of orders by something.
fn by(
    book: &mut Book,
    costs: &Costs,
    (name, names): (&str, &[&str]),
    rows: Vec<(Vec<Value>, Sums)>,
    figures: &Figures,
) -> Result<(), ReportError> {
    let mut columns: Vec<Column> = names.iter().copied().map(Column::text).collect();
    columns.push(Column::count("Orders"));
    columns.extend(amounts(costs));
    let title = format!("{name}: {} orders", figures.orders.orders);
    let rows = rows.into_iter().map(|(mut row, sums)| {
        row.extend(of_sums(sums));
        row
    });
    book.page(&table(name, title, &[], columns), rows)?;
    Ok(())
}

fn by_product(book: &mut Book, costs: &Costs, figures: &Figures) -> Result<(), ReportError> {
    let columns = vec![
        Column::text("Product"),
        Column::count("Pieces"),
        amount(costs, "Quoted total"),
    ];
    let lines = [
        "The service states its own totals by order, not by line. What a quote asks beyond its lines, such as \
                  a discount on an order's shipping, is in no single line.",
    ];
    let mut rows: Vec<Vec<Value>> = figures
        .by_product
        .iter()
        .map(|(product, part)| {
            let name = Value::text(product.as_str());
            vec![name, Value::Count(part.pieces), Value::Amount(part.quoted)]
        })
        .collect();
    if !figures.in_no_line.is_zero() {
        let name = Value::text(orders::IN_NO_LINE);
        rows.push(vec![name, Value::Blank, Value::Amount(figures.in_no_line)]);
    }
    let title = "By product".to_owned();
    book.page(&table("By product", title, &lines, columns), rows)?;
    Ok(())
}

/// The orders with both totals, those that differ most first.
fn reconciliation(book: &mut Book, costs: &Costs) -> Result<(), ReportError> {
    let mut both: Vec<(&Cost, Money)> = Vec::new();
    for cost in costs.orders.iter().filter(|cost| !is_canceled(cost)) {
        both.extend(difference(cost)?.map(|difference| (cost, difference)));
    }
    both.sort_by_key(|(_cost, difference)| std::cmp::Reverse(difference.abs()));
    let differing = both
        .iter()
        .filter(|(_cost, difference)| !difference.is_zero())
        .count();
    let mut columns = vec![
        Column::text("Order"),
        Column::text("Service's id"),
        Column::text("Sheet"),
    ];
    columns.extend(amounts(costs));
    let title = format!("Reconciliation: {differing} of {} orders differ", both.len());
    let rows = both.into_iter().map(|(cost, difference)| {
        let quoted = cost.quote.as_ref().map(|quote| quote.total);
        let service = cost.service.as_ref().map(|(service, _read_at)| service.total);
        vec![
            Value::text(cost.order_id.as_str()),
            Value::text(cost.pw_order_id.as_str()),
            Value::text(cost.sheet.as_str()),
            Value::amount(quoted),
            Value::amount(service),
            Value::Amount(difference),
        ]
    });
    book.page(&table("Reconciliation", title, &[], columns), rows)?;
    Ok(())
}

fn not_yet_read(book: &mut Book, costs: &Costs) -> Result<(), ReportError> {
    let unread = |cost: &&Cost| cost.service.is_none() && !is_canceled(cost);
    let columns = vec![
        Column::text("Order"),
        Column::text("Service's id"),
        Column::text("Day"),
        Column::text("Sheet"),
        amount(costs, "Quoted total"),
    ];
    let rows = costs.orders.iter().filter(unread).map(|cost| {
        vec![
            Value::text(cost.order_id.as_str()),
            Value::text(cost.pw_order_id.as_str()),
            Value::Date(cost.dated_at.to_zoned(costs.zone.clone()).date()),
            Value::text(cost.sheet.as_str()),
            Value::amount(cost.quote.as_ref().map(|quote| quote.total)),
        ]
    });
    let title = "Orders whose total the service has not stated yet".to_owned();
    book.page(&table("Not yet read", title, &[], columns), rows)?;
    Ok(())
}

/// The name of the page with the orders that the ledger did not make.
const NOT_OURS: &str = "Not in this ledger";

fn strangers(book: &mut Book, costs: &Costs) -> Result<(), ReportError> {
    let columns = ["Order", "Service's id", "Entered", "SKUs and pieces"].map(Column::text);
    let rows = costs.strangers.iter().map(|listed| {
        let day = listed.entered_at.map(|at| at.to_zoned(costs.zone.clone()).date());
        let items = listed
            .signature
            .items()
            .map(|(sku, pieces)| format!("{sku} × {pieces}"));
        vec![
            Value::text(listed.order_id.as_str()),
            Value::text(listed.pw_order_id.as_str()),
            Value::date(day),
            Value::text(items.collect::<Vec<_>>().join(", ")),
        ]
    });
    let table = Table {
        title: "Orders at the service that this ledger does not have".to_owned(),
        lines: vec!["The service lists them for this account, and this ledger does not have them: they were made by hand, \
                     elsewhere or before the ledger, or are a second one of an order that it has. What they cost is in no sum of this workbook."
            .to_owned()],
        ..Table::new(NOT_OURS, columns.to_vec())
    };
    book.page(&table, rows)?;
    Ok(())
}

fn days(book: &mut Book, costs: &Costs, figures: &Figures) -> Result<(), ReportError> {
    let mut columns = vec![Column::text("Day"), Column::count("Orders")];
    columns.extend(amounts(costs));
    let page = Table {
        chart: Some(Columns {
            title: "Costs by day".to_owned(),
            names: 0,
            heights: vec![2, 3],
        }),
        ..table("Days", "By day".to_owned(), &[], columns)
    };
    let rows = figures.by_day.iter().map(|(day, sums)| {
        let mut row = vec![Value::Date(*day)];
        row.extend(of_sums(*sums));
        row
    });
    book.page(&page, rows)?;
    Ok(())
}
