//! One order's page: ids, state, amounts, creates and trail; of its content only SKUs and pieces.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value;

use super::not_ours::NotOurs;
use super::{Names, approved, find_meant, to_be_sent};
use crate::attention::troubles;
use crate::cli::exit::Exit;
use crate::cli::{print, shown};
use crate::clock::Clock;
use crate::config::Config;
use crate::config::nearest::nearest;
use crate::ledger::record::{AttemptRecord, EventRecord, OrderRecord};
use crate::ledger::{LedgerError, Reader, Store};
use crate::money::Money;
use crate::quote::{Quote, ServiceAmounts};

/// How many of the newest ids are searched for the nearest to one that is not known.
const SEARCHED: u32 = 10_000;

/// Prints every order that is called so; as JSON one object after the other.
pub(super) fn run(config: &Config, name: &str, json: bool) -> anyhow::Result<Exit> {
    let reader = Reader::open(&config.ledger)?;
    let now = Clock::system().now().wall;
    let pages = reader.read(|store| {
        let names = Names::read(store)?;
        let found = find_meant(name, |id| store.orders_called(id))?;
        found
            .into_iter()
            .map(|order| Page::of(order, &names, store, now))
            .collect::<Result<Vec<Page>, LedgerError>>()
    })?;
    if pages.is_empty() && show_not_ours(&reader, config, name, json)? {
        return Ok(Exit::Done);
    }
    if pages.is_empty() {
        let known = reader.read(|store| store.newest_order_ids(SEARCHED))?;
        anyhow::bail!("{}", unknown(name, &known));
    }
    if json {
        pages.iter().try_for_each(print::json)?;
    } else {
        let pages: Vec<String> = pages.iter().map(|page| page.text(&config.zone, now)).collect();
        print::text(&pages.join("\n"))?;
    }
    Ok(Exit::Done)
}

/// Prints what the service's list said of orders that are called so and that this ledger does not have; gives whether
/// there are any.
fn show_not_ours(reader: &Reader, config: &Config, name: &str, json: bool) -> anyhow::Result<bool> {
    let found = reader.read(|store| {
        let names = Names::read(store)?;
        let mut found = Vec::new();
        for (account, _name) in names.all() {
            let listed = find_meant(name, |id| store.listed_called(*account, id))?;
            found.extend(listed.into_iter().map(|one| NotOurs::of((*account, one), &names)));
        }
        Ok::<_, LedgerError>(found)
    })?;
    if json {
        found.iter().try_for_each(print::json)?;
    } else {
        let pages: Vec<String> = found.iter().map(|one| one.text(&config.zone)).collect();
        print::text(&pages.join("\n"))?;
    }
    Ok(!found.is_empty())
}

fn unknown(name: &str, known: &[String]) -> String {
    let near = nearest(name, known.iter().map(String::as_str));
    let advice = if near.is_empty() {
        "`dropsheet orders list` lists the newest".to_owned()
    } else {
        format!("did you mean {}?", shown::plain(&near.join(" or ")))
    };
    format!("the ledger has no order `{}`; {advice}", shown::plain(name))
}

/// An order as `--json` prints it.
#[derive(Serialize)]
struct Page {
    order_id: String,
    sheet_order_id: String,
    pw_order_id: Option<String>,
    account: String,
    inbox: String,
    /// The stem of the sheet whose content it has.
    sheet: Option<String>,
    state: &'static str,
    changed_at: Timestamp,
    /// The service's word, or why a person is needed.
    note: String,
    /// Why it is held, or was until a person approved it.
    holds: Vec<String>,
    /// The total up to which a held order is approved: it is sent without a person.
    approved_total: Option<Money>,
    lines: Vec<Line>,
    quote: Option<Quote>,
    service: Option<ServiceAmounts>,
    service_read_at: Option<Timestamp>,
    entered_at: Option<Timestamp>,
    order_status: Option<String>,
    payment_status: Option<String>,
    trackings: Option<Value>,
    /// What a person has to look at there.
    troubles: Vec<String>,
    /// Further orders of this id seen at the service.
    others: u32,
    /// Look-ups that answered and saw none, where an answer is missing.
    looks: Option<u32>,
    attempts: Vec<Attempt>,
    events: Vec<Event>,
}

#[derive(Debug, PartialEq, Serialize)]
struct Line {
    item_sku: String,
    quantity: u64,
}

#[derive(Serialize)]
struct Attempt {
    number: u32,
    intended_at: Timestamp,
    ended_at: Option<Timestamp>,
    service_date: Option<Timestamp>,
    answer: Option<String>,
}

#[derive(Serialize)]
struct Event {
    at: Timestamp,
    old: String,
    new: String,
    why: String,
}

impl From<AttemptRecord> for Attempt {
    fn from(attempt: AttemptRecord) -> Self {
        Self {
            number: attempt.number,
            intended_at: attempt.intended_at,
            ended_at: attempt.ended_at,
            service_date: attempt.service_date,
            answer: attempt.answer,
        }
    }
}

impl From<EventRecord> for Event {
    fn from(event: EventRecord) -> Self {
        Self {
            why: event.why(),
            at: event.at,
            old: event.old,
            new: event.new,
        }
    }
}

impl Page {
    fn of(order: OrderRecord, names: &Names, store: &Store<'_>, now: Timestamp) -> Result<Self, LedgerError> {
        let troubles = troubles(&order, now);
        let (service, service_read_at) = order.service.clone().unzip();
        let approved_total = to_be_sent(&order);
        let noted = order.noted().into_owned();
        Ok(Self {
            account: names.of(order.account),
            sheet: store.stem_of(order.claim)?,
            lines: lines(&order),
            attempts: store.attempts(order.id)?.into_iter().map(Attempt::from).collect(),
            events: store.events(order.id)?.into_iter().map(Event::from).collect(),
            looks: store.absence(order.id)?.map(|absence| absence.looks),
            holds: order.holds.into_iter().map(|hold| hold.message).collect(),
            approved_total,
            state: order.state.word(),
            order_id: order.order_id,
            sheet_order_id: order.sheet_order_id,
            pw_order_id: order.pw_order_id,
            inbox: order.inbox,
            changed_at: order.changed_at,
            note: match approved_total {
                Some(_most) if noted.is_empty() => order.approved_waits,
                Some(_) | None => noted,
            },
            quote: order.quote,
            service,
            service_read_at,
            entered_at: order.entered_at,
            order_status: order.order_status,
            payment_status: order.payment_status,
            // What the service wrote there is shown as it is, JSON or not.
            trackings: order
                .trackings
                .map(|raw| serde_json::from_str(&raw).unwrap_or(Value::String(raw))),
            troubles,
            others: order.others,
        })
    }

    fn text(&self, zone: &TimeZone, now: Timestamp) -> String {
        let mut text = format!("{}\n", print::bold(&shown::plain(&self.order_id)));
        for (label, value) in self.facts(zone, now) {
            if !value.is_empty() {
                let line = format!("  {label:<15} {}\n", shown::plain(&value));
                text.push_str(&line);
            }
        }
        text.push('\n');
        text.push_str(&shown::table(
            ["sku", "pieces"],
            self.lines
                .iter()
                .map(|line| [line.item_sku.clone(), line.quantity.to_string()]),
        ));
        let moment = |at: Timestamp| {
            at.to_zoned(zone.clone())
                .strftime("%Y-%m-%d %H:%M:%S")
                .to_string()
        };
        if !self.attempts.is_empty() {
            text.push('\n');
            text.push_str(&shown::table(
                ["create", "intended", "ended", "answer"],
                self.attempts.iter().map(|attempt| {
                    [
                        attempt.number.to_string(),
                        moment(attempt.intended_at),
                        attempt.ended_at.map(moment).unwrap_or_default(),
                        attempt.answer.clone().unwrap_or_else(|| "under way".to_owned()),
                    ]
                }),
            ));
        }
        text.push('\n');
        text.push_str(&shown::table(
            ["when", "from", "to", "why"],
            self.events.iter().map(|event| {
                [
                    moment(event.at),
                    event.old.clone(),
                    event.new.clone(),
                    event.why.clone(),
                ]
            }),
        ));
        text
    }

    /// What is told in a line each; what is empty is left out.
    fn facts(&self, zone: &TimeZone, now: Timestamp) -> Vec<(&'static str, String)> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let moment = |at: Timestamp| shown::moment(at, zone);
        let state = format!(
            "{}, since {} ({})",
            self.state,
            moment(self.changed_at),
            shown::span(shown::age(self.changed_at, now))
        );
        let other_id = Some(self.sheet_order_id.clone()).filter(|id| *id != self.order_id);
        let others = (self.others > 0).then(|| format!("{} more of this id at the service", self.others));
        let held = match self.approved_total {
            Some(_most) => String::new(),
            None => self.holds.join(" "),
        };
        let looks = self.looks.map(|n| format!("looked up {n} times, and not there"));
        vec![
            ("state", state),
            ("why", self.note.clone()),
            ("approval", self.approved_total.map(approved).unwrap_or_default()),
            ("held because", held),
            ("absence", text(&looks)),
            ("service id", text(&self.pw_order_id)),
            ("to look at", self.troubles.join(" ")),
            ("others", text(&others)),
            ("id in the sheet", text(&other_id)),
            ("sheet", text(&self.sheet)),
            ("inbox", self.inbox.clone()),
            ("account", self.account.clone()),
            ("quoted", self.quote.as_ref().map(quoted).unwrap_or_default()),
            ("charged", self.service.as_ref().map(charged).unwrap_or_default()),
            ("read", self.service_read_at.map(moment).unwrap_or_default()),
            ("entered", self.entered_at.map(moment).unwrap_or_default()),
            ("order status", text(&self.order_status)),
            ("payment status", text(&self.payment_status)),
            (
                "trackings",
                self.trackings.as_ref().map(Value::to_string).unwrap_or_default(),
            ),
        ]
    }
}

/// The lines as they are sent; after the content is erased, the pieces of each SKU.
fn lines(order: &OrderRecord) -> Vec<Line> {
    match &order.content {
        Some(content) => content
            .lines
            .iter()
            .map(|line| Line {
                item_sku: line.item_sku.clone(),
                quantity: line.quantity.into(),
            })
            .collect(),
        None => order
            .signature
            .items()
            .map(|(sku, quantity)| Line {
                item_sku: sku.to_owned(),
                quantity,
            })
            .collect(),
    }
}

fn quoted(quote: &Quote) -> String {
    format!(
        "{} (base {}, shipping {}, tax {}, discount {}, shipping discount {})",
        quote.total,
        quote.base_fee,
        quote.shipping_fee,
        quote.tax_fee,
        quote.discount,
        quote.shipping_discount
    )
}

fn charged(amounts: &ServiceAmounts) -> String {
    let parts = [
        ("base", amounts.base_fee),
        ("shipping", amounts.shipping_fee),
        ("tax", amounts.tax_fee),
        ("surcharge", amounts.surcharge),
        ("discount", amounts.discount),
    ];
    let told: Vec<String> = parts
        .into_iter()
        .filter_map(|(name, amount)| Some(format!("{name} {}", amount?)))
        .collect();
    if told.is_empty() {
        amounts.total.to_string()
    } else {
        format!("{} ({})", amounts.total, told.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_order_is_answered_with_the_nearest_or_with_the_list() {
        let known = ["1001".to_owned(), "A-77".to_owned()];
        assert!(unknown("10011", &known).contains("no order `10011`; did you mean 1001?"));
        assert!(unknown("zzzzzz", &known).contains("orders list"));
    }

    #[test]
    fn only_the_amounts_that_the_service_told_are_shown() {
        let mut amounts = ServiceAmounts::of_total(Money::from_hundredths(1210));
        assert_eq!(charged(&amounts), "12.10");
        amounts.surcharge = Some(Money::from_hundredths(50));
        assert_eq!(charged(&amounts), "12.10 (surcharge 0.50)");
    }
}
