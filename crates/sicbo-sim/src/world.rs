//! One world: everything that happens, in simulated time, one step after the
//! other. No wall clock, no threads: the same seed takes the same steps.

use sicbo_table::station::StationKind;

use crate::canary::Canary;
use crate::clocks::WorldClocks;
use crate::dealer::{Dealer, Said};
use crate::engine::Engine;
use crate::house::{House, Origin};
use crate::outsider::Outsider;
use crate::plan::{DiskFaults, Plan};
use crate::promises::Promises;
use crate::queue::Queue;
use crate::random::Random;
use crate::tally::Tally;
use crate::terminal::{HouseToTerminal, Terminal, TerminalToHouse};

/// The moment every world begins, UTC milliseconds.
pub(crate) const BEGINNING_MS: i64 = 1_794_772_800_000;

/// A world that has not come to its end by then is stuck.
const LONGEST_MS: i64 = 3 * 3_600_000;

/// What happens.
pub(crate) enum Step {
    /// A message reaches the house.
    ToHouse {
        station: usize,
        connection: u32,
        message: TerminalToHouse,
    },
    /// A message reaches a terminal.
    ToTerminal {
        station: usize,
        connection: u32,
        message: HouseToTerminal,
    },
    /// Something said at the table reaches the house.
    ToDesk { life: u32, said: Box<Said> },
    /// The house looks at its door.
    Wake { life: u32 },
    /// The loop's own time may have come.
    Tick { life: u32 },
    /// The block in flight reaches the medium.
    Platter { life: u32 },
    /// The loop hears what came of it.
    Written {
        life: u32,
        outcome: Result<(), String>,
    },
    /// The house notices that a connection is gone.
    LinkLost {
        life: u32,
        station: usize,
        connection: u32,
    },
    /// A player acts.
    Play { station: usize },
    /// A terminal shows the close.
    Show { station: usize, round: u64 },
    /// A terminal says a request again.
    Again { station: usize, request: u64 },
    /// A terminal connects.
    Connect { station: usize },
    /// The people at the table act.
    Think,
    /// The lights go out, as they do from time to time.
    PowerCut,
    /// The lights go out soon after a write had failed.
    CutAfterFailure,
    /// The log's keeper has its turn.
    KeepLog,
    /// A reader of the journal comes or leaves.
    Reader,
    /// The machine's clock is set.
    ClockJump,
    /// The process is held for a while.
    Hold,
    /// It goes on.
    Released { life: u32 },
    /// The clocks are compared.
    WatchClock,
    /// The process comes back.
    Restart,
    /// Everything has had time to come to its end.
    End,
}

/// Who uses a house's disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Disk {
    /// The house alone.
    Own,
    /// Others too, with faults of their own.
    Shared,
}

pub(crate) type Checked = Result<(), String>;

/// A world.
pub(crate) struct World<E: Engine> {
    pub(crate) seed: u64,
    pub(crate) now_ms: i64,
    pub(crate) queue: Queue<Step>,
    pub(crate) plan: Plan,
    pub(crate) house: House<E>,
    /// Terminals by station; seats have none.
    pub(crate) terminals: Vec<Option<Terminal>>,
    pub(crate) wires: Vec<[i64; 2]>,
    pub(crate) dealer: Dealer,
    /// What the desk said last and has no answer to: when.
    pub(crate) waiting_since: Option<i64>,
    pub(crate) promises: Promises,
    pub(crate) outsider: Outsider,
    pub(crate) tally: Tally,
    pub(crate) chance: Random,
    pub(crate) players: Random,
    pub(crate) people: Random,
    /// For the disk's own actors and faults.
    pub(crate) disk_chance: Random,
    /// For those who read beside the house.
    pub(crate) read_chance: Random,
    pub(crate) clocks: WorldClocks,
    pub(crate) next_command: u64,
    pub(crate) ending: bool,
    ended: bool,
    pub(crate) restart_planned: bool,
}

impl<E: Engine> World<E> {
    pub(crate) fn new(seed: u64, flaw: Option<Canary>, disk: Disk) -> Result<World<E>, String> {
        let mut random = Random::new(seed);
        let mut plan = Plan::new(seed, &mut random.fork());
        let (chance, players, people) = (random.fork(), random.fork(), random.fork());
        let mut disk_chance = random.fork();
        if disk == Disk::Shared {
            plan.disk = DiskFaults::new(&mut disk_chance, &plan.faults);
        }
        let calm = plan.faults.delay + plan.faults.mistake + plan.faults.repeat == 0;
        let clocks = WorldClocks::new(random.fork(), disk == Disk::Shared && !calm);
        let mut read_chance = random.fork();
        if disk == Disk::Shared && !calm {
            plan.disk.draw_more(&mut read_chance);
        }
        let house = House::new(&plan, seed, flaw)?;
        let step = plan.config.limits.by_kind[0].step.minor();
        let terminals = plan
            .stations
            .iter()
            .enumerate()
            .map(|(i, new)| {
                let layout = plan.config.book.layout(&new.layout)?;
                (new.kind == StationKind::Terminal)
                    .then(|| Terminal::new(i, layout, step, plan.manners[i]))
            })
            .collect::<Vec<_>>();
        let mut world = World {
            seed,
            now_ms: BEGINNING_MS,
            queue: Queue::new(),
            house,
            wires: vec![[0; 2]; terminals.len()],
            terminals,
            dealer: Dealer::default(),
            waiting_since: None,
            promises: Promises::default(),
            outsider: Outsider::default(),
            tally: Tally::default(),
            chance,
            players,
            people,
            disk_chance,
            read_chance,
            clocks,
            next_command: 1,
            ending: false,
            ended: false,
            restart_planned: false,
            plan,
        };
        world.start()?;
        world.after(300, Step::Think);
        for station in 0..world.terminals.len() {
            if world.terminals[station].is_some() {
                let wait = world.chance.between(1, 400);
                world.after(wait, Step::Connect { station });
                world.after(wait + 200, Step::Play { station });
            }
        }
        world.plan_power_cut();
        world.plan_disk_actors();
        world.plan_clocks();
        Ok(world)
    }

    pub(crate) fn after(&mut self, wait_ms: i64, step: Step) {
        self.queue.plan(self.now_ms + wait_ms, step);
    }

    fn plan_power_cut(&mut self) {
        let every = self.plan.faults.power_cut_every_ms;
        if every > 0 {
            let wait = self.chance.between(1, 2 * every);
            self.after(wait, Step::PowerCut);
        }
    }

    pub(crate) fn note(&mut self, what: String) {
        self.tally.remember(self.now_ms - BEGINNING_MS, what);
    }

    /// Lives until the planned rounds are played and everything has settled.
    pub(crate) fn run(&mut self) -> Checked {
        while !self.ended {
            let Some((at_ms, step)) = self.queue.next() else {
                return Err("nothing is left to happen".to_owned());
            };
            if at_ms - BEGINNING_MS > LONGEST_MS {
                return Err("it does not come to its end".to_owned());
            }
            self.now_ms = at_ms;
            self.clocks.now_is(at_ms);
            if let Some(until_ms) = self.clocks.held_until(at_ms)
                && of_the_process(&step)
            {
                // It lies in a socket, or on the disk, until somebody looks.
                self.queue.plan(until_ms, step);
                continue;
            }
            self.tally.steps += 1;
            self.step(step)?;
        }
        self.finish()
    }

    fn step(&mut self, step: Step) -> Checked {
        let current = self.house.life;
        match step {
            Step::ToHouse {
                station,
                connection,
                message,
            } => self.at_house(station, connection, message),
            Step::ToTerminal {
                station,
                connection,
                message,
            } => {
                self.at_terminal(station, connection, message);
                Ok(())
            }
            Step::ToDesk { life, said } if life == current => {
                self.submit(Origin::Desk, said.by, said.second, said.act)
            }
            Step::Wake { life } if life == current => self.wake(),
            Step::Tick { life } if life == current => self.tick(),
            Step::Platter { life } if life == current => self.platter(),
            Step::Written { life, outcome } if life == current => self.written(outcome),
            Step::LinkLost {
                life,
                station,
                connection,
            } if life == current => self.link_lost(station, connection),
            Step::Released { life } if life == current => {
                self.released();
                Ok(())
            }
            Step::ToDesk { .. }
            | Step::Wake { .. }
            | Step::Tick { .. }
            | Step::Platter { .. }
            | Step::Written { .. }
            | Step::LinkLost { .. }
            | Step::Released { .. } => Ok(()),
            Step::ClockJump => {
                self.clock_jumps();
                Ok(())
            }
            Step::Hold => {
                self.hold();
                Ok(())
            }
            Step::WatchClock => self.watch_clock(),
            Step::Play { station } => {
                self.player(station);
                Ok(())
            }
            Step::Show { station, round } => {
                self.show(station, round);
                Ok(())
            }
            Step::Again { station, request } => {
                self.again(station, request);
                Ok(())
            }
            Step::Connect { station } => {
                self.connect(station);
                Ok(())
            }
            Step::Think => {
                self.think();
                Ok(())
            }
            Step::PowerCut => {
                if !self.ending {
                    self.power_cut("power cut");
                    self.plan_power_cut();
                }
                Ok(())
            }
            Step::CutAfterFailure => {
                if !self.ending {
                    self.power_cut("power cut");
                }
                Ok(())
            }
            Step::KeepLog => {
                self.keep_log();
                Ok(())
            }
            Step::Reader => self.reader(),
            Step::Restart => self.start(),
            Step::End => {
                let idle = self.house.process.as_ref().is_some_and(|process| {
                    let stopped = process.writer_loop.stopped().is_some();
                    !stopped && !process.writer_loop.is_flying() && process.door.is_empty()
                });
                self.ended = idle;
                if !idle {
                    self.after(1_000, Step::End);
                }
                Ok(())
            }
        }
    }
}

/// What the process itself does, or is told.
fn of_the_process(step: &Step) -> bool {
    matches!(
        step,
        Step::ToHouse { .. }
            | Step::ToDesk { .. }
            | Step::Wake { .. }
            | Step::Tick { .. }
            | Step::Platter { .. }
            | Step::Written { .. }
            | Step::LinkLost { .. }
            | Step::KeepLog
            | Step::WatchClock
    )
}
