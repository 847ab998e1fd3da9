//! The merchant's SKU map: a file of theirs that is read anew for every sheet, extended by SKU-map sheets that are
//! dropped into the inbox, and asked for where own SKUs are unknown.

mod extend;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::catalog::{Entry, Snapshot};
use crate::check::value::of_product;
use crate::config::Inbox;
use crate::files;
use crate::finding::{Code, Rejection};
use crate::ledger::record::Outcome;
use crate::order::sku_map::{MAPPED, MapLayout, key};
use crate::order::{Draft, SkuMap};
use crate::outcome::Status;
use crate::result::sku_map::AskedSku;
use crate::sheet::{Limits, Row, Sheet};

pub use extend::{ExtendError, Extension, extend};

/// What a SKU map may cost: a merchant's list of own SKUs is far smaller.
const LIMITS: Limits = Limits {
    max_bytes: 64 << 20,
    max_rows: 200_000,
};

/// SKUs that are asked for at once: more are no oversight but a shop that has no map yet, and its next sheet asks on.
const MOST_ASKED: usize = 2_000;

/// Of those so many are compared with the catalog word by word where nothing is spelt like them, which takes longer.
const MOST_BY_WORDS: usize = 100;

/// How many SKUs of the catalog are suggested for one of the merchant's.
const SUGGESTED: usize = 10;

/// A SKU map as it was read, or why it could not be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// What it says; empty where there is none.
    pub map: SkuMap,
    /// Why the file that the inbox names is no map, as a sentence.
    pub trouble: Option<String>,
    /// Why what needs the map waits: by the map as it is, other products might be printed.
    pub wait: Option<(Code, String)>,
}

impl Map {
    /// Why nothing can be told by it, as a sentence, and what to do; none of one that was read.
    pub(crate) fn unreadable(&self) -> Option<(String, String)> {
        let (why, hint) = match (&self.trouble, &self.wait) {
            (Some(trouble), _) => (
                trouble,
                "Its first row has to name the columns sku and item_sku. Mend it and drop the sheet again.",
            ),
            (None, Some((_code, why))) => (why, "Then drop the sheet again."),
            (None, None) => return None,
        };
        Some((why.clone(), hint.to_owned()))
    }
}

/// Why what needs a map waits that a sheet of `inbox` is still to change.
pub fn waits(inbox: &str) -> (Code, String) {
    let why = format!(
        "An older sheet changes the SKU map and could not be taken into it yet; STATUS.txt of the inbox `{inbox}` says why."
    );
    (Code::SkuMapWaits, why)
}

/// Reads the SKU map of an inbox. A file that is not there yet is an empty map; one that cannot be opened now is waited
/// for.
pub fn load(inbox: &Inbox, scratch: &Path) -> Map {
    let Some(path) = &inbox.sku_map else {
        return Map::default();
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if let Err(error) = files::open_regular(path)
        && !matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::InvalidInput
        )
    {
        let why =
            format!("The SKU map `{name}` cannot be opened ({error}); check that dropsheet may read it.");
        return Map {
            wait: Some((Code::SkuMapWaits, why)),
            ..Map::default()
        };
    }
    match read(path, scratch) {
        Ok(map) => Map {
            map,
            ..Map::default()
        },
        Err(why) => Map {
            trouble: Some(format!("The SKU map `{name}` cannot be read: {}", why.message)),
            ..Map::default()
        },
    }
}

/// What is known of a map whose file does not answer: it is waited for.
pub(super) fn silent(path: &Path) -> Map {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let why = format!("The SKU map `{name}` does not answer: is its share away?");
    Map {
        wait: Some((Code::SkuMapWaits, why)),
        ..Map::default()
    }
}

fn read(path: &Path, scratch: &Path) -> Result<SkuMap, Rejection> {
    let Some(sheet) = open(path, scratch)? else {
        return Ok(SkuMap::default());
    };
    let layout = MapLayout::read(sheet.header())?;
    let header = sheet.header().number();
    let mut map = SkuMap::default();
    let mut rows = sheet.rows()?;
    let mut row = Row::default();
    while rows.next(&mut row)? {
        if row.number() > header {
            map.note(&layout, &row);
        }
    }
    Ok(map)
}

/// Opens a map; none where there is no such file.
fn open(path: &Path, scratch: &Path) -> Result<Option<Sheet>, Rejection> {
    let file = match files::open_regular(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(Rejection {
                code: Code::UnreadableFile,
                message: format!("it cannot be opened ({error})."),
                hint: "Check that dropsheet may read it.".to_owned(),
            });
        }
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Sheet::open(file, &name, LIMITS, scratch, &MapLayout::is_header_of_map).map(Some)
}

/// The own SKUs of a sheet that nothing is known of: they are asked for in a SKU-map sheet.
#[derive(Clone, Debug, Default)]
pub struct Unmapped {
    /// None where the inbox has no map, or nothing was worked.
    catalog: Option<Arc<Snapshot>>,
    /// By what an own SKU is looked up by: two spellings that the map takes for one are asked for once.
    skus: BTreeMap<String, AskedSku>,
}

impl Unmapped {
    /// Nothing yet; `wanted` is whether the inbox has a map at all.
    pub fn new(wanted: bool, catalog: &Arc<Snapshot>) -> Self {
        Self {
            catalog: wanted.then(|| Arc::clone(catalog)),
            skus: BTreeMap::new(),
        }
    }

    /// Notes the own SKUs for which an order could not be sent.
    pub fn note(&mut self, draft: &Draft, outcome: &Outcome, map: &SkuMap) {
        let Some(catalog) = &self.catalog else { return };
        let codes = [
            Code::UnknownSku,
            Code::MissingArtwork,
            Code::BadUrl,
            Code::UnknownLocation,
            Code::TooLong,
        ];
        if outcome.status != Status::Invalid
            || !outcome
                .findings
                .iter()
                .any(|finding| codes.contains(&finding.code))
        {
            return;
        }
        for line in draft.own_skus() {
            let entry = catalog.entry(line.item_sku);
            let is_answered = entry.is_some() && line.has_artwork && !is_wrong(catalog, entry, map, line.own);
            if line.own.is_empty() || is_answered {
                continue;
            }
            let key = key(line.own);
            if let Some(asked) = self.skus.get_mut(&key) {
                asked.lines += 1;
            } else if self.skus.len() < MOST_ASKED {
                let near = nearest(catalog, (line.own, line.name), self.skus.len() < MOST_BY_WORDS);
                let asked = AskedSku {
                    own: line.own.to_owned(),
                    name: line.name.to_owned(),
                    lines: 1,
                    known: known(map.texts(line.own), entry),
                    nearest: near.into_iter().map(|entry| entry.sku.clone()).collect(),
                };
                self.skus.insert(key, asked);
            }
        }
    }

    /// What is asked for, by what it is looked up by, with the catalog to choose from; none where there is nothing to ask.
    pub fn asked(&self) -> Option<(&BTreeMap<String, AskedSku>, &Snapshot)> {
        let catalog = self.catalog.as_deref()?;
        (!self.skus.is_empty()).then_some((&self.skus, catalog))
    }
}

/// Whether the map has something for an own SKU that cannot be sent.
fn is_wrong(catalog: &Snapshot, entry: Option<&Entry>, map: &SkuMap, own: &str) -> bool {
    let texts = map.texts(own);
    let mut said = MAPPED.into_iter().zip(&texts);
    said.any(|(field, text)| of_product(catalog, entry, field, text).is_some())
}

/// What the map has of an own SKU, with the catalog's own spelling of its SKU where that is known.
fn known(texts: impl Into<Vec<String>>, entry: Option<&Entry>) -> Vec<String> {
    let mut texts = texts.into();
    if let (Some(entry), Some(item_sku)) = (entry, texts.first_mut()) {
        item_sku.clone_from(&entry.sku);
    }
    texts
}

/// The SKUs of the catalog that are spelt like one of the merchant's; where there are none and `by_words`, those that
/// share words with what the shop calls the product.
fn nearest<'c>(catalog: &'c Snapshot, (own, name): (&str, &str), by_words: bool) -> Vec<&'c Entry> {
    let near = catalog.nearest(own, SUGGESTED);
    if near.is_empty() && by_words {
        return catalog.by_words(&format!("{own} {name}"), SUGGESTED);
    }
    near
}

/// Why a SKU-map sheet cannot be taken into an inbox that has no map.
pub fn no_map(inbox: &str) -> Rejection {
    Rejection {
        code: Code::OtherExport,
        message: "The sheet is a SKU map, and the inbox has none to extend.".to_owned(),
        hint: format!(
            "Set `inbox.{inbox}.sku_map` in the config, such as \"sku-map.csv\", and drop it again."
        ),
    }
}

/// The name under which an older map is kept beside the one that takes its place: `sku-map.2026-11-21_0914.csv`.
fn older(path: &Path, time: &str) -> PathBuf {
    let folder = files::folder_of(path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path
        .extension()
        .map_or_else(String::new, |ending| ending.to_string_lossy().into_owned());
    files::free_name(folder, &format!("{stem}.{time}"), &ending)
}
