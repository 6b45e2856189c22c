//! Everyone but the trainee: players, tumbler, a clumsy colleague and those
//! who decide. Says what they do next; whoever runs the lesson carries it out
//! by the same path as anyone's commands.

use std::collections::BTreeMap;

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{Form, Position};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{ChipMove, CreditSource};
use sicbo_table::ids::{BetId, PersonId, StationId};
use sicbo_table::pending::Question;
use sicbo_table::positions::Means;
use sicbo_table::round::{Phase, Round, Tumble};
use sicbo_table::station::{Link, StationKind};
use sicbo_table::{Act, Command, Table};

use super::lesson::{Exercise, PLAYERS, stakes_of};
use super::session::{Session, Track};
use super::situation::Situation;
use sicbo_dealer::{self as dealer, Pace, Seen, Step};

/// The number on every simulated command, by which its events are told from
/// the trainee's.
pub const SIMULATED: u64 = 0x7072_6163_7469_6365;

/// The people whom the lesson plays.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cast {
    /// Those who decide, by position, and as `dealer` a colleague who is not
    /// the trainee.
    pub people: BTreeMap<Position, PersonId>,
}

impl Cast {
    /// Somebody in a position.
    #[must_use]
    pub fn staff(&self, position: Position) -> Option<Staff> {
        let person = *self.people.get(&position)?;
        Some(Staff { person, position })
    }
}

fn command(by: Actor, second: Option<Staff>, act: Act, at_ms: i64) -> Command {
    Command {
        id: SIMULATED,
        at_ms,
        by,
        second,
        act,
    }
}

/// What the world does next; none while it is the trainee's turn.
pub(super) fn next(session: &mut Session, cast: &Cast, now_ms: i64) -> Option<Command> {
    let table = &session.table;
    let colleague = Actor::Staff(cast.staff(Position::Dealer)?);
    let say = |by: Actor, act: Act| Some(command(by, None, act, now_ms));
    if let Some(found) = stations(session, colleague, now_ms) {
        return Some(found);
    }
    let track = session.track();
    let exercise = session.exercise();
    if let (Some(round), Some(exercise), Some(track)) = (table.round.as_deref(), exercise, track) {
        if round.tumble == Tumble::Activated {
            let act = Act::ReportTumbles {
                count: exercise.tumbles,
                all_dice_moved: exercise.situation != Situation::DieStuck,
            };
            return say(Actor::Device(Device::Tumbler), act);
        }
        if let Some(found) = players(table, round, exercise, track, colleague) {
            return say(found.0, found.1);
        }
        if track.cue_ms.is_some() && !track.shown {
            let found = mishap(table, round, exercise, colleague);
            session.show(found.is_some(), now_ms);
            if let Some((by, act)) = found {
                return say(by, act);
            }
            return next(session, cast, now_ms);
        }
    } else if let Some(round) = table.round.as_deref()
        && round.tumble == Tumble::Activated
    {
        // No lesson: the tumbler works all the same.
        let act = Act::ReportTumbles {
            count: 3,
            all_dice_moved: true,
        };
        return say(Actor::Device(Device::Tumbler), act);
    }
    superiors(session, cast, now_ms)
}

/// Terminals are connected and have credit, seats have chips.
fn stations(session: &Session, colleague: Actor, now_ms: i64) -> Option<Command> {
    let table = &session.table;
    let (_, smallest) = stakes_of(table.book()?);
    let enough = Money::from_minor(smallest * 100);
    let lost = session
        .exercise()
        .is_some_and(|exercise| exercise.situation == Situation::TerminalLost)
        && session.track().is_some_and(|track| track.shown)
        && table.round.is_some();
    for (at, station) in table.stations.iter().enumerate().take(PLAYERS) {
        let id = StationId(at as u32);
        if station.kind == StationKind::Seat {
            continue;
        }
        if station.link == Link::Offline && !(lost && at == 0) {
            let act = Act::Connect { station: id };
            return Some(command(Actor::House, None, act, now_ms));
        }
        // Also in a round: a trainee may be quicker than the players sit down.
        if station.credit < enough && station.link == Link::Online {
            let act = Act::BuyCredit {
                station: id,
                source: CreditSource::Cash,
                amount: Money::from_minor(smallest * 1_000),
            };
            let by = Actor::Device(Device::NoteAcceptor);
            return Some(command(by, None, act, now_ms));
        }
    }
    let seats = table.stations.iter().any(|s| s.kind == StationKind::Seat);
    if seats && !session.chips_bought {
        let act = Act::MoveChips {
            how: ChipMove::Bought,
            amount: Money::from_minor(smallest * 100_000),
            slip: String::new(),
        };
        return Some(command(colleague, None, act, now_ms));
    }
    None
}

/// Players bet when bets are called and show the close when they are told.
fn players(
    table: &Table,
    round: &Round,
    exercise: &Exercise,
    track: &Track,
    colleague: Actor,
) -> Option<(Actor, Act)> {
    if table.holding().is_some() || round.must_void.is_some() {
        return None;
    }
    match round.phase {
        Phase::Betting => {
            for wager in &exercise.wagers {
                let station = StationId(wager.player as u32);
                let part = round.station(station)?;
                let lost = exercise.situation == Situation::TerminalLost && track.shown;
                if !part.seen.is_empty() || (lost && wager.player == 0) {
                    continue;
                }
                let seat = table.station(station)?.kind == StationKind::Seat;
                let act = Act::PlaceBets {
                    station,
                    round: round.number,
                    bet: BetId(1),
                    means: if seat {
                        Means::CashChips
                    } else {
                        Means::Credit
                    },
                    lines: wager.lines.clone(),
                };
                // Chips lie on the layout; a colleague writes down what the players put there.
                let by = if seat {
                    colleague
                } else {
                    Actor::Station(station)
                };
                return Some((by, act));
            }
            None
        }
        Phase::Closing => {
            let mut parts = round.stations.iter().enumerate();
            let (at, _) =
                parts.find(|(_, part)| part.awaited && !part.acknowledged && !part.fenced)?;
            let station = StationId(at as u32);
            let act = Act::AcknowledgeClose {
                station,
                round: round.number,
            };
            Some((Actor::Station(station), act))
        }
        Phase::Prepared | Phase::Closed => None,
    }
}

/// What goes wrong by itself; nothing where it is only seen.
fn mishap(
    table: &Table,
    round: &Round,
    exercise: &Exercise,
    colleague: Actor,
) -> Option<(Actor, Act)> {
    let first = StationId(0);
    let terminal = table.station(first)?.kind == StationKind::Terminal;
    Some(match exercise.situation {
        Situation::PowerCutNoOutcome | Situation::PowerCutOutcome => (
            Actor::House,
            Act::Interrupt {
                what: "practice: the power failed".to_owned(),
            },
        ),
        Situation::TumblerActivatedEarly => (Actor::Device(Device::Tumbler), Act::ActivateTumbler),
        Situation::TerminalLost => (Actor::House, Act::Disconnect { station: first }),
        Situation::WrongKey => (
            colleague,
            Act::KeyDice {
                dice: exercise.wrong,
            },
        ),
        // At a table the chips are pushed onto the layout for the dealer to see.
        Situation::LateBet if terminal => (
            Actor::Station(first),
            Act::PlaceBets {
                station: first,
                round: round.number,
                bet: BetId(2),
                means: Means::Credit,
                lines: vec![exercise.special],
            },
        ),
        _ => return None,
    })
}

/// Those above the dealer decide by the default of the rule, once the trainee
/// has called them where they must be called.
fn superiors(session: &Session, cast: &Cast, now_ms: i64) -> Option<Command> {
    let table = &session.table;
    let called = session.track().is_none_or(|track| track.answered);
    let must_be_called = table.pending.iter().any(|pending| {
        matches!(pending.question, Question::Interrupted { .. }) && pending.by != Position::Dealer
    });
    if must_be_called && !called {
        return None;
    }
    match dealer::next_step(table, &Pace::NONE, Seen::default()) {
        Step::Act {
            act, by, second, ..
        } if by != Position::Dealer && !matches!(act, Act::CloseTable) => {
            let second = match second {
                Some(position) => Some(cast.staff(position)?),
                None => None,
            };
            let by = Actor::Staff(cast.staff(by)?);
            Some(command(by, second, act, now_ms))
        }
        _ => None,
    }
}

/// Every simulated player has bet in the current round.
pub(super) fn everyone_bet(table: &Table, exercise: &Exercise) -> bool {
    let Some(round) = table.round.as_deref() else {
        return false;
    };
    exercise.wagers.iter().all(|wager| {
        round
            .station(StationId(wager.player as u32))
            .is_some_and(|part| !part.seen.is_empty())
    })
}

/// The moment at which a situation shows itself.
pub(super) fn reached(table: &Table, exercise: &Exercise) -> bool {
    let Some(round) = table.round.as_deref() else {
        return false;
    };
    let electronic = table
        .book()
        .is_some_and(|book| book.play.form.is == Form::Electronic);
    let betting = round.phase == Phase::Betting && everyone_bet(table, exercise);
    let seen = round.outcome_established() && !round.flat;
    match exercise.situation {
        Situation::Normal => false,
        Situation::TooFewTumbles | Situation::DieStuck => {
            matches!(round.tumble, Tumble::Invalid { .. })
        }
        Situation::DieNotFlat | Situation::DiceDamaged | Situation::PowerCutOutcome => seen,
        Situation::DiceExposedEarly => betting && matches!(round.tumble, Tumble::Valid { .. }),
        Situation::TumblerActivatedEarly
        | Situation::DiceBroken
        | Situation::DomeBroken
        | Situation::PowerCutNoOutcome
        | Situation::DeviceFailure
        | Situation::TerminalLost
        | Situation::SpokenBet
        | Situation::SpokenBetWithChips
        | Situation::Dispute
        | Situation::Counterfeit
        | Situation::UncoveredMatter => betting,
        Situation::LightsWrong => round.confirmed.is_some() && round.lights.is_none(),
        Situation::WrongKey => round.flat && round.keyed.is_none() && round.confirmed.is_none(),
        Situation::LateBet if electronic => round.phase == Phase::Closed,
        Situation::LateBet | Situation::LateIncrease | Situation::LateWithdrawal => {
            round.phase == Phase::Closed && !seen
        }
    }
}
