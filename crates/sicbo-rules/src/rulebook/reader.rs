//! Walks a TOML document and collects every fault instead of stopping at the first.
//!
//! Each table remembers which of its keys were asked for; what nobody asked
//! for is reported as unknown when the table goes out of use, so a misspelt
//! key can never be silently ignored.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::str::FromStr;

use toml::de::{DeTable, DeValue};

use super::fault::Fault;
use super::words::Word;
use crate::citation::{Citation, Cited};

type Spanned<T> = toml::Spanned<T>;

/// Collects faults over one document.
pub(super) struct Reader<'a> {
    source: &'a str,
    faults: RefCell<Vec<Fault>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a str) -> Reader<'a> {
        Reader {
            source,
            faults: RefCell::new(Vec::new()),
        }
    }

    pub(super) fn line(&self, offset: usize) -> usize {
        line_at(self.source, offset)
    }

    pub(super) fn fault(&self, line: usize, place: &str, problem: &str, expected: &str) {
        self.faults.borrow_mut().push(Fault {
            line,
            place: place.to_owned(),
            problem: problem.to_owned(),
            expected: expected.to_owned(),
        });
    }

    /// All faults found, in the order of the file.
    pub(super) fn into_faults(self) -> Vec<Fault> {
        let mut faults = self.faults.into_inner();
        faults.sort_by(|a, b| a.line.cmp(&b.line).then_with(|| a.place.cmp(&b.place)));
        faults
    }
}

/// Line of a byte offset, counted from one.
pub(super) fn line_at(source: &str, offset: usize) -> usize {
    let end = offset.min(source.len());
    source.as_bytes()[..end]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

/// One table of the document.
pub(super) struct Table<'r, 'a> {
    reader: &'r Reader<'a>,
    /// Path of keys from the root; empty at the root.
    pub(super) place: String,
    /// Line where it begins.
    pub(super) line: usize,
    map: &'r DeTable<'a>,
    asked: RefCell<BTreeSet<String>>,
}

impl<'r, 'a> Table<'r, 'a> {
    pub(super) fn root(reader: &'r Reader<'a>, map: &'r DeTable<'a>) -> Table<'r, 'a> {
        Table {
            reader,
            place: String::new(),
            line: 1,
            map,
            asked: RefCell::default(),
        }
    }

    fn path(&self, key: &str) -> String {
        if self.place.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.place)
        }
    }

    fn value(&self, key: &str) -> Option<&'r Spanned<DeValue<'a>>> {
        self.asked.borrow_mut().insert(key.to_owned());
        self.map
            .iter()
            .find(|(name, _)| name.get_ref() == key)
            .map(|(_, value)| value)
    }

    /// Reports a fault at one of this table's keys.
    pub(super) fn fault(&self, key: &str, problem: &str, expected: &str) {
        let line = self
            .map
            .iter()
            .find(|(name, _)| name.get_ref() == key)
            .map_or(self.line, |(name, _)| self.reader.line(name.span().start));
        self.reader.fault(line, &self.path(key), problem, expected);
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.map.iter().any(|(name, _)| name.get_ref() == key)
    }

    fn wanted(&self, key: &str, what: &str) -> Option<&'r Spanned<DeValue<'a>>> {
        let value = self.value(key);
        if value.is_none() {
            self.fault(key, "missing", &format!("give {what}"));
        }
        value
    }

    /// A non-empty text.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.wanted(key, "a text")?;
        self.optional_text(key)
    }

    pub(super) fn optional_text(&self, key: &str) -> Option<String> {
        match self.value(key)?.get_ref() {
            // It would steer the terminals and break the pages it is shown on.
            DeValue::String(text) if text.chars().any(char::is_control) => {
                self.fault(
                    key,
                    "holds a control character",
                    "give plain text on one line",
                );
                None
            }
            DeValue::String(text) if !text.trim().is_empty() => Some(text.to_string()),
            DeValue::String(_) => {
                self.fault(key, "empty", "give a text or leave the key out");
                None
            }
            _ => {
                self.fault(key, "not a text", "give a text in quotes");
                None
            }
        }
    }

    /// A text that parses as `T`.
    pub(super) fn parsed<T>(&self, key: &str) -> Option<T>
    where
        T: FromStr,
        T::Err: std::fmt::Display,
    {
        let text = self.text(key)?;
        text.parse()
            .map_err(|error: T::Err| self.fault(key, &error.to_string(), "correct it"))
            .ok()
    }

    pub(super) fn integer(&self, key: &str) -> Option<i64> {
        match self.wanted(key, "a whole number")?.get_ref() {
            DeValue::Integer(number) => {
                let parsed = i64::from_str_radix(number.as_str(), number.radix()).ok();
                if parsed.is_none() {
                    self.fault(key, "too large", "give a whole number of at most 18 digits");
                }
                parsed
            }
            _ => {
                self.fault(key, "not a whole number", "give a whole number");
                None
            }
        }
    }

    pub(super) fn boolean(&self, key: &str) -> Option<bool> {
        match self.wanted(key, "true or false")?.get_ref() {
            DeValue::Boolean(value) => Some(*value),
            _ => {
                self.fault(key, "neither true nor false", "give true or false");
                None
            }
        }
    }

    pub(super) fn datetime(&self, key: &str) -> Option<String> {
        match self.wanted(key, "a date and time with offset")?.get_ref() {
            DeValue::Datetime(value) => Some(value.to_string()),
            _ => {
                self.fault(
                    key,
                    "not a date",
                    "give a date and time with offset, e.g. 2022-09-20T09:00:00+08:00",
                );
                None
            }
        }
    }

    /// One of a closed list of words.
    pub(super) fn word<T: Word>(&self, key: &str) -> Option<T> {
        let text = self.text(key)?;
        let word = T::from_key(&text);
        if word.is_none() {
            let all: Vec<&str> = T::all().iter().map(|word| word.key()).collect();
            self.fault(
                key,
                &format!("{text:?} is unknown"),
                &format!("use one of {}", all.join(", ")),
            );
        }
        word
    }

    /// A list of texts; entries that are no text are faults.
    pub(super) fn texts(&self, key: &str) -> Vec<String> {
        match self.wanted(key, "a list of texts").map(Spanned::get_ref) {
            None => Vec::new(),
            Some(DeValue::Array(entries)) => entries
                .iter()
                .filter_map(|entry| {
                    let text = entry.get_ref().as_str();
                    match text {
                        None => self.fault(key, "an entry is not a text", "give texts in quotes"),
                        Some(text) if text.chars().any(char::is_control) => self.fault(
                            key,
                            "an entry holds a control character",
                            "give plain text on one line",
                        ),
                        Some(_) => {}
                    }
                    text.map(str::to_owned)
                })
                .collect(),
            Some(_) => {
                self.fault(key, "not a list", "give a list of texts");
                Vec::new()
            }
        }
    }

    pub(super) fn optional_texts(&self, key: &str) -> Vec<String> {
        if self.has(key) {
            self.texts(key)
        } else {
            Vec::new()
        }
    }

    /// A list of `N` whole numbers from 0 to a million.
    pub(super) fn numbers<const N: usize>(&self, key: &str, what: &str) -> Option<[u32; N]> {
        let numbers: Option<Vec<u32>> = match self.wanted(key, what)?.get_ref() {
            DeValue::Array(entries) => entries
                .iter()
                .map(|entry| match entry.get_ref() {
                    DeValue::Integer(number) => number
                        .as_str()
                        .parse()
                        .ok()
                        .filter(|number| *number <= 1_000_000u32),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let array = numbers.and_then(|numbers| numbers.try_into().ok());
        if array.is_none() {
            self.fault(key, "not as expected", &format!("give {what}"));
        }
        array
    }

    fn nested(&self, place: String, value: &'r Spanned<DeValue<'a>>) -> Option<Table<'r, 'a>> {
        let line = self.reader.line(value.span().start);
        match value.get_ref() {
            DeValue::Table(map) => Some(Table {
                reader: self.reader,
                place,
                line,
                map,
                asked: RefCell::default(),
            }),
            _ => {
                self.reader.fault(
                    line,
                    &place,
                    "not a table",
                    "give a table, e.g. { is = …, rule = \"5.1\" }",
                );
                None
            }
        }
    }

    pub(super) fn table(&self, key: &str) -> Option<Table<'r, 'a>> {
        let value = self.wanted(key, "a table")?;
        self.nested(self.path(key), value)
    }

    pub(super) fn optional_table(&self, key: &str) -> Option<Table<'r, 'a>> {
        if self.has(key) { self.table(key) } else { None }
    }

    /// The tables of a list.
    pub(super) fn tables(&self, key: &str) -> Vec<Table<'r, 'a>> {
        match self.wanted(key, "a list of tables").map(Spanned::get_ref) {
            None => Vec::new(),
            Some(DeValue::Array(entries)) => entries
                .iter()
                .enumerate()
                .filter_map(|(i, entry)| self.nested(format!("{}[{i}]", self.path(key)), entry))
                .collect(),
            Some(_) => {
                self.fault(key, "not a list of tables", "give [[…]] tables");
                Vec::new()
            }
        }
    }

    /// Every key of this table with its nested table; for maps whose keys are data.
    pub(super) fn entries(&self) -> Vec<(String, Table<'r, 'a>)> {
        self.map
            .iter()
            .filter_map(|(name, value)| {
                let key = name.get_ref().to_string();
                self.asked.borrow_mut().insert(key.clone());
                Some((key.clone(), self.nested(self.path(&key), value)?))
            })
            .collect()
    }

    /// The `rule` and `resolution` of this table.
    pub(super) fn citation(&self) -> Option<Citation> {
        let resolution = self.optional_text("resolution");
        if let Some(text) = &resolution {
            let number = text.strip_prefix("Q-").or_else(|| text.strip_prefix("P-"));
            let numbered =
                number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
            if !numbered {
                self.fault(
                    "resolution",
                    &format!("{text:?} is no resolution"),
                    "cite e.g. Q-28",
                );
            }
        }
        if !self.has("rule") {
            self.fault(
                "rule",
                "no citation",
                "cite the rule, e.g. rule = \"5.1\", or rule = \"silent\" with a resolution",
            );
            return None;
        }
        let rule = self.text("rule")?;
        let citation = Citation { rule, resolution };
        if !citation.is_in_document() && citation.resolution.is_none() {
            self.fault(
                "resolution",
                &format!("rule is {:?} and no resolution is cited", citation.rule),
                "cite the resolution that settles it, e.g. resolution = \"Q-18\"",
            );
        }
        Some(citation)
    }

    /// `{ is = "word", rule = "5.1" }`.
    pub(super) fn cited_word<T: Word>(&self, key: &str) -> Option<Cited<T>> {
        let table = self.table(key)?;
        let (is, cite) = (table.word("is"), table.citation());
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    }

    /// `{ is = "text", rule = "5.1" }`.
    pub(super) fn cited_text(&self, key: &str) -> Option<Cited<String>> {
        let table = self.table(key)?;
        let (is, cite) = (table.text("is"), table.citation());
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    }

    /// `{ is = true, rule = "5.1" }`.
    pub(super) fn cited_boolean(&self, key: &str) -> Option<Cited<bool>> {
        let table = self.table(key)?;
        let (is, cite) = (table.boolean("is"), table.citation());
        Some(Cited {
            is: is?,
            cite: cite?,
        })
    }
}

impl Drop for Table<'_, '_> {
    fn drop(&mut self) {
        let asked = self.asked.borrow();
        for (name, _) in self.map.iter() {
            if !asked.contains(name.get_ref().as_ref()) {
                let expected = format!(
                    "use {}",
                    asked.iter().cloned().collect::<Vec<_>>().join(", ")
                );
                self.fault(name.get_ref(), "unknown key", &expected);
            }
        }
    }
}
