//! A campaign against the real program: many terminals play while it is
//! killed (SIGKILL) again and again, in every phase and during recovery.
//! Everybody writes down what they asked and what was answered; at the end
//! the export of the journals is read by books that share nothing with the
//! house, and nothing may be lost, doubled or left unanswered.
//!
//! `SICBO_KILLS` and `SICBO_TERMINALS` set how much (a short form by default,
//! thousands in `make soak`), shared by `SICBO_HOUSES` that run beside each
//! other; `SICBO_SEED` repeats a campaign's choices.

mod judge;
mod kills;
mod patron;
mod staff;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use crate::common::house::{Program, Site, TableSpec};
use crate::common::people::People;
use crate::common::proof;
use kills::{ADJUSTMENT, Kill, Met, Phase, RECOVERY, REDEMPTION};
use patron::Patron;
use sicbo_testkit::random::Random;
use staff::{Desk, Doing};

/// From here on a campaign must have met every phase.
const FULL_LENGTH: u64 = 1_000;

/// An aimed kill waits no longer for its phase.
const AIM_TIMEOUT: Duration = Duration::from_secs(4);

fn setting(name: &str, or: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(or, |text| text.parse().expect("a number"))
}

/// A seed nobody chose.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.expect("after 1970").as_nanos() as u64
}

/// When a house is killed.
enum Aim {
    /// Before it listens.
    Recovery,
    /// While two persons and the cashier work, so long after they logged in.
    Staff(Duration),
    /// When a terminal is shown this phase.
    Phase(Phase),
    /// At any moment.
    Moment(Duration),
}

impl Aim {
    /// All kinds in turn, each at a moment of chance.
    fn of(kill: u64, random: &mut Random) -> Aim {
        let mut within = |ms: usize| Duration::from_millis(random.below(ms) as u64);
        match kill % 12 {
            1 | 7 => Aim::Recovery,
            2 | 5 | 10 => Aim::Staff(within(500)),
            3 => Aim::Phase(Phase::Closing),
            6 => Aim::Phase(Phase::Closed),
            8 => Aim::Phase(Phase::ResultShown),
            11 => Aim::Phase(Phase::BetweenRounds),
            _ => Aim::Moment(Duration::from_millis(200) + within(1_800)),
        }
    }
}

/// One house of a campaign: its players and its people with what they wrote
/// down, and how it was killed so far.
struct Campaign {
    site: Arc<Site>,
    patrons: Vec<Patron>,
    desk: Desk,
    random: Random,
    /// How long its last start took.
    start: Duration,
    kills: Vec<Kill>,
    met: Met,
}

async fn start(site: &Arc<Site>) -> Program {
    let site = Arc::clone(site);
    let started = spawn_blocking(move || site.start()).await;
    started.expect("the house starts")
}

async fn kill(house: Program) -> Kill {
    spawn_blocking(move || house.kill()).await.expect("killed");
    Kill::now(false)
}

impl Campaign {
    /// A house in which everyone has a PIN of their own, killed once.
    async fn begin(terminals: usize, seed: u64) -> Campaign {
        let each = terminals.div_ceil(3);
        let automatic = |book, layout| TableSpec {
            automatic: Some(1),
            ..TableSpec::by_hand(book, &[(layout, each)])
        };
        let site = Arc::new(Site::of(vec![
            automatic("rws-etg", "b"),
            automatic("mbs-etg", "rapid"),
            automatic("rws-open-cover", "c"),
        ]));
        let (mut random, mut people) = (Random(seed), People::default());
        let began = Instant::now();
        let house = start(&site).await;
        people.log_in(&site, house.address, &staff::POSITIONS).await;
        let mut patrons = Vec::new();
        for spec in &site.tables {
            for station in 0..each as u32 {
                let seed = random.below(1 << 30);
                patrons.push(Patron::new(&site, spec.name, station, seed));
            }
        }
        let first = kill(house).await;
        Campaign {
            site,
            patrons,
            desk: Desk::new(people),
            random,
            start: began.elapsed(),
            kills: vec![first],
            met: Met::default(),
        }
    }

    /// The house is started and killed once more.
    async fn one_life(&mut self) {
        match Aim::of(self.kills.len() as u64, &mut self.random) {
            Aim::Recovery => {
                let lives = self.random.below(self.start.as_micros() as usize);
                let (site, lives) = (Arc::clone(&self.site), Duration::from_micros(lives as u64));
                let killed = spawn_blocking(move || site.start_and_kill_after(lives)).await;
                let listened = killed.expect("killed");
                self.met.count(RECOVERY, u64::from(!listened));
                self.kills.push(Kill::now(!listened));
            }
            aim => self.play(aim).await,
        }
    }

    /// Plays until the house is killed; everyone keeps what they wrote down.
    async fn play(&mut self, aim: Aim) {
        let began = Instant::now();
        let house = start(&self.site).await;
        self.start = began.elapsed();
        let address = house.address;
        let down = Arc::new(AtomicBool::new(false));
        let (seen, mut shown) = watch::channel(None);
        let mut playing = JoinSet::new();
        for mut patron in std::mem::take(&mut self.patrons) {
            let (down, seen) = (Arc::clone(&down), seen.clone());
            playing.spawn(async move {
                while !down.load(Ordering::Relaxed) && patron.play(address, &seen).await {}
                patron
            });
        }
        let last = match aim {
            Aim::Staff(wait) => {
                let staff = self.desk.log_in(&self.site, address).await;
                let end = async {
                    sleep(wait).await;
                    down.store(true, Ordering::Relaxed);
                    let before = Instant::now();
                    (kill(house).await, before)
                };
                let work = self.desk.work(&self.site, &staff);
                let (doing, (last, before)) = tokio::join!(work, end);
                // What was begun only after the kill was not met by it.
                match doing.filter(|(_, since)| *since < before) {
                    Some((Doing::Adjustment, _)) => self.met.count(ADJUSTMENT, 1),
                    Some((Doing::Redemption, _)) => self.met.count(REDEMPTION, 1),
                    None => {}
                }
                last
            }
            aim => {
                match aim {
                    Aim::Phase(phase) => {
                        let came = shown.wait_for(|shown| *shown == Some(phase));
                        let _ = timeout(AIM_TIMEOUT, came).await;
                    }
                    Aim::Moment(wait) => sleep(wait).await,
                    Aim::Staff(_) | Aim::Recovery => unreachable!("has been seen to"),
                }
                down.store(true, Ordering::Relaxed);
                kill(house).await
            }
        };
        self.kills.push(last);
        self.patrons = playing.join_all().await;
    }

    /// At last the house lives: whatever was asked and not answered is answered,
    /// and everything is compared. Returns what there was.
    async fn end(mut self) -> (String, Met) {
        let house = start(&self.site).await;
        let address = house.address;
        let mut finishing = JoinSet::new();
        for mut patron in self.patrons {
            finishing.spawn(async move {
                patron.finish(address).await;
                patron
            });
        }
        let mut patrons = finishing.join_all().await;
        self.desk.finish(&self.site, address).await;
        for patron in &mut patrons {
            // What staff adjusted meanwhile is in it.
            patron.look(address).await;
        }
        let (site, desk, kills) = (self.site, self.desk, self.kills);
        let judged = spawn_blocking(move || {
            house.stop();
            let clean = proof::clean(&site.data());
            judge::judge(&site, &patrons, &desk, &kills, &clean)
        });
        let (counts, mut met) = match judged.await {
            Ok(judged) => judged,
            Err(failed) => std::panic::resume_unwind(failed.into_panic()),
        };
        met.add(&self.met);
        (counts, met)
    }
}

/// One house from its first start to the comparison of all books.
async fn campaign(name: String, kills: u64, terminals: usize, seed: u64) -> Met {
    let began = Instant::now();
    let mut campaign = Campaign::begin(terminals, seed).await;
    for number in 2..=kills {
        campaign.one_life().await;
        if number % 100 == 0 {
            let seconds = began.elapsed().as_secs();
            println!("{name}: {number} of {kills} kills in {seconds} s, seed {seed}");
        }
    }
    let (counts, met) = campaign.end().await;
    let seconds = began.elapsed().as_secs();
    println!("{name}: {kills} kills in {seconds} s, seed {seed}: {counts}; met: {met}");
    met
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_doubled_or_left_unanswered_however_often_the_house_is_killed() {
    let kills = setting("SICBO_KILLS", 12);
    let terminals = setting("SICBO_TERMINALS", 45);
    let houses = setting("SICBO_HOUSES", 1);
    let seed = setting("SICBO_SEED", fresh_seed());
    println!(
        "SICBO_SEED={seed} SICBO_KILLS={kills} SICBO_TERMINALS={terminals} SICBO_HOUSES={houses}"
    );
    let mut running = JoinSet::new();
    for house in 1..=houses {
        let (kills, terminals) = (kills.div_ceil(houses), terminals.div_ceil(houses));
        let name = format!("house {house}");
        let seed = seed.wrapping_add(house - 1);
        running.spawn(campaign(name, kills, terminals as usize, seed));
    }
    let mut met = Met::default();
    for of_one in running.join_all().await {
        met.add(&of_one);
    }
    println!("kills by phase of each table, and within acts: {met}");
    if kills >= FULL_LENGTH {
        met.must_be_whole();
    }
}
