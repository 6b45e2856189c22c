//! What a decision of a case is worth: paid once, and an
//! overpayment noted once. A higher decision may add to it.
//!
//! A seat has no credit that could be adjusted: the chips come from the table's
//! float, handed over by two persons, and the entry names the case. A terminal
//! is credited, by whoever the book lets decide what no rule covers and a
//! second person; for a player who has left the cage keeps it. Where the case finds that too much was paid, nothing is taken
//! at once: an overpayment is recovered or waived by its own ruling.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Matter;

use super::amend;
use super::{Decision, checked_text, positive};
use crate::authority::{self, SUPERVISING, TABLE_STAFF};
use crate::command::Command;
use crate::event::Fact;
use crate::ids::{RecoverableId, RoundNumber, SessionNumber, StationId};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Recoverable, Unclaimed};
use crate::refusal::Reason;
use crate::refuse_if;
use crate::station::StationKind;
use crate::table::Table;

pub(super) fn settle(
    table: &Opened<'_>,
    command: &Command,
    (station, session): (StationId, SessionNumber),
    (case, decision): (u64, u32),
    round: Option<RoundNumber>,
    amount: Money,
    reason: &str,
) -> Decision {
    let at = super::station(table, station)?;
    let in_chips = at.kind == StationKind::Seat;
    match in_chips {
        true => authority::require_two(table, command, SUPERVISING, TABLE_STAFF)?,
        false => {
            let decider = authority::decider(table, Matter::Uncovered);
            authority::require_two(table, command, decider, SUPERVISING)?;
        }
    }
    checked_text(reason)?;
    // Only records of earlier programs, which did not count them, hold number 0.
    refuse_if!(decision == 0, Reason::NoSuchDecision);
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
    let unit = table.config.chip_unit;
    refuse_if!(
        in_chips && sum.minor() % unit.minor() != 0,
        Reason::AmountOffUnit { unit }
    );
    let before = table.has_settled(case, decision, amount.is_positive());
    if before && !mutant::off(table, "case-paid-once") {
        return Err(Reason::CaseSettled.into());
    }
    // Nobody plays at a station before they have come.
    refuse_if!(session > at.session, Reason::PlayerHasLeft);
    if amount.is_positive() {
        // Credit goes to the player it is owed to, not to the next player there:
        // the cage keeps it for them.
        let gone = !in_chips && !still_there(table, station, session, round);
        let unclaimed = gone.then_some(Unclaimed {
            id: table.next_unclaimed,
            round: round.unwrap_or(table.last_round),
            station,
            session,
            amount,
        });
        return Ok(vec![Fact::CasePaid {
            station,
            case,
            round,
            amount,
            reason: reason.to_owned(),
            decision,
            unclaimed,
        }]);
    }
    // An overpayment is one of a round that was played, by a player who came.
    let ended = |round: &RoundNumber| {
        let in_hand = table.round.as_deref().map(|round| round.number);
        round.0 > 0 && *round <= table.last_round && Some(*round) != in_hand
    };
    let round = round.filter(ended).ok_or(Reason::RecordNotEnded)?;
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
        decision,
    }])
}

/// Whoever the case is about is at their terminal, or at the table. They are
/// where play has not gone on since the round, or something of theirs is there.
pub(crate) fn still_there(
    table: &Table,
    station: StationId,
    session: SessionNumber,
    round: Option<RoundNumber>,
) -> bool {
    let latest = round.is_some_and(|round| amend::is_current(table, round));
    amend::still_there(table, station, session, latest)
}
