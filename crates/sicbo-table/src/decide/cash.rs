//! How much money staff may move, and what the cage enters against it.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{Matter, Position};

use super::{Decision, by_house};
use crate::actor::{Actor, Staff};
use crate::authority::{self, MANAGING, Needed, SUPERVISING, TABLE_STAFF};
use crate::cash::{Bound, MAX_UNCOUNTED, MAX_UNCOUNTED_ALONE, MoneyDuties};
use crate::command::Command;
use crate::event::Fact;
use crate::open::Opened;
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::table::Table;

pub(super) const CASHIER: Needed = Needed {
    position: Position::Cashier,
    or_above: false,
};
/// Counting at the cage, beside its cashiers.
const SHIFT_MANAGING: Needed = Needed {
    position: Position::ShiftManager,
    or_above: true,
};

pub(super) fn set(table: &Table, command: &Command, duties: &MoneyDuties) -> Decision {
    by_house(command)?;
    let news = table.money_duties.as_deref() != Some(duties);
    let fact = Fact::MoneyDutiesSet { duties: *duties };
    Ok(Vec::from_iter(news.then_some(fact)))
}

/// A supervisor, with one of the table staff or a cashier.
pub(super) fn two_for_money(table: &Opened<'_>, command: &Command) -> Result<(), Refusal> {
    authority::require_two(table, command, SUPERVISING, TABLE_STAFF).or_else(|refusal| {
        authority::require_two(table, command, SUPERVISING, CASHIER).map_err(|as_cashier| {
            // A cashier who comes alone lacks a second person, not the right.
            match as_cashier.reason {
                Reason::NotAuthorised { .. } => refusal,
                _ => as_cashier,
            }
        })
    })
}

/// The bounds, where there are any and a person acts.
fn bounded<'t>(table: &'t Opened<'_>, command: &Command) -> Option<(&'t MoneyDuties, Staff)> {
    match command.by {
        Actor::Staff(staff) => table.money_duties.as_deref().map(|duties| (duties, staff)),
        _ => None,
    }
}

/// What staff move stays within the bounds: alone as long as little waits to be
/// counted, beyond it with a second person, and never beyond what two may.
pub(super) fn within(
    table: &Opened<'_>,
    command: &Command,
    bound: impl Fn(&MoneyDuties) -> Bound,
    amount: Money,
) -> Result<(), Refusal> {
    let Some((duties, staff)) = bounded(table, command) else {
        return Ok(());
    };
    let bound = bound(duties);
    if table.uncounted_moves() >= MAX_UNCOUNTED {
        let maximum = Money::ZERO;
        return Err(Reason::AmountTooLarge { maximum }.into());
    }
    refuse_if!(
        amount > bound.together,
        Reason::AmountTooLarge {
            maximum: bound.together
        }
    );
    match is_little(table, staff, bound, amount) {
        true => Ok(()),
        false => two_for_money(table, command),
    }
}

/// Whether somebody stays with this within what one person may, with all of theirs that nobody
/// has counted.
fn is_little(table: &Opened<'_>, staff: Staff, bound: Bound, amount: Money) -> bool {
    let alone = table.uncounted_of(staff.person).checked_add(amount);
    let few = table.entries_of(staff.person).count() < MAX_UNCOUNTED_ALONE;
    few && alone.is_some_and(|alone| alone <= bound.alone)
}

/// What a player is owed who has left, or need not give back: alone within what one person may
/// pay out, and beyond that with a supervisor. Two may settle any amount: it was found by two,
/// and nobody chose it.
pub(super) fn claim_within(
    table: &Opened<'_>,
    command: &Command,
    amount: Money,
) -> Result<(), Refusal> {
    let Some((duties, staff)) = bounded(table, command) else {
        return Ok(());
    };
    if is_little(table, staff, duties.transfer, amount) {
        return Ok(());
    }
    let decider = authority::decider(table, Matter::Uncovered);
    authority::require_two(table, command, decider, SUPERVISING)
}

/// Limits that allow so much exposure: by one manager, or by two persons.
pub(super) fn limits_within(
    table: &Opened<'_>,
    command: &Command,
    exposure: Money,
) -> Result<(), Refusal> {
    let Some(duties) = table.money_duties.as_deref() else {
        return authority::require(table, command, MANAGING).map(drop);
    };
    let bound = duties.limits;
    if exposure <= bound.alone {
        return authority::require(table, command, MANAGING).map(drop);
    }
    authority::require_two(table, command, MANAGING, SUPERVISING)?;
    refuse_if!(
        exposure > bound.together,
        Reason::AmountTooLarge {
            maximum: bound.together
        }
    );
    Ok(())
}

pub(super) fn count(table: &Opened<'_>, command: &Command, entry: u64, amount: Money) -> Decision {
    let counts = authority::require(table, command, CASHIER)
        .or_else(|_| authority::require(table, command, SHIFT_MANAGING))?;
    let known = table.uncounted.get(&entry).ok_or(Reason::NoSuchEntry)?;
    // What somebody moved, somebody else counts.
    let own = known.by == counts.person || known.second == Some(counts.person);
    refuse_if!(own, Reason::SamePersonTwice);
    Ok(vec![Fact::MoneyCounted { entry, amount }])
}
