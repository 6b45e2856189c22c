//! How fast journals are verified: one of large blocks, one of small ones, and
//! both with the tree over their blocks, by the code that `sicbo verify` runs.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_journal::{SqliteStore, Store, StreamId};
use sicbo_loop::LoopOptions;
use sicbo_proof::examine_with;
use sicbo_runner::Processors;
use sicbo_witness::check::{Demand, check_tree};
use sicbo_witness::head::origin;
use sicbo_witness::house_tree::{HeadReason, HouseTree};

use crate::BenchError;
use crate::journal::{Pace, Place, in_new_place};

/// Each journal, and both with their tree.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Measured {
    pub journals: Vec<Journal>,
    pub wanted_per_core: u64,
}

/// One journal. A core's share is by the time the processor worked for it.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Journal {
    pub blocks_of: &'static str,
    pub blocks: u64,
    pub records: u64,
    pub records_per_s: u64,
    pub records_per_s_per_core: u64,
    pub cores_used: f64,
}

/// What a core must do at least.
const WANTED_PER_CORE: u64 = 500_000;
/// Each journal is verified so often at least, and for so long; the best stands. A small journal
/// takes a tenth of a second, in which anything else on the machine shows.
const MIN_TIMES: usize = 3;
const MIN_TIME: Duration = Duration::from_secs(3);

/// Measures on the disk that `dir` is on, with journals of so many bets, and then
/// both together with the tree over their blocks; a folder made in `dir` is
/// removed again.
pub fn measure(dir: &Path, large: u64, small: u64) -> Result<Measured, BenchError> {
    in_new_place(dir, |place| {
        let sizes = [
            ("many bets", LoopOptions::default().batch, large),
            ("one bet", 1, small),
        ];
        let mut journals = Vec::new();
        let mut streams = Vec::new();
        for (blocks_of, batch, bets) in sizes {
            let name = format!("verify-{batch}");
            drop(place.run(&name, batch, Pace::Bets(bets))?);
            let stream = StreamId::new(&name).map_err(BenchError::world)?;
            let store = place.open(&stream)?;
            journals.push(best(blocks_of, || examined(place, &stream, &store))?);
            streams.push((stream, store));
        }
        keep_tree(place, &streams)?;
        let all = best("both, in a tree", || {
            let mut read = Read::default();
            for (stream, store) in &streams {
                let one = examined(place, stream, store)?;
                read.blocks += one.blocks;
                read.records += one.records;
            }
            let tree = check_tree(place.path(), place.ring(), Demand::Nothing);
            let tree = tree.map_err(BenchError::world)?;
            match tree.faults.into_iter().next() {
                Some(fault) => Err(BenchError::world(fault)),
                None if tree.size == read.blocks => Ok(read),
                None => Err(BenchError::bug("blocks are outside the tree")),
            }
        })?;
        journals.push(all);
        Ok(Measured {
            journals,
            wanted_per_core: WANTED_PER_CORE,
        })
    })
}

/// What was read and found whole.
#[derive(Default)]
struct Read {
    blocks: u64,
    records: u64,
}

/// Verifies a journal as `sicbo verify` does.
fn examined(place: &Place, stream: &StreamId, store: &SqliteStore) -> Result<Read, BenchError> {
    let processors = Processors::default();
    let examined = examine_with(&processors, store, stream, place.ring(), &mut |_| {});
    let examined = examined.map_err(BenchError::world)?;
    if let Some(fault) = examined.faults.into_iter().next() {
        return Err(BenchError::world(fault));
    }
    let report = examined.verified.report;
    let (blocks, records) = (report.blocks, report.records);
    Ok(Read { blocks, records })
}

/// Puts all blocks into a tree, under a signed head.
fn keep_tree(place: &Place, streams: &[(StreamId, SqliteStore)]) -> Result<(), BenchError> {
    const LIFE: u32 = 1;
    let stores = streams.iter();
    let stores = stores.map(|(stream, store)| (stream.clone(), store as &dyn Store));
    let stores: Vec<_> = stores.collect();
    let mut tree = HouseTree::create(place.path(), LIFE).map_err(BenchError::world)?;
    tree.catch_up(&stores).map_err(BenchError::world)?;
    let head = tree.head(&origin(place.ring().house(), LIFE));
    let note = head.sign(place.key()).map_err(BenchError::world)?;
    let kept = tree.keep_head(head.size, &note, HeadReason::Stop, now_ms());
    kept.map_err(BenchError::world)
}

/// Verifies several times; the best by what processors worked stands.
fn best(
    blocks_of: &'static str,
    mut verify: impl FnMut() -> Result<Read, BenchError>,
) -> Result<Journal, BenchError> {
    let mut best: Option<(Journal, Duration)> = None;
    let (began, mut times) = (Instant::now(), 0);
    while times < MIN_TIMES || began.elapsed() < MIN_TIME {
        times += 1;
        let (worked, start) = (processor_time(), Instant::now());
        let read = verify()?;
        let (elapsed, worked) = (start.elapsed(), processor_time() - worked);
        let rate = |time: Duration| (read.records as f64 / time.as_secs_f64()) as u64;
        let measured = Journal {
            blocks_of,
            blocks: read.blocks,
            records: read.records,
            records_per_s: rate(elapsed),
            records_per_s_per_core: rate(worked),
            cores_used: (worked.as_secs_f64() / elapsed.as_secs_f64() * 100.0).round() / 100.0,
        };
        if best.as_ref().is_none_or(|(_, least)| worked < *least) {
            best = Some((measured, worked));
        }
    }
    best.map(|(best, _)| best)
        .ok_or_else(|| BenchError::bug("nothing was measured"))
}

/// How long processors have worked for this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}
