//! Devices of a table on its line: what they say becomes commands, and the
//! lights are told what to show.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use sicbo_house::devices::line::{
    LineHouse, LineOptions, LineServer, Notice, Refused, enrolled_device, winning_sections,
};
use sicbo_house::plan::LightsPlan;
use sicbo_house::register::enrolment::TableName;
use sicbo_house::{Answer, now_ms};
use sicbo_rules::Dice;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::command::{Counting, Part};
use sicbo_table::legal::{Step, next_step};
use sicbo_table::table::Status;
use sicbo_table::{Act, Command, Event, Fact, Refusal, Table};
use tokio::sync::oneshot;

use crate::connection::frame;
use crate::desk::Desk;
use crate::driver::Driver;
use crate::hub::{Hub, Reply, ToHub};
use crate::problem::told;
use crate::wire::console::HouseToStaff;

/// What the line needs of the house.
struct House {
    table: TableName,
    desk: Arc<Desk>,
    hub: Arc<Hub>,
    /// The tumbler counts over this line: without it the table cannot play.
    tumbler: bool,
}

impl LineHouse for House {
    fn admit(&self, token: &str) -> Option<Device> {
        let register = self.desk.register();
        enrolled_device(&register, &self.table, token).map(|(_, device)| device)
    }

    fn submit(&self, command: Command) -> Result<(), Refused> {
        let (sender, receiver) = oneshot::channel();
        let answer = match self.hub.submit(Reply::Waiter(sender), command) {
            Ok(()) => receiver.blocking_recv().unwrap_or(Answer::Stopped),
            Err((_, answer)) => answer,
        };
        match told(&answer) {
            None => Ok(()),
            Some((code, words, rule)) => Err(Refused {
                rule,
                ..Refused::new(code, words)
            }),
        }
    }

    fn noticed(&self, device: Device, notice: Notice) {
        // The table hears of a device by its acts; people hear of what may
        // need them, not of every sign of life.
        if matches!(notice, Notice::Heartbeat | Notice::Tumbles(_)) {
            return;
        }
        let told = frame(&HouseToStaff::Incident {
            table: self.table.to_string(),
            kind: "device".to_owned(),
            note: format!("{device:?}: {notice:?}"),
            station: None,
            round: None,
            at_ms: now_ms(),
        });
        self.hub.try_tell(ToHub::TellStaff(told));
        if self.tumbler && device == Device::Tumbler && notice == Notice::Gone {
            // A line that is dead is a technical stop. Refused where the
            // table is closed, which is as good.
            let _ = self.submit(Command {
                id: 0,
                at_ms: now_ms(),
                by: Actor::House,
                second: None,
                act: Act::ReportDeviceFailure {
                    what: "the tumbler's line is dead".to_owned(),
                    part: Part::Tumbler,
                },
            });
        }
    }
}

/// Opens the line of a table.
///
/// # Errors
/// When its address cannot be used.
pub fn open(
    address: SocketAddr,
    table: TableName,
    desk: Arc<Desk>,
    hub: Arc<Hub>,
    tumbler: bool,
) -> std::io::Result<LineServer> {
    let listener = std::net::TcpListener::bind(address)?;
    let house = House {
        table,
        desk,
        hub,
        tumbler,
    };
    LineServer::start(listener, Arc::new(house), LineOptions::default())
}

/// Where a line is kept: opened after the table's loop, used by its hub.
pub type Line = Arc<OnceLock<LineServer>>;

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
    fn due_ms(&self) -> Option<i64> {
        self.inner.due_ms()
    }

    fn published(&mut self, block: [u8; 32], events: &[Event]) {
        for event in events {
            if let Fact::ResultConfirmed { dice } = event.fact {
                self.result = Some(dice);
            }
        }
        self.inner.published(block, events);
    }

    fn next(&mut self, table: &Table, now_ms: i64) -> Option<Command> {
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
        self.inner.next(table, now_ms)
    }

    fn answered(&mut self, answer: &Answer<Refusal>, now_ms: i64) {
        self.inner.answered(answer, now_ms);
    }

    fn seen(&self, table: &Table) -> Option<Dice> {
        self.inner.seen(table)
    }
}

/// Tells the table how its tumbler is bound, whenever it opens otherwise than
/// the plan says; beside whatever else drives the table.
pub struct WithBinding {
    inner: Box<dyn Driver>,
    line: bool,
    shortest_ms: u32,
    /// It was said and is not answered.
    waiting: bool,
}

impl WithBinding {
    /// The tumbler as planned.
    #[must_use]
    pub fn new(inner: Box<dyn Driver>, line: bool, shortest_ms: u32) -> WithBinding {
        WithBinding {
            inner,
            line,
            shortest_ms,
            waiting: false,
        }
    }
}

impl Driver for WithBinding {
    fn due_ms(&self) -> Option<i64> {
        self.inner.due_ms()
    }

    fn published(&mut self, block: [u8; 32], events: &[Event]) {
        self.inner.published(block, events);
    }

    fn next(&mut self, table: &Table, now_ms: i64) -> Option<Command> {
        if self.waiting {
            return None;
        }
        let bound = table.counting != Counting::Either;
        let known = bound == self.line && table.shortest_tumble_ms == self.shortest_ms;
        if table.status != Status::Closed && !known {
            self.waiting = true;
            return Some(Command {
                id: 0,
                at_ms: now_ms,
                by: Actor::House,
                second: None,
                act: Act::BindTumbler {
                    line: self.line,
                    shortest_ms: self.shortest_ms,
                },
            });
        }
        self.inner.next(table, now_ms)
    }

    fn answered(&mut self, answer: &Answer<Refusal>, now_ms: i64) {
        match std::mem::take(&mut self.waiting) {
            true => {}
            false => self.inner.answered(answer, now_ms),
        }
    }

    fn seen(&self, table: &Table) -> Option<Dice> {
        self.inner.seen(table)
    }
}
