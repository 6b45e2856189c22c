//! What is measured of the house's journals: how old the newest record and the newest checkpoint
//! are, how long records have waited for one, and what they take on the disk.
//!
//! Ages are by the house's clock, as the times in the journals are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;
use sicbo_clock::now_ms;
use sicbo_journal::{Beside, DataFolder, SealedBlock, StreamId};

/// No such moment.
const NEVER: i64 = 0;

/// When something was last written to a stream by this program.
pub(crate) struct Written {
    /// The newest block, or the start.
    block_ms: AtomicI64,
    /// The newest checkpoint, or the start.
    checkpoint_ms: AtomicI64,
    /// The oldest block without a checkpoint after it.
    unsigned_since_ms: AtomicI64,
}

impl Written {
    fn new(now_ms: i64) -> Written {
        Written {
            block_ms: AtomicI64::new(now_ms),
            checkpoint_ms: AtomicI64::new(now_ms),
            unsigned_since_ms: AtomicI64::new(NEVER),
        }
    }

    /// A block is durable, with what was written beside it.
    pub(crate) fn block(&self, block: &SealedBlock, beside: &Beside<'_>) {
        let at_ms = block.header().time_ms;
        self.block_ms.store(at_ms, Ordering::Relaxed);
        if beside.checkpoint.is_some() {
            return self.checkpoint(at_ms);
        }
        let since = &self.unsigned_since_ms;
        // The first that waits stays the oldest.
        let _ = since.compare_exchange(NEVER, at_ms, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Everything up to now is under a checkpoint.
    pub(crate) fn checkpoint(&self, at_ms: i64) {
        self.checkpoint_ms.store(at_ms, Ordering::Relaxed);
        self.unsigned_since_ms.store(NEVER, Ordering::Relaxed);
    }
}

/// The journals of a house, as they are measured.
pub(crate) struct Storage {
    data: PathBuf,
    streams: Mutex<BTreeMap<String, Arc<Written>>>,
}

impl Storage {
    /// Of this data folder.
    pub(crate) fn new(data: &Path) -> Storage {
        Storage {
            data: data.to_owned(),
            streams: Mutex::default(),
        }
    }

    /// A stream that is written from now on.
    pub(crate) fn stream(&self, stream: &StreamId) -> Arc<Written> {
        let mut streams = self.streams.lock();
        let written = streams.entry(stream.to_string());
        let written = written.or_insert_with(|| Arc::new(Written::new(now_ms())));
        Arc::clone(written)
    }

    /// Sets the figures.
    pub(crate) fn measure(&self) {
        let now = now_ms();
        let seconds = |since: i64| now.saturating_sub(since).max(0) as f64 / 1_000.0;
        for (name, written) in self.streams.lock().iter() {
            let set = |figure: &'static str, value: f64| {
                metrics::gauge!(figure, "stream" => name.clone()).set(value);
            };
            let at = |moment: &AtomicI64| moment.load(Ordering::Relaxed);
            set("sicbo_journal_age_seconds", seconds(at(&written.block_ms)));
            set(
                "sicbo_checkpoint_age_seconds",
                seconds(at(&written.checkpoint_ms)),
            );
            let waits = match at(&written.unsigned_since_ms) {
                NEVER => 0.0,
                since => seconds(since),
            };
            set("sicbo_unsigned_age_seconds", waits);
            let Ok(stream) = StreamId::new(name) else {
                continue;
            };
            let path = DataFolder::stream_path(&self.data, &stream);
            let length = |path: &Path| std::fs::metadata(path).map_or(0, |about| about.len());
            set("sicbo_journal_bytes", length(&path) as f64);
            let mut log = path.into_os_string();
            log.push("-wal");
            set("sicbo_wal_bytes", length(Path::new(&log)) as f64);
        }
        if let Ok(disk) = rustix::fs::statvfs(&self.data) {
            let bytes = |blocks: u64| (blocks * disk.f_frsize) as f64;
            metrics::gauge!("sicbo_disk_free_bytes").set(bytes(disk.f_bavail));
            metrics::gauge!("sicbo_disk_size_bytes").set(bytes(disk.f_blocks));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_wait_for_their_checkpoint_from_the_oldest_on() {
        let written = Written::new(1_000);
        let waits = || written.unsigned_since_ms.load(Ordering::Relaxed);
        assert_eq!(waits(), NEVER, "nothing was written yet");
        written.unsigned_since_ms.store(2_000, Ordering::Relaxed);
        written.checkpoint(3_000);
        assert_eq!(waits(), NEVER);
        assert_eq!(written.checkpoint_ms.load(Ordering::Relaxed), 3_000);
    }
}
