//! Whether a ledger is what it should be: SQLite's own checks, every order's state against its trail of events, its
//! attempts and waits against its state, and whatever points nowhere. Only reads.

use rusqlite::{Params, Row};

use super::{Store, get, nameless};
use crate::ledger::LedgerError;
use crate::ledger::schema;
use crate::ledger::state::{State, may_follow};

/// The most flaws of one kind that are told.
const MOST: u32 = 100;

/// What is wrong with a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// SQLite finds its file damaged.
    File,
    /// Something points to what is not there.
    PointsNowhere,
    /// An order's state is not what its events come to.
    State,
    /// An order's creates do not fit its state.
    Attempts,
    /// An order's wait, or the service's id, does not fit its state.
    Fate,
}

/// One thing that is wrong, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Of what kind it is.
    pub damage: Damage,
    /// A sentence for a person.
    pub what: String,
}

/// What does not fit an order's state, as statements that give the names of such orders; each with what to say of them.
const MISFITS: &[(Damage, &str, &str)] = &[
    (
        Damage::Attempts,
        "is `sending`, but none of its creates is under way",
        "SELECT order_id AS name FROM orders WHERE state = 'sending' AND NOT EXISTS
             (SELECT 1 FROM attempt WHERE attempt.order_id = orders.id AND answer IS NULL)",
    ),
    (
        Damage::Attempts,
        "has a create under way, but is not `sending`",
        "SELECT orders.order_id AS name FROM attempt JOIN orders ON orders.id = attempt.order_id
         WHERE answer IS NULL AND state <> 'sending'",
    ),
    (
        Damage::Attempts,
        "has another number of creates without an answer than is counted",
        "SELECT order_id AS name FROM orders WHERE unanswered <>
             (SELECT count(*) FROM attempt
              WHERE attempt.order_id = orders.id AND answer IN ('unknown', 'crashed', 'contradicted'))",
    ),
    (
        Damage::Fate,
        "is `created`, but the service's id is missing",
        "SELECT order_id AS name FROM orders WHERE state = 'created' AND pw_order_id IS NULL",
    ),
    (
        Damage::Fate,
        "is `unresolved`, but nothing is known of its wait",
        "SELECT order_id AS name FROM orders WHERE state = 'unresolved' AND NOT EXISTS
             (SELECT 1 FROM absence WHERE absence.order_id = orders.id)",
    ),
    (
        Damage::State,
        "has a state that is counted otherwise",
        "SELECT min(order_id) AS name FROM orders GROUP BY state
         HAVING count(*) IS NOT (SELECT tally.orders FROM tally WHERE tally.state = orders.state)",
    ),
    (
        Damage::Fate,
        "may have to be sent, but its content is missing",
        "SELECT order_id AS name FROM orders
         WHERE (state = 'sending' OR state = 'unresolved' OR state = 'held')
           AND NOT EXISTS (SELECT 1 FROM content WHERE content.order_id = orders.id)
           AND NOT (state = 'unresolved' AND EXISTS
                    (SELECT 1 FROM event WHERE event.order_id = orders.id AND old = 'created' AND new = 'unresolved'))",
    ),
];

impl Store<'_> {
    /// Everything that is wrong with the ledger itself, at most a hundred of each kind. Reads all of it.
    pub fn verify(&self) -> Result<Vec<Flaw>, LedgerError> {
        let failed = |source| LedgerError::Statement {
            operation: "be checked",
            source,
        };
        let file = schema::integrity(self.db, MOST).map_err(failed)?;
        let mut flaws: Vec<Flaw> = file
            .into_iter()
            .map(|what| Flaw {
                damage: Damage::File,
                what,
            })
            .collect();
        // What a damaged file says of itself is not worth hearing.
        if flaws.is_empty() {
            self.pointers(&mut flaws)?;
            self.trails(&mut flaws)?;
            self.misfits(&mut flaws)?;
        }
        Ok(flaws)
    }

    fn misfits(&self, flaws: &mut Vec<Flaw>) -> Result<(), LedgerError> {
        for (damage, what, sql) in MISFITS {
            let sql = format!("{sql} LIMIT {MOST}");
            self.each(&sql, [], |row| {
                let name: String = get(row, "name")?;
                flaws.push(Flaw {
                    damage: *damage,
                    what: format!("order `{name}` {what}"),
                });
                Ok(())
            })?;
        }
        Ok(())
    }

    fn pointers(&self, flaws: &mut Vec<Flaw>) -> Result<(), LedgerError> {
        let sql = format!(
            "SELECT \"table\" AS table_name, parent, count(*) AS n FROM pragma_foreign_key_check
             GROUP BY \"table\", parent LIMIT {MOST}"
        );
        self.each(&sql, [], |row| {
            let (table, parent): (String, String) = (get(row, "table_name")?, get(row, "parent")?);
            let n: i64 = get(row, "n")?;
            flaws.push(Flaw {
                damage: Damage::PointsNowhere,
                what: format!("{n} rows of `{table}` point to rows of `{parent}` that are not there"),
            });
            Ok(())
        })
    }

    /// Goes through every order's events with the transition function.
    fn trails(&self, flaws: &mut Vec<Flaw>) -> Result<(), LedgerError> {
        let sql = "SELECT orders.order_id AS name, orders.id AS ref, state, old, new
                   FROM orders LEFT JOIN event ON event.order_id = orders.id ORDER BY orders.id, event.id";
        let mut trail: Option<Trail> = None;
        let mut told = 0;
        let mut tell = |ended: Option<Trail>, flaws: &mut Vec<Flaw>| {
            if let Some(what) = ended.and_then(Trail::flaw)
                && told < MOST
            {
                told += 1;
                flaws.push(Flaw {
                    damage: Damage::State,
                    what,
                });
            }
        };
        self.each(sql, [], |row| {
            let id: i64 = get(row, "ref")?;
            if trail.as_ref().is_none_or(|trail| trail.id != id) {
                let begun = Trail {
                    id,
                    name: get(row, "name")?,
                    claimed: get(row, "state")?,
                    at: State::New.word().to_owned(),
                    broken: None,
                };
                tell(trail.replace(begun), flaws);
            }
            let step: (Option<String>, Option<String>) = (get(row, "old")?, get(row, "new")?);
            if let (Some(trail), (Some(old), Some(new))) = (&mut trail, step) {
                trail.follow(&old, new);
            }
            Ok(())
        })?;
        tell(trail, flaws);
        Ok(())
    }

    /// The copies in the spool that sheets under way are read from: each sheet's name, with the hash that names its copy.
    pub fn copies_needed(&self) -> Result<Vec<(String, String)>, LedgerError> {
        let sql = "SELECT sheet_name, hash FROM claim WHERE state IN ('taken', 'worked') ORDER BY id";
        self.all("list copies", sql, [], |row| {
            Ok((get(row, "sheet_name")?, get(row, "hash")?))
        })
    }

    /// How many orders and events there are.
    pub fn size(&self) -> Result<(u64, u64), LedgerError> {
        let sql = "SELECT (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM event) AS events";
        let counted = self.one("count", sql, [], |row| {
            Ok((get::<i64>(row, "orders")?, get::<i64>(row, "events")?))
        })?;
        let whole = |n: i64| u64::try_from(n).unwrap_or(0);
        let (orders, events) = counted.ok_or_else(|| nameless(rusqlite::Error::QueryReturnedNoRows))?;
        Ok((whole(orders), whole(events)))
    }

    /// Gives every row to `take`, one after the other, so that memory holds one.
    fn each(
        &self,
        sql: &str,
        params: impl Params,
        mut take: impl FnMut(&Row<'_>) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerError> {
        let failed = |source| LedgerError::Statement {
            operation: "be checked",
            source,
        };
        let mut statement = self.db.prepare(sql).map_err(failed)?;
        let mut rows = statement.query(params).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            take(row)?;
        }
        Ok(())
    }
}

/// An order's events, followed one after the other.
struct Trail {
    id: i64,
    name: String,
    /// The state that stands with the order.
    claimed: String,
    /// Where its events have led so far.
    at: String,
    broken: Option<String>,
}

impl Trail {
    fn follow(&mut self, old: &str, new: String) {
        let legal = match (old.parse(), new.parse()) {
            (Ok(old), Ok(new)) => may_follow(old, new),
            (Err(_), _) | (_, Err(_)) => false,
        };
        // A line that tells of something else than a change of state stays where it is.
        let is_step = old != new;
        if self.broken.is_none() && (old != self.at || is_step && !legal) {
            self.broken = Some(format!("from `{old}` to `{new}` while it was `{}`", self.at));
        }
        self.at = new;
    }

    fn flaw(self) -> Option<String> {
        let Self {
            name,
            claimed,
            at,
            broken,
            ..
        } = self;
        match broken {
            Some(step) => Some(format!("order `{name}` has an event {step}")),
            None if claimed != at => Some(format!(
                "order `{name}` is `{claimed}`, but its events end with `{at}`"
            )),
            None => None,
        }
    }
}
