//! The life of the process in its world: starting, commands at the door, the
//! loop's effects carried out, blocks on their way to the medium, and the
//! power going at any step.

use sicbo_loop::{Answer, Effect, Input, Order};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::{Act, Command, Table};

use crate::canary::Canary;
use crate::engine::Engine;
use crate::house::{Origin, Token};
use crate::medium::{StartFault, WriteFault};
use crate::translate;
use crate::world::{Checked, Step, World};

impl<E: Engine> World<E> {
    /// The process begins, or comes back and settles the past.
    pub(crate) fn start(&mut self) -> Checked {
        self.restart_planned = false;
        let stopped = |process: &crate::house::Process<E>| process.writer_loop.stopped().is_some();
        let failed = self.house.process.as_ref().is_some_and(stopped);
        if failed {
            // Its journal failed: the process is replaced.
            self.house.process = None;
            self.cut_all();
        }
        if self.house.process.is_some() {
            return Ok(());
        }
        self.house.medium.make_room();
        // A sync that was to fail in the last life may fail in recovery.
        let awaits = self.house.medium.awaits_fault();
        let fault = self.plan_start_fault();
        let mut started = self.house.start(&self.plan);
        for what in std::mem::take(&mut self.house.misread) {
            self.note(format!("the journal is read again: {what}"));
            if fault == Some(StartFault::RottenRead) {
                self.tally.fault("wrong bit within recovery");
            }
        }
        let down = self.house.medium.cancel_faults();
        if started.is_ok() && fault == Some(StartFault::RottenRead) {
            // A start that noticed nothing has come to the state of the journal.
            // But what was read wrong must not stay in anyone's memory.
            let state = self.house.shown().cloned();
            self.house.process = None;
            started = self.house.start(&self.plan);
            if started.is_ok() && self.house.shown() != state.as_ref() {
                return Err("a bit read wrong at a start came to another state".to_owned());
            }
        }
        let interrupted = match started {
            Ok(interrupted) if !down => interrupted,
            Ok(_) => {
                self.start_again(fault, down);
                return Ok(());
            }
            // Nothing but one bit was wrong, and only once.
            Err(what)
                if fault == Some(StartFault::RottenRead)
                    && matches!(self.house.flaw, None | Some(Canary::ReadsOnce))
                    && !(awaits || down || self.house.medium.has_reader()) =>
            {
                return Err(format!(
                    "a bit that was read wrong once keeps the house shut: {what}"
                ));
            }
            Err(what) if fault.is_some() || awaits || self.house.medium.has_reader() => {
                self.note(format!("it does not start: {what}"));
                self.start_again(fault, down);
                return Ok(());
            }
            Err(what) => return Err(what),
        };
        if failed && self.disk_chance.chance(self.plan.disk.cut_after_failure) {
            let wait = self.disk_chance.between(1_000, 20_000);
            self.after(wait, Step::CutAfterFailure);
        }
        if self.house.from_snapshot {
            self.tally.meet("starts from a snapshot");
        }
        self.note(format!("life {} begins", self.house.life));
        self.promises.restarted();
        self.waiting_since = None;
        self.read_journal(1, u64::MAX)?;
        self.clocks.boot(self.now_ms);
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
        if self.house.process.is_none() {
            return;
        }
        self.note(format!("{kind}: life {} ends", self.house.life));
        self.tally.fault(kind);
        self.house.medium.lose_power();
        self.house.process = None;
        // What was planned for this life is void from here on.
        self.house.life += 1;
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
        let (at_ms, _) = self.clocks.read(self.house.flaw);
        let command = Command {
            id,
            at_ms,
            by,
            second,
            act,
        };
        self.note(told(&command));
        self.clocks.handed(&command, self.now_ms);
        self.promises.asked(id, translate::asked(&command));
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
        let (now_ms, steady_ms) = self.clocks.read(self.house.flaw);
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
                .step(Input::Tick { now_ms, steady_ms }, &mut effects);
        }
        self.carry_out(effects)
    }

    /// Time has passed.
    pub(crate) fn tick(&mut self) -> Checked {
        let mut effects = Vec::new();
        let (now_ms, steady_ms) = self.clocks.read(self.house.flaw);
        if let Some(process) = &mut self.house.process {
            process.tick_planned = None;
            process
                .writer_loop
                .step(Input::Tick { now_ms, steady_ms }, &mut effects);
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
                    ..
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
        let (_, steady_ms) = self.clocks.read(self.house.flaw);
        let Some(process) = &mut self.house.process else {
            return;
        };
        let Some(due) = process.writer_loop.due_ms() else {
            return;
        };
        // What was refused at its time is asked again a little later.
        let at = match due - steady_ms {
            wait if wait > 0 => now_ms + wait,
            _ => now_ms + 250,
        };
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
        if self.house.flaw == Some(Canary::AnswersTooEarly) {
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
        let taken = self.disk_chance.chance(self.plan.disk.taken_away)
            && self.house.medium.take_away(&mut self.disk_chance);
        let outcome = self.house.write(snapshot_fails);
        if taken {
            self.tally.fault("file removed");
            self.house.medium.put_back();
            if outcome.is_ok() {
                return Err("a block was acknowledged into a removed file".to_owned());
            }
        }
        if let Err(error) = &outcome {
            self.note(format!("the append fails: {error}"));
            self.promises.append_failed();
        }
        if self.chance.chance(faults.cut_after_write) {
            self.power_cut("power cut after a write");
            return Ok(());
        }
        if self.house.flaw != Some(Canary::AnswersTooEarly) {
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
            Err(_) if self.house.flaw == Some(Canary::IgnoresFailure) => Input::Durable,
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
