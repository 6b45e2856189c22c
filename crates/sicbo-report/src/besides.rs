//! What a report takes from the house's own register: the shift it is of,
//! vouchers owed, disputes, and the custody of the table's dice.

use std::ops::RangeInclusive;

use sicbo_journal::Store;
use sicbo_rules::{Currency, Money};
use sicbo_table::Table;
use sicbo_table::ids::PersonId;

use super::Asked;
use super::accounts::{Counts, Recorded, name};
use super::fairness::Named;
use super::sheet::{
    CaseLine, Custody, CustodyLine, RefusalLine, ShiftFigures, TableReport, VoucherLiability,
};
use sicbo_loop::{Machine, apply_read};
use sicbo_proof::history::HistoryError;
use sicbo_register::case::{Case, CaseId};
use sicbo_register::dice::{Dice, DiceSet, DiceState, DiceStep};
use sicbo_register::enrolment::TableName;
use sicbo_register::shift::{self, AT_HAND, Refused, Shift, ShiftId};
use sicbo_register::{Party, Register};

/// What is known besides the table's own journal.
#[derive(Clone, Default, Debug)]
pub struct Besides {
    /// What was counted, where no shift says it.
    pub counts: Option<Counts>,
    /// The house, where its own journal is at hand.
    pub house: Option<HouseAt>,
    /// Stretches with a name, to look at the dice by them.
    pub shifts: Vec<Named>,
    /// The report is of this shift.
    pub shift: Option<ShiftId>,
    /// Bets refused in it so far, where it goes on and the house runs.
    pub refused: Vec<Refused>,
}

/// The house's register at one record of its own stream.
#[derive(Clone, Default, Debug)]
pub struct HouseAt {
    /// The record.
    pub sequence: u64,
    /// The register after it.
    pub register: Register,
}

impl HouseAt {
    /// Reads the register from the house's own stream, as of its end.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(store: &dyn Store) -> Result<HouseAt, HistoryError> {
        let newest = store.latest_snapshot()?;
        let kept = newest.and_then(|kept| {
            let register = Register::from_snapshot(kept.state())?;
            Some((kept.sequence, register))
        });
        let (mut at, mut register) = kept.unwrap_or_default();
        for raw in store.read_from(at + 1) {
            let block = raw?
                .decode()
                .map_err(|error| HistoryError::damaged(at + 1, error))?;
            for record in block.records().filter(|record| record.sequence > at) {
                let event = Register::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                apply_read(&mut register, &event)
                    .map_err(|what| HistoryError::damaged(record.sequence, what))?;
            }
            at = at.max(block.header().last_sequence);
        }
        Ok(HouseAt {
            sequence: at,
            register,
        })
    }

    /// The records of a shift of a table, with those since the shift before it ended, or since the
    /// table's first: whatever was paid between two shifts is in exactly one report. None when
    /// there is none such at hand.
    #[must_use]
    pub fn shift(&self, table: &str, id: ShiftId) -> Option<Asked> {
        let shift = self.register.shifts.get(&id);
        let shift = shift.filter(|shift| shift.table.as_str() == table)?;
        let mut earlier = self.register.shifts_of(&shift.table).rev();
        let before = earlier.find(|(other, _)| *other < id);
        let closed = self.register.shifts_of(&shift.table);
        let closed = closed.filter(|(_, one)| !one.is_open()).count();
        let ended = match before {
            Some((_, before)) => before.to_sequence,
            // Where older ones are in the journal only, it need not be the table's first.
            None => (closed < AT_HAND).then_some(0),
        };
        Some(Asked {
            from: ended.map_or(shift.from_sequence, |ended| ended + 1),
            to: shift.to_sequence,
        })
    }

    /// Every shift of a table that is at hand, by name.
    fn shifts_of(&self, table: &TableName) -> Vec<Named> {
        let shifts = self.register.shifts_of(table);
        shifts
            .map(|(id, shift)| Named {
                name: id.0.to_string(),
                from: shift.from_sequence,
                to: shift.to_sequence.unwrap_or(u64::MAX),
            })
            .collect()
    }
}

impl Besides {
    /// What the house knows of a table, for a report of one of its shifts or of
    /// any stretch.
    #[must_use]
    pub fn of(house: HouseAt, table: &str, shift: Option<ShiftId>) -> Besides {
        let shifts = TableName::new(table).map(|table| house.shifts_of(&table));
        Besides {
            counts: None,
            shifts: shifts.unwrap_or_default(),
            house: Some(house),
            shift,
            refused: Vec::new(),
        }
    }

    /// The shifts of which some record is within: each has its share of what
    /// false alarms are allowed, so the others are not to take any.
    pub(super) fn shifts_within(&self, from: u64, to: u64) -> Vec<Named> {
        let within = |shift: &&Named| match self.shift {
            Some(id) => shift.name == id.0.to_string(),
            None => shift.from <= to && from <= shift.to,
        };
        self.shifts.iter().filter(within).cloned().collect()
    }

    /// The shift, its number with it.
    pub(super) fn shift(&self) -> Option<(ShiftId, &Shift)> {
        let (id, house) = (self.shift?, self.house.as_ref()?);
        house.register.shifts.get(&id).map(|shift| (id, shift))
    }

    /// What was counted: what the shift says, or what was given.
    pub(super) fn counted(&self, (fills, credits): (Money, Money)) -> Option<Counts> {
        let Some((_, shift)) = self.shift() else {
            return self.counts;
        };
        Some(Counts {
            opener: shift.opener.minor(),
            // The slips were matched before it could end.
            fills: fills.minor(),
            credits: credits.minor(),
            closer: shift.closer?.minor(),
            drop: shift.drop?.minor(),
            tips: shift.tips?.minor(),
        })
    }

    /// The shift of the same table before this one, where it is at hand.
    fn previous(&self) -> Option<&Shift> {
        let (id, shift) = self.shift()?;
        let register = &self.house.as_ref()?.register;
        let mut earlier = register.shifts_of(&shift.table).rev();
        earlier
            .find(|(other, _)| *other < id)
            .map(|(_, shift)| shift)
    }

    /// What the counts of a shift that has ended were signed against.
    pub(super) fn recorded(&self) -> Option<Recorded> {
        let (_, shift) = self.shift()?;
        let to = shift.ledger_to?;
        let counts = shift::Counts {
            closer: shift.closer?,
            drop: Some(shift.drop?),
            tips: Some(shift.tips?),
        };
        let signed = shift.variances(&counts, &to);
        let from = &shift.ledger_from;
        let before = self.previous();
        let before = before.and_then(|known| Some((known.closer?, known.ledger_to?)));
        // The books do not know what lay in the rack before the first count of it.
        let opener = before.map_or(shift.opener, |(closer, then)| {
            closer + from.cash_chips() - then.cash_chips()
        });
        Some(Recorded {
            opener,
            closer: counts.closer - signed.closer,
            drop: shift.drop? - signed.drop,
            tips: shift.tips? - signed.tips,
            colour_out: [from.colour_out, to.colour_out],
        })
    }

    /// The shift as figures.
    pub(super) fn figures(&self, (fills, credits): (Money, Money)) -> Option<ShiftFigures> {
        let (id, shift) = self.shift()?;
        let register = &self.house.as_ref()?.register;
        let names = |people: &[PersonId]| {
            let person = |id: &PersonId| party(register, Party::Person(*id));
            people.iter().map(person).collect()
        };
        Some(ShiftFigures {
            shift: id.0,
            opened_ms: shift.opened_at,
            closed_ms: shift.closed_at,
            opened_by: names(&shift.opened_by),
            signed_by: names(&shift.signed_by),
            opener: shift.opener.minor(),
            fills: fills.minor(),
            credits: credits.minor(),
            closer: shift.closer.map(Money::minor),
            drop: shift.drop.map(Money::minor),
            tips: shift.tips.map(Money::minor),
            threshold: shift.threshold.minor(),
            comment: shift.comment.clone(),
            signed_to: shift.signed.map(|signed| signed.sequence),
            drop_box: shift.boxes.drop.clone(),
            tip_box: shift.boxes.tips.clone(),
            boxes_counted_by: shift
                .soft_count
                .as_ref()
                .map_or_else(Vec::new, |count| names(&count.by)),
            boxes_counted_ms: shift.soft_count.as_ref().map(|count| count.at_ms),
            fingerprint: shift.signed.map(|signed| {
                let mut digits = sicbo_journal::Hash(signed.header_hash).to_string();
                digits.truncate(sicbo_proof::FINGERPRINT_DIGITS);
                digits
            }),
        })
    }

    /// The time the report is of: from the end of the shift before to the end of its own, or from its first record to
    /// its last.
    pub(super) fn time(&self, first: Option<i64>, last: Option<i64>) -> RangeInclusive<i64> {
        match self.shift() {
            Some((_, shift)) => {
                let before = self.previous().and_then(|before| before.closed_at);
                let began = before.map_or(shift.opened_at, |ended| ended.saturating_add(1));
                began..=shift.closed_at.unwrap_or(i64::MAX)
            }
            None => first.unwrap_or(i64::MAX)..=last.unwrap_or(i64::MIN),
        }
    }

    /// Bets refused in the shift.
    pub(super) fn refusals(&self) -> Option<Vec<RefusalLine>> {
        let (_, shift) = self.shift()?;
        let mut shift = shift.clone();
        if shift.is_open() {
            shift.count(&self.refused);
        }
        let line = |one: Refused| RefusalLine {
            code: one.code,
            count: one.count,
        };
        Some(shift.refused.into_iter().map(line).collect())
    }

    /// Puts names beside the numbers of people.
    pub(super) fn name_people(&self, report: &mut TableReport) {
        let Some(house) = &self.house else {
            return;
        };
        let register = &house.register;
        let name = |who: &mut String| *who = with_name(register, who);
        let amended = [
            &mut report.corrections,
            &mut report.earlier,
            &mut report.later,
        ];
        for line in amended.into_iter().flatten() {
            name(&mut line.by);
            line.second.iter_mut().for_each(name);
        }
        for line in &mut report.void_register {
            name(&mut line.by);
            line.second.iter_mut().for_each(name);
        }
        for line in &mut report.slips {
            name(&mut line.by);
            line.second.iter_mut().for_each(name);
        }
        for line in &mut report.incidents {
            name(&mut line.by);
        }
        for line in &mut report.exceptions {
            name(&mut line.by);
            line.second.iter_mut().for_each(name);
        }
        for group in &mut report.fairness.groups {
            if group.person.is_some() {
                name(&mut group.name);
            }
        }
        for line in &mut report.dealers {
            let known = line
                .person
                .and_then(|id| register.people.get(&PersonId(id)));
            line.name = known.map(|known| known.name.clone());
        }
    }

    pub(super) fn vouchers(&self, currency: Currency) -> Option<VoucherLiability> {
        let house = self.house.as_ref()?;
        let (register, sequence) = (&house.register, house.sequence);
        Some(VoucherLiability::of(register, sequence, currency.code()))
    }

    /// Cases of the table opened in a time.
    pub(super) fn cases(
        &self,
        state: &Table,
        table: &str,
        time: &RangeInclusive<i64>,
    ) -> Option<Vec<CaseLine>> {
        let register = &self.house.as_ref()?.register;
        let cases = register.cases.iter();
        let opened = cases
            .filter(|(_, case)| case.new.table.as_str() == table && time.contains(&case.opened_ms));
        let line =
            |(id, case): (&CaseId, &Case)| case_line(register, state, *id, case, *time.end());
        Some(opened.map(line).collect())
    }

    /// What was done in a time with dice that were, came or went to the table.
    pub(super) fn custody(
        &self,
        table: &str,
        (began, ended): (String, String),
        time: &RangeInclusive<i64>,
    ) -> Option<Custody> {
        let register = &self.house.as_ref()?.register;
        let mut steps: Vec<CustodyLine> = register
            .dice
            .iter()
            .flat_map(|(set, dice)| steps_at(register, set, dice, table))
            .filter(|line| time.contains(&line.at_ms))
            .collect();
        steps.sort_by_key(|line| line.at_ms);
        let known = DiceSet::new(&ended).and_then(|set| register.dice.get(&set));
        Some(Custody {
            began,
            good_ms: known.and_then(|dice| dice.good_by(*time.end())),
            ended,
            steps,
        })
    }
}

/// A person as a table's journal tells them, with the name the house knows
/// them by: `dealer person 2` becomes `dealer person 2 Tan Wei Ming`.
#[must_use]
pub fn with_name(register: &Register, told: &str) -> String {
    let number = told
        .rsplit_once("person ")
        .and_then(|(_, id)| id.parse().ok());
    let known = number.and_then(|id| register.people.get(&PersonId(id)));
    known.map_or_else(|| told.to_owned(), |known| format!("{told} {}", known.name))
}

/// Who, by the name the house knows them by.
fn party(register: &Register, party: Party) -> String {
    match party {
        Party::House => "house".to_owned(),
        Party::Person(id) => {
            let known = register.people.get(&id);
            known.map_or_else(|| format!("person {}", id.0), |known| known.name.clone())
        }
        Party::Place(id) => {
            let known = register.enrolments.get(&id);
            known.map_or_else(|| format!("place {}", id.0), |known| known.name.clone())
        }
    }
}

fn case_line(register: &Register, state: &Table, id: CaseId, case: &Case, end: i64) -> CaseLine {
    let now = case.standing();
    let mut then = case.clone();
    then.entries.retain(|entry| entry.at_ms <= end);
    let late = then.clocks().into_iter();
    CaseLine {
        case: id.0,
        kind: case.new.kind.word().to_owned(),
        opened_ms: case.opened_ms,
        by: party(register, case.opened_by),
        round: case.new.round.map(|round| round.0),
        station: case.new.station.map(|station| name(state, station)),
        grievance: case.new.grievance.word().to_owned(),
        words: case.new.words.clone(),
        stood: then.standing().word().to_owned(),
        stands: now.word().to_owned(),
        outcome: now.decided.map(|(_, outcome)| outcome.word().to_owned()),
        overdue: late
            .filter(|clock| end != i64::MAX && clock.is_overdue(end))
            .map(|clock| clock.what.to_owned())
            .collect(),
    }
}

/// The steps of a set that began or ended at a table.
fn steps_at(register: &Register, set: &DiceSet, dice: &Dice, table: &str) -> Vec<CustodyLine> {
    let there = |state: &DiceState| matches!(state, DiceState::InUse(at) if at.as_str() == table);
    let mut at = Dice {
        state: DiceState::Received,
        good_ms: None,
        entries: Vec::new(),
    };
    let mut lines = Vec::new();
    for entry in &dice.entries {
        let was = there(&at.state);
        at.step(entry.clone());
        if !was && !there(&at.state) {
            continue;
        }
        let (good, text) = match &entry.step {
            DiceStep::Receive { seal } => (None, seal.as_str()),
            DiceStep::Inspect { good, text } => (Some(*good), text.as_str()),
            DiceStep::Place { table } => (None, table.as_str()),
            DiceStep::Remove { text }
            | DiceStep::Quarantine { text }
            | DiceStep::Destroy { text } => (None, text.as_str()),
        };
        lines.push(CustodyLine {
            set: set.as_str().to_owned(),
            at_ms: entry.at_ms,
            step: entry.step.word().to_owned(),
            good,
            text: text.to_owned(),
            by: party(register, entry.by),
            second: entry.second.map(|id| party(register, Party::Person(id))),
        });
    }
    lines
}
