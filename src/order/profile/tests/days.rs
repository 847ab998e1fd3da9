//! The days of a shop's orders where a spreadsheet has read them.

use jiff::civil::date;

use super::{ETSY, WOO, drafts, layout};
use crate::order::{Day, Grouper, Index};
use crate::sheet::{CellKind, Row};

#[test]
fn a_day_that_a_spreadsheet_may_have_exchanged_is_two_days() {
    let names: Vec<&str> = ETSY.split(',').map(str::trim).collect();
    let place = |name: &str| names.iter().position(|own| *own == name).unwrap();
    let row = |number: u32, id: &str, date: &str, kind: CellKind| {
        let mut cells = vec![""; names.len()];
        for (name, text) in [
            ("Order ID", id),
            ("SKU", "A"),
            ("Quantity", "1"),
            ("Sale Date", date),
        ] {
            if let Some(column) = names.iter().position(|own| *own == name) {
                cells[column] = text;
            }
        }
        let mut row = Row::default();
        row.start(number);
        for (column, text) in cells.into_iter().enumerate() {
            row.push(
                text,
                if column == place("Sale Date") {
                    kind
                } else {
                    CellKind::Text
                },
            );
        }
        row
    };
    let days = |rows: &[Row]| -> Vec<Day> {
        let layout = layout(ETSY);
        let mut index = Index::default();
        for row in rows {
            index.note(&layout, row);
        }
        let mut grouper = Grouper::new(layout, index);
        let drafts = rows.iter().filter_map(|row| grouper.push(row));
        drafts.map(|draft| draft.day().clone()).collect()
    };
    let may = row(2, "1", "2026-05-11", CellKind::Date);
    let (day, exchanged) = (date(2026, 5, 11), date(2026, 11, 5));
    assert_eq!(days(std::slice::from_ref(&may)), [Day::Kept { day, exchanged }]);
    let text = row(3, "2", "11/20/26", CellKind::Text);
    assert_eq!(
        days(&[may.clone(), text]),
        [
            Day::Read(vec![day, exchanged]),
            Day::Read(vec![date(2026, 11, 20)])
        ]
    );
    let proof = row(3, "2", "2026-11-20", CellKind::Date);
    assert_eq!(days(&[may, proof])[0], Day::Read(vec![day]));
}

#[test]
fn the_day_is_read_from_the_first_of_its_columns_that_is_there() {
    let day = |names: &str, cells: &[(&'static str, &'static str)]| {
        let order = [("order_id", "7"), ("status", "processing")];
        let order = drafts(names, &[&[&order[..], cells].concat()]).remove(0);
        order.day().clone()
    };
    let (first, second) = (
        ("order_date", "2026-11-20 09:14:00"),
        ("date", "2026-11-21 09:14"),
    );
    let other = WOO.replace("order_date", "date");
    let both = format!("{WOO},date");
    let read = |day| Day::Read(vec![date(2026, 11, day)]);
    assert_eq!(day(WOO, &[first]), read(20));
    assert_eq!(day(&other, &[second]), read(21));
    assert_eq!(day(&both, &[first, second]), read(20));
    // A date that is missing is not made up for: the column may be of another day.
    assert_eq!(day(&both, &[second]), Day::Unreadable(String::new()));
}
