//! What a decided case is worth at a physical table.
//!
//! A seat has no credit that could be adjusted: the chips come from the table's
//! float, handed over by two persons, and the entry names the case. Where the
//! case finds that too much was paid, nothing is taken at once: an overpayment
//! is recovered or waived by its own ruling.

use sicbo_rules::Money;

use super::{Decision, checked_text, positive, seat};
use crate::authority::{self, SUPERVISING, TABLE_STAFF};
use crate::command::Command;
use crate::event::Fact;
use crate::ids::{RecoverableId, RoundNumber, SessionNumber, StationId};
use crate::pending::Recoverable;
use crate::refusal::Reason;
use crate::table::Table;

pub(super) fn settle(
    table: &Table,
    command: &Command,
    (station, session): (StationId, SessionNumber),
    (case, round): (u64, Option<RoundNumber>),
    amount: Money,
    reason: &str,
) -> Decision {
    let at = seat(table, station)?;
    authority::require_two(table, command, SUPERVISING, TABLE_STAFF)?;
    checked_text(reason)?;
    // The negation of the largest limit is safe; that of any amount is not.
    if amount < -crate::config::LARGEST_LIMIT {
        let maximum = crate::config::LARGEST_LIMIT;
        return Err(Reason::AmountTooLarge { maximum }.into());
    }
    let sum = if amount.is_negative() {
        -amount
    } else {
        amount
    };
    positive(sum)?;
    let unit = table
        .config
        .as_deref()
        .ok_or(Reason::TableNotOpen)?
        .chip_unit;
    if sum.minor() % unit.minor() != 0 {
        return Err(Reason::AmountOffUnit { unit }.into());
    }
    if amount.is_positive() {
        return Ok(vec![Fact::CasePaid {
            station,
            case,
            round,
            amount,
            reason: reason.to_owned(),
        }]);
    }
    // An overpayment is one of a round that was played, by a player who came.
    let ended = |round: &RoundNumber| {
        let in_hand = table.round.as_deref().map(|round| round.number);
        round.0 > 0 && *round <= table.last_round && Some(*round) != in_hand
    };
    let round = round.filter(ended).ok_or(Reason::RecordNotEnded)?;
    if session > at.session {
        return Err(Reason::PlayerHasLeft.into());
    }
    Ok(vec![Fact::CaseOverpaid {
        case,
        recoverable: Recoverable {
            id: RecoverableId(table.next_recoverable.0),
            round,
            station,
            session,
            amount: sum,
        },
        reason: reason.to_owned(),
    }])
}
