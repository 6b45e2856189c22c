//! When a bet wins, as a pattern of dice: the 104 sections of the approved
//! documents and what other published games have besides.
//!
//! The five books stay closed: a pattern is for pay tables that are studied,
//! and no table can be opened on one.

use std::fmt;
use std::str::FromStr;

use sicbo_rules::{Dice, Outcome, Section};

/// Which outcomes win, and on which line of odds each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    notation: String,
    /// Line of odds by outcome, counted from one; zero is a lost bet.
    lines: [u8; Outcome::COUNT],
}

/// Why a text is no pattern.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{given:?} is not a bet: {expected}")]
pub struct PatternError {
    given: String,
    expected: String,
}

/// What a pattern may be, for error messages.
pub const KINDS: &str = "use small, big, odd, even, any-triple, triple:6, double:6, exact-double:6, any-double, \
    total:11, totals:4-10 or totals:odd, with !triples where triples lose, pair:1-2, single:6, \
    four:6543, three-single:126, double-single:112, straight, all-different or dice:112,123";

impl Pattern {
    /// The pattern of a section.
    #[must_use]
    pub fn of_section(section: Section) -> Pattern {
        Pattern::by(section.to_string(), |dice| section.hits(dice))
    }

    fn by(notation: String, line: impl Fn(Dice) -> u8) -> Pattern {
        let mut lines = [0; Outcome::COUNT];
        for outcome in Outcome::all() {
            lines[outcome.index()] = line(outcome.dice());
        }
        Pattern { notation, lines }
    }

    fn winning(notation: &str, wins: impl Fn(Dice) -> bool) -> Pattern {
        Pattern::by(notation.to_owned(), |dice| u8::from(wins(dice)))
    }

    /// Several patterns as the lines of one bet: the first that wins pays.
    #[must_use]
    pub fn first_of(name: &str, patterns: &[Pattern]) -> Pattern {
        let mut lines = [0; Outcome::COUNT];
        for (index, line) in lines.iter_mut().enumerate() {
            let first = patterns.iter().position(|pattern| pattern.lines[index] > 0);
            *line = first.map_or(0, |at| at as u8 + 1);
        }
        Pattern {
            notation: name.to_owned(),
            lines,
        }
    }

    /// A pattern whose lines are known.
    pub(crate) fn from_lines(notation: &str, lines: [u8; Outcome::COUNT]) -> Pattern {
        Pattern {
            notation: notation.to_owned(),
            lines,
        }
    }

    /// Line of odds by outcome, counted from one; zero is a lost bet.
    #[must_use]
    pub const fn lines(&self) -> &[u8; Outcome::COUNT] {
        &self.lines
    }

    /// How many lines of odds it has.
    #[must_use]
    pub fn line_count(&self) -> usize {
        usize::from(self.lines.iter().copied().max().unwrap_or(0))
    }

    /// Every pattern a text names: one, or all of a kind, `pair:*`.
    ///
    /// # Errors
    /// When it names none.
    pub fn all(text: &str) -> Result<Vec<Pattern>, PatternError> {
        let Some(kind) = text.strip_suffix(":*") else {
            return Ok(vec![text.parse()?]);
        };
        let faces = || 1..=6u8;
        let names: Vec<String> = match kind {
            "triple" | "double" | "exact-double" | "single" => {
                faces().map(|a| format!("{kind}:{a}")).collect()
            }
            "total" => (3..=18).map(|total| format!("total:{total}")).collect(),
            "pair" => (1..=6)
                .flat_map(|a| (a + 1..=6).map(move |b| format!("pair:{a}-{b}")))
                .collect(),
            "three-single" => (1..=6)
                .flat_map(|a| (a + 1..=6).map(move |b| (a, b)))
                .flat_map(|(a, b)| (b + 1..=6).map(move |c| format!("three-single:{a}{b}{c}")))
                .collect(),
            "double-single" => faces()
                .flat_map(|a| faces().filter(move |b| *b != a).map(move |b| (a, b)))
                .map(|(a, b)| format!("double-single:{a}{a}{b}"))
                .collect(),
            "four" => fours()
                .into_iter()
                .map(|four| format!("four:{four}"))
                .collect(),
            _ => {
                return Err(PatternError {
                    given: short(text),
                    expected:
                        "all of a kind can be named for triple, double, exact-double, single, \
                               total, pair, three-single, double-single and four"
                            .to_owned(),
                });
            }
        };
        names.iter().map(|name| name.parse()).collect()
    }
}

/// The fifteen sets of four numbers, highest first.
fn fours() -> Vec<String> {
    let mut all = Vec::new();
    for out_a in 1..=6u8 {
        for out_b in out_a + 1..=6 {
            let four: String = (1..=6u8)
                .rev()
                .filter(|face| *face != out_a && *face != out_b)
                .map(|face| face.to_string())
                .collect();
            all.push(four);
        }
    }
    all.sort_unstable_by(|a, b| b.cmp(a));
    all
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Single digits 1 to 6.
fn faces(text: &str) -> Option<Vec<u8>> {
    text.bytes()
        .map(|byte| (b'1'..=b'6').contains(&byte).then(|| byte - b'0'))
        .collect()
}

fn count(dice: Dice, face: u8) -> usize {
    dice.faces().iter().filter(|shown| **shown == face).count()
}

/// Two of one face and one of another.
fn is_double(dice: Dice) -> bool {
    let [a, b, c] = dice.sorted().faces();
    (a == b) != (b == c)
}

/// Totals as a list: `4-10`, `3,18`, `odd`.
fn totals(list: &str) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let range = match part {
            "odd" => (3..=18).filter(|total| total % 2 == 1).collect(),
            "even" => (3..=18).filter(|total| total % 2 == 0).collect(),
            _ => {
                let (from, to) = part.split_once('-').unwrap_or((part, part));
                let (from, to): (u8, u8) = (from.parse().ok()?, to.parse().ok()?);
                if from < 3 || to > 18 || from > to {
                    return None;
                }
                (from..=to).collect::<Vec<u8>>()
            }
        };
        all.extend(range);
    }
    Some(all)
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let refuse = |expected: &str| PatternError {
            given: short(text),
            expected: expected.to_owned(),
        };
        if let Ok(section) = text.parse::<Section>() {
            return Ok(Pattern::of_section(section));
        }
        if let Some(inner) = text.strip_suffix("!triples") {
            let pattern: Pattern = inner.parse()?;
            let lines = pattern.lines;
            return Ok(Pattern::by(text.to_owned(), |dice| {
                if dice.is_triple() {
                    0
                } else {
                    lines[dice.outcome().index()]
                }
            }));
        }
        let (kind, numbers) = text.split_once(':').unwrap_or((text, ""));
        let digits = faces(numbers).unwrap_or_default();
        Ok(match (kind, digits.as_slice()) {
            ("any-double", []) if numbers.is_empty() => Pattern::winning(text, is_double),
            ("straight", []) if numbers.is_empty() => Pattern::winning(text, |dice| {
                let [a, b, c] = dice.sorted().faces();
                b == a + 1 && c == b + 1
            }),
            ("all-different", []) if numbers.is_empty() => {
                Pattern::winning(text, |dice| !dice.is_triple() && !is_double(dice))
            }
            ("exact-double", [a]) => Pattern::winning(text, |dice| count(dice, *a) == 2),
            ("total", _) => match numbers {
                "3" => Pattern::winning(text, |dice| dice.total() == 3),
                "18" => Pattern::winning(text, |dice| dice.total() == 18),
                _ => return Err(refuse("a total is 3 to 18, e.g. total:11")),
            },
            ("totals", _) => {
                let list = totals(numbers).ok_or_else(|| {
                    refuse("give totals from 3 to 18, e.g. totals:4-10 or totals:3,18")
                })?;
                Pattern::winning(text, |dice| list.contains(&dice.total()))
            }
            ("double-single", [a, b, c]) if a == b && b != c => {
                Pattern::winning(text, |dice| count(dice, *a) == 2 && count(dice, *c) == 1)
            }
            ("four", [a, b, c, d]) if a > b && b > c && c > d => Pattern::winning(text, |dice| {
                digits
                    .iter()
                    .filter(|face| count(dice, **face) == 1)
                    .count()
                    == 3
            }),
            ("four", [_, _, _, _]) => {
                return Err(refuse(
                    "write the four numbers from the highest down, e.g. four:6521",
                ));
            }
            ("dice", _) => {
                let combinations = numbers
                    .split(',')
                    .map(|part| {
                        let list = faces(part).filter(|list| list.len() == 3)?;
                        Dice::from_faces(list.try_into().ok()?).map(Dice::sorted)
                    })
                    .collect::<Option<Vec<Dice>>>()
                    .ok_or_else(|| refuse("give three faces for each result, e.g. dice:112,123"))?;
                Pattern::winning(text, |dice| combinations.contains(&dice.sorted()))
            }
            _ => {
                let similar = text
                    .parse::<Section>()
                    .err()
                    .map(|error| error.to_string())
                    .filter(|error| error.contains("allowed are"))
                    .and_then(|error| {
                        error
                            .split_once("allowed are ")
                            .map(|(_, all)| all.to_owned())
                    });
                return Err(match similar {
                    Some(all) => refuse(&format!("allowed are {all}")),
                    None => refuse(KINDS),
                });
            }
        })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(text: &str) -> usize {
        let pattern: Pattern = text.parse().unwrap();
        pattern.lines.iter().filter(|line| **line > 0).count()
    }

    #[test]
    fn ways_are_those_counted_by_hand() {
        for (text, expected) in [
            ("double-single:112", 3),
            ("double-single:665", 3),
            ("total:3", 1),
            ("total:18", 1),
            ("four:6521", 24),
            ("four:6543", 24),
            ("exact-double:3", 15),
            ("double:3", 16),
            ("any-double", 90),
            ("straight", 24),
            ("all-different", 120),
            ("totals:odd", 108),
            ("totals:odd!triples", 105),
            ("totals:4-10", 107),
            ("totals:4-10!triples", 105),
            ("small", 105),
            ("dice:112,665", 6),
            ("dice:111", 1),
            ("totals:3,18", 2),
        ] {
            assert_eq!(ways(text), expected, "{text}");
        }
        let same = |a: &str, b: &str| {
            a.parse::<Pattern>().unwrap().lines == b.parse::<Pattern>().unwrap().lines
        };
        assert!(same("totals:4-10!triples", "small") && same("totals:even!triples", "even"));
        assert_eq!(Pattern::all("four:*").unwrap().len(), 15);
        assert_eq!(Pattern::all("double-single:*").unwrap().len(), 30);
        assert_eq!(Pattern::all("three-single:*").unwrap().len(), 20);
        assert_eq!(Pattern::all("pair:*").unwrap().len(), 15);
        assert_eq!(Pattern::all("total:*").unwrap().len(), 16);
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_what_is() {
        for (text, hint) in [
            ("total:2", "3 to 18"),
            ("totals:19", "3 to 18"),
            ("totals:10-4", "3 to 18"),
            ("four:1256", "highest down"),
            ("double-single:111", "allowed are"),
            ("dice:1", "three faces"),
            ("banana", "use small"),
            ("small:*", "all of a kind"),
            ("pair:1-1", "allowed are"),
        ] {
            let error = match Pattern::all(text) {
                Ok(_) => panic!("{text}"),
                Err(error) => error.to_string(),
            };
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
