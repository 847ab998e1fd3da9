//! Texts of .xlsx of which a part is struck through: the library gives a text whole, and of how it looks only what its
//! cell says. The parts with the texts are read once more, where they speak of that at all.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use calamine::DataRef;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use zip::ZipArchive;

use super::super::reject::broken;
use super::super::source::Source;
use super::spans::attribute;
use crate::finding::Rejection;

/// The texts of a workbook that have a part which is struck through, without their white space: the library
/// trims some of it. An equal text without that part would be taken for one; a person looks at one order too many then.
#[derive(Debug, Default)]
pub(super) struct StruckTexts(HashSet<String>);

impl StruckTexts {
    /// Reads those parts of a workbook, by their indexes in its archive.
    pub(super) fn read(file: &Arc<File>, parts: &[usize]) -> Result<Self, Rejection> {
        let mut found = HashSet::new();
        if parts.is_empty() {
            return Ok(Self::default());
        }
        let mut archive = ZipArchive::new(BufReader::new(Source::new(file))).map_err(broken)?;
        for index in parts {
            let part = archive.by_index(*index).map_err(broken)?;
            gather(BufReader::new(part), &mut found)?;
        }
        Ok(Self(found))
    }

    /// Whether a cell's value is such a text.
    pub(super) fn holds(&self, value: &DataRef<'_>) -> bool {
        let text = match value {
            DataRef::SharedString(text) => text,
            DataRef::String(text) => text.as_str(),
            _ => return false,
        };
        !self.0.is_empty() && self.0.contains(&without_space(text))
    }
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The text that is read.
#[derive(Default)]
struct Shared {
    text: String,
    is_struck: bool,
    /// Whether its letters come now.
    in_letters: bool,
    /// Whether they are how another part is spoken.
    in_phonetic: bool,
}

fn gather(part: impl BufRead, found: &mut HashSet<String>) -> Result<(), Rejection> {
    let mut reader = Reader::from_reader(part);
    reader.config_mut().expand_empty_elements = true;
    let mut buffer = Vec::new();
    let mut shared = Shared::default();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(broken)? {
            Event::Eof => return Ok(()),
            Event::Start(tag) => shared.enter(&tag)?,
            Event::End(tag) => match tag.local_name().as_ref() {
                "t" => shared.in_letters = false,
                "rPh" => shared.in_phonetic = false,
                "si" | "is" if shared.is_struck => {
                    found.insert(without_space(&std::mem::take(&mut shared.text)));
                }
                _ => {}
            },
            Event::Text(text) => shared.take(&text.xml10_content()),
            Event::CData(text) => shared.take(&text.xml10_content()),
            Event::GeneralRef(letter) => shared.take(&meant(&letter)?),
            _ => {}
        }
    }
}

impl Shared {
    fn enter(&mut self, tag: &BytesStart<'_>) -> Result<(), Rejection> {
        match tag.local_name().as_ref() {
            "si" | "is" => *self = Self::default(),
            "t" => self.in_letters = !self.in_phonetic,
            "rPh" => self.in_phonetic = true,
            "strike" => {
                let value = attribute(tag, "val")?;
                self.is_struck |= !value.is_some_and(|value| ["0", "false"].contains(&value.as_str()));
            }
            _ => {}
        }
        Ok(())
    }

    fn take(&mut self, letters: &str) {
        if self.in_letters {
            self.text.push_str(letters);
        }
    }
}

/// The character that a reference stands for.
fn meant(reference: &BytesRef<'_>) -> Result<String, Rejection> {
    if let Some(letter) = reference.resolve_char_ref().map_err(broken)? {
        return Ok(letter.to_string());
    }
    Ok(resolve_predefined_entity(reference)
        .unwrap_or_default()
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_a_part_that_is_struck_through_are_found() {
        let part = r#"<sst>
            <si><t>12</t></si>
            <si><r><rPr><strike/></rPr><t>1</t></r><r><t xml:space="preserve"> 3</t></r></si>
            <si><r><rPr><strike val="0"/><b/></rPr><t>14</t></r></si>
            <si><r><rPr><b/></rPr><t>A &amp; </t></r><r><rPr><strike val="1"/></rPr><t>B&#233;</t></r><rPh sb="0" eb="1"><t>C</t></rPh></si>
            </sst>"#;
        let mut found = HashSet::new();
        gather(part.as_bytes(), &mut found).unwrap();
        let part = r#"<sheetData><c t="inlineStr"><is><r><rPr><strike/></rPr><t>1</t></r><r><t>5</t></r></is></c>
            <c t="inlineStr"><is><t>16</t></is></c></sheetData>"#;
        gather(part.as_bytes(), &mut found).unwrap();
        let texts = StruckTexts(found);
        for (text, is_struck) in [
            ("13", true),
            ("15", true),
            ("16", false),
            ("12", false),
            ("14", false),
            ("A & Bé", true),
            ("", false),
        ] {
            assert_eq!(texts.holds(&DataRef::SharedString(text)), is_struck, "{text}");
        }
        assert!(!texts.holds(&DataRef::Float(13.0)), "a number has no parts");
    }
}
