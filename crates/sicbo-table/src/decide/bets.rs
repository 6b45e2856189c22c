//! Placing, removing and clearing bets. The hottest path of the product.
//!
//! Order of checks: table, station, who, round, repeated id, phase, lines,
//! limits, credit, exposure. Nothing is ever clamped: a bet is taken as it is
//! or refused with the exact limit.

use sicbo_rules::rulebook::words::Closing;
use sicbo_rules::{Exposure, Money, Section};

use super::{Decision, bets_closed, by_rule, may_go_on, named_round, station};
use crate::actor::Actor;
use crate::authority::{self, DEALING};
use crate::command::{Command, LateKind};
use crate::event::Fact;
use crate::ids::{BetId, RoundNumber, StationId};
use crate::mutant;
use crate::open::Opened;
use crate::past;
use crate::positions::{Line, Means, Positions};
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::round::{Phase, Round, StationRound};
use crate::station::{Station, StationKind};
use crate::table::Status;

/// Most bets in one command: every section of the largest layout.
pub(crate) const MAX_LINES: usize = Section::COUNT;

/// Most acts of betting of one station in one round; keeps the memory of ids bounded.
pub(crate) const MAX_ACTS: usize = 10_000;

/// What an act of betting asks for, in few bits: the same again has the same digest.
#[must_use]
pub(crate) fn content_digest(kind: u8, means: Means, lines: &[Line]) -> u64 {
    let mix = |sum: u64, value: u64| {
        let mixed = (sum ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 31)
    };
    let start = mix(0x51cb0, u64::from(kind) << 8 | means as u64);
    lines.iter().fold(start, |sum, line| {
        mix(
            mix(sum, line.section.index() as u64),
            line.stake.minor() as u64,
        )
    })
}

/// Kinds of act that a digest tells apart.
pub(crate) const PLACE: u8 = 1;
pub(crate) const REMOVE: u8 = 2;
pub(crate) const CLEAR: u8 = 3;
pub(crate) const RECORD: u8 = 4;

/// The digest of a clear, which names no lines.
pub(crate) fn clear_digest() -> u64 {
    content_digest(CLEAR, Means::Credit, &[])
}

/// Who may bet for a station: a terminal for itself, the dealer for a seat.
pub(super) fn may_bet(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    station: &Station,
) -> Result<(), Refusal> {
    match (station.kind, command.by) {
        (StationKind::Terminal, Actor::Station(own)) if own == id => Ok(()),
        (StationKind::Terminal, _) => Err(Reason::NotYourStation.into()),
        (StationKind::Seat, _) => authority::require(table, command, DEALING).map(|_| ()),
    }
}

pub(super) fn right_means(
    table: &Opened<'_>,
    station: &Station,
    means: Means,
) -> Result<(), Refusal> {
    if station.kind == StationKind::Seat && means == Means::ColourChips {
        colours_used(table)?;
    }
    match (station.kind, means) {
        (StationKind::Terminal, Means::Credit) | (StationKind::Seat, Means::CashChips) => Ok(()),
        (StationKind::Seat, Means::ColourChips) if station.colour.is_some() => Ok(()),
        (StationKind::Seat, Means::ColourChips) => Err(Reason::NoColourIssued.into()),
        _ => Err(Reason::WrongMeans.into()),
    }
}

/// The book knows colour chips. Where it does not, none are issued or staked;
/// those from before can only be taken back.
pub(super) fn colours_used(table: &Opened<'_>) -> Result<(), Refusal> {
    match &table.book.play.colour_chips {
        Some(colours) if !colours.is => {
            Err(by_rule(table, Reason::NoColourChipsHere, &colours.cite))
        }
        _ => Ok(()),
    }
}

/// The layout has no such area. At a table where the player answers for where
/// chips lie, that is the rule (004 4.3.1).
pub(super) fn not_offered(table: &Opened<'_>, station: &Station, section: Section) -> Refusal {
    let reason = Reason::NotOffered { section };
    match &table.book.play.player_answers {
        Some(answers) if answers.is && station.kind == StationKind::Seat => {
            by_rule(table, reason, &answers.cite)
        }
        _ => by_rule(table, reason, &table.book.layouts[station.layout].cite),
    }
}

/// Whether this act of betting was registered before: then it is answered again.
pub(super) fn known_bet(part: &StationRound, bet: BetId, digest: u64) -> Result<bool, Refusal> {
    match part.seen.get(&bet.0) {
        Some(known) if *known == digest => Ok(true),
        Some(_) => Err(Reason::BetIdReused.into()),
        None => Ok(false),
    }
}

/// What every act of betting must pass. `None` when it was answered before.
fn admit<'t>(
    table: &'t Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
    digest: u64,
    late: LateKind,
) -> Result<Option<(&'t Station, &'t Round, &'t StationRound)>, Refusal> {
    let closed = table.status == Status::Closed;
    refuse_if!(closed && !table.is_over(number), Reason::TableNotOpen);
    let station = station(table, id)?;
    may_bet(table, command, id, station)?;
    if table.is_over(number) {
        // What was registered stays so, also when the table has closed since.
        return match past::registered(station, number, bet, digest) {
            Ok(()) => Ok(None),
            Err(Refusal {
                reason: Reason::NotRegistered { .. },
                ..
            }) if closed => Err(Reason::TableNotOpen.into()),
            Err(refusal) => Err(refusal),
        };
    }
    let round = named_round(table, number)?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    if known_bet(part, bet, digest)? {
        return Ok(None);
    }
    if part.fenced && !mutant::off(table, "fenced") {
        // It was cut off: what it sends now was not registered in time.
        let book = table.book;
        let rule = match &book.interruption.terminal_unregistered {
            Some(unregistered) => Some(table.cite(&unregistered.cite)),
            None => bets_closed(table, late).rule,
        };
        return Err(Refusal {
            reason: Reason::StationFenced,
            rule,
        });
    }
    may_go_on(table, round)?;
    let by_display = || table.book.play.closes.is == Closing::TerminalDisplay;
    match round.phase {
        Phase::Betting => {}
        // it reached us before the terminal said it showed the close.
        Phase::Closing if part.awaited && !part.acknowledged && by_display() => {}
        Phase::Prepared => return Err(bets_not_called()),
        Phase::Closing | Phase::Closed if mutant::off(table, "bets-closed") => {}
        Phase::Closing | Phase::Closed => return Err(bets_closed(table, late)),
    }
    refuse_if!(
        part.seen.len() >= MAX_ACTS,
        Reason::TooManyActs { allowed: MAX_ACTS }
    );
    Ok(Some((station, round, part)))
}

/// The round has begun with its tumble, but bets are not called for yet.
pub(super) fn bets_not_called() -> Refusal {
    Reason::WrongPhase {
        phase: Phase::Prepared.key(),
        needed: Phase::Betting.key(),
    }
    .into()
}

pub(super) fn check_lines(lines: &[Line]) -> Result<(), Refusal> {
    refuse_if!(lines.is_empty(), Reason::NoLines);
    refuse_if!(
        lines.len() > MAX_LINES,
        Reason::TooManyLines { allowed: MAX_LINES }
    );
    Ok(())
}

/// Checks lines against layout, limits, credit and exposure, as if all were placed.
pub(super) fn check_stakes(
    table: &Opened<'_>,
    station: &Station,
    round: &Round,
    part: &StationRound,
    (means, lines): (Means, &[Line]),
    at_ms: i64,
) -> Result<(), Refusal> {
    let config = table.config;
    let layout = &config.book.layouts[station.layout];
    check_lines(lines)?;
    let colour_value = match means {
        Means::ColourChips => station.colour.as_ref().map(|colour| colour.value),
        Means::Credit | Means::CashChips => None,
    };
    let mut sum = Money::ZERO;
    for (i, line) in lines.iter().enumerate() {
        let section = line.section;
        if !layout.offers(section) && !mutant::off(table, "not-offered") {
            return Err(not_offered(table, station, section));
        }
        let limit = config.limits.of(section.kind());
        if !line.stake.is_positive() && !mutant::off(table, "stake-positive") {
            return Err(Reason::StakeNotPositive.into());
        }
        let step = colour_value.map_or(limit.step, |value| value.max(limit.step));
        let off_step = line.stake.minor() % limit.step.minor() != 0
            || colour_value.is_some_and(|value| line.stake.minor() % value.minor() != 0);
        refuse_if!(
            off_step && !mutant::off(table, "stake-step"),
            Reason::StakeOffStep { step }
        );
        // The same section may stand in several lines of one command.
        let earlier: Money = lines[..i]
            .iter()
            .filter(|l| l.section == section)
            .map(|l| l.stake)
            .sum();
        let already = part.positions.on(section) + part.colour_positions.on(section) + earlier;
        let after = already
            .checked_add(line.stake)
            .ok_or(Reason::StakeAboveMaximum {
                section,
                maximum: limit.maximum,
                already,
            })?;
        if after < limit.minimum && !mutant::off(table, "stake-minimum") {
            return Err(Reason::StakeBelowMinimum {
                section,
                minimum: limit.minimum,
            }
            .into());
        }
        if after > limit.maximum && !mutant::off(table, "stake-maximum") {
            return Err(Reason::StakeAboveMaximum {
                section,
                maximum: limit.maximum,
                already,
            }
            .into());
        }
        sum = sum.checked_add(line.stake).ok_or(Reason::AmountTooLarge {
            maximum: Money::MAX,
        })?;
    }
    let maximum = config.limits.station_maximum;
    if station.at_risk + sum > maximum && !mutant::off(table, "station-maximum") {
        return Err(Reason::StationMaximum {
            maximum,
            already: station.at_risk,
        }
        .into());
    }
    // What the player wanted to be held to.
    if !mutant::off(table, "play-grant") {
        station.lets_stake(at_ms, sum)?;
    }
    // Cash chips come from the player's own hands; credit and colour are on our books.
    if means != Means::CashChips && sum > station.credit && !mutant::off(table, "credit") {
        return Err(Reason::InsufficientCredit {
            free: station.credit,
        }
        .into());
    }
    check_exposure(table, station, round, lines, sum)
}

/// The house can bear the lines, which come to `sum`.
fn check_exposure(
    table: &Opened<'_>,
    station: &Station,
    round: &Round,
    lines: &[Line],
    sum: Money,
) -> Result<(), Refusal> {
    let room = Exposure::MAX_STAKED - round.exposure.staked();
    refuse_if!(sum > room, Reason::AmountTooLarge { maximum: room });
    let limits = &table.config.limits;
    let maximum = limits.exposure_maximum;
    let exposures = &table.exposure_tables[station.layout];
    let would_be = match lines {
        [line] => {
            let (now, section, stake) = (&round.exposure, line.section, line.stake);
            if !now.would_exceed(exposures, section, stake, maximum) {
                return Ok(());
            }
            now.worst_loss_with(exposures, section, stake)
        }
        lines => {
            let mut exposure = round.exposure.clone();
            for line in lines {
                exposure.add(exposures, line.section, line.stake);
            }
            exposure.worst_loss()
        }
    };
    // A bet that lowers the worst case is always welcome.
    if would_be > maximum
        && would_be > round.exposure.worst_loss()
        && !mutant::off(table, "exposure-maximum")
    {
        return Err(Reason::ExposureAboveMaximum { maximum, would_be }.into());
    }
    Ok(())
}

pub(super) fn place(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
    means: Means,
    lines: &[Line],
) -> Result<Option<Fact>, Refusal> {
    let digest = content_digest(PLACE, means, lines);
    let Some((station, round, part)) =
        admit(table, command, id, number, bet, digest, LateKind::Placement)?
    else {
        return Ok(None);
    };
    right_means(table, station, means)?;
    check_stakes(table, station, round, part, (means, lines), command.at_ms)?;
    Ok(Some(Fact::BetsPlaced {
        station: id,
        bet,
        means,
        lines: lines.to_vec(),
        called: false,
    }))
}

/// Takes bets back. Until the close a player may do so whatever it does to the
/// exposure, though a stake that would have lost can be what kept the worst
/// case under the limit: the limit bounds which bets the house takes on (an
/// offer it may decline), not which of their own stakes players may withdraw,
/// and no document knows such a ground of refusal. While the worst case is
/// above the limit, only bets that do not raise it are taken.
pub(super) fn remove(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
    means: Means,
    lines: &[Line],
) -> Decision {
    let digest = content_digest(REMOVE, means, lines);
    let Some((station, _, part)) = admit(
        table,
        command,
        id,
        number,
        bet,
        digest,
        LateKind::Withdrawal,
    )?
    else {
        return Ok(Vec::new());
    };
    right_means(table, station, means)?;
    check_lines(lines)?;
    let config = table.config;
    let there = match means {
        Means::ColourChips => &part.colour_positions,
        Means::Credit | Means::CashChips => &part.positions,
    };
    let mut left: Positions = there.clone();
    let colour_value = station
        .colour
        .as_ref()
        .filter(|_| means == Means::ColourChips)
        .map(|colour| colour.value);
    for line in lines {
        let on = left.on(line.section);
        refuse_if!(!line.stake.is_positive(), Reason::StakeNotPositive);
        let limit = config.limits.of(line.section.kind());
        let step = colour_value.map_or(limit.step, |value| value.max(limit.step));
        let off = |unit: Money| line.stake.minor() % unit.minor() != 0;
        if line.stake != on && (off(limit.step) || colour_value.is_some_and(off)) {
            return Err(Reason::StakeOffStep { step }.into());
        }
        refuse_if!(
            line.stake > on,
            Reason::NotThatMuchThere {
                section: line.section,
                there: on
            }
        );
        left.add(line.section, -line.stake);
        let remains = left.on(line.section)
            + match means {
                Means::ColourChips => part.positions.on(line.section),
                Means::Credit | Means::CashChips => part.colour_positions.on(line.section),
            };
        if remains.is_positive()
            && remains < limit.minimum
            && !mutant::off(table, "removal-minimum")
        {
            let minimum = limit.minimum;
            return Err(Reason::StakeBelowMinimum {
                section: line.section,
                minimum,
            }
            .into());
        }
    }
    Ok(vec![Fact::BetsRemoved {
        station: id,
        bet,
        means,
        lines: lines.to_vec(),
        all: false,
    }])
}

pub(super) fn clear(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
) -> Decision {
    let digest = clear_digest();
    let Some((station, _, part)) = admit(
        table,
        command,
        id,
        number,
        bet,
        digest,
        LateKind::Withdrawal,
    )?
    else {
        return Ok(Vec::new());
    };
    let own = match station.kind {
        StationKind::Terminal => Means::Credit,
        StationKind::Seat => Means::CashChips,
    };
    let removed = |means: Means, positions: &Positions| {
        (!positions.is_empty()).then(|| Fact::BetsRemoved {
            station: id,
            bet,
            means,
            lines: positions.lines().to_vec(),
            all: true,
        })
    };
    let facts: Vec<Fact> = [
        removed(own, &part.positions),
        removed(Means::ColourChips, &part.colour_positions),
    ]
    .into_iter()
    .flatten()
    .collect();
    if facts.is_empty() {
        Err(Reason::NothingToClear.into())
    } else {
        Ok(facts)
    }
}
