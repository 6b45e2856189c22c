//! A whole house from one seed: its register, two or three tables, vouchers that
//! go between them, two-person acts and players' own limits, with no thread and
//! no socket.
//!
//! The house is the real one, and its clients speak to it in the messages of the
//! wire. The power goes now and then; blocks on their way arrive or do not. At
//! the end its journals are verified, compared with each other, audited, and held
//! against everything its clients were told.

mod checks;
mod dishonest;
mod host;
mod life;
mod player;
mod staff;
mod stream;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures_channel::mpsc;
use futures_util::StreamExt as _;
use futures_util::task::LocalSpawnExt as _;
use parking_lot::Mutex;
use serde_json::json;
use sicbo_clock::{Clocks, HouseClock};
use sicbo_dealer::Pace;
use sicbo_house::acts;
use sicbo_house::connection::boxes;
use sicbo_house::house::{House, Present};
use sicbo_house::terminal::Terminal;
use sicbo_journal::{HouseKey, KeyRing, MemoryDisk, MemoryStore, Store as _, StreamId};
use sicbo_loop::Answer;
use sicbo_plan::{DealerPlan, HousePlan};
use sicbo_register as register;
use sicbo_register::enrolment::{EnrolmentId, Key, Role, TableName};
use sicbo_register::play::{PlayLimits, PlayStep};
use sicbo_register::voucher::Place;
use sicbo_register::{Act, Party};
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Form;
use sicbo_table::ids::StationId;
use sicbo_table::station::StationKind;
use sicbo_wire::PROTOCOL;
use sicbo_wire::acts::Confirmation;
use sicbo_wire::staff::StaffAct;

use crate::random::Random;
use crate::tally::Failure;
use crate::world::BEGINNING_MS;
use checks::{Adjusted, check};
pub use dishonest::{
    ACTS_OF_A_HOUSE, Counterparts, Insider, InsiderReport, run_flawed_insider, run_insider,
    temptations,
};
use life::{Life, Printed, stream_of};
use player::{Link, Player};

/// Steps of a world before it comes to its end.
const STEPS: u64 = 2_500;
/// How the automatic dealers deal.
const PACE: Pace = Pace {
    between_rounds_ms: 200,
    tumble_ms: 150,
    act_ms: 40,
    look_ms: 60,
    decide_ms: 200,
};
/// Steps in which everything must come to rest.
const LAST_STEPS: u64 = 20_000;
/// The hash of a PIN that nobody types here.
const PIN: &str = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";

/// A deliberate fault that must be noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HouseFlaw {
    /// None.
    None,
    /// The medium says that blocks are durable before the power goes, and they
    /// are not.
    LostBlocks,
    /// An older copy of the register's journal is put back.
    OldRegister,
    /// Tables do not know how much money staff may move.
    NoMoneyDuties,
    /// The register does not know what people are held to.
    NoDuties,
}

/// What came of a simulated house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseReport {
    /// The seed.
    pub seed: u64,
    /// Its tables.
    pub tables: Vec<String>,
    /// How often the program began.
    pub lives: u64,
    /// Records in all journals.
    pub records: u64,
    /// Bets that players were told are registered.
    pub bets: u64,
    /// Vouchers that left a table.
    pub vouchers: u64,
    /// Redemptions that players were told are done.
    pub redeemed: u64,
    /// What every journal ends with, which says all of it.
    pub tails: Vec<[u8; 32]>,
    /// Two-person acts that were told as done.
    pub adjustments: u64,
    /// Requests of players that were refused, by code.
    pub refusals: BTreeMap<String, u64>,
}

impl fmt::Display for HouseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.tables.join(", ");
        writeln!(f, "house {}: {tables}", self.seed)?;
        write!(
            f,
            "{} lives, {} records, {} bets, {} vouchers, {} redeemed, {} adjustments; refused:",
            self.lives, self.records, self.bets, self.vouchers, self.redeemed, self.adjustments
        )?;
        for (code, count) in &self.refusals {
            write!(f, " {code} {count}")?;
        }
        Ok(())
    }
}

/// Runs a whole house.
///
/// # Errors
/// The first promise that was broken.
pub fn run_house(seed: u64) -> Result<HouseReport, Box<Failure>> {
    run_flawed_house(seed, HouseFlaw::None)
}

/// Runs a whole house with a deliberate fault.
///
/// # Errors
/// As [`run_house`].
pub fn run_flawed_house(seed: u64, flaw: HouseFlaw) -> Result<HouseReport, Box<Failure>> {
    let ran = World::over(seed, flaw, plan).and_then(World::run);
    ran.map_err(|what| failed(seed, what))
}

fn failed(seed: u64, what: String) -> Box<Failure> {
    Box::new(Failure {
        seed,
        plays: "HOUSE",
        what,
        last: Vec::new(),
    })
}

/// Time in the world.
#[derive(Clone, Default)]
struct WorldTime(Arc<AtomicI64>);

impl Clocks for WorldTime {
    fn machine_ms(&self) -> i64 {
        BEGINNING_MS + self.steady_ms()
    }

    fn steady_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What conversations leave behind.
#[derive(Default)]
struct Results {
    /// Players whose limit holds.
    limited: Vec<usize>,
    adjusted: Vec<Adjusted>,
}

/// Two people who adjust credit together.
struct Pair {
    first: Present,
    second: Present,
}

struct World {
    seed: u64,
    flaw: HouseFlaw,
    time: WorldTime,
    clock: Arc<HouseClock>,
    plan: HousePlan,
    disks: BTreeMap<StreamId, MemoryDisk>,
    key: HouseKey,
    life: Option<Life>,
    lives: u64,
    pair: Option<Pair>,
    players: Vec<Player>,
    /// Consoles, desks and windows, where staff work at enrolled places.
    desks: Vec<(Role, EnrolmentId)>,
    /// Papers that came out of printers.
    papers: Vec<Printed>,
    results: Arc<Mutex<Results>>,
    requests: u64,
    chance: Random,
    people: Random,
    /// An older copy of the register's journal.
    old_register: Option<MemoryDisk>,
    begins_ms: i64,
}

impl World {
    fn over(
        seed: u64,
        flaw: HouseFlaw,
        plan: fn(&mut Random) -> Result<HousePlan, String>,
    ) -> Result<World, String> {
        let mut random = Random::new(seed);
        let mut draw = random.fork();
        let plan = plan(&mut draw)?;
        let time = WorldTime::default();
        let clock = Arc::new(HouseClock::new(Box::new(time.clone())));
        let mut disks = BTreeMap::new();
        let names = plan.tables.iter().map(|table| table.name.as_str());
        for name in names.chain([register::STREAM]) {
            let stream = stream_of(name)?;
            let disk = MemoryStore::new(stream.clone()).disk().clone();
            disks.insert(stream, disk);
        }
        let mut entropy = [0x51; 32];
        entropy[..8].copy_from_slice(&seed.to_be_bytes());
        let players = players(&plan, &mut draw);
        Ok(World {
            seed,
            flaw,
            time,
            clock,
            plan,
            disks,
            key: HouseKey::from_entropy(&entropy),
            life: None,
            lives: 0,
            pair: None,
            players,
            desks: Vec::new(),
            papers: Vec::new(),
            results: Arc::default(),
            requests: 0,
            chance: random.fork(),
            people: random.fork(),
            old_register: None,
            begins_ms: 0,
        })
    }

    fn run(mut self) -> Result<HouseReport, String> {
        for step in 0..STEPS {
            self.pass(30);
            if self.life.is_none() {
                self.begin_when_due()?;
                continue;
            }
            self.turn(false)?;
            self.play(true)?;
            if step == STEPS / 3 && self.flaw == HouseFlaw::OldRegister {
                self.old_register = Some(self.copy_register()?);
            }
            if self.chance.below(500) == 0 {
                self.power_cut()?;
            }
        }
        // The power stays on, nobody begins anything, and all of it is answered.
        for _ in 0..LAST_STEPS {
            self.pass(30);
            match &self.life {
                None => self.begin_when_due()?,
                Some(life) => {
                    let quiet = self.players.iter().all(Player::is_quiet);
                    if quiet && life.is_idle() {
                        return self.report();
                    }
                    self.turn(false)?;
                    self.play(false)?;
                }
            }
        }
        Err("it does not come to its end: somebody was never answered".to_owned())
    }

    fn pass(&mut self, most_ms: i64) {
        let passed = self.chance.between(0, most_ms);
        self.time.0.fetch_add(passed, Ordering::Relaxed);
    }

    /// The life there is.
    fn life(&mut self) -> Result<&mut Life, String> {
        self.life.as_mut().ok_or_else(|| "no life".to_owned())
    }

    fn turn(&mut self, lost: bool) -> Result<(), String> {
        if let Some(life) = &mut self.life {
            let printed = life.turn(&mut self.chance, lost)?;
            self.papers.extend(printed);
        }
        Ok(())
    }

    /// Players and staff do what they do; with `anew` false, nothing is begun.
    fn play(&mut self, anew: bool) -> Result<(), String> {
        for number in 0..self.players.len() {
            if self.players[number].link.is_none() {
                if self.people.chance(200) {
                    self.connect(number)?;
                }
                continue;
            }
            self.players[number].listen()?;
            if anew {
                self.players[number].act(&mut self.people, &self.papers);
                if self.people.below(400) == 0 {
                    self.players[number].cut();
                }
            } else if self.people.chance(20) {
                // A terminal that is not answered says it again.
                self.players[number].again();
            }
            self.limit(number)?;
        }
        let limited = {
            let mut results = self.results.lock();
            std::mem::take(&mut results.limited)
        };
        for number in limited {
            self.players[number].limit_asked = true;
        }
        if anew && self.people.below(60) == 0 {
            self.adjust()?;
        }
        Ok(())
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
        let player = &mut self.players[number];
        player.link = Some(Link { says, hears });
        player.again();
        Ok(())
    }

    /// A player who wants a limit asks for it as soon as there is credit.
    fn limit(&mut self, number: usize) -> Result<(), String> {
        let player = &self.players[number];
        let Some(limit) = player.limit else {
            return Ok(());
        };
        if player.limit_asked || player.credit() == 0 || self.people.below(10) != 0 {
            return Ok(());
        }
        let place = Place {
            table: player.table.clone(),
            station: player.station,
        };
        let by = Party::Place(player.enrolment);
        let house = self.house()?;
        let results = Arc::clone(&self.results);
        self.spawn(async move {
            let hub = house.table(&place.table);
            let now_ms = house.clock.now_ms();
            let seated = hub.and_then(|hub| hub.seated(place.station, now_ms));
            let Some((seated, _)) = seated else { return };
            let limits = PlayLimits {
                spend: Some(Money::from_minor(limit)),
                ..PlayLimits::default()
            };
            let act = Act::StepPlay {
                place,
                sitting: house.sitting(&seated),
                step: PlayStep::Limit { limits },
            };
            let entered = house.desk.ask(by, None, act).await;
            if matches!(entered.answer, Answer::Done { .. }) {
                let mut results = results.lock();
                results.limited.push(number);
            }
        })
    }

    /// Two persons adjust the credit of a terminal; the second now and then
    /// confirms twice.
    fn adjust(&mut self) -> Result<(), String> {
        let house = self.house()?;
        let Some(pair) = &self.pair else {
            return Ok(());
        };
        let (first, second) = (pair.first.clone(), pair.second.clone());
        let player = &self.players[self.people.below(self.players.len() as u64) as usize];
        self.requests += 1;
        let (table, station) = (player.table.to_string(), player.station.0);
        let (request, amount) = (self.requests, player.unit);
        let twice = self.people.chance(300);
        let results = Arc::clone(&self.results);
        self.spawn(async move {
            let act = StaffAct::Adjust {
                request,
                station,
                amount,
                reason: "a note was read twice".to_owned(),
            };
            let Ok(proposed) = acts::propose(&house, first, &table, act).await else {
                return;
            };
            let confirmation = Confirmation {
                digest: proposed.digest,
                dice: None,
            };
            for _ in 0..1 + u32::from(twice) {
                let stated = confirmation.clone();
                let who = second.clone();
                let done = acts::confirm(&house, who, &table, proposed.proposal, stated).await;
                if done.is_ok_and(|done| !done.again) {
                    let mut results = results.lock();
                    results.adjusted.push(Adjusted {
                        table: table.clone(),
                        station,
                        request,
                        amount,
                    });
                }
            }
        })
    }

    fn power_cut(&mut self) -> Result<(), String> {
        if self.flaw == HouseFlaw::LostBlocks {
            for _ in 0..8 {
                self.turn(true)?;
                for player in &mut self.players {
                    player.listen()?;
                }
            }
        }
        // A medium that lies keeps nothing of what was on its way.
        if let Some(life) = self.life.take()
            && self.flaw != HouseFlaw::LostBlocks
        {
            life.end(&mut self.chance)?;
        }
        self.pair = None;
        for player in &mut self.players {
            player.cut();
        }
        self.begins_ms = self.clock.steady_ms() + self.chance.between(100, 3_000);
        Ok(())
    }

    fn copy_register(&self) -> Result<MemoryDisk, String> {
        let stream = stream_of(register::STREAM)?;
        let store = MemoryStore::open(stream.clone(), &self.disks[&stream]);
        let mut copy = MemoryStore::new(stream);
        for raw in store.read_from(1) {
            let block = raw.map_err(|error| error.to_string())?;
            let block = block.decode().map_err(|error| error.to_string())?;
            let copied = copy.append(&block, sicbo_journal::Beside::default());
            copied.map_err(|error| error.to_string())?;
        }
        Ok(copy.disk().clone())
    }

    fn report(mut self) -> Result<HouseReport, String> {
        let (records, tails) = self.life()?.tails();
        let ring = KeyRing::new(self.key.public());
        let results = self.results.lock();
        let mut refusals: BTreeMap<String, u64> = BTreeMap::new();
        for (code, count) in self.players.iter().flat_map(|player| &player.refusals) {
            *refusals.entry(code.clone()).or_default() += count;
        }
        let sums = check(
            &self.disks,
            &ring,
            &self.players,
            &self.papers,
            &results.adjusted,
        )?;
        Ok(HouseReport {
            seed: self.seed,
            tables: self
                .plan
                .tables
                .iter()
                .map(|table| table.name.to_string())
                .collect(),
            lives: self.lives,
            records,
            bets: sums.bets,
            vouchers: sums.vouchers,
            redeemed: sums.redeemed,
            tails,
            adjustments: sums.adjustments,
            refusals,
        })
    }
}

/// Two or three tables with terminals.
fn plan(draw: &mut Random) -> Result<HousePlan, String> {
    let mut plan = HousePlan::trial();
    plan.tables
        .retain(|table| table.config.book.play.form.is == Form::Electronic);
    // Twice the same book now and then, under another name.
    if draw.chance(500) {
        let mut twin = plan.tables[draw.below(plan.tables.len() as u64) as usize].clone();
        twin.name = TableName::new(&format!("{}-2", twin.name)).ok_or("no name")?;
        twin.config.name = twin.name.to_string();
        plan.tables.push(twin);
    }
    for table in &mut plan.tables {
        table.config.window_ms = 2_000;
        table.dealer = DealerPlan::Automatic { pace: PACE };
        table.stations.truncate(draw.between(2, 5) as usize);
    }
    Ok(plan)
}

/// The key of an enrolled place.
fn key_of(enrolment: EnrolmentId) -> Key {
    let mut bytes = [0x4b; 32];
    bytes[..8].copy_from_slice(&u64::from(enrolment.0).to_be_bytes());
    Key::new(bytes)
}

/// A player at every terminal; enrolments are numbered in their order.
fn players(plan: &HousePlan, draw: &mut Random) -> Vec<Player> {
    let mut players = Vec::new();
    for table in &plan.tables {
        for (number, station) in (0..).zip(&table.stations) {
            if station.kind != StationKind::Terminal {
                continue;
            }
            let Some(layout) = table.config.book.layout(&station.layout) else {
                continue;
            };
            let enrolment = EnrolmentId(players.len() as u32 + 1);
            let unit = table.config.limits.by_kind[0].minimum.minor();
            let token = key_of(enrolment).token(enrolment);
            let sections = layout.sections().map(|section| section.to_string());
            let limit = draw.chance(300).then(|| unit * draw.between(5, 60));
            players.push(Player::new(
                (table.name.clone(), StationId(number)),
                (enrolment, token),
                sections.collect(),
                (unit, unit * 20),
                limit,
            ));
        }
    }
    players
}
