//! Earlier results of a sheet that stay where they are, for somebody has them open or edited them: the newer one lies
//! beside them and names them, so that nobody sums up both.

use std::path::Path;

use super::{Finisher, is_untouched};
use crate::files::name_of;
use crate::ledger::LedgerError;
use crate::ledger::record::{Beside, Claim, OwnFile};

impl Finisher<'_> {
    /// The claim as its next result is put in its place. Where the newest one stays beside that from now on, the claim
    /// comes back without it: whatever becomes of that file, the next one gets a place of its own.
    pub(super) fn replaced(&self, mut claim: Claim) -> Result<Claim, LedgerError> {
        if let Some((path, hash)) = &claim.result {
            let path = Path::new(path);
            if path.exists() && !is_untouched(path, hash) {
                self.note_replaced(&claim, path)?;
                claim.result = None;
            }
        }
        Ok(claim)
    }

    /// The names of the earlier results that stay beside a sheet's newest one. That one may lie under a name that was
    /// free again.
    pub(super) fn beside_its_place(&self, claim: &Claim) -> Result<Vec<String>, LedgerError> {
        let mut names = self.names_of_replaced(claim)?;
        if let Some((path, _hash)) = &claim.result {
            names.retain(|name| *name != name_of(Path::new(path)));
        }
        Ok(names)
    }

    /// Notes that a result stays beside its newer one.
    pub(super) fn note_replaced(&self, claim: &Claim, path: &Path) -> Result<(), LedgerError> {
        let mut names = self.names_of_replaced(claim)?;
        names.retain(|name| *name != name_of(path));
        names.push(name_of(path));
        let file = OwnFile {
            path: path.to_string_lossy().into_owned(),
            hash: String::new(),
            content: names.join("\n"),
        };
        let (inbox, key) = (claim.new.inbox.clone(), Beside::Replaced.key(claim.id));
        self.ledger()
            .write_blocking(move |store| store.set_own_file(&inbox, &key, &file))
    }

    fn names_of_replaced(&self, claim: &Claim) -> Result<Vec<String>, LedgerError> {
        let key = Beside::Replaced.key(claim.id);
        let known = self
            .ledger()
            .read(|store| store.own_file(&claim.new.inbox, &key))?;
        Ok(known.map_or_else(Vec::new, |known| {
            known.content.lines().map(str::to_owned).collect()
        }))
    }
}
