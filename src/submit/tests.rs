//! A submitter against a server of the bare socket, with a clock that goes on while nothing else does.

mod again;
mod approved;
mod asleep;
mod given_away;
mod reused;
mod surplus;
mod trial;
mod unpriced;
mod unsettled;

use std::sync::OnceLock;

use tokio::task::JoinHandle;

use super::*;
use crate::ledger::record::{HoldKey, NewClaim, Shown};
use crate::ledger::state::State;
use crate::ledger::{AttemptEnd, Store};
use crate::money::Money;
use crate::order::Fingerprint;
use crate::service::Settings;
use crate::service::tests::stub::{Act, Seen, Stub, fine, order};

const CREATE: &str = "create-new-order";
const QUOTE: &str = "calculate-price-order";

/// What is asked by somebody else and never answered: it stands in the way of what comes behind it.
const OTHERS: &str = "products/list";

/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_secs(30);

/// A submitter that has one request under way at most, its service, and what it sends.
struct Shop {
    stub: Stub,
    clock: Clock,
    submitter: Arc<Submitter>,
    claim: ClaimRef,
    /// Another's request that has the only place, and is never answered.
    other: Arc<Mutex<Option<JoinHandle<()>>>>,
    _folder: tempfile::TempDir,
}

/// What another asks of a service that never answers it.
async fn never_answered(client: Arc<Client>) {
    drop(client.list_products(None, 20, 0).await);
}

/// This machine's clocks.
fn machine() -> Clock {
    Clock::system()
}

/// A service without faults, which prices every order at 13.00.
fn pricing(seen: &Seen) -> Act {
    if !seen.line.contains(QUOTE) {
        return fine(seen);
    }
    let price = r#"{"status":200,"data":{"baseFee":10,"shippingFee":3,"taxFee":0,"discountFee":0,"discountShipping":0,"totalPrice":13}}"#;
    Act::Answer(200, price.to_owned())
}

impl Shop {
    /// A service without faults where another's request comes behind the first one for a price: it has the only place next,
    /// and is never answered.
    async fn crowded() -> Self {
        let other: Arc<Mutex<Option<JoinHandle<()>>>> = Arc::default();
        let asker: Arc<OnceLock<Arc<Client>>> = Arc::default();
        let crowd = (Arc::clone(&other), Arc::clone(&asker), AtomicBool::new(true));
        let script = move |seen: &Seen| {
            let (other, asker, is_first) = &crowd;
            if seen.line.contains(OTHERS) {
                return Act::Hang;
            }
            // A script is asked before the body has come, and again with it.
            if seen.line.contains(QUOTE) && !seen.body.is_empty() && is_first.swap(false, Ordering::SeqCst) {
                let asked = tokio::spawn(never_answered(Arc::clone(asker.get().unwrap())));
                *other.lock().unwrap() = Some(asked);
            }
            pricing(seen)
        };
        let shop = Self::open(machine(), script).await;
        asker.set(Arc::clone(&shop.submitter.client)).unwrap();
        Self { other, ..shop }
    }

    /// A service that does as the script says; no quote is used again.
    async fn open(clock: Clock, script: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        Self::reusing("0s", clock, script).await
    }

    /// The same, where quotes are used again for so long.
    async fn reusing(
        quote_reuse: &str,
        clock: Clock,
        script: impl Fn(&Seen) -> Act + Send + Sync + 'static,
    ) -> Self {
        let stub = Stub::start(script).await;
        let client = Arc::new(
            Client::new(Settings {
                max_in_flight: 1,
                timeout: PATIENCE,
                clock: clock.clone(),
                ..stub.settings()
            })
            .unwrap(),
        );
        let folder = tempfile::tempdir().unwrap();
        let config = account_at(&stub.base_url, folder.path(), quote_reuse);
        let ledger = Arc::new(Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap());
        let (url, now) = (stub.base_url.clone(), clock.now());
        let (account, claim) = ledger
            .write(move |store| {
                let account = store.account("main", &url, "shop@example.com")?;
                Ok((
                    account,
                    store.take(&NewClaim::sample(account, "monday", now.wall))?,
                ))
            })
            .await
            .unwrap();
        let submitter = Submitter::new(
            ledger,
            client,
            (account, config),
            Health::new(None),
            (clock.clone(), TimeZone::UTC),
        );
        submitter.know_inbox("main", &Arc::default(), None, false);
        submitter.walked().await.unwrap().unwrap();
        Self {
            stub,
            clock,
            submitter: Arc::new(submitter),
            claim,
            other: Arc::default(),
            _folder: folder,
        }
    }

    fn new_order(&self, order_id: &str) -> NewOrder {
        promise(self.submitter.account, &self.job(order_id), None).0
    }

    fn job(&self, order_id: &str) -> Job {
        Job {
            new: NewOrderParts {
                inbox: "main".to_owned(),
                sheet_order_id: order_id.to_owned(),
                claim: self.claim,
                fingerprint: Fingerprint {
                    whole: "1:a".to_owned(),
                    fields: Vec::new(),
                },
                content: order(order_id),
                at_shop: AtShop::default(),
            },
            outcome: Outcome::blank(self.claim, 2, order_id.to_owned()),
            terms: Terms::default(),
            holds: Vec::new(),
            known: None,
            as_kept: None,
            stop: Arc::default(),
            artworks: Vec::new(),
            ticket: None,
        }
    }

    /// An order at 13.00, as it is held for approval.
    fn new_held(&self, order_id: &str) -> NewOrder {
        let quote = Quote::sample(Money::from_hundredths(1300));
        NewOrder {
            quote: Some(quote),
            ..self.new_order(order_id)
        }
    }

    /// An order whose create has no answer.
    async fn lose(&self, order_id: &str) -> OrderRef {
        let (new, now) = (self.new_order(order_id), self.clock.now());
        let lost = self.submitter.ledger.write(move |store| {
            let id = store.intend(&new, &now)?;
            store.lost(id, (AttemptEnd::Unknown, "no answer came"), None, &now)?;
            Ok(id)
        });
        lost.await.unwrap()
    }

    /// Waits until something is so: each wait ends by what is done elsewhere.
    async fn until(&self, mut is_so: impl FnMut() -> bool) {
        let wait = async {
            while !is_so() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.unwrap();
    }

    /// Lets the machine sleep while a create waits behind another's request, and lets that one end.
    async fn sleep_in_the_queue(&self, night: Duration) {
        let (account, ledger) = (self.submitter.account, &self.submitter.ledger);
        self.until(|| {
            let sending = ledger.read(|store| store.orders_in(account, State::Sending, 1));
            !sending.unwrap().is_empty() && !self.stub.seen(OTHERS).is_empty()
        })
        .await;
        self.clock.sleep(night);
        self.other.lock().unwrap().take().unwrap().abort();
    }

    /// Which of the two the service was asked for, a price and a create, in their order.
    fn asked(&self) -> Vec<&'static str> {
        let seen = self.stub.seen("");
        let kind = |seen: &Seen| [QUOTE, CREATE].into_iter().find(|part| seen.line.contains(part));
        seen.iter().filter_map(kind).collect()
    }

    fn order(&self, id: OrderRef) -> OrderRecord {
        let order = self.submitter.ledger.read(|store| store.order(id));
        order.unwrap().unwrap()
    }
}

/// Holds an order for the first time, and approves it.
fn approve(store: &Store<'_>, new: &NewOrder, ledger: &str, now: &Now) -> Result<OrderRef, LedgerError> {
    let hold = Hold {
        code: Code::NeedsApproval,
        message: "It waits.".to_owned(),
    };
    let id = store.hold(new, &[hold], now)?;
    let shown = Shown {
        ledger,
        order_id: &new.sheet_order_id,
        fingerprint: &new.fingerprint.whole,
        total: Some(new.total()),
    };
    store.approve("main", &HoldKey::new(id, 1, &shown), now)?;
    Ok(id)
}

/// The account of the smallest config at a service.
fn account_at(base_url: &str, folder: &std::path::Path, quote_reuse: &str) -> Account {
    let path = folder.join("dropsheet.toml");
    let text = format!(
        "[account.main]\nbase_url = \"{base_url}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n\
         max_in_flight = 1\nquote_reuse = \"{quote_reuse}\"\n\n[inbox.main]\npath = \"orders\"\n"
    );
    crate::files::write_new(&path, text.as_bytes()).unwrap();
    crate::config::load(Some(&path))
        .unwrap()
        .account("main")
        .unwrap()
        .clone()
}
