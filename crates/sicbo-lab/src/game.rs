//! What the lab works on: the bets of one layout of a rule book, or of a
//! published pay table that has no rules of play.
//!
//! A bet knows, for each of the 216 outcomes, what comes back: an exact ratio
//! of the stake. Nothing here knows how the bet is drawn or who may take it.

pub mod file;
pub mod loading;
pub mod pattern;
pub mod profile;

use num_traits::Zero;
use serde::Serialize;
use sicbo_rules::{Currency, Layout, Money, Outcome, Ratio, RuleBook};

use crate::LabError;

pub use file::PayTableError;
pub use loading::{FaceWeights, Loading};
pub use pattern::Pattern;
pub use profile::Profile;

/// Where a game comes from: what a result must name so that it can be found again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Source {
    /// Full name: `rws-etg/a`, or the name in the pay table file.
    pub layout: String,
    /// The rule book, or the pay table file's name.
    pub rulebook: String,
    /// Its version as printed; `null` where the document lost it or has none.
    pub rulebook_version: Option<String>,
    /// SHA-256 of the file.
    pub rulebook_sha256: String,
    /// A pay table only: no rules of play stand behind it.
    pub pay_table_only: bool,
    /// Where the pay table was published, where it is not a rule book.
    pub published: Option<String>,
}

/// One line of odds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Profit to 1, after commission.
    pub odds: Ratio,
    /// As the pay table writes it.
    pub written: String,
    /// The rule that says so.
    pub rule: String,
}

/// One bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bet {
    /// Its notation: `total:11`.
    pub name: String,
    /// The word before the colon: `total`.
    pub kind: String,
    /// What the layout calls it.
    pub label: String,
    /// Its odds: one line, three for a single die.
    pub lines: Vec<Line>,
    /// Line that pays by outcome, counted from one; zero is a lost bet.
    hits: [u8; Outcome::COUNT],
    /// What comes back for a stake of `denominator`, by outcome.
    back: [i64; Outcome::COUNT],
    denominator: i64,
}

/// Odds beyond this are no odds; keeps every product within range.
pub const MAX_ODDS: i64 = 10_000;

impl Bet {
    /// A bet that pays its lines on the outcomes of a pattern.
    ///
    /// # Errors
    /// When there are not as many odds as the pattern has lines, or odds are out of range.
    pub fn new(pattern: &Pattern, label: String, lines: Vec<Line>) -> Result<Bet, String> {
        let name = pattern.to_string();
        let wanted = pattern.line_count();
        if lines.len() != wanted {
            return Err(format!(
                "{name} pays on {wanted} line{}, {} given",
                if wanted == 1 { "" } else { "s" },
                lines.len()
            ));
        }
        let denominator = lines
            .iter()
            .fold(1, |all, line| num_integer::lcm(all, *line.odds.denom()));
        let in_range = |line: &Line| {
            line.odds >= Ratio::zero() && line.odds <= Ratio::from_integer(i128::from(MAX_ODDS))
        };
        if denominator > 1_000_000 || !lines.iter().all(in_range) {
            return Err(format!(
                "the odds of {name} must lie from 0 to {MAX_ODDS} to 1"
            ));
        }
        let mut back = [0; Outcome::COUNT];
        for (slot, line) in back.iter_mut().zip(pattern.lines()) {
            if let Some(line) = usize::from(*line)
                .checked_sub(1)
                .and_then(|at| lines.get(at))
            {
                let gross = (line.odds + Ratio::from_integer(1)) * Ratio::from_integer(denominator);
                *slot = gross.to_integer() as i64;
            }
        }
        Ok(Bet {
            kind: name.split(':').next().unwrap_or_default().to_owned(),
            name,
            label,
            lines,
            hits: *pattern.lines(),
            back,
            denominator: denominator as i64,
        })
    }

    /// The same bet at other odds.
    ///
    /// # Errors
    /// As [`Bet::new`].
    pub fn paying(&self, odds: &[Ratio]) -> Result<Bet, String> {
        let lines = odds
            .iter()
            .map(|odds| Line {
                odds: *odds,
                written: odds_text(*odds),
                rule: String::new(),
            })
            .collect();
        let pattern = Pattern::from_lines(&self.name, self.hits);
        Bet::new(&pattern, self.label.clone(), lines)
    }

    /// Line that pays by outcome, counted from one; zero is a lost bet.
    #[must_use]
    pub const fn hits(&self) -> &[u8; Outcome::COUNT] {
        &self.hits
    }

    /// What comes back for a stake of [`Bet::denominator`], by outcome.
    #[must_use]
    pub const fn back(&self) -> &[i64; Outcome::COUNT] {
        &self.back
    }

    /// A stake that is a multiple of this is paid exactly.
    #[must_use]
    pub const fn denominator(&self) -> i64 {
        self.denominator
    }

    /// Odds as the pay table writes them.
    #[must_use]
    pub fn pays(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.written.clone()).collect()
    }

    /// What comes back for a stake, by outcome; `None` when it cannot be paid exactly.
    #[must_use]
    pub fn returned(&self, stake: Money, outcome: usize) -> Option<Money> {
        let product = i128::from(stake.minor()) * i128::from(self.back[outcome]);
        let divisor = i128::from(self.denominator);
        let minor = i64::try_from(product / divisor).ok()?;
        (product % divisor == 0).then(|| Money::from_minor(minor))
    }

    /// Par values with dice of this loading.
    #[must_use]
    pub fn par(&self, loading: &Loading) -> BetPar {
        let all = Ratio::from_integer(i128::from(loading.all()));
        let mut weights = vec![0u64; self.lines.len()];
        for (line, weight) in self.hits.iter().zip(loading.weights()) {
            if let Some(at) = usize::from(*line).checked_sub(1) {
                weights[at] += weight;
            }
        }
        let one = Ratio::from_integer(1);
        let (mut returned, mut squared) = (Ratio::zero(), Ratio::zero());
        for (line, weight) in self.lines.iter().zip(&weights) {
            let gross = line.odds + one;
            let share = Ratio::from_integer(i128::from(*weight)) / all;
            returned += gross * share;
            squared += gross * gross * share;
        }
        BetPar {
            ways: self.hits.iter().filter(|line| **line > 0).count() as u32,
            ways_by_line: (1..=self.lines.len())
                .map(|line| {
                    let hit = self.hits.iter().filter(|hit| usize::from(**hit) == line);
                    hit.count() as u32
                })
                .collect(),
            chance: Ratio::from_integer(i128::from(weights.iter().sum::<u64>())) / all,
            returned,
            variance: squared - returned * returned,
        }
    }
}

impl std::fmt::Display for Bet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// The par values of one bet per unit staked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetPar {
    /// Winning outcomes of 216.
    pub ways: u32,
    /// The same by line of odds.
    pub ways_by_line: Vec<u32>,
    /// Chance that the bet wins anything.
    pub chance: Ratio,
    /// What comes back on average, stake included.
    pub returned: Ratio,
    /// Variance of the result.
    pub variance: Ratio,
}

impl BetPar {
    /// The house's average gain per unit staked; negative favours the player.
    #[must_use]
    pub fn edge(&self) -> Ratio {
        Ratio::from_integer(1) - self.returned
    }

    /// Standard deviation, for printing.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        sicbo_rules::maths::approx(self.variance).sqrt()
    }
}

/// Odds as people write them: `8.5`, `7/3`.
#[must_use]
pub fn odds_text(odds: Ratio) -> String {
    match odds.denom() {
        1 => odds.numer().to_string(),
        2 => format!("{}.5", odds.numer() / 2),
        4 | 5 | 8 | 10 | 16 | 20 | 25 | 40 | 50 | 100 | 125 | 200 | 250 | 500 | 1000 => {
            let text = format!("{:.4}", sicbo_rules::maths::approx(odds));
            text.trim_end_matches('0').to_owned()
        }
        _ => odds.to_string(),
    }
}

/// The bets of one layout or pay table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Where it comes from.
    pub source: Source,
    /// Its title as printed.
    pub title: String,
    /// The currency it is played in unless another is asked for.
    pub currency: Currency,
    /// Its bets, in stable order.
    pub bets: Vec<Bet>,
}

impl Game {
    /// The bets of a layout.
    #[must_use]
    pub fn of(book: &RuleBook, layout: &Layout) -> Game {
        let mut sections: Vec<_> = layout.sections().collect();
        sections.sort_unstable();
        let bets = sections
            .into_iter()
            .filter_map(|section| {
                let lines = layout.pays(section)?.lines().iter().map(|line| Line {
                    odds: line.is.ratio(),
                    written: line.is.to_string(),
                    rule: line.cite.full(book.id()),
                });
                let label = layout.name(section.kind()).unwrap_or(section.kind().key());
                // Odds of a rule book are halves within range, one for each line.
                Bet::new(
                    &Pattern::of_section(section),
                    label.to_owned(),
                    lines.collect(),
                )
                .ok()
            })
            .collect();
        Game {
            source: Source {
                layout: book.layout_name(layout),
                rulebook: book.id().to_owned(),
                rulebook_version: book.identity.version.known().cloned(),
                rulebook_sha256: book.sha256_hex(),
                pay_table_only: false,
                published: None,
            },
            title: book.identity.title.is.clone(),
            currency: crate::stakes::currency_of(book),
            bets,
        }
    }

    /// Its full name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.source.layout
    }

    /// Position of a bet by its notation.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.bets.iter().position(|bet| bet.name == name)
    }

    /// A bet by its notation.
    #[must_use]
    pub fn bet(&self, name: &str) -> Option<&Bet> {
        self.bets.iter().find(|bet| bet.name == name)
    }

    /// Position of a bet by its notation, or why there is none.
    ///
    /// # Errors
    /// In words, with what there is instead.
    pub fn find(&self, name: &str) -> Result<usize, String> {
        if let Some(at) = self.position(name) {
            return Ok(at);
        }
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.to_lowercase().chars().collect();
            letters.sort_unstable();
            letters
        };
        // The same signs in another order or case: `pair:2-1`, `Total:4`.
        let given = sorted(name);
        if let Some(meant) = self.bets.iter().find(|bet| sorted(&bet.name) == given) {
            let short: String = name.chars().take(40).collect();
            return Err(format!(
                "{short:?} is not a bet; did you mean {}?",
                meant.name
            ));
        }
        let known = name.parse::<Pattern>();
        let kind = match &known {
            Ok(pattern) => pattern.to_string(),
            Err(_) => name.chars().take(40).collect(),
        };
        let kind = kind.split(':').next().unwrap_or_default().to_owned();
        let same: Vec<&str> = self
            .bets
            .iter()
            .filter(|bet| bet.kind == kind)
            .map(|bet| bet.name.as_str())
            .collect();
        let game = self.name();
        Err(match (known, same.is_empty()) {
            (Ok(pattern), true) => {
                let mut kinds: Vec<&str> = self.bets.iter().map(|bet| bet.kind.as_str()).collect();
                kinds.dedup();
                format!(
                    "{game} does not offer {pattern}: it offers {}",
                    kinds.join(", ")
                )
            }
            (Ok(pattern), false) => {
                format!(
                    "{game} does not offer {pattern}: it offers {}",
                    same.join(" ")
                )
            }
            (Err(_), false) => {
                let short: String = name.chars().take(40).collect();
                format!("{short:?} is not a bet: {game} offers {}", same.join(" "))
            }
            (Err(error), true) => {
                let kinds: Vec<&str> = self.bets.iter().map(|bet| bet.kind.as_str()).collect();
                let hint = sicbo_rules::document::did_you_mean(&kind, kinds, 4);
                format!("{error}{hint}")
            }
        })
    }

    /// A stake that is a multiple of this is paid exactly on every bet.
    #[must_use]
    pub fn denominator(&self) -> i64 {
        self.bets
            .iter()
            .fold(1, |all, bet| num_integer::lcm(all, bet.denominator))
    }

    /// The smallest multiple of a usual chip that every bet pays exactly.
    #[must_use]
    pub fn chip_unit(&self, usual: Money) -> Money {
        Money::from_minor(num_integer::lcm(usual.minor(), self.denominator()))
    }

    /// The first bet a stake could not be paid on exactly.
    #[must_use]
    pub fn unpayable(&self, stake: Money) -> Option<&Bet> {
        self.bets
            .iter()
            .find(|bet| stake.minor() % bet.denominator != 0)
    }

    /// The house's result of a round for these stakes.
    ///
    /// # Errors
    /// When a stake cannot be paid exactly, or weighted dice make sums too large.
    pub fn profile(&self, mix: &Mix, loading: &Loading) -> Result<Profile, LabError> {
        let staked = mix.total();
        let mut by_outcome = [staked.minor(); Outcome::COUNT];
        for (at, stake) in mix.iter() {
            let bet = &self.bets[at];
            for (outcome, result) in by_outcome.iter_mut().enumerate() {
                let back = bet.returned(stake, outcome).ok_or_else(|| {
                    LabError::OutOfRange(format!(
                        "a stake of {} minor units on {} cannot be paid exactly: choose a chip unit that is a multiple of {} minor units",
                        stake.minor(),
                        bet.name,
                        bet.denominator
                    ))
                })?;
                *result -= back.minor();
            }
        }
        let largest = by_outcome
            .iter()
            .map(|result| result.abs())
            .max()
            .unwrap_or(0);
        if !loading.is_fair() && largest > 1_000_000_000_000 {
            return Err(LabError::OutOfRange(
                "these stakes are too large for weighted dice: the worst result may be at most 1e12 minor units".to_owned(),
            ));
        }
        Ok(Profile {
            staked,
            by_outcome,
            loading: loading.clone(),
        })
    }

    /// The profile of one unit on one bet, fair or not, in parts of its denominator.
    #[must_use]
    pub fn unit_profile(&self, at: usize, loading: &Loading) -> Profile {
        let bet = &self.bets[at];
        Profile {
            staked: Money::from_minor(bet.denominator),
            by_outcome: bet.back.map(|back| bet.denominator - back),
            loading: loading.clone(),
        }
    }
}

/// Stakes on the bets of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mix {
    stakes: Vec<(usize, Money)>,
}

impl Mix {
    /// A stake on one bet.
    #[must_use]
    pub fn one(at: usize, stake: Money) -> Mix {
        Mix {
            stakes: vec![(at, stake)],
        }
    }

    /// Puts a stake on a bet; the bets stay in the game's order.
    pub fn add(&mut self, at: usize, stake: Money) {
        match self.stakes.binary_search_by_key(&at, |(at, _)| *at) {
            Ok(place) => self.stakes[place].1 += stake,
            Err(place) => self.stakes.insert(place, (at, stake)),
        }
    }

    /// Bets with a stake, in the game's order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Money)> + '_ {
        self.stakes.iter().copied()
    }

    /// The stake on a bet.
    #[must_use]
    pub fn on(&self, at: usize) -> Money {
        let found = self.stakes.iter().find(|(bet, _)| *bet == at);
        found.map_or(Money::ZERO, |(_, stake)| *stake)
    }

    /// All stakes together.
    #[must_use]
    pub fn total(&self) -> Money {
        self.stakes.iter().map(|(_, stake)| *stake).sum()
    }
}

/// A share as people write it: `5 %`.
#[must_use]
pub fn percent_text(share: Ratio) -> String {
    format!("{} %", odds_text(share * Ratio::from_integer(100)))
}
