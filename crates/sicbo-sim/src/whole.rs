//! A whole house from one seed: its register, one to five tables of any books,
//! terminals, staff, devices and those who look on, vouchers that go between
//! tables, two-person acts and players' own limits, with no thread and no socket.
//!
//! The house is the real one, and its clients speak to it in the messages of the
//! wire. Which acts and which faults there are, each seed draws (`swarm`). At the
//! end the faults stop, everything comes to rest, and the journals are verified,
//! compared with each other, audited, and held against everything that clients
//! were told.
//!
//! Outside it are the threads of a server, the sockets and the background keeper
//! of a journal's log; those have tests of their own.

mod checks;
mod coverage;
mod crew;
mod damage;
mod devices;
mod dishonest;
mod earlier;
mod host;
mod judges;
mod life;
mod misfortune;
mod office;
mod pair;
mod player;
mod report;
mod scenario;
mod scene;
mod shelf;
mod shrink;
mod staff;
mod story;
mod stream;
mod swarm;
mod tables;
mod time;
mod trace;
mod vault;
mod watchers;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_channel::mpsc;
use futures_util::StreamExt as _;
use futures_util::task::LocalSpawnExt as _;
use parking_lot::Mutex;
use serde_json::json;
use sicbo_clock::HouseClock;
use sicbo_house::connection::boxes;
use sicbo_house::house::{House, Present};
use sicbo_house::terminal::Terminal;
use sicbo_journal::{HouseKey, KeyRing, StreamId};
use sicbo_plan::{DealerPlan, HousePlan, TablePlan};
use sicbo_register as register;
use sicbo_register::enrolment::{EnrolmentId, Role, TableName};
use sicbo_rules::rulebook::words::Position;
use sicbo_wire::PROTOCOL;

use crate::random::Random;
use crate::tally::Failure;
use checks::{Adjusted, check};
pub use coverage::{Coverage, reachable};
use crew::{Crew, Presence};
use devices::WorldLine;
pub use dishonest::{
    ACTS_OF_A_HOUSE, Counterparts, Insider, InsiderReport, register_temptations,
    run_flawed_insider, run_insider, temptations,
};
use earlier::Earlier;
use life::{Life, Printed, Trouble, stream_of};
use player::{Moment, Player};
pub use report::HouseReport;
pub use scenario::{HouseFlaw, Scenario};
use scene::key_of;
use shelf::Shelf;
pub use shrink::{Shrunk, shrink};
pub use swarm::{Part, Swarm};
use time::WorldTime;
use trace::Trace;
use vault::Vault;
use watchers::Watcher;
use wire::{Link, Weather};

/// Steps of a world before it comes to its end.
const STEPS: u64 = 2_500;
/// Steps in which everything must come to rest.
const LAST_STEPS: u64 = 20_000;
/// The hash of a PIN that nobody types here.
const PIN: &str = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";

/// What the numbers of vouchers are drawn from.
const VOUCHERS: [u8; 32] = [3; 32];

/// Runs a whole house.
///
/// # Errors
/// The first promise that was broken.
pub fn run_house(seed: u64) -> Result<HouseReport, Box<Failure>> {
    run_scenario(&Scenario::of(seed)).0
}

/// Runs a whole house with a deliberate fault.
///
/// # Errors
/// As [`run_house`].
pub fn run_flawed_house(seed: u64, flaw: HouseFlaw) -> Result<HouseReport, Box<Failure>> {
    let scenario = Scenario {
        flaw,
        ..Scenario::of(seed)
    };
    run_scenario(&scenario).0
}

/// What came of a house, or the first promise that was broken.
pub type Outcome = Result<HouseReport, Box<Failure>>;

/// Runs a house; with its story, where it is wanted.
pub fn run_scenario(scenario: &Scenario) -> (Outcome, Vec<String>) {
    let trace = Trace::with_story(scenario.story);
    let swarm = scenario.drawn();
    let world = World::over(
        (scenario.seed, scenario.flaw),
        (swarm, trace.clone()),
        |draw, swarm| scene::plan(draw, swarm, scenario.book.as_deref()),
    );
    let steps = scenario.steps.unwrap_or(STEPS);
    let (ran, mut story) = match world {
        Ok(mut world) => {
            let mut ran = world.run(steps);
            if scenario.story {
                world.tell_journals();
            }
            if let Some(Err(what)) = scenario.data.as_deref().map(|data| world.write_data(data)) {
                ran = ran.and(Err(what));
            }
            (ran, trace.take_story())
        }
        Err(what) => (Err(what), Vec::new()),
    };
    story.sort_by_key(|(at_ms, _)| *at_ms);
    let story = story.into_iter();
    let told =
        story.map(|(at_ms, words)| format!("{:>9}.{:03}  {words}", at_ms / 1_000, at_ms % 1_000));
    (
        ran.map_err(|what| failed(scenario.seed, what)),
        told.collect(),
    )
}

fn failed(seed: u64, what: String) -> Box<Failure> {
    Box::new(Failure {
        seed,
        plays: "SEED",
        what,
        last: Vec::new(),
    })
}

/// What conversations leave behind.
#[derive(Default)]
struct Results {
    /// Players whose limit holds.
    limited: Vec<usize>,
    adjusted: Vec<Adjusted>,
    /// How often what moves money was told as done anew, by table and number.
    requests: BTreeMap<(String, u64), u64>,
    /// What was met.
    reached: BTreeSet<String>,
    /// What must not have been.
    faults: Vec<String>,
}

impl Results {
    fn reach(&mut self, what: String) {
        self.reached.insert(what);
    }
}

/// Two people who adjust credit together.
struct Pair {
    first: Present,
    second: Present,
}

struct World {
    seed: u64,
    flaw: HouseFlaw,
    /// What is on now.
    swarm: Swarm,
    /// What was on before the end.
    drawn: Swarm,
    trace: Trace,
    time: WorldTime,
    clock: Arc<HouseClock>,
    plan: HousePlan,
    streams: Vec<StreamId>,
    shelf: Shelf,
    key: HouseKey,
    life: Option<Life>,
    lives: u64,
    pair: Option<Pair>,
    present: Presence,
    players: Vec<Player>,
    /// Lines that broke while something was still on its way to the house.
    stragglers: Vec<Link>,
    crews: Vec<Crew>,
    lines: BTreeMap<TableName, WorldLine>,
    watchers: Vec<Watcher>,
    /// Consoles, desks and windows, where staff work at enrolled places.
    desks: Vec<(Role, EnrolmentId)>,
    /// Papers that came out of printers.
    papers: Vec<Printed>,
    results: Arc<Mutex<Results>>,
    requests: u64,
    chance: Random,
    people: Random,
    /// What goes wrong, by a chance of its own.
    trouble: Random,
    weather: Weather,
    /// A write is about to fail; when the disk is mended.
    planned: bool,
    mended_ms: i64,
    /// The power is going: what stops meanwhile is no second cut.
    cutting: bool,
    /// Who is not there, and until when.
    away: Option<(Position, i64)>,
    /// Tables that are not in the plan now, to come back.
    elsewhere: Vec<TablePlan>,
    /// An older copy of the register's journal.
    old_register: Option<Shelf>,
    /// A copy of everything, that may be old.
    copy: Option<Shelf>,
    /// What is kept outside the house.
    vault: Option<Vault>,
    /// An earlier program began it.
    earlier: Option<&'static Earlier>,
    /// What the numbers of vouchers are drawn from.
    vouchers: [u8; 32],
    begins_ms: i64,
    compared_ms: i64,
    /// The most that passes between two steps.
    tempo_ms: i64,
}

impl World {
    fn over(
        (seed, flaw): (u64, HouseFlaw),
        (swarm, trace): (Swarm, Trace),
        scene: impl FnOnce(&mut Random, &Swarm) -> Result<HousePlan, String>,
    ) -> Result<World, String> {
        let mut random = Random::new(seed);
        let mut draw = random.fork();
        let earlier = swarm.has(Part::Earlier).then(|| {
            // By a chance of its own: other houses stay as they are.
            Earlier::drawn(&mut Random::new(seed.rotate_left(32)))
        });
        let plan = match earlier {
            Some(earlier) => earlier.plan()?,
            None => scene(&mut draw, &swarm)?,
        };
        let time = match earlier {
            Some(_) => WorldTime::beginning_at(Earlier::begins_ms()),
            None => WorldTime::default(),
        };
        let clock = Arc::new(HouseClock::new(Box::new(time.clone())));
        let names = plan.tables.iter().map(|table| table.name.as_str());
        let streams = names.chain([register::STREAM]).map(stream_of);
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let mut entropy = [0x51; 32];
        entropy[..8].copy_from_slice(&seed.to_be_bytes());
        let limits = swarm.has(Part::Limits) && earlier.is_none();
        let mut players = scene::players(&plan, &mut draw, limits, &trace);
        let on_disk = swarm.has(Part::Disk);
        let shelf = match earlier {
            Some(earlier) => {
                earlier.seat(&mut players);
                earlier.shelf(on_disk)?
            }
            None => Shelf::new(on_disk, &streams),
        };
        let tables: Vec<TableName> = plan.tables.iter().map(|at| at.name.clone()).collect();
        let crews = plan.tables.iter();
        let crews = crews.map(|at| Crew::new(at.name.clone(), at.dealer == DealerPlan::Person));
        Ok(World {
            seed,
            flaw,
            trace,
            time,
            clock,
            shelf,
            streams,
            key: match earlier {
                Some(_) => Earlier::key(),
                None => HouseKey::from_entropy(&entropy),
            },
            life: None,
            lives: 0,
            pair: None,
            present: Presence::new(),
            players,
            stragglers: Vec::new(),
            crews: crews.collect(),
            lines: scene::lines(&plan),
            watchers: match swarm.has(Part::Watchers) {
                true => Watcher::all(&tables),
                false => Vec::new(),
            },
            desks: Vec::new(),
            papers: earlier.and_then(Earlier::paper).into_iter().collect(),
            results: Arc::default(),
            requests: earlier.map_or(0, |_| Earlier::requests()),
            chance: random.fork(),
            people: random.fork(),
            trouble: random.fork(),
            weather: Weather {
                swarm: swarm.clone(),
                chance: random.fork(),
            },
            planned: false,
            mended_ms: 0,
            cutting: false,
            away: None,
            elsewhere: Vec::new(),
            old_register: None,
            copy: None,
            vault: None,
            earlier,
            vouchers: match earlier {
                Some(_) => Earlier::voucher_secret(),
                None => VOUCHERS,
            },
            begins_ms: 0,
            compared_ms: 0,
            tempo_ms: draw.between(20, 60),
            plan,
            drawn: swarm.clone(),
            swarm,
        })
    }

    fn run(&mut self, steps: u64) -> Result<HouseReport, String> {
        for step in 0..steps {
            self.pass(self.tempo_ms);
            if self.life.is_none() {
                self.begin_when_due()?;
                continue;
            }
            self.turn(false)?;
            if self.life.is_none() {
                continue;
            }
            self.play(true)?;
            self.work(true)?;
            self.office()?;
            self.look_on()?;
            if step == steps / 3 && self.flaw == HouseFlaw::OldRegister {
                self.old_register = Some(self.shelf.copy(&self.streams)?);
            }
            self.go_wrong()?;
        }
        self.come_to_rest()
    }

    /// Every fault is off, no further round begins, nobody begins anything: all
    /// of it is answered, every round ends and every decision is taken.
    fn come_to_rest(&mut self) -> Result<HouseReport, String> {
        self.swarm.calm();
        self.weather.swarm.calm();
        self.shelf.mend();
        self.away = None;
        self.time.drift(0);
        if self.bring_tables_back() {
            self.power_cut()?;
        }
        for _ in 0..LAST_STEPS {
            self.pass(self.tempo_ms);
            if self.life.is_none() {
                self.begin_when_due()?;
                continue;
            }
            if self.is_at_rest()? {
                return self.report();
            }
            self.turn(false)?;
            self.play(false)?;
            self.work(false)?;
            self.look_on()?;
            self.mend()?;
        }
        Err(format!("it does not come to its end: {}", self.unrest()?))
    }

    fn pass(&mut self, most_ms: i64) {
        let passed = self.chance.between(0, most_ms);
        self.time.pass(passed);
    }

    /// The life there is.
    fn life(&mut self) -> Result<&mut Life, String> {
        self.life.as_mut().ok_or_else(|| "no life".to_owned())
    }

    fn turn(&mut self, lost: bool) -> Result<(), String> {
        let Some(life) = &mut self.life else {
            return Ok(());
        };
        let mut trouble = Trouble {
            shelf: &self.shelf,
            chance: &mut self.trouble,
            writes: match self.swarm.has(Part::WriteFailures) {
                true => 100,
                false => 0,
            },
            printers: self.swarm.has(Part::PrinterFaults),
            slow: match self.swarm.has(Part::SlowDisk) {
                true => 800,
                false => 0,
            },
            lost,
            planned: &mut self.planned,
        };
        let turn = life.turn(&mut self.chance, &mut trouble)?;
        self.papers.extend(turn.printed);
        for what in turn.failed {
            self.mended_ms = self.time.steady_ms() + self.trouble.between(200, 2_000);
            self.met("fault a write failed", || format!("a write failed: {what}"));
        }
        if turn.torn {
            self.met("kill within a write", || {
                "the power goes within a write".to_owned()
            });
            return self.power_cut();
        }
        if self.life.as_ref().is_some_and(Life::register_stopped) {
            self.met("fault the register stopped", || {
                "the register's journal has failed: the program is replaced".to_owned()
            });
            return self.power_cut();
        }
        Ok(())
    }

    /// Notes what was met, and tells it.
    fn met(&mut self, what: &str, story: impl FnOnce() -> String) {
        self.results.lock().reach(what.to_owned());
        self.trace.tell(self.clock.now_ms(), story);
    }

    /// Players do what they do; with `anew` false, nothing is begun.
    fn play(&mut self, anew: bool) -> Result<(), String> {
        let now_ms = self.time.steady_ms();
        self.stragglers
            .retain_mut(|link| link.straggles() && link.deliver(now_ms));
        for number in 0..self.players.len() {
            if self.life.is_none() {
                return Ok(());
            }
            if self.players[number].link.is_none() {
                if self.people.chance(200) {
                    self.connect(number)?;
                }
                continue;
            }
            let mut moment = Moment {
                chance: &mut self.people,
                weather: &mut self.weather,
                now_ms,
            };
            let player = &mut self.players[number];
            let mut broken = player.listen(&mut moment)?;
            if anew {
                player.act(&mut moment, &self.papers);
                if self.swarm.has(Part::Disconnects) && self.people.below(400) == 0 {
                    broken = player.cut().or(broken);
                }
            } else if moment.chance.chance(20) {
                // A terminal that is not answered says it again.
                player.again(&mut moment);
            }
            let straggles = self.swarm.has(Part::Stragglers);
            self.stragglers.extend(broken.filter(|_| straggles));
            self.limit(number)?;
        }
        let (limited, fault) = {
            let mut results = self.results.lock();
            (std::mem::take(&mut results.limited), results.faults.pop())
        };
        for number in limited {
            self.players[number].limit_asked = true;
        }
        if anew && self.swarm.has(Part::Adjustments) && self.people.below(60) == 0 {
            self.adjust()?;
        }
        fault.map_or(Ok(()), Err)
    }

    fn house(&mut self) -> Result<Arc<House>, String> {
        Ok(Arc::clone(&self.life()?.house))
    }

    fn spawn(&mut self, work: impl Future<Output = ()> + 'static) -> Result<(), String> {
        let spawner = self.life()?.pool.spawner();
        spawner.spawn_local(work).map_err(|error| error.to_string())
    }

    fn connect(&mut self, number: usize) -> Result<(), String> {
        let house = self.house()?;
        let token = &self.players[number].token;
        let hello = json!({"type": "hello", "protocol": PROTOCOL, "token": token});
        let Ok(mut terminal) = Terminal::greeted(&house, &hello.to_string()) else {
            return Ok(());
        };
        let (says, mut said) = mpsc::unbounded::<String>();
        let (outbox, hears) = boxes(1);
        self.spawn(async move {
            terminal.come(outbox.clone()).await;
            while let Some(text) = said.next().await {
                if let Some(told) = terminal.message(&text).await
                    && !outbox.put(told)
                {
                    break;
                }
            }
            terminal.leave().await;
        })?;
        let mut moment = Moment {
            chance: &mut self.people,
            weather: &mut self.weather,
            now_ms: self.time.steady_ms(),
        };
        let player = &mut self.players[number];
        player.link = Some(Link::new(says, hears));
        player.again(&mut moment);
        Ok(())
    }

    fn report(&mut self) -> Result<HouseReport, String> {
        let (records, _) = self.life()?.tails();
        let ring = KeyRing::new(self.key.public());
        for stream in &self.streams {
            let store = self.shelf.read(stream)?;
            self.trace.journal(stream.as_str(), store.as_ref())?;
        }
        let results = self.results.lock();
        let mut refusals: BTreeMap<String, u64> = BTreeMap::new();
        for (code, count) in self.players.iter().flat_map(|player| &player.refusals) {
            *refusals.entry(code.clone()).or_default() += count;
        }
        let journals = (&self.shelf, &self.streams[..]);
        let sums = check(journals, &ring, &self.players, &self.papers, &results)?;
        let mut reached = results.reached.clone();
        reached.extend(refusals.keys().map(|code| format!("refusal {code}")));
        reached.extend(sums.reached);
        let (frames, digest) = self.trace.digest();
        let tables = self.plan.tables.iter();
        Ok(HouseReport {
            seed: self.seed,
            swarm: self.drawn.clone(),
            tables: tables.map(|table| table.name.to_string()).collect(),
            lives: self.lives,
            records,
            rounds: sums.rounds,
            simulated_ms: self.time.steady_ms(),
            bets: sums.bets,
            vouchers: sums.vouchers,
            redeemed: sums.redeemed,
            adjustments: sums.adjustments,
            refusals,
            reached,
            frames,
            digest,
        })
    }
}
