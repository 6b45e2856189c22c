//! What a single event claims, derived from the state it is about to change:
//! totals, fingerprints of payments, the effects of amendments, and that what is
//! moved is there. Records of earlier readings of the rules are held to this and
//! to no more; of a record of today's it finds words for what is wrong.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{Cause, Closing};

use super::{Records, as_it_stood};
use crate::actor::Actor;
use crate::authority::{self, Needed};
use crate::command::{ColourMove, Ruling};
use crate::decide::{amend, cases, result};
use crate::event::{Event, Fact, RulesRevision};
use crate::ids::{PendingId, RoundNumber, StationId};
use crate::pending::Question;
use crate::positions::{Line, Means};
use crate::record::{RoundRecord, Standing, returns_digest};
use crate::round::Round;
use crate::table::{Status, Table};

/// Checks an event against the state it is about to change.
///
/// # Errors
/// What the event claims that does not follow from what came before.
pub(super) fn claims(table: &Table, event: &Event, records: &Records) -> Result<(), String> {
    match &event.fact {
        Fact::RoundBegan {
            round,
            digests,
            rules,
        } => {
            if *rules >= RulesRevision(2) {
                may_begin(table)?;
            }
            expect("the round's number", round.0, table.last_round.0 + 1)?;
            let book = table
                .next_book
                .as_ref()
                .or(table.book())
                .ok_or("no rule book is in force")?;
            expect("the digest of the rule book", digests.book, book.sha256())
        }
        Fact::ClockSet { .. } if table.clock_parted.is_none() => {
            Err("the clock was set although it had not parted".to_owned())
        }
        Fact::TumbleCommitted { round, .. } => {
            let next = RoundNumber(table.last_round.0 + 1);
            let in_hand = table.round.as_deref().map(|round| round.number);
            expect("the round committed to", *round, in_hand.unwrap_or(next))
        }
        Fact::TumbleRevealed { round, seed } => {
            let last = table.last_tumble.as_ref();
            let last = last
                .filter(|last| last.round == *round)
                .ok_or("nothing was committed to for that round")?;
            expect(
                "the hash of the seed",
                crate::tumble_proof::commitment(seed),
                last.commitment,
            )
        }
        Fact::BetsPlaced {
            station,
            means,
            lines,
            ..
        } => {
            not_held(table)?;
            funds(table, *station, *means, lines)
        }
        Fact::PositionsRecorded {
            station,
            means,
            lines,
            dice_visible,
            ..
        } => {
            not_held(table)?;
            if at_tables_today(table) {
                // what is recorded later takes a second person.
                let seen = table.round.as_deref();
                let seen = seen.is_some_and(Round::can_be_seen);
                expect("that no die can be seen", *dice_visible || seen, false)?;
            }
            funds(table, *station, *means, lines)
        }
        Fact::PositionsAttested {
            pending,
            station,
            means,
            lines,
            ..
        } => {
            attested(table, event, *pending, (*station, *means, lines))?;
            funds(table, *station, *means, lines)
        }
        Fact::ClosingBegan { .. } if at_tables_today(table) => {
            let announced = table
                .book()
                .is_some_and(|book| book.play.closes.is == Closing::Announcement);
            let by_clock = announced && event.by == Actor::House;
            expect("that the clock closed announced bets", by_clock, false)
        }
        Fact::ColourAssigned { .. }
        | Fact::ColourMoved {
            how: ColourMove::BoughtWithCash | ColourMove::ExchangedFromChips,
            ..
        } if at_tables_today(table) => {
            let colours = table
                .book()
                .and_then(|book| book.play.colour_chips.as_ref());
            let none = colours.is_some_and(|colours| !colours.is);
            expect("that colour chips were issued", !none, true)
        }
        Fact::DecisionTaken {
            pending, ruling, ..
        } if at_tables_today(table) => {
            let asked = table.pending.iter().find(|waits| waits.id == *pending);
            let status =
                asked.is_some_and(|waits| matches!(waits.question, Question::BetStatus { .. }));
            let late = status && *ruling == Ruling::AsTheyLie;
            expect("that late chips were ruled to count", late, false)
        }
        Fact::CasePaid {
            station,
            case,
            round,
            amount,
            decision,
            unclaimed,
            ..
        } => {
            settled_once(table, *case, *decision, true)?;
            if let Some(kept) = unclaimed {
                let there = cases::still_there(table, kept.station, kept.session, *round);
                expect("that the player was still there", there, false)?;
                expect("the station it is kept for", kept.station, *station)?;
                expect("the sum kept", kept.amount, *amount)?;
                expect("its number", kept.id, table.next_unclaimed)?;
            }
            expect("a payment", amount.is_positive(), true)
        }
        Fact::CaseOverpaid {
            case,
            recoverable,
            decision,
            ..
        } => {
            settled_once(table, *case, *decision, false)?;
            expect("a sum owed back", recoverable.amount.is_positive(), true)?;
            expect("its number", recoverable.id, table.next_recoverable)
        }
        Fact::BetsRemoved {
            station,
            means,
            lines,
            ..
        } => {
            not_held(table)?;
            there(table, *station, *means, lines)
        }
        Fact::BetsClosed { staked } => {
            let round = table.round.as_deref().ok_or("no round is in hand")?;
            expect("the stakes at the close", *staked, round.exposure.staked())
        }
        Fact::RoundSettled {
            dice,
            staked,
            returned,
            digest,
        } => {
            let round = table.round.as_deref().ok_or("no round is in hand")?;
            let opened = table.opened().ok_or("the table was never opened")?;
            let (all, sum) = result::returns(&opened, round, *dice)
                .ok_or("a stake that cannot be paid exactly")?;
            expect("the stakes settled", *staked, round.exposure.staked())?;
            expect("the payments in all", *returned, sum)?;
            expect(
                "the fingerprint of the payments",
                *digest,
                returns_digest(all.into_iter()),
            )
        }
        Fact::RoundVoided { staked, digest, .. } => {
            let round = table.round.as_deref().ok_or("no round is in hand")?;
            expect("the stakes returned", *staked, round.exposure.staked())?;
            expect(
                "the fingerprint of the returns",
                *digest,
                returns_digest(round.stakes()),
            )
        }
        Fact::ResultCorrected {
            round,
            revision,
            from,
            dice,
            effects,
            ..
        } => {
            let record = amended_record(table, records, *round, *revision, *from)?;
            let derived = amend::effects(table, &record, Standing::Settled(*dice));
            expect("the effects of the correction", effects, &derived)
        }
        Fact::RoundVoidedLate {
            round,
            revision,
            from,
            effects,
            cause,
            ..
        } => {
            let record = amended_record(table, records, *round, *revision, *from)?;
            if at_tables_today(table) {
                cause_listed(&record, *cause)?;
            }
            let derived = amend::effects(table, &record, Standing::Void);
            expect("the effects of the late void", effects, &derived)
        }
        Fact::OverpaymentRecovered {
            recoverable,
            amount,
        } => {
            let entry = table
                .recoverables
                .get(recoverable)
                .ok_or("there is no such overpayment")?;
            within("the sum recovered", *amount, entry.amount)
        }
        Fact::OverpaymentWaived {
            recoverable,
            amount,
            ..
        } => {
            let entry = table
                .recoverables
                .get(recoverable)
                .ok_or("there is no such overpayment")?;
            expect("the sum waived", *amount, entry.amount)
        }
        Fact::UnclaimedPaid { unclaimed, amount } => {
            let entry = table
                .unclaimed
                .get(unclaimed)
                .ok_or("there is no such unclaimed credit")?;
            expect("the credit paid", *amount, entry.amount)
        }
        Fact::CashedOut {
            station, amount, ..
        }
        | Fact::TransferredOut { station, amount }
        | Fact::HandPaid { station, amount } => {
            let station = table.station(*station).ok_or("there is no such station")?;
            within("the sum paid out", *amount, station.credit)
        }
        _ => Ok(()),
    }
}

/// Records of this revision are held to what chip tables do today.
fn at_tables_today(table: &Table) -> bool {
    table.rules >= RulesRevision(2)
}

/// No round begins while the table stands still, something holds it, its dice
/// are damaged or the clocks have parted.
fn may_begin(table: &Table) -> Result<(), String> {
    let here = table.config.as_deref().map(|config| &config.dice_set);
    let damaged = table.dice_condemned || here.is_some_and(|set| table.damaged.contains(set));
    let wrong = if table.status != Status::Open {
        "at a table that does not play"
    } else if table.round.is_some() {
        "before the last one had ended"
    } else if damaged {
        "with damaged dice"
    } else if table.clock_parted.is_some() {
        "while the clocks had parted"
    } else if table.holding().is_some() {
        "while a decision held the table"
    } else if table.last_round_announced == Some(true) {
        "after the last round"
    } else {
        return Ok(());
    };
    Err(format!("a round began {wrong}"))
}

/// No bet is made, taken back or written down while a decision holds the round.
fn not_held(table: &Table) -> Result<(), String> {
    match table.holding() {
        Some(pending) if at_tables_today(table) => Err(format!(
            "a bet changed while {} held the round",
            pending.question.key()
        )),
        _ => Ok(()),
    }
}

/// Wherever decisions are counted, one of a case is paid once, and its
/// overpayment noted once.
fn settled_once(table: &Table, case: u64, decision: u32, paid: bool) -> Result<(), String> {
    let twice = decision > 0 && table.has_settled(case, decision, paid);
    expect("that the case was settled before", twice, false)
}

/// The chips are those that were claimed, and somebody else attests them.
fn attested(
    table: &Table,
    event: &Event,
    id: PendingId,
    given: (StationId, Means, &[Line]),
) -> Result<(), String> {
    let waits = table.pending.iter().find(|waits| waits.id == id);
    match waits.map(|waits| (waits, &waits.question)) {
        Some((
            waits,
            Question::ChipsUnrecorded {
                station,
                means,
                lines,
                by,
            },
        )) => {
            let claimed = (*station, *means, lines.as_slice());
            expect("the chips attested", given, claimed)?;
            let needed = Needed {
                position: waits.by,
                or_above: waits.or_above,
            };
            let (second, may) = match event.by {
                Actor::Staff(staff) => {
                    (staff.person != *by, authority::holds(table, staff, needed))
                }
                _ => (false, false),
            };
            expect("that a second person attests", second, true)?;
            expect("that they may", may, true)
        }
        _ => Err("no such chips wait to be attested".to_owned()),
    }
}

/// The cause of a late void is one that its book lists, and that can be found
/// when a round has ended.
fn cause_listed(record: &RoundRecord, cause: Option<Cause>) -> Result<(), String> {
    match cause {
        None => Ok(()),
        Some(Cause::TechnicalInterruption) => {
            Err("an interruption is decided in its round, not later".to_owned())
        }
        Some(cause) => match record.book.void_cause(cause) {
            Some(_) => Ok(()),
            None => Err(format!("{} lists no void for {cause}", record.book.id())),
        },
    }
}

/// The record an amendment rests on, as it stood then.
fn amended_record(
    table: &Table,
    records: &Records,
    round: RoundNumber,
    revision: u32,
    from: Standing,
) -> Result<RoundRecord, String> {
    let record = as_it_stood(table, records, round)?;
    expect("the revision", revision, record.revision + 1)?;
    expect("how the round stood", from, record.standing)?;
    Ok(record)
}

fn expect<T: PartialEq + std::fmt::Debug>(
    what: &str,
    claimed: T,
    derived: T,
) -> Result<(), String> {
    if claimed == derived {
        Ok(())
    } else {
        Err(format!(
            "{what} is given as {claimed:?} but follows as {derived:?}"
        ))
    }
}

fn within(what: &str, claimed: Money, most: Money) -> Result<(), String> {
    if claimed.is_positive() && claimed <= most {
        Ok(())
    } else {
        Err(format!(
            "{what} is given as {claimed:?} where at most {most:?} is there"
        ))
    }
}

/// The stakes are there to be staked.
fn funds(table: &Table, id: StationId, means: Means, lines: &[Line]) -> Result<(), String> {
    let station = table.station(id).ok_or("there is no such station")?;
    if table.round.is_none() {
        return Err("a bet without a round".to_owned());
    }
    let sum: Money = lines.iter().map(|line| line.stake).sum();
    if lines.iter().any(|line| !line.stake.is_positive()) {
        return Err("a stake that is not above zero".to_owned());
    }
    match means {
        Means::CashChips => Ok(()),
        Means::Credit | Means::ColourChips => within("the sum staked", sum, station.credit),
    }
}

/// What is taken back lies there.
fn there(table: &Table, id: StationId, means: Means, lines: &[Line]) -> Result<(), String> {
    let round = table.round.as_deref().ok_or("no round is in hand")?;
    let part = round.station(id).ok_or("there is no such station")?;
    for line in lines {
        let on = match means {
            Means::ColourChips => part.colour_positions.on(line.section),
            Means::Credit | Means::CashChips => part.positions.on(line.section),
        };
        within("the stake taken back", line.stake, on)?;
    }
    Ok(())
}
