//! Stakes as written by a person: a file, or `SECTION=AMOUNT` on the command line.
//!
//! Two forms of file are read. JSON: one object, section to amount, e.g.
//! `{"big": "10.00", "total:11": "5"}`. Text: one section and its amount per
//! line, e.g. `big 10.00`; `#` starts a comment. Every fault is reported at
//! once, each with where it stands.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use sicbo_rules::{Currency, Money, RuleBook};

use crate::game::{Game, Mix};

/// What stakes are checked against.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Which bets there are.
    pub game: &'a Game,
    /// The currency amounts are written in.
    pub currency: Currency,
    /// The smallest chip: every stake is a multiple of it.
    pub unit: Money,
}

/// The currency a book's tables are played in unless another is asked for.
#[must_use]
pub fn currency_of(book: &RuleBook) -> Currency {
    if book.identity.jurisdiction == "vn" {
        Currency::VND
    } else {
        Currency::SGD
    }
}

/// Currencies of published pay tables that no house plays in.
const FURTHER: [&str; 3] = ["AUD", "NZD", "GBP"];

/// A currency by its code: those a house can play in, and some more.
#[must_use]
pub fn currency_by_code(code: &str) -> Option<Currency> {
    let further = || FURTHER.iter().find(|known| **known == code);
    Currency::from_code(code).or_else(|| Currency::new(further()?, 2))
}

/// The codes that [`currency_by_code`] knows.
#[must_use]
pub fn currency_codes() -> Vec<&'static str> {
    let known = Currency::KNOWN.each_ref();
    known
        .into_iter()
        .map(Currency::code)
        .chain(FURTHER)
        .collect()
}

/// The chip unit unless another is asked for: 1.00, or 1000 where there are no decimals.
#[must_use]
pub fn unit_of(currency: Currency) -> Money {
    match currency.decimals() {
        0 => Money::from_minor(1000),
        decimals => Money::from_minor(10_i64.pow(u32::from(decimals))),
    }
}

/// Why a text gives no stakes: every fault in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .faults.join("\n"))]
pub struct StakesError {
    /// The faults, in the order of the text.
    pub faults: Vec<String>,
}

/// One pair as written, and where.
struct Written {
    place: String,
    section: String,
    amount: String,
}

impl Rules<'_> {
    /// Reads the text of a stakes file, in either form.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn read(&self, text: &str) -> Result<Mix, StakesError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let written = if text.trim_start().starts_with(['{', '[', '"']) {
            from_json(text)?
        } else {
            from_lines(text)?
        };
        self.check(written)
    }

    /// Reads stakes given as `SECTION=AMOUNT`.
    ///
    /// # Errors
    /// All faults of all of them.
    pub fn read_pairs<'t>(
        &self,
        pairs: impl IntoIterator<Item = &'t str>,
    ) -> Result<Mix, StakesError> {
        let mut written = Vec::new();
        let mut faults = Vec::new();
        for pair in pairs {
            match pair.split_once('=') {
                Some((section, amount)) => written.push(Written {
                    place: String::new(),
                    section: section.trim().to_owned(),
                    amount: amount.trim().to_owned(),
                }),
                None => faults.push(format!(
                    "{:?} is not a stake: write SECTION=AMOUNT, e.g. big=10.00",
                    short(pair)
                )),
            }
        }
        if faults.is_empty() {
            self.check(written)
        } else {
            Err(StakesError { faults })
        }
    }

    /// One chip unit on every bet.
    #[must_use]
    pub fn one_each(&self) -> Mix {
        let mut mix = Mix::default();
        for at in 0..self.game.bets.len() {
            mix.add(at, self.unit);
        }
        mix
    }

    fn check(&self, written: Vec<Written>) -> Result<Mix, StakesError> {
        let mut mix = Mix::default();
        let mut faults = Vec::new();
        for one in &written {
            if let Err(problem) = self.check_one(one, &mut mix) {
                faults.push(format!("{}{problem}", one.place));
            }
        }
        if written.is_empty() {
            faults.push(
                "there are no stakes: give at least one, e.g. big=10.00 or a line `big 10.00`"
                    .to_owned(),
            );
        }
        if faults.is_empty() {
            Ok(mix)
        } else {
            Err(StakesError { faults })
        }
    }

    fn check_one(&self, one: &Written, mix: &mut Mix) -> Result<(), String> {
        let at = self.game.find(&one.section)?;
        let section = &self.game.bets[at].name;
        let amount = self
            .currency
            .parse(&one.amount)
            .map_err(|e| format!("{section}: {e}"))?;
        if amount == Money::ZERO {
            return Err(format!("{section}: the stake must be greater than zero"));
        }
        self.check_unit(amount)
            .map_err(|e| format!("{section}: {e}"))?;
        if mix.on(at) != Money::ZERO {
            return Err(format!("{section} is given twice: add the amounts up"));
        }
        if amount > MAX_STAKED || mix.total() + amount > MAX_STAKED {
            let most = self.currency.format(MAX_STAKED);
            return Err(format!(
                "{section}: all stakes together may be at most {most}"
            ));
        }
        mix.add(at, amount);
        Ok(())
    }

    /// Refuses an amount that no chips can make.
    ///
    /// # Errors
    /// The problem, with the nearest amounts that can be made.
    pub fn check_unit(&self, amount: Money) -> Result<(), String> {
        let over = amount.minor() % self.unit.minor();
        if over == 0 {
            return Ok(());
        }
        let below = Money::from_minor(amount.minor() - over);
        let above = below + self.unit;
        let format = |money| self.currency.format(money);
        let nearest = match below {
            Money::ZERO => format(above),
            _ => format!("{} or {}", format(below), format(above)),
        };
        Err(format!(
            "{} is not a multiple of the chip unit {}: the nearest are {nearest}",
            format(amount),
            format(self.unit)
        ))
    }
}

/// The most all stakes may come to: leaves room for 10,000 to 1 within what money can hold.
pub const MAX_STAKED: Money = Money::from_minor(Money::MAX.minor() / 20_000);

fn from_lines(text: &str) -> Result<Vec<Written>, StakesError> {
    let mut written = Vec::new();
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let place = format!("line {}: ", number + 1);
        let mut words = line
            .split(|c: char| c.is_whitespace() || c == '=' || c == ',')
            .filter(|word| !word.is_empty());
        match (words.next(), words.next(), words.next()) {
            (Some(section), Some(amount), None) => written.push(Written {
                place,
                section: section.to_owned(),
                amount: amount.to_owned(),
            }),
            _ => faults.push(format!(
                "{place}{:?} is not a stake: write a section and an amount, e.g. big 10.00",
                short(line)
            )),
        }
    }
    if faults.is_empty() {
        Ok(written)
    } else {
        Err(StakesError { faults })
    }
}

fn from_json(text: &str) -> Result<Vec<Written>, StakesError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let pairs = reader
        .deserialize_map(Pairs)
        .and_then(|pairs| reader.end().map(|()| pairs))
        .map_err(|error| StakesError {
            faults: vec![format!(
                "this is not a JSON object of sections and amounts such as {{\"big\": \"10.00\"}}: {error}"
            )],
        })?;
    Ok(pairs
        .into_iter()
        .map(|(section, amount)| Written {
            place: String::new(),
            section,
            amount: match amount {
                serde_json::Value::String(text) => text,
                other => other.to_string(),
            },
        })
        .collect())
}

/// Reads an object pair by pair: a plain map would silently keep the last of two equal keys.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(String, serde_json::Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of sections and amounts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sicbo_rules::rulebook::find_layout;

    fn rules(game: &Game) -> Rules<'_> {
        let unit = unit_of(Currency::SGD);
        let currency = Currency::SGD;
        Rules {
            game,
            currency,
            unit,
        }
    }

    fn game(name: &str) -> Game {
        find_layout(name)
            .map(|(book, layout)| Game::of(book, layout))
            .unwrap()
    }

    #[test]
    fn both_forms_of_file_and_the_command_line_say_the_same() {
        let game = game("rws-open-cover/c");
        let rules = rules(&game);
        let json = rules.read(r#"{"big": "10.00", "total:11": 5}"#).unwrap();
        let text = rules
            .read("# mix\nbig 10.00\n\ntotal:11=5 # half odds\n")
            .unwrap();
        let pairs = rules.read_pairs(["big=10", "total:11=5.00"]).unwrap();
        assert_eq!(json, text);
        assert_eq!(json, pairs);
        assert_eq!(json.total(), Money::from_minor(1500));
    }

    #[test]
    fn every_bad_stake_is_refused_with_the_reason() {
        let open = game("rws-open-cover/c");
        let rules = rules(&open);
        for (text, hint) in [
            ("", "there are no stakes"),
            ("# nothing\n", "there are no stakes"),
            ("{}", "there are no stakes"),
            ("big", "line 1: \"big\" is not a stake"),
            ("big 1 2", "is not a stake"),
            ("big ten", "line 1: big: \"ten\" is not an amount"),
            ("big 0", "greater than zero"),
            ("big -5", "not an amount"),
            ("big 1.50", "nearest are 1.00 or 2.00"),
            ("big 0.50", "nearest are 1.00"),
            ("big 5\nbig 5", "line 2: big is given twice"),
            (r#"{"big":"5","big":"6"}"#, "big is given twice"),
            (r#"{"big":true}"#, "not an amount"),
            (r#"{"big":5"#, "not a JSON object"),
            (r#"["big"]"#, "not a JSON object"),
            (r#"{"big":5} x"#, "not a JSON object"),
            ("banana 5", "is not a bet"),
            ("big 999999999999999", "too large"),
            ("big 90071992547409", "all stakes together"),
        ] {
            let error = rules.read(text).unwrap_err().to_string();
            assert!(error.contains(hint), "{text:?}: {error}");
        }
        let two = rules.read("big x\nsmall y\n").unwrap_err();
        assert_eq!(two.faults.len(), 2);
        let other = game("quang-nam-table/a");
        let error = Rules {
            game: &other,
            ..rules
        }
        .read("odd 5")
        .unwrap_err();
        assert!(error.to_string().contains("does not offer odd"));
    }
}
