//! The embedded store: one SQLite file for one stream. Owns the rows and the
//! transaction around them; opening is in `open`, what an earlier process left in
//! the write-ahead log in `log`, folding that log in in `wal`.

mod files;
mod log;
mod open;
mod part;
mod read;
mod schema;
mod vfs;
mod wal;
mod watch;

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use crate::block::{RawBlock, RawHeader, SealedBlock};
use crate::checkpoint::SignedCheckpoint;
use crate::folder::sync_folder;
use crate::hash::Hash;
use crate::header::Header;
use crate::key_ring::KeyRing;
use crate::rights::create_private_file;
use crate::seal::Seals;
use crate::store::{
    AppendError, Beside, Blocks, Headers, ReadError, RoundRow, Snapshot, Store, Tail, check_append,
    check_checkpoint, check_snapshot,
};
use crate::stream::StreamId;

pub use files::{FileIdentity, Files, RawFile};
pub use open::{FILE_FORMAT, OpenError};
use read::{
    BlockReader, clamp, examine_checkpoints, read_checkpoint_from, read_checkpoints,
    read_last_block, read_rounds,
};
pub use schema::{foreign_schema, foreign_to_tables};
pub use vfs::Vfs;
use wal::WalKeeper;
pub use wal::{LogKeeper, LogLimits, WalUpkeep};
use watch::Watch;

/// About what a commit writes beside the block's own bytes: the pages of the
/// tree above it.
const COMMIT_OVERHEAD: u64 = 3 * 8192;

/// How long a writer may keep a copy waiting.
const COPY_TIMEOUT: Duration = Duration::from_secs(10);

/// How a journal file is opened.
#[derive(Clone, Debug, Default)]
pub struct SqliteOptions {
    /// Who folds the write-ahead log in.
    pub upkeep: WalUpkeep,
    /// How long the write-ahead log may grow.
    pub log: LogLimits,
    /// Where the files are.
    pub vfs: Vfs,
}

/// A [`Store`] in one SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    // Dropped first: its thread's connection must close before ours.
    keeper: Option<WalKeeper>,
    watch: Option<Watch>,
    connection: Connection,
    path: PathBuf,
    stream: StreamId,
    tail: Tail,
    poisoned: bool,
    /// Of a writer: the version of the schema that was found to be ours. Another
    /// program that changes it afterwards changes the number.
    schema: Option<i32>,
    /// Whose snapshots are believed, where that was said.
    believed: Option<Option<KeyRing>>,
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        // What was written is all in the file itself when nobody writes any
        // more, also where others still have it open to read: a copy of the
        // file is whole. A store that has failed, or whose files are gone, is
        // left as it is: closing would fold the log in once more and remove it.
        let Some(keeper) = self.keeper.take() else {
            return;
        };
        let well = keeper.stop() && !self.poisoned;
        let there = self.watch.as_ref().is_some_and(|w| w.check().is_ok());
        if !well || !there || wal::fold(&self.connection).is_err() {
            let _ = wal::leave_log(&self.connection, true);
        }
    }
}

impl SqliteStore {
    /// Makes a new file with an empty journal, and opens it. It is made under
    /// another name and put in place whole, so that half a journal is never
    /// found, wherever the power goes.
    pub fn create(
        path: &Path,
        stream: StreamId,
        options: &SqliteOptions,
    ) -> Result<SqliteStore, OpenError> {
        let files = options.vfs.files();
        let io = |error| OpenError::from_io(path, &error);
        if files.identity(path).map_err(io)?.is_some() {
            let path = path.to_owned();
            return Err(OpenError::Exists { path });
        }
        clear_log_alone(path, &options.vfs)?;
        for leftover in ["unfinished", "unfinished-wal", "unfinished-shm"] {
            files.remove(&path.with_extension(leftover)).map_err(io)?;
        }
        let unfinished = path.with_extension("unfinished");
        open::create(&unfinished, &stream, &options.vfs)?;
        // It is read once as any journal is: what was written wrong is not kept.
        let made = SqliteStore::open(&unfinished, stream.clone(), options)?;
        let folded = wal::fold(&made.connection);
        let sqlite = |error| OpenError::from_sqlite(path, &error).explained(&options.vfs);
        folded.map_err(sqlite)?;
        drop(made);
        if files
            .identity(&vfs::log_path(&unfinished))
            .map_err(io)?
            .is_some()
        {
            let (path, what) = (path.to_owned(), "its log could not be folded in".into());
            return Err(OpenError::Failed { path, what });
        }
        files.rename(&unfinished, path).map_err(io)?;
        files.sync_folder(folder_of(path)).map_err(io)?;
        SqliteStore::open(path, stream, options)
    }

    /// Opens a journal for writing. What an earlier process left in the log is
    /// made durable first, and the last block is checked whole, so that nothing
    /// is ever written after a damaged one or after one that is on no disk.
    pub fn open(
        path: &Path,
        stream: StreamId,
        options: &SqliteOptions,
    ) -> Result<SqliteStore, OpenError> {
        let vfs = &options.vfs;
        if vfs.is_system() {
            open::check_file(path)?;
        }
        let frames = log::make_durable(path, vfs).map_err(|error| error.explained(vfs))?;
        let sqlite = |error| OpenError::from_sqlite(path, &error).explained(vfs);
        let alone = if frames > 0 && vfs.is_system() {
            open::tail_without_log(path, &stream)
        } else {
            None
        };
        let connection = open::open(path, &stream, vfs, false)?;
        let schema = read_schema_version(&connection).map_err(sqlite)?;
        open::check_schema(&connection, path)?;
        if frames == 0 {
            open::check_length(&connection, path, vfs)?;
        }
        // The log begins anew, and gives its room back, in this connection's commits.
        let keep = i64::try_from(options.log.keep).unwrap_or(i64::MAX);
        let kept = connection.pragma_update(None, "journal_size_limit", keep);
        kept.map_err(sqlite)?;
        let check = |connection: &Connection| {
            // Nothing is folded into a file that the log does not belong to.
            check_log_belongs(connection, path, alone).map_err(|error| error.explained(vfs))?;
            // The log's name must outlive a power cut as its frames do.
            let folder = folder_of(path);
            let synced = vfs.files().sync_folder(folder);
            synced.map_err(|error| OpenError::from_io(folder, &error))?;
            let folded = wal::look(connection).map_err(sqlite)?;
            let path = path.to_owned();
            match frames.cmp(&folded.frames) {
                // A reader in another process keeps the log's index as it was
                // before the last commit.
                Ordering::Greater => Err(OpenError::Behind {
                    path,
                    frames,
                    seen: folded.frames,
                }),
                Ordering::Less => {
                    let then = folded.frames;
                    let what = format!("with {frames} frames, then with {then}");
                    Err(OpenError::Misread { path, what })
                }
                Ordering::Equal => {
                    log::make_folded_durable(&path, vfs, folded.done)?;
                    Ok(folded)
                }
            }
        };
        let folded = check(&connection)?;
        let mut store = SqliteStore::around(connection, path, stream);
        store.tail = store.read_tail().map_err(|error| error.explained(vfs))?;
        store.watch = Some(Watch::start(path, vfs)?);
        let in_log = if folded.all { 0 } else { folded.bytes };
        let keeper = WalKeeper::start(path, vfs, options.upkeep, options.log, in_log);
        store.keeper = Some(keeper.map_err(sqlite)?);
        wal::leave_log(&store.connection, false).map_err(sqlite)?;
        if open::is_of_earlier_format(&store.connection).map_err(sqlite)? {
            let failed = |what: String| OpenError::Failed {
                path: path.to_owned(),
                what,
            };
            store
                .write(0, open::make_room_for_signed_headers)
                .map_err(|error| failed(error.to_string()))?;
            // The schema is read anew, with its new bound.
            let reset = store
                .connection
                .execute_batch("PRAGMA writable_schema = RESET");
            reset.map_err(sqlite)?;
            store.schema = Some(schema + 1);
        } else {
            store.schema = Some(schema);
        }
        Ok(store)
    }

    /// Lets go of what the system keeps of a journal's files in its memory, so
    /// that the next reading comes from the disk. A page that was brought into
    /// memory wrong stays wrong otherwise. Whatever was acknowledged is synced;
    /// what a failed sync gave up is gone then, as after a power cut.
    pub fn forget_cached(path: &Path, vfs: &Vfs) {
        for path in [path.to_owned(), vfs::log_path(path)] {
            // Without it the next reading is as good as the last.
            if let Ok(Some(file)) = vfs.files().open(&path) {
                let _ = file.forget_cached();
            }
        }
    }

    /// A second connection that folds the log in, for a store that was opened
    /// with [`WalUpkeep::Driven`].
    pub fn log_keeper(&self, options: &SqliteOptions) -> Result<Option<LogKeeper>, OpenError> {
        let keeper = self.keeper.as_ref();
        keeper
            .map(|keeper| keeper.driven(&self.path, &options.vfs))
            .transpose()
    }

    /// Opens a journal for reading only, also while a house is writing it.
    /// The tail stays what it was at opening. Every write is refused.
    pub fn open_read_only(
        path: &Path,
        stream: StreamId,
        vfs: &Vfs,
    ) -> Result<SqliteStore, OpenError> {
        let (store, foreign) = SqliteStore::open_to_examine(path, stream, vfs)?;
        OpenError::altered(path, &foreign).map_or(Ok(store), Err)
    }

    /// As [`SqliteStore::open_read_only`], also where something foreign is in
    /// the file: told with it, so that everything else can be looked at too.
    pub fn open_to_examine(
        path: &Path,
        stream: StreamId,
        vfs: &Vfs,
    ) -> Result<(SqliteStore, Vec<String>), OpenError> {
        let connection = open::open(path, &stream, vfs, true)?;
        let foreign = open::find_foreign(&connection)
            .map_err(|error| OpenError::from_sqlite(path, &error).explained(vfs))?;
        let mut store = SqliteStore::around(connection, path, stream);
        store.tail = match (store.read_tail(), OpenError::altered(path, &foreign)) {
            (Ok(tail), _) => tail,
            // A table that is none.
            (Err(_), Some(altered)) => return Err(altered),
            (Err(error), None) => return Err(error.explained(vfs)),
        };
        Ok((store, foreign))
    }

    /// Opens a journal to read its blocks from the first on, also where its last is damaged. Where it
    /// ends is not looked at: the tail is that of an empty one.
    pub fn open_blocks(path: &Path, stream: StreamId, vfs: &Vfs) -> Result<SqliteStore, OpenError> {
        let connection = open::open(path, &stream, vfs, true)?;
        open::check_schema(&connection, path)?;
        Ok(SqliteStore::around(connection, path, stream))
    }

    /// Whether the log beside a journal hides something that was written once:
    /// a start would refuse it. Changes nothing, also while a house writes it.
    pub fn check_log(path: &Path, vfs: &Vfs) -> Result<(), OpenError> {
        log::check(path, vfs)
    }

    /// From here on everything is read as it is at this moment, until the store
    /// is dropped. Meanwhile the writer's log cannot begin anew; see [`LogLimits`].
    pub fn stay_at_this_moment(&self) -> Result<(), ReadError> {
        let begin = "BEGIN; SELECT count(*) FROM meta;";
        let began = self.connection.execute_batch(begin);
        began.map_err(|error| ReadError::Failed {
            what: error.to_string(),
        })
    }

    fn around(connection: Connection, path: &Path, stream: StreamId) -> SqliteStore {
        SqliteStore {
            keeper: None,
            watch: None,
            connection,
            path: path.to_owned(),
            stream,
            tail: Tail::default(),
            poisoned: false,
            schema: None,
            believed: None,
        }
    }

    /// From here on only snapshots are found that a writer signed whom one of
    /// these keys certified; without keys none at all.
    #[must_use]
    pub fn believing(mut self, ring: Option<&KeyRing>) -> SqliteStore {
        self.believed = Some(ring.cloned());
        self
    }

    fn is_believed(&self, snapshot: &Snapshot) -> bool {
        let ring = match &self.believed {
            None => return true,
            Some(None) => return false,
            Some(Some(ring)) => ring,
        };
        let block = self.read_from(snapshot.sequence).next();
        let Some(Ok(block)) = block else { return false };
        Seals::new(ring)
            .after_snapshot(&self.stream, snapshot, &block.header)
            .is_some()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The stream it keeps.
    pub fn stream(&self) -> &StreamId {
        &self.stream
    }

    /// Folds the write-ahead log in as far as possible, e.g. when a table
    /// closes. Returns whether all of it is in the main file now.
    pub fn fold_log(&mut self) -> Result<bool, AppendError> {
        self.check_alive()?;
        match wal::fold(&self.connection) {
            Ok(folded) => Ok(folded.all),
            Err(error) => Err(self.poison(&error)),
        }
    }

    /// Copies the journal as it is now to a new file, also while it is being
    /// written. The copy is complete when it stands under its name; verify it.
    pub fn backup(&self, to: &Path) -> Result<(), OpenError> {
        copy_to(&self.connection, to)
    }

    /// Copies any file of SQLite as [`SqliteStore::backup`] does: what else of a
    /// house is kept in one.
    pub fn copy_database(from: &Path, to: &Path) -> Result<(), OpenError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(from, flags)
            .and_then(|connection| connection.busy_timeout(COPY_TIMEOUT).map(|()| connection));
        copy_to(
            &opened.map_err(|error| OpenError::from_sqlite(from, &error))?,
            to,
        )
    }

    fn read_tail(&self) -> Result<Tail, OpenError> {
        let damaged = |what: String| OpenError::Damaged {
            path: self.path.clone(),
            what,
        };
        let row = read_last_block(&self.connection);
        let row = row.map_err(|error| OpenError::from_sqlite(&self.path, &error))?;
        let Some(row) = row else {
            return Ok(Tail::default());
        };
        let raw = row.map_err(|error| damaged(error.to_string()))?;
        let sequence = raw.filed_under;
        let block = raw
            .decode()
            .map_err(|error| damaged(format!("record {sequence}: {error}")))?;
        let header = block.header();
        let (sequence, epoch) = (header.last_sequence, header.epoch);
        Ok(Tail {
            sequence,
            header_hash: block.header_hash(),
            epoch,
        })
    }

    fn check_alive(&self) -> Result<(), AppendError> {
        let Some(keeper) = &self.keeper else {
            return Err(AppendError::ReadOnly);
        };
        if self.poisoned || keeper.has_failed() {
            Err(AppendError::Poisoned)
        } else {
            Ok(())
        }
    }

    /// Runs one write transaction. Whatever goes wrong in it, what the disk
    /// holds is uncertain afterwards, so nothing more is acknowledged.
    fn write(
        &mut self,
        bytes: usize,
        change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), AppendError> {
        if let Some(keeper) = &mut self.keeper {
            match keeper.has_room(&self.connection) {
                Ok(true) => {}
                Ok(false) => return Err(AppendError::LogFull),
                Err(error) => return Err(self.poison(&error)),
            }
        }
        let schema = self.schema;
        let run = |connection: &Connection| {
            connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            check_schema_version(connection, schema)?;
            change(connection)?;
            connection.prepare_cached("COMMIT")?.execute([])?;
            Ok(())
        };
        run(&self.connection).map_err(|error| {
            let _ = self.connection.execute_batch("ROLLBACK");
            self.poison(&error)
        })?;
        // Durable it is; but perhaps in a file that nobody will find again.
        self.check_names()?;
        if let Some(keeper) = &mut self.keeper {
            // The block is durable in the log; it stays acknowledged. But a
            // file that cannot be synced must not be written any further.
            let kept = keeper.committed(&self.connection, bytes as u64 + COMMIT_OVERHEAD);
            if kept.is_err() {
                self.fail();
            }
        }
        Ok(())
    }

    fn check_names(&mut self) -> Result<(), AppendError> {
        let checked = self.watch.as_ref().map_or(Ok(()), Watch::check);
        checked.inspect_err(|_| self.fail())
    }

    /// Nothing more is written, and nothing folded in.
    fn fail(&mut self) {
        self.poisoned = true;
        if let Some(keeper) = &self.keeper {
            keeper.fail();
        }
    }

    fn poison(&mut self, error: &rusqlite::Error) -> AppendError {
        self.fail();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => AppendError::DiskFull,
            _ => AppendError::Failed {
                what: error.to_string(),
            },
        }
    }

    fn header_hash_at(&self, sequence: u64) -> rusqlite::Result<Option<Hash>> {
        // The block with the highest first sequence not above it, if it ends
        // there; found by the primary key.
        let query = "SELECT last_sequence, header FROM blocks WHERE first_sequence <= ?1 \
                     ORDER BY first_sequence DESC LIMIT 1";
        let mut statement = self.connection.prepare_cached(query)?;
        let found = statement.query_row([clamp(sequence)], |row| {
            Ok((row.get::<_, i64>(0)?, Hash::of(row.get_ref(1)?.as_blob()?)))
        });
        let ends_there = |(last, _): &(i64, Hash)| *last == clamp(sequence);
        Ok(found.optional()?.filter(ends_there).map(|(_, hash)| hash))
    }
}

/// What lies beside a journal that is not there would be taken into a new one: a log with records is
/// refused, an empty one and the index of a log are removed.
fn clear_log_alone(path: &Path, vfs: &Vfs) -> Result<(), OpenError> {
    let (files, log) = (vfs.files(), vfs::log_path(path));
    let io = |error| OpenError::from_io(&log, &error);
    let length = match files.open_log(&log).map_err(io)? {
        Some(found) => found.length().map_err(io)?,
        None => 0,
    };
    if length > 0 {
        let journal = path.to_owned();
        return Err(OpenError::LogAlone { path: log, journal });
    }
    for leftover in [&log, &vfs::log_index_path(path)] {
        files.remove(leftover).map_err(io)?;
    }
    Ok(())
}

/// Where a file's name is kept.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn read_schema_version(connection: &Connection) -> rusqlite::Result<i32> {
    let mut pragma = connection.prepare_cached("PRAGMA schema_version")?;
    pragma.query_row([], |row| row.get(0))
}

/// A schema that was changed since the file was opened may hold a trigger that
/// swallows what is written: nothing is acknowledged any more.
fn check_schema_version(connection: &Connection, known: Option<i32>) -> rusqlite::Result<()> {
    match known {
        Some(known) if read_schema_version(connection)? != known => {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_SCHEMA);
            let what = "another program has altered the journal's schema";
            Err(rusqlite::Error::SqliteFailure(code, Some(what.to_owned())))
        }
        _ => Ok(()),
    }
}

/// Copies a database as it is at one moment to a new file.
fn copy_to(source: &Connection, to: &Path) -> Result<(), OpenError> {
    if to.exists() {
        return Err(OpenError::Exists {
            path: to.to_owned(),
        });
    }
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let io = |error: std::io::Error| OpenError::from_io(to, &error);
    if unfinished.exists() {
        std::fs::remove_file(&unfinished).map_err(io)?;
    }
    create_private_file(&unfinished).map_err(io)?;
    let copy = || -> rusqlite::Result<()> {
        let mut target = Connection::open(&unfinished)?;
        // One step: one consistent moment, however long it takes.
        match Backup::new(source, &mut target)?.step(-1)? {
            StepResult::Done => {}
            // Somebody else kept it locked for all that time.
            _ => {
                let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
                return Err(rusqlite::Error::SqliteFailure(busy, None));
            }
        }
        target.close().map_err(|(_, error)| error)
    };
    copy().map_err(|error| OpenError::from_sqlite(to, &error))?;
    std::fs::File::open(&unfinished)
        .and_then(|file| file.sync_all())
        .map_err(io)?;
    std::fs::rename(&unfinished, to).map_err(io)?;
    to.parent()
        .filter(|parent| parent.is_dir())
        .map_or(Ok(()), sync_folder)
        .map_err(io)
}

/// Checks that the log continues the file's own chain of blocks. `alone` is
/// where the file ends without its log.
fn check_log_belongs(
    connection: &Connection,
    path: &Path,
    alone: Option<Tail>,
) -> Result<(), OpenError> {
    let Some(alone) = alone.filter(|tail| tail.sequence > 0) else {
        return Ok(());
    };
    let damaged = |what: &str| OpenError::Damaged {
        path: path.to_owned(),
        what: what.to_owned(),
    };
    let mut before = None;
    for raw in BlockReader::<RawBlock>::new(connection, alone.sequence) {
        let header = raw.ok().and_then(|raw| Header::decode(&raw.header).ok());
        let header = header.ok_or_else(|| damaged("with its log a block cannot be read"))?;
        let hash = Hash::of(&header.encode());
        let follows = match before {
            None => header.last_sequence == alone.sequence && hash == alone.header_hash,
            Some((sequence, hash)) => {
                header.first_sequence == sequence + 1 && header.previous == hash
            }
        };
        if !follows {
            return Err(damaged("its log does not continue it"));
        }
        before = Some((header.last_sequence, hash));
    }
    before
        .map(|_| ())
        .ok_or_else(|| damaged("its log is older than the file"))
}

fn put_checkpoint_row(connection: &Connection, signed: &SignedCheckpoint) -> rusqlite::Result<()> {
    let checkpoint = signed.checkpoint();
    let insert = "INSERT INTO checkpoints (sequence, time_ms, reason, key, message, signature) \
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection.prepare_cached(insert)?.execute(params![
        clamp(checkpoint.sequence),
        checkpoint.time_ms,
        checkpoint.reason.as_str(),
        signed.key_id().to_string(),
        signed.message(),
        signed.signature(),
    ])?;
    Ok(())
}

impl Store for SqliteStore {
    fn tail(&self) -> Tail {
        self.tail
    }

    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        self.check_alive()?;
        check_append(&self.stream, &self.tail, block, &beside)?;
        let header = block.header();
        self.write(block.body().bytes().len(), |connection| {
            let insert = "INSERT INTO blocks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            connection.prepare_cached(insert)?.execute(params![
                clamp(header.first_sequence),
                clamp(header.last_sequence),
                clamp(header.epoch),
                header.time_ms,
                block.header_hash().as_bytes(),
                block.header_bytes(),
                block.body().bytes(),
            ])?;
            for row in beside.rounds {
                let replace = "INSERT OR REPLACE INTO rounds VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
                connection.prepare_cached(replace)?.execute(params![
                    clamp(row.round),
                    clamp(row.first_sequence),
                    clamp(row.last_sequence),
                    row.started_ms,
                    row.ended_ms,
                    row.state,
                    row.dice,
                ])?;
            }
            beside
                .checkpoint
                .map_or(Ok(()), |signed| put_checkpoint_row(connection, signed))
        })?;
        let (sequence, epoch) = (header.last_sequence, header.epoch);
        self.tail = Tail {
            sequence,
            header_hash: block.header_hash(),
            epoch,
        };
        Ok(())
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        Box::new(BlockReader::<RawBlock>::new(&self.connection, sequence))
    }

    fn headers_from(&self, sequence: u64) -> Headers<'_> {
        Box::new(BlockReader::<RawHeader>::new(&self.connection, sequence))
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        self.check_alive()?;
        if snapshot.bytes.len() > open::MAX_SNAPSHOT {
            return Err(AppendError::Misfit {
                what: "the snapshot is longer than 256 MiB",
            });
        }
        let hash = self
            .header_hash_at(snapshot.sequence)
            .map_err(|error| self.poison(&error))?;
        check_snapshot(hash == Some(snapshot.header_hash))?;
        self.write(snapshot.bytes.len(), |connection| {
            let replace = "INSERT OR REPLACE INTO snapshots VALUES (?1, ?2, ?3, ?4)";
            connection.prepare_cached(replace)?.execute(params![
                clamp(snapshot.sequence),
                snapshot.header_hash.as_bytes(),
                snapshot.digest().as_bytes(),
                snapshot.bytes,
            ])?;
            // The one before is kept in case the newest does not verify.
            let prune = "DELETE FROM snapshots WHERE sequence NOT IN \
                         (SELECT sequence FROM snapshots ORDER BY sequence DESC LIMIT 2)";
            connection.prepare_cached(prune)?.execute([]).map(|_| ())
        })
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.snapshot_before(u64::MAX)
    }

    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        // The table is read from its newest row down, and a row that cannot
        // be read or does not verify is as good as none.
        let mut below = clamp(sequence);
        for _ in 0..2 {
            let query = "SELECT sequence, header_sha256, sha256, bytes FROM snapshots \
                         WHERE sequence >= 1 AND sequence < ?1 ORDER BY sequence DESC LIMIT 1";
            let found = self.connection.query_row(query, [below], |row| {
                let sequence: i64 = row.get(0)?;
                let (header, digest): (Vec<u8>, Vec<u8>) = (row.get(1)?, row.get(2)?);
                Ok((sequence, header, digest, row.get::<_, Vec<u8>>(3)?))
            });
            let Ok(Some((sequence, header, digest, bytes))) = found.optional() else {
                return Ok(None);
            };
            below = sequence;
            let Some(header_hash) = Hash::from_slice(&header) else {
                continue;
            };
            let snapshot = Snapshot {
                sequence: sequence.max(0) as u64,
                header_hash,
                bytes,
            };
            let stored = self.header_hash_at(snapshot.sequence).unwrap_or(None);
            if stored == Some(header_hash)
                && snapshot.digest().0[..] == digest[..]
                && self.is_believed(&snapshot)
            {
                return Ok(Some(snapshot));
            }
        }
        Ok(None)
    }

    fn misfiled_snapshots(&self) -> Result<Vec<u64>, ReadError> {
        // Both are compared as they stand; whether a header has the hash beside
        // it is looked at with its block.
        let query = "SELECT sequence FROM snapshots WHERE NOT EXISTS (SELECT 1 FROM blocks \
                     WHERE first_sequence <= snapshots.sequence \
                     AND last_sequence = snapshots.sequence \
                     AND blocks.header_sha256 = snapshots.header_sha256 \
                     AND first_sequence = (SELECT max(first_sequence) FROM blocks \
                     WHERE first_sequence <= snapshots.sequence))";
        let rows = || -> rusqlite::Result<Vec<u64>> {
            let mut statement = self.connection.prepare(query)?;
            let rows = statement.query_map([], |row| row.get::<_, i64>(0))?;
            rows.map(|row| row.map(|sequence| sequence.max(0) as u64))
                .collect()
        };
        rows().map_err(|error| ReadError::Damaged {
            sequence: 0,
            what: format!("the snapshots: {error}"),
        })
    }

    fn put_checkpoint(&mut self, signed: &SignedCheckpoint) -> Result<(), AppendError> {
        self.check_alive()?;
        let hash = self.header_hash_at(signed.checkpoint().sequence);
        let hash = hash.map_err(|error| self.poison(&error))?;
        check_checkpoint(&self.stream, signed, |_| Ok(hash))?;
        self.write(signed.message().len(), |connection| {
            put_checkpoint_row(connection, signed)
        })
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        read_checkpoints(&self.connection)
    }

    fn examine_checkpoints(&self) -> Result<(Vec<SignedCheckpoint>, Vec<ReadError>), ReadError> {
        examine_checkpoints(&self.connection)
    }

    fn checkpoint_from(&self, sequence: u64) -> Result<Option<SignedCheckpoint>, ReadError> {
        read_checkpoint_from(&self.connection, sequence)
    }

    fn abandon(&mut self) {
        self.fail();
    }

    fn check_there(&mut self) -> Result<(), AppendError> {
        self.check_alive()?;
        self.check_names()
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        read_rounds(&self.connection, from, limit)
    }
}
