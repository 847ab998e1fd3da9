//! What is told of files that were rejected without being taken: by their names, or because they stayed incomplete. No
//! sheet of the ledger is of them; they are known as the last look has left them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::{Kind, Need, Needs};
use crate::clock::STAMP;
use crate::ledger::record::{Fate, NotTaken};

impl Needs {
    /// These, and the rejected ones among the files that a look at an inbox, with its account, has not taken.
    #[must_use]
    pub fn with_rejected(
        mut self,
        (inbox, account): (&str, &str),
        not_taken: &[NotTaken],
        zone: &TimeZone,
    ) -> Self {
        let rejected = not_taken.iter().filter(|file| file.fate == Fate::Rejected);
        let needs = rejected.filter_map(|file| {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            Some(Need {
                kind: Kind::Rejected,
                since: rejected_at(name, zone)?,
                account: account.to_owned(),
                inbox: inbox.to_owned(),
                sheet: name.to_owned(),
                order_id: None,
                pw_order_id: None,
                what: "It was not worked, and nothing of it was sent.".to_owned(),
                todo: format!("{} It lies in rejected/.", file.why),
            })
        });
        self.needs.extend(needs);
        self.sort();
        self
    }
}

/// When a file was put into `rejected/`, to the minute, by its name there.
fn rejected_at(name: &str, zone: &TimeZone) -> Option<Timestamp> {
    let on_the_wall = DateTime::strptime(STAMP, name.get(..15)?).ok()?;
    let at = on_the_wall.to_zoned(zone.clone()).ok()?;
    Some(at.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_were_rejected_without_being_taken_stand_among_the_needs_by_their_time() {
        let file = |path: &str, fate| NotTaken {
            path: path.to_owned(),
            why: "`z.pdf` has an ending that no order sheet has. Save it as .xlsx or .csv and drop that."
                .to_owned(),
            fate,
        };
        let files = [
            file("/orders/rejected/2026-11-21_0914_z.pdf", Fate::Rejected),
            file("/orders/inbox/README", Fate::LeftAlone),
            file("/orders/rejected/2026-11-20_0800_y.pdf", Fate::Rejected),
            file("/orders/inbox/2026-11-20_0800_x.csv", Fate::Waiting),
        ];
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let needs = Needs::default().with_rejected(("main", "shop"), &files, &berlin);
        let told: Vec<(&str, String)> = needs
            .needs
            .iter()
            .map(|need| (need.sheet.as_str(), need.since.to_string()))
            .collect();
        assert_eq!(
            told,
            [
                ("2026-11-20_0800_y.pdf", "2026-11-20T07:00:00Z".to_owned()),
                ("2026-11-21_0914_z.pdf", "2026-11-21T08:14:00Z".to_owned()),
            ]
        );
        let [first, _second] = needs.needs.as_slice() else {
            panic!("{needs:?}");
        };
        assert_eq!(
            (first.kind, first.inbox.as_str(), first.account.as_str()),
            (Kind::Rejected, "main", "shop")
        );
        assert!(first.todo.contains("Save it as .xlsx"), "{}", first.todo);
        assert!(!needs.more, "nothing else is told");
    }
}
