//! What is remembered of a round that has ended: enough to correct or void it later.
//!
//! The table keeps only the last one; older ones are handed in with the
//! command that needs them, rebuilt from the journal by the house.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::{Dice, Money, RuleBook};

use crate::event::{Fact, VoidBasis};
use crate::ids::{RoundNumber, SessionNumber, StationId};
use crate::positions::Line;
use crate::station::StationKind;

/// How a round stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Settled by these dice.
    Settled(Dice),
    /// Void: no result.
    Void,
}

impl fmt::Display for Standing {
    /// Its dice, or `void`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Settled(dice) => dice.fmt(f),
            Standing::Void => f.write_str("void"),
        }
    }
}

/// One station's part of an ended round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StationRecord {
    /// Which station.
    pub station: StationId,
    /// Who played there.
    pub session: SessionNumber,
    /// Terminal or seat.
    pub kind: StationKind,
    /// Its layout in the book.
    pub layout: usize,
    /// Bets with credit or cash chips.
    pub lines: Vec<Line>,
    /// Bets with colour chips.
    pub colour_lines: Vec<Line>,
}

impl StationRecord {
    /// All it staked.
    #[must_use]
    pub fn staked(&self) -> Money {
        self.lines
            .iter()
            .chain(&self.colour_lines)
            .map(|line| line.stake)
            .sum()
    }

    /// What comes back to it for a standing of the round: all stakes if void.
    #[must_use]
    pub fn returned(&self, book: &RuleBook, standing: Standing) -> (Money, Money) {
        let of = |lines: &[Line]| -> Money {
            match standing {
                Standing::Void => lines.iter().map(|line| line.stake).sum(),
                Standing::Settled(dice) => {
                    let row = book.layouts[self.layout].settlement().row(dice);
                    let twice: i64 = lines
                        .iter()
                        .map(|line| line.stake.minor() * i64::from(row[line.section.index()]))
                        .sum();
                    Money::from_minor(twice / 2)
                }
            }
        };
        (of(&self.lines), of(&self.colour_lines))
    }
}

/// Why a round is void, as players are told (P-006).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoidWhy {
    /// The cause, where it is one a book can list.
    pub cause: Option<Cause>,
    /// The rule, as cited to people.
    pub rule: String,
    /// What was given as the reason, where it was a ruling or was found late.
    pub reason: Option<String>,
    /// The rule that lists the cause, where it was decided under another.
    pub ground: Option<String>,
}

impl VoidWhy {
    /// Why a current round became void.
    #[must_use]
    pub fn of(basis: &VoidBasis, rule: &str) -> VoidWhy {
        let (cause, reason) = match basis {
            VoidBasis::Listed(cause) => (Some(*cause), None),
            VoidBasis::Ruling(reason) => (None, Some(reason.clone())),
        };
        VoidWhy {
            cause,
            rule: rule.to_owned(),
            reason,
            ground: None,
        }
    }
}

/// What the latest correction of a result replaced, and under which rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corrected {
    /// The dice the round stood on before.
    pub from: Dice,
    /// The rule, as cited to people.
    pub rule: String,
}

/// An ended round.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundRecord {
    /// Which round.
    pub number: RoundNumber,
    /// How it stands now, after any amendments.
    pub standing: Standing,
    /// How often it was amended.
    pub revision: u32,
    /// The rules it was played under.
    pub book: Arc<RuleBook>,
    /// The dice it was played with.
    pub dice_set: String,
    /// Stations that took part, in the order of their numbers.
    pub stations: Vec<StationRecord>,
    /// Why it is void, if it is.
    pub void: Option<VoidWhy>,
    /// Its latest correction, if it was ever corrected.
    pub corrected: Option<Corrected>,
}

impl RoundRecord {
    /// The part of a station; none when it took no part.
    #[must_use]
    pub fn station(&self, station: StationId) -> Option<&StationRecord> {
        let parts = &self.stations;
        let at = parts.binary_search_by_key(&station, |part| part.station);
        at.ok().map(|at| &parts[at])
    }

    /// The same round, played and standing the same; what is told about it is
    /// not compared, since no money follows from it.
    #[must_use]
    pub fn same_play(&self, other: &RoundRecord) -> bool {
        self.number == other.number
            && self.standing == other.standing
            && self.revision == other.revision
            && self.book == other.book
            && self.dice_set == other.dice_set
            && self.stations == other.stations
    }

    /// The record after a fact that amends this round; none when it does not.
    /// Who keeps records of old rounds follows amendments with it.
    #[must_use]
    pub fn amended(&self, fact: &Fact) -> Option<RoundRecord> {
        match fact {
            Fact::ResultCorrected {
                round,
                revision,
                from,
                dice,
                rule,
                ..
            } if *round == self.number => Some(RoundRecord {
                standing: Standing::Settled(*dice),
                revision: *revision,
                corrected: match from {
                    Standing::Settled(from) => Some(Corrected {
                        from: *from,
                        rule: rule.clone(),
                    }),
                    Standing::Void => None,
                },
                ..self.clone()
            }),
            Fact::RoundVoidedLate {
                round,
                revision,
                reason,
                rule,
                cause,
                ground,
                ..
            } if *round == self.number => Some(RoundRecord {
                standing: Standing::Void,
                revision: *revision,
                void: Some(VoidWhy {
                    cause: *cause,
                    rule: rule.clone(),
                    reason: Some(reason.clone()),
                    ground: ground.clone(),
                }),
                ..self.clone()
            }),
            _ => None,
        }
    }
}

/// A fingerprint of what every station got back, in the order of stations.
#[must_use]
pub fn returns_digest(returns: impl Iterator<Item = (StationId, Money)>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for (station, returned) in returns {
        hash.update(station.0.to_be_bytes());
        hash.update(returned.minor().to_be_bytes());
    }
    hash.finalize().into()
}
