//! The order after its create: what the service comes to say of it, the files that tell of it, cancels, and orders
//! settled by hand.

mod after_all;
mod alike;
mod along;
mod apart;
mod asked;
mod beside;
mod cancels;
mod config;
mod given_up;
mod gone_on;
mod in_shop;
mod kept;
mod marked;
mod marked_in_part;
mod mended;
mod moved;
mod news;
mod old;
mod others;
mod prefix;
mod renamed;
mod resolve;
mod retaken;
mod unsent;
mod unworked;

use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};

use crate::world::{World, wait_for, write};

/// The cells of a workbook's first page, as text, row by row.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    range
        .rows()
        .map(|row| row.iter().map(Data::to_string).collect())
        .collect()
}

impl World {
    /// Has the inbox send nothing.
    fn stop(&self) {
        write(&self.orders_path("STOP"), b"");
    }

    /// Has it send again.
    fn go_on(&self) {
        std::fs::remove_file(self.orders_path("STOP")).unwrap();
    }

    /// The service's id of the only order of a name, once the list shows it.
    fn pw(&self, order_name: &str) -> String {
        wait_for("the list shows the order", || {
            self.at_service(order_name).iter().any(|order| order.visible)
        });
        let placed = self.at_service(order_name);
        assert_eq!(placed.len(), 1, "{order_name}");
        placed[0].pw_order_id.clone()
    }

    /// The one file in `results/` whose name begins so.
    fn own(&self, start: &str) -> std::path::PathBuf {
        let files = self.files("results");
        let found: Vec<&String> = files.iter().filter(|name| name.starts_with(start)).collect();
        assert_eq!(found.len(), 1, "{start} in {files:?}");
        self.orders_path("results").join(found[0])
    }

    /// The column of `attention.xlsx` with the kinds.
    fn kinds(&self) -> Vec<String> {
        let rows = rows(&self.orders_path("results/attention.xlsx"));
        rows[1..].iter().map(|row| row[1].clone()).collect()
    }
}
