//! The files of dropsheet's own: none of them is taken for a sheet, and the ledger is no other one of them.

use std::path::{Path, PathBuf};

use super::checked::Checking;
use super::overlap::{Overlap, overlap};
use super::raw::Raw;
use super::{ConfigError, Inbox};

/// What dropsheet keeps in the ledger's folder, and in an inbox's, under names of its own.
const BESIDE_THE_LEDGER: [&str; 3] = ["catalog.db", "tokens", "spool"];
const IN_AN_INBOX: [&str; 3] = [".dropsheet", "STATUS.txt", "STOP"];

impl Checking<'_> {
    /// No file of dropsheet's own is taken for a sheet, or moved and removed like one.
    pub(super) fn own_files_lie_apart(&self, ledger: &Path, inboxes: &[Inbox]) -> Result<(), ConfigError> {
        self.lies_apart_from_sheets("ledger.path", ledger, inboxes)?;
        for inbox in inboxes {
            if let Some(map) = &inbox.sku_map {
                self.lies_apart_from_sheets(&format!("inbox.{}.sku_map", inbox.name), map, inboxes)?;
            }
        }
        Ok(())
    }

    /// A file may lie beside the folders that an inbox has in its own, and not in one of them.
    fn lies_apart_from_sheets(&self, key: &str, file: &Path, inboxes: &[Inbox]) -> Result<(), ConfigError> {
        for inbox in inboxes {
            let how = match overlap(file, &inbox.path) {
                None => continue,
                Some(Overlap::Same) => "is the folder of",
                Some(Overlap::Inside) => "lies among the sheets of",
                Some(Overlap::Around) => "holds the folder of",
            };
            let message = format!(
                "`{}` {how} `inbox.{}`; expected a file that lies in none of its folders, inbox/, done/ and the others",
                file.display(),
                inbox.name
            );
            return Err(self.source.wrong(key, &message));
        }
        Ok(())
    }

    /// What is wrong with a ledger is mended by moving its file aside, and so it is with others: one file is one of them alone.
    pub(super) fn ledger_is_no_other(&self, ledger: &Path, raw: &Raw) -> Result<(), ConfigError> {
        let folder = ledger.parent().unwrap_or(Path::new("/"));
        let mut others: Vec<(PathBuf, String)> = vec![(self.path.to_owned(), "the config".to_owned())];
        others.extend(BESIDE_THE_LEDGER.map(|name| (folder.join(name), format!("dropsheet's own {name}"))));
        for (key, written) in Self::named_files(raw) {
            others.push((self.file(&key, written)?, format!("`{key}`")));
        }
        for (name, inbox) in &raw.inbox {
            let Some(path) = &inbox.path else { continue };
            let root = self.file(&format!("inbox.{name}.path"), path)?;
            others.extend(IN_AN_INBOX.map(|own| (root.join(own), format!("the {own} of `inbox.{name}`"))));
        }
        match others
            .into_iter()
            .find(|(other, _what)| overlap(ledger, other) == Some(Overlap::Same))
        {
            None => Ok(()),
            Some((_other, what)) => {
                let message = format!(
                    "`{}` is {what}; expected a file of its own, such as \"ledger.db\"",
                    ledger.display()
                );
                Err(self.source.wrong("ledger.path", &message))
            }
        }
    }

    /// The files that the config names, with their keys.
    fn named_files(raw: &Raw) -> Vec<(String, &str)> {
        let passwords = raw.account.iter().map(|(name, account)| {
            (
                format!("account.{name}.password_file"),
                account.password_file.as_deref(),
            )
        });
        let maps = raw
            .inbox
            .iter()
            .map(|(name, inbox)| (format!("inbox.{name}.sku_map"), inbox.sku_map.as_deref()));
        let others = [
            (
                "notify.smtp_password_file".to_owned(),
                raw.notify.smtp_password_file.as_deref(),
            ),
            (
                "webhook.access_key_file".to_owned(),
                raw.webhook.access_key_file.as_deref(),
            ),
        ];
        let named = passwords.chain(maps).chain(others);
        named.filter_map(|(key, file)| Some((key, file?))).collect()
    }
}
