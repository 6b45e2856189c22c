//! Who may do what under the rule book in force.
//!
//! What a book decides itself (who rules on what no rule covers, who approves
//! that play resumes) comes from its data. What no book speaks of is house
//! policy, kept here in one place.

use sicbo_rules::rulebook::words::{Matter, Position, Substitution};

use crate::actor::{Actor, Staff};
use crate::command::Command;
use crate::mutant;
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

/// A position that is needed, and whether anyone above it will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needed {
    /// The position.
    pub position: Position,
    /// Anyone above it will do.
    pub or_above: bool,
}

/// Dealing the game: only the dealer, or who acts as one.
pub const DEALING: Needed = Needed {
    position: Position::Dealer,
    or_above: false,
};
/// Any member of the table staff, such as for taking part in a two-person act.
pub const TABLE_STAFF: Needed = Needed {
    position: Position::Dealer,
    or_above: true,
};
/// Watching the house, as a witness to custody.
pub const WATCHING: Needed = Needed {
    position: Position::Surveillance,
    or_above: false,
};
/// Supervising a table.
pub const SUPERVISING: Needed = Needed {
    position: Position::PitSupervisor,
    or_above: true,
};
/// Managing a pit.
pub const MANAGING: Needed = Needed {
    position: Position::PitManager,
    or_above: true,
};

/// Who decides a matter; the shift manager where the book names nobody.
#[must_use]
pub fn decider(table: &Table, matter: Matter) -> Needed {
    let named = table.book().and_then(|book| {
        book.decision(matter)
            .or_else(|| book.decision(Matter::Uncovered))
    });
    named.map_or(
        Needed {
            position: Position::ShiftManager,
            or_above: true,
        },
        |decision| Needed {
            position: decision.by,
            or_above: decision.or_above,
        },
    )
}

/// The rule that names who decides a matter.
#[must_use]
pub fn decider_rule(table: &Table, matter: Matter) -> Option<String> {
    let book = table.book()?;
    let decision = book
        .decision(matter)
        .or_else(|| book.decision(Matter::Uncovered))?;
    Some(decision.cite.full(book.id()))
}

/// Whether the book lets whoever holds a higher position act in a lower one.
#[must_use]
pub fn higher_may_act(table: &Table) -> bool {
    table
        .book()
        .is_some_and(|book| book.authority.substitution.is == Substitution::ActingOrHigher)
}

/// Whether a person may act in a needed position here.
#[must_use]
pub fn holds(table: &Table, staff: Staff, needed: Needed) -> bool {
    let upward = needed.or_above || higher_may_act(table);
    let fits = |position: Position| {
        let upward = match position.is_above_director() {
            true if mutant::off(table, "above-director") => false,
            true if mutant::off(table, "above-director-where-named") => true,
            _ => upward,
        };
        position == needed.position || (upward && position.is_at_least(needed.position))
    };
    fits(staff.position)
        || table
            .acting
            .iter()
            .any(|(person, position)| *person == staff.person && fits(*position))
}

/// Whether a person sees what happens at a table and may report it: table
/// staff, head of operations, surveillance and cashiers. Those who only look,
/// such as auditors and regulators, report elsewhere.
#[must_use]
pub fn is_heard(table: &Table, staff: Staff) -> bool {
    let exactly = |position| Needed {
        position,
        or_above: false,
    };
    [
        TABLE_STAFF,
        exactly(Position::HeadOfOperations),
        exactly(Position::Surveillance),
        exactly(Position::Cashier),
    ]
    .into_iter()
    .any(|needed| holds(table, staff, needed))
}

/// The acting person, if they may act in the needed position.
pub(crate) fn require(table: &Table, command: &Command, needed: Needed) -> Result<Staff, Refusal> {
    match command.by {
        Actor::Staff(staff) if holds(table, staff, needed) => Ok(staff),
        Actor::Staff(staff) if mutant::off_for(table, "authority", command) => Ok(staff),
        _ => Err(not_authorised(table, needed)),
    }
}

fn not_authorised(table: &Table, needed: Needed) -> Refusal {
    Refusal {
        reason: Reason::NotAuthorised {
            needed: needed.position,
            or_above: needed.or_above,
        },
        rule: naming_rule(table, needed),
    }
}

/// The rule of the book that names a position for what is asked of it: for
/// dealing the rule that speaks of the dealer, else the decision that names
/// it. Whom no rule names, such as a supervisor at most tables, is the house's
/// own choice and cites nothing.
fn naming_rule(table: &Table, needed: Needed) -> Option<String> {
    let book = table.book()?;
    if needed == DEALING {
        let dealer = book.title(Position::Dealer)?;
        return Some(dealer.title.cite.full(book.id()));
    }
    // Matters decided at a table; disputes are decided in the register.
    let decided_here = [
        Matter::Uncovered,
        Matter::Interpretation,
        Matter::AffectedRounds,
        Matter::ResumeAfterDeviceFailure,
        Matter::BetStatus,
    ];
    let decision = decided_here
        .into_iter()
        .filter_map(|matter| book.decision(matter))
        .find(|decision| (decision.by, decision.or_above) == (needed.position, needed.or_above))?;
    Some(decision.cite.full(book.id()))
}

/// Custody of dice takes two persons (P-035): one supervises, the other is of
/// the table's staff or watches the house.
pub(crate) fn require_custody(table: &Table, command: &Command) -> Result<(), Refusal> {
    let one = match command.by {
        Actor::Staff(staff) => Some(staff),
        _ => None,
    };
    let mut both = one.into_iter().chain(command.second);
    let other = match both.any(|staff| holds(table, staff, WATCHING)) {
        true => WATCHING,
        false => TABLE_STAFF,
    };
    require_two(table, command, SUPERVISING, other)
}

/// Two different persons, one of whom may act as `first` and the other as `second`.
pub(crate) fn require_two(
    table: &Table,
    command: &Command,
    first: Needed,
    second: Needed,
) -> Result<(), Refusal> {
    let Actor::Staff(one) = command.by else {
        return Err(not_authorised(table, first));
    };
    if mutant::off_for(table, "authority", command) {
        return Ok(());
    }
    let lacking = if holds(table, one, first) {
        second
    } else {
        first
    };
    let Some(other) = command.second else {
        if mutant::off_for(table, "second-person", command) && holds(table, one, first) {
            return Ok(());
        }
        if !holds(table, one, first) && !holds(table, one, second) {
            return Err(not_authorised(table, first));
        }
        return Err(Reason::SecondPersonNeeded {
            needed: lacking.position,
        }
        .into());
    };
    let either_way = |a: Staff, b: Staff| holds(table, a, first) && holds(table, b, second);
    if !either_way(one, other) && !either_way(other, one) {
        let lacking = if holds(table, one, first) || holds(table, other, first) {
            second
        } else {
            first
        };
        return Err(not_authorised(table, lacking));
    }
    if one.person == other.person && !mutant::off_for(table, "two-persons", command) {
        return Err(Reason::SamePersonTwice.into());
    }
    Ok(())
}
