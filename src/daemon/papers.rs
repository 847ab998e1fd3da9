//! The files that an inbox's merchant reads beside results: `attention.xlsx`, what needs a person now; one file a day
//! with the parcels that were first told of that day, and the same as a shipping confirmation for Amazon.

mod amazon;
mod parcels;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desk, Desks};
use crate::attention::{self, Configured, Needs};
use crate::filing::finish::FinishError;
use crate::filing::own::Paper;
use crate::ledger::{Ledger, LedgerError, Reader};
use crate::result::{ListCell, ListColumn, ListPage, is_unsaved};

const ATTENTION: &str = "attention";

/// The title of its workbook.
const TITLE: &str = "Attention";

const COLUMNS: [ListColumn; 8] = [
    plain("since"),
    plain("kind"),
    plain("order_id"),
    plain("pw_order_id"),
    plain("inbox"),
    plain("sheet"),
    sentences("what happened", 60),
    sentences("what to do", 60),
];

const fn plain(heading: &'static str) -> ListColumn {
    ListColumn {
        heading,
        sentences: None,
    }
}

const fn sentences(heading: &'static str, width: u16) -> ListColumn {
    ListColumn {
        heading,
        sentences: Some(width),
    }
}

/// How often these files are looked after.
const LOOKED_AFTER: Duration = Duration::from_secs(5);

/// Keeps these files up to date until the program ends.
pub(super) async fn keep(desks: &Desks, ending: &CancellationToken) -> Result<(), DaemonError> {
    while !ending.is_cancelled() {
        write_papers(desks).await?;
        super::pause(LOOKED_AFTER, ending).await;
    }
    Ok(())
}

/// Writes what is new in these files of every inbox. A folder that is away, or full, is tried again at the next time.
///
/// # Errors
/// Where the ledger cannot be kept.
pub(super) async fn write_papers(desks: &Desks) -> Result<(), DaemonError> {
    let _one_at_a_time = desks.writing.lock().await;
    let now = desks.clock.now().wall;
    let (ledger, worked) = (Arc::clone(&desks.ledger), Arc::clone(&desks.worked));
    let reading = tokio::task::spawn_blocking(move || needs(&ledger, &worked, now));
    let needs = reading.await.map_err(|_panic| DaemonError::Panicked)??;
    for desk in &desks.inboxes {
        let needs = needs.of(&desk.inbox.name);
        // A share that does not answer keeps the others' files waiting for its time alone.
        let written = desk.in_time("result", move |desk| desk.write_papers(&needs, now));
        match written.await? {
            Some(Ok(())) | None => {}
            Some(Err(FinishError::Ledger(error))) => return Err(error.into()),
            Some(Err(error)) => tracing::debug!(inbox = desk.inbox.name, "{}", crate::causes::chain(&error)),
        }
    }
    Ok(())
}

/// Reads what needs a person, by a connection of its own: who works orders does not wait for it.
fn needs(ledger: &Ledger, worked: &Configured, now: Timestamp) -> Result<Needs, LedgerError> {
    Reader::open(ledger.path())?.read(|store| attention::needs(store, worked, now))
}

impl Desk {
    /// Writes the files of this inbox. Waits for the disk.
    fn write_papers(&self, needs: &Needs, now: Timestamp) -> Result<(), FinishError> {
        // Nothing is made in a folder that may be a share's empty place.
        if self.look_for_trouble().is_some() {
            return Ok(());
        }
        let rejected = self
            .looks
            .lying(self.ledger(), &self.inbox.name, |_as_they_were| {})?;
        let of = (self.inbox.name.as_str(), self.inbox.account.as_str());
        let needs = needs.clone().with_rejected(of, &rejected, &self.importer.zone);
        self.write_attention(&needs)?;
        parcels::write(self, now)
    }

    fn write_attention(&self, needs: &Needs) -> Result<(), FinishError> {
        let ledger: &Ledger = self.ledger();
        let inbox = &self.inbox.name;
        let never_written = ledger.read(|store| store.own_file(inbox, ATTENTION))?.is_none();
        let folder = self.folder.part("results");
        // One that another ledger has noted tells what may not be so any more.
        let is_there = || is_unsaved(&folder.join("attention.xlsx"), TITLE).is_ok_and(|is| is);
        if needs.needs.is_empty() && never_written && !is_there() {
            return Ok(());
        }
        let list = attention_list(needs, &self.importer.zone);
        let paper = Paper {
            inbox,
            folder: &folder,
            name: ATTENTION,
            ending: "xlsx",
            content: &list.content(),
            always: true,
            title: Some(TITLE),
        };
        paper.put(ledger, |path| list.write(path)).map(drop)
    }
}

fn attention_list(needs: &Needs, zone: &TimeZone) -> ListPage<'static> {
    let text = |text: &str| ListCell::Text(text.to_owned());
    let mut rows: Vec<Vec<ListCell>> = needs
        .needs
        .iter()
        .map(|need| {
            vec![
                on_the_wall(need.since, zone),
                text(need.kind.word()),
                text(need.order_id.as_deref().unwrap_or_default()),
                text(need.pw_order_id.as_deref().unwrap_or_default()),
                text(&need.inbox),
                text(&need.sheet),
                text(&need.what),
                text(&need.todo),
            ]
        })
        .collect();
    let lone = |sentence: &str| {
        let mut row = vec![text(""); COLUMNS.len()];
        if let Some(cell) = row.get_mut(6) {
            *cell = text(sentence);
        }
        row
    };
    if rows.is_empty() && !needs.more {
        rows.push(lone("nothing needs a person"));
    }
    if needs.more {
        rows.push(lone(
            "More orders need a person than are listed here: the operator sees all with `dropsheet orders list --state …`.",
        ));
    }
    ListPage {
        name: TITLE,
        columns: &COLUMNS,
        rows,
    }
}

fn on_the_wall(at: Timestamp, zone: &TimeZone) -> ListCell {
    ListCell::Moment(at.to_zoned(zone.clone()).datetime())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_works_orders_goes_on_while_it_is_read_what_needs_a_person() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Arc::new(Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap());
        let reading = Arc::clone(&ledger);
        let (done, is_done) = std::sync::mpsc::channel();
        let read = ledger.read(|_store| {
            std::thread::spawn(move || {
                let read = needs(&reading, &Configured::of(&[], &[]), Timestamp::UNIX_EPOCH);
                done.send(read.unwrap())
            });
            Ok(is_done.recv_timeout(Duration::from_secs(30)))
        });
        assert_eq!(
            read.unwrap(),
            Ok(Needs::default()),
            "it waits for the ledger's one reader"
        );
    }
}
