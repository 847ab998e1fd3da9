//! Whether the folder is the one of the inbox that the config has in it. An inbox that is renamed there stays the inbox that
//! it was: its orders are known by it, whatever `order_prefix` they were sent with.

use super::Desk;
use crate::inbox::marker;
use crate::ledger::LedgerError;

impl Desk {
    /// Has what was worked in the folder under another name go on under the inbox's own. Why it cannot, as a sentence.
    pub(super) fn go_on_under_its_name(&self) -> Option<String> {
        let (root, own) = (self.folder.root(), &self.inbox.name);
        let named = match marker::inbox_in(root) {
            Ok(named) => named,
            Err(error) => return Some(format!("{} cannot be read: {error}", root.display())),
        };
        match named {
            Some(named) if named == *own => return None,
            // A marker that names none is older than the naming.
            None => {}
            Some(other) if self.worked.account_of(&other).is_some() => {
                let why = "which the config has in another folder: set their paths again";
                return Some(self.belongs_to(&other, why));
            }
            Some(other) => match self.take_over(&other) {
                Ok(true) => {}
                Ok(false) => {
                    let why = format!("and `{own}` has sheets of its own: call it `{other}` again");
                    return Some(self.belongs_to(&other, &why));
                }
                Err(error) => return Some(crate::causes::chain(&error)),
            },
        }
        if let Err(error) = marker::write_over(root, self.ledger().id(), own) {
            // Nothing depends on it yet: the next look tries again.
            tracing::debug!(%error, inbox = own, "its marker does not take its name");
        }
        None
    }

    fn take_over(&self, other: &str) -> Result<bool, LedgerError> {
        let (from, to) = (other.to_owned(), self.inbox.name.clone());
        let renamed = self
            .ledger()
            .write_blocking(move |store| store.rename_inbox(&from, &to))?;
        if renamed {
            tracing::info!(
                inbox = self.inbox.name,
                "it was called `{other}`: its orders, sheets and limits go on under its new name"
            );
        }
        Ok(renamed)
    }

    fn belongs_to(&self, other: &str, why: &str) -> String {
        format!(
            "{} was worked as inbox `{other}`, {why}. Where it is to be a new inbox, whose orders are no orders of \
             `{other}`, remove `.dropsheet` in it and run `dropsheet init`",
            self.folder.root().display()
        )
    }
}
