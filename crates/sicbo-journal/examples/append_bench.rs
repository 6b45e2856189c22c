//! Records a second sealed, appended and synced at several batch sizes, beside
//! the bare write and sync of the same bytes on the same disk in the same run.
//!
//! `cargo run --release -p sicbo-journal --example append_bench [FOLDER [SECONDS]]`

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sicbo_journal::*;

/// About the size of an encoded bet.
const PAYLOAD: [u8; 40] = [0x5a; 40];

const TIME_MS: i64 = 1_794_772_800_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let seconds = arguments.next().map_or(Ok(2.0), |text| text.parse())?;
    let folder = folder.join(format!("append-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = run(&folder, Duration::from_secs_f64(seconds));
    std::fs::remove_dir_all(&folder)?;
    result
}

fn run(folder: &Path, each: Duration) -> Result<(), Box<dyn Error>> {
    seal_and_verify()?;
    println!("batch  records/s   p50 ms  p99 ms   bare records/s  p50 ms  p99 ms   ratio");
    for batch in [1, 64, 1024, 8192] {
        let mut ours = durable(folder, batch)?;
        let mut bare = bare(folder, batch)?;
        let (mut our_times, mut bare_times) = (Times::default(), Times::default());
        // In short turns, so that whatever else the machine does slows both.
        let start = Instant::now();
        while start.elapsed() < each * 2 {
            our_times.take(TURN, &mut ours)?;
            bare_times.take(TURN, &mut bare)?;
        }
        let (ours, bare) = (our_times.figures(batch), bare_times.figures(batch));
        println!(
            "{batch:>5} {:>10.0} {:>8.3} {:>7.3} {:>16.0} {:>7.3} {:>7.3} {:>7.2}",
            ours.rate,
            ours.p50_ms,
            ours.p99_ms,
            bare.rate,
            bare.p50_ms,
            bare.p99_ms,
            ours.rate / bare.rate
        );
    }
    read_back(&folder.join("batch-1024.sqlite"))
}

fn read_back(path: &Path) -> Result<(), Box<dyn Error>> {
    let stream = StreamId::new("bench")?;
    let start = Instant::now();
    let store = SqliteStore::open(path, stream.clone(), &SqliteOptions::default())?;
    let open_ms = start.elapsed().as_secs_f64() * 1000.0;
    let ring = KeyRing::new(HouseKey::from_entropy(&[1; 32]).public());
    let start = Instant::now();
    let records = verify_chain(stream, store.read_from(1), [], &ring)?.records;
    let rate = records as f64 / start.elapsed().as_secs_f64();
    println!("opened {records} records in {open_ms:.1} ms, verified {rate:.0} records/s from disk");
    Ok(())
}

const TURN: Duration = Duration::from_millis(100);

/// One batch, made durable.
type Step = Box<dyn FnMut() -> Result<(), Box<dyn Error>>>;

#[derive(Default)]
struct Times {
    each_ms: Vec<f64>,
}

struct Figures {
    rate: f64,
    p50_ms: f64,
    p99_ms: f64,
}

impl Times {
    fn take(&mut self, turn: Duration, step: &mut Step) -> Result<(), Box<dyn Error>> {
        let start = Instant::now();
        while start.elapsed() < turn {
            let begun = Instant::now();
            step()?;
            self.each_ms.push(begun.elapsed().as_secs_f64() * 1000.0);
        }
        Ok(())
    }

    fn figures(mut self, batch: u32) -> Figures {
        let total_s = self.each_ms.iter().sum::<f64>() / 1000.0;
        let rate = self.each_ms.len() as f64 * f64::from(batch) / total_s;
        self.each_ms.sort_by(f64::total_cmp);
        let at = |part: f64| self.each_ms[((self.each_ms.len() - 1) as f64 * part) as usize];
        Figures {
            rate,
            p50_ms: at(0.5),
            p99_ms: at(0.99),
        }
    }
}

fn fill(writer: &mut Writer, batch: u32) -> Result<SealedBlock, Box<dyn Error>> {
    for _ in 0..batch {
        writer.push(TIME_MS, 7, 1, &PAYLOAD)?;
    }
    writer.seal(TIME_MS).ok_or_else(|| "an empty batch".into())
}

fn durable(folder: &Path, batch: u32) -> Result<Step, Box<dyn Error>> {
    let path = folder.join(format!("batch-{batch}.sqlite"));
    let stream = StreamId::new("bench")?;
    let mut store = SqliteStore::create(&path, stream.clone(), &SqliteOptions::default())?;
    let mut writer = Writer::resume(stream, &store.tail(), 1, &SaltKey::new([1; 32]))?;
    Ok(Box::new(move || {
        let block = fill(&mut writer, batch)?;
        Ok(store.append(&block, Beside::default())?)
    }))
}

fn bare(folder: &Path, batch: u32) -> Result<Step, Box<dyn Error>> {
    let mut writer = Writer::resume(
        StreamId::new("bench")?,
        &Tail::default(),
        1,
        &SaltKey::new([1; 32]),
    )?;
    let block = fill(&mut writer, batch)?;
    let bytes = [block.header_bytes(), block.body().bytes()].concat();
    let mut file = File::create(folder.join(format!("batch-{batch}.bare")))?;
    Ok(Box::new(move || {
        file.write_all(&bytes)?;
        Ok(file.sync_data()?)
    }))
}

fn seal_and_verify() -> Result<(), Box<dyn Error>> {
    let stream = StreamId::new("bench")?;
    let mut writer = Writer::resume(stream.clone(), &Tail::default(), 1, &SaltKey::new([1; 32]))?;
    let start = Instant::now();
    let blocks = (0..1000)
        .map(|_| fill(&mut writer, 1024))
        .collect::<Result<Vec<_>, _>>()?;
    let sealed = 1000.0 * 1024.0 / start.elapsed().as_secs_f64();
    let ring = KeyRing::new(HouseKey::from_entropy(&[1; 32]).public());
    let raw: Vec<_> = blocks.iter().map(|block| Ok(block.to_raw())).collect();
    let start = Instant::now();
    let report = verify_chain(stream, raw, [], &ring)?;
    let verified = report.records as f64 / start.elapsed().as_secs_f64();
    println!("sealed {sealed:.0} records/s, verified {verified:.0} records/s, in memory, one core");
    Ok(())
}
