//! The cancel of an order that still waits to be sent, asked for or told by its shop: it ends in its own sheet, and nothing
//! of it ever leaves.

use super::before::Before;
use super::create::judged_as;
use super::{Job, SubmitError, Submitter, promise};
use crate::finding::{Code, Finding};
use crate::ledger::record::{CancelWish, ClaimRef, Outcome};
use crate::ledger::{LedgerError, Store};
use crate::outcome::Status;

impl Submitter {
    /// Writes down that a cancel is asked for of an order that an older sheet may still have to send.
    pub async fn wish_cancel_ahead(&self, wish: CancelWish) -> Result<(), SubmitError> {
        let now = self.now();
        let written = self.ledger.write(move |store| store.wish_cancel(&wish, &now));
        Ok(written.await?)
    }

    /// Looks an order up whose cancel is asked for before it is sent again, where an earlier create of it without an answer
    /// may have made it: what is found is canceled at the service. Gives why it has to wait, where nobody says.
    pub async fn look_before_end(&self, job: &Job) -> Result<Option<(Code, String)>, SubmitError> {
        let Some(known) = job.unanswered() else {
            return Ok(None);
        };
        // What is there is written down by it: the order is judged by that.
        let before = self.look_before_anew(known, &job.new.content).await?;
        Ok(match before {
            Before::Blocked(blocked) => Some(blocked.told(&self.zone)),
            _answered => None,
        })
    }

    /// Ends an order whose cancel a younger sheet asks for, or whose shop has canceled it as that one says, with its
    /// outcome in both sheets. False where none does, or where it is known otherwise by now: it is to be judged again.
    pub async fn cancel_unsent(&self, job: &Job) -> Result<bool, SubmitError> {
        let (now, known) = (self.now(), judged_as(job));
        let (new, mut outcome) = promise(self.account, job, None);
        let written = self.ledger.write(move |store| {
            let Some(wish) = store.canceled_before(&new)? else {
                return Ok(false);
            };
            if !store.is_still(&new, known)?
                || !store
                    .at_service(new.account, &new.content, &new.sheet_order_id)?
                    .is_empty()
            {
                return Ok(false);
            }
            let by = asked_by(store, &wish, (&new.inbox, new.claim))?;
            if known.is_some() {
                // What it was before, it stays: it may be taken anew by a later sheet, as every order in such a state.
                outcome.status = Status::Declined;
                outcome.findings.push(not_again(outcome.first_row, &by));
                store.put_outcome(&outcome)?;
                return Ok(true);
            }
            let order = store.cancel_unsent(&new, &by, &now)?;
            outcome.order = Some(order);
            store.put_outcome(&outcome)?;
            store.put_outcome(&Outcome {
                order: Some(order),
                ..of_asking(wish)
            })?;
            Ok(true)
        });
        match written.await {
            Err(LedgerError::Illegal { .. }) => Ok(false),
            written => Ok(written?),
        }
    }
}

/// Who asked for a cancel, as the end of a sentence.
fn asked_by(
    store: &Store<'_>,
    wish: &CancelWish,
    (inbox, claim): (&str, ClaimRef),
) -> Result<String, LedgerError> {
    // Where the inbox is named besides, the stem alone tells which sheet it is.
    let told_in = wish.by_shop.then_some(claim);
    let stem = store.stem_in(wish.claim, told_in)?.unwrap_or_default();
    Ok(if wish.by_shop {
        format!("the shop has canceled it, as the sheet {stem} says")
    } else if wish.inbox == inbox {
        format!("the sheet {stem} asked for that")
    } else {
        format!("the sheet {stem} of the inbox `{}` asked for that", wish.inbox)
    })
}

/// What the row that asks comes to. Its own sheet waits for its turn, and may say more of it then.
fn of_asking(wish: CancelWish) -> Outcome {
    Outcome {
        status: Status::Canceling,
        ..Outcome::blank(wish.claim, wish.first_row, wish.order_id)
    }
}

fn not_again(row: u32, by: &str) -> Finding {
    Finding {
        code: Code::CanceledUnsent,
        row,
        column: None,
        message: format!("It was canceled before it was sent again: {by}."),
        hint: "To have it printed after all, drop it again.".to_owned(),
    }
}
