//! A player's own system, from a small file: steps, each with a stake in base
//! stakes and the step that follows a win and a loss.

use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;
use sicbo_rules::document::{Advice, Fault, Node, Reader};

use super::{Automaton, System, UnknownSystem};

/// A system from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnSystem {
    /// Its name.
    pub name: String,
    steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    stake: u32,
    won: u32,
    lost: u32,
}

/// Why a text is no system.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct SystemError(pub Vec<Fault>);

const ADVICE: Advice = Advice {
    text: "give a text",
    table: "give a table",
    tables: "give steps, e.g. step = [{ stake = 1, won = 1, lost = 2 }]",
    did_you_mean: true,
};

/// The most steps of a system, and the most base stakes of one.
const MAX_STEPS: usize = 1000;
const MAX_STAKE: i64 = 1_000_000;

impl FromStr for OwnSystem {
    type Err = SystemError;

    fn from_str(source: &str) -> Result<OwnSystem, SystemError> {
        let (reader, document) = Reader::parse(source, &ADVICE).map_err(|(line, message)| {
            SystemError(vec![Fault {
                line,
                place: "file".to_owned(),
                problem: format!("this is not TOML: {message}"),
                expected: "see docs/lab.md for the form".to_owned(),
            }])
        })?;
        let system = {
            let root = Node::root(&reader, &document);
            read(&root)
        };
        let faults = reader.into_faults();
        match system {
            Some(system) if faults.is_empty() => Ok(system),
            _ => Err(SystemError(faults)),
        }
    }
}

fn read(root: &Node<'_, '_>) -> Option<OwnSystem> {
    let name = root.text("name");
    let rows = root.tables("step");
    let count = rows.len() as i64;
    if rows.is_empty() || rows.len() > MAX_STEPS {
        root.fault(
            "step",
            "no steps, or too many",
            &format!("give 1 to {MAX_STEPS}"),
        );
    }
    let steps = rows
        .iter()
        .map(|row| {
            let number = |key: &str, most: i64, what: &str| {
                let given = row.integer(key)?;
                let fits = (1..=most).contains(&given);
                if !fits {
                    row.fault(
                        key,
                        &format!("{given} is {what}"),
                        &format!("give 1 to {most}"),
                    );
                }
                fits.then_some(given as u32)
            };
            let stake = number("stake", MAX_STAKE, "no number of base stakes");
            let won = number("won", count, "no step");
            let lost = number("lost", count, "no step");
            Some(Step {
                stake: stake?,
                won: won? - 1,
                lost: lost? - 1,
            })
        })
        .collect::<Option<Vec<Step>>>();
    Some(OwnSystem {
        name: name?,
        steps: steps?,
    })
}

impl OwnSystem {
    /// Its steps, in minor units.
    #[must_use]
    pub fn automaton(&self, base: i64) -> Automaton {
        let steps = || self.steps.iter();
        Automaton {
            stakes: steps()
                .map(|step| i64::from(step.stake).saturating_mul(base).min(1 << 50))
                .collect(),
            won: steps().map(|step| step.won).collect(),
            lost: steps().map(|step| step.lost).collect(),
        }
    }
}

/// A system: one of those with a name, or a player's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Staking {
    /// One of those with a name.
    Named(System),
    /// A player's own.
    Own(Arc<OwnSystem>),
}

impl Staking {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Staking::Named(system) => system.key(),
            Staking::Own(own) => &own.name,
        }
    }
}

impl From<System> for Staking {
    fn from(system: System) -> Staking {
        Staking::Named(system)
    }
}

impl FromStr for Staking {
    type Err = UnknownSystem;

    fn from_str(text: &str) -> Result<Staking, UnknownSystem> {
        text.parse().map(Staking::Named)
    }
}

impl std::fmt::Display for Staking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Staking {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
