//! The life of the process in its world: starting, commands at the door, the
//! loop's effects carried out, blocks on their way to the medium, and the
//! power going at any step.

use sicbo_house::{Answer, Effect, Input, Order};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::round::Phase;
use sicbo_table::{Act, Command, Event, Fact, Refusal, Table};

use crate::auditor::heard::Verdict;
use crate::engine::{Engine, Flaw};
use crate::house::{Origin, Token};
use crate::medium::WriteFault;
use crate::tally::Tally;
use crate::terminal::{HouseToTerminal, Reply};
use crate::translate;
use crate::world::{Checked, Step, World};

impl<E: Engine> World<E> {
    /// The process begins, or comes back and settles the past.
    pub(crate) fn start(&mut self) -> Checked {
        self.restart_planned = false;
        let stopped = |process: &crate::house::Process<E>| process.writer_loop.stopped().is_some();
        if self.house.process.as_ref().is_some_and(stopped) {
            // Its journal failed: the process is replaced.
            self.house.process = None;
            self.cut_all();
        }
        if self.house.process.is_some() {
            return Ok(());
        }
        self.house.medium.make_room();
        let interrupted = self.house.start(&self.plan)?;
        if self.house.from_snapshot {
            self.tally.meet("starts from a snapshot");
        }
        self.note(format!("life {} begins", self.house.life));
        self.auditor.restarted();
        self.waiting_since = None;
        self.read_journal(1, u64::MAX)?;
        self.compare()?;
        if self.house.replayed()?.table() != self.house.shown().unwrap_or(&Table::default()) {
            return Err("recovery comes to another state than the whole journal".to_owned());
        }
        let opened = self
            .house
            .shown()
            .is_some_and(|table| table.config.is_some());
        if interrupted {
            self.tally.restarts += 1;
            let what = "the program came back".to_owned();
            self.submit(Origin::House, Actor::House, None, Act::Interrupt { what })?;
        }
        if !opened {
            let act = Act::OpenTable {
                config: Box::new(self.plan.config.clone()),
                stations: self.plan.stations.clone(),
            };
            self.submit(Origin::House, Actor::House, None, act)?;
        }
        Ok(())
    }

    /// The process is gone, and every connection with it.
    pub(crate) fn power_cut(&mut self, kind: &'static str) {
        if self.house.process.take().is_none() {
            return;
        }
        self.note(format!("{kind}: life {} ends", self.house.life));
        self.tally.fault(kind);
        self.house.medium.power_cut(&mut self.chance);
        if self.chance.chance(100) && self.house.medium.damage_snapshot() {
            self.tally.fault("snapshot damaged");
        }
        self.cut_all();
        self.plan_restart();
    }

    fn plan_restart(&mut self) {
        if !self.restart_planned {
            self.restart_planned = true;
            let wait = self.chance.between(200, 8_000);
            self.after(wait, Step::Restart);
        }
    }

    /// Hands a command to the house.
    pub(crate) fn submit(
        &mut self,
        origin: Origin,
        by: Actor,
        second: Option<Staff>,
        act: Act,
    ) -> Checked {
        if self.house.process.is_none() {
            return Ok(());
        }
        let id = self.next_command;
        self.next_command += 1;
        let at_ms = self.now_ms;
        let command = Command {
            id,
            at_ms,
            by,
            second,
            act,
        };
        self.note(told(&command));
        self.auditor.asked(id, translate::asked(&command));
        let token = Token {
            command: id,
            origin,
        };
        let life = self.house.life;
        let Some(process) = &mut self.house.process else {
            return Ok(());
        };
        // The house's own commands always find room: they are few and bounded.
        let own = matches!(origin, Origin::House | Origin::Hello { .. });
        if process.door.len() >= self.plan.door && !own {
            self.tally.fault("door full");
            return self.answer(token, &Answer::Busy);
        }
        process.door.push_back((token, command));
        if !process.wake_planned {
            process.wake_planned = true;
            let wait = self.chance.between(0, 3);
            self.after(wait, Step::Wake { life });
        }
        Ok(())
    }

    /// What waits at the door goes in, as far as there is room.
    pub(crate) fn wake(&mut self) -> Checked {
        let mut effects = Vec::new();
        let now_ms = self.now_ms;
        if let Some(process) = &mut self.house.process {
            process.wake_planned = false;
            let stopped = process.writer_loop.stopped().is_some();
            while process.writer_loop.has_room() || stopped {
                let Some((reply, command)) = process.door.pop_front() else {
                    break;
                };
                let command = Box::new(command);
                process
                    .writer_loop
                    .step(Input::Submit { reply, command }, &mut effects);
            }
            process.writer_loop.step(Input::Flush, &mut effects);
            process
                .writer_loop
                .step(Input::Tick { now_ms }, &mut effects);
        }
        self.carry_out(effects)
    }

    /// Time has passed.
    pub(crate) fn tick(&mut self) -> Checked {
        let mut effects = Vec::new();
        let now_ms = self.now_ms;
        if let Some(process) = &mut self.house.process {
            process.tick_planned = None;
            process
                .writer_loop
                .step(Input::Tick { now_ms }, &mut effects);
        }
        self.carry_out(effects)
    }

    /// Carries effects out one by one; the power may go between any two.
    fn carry_out(&mut self, effects: Vec<Effect<E, Token>>) -> Checked {
        for effect in effects {
            if self.chance.chance(self.plan.faults.cut_between_effects) {
                self.power_cut("power cut between effects");
            }
            if self.house.process.is_none() {
                return Ok(());
            }
            match effect {
                Effect::Append(order) => self.append(order),
                Effect::Answer { reply, answer } => self.answer(reply, &answer)?,
                Effect::Publish {
                    first_sequence,
                    events,
                } => self.publish(first_sequence, &events)?,
                Effect::Stopped { what } => {
                    self.note(format!("the loop stops: {what}"));
                    self.plan_restart();
                }
            }
        }
        self.plan_tick();
        Ok(())
    }

    fn plan_tick(&mut self) {
        let (life, now_ms) = (self.house.life, self.now_ms);
        let Some(process) = &mut self.house.process else {
            return;
        };
        let Some(due) = process.writer_loop.deadline_ms() else {
            return;
        };
        // What was refused at its time is asked again a little later.
        let at = if due > now_ms { due } else { now_ms + 250 };
        if process.tick_planned.is_none_or(|planned| planned > at) {
            process.tick_planned = Some(at);
            self.queue.plan(at, Step::Tick { life });
        }
    }

    /// A block is handed to the medium.
    fn append(&mut self, order: Box<Order>) {
        let life = self.house.life;
        if let Some(process) = &mut self.house.process {
            process.flying.push_back(order);
        }
        let slow = self.chance.chance(self.plan.faults.delay / 4);
        let wait = self
            .chance
            .between(1, if slow { 900 } else { self.plan.disk_ms });
        self.after(wait, Step::Platter { life });
        if self.house.flaw == Flaw::DurableTooEarly {
            self.after(
                0,
                Step::Written {
                    life,
                    outcome: Ok(()),
                },
            );
        }
    }

    /// The block in flight reaches the medium, or does not.
    pub(crate) fn platter(&mut self) -> Checked {
        let faults = self.plan.faults;
        if self.chance.chance(faults.cut_before_write) {
            self.house.medium.die_within_next_write(&mut self.chance);
            let _ = self.house.write(false);
            self.power_cut("power cut within a write");
            return Ok(());
        }
        if self.chance.chance(faults.write_failed) {
            let (fault, kind) = *self.chance.pick(&[
                (WriteFault::Lost, "write failed and lost"),
                (WriteFault::Kept, "write failed and kept"),
                (WriteFault::DiskFull, "disk full"),
            ]);
            self.house.medium.fail_next(fault);
            self.tally.fault(kind);
        }
        let snapshot_fails =
            self.house.snapshot_is_due() && self.chance.chance(faults.snapshot_failed);
        if snapshot_fails {
            self.tally.fault("snapshot failed");
        }
        let outcome = self.house.write(snapshot_fails);
        if let Err(error) = &outcome {
            self.note(format!("the append fails: {error}"));
            self.auditor.append_failed();
        }
        if self.chance.chance(faults.cut_after_write) {
            self.power_cut("power cut after a write");
            return Ok(());
        }
        if self.house.flaw != Flaw::DurableTooEarly {
            let wait = self.chance.between(0, 3);
            let outcome = outcome.map_err(|error| error.to_string());
            let life = self.house.life;
            self.after(wait, Step::Written { life, outcome });
        }
        Ok(())
    }

    /// The loop hears what came of its block.
    pub(crate) fn written(&mut self, outcome: Result<(), String>) -> Checked {
        let input = match outcome {
            Ok(()) => Input::Durable,
            Err(_) if self.house.flaw == Flaw::FailureIgnored => Input::Durable,
            Err(what) => Input::Failed { what },
        };
        let mut effects = Vec::new();
        if let Some(process) = &mut self.house.process {
            process.writer_loop.step(input, &mut effects);
        }
        self.carry_out(effects)?;
        // With room again, what waits at the door goes in.
        self.wake()
    }

    /// An answer leaves the house.
    fn answer(&mut self, token: Token, answer: &Answer<Refusal>) -> Checked {
        let (verdict, reply) = match answer {
            Answer::Done { sequence } => (
                Verdict::Done {
                    sequence: *sequence,
                },
                Reply::Done,
            ),
            Answer::Refused(_) => (Verdict::Refused, Reply::Refused),
            Answer::Busy => (Verdict::Rejected, Reply::Busy),
            Answer::TooLarge => (Verdict::Rejected, Reply::Refused),
            Answer::Stopped => (Verdict::Stopped, Reply::Stopped),
        };
        let words = match answer {
            Answer::Refused(refusal) => format!("refused: {:?}", refusal.reason),
            other => format!("{other:?}"),
        };
        self.note(format!("answer {}: {words}", token.command));
        self.auditor.answered(token.command, verdict)?;
        match token.origin {
            Origin::Terminal {
                station,
                connection,
                request,
            } => {
                let message = HouseToTerminal::Answer { request, reply };
                self.send_to_terminal(station, connection, message);
            }
            Origin::Hello {
                station,
                connection,
            } => self.welcome(station, connection),
            Origin::Desk => self.waiting_since = None,
            Origin::House => {}
        }
        Ok(())
    }

    /// How things stand, for a terminal that has connected.
    fn welcome(&mut self, station: usize, connection: u32) {
        let Some(table) = self.house.shown() else {
            return;
        };
        let in_phase = |phase: Phase| {
            let round = table.round.as_deref().filter(|round| round.phase == phase);
            round.map(|round| round.number.0)
        };
        let message = HouseToTerminal::Welcome {
            betting: in_phase(Phase::Betting),
            closing: in_phase(Phase::Closing),
            credit: table.stations.get(station).map_or(0, |s| s.credit.minor()),
        };
        self.send_to_terminal(station, connection, message);
    }

    /// Durable events are shown: they must be in the journal by now.
    fn publish(&mut self, first: u64, events: &[Event]) -> Checked {
        let last = first + events.len() as u64 - 1;
        let read = self.read_journal(first, last)?;
        if read != events {
            return Err(format!(
                "what was published as records {first} to {last} is not what the journal holds"
            ));
        }
        if let Some(process) = &mut self.house.process {
            for event in events {
                process.shown.apply(event);
            }
        }
        self.compare()?;
        self.tell(events);
        Ok(())
    }

    /// Terminals hear what concerns them.
    fn tell(&mut self, events: &[Event]) {
        let Some(process) = &mut self.house.process else {
            return;
        };
        let table = process.shown.table();
        let round = table.last_round.0;
        let mut news = Vec::new();
        for event in events {
            news.extend(match event.fact {
                Fact::BetsCalled => Some(HouseToTerminal::Called { round }),
                Fact::ClosingBegan { .. } => Some(HouseToTerminal::NoMoreBets { round }),
                Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => {
                    Some(HouseToTerminal::Ended)
                }
                _ => None,
            });
        }
        let mut messages = Vec::new();
        for (station, connection) in &process.links {
            let credit = table.stations[*station].credit.minor();
            messages.extend(news.iter().map(|message| (*station, *connection, *message)));
            if process.told.insert(*station, credit) != Some(credit) {
                let message = HouseToTerminal::Credit { minor: credit };
                messages.push((*station, *connection, message));
            }
        }
        for (station, connection, message) in messages {
            self.send_to_terminal(station, connection, message);
        }
    }

    /// Reads the journal on, as an outsider, and hands it to the auditor.
    pub(crate) fn read_journal(&mut self, from: u64, last: u64) -> Result<Vec<Event>, String> {
        let Some(process) = &self.house.process else {
            return Ok(Vec::new());
        };
        let mut read = Vec::new();
        let (auditor, tally) = (&mut self.auditor, &mut self.tally);
        self.outsider
            .read(process.store.as_ref(), from, last, |sequence, event| {
                count(tally, &event.fact);
                auditor.record(sequence, &translate::record(&event))?;
                read.push(event);
                Ok(())
            })?;
        Ok(read)
    }

    /// What the house shows against the auditor's own books.
    pub(crate) fn compare(&self) -> Checked {
        match self.house.shown() {
            Some(table) => self.auditor.compare(&translate::balances(table)),
            None => Ok(()),
        }
    }
}

/// Counts what a run has met, so that a test can see that nothing is missing.
fn count(tally: &mut Tally, fact: &Fact) {
    let kind = match fact {
        Fact::RoundSettled { .. } => {
            tally.settled += 1;
            return;
        }
        Fact::RoundVoided { .. } => {
            tally.void += 1;
            return;
        }
        Fact::ResultCorrected { .. } => {
            tally.amended += 1;
            "results corrected"
        }
        Fact::RoundVoidedLate { .. } => {
            tally.amended += 1;
            "rounds voided late"
        }
        Fact::StationFenced { .. } => "terminals fenced",
        Fact::CloseAcknowledged { .. } => "closes acknowledged",
        Fact::BetsRemoved { .. } => "bets taken back",
        Fact::CashedOut { .. } => "cash-outs",
        Fact::CreditBought { .. } => "buy-ins",
        Fact::KeysCleared => "keys cleared",
        Fact::ReadingsAgreed { .. } => "readings that disagreed",
        Fact::LateActRecorded { .. } => "late acts",
        Fact::PositionsRecorded { .. } => "positions written down",
        Fact::DeviceFailed { .. } => "device failures",
        Fact::OverpaymentRecovered { .. } | Fact::OverpaymentWaived { .. } => "overpayments ended",
        Fact::UnclaimedPaid { .. } => "unclaimed credits paid",
        Fact::DecisionRaised { pending } => pending.question.key(),
        _ => return,
    };
    tally.meet(kind);
}

/// A command in few words.
fn told(command: &Command) -> String {
    let mut act = format!("{:?}", command.act);
    if act.len() > 160 {
        let mut end = 160;
        while !act.is_char_boundary(end) {
            end -= 1;
        }
        act.truncate(end);
    }
    format!("command {}: {:?}: {act}", command.id, command.by)
}
