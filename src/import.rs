//! The recipe for one sheet: read it whole, judge what is known, check the rest, bring every order to the service or
//! to a finding. It can be killed at any instant and run again from its first row: the ledger knows what is done.

mod age;
mod ahead;
mod apart;
mod at_shop;
mod brought;
mod by_map;
mod by_shop;
mod cancel_row;
mod carry;
mod copies;
pub mod decide;
mod drafts;
mod foremost;
mod instead;
pub mod judge;
mod kept;
mod known_as;
pub mod ledgered;
mod map_files;
mod marked;
mod own_page;
pub mod pass;
mod pieces;
pub mod preview;
pub mod read;
mod remapped;
mod retaken;
mod said_before;
mod served;
mod since;
mod skipped;
pub mod sku_map;
pub mod turns;
mod superseded;
mod ticked;
mod two_tabs;
mod unread;
pub mod unplain;
pub mod views;
mod wished;
pub mod write;

use std::fs::File;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::JoinSet;

use crate::catalog::cache::Cache;
use crate::check;
use crate::clock::Clock;
use crate::config::Inbox;
use crate::finding::{Code, Rejection};
use crate::inbox::spool;
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimState, Purpose};
use crate::order::{Index, Layout};
use crate::preflight::{FetcherError, Preflight};
use crate::quote::{Hold, over_sheet};
use crate::refresh::{Catalog, CatalogError};
use crate::sheet::{Limits, Sheet};
use crate::submit::{SubmitError, Submitter, Tickets};

pub use copies::Copies;
pub use map_files::MapFiles;

use carry::{By, Carried, carry_out};
use pass::{Pass, Task};
pub use read::Read;
use read::{Early, How};
use sku_map::Unmapped;
use turns::Turn;

pub use served::served_for;

/// How far the sheets under way are, for whoever draws it.
#[derive(Debug, Default)]
pub struct Progress {
    orders: AtomicU64,
    done: AtomicU64,
}

impl Progress {
    /// Orders brought to an end or as far as they go, and orders in all.
    pub fn read(&self) -> (u64, u64) {
        (
            self.done.load(Ordering::Relaxed),
            self.orders.load(Ordering::Relaxed),
        )
    }

    fn begin(&self, orders: u64) {
        self.orders.fetch_add(orders, Ordering::Relaxed);
    }

    pub(crate) fn end(&self, orders: u64) {
        self.done.fetch_add(orders, Ordering::Relaxed);
    }
}

/// Who works an account's sheets, and with what.
#[derive(Clone, Debug)]
pub struct Importer {
    /// Brings orders to the service.
    pub submitter: Arc<Submitter>,
    /// The account's catalog.
    pub catalog: Arc<Catalog>,
    /// How old it may be. Config: `catalog.max_age`.
    pub catalog_max_age: Duration,
    /// Where the copies of taken sheets lie.
    pub spool: PathBuf,
    /// How long they are kept; none is for ever. Config: `keep.spool`.
    pub keep_spool: Option<Duration>,
    /// Which of them are known to be as they were taken.
    pub copies: Arc<Copies>,
    /// The files of its inboxes' SKU maps.
    pub map_files: Arc<MapFiles>,
    /// The zone of shown times.
    pub zone: TimeZone,
    /// How far the sheets under way are.
    pub progress: Arc<Progress>,
    /// How artwork is checked before its order is sent; none checks none.
    pub preflight: Option<PreflightBy>,
}

/// How the artwork of a sheet is checked.
#[derive(Clone, Debug)]
pub struct PreflightBy {
    /// `[preflight]`
    pub settings: crate::config::Preflight,
    /// What links gave before.
    pub cache: Arc<Cache>,
    /// The clock.
    pub clock: Clock,
}

impl PreflightBy {
    /// The preflight of one sheet.
    ///
    /// # Errors
    /// The machine has no certificates, say.
    pub fn open(&self) -> Result<Preflight, FetcherError> {
        Preflight::new(&self.settings, Arc::clone(&self.cache), self.clock.clone())
    }
}

/// A sheet that was read, and is worked or could not be.
#[derive(Debug)]
pub struct Worked {
    /// The sheet.
    pub sheet: Sheet,
    /// Its columns.
    pub layout: Layout,
    /// Which rows belong together.
    pub index: Index,
    /// Why orders of it are not sent yet; none when every order has an outcome.
    pub waiting: Option<(Code, String)>,
    /// The own SKUs of it that nothing is known of.
    pub unmapped: Unmapped,
}

impl Worked {
    /// A sheet that was only read, and why its orders wait.
    pub fn of(read: Read, waiting: Option<(Code, String)>) -> Self {
        Self {
            sheet: read.sheet,
            layout: read.layout,
            index: read.index,
            waiting,
            unmapped: Unmapped::default(),
        }
    }
}

/// Why a sheet could not be worked.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is wrong as a whole.
    #[error("the sheet is rejected")]
    Rejected(#[source] Rejection),
    /// Its copy in the spool cannot be read.
    #[error("cannot read the spooled sheet {path}")]
    Spool {
        /// The copy.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The SKU map could not be extended: it is tried again.
    #[error("cannot extend the SKU map")]
    SkuMap(#[source] sku_map::ExtendError),
    /// There is no catalog, and the service does not give one now.
    #[error("there is no catalog to check against")]
    Catalog(#[source] CatalogError),
    /// The ledger cannot be kept: the program stops.
    #[error("cannot keep the ledger")]
    Ledger(#[from] LedgerError),
    /// An order could not be brought further: the program stops.
    #[error("cannot bring an order to the service")]
    Submit(#[from] SubmitError),
    /// Artwork cannot be fetched at all.
    #[error("cannot check artwork")]
    Preflight(#[from] FetcherError),
    /// A thread of ours ended with a panic.
    #[error("reading the sheet ended with a defect of dropsheet")]
    Panicked,
}

impl Importer {
    /// Works a taken sheet: every order ends with an outcome in the ledger, or waits. With a turn, older sheets that
    /// have one of its orders, or change its SKU map, come first.
    pub async fn work(
        &self,
        claim: &Claim,
        inbox: &Inbox,
        stop: &Arc<AtomicBool>,
        turn: Option<&Turn>,
    ) -> Result<Worked, ImportError> {
        let worked = self.work_in_turn(claim, inbox, stop, turn).await;
        if let (Some(turn), Err(ImportError::Rejected(_))) = (turn, &worked) {
            turn.settle_map();
        }
        worked
    }

    async fn work_in_turn(
        &self,
        claim: &Claim,
        inbox: &Inbox,
        stop: &Arc<AtomicBool>,
        turn: Option<&Turn>,
    ) -> Result<Worked, ImportError> {
        let map = self.map(inbox).await?;
        let (_ahead, early) = ahead::begin(self, claim, inbox, (&map, stop));
        let read = self.read_with(claim, inbox, &map, Some(early)).await?;
        let (read, map) = match turn {
            Some(turn) => self.in_turn(claim, inbox, turn, (read, map)).await?,
            None => (read, map),
        };
        let served = match self.served(&read.skus, turn).await? {
            Ok(served) => served,
            Err(waiting) => return Ok(Worked::of(read, Some(waiting))),
        };
        if read.layout.is_sku_map() {
            if map.wait.is_some() {
                return Ok(Worked::of(read, map.wait));
            }
            let extended = self.extend_map(claim, inbox, (read, map), served).await?;
            // Nobody waits for its result, which may lie on a share that is away.
            turn.inspect(|turn| turn.settle_map());
            return Ok(extended);
        }
        let preflight = self.preflight.as_ref().map(PreflightBy::open).transpose()?;
        let by = Arc::new(By {
            submitter: Arc::clone(&self.submitter),
            preflight,
            catalog: Arc::clone(&served.snapshot),
        });
        self.progress.begin(read.index.orders());
        let (id, orders, now) = (claim.id, read.index.orders(), self.submitter.now().wall);
        let begin = self
            .submitter
            .ledger
            .write(move |store| store.begin_work(id, orders, now));
        let reworked = begin.await? > 0;
        let (tasks, waiting) = mpsc::channel(self.submitter.config.max_in_flight.clamp(1, READY));
        let pass = Pass {
            reworked,
            ..Pass::of(self, (claim, inbox), &read, (&served, map), stop)
        };
        let reading = tokio::task::spawn_blocking(move || pass.run(read, &tasks));
        let waited = self.drive(waiting, &by).await?;
        let (read, unmapped) = reading.await.map_err(|_panic| ImportError::Panicked)??;
        Ok(Worked {
            unmapped,
            ..Worked::of(read, waited)
        })
    }

    /// The day in the zone of the days.
    fn today(&self) -> Date {
        self.submitter.now().wall.to_zoned(self.zone.clone()).date()
    }

    /// Reads the whole sheet once.
    pub async fn read(&self, claim: &Claim, inbox: &Inbox) -> Result<Read, ImportError> {
        self.read_with(claim, inbox, &sku_map::Map::default(), None).await
    }

    async fn read_with(
        &self,
        claim: &Claim,
        inbox: &Inbox,
        map: &sku_map::Map,
        early: Option<UnboundedSender<Early>>,
    ) -> Result<Read, ImportError> {
        let path = self.spool.join(&claim.new.hash);
        let (name, inbox, scratch) = (claim.new.sheet_name.clone(), inbox.clone(), self.spool.clone());
        let map = map.clone();
        let (is_fresh, hash) = (self.copies.is_fresh(claim), claim.new.hash.clone());
        // What was worked under the limits of its day has its result whatever they have come to be.
        let limits = match claim.state {
            ClaimState::Worked | ClaimState::Done => Limits::NONE,
            ClaimState::Taken | ClaimState::Rejected => inbox.limits,
        };
        let reading = tokio::task::spawn_blocking(move || {
            let opened = if is_fresh {
                File::open(&path)
            } else {
                spool::open_whole(&path, &hash)
            };
            let file = opened.map_err(|source| ImportError::Spool { path, source })?;
            // Where nobody listens any more, it is not needed.
            let tell = |said| drop(early.as_ref().map(|early| early.send(said)));
            let how = How {
                limits,
                profiles: &inbox.profiles,
                map: &map.map,
                order_prefix: &inbox.order_prefix,
                scratch: &scratch,
                early: Some(&tell),
            };
            read::read(file, &name, how).map_err(ImportError::Rejected)
        });
        reading.await.map_err(|_panic| ImportError::Panicked)?
    }

    /// Brings every order that the second pass gives to its outcome, many at a time. Gives why some have to wait.
    async fn drive(
        &self,
        mut tasks: mpsc::Receiver<Task>,
        by: &Arc<By>,
    ) -> Result<Option<(Code, String)>, ImportError> {
        let most = under_way_at_once(self.submitter.config.max_in_flight);
        let mut under_way = JoinSet::new();
        let mut waiting = None;
        let mut tickets = Tickets::default();
        while let Some(mut task) = tasks.recv().await {
            if let Task::Send(job) = &mut task
                && job.terms.daily.is_some()
            {
                job.ticket = Some(tickets.next_ticket());
            }
            if under_way.len() >= most
                && let Some(done) = under_way.join_next().await
            {
                self.progress.end(note(done, &mut waiting)?);
            }
            let by = Arc::clone(by);
            // In a place of its own, which is not moved again: it holds a whole order.
            let carried: Pin<Box<dyn Future<Output = Carried> + Send>> =
                Box::pin(async move { carry_out(&by, task).await });
            under_way.spawn(carried);
        }
        while let Some(done) = under_way.join_next().await {
            self.progress.end(note(done, &mut waiting)?);
        }
        Ok(waiting)
    }
}

/// Most orders that are judged and not under way yet: enough that nobody waits for the next one, and a few KB each.
const READY: usize = 16;

/// How many orders are under way where so many requests may be: others wait for the ledger, or for their turn at the
/// service, so that a place there is not kept empty by a commit. Where many are, their answers come in volleys, and the
/// orders of a whole volley wait for the ledger together. One at a time stays one at a time.
fn under_way_at_once(requests: usize) -> usize {
    let volley = if requests < MANY { 0 } else { requests.min(VOLLEY) };
    requests.saturating_add(volley.max(requests / 2)).max(1)
}

/// Requests at once of which the answers come in volleys, and the most that are expected in one.
const MANY: usize = 16;
const VOLLEY: usize = 32;

/// Notes why an order waits, where it does; gives how many orders came to their end with it.
fn note(
    done: Result<Carried, tokio::task::JoinError>,
    waiting: &mut Option<(Code, String)>,
) -> Result<u64, ImportError> {
    let carried = done.map_err(|_panic| ImportError::Panicked)??;
    let ended = u64::from(carried.is_none());
    // What a cancel waits for is its own: an order that is to be sent waits for something else.
    let is_open = waiting
        .as_ref()
        .is_none_or(|(code, _why)| *code == Code::CancelAsked);
    *waiting = carried.filter(|_reason| is_open).or(waiting.take());
    Ok(ended)
}

/// Why every order of a sheet is held: it has more than its inbox sends without approval.
pub fn too_many(index: &Index, inbox: &Inbox) -> Option<Hold> {
    let orders = index.orders();
    inbox
        .max_orders_per_sheet
        .filter(|most| orders > *most)
        .map(|most| over_sheet(orders, most))
}

/// The limits of the checks in an inbox.
pub fn check_limits(inbox: &Inbox) -> check::Limits {
    check::Limits {
        order_prefix: inbox.order_prefix.clone(),
        province_when_blank: inbox.province_when_blank.clone(),
        has_sku_map: inbox.sku_map.is_some(),
        asks_for_skus: inbox.sku_map.is_some(),
        ..check::Limits::default()
    }
}

/// Whether a taken sheet sends its orders.
pub(crate) fn sends(purpose: Purpose) -> bool {
    purpose == Purpose::Send
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_that_is_to_be_sent_does_not_wait_for_what_a_cancel_waits_for() {
        let codes = [
            Code::CancelAsked,
            Code::Stopped,
            Code::CancelAsked,
            Code::ServiceAway,
        ];
        let mut waiting = None;
        let told: Vec<_> = codes
            .into_iter()
            .map(|code| {
                note(Ok(Ok(Some((code, String::new())))), &mut waiting).unwrap();
                note(Ok(Ok(None)), &mut waiting).unwrap();
                waiting.as_ref().map(|(code, _why)| *code)
            })
            .collect();
        let expected = [Code::CancelAsked, Code::Stopped, Code::Stopped, Code::Stopped];
        assert_eq!(told, expected.map(Some));
    }
}
