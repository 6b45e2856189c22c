//! What is done before a table is in service: its journal is held to what was
//! acknowledged, the past is settled, and somebody drives it.

use std::collections::BTreeMap;
use std::sync::Arc;

use sicbo_devices::tumbler::Simulated;
use sicbo_journal::{Store, StreamId};
use sicbo_plan::{DealerPlan, LightsPlan, TablePlan, TumblerPlan};
use sicbo_register::enrolment::TableName;
use sicbo_register::play::Play;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::station::Link;
use sicbo_table::table::{ClocksParted, Status};
use sicbo_table::{Act, Fact, Table, codec};

use crate::desk::Desk;
use crate::devices::{Line, WithBinding, WithLights};
use crate::driver::{AutomaticDealer, ByHand, CloseBlock, Driver, Trial};
use crate::hub::{BoardTally, Hub, Road, State};
use crate::practice::Lessons;

pub use sicbo_proof::reached::{NotHeld, check_holds};

/// What the house itself does at a table that comes into service: nobody is
/// connected, and a round that was under way is interrupted.
#[must_use]
pub fn first_acts(
    table: &Table,
    (interrupted, last_ms): (bool, i64),
    why: &str,
    parted: Option<ClocksParted>,
    now_ms: i64,
) -> Vec<(i64, Act)> {
    let interrupted = interrupted && table.status != Status::Closed;
    let interrupt = interrupted.then(|| Act::Interrupt {
        what: why.to_owned(),
    });
    let stations = (0..).zip(&table.stations);
    let online = stations.filter(|(_, known)| known.link == Link::Online && !known.removed);
    let gone = online.map(|(at, _)| Act::Disconnect {
        station: StationId(at),
    });
    // Before anything deals: a table that was never opened is told later.
    let parted = parted.filter(|_| table.config.is_some());
    let clock = parted.map(|parted| {
        let act = Act::ReportClock {
            machine_ms: parted.machine_ms,
        };
        // With what the house's clock showed then, as the register has it.
        (parted.house_ms.max(last_ms), act)
    });
    let others = interrupt.into_iter().chain(gone);
    let others = others.map(|act| (now_ms, act));
    clock.into_iter().chain(others).collect()
}

/// With real money nothing is played outside a shift (J-09). A table that is open without one, as
/// an earlier release left it, is suspended when the house starts, and two managers count its rack
/// before somebody resumes it. A round that is being played is played to its end.
#[must_use]
pub fn suspended_without_a_shift(
    real_money: bool,
    status: &Status,
    shift_is_open: bool,
) -> Option<Act> {
    let suspends = real_money && *status == Status::Open && !shift_is_open;
    suspends.then(|| Act::Suspend {
        reason: "no shift of this table is open".to_owned(),
    })
}

/// Whoever drives a table.
#[must_use]
pub fn driver_of(
    tumblers: [u8; 32],
    plan: &TablePlan,
    (dealer, practice, line): (Option<&AutomaticDealer>, Option<&Lessons>, &Line),
    staff: &BTreeMap<Position, PersonId>,
    close: Option<CloseBlock>,
) -> Box<dyn Driver> {
    let driver: Box<dyn Driver> = match (practice, dealer, plan.tumbler) {
        (Some(lessons), _, _) => Box::new(lessons.driver()),
        (None, Some(dealer), TumblerPlan::Simulated) => Box::new(Trial::new(
            plan.name.clone(),
            Box::new(Simulated::new(tumblers, plan.name.clone())),
            dealer.clone(),
            match plan.dealer {
                DealerPlan::Automatic { pace } => pace,
                DealerPlan::Person => sicbo_dealer::Pace::USUAL,
            },
            staff.clone(),
            close,
        )),
        _ => Box::new(ByHand),
    };
    let driver: Box<dyn Driver> = match plan.lights {
        LightsPlan::None => driver,
        lights => Box::new(WithLights::new(driver, lights, Arc::clone(line))),
    };
    match practice {
        // A lesson's tumbler speaks for itself.
        Some(_) => driver,
        None => Box::new(WithBinding::new(
            driver,
            on_line(plan),
            plan.shortest_tumble_ms,
            Arc::clone(line),
        )),
    }
}

/// The tumbler counts over the devices' line.
fn on_line(plan: &TablePlan) -> bool {
    matches!(plan.tumbler, TumblerPlan::Line { .. })
}

/// A table of which nothing is known.
#[must_use]
pub fn unknown(stream: &StreamId, now_ms: i64) -> State {
    State {
        version: 0,
        block: [0; 32],
        table: Table::default(),
        road: Road::of(stream.clone(), &[], None),
        tally: BoardTally::since(now_ms),
    }
}

/// What the register knows of those who play at a table.
#[must_use]
pub fn plays_at(desk: &Desk, table: &TableName) -> Vec<(StationId, Play)> {
    let register = desk.register();
    let plays = register.plays.iter().filter(|(at, _)| at.table == *table);
    plays.map(|(at, play)| (at.station, play.clone())).collect()
}

/// Before anybody is served, so that nobody's play begins anew.
pub fn restore_plays(desk: &Desk, hub: &Hub, now_ms: i64) {
    for (station, play) in plays_at(desk, &hub.name) {
        hub.restore(station, &play, now_ms);
    }
}

/// The block that closed the bets of the current round, whose first record is
/// given, if they are closed.
#[must_use]
pub fn close_block(table: &Table, first: u64, store: &dyn Store) -> Option<CloseBlock> {
    let round = table.round.as_deref()?.number.0;
    for raw in store.read_from(first) {
        let block = raw.ok()?.decode().ok()?;
        for record in block.records() {
            let event = codec::decode(record.kind, record.version, record.payload).ok()?;
            if matches!(event.fact, Fact::BetsClosed { .. }) && record.sequence >= first {
                return Some(CloseBlock {
                    round,
                    hash: block.header_hash().0,
                });
            }
        }
    }
    Some(CloseBlock {
        round,
        hash: [0; 32],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j_09_a_table_that_an_earlier_release_left_open_without_a_shift_is_suspended() {
        for (real_money, status, shift_is_open, suspends) in [
            (true, Status::Open, false, true),
            (true, Status::Open, true, false),
            (true, Status::Suspended, false, false),
            (true, Status::Closed, false, false),
            (false, Status::Open, false, false),
        ] {
            let act = suspended_without_a_shift(real_money, &status, shift_is_open);
            assert_eq!(act.is_some(), suspends, "{status:?} {shift_is_open}");
        }
    }
}
