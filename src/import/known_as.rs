//! Under which id an order of a sheet is known, and which known orders have one that may be the same in another writing: a
//! spreadsheet takes the zeros of `00777` away, a person types `po-1` for `PO-1`, and the service shows what was sent.

use super::apart::where_it_is;
use super::decide::By;
use super::judge::kept;
use crate::finding::Code;
use crate::ledger::LedgerError;
use crate::ledger::record::OrderRecord;
use crate::order::{Draft, Field, Fingerprint, behind_prefix, runs_on, writings_in_inbox};
use crate::quote::Hold;

/// What is known of an order of a sheet.
#[derive(Debug)]
pub(super) struct KnownAs {
    /// The order under its id.
    pub(super) known: Option<OrderRecord>,
    /// Orders of other sheets under ids that may be this one in another writing, where none is known under it, or one that may
    /// be taken anew.
    pub(super) alike: Vec<OrderRecord>,
}

impl KnownAs {
    /// What is known under its id, and nothing beside.
    pub(super) fn only(known: Option<OrderRecord>) -> Self {
        Self {
            known,
            alike: Vec::new(),
        }
    }
}

impl By<'_> {
    /// Has an order keep the id that it is known under, where that was read or written otherwise: under the one that it would
    /// be given now it would be sent a second time. Gives what is known of it.
    pub(super) fn call_as_known(&self, draft: &mut Draft) -> Result<KnownAs, LedgerError> {
        let find = |id: &str| self.memory.find(&self.limits.sent_id(id), id);
        let known = find(draft.order_id())?;
        if let Some(order) = &known {
            // What was declined and comes again is a second parcel as it was before.
            let alike = if order.state.is_taken_anew() {
                self.alike(draft)?
            } else {
                Vec::new()
            };
            return Ok(KnownAs { known, alike });
        }
        if draft.order_id().is_empty() {
            return Ok(KnownAs::only(None));
        }
        for former in draft.former_ids() {
            let known = find(&former)?;
            if known.is_some() || !self.memory.listed(&self.limits.sent_id(&former))?.is_empty() {
                draft.keep_former_id(&former);
                return Ok(KnownAs::only(known));
            }
        }
        let alike = self.alike(draft)?;
        // One that is the same in everything else alone: two orders may have ids that differ so little.
        let mut certain = alike.iter().filter(|known| !self.may_be_chance(draft, known));
        let same = certain.find_map(|known| {
            let as_known = draft.under(&known.sheet_order_id);
            let is_same = as_known.fingerprint_like(&known.fingerprint).whole == known.fingerprint;
            is_same.then_some(as_known)
        });
        let Some(as_known) = same else {
            return Ok(KnownAs { known: None, alike });
        };
        *draft = as_known;
        Ok(KnownAs::only(find(draft.order_id())?))
    }

    /// The known orders of other sheets under ids that may be its own in another writing. In one sheet they stand side by side
    /// for a reason, whichever is worked first.
    fn alike(&self, draft: &Draft) -> Result<Vec<OrderRecord>, LedgerError> {
        let prefix = &self.limits.order_prefix;
        let mut alike = self.memory.written_otherwise(draft.order_id(), prefix)?;
        let as_sent = self.as_sent(draft.order_id())?;
        alike.extend(as_sent.filter(|known| alike.iter().all(|other| other.id != known.id)));
        alike.retain(|known| Some(known.claim) != self.claim);
        Ok(alike)
    }

    /// The order of this inbox that was sent under an id, which results and the service's pages show: with the prefix put
    /// before that, it would be sent beside itself. It may have been sent with another prefix than the inbox has now.
    fn as_sent(&self, order_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        if self.limits.order_prefix.is_empty() {
            // It was looked for under this id.
            return Ok(None);
        }
        let known = self.memory.sent_as(order_id)?;
        Ok(known.filter(|known| known.inbox == self.inbox.name && known.sheet_order_id != order_id))
    }

    /// The order of this inbox that results show under an id, where nobody can mistake it for another one.
    pub(super) fn shown_as(&self, draft: &Draft) -> Result<Option<OrderRecord>, LedgerError> {
        let behind = behind_prefix(draft.order_id(), &self.limits.order_prefix);
        let mut shown = self.memory.called_any(&behind)?;
        // Before the prefix was changed, another one was sent and is shown.
        shown.retain(|known| known.order_id == self.limits.sent_id(&known.sheet_order_id));
        shown.extend(self.as_sent(draft.order_id())?);
        Ok(shown.into_iter().find(|known| !self.may_be_chance(draft, known)))
    }

    /// Whether an id may be a known order's with the prefix before it by chance, as `123` is that of `23` behind a `1`.
    fn may_be_chance(&self, draft: &Draft, known: &OrderRecord) -> bool {
        let of_known = &known.sheet_order_id;
        let sent_behind = known.order_id.strip_suffix(of_known.as_str()).unwrap_or_default();
        let mut prefixes = [self.limits.order_prefix.as_str(), sent_behind].into_iter();
        prefixes.any(|prefix| runs_on(prefix, of_known))
            && !writings_in_inbox(draft.order_id(), "").contains(of_known)
    }

    /// Why an order waits for a person where another one of these is printed, or may be, and may be this one with a change.
    pub(super) fn hold_beside(
        &self,
        draft: &Draft,
        alike: &[OrderRecord],
    ) -> Result<Option<Hold>, LedgerError> {
        let places = alike.iter().map(|known| (known, where_it_is(known)));
        let mut printed = places.filter_map(|(known, place)| Some((known, place?)));
        let may_be_it = |known: &OrderRecord| {
            may_go_there(draft, known) || !self.may_be_chance(draft, known) && has_its_pieces(draft, known)
        };
        let Some((known, place)) = printed.find(|(known, _)| may_be_it(known)) else {
            return Ok(None);
        };
        let sheet = self.memory.stem(known.claim, self.claim)?;
        let id = &known.sheet_order_id;
        Ok(Some(Hold {
            code: Code::ShopHold,
            message: format!(
                "`{id}` of {} may be the same id in another writing. {place}. Approve this order if it is another one; decline \
                 it if it is that one with a change.",
                sheet.as_deref().unwrap_or("another sheet")
            ),
        }))
    }

    /// Why an order waits for a person whose rows are those of another inbox's result: there they would be known, and here
    /// they are sent once more.
    pub(super) fn hold_of_another_inbox(&self, draft: &Draft) -> Result<Option<Hold>, LedgerError> {
        let made_as = draft.made_as();
        if made_as.is_empty() {
            return Ok(None);
        }
        let known = self.memory.made_as(made_as)?;
        let id = draft.order_id();
        let is_it = |known: &OrderRecord| {
            let has_id = [&known.sheet_order_id, &known.order_id]
                .iter()
                .any(|its| *its == id);
            has_id && known.inbox != self.inbox.name && where_it_is(known).is_some()
        };
        Ok(known.filter(is_it).map(|known| Hold {
            code: Code::ShopHold,
            message: format!(
                "By its result_pw_order_id it is the order {} of the inbox `{}`, which is {made_as} at the service. Approve it if \
                 it is to be printed once more; else decline it, and drop the sheet there.",
                known.order_id, known.inbox
            ),
        }))
    }
}

/// Whether an order asks for the pieces of a known one. Of one whose fields are not known any more nobody can tell.
fn has_its_pieces(draft: &Draft, known: &OrderRecord) -> bool {
    let differing = differing(draft, known);
    differing.is_none_or(|names| !names.iter().any(|name| Fingerprint::is_of_pieces(name)))
}

/// Whether an order goes to the person of a known one, or to its street. Of one whose fields are not known any more nobody can
/// tell.
pub(super) fn may_go_there(draft: &Draft, known: &OrderRecord) -> bool {
    differing(draft, known).is_none_or(|differing| goes_there(&differing))
}

/// The fields in which an order differs from a known one, whatever its id; none where those are not known any more.
fn differing(draft: &Draft, known: &OrderRecord) -> Option<Vec<String>> {
    let known_as = Some(kept(known)).filter(|known_as| !known_as.fields.is_empty())?;
    let as_known = draft.under(&known.sheet_order_id);
    Some(as_known.fingerprint_like(&known.fingerprint).differing(&known_as))
}

fn goes_there(differing: &[String]) -> bool {
    let is_same = |field: &Field| !differing.iter().any(|name| name == field.name());
    [Field::ShippingName, Field::ShippingAddress1].iter().any(is_same)
}
