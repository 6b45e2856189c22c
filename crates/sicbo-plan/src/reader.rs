//! Walks the TOML of a plan and collects every fault instead of stopping at
//! the first.
//!
//! Each table remembers which of its keys were asked for; what nobody asked
//! for is reported when the table goes out of use, with the known key it is
//! closest to. Knows nothing of houses.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::SocketAddr;

use sicbo_rules::rulebook::words::Word;
use sicbo_rules::{Currency, Money};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, PlanError};

/// Most faults that are reported: nobody reads more, and a hostile file cannot
/// ask for more memory.
const MAX_FAULTS: usize = 1_000;

/// Collects faults over one document.
pub(super) struct Reader {
    line_ends: Vec<usize>,
    faults: RefCell<Vec<Fault>>,
}

impl Reader {
    pub(super) fn new(source: &str) -> Reader {
        let bytes = source.bytes().enumerate();
        Reader {
            line_ends: bytes
                .filter(|(_, byte)| *byte == b'\n')
                .map(|(at, _)| at)
                .collect(),
            faults: RefCell::default(),
        }
    }

    /// Line of a byte offset, counted from one.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.line_ends.partition_point(|end| *end < offset) + 1
    }

    pub(super) fn fault(&self, place: &Place, problem: &str, expected: &str) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() < MAX_FAULTS {
            faults.push(Fault {
                line: place.line,
                place: place.path.clone(),
                problem: problem.to_owned(),
                expected: expected.to_owned(),
            });
        }
    }

    /// What was read, if nothing was wrong with it.
    pub(super) fn finish<T>(self, read: T) -> Result<T, PlanError> {
        let mut faults = self.faults.into_inner();
        faults.sort_by(|a, b| a.line.cmp(&b.line).then_with(|| a.place.cmp(&b.place)));
        // What stands in a list of tables is walked twice.
        faults.dedup();
        if faults.is_empty() {
            Ok(read)
        } else {
            Err(PlanError::Faults(faults))
        }
    }
}

/// Where something stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) path: String,
}

/// The known word closest to what was given: `; did you mean X?`.
pub(super) fn did_you_mean<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let given: String = given.to_lowercase().chars().take(60).collect();
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&given, word), word))
        .filter(|(distance, word)| *distance <= (word.len() / 3).clamp(1, 4))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| format!("; did you mean {word}?"))
        .unwrap_or_default()
}

/// What was given, short enough to be shown.
pub(super) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

/// One table of the document.
pub(super) struct Node<'r, 'a> {
    reader: &'r Reader,
    here: Place,
    map: &'r DeTable<'a>,
    asked: RefCell<BTreeSet<String>>,
}

impl<'r, 'a> Node<'r, 'a> {
    pub(super) fn root(reader: &'r Reader, map: &'r DeTable<'a>) -> Node<'r, 'a> {
        let here = Place {
            line: 1,
            path: String::new(),
        };
        Node::new(reader, here, map)
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
    pub(super) fn rename(&mut self, path: String) {
        self.here.path = path;
    }

    fn path(&self, key: &str) -> String {
        if self.here.path.is_empty() {
            key.to_owned()
        } else if key.is_empty() {
            self.here.path.clone()
        } else {
            format!("{}.{key}", self.here.path)
        }
    }

    /// Where a key stands; where the table begins when it is missing or empty.
    pub(super) fn at(&self, key: &str) -> Place {
        let found = self.map.iter().find(|(name, _)| name.get_ref() == key);
        Place {
            line: found.map_or(self.here.line, |(name, _)| {
                self.reader.line(name.span().start)
            }),
            path: self.path(key),
        }
    }

    pub(super) fn fault(&self, key: &str, problem: &str, expected: &str) {
        self.reader.fault(&self.at(key), problem, expected);
    }

    fn value(&self, key: &str) -> Option<&'r Spanned<DeValue<'a>>> {
        self.asked.borrow_mut().insert(key.to_owned());
        let found = self.map.iter().find(|(name, _)| name.get_ref() == key);
        found.map(|(_, value)| value)
    }

    /// Whether a key is there; it is a known key from then on.
    pub(super) fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Reports that a key is needed when it is not there.
    pub(super) fn needs(&self, key: &str, what: &str) -> bool {
        let there = self.has(key);
        if !there {
            self.fault(key, "missing", &format!("give {what}"));
        }
        there
    }

    /// A text that says something; nothing when the key is not there.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        match self.value(key)?.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => Some(text.to_string()),
            DeValue::String(_) => {
                self.fault(key, "empty", "give a text");
                None
            }
            _ => {
                self.fault(key, "not a text", "give a text in quotes");
                None
            }
        }
    }

    pub(super) fn wanted_text(&self, key: &str, what: &str) -> Option<String> {
        if self.needs(key, what) {
            self.text(key)
        } else {
            None
        }
    }

    /// A text, or a date written as TOML writes dates.
    pub(super) fn date(&self, key: &str) -> Option<String> {
        match self.value(key)?.get_ref() {
            DeValue::Datetime(date) => Some(date.to_string()),
            _ => self.text(key),
        }
    }

    pub(super) fn boolean(&self, key: &str, otherwise: bool) -> bool {
        match self.value(key).map(Spanned::get_ref) {
            None => otherwise,
            Some(DeValue::Boolean(value)) => *value,
            Some(_) => {
                self.fault(key, "neither true nor false", "give true or false");
                otherwise
            }
        }
    }

    /// A whole number within bounds; `otherwise` when the key is not there.
    pub(super) fn number<T: TryFrom<i64>>(
        &self,
        key: &str,
        range: std::ops::RangeInclusive<i64>,
        otherwise: T,
    ) -> T {
        let Some(value) = self.value(key) else {
            return otherwise;
        };
        let number = match value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let fits = number.filter(|number| range.contains(number));
        match fits.and_then(|number| T::try_from(number).ok()) {
            Some(number) => number,
            None => {
                let expected = format!(
                    "give a whole number from {} to {}",
                    range.start(),
                    range.end()
                );
                self.fault(key, "not such a number", &expected);
                otherwise
            }
        }
    }

    /// An amount of money in quotes.
    pub(super) fn amount(&self, key: &str, currency: Currency) -> Option<Money> {
        let text = self.text(key)?;
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

    /// One of a closed list of texts.
    pub(super) fn choice<'c>(&self, key: &str, choices: &[&'c str]) -> Option<&'c str> {
        let text = self.text(key)?;
        let found = choices.iter().find(|choice| **choice == text);
        if found.is_none() {
            let expected = format!(
                "use one of {}{}",
                choices.join(", "),
                did_you_mean(&text, choices.iter().copied())
            );
            self.fault(key, &format!("{:?} is unknown", short(&text)), &expected);
        }
        found.copied()
    }

    /// One of a rule book's words.
    pub(super) fn word<T: Word>(&self, key: &str) -> Option<T> {
        let keys: Vec<&str> = T::all().iter().map(|word| word.key()).collect();
        T::from_key(self.choice(key, &keys)?)
    }

    /// An address and port.
    pub(super) fn address(&self, key: &str) -> Option<SocketAddr> {
        let text = self.text(key)?;
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

    /// A list of texts.
    pub(super) fn texts(&self, key: &str) -> Option<Vec<String>> {
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

    fn nested(&self, path: String, value: &'r Spanned<DeValue<'a>>) -> Option<Node<'r, 'a>> {
        let here = Place {
            line: self.reader.line(value.span().start),
            path,
        };
        match value.get_ref() {
            DeValue::Table(map) => Some(Node::new(self.reader, here, map)),
            _ => {
                self.reader
                    .fault(&here, "not a table", "give a table of keys and values");
                None
            }
        }
    }

    /// A table, when it is there.
    pub(super) fn table(&self, key: &str) -> Option<Node<'r, 'a>> {
        self.nested(self.path(key), self.value(key)?)
    }

    /// The tables of a list; none when the key is not there.
    pub(super) fn tables(&self, key: &str) -> Vec<Node<'r, 'a>> {
        match self.value(key).map(Spanned::get_ref) {
            None => Vec::new(),
            Some(DeValue::Array(entries)) => entries
                .iter()
                .enumerate()
                .filter_map(|(i, entry)| self.nested(format!("{}[{i}]", self.path(key)), entry))
                .collect(),
            Some(_) => {
                self.fault(
                    key,
                    "not a list of tables",
                    &format!("begin each with [[{key}]]"),
                );
                Vec::new()
            }
        }
    }

    /// Another reading of a table that has been read: its keys were judged then.
    pub(super) fn all_known(&self) {
        self.asked.borrow_mut().extend(self.keys());
    }

    /// The keys of this table, for maps whose keys are data.
    pub(super) fn keys(&self) -> Vec<String> {
        let names = self.map.iter().map(|(name, _)| name.get_ref().to_string());
        names.collect()
    }
}

impl Drop for Node<'_, '_> {
    fn drop(&mut self) {
        let asked = self.asked.borrow();
        for (name, _) in self.map.iter() {
            let name: &str = name.get_ref();
            if !asked.contains(name) {
                let known: Vec<&str> = asked.iter().map(String::as_str).collect();
                let expected = format!(
                    "use {}{}",
                    known.join(", "),
                    did_you_mean(name, known.iter().copied())
                );
                self.fault(name, "unknown key", &expected);
            }
        }
    }
}
