//! Follows a simulated tumbler through a table's journal: what it committed to,
//! which block closed the bets, and whether the dice on record are those that
//! the revealed seed gives.

use std::collections::BTreeMap;

use sicbo_rules::Dice;
use sicbo_rules::rulebook::words::TumbleStep;
use sicbo_table::ids::RoundNumber;
use sicbo_table::record::Standing;
use sicbo_table::tumble_proof::{self, NOTHING_MIXED};
use sicbo_table::{Event, Fact, Table};

/// What a revealed seed says of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The round.
    pub round: RoundNumber,
    /// The seed.
    pub seed: [u8; 32],
    /// What was mixed in: the header hash of the block with the close where the
    /// table tumbles after it, else zeros.
    pub mixed: [u8; 32],
    /// The dice that follow.
    pub dice: Dice,
    /// The result first confirmed is these dice, or was corrected to them; not
    /// known when the round had no result.
    pub agrees: Option<bool>,
}

/// A round whose seed may still be revealed.
#[derive(Clone, Debug)]
struct Played {
    round: RoundNumber,
    table: String,
    mixed: [u8; 32],
    first: Option<Dice>,
}

/// Follows one journal, event by event.
#[derive(Clone, Default, Debug)]
pub struct Tumbles {
    closed_in: [u8; 32],
    last: Option<Played>,
    /// Proved.
    proved: u64,
    /// Rounds whose result is not what the seed gives, with the record of the reveal.
    wrong: BTreeMap<RoundNumber, (u64, Proof, Dice)>,
}

impl Tumbles {
    /// Rounds whose dice are those of the revealed seed.
    #[must_use]
    pub fn proved(&self) -> u64 {
        self.proved
    }

    /// Sees an event that is about to be applied, in the block with that header
    /// hash; what it proves, if it reveals a seed.
    pub fn before(
        &mut self,
        table: &Table,
        sequence: u64,
        event: &Event,
        header_hash: &[u8; 32],
    ) -> Option<Proof> {
        match &event.fact {
            Fact::RoundBegan { .. } => self.closed_in = NOTHING_MIXED,
            Fact::BetsClosed { .. } => self.closed_in = *header_hash,
            Fact::RoundSettled { dice, .. } => self.ended(table, Some(*dice)),
            Fact::RoundVoided { .. } => self.ended(table, None),
            Fact::ResultCorrected { round, dice, .. } => {
                let right = |(_, proof, _): &(u64, Proof, Dice)| same(proof.dice, *dice);
                if self.wrong.get(round).is_some_and(right) {
                    self.wrong.remove(round);
                    self.proved += 1;
                }
            }
            Fact::TumbleRevealed { round, seed } => {
                return self.revealed(table, sequence, *round, seed);
            }
            _ => {}
        }
        None
    }

    fn ended(&mut self, table: &Table, first: Option<Dice>) {
        let (Some(round), Some(config)) = (table.round.as_deref(), table.config.as_deref()) else {
            return;
        };
        let mixed = match config.tumble {
            TumbleStep::AfterClose => self.closed_in,
            TumbleStep::BeforeOpen | TumbleStep::DuringBetting => NOTHING_MIXED,
        };
        self.last = Some(Played {
            round: round.number,
            table: config.name.clone(),
            mixed,
            first,
        });
    }

    fn revealed(
        &mut self,
        table: &Table,
        sequence: u64,
        round: RoundNumber,
        seed: &[u8; 32],
    ) -> Option<Proof> {
        let played = self.last.as_ref().filter(|last| last.round == round)?;
        let dice = tumble_proof::dice(seed, &played.table, round.0, &played.mixed);
        // It may have been corrected to the right dice before the seed was shown.
        let last = table.last_record.as_deref();
        let now = last.filter(|record| record.number == round);
        let corrected = now.is_some_and(
            |record| matches!(record.standing, Standing::Settled(now) if same(now, dice)),
        );
        let proof = Proof {
            round,
            seed: *seed,
            mixed: played.mixed,
            dice,
            agrees: played.first.map(|first| same(first, dice) || corrected),
        };
        match (proof.agrees, played.first) {
            (Some(true), _) => self.proved += 1,
            (Some(false), Some(first)) => {
                self.wrong.insert(round, (sequence, proof, first));
            }
            _ => {}
        }
        Some(proof)
    }

    /// The first reveal that no result agrees with, once the journal has been
    /// read to its end: its record, and what is wrong.
    #[must_use]
    pub fn fault(&self) -> Option<(u64, String)> {
        let first = self.wrong.values().min_by_key(|(sequence, ..)| *sequence);
        first.map(|(sequence, proof, read)| {
            let what = format!(
                "the seed of {} gives {} but {read} was confirmed and never corrected",
                proof.round, proof.dice
            );
            (*sequence, what)
        })
    }
}

/// The same result, in whatever order the dice were read.
fn same(a: Dice, b: Dice) -> bool {
    a.sorted() == b.sorted()
}
