//! The devices of a table as its drivers see them: who is there, what they say of
//! the cover, and that the lights are told what to show.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::{Mutex, MutexGuard};
use sicbo_devices::line::{LineServer, winning_sections};
use sicbo_loop::Answer;
use sicbo_plan::LightsPlan;
use sicbo_rules::Dice;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::command::{Counting, Part};
use sicbo_table::ids::RoundNumber;
use sicbo_table::legal::{Step, next_step};
use sicbo_table::table::Status;
use sicbo_table::{Act, Command, Event, Fact, Refusal, Table};

use crate::driver::{Driver, Now};

/// The line of a table's devices, as the house uses it: over sockets in a
/// running house, and as a simulation has it.
pub trait DeviceLine: Send + Sync {
    /// The devices that are connected.
    fn connected(&self) -> Vec<Device>;
    /// Ends a device's connection.
    fn disconnect(&self, device: Device);
    /// Tells the lights which sections of each layout to light; false when they
    /// do not take it.
    fn light(&self, round: RoundNumber, sections: &BTreeMap<String, Vec<String>>) -> bool;
}

impl DeviceLine for LineServer {
    fn connected(&self) -> Vec<Device> {
        LineServer::connected(self)
    }

    fn disconnect(&self, device: Device) {
        LineServer::disconnect(self, device);
    }

    fn light(&self, round: RoundNumber, sections: &BTreeMap<String, Vec<String>>) -> bool {
        LineServer::light(self, round, sections)
    }
}

/// The devices of a table: their line is opened after the table's loop.
#[derive(Default)]
pub struct Devices {
    /// The line, once it is open.
    pub server: OnceLock<Box<dyn DeviceLine>>,
    /// How often the tumbler's connection was lost.
    pub losses: Arc<AtomicU64>,
    /// What devices say of the cover.
    pub covers: Arc<Covers>,
}

/// What each device that is there last said of the cover, whether or not its
/// table could take it.
#[derive(Default)]
pub struct Covers {
    said: Mutex<BTreeMap<Device, Saying>>,
    turns: AtomicU64,
}

/// The newest word of a device; an older turn that ends later changes nothing.
struct Saying {
    turn: u64,
    /// None while the table is being told.
    open: Option<bool>,
}

impl Covers {
    fn said(&self) -> MutexGuard<'_, BTreeMap<Device, Saying>> {
        self.said.lock()
    }

    /// The device is telling the table itself.
    #[must_use]
    pub fn begin(&self, device: Device) -> u64 {
        let turn = self.turns.fetch_add(1, Ordering::SeqCst);
        self.said().insert(device, Saying { turn, open: None });
        turn
    }

    /// The table has answered the device.
    pub fn end(&self, device: Device, turn: u64, open: bool) {
        if let Some(saying) = self.said().get_mut(&device)
            && saying.turn == turn
        {
            saying.open = Some(open);
        }
    }

    /// The device came or went, and has said nothing yet.
    pub fn forget(&self, device: Device) {
        self.said().remove(&device);
    }

    /// What the table has still to be told, and by whom: how the cover is by the
    /// word of a device, or by the house that a device which reported it open is
    /// not there any more.
    fn untold(&self, table: &Table) -> Option<(Actor, bool)> {
        table.config.as_ref()?;
        let said = self.said();
        let word = |device: &Device| said.get(device).map(|saying| saying.open);
        for device in [Device::Tumbler, Device::DiceReader] {
            let known = table.open_covers.contains(&device);
            match word(&device) {
                Some(Some(open)) if open != known && table.hears_cover(device) => {
                    return Some((Actor::Device(device), open));
                }
                _ => {}
            }
        }
        // The house closes the cover for everybody. While a device that is there
        // holds it open that would be untrue, so it waits until that one closes:
        // the cover is open meanwhile, whoever said so.
        let covers = table.open_covers.iter();
        let is_gone = |device: &&Device| word(device).is_none();
        let holds_open = |device: &Device| !matches!(word(device), None | Some(Some(false)));
        let gone = covers.clone().any(|device| is_gone(&device));
        (gone && !covers.clone().any(holds_open)).then_some((Actor::House, false))
    }
}

impl Devices {
    /// The line, once it is open.
    #[must_use]
    pub fn get(&self) -> Option<&dyn DeviceLine> {
        self.server.get().map(AsRef::as_ref)
    }

    fn is_there(&self, device: Device) -> bool {
        let server = self.get();
        server.is_some_and(|server| server.connected().contains(&device))
    }
}

/// Where a line is kept, used by the table's hub.
pub type Line = Arc<Devices>;

/// Lights the winning areas beside whatever else drives the table.
pub struct WithLights {
    inner: Box<dyn Driver>,
    plan: LightsPlan,
    line: Line,
    /// A result was confirmed and the lights have not been told.
    result: Option<Dice>,
    /// The simulated lights have been reported for this round.
    reported: Option<u64>,
}

impl WithLights {
    /// Lights as planned.
    #[must_use]
    pub fn new(inner: Box<dyn Driver>, plan: LightsPlan, line: Line) -> WithLights {
        WithLights {
            inner,
            plan,
            line,
            result: None,
            reported: None,
        }
    }
}

impl Driver for WithLights {
    fn due_ms(&self, now_ms: i64) -> Option<i64> {
        self.inner.due_ms(now_ms)
    }

    fn published(&mut self, block: [u8; 32], events: &[Event]) {
        for event in events {
            if let Fact::ResultConfirmed { dice } = event.fact {
                self.result = Some(dice);
            }
        }
        self.inner.published(block, events);
    }

    fn next(&mut self, table: &Table, now: Now) -> Option<Command> {
        let now_ms = now.steady_ms;
        let round = table.round.as_deref().map(|round| round.number);
        if let (Some(dice), Some(round)) = (self.result.take(), round)
            && let (LightsPlan::Line { .. }, Some(line)) = (self.plan, self.line.get())
        {
            // Lights that are not there are reported by a person.
            let _ = line.light(round, &winning_sections(table, dice));
        }
        let simulated = self.plan == LightsPlan::Simulated;
        if simulated
            && self.reported != round.map(|round| round.0)
            && next_step(table) == Some(Step::ReportLights)
        {
            self.reported = round.map(|round| round.0);
            return Some(Command {
                id: 0,
                at_ms: now_ms,
                by: Actor::Device(Device::Lights),
                second: None,
                act: Act::ReportLights { lit: true },
            });
        }
        self.inner.next(table, now)
    }

    fn answered(&mut self, answer: &Answer<Refusal>, now_ms: i64) {
        self.inner.answered(answer, now_ms);
    }

    fn seen(&self, table: &Table) -> Option<Dice> {
        self.inner.seen(table)
    }
}

/// A tumbler that has not been heard for so long since the table opened is as
/// good as one that is lost.
const ABSENT_AFTER_MS: i64 = 30_000;
/// What the table did not take is asked again after so long.
const ASK_AGAIN_MS: i64 = 100;

/// Tells the table how its tumbler is bound, whenever it opens otherwise than
/// the plan says, stops it when the tumbler's line is dead, and sees to
/// it that the table knows of the cover what the devices that are there say;
/// beside whatever else drives the table.
pub struct WithBinding {
    inner: Box<dyn Driver>,
    line: bool,
    shortest_ms: u32,
    devices: Line,
    /// What was said and is not answered.
    waiting: Option<Waiting>,
    not_before_ms: i64,
    /// Losses that are on record, or that nobody waits for.
    told: u64,
    /// Since when the tumbler is not there.
    absent_since_ms: Option<i64>,
    /// That it is not there is on record.
    absence_told: bool,
}

/// What the table was asked.
enum Waiting {
    Bound,
    /// It was told how the cover is.
    Cover,
    /// It was told of a dead line, and of so many losses.
    Dead(u64),
}

impl WithBinding {
    /// The tumbler as planned.
    #[must_use]
    pub fn new(inner: Box<dyn Driver>, line: bool, shortest_ms: u32, devices: Line) -> WithBinding {
        WithBinding {
            inner,
            line,
            shortest_ms,
            told: devices.losses.load(Ordering::SeqCst),
            devices,
            waiting: None,
            not_before_ms: 0,
            absent_since_ms: None,
            absence_told: false,
        }
    }

    /// The tumbler's line is dead and the table does not know: how many losses
    /// that makes. One stop for each time it goes, and one where it never came.
    fn dead(&mut self, table: &Table, now_ms: i64) -> Option<u64> {
        let losses = self.devices.losses.load(Ordering::SeqCst);
        let relied_on = table.status != Status::Closed && table.counting == Counting::Line;
        if !self.line || !relied_on {
            self.told = losses;
            self.absent_since_ms = None;
            self.absence_told = false;
            return None;
        }
        let there = self.devices.is_there(Device::Tumbler);
        if there {
            self.absent_since_ms = None;
            self.absence_told = false;
        }
        let absent = !there && !self.absence_told && {
            let since = *self.absent_since_ms.get_or_insert(now_ms);
            now_ms.saturating_sub(since) >= ABSENT_AFTER_MS
        };
        (losses > self.told || absent).then_some(losses)
    }
}

impl Driver for WithBinding {
    fn due_ms(&self, now_ms: i64) -> Option<i64> {
        if self.waiting.is_some() {
            return None;
        }
        let due = self.inner.due_ms(now_ms);
        due.map(|due| due.max(self.not_before_ms))
    }

    fn published(&mut self, block: [u8; 32], events: &[Event]) {
        self.inner.published(block, events);
    }

    fn next(&mut self, table: &Table, now: Now) -> Option<Command> {
        let now_ms = now.steady_ms;
        if self.waiting.is_some() || now_ms < self.not_before_ms {
            return None;
        }
        let by_house = |act: Act| Command {
            id: 0,
            at_ms: now_ms,
            by: Actor::House,
            second: None,
            act,
        };
        let bound = table.counting != Counting::Either;
        let known = bound == self.line && table.shortest_tumble_ms == self.shortest_ms;
        if table.status != Status::Closed && !known {
            self.waiting = Some(Waiting::Bound);
            return Some(by_house(Act::BindTumbler {
                line: self.line,
                shortest_ms: self.shortest_ms,
            }));
        }
        if let Some(losses) = self.dead(table, now_ms) {
            self.waiting = Some(Waiting::Dead(losses));
            return Some(by_house(Act::ReportDeviceFailure {
                what: "the tumbler's line is dead".to_owned(),
                part: Part::Tumbler,
            }));
        }
        // An open cover that nobody is left to close would make every further
        // round void, and one that the table never heard of none.
        if let Some((by, open)) = self.devices.covers.untold(table) {
            self.waiting = Some(Waiting::Cover);
            return Some(Command {
                by,
                ..by_house(Act::ReportCover { open })
            });
        }
        self.inner.next(table, now)
    }

    fn answered(&mut self, answer: &Answer<Refusal>, now_ms: i64) {
        match self.waiting.take() {
            None => self.inner.answered(answer, now_ms),
            // Not taken: said again until it is on record.
            Some(_) if matches!(answer, Answer::Busy) => {
                self.not_before_ms = now_ms + ASK_AGAIN_MS;
            }
            // Compared with the table again, but not without a pause.
            Some(Waiting::Cover) => self.not_before_ms = now_ms + ASK_AGAIN_MS,
            Some(Waiting::Bound) => {}
            Some(Waiting::Dead(losses)) => {
                self.told = losses;
                self.absence_told = true;
            }
        }
    }

    fn seen(&self, table: &Table) -> Option<Dice> {
        self.inner.seen(table)
    }
}

#[cfg(test)]
mod tests {
    use sicbo_plan::HousePlan;
    use sicbo_table::{apply, decide};

    use super::*;

    /// An open table that has heard these devices say that the cover is open.
    fn table(open: &[Device]) -> Table {
        let plan = HousePlan::trial();
        let plan = plan.tables.first().expect("a table");
        let mut table = Table::default();
        let opening = Act::OpenTable {
            config: Box::new(plan.config.clone()),
            stations: plan.stations.clone(),
        };
        let mut acts = vec![(Actor::House, opening)];
        let reports = open.iter().map(|device| Actor::Device(*device));
        acts.extend(reports.map(|by| (by, Act::ReportCover { open: true })));
        for (by, act) in acts {
            let command = Command {
                id: 0,
                at_ms: 1,
                by,
                second: None,
                act,
            };
            for event in decide(&table, &command).expect("heard") {
                apply(&mut table, &event);
            }
        }
        assert_eq!(table.open_covers, open.iter().copied().collect());
        table
    }

    fn say(covers: &Covers, device: Device, open: bool) {
        let turn = covers.begin(device);
        covers.end(device, turn, open);
    }

    #[test]
    fn r_153_a_device_that_goes_does_not_close_the_cover_another_holds_open() {
        let (tumbler, reader) = (Device::Tumbler, Device::DiceReader);
        for (goes, stays) in [(tumbler, reader), (reader, tumbler)] {
            let covers = Covers::default();
            say(&covers, tumbler, true);
            say(&covers, reader, true);
            let both = table(&[tumbler, reader]);
            assert_eq!(covers.untold(&both), None);
            covers.forget(goes);
            assert_eq!(covers.untold(&both), None, "{stays:?} holds it open");
            // While it is saying how the cover is, nobody speaks for it.
            let turn = covers.begin(stays);
            assert_eq!(covers.untold(&both), None, "{stays:?} is being heard");
            covers.end(stays, turn, false);
            let closes = Some((Actor::Device(stays), false));
            assert_eq!(covers.untold(&both), closes, "its own word goes first");
            let left = table(&[goes]);
            assert_eq!(covers.untold(&left), Some((Actor::House, false)));
            // And where nobody is left at all.
            covers.forget(stays);
            assert_eq!(covers.untold(&both), Some((Actor::House, false)));
        }
    }
}
