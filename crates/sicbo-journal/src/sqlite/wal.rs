//! Folding SQLite's write-ahead log back into the main file without making a
//! commit wait. Owns when it is done and by which connection; must never touch
//! a block.
//!
//! SQLite would do it inside the commit that fills the log, which then takes
//! ten times as long. Here a second connection does it beside the writer. It
//! can never quite catch up with a busy writer, and SQLite starts the log from
//! its beginning only when all of it is folded in; so once the log is long the
//! writer itself folds in the small rest between two commits.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::open::{OpenError, connect};
use super::vfs::Vfs;

/// How long the log may grow, in bytes.
///
/// A reader that stays in one transaction keeps the log from beginning anew,
/// and nobody can send it away. Up to `max` that costs room on the disk and
/// nothing else. There the writer waits a few seconds for the reader, then
/// refuses to append: a full disk would stop every table, and the house's own
/// journal with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLimits {
    /// Written before the log is worth folding in.
    pub fold_after: u64,
    /// In the log when the writer folds in the rest itself. Also about the
    /// length the log file keeps.
    pub fold_inline_after: u64,
    /// The longest the log may get.
    pub max: u64,
    /// Bytes the log's file keeps when the log begins anew; a log that a reader
    /// made longer gives its room back.
    pub keep: u64,
}

impl Default for LogLimits {
    fn default() -> Self {
        LogLimits {
            fold_after: 4 << 20,
            fold_inline_after: 64 << 20,
            max: 2 << 30,
            keep: 128 << 20,
        }
    }
}

/// A page in the log, with its header.
const FRAME_BYTES: u64 = 8192 + 24;

/// Who folds the log in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WalUpkeep {
    /// A thread with a connection of its own: for a running house.
    #[default]
    Background,
    /// The writer, between two commits: no thread, for simulation and tests.
    Inline,
    /// As in the background, with a [`LogKeeper`] that its owner drives.
    Driven,
}

/// Folds the log in when it is told to, by a connection of its own.
#[derive(Debug)]
pub struct LogKeeper {
    connection: Connection,
    failed: Arc<AtomicBool>,
}

impl LogKeeper {
    fn connect(
        path: &Path,
        vfs: &Vfs,
        failed: Arc<AtomicBool>,
    ) -> Result<LogKeeper, rusqlite::Error> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, vfs)?;
        Ok(LogKeeper { connection, failed })
    }

    /// Folds in what can be folded in; returns whether all is well.
    ///
    /// After a failure, its own or the writer's, it never folds again and the
    /// writer acknowledges nothing more. A sync that fails gives up the pages of
    /// earlier foldings too, which SQLite counts as folded in: a folding that
    /// succeeded later would let the log begin anew without them.
    pub fn fold(&self) -> bool {
        if self.failed.load(Ordering::Acquire) {
            return false;
        }
        let well = fold(&self.connection).is_ok();
        if !well {
            self.failed.store(true, Ordering::Release);
        }
        well
    }
}

/// Whether a connection leaves the log alone when it closes. After a failure a
/// last folding could take for durable what is not, and remove the log.
pub(super) fn leave_log(connection: &Connection, leave: bool) -> Result<(), rusqlite::Error> {
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave)
        .map(|_| ())
}

/// Keeps account of the log's length and has it folded in.
#[derive(Debug)]
pub(super) struct WalKeeper {
    helper: Option<Helper>,
    upkeep: WalUpkeep,
    limits: LogLimits,
    failed: Arc<AtomicBool>,
    /// Bytes since the helper was last asked.
    since_asked: u64,
    /// Bytes since the log last began anew, as far as we know.
    since_restart: u64,
}

#[derive(Debug)]
struct Helper {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WalKeeper {
    pub(super) fn start(
        path: &Path,
        vfs: &Vfs,
        upkeep: WalUpkeep,
        limits: LogLimits,
        in_log: u64,
    ) -> Result<WalKeeper, rusqlite::Error> {
        let failed = Arc::new(AtomicBool::new(false));
        let helper = match upkeep {
            WalUpkeep::Inline | WalUpkeep::Driven => None,
            WalUpkeep::Background => Some(Helper::start(LogKeeper::connect(
                path,
                vfs,
                failed.clone(),
            )?)?),
        };
        Ok(WalKeeper {
            helper,
            upkeep,
            limits,
            failed,
            since_asked: 0,
            since_restart: in_log,
        })
    }

    /// The second connection of a store whose owner drives it.
    pub(super) fn driven(&self, path: &Path, vfs: &Vfs) -> Result<LogKeeper, OpenError> {
        LogKeeper::connect(path, vfs, self.failed.clone())
            .map_err(|error| OpenError::from_sqlite(path, &error))
    }

    /// Whether the log could not be folded in, or the writer has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Ends the folding in the background. Returns whether all is well.
    pub(super) fn stop(mut self) -> bool {
        drop(self.helper.take());
        !self.has_failed()
    }

    /// The writer has failed: nobody folds anything in any more.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::Release);
    }

    /// Whether there is room for another commit. When a reader has let the log
    /// grow to its bound, waits for that reader as for a lock.
    pub(super) fn has_room(&mut self, connection: &Connection) -> Result<bool, rusqlite::Error> {
        if self.since_restart < self.limits.max {
            return Ok(true);
        }
        let folded = folded(connection, "PRAGMA wal_checkpoint(RESTART)")?;
        if folded.all {
            self.since_restart = 0;
        }
        Ok(folded.all)
    }

    /// Notes a commit of about this many bytes, and does what is due. An error
    /// means the main file could not be written or synced.
    pub(super) fn committed(
        &mut self,
        connection: &Connection,
        bytes: u64,
    ) -> Result<(), rusqlite::Error> {
        self.since_asked += bytes;
        self.since_restart += bytes;
        if self.has_failed() {
            return Err(rusqlite::Error::SqliteFailure(
                rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR_FSYNC),
                Some("the write-ahead log could not be folded in".into()),
            ));
        }
        let inline_after = match self.upkeep {
            WalUpkeep::Inline => self.limits.fold_after,
            WalUpkeep::Background | WalUpkeep::Driven => self.limits.fold_inline_after,
        };
        if let Some(helper) = &self.helper
            && self.since_asked >= self.limits.fold_after
            && helper.ask()
        {
            self.since_asked = 0;
        }
        if self.since_restart >= inline_after {
            let folded = fold(connection)?;
            self.since_restart = if folded.all {
                0
            } else {
                self.since_restart.max(folded.bytes)
            };
        }
        Ok(())
    }
}

impl Helper {
    fn start(keeper: LogKeeper) -> Result<Helper, rusqlite::Error> {
        let (wake, woken) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("journal-wal".into())
            .spawn(move || {
                for () in woken {
                    if !keeper.fold() {
                        return;
                    }
                }
            });
        let thread = thread.map_err(|error| {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_NOMEM);
            rusqlite::Error::SqliteFailure(code, Some(error.to_string()))
        })?;
        Ok(Helper {
            wake: Some(wake),
            thread: Some(thread),
        })
    }

    /// Whether the request was taken or one is waiting already.
    fn ask(&self) -> bool {
        match self.wake.as_ref().map(|wake| wake.try_send(())) {
            Some(Ok(()) | Err(TrySendError::Full(()))) => true,
            Some(Err(TrySendError::Disconnected(()))) | None => false,
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // Closing the channel ends the thread; its connection must be gone
        // before the writer's, so that the last one to close is the writer's.
        drop(self.wake.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What came of folding the log in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folded {
    /// All of it is in the main file: the next commit begins the log anew.
    pub(super) all: bool,
    /// Frames in the log.
    pub(super) frames: u64,
    /// How many of them are in the main file, on the disk or not.
    pub(super) done: u64,
    /// About the bytes they take.
    pub(super) bytes: u64,
}

/// Folds in what is in the log, without waiting for anyone.
pub(super) fn fold(connection: &Connection) -> Result<Folded, rusqlite::Error> {
    folded(connection, "PRAGMA wal_checkpoint(PASSIVE)")
}

/// What is in the log and what of it is folded in, without doing anything.
pub(super) fn look(connection: &Connection) -> Result<Folded, rusqlite::Error> {
    folded(connection, "PRAGMA wal_checkpoint(NOOP)")
}

fn folded(connection: &Connection, how: &str) -> Result<Folded, rusqlite::Error> {
    let folded = connection.query_row(how, [], |row| {
        let (busy, in_log, done): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let frames = in_log.max(0).unsigned_abs();
        Ok(Folded {
            all: busy == 0 && in_log == done,
            frames,
            done: done.max(0).unsigned_abs(),
            bytes: frames * FRAME_BYTES,
        })
    });
    match folded {
        // Someone else is folding: as good.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(Folded {
            all: false,
            frames: 0,
            done: 0,
            bytes: 0,
        }),
        other => other,
    }
}
