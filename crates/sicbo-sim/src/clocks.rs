//! The clocks of the machine that a world's house runs on: one that says what
//! time it is, and jumps when somebody sets it, and one that only counts and
//! begins anew with the machine. The process may be held for a while, so that
//! both have moved on when it looks again. All by a chance of their own.
//!
//! What is promised of time is checked here, by the world's own: bets close when
//! their window has passed, whatever the machine's clock says.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use sicbo_clock::{Clocks, HouseClock};
use sicbo_rules::rulebook::words::Closing;
use sicbo_table::actor::Actor;
use sicbo_table::round::{Phase, Tumble};
use sicbo_table::{Act, Command, Event, Fact};

use crate::canary::Canary;
use crate::engine::Engine;
use crate::house::Origin;
use crate::random::Random;
use crate::world::{BEGINNING_MS, Checked, Step, World};

/// From a deadline to its record: slow writes, and others before it.
const SLACK_MS: i64 = 4_000;
/// Bets that nothing holds open may be overdue for no longer.
const OVERDUE_MS: i64 = 8_000;

/// What both clocks show.
#[derive(Default, Debug)]
struct Shown {
    machine: AtomicI64,
    steady: AtomicI64,
}

struct Machine(Arc<Shown>);

impl Clocks for Machine {
    fn machine_ms(&self) -> i64 {
        self.0.machine.load(Ordering::Relaxed)
    }

    fn steady_ms(&self) -> i64 {
        self.0.steady.load(Ordering::Relaxed)
    }
}

/// How often what happens to the clocks; 0 for never.
#[derive(Clone, Copy, Debug)]
struct ClockFaults {
    jump_every_ms: i64,
    pause_every_ms: i64,
}

/// Bets that are taken: the round, since when by the world's time, in which life.
#[derive(Clone, Copy, Debug)]
struct Betting {
    round: u64,
    /// When the call was handed to the house: its time on record, from which the
    /// window is counted. It may wait a while for its turn and for the disk.
    handed_ms: i64,
    since_ms: i64,
    life: u32,
    /// Held for so long in between.
    away_ms: i64,
}

/// The clocks of one world.
pub(crate) struct WorldClocks {
    shown: Arc<Shown>,
    house: HouseClock,
    booted_ms: i64,
    /// How far the machine's clock is from the world's time.
    wrong_by_ms: i64,
    faults: ClockFaults,
    chance: Random,
    /// The process is held until then.
    held_until_ms: i64,
    /// When it was last released, and after how long.
    released_ms: (i64, i64),
    /// The time on the last record.
    recorded_ms: i64,
    /// Calls for bets, by command: when they were handed to the house.
    called_ms: BTreeMap<u64, i64>,
    betting: Option<Betting>,
    overdue_since_ms: Option<i64>,
}

impl WorldClocks {
    pub(crate) fn new(mut chance: Random, faulty: bool) -> WorldClocks {
        let shown = Arc::new(Shown::default());
        shown.machine.store(BEGINNING_MS, Ordering::Relaxed);
        let faults = match faulty {
            true => ClockFaults {
                jump_every_ms: *chance.pick(&[0, 20_000, 90_000]),
                pause_every_ms: *chance.pick(&[0, 0, 60_000]),
            },
            false => ClockFaults {
                jump_every_ms: 0,
                pause_every_ms: 0,
            },
        };
        WorldClocks {
            house: HouseClock::new(Box::new(Machine(Arc::clone(&shown)))),
            shown,
            booted_ms: BEGINNING_MS,
            wrong_by_ms: 0,
            faults,
            chance,
            held_until_ms: 0,
            released_ms: (0, 0),
            recorded_ms: 0,
            called_ms: BTreeMap::new(),
            betting: None,
            overdue_since_ms: None,
        }
    }

    /// Time has passed.
    pub(crate) fn now_is(&mut self, now_ms: i64) {
        let (machine, steady) = (now_ms + self.wrong_by_ms, now_ms - self.booted_ms);
        self.shown.machine.store(machine, Ordering::Relaxed);
        self.shown.steady.store(steady, Ordering::Relaxed);
    }

    /// The program begins, and with it the house's clock.
    pub(crate) fn boot(&mut self, now_ms: i64) {
        self.booted_ms = now_ms;
        self.held_until_ms = 0;
        self.now_is(now_ms);
        self.house = HouseClock::new(Box::new(Machine(Arc::clone(&self.shown))));
        self.house.not_before(self.recorded_ms);
    }

    /// Until when the process is held, if it is.
    pub(crate) fn held_until(&self, now_ms: i64) -> Option<i64> {
        (self.held_until_ms > now_ms).then_some(self.held_until_ms)
    }

    /// What the house writes on its records, and what it keeps deadlines by. A
    /// flawed one goes by the machine's clock.
    pub(crate) fn read(&self, flaw: Option<Canary>) -> (i64, i64) {
        match flaw {
            Some(Canary::GoesByTheWallClock) => {
                let machine = self.shown.machine.load(Ordering::Relaxed);
                (machine, machine)
            }
            _ => (self.house.now_ms(), self.house.steady_ms()),
        }
    }

    /// A command is handed to the house.
    pub(crate) fn handed(&mut self, command: &Command, now_ms: i64) {
        if command.act == Act::CallBets {
            self.called_ms.insert(command.id, now_ms);
        }
    }

    /// An event is on record.
    pub(crate) fn recorded(&mut self, event: &Event) {
        self.recorded_ms = match event.fact {
            Fact::ClockSet { is_ms, .. } => is_ms,
            _ => event.at_ms,
        };
    }
}

impl<E: Engine> World<E> {
    pub(crate) fn plan_clocks(&mut self) {
        let faults = self.clocks.faults;
        if faults.jump_every_ms > 0 {
            let wait = self.clocks.chance.between(1, 2 * faults.jump_every_ms);
            self.after(wait, Step::ClockJump);
        }
        if faults.pause_every_ms > 0 {
            let wait = self.clocks.chance.between(1, 2 * faults.pause_every_ms);
            self.after(wait, Step::Hold);
        }
        self.after(500, Step::WatchClock);
    }

    /// Somebody or something sets the machine's clock.
    pub(crate) fn clock_jumps(&mut self) {
        if self.ending {
            return;
        }
        let clocks = &mut self.clocks;
        let wait = clocks.chance.between(1, 2 * clocks.faults.jump_every_ms);
        let was = clocks.wrong_by_ms;
        let little = clocks.chance.between(1_200, 9_000);
        clocks.wrong_by_ms =
            *clocks
                .chance
                .pick(&[0, -little, little, -3_600_000, 3_600_000, 100 * 86_400_000]);
        let by = clocks.wrong_by_ms - was;
        clocks.now_is(self.now_ms);
        if by != 0 {
            self.tally.fault(match by < 0 {
                true => "clock set back",
                false => "clock set forward",
            });
            self.note(format!("the machine's clock jumps by {by} ms"));
        }
        self.after(wait, Step::ClockJump);
    }

    /// The process is held: what is said to it waits, and time goes on.
    pub(crate) fn hold(&mut self) {
        if self.ending {
            return;
        }
        let every = self.clocks.faults.pause_every_ms;
        let wait = self.clocks.chance.between(1, 2 * every);
        let held_ms = self.clocks.chance.between(1_000, 40_000);
        self.after(held_ms + wait, Step::Hold);
        if self.house.process.is_none() {
            return;
        }
        self.tally.fault("process held");
        self.note(format!("the process is held for {held_ms} ms"));
        self.clocks.held_until_ms = self.now_ms + held_ms;
        self.clocks.released_ms = (self.now_ms + held_ms, held_ms);
        self.clocks.overdue_since_ms = None;
        if let Some(betting) = &mut self.clocks.betting {
            betting.away_ms += held_ms;
        }
        self.promises.away(held_ms);
        let life = self.house.life;
        self.after(held_ms, Step::Released { life });
    }

    /// The process goes on, and notices that it was away.
    pub(crate) fn released(&mut self) {
        let (_, steady_ms) = self.clocks.read(self.house.flaw);
        if let Some(process) = &mut self.house.process {
            process.writer_loop.was_away(steady_ms);
        }
    }

    /// The clocks are compared; when they have parted a person looks in the end.
    pub(crate) fn watch_clock(&mut self) -> Checked {
        if self.ending {
            return Ok(());
        }
        let wait = self.clocks.chance.between(200, 900);
        self.after(wait, Step::WatchClock);
        self.bets_are_not_overdue()?;
        if self.house.flaw == Some(Canary::GoesByTheWallClock) {
            return Ok(());
        }
        let Some(table) = self.house.shown().filter(|table| table.config.is_some()) else {
            return Ok(());
        };
        // The clock is set at a quiet moment and the table told at once: what it
        // writes between the two would be by a clock that is not on record yet.
        let quiet = self
            .house
            .process
            .as_ref()
            .is_some_and(|process| process.door.is_empty() && process.writer_loop.has_room());
        let act = match (table.clock_parted, self.clocks.house.apart()) {
            (None, Some((_, machine_ms))) => Act::ReportClock { machine_ms },
            (Some(_), _) if quiet && self.clocks.chance.chance(150) => {
                let (was_ms, is_ms) = self.clocks.house.take();
                Act::SetClock { was_ms, is_ms }
            }
            _ => return Ok(()),
        };
        self.submit(Origin::House, Actor::House, None, act)?;
        self.wake()
    }

    /// Follows how long bets are taken, by the world's own time.
    pub(crate) fn time_is_kept(&mut self, events: &[Event]) -> Checked {
        let window_ms = i64::from(self.plan.config.window_ms);
        let round = self.house.shown().map_or(0, |table| table.last_round.0);
        for event in events {
            match event.fact {
                Fact::BetsCalled => {
                    self.clocks.overdue_since_ms = None;
                    // Decided before the process was held, and told after.
                    let (released_ms, held_ms) = self.clocks.released_ms;
                    let just_now = self.now_ms - released_ms < SLACK_MS;
                    let handed_ms = self.clocks.called_ms.get(&event.command);
                    self.clocks.betting = Some(Betting {
                        round,
                        handed_ms: handed_ms.copied().unwrap_or(self.now_ms),
                        since_ms: self.now_ms,
                        life: self.house.life,
                        away_ms: if just_now { held_ms } else { 0 },
                    });
                }
                Fact::ClosingBegan { .. } => {
                    let betting = self.clocks.betting.take();
                    let Some(betting) = betting.filter(|betting| {
                        event.by == Actor::House
                            && betting.life == self.house.life
                            && betting.round == round
                    }) else {
                        continue;
                    };
                    let taken_ms = self.now_ms - betting.handed_ms;
                    if taken_ms < window_ms - SLACK_MS - betting.away_ms {
                        return Err(format!(
                            "bets were closed by the clock after {taken_ms} ms of {window_ms}"
                        ));
                    }
                    self.tally.meet("windows closed by the clock");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Bets that nothing holds open are closed when their window has passed.
    fn bets_are_not_overdue(&mut self) -> Checked {
        let window_ms = i64::from(self.plan.config.window_ms);
        let now_ms = self.now_ms;
        let betting = self.clocks.betting.filter(|betting| {
            betting.life == self.house.life && now_ms > betting.since_ms + window_ms
        });
        let running = self.house.process.as_ref().filter(|process| {
            let free = process.writer_loop.stopped().is_none();
            free && process.door.is_empty()
        });
        let open = betting.zip(running).is_some_and(|(betting, process)| {
            let table = process.shown.table();
            let by_clock = table
                .book()
                .is_some_and(|book| book.play.closes.is == Closing::TerminalDisplay);
            table.round.as_deref().is_some_and(|round| {
                by_clock
                    && round.number.0 == betting.round
                    && round.phase == Phase::Betting
                    && round.must_void.is_none()
                    && !matches!(round.tumble, Tumble::Activated)
                    && table.holding().is_none()
            })
        });
        if !open {
            self.clocks.overdue_since_ms = None;
            return Ok(());
        }
        let since = *self.clocks.overdue_since_ms.get_or_insert(now_ms);
        if now_ms - since > OVERDUE_MS {
            return Err(format!(
                "bets stay open {} ms beyond their window",
                now_ms - since
            ));
        }
        Ok(())
    }
}
