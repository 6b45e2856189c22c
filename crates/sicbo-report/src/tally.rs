//! Adds a report up while its records go by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sicbo_journal::Store;
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Word;
use sicbo_table::actor::Staff;
use sicbo_table::command::{ChipMove, CreditSource};
use sicbo_table::event::Effect;
use sicbo_table::record::{RoundRecord, Standing};
use sicbo_table::{Event, Fact, Table};

use super::accounts::{Moment, name};
use super::exact::{Chance, Moments};
use super::kinds::Kinds;
use super::reading::Watch;
use super::rounds::{Rounds, cause_word};
use super::sheet::{
    AmendmentLine, BeforeClose, CauseLine, EffectLine, IncidentLine, SlipLine, VoidLine,
};
use super::{MAX_ROUNDS, ReportError};
use sicbo_proof::describe::Describer;
use sicbo_proof::history::HistoryError;

/// Rows of the round index looked at together.
const PAGE: usize = 256;
/// Bets are told apart by how long before the close they came.
pub(crate) const BEFORE_CLOSE_MS: [i64; 5] = [1_000, 2_000, 5_000, 10_000, 30_000];

/// An ended round that the index says was amended: counted when it is known
/// how it stands.
struct Kept {
    record: Arc<RoundRecord>,
    standing: Standing,
    moments: Option<Moments>,
}

/// The sums of a report.
pub(crate) struct Tally<'s> {
    store: &'s dyn Store,
    pub(crate) began: Moment,
    pub(crate) rounds: Rounds,
    pub(crate) kinds: Kinds,
    pub(crate) chance: Chance,
    kept: BTreeMap<u64, Kept>,
    /// Rounds the index says were amended, and how far it was read.
    amended: BTreeSet<u64>,
    indexed: u64,
    moments: Option<Moments>,
    pub(crate) before: Vec<BeforeClose>,
    pub(crate) voids: Vec<VoidLine>,
    pub(crate) corrections: Vec<AmendmentLine>,
    pub(crate) earlier: Vec<AmendmentLine>,
    pub(crate) incidents: Vec<IncidentLine>,
    pub(crate) slips: Vec<SlipLine>,
    pub(crate) transfers: Money,
    pub(crate) fills: Money,
    pub(crate) credits: Money,
    pub(crate) waived: Money,
    /// The dice in the tumbler before the first record.
    pub(crate) dice_began: String,
    pub(crate) from_ms: Option<i64>,
    pub(crate) to_ms: Option<i64>,
}

impl<'s> Tally<'s> {
    pub(crate) fn new(store: &'s dyn Store) -> Tally<'s> {
        let limits = BEFORE_CLOSE_MS.into_iter().map(Some).chain([None]);
        Tally {
            store,
            began: Moment::default(),
            rounds: Rounds::default(),
            kinds: Kinds::default(),
            chance: Chance::default(),
            kept: BTreeMap::new(),
            amended: BTreeSet::new(),
            indexed: 0,
            moments: None,
            before: limits
                .map(|within_ms| BeforeClose {
                    within_ms,
                    bets: 0,
                    staked: 0,
                })
                .collect(),
            voids: Vec::new(),
            corrections: Vec::new(),
            earlier: Vec::new(),
            incidents: Vec::new(),
            slips: Vec::new(),
            transfers: Money::ZERO,
            fills: Money::ZERO,
            credits: Money::ZERO,
            waived: Money::ZERO,
            dice_began: String::new(),
            from_ms: None,
            to_ms: None,
        }
    }

    /// Whether a round was ever amended, by the index.
    fn was_amended(&mut self, round: u64) -> Result<bool, ReportError> {
        if round > self.indexed {
            let rows = self.store.rounds(round, PAGE);
            for row in rows.map_err(HistoryError::Read)? {
                // One that is still open may yet be amended before it is counted.
                if !matches!(row.state.as_str(), "settled" | "void") {
                    self.amended.insert(row.round);
                }
                self.indexed = row.round;
            }
        }
        Ok(self.amended.contains(&round))
    }

    fn count(&mut self, record: &RoundRecord, standing: Standing, moments: Option<&Moments>) {
        self.kinds.add(record, standing);
        if let (Standing::Settled(_), Some(moments)) = (standing, moments) {
            self.chance.add(moments);
        }
    }

    fn ended(&mut self, table: &Table) -> Result<(), ReportError> {
        let Some(record) = &table.last_record else {
            return Ok(());
        };
        if self.rounds.played.len() > MAX_ROUNDS {
            return Err(ReportError::TooLong);
        }
        let moments = self.moments.take();
        self.count_bets();
        if self.was_amended(record.number.0)? {
            let kept = Kept {
                record: Arc::clone(record),
                standing: record.standing,
                moments,
            };
            self.kept.insert(record.number.0, kept);
        } else {
            self.count(record, record.standing, moments.as_ref());
        }
        Ok(())
    }

    /// Bets of the round that ended by how long before the close they came.
    fn count_bets(&mut self) {
        let Some(closing) = self.rounds.played.last().and_then(|one| one.closing_ms) else {
            return;
        };
        for bet in self.rounds.bets.iter().filter(|bet| bet.stake_minor > 0) {
            let early = closing - bet.at_ms;
            let at = BEFORE_CLOSE_MS.iter().position(|limit| early <= *limit);
            let line = &mut self.before[at.unwrap_or(BEFORE_CLOSE_MS.len())];
            line.bets += 1;
            line.staked += bet.stake_minor;
        }
    }

    /// Counts what was kept, as it stands after the last record.
    pub(crate) fn finish(&mut self) {
        for kept in std::mem::take(&mut self.kept).into_values() {
            self.count(&kept.record, kept.standing, kept.moments.as_ref());
        }
    }

    /// Some round may have been amended after the last record.
    pub(crate) fn any_amended(&self) -> bool {
        let numbers = self.rounds.numbers();
        numbers.is_some_and(|numbers| self.amended.range(numbers).next().is_some())
    }

    fn amend(&mut self, table: &Table, sequence: u64, event: &Event) -> Result<(), ReportError> {
        let Some(line) = amendment(table, sequence, event) else {
            return Ok(());
        };
        let within = self.rounds.numbers();
        if !within.is_some_and(|rounds| rounds.contains(&line.round)) {
            self.earlier.push(line);
            return Ok(());
        }
        let Some(kept) = self.kept.get_mut(&line.round) else {
            let what = format!(
                "the index does not know that round {} was amended",
                line.round
            );
            return Err(HistoryError::damaged(sequence, what).into());
        };
        kept.standing = match &event.fact {
            Fact::ResultCorrected { dice, .. } => Standing::Settled(*dice),
            _ => Standing::Void,
        };
        self.corrections.push(line);
        Ok(())
    }

    /// Void rounds by cause and rule, late ones among them.
    pub(crate) fn causes(&self) -> Vec<CauseLine> {
        let mut causes: BTreeMap<(&str, &str), (u64, i64)> = BTreeMap::new();
        for void in &self.voids {
            let sums = causes.entry((&void.cause, &void.rule)).or_default();
            sums.0 += 1;
            sums.1 += void.staked;
        }
        let line = |((cause, rule), (rounds, staked)): ((&str, &str), (u64, i64))| CauseLine {
            cause: cause.to_owned(),
            rule: rule.to_owned(),
            rounds,
            staked,
        };
        causes.into_iter().map(line).collect()
    }
}

impl Watch for Tally<'_> {
    fn begin(&mut self, table: &Table) {
        self.began = Moment::of(table);
        let config = table.config.as_ref();
        self.dice_began = config.map_or_else(String::new, |config| config.dice_set.clone());
        self.rounds.begin(table);
    }

    fn before(&mut self, table: &Table, sequence: u64, event: &Event) {
        self.rounds.before(sequence, event);
        self.from_ms.get_or_insert(event.at_ms);
        self.to_ms = Some(event.at_ms);
        let tell = Describer::new(table);
        let second = |second: Option<Staff>| second.map(|second| tell.staff(second));
        match &event.fact {
            Fact::RoundSettled { .. } => {
                let round = table.round.as_deref();
                self.moments = round.map(|round| Moments::of(&round.exposure));
            }
            Fact::RoundVoided {
                basis,
                rule,
                staked,
                ..
            } => {
                let (cause, reason) = cause_word(basis);
                self.voids.push(VoidLine {
                    round: table.last_round.0,
                    sequence,
                    at_ms: event.at_ms,
                    cause,
                    rule: rule.clone(),
                    reason,
                    by: tell.actor(event.by),
                    second: second(event.second),
                    staked: staked.minor(),
                });
                // A void round may be corrected into a result: its chances as
                // the chips lay.
                let round = table.round.as_deref();
                self.moments = round.map(|round| Moments::of(&round.exposure));
            }
            Fact::CreditBought {
                source: CreditSource::Cage | CreditSource::Attendant,
                amount,
                ..
            } => self.transfers += *amount,
            Fact::ChipsMoved { how, amount, slip } => {
                let word = match how {
                    ChipMove::Fill => {
                        self.fills += *amount;
                        "fill"
                    }
                    ChipMove::CreditSlip => {
                        self.credits += *amount;
                        "credit-slip"
                    }
                    _ => return,
                };
                self.slips.push(SlipLine {
                    how: word.to_owned(),
                    slip: slip.clone(),
                    amount: amount.minor(),
                    at_ms: event.at_ms,
                    by: tell.actor(event.by),
                    second: second(event.second),
                });
            }
            Fact::OverpaymentWaived { amount, .. } => self.waived += *amount,
            Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. } => {
                for effect in effects {
                    self.waived -= effect.waiver_netted - effect.waiver_restored;
                }
            }
            Fact::IncidentRaised { kind, note } => self.incidents.push(IncidentLine {
                kind: kind.key().to_owned(),
                note: note.clone(),
                at_ms: event.at_ms,
                sequence,
                by: tell.actor(event.by),
            }),
            _ => {}
        }
    }

    fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> Result<(), ReportError> {
        // A table that was opened for the first time in it had no dice before.
        if self.dice_began.is_empty()
            && let Some(config) = table.config.as_ref()
        {
            self.dice_began.clone_from(&config.dice_set);
        }
        if self.rounds.after(table, sequence, event) {
            return self.ended(table);
        }
        self.amend(table, sequence, event)
    }
}

/// What an event that amends a round did.
pub(crate) fn amendment(table: &Table, sequence: u64, event: &Event) -> Option<AmendmentLine> {
    let mut found = None;
    let (round, revision, from, is, rule, evidence, effects) = match &event.fact {
        Fact::ResultCorrected {
            round,
            revision,
            from,
            dice,
            evidence,
            rule,
            effects,
            ..
        } => {
            let is = dice.to_string();
            (round, revision, from, is, rule, evidence, effects)
        }
        Fact::RoundVoidedLate {
            round,
            revision,
            from,
            reason,
            rule,
            effects,
            cause,
            ..
        } => {
            found = *cause;
            let is = "void".to_owned();
            (round, revision, from, is, rule, reason, effects)
        }
        _ => return None,
    };
    let tell = Describer::new(table);
    let change = |effect: &Effect| (effect.was - effect.is).minor();
    Some(AmendmentLine {
        round: round.0,
        revision: *revision,
        sequence,
        at_ms: event.at_ms,
        was: match from {
            Standing::Settled(dice) => dice.to_string(),
            Standing::Void => "void".to_owned(),
        },
        is,
        cause: found.map(|cause| cause.key().to_owned()),
        rule: rule.clone(),
        evidence: evidence.clone(),
        by: tell.actor(event.by),
        second: event.second.map(|second| tell.staff(second)),
        win_change: effects.iter().map(change).sum(),
        effects: effects
            .iter()
            .map(|effect| EffectLine {
                station: name(table, effect.station),
                was: effect.was.minor(),
                is: effect.is.minor(),
            })
            .collect(),
    })
}
