//! Dice and shifts: who signs with whom, and what can follow what.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::PersonId;
use sicbo_table::refuse_if;

use super::{Decision, LONGEST_TEXT, Register, check_reason, require_two, short};
use crate::command::{Command, Party};
use crate::dice::{DiceSet, DiceState, DiceStep, MAX_SETS};
use crate::event::Fact;
use crate::refusal::{Reason, Refusal};
use crate::shift::{BoxCount, Boxes, MAX_REFUSED, NewShift, Pieces, Refused, ShiftEnd, ShiftId};

/// Longest number of a box, in bytes.
const MAX_BOX_NUMBER: usize = 40;

fn supervises(position: Position) -> bool {
    position.is_at_least(Position::PitSupervisor)
}

fn manages(position: Position) -> bool {
    position.is_at_least(Position::PitManager)
}

/// Who opens boxes in the count room: the cage, or those who lead.
fn counts_boxes(position: Position) -> bool {
    position == Position::Cashier || manages(position)
}

/// Who may be the second person at custody: table staff, or who watches.
fn witnesses(position: Position) -> bool {
    position.is_at_least(Position::Dealer) || position == Position::Surveillance
}

pub(super) fn step_dice(
    register: &Register,
    command: &Command,
    set: &DiceSet,
    step: &DiceStep,
) -> Decision {
    match step {
        // What cannot be undone is a shift manager's.
        DiceStep::Destroy { .. } => {
            let shift = |position: Position| position.is_at_least(Position::ShiftManager);
            require_two(register, command, shift, witnesses)?;
        }
        _ => require_two(register, command, supervises, witnesses)?,
    }
    let known = register.dice.get(set);
    if let DiceStep::Receive { seal } = step {
        check_reason(seal)?;
        refuse_if!(known.is_some(), Reason::DiceKnown);
        refuse_if!(register.dice.len() >= MAX_SETS, Reason::TooManyDice);
    } else {
        let dice = known.ok_or(Reason::UnknownDice)?;
        follows(&dice.state, step)?;
    }
    let mut facts = Vec::new();
    if let DiceStep::Place { table } = step {
        // One set at a table: the one that was there comes out.
        let there = DiceState::InUse(table.clone());
        let before = register.dice.iter().find(|(_, dice)| dice.state == there);
        facts.extend(before.map(|(set, _)| Fact::DiceStepped {
            set: set.clone(),
            step: DiceStep::Remove {
                text: "another set was placed".to_owned(),
            },
        }));
    }
    facts.push(Fact::DiceStepped {
        set: set.clone(),
        step: step.clone(),
    });
    Ok(facts)
}

/// Whether a step can follow, as a set stands.
fn follows(state: &DiceState, step: &DiceStep) -> Result<(), Refusal> {
    let wrong = || {
        let state = state.word();
        Err(Reason::WrongDiceState { state }.into())
    };
    if *state == DiceState::Destroyed {
        return wrong();
    }
    match step {
        DiceStep::Receive { .. } => wrong(),
        DiceStep::Inspect { good, text } => {
            // What is wrong with them is said.
            if *good {
                short(text, LONGEST_TEXT)
            } else {
                check_reason(text)
            }
        }
        DiceStep::Place { .. } => match state {
            DiceState::Good => Ok(()),
            _ => wrong(),
        },
        DiceStep::Remove { text } => {
            check_reason(text)?;
            match state {
                DiceState::InUse(_) => Ok(()),
                _ => wrong(),
            }
        }
        DiceStep::Quarantine { text } => {
            check_reason(text)?;
            match state {
                DiceState::Quarantined => wrong(),
                _ => Ok(()),
            }
        }
        DiceStep::Destroy { text } => {
            check_reason(text)?;
            match state {
                DiceState::InUse(_) => wrong(),
                _ => Ok(()),
            }
        }
    }
}

/// Nothing counts less than zero.
fn counts_fit(new: &NewShift) -> Result<(), Refusal> {
    let counted = Money::ZERO..=Money::MAX;
    if !counted.contains(&new.opener) || !counted.contains(&new.threshold) {
        return Err(Reason::AmountNotPositive.into());
    }
    pieces_fit(&new.rack, new.opener)?;
    numbers_fit(&new.boxes)
}

/// Where denominations were counted, they come to the sum.
fn pieces_fit(pieces: &[Pieces], sum: Money) -> Result<(), Refusal> {
    let differ = !pieces.is_empty() && Pieces::sum(pieces) != Some(sum);
    refuse_if!(differ, Reason::PiecesDiffer);
    Ok(())
}

/// Numbers on boxes are short.
fn numbers_fit(boxes: &Boxes) -> Result<(), Refusal> {
    short(&boxes.drop, MAX_BOX_NUMBER)?;
    short(&boxes.tips, MAX_BOX_NUMBER)
}

pub(super) fn open_shift(register: &Register, command: &Command, new: &NewShift) -> Decision {
    require_two(register, command, manages, supervises)?;
    refuse_if!(register.open_shift(&new.table).is_some(), Reason::ShiftOpen);
    counts_fit(new)?;
    let earlier = register.shifts_of(&new.table).next_back();
    let after = earlier.and_then(|(_, shift)| shift.to_sequence);
    // No record is of two shifts.
    if after.is_some_and(|last| new.ledger.sequence < last) {
        return Err(Reason::TimeInvalid.into());
    }
    Ok(vec![Fact::ShiftOpened {
        shift: ShiftId(register.last_shift + 1),
        new: new.clone(),
    }])
}

pub(super) fn count_refusals(register: &Register, id: ShiftId, refused: &[Refused]) -> Decision {
    let shift = register.shifts.get(&id).ok_or(Reason::UnknownShift)?;
    refuse_if!(!shift.is_open(), Reason::AlreadyDone);
    if refused.is_empty() || refused.len() > MAX_REFUSED {
        return Err(Reason::LimitInvalid.into());
    }
    for one in refused {
        check_reason(&one.code)?;
    }
    Ok(vec![Fact::RefusalsCounted {
        shift: id,
        refused: refused.to_vec(),
    }])
}

pub(super) fn close_shift(
    register: &Register,
    command: &Command,
    (id, end): (ShiftId, &ShiftEnd),
    next: Option<&NewShift>,
) -> Decision {
    // Outgoing and incoming managers sign.
    require_two(register, command, manages, manages)?;
    let shift = register.shifts.get(&id).ok_or(Reason::UnknownShift)?;
    refuse_if!(!shift.is_open(), Reason::AlreadyDone);
    let counts = &end.counts;
    let counted = [Some(counts.closer), counts.drop, counts.tips];
    if counted
        .into_iter()
        .flatten()
        .any(|counted| !(Money::ZERO..=Money::MAX).contains(&counted))
    {
        return Err(Reason::AmountNotPositive.into());
    }
    pieces_fit(&end.rack, counts.closer)?;
    if end.ledger.sequence < shift.ledger_from.sequence {
        return Err(Reason::TimeInvalid.into());
    }
    short(&end.comment, LONGEST_TEXT)?;
    if shift.needs_comment(counts, &end.ledger) && end.comment.trim().is_empty() {
        return Err(Reason::CommentNeeded.into());
    }
    let mut facts = vec![Fact::ShiftClosed {
        shift: id,
        end: end.clone(),
    }];
    if let Some(new) = next {
        counts_fit(new)?;
        // What they counted, after the same record: nothing lies between the two.
        let of_it = new.table == shift.table && new.opener == counts.closer;
        refuse_if!(!of_it || new.ledger != end.ledger, Reason::TimeInvalid);
        facts.push(Fact::ShiftOpened {
            shift: ShiftId(register.last_shift + 1),
            new: new.clone(),
        });
    }
    Ok(facts)
}

pub(super) fn count_boxes(
    register: &Register,
    command: &Command,
    id: ShiftId,
    counted: &BoxCount,
) -> Decision {
    require_two(register, command, counts_boxes, counts_boxes)?;
    let shift = register.shifts.get(&id).ok_or(Reason::UnknownShift)?;
    refuse_if!(shift.is_open(), Reason::ShiftNotEnded);
    refuse_if!(!shift.boxes_wait(), Reason::AlreadyDone);
    refuse_if!(counted.boxes != shift.boxes, Reason::WrongBox);
    let amounts = Money::ZERO..=Money::MAX;
    if !amounts.contains(&counted.drop) || !amounts.contains(&counted.tips) {
        return Err(Reason::AmountNotPositive.into());
    }
    pieces_fit(&counted.drop_pieces, counted.drop)?;
    pieces_fit(&counted.tip_pieces, counted.tips)?;
    // Nobody counts what they signed for.
    let first = match command.by {
        Party::Person(person) => Some(person),
        _ => None,
    };
    let own = |person: PersonId| shift.signed(person);
    let own = first.is_some_and(own) || command.second.is_some_and(own);
    refuse_if!(own, Reason::OwnShift);
    Ok(vec![Fact::BoxesCounted {
        shift: id,
        counted: counted.clone(),
    }])
}
