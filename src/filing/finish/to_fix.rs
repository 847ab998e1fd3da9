//! The to-fix sheet put beside its result: once, and again where other rows are to be fixed since.

use std::fmt;
use std::path::{Path, PathBuf};

use super::beside::{NOTHING, Spot};
use super::{Destination, FinishError, Finisher, Worked, is_untouched, scratch_in, source_of};
use crate::files;
use crate::filing::aside::{self, Aside, Moved, Owner};
use crate::import::sends;
use crate::inbox::spool;
use crate::ledger::record::{Beside, Claim, ClaimState, OwnFile};
use crate::result::{self, Title};

/// The to-fix sheet that a result names.
#[derive(Debug)]
pub(super) struct ToFixSheet {
    /// The name of its file.
    pub(super) name: Option<String>,
    /// Where it is, if it was written just now.
    pub(super) written: Option<PathBuf>,
}

impl Finisher<'_> {
    /// Has the to-fix sheet of an ended sheet hold the rows that are to be fixed now: more may have come to be, as those of
    /// an order that was approved and is refused, and what was said of others may not be so any more. One that a person has
    /// in hand is left to them, and another one is put beside it unless rows have only gone. None is named where none lies
    /// there: a person may have moved it into the inbox.
    pub(super) fn list_to_fix(
        &self,
        claim: &Claim,
        (worked, title, rows): (&Worked, &Title, &[u32]),
        spot: &Spot,
        place: &Destination<'_>,
    ) -> Result<ToFixSheet, FinishError> {
        let as_before = Ok(ToFixSheet {
            name: title.to_fix.clone(),
            written: None,
        });
        let is_ended = claim.state == ClaimState::Done && worked.waiting.is_none();
        if !is_ended || !sends(claim.new.purpose) {
            return as_before;
        }
        let mut spot = spot.clone();
        if let Some(known) = &spot.known {
            // An older dropsheet has not noted what it holds.
            let Some(before) = Rows::read(&known.content) else {
                return as_before;
            };
            let is_ours = is_untouched(&spot.path, &known.hash);
            if before.have(rows) && (!is_ours || before == Rows::of(rows)) {
                return as_before;
            }
            if rows.is_empty() {
                return self.take_to_fix_away(claim, &spot.path, known);
            }
            if !is_ours {
                spot.path = files::free_name(place.folder, place.name, place.suffix);
            }
            spot.is_there = false;
        } else if spot.is_there || rows.is_empty() {
            return as_before;
        }
        let written = self.write_to_fix(claim, (worked, title, rows), &spot, place)?;
        let name = written.as_deref().and_then(Path::file_name);
        Ok(ToFixSheet {
            name: name.map(|name| name.to_string_lossy().into_owned()),
            written,
        })
    }

    /// Removes a to-fix sheet of which nothing is to be fixed any more: who finds it would go by what it says.
    fn take_to_fix_away(
        &self,
        claim: &Claim,
        path: &Path,
        known: &OwnFile,
    ) -> Result<ToFixSheet, FinishError> {
        let is_gone = aside::remove(path, &known.hash, Owner::Own).unwrap_or_else(|error| {
            tracing::info!(?path, %error, "nothing of it is to be fixed any more, and it cannot be removed");
            false
        });
        if is_gone {
            let file = OwnFile {
                content: NOTHING.to_owned(),
                ..known.clone()
            };
            self.note_beside(claim, Beside::ToFix, file)?;
        }
        Ok(ToFixSheet {
            name: (!is_gone).then(|| files::name_of(path)),
            written: None,
        })
    }

    /// Writes the to-fix sheet where there is something to fix and none lies there.
    pub(super) fn write_to_fix(
        &self,
        claim: &Claim,
        (worked, title, rows): (&Worked, &Title, &[u32]),
        spot: &Spot,
        place: &Destination<'_>,
    ) -> Result<Option<PathBuf>, FinishError> {
        if spot.is_there {
            self.note_what_it_holds(claim, spot, rows)?;
            return Ok(Some(spot.path.clone()));
        }
        let (folder, sheet) = (place.folder, &claim.new.sheet_name);
        let catalog = self.catalog();
        let source = source_of(worked, catalog.as_deref());
        let scratch = scratch_in(folder, sheet)?;
        let new = scratch.path().join("to-fix");
        let listed = self
            .with_views(claim, worked, &mut |views| {
                result::write_to_fix(&source, views, title, rows, &new)
            })
            .map_err(|source| FinishError::result(sheet, folder, source))?;
        if listed == 0 {
            return Ok(None);
        }
        let mut spot = spot.clone();
        spot.holds = Rows::of(rows).to_string();
        let before = spot.known.clone();
        let aside = before.and_then(|known| Some((take_away(&mut spot, &known.hash, place)?, known)));
        let put = || self.put_beside(claim, &spot, &new, place);
        let put = match aside {
            Some((aside, known)) => {
                aside.replaced(put, || Ok(self.note_beside(claim, Beside::ToFix, known)?))?
            }
            None => put()?,
        };
        Ok(Some(put))
    }
}

impl Finisher<'_> {
    /// Notes what a to-fix sheet holds where a crash came between its place and that note.
    fn note_what_it_holds(&self, claim: &Claim, spot: &Spot, rows: &[u32]) -> Result<(), FinishError> {
        let Some(known) = spot.known.as_ref().filter(|known| known.content == NOTHING) else {
            return Ok(());
        };
        if !spool::hash_of(&spot.path).is_ok_and(|hash| hash == known.hash) {
            return Ok(());
        }
        let file = OwnFile {
            content: Rows::of(rows).to_string(),
            ..known.clone()
        };
        Ok(self.note_beside(claim, Beside::ToFix, file)?)
    }
}

/// Rows of a sheet, as pieces without gaps: as they are noted, `4-6,9`.
#[derive(Debug, PartialEq, Eq)]
struct Rows(Vec<(u32, u32)>);

impl Rows {
    /// These rows, in their order.
    fn of(rows: &[u32]) -> Self {
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        for row in rows {
            match pieces.last_mut() {
                Some((_first, last)) if last.checked_add(1) == Some(*row) => *last = *row,
                _ => pieces.push((*row, *row)),
            }
        }
        Self(pieces)
    }

    /// Reads what was noted; none where it is not that.
    fn read(noted: &str) -> Option<Self> {
        let piece = |piece: &str| {
            let (first, last) = piece.split_once('-').unwrap_or((piece, piece));
            Some((first.parse().ok()?, last.parse().ok()?))
        };
        noted.split(',').map(piece).collect::<Option<_>>().map(Self)
    }

    /// Whether all of these rows are among them.
    fn have(&self, rows: &[u32]) -> bool {
        let mut pieces = self.0.iter().peekable();
        rows.iter().all(|row| {
            while pieces.next_if(|(_first, last)| last < row).is_some() {}
            pieces.peek().is_some_and(|(first, _last)| first <= row)
        })
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (first, last)) in self.0.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(f, "{comma}{first}")?;
            if first < last {
                write!(f, "-{last}")?;
            }
        }
        Ok(())
    }
}

/// Moves the earlier sheet out of the way of a newer one. Where it stays, for it is somebody else's by now, or somebody has
/// it open so that it cannot be moved, the newer one gets a place beside it: the result has to say its news all the same.
fn take_away(spot: &mut Spot, hash: &str, place: &Destination<'_>) -> Option<Aside> {
    match aside::take(&spot.path, hash, Owner::Own) {
        Ok(Moved::Ours(aside)) => return Some(aside),
        Ok(Moved::Gone) => return None,
        Ok(Moved::Theirs(_)) => {}
        Err(error) => {
            tracing::info!(path = ?spot.path, %error, "it cannot be replaced: a newer one goes beside it");
        }
    }
    spot.path = files::free_name(place.folder, place.name, place.suffix);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_one_goes_beside_what_cannot_be_moved_or_is_a_persons() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("monday.to-fix.csv");
        let place = Destination {
            folder: folder.path(),
            name: "monday",
            suffix: "to-fix.csv",
        };
        let lies = |bytes: &[u8]| {
            files::write_new(&path, bytes).unwrap();
            spool::hash_of(&path).unwrap()
        };
        // Whether it is out of the way, and the newer one's name.
        let take = |hash: &str| {
            let mut spot = Spot {
                which: Beside::ToFix,
                path: path.clone(),
                is_there: false,
                known: None,
                holds: String::new(),
            };
            let aside = take_away(&mut spot, hash, &place);
            (aside, spot.name())
        };
        let (first, second) = ("monday.to-fix.csv".to_owned(), "monday-2.to-fix.csv".to_owned());
        let own = lies(b"own");
        let (aside, name) = take(&own);
        assert!(aside.is_some() && name == first && !path.exists());
        assert!(matches!(take(&own), (None, name) if name == first), "it is gone");
        lies(b"own");
        assert!(
            matches!(take(&own), (None, name) if name == second),
            "what lies aside is in the way"
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"own");
        aside.unwrap().remove().unwrap();
        std::fs::remove_file(&path).unwrap();
        lies(b"a person's");
        assert!(matches!(take(&own), (None, name) if name == second));
        assert_eq!(std::fs::read(&path).unwrap(), b"a person's");
    }

    #[test]
    fn rows_are_noted_in_pieces_and_known_again() {
        for (rows, noted) in [
            (&[4, 5, 6, 9][..], "4-6,9"),
            (&[2][..], "2"),
            (&[2, 4, 5][..], "2,4-5"),
        ] {
            assert_eq!(Rows::of(rows).to_string(), noted);
            let read = Rows::read(noted).unwrap();
            assert_eq!(read, Rows::of(rows));
            assert!(read.have(rows) && read.have(&rows[1..]) && !read.have(&[3]));
        }
        let before = Rows::read("4-6,9").unwrap();
        for (rows, are_known) in [
            (&[4, 9][..], true),
            (&[5, 7][..], false),
            (&[9, 10][..], false),
            (&[][..], true),
        ] {
            assert_eq!(before.have(rows), are_known, "{rows:?}");
        }
        assert_eq!(Rows::read(""), None);
    }
}
