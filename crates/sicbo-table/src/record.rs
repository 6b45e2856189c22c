//! What is remembered of a round that has ended: enough to correct or void it later.
//!
//! The table keeps only the last one; older ones are handed in with the
//! command that needs them, rebuilt from the journal by the house.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use sicbo_rules::{Dice, Money, RuleBook};

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
    /// Stations that took part.
    pub stations: Vec<StationRecord>,
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
