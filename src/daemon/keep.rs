//! The scheduler of an inbox: it starts a look when something rings or the period is over, works the sheets that were
//! taken, several at once, and writes the news. It does no file call itself and waits for none, so that it goes round
//! while a share does not answer; as it goes round it beats for the watchdog.

mod first;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(super) use self::first::Awaited;
use self::first::FirstFiles;
use super::pulse::Pulse;
use super::watcher::Bell;
use super::{DaemonError, Desk, SheetReport, help};
use crate::filing::take::{TakeError, is_open};
use crate::import::turns::{Contents, Turn};
use crate::inbox::NO_ANSWER;
use crate::ledger::record::{Claim, ClaimRef};
use crate::order::Ids;
use crate::status::text::plain;

/// The shortest time between two looks, so that a folder that rings without end costs little.
const SHORTEST: Duration = Duration::from_millis(200);

/// How often the scheduler goes round at least.
const BEAT: Duration = Duration::from_millis(500);

/// How often news are looked for.
const NEWS: Duration = Duration::from_secs(2);

/// What could not be written again is tried again after this time.
const NEWS_AGAIN: Duration = Duration::from_mins(1);

/// Most sheets of an inbox that are worked at once.
const AT_ONCE: usize = 8;

/// Most of them that are large.
const LARGE_AT_ONCE: usize = 2;

/// Most sheets that wait for room while younger ones pass them: each is read meanwhile, to know what is in it.
const PASSED: usize = 32;

/// A sheet with more bytes is large: some thousand orders. Fewer take but a moment, and always find room.
const LARGE: u64 = 1 << 20;

/// Looks at an inbox and works what lies in it, until the program ends.
pub(super) async fn keep(
    desk: &Arc<Desk>,
    pulse: &Pulse,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    let mut keeper = Keeper::new(desk);
    // What is under way with the files is finished too, so that nothing half written is left.
    while !(ending.is_cancelled() && keeper.tasks.is_empty()) {
        pulse.beat(&desk.inbox.name, keeper.under_way.len());
        if !ending.is_cancelled() {
            keeper.start();
        }
        keeper.wait(ending).await?;
    }
    pulse.end(&desk.inbox.name);
    Ok(())
}

struct Keeper {
    desk: Arc<Desk>,
    ring: Arc<Notify>,
    bell: Arc<Mutex<Bell>>,
    tasks: JoinSet<Result<Done, DaemonError>>,
    /// The taken sheets that are not done. Thousands may come at once: they are not listed anew for each that ends.
    open: BTreeMap<ClaimRef, Claim>,
    /// The sheets that are worked now, and whether they are large.
    under_way: BTreeMap<ClaimRef, bool>,
    /// Sheets for which there is no room yet: what is in them is known, so that none of their orders is passed.
    waiting: BTreeMap<ClaimRef, Arc<Turn>>,
    /// Sheets whose orders wait are not read again before this.
    rests: HashMap<ClaimRef, Instant>,
    /// The open sheets of which the cancels are heard, or are being heard.
    heard: BTreeSet<ClaimRef>,
    /// Those of them that were listened to, be it in vain, with all that are younger and were open by then: they may be begun.
    ready: BTreeSet<ClaimRef>,
    hearing: bool,
    first_files: FirstFiles,
    looking: bool,
    next_look: Instant,
    tidying: bool,
    /// None until it is known what the folder is: nothing is written there before.
    next_tidy: Option<Instant>,
    /// Why the folder cannot be worked.
    trouble: Option<String>,
    seen: Seen,
}

/// What was seen last, to tell when it changes.
#[derive(Default)]
struct Seen {
    /// The folder did not answer.
    no_answer: bool,
    /// A file named `STOP` was there.
    stopped: bool,
    /// Why no sheets could be taken.
    not_taken: Option<String>,
}

/// What has come to its end.
enum Done {
    Looked(Looked),
    Tidied {
        left: usize,
    },
    Worked(ClaimRef, Box<SheetReport>),
    /// What is in a sheet that waits is known.
    Read,
    /// What sheets ask to cancel is known, but for these, whose copies could not be opened.
    Heard(Vec<ClaimRef>),
}

/// What a look has shown.
#[derive(Default)]
struct Looked {
    trouble: Option<String>,
    /// Why no sheets can be taken, though those that were can be worked.
    not_taken: Option<String>,
    ready_in: Option<Duration>,
    stopped: bool,
}

impl Keeper {
    fn new(desk: &Arc<Desk>) -> Self {
        Self {
            desk: Arc::clone(desk),
            ring: Arc::default(),
            bell: Arc::new(Mutex::new(Bell::silent())),
            tasks: JoinSet::new(),
            open: BTreeMap::new(),
            under_way: BTreeMap::new(),
            waiting: BTreeMap::new(),
            rests: HashMap::new(),
            heard: BTreeSet::new(),
            ready: BTreeSet::new(),
            hearing: false,
            first_files: FirstFiles::Unseen,
            looking: false,
            next_look: Instant::now(),
            tidying: false,
            next_tidy: None,
            trouble: None,
            seen: Seen::default(),
        }
    }

    /// Starts what is due.
    fn start(&mut self) {
        let now = Instant::now();
        if self.trouble.is_none() {
            self.let_leave();
        }
        if !self.looking && now >= self.next_look {
            self.looking = true;
            self.next_look = now + SHORTEST;
            let (desk, bell, ring) = (
                Arc::clone(&self.desk),
                Arc::clone(&self.bell),
                Arc::clone(&self.ring),
            );
            self.tasks.spawn(async move {
                let looked = desk
                    .by_hand("look", move |desk| look(desk, &bell, &ring))
                    .await??;
                Ok(Done::Looked(looked))
            });
        }
        let is_due = self.next_tidy.is_some_and(|next| now >= next);
        if !self.tidying && self.trouble.is_none() && is_due {
            self.tidying = true;
            let desk = Arc::clone(&self.desk);
            self.tasks.spawn(async move {
                let left = desk.write_news(false).await?.left + desk.write_held_sheets().await?;
                desk.say_what_waits().await?;
                help::keep_later(&desk).await?;
                Ok(Done::Tidied { left })
            });
        }
        self.say_no_answer();
    }

    fn say_no_answer(&mut self) {
        let stuck = matches!(self.desk.hand.doing(), Some(("look", since)) if since > NO_ANSWER);
        if stuck && !self.seen.no_answer {
            tracing::error!(
                inbox = self.desk.inbox.name,
                "its folder does not answer: is the share away? It is waited for; the other inboxes go on"
            );
            self.desk.awaited.let_be(&self.desk.inbox);
        }
        self.seen.no_answer = stuck;
    }

    /// Waits until something has ended, rings or is due.
    async fn wait(&mut self, ending: &CancellationToken) -> Result<(), DaemonError> {
        let mut next = Instant::now() + BEAT;
        if !self.looking {
            next = next.min(self.next_look);
        }
        tokio::select! {
            Some(done) = self.tasks.join_next() => {
                let done = done.map_err(|_panic| DaemonError::Panicked)??;
                self.note(done, ending)?;
            }
            () = self.ring.notified(), if !self.looking => {
                self.next_look = Instant::now() + SHORTEST;
            }
            () = tokio::time::sleep_until(next) => {}
            () = ending.cancelled(), if !ending.is_cancelled() => {}
        }
        Ok(())
    }

    fn note(&mut self, done: Done, ending: &CancellationToken) -> Result<(), DaemonError> {
        match done {
            Done::Looked(looked) => {
                self.looking = false;
                self.next_tidy.get_or_insert_with(Instant::now);
                self.list_open()?;
                let next = looked.ready_in.unwrap_or(self.desk.inbox.look);
                let next = next.min(self.desk.inbox.look).max(SHORTEST);
                self.next_look = Instant::now() + next;
                if looked.trouble.is_none() {
                    self.say_not_taken(looked.not_taken);
                    let stable_for = self.desk.inbox.stable_for;
                    self.first_files = self.first_files.seen(looked.ready_in, stable_for);
                }
                self.say(looked.trouble);
                if self.seen.stopped && !looked.stopped {
                    // What has waited for it goes on at once.
                    self.rests.values_mut().for_each(|until| *until = Instant::now());
                }
                self.seen.stopped = looked.stopped;
            }
            Done::Tidied { left } => {
                self.tidying = false;
                self.list_open()?;
                // What cannot be written now, for a folder that is away, is not tried all the time.
                self.next_tidy = Some(Instant::now() + if left > 0 { NEWS_AGAIN } else { NEWS });
            }
            Done::Read => {}
            Done::Heard(unheard) => {
                self.hearing = false;
                self.ready.extend(&self.heard);
                self.hear();
                // At the next look.
                self.heard.retain(|id| !unheard.contains(id));
            }
            Done::Worked(claim, report) => {
                self.under_way.remove(&claim);
                self.list_again(claim)?;
                self.rests.insert(claim, Instant::now() + self.desk.inbox.look);
                self.next_tidy = Some(Instant::now());
                if let Some(result) = &report.result {
                    tracing::info!(sheet = report.sheet, result = %plain(&result.display().to_string()), orders = ?report.orders, "worked");
                }
            }
        }
        if self.trouble.is_none() && !ending.is_cancelled() {
            self.let_leave();
            self.work();
        }
        Ok(())
    }

    /// Lets approved and unanswered orders leave once what lay there at the start is heard, and in the other inboxes of the
    /// account.
    fn let_leave(&mut self) {
        let (inbox, awaited) = (&self.desk.inbox, &self.desk.awaited);
        if matches!(self.first_files, FirstFiles::Taken) && !self.hearing && self.desk.is_recovered() {
            awaited.let_be(inbox);
            self.first_files = FirstFiles::Heard;
        }
        if matches!(self.first_files, FirstFiles::Heard) && awaited.is_none_of(inbox) {
            self.desk.let_orders_leave();
            self.first_files = FirstFiles::Left;
        }
    }

    fn say(&mut self, trouble: Option<String>) {
        if trouble == self.trouble {
            return;
        }
        if let Some(trouble) = &trouble {
            self.desk.awaited.let_be(&self.desk.inbox);
            tracing::error!(inbox = self.desk.inbox.name, "{trouble}; nothing is taken there");
        } else {
            tracing::info!(inbox = self.desk.inbox.name, "its folder is back");
        }
        self.trouble = trouble;
    }

    fn say_not_taken(&mut self, why: Option<String>) {
        if why == self.seen.not_taken {
            return;
        }
        if let Some(why) = &why {
            let inbox = &self.desk.inbox.name;
            tracing::error!(inbox, "{why}; it is tried again at each look");
        } else {
            tracing::info!(inbox = self.desk.inbox.name, "sheets can be taken again");
        }
        self.seen.not_taken = why;
    }

    /// Starts to work the open sheets for which there is room, oldest first.
    fn work(&mut self) {
        let (now, hearing) = (Instant::now(), self.hearing);
        // What has waited goes on waiting until it is known whether a younger sheet cancels it.
        self.rests
            .retain(|id, until| (hearing || *until > now) && self.open.contains_key(id));
        let open = std::mem::take(&mut self.open);
        for claim in open.values() {
            let is_ready = self.ready.contains(&claim.id) && !self.rests.contains_key(&claim.id);
            if self.under_way.contains_key(&claim.id) || !is_ready {
                continue;
            }
            let is_large = self.is_large(claim);
            if has_room(&self.under_way, claim.id, is_large) {
                self.begin(claim, is_large);
            } else if self.under_way.len() >= AT_ONCE || self.waiting.len() >= PASSED {
                // None that is younger is begun before it: its place is kept by that.
                break;
            } else {
                self.keep_place(claim);
            }
        }
        self.open = open;
    }

    fn begin(&mut self, claim: &Claim, is_large: bool) {
        self.under_way.insert(claim.id, is_large);
        let known = self.waiting.remove(&claim.id);
        let turn = known.unwrap_or_else(|| Arc::new(self.desk.turn(claim)));
        turn.work();
        let (desk, claim) = (Arc::clone(&self.desk), claim.clone());
        self.tasks.spawn(async move {
            let report = desk.work_if_all_are_heard(&claim, &turn).await?;
            Ok(Done::Worked(claim.id, Box::new(report)))
        });
    }

    fn list_open(&mut self) -> Result<(), DaemonError> {
        let open = self.desk.open_claims()?.into_iter();
        self.open = open.map(|claim| (claim.id, claim)).collect();
        self.heard.retain(|id| self.open.contains_key(id));
        self.ready.retain(|id| self.open.contains_key(id));
        self.hear();
        Ok(())
    }

    /// Starts to hear what new sheets ask to cancel, whether there is room for them or not.
    fn hear(&mut self) {
        let is_new = |claim: &&Claim| !self.heard.contains(&claim.id);
        let new: Vec<Claim> = self.open.values().filter(is_new).cloned().collect();
        if self.hearing || new.is_empty() {
            return;
        }
        self.hearing = true;
        self.heard.extend(new.iter().map(|claim| claim.id));
        let desk = Arc::clone(&self.desk);
        self.tasks
            .spawn(async move { Ok(Done::Heard(desk.hear_cancels(&new).await?)) });
    }

    /// Reads how far a sheet is that was worked just now.
    fn list_again(&mut self, id: ClaimRef) -> Result<(), DaemonError> {
        match self.desk.ledger().read(|store| store.claim(id))?.filter(is_open) {
            Some(claim) => self.open.insert(id, claim),
            None => self.open.remove(&id),
        };
        Ok(())
    }

    /// Reads which orders are in a sheet that has to wait, so that younger sheets with others may pass it.
    fn keep_place(&mut self, claim: &Claim) {
        if self.waiting.contains_key(&claim.id) {
            return;
        }
        let turn = Arc::new(self.desk.turn(claim));
        self.waiting.insert(claim.id, Arc::clone(&turn));
        let (desk, claim) = (Arc::clone(&self.desk), claim.clone());
        self.tasks.spawn(async move {
            // What is wrong with it is said when it is its turn.
            let (ids, extends_map) = match desk.importer.read(&claim, &desk.inbox).await {
                Ok(read) => (read.index.ids(), read.extends_map(&claim, &desk.inbox)),
                Err(_unreadable) => (Ids::of([]), false),
            };
            turn.foresee(Contents { ids, extends_map });
            Ok(Done::Read)
        });
    }

    fn is_large(&self, claim: &Claim) -> bool {
        let copy = self.desk.importer.spool.join(&claim.new.hash);
        std::fs::metadata(copy).is_ok_and(|copy| copy.len() > LARGE)
    }
}

/// Whether there is room for a sheet beside those that are worked. One that is older than all of them always finds it:
/// it comes back after a rest, say, and those that have its orders keep their room while they wait for it.
fn has_room(under_way: &BTreeMap<ClaimRef, bool>, claim: ClaimRef, is_large: bool) -> bool {
    let large = under_way.values().filter(|is_large| **is_large).count();
    let is_eldest = under_way.keys().all(|other| claim < *other);
    is_eldest || under_way.len() < AT_ONCE && !(is_large && large >= LARGE_AT_ONCE)
}

/// One look, with the bell seen to. Waits for the disk.
fn look(desk: &Desk, bell: &Mutex<Bell>, ring: &Arc<Notify>) -> Result<Looked, DaemonError> {
    let mut bell = bell.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(trouble) = desk.trouble() {
        *bell = Bell::silent();
        return Ok(Looked {
            trouble: Some(trouble),
            ..Looked::default()
        });
    }
    // Before the look: what comes after it rings.
    bell.keep(desk, ring);
    let stopped = desk.stop.load(Ordering::Relaxed);
    match desk.look() {
        Ok(taken) => Ok(Looked {
            ready_in: taken.ready_in,
            stopped,
            ..Looked::default()
        }),
        Err(DaemonError::Take(TakeError::Ledger(error)) | DaemonError::Ledger(error)) => Err(error.into()),
        Err(error) => {
            let why = crate::causes::chain(&error);
            desk.note_trouble(&why)?;
            // What a killed process left may say that nothing is to be sent for now.
            let (trouble, not_taken) = if desk.is_recovered() {
                (None, Some(why))
            } else {
                (Some(why), None)
            };
            Ok(Looked {
                trouble,
                not_taken,
                stopped,
                ..Looked::default()
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheets(ids: std::ops::Range<i64>, is_large: bool) -> BTreeMap<ClaimRef, bool> {
        ids.map(|id| (ClaimRef(id), is_large)).collect()
    }

    #[test]
    fn there_is_room_for_some_sheets_and_for_fewer_large_ones() {
        let large = sheets(1..3, true);
        assert!(has_room(&large, ClaimRef(9), false));
        assert!(!has_room(&large, ClaimRef(9), true));
        let small = sheets(1..9, false);
        assert!(!has_room(&small, ClaimRef(9), false));
    }

    #[test]
    fn the_eldest_sheet_finds_room_though_those_that_wait_for_it_have_it_all() {
        assert!(has_room(&sheets(2..4, true), ClaimRef(1), true));
        assert!(has_room(&sheets(2..10, false), ClaimRef(1), false));
        assert!(!has_room(&sheets(2..10, false), ClaimRef(10), false));
    }
}
