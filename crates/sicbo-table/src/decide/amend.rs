//! Amending ended rounds: corrections, late voids, and what becomes of overpayments.
//!
//! What a player is owed is credited at once. What was paid too much becomes a
//! recoverable; only a ruling takes it back, and never below zero.
//!
//! A waiver is a ruling that the player keeps what was paid too much (Q-20,
//! J-04 c). It is remembered with the amended round for as long as the round
//! is, because a later amendment may find that the player was owed it after
//! all: what is then owed is set first against overpayments still open, then
//! against what was waived, and only the rest is paid. So nobody is paid
//! twice, and what was recovered before the waiver comes back. Should a further
//! amendment make the same money an overpayment again, the ruling already
//! covers it and nobody is asked twice; only what goes beyond it is a new
//! recoverable. Correcting back and forth thus leaves everything as it was.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Cause, Matter, Scope, WrongResult};
use sicbo_rules::{Dice, Money};

use super::cash::claim_within;
use super::{Decision, checked_text, positive};
use crate::authority::{self, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Ruling};
use crate::event::{Effect, Fact, RulesRevision};
use crate::ids::{PendingId, RecoverableId, RoundNumber, SessionNumber, StationId, UnclaimedId};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Question, Recoverable, Unclaimed};
use crate::record::{RoundRecord, Standing, StationRecord};
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::station::StationKind;
use crate::table::{Table, Waiver};

/// The record is of an ended round and says how it stands now.
fn current<'r>(table: &Opened<'_>, record: &'r RoundRecord) -> Result<&'r RoundRecord, Refusal> {
    let in_hand = table
        .round
        .as_deref()
        .is_some_and(|round| round.number == record.number);
    if record.number > table.last_round || record.number.0 == 0 || in_hand {
        return Err(Reason::RecordNotEnded.into());
    }
    let known = table.amended.get(&record.number);
    let revision = known.map_or(0, |amended| amended.revision);
    let stands = known.is_none_or(|amended| amended.standing == record.standing);
    // What the table itself remembers must be what is handed in.
    let same_as_last = table
        .last_record
        .as_deref()
        .is_none_or(|last| last.number != record.number || last.same_play(record));
    if record.revision != revision || !stands || !same_as_last {
        return Err(Reason::RecordOutdated { known: revision }.into());
    }
    ours(table, record)?;
    Ok(record)
}

/// The most rounds of one table that may ever be amended. What is kept of each
/// must be kept for as long as the table is: without it an outdated record
/// would be taken for a current one and pay twice, or pay again what was
/// waived. So none is dropped; beyond the bound a round that was never amended
/// is refused, and what is owed for it is adjusted by hand, by two persons.
/// Rounds already amended may be amended further.
pub const MAX_AMENDED: usize = 10_000;

/// `new` further rounds may be amended.
fn room_for(table: &Opened<'_>, new: usize) -> Result<(), Refusal> {
    if table.amended.len() + new > MAX_AMENDED {
        return Err(Reason::TooManyAmended {
            allowed: MAX_AMENDED,
        }
        .into());
    }
    Ok(())
}

/// All stakes of a record stay below this: times the largest odds a rule book
/// can hold they still fit an `i64`.
const LARGEST_STAKES: i64 = i64::MAX / u16::MAX as i64;

/// A record comes from outside: everything it names must be there, so that no
/// sum can overflow and no effect can name what the table does not have.
fn ours(table: &Opened<'_>, record: &RoundRecord) -> Result<(), Refusal> {
    let not_ours = |what: &'static str| -> Refusal { Reason::RecordNotOurs { what }.into() };
    let mut staked = 0i64;
    let mut before = None;
    for part in &record.stations {
        let station = table
            .stations
            .get(part.station.0 as usize)
            .ok_or_else(|| not_ours("a station that is not there"))?;
        if before.is_some_and(|before| before >= part.station) {
            return Err(not_ours("a station twice or out of order"));
        }
        before = Some(part.station);
        if station.kind != part.kind {
            return Err(not_ours("a station of another kind"));
        }
        if part.session > station.session {
            return Err(not_ours("a player who has not come yet"));
        }
        let layout = record
            .book
            .layouts
            .get(part.layout)
            .ok_or_else(|| not_ours("a layout the book does not have"))?;
        if part.kind == StationKind::Terminal && !part.colour_lines.is_empty() {
            return Err(not_ours("colour chips at a terminal"));
        }
        for line in part.lines.iter().chain(&part.colour_lines) {
            if !layout.offers(line.section) || !line.stake.is_positive() {
                return Err(not_ours("a bet that nobody could place"));
            }
            staked = staked
                .checked_add(line.stake.minor())
                .filter(|staked| *staked <= LARGEST_STAKES)
                .ok_or_else(|| not_ours("stakes beyond all money"))?;
        }
    }
    Ok(())
}

/// Nothing has happened at the table since this round ended.
fn is_latest(table: &Table, number: RoundNumber) -> bool {
    table.round.is_none() && table.last_round == number
}

/// No later round has commenced, by what the book calls the start of a round:
/// what is found now is still found in this one.
pub(crate) fn is_current(table: &Table, number: RoundNumber) -> bool {
    let started = table.rules >= RulesRevision(3) && table.last_started == number;
    started || is_latest(table, number)
}

/// Whoever played is still at the station. Once play has gone on, whoever has
/// nothing left there may have gone.
pub(super) fn still_there(
    table: &Table,
    station: StationId,
    session: SessionNumber,
    latest: bool,
) -> bool {
    table.station(station).is_some_and(|station| {
        let empty = station.credit == Money::ZERO && station.at_risk == Money::ZERO;
        station.session == session && (latest || !empty)
    })
}

/// Hands out numbers for several effects of one command.
struct Numbers<'t> {
    table: &'t Table,
    recoverable: u64,
    unclaimed: u64,
}

impl<'t> Numbers<'t> {
    fn new(table: &'t Table) -> Numbers<'t> {
        Numbers {
            table,
            recoverable: table.next_recoverable.0,
            unclaimed: table.next_unclaimed.0,
        }
    }

    fn effect(
        &mut self,
        record: &RoundRecord,
        part: &StationRecord,
        to: Standing,
    ) -> Option<Effect> {
        let (was_plain, was_colour) = part.returned(&record.book, record.standing);
        let (is_plain, is_colour) = part.returned(&record.book, to);
        let (was, is) = (was_plain + was_colour, is_plain + is_colour);
        let mut effect = Effect {
            station: part.station,
            was,
            is,
            credited: Money::ZERO,
            paid_in_chips: Money::ZERO,
            netted: Vec::new(),
            waiver_netted: Money::ZERO,
            waiver_restored: Money::ZERO,
            unclaimed_netted: Vec::new(),
            unclaimed: None,
            recoverable: None,
        };
        if was == is {
            return None;
        }
        let same_player = |round, station, session| {
            round == record.number && station == part.station && session == part.session
        };
        let waiver = self.waiver(record.number, part.station);
        if is > was {
            let mut owed = is - was;
            let debts = &self.table.case_debts;
            let of_rounds = self.table.recoverables.values();
            for entry in of_rounds.filter(|entry| !debts.contains(&entry.id)) {
                if same_player(entry.round, entry.station, entry.session) && owed.is_positive() {
                    let amount = owed.min(entry.amount);
                    effect.netted.push((entry.id, amount));
                    owed -= amount;
                }
            }
            effect.waiver_netted = owed.min(waiver.kept);
            owed -= effect.waiver_netted;
            self.owe(record, part, owed, &mut effect);
        } else {
            let mut over = was - is;
            let credits = &self.table.case_credits;
            let of_rounds = self.table.unclaimed.values();
            for entry in of_rounds.filter(|entry| !credits.contains(&entry.id)) {
                if same_player(entry.round, entry.station, entry.session) && over.is_positive() {
                    let amount = over.min(entry.amount);
                    effect.unclaimed_netted.push((entry.id, amount));
                    over -= amount;
                }
            }
            effect.waiver_restored = over.min(waiver.spent);
            over -= effect.waiver_restored;
            if over.is_positive() {
                effect.recoverable = Some(Recoverable {
                    id: RecoverableId(self.recoverable),
                    round: record.number,
                    station: part.station,
                    session: part.session,
                    amount: over,
                });
                self.recoverable += 1;
            }
        }
        Some(effect)
    }

    /// What a player of the round may keep by ruling, beyond what it gives.
    fn waiver(&self, round: RoundNumber, station: StationId) -> Waiver {
        let amended = self.table.amended.get(&round);
        amended
            .and_then(|amended| amended.waived.get(&station).copied())
            .unwrap_or(Waiver {
                kept: Money::ZERO,
                spent: Money::ZERO,
            })
    }

    /// Credits a player who is still there; keeps it for one who has left.
    fn owe(
        &mut self,
        record: &RoundRecord,
        part: &StationRecord,
        owed: Money,
        effect: &mut Effect,
    ) {
        if !owed.is_positive() {
            return;
        }
        // Whoever may have gone is paid by the cage, not at the terminal.
        let latest = is_current(self.table, record.number);
        let still_there = still_there(self.table, part.station, part.session, latest);
        match part.kind {
            StationKind::Terminal if still_there => effect.credited = owed,
            // Chips can be handed over while the round's players still stand at the table.
            StationKind::Seat if still_there && latest => {
                effect.paid_in_chips = owed;
            }
            StationKind::Terminal | StationKind::Seat => {
                effect.unclaimed = Some(Unclaimed {
                    id: UnclaimedId(self.unclaimed),
                    round: record.number,
                    station: part.station,
                    session: part.session,
                    amount: owed,
                });
                self.unclaimed += 1;
            }
        }
    }

    fn effects(&mut self, record: &RoundRecord, to: Standing) -> Vec<Effect> {
        record
            .stations
            .iter()
            .filter_map(|part| self.effect(record, part, to))
            .collect()
    }
}

/// What an amendment does to every station of a round, derived from the state.
pub(crate) fn effects(table: &Table, record: &RoundRecord, to: Standing) -> Vec<Effect> {
    Numbers::new(table).effects(record, to)
}

pub(super) fn correct(
    table: &Opened<'_>,
    command: &Command,
    record: &Arc<RoundRecord>,
    (dice, second_dice): (Dice, Dice),
    evidence: &str,
    conducted: Option<bool>,
) -> Decision {
    // In the round itself, the supervisor and the dealer see to it (J-04 b);
    // once a later one has commenced, whom the book trusts with such matters
    // (J-04 c).
    if is_current(table, record.number) {
        authority::require_two(table, command, SUPERVISING, TABLE_STAFF)?;
    } else {
        let decider = authority::decider(table, Matter::Uncovered);
        authority::require_two(table, command, decider, SUPERVISING)?;
    }
    checked_text(evidence)?;
    let record = current(table, record)?;
    let Standing::Settled(was) = record.standing else {
        return Err(Reason::RoundIsVoid.into());
    };
    if dice.sorted() != second_dice.sorted() {
        return Err(Reason::ReadingsDiffer.into());
    }
    refuse_if!(was.sorted() == dice.sorted(), Reason::ResultUnchanged);
    by_the_rules(table, record, conducted)?;
    room_for(
        table,
        usize::from(!table.amended.contains_key(&record.number)),
    )?;
    let book = &record.book;
    let rule = book.corrections.wrong_result.cite.full(book.id());
    let effects = Numbers::new(table).effects(record, Standing::Settled(dice));
    // What these two agreed on no longer holds the table.
    let mut facts = super::proposed::amended(table, record.number, "confirmed");
    facts.push(Fact::ResultCorrected {
        round: record.number,
        revision: record.revision + 1,
        from: record.standing,
        dice,
        evidence: evidence.to_owned(),
        rule,
        effects,
        conducted,
    });
    Ok(facts)
}

/// Where the book lets the dice prevail only "given the round has been
/// conducted in accordance with the Game Rules", both persons say that it was,
/// and no cause that could make it void is open (002 6.3, Q-47). What was found
/// has made it void already.
fn by_the_rules(
    table: &Opened<'_>,
    record: &RoundRecord,
    conducted: Option<bool>,
) -> Result<(), Refusal> {
    let rule = &record.book.corrections.wrong_result;
    let refuse = |reason| Refusal {
        reason,
        rule: Some(rule.cite.full(record.book.id())),
    };
    if mutant::off(table, "conducted") {
        return Ok(());
    }
    refuse_if!(conducted == Some(false), refuse(Reason::VoidInstead));
    if rule.is != WrongResult::SettleByDiceIfConducted {
        return Ok(());
    }
    refuse_if!(conducted.is_none(), refuse(Reason::ConductUnanswered));
    match void_is_open(table, record) {
        true => Err(refuse(Reason::VoidInstead)),
        false => Ok(()),
    }
}

/// Whether dice were damaged in this very round is still to be decided.
fn void_is_open(table: &Opened<'_>, record: &RoundRecord) -> bool {
    table.pending.iter().any(|pending| match &pending.question {
        Question::AffectedRounds { dice_set, .. } => {
            let reaches = pending.round.is_none_or(|last| record.number <= last);
            *dice_set == record.dice_set && reaches
        }
        _ => false,
    })
}

/// Under which rule an ended round becomes void for a cause, and the rule that
/// lists the cause where that is another one. `last` is the round
/// that had ended last when damaged dice were reported between rounds.
fn late_rule(
    table: &Opened<'_>,
    record: &RoundRecord,
    cause: Option<Cause>,
    last: Option<RoundNumber>,
) -> Result<(String, Option<String>), Refusal> {
    let ruling = |matter| authority::decider_rule(table, matter).unwrap_or_default();
    let Some(cause) = cause else {
        return Ok((ruling(Matter::Uncovered), None));
    };
    let book = &record.book;
    let listed = book
        .void_cause(cause)
        .ok_or(Reason::CauseNotInBook { cause })?;
    let own = listed.cite.full(book.id());
    if cause == Cause::TechnicalInterruption {
        return Err(Refusal {
            reason: Reason::CauseDoesNotFit { cause },
            rule: Some(own),
        });
    }
    // "The round" of damaged dice found between rounds is the last one; older
    // ones are a ruling where the book does not reach back. Of every other
    // cause a document may say that previous rounds stand.
    let (reaches, matter) = if cause == Cause::DiceDamaged {
        let the_round = last == Some(record.number) || is_latest(table, record.number);
        let reaches = listed.scope == Scope::AllAffectedRounds || the_round;
        (reaches, Matter::AffectedRounds)
    } else {
        let stand = &book.voiding.previous_rounds_stand;
        let reaches = !(stand.is && stand.cite.is_in_document());
        (reaches, Matter::Uncovered)
    };
    Ok(match reaches {
        true => (own, None),
        false => (ruling(matter), Some(own)),
    })
}

/// A late void of this round would condemn the dice of the current round, of
/// which no damage is on record.
fn condemns_the_current(table: &Opened<'_>, round: RoundNumber, cause: Option<Cause>) -> bool {
    let of_dice = matches!(cause, Some(Cause::DiceDamaged | Cause::DiceBroken));
    let known = table.damaged.contains(&table.config.dice_set);
    of_dice && table.round.is_some() && round >= table.dice_since && !known
}

pub(super) fn void_rounds(
    table: &Opened<'_>,
    command: &Command,
    records: &[Arc<RoundRecord>],
    cause: Option<Cause>,
    pending: Option<PendingId>,
    reason: &str,
) -> Decision {
    let matter = match cause {
        Some(Cause::DiceDamaged) => Matter::AffectedRounds,
        _ => Matter::Uncovered,
    };
    let decider = authority::decider(table, matter);
    authority::require_two(table, command, decider, SUPERVISING)?;
    checked_text(reason)?;
    refuse_if!(records.is_empty(), Reason::NoRecords);
    let mut facts = Vec::new();
    let (mut last, mut asked_about) = (None, None);
    if let Some(id) = pending {
        let asked = table.pending.iter().find(|pending| pending.id == id);
        let question = asked.map(|pending| &pending.question);
        let Some(Question::AffectedRounds { last: at, dice_set }) = question else {
            return Err(Reason::NoSuchDecision.into());
        };
        refuse_if!(cause != Some(Cause::DiceDamaged), Reason::RulingDoesNotFit);
        (last, asked_about) = (*at, Some(dice_set));
        facts.push(Fact::DecisionTaken {
            pending: id,
            ruling: Ruling::Void,
            reason: reason.to_owned(),
        });
    }
    // Oldest first: what is owed for one round then never depends on what the
    // same command has just credited for another, and each fact follows from
    // the state it is applied to.
    let mut oldest_first: Vec<&Arc<RoundRecord>> = records.iter().collect();
    oldest_first.sort_by_key(|record| record.number);
    let mut numbers = Numbers::new(table);
    let mut new = 0;
    for (i, record) in oldest_first.iter().enumerate() {
        let record = current(table, record)?;
        if i > 0 && oldest_first[i - 1].number == record.number {
            return Err(Reason::RecordRepeated.into());
        }
        // Sound dice spoil no round.
        if asked_about.is_some_and(|set| *set != record.dice_set)
            && !mutant::off(table, "damage-of-its-dice")
        {
            let round = record.number;
            return Err(Reason::PlayedWithOtherDice { round }.into());
        }
        refuse_if!(record.standing == Standing::Void, Reason::RoundIsVoid);
        // Dice that spoil an earlier round spoil the current one too: that
        // is what a report of the damage sees to.
        if condemns_the_current(table, record.number, cause)
            && !mutant::off(table, "damage-reported-first")
        {
            return Err(Reason::DamageNotReported.into());
        }
        new += usize::from(!table.amended.contains_key(&record.number));
        room_for(table, new)?;
        let (rule, ground) = late_rule(table, record, cause, last)?;
        facts.extend(super::proposed::amended(table, record.number, "void"));
        facts.push(Fact::RoundVoidedLate {
            round: record.number,
            revision: record.revision + 1,
            from: record.standing,
            reason: reason.to_owned(),
            rule,
            effects: numbers.effects(record, Standing::Void),
            cause,
            ground,
        });
    }
    Ok(facts)
}

pub(super) fn recover(
    table: &Opened<'_>,
    command: &Command,
    id: RecoverableId,
    amount: Money,
) -> Decision {
    authority::require(table, command, authority::decider(table, Matter::Uncovered))?;
    let entry = table
        .recoverables
        .get(&id)
        .ok_or(Reason::NoSuchRecoverable)?;
    positive(amount)?;
    refuse_if!(
        amount > entry.amount,
        Reason::AmountTooLarge {
            maximum: entry.amount
        }
    );
    let station = table
        .station(entry.station)
        .filter(|station| station.session == entry.session)
        .ok_or(Reason::PlayerHasLeft)?;
    // Only free credit, and never below zero; at a seat the player hands chips over.
    if station.kind == StationKind::Terminal && amount > station.credit {
        return Err(Reason::InsufficientCredit {
            free: station.credit,
        }
        .into());
    }
    Ok(vec![Fact::OverpaymentRecovered {
        recoverable: id,
        amount,
    }])
}

pub(super) fn waive(
    table: &Opened<'_>,
    command: &Command,
    id: RecoverableId,
    reason: &str,
) -> Decision {
    authority::require(table, command, authority::decider(table, Matter::Uncovered))?;
    checked_text(reason)?;
    let entry = table
        .recoverables
        .get(&id)
        .ok_or(Reason::NoSuchRecoverable)?;
    claim_within(table, command, entry.amount)?;
    Ok(vec![Fact::OverpaymentWaived {
        recoverable: id,
        amount: entry.amount,
        reason: reason.to_owned(),
    }])
}

pub(super) fn pay_unclaimed(table: &Opened<'_>, command: &Command, id: UnclaimedId) -> Decision {
    authority::require(table, command, authority::decider(table, Matter::Uncovered))?;
    let entry = table.unclaimed.get(&id).ok_or(Reason::NoSuchUnclaimed)?;
    claim_within(table, command, entry.amount)?;
    Ok(vec![Fact::UnclaimedPaid {
        unclaimed: id,
        amount: entry.amount,
    }])
}
