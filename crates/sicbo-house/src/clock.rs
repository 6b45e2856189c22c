//! Watches the machine's clock: says on record that it has parted from the
//! house's, to the register and to every table, and sets the house's once a
//! supervisor has looked.
//!
//! What a table was told is compared with what the register holds again and
//! again, so a table that was busy, or opens later, is told in the end.

use futures_util::lock::Mutex;
use sicbo_loop::Answer;
use sicbo_register::{self as register, Party};
use sicbo_table::actor::Actor;
use sicbo_table::ids::PersonId;
use sicbo_table::table::ClocksParted;
use sicbo_table::{Act, Command};

use crate::house::{House, TableAt};
use crate::hub::Reply;
use sicbo_wire::problem::Problem;

/// The machine's clock may have moved by so much since somebody looked at it.
const SEEN_MS: i64 = 120_000;

/// The last time the house's clock was set: what it was, and what it is. Held
/// by whoever compares the clocks or sets one.
#[derive(Default)]
pub struct LastSet(Mutex<Option<(i64, i64)>>);

/// Compares the clocks, once.
pub async fn compare(house: &House) {
    let last = house.clock_set.0.lock().await;
    let known = house.desk.register().clock_parted;
    if known.is_none()
        && let Some((house_ms, machine_ms)) = house.clock.apart()
    {
        let apart_ms = machine_ms.saturating_sub(house_ms);
        tracing::error!(
            apart_ms,
            "the machine's clock has parted from the house's: rounds under way go on, no round \
             begins until a supervisor has looked"
        );
        let act = register::Act::ReportClock { machine_ms };
        let entered = house.desk.ask(Party::House, None, act).await;
        if !matches!(entered.answer, Answer::Done { .. }) {
            tracing::error!(answer = ?entered.answer, "that could not be put on record");
        }
    }
    let parted = house.desk.register().clock_parted;
    for at in house.tables() {
        tell(house, at, parted, *last);
    }
}

/// Tells a table what the register holds, if it does not know.
fn tell(house: &House, at: &TableAt, parted: Option<ClocksParted>, last: Option<(i64, i64)>) {
    if at.hub.stopped().is_some() {
        return;
    }
    let known = {
        let state = at.hub.state();
        if state.table.config.is_none() {
            return;
        }
        state.table.clock_parted
    };
    let now_ms = house.clock.now_ms();
    let act = match (parted, known) {
        (Some(parted), None) => Act::ReportClock {
            machine_ms: parted.machine_ms,
        },
        (None, Some(_)) => {
            let (was_ms, is_ms) = last.unwrap_or((now_ms, now_ms));
            Act::SetClock { was_ms, is_ms }
        }
        _ => return,
    };
    let command = Command {
        id: 0,
        at_ms: now_ms,
        by: Actor::House,
        second: None,
        act,
    };
    // A table that is too busy is told the next time.
    let _ = at.hub.submit(Reply::Nobody, command);
}

/// A supervisor has looked: the machine's clock, which they saw at `seen_ms`,
/// is right. The house's is set to it where the two are still apart.
///
/// # Errors
/// When the machine's clock is not where it was seen, or the register refuses.
pub async fn looked(house: &House, by: PersonId, seen_ms: i64) -> Result<(), Problem> {
    let mut last = house.clock_set.0.lock().await;
    let Some((house_ms, machine_ms)) = house.clock.both() else {
        return Err(Problem::busy());
    };
    if machine_ms.saturating_sub(seen_ms).abs() > SEEN_MS {
        return Err(Problem::conflict(
            "clock_moved",
            "the machine's clock has moved since you looked at it: look again",
        ));
    }
    let is_ms = match house.clock.apart() {
        Some(_) => machine_ms,
        None => house_ms,
    };
    let act = register::Act::SetClock {
        was_ms: house_ms,
        is_ms,
    };
    house.desk.enter(Party::Person(by), None, act).await?;
    let (was_ms, is_ms) = house.clock.take();
    *last = Some((was_ms, is_ms));
    tracing::warn!(was_ms, is_ms, by = by.0, "the house's clock was looked at");
    for at in house.tables() {
        tell(house, at, None, *last);
    }
    Ok(())
}
