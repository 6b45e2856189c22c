//! A pay table without rules of play: a small file for those who want an edge
//! and nothing else. It says where it was published and what each bet pays; no
//! house can be run on it.

use sha2::{Digest, Sha256};
use sicbo_rules::document::{Advice, Fault, Node, Place, Reader};
use sicbo_rules::{Currency, Ratio};

use super::{Bet, Game, Line, Pattern, Source};
use crate::stakes::{currency_by_code, currency_codes};
use crate::what_if::decimal;

/// Why a text is no pay table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PayTableError {
    /// Not TOML at all.
    #[error("line {line}: this is not TOML: {message}")]
    Unreadable {
        /// Line of the file, counted from one.
        line: usize,
        /// What the TOML parser says.
        message: String,
    },
    /// A pay table with faults; all of them.
    #[error("{} fault{} in the pay table", .0.len(), if .0.len() == 1 { "" } else { "s" })]
    Faults(Vec<Fault>),
}

const ADVICE: Advice = Advice {
    text: "give a text or leave the key out",
    table: "give a table",
    tables: "give rows, e.g. row = [{ bets = [\"big\"], pays = \"1\" }]",
    did_you_mean: true,
};

/// Whether a text says that it is a pay table only.
#[must_use]
pub fn is_pay_table(source: &str) -> bool {
    source.lines().any(|line| {
        let line = line.trim();
        line.strip_prefix("pay_table_only")
            .is_some_and(|rest| rest.trim_start().starts_with('='))
    })
}

impl Game {
    /// Reads a pay table file.
    ///
    /// # Errors
    /// All its faults at once.
    pub fn parse(source: &str) -> Result<Game, PayTableError> {
        let (reader, document) = Reader::parse(source, &ADVICE)
            .map_err(|(line, message)| PayTableError::Unreadable { line, message })?;
        let game = {
            let root = Node::root(&reader, &document);
            read(&root, source)
        };
        let faults = reader.into_faults();
        match game {
            Some(game) if faults.is_empty() => Ok(game),
            _ => Err(PayTableError::Faults(faults)),
        }
    }
}

fn read(root: &Node<'_, '_>, source: &str) -> Option<Game> {
    if root.integer("format").is_some_and(|format| format != 1) {
        root.fault("format", "unknown format", "this program reads format = 1");
    }
    if root.boolean("pay_table_only") == Some(false) {
        root.fault(
            "pay_table_only",
            "false",
            "give true, or write a whole rule book",
        );
    }
    let id = root.name("id");
    let title = root.text("title");
    let published = root.text("source");
    let version = root.optional_text("version");
    let _ = root.optional_texts("notes");
    let currency = root
        .optional_text("currency")
        .map_or(Some(Currency::USD), |code| {
            let found = currency_by_code(&code);
            if found.is_none() {
                let known = currency_codes();
                root.fault(
                    "currency",
                    &format!("{code:?} is unknown"),
                    &format!("use {}", known.join(", ")),
                );
            }
            found
        });
    let mut bets: Vec<Bet> = Vec::new();
    for row in root.tables("row") {
        for bet in read_row(&row) {
            if bets.iter().any(|other| other.name == bet.name) {
                row.reader().fault(
                    &row.here(),
                    &format!("{} is repeated", bet.name),
                    "give each bet its odds once",
                );
            }
            bets.push(bet);
        }
    }
    if bets.is_empty() && root.has("row") {
        root.fault("row", "there is no bet", "give at least one");
    }
    let id = id?;
    Some(Game {
        source: Source {
            layout: id.clone(),
            rulebook: id,
            rulebook_version: version,
            rulebook_sha256: hex(&Sha256::digest(source.as_bytes())),
            pay_table_only: true,
            published: Some(published?),
        },
        title: title?,
        currency: currency?,
        bets,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A row: `bets` by notation, or a `name` with what `wins` on each line; and
/// what they pay.
fn read_row(row: &Node<'_, '_>) -> Vec<Bet> {
    let label = row.optional_text("label");
    let rule = row.optional_text("rule").unwrap_or_default();
    let commission = row.optional_text("commission").and_then(|text| {
        let share = share(&text).filter(|share| *share < Ratio::from_integer(1));
        if share.is_none() {
            row.fault(
                "commission",
                &format!("{text:?} is not a share"),
                "write 5% or 1/20 of the winnings",
            );
        }
        share
    });
    let keep = Ratio::from_integer(1) - commission.unwrap_or_default();
    let mut lines = Vec::new();
    let pays = match row.is_text("pays") {
        true => row
            .text("pays")
            .into_iter()
            .map(|text| (text, row.at("pays")))
            .collect(),
        false => row.placed_texts("pays"),
    };
    for (text, place) in pays {
        match odds(&text) {
            Some(odds) => lines.push(Line {
                odds: odds * keep,
                written: match commission {
                    Some(_) => format!("{text} less {}", super::percent_text(Ratio::from_integer(1) - keep)),
                    None => super::odds_text(odds),
                },
                rule: rule.clone(),
            }),
            None => row.reader().fault(
                &place,
                &format!("{text:?} is not odds"),
                "write the profit to 1, e.g. 64, 8.5, 7/3 or 6 2/3, or what is paid for 1, e.g. 181 for 1",
            ),
        }
    }
    let mut patterns = Vec::new();
    let read = |text: &str, place: &Place| match Pattern::all(text) {
        Ok(all) => Some(all),
        Err(error) => {
            row.reader()
                .fault(place, &error.to_string(), "name a bet that can be won");
            None
        }
    };
    if row.has("name") {
        let parts: Vec<Pattern> = row
            .placed_texts("wins")
            .iter()
            .filter_map(|(text, place)| read(text, place))
            .flatten()
            .collect();
        if let Some(name) = row.name("name") {
            patterns.push(Pattern::first_of(&name, &parts));
        }
    } else {
        for (text, place) in row.placed_texts("bets") {
            patterns.extend(read(&text, &place).into_iter().flatten());
        }
    }
    let mut bets = Vec::new();
    let mut faults: Vec<String> = Vec::new();
    for pattern in patterns {
        let name = label.clone().unwrap_or_else(|| pattern.to_string());
        match Bet::new(&pattern, name, lines.clone()) {
            Ok(bet) => bets.push(bet),
            Err(fault) => faults.push(fault),
        }
    }
    if let (Some(first), false) = (faults.first(), lines.is_empty()) {
        let more = match faults.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        row.fault(
            "pays",
            &format!("{first}{more}"),
            "give the odds of each line, e.g. pays = [\"1\", \"2\", \"3\"]",
        );
    }
    bets
}

/// Profit to 1: `64`, `8.5`, `7/3`, `6 2/3`, `62 to 1`, or `181 for 1`.
fn odds(text: &str) -> Option<Ratio> {
    let one = Ratio::from_integer(1);
    let text = text.trim();
    if let Some(paid) = text.strip_suffix(" for 1") {
        return Some(number(paid)? - one).filter(|odds| *odds >= Ratio::from_integer(0));
    }
    number(text.strip_suffix(" to 1").unwrap_or(text))
}

fn number(text: &str) -> Option<Ratio> {
    let (whole, part) = match text.split_once(' ') {
        Some((whole, part)) => (decimal(whole)?, part),
        None => (Ratio::from_integer(0), text),
    };
    let value = match part.split_once('/') {
        Some((above, below)) => {
            let below = decimal(below)?;
            if *below.numer() == 0 {
                return None;
            }
            decimal(above)? / below
        }
        None => decimal(part)?,
    };
    let sum = whole + value;
    (sum >= Ratio::from_integer(0)).then_some(sum)
}

fn share(text: &str) -> Option<Ratio> {
    match text.strip_suffix('%') {
        Some(percent) => Some(number(percent.trim())? / Ratio::from_integer(100)),
        None => number(text),
    }
}
