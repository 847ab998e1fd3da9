//! What a run needs, opened: the ledger, a client and a catalog an account, a desk an inbox.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::tz::TimeZone;

use super::hand::Hand;
use super::keep::Awaited;
use super::{DaemonError, Desk, forgotten, months, open_ledger};
use crate::attention::{self, Configured, Kind, Need};
use crate::catalog::cache::Cache;
use crate::clock::{Clock, Now};
use crate::config::{Account, Config, Inbox};
use crate::files;
use crate::import::turns::Turns;
use crate::import::{Copies, Importer, PreflightBy, Progress};
use crate::inbox::{Folder, spool};
use crate::ledger::{Ledger, LedgerError, Store};
use crate::refresh::Catalog;
use crate::service::Client;
use crate::submit::{Health, Submitter};

/// How many of an account's newest creates are counted among the requests of its ceiling at a start.
const MOST_CREATES: u32 = 200;

/// Everything a run works with.
#[derive(Clone, Debug)]
pub struct Desks {
    /// The ledger.
    pub ledger: Arc<Ledger>,
    /// By account name.
    pub accounts: BTreeMap<String, Arc<Importer>>,
    /// By inbox, in the order of the config.
    pub inboxes: Vec<Arc<Desk>>,
    /// What the config has worked.
    pub worked: Arc<Configured>,
    /// The clock.
    pub clock: Clock,
    /// Held by whoever writes the papers and the months' reports: the account's own task and a command's request may come at
    /// once.
    pub writing: Arc<tokio::sync::Mutex<()>>,
    /// How often a person was told.
    pub told: crate::notify::Figures,
}

impl Desks {
    /// Turns away everybody who waits for a service, or for a pause of it to pass: the program is ending.
    pub fn end(&self) {
        for importer in self.accounts.values() {
            importer.submitter.health.end();
            importer.submitter.client.end();
        }
    }

    /// The desk of an inbox.
    pub fn desk(&self, inbox: &str) -> Option<&Arc<Desk>> {
        self.inboxes.iter().find(|desk| desk.inbox.name == inbox)
    }
}

/// How long orders of an account wait for its service while that is away; none is for as long as it takes.
pub type Patience = fn(&Account) -> Option<Duration>;

/// Opens the ledger, settles what a killed process left as `sending`, and makes a desk an inbox. `doing` is said to whoever
/// finds the ledger locked: the command.
pub async fn open(
    config: &Config,
    doing: &str,
    clock: Clock,
    patience: Patience,
    progress: Arc<Progress>,
) -> Result<Desks, DaemonError> {
    let ledger = Arc::new(open_ledger(config, doing)?);
    let now = clock.now();
    // Before anything else is written: each event brings it nearer to the one that was here, and a start that fails after
    // some leaves one that seems to be as far.
    if ledger.is_behind()? {
        distrust(&ledger, config, now.clone()).await?;
    }
    let left = ledger.write(move |store| store.recover(&now)).await?;
    if left > 0 {
        tracing::warn!(
            orders = left,
            "creates were under way when dropsheet was last stopped; they are looked up"
        );
    }
    let home = files::folder_of(&config.ledger).to_owned();
    let spool = super::spool_of(config);
    spool::sweep(&spool).map_err(|source| DaemonError::Spool {
        path: spool.clone(),
        source,
    })?;
    months::sweep(&ledger, config);
    let cache = Arc::new(Cache::open_or_do_without(&home.join("catalog.db")).map_err(DaemonError::Cache)?);
    let mut accounts = BTreeMap::new();
    for account in &config.accounts {
        let submitter = submitter((account, &config.zone), &ledger, &clock, patience(account)).await?;
        let importer = Importer {
            catalog: Arc::new(Catalog::new(
                Arc::clone(&submitter.client),
                Arc::clone(&cache),
                config.zone.clone(),
            )),
            submitter: Arc::new(submitter),
            catalog_max_age: config.catalog_max_age,
            spool: spool.clone(),
            keep_spool: config.keep_spool,
            copies: Arc::new(Copies::new(clock.now().wall)),
            map_files: Arc::default(),
            zone: config.zone.clone(),
            progress: Arc::clone(&progress),
            preflight: preflight_by(config, &cache, &clock),
        };
        accounts.insert(account.name.clone(), Arc::new(importer));
    }
    let (turns, awaited) = (Arc::default(), Arc::new(Awaited::all(&config.inboxes)));
    let worked = Arc::new(Configured::of(&config.accounts, &config.inboxes));
    let mut inboxes = Vec::new();
    for inbox in &config.inboxes {
        if let Some(importer) = accounts.get(&inbox.account) {
            inboxes.push(Arc::new(desk((inbox, &awaited), importer, &worked, &turns)?));
        }
    }
    let desks = Desks {
        ledger,
        accounts,
        inboxes,
        worked,
        clock,
        writing: Arc::default(),
        told: crate::notify::Figures::default(),
    };
    say_who_is_stranded(&desks)?;
    tell_their_sheets(&desks).await?;
    Ok(desks)
}

fn desk(
    (inbox, awaited): (&Inbox, &Arc<Awaited>),
    importer: &Arc<Importer>,
    worked: &Arc<Configured>,
    turns: &Arc<Turns>,
) -> Result<Desk, DaemonError> {
    Ok(Desk {
        inbox: inbox.clone(),
        folder: Folder::new(inbox.path.clone()),
        worked: Arc::clone(worked),
        importer: Arc::clone(importer),
        stop: Arc::default(),
        recovered: AtomicBool::new(false),
        distrusted: AtomicBool::new(false),
        goes_by_its_name: AtomicBool::new(false),
        looks: super::looks::Looks::default(),
        hand: Hand::start(&inbox.name).map_err(DaemonError::Thread)?,
        lookout: Hand::start(&inbox.name).map_err(DaemonError::Thread)?,
        outside: Hand::start(&inbox.name).map_err(DaemonError::Thread)?,
        unswept: Mutex::default(),
        unheard: Mutex::default(),
        put_away_at: Mutex::default(),
        turns: Arc::clone(turns),
        awaited: Arc::clone(awaited),
        heeding: AtomicBool::new(false),
        told_parcels: AtomicBool::new(false),
    })
}

/// What artwork is looked at with, where the config says that it is.
fn preflight_by(config: &Config, cache: &Arc<Cache>, clock: &Clock) -> Option<PreflightBy> {
    config.preflight.enabled.then(|| PreflightBy {
        settings: config.preflight.clone(),
        cache: Arc::clone(cache),
        clock: clock.clone(),
    })
}

/// The ledger was put back from before. What it has forgotten of orders is told by the service, and of sheets it is looked
/// for in each inbox: all of that is written at once, so that no failure leaves a ledger that is trusted in part.
async fn distrust(ledger: &Ledger, config: &Config, now: Now) -> Result<(), LedgerError> {
    tracing::warn!("the ledger is older than the one that was here: creates wait for absent_after");
    let accounts = config.accounts.clone();
    let inboxes = config.inboxes.iter().map(|inbox| inbox.name.clone());
    let inboxes: Vec<String> = inboxes.collect();
    let follows = move |store: &Store<'_>| {
        distrust_accounts(store, &accounts, &now)?;
        forgotten::begin(store, &inboxes, None, now.wall)
    };
    ledger.begin_anew(follows).await
}

/// Nothing leaves for any account, of the config or of the ledger, before what the ledger has forgotten must show in the
/// service's list, and then each order is looked up first.
pub(super) fn distrust_accounts(
    store: &Store<'_>,
    accounts: &[Account],
    now: &Now,
) -> Result<(), LedgerError> {
    // One that is refused is refused before any is written.
    for account in accounts {
        store.known_account(&account.name, &account.base_url, &account.email)?;
    }
    for account in accounts {
        store.account(&account.name, &account.base_url, &account.email)?;
    }
    let known = store.accounts()?.into_iter();
    known
        .map(|(account, _name)| account)
        .try_for_each(|account| store.distrust(account, now))
}

/// A sheet that was taken from an inbox which is no longer in the config is worked by nobody, an order that was approved
/// there is sent by nobody, and nobody asks about what is open at an account that is not in it.
fn say_who_is_stranded(desks: &Desks) -> Result<(), LedgerError> {
    for claim in desks.ledger.read(|store| store.open_claims())? {
        if desks.desk(&claim.new.inbox).is_none() {
            tracing::error!(
                inbox = claim.new.inbox,
                sheet = claim.new.sheet_name,
                "it is not at its end, and its inbox is not in the config; unless that is called otherwise there by now, put \
                 it back to have it finished"
            );
        }
    }
    for need in needs_nobody_sees_to(desks)? {
        let order_id = need.order_id.as_deref().unwrap_or_default();
        tracing::error!(order_id, inbox = need.inbox, "{} {}", need.what, need.todo);
    }
    Ok(())
}

/// The sheets of orders that nobody carries on with this config say so, and say otherwise again when somebody does: the
/// merchant reads no more than them.
async fn tell_their_sheets(desks: &Desks) -> Result<(), LedgerError> {
    let (before, left) = desks.ledger.read(|store| {
        let left = attention::left_to_nobody(store, &desks.worked)?;
        Ok((store.left_to_nobody()?, left))
    })?;
    if before == left {
        return Ok(());
    }
    desks
        .ledger
        .write(move |store| store.put_left_to_nobody(&left))
        .await
}

/// What nobody carries on with this config, as sentences: orders, and sheets that are not at their end.
pub(super) fn left_undone(desks: &Desks) -> Result<Vec<String>, LedgerError> {
    let (mut unasked, mut unsent) = (BTreeMap::<_, usize>::new(), BTreeMap::<_, usize>::new());
    for need in needs_nobody_sees_to(desks)? {
        if need.kind == Kind::Stranded {
            *unsent.entry(need.inbox).or_default() += 1;
        } else {
            *unasked.entry(need.account).or_default() += 1;
        }
    }
    let mut unfinished = BTreeMap::<_, usize>::new();
    for claim in desks.ledger.read(|store| store.open_claims())? {
        if desks.desk(&claim.new.inbox).is_none() {
            *unfinished.entry(claim.new.inbox).or_default() += 1;
        }
    }
    let unasked = unasked.into_iter().map(|(account, n)| {
        format!(
            "account `{account}` is not in the config: nobody asks its service about orders without an answer or a \
             confirmed cancel: {n}; see `dropsheet status`"
        )
    });
    let unsent = unsent.into_iter().map(|(inbox, n)| {
        format!(
            "inbox `{inbox}`: orders that nobody sends, for it is not in the config, or belongs to another account there: \
             {n}; see `dropsheet status`"
        )
    });
    let unfinished = unfinished.into_iter().map(|(inbox, n)| {
        format!(
            "inbox `{inbox}` is not in the config, and sheets of it are not at their end: {n}; put [inbox.{inbox}] back \
             to have them finished"
        )
    });
    Ok(unasked.chain(unsent).chain(unfinished).collect())
}

/// What waits for something that nobody does with this config.
fn needs_nobody_sees_to(desks: &Desks) -> Result<Vec<Need>, LedgerError> {
    let now = desks.clock.now().wall;
    let needs = desks
        .ledger
        .read(|store| attention::needs(store, &desks.worked, now))?;
    Ok(needs
        .seen_to_by_nobody(&desks.worked)
        .into_iter()
        .cloned()
        .collect())
}

async fn submitter(
    (account, zone): (&Account, &TimeZone),
    ledger: &Arc<Ledger>,
    clock: &Clock,
    patience: Option<Duration>,
) -> Result<Submitter, DaemonError> {
    let client = client(account, clock)?;
    let (name, url, email) = (
        account.name.clone(),
        account.base_url.clone(),
        account.email.clone(),
    );
    let in_ledger = ledger
        .write(move |store| store.account(&name, &url, &email))
        .await?;
    let boot = clock.now().boot;
    if let Some(limit) = account.rate_limit {
        let created = ledger.read(|store| store.newest_creates(in_ledger, MOST_CREATES))?;
        let ages: Vec<Duration> = created.iter().filter_map(|one| boot.since(&one.at)).collect();
        client.count_earlier(&limit.asked_before(&ages));
    }
    let health = Health::begun((ledger, in_ledger), patience, &boot)?;
    Ok(Submitter::new(
        Arc::clone(ledger),
        client,
        (in_ledger, account.clone()),
        health,
        (clock.clone(), zone.clone()),
    ))
}

/// A client of an account, on a machine with these clocks; its password is read here.
pub fn client(account: &Account, clock: &Clock) -> Result<Arc<Client>, DaemonError> {
    let client = Client::new(account.service(clock)?).map_err(|source| DaemonError::Client {
        account: account.name.clone(),
        source,
    })?;
    Ok(Arc::new(client))
}
