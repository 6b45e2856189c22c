//! How fast journals are verified: one of large blocks, one of small ones, by
//! the code that `sicbo verify` runs.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use sicbo_journal::StreamId;
use sicbo_loop::LoopOptions;
use sicbo_proof::examine_with;
use sicbo_runner::Processors;

use crate::BenchError;
use crate::journal::{Pace, Place, in_new_place};

/// Both journals.
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

/// Measures on the disk that `dir` is on, with journals of so many bets; a folder
/// made in `dir` is removed again.
pub fn measure(dir: &Path, large: u64, small: u64) -> Result<Measured, BenchError> {
    in_new_place(dir, |place| {
        let journals = vec![
            journal(place, "many bets", LoopOptions::default().batch, large)?,
            journal(place, "one bet", 1, small)?,
        ];
        Ok(Measured {
            journals,
            wanted_per_core: WANTED_PER_CORE,
        })
    })
}

fn journal(
    place: &Place,
    blocks_of: &'static str,
    batch: usize,
    bets: u64,
) -> Result<Journal, BenchError> {
    let name = format!("verify-{batch}");
    drop(place.run(&name, batch, Pace::Bets(bets))?);
    let stream = StreamId::new(&name).map_err(BenchError::world)?;
    let store = place.open(&stream)?;
    let mut best: Option<(Journal, Duration)> = None;
    let (began, mut times) = (Instant::now(), 0);
    while times < MIN_TIMES || began.elapsed() < MIN_TIME {
        times += 1;
        let (worked, start) = (processor_time(), Instant::now());
        let processors = Processors::default();
        let examined = examine_with(&processors, &store, &stream, place.ring(), &mut |_| {});
        let examined = examined.map_err(BenchError::world)?;
        let (elapsed, worked) = (start.elapsed(), processor_time() - worked);
        if let Some(fault) = examined.faults.into_iter().next() {
            return Err(BenchError::world(fault));
        }
        let report = examined.verified.report;
        let rate = |time: Duration| (report.records as f64 / time.as_secs_f64()) as u64;
        let measured = Journal {
            blocks_of,
            blocks: report.blocks,
            records: report.records,
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
