//! Durable bets a second, restart and verification, all
//! in one run on one disk, beside what the disk does with the same bytes.

mod load;

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use sicbo_journal::{
    Chain, DataFolder, Hash, HouseKey, KeyFolder, KeyRing, Signatory, SqliteStore, Store, StreamId,
    Tail, Writer, WriterSecret,
};
use sicbo_loop::{Answer, LoopOptions, Machine, WriterLoop, recover, replay};
use sicbo_loop::{Door as _, Listener};
use sicbo_proof::verify;
use sicbo_runner::{Handle, Runner, RunnerOptions};
use sicbo_table::{Command, Event, Refusal, Table};

use self::load::Load;
use crate::{BenchError, in_folder, thousandths};

const BATCHES: [usize; 4] = [1, 64, 1_024, 8_192];
/// How long each rate is held.
const HELD: Duration = Duration::from_secs(2);
/// Journals that are restarted from, in format 2 and in format 1.
const HISTORY: &str = "history";
const HISTORY_1: &str = "history-1";
/// Each is restarted from so often.
const RESTARTS: usize = 7;
/// Latency that is worth a rate.
const WANTED_P99_MS: f64 = 5.0;
/// Parts of the greatest rate that are tried until the latency is as wanted;
/// where none is, the last stands.
const PARTS: [f64; 3] = [0.95, 0.85, 0.7];

/// All batches, and what became of the long history.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Measured {
    pub batches: Vec<Batch>,
    pub runs: usize,
    pub restart_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart_format_1_ms: Option<f64>,
    pub verify_records_per_s: u64,
    pub history_bets: u64,
}

/// One size of block.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Batch {
    pub batch: usize,
    pub block_format: u16,
    pub bets_per_s: u64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub raw_bets_per_s: u64,
    pub ratio: f64,
}

/// The folder everything happens in.
pub(crate) struct Place {
    data: DataFolder,
    keys: KeyFolder,
}

/// Whether blocks are signed, as they are, or were before they were.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Unsigned = 1,
    Signed = 2,
}

/// Measures the disk that `dir` is on, with a history of so many bets; a folder
/// made in `dir` is removed again.
///
/// With `beside_format_1` each size of block is measured without signatures too,
/// turn by turn; of several runs the median by bets a second stands.
pub fn measure(
    dir: &Path,
    history: u64,
    beside_format_1: bool,
    runs: usize,
) -> Result<Measured, BenchError> {
    in_new_place(dir, |place| {
        measure_in(place, history, beside_format_1, runs.max(1))
    })
}

/// Makes a data folder with keys for a while.
pub(crate) fn in_new_place<T>(
    dir: &Path,
    measure: impl FnOnce(&Place) -> Result<T, BenchError>,
) -> Result<T, BenchError> {
    let folder = dir.join(format!("sicbo-bench-{}", std::process::id()));
    in_folder(&folder, || {
        let data = DataFolder::create(&folder).map_err(BenchError::world)?;
        let keys = KeyFolder::open_or_create(&data.keys_path(), || [7; 32]);
        let keys = keys.map_err(BenchError::world)?;
        measure(&Place { data, keys })
    })
}

fn measure_in(
    place: &Place,
    history: u64,
    beside_format_1: bool,
    runs: usize,
) -> Result<Measured, BenchError> {
    let formats: &[Format] = match beside_format_1 {
        true => &[Format::Unsigned, Format::Signed],
        false => &[Format::Signed],
    };
    let mut batches = Vec::new();
    for batch in BATCHES {
        let mut measured: Vec<Vec<Batch>> = formats.iter().map(|_| Vec::new()).collect();
        for run in 0..runs {
            for (format, measured) in formats.iter().zip(&mut measured) {
                measured.push(place.batch(run, batch, *format)?);
            }
        }
        for mut measured in measured {
            measured.sort_by_key(|one| one.bets_per_s);
            batches.push(measured.swap_remove(runs / 2));
        }
    }
    let (restart_ms, restart_format_1_ms) = place.restarts(history, beside_format_1)?;
    let verify_records_per_s = place.verified_per_s()?;
    Ok(Measured {
        batches,
        runs,
        restart_ms,
        restart_format_1_ms,
        verify_records_per_s,
        history_bets: history,
    })
}

/// When bets were due and answered.
struct Ear {
    start: Instant,
    waits_us: Arc<Mutex<Vec<u32>>>,
    heard: Vec<u32>,
    /// The first answer that was not `Done`; a load that is refused measures nothing.
    refused: Arc<Mutex<Option<String>>>,
}

/// Waits in microseconds, and the first answer that was not `Done`.
type Heard = (Ear, Arc<Mutex<Vec<u32>>>, Arc<Mutex<Option<String>>>);

impl Ear {
    fn new(start: Instant) -> Heard {
        let (waits_us, refused) = (Arc::default(), Arc::default());
        let ear = Ear {
            start,
            waits_us: Arc::clone(&waits_us),
            heard: Vec::new(),
            refused: Arc::clone(&refused),
        };
        (ear, waits_us, refused)
    }
}

/// Microseconds after the start when a bet was due; nothing for other commands.
type Due = Option<u64>;

impl Listener<Table, Due> for Ear {
    fn answer(&mut self, due: Due, answer: Answer<Refusal>) {
        // On a slow disk a terminal may be cut off before its turn to acknowledge the close.
        if due.is_some() && !matches!(answer, Answer::Done { .. }) {
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            refused.get_or_insert_with(|| format!("{answer:?}"));
        }
        if let Some(due) = due {
            let waited = (self.start.elapsed().as_micros() as u64).saturating_sub(due);
            self.heard.push(u32::try_from(waited).unwrap_or(u32::MAX));
        }
    }

    fn publish(&mut self, _: u64, _: Hash, _: Vec<Event>) {
        // Answers of a block come after its events: these are of the one before.
        if let Ok(mut waits) = self.waits_us.lock() {
            waits.append(&mut self.heard);
        }
    }

    fn stopped(&mut self, _: &str) {}
}

impl Drop for Ear {
    fn drop(&mut self) {
        if let Ok(mut waits) = self.waits_us.lock() {
            waits.append(&mut self.heard);
        }
    }
}

/// What one run gave.
pub(crate) struct Ran {
    pub(crate) bets: u64,
    elapsed: Duration,
    waits_us: Vec<u32>,
    pub(crate) store: Box<dyn Store>,
}

impl Ran {
    pub(crate) fn rate(&self) -> f64 {
        self.bets as f64 / self.elapsed.as_secs_f64()
    }

    pub(crate) fn percentile_ms(&mut self, part: f64) -> f64 {
        self.waits_us.sort_unstable();
        let last = self.waits_us.len().saturating_sub(1);
        let at = (last as f64 * part) as usize;
        self.waits_us
            .get(at)
            .map_or(f64::NAN, |us| f64::from(*us) / 1e3)
    }
}

/// How long, and how fast.
#[derive(Clone, Copy)]
pub(crate) enum Pace {
    /// As many as are taken, for so long.
    Flood(Duration),
    /// As many as are taken, so many bets.
    Bets(u64),
    /// So many a second, whatever is answered, for so long.
    Steady(f64, Duration),
}

impl Place {
    /// A new journal in the folder.
    pub(crate) fn stream(&self, name: &str) -> Result<(StreamId, SqliteStore), BenchError> {
        let stream = StreamId::new(name).map_err(BenchError::world)?;
        let store = self
            .data
            .create_stream(&stream)
            .map_err(BenchError::world)?;
        Ok((stream, store))
    }

    fn options(batch: usize) -> LoopOptions {
        LoopOptions {
            batch,
            unanswered: (batch * 4).max(4_096),
            ..LoopOptions::default()
        }
    }

    pub(crate) fn signatory(&self) -> Signatory {
        let (key, ring) = (self.keys.current().clone(), self.keys.ring().clone());
        Signatory::new(key, ring, WriterSecret::new([9; 32]))
    }

    /// Starts the whole path on a journal as it is.
    fn start(
        &self,
        stream: &StreamId,
        store: Box<dyn Store>,
        batch: usize,
        format: Format,
        ear: Ear,
    ) -> Result<Runner<Table, Due>, BenchError> {
        let options = Place::options(batch);
        let writer_loop = match format {
            Format::Signed => {
                let signatory = self.signatory();
                let recovered = recover::<Table, Due>(store.as_ref(), stream, &signatory, options);
                recovered.map_err(BenchError::world)?.writer_loop
            }
            Format::Unsigned => {
                let found = replay::<Table>(store.as_ref(), stream, None);
                let (state, found) = found.map_err(BenchError::world)?;
                let (tail, secret) = (store.tail(), WriterSecret::new([9; 32]));
                let writer = Writer::unsigned(stream.clone(), &tail, tail.epoch + 1, &secret);
                let writer = writer.map_err(BenchError::world)?;
                WriterLoop::new(state, writer, found.round_first.max(1), options)
            }
        };
        Runner::start(
            writer_loop,
            store,
            self.keys.current().clone(),
            self.keys.ring().house(),
            Box::new(ear),
            // What waits at the end is finished first: it must not take longer than the run.
            RunnerOptions {
                queue: (batch * 8).clamp(64, RunnerOptions::default().queue),
            },
        )
        .map_err(BenchError::world)
    }

    pub(crate) fn ring(&self) -> &KeyRing {
        self.keys.ring()
    }

    pub(crate) fn key(&self) -> &HouseKey {
        self.keys.current()
    }

    pub(crate) fn path(&self) -> &Path {
        self.data.path()
    }

    /// Opens a journal that was written.
    pub(crate) fn open(&self, stream: &StreamId) -> Result<SqliteStore, BenchError> {
        self.data.open_stream(stream).map_err(BenchError::world)
    }

    /// Runs a load through the whole path on a new journal.
    pub(crate) fn run(&self, name: &str, batch: usize, pace: Pace) -> Result<Ran, BenchError> {
        self.run_as(name, batch, Format::Signed, pace)
    }

    fn run_as(
        &self,
        name: &str,
        batch: usize,
        format: Format,
        pace: Pace,
    ) -> Result<Ran, BenchError> {
        let (stream, store) = self.stream(name)?;
        self.run_on((stream, Box::new(store)), batch, format, pace)
    }

    /// Runs a load of signed blocks through the whole path on any new store.
    pub(crate) fn run_signed(
        &self,
        on: (StreamId, Box<dyn Store>),
        batch: usize,
        pace: Pace,
    ) -> Result<Ran, BenchError> {
        self.run_on(on, batch, Format::Signed, pace)
    }

    fn run_on(
        &self,
        (stream, store): (StreamId, Box<dyn Store>),
        batch: usize,
        format: Format,
        pace: Pace,
    ) -> Result<Ran, BenchError> {
        let mut load = Load::new();
        let gone = || BenchError::World("a thread of the loop failed".to_owned());
        // Opening the table is not measured.
        let ear = Ear::new(Instant::now()).0;
        let runner = self.start(&stream, store, 1_024, format, ear)?;
        for command in load.set_up() {
            hand_in(&runner.handle(), None, command);
        }
        let (_, store) = runner.stop().ok_or_else(gone)?;
        let start = Instant::now();
        let (ear, waits_us, refused) = Ear::new(start);
        let runner = self.start(&stream, store, batch, format, ear)?;
        let bets = drive(&runner.handle(), &mut load, start, pace);
        let (_, store) = runner.stop().ok_or_else(gone)?;
        let elapsed = start.elapsed();
        let refused: Option<String> = refused.lock().map_err(BenchError::world)?.take();
        if let Some(answer) = refused {
            return Err(BenchError::bug(format!("the load was answered {answer}")));
        }
        let waits_us = std::mem::take(&mut *waits_us.lock().map_err(BenchError::world)?);
        Ok(Ran {
            bets,
            elapsed,
            waits_us,
            store,
        })
    }

    fn batch(&self, run: usize, batch: usize, format: Format) -> Result<Batch, BenchError> {
        let number = format as u16;
        let name = format!("flood-{number}-{batch}-{run}");
        let flood = self.run_as(&name, batch, format, Pace::Flood(HELD))?;
        let greatest = flood.rate();
        let bytes = body_bytes_per_bet(flood.store.as_ref(), flood.bets)?;
        drop(flood);
        let mut best = None;
        for (at, part) in PARTS.into_iter().enumerate() {
            let pace = Pace::Steady(greatest * part, HELD);
            let name = format!("steady-{number}-{batch}-{run}-{at}");
            let mut ran = self.run_as(&name, batch, format, pace)?;
            let found = (ran.rate(), ran.percentile_ms(0.5), ran.percentile_ms(0.99));
            best = Some(found);
            if found.2 < WANTED_P99_MS {
                break;
            }
        }
        let (rate, p50_ms, p99_ms) = best.unwrap_or((0.0, f64::NAN, f64::NAN));
        let raw = self.raw(batch, bytes)?;
        Ok(Batch {
            batch,
            block_format: number,
            bets_per_s: rate as u64,
            p50_ms: thousandths(p50_ms),
            p99_ms: thousandths(p99_ms),
            raw_bets_per_s: raw as u64,
            ratio: thousandths(rate / raw),
        })
    }

    /// Blocks of the same length written to the end of a file and synced, and
    /// nothing else.
    fn raw(&self, batch: usize, bytes_per_bet: f64) -> Result<f64, BenchError> {
        let path = self.data.path().join(format!("raw-{batch}"));
        let file = |error| BenchError::file("write", &path)(error);
        let block = vec![0x5a; (bytes_per_bet * batch as f64) as usize + 278];
        let mut out = std::fs::File::create(&path).map_err(file)?;
        let start = Instant::now();
        let mut blocks = 0u64;
        while start.elapsed() < HELD {
            out.write_all(&block).map_err(file)?;
            out.sync_data().map_err(file)?;
            blocks += 1;
        }
        let elapsed = start.elapsed();
        std::fs::remove_file(&path).map_err(file)?;
        Ok(blocks as f64 * batch as f64 / elapsed.as_secs_f64())
    }

    /// Writes a long history, and another in format 1 beside it; how long a restart
    /// takes from each, in milliseconds, the median of several turns.
    fn restarts(&self, bets: u64, beside: bool) -> Result<(f64, Option<f64>), BenchError> {
        let batch = LoopOptions::default().batch;
        drop(self.run(HISTORY, batch, Pace::Bets(bets))?);
        if beside {
            let pace = Pace::Bets(bets);
            drop(self.run_as(HISTORY_1, batch, Format::Unsigned, pace)?);
        }
        let (mut signed, mut unsigned) = (Vec::new(), Vec::new());
        for _ in 0..RESTARTS {
            if beside {
                unsigned.push(self.restart(HISTORY_1, restarted_as_before)?);
            }
            signed.push(self.restart(HISTORY, |store, stream| {
                let (signatory, options) = (self.signatory(), LoopOptions::default());
                let recovered = recover::<Table, ()>(store, stream, &signatory, options);
                recovered.map(drop).map_err(BenchError::world)
            })?);
        }
        let median = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied()
        };
        Ok((median(signed).unwrap_or(f64::NAN), median(unsigned)))
    }

    /// How long it takes from opening a journal until its table is there.
    fn restart(
        &self,
        name: &str,
        recover: impl Fn(&dyn Store, &StreamId) -> Result<(), BenchError>,
    ) -> Result<f64, BenchError> {
        let stream = StreamId::new(name).map_err(BenchError::world)?;
        let start = Instant::now();
        let store = self.open(&stream)?;
        recover(&store, &stream)?;
        Ok((start.elapsed().as_secs_f64() * 1e4).round() / 10.0)
    }

    /// How fast the history is verified.
    fn verified_per_s(&self) -> Result<u64, BenchError> {
        let stream = StreamId::new(HISTORY).map_err(BenchError::world)?;
        let store = self.open(&stream)?;
        let start = Instant::now();
        let verified =
            verify(&store, &stream, self.keys.ring(), &mut |_| {}).map_err(BenchError::world)?;
        Ok((verified.report.records as f64 / start.elapsed().as_secs_f64()) as u64)
    }
}

/// Brings a table back as programs did that signed no blocks: from the newest
/// snapshot, which they believed, and the blocks after it.
fn restarted_as_before(store: &dyn Store, stream: &StreamId) -> Result<(), BenchError> {
    let snapshot = store.latest_snapshot().map_err(BenchError::world)?;
    let believed = snapshot.and_then(|kept| {
        let tail = Tail {
            sequence: kept.sequence,
            header_hash: kept.header_hash,
            epoch: 0,
        };
        Some((Table::from_snapshot(kept.state())?, tail))
    });
    let (mut table, start) = believed.unwrap_or_default();
    let mut chain = Chain::after(stream.clone(), start);
    for raw in store.read_from(start.sequence + 1) {
        let block = chain.accept(raw.map_err(BenchError::world)?);
        for record in block.map_err(BenchError::world)?.records() {
            let event = Table::decode(record.kind, record.version, record.payload);
            Machine::apply(&mut table, &event.map_err(BenchError::world)?);
        }
    }
    table.check().map_err(BenchError::bug)
}

/// Hands commands in; gives how many of them were bets.
fn drive(handle: &Handle<Table, Due>, load: &mut Load, start: Instant, pace: Pace) -> u64 {
    let mut bets = 0u64;
    loop {
        let done = match pace {
            // Looked at now and then: a clock for every bet would be measured too.
            Pace::Flood(held) | Pace::Steady(_, held) => {
                (bets < 1_024 || bets.is_multiple_of(64)) && start.elapsed() >= held
            }
            Pace::Bets(wanted) => bets >= wanted,
        };
        if done {
            return bets;
        }
        let (command, is_bet) = load.next();
        let due = is_bet.then(|| match pace {
            Pace::Steady(rate, _) => (bets as f64 / rate * 1e6) as u64,
            Pace::Flood(_) | Pace::Bets(_) => 0,
        });
        if let (Pace::Steady(..), Some(due)) = (pace, due) {
            wait_until(start, due);
        }
        bets += u64::from(is_bet);
        hand_in(handle, due, command);
    }
}

/// Hands a command in, again and again while the loop is full: it has more
/// than it can do, and the bet's clock runs on.
fn hand_in(handle: &Handle<Table, Due>, due: Due, command: Command) {
    let mut waiting = Some(command);
    while let Some(command) = waiting.take() {
        if let Err((_, command, Answer::Busy)) = handle.offer(due, command) {
            std::thread::sleep(Duration::from_micros(50));
            waiting = Some(command);
        }
    }
}

/// Waits for a moment, asleep: bets that fall due meanwhile come together, each
/// with its own time. A generator that watched the clock would take a core from
/// the loop it measures.
fn wait_until(start: Instant, due_us: u64) {
    while (start.elapsed().as_micros() as u64) < due_us {
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn body_bytes_per_bet(store: &dyn Store, bets: u64) -> Result<f64, BenchError> {
    let mut bytes = 0u64;
    for raw in store.read_from(1) {
        bytes += raw.map_err(BenchError::world)?.body.len() as u64;
    }
    Ok(bytes as f64 / bets.max(1) as f64)
}
