//! A whole house with its terminals on loopback: bets a
//! second, how long registration takes, how soon the last terminal has its
//! settlement, and how much memory a terminal takes.
//!
//! The house is a process of its own, the terminals are in further processes,
//! and all share this machine; what the load takes is not taken off.

mod bare;
mod house;
mod load;
mod orders;
mod terminal;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde::Serialize;
use sicbo_rules::RuleBook;

use self::bare::Bare;
use self::house::{BOOK, House, LAYOUT, NOTE};
pub use self::load::LoadArgs;
use self::orders::{Answer, Order, Play, Waits};
use crate::{BenchError, failed, in_folder, median};

/// Load processes.
const LOADS: usize = 2;
/// A stake in minor units.
const STAKE: i64 = 100;
/// Frames of one terminal that may wait, one bet each and sixteen each.
const WINDOWS: [usize; 2] = [8, 2];
/// Parts of a hundred of the wanted rate that are tried until the latency is
/// as wanted; where none is, the last stands.
const PARTS: [u64; 4] = [100, 75, 50, 25];
/// Between the dice keyed and confirmed, far less than a person takes.
const DEALER_LOOKS: Duration = Duration::from_millis(500);
/// Bets a second wanted, one to a frame.
pub const GOAL_ONE: u64 = 60_000;
/// Bets a second wanted, sixteen to a frame.
pub const GOAL_SIXTEEN: u64 = 300_000;
/// Longest registration wanted, of 99 bets in 100.
pub const GOAL_P99_MS: f64 = 50.0;
/// Longest wait wanted for the last of 5,000 settlements.
pub const GOAL_LAST_MS: f64 = 60.0;
/// Most bytes wanted of a house with all connected.
pub const GOAL_MEMORY: u64 = 600_000_000;

/// The house, beside bare connections.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Measured {
    pub terminals: usize,
    pub bets_per_s_one_per_frame: u64,
    pub bets_per_s_sixteen_per_frame: u64,
    pub register_p50_ms: f64,
    pub register_p99_ms: f64,
    pub last_terminal_ms: BTreeMap<usize, f64>,
    pub bytes_per_terminal: u64,
    /// The rate the registration times were measured at.
    pub register_at_bets_per_s: u64,
    /// The quickest round, by terminals.
    pub best_last_terminal_ms: BTreeMap<usize, f64>,
    /// As long as this takes the machine to bring as many bytes to as many
    /// connections, written by threads that do nothing else.
    pub limit_last_terminal_ms: BTreeMap<usize, f64>,
    /// How much longer the house takes than that.
    pub last_terminal_to_limit: BTreeMap<usize, f64>,
    /// Memory of the house with all terminals connected.
    pub house_bytes: u64,
    /// Work waiting for the processors before and after, as the system says.
    pub load_average: [f64; 2],
}

/// How much is done.
struct Size {
    terminals: Vec<usize>,
    rounds: usize,
    players: usize,
    notes: usize,
    warm_ms: u64,
    measured_ms: u64,
    /// Parts of a hundred of the wanted rate that are tried.
    parts: &'static [u64],
}

impl Size {
    fn of(quick: bool) -> Size {
        match quick {
            true => Size {
                terminals: vec![50, 100, 200],
                rounds: 1,
                players: 100,
                notes: 4,
                warm_ms: 100,
                measured_ms: 400,
                // No more than a machine that does much else can bear: terminals
                // that are offered more than is taken are cut off as too slow.
                parts: &[25],
            },
            false => Size {
                terminals: vec![1_000, 5_000, 10_000],
                rounds: 7,
                players: 2_000,
                notes: 30,
                warm_ms: 2_000,
                measured_ms: 6_000,
                parts: &PARTS,
            },
        }
    }
}

/// Measures a house of `program` with its data in a folder made in `dir`, which
/// is removed again. This program must give its terminals: `bench serve-load`
/// with [`LoadArgs`].
pub fn measure(program: Option<&Path>, dir: &Path, quick: bool) -> Result<Measured, BenchError> {
    let folder = dir.join(format!("sicbo-bench-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(BenchError::file("make", &folder))?;
    let program = match program {
        Some(program) => program.to_owned(),
        None => std::env::current_exe()?,
    };
    in_folder(&folder, || measure_in(&program, &folder, &Size::of(quick)))
}

fn measure_in(program: &Path, folder: &Path, size: &Size) -> Result<Measured, BenchError> {
    let load_before = load_average();
    let all = size.terminals.iter().copied().max().unwrap_or_default();
    let mut house = House::start(program, folder, all)?;
    let mut loads = Loads::start(folder, &house)?;
    let base = house.memory()?;
    let mut last = BTreeMap::new();
    let mut best = BTreeMap::new();
    let (mut limit, mut ratio) = (BTreeMap::new(), BTreeMap::new());
    let (mut connected, mut full) = (0, base);
    for terminals in size.terminals.iter().copied() {
        let answers = loads.all(&|share| Order::Connect {
            terminals: share(terminals),
        })?;
        connected = answers.iter().map(|answer| answer.connected).sum();
        if connected < terminals {
            return Err(failed(format!("{connected} of {terminals} are connected")));
        }
        full = house.memory()?;
        loads.all(&|share| Order::Notes {
            terminals: share(terminals),
            each: 1,
        })?;
        let (mut times, mut bytes) = (Vec::new(), 0);
        for _ in 0..size.rounds {
            let (took_ms, heard) = settle(&mut house, &mut loads, terminals)?;
            times.push(took_ms);
            bytes = heard;
        }
        let took_ms = median(&mut times, f64::total_cmp);
        last.insert(terminals, took_ms);
        best.insert(terminals, times[0]);
        let limit_ms = bare(&mut loads, terminals, bytes, size.rounds)?;
        limit.insert(terminals, limit_ms);
        ratio.insert(terminals, took_ms / limit_ms);
    }
    loads.all(&|share| Order::Notes {
        terminals: share(size.players),
        each: size.notes,
    })?;
    let one = play(&mut house, &mut loads, size, 1, None)?;
    let sixteen = play(&mut house, &mut loads, size, 16, None)?;
    let (mut rate, mut waits) = (0, Waits::default());
    for part in size.parts {
        rate = GOAL_ONE.min(one.0) * part / 100;
        (_, waits) = play(&mut house, &mut loads, size, 1, Some(rate))?;
        if waits.part_ms(990) <= GOAL_P99_MS {
            break;
        }
    }
    Ok(Measured {
        terminals: connected,
        bets_per_s_one_per_frame: one.0,
        bets_per_s_sixteen_per_frame: sixteen.0,
        register_p50_ms: waits.part_ms(500),
        register_p99_ms: waits.part_ms(990),
        last_terminal_ms: last,
        bytes_per_terminal: full.saturating_sub(base) / connected.max(1) as u64,
        register_at_bets_per_s: rate,
        best_last_terminal_ms: best,
        limit_last_terminal_ms: limit,
        last_terminal_to_limit: ratio,
        house_bytes: full,
        load_average: [load_before, load_average()],
    })
}

/// A round in which every terminal bets; milliseconds from the confirmation
/// until the last has its settlement, and the bytes each heard of it.
fn settle(
    house: &mut House,
    loads: &mut Loads,
    terminals: usize,
) -> Result<(f64, usize), BenchError> {
    let round = house.open_bets()?;
    loads.all(&|share| Order::BetOnce {
        terminals: share(terminals),
    })?;
    house.close_bets()?;
    // The frames of the steps before are out: a dealer looks at the dice before
    // they are confirmed, and what is measured is the settlement alone.
    std::thread::sleep(DEALER_LOOKS);
    // The loads wait for it before it is asked.
    loads.order(&|share| Order::Settle {
        terminals: share(terminals),
        round,
    })?;
    let asked_us = house.confirm()?;
    let answers = loads.answers()?;
    let last_us = answers.iter().map(|answer| answer.last_us).max();
    let took_us = last_us.unwrap_or_default().saturating_sub(asked_us);
    let heard: u64 = answers.iter().map(|answer| answer.heard_bytes).sum();
    let each = heard as usize / terminals.max(1);
    Ok((took_us as f64 / 1e3, each))
}

/// Milliseconds until the last of so many connections has so many bytes, when
/// nothing else is done.
fn bare(
    loads: &mut Loads,
    connections: usize,
    bytes: usize,
    rounds: usize,
) -> Result<f64, BenchError> {
    let mut writer = Bare::new()?;
    let address = writer.address()?;
    loads.order(&|share| Order::BareConnect {
        address,
        connections: share(connections),
    })?;
    writer.accept(connections)?;
    loads.answers()?;
    let mut times = Vec::new();
    for _ in 0..rounds {
        loads.order(&|_| Order::BareRead { bytes })?;
        std::thread::sleep(DEALER_LOOKS);
        let began_us = writer.write(bytes)?;
        let answers = loads.answers()?;
        let last_us = answers.iter().map(|answer| answer.last_us).max();
        let took_us = last_us.unwrap_or_default().saturating_sub(began_us);
        times.push(took_us as f64 / 1e3);
    }
    loads.all(&|_| Order::BareClose)?;
    Ok(median(&mut times, f64::total_cmp))
}

/// Bets a second and how long each took to be registered.
fn play(
    house: &mut House,
    loads: &mut Loads,
    size: &Size,
    lines: usize,
    rate: Option<u64>,
) -> Result<(u64, Waits), BenchError> {
    house.open_bets()?;
    let answers = loads.all(&|share| {
        Order::Play(Play {
            terminals: share(size.players),
            lines,
            window: WINDOWS[usize::from(lines > 1)],
            rate: rate.map(|rate| rate as f64 / LOADS as f64),
            warm_ms: size.warm_ms,
            measured_ms: size.measured_ms,
        })
    })?;
    house.close_bets()?;
    house.confirm()?;
    let mut waits = Waits::default();
    let mut frames = 0;
    for answer in &answers {
        frames += answer.registered;
        for (us, times) in &answer.waits {
            waits.add(*us, *times);
        }
    }
    Ok((frames * lines as u64 * 1_000 / size.measured_ms, waits))
}

fn load_average() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split(' ').next().and_then(|word| word.parse().ok());
    first.unwrap_or_default()
}

/// How much of something is one load's.
type Share<'s> = &'s dyn Fn(usize) -> usize;

/// The processes of the load.
struct Loads(Vec<(Child, ChildStdin, BufReader<ChildStdout>)>);

impl Loads {
    fn start(folder: &Path, house: &House) -> Result<Loads, BenchError> {
        let write = |name: &str, lines: Vec<String>| {
            let path = folder.join(name);
            std::fs::write(&path, lines.join("\n")).map_err(BenchError::file("write", &path))?;
            Ok::<PathBuf, BenchError>(path)
        };
        let book = RuleBook::named(BOOK).ok_or_else(|| failed("no rule book"))?;
        let layout = book.layout(LAYOUT).ok_or_else(|| failed("no layout"))?;
        let stakes = layout.sections();
        let stakes = stakes.map(|s| format!(r#"{{"section":"{s}","stake":{STAKE}}}"#));
        let stakes = write("stakes", stakes.collect())?;
        let mut loads = Loads(Vec::new());
        for number in 0..LOADS {
            let own = house.tokens.iter().skip(number).step_by(LOADS).cloned();
            let tokens = write(&format!("tokens-{number}"), own.collect())?;
            let mut child = Command::new(std::env::current_exe()?)
                .args(["bench", "serve-load", "--address"])
                .arg(house.address.to_string())
                .arg("--tokens")
                .arg(tokens)
                .arg("--stakes")
                .arg(&stakes)
                .arg("--note")
                .arg(NOTE.to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()?;
            let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
                return Err(failed("a load has no ends"));
            };
            loads.0.push((child, to, BufReader::new(from)));
        }
        Ok(loads)
    }

    /// Gives each an order, made for its share of something.
    fn order(&mut self, order: &dyn Fn(Share<'_>) -> Order) -> Result<(), BenchError> {
        for (number, (_, to, _)) in self.0.iter_mut().enumerate() {
            let share = |all: usize| (all + LOADS - 1 - number) / LOADS;
            let line = serde_json::to_string(&order(&share)).map_err(failed)?;
            writeln!(to, "{line}")?;
            to.flush()?;
        }
        Ok(())
    }

    /// Waits for everyone's answer.
    fn answers(&mut self) -> Result<Vec<Answer>, BenchError> {
        let mut answers = Vec::new();
        for (_, _, from) in &mut self.0 {
            let mut line = String::new();
            from.read_line(&mut line)?;
            let answer: Answer =
                serde_json::from_str(&line).map_err(|_| failed("a load has ended"))?;
            if let Some(why) = answer.failed {
                return Err(failed(why));
            }
            answers.push(answer);
        }
        Ok(answers)
    }

    fn all(&mut self, order: &dyn Fn(Share<'_>) -> Order) -> Result<Vec<Answer>, BenchError> {
        self.order(order)?;
        self.answers()
    }
}

impl Drop for Loads {
    fn drop(&mut self) {
        for (child, _, _) in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
