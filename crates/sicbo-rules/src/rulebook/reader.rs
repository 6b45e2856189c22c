//! Walks a TOML document and collects every fault instead of stopping at the first.
//!
//! Each table remembers which of its keys were asked for; what nobody asked
//! for is reported as unknown when the table goes out of use, so a misspelt
//! key can never be silently ignored.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::str::FromStr;

use toml::de::{DeInteger, DeTable, DeValue};

use super::fault::Fault;
use super::words::Word;
use crate::citation::{Citation, Cited};

type Spanned<T> = toml::Spanned<T>;

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// In whichever base it is written.
fn whole_number(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// Where something stands in the file: what is read from there keeps it, so
/// that a fault found later still points at its own line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    /// Line, counted from one.
    pub(super) line: usize,
    /// Path of keys from the root.
    pub(super) path: String,
}

/// Collects faults over one document.
pub(super) struct Reader {
    /// Offset of every line's end.
    line_ends: Vec<usize>,
    faults: RefCell<Vec<Fault>>,
}

impl Reader {
    pub(super) fn new(source: &str) -> Reader {
        let ends = source
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        Reader {
            line_ends: ends.map(|(offset, _)| offset).collect(),
            faults: RefCell::new(Vec::new()),
        }
    }

    /// Line of a byte offset, counted from one.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.line_ends.partition_point(|end| *end < offset) + 1
    }

    pub(super) fn fault(&self, place: &Place, problem: &str, expected: &str) {
        self.faults.borrow_mut().push(Fault {
            line: place.line,
            place: place.path.clone(),
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

/// One table of the document.
pub(super) struct Table<'r, 'a> {
    reader: &'r Reader,
    /// Where it begins; the path is empty at the root.
    here: Place,
    map: &'r DeTable<'a>,
    asked: RefCell<BTreeSet<String>>,
}

impl<'r, 'a> Table<'r, 'a> {
    pub(super) fn root(reader: &'r Reader, map: &'r DeTable<'a>) -> Table<'r, 'a> {
        Table {
            reader,
            here: Place {
                line: 1,
                path: String::new(),
            },
            map,
            asked: RefCell::default(),
        }
    }

    pub(super) fn reader(&self) -> &'r Reader {
        self.reader
    }

    fn path(&self, key: &str) -> String {
        join(&self.here.path, key)
    }

    /// Where the table begins.
    pub(super) fn here(&self) -> Place {
        self.here.clone()
    }

    /// Where a key stands; where the table begins when it is missing.
    pub(super) fn at(&self, key: &str) -> Place {
        self.within(&[key])
    }

    /// Where a key of a nested table stands; as deep as the file goes.
    pub(super) fn within(&self, keys: &[&str]) -> Place {
        let mut place = self.here.clone();
        let mut map = Some(self.map);
        for key in keys {
            let found = map.and_then(|map| map.iter().find(|(name, _)| name.get_ref() == key));
            if let Some((name, _)) = found {
                place.line = self.reader.line(name.span().start);
            }
            map = found.and_then(|(_, value)| value.get_ref().as_table());
            place.path = join(&place.path, key);
        }
        place
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
        self.reader.fault(&self.at(key), problem, expected);
    }

    /// Whether a key is there. Who asks reads it, so it is a known key from then on.
    pub(super) fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
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
                let parsed = whole_number(number);
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
            // A day, or an instant: a time of day that knows its offset.
            DeValue::Datetime(value)
                if value.date.is_some() && value.time.is_some() == value.offset.is_some() =>
            {
                Some(value.to_string())
            }
            _ => {
                self.fault(
                    key,
                    "not a date or an instant",
                    "give a day, or a date and time with offset, e.g. 2022-09-20T09:00:00+08:00",
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

    /// A list of texts, each with its place; entries that are no text are faults.
    pub(super) fn placed_texts(&self, key: &str) -> Vec<(String, Place)> {
        match self.wanted(key, "a list of texts").map(Spanned::get_ref) {
            None => Vec::new(),
            Some(DeValue::Array(entries)) => entries
                .iter()
                .filter_map(|entry| {
                    let place = Place {
                        line: self.reader.line(entry.span().start),
                        path: self.path(key),
                    };
                    let text = entry.get_ref().as_str();
                    if text.is_none() {
                        self.reader
                            .fault(&place, "an entry is not a text", "give texts in quotes");
                    }
                    Some((text?.to_owned(), place))
                })
                .collect(),
            Some(_) => {
                self.fault(key, "not a list", "give a list of texts");
                Vec::new()
            }
        }
    }

    pub(super) fn optional_texts(&self, key: &str) -> Vec<String> {
        if !self.has(key) {
            return Vec::new();
        }
        let texts = self.placed_texts(key);
        texts.into_iter().map(|(text, _)| text).collect()
    }

    /// A short name: small letters, digits and hyphens.
    pub(super) fn name(&self, key: &str) -> Option<String> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let name = self.text(key)?;
        let valid = name.len() <= 40 && name.bytes().all(plain);
        if !valid {
            self.fault(
                key,
                "not a name",
                "use at most 40 small letters, digits and hyphens",
            );
        }
        valid.then_some(name)
    }

    /// A list of `N` whole numbers from 0 to a million.
    pub(super) fn numbers<const N: usize>(&self, key: &str, what: &str) -> Option<[u32; N]> {
        let numbers: Option<Vec<u32>> = match self.wanted(key, what)?.get_ref() {
            DeValue::Array(entries) => entries
                .iter()
                .map(|entry| match entry.get_ref() {
                    DeValue::Integer(number) => whole_number(number)
                        .and_then(|number| u32::try_from(number).ok())
                        .filter(|number| *number <= 1_000_000),
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

    fn nested(&self, path: String, value: &'r Spanned<DeValue<'a>>) -> Option<Table<'r, 'a>> {
        let here = Place {
            line: self.reader.line(value.span().start),
            path,
        };
        match value.get_ref() {
            DeValue::Table(map) => Some(Table {
                reader: self.reader,
                here,
                map,
                asked: RefCell::default(),
            }),
            _ => {
                self.reader.fault(
                    &here,
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

    /// A text whose citation stands beside it in this table.
    pub(super) fn with_citation(&self, key: &str) -> Option<Cited<String>> {
        let (is, cite) = (self.text(key), self.citation());
        Some(Cited {
            is: is?,
            cite: cite?,
        })
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
        self.table(key)?.with_citation("is")
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
