//! Whether the folder is the one of the inbox that the config has in it. An inbox that is renamed there stays the inbox that
//! it was: its orders are known by it, whatever `order_prefix` they were sent with. A ledger that was put back from before
//! that knows them by a former name.

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::Desk;
use crate::causes;
use crate::inbox::marker;
use crate::ledger::LedgerError;

impl Desk {
    /// Has what was worked in the folder under other names go on under the inbox's own. Why it cannot, as a sentence.
    pub(super) fn go_on_under_its_name(&self) -> Option<String> {
        let root = self.folder.root();
        match names_in(root) {
            Ok((named, former)) => self
                .go_on(named, former)
                .unwrap_or_else(|error| Some(causes::chain(&error))),
            Err(error) => Some(format!("{} cannot be read: {error}", root.display())),
        }
    }

    fn go_on(&self, named: Option<String>, former: Vec<String>) -> Result<Option<String>, LedgerError> {
        let own = &self.inbox.name;
        let is_marked = named.as_ref() == Some(own);
        // No ledger is put back while one is worked.
        if is_marked && self.goes_by_its_name.load(Ordering::Relaxed) {
            return Ok(None);
        }
        // A marker that names none is older than the naming.
        let other = named.filter(|named| named != own);
        if let Some(other) = &other
            && self.worked.account_of(other).is_some()
        {
            return Ok(Some(self.belongs_to(other, ELSEWHERE)));
        }
        for name in other.iter().chain(former.iter().filter(|name| *name != own)) {
            if let Some(why) = self.take_over(name)? {
                return Ok(Some(why));
            }
        }
        self.goes_by_its_name.store(true, Ordering::Relaxed);
        if !is_marked {
            self.mark(other, former)?;
        }
        Ok(None)
    }

    /// Has what the ledger knows by another name go on under the inbox's own. Why it cannot, as a sentence.
    fn take_over(&self, other: &str) -> Result<Option<String>, LedgerError> {
        let own = &self.inbox.name;
        if !self.knows(other)? {
            return Ok(None);
        }
        if self.worked.account_of(other).is_some() {
            // Another inbox's by now, as long as the ledger tells them apart.
            let why = (!self.knows(own)?).then(|| self.belongs_to(other, ELSEWHERE));
            return Ok(why);
        }
        let (from, to) = (other.to_owned(), own.clone());
        let renamed = self
            .ledger()
            .write_blocking(move |store| store.rename_inbox(&from, &to))?;
        if !renamed {
            let why = format!("and `{own}` has sheets of its own: call it `{other}` again");
            return Ok(Some(self.belongs_to(other, &why)));
        }
        tracing::info!(
            inbox = own,
            "it was called `{other}`: its orders, sheets and limits go on under its new name"
        );
        Ok(None)
    }

    fn knows(&self, inbox: &str) -> Result<bool, LedgerError> {
        self.ledger().read(|store| store.knows_inbox(inbox))
    }

    /// Marks the folder with the inbox's name, and with the other one as a former one, where a ledger may know it by that.
    fn mark(&self, other: Option<String>, mut former: Vec<String>) -> Result<(), LedgerError> {
        let (root, own) = (self.folder.root(), &self.inbox.name);
        if let Some(other) = other
            && self.knows(own)?
        {
            former.retain(|name| *name != other);
            former.insert(0, other);
        }
        if let Err(error) = marker::write_named(root, self.ledger().id(), own, &former) {
            // Nothing depends on it yet: the next look tries again.
            tracing::debug!(%error, inbox = own, "its marker does not take its name");
        }
        Ok(())
    }

    fn belongs_to(&self, other: &str, why: &str) -> String {
        format!(
            "{} was worked as inbox `{other}`, {why}. Where it is to be a new inbox, whose orders are no orders of \
             `{other}`, remove `.dropsheet` in it and run `dropsheet init`",
            self.folder.root().display()
        )
    }
}

/// Why a folder is not worked that is another inbox's by its marker.
const ELSEWHERE: &str = "which the config has in another folder: set their paths again";

/// The inbox as which a folder was worked, and those as which it was before.
fn names_in(root: &Path) -> io::Result<(Option<String>, Vec<String>)> {
    Ok((marker::inbox_in(root)?, marker::former_in(root)?))
}
