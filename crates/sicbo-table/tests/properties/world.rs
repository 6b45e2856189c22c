//! A table under watch: every command that is given is decided, applied and
//! checked, and the auditor hears all of it.

use std::collections::{BTreeMap, HashMap};
use std::mem::Discriminant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use sicbo_auditor::odds::Quirk;
use sicbo_auditor::{Auditor, balances, hear};
use sicbo_rules::Money;
use sicbo_table::derive::derive;
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::record::{RoundRecord, Standing};
use sicbo_table::station::StationKind;
use sicbo_table::{Command, Event, Fact, Refusal, Table, apply, decide};

use crate::properties::reached;

/// What went wrong.
pub(crate) type Failure = String;

/// A fault put into the engine on purpose, to see that the watch notices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sabotage {
    /// None.
    None,
    /// Every correction credits twice.
    CorrectionCreditsTwice,
    /// A settlement loses one minor unit of a winner's credit.
    SettlementLosesACent,
    /// A late void forgets one station.
    LateVoidForgetsAStation,
    /// A void keeps a part of the stakes and calls it house win.
    VoidKeepsStakes,
    /// A recovered overpayment is taken twice.
    RecoveryTakesTwice,
}

/// How stations stood when the round began, and what has moved since for other reasons than betting.
#[derive(Clone, Default)]
struct Before {
    credit: Vec<Money>,
    chips: Money,
}

/// The table under watch.
#[derive(Clone)]
pub(crate) struct World {
    /// The table.
    pub(crate) table: Table,
    /// Rounds that have ended, as they stand now.
    pub(crate) records: Vec<Arc<RoundRecord>>,
    /// Everything that was given, with the answer.
    pub(crate) log: Vec<(Command, Result<Vec<Event>, Refusal>)>,
    /// How often each thing happened.
    pub(crate) reached: BTreeMap<String, u64>,
    auditor: Auditor,
    names: HashMap<Discriminant<Fact>, String>,
    sabotage: Sabotage,
    before: Before,
    keep_log: bool,
}

impl World {
    /// A new table.
    pub(crate) fn new(quirk: Quirk, sabotage: Sabotage) -> World {
        World {
            table: Table::default(),
            records: Vec::new(),
            log: Vec::new(),
            reached: BTreeMap::new(),
            auditor: Auditor::new(quirk),
            names: HashMap::new(),
            sabotage,
            before: Before::default(),
            keep_log: true,
        }
    }

    /// A copy to try something out on.
    pub(crate) fn fork(&self) -> World {
        World {
            log: Vec::new(),
            reached: BTreeMap::new(),
            keep_log: false,
            ..self.clone()
        }
    }

    /// Gives a command. `careful` also checks that deciding left the table as it was.
    pub(crate) fn give(&mut self, command: Command, careful: bool) -> Result<bool, Failure> {
        let before = careful.then(|| self.table.clone());
        let decided = catch_unwind(AssertUnwindSafe(|| decide(&self.table, &command)))
            .map_err(|panic| format!("decide panicked: {} on {command:?}", words(&*panic)))?;
        if let Some(before) = before
            && before != self.table
        {
            return Err(format!("decide changed the table: {:?}", command.act));
        }
        let taken = decided.is_ok();
        match &decided {
            Ok(events) => {
                self.derives(events)?;
                for event in events {
                    self.take(event)
                        .map_err(|failure| format!("{failure}\n  after {event:?}"))?;
                }
                if events.is_empty() {
                    self.count("answered again");
                }
            }
            Err(refusal) => self.count(&format!("refused {}", refusal.code())),
        }
        if self.keep_log {
            self.log.push((command, decided));
        }
        Ok(taken)
    }

    fn count(&mut self, what: &str) {
        *self.reached.entry(what.to_owned()).or_default() += 1;
    }

    fn take(&mut self, event: &Event) -> Result<(), Failure> {
        let kind = reached::kind(&event.fact, &mut self.names);
        self.count(&kind);
        for case in reached::cases(&event.fact) {
            self.count(case);
        }
        let open_before = self.table.round.is_some();
        let credit_before: Vec<Money> = self.table.stations.iter().map(|s| s.credit).collect();
        let chips_before = self.table.books.chips_outstanding;

        let event = &self.sabotaged(event);
        catch_unwind(AssertUnwindSafe(|| apply(&mut self.table, event)))
            .map_err(|panic| format!("apply panicked: {}", words(&*panic)))?;
        self.sabotage_state(event);

        self.table.check()?;
        self.auditor.enter(&hear(event))?;
        self.auditor.compare(&balances(&self.table))?;
        self.remember_rounds(event, open_before)?;
        self.void_leaves_all(event, &credit_before, chips_before)
    }

    /// A verifier finds that they follow; what sabotage did to the state does not.
    fn derives(&self, events: &[Event]) -> Result<(), Failure> {
        if self.sabotage != Sabotage::None {
            return Ok(());
        }
        let amended = |number| {
            events.iter().any(|event| match event.fact {
                Fact::ResultCorrected { round, .. } | Fact::RoundVoidedLate { round, .. } => {
                    round == number
                }
                _ => false,
            })
        };
        let records = self.records.iter().filter(|record| amended(record.number));
        let records = records
            .map(|record| (record.number, record.clone()))
            .collect();
        match derive(&self.table, events, &records) {
            Ok(made) if made == events.len() => Ok(()),
            Ok(made) => Err(format!("only {made} of {events:?} follow")),
            Err(wrong) => Err(format!("does not follow: {wrong}\n  {events:?}")),
        }
    }

    /// Keeps the records of ended rounds as the house would, from the journal.
    fn remember_rounds(&mut self, event: &Event, open_before: bool) -> Result<(), Failure> {
        match &event.fact {
            Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => {
                if !open_before || self.table.round.is_some() {
                    return Err("a round ended that was not in hand".to_owned());
                }
                let record = self.table.last_record.clone();
                self.records
                    .push(record.ok_or("an ended round left no record")?);
            }
            Fact::ResultCorrected {
                round,
                revision,
                dice,
                ..
            } => self.amend(*round, *revision, Standing::Settled(*dice)),
            Fact::RoundVoidedLate {
                round, revision, ..
            } => self.amend(*round, *revision, Standing::Void),
            _ => {}
        }
        Ok(())
    }

    fn amend(&mut self, round: RoundNumber, revision: u32, standing: Standing) {
        if let Some(record) = self.records.iter_mut().find(|r| r.number == round) {
            let record = Arc::make_mut(record);
            record.revision = revision;
            record.standing = standing;
        }
    }

    /// A void before settlement leaves every station exactly where it was when
    /// the round began, but for money that moved in between for other reasons.
    fn void_leaves_all(
        &mut self,
        event: &Event,
        credit_before: &[Money],
        chips_before: Money,
    ) -> Result<(), Failure> {
        let credits = || self.table.stations.iter().map(|station| station.credit);
        let chips = self.table.books.chips_outstanding;
        match &event.fact {
            Fact::RoundBegan { .. } => {
                self.before = Before {
                    credit: credits().collect(),
                    chips,
                };
            }
            // Bets, and chips that a second person attests, move stakes only.
            Fact::BetsPlaced { .. }
            | Fact::BetsRemoved { .. }
            | Fact::PositionsRecorded { .. }
            | Fact::PositionsAttested { .. }
            | Fact::DecisionTaken { .. } => {}
            Fact::RoundVoided { .. } => {
                if self.table.stations.iter().any(|s| s.at_risk != Money::ZERO) {
                    return Err("a void left stakes on the layout".to_owned());
                }
                let after: Vec<Money> = credits().collect();
                if after != self.before.credit || chips != self.before.chips {
                    return Err(format!(
                        "a void left {after:?} and chips {chips:?} where {:?} and {:?} were",
                        self.before.credit, self.before.chips
                    ));
                }
            }
            _ => {
                let moved = credits().zip(
                    credit_before
                        .iter()
                        .copied()
                        .chain(std::iter::repeat(Money::ZERO)),
                );
                let moved: Vec<Money> = moved.map(|(now, was)| now - was).collect();
                self.before.credit.resize(moved.len(), Money::ZERO);
                for (credit, moved) in self.before.credit.iter_mut().zip(moved) {
                    *credit += moved;
                }
                self.before.chips += chips - chips_before;
            }
        }
        Ok(())
    }

    /// What each terminal is worth over all its players, and all seats with
    /// their chips: credit, less what may be recovered, plus what is unclaimed.
    pub(crate) fn net(&self) -> (Vec<Money>, Money, Money) {
        let table = &self.table;
        let mut terminals = Vec::new();
        let mut seats = table.books.chips_outstanding;
        for (i, station) in table.stations.iter().enumerate() {
            let here = |id: StationId| id.0 as usize == i;
            let recoverable: Money = table
                .recoverables
                .values()
                .filter(|entry| here(entry.station))
                .map(|entry| entry.amount)
                .sum();
            let unclaimed: Money = table
                .unclaimed
                .values()
                .filter(|entry| here(entry.station))
                .map(|entry| entry.amount)
                .sum();
            let net = station.credit + station.at_risk - recoverable + unclaimed;
            match station.kind {
                StationKind::Terminal => terminals.push(net),
                StationKind::Seat => seats += net,
            }
        }
        (terminals, seats, table.books.house_win())
    }

    /// At the end: the events alone rebuild the table, and the same commands
    /// give the same events again.
    pub(crate) fn replay(&self) -> Result<(), Failure> {
        let mut by_events = Table::default();
        let mut by_commands = Table::default();
        for (command, answer) in &self.log {
            let again = decide(&by_commands, command);
            if again != *answer {
                return Err(format!(
                    "the same command was answered differently: {command:?}\n  {answer:?}\n  {again:?}"
                ));
            }
            for event in again.iter().flatten() {
                apply(&mut by_commands, event);
            }
            for event in answer.iter().flatten() {
                apply(&mut by_events, event);
            }
        }
        if by_events != self.table || by_commands != self.table {
            return Err("a replay made another table".to_owned());
        }
        Ok(())
    }

    /// The event as a faulty engine would have made it.
    fn sabotaged(&self, event: &Event) -> Event {
        let mut event = event.clone();
        match (&mut event.fact, self.sabotage) {
            (Fact::ResultCorrected { effects, .. }, Sabotage::CorrectionCreditsTwice) => {
                for effect in effects {
                    effect.credited = effect.credited + effect.credited;
                }
            }
            (Fact::RoundVoidedLate { effects, .. }, Sabotage::LateVoidForgetsAStation) => {
                effects.pop();
            }
            _ => {}
        }
        event
    }

    /// The state as a faulty engine would have left it, with books that still balance.
    fn sabotage_state(&mut self, event: &Event) {
        let one = Money::from_minor(1);
        let table = &mut self.table;
        match (&event.fact, self.sabotage) {
            (Fact::RoundSettled { .. }, Sabotage::SettlementLosesACent) => {
                let winner = table.stations.iter_mut().find(|s| s.credit.is_positive());
                if let Some(winner) = winner {
                    winner.credit -= one;
                    winner.meters.returned -= one;
                    table.books.house_bank += one;
                }
            }
            (Fact::RoundVoided { .. }, Sabotage::VoidKeepsStakes) => {
                let player = table.stations.iter_mut().find(|s| s.credit.is_positive());
                if let Some(player) = player {
                    player.credit -= one;
                    player.meters.void_returned -= one;
                    table.books.house_bank += one;
                }
            }
            (Fact::OverpaymentRecovered { .. }, Sabotage::RecoveryTakesTwice) => {
                let player = table.stations.iter_mut().find(|s| s.credit.is_positive());
                if let Some(player) = player {
                    player.credit -= one;
                    player.meters.recovered += one;
                    table.books.house_bank += one;
                }
            }
            _ => {}
        }
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
