//! Files of dropsheet's own that are written again, and the parcels that they tell of.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, get, json, json_or_null, millis, moment};
use crate::ledger::LedgerError;
use crate::ledger::record::{AtShop, OwnFile, ParcelRecord};
use crate::tracking::{self, Parcel};

impl Store<'_> {
    /// A file of dropsheet's own in an inbox, by what it is.
    pub fn own_file(&self, inbox: &str, name: &str) -> Result<Option<OwnFile>, LedgerError> {
        let sql = "SELECT path, hash, content FROM own_file WHERE inbox = ?1 AND name = ?2";
        self.one("read of an own file", sql, [inbox, name], |row| {
            Ok(OwnFile {
                path: get(row, "path")?,
                hash: get(row, "hash")?,
                content: get(row, "content")?,
            })
        })
    }

    /// What the newest file of dropsheet's own in an inbox is, of those that are named so and by a day.
    pub fn newest_own_file(&self, inbox: &str, named: &str) -> Result<Option<String>, LedgerError> {
        let sql = "SELECT name FROM own_file WHERE inbox = ?1 AND name >= ?2 AND name < ?2 || ?3
                   ORDER BY name DESC LIMIT 1";
        let params = params![inbox, named, char::MAX.to_string()];
        self.one("find an own file", sql, params, |row| get(row, "name"))
    }

    /// Notes where a file of dropsheet's own is, or is about to be.
    pub fn set_own_file(&self, inbox: &str, name: &str, file: &OwnFile) -> Result<(), LedgerError> {
        self.run(
            "write of an own file",
            "INSERT OR REPLACE INTO own_file (inbox, name, path, hash, content) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![inbox, name, file.path, file.hash, file.content],
        )?;
        Ok(())
    }

    /// The parcels of an inbox's orders that were first told of in a time, in the order in which they were; each has a
    /// number or a link.
    pub fn parcels_known(
        &self,
        inbox: &str,
        (from, to): (Timestamp, Timestamp),
    ) -> Result<Vec<ParcelRecord>, LedgerError> {
        let sql =
            "SELECT sheet_order_id, shop_order, shop_items, pw_order_id, number, carrier, link, known_at,
                          trackings,
                          (SELECT json_group_array(earlier.number) FROM parcel AS earlier
                           WHERE earlier.order_id = parcel.order_id
                             AND earlier.number IS NOT NULL AND earlier.known_at < ?2) AS earlier
                   FROM parcel INDEXED BY parcel_known CROSS JOIN orders ON orders.id = parcel.order_id
                   WHERE known_at >= ?2 AND known_at < ?3 AND inbox = ?1
                     AND (number IS NOT NULL OR link IS NOT NULL)
                   ORDER BY known_at, orders.id, name";
        self.all(
            "list parcels",
            sql,
            params![inbox, millis(from), millis(to)],
            parcel,
        )
    }

    /// When parcels of an inbox's orders were first told of, since a moment: each moment once.
    pub fn parcel_moments(&self, inbox: &str, since: Timestamp) -> Result<Vec<Timestamp>, LedgerError> {
        let sql = "SELECT DISTINCT known_at FROM parcel INDEXED BY parcel_known CROSS JOIN orders ON orders.id = parcel.order_id
                   WHERE known_at >= ?2 AND inbox = ?1 AND (number IS NOT NULL OR link IS NOT NULL)
                   ORDER BY known_at";
        self.all("list parcels", sql, params![inbox, millis(since)], |row| {
            moment(row, "parcel", "known_at")
        })
    }
}

fn parcel(row: &Row<'_>) -> Result<ParcelRecord, LedgerError> {
    let shop_order: Option<String> = get(row, "shop_order")?;
    let pw_order_id: Option<String> = get(row, "pw_order_id")?;
    let number: Option<String> = get(row, "number")?;
    let trackings: Option<String> = get(row, "trackings")?;
    let now = trackings.as_deref().map(tracking::parcels).unwrap_or_default();
    let is_shown = |number: &String| now.iter().any(|parcel| parcel.number.as_ref() == Some(number));
    let earlier: Vec<String> = json(row, "parcel", "earlier")?;
    Ok(ParcelRecord {
        is_followed: earlier.iter().any(is_shown),
        is_replaced: number.as_ref().is_some_and(|number| !is_shown(number)),
        sheet_order_id: get(row, "sheet_order_id")?,
        at_shop: AtShop {
            order: shop_order.unwrap_or_default(),
            items: json_or_null(row, "orders", "shop_items")?.unwrap_or_default(),
        },
        pw_order_id: pw_order_id.unwrap_or_default(),
        parcel: Parcel {
            number,
            carrier: get(row, "carrier")?,
            link: get(row, "link")?,
            raw: None,
        },
        known_at: moment(row, "parcel", "known_at")?,
    })
}
