//! One pass over every inbox, for cron and timers.

mod account;
mod needs;
mod outside;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::try_join_all;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::backup::{self, check_or_make_if_due};
use super::forgotten::Searcher;
use super::papers::write_papers;
use super::requests;
use super::{DaemonError, Desk, Desks, Patience, Report, SheetReport, open};
use crate::clock::{BootTime, Clock};
use crate::config::{Config, Notify};
use crate::filing::take::{TakeError, Taken};
use crate::import::Progress;
use crate::import::turns::Turn;
use crate::ledger::record::Claim;

pub use outside::{Sheets, import};

/// Until then a single pass waits for a service that is away; the rest of a sheet is `waiting` after it.
const PATIENCE: Patience = |account| Some(account.settle_for);

/// A file that is still changing after this many times `stable_for` is left for the next pass.
pub(super) const STABLE_ROUNDS: u32 = 3;

/// Works every inbox once: what is there now is taken as soon as it has been unchanged for long enough. Where it stops
/// by itself, a person is told.
pub async fn run_once(
    config: &Config,
    progress: Arc<Progress>,
    ending: &CancellationToken,
) -> Result<Report, DaemonError> {
    let ended = work_once(config, progress, ending).await;
    if let Err(error) = &ended {
        super::last::tell(config, error).await;
    }
    ended
}

async fn work_once(
    config: &Config,
    progress: Arc<Progress>,
    ending: &CancellationToken,
) -> Result<Report, DaemonError> {
    if config.inboxes.is_empty() {
        return Err(DaemonError::NoInbox {
            config: config.path.clone(),
        });
    }
    config
        .notify
        .as_ref()
        .map_or(Ok(()), Notify::refuse_without_password)?;
    let desks = open(
        config,
        "dropsheet run --once",
        Clock::system(),
        PATIENCE,
        progress,
    )
    .await?;
    if let Some(notify) = &config.notify {
        super::concerns::begin(&desks, notify).await?;
    }
    let worked = work_desks(config, &desks, ending);
    until_told(&desks, ending, worked).await
}

/// Does work to its end. As soon as the program is to end, what has not left for a service stays.
async fn until_told<T>(desks: &Desks, ending: &CancellationToken, work: impl Future<Output = T>) -> T {
    // It holds a whole pass, and is not moved again.
    let mut work = Box::pin(work);
    tokio::select! {
        done = &mut work => return done,
        () = ending.cancelled() => desks.end(),
    }
    work.await
}

async fn work_desks(
    config: &Config,
    desks: &Desks,
    ending: &CancellationToken,
) -> Result<Report, DaemonError> {
    let mut report = Report::default();
    let needed = needs::by_the_service(desks)?;
    let ready = see_to_leftovers(desks, &mut report).await?;
    // All at once: a large sheet in one inbox makes nobody in another wait, and neither does a share that falls silent.
    let mut passes = JoinSet::new();
    for (place, desk) in ready.into_iter().enumerate() {
        let ending = ending.clone();
        passes.spawn(async move { (place, pass_or_give_up(&desk, &ending).await) });
    }
    let mut passed = BTreeMap::new();
    while let Some(done) = passes.join_next().await {
        let (place, done) = done.map_err(|_panic| DaemonError::Panicked)?;
        passed.insert(place, done?);
    }
    for one in passed.into_values() {
        report.waiting_files += one.waiting_files;
        report.take_over(one);
    }
    end(desks, &mut report, ending).await?;
    report.held = needs::held(desks)?;
    let needed = needs::added(&needed, &needs::by_the_service(desks)?);
    report.troubles.extend(needed);
    check_or_make_if_due(desks, &config.zone).await?;
    report.troubles.extend(backup::trouble(&desks.ledger)?);
    if let Some(desk) = desks.inboxes.first().cloned() {
        // Not by its hand, which a folder that does not answer may hold.
        let noting = tokio::task::spawn_blocking(move || {
            desk.note_catalog().map(|()| desk.importer.catalog.not_kept())
        });
        let without = noting.await.map_err(|_panic| DaemonError::Panicked)?;
        report.troubles.extend(without?);
    }
    let config = Arc::new(config.clone());
    for desk in &desks.inboxes {
        super::tell::passed(desk, &config).await?;
    }
    super::tidy::if_due(desks, &config, &mut false).await?;
    super::months::if_due(desks, &config).await?;
    if let Some(notify) = &config.notify {
        report
            .troubles
            .extend(super::concerns::passed(desks, &config, notify).await?);
    }
    Ok(report)
}

/// Sees to what killed processes left, in every inbox before anything of another is sent; gives the inboxes that can be
/// worked. All at once: of the shares that are silent none waits for another.
async fn see_to_leftovers(desks: &Desks, report: &mut Report) -> Result<Vec<Arc<Desk>>, DaemonError> {
    let seen = try_join_all(desks.inboxes.iter().map(see_to)).await?;
    let mut ready = Vec::new();
    for (desk, seen) in desks.inboxes.iter().zip(seen) {
        match seen {
            Ok(()) => {
                report.inboxes += 1;
                ready.push(Arc::clone(desk));
            }
            Err(trouble) => tell_trouble(desk, &trouble, report),
        }
    }
    Ok(ready)
}

/// The same in one inbox; in the inner error, why it cannot be worked.
async fn see_to(desk: &Arc<Desk>) -> Result<Result<(), String>, DaemonError> {
    if let Some(trouble) = trouble_of(desk).await? {
        return Ok(Err(trouble));
    }
    let seen = desk.in_good_time("look", |desk| noted(desk, desk.see_to_leftovers()));
    let seen = seen.await?.unwrap_or_else(|| Ok(Err(desk.no_answer())))?;
    if seen.is_ok() {
        desk.let_orders_leave();
    }
    Ok(seen)
}

/// What is wrong with an inbox's folder, be it that it does not answer.
async fn trouble_of(desk: &Arc<Desk>) -> Result<Option<String>, DaemonError> {
    let trouble = desk.in_time("look", Desk::trouble).await?;
    Ok(trouble.unwrap_or_else(|| Some(desk.no_answer())))
}

/// A look at an inbox, at what has come by a moment where one is given; in the inner error, why the inbox cannot be worked.
async fn look(desk: &Arc<Desk>, latest: Option<&BootTime>) -> Result<Result<Taken, String>, DaemonError> {
    if let Some(trouble) = trouble_of(desk).await? {
        return Ok(Err(trouble));
    }
    // To copy a large sheet from a slow share takes its time.
    let latest = latest.cloned();
    let look = move |looker: &Desk| or_trouble(looker, looker.look_at_older(latest.as_ref()));
    desk.by_hand("look", look).await?
}

/// What a look came to; in the inner error, why nothing may be sent there now. What is wrong with one inbox's folder is no
/// other inbox's trouble, and what was taken from it before goes on, as under a daemon.
fn or_trouble(desk: &Desk, looked: Result<Taken, DaemonError>) -> Result<Result<Taken, String>, DaemonError> {
    Ok(noted(desk, looked)?.or_else(|why| {
        if !desk.is_recovered() {
            return Err(why);
        }
        let troubles = vec![desk.with_name(&why)];
        Ok(Taken {
            troubles,
            ..Taken::default()
        })
    }))
}

/// What was done in an inbox's folder; in the inner error, which is noted, why that cannot be worked. Waits for the disk.
fn noted<T>(desk: &Desk, done: Result<T, DaemonError>) -> Result<Result<T, String>, DaemonError> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(DaemonError::Take(error @ TakeError::Folder { .. })) => {
            let why = crate::causes::chain(&error);
            desk.note_trouble(&why)?;
            Ok(Err(why))
        }
        Err(error) => Err(error),
    }
}

/// Says that an inbox cannot be worked.
fn tell_trouble(desk: &Desk, trouble: &str, report: &mut Report) {
    tracing::error!(inbox = desk.inbox.name, "{trouble}");
    report.tell(vec![desk.with_name(trouble)]);
}

/// The files that a look has rejected without taking them, and what it says of a person's decisions.
fn seen(desk: &Desk, taken: &Taken) -> Report {
    let rejected = taken.rejected.iter().map(|file| SheetReport {
        inbox: desk.inbox.name.clone(),
        sheet: file.name(),
        rejected: Some(file.why.clone()),
        ..SheetReport::default()
    });
    Report {
        sheets: rejected.collect(),
        troubles: taken.troubles.clone(),
        ..Report::default()
    }
}

/// A pass, which is not waited for any longer where the inbox's folder does not answer amid it. What it has begun stays as
/// a killed process leaves it, and goes on at the next pass.
async fn pass_or_give_up(desk: &Arc<Desk>, ending: &CancellationToken) -> Result<Report, DaemonError> {
    let worker = Arc::clone(desk);
    let ending = ending.clone();
    let mut passed = AbortOnDropHandle::new(tokio::spawn(async move { pass(&worker, &ending).await }));
    tokio::select! {
        passed = &mut passed => passed.map_err(|_panic| DaemonError::Panicked)?,
        () = desk.falls_silent() => {
            // Not stopped: what has left for a service meanwhile has its answer written down.
            drop(passed.detach());
            desk.turns.give_up(&desk.inbox.name);
            let mut report = Report::default();
            tell_trouble(desk, &desk.no_answer(), &mut report);
            Ok(report)
        }
    }
}

/// Works an inbox once, then keeps its `help/` fresh: sheets come first.
async fn pass(desk: &Arc<Desk>, ending: &CancellationToken) -> Result<Report, DaemonError> {
    let mut searcher = Searcher::default();
    let (mut report, searched) = tokio::try_join!(take_and_work(desk, ending), searcher.round(desk, ending))?;
    // What was dropped again meanwhile is settled.
    report.troubles.extend(searched.told(desk)?);
    ending
        .run_until_cancelled(super::help::read_catalog(&desk.importer))
        .await;
    super::help::keep_later(desk).await?;
    Ok(report)
}

/// Takes and works what an inbox holds at the start, and what changes shortly after.
async fn take_and_work(desk: &Arc<Desk>, ending: &CancellationToken) -> Result<Report, DaemonError> {
    let mut report = Report::default();
    let grace = desk.inbox.stable_for * STABLE_ROUNDS;
    let mut give_up = Instant::now() + grace;
    // What comes later than that after the first look is the next pass's: files that keep coming keep none from its end.
    let mut latest: Option<BootTime> = None;
    let from_before = desk.open_claims()?.last().map(|claim| claim.id);
    loop {
        let begun = Instant::now();
        let taken = match look(desk, latest.as_ref()).await? {
            Ok(taken) => taken,
            // What was taken goes on at the next pass.
            Err(trouble) => {
                tell_trouble(desk, &trouble, &mut report);
                return Ok(report);
            }
        };
        report.take_over(seen(desk, &taken));
        let looked = Instant::now();
        latest.get_or_insert_with(|| &desk.importer.submitter.now().boot + grace);
        let mut claims = desk.open_claims()?;
        claims.retain(|claim| !report.sheets.iter().any(|sheet| sheet.claim == Some(claim.id)));
        let next = taken.ready_in.map(|ready_in| looked + ready_in);
        // What waits since an earlier pass may be canceled by what lies there now: that is taken first.
        let has_waited = claims.iter().any(|claim| Some(claim.id) <= from_before);
        if let Some(next) = next.filter(|next| *next <= give_up && has_waited && !ending.is_cancelled()) {
            super::pause_until(next, ending).await;
            give_up += looked.duration_since(begun);
            continue;
        }
        desk.hear_cancels_once(&claims).await?;
        // All of them from the start: younger ones of an inbox that has the same SKU map wait for theirs.
        let begin = |claim: Claim| {
            let turn = desk.turn(&claim);
            turn.work();
            (claim, turn)
        };
        let claims: Vec<(Claim, Turn)> = claims.into_iter().map(begin).collect();
        for (claim, turn) in claims {
            report.sheets.push(if ending.is_cancelled() {
                let name = claim.new.sheet_name.clone();
                SheetReport {
                    claim: Some(claim.id),
                    ..unbegun(desk, name, "The next run works it.")
                }
            } else {
                desk.ask_to_leave().await?;
                desk.work_if_all_are_heard(&claim, &turn).await?
            });
        }
        let Some(next) = next else {
            left_for_later(desk, &taken, &mut report);
            return Ok(report);
        };
        // Only what is waited for counts: what lay there at the start is taken however long the work lasts.
        give_up += begun.elapsed();
        if ending.is_cancelled() || next > give_up {
            left_for_later(desk, &taken, &mut report);
            return Ok(report);
        }
        super::pause_until(next, ending).await;
    }
}

/// Notes the files that a pass leaves for a later one, and those that no pass can take as they are.
fn left_for_later(desk: &Desk, taken: &Taken, report: &mut Report) {
    report.waiting_files += taken.left_for_later();
    let unreadable = taken.unreadable.iter().map(|(path, why)| {
        let what = format!(
            "{} cannot be read: {why}; let dropsheet read it, or take it away",
            path.display()
        );
        desk.with_name(&what)
    });
    report.tell(unreadable.collect());
}

/// A sheet that was not begun before the end, and what is to be done with it.
fn unbegun(desk: &Desk, sheet: String, then: &'static str) -> SheetReport {
    SheetReport {
        inbox: desk.inbox.name.clone(),
        sheet,
        unbegun: Some(then),
        ..SheetReport::default()
    }
}

/// Looks for orders without an answer for a while, writes the news into results, and counts what is left.
async fn end(desks: &Desks, report: &mut Report, ending: &CancellationToken) -> Result<(), DaemonError> {
    for desk in &desks.inboxes {
        desk.ask_to_leave().await?;
    }
    // All at once: one that is away takes no other's time.
    let accounts = desks.accounts.values();
    let ended = try_join_all(accounts.map(|importer| account::end(importer, ending)));
    for ended in ended.await? {
        report.approved += ended.approved;
        report.unresolved += ended.unresolved;
        report.undecided += ended.undecided;
        report.canceling += ended.canceling;
        report.troubles.extend(ended.troubles);
    }
    report.troubles.extend(super::account::left_undone(desks)?);
    for desk in &desks.inboxes {
        tokio::select! {
            biased;
            told = tell_news(desk, report) => told?,
            () = desk.falls_silent() => tell_trouble(desk, &desk.no_answer(), report),
        }
    }
    requests::serve_open(desks).await?;
    write_papers(desks).await
}

/// Writes what there is to tell of an inbox into its folder, and into those of its imports.
async fn tell_news(desk: &Arc<Desk>, report: &mut Report) -> Result<(), DaemonError> {
    let Some(trouble) = desk.in_time("look", Desk::trouble).await? else {
        return Ok(());
    };
    let news = desk.write_news(trouble.is_some()).await?;
    let troubles = news.troubles.iter().map(|told| desk.with_name(told));
    report.tell(troubles.collect());
    for (claim, written) in news.written {
        if let Some(sheet) = report.sheets.iter_mut().find(|sheet| sheet.claim == Some(claim)) {
            sheet.tell(written);
        }
    }
    if trouble.is_none() {
        desk.write_held_sheets().await?;
    }
    desk.say_what_waits().await
}
