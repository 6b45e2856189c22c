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

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::open::{VfsName, connect};

/// Bytes written before the log is worth folding in.
const FOLD_AFTER: u64 = 4 << 20;

/// Bytes in the log at which the writer folds in the rest itself. Also about
/// the length the log file keeps.
const FOLD_INLINE_AFTER: u64 = 64 << 20;

/// Who folds the log in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WalUpkeep {
    /// A thread with a connection of its own: for a running house.
    #[default]
    Background,
    /// The writer, between two commits: no thread, for simulation and tests.
    Inline,
}

/// Keeps account of the log's length and has it folded in.
#[derive(Debug)]
pub(super) struct WalKeeper {
    helper: Option<Helper>,
    /// Bytes since the helper was last asked.
    since_asked: u64,
    /// Bytes since the log last began anew, as far as we know.
    since_restart: u64,
}

#[derive(Debug)]
struct Helper {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<AtomicBool>,
}

impl WalKeeper {
    pub(super) fn start(
        path: &Path,
        vfs: &VfsName,
        upkeep: WalUpkeep,
    ) -> Result<WalKeeper, rusqlite::Error> {
        let helper = match upkeep {
            WalUpkeep::Inline => None,
            WalUpkeep::Background => Some(Helper::start(connect(
                path,
                OpenFlags::SQLITE_OPEN_READ_WRITE,
                vfs,
            )?)?),
        };
        Ok(WalKeeper {
            helper,
            since_asked: 0,
            since_restart: 0,
        })
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
        match &self.helper {
            Some(helper) => {
                if helper.failed.load(Ordering::Relaxed) {
                    return Err(rusqlite::Error::SqliteFailure(
                        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR_FSYNC),
                        Some("the write-ahead log could not be folded in".into()),
                    ));
                }
                if self.since_asked >= FOLD_AFTER && helper.ask() {
                    self.since_asked = 0;
                }
                if self.since_restart >= FOLD_INLINE_AFTER && fold(connection)? {
                    self.since_restart = 0;
                }
            }
            None => {
                if self.since_restart >= FOLD_AFTER && fold(connection)? {
                    self.since_restart = 0;
                }
            }
        }
        Ok(())
    }
}

impl Helper {
    fn start(connection: Connection) -> Result<Helper, rusqlite::Error> {
        let (wake, woken) = sync_channel(1);
        let failed = Arc::new(AtomicBool::new(false));
        let flag = failed.clone();
        let thread = std::thread::Builder::new()
            .name("journal-wal".into())
            .spawn(move || {
                for () in woken {
                    if fold(&connection).is_err() {
                        flag.store(true, Ordering::Relaxed);
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
            failed,
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

/// Folds in what is in the log, without waiting for anyone. Returns whether
/// that was all of it, so that the next commit begins the log anew.
pub(super) fn fold(connection: &Connection) -> Result<bool, rusqlite::Error> {
    let folded = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        let (busy, in_log, done): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(busy == 0 && in_log == done)
    });
    match folded {
        // Someone else is folding: as good.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(false),
        other => other,
    }
}
