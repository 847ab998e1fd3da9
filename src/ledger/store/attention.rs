//! What may need a person, as the ledger has it: orders in trouble, held, without an answer, refused; sheets with rows
//! to fix. Only reads.
//!
//! All of it is asked every few seconds. Each statement names an index of the few orders that it is about: SQLite, which
//! knows nothing of how many there are, would go through every order for the sake of their order in time.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::find::order;
use super::in_shop::in_shop;
use super::{Store, get, millis, moment, parsed, unreadable};
use crate::finding::Code;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, Beside, ClaimRef, NeedySheet, OrderRecord, SheetNeed, Tells};
use crate::ledger::state::State;

/// Whether an order is flagged for more than its total, where notices count since `?1`.
macro_rules! remarkable {
    () => {
        "(trouble_at IS NOT NULL OR missing_at IS NOT NULL OR coalesce(noticed_at >= ?1, 0) OR others > 0)"
    };
}

/// The columns that make a [`NeedySheet`].
macro_rules! sheet_columns {
    () => {
        "claim.id, claim.account_id, inbox, sheet_name, stem, taken_at, place, out_path"
    };
}

/// Whether a later sheet of the inbox has a sheet's name.
macro_rules! came_again {
    () => {
        "EXISTS (SELECT 1 FROM claim AS later INDEXED BY claim_named
                 WHERE later.inbox = claim.inbox AND later.sheet_name = claim.sheet_name AND later.id > claim.id)"
    };
}

impl Store<'_> {
    /// Orders at the service with something remarkable: a trouble, not there any more, or, since a moment, another
    /// total or a notice; and those that came to any other end since then, and of which the service has some all the
    /// same, or with which it goes on; the newest change first. Those with no more than another total come last, for
    /// there may be many, those that came to differ last first.
    pub fn flagged_orders(&self, since: Timestamp, most: u32) -> Result<Vec<OrderRecord>, LedgerError> {
        // Sorted by their ids alone: many may be flagged, of which few are read. Those that differ lie in their order in
        // the index, of which no more is read than is told.
        let sql = concat!("SELECT ", order_columns!(), " FROM (
                   SELECT id AS flagged, row_number() OVER (ORDER BY changed_at DESC, id DESC) AS place
                   FROM orders INDEXED BY orders_flagged
                   WHERE (trouble_at IS NOT NULL OR missing_at IS NOT NULL OR noticed_at IS NOT NULL OR others > 0)
                     AND (state IN ('created', 'canceling') OR (others > 0 AND changed_at >= ?1)
                          OR (state = 'canceled' AND trouble_at >= changed_at AND trouble_at >= ?1))
                     AND ", remarkable!(), "
                   UNION ALL
                   SELECT id, ?2 + row_number() OVER (ORDER BY differs_at DESC, id DESC) FROM (
                       SELECT id, differs_at FROM orders INDEXED BY orders_differing
                       WHERE differs_at IS NOT NULL AND (state = 'created' OR state = 'canceling') AND differs_at >= ?1
                         AND NOT ", remarkable!(), "
                       ORDER BY differs_at DESC, id DESC LIMIT ?2)
                   ORDER BY place LIMIT ?2) CROSS JOIN orders ON orders.id = flagged ORDER BY place");
        self.all("list flagged orders", sql, params![millis(since), most], order)
    }

    /// The orders in a state that have changed since a moment: of each inbox so many, the eldest changes first, of those that
    /// were refused the newest. One inbox's orders leave no other's untold.
    pub fn orders_since(
        &self,
        state: State,
        since: Timestamp,
        most_of_an_inbox: u32,
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        let (index, told_first) = match state {
            State::Sending | State::Unresolved | State::Canceling | State::Held => {
                ("orders_open", "changed_at, id")
            }
            // They stay for a while whatever is done about them. In its order in time: those of years stay unread.
            State::Refused => ("orders_ended_badly", "changed_at DESC, id DESC"),
            State::New | State::Created | State::Canceled | State::Declined | State::Abandoned => {
                ("orders_newest", "changed_at, id")
            }
        };
        // The state is one of our own words, written out so that the partial indexes serve. Sorted by their ids alone: few of
        // many are read.
        let sql = format!(
            concat!(
                "SELECT ",
                order_columns!(),
                " FROM (SELECT id AS told, row_number() OVER (PARTITION BY inbox ORDER BY {told_first}) AS place
                        FROM orders INDEXED BY {index} WHERE state = '{state}' AND changed_at >= ?1)
                 CROSS JOIN orders ON orders.id = told WHERE place <= ?2 ORDER BY changed_at, id"
            ),
            told_first = told_first,
            index = index,
            state = state.word()
        );
        let args = params![millis(since), most_of_an_inbox];
        self.all("list orders", &sql, args, order)
    }

    /// The orders that the service came to have, since a moment, after it had refused them or a person had given them up,
    /// eldest first: each with the state that it had and when it was found. What has been canceled since needs nobody.
    pub fn there_after_all(
        &self,
        since: Timestamp,
        most: u32,
    ) -> Result<Vec<(OrderRecord, State, Timestamp)>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            order_columns!(),
            ", was, found_at
             FROM (SELECT order_id AS found, old AS was, at AS found_at FROM event INDEXED BY event_after_all
                   WHERE new = 'created' AND old IN ('abandoned', 'refused') AND at >= ?1 AND tells = ?2)
             CROSS JOIN orders ON orders.id = found
                   WHERE orders.state = 'created'
                   ORDER BY found_at, found LIMIT ?3"
        );
        self.all(
            "list orders that are there after all",
            sql,
            params![millis(since), Tells::AfterAll.word(), most],
            |row| {
                Ok((
                    order(row)?,
                    parsed(row, "event", "was")?,
                    moment(row, "event", "found_at")?,
                ))
            },
        )
    }

    /// The orders that a sheet or a person asked to cancel and that the service did not, with its word, eldest change
    /// first. One that was declined by a cancel and taken anew since has none.
    pub fn not_canceled(&self, since: Timestamp, most: u32) -> Result<Vec<OrderRecord>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            order_columns!(),
            " FROM orders INDEXED BY orders_not_canceled
                   WHERE state = 'created' AND note <> '' AND changed_at >= ?1
                     AND (watched = 1 OR id IN (SELECT order_ref FROM outcome WHERE status = 'canceling'))
                   ORDER BY changed_at, id LIMIT ?2"
        );
        self.all("list refused cancels", sql, params![millis(since), most], order)
    }

    /// The sheets taken since a moment with orders that a person has to fix, each with how many those still are, and those
    /// with orders that are known already with something else. Eldest first. What is canceled in the shop is told apart.
    pub fn sheets_to_fix(&self, since: Timestamp) -> Result<Vec<NeedySheet>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            sheet_columns!(),
            ", sum(status <> 'changed') AS to_fix, sum(status = 'changed') AS known
             FROM claim INDEXED BY claim_taken CROSS JOIN outcome AS own INDEXED BY outcome_to_fix
                  ON own.claim_id = claim.id AND own.order_ref IS NULL
             WHERE purpose = 'send' AND state = 'done' AND taken_at >= ?1
               AND status IN ('invalid', 'changed', 'refused') AND NOT (status = 'changed' AND ",
            in_shop!(),
            ") AND NOT ",
            mended!(),
            " GROUP BY claim.id ORDER BY claim.id"
        );
        let found = self.all("list sheets to fix", sql, [millis(since)], |row| {
            let counted = |column| {
                let n: i64 = get(row, column)?;
                u64::try_from(n).map_err(|_negative| unreadable("outcome", "count", &n.to_string()))
            };
            Ok([
                sheet(row, SheetNeed::ToFix(counted("to_fix")?))?,
                sheet(row, SheetNeed::Changed(counted("known")?))?,
            ])
        })?;
        let is_needed =
            |sheet: &NeedySheet| !matches!(sheet.need, SheetNeed::ToFix(0) | SheetNeed::Changed(0));
        let mut sheets: Vec<NeedySheet> = found.into_iter().flatten().filter(is_needed).collect();
        let to_fix = |sheet: &&mut NeedySheet| matches!(sheet.need, SheetNeed::ToFix(_));
        for sheet in sheets.iter_mut().filter(to_fix) {
            let put = self.own_file(&sheet.inbox, &Beside::ToFix.key(sheet.claim))?;
            sheet.to_fix = put.map(|put| put.path);
        }
        Ok(sheets)
    }

    /// The sheets taken since a moment that could not be read and did not come again under their name. Eldest first.
    pub fn rejected_sheets(&self, since: Timestamp) -> Result<Vec<NeedySheet>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            sheet_columns!(),
            " FROM claim INDEXED BY claim_taken
              WHERE state = 'rejected' AND purpose = 'send' AND taken_at >= ?1 AND NOT ",
            came_again!(),
            " ORDER BY id"
        );
        self.all("list rejected sheets", sql, [millis(since)], |row| {
            sheet(row, SheetNeed::Rejected)
        })
    }

    /// The sheets taken since a moment whose workbooks have other sheets with orders, which were not read, and that did
    /// not come again under their name. It is said on a sheet's first order. Eldest first.
    pub fn sheets_with_unread_tabs(&self, since: Timestamp) -> Result<Vec<NeedySheet>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            sheet_columns!(),
            " FROM claim INDEXED BY claim_taken
              WHERE state = 'done' AND purpose = 'send' AND taken_at >= ?1
                AND EXISTS (SELECT 1 FROM json_each((SELECT findings FROM outcome WHERE claim_id = claim.id
                                                     ORDER BY first_row LIMIT 1))
                            WHERE json_extract(value, '$.code') = ?2)
                AND NOT ",
            came_again!(),
            " ORDER BY id"
        );
        self.all(
            "list sheets with unread tabs",
            sql,
            params![millis(since), Code::UnreadTab.name()],
            |row| sheet(row, SheetNeed::UnreadTab),
        )
    }
}

fn sheet(row: &Row<'_>, need: SheetNeed) -> Result<NeedySheet, LedgerError> {
    let out: Option<String> = get(row, "out_path")?;
    let place: String = get(row, "place")?;
    Ok(NeedySheet {
        claim: ClaimRef(get(row, "id")?),
        imported: out.map(|_out| place),
        to_fix: None,
        account: AccountRef(get(row, "account_id")?),
        inbox: get(row, "inbox")?,
        sheet_name: get(row, "sheet_name")?,
        stem: get(row, "stem")?,
        taken_at: moment(row, "claim", "taken_at")?,
        need,
    })
}
