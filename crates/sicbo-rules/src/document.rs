//! Walks a TOML document and collects every fault instead of stopping at the first.
//!
//! Each table remembers which of its keys were asked for; what nobody asked
//! for is reported as unknown when the table goes out of use, so a misspelt
//! key can never be silently ignored. Rule books and the plan of a house are
//! read with it.

mod node;

use std::cell::RefCell;

use toml::Spanned;
use toml::de::DeTable;

pub use node::Node;

/// Most faults that are reported: nobody reads more, and a hostile file cannot
/// ask for more memory.
const MAX_FAULTS: usize = 1_000;

/// One fault: where it stands, what is wrong, what would be right.
#[derive(Clone, PartialEq, Eq, Debug, derive_more::Display)]
#[display("line {line}: {place}: {problem}; {expected}")]
pub struct Fault {
    /// Line of the file, counted from one.
    pub line: usize,
    /// Path of keys to the place, e.g. `pay_table[0].row[3].rule`.
    pub place: String,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub expected: String,
}

/// What one kind of file says is right where only its writer can know.
pub struct Advice {
    /// In place of an empty text.
    pub text: &'static str,
    /// In place of something that is no table.
    pub table: &'static str,
    /// In place of something that is no list of tables; `{key}` is its key.
    pub tables: &'static str,
    /// Whether the known word closest to a wrong one is named.
    pub did_you_mean: bool,
}

/// `; did you mean X?` when a known word is close to what was given: at most
/// one letter in `letters` of it may be wrong.
pub fn did_you_mean<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
    letters: usize,
) -> String {
    let given: String = given.to_lowercase().chars().take(60).collect();
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&given, word), word))
        .filter(|(distance, word)| *distance <= (word.len() / letters).clamp(1, 4))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| format!("; did you mean {word}?"))
        .unwrap_or_default()
}

/// What was given, short enough to be shown.
pub fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Where something stands in the file: what is read from there keeps it, so
/// that a fault found later still points at its own line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Line, counted from one.
    pub line: usize,
    /// Path of keys from the root.
    pub path: String,
}

/// A whole file.
pub type Document<'a> = Spanned<DeTable<'a>>;

/// Collects faults over one document.
pub struct Reader {
    /// Offset of every line's end.
    line_ends: Vec<usize>,
    faults: RefCell<Vec<Fault>>,
    advice: &'static Advice,
}

impl Reader {
    /// Reads a text; for one that is no TOML, the line and what the parser says.
    pub fn parse<'a>(
        source: &'a str,
        advice: &'static Advice,
    ) -> Result<(Reader, Document<'a>), (usize, String)> {
        let bytes = source.bytes().enumerate();
        let reader = Reader {
            line_ends: bytes
                .filter(|(_, byte)| *byte == b'\n')
                .map(|(at, _)| at)
                .collect(),
            faults: RefCell::default(),
            advice,
        };
        match DeTable::parse(source) {
            Ok(document) => Ok((reader, document)),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                Err((reader.line(at), error.message().to_owned()))
            }
        }
    }

    /// Line of a byte offset, counted from one.
    fn line(&self, offset: usize) -> usize {
        self.line_ends.partition_point(|end| *end < offset) + 1
    }

    /// How many faults were noted so far.
    pub fn count(&self) -> usize {
        self.faults.borrow().len()
    }

    /// Notes a fault.
    pub fn fault(&self, place: &Place, problem: &str, expected: &str) {
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

    /// All faults found, in the order of the file.
    pub fn into_faults(self) -> Vec<Fault> {
        let mut faults = self.faults.into_inner();
        faults.sort_by(|a, b| a.line.cmp(&b.line).then_with(|| a.place.cmp(&b.place)));
        // A table may be walked twice.
        faults.dedup();
        faults
    }

    fn near(&self, given: &str, known: &[&str]) -> String {
        match self.advice.did_you_mean {
            true => did_you_mean(given, known.iter().copied(), 3),
            false => String::new(),
        }
    }
}
