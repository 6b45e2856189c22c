//! The floor: terminals on their connections, and the people at the table.
//!
//! A connection keeps the order of what it carries, as TCP does; what was sent
//! on a connection that broke may still arrive, later than what follows on the
//! next one, or never.

use sicbo_table::Act;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::ids::StationId;

use crate::engine::Engine;
use crate::house::Origin;
use crate::terminal::{HouseToTerminal, TerminalToHouse, Wish};
use crate::world::{Checked, Step, World};

/// Directions of a wire.
const UP: usize = 0;
const DOWN: usize = 1;

impl<E: Engine> World<E> {
    /// When a message sent now arrives: never before the one sent before it.
    fn arrival(&mut self, station: usize, direction: usize) -> i64 {
        let slow = self.chance.chance(self.plan.faults.delay);
        if slow {
            self.tally.fault("message delayed");
        }
        let latency = self.chance.between(1, if slow { 2_500 } else { 30 });
        let wire = &mut self.wires[station][direction];
        *wire = (*wire).max(self.now_ms + latency);
        *wire
    }

    fn send_to_house(&mut self, station: usize, message: TerminalToHouse) {
        let Some(terminal) = &self.terminals[station] else {
            return;
        };
        let Some(connection) = terminal.connection else {
            return;
        };
        self.tally.messages += 1;
        let at_ms = self.arrival(station, UP);
        let breaks = self.chance.chance(self.plan.faults.link_cut);
        // What was sent as the connection broke may have left or not.
        let lost = breaks && self.chance.chance(500);
        if lost {
            self.tally.fault("message dropped");
        } else {
            if self.chance.chance(self.plan.faults.repeat) && repeatable(&message) {
                self.tally.fault("message repeated");
                let again = self.chance.between(0, 300);
                let message = message.clone();
                self.queue.plan(
                    at_ms + again,
                    Step::ToHouse {
                        station,
                        connection,
                        message,
                    },
                );
            }
            self.queue.plan(
                at_ms,
                Step::ToHouse {
                    station,
                    connection,
                    message,
                },
            );
        }
        if breaks {
            self.tally.fault("connection cut");
            self.cut(station);
        }
    }

    pub(crate) fn send_to_terminal(
        &mut self,
        station: usize,
        connection: u32,
        message: HouseToTerminal,
    ) {
        let Some(terminal) = &self.terminals[station] else {
            return;
        };
        if terminal.connection != Some(connection) {
            return;
        }
        self.tally.messages += 1;
        if self.chance.chance(self.plan.faults.link_cut / 2) {
            self.tally.fault("connection cut");
            self.tally.fault("message dropped");
            self.cut(station);
            return;
        }
        let at_ms = self.arrival(station, DOWN);
        self.queue.plan(
            at_ms,
            Step::ToTerminal {
                station,
                connection,
                message,
            },
        );
    }

    /// A terminal's connection breaks; the house notices later.
    pub(crate) fn cut(&mut self, station: usize) {
        let Some(terminal) = &mut self.terminals[station] else {
            return;
        };
        let Some(connection) = terminal.connection else {
            return;
        };
        terminal.cut();
        let life = self.house.life;
        let notices = self.chance.between(20, 4_000);
        self.after(
            notices,
            Step::LinkLost {
                life,
                station,
                connection,
            },
        );
        let returns = self.chance.between(50, 5_000);
        self.after(returns, Step::Connect { station });
    }

    pub(crate) fn cut_all(&mut self) {
        for station in 0..self.terminals.len() {
            self.cut(station);
        }
    }

    pub(crate) fn connect(&mut self, station: usize) {
        if self.house.process.is_none() {
            let wait = self.chance.between(300, 2_000);
            self.after(wait, Step::Connect { station });
            return;
        }
        let Some(terminal) = &mut self.terminals[station] else {
            return;
        };
        if terminal.connection.is_some() {
            return;
        }
        terminal.connections += 1;
        terminal.connection = Some(terminal.connections);
        // A new connection has an order of its own.
        self.wires[station] = [0; 2];
        self.send_to_house(station, TerminalToHouse::Hello);
    }

    pub(crate) fn at_house(
        &mut self,
        station: usize,
        connection: u32,
        message: TerminalToHouse,
    ) -> Checked {
        let Some(process) = &mut self.house.process else {
            return Ok(());
        };
        let id = StationId(station as u32);
        match message {
            TerminalToHouse::Hello => {
                process.links.insert((station, connection));
                let origin = Origin::Hello {
                    station,
                    connection,
                };
                self.submit(origin, Actor::House, None, Act::Connect { station: id })
            }
            TerminalToHouse::Ask { request, act } => {
                if !process.links.contains(&(station, connection)) {
                    return Ok(());
                }
                let by = match *act {
                    Act::BuyCredit { .. } => Actor::Device(Device::NoteAcceptor),
                    _ => Actor::Station(id),
                };
                let origin = Origin::Terminal {
                    station,
                    connection,
                    request,
                };
                self.submit(origin, by, None, *act)
            }
        }
    }

    pub(crate) fn link_lost(&mut self, station: usize, connection: u32) -> Checked {
        let Some(process) = &mut self.house.process else {
            return Ok(());
        };
        let known = process.links.remove(&(station, connection));
        let other = process.links.iter().any(|(other, _)| *other == station);
        if !known || other {
            return Ok(());
        }
        let station = StationId(station as u32);
        self.submit(
            Origin::House,
            Actor::House,
            None,
            Act::Disconnect { station },
        )
    }

    pub(crate) fn at_terminal(
        &mut self,
        station: usize,
        connection: u32,
        message: HouseToTerminal,
    ) {
        let Some(terminal) = &mut self.terminals[station] else {
            return;
        };
        if terminal.connection != Some(connection) {
            return;
        }
        for wish in terminal.hear(message, &mut self.players) {
            let (wait, step) = match wish {
                Wish::Show { round, after_ms } => (after_ms, Step::Show { station, round }),
                Wish::Again { request, after_ms } => (after_ms, Step::Again { station, request }),
            };
            self.after(wait, step);
        }
    }

    pub(crate) fn show(&mut self, station: usize, round: u64) {
        let Some(terminal) = &mut self.terminals[station] else {
            return;
        };
        if terminal.connection.is_none() || terminal.has_shown(round) {
            return;
        }
        let (request, act) = terminal.show_close(round);
        let act = Box::new(act);
        self.send_to_house(station, TerminalToHouse::Ask { request, act });
    }

    pub(crate) fn again(&mut self, station: usize, request: u64) {
        let Some(terminal) = &self.terminals[station] else {
            return;
        };
        if let Some(act) = terminal.unanswered.get(&request) {
            let act = Box::new(act.clone());
            self.send_to_house(station, TerminalToHouse::Ask { request, act });
        }
    }

    pub(crate) fn player(&mut self, station: usize) {
        if self.ending {
            return;
        }
        let wait = self.players.between(60, 1_500);
        self.after(wait, Step::Play { station });
        let Some(terminal) = &mut self.terminals[station] else {
            return;
        };
        if let Some((request, act)) = terminal.play(&mut self.players) {
            let act = Box::new(act);
            self.send_to_house(station, TerminalToHouse::Ask { request, act });
        }
    }

    /// The people at the table do what comes next.
    pub(crate) fn think(&mut self) {
        if self.ending {
            return;
        }
        let wait = self.people.between(60, 900);
        self.after(wait, Step::Think);
        let patient = self
            .waiting_since
            .is_some_and(|since| self.now_ms - since < 3_000);
        let Some(table) = self.house.shown() else {
            return;
        };
        if patient {
            return;
        }
        let played = self.tally.settled + self.tally.void;
        if played >= self.plan.rounds && table.round.is_none() && table.pending.is_empty() {
            self.ending = true;
            self.plan.faults.calm();
            self.after(15_000, Step::End);
            return;
        }
        let mistakes = self.plan.faults.mistake;
        let Some(said) = self.dealer.next(table, mistakes, &mut self.people) else {
            return;
        };
        self.waiting_since = Some(self.now_ms);
        let life = self.house.life;
        let wait = self.people.between(1, 60);
        if self.chance.chance(self.plan.faults.repeat / 2) && guarded(&said.act) {
            self.tally.fault("message repeated");
            let again = wait + self.chance.between(0, 40);
            let said = Box::new(said.clone());
            self.after(again, Step::ToDesk { life, said });
        }
        let said = Box::new(said);
        self.after(wait, Step::ToDesk { life, said });
    }
}

/// Said twice, it is done once.
fn repeatable(message: &TerminalToHouse) -> bool {
    match message {
        TerminalToHouse::Hello => true,
        TerminalToHouse::Ask { act, .. } => {
            !matches!(**act, Act::BuyCredit { .. } | Act::CashOut { .. })
        }
    }
}

/// Acts at the desk that the state of the round, or a name of their own, guards
/// against being done twice.
fn guarded(act: &Act) -> bool {
    !matches!(act, Act::MoveChips { .. } | Act::MoveColour { .. })
}
