//! A look for all orders of the name of one of which the service has more than it should: whether there still are more.

use super::{List, ReadError, WalkError, is_canceled, look_up, order_status, to_listed};
use crate::clock::Now;
use crate::ledger::record::{ListedRecord, OrderRecord};
use crate::ledger::{Ledger, LookAtOthers};
use crate::reconcile::is_same_id;
use crate::service::{ListedOrder, Verdict};
use crate::{causes, standing};

/// Looks for all orders of its name and writes down what is left. What is known to be one too many and is not shown is
/// asked for by its id: a search may show one order of a name alone. Gives the change in words for a person.
///
/// # Errors
/// Where the look is no whole one, or the ledger cannot be kept.
pub(super) async fn look_at_others(
    list: List<'_>,
    ledger: &Ledger,
    order: &OrderRecord,
    now: &Now,
) -> Result<Option<String>, WalkError> {
    let (first, known) =
        ledger.read(|store| Ok((store.first_intended_at(order.id)?, store.surplus(order)?)))?;
    let from = first.into_iter().chain(order.entered_at).min();
    let looked = look_up(
        list,
        order.name_at_service(),
        from.unwrap_or(order.changed_at),
        now,
    )
    .await?;
    let own = order.pw_order_id.as_ref();
    let is_own = |listed: &ListedOrder| own.is_some_and(|own| is_same_id(own, &listed.pw_order_id));
    let is_own_shown = looked.orders.iter().any(is_own);
    let is_known = |listed: &ListedOrder| known.iter().any(|one| one.pw_order_id == listed.pw_order_id);
    let alike = looked.alike.iter().filter(|listed| is_known(listed));
    let mut look = LookAtOthers {
        // Where the order itself is not shown, the search does not show all.
        is_whole: is_own_shown || u32::try_from(known.len()).is_ok_and(|known| known >= order.others),
        ..LookAtOthers::default()
    };
    for listed in looked.orders.iter().chain(alike).filter(|listed| !is_own(listed)) {
        note(&mut look, listed, to_listed(listed));
    }
    for one in known.iter().filter(|one| !one.is_canceled()) {
        if look
            .shown
            .iter()
            .any(|shown| shown.pw_order_id == one.pw_order_id)
        {
            continue;
        }
        match list.client.order(&one.pw_order_id, &one.order_id).await {
            Ok(listed) if is_same_id(&listed.pw_order_id, &one.pw_order_id) => {
                let record = ListedRecord {
                    order_id: one.order_id.clone(),
                    pw_order_id: one.pw_order_id.clone(),
                    ..to_listed(&listed)
                };
                note(&mut look, &listed, record);
            }
            // The list, which shows the order itself, and its own page agree.
            Ok(_another) if is_own_shown => look.gone.push(one.pw_order_id.clone()),
            Ok(_another) => {}
            Err(failure) if matches!(failure.verdict, Verdict::Refused | Verdict::Misconfigured) => {
                tracing::debug!(why = causes::chain(&failure), "one too many is not shown");
                if is_own_shown {
                    look.gone.push(one.pw_order_id.clone());
                }
            }
            Err(failure) => return Err(ReadError::Failed(failure).into()),
        }
    }
    let (id, at) = (order.id, now.clone());
    let lowered = ledger.write(move |store| store.lower_others(id, &look, &at));
    Ok(lowered.await?)
}

fn note(look: &mut LookAtOthers, listed: &ListedOrder, record: ListedRecord) {
    if is_over(listed) {
        look.over.push(record.pw_order_id.clone());
    }
    look.shown.push(record);
}

/// Whether nobody has to cancel it any more: it is canceled, or paid back and not worked on.
fn is_over(listed: &ListedOrder) -> bool {
    is_canceled(listed) == Some(true) || is_paid_back(listed)
}

/// Whether it is paid back, and neither worked on nor said to be canceled.
pub(super) fn is_paid_back(listed: &ListedOrder) -> bool {
    let status = order_status(listed);
    let status = status.as_deref();
    let payment = standing::words(listed.items.iter().map(|item| item.payment_status.as_deref()));
    let is_refunded = standing::says_refunded(status) || standing::says_refunded(payment.as_deref());
    is_refunded && is_canceled(listed).is_none()
}
