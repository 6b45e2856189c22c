//! Chips that enter the record only after the dice can be seen.
//!
//! The dealer decides the status of a bet, but what it rests on, that the chips
//! lay there at the announcement, takes a second person of the pit who has seen
//! it on a camera. Until then the round is held; chips that nobody attests go
//! back to the player. One dealer alone can never make a bet, or add to one,
//! after uncovering.

use super::bets::check_stakes;
use super::seats::supervisor_informed;
use super::{Decision, checked_text, round, seat, short_text};
use crate::actor::Staff;
use crate::authority::{self, Needed, SUPERVISING};
use crate::command::{Command, Ruling};
use crate::event::Fact;
use crate::ids::{BetId, PendingId, StationId};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Pending, Question};
use crate::positions::{Line, Means};
use crate::refusal::{Reason, Refusal};
use crate::round::Round;

/// The dealer says that these chips lay there at the announcement.
pub(super) fn claim(
    table: &Opened<'_>,
    round: &Round,
    by: Staff,
    (station, bet): (StationId, BetId),
    means: Means,
    lines: &[Line],
) -> Result<Vec<Fact>, Refusal> {
    let book = table.book;
    let name = &seat(table, station)?.name;
    let pending = Pending {
        id: PendingId(table.next_pending.0),
        round: Some(round.number),
        question: Question::ChipsUnrecorded {
            station,
            means,
            lines: lines.to_vec(),
            by: by.person,
        },
        rule: table.cite(&book.late.placement.cite),
        by: SUPERVISING.position,
        or_above: SUPERVISING.or_above,
        persons: 1,
    };
    Ok(vec![
        Fact::PositionsClaimed {
            station,
            bet,
            means,
            lines: lines.to_vec(),
        },
        supervisor_informed(format!(
            "{name}: chips recorded after the dice were seen wait to be attested"
        )),
        Fact::DecisionRaised { pending },
    ])
}

/// A second person says whether they did.
pub(super) fn attest(
    table: &Opened<'_>,
    command: &Command,
    id: PendingId,
    lay_there: bool,
    bookmark: &str,
) -> Decision {
    let pending = table.pending.iter().find(|pending| pending.id == id);
    let pending = pending.ok_or(Reason::NoSuchDecision)?;
    let Question::ChipsUnrecorded {
        station,
        means,
        lines,
        by,
    } = &pending.question
    else {
        return Err(Reason::NoSuchDecision.into());
    };
    let needed = Needed {
        position: pending.by,
        or_above: pending.or_above,
    };
    let second = authority::require(table, command, needed)?;
    if second.person == *by && !mutant::off(table, "attested-by-another") {
        return Err(Reason::SamePersonTwice.into());
    }
    let (station, means) = (*station, *means);
    let taken = |ruling: Ruling, reason: &str| Fact::DecisionTaken {
        pending: id,
        ruling,
        reason: reason.to_owned(),
    };
    let bookmarked = bookmark.trim().to_owned();
    if lay_there {
        // Where a camera shows it: without that it is one more word.
        checked_text(bookmark)?;
        // What was sold or exchanged since may have changed what can be staked.
        let round = round(table)?;
        let part = round.station(station).ok_or(Reason::UnknownStation)?;
        let seat = seat(table, station)?;
        check_stakes(table, seat, round, part, (means, lines), command.at_ms)?;
        return Ok(vec![
            Fact::PositionsAttested {
                pending: id,
                station,
                means,
                lines: lines.clone(),
                bookmark: bookmarked,
            },
            taken(Ruling::Accept, "the chips lay there at the announcement"),
        ]);
    }
    short_text(bookmark)?;
    let name = &seat(table, station)?.name;
    Ok(vec![
        Fact::PositionsReturned {
            pending: id,
            station,
            means,
            lines: lines.clone(),
            bookmark: bookmarked,
        },
        taken(Ruling::AtClose, "nobody attests that the chips lay there"),
        supervisor_informed(format!(
            "{name}: chips not attested were returned; the player may dispute it"
        )),
    ])
}
