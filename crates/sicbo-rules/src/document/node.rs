//! One table of a document, asked key by key.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::{Document, Place, Reader, short};
use crate::money::{Currency, Money};
use crate::rulebook::words::Word;

fn join(path: &str, key: &str) -> String {
    match (path, key) {
        ("", only) | (only, "") => only.to_owned(),
        _ => format!("{path}.{key}"),
    }
}

/// In whichever base it is written.
fn whole_number(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// One table of the document.
pub struct Node<'r, 'a> {
    reader: &'r Reader,
    /// Where it begins; the path is empty at the root.
    here: Place,
    map: &'r DeTable<'a>,
    asked: RefCell<BTreeSet<String>>,
}

impl<'r, 'a> Node<'r, 'a> {
    /// The document itself.
    pub fn root(reader: &'r Reader, document: &'r Document<'a>) -> Node<'r, 'a> {
        let here = Place {
            line: 1,
            path: String::new(),
        };
        Node::new(reader, here, document.get_ref())
    }

    fn new(reader: &'r Reader, here: Place, map: &'r DeTable<'a>) -> Node<'r, 'a> {
        Node {
            reader,
            here,
            map,
            asked: RefCell::default(),
        }
    }

    /// From now on the table is called so in faults.
    pub fn rename(&mut self, path: String) {
        self.here.path = path;
    }

    /// Where faults are noted.
    pub fn reader(&self) -> &'r Reader {
        self.reader
    }

    fn path(&self, key: &str) -> String {
        join(&self.here.path, key)
    }

    /// Where the table begins.
    pub fn here(&self) -> Place {
        self.here.clone()
    }

    /// Where a key stands; where the table begins when it is missing.
    pub fn at(&self, key: &str) -> Place {
        self.within(&[key])
    }

    /// Where a key of a nested table stands; as deep as the file goes.
    pub fn within(&self, keys: &[&str]) -> Place {
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
    pub fn fault(&self, key: &str, problem: &str, expected: &str) {
        self.reader.fault(&self.at(key), problem, expected);
    }

    /// Whether a key is there. Who asks reads it, so it is a known key from then on.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Reports that a key is needed when it is not there.
    pub fn needs(&self, key: &str, what: &str) -> bool {
        let there = self.has(key);
        if !there {
            self.fault(key, "missing", &format!("give {what}"));
        }
        there
    }

    fn wanted(&self, key: &str, what: &str) -> Option<&'r Spanned<DeValue<'a>>> {
        self.needs(key, what).then(|| self.value(key)).flatten()
    }

    /// A text that must be there and say something.
    pub fn text(&self, key: &str) -> Option<String> {
        self.wanted_text(key, "a text")
    }

    /// The same, with the words for it when it is missing.
    pub fn wanted_text(&self, key: &str, what: &str) -> Option<String> {
        self.wanted(key, what)?;
        self.optional_text(key)
    }

    /// A text that says something; nothing when the key is not there.
    pub fn optional_text(&self, key: &str) -> Option<String> {
        match self.value(key)?.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => Some(text.to_string()),
            DeValue::String(_) => {
                self.fault(key, "empty", self.reader.advice.text);
                None
            }
            _ => {
                self.fault(key, "not a text", "give a text in quotes");
                None
            }
        }
    }

    /// Whether a key is there and holds a text.
    pub fn is_text(&self, key: &str) -> bool {
        self.value(key)
            .is_some_and(|value| value.get_ref().as_str().is_some())
    }

    /// A text that parses as `T`.
    pub fn parsed<T>(&self, key: &str) -> Option<T>
    where
        T: FromStr,
        T::Err: std::fmt::Display,
    {
        let text = self.text(key)?;
        text.parse()
            .map_err(|error: T::Err| self.fault(key, &error.to_string(), "see the format"))
            .ok()
    }

    /// A whole number that must be there.
    pub fn integer(&self, key: &str) -> Option<i64> {
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

    /// True or false; it must be there.
    pub fn boolean(&self, key: &str) -> Option<bool> {
        self.wanted(key, "true or false")?;
        self.optional_boolean(key)
    }

    /// True or false; nothing when the key is not there.
    pub fn optional_boolean(&self, key: &str) -> Option<bool> {
        let value = self.value(key)?.get_ref().as_bool();
        if value.is_none() {
            self.fault(key, "neither true nor false", "give true or false");
        }
        value
    }

    /// A day or an instant, which must be there.
    pub fn datetime(&self, key: &str) -> Option<String> {
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

    /// One of a closed list of words; it must be there.
    pub fn word<T: Word>(&self, key: &str) -> Option<T> {
        self.wanted(key, "a text")?;
        self.optional_word(key)
    }

    /// One of a closed list of words; nothing when the key is not there.
    pub fn optional_word<T: Word>(&self, key: &str) -> Option<T> {
        let keys: Vec<&str> = T::all().iter().map(|word| word.key()).collect();
        T::from_key(self.choice(key, &keys)?)
    }

    /// One of these texts; nothing when the key is not there.
    pub fn choice<'c>(&self, key: &str, choices: &[&'c str]) -> Option<&'c str> {
        let text = self.optional_text(key)?;
        let found = choices.iter().find(|choice| **choice == text);
        if found.is_none() {
            let near = self.reader.near(&text, choices);
            let expected = format!("use one of {}{near}", choices.join(", "));
            self.fault(key, &format!("{:?} is unknown", short(&text)), &expected);
        }
        found.copied()
    }

    /// A text, or a date written as TOML writes dates; nothing when the key is not there.
    pub fn optional_date(&self, key: &str) -> Option<String> {
        match self.value(key)?.get_ref() {
            DeValue::Datetime(date) => Some(date.to_string()),
            _ => self.optional_text(key),
        }
    }

    /// A whole number within bounds; `otherwise` when the key is not there.
    pub fn number<T: TryFrom<i64>>(
        &self,
        key: &str,
        range: RangeInclusive<i64>,
        otherwise: T,
    ) -> T {
        let Some(value) = self.value(key) else {
            return otherwise;
        };
        let number = value.get_ref().as_integer().and_then(whole_number);
        let fits = number.filter(|number| range.contains(number));
        fits.and_then(|number| T::try_from(number).ok())
            .unwrap_or_else(|| {
                let (least, most) = (range.start(), range.end());
                let expected = format!("give a whole number from {least} to {most}");
                self.fault(key, "not such a number", &expected);
                otherwise
            })
    }

    /// An amount of money in quotes.
    pub fn amount(&self, key: &str, currency: Currency) -> Option<Money> {
        let text = self.optional_text(key)?;
        match currency.parse(&text) {
            Ok(amount) => Some(amount),
            Err(error) => {
                let example = currency.format(Money::from_minor(250_000));
                let expected = format!("give an amount in quotes, e.g. {key} = \"{example}\"");
                self.fault(key, &error.to_string(), &expected);
                None
            }
        }
    }

    /// An address and port.
    pub fn address(&self, key: &str) -> Option<SocketAddr> {
        let text = self.optional_text(key)?;
        let address = text.parse().ok();
        if address.is_none() {
            self.fault(
                key,
                &format!("{:?} is no address with a port", short(&text)),
                "give numbers, e.g. 127.0.0.1:8420 or [::1]:8420",
            );
        }
        address
    }

    /// A list of texts, each with its place; entries that are no text are faults.
    pub fn placed_texts(&self, key: &str) -> Vec<(String, Place)> {
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

    /// The texts of a list; none when the key is not there.
    pub fn optional_texts(&self, key: &str) -> Vec<String> {
        if !self.has(key) {
            return Vec::new();
        }
        let texts = self.placed_texts(key);
        texts.into_iter().map(|(text, _)| text).collect()
    }

    /// The texts of a list, if all of them are; nothing when the key is not there.
    pub fn all_texts(&self, key: &str) -> Option<Vec<String>> {
        let Some(DeValue::Array(entries)) = self.value(key).map(Spanned::get_ref) else {
            if self.has(key) {
                self.fault(key, "not a list", "give a list of texts in quotes");
            }
            return None;
        };
        let texts: Option<Vec<String>> = entries
            .iter()
            .map(|entry| entry.get_ref().as_str().map(str::to_owned))
            .collect();
        if texts.is_none() {
            self.fault(key, "an entry is not a text", "give texts in quotes");
        }
        texts
    }

    /// A short name: small letters, digits and hyphens.
    pub fn name(&self, key: &str) -> Option<String> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let name = self.text(key)?;
        let valid = name.len() <= 40 && name.bytes().all(plain);
        if !valid {
            self.fault(
                key,
                "invalid id",
                "use up to 40 lower-case letters, digits, hyphens",
            );
        }
        valid.then_some(name)
    }

    /// A list of `N` whole numbers from 0 to a million.
    pub fn numbers<const N: usize>(&self, key: &str, what: &str) -> Option<[u32; N]> {
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

    fn nested(&self, path: String, value: &'r Spanned<DeValue<'a>>) -> Option<Node<'r, 'a>> {
        let here = Place {
            line: self.reader.line(value.span().start),
            path,
        };
        match value.get_ref() {
            DeValue::Table(map) => Some(Node::new(self.reader, here, map)),
            _ => {
                let advice = self.reader.advice.table;
                self.reader.fault(&here, "not a table", advice);
                None
            }
        }
    }

    /// A table that must be there.
    pub fn table(&self, key: &str) -> Option<Node<'r, 'a>> {
        if !self.has(key) {
            self.fault(key, "missing", self.reader.advice.table);
        }
        let value = self.value(key)?;
        self.nested(self.path(key), value)
    }

    /// A table; nothing when the key is not there.
    pub fn optional_table(&self, key: &str) -> Option<Node<'r, 'a>> {
        if self.has(key) { self.table(key) } else { None }
    }

    /// The tables of a list that must be there.
    pub fn tables(&self, key: &str) -> Vec<Node<'r, 'a>> {
        self.needs(key, "a list of tables");
        self.optional_tables(key)
    }

    /// The tables of a list; none when the key is not there.
    pub fn optional_tables(&self, key: &str) -> Vec<Node<'r, 'a>> {
        match self.value(key).map(Spanned::get_ref) {
            None => Vec::new(),
            Some(DeValue::Array(entries)) => entries
                .iter()
                .enumerate()
                .filter_map(|(i, entry)| self.nested(format!("{}[{i}]", self.path(key)), entry))
                .collect(),
            Some(_) => {
                let advice = self.reader.advice.tables.replace("{key}", key);
                self.fault(key, "not a list of tables", &advice);
                Vec::new()
            }
        }
    }

    /// Another reading of a table that has been read: its keys were judged then.
    pub fn all_known(&self) {
        self.asked.borrow_mut().extend(self.keys());
    }

    /// The keys of this table, for maps whose keys are data.
    pub fn keys(&self) -> Vec<String> {
        let names = self.map.iter().map(|(name, _)| name.get_ref().to_string());
        names.collect()
    }

    /// Every key of this table with its nested table; for maps whose keys are data.
    pub fn entries(&self) -> Vec<(String, Node<'r, 'a>)> {
        self.map
            .iter()
            .filter_map(|(name, value)| {
                let key = name.get_ref().to_string();
                self.asked.borrow_mut().insert(key.clone());
                Some((key.clone(), self.nested(self.path(&key), value)?))
            })
            .collect()
    }
}

impl Drop for Node<'_, '_> {
    fn drop(&mut self) {
        let asked = self.asked.borrow();
        let known: Vec<&str> = asked.iter().map(String::as_str).collect();
        for (name, _) in self.map.iter() {
            let name: &str = name.get_ref();
            if !asked.contains(name) {
                let near = self.reader.near(name, &known);
                let expected = format!("use {}{near}", known.join(", "));
                self.fault(name, "unknown key", &expected);
            }
        }
    }
}
