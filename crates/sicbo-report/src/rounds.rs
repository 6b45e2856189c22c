//! Rounds of a stretch, each in the few facts that reports and alerts need.

use sicbo_rules::Section;
use sicbo_table::actor::Actor;
use sicbo_table::event::VoidBasis;
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::record::Standing;
use sicbo_table::{Event, Fact, Table};

use sicbo_rules::rulebook::words::{Cause, Word};

/// A stake registered, or with a minus taken back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) station: StationId,
    pub(crate) at_ms: i64,
    pub(crate) section: Section,
    pub(crate) stake_minor: i64,
}

/// What a dealer had to do again, or others had to decide.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Misses {
    pub(crate) keys_cleared: u64,
    pub(crate) bad_tumbles: u64,
    pub(crate) late_acts: u64,
    pub(crate) decisions: u64,
}

/// How the tumbler came to rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tumbled {
    pub(crate) count: u8,
    /// A person said so; else a device counted.
    pub(crate) by_person: bool,
}

/// A round that ended.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) round: u64,
    /// The record that began it; 0 where that was before the first record looked at.
    pub(crate) began: u64,
    /// The record that ended it.
    pub(crate) sequence: u64,
    pub(crate) began_ms: i64,
    pub(crate) ended_ms: i64,
    pub(crate) opened_ms: Option<i64>,
    pub(crate) closing_ms: Option<i64>,
    /// How it stands as of the last record of the stretch.
    pub(crate) standing: Standing,
    /// Void for too few tumbles when it ended.
    pub(crate) too_few_tumbles: bool,
    pub(crate) void_at_first: bool,
    /// It commenced by what its book calls the start of a round.
    pub(crate) started: bool,
    pub(crate) amended: bool,
    pub(crate) dealer: Option<PersonId>,
    /// Position among [`Rounds::dice_sets`].
    pub(crate) dice_set: usize,
    pub(crate) tumbled: Option<Tumbled>,
    pub(crate) misses: Misses,
}

#[derive(Clone, Debug)]
struct InHand {
    began: u64,
    began_ms: i64,
    opened_ms: Option<i64>,
    closing_ms: Option<i64>,
    dealer: Option<PersonId>,
    tumbled: Option<Tumbled>,
    misses: Misses,
}

/// The rounds as they go by.
#[derive(Default)]
pub(crate) struct Rounds {
    pub(crate) played: Vec<Played>,
    pub(crate) dice_sets: Vec<String>,
    /// Bets of the current round, or of the one that ended last.
    pub(crate) bets: Vec<Placed>,
    pub(crate) bet_acts: u64,
    pub(crate) bet_lines: u64,
    in_hand: Option<InHand>,
}

fn person(actor: Actor) -> Option<PersonId> {
    match actor {
        Actor::Staff(staff) => Some(staff.person),
        _ => None,
    }
}

impl Rounds {
    /// A round that goes on before the first record is followed from there.
    pub(crate) fn begin(&mut self, table: &Table) {
        self.in_hand = table.round.as_deref().map(|round| InHand {
            began: 0,
            began_ms: round.began_ms,
            opened_ms: round.opened_ms,
            closing_ms: round.closing_ms,
            dealer: None,
            tumbled: None,
            misses: Misses::default(),
        });
    }

    /// Before the event is applied.
    pub(crate) fn before(&mut self, sequence: u64, event: &Event) {
        if let Fact::RoundBegan { .. } = event.fact {
            self.bets.clear();
            self.in_hand = Some(InHand {
                began: sequence,
                began_ms: event.at_ms,
                opened_ms: None,
                closing_ms: None,
                dealer: None,
                tumbled: None,
                misses: Misses::default(),
            });
        }
        let Some(round) = &mut self.in_hand else {
            return;
        };
        let mut place = |station: StationId, lines: &[sicbo_table::positions::Line], sign: i64| {
            self.bets.extend(lines.iter().map(|line| Placed {
                station,
                at_ms: event.at_ms,
                section: line.section,
                stake_minor: sign * line.stake.minor(),
            }));
        };
        match &event.fact {
            Fact::BetsCalled => {
                round.opened_ms = Some(event.at_ms);
                round.dealer = person(event.by);
            }
            Fact::TumblerActivated if round.dealer.is_none() => round.dealer = person(event.by),
            Fact::TumbleEnded { count, valid } => {
                round.tumbled = Some(Tumbled {
                    count: *count,
                    by_person: person(event.by).is_some(),
                });
                round.misses.bad_tumbles += u64::from(!valid);
            }
            Fact::BetsPlaced { station, lines, .. } => {
                place(*station, lines, 1);
                self.bet_acts += 1;
                self.bet_lines += lines.len() as u64;
            }
            // Written down after the close, but lying there at it.
            Fact::PositionsRecorded { lines, .. } | Fact::PositionsAttested { lines, .. } => {
                self.bet_acts += 1;
                self.bet_lines += lines.len() as u64;
            }
            Fact::BetsRemoved { station, lines, .. } => place(*station, lines, -1),
            Fact::ClosingBegan { .. } => round.closing_ms = Some(event.at_ms),
            Fact::BetsClosed { .. } => {
                round.closing_ms.get_or_insert(event.at_ms);
            }
            Fact::KeysCleared => round.misses.keys_cleared += 1,
            Fact::LateActRecorded { .. } => round.misses.late_acts += 1,
            Fact::DecisionRaised { .. } => round.misses.decisions += 1,
            _ => {}
        }
    }

    /// After the event is applied: whether a round has ended with it.
    pub(crate) fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> bool {
        let (void, few) = match &event.fact {
            Fact::RoundSettled { .. } => (false, false),
            Fact::RoundVoided { basis, .. } => {
                let few = matches!(basis, VoidBasis::Listed(Cause::TooFewTumbles));
                (true, few)
            }
            fact => {
                self.amend(fact);
                return false;
            }
        };
        let Some(record) = &table.last_record else {
            return false;
        };
        let round = self.in_hand.take();
        let known = self
            .dice_sets
            .iter()
            .position(|set| *set == record.dice_set);
        let dice_set = known.unwrap_or_else(|| {
            self.dice_sets.push(record.dice_set.clone());
            self.dice_sets.len() - 1
        });
        let at = |moment: fn(&InHand) -> Option<i64>| round.as_ref().and_then(moment);
        self.played.push(Played {
            round: record.number.0,
            began: round.as_ref().map_or(0, |round| round.began),
            sequence,
            began_ms: round.as_ref().map_or(event.at_ms, |round| round.began_ms),
            ended_ms: event.at_ms,
            opened_ms: at(|round| round.opened_ms),
            closing_ms: at(|round| round.closing_ms),
            standing: record.standing,
            too_few_tumbles: few,
            void_at_first: void,
            started: table.last_started == record.number,
            amended: false,
            dealer: match &round {
                Some(InHand {
                    dealer: Some(dealer),
                    ..
                }) => Some(*dealer),
                _ => person(event.by).filter(|_| !void),
            },
            dice_set,
            tumbled: round.as_ref().and_then(|round| round.tumbled),
            misses: round.as_ref().map_or_else(Misses::default, |r| r.misses),
        });
        true
    }

    fn amend(&mut self, fact: &Fact) {
        let (round, standing) = match fact {
            Fact::ResultCorrected { round, dice, .. } => (round.0, Standing::Settled(*dice)),
            Fact::RoundVoidedLate { round, .. } => (round.0, Standing::Void),
            _ => return,
        };
        if let Some(played) = self.find(round) {
            played.standing = standing;
            played.amended = true;
        }
    }

    fn find(&mut self, round: u64) -> Option<&mut Played> {
        let at = self.played.binary_search_by_key(&round, |one| one.round);
        at.ok().map(|at| &mut self.played[at])
    }

    /// The rounds that ended, first and last.
    pub(crate) fn numbers(&self) -> Option<std::ops::RangeInclusive<u64>> {
        Some(self.played.first()?.round..=self.played.last()?.round)
    }
}

/// The stable word of why a round is void.
pub(crate) fn cause_word(basis: &VoidBasis) -> (String, Option<String>) {
    match basis {
        VoidBasis::Listed(cause) => (cause.key().to_owned(), None),
        VoidBasis::Ruling(reason) => ("ruling".to_owned(), Some(reason.clone())),
    }
}
