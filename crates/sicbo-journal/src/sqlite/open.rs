//! Opening and making a journal file: connection settings, the checks that it
//! is ours and not newer, and the errors that say what to do. Must change
//! nothing in a file that is not ours.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use super::read::read_last_block;
use super::schema::foreign_schema;
use super::vfs::{Vfs, log_path};
use super::wal::leave_log;
use crate::rights::create_private_file;
use crate::store::Tail;
use crate::stream::StreamId;

/// The format of a journal file this program writes, and the newest it reads.
pub const FILE_FORMAT: i32 = 2;

/// The format of files whose blocks nobody signed: read as it is, and made
/// [`FILE_FORMAT`] when it is opened for writing.
const UNSIGNED_FORMAT: i32 = 1;

/// In the file's header, where the `file` program finds it: "SBJ1".
pub(super) const APPLICATION_ID: i32 = 0x5342_4a31;

/// Longest snapshot, and with it the longest value ever read from a file,
/// however damaged: 256 MiB.
pub(super) const MAX_SNAPSHOT: usize = 1 << 28;

/// What a new file is made with.
const SCHEMA: &str = include_str!("schema.sql");

/// What the file says of itself to whoever opens it with another program.
const ABOUT: &str = "sicbo journal; see docs/journal-format.md";

/// How long a header may be, as it stands in the text of the schema.
const SIGNED_BOUND: [&str; 2] = ["a_header_has_108_to_319_bytes", "BETWEEN 108 AND 319"];

/// The same in files of [`UNSIGNED_FORMAT`].
const UNSIGNED_BOUND: [&str; 2] = ["a_header_has_108_to_155_bytes", "BETWEEN 108 AND 155"];

/// A writer that waits longer than this for a lock will not get it.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// Opens an existing file and checks that it is this stream's journal.
pub(super) fn open(
    path: &Path,
    stream: &StreamId,
    vfs: &Vfs,
    read_only: bool,
) -> Result<Connection, OpenError> {
    let access = if read_only {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    } else {
        OpenFlags::SQLITE_OPEN_READ_WRITE
    };
    if vfs.is_system() {
        check_file(path)?;
    }
    let open = |path: &Path, access| {
        let connection = connect(path, access, vfs)?;
        identify(&connection, path, stream).map(|()| connection)
    };
    let mut opened = open(path, access);
    if read_only && vfs.is_system() && opened.as_ref().is_err_and(Problem::is_no_rights) {
        // Even a reader makes files for the write-ahead log beside the journal.
        // On a disk that forbids it a closed journal can be read as it lies.
        if let Some(uri) = immutable_uri(path) {
            opened = open(Path::new(&uri), access | OpenFlags::SQLITE_OPEN_URI);
        }
    }
    opened.map_err(|error| error.into_open_error(path).explained(vfs))
}

/// What a journal holds that no program of ours put there, or lacks. Rows are
/// read as they lie, so that a verifier can tell what else is wrong.
pub(super) fn find_foreign(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let unsigned = SCHEMA.replace(SIGNED_BOUND[0], UNSIGNED_BOUND[0]);
    let unsigned = unsigned.replace(SIGNED_BOUND[1], UNSIGNED_BOUND[1]);
    let scripts = match is_of_earlier_format(connection)? {
        true => unsigned.as_str(),
        false => SCHEMA,
    };
    let mut found = foreign_schema(connection, &[scripts])?;
    found.extend(foreign_meta(connection)?);
    Ok(found)
}

/// What the rows of `meta` say beside the stream, which is compared elsewhere.
fn foreign_meta(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let format: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let format = format.to_string();
    let mut rows = connection.prepare("SELECT key, value FROM main.meta ORDER BY key")?;
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows: BTreeMap<String, String> = rows.collect::<rusqlite::Result<_>>()?;
    let mut found = Vec::new();
    for (key, value) in [("about", ABOUT), ("format", &format)] {
        match rows.get(key) {
            None => found.push(format!("the row {key} of meta is missing")),
            Some(said) if said != value => {
                found.push(format!("the row {key} of meta was changed"));
            }
            Some(_) => {}
        }
    }
    let ours = ["about", "format", "stream"];
    let foreign = rows.keys().filter(|key| !ours.contains(&key.as_str()));
    found.extend(foreign.map(|key| format!("the row {key} of meta is foreign")));
    Ok(found)
}

/// Refuses a journal whose schema is not the one it was made with.
pub(super) fn check_schema(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let found = find_foreign(connection).map_err(|error| OpenError::from_sqlite(path, &error))?;
    OpenError::altered(path, &found).map_or(Ok(()), Err)
}

/// Names the file to SQLite as one that nobody changes; `None` when there is a
/// log beside it, which would then be overlooked.
fn immutable_uri(path: &Path) -> Option<String> {
    let no_log = std::fs::metadata(log_path(path)).map_or(true, |found| found.len() == 0);
    if no_log { unchanging_uri(path) } else { None }
}

fn unchanging_uri(path: &Path) -> Option<String> {
    let path = path.to_str()?;
    let escaped = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    Some(format!("file:{escaped}?immutable=1"))
}

/// Where a file ends when its log is left out; `None` when that cannot be read,
/// as after a folding that was cut off.
pub(super) fn tail_without_log(path: &Path, stream: &StreamId) -> Option<Tail> {
    let access = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let uri = unchanging_uri(path)?;
    let connection = connect(Path::new(&uri), access, &Vfs::default()).ok()?;
    identify(&connection, path, stream).ok()?;
    let block = read_last_block(&connection).ok()??.ok()?.decode().ok()?;
    let header = block.header();
    (header.stream == *stream).then(|| Tail {
        sequence: header.last_sequence,
        header_hash: block.header_hash(),
        epoch: header.epoch,
    })
}

/// Makes a new file holding an empty journal. Refuses to touch one that is
/// there already.
pub(super) fn create(path: &Path, stream: &StreamId, vfs: &Vfs) -> Result<(), OpenError> {
    // SQLite gives the files beside a journal the journal's own rights.
    if vfs.is_system() {
        create_private_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenError::Exists {
                path: path.to_owned(),
            },
            _ => OpenError::from_io(path, &error),
        })?;
    }
    let access = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let create = || -> Result<(), Problem> {
        let connection = connect(path, access, vfs)?;
        let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
        if pages != 0 {
            return Err(Problem::Is(OpenError::Exists {
                path: path.to_owned(),
            }));
        }
        connection.pragma_update(None, "page_size", PAGE_SIZE)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        let transaction = connection.unchecked_transaction()?;
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", FILE_FORMAT)?;
        for (key, value) in [
            ("about", ABOUT),
            ("format", &FILE_FORMAT.to_string()),
            ("stream", stream.as_str()),
        ] {
            transaction.execute("INSERT INTO meta VALUES (?1, ?2)", [key, value])?;
        }
        transaction.commit()?;
        // A new file is put in place whole.
        leave_log(&connection, false)?;
        connection.close().map_err(|(_, error)| error.into())
    };
    create().map_err(|error| error.into_open_error(path).explained(vfs))
}

/// A file without a log must hold all its pages: SQLite misses one that is gone
/// only when it wants to read it.
pub(super) fn check_length(
    connection: &Connection,
    path: &Path,
    vfs: &Vfs,
) -> Result<(), OpenError> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let sqlite = |error| OpenError::from_sqlite(path, &error).explained(vfs);
    let pages = number("page_count").map_err(sqlite)?.unsigned_abs();
    let size = number("page_size").map_err(sqlite)?.unsigned_abs();
    let io = |error| OpenError::from_io(path, &error);
    let file = vfs.files().open(path).map_err(io)?;
    let length = file.map_or(Ok(0), |file| file.length()).map_err(io)?;
    if length >= pages.saturating_mul(size) {
        return Ok(());
    }
    let what = format!("it has {length} bytes and says that it has {pages} pages of {size}");
    Err(OpenError::Damaged {
        path: path.to_owned(),
        what,
    })
}

/// Whether the file must be made ready for signed headers before one is written.
pub(super) fn is_of_earlier_format(connection: &Connection) -> rusqlite::Result<bool> {
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(found < FILE_FORMAT)
}

/// Makes room for signed headers, in a transaction of the caller. Only the
/// bound on a header's length changes, which is in the text of the schema and
/// in no row: <https://sqlite.org/lang_altertable.html> describes this way.
pub(super) fn make_room_for_signed_headers(connection: &Connection) -> rusqlite::Result<()> {
    let schema: i32 = connection.pragma_query_value(None, "schema_version", |row| row.get(0))?;
    connection.pragma_update(None, "writable_schema", true)?;
    let bound = "UPDATE sqlite_schema SET sql = replace(replace(sql, ?1, ?2), ?3, ?4) \
                 WHERE type = 'table' AND name = 'blocks'";
    let bounds = [
        UNSIGNED_BOUND[0],
        SIGNED_BOUND[0],
        UNSIGNED_BOUND[1],
        SIGNED_BOUND[1],
    ];
    connection.execute(bound, bounds)?;
    connection.pragma_update(None, "schema_version", schema + 1)?;
    connection.pragma_update(None, "writable_schema", false)?;
    let format = FILE_FORMAT.to_string();
    connection.execute("UPDATE meta SET value = ?1 WHERE key = 'format'", [format])?;
    connection.pragma_update(None, "user_version", FILE_FORMAT)
}

/// Larger pages mean fewer of them for a block's body, smaller ones less to
/// write for a block of one record.
const PAGE_SIZE: i32 = 8192;

/// A connection with the settings every use here needs. It leaves the log alone
/// when it closes.
pub(super) fn connect(
    path: &Path,
    access: OpenFlags,
    vfs: &Vfs,
) -> Result<Connection, rusqlite::Error> {
    // No mutex: a connection is owned by one thread at a time, which the type
    // system checks.
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = match vfs.name() {
        None => Connection::open_with_flags(path, flags)?,
        Some(name) => Connection::open_with_flags_and_vfs(path, flags, name)?,
    };
    // First of all: until the file and its log are known to be sound nothing may
    // be folded in. Closing a connection that read the log wrong, and only then,
    // would cut it short for good.
    leave_log(&connection, true)?;
    connection.busy_timeout(BUSY_WAIT)?;
    connection.set_limit(
        Limit::SQLITE_LIMIT_LENGTH,
        (MAX_SNAPSHOT + (1 << 16)) as i32,
    )?;
    // A commit is acknowledged only when the log is on the disk.
    connection.pragma_update(None, "synchronous", "full")?;
    // The log is folded into the file by `wal`, not in the middle of a commit.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    // Files may come from anywhere: run nothing that stands in them.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// What the file system alone can tell, in plainer words than SQLite's.
pub(super) fn check_file(path: &Path) -> Result<(), OpenError> {
    // Its log beside it would be another file's.
    let link = std::fs::symlink_metadata(path);
    if link.is_ok_and(|found| found.is_symlink()) {
        let path = path.to_owned();
        return Err(OpenError::Link { path });
    }
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(OpenError::NotAJournal {
            path: path.to_owned(),
        }),
        // SQLite takes an empty file for a new database. A journal is never
        // empty: it is put in place whole.
        Ok(found) if found.len() == 0 => {
            let what = "the file is empty".into();
            Err(OpenError::Damaged {
                path: path.to_owned(),
                what,
            })
        }
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::from_io(path, &error)),
    }
}

fn identify(connection: &Connection, path: &Path, stream: &StreamId) -> Result<(), Problem> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    if number("application_id")? != APPLICATION_ID {
        return Err(Problem::Is(OpenError::NotAJournal {
            path: path.to_owned(),
        }));
    }
    let found = number("user_version")?;
    if !(UNSIGNED_FORMAT..=FILE_FORMAT).contains(&found) {
        return Err(Problem::Is(OpenError::NewerFormat {
            path: path.to_owned(),
            found,
        }));
    }
    let query = "SELECT value FROM meta WHERE key = 'stream'";
    let found: Option<String> = connection
        .query_row(query, [], |row| row.get(0))
        .optional()?;
    let found = found.ok_or_else(|| {
        Problem::Is(OpenError::Damaged {
            path: path.to_owned(),
            what: "it does not say which stream it holds".to_owned(),
        })
    })?;
    if found != stream.as_str() {
        let (path, expected) = (path.to_owned(), stream.to_string());
        return Err(Problem::Is(OpenError::AnotherStream {
            path,
            expected,
            found,
        }));
    }
    Ok(())
}

/// Either already in our words, or still in SQLite's.
enum Problem {
    Is(OpenError),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Problem::Sqlite(error)
    }
}

impl Problem {
    fn is_no_rights(&self) -> bool {
        let Problem::Sqlite(error) = self else {
            return false;
        };
        let code = error.sqlite_error_code();
        matches!(
            code,
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly)
        )
    }

    fn into_open_error(self, path: &Path) -> OpenError {
        match self {
            Problem::Is(error) => error,
            Problem::Sqlite(error) => OpenError::from_sqlite(path, &error),
        }
    }
}

/// Why a journal file could not be opened or made. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is no such file.
    #[error("there is no journal at {path}: check the folder and the table's name")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// There is one already.
    #[error("{path} is there already: open it, or choose another folder")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A write-ahead log lies there whose journal is gone.
    #[error(
        "{path} is a log without its journal {journal}: put the journal back beside it, or a \
         backup without this log; if both are given up, move the log away and start again"
    )]
    LogAlone {
        /// The log.
        path: PathBuf,
        /// The journal it belongs to.
        journal: PathBuf,
    },
    /// A symbolic link stands there.
    #[error(
        "{path} is a symbolic link: put the journal itself there, or name the folder that it is in"
    )]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{path} is not a sicbo journal: check the folder")]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// Written by a later release.
    #[error(
        "{path} has journal format {found}, this program knows {FILE_FORMAT}: use a newer program"
    )]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format number.
        found: i32,
    },
    /// Another stream's journal under this name.
    #[error("{path} holds stream {found}, not {expected}: was the file renamed or copied?")]
    AnotherStream {
        /// The file.
        path: PathBuf,
        /// The stream asked for.
        expected: String,
        /// The stream found.
        found: String,
    },
    /// Truncated or changed from outside.
    #[error(
        "{path} is truncated or damaged ({what}): keep it as it is and restore a backup beside it"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Something in it that no program of ours put there, such as a trigger.
    #[error(
        "{path} was altered by another program ({what}): keep it as it is and restore a backup \
         beside it"
    )]
    Altered {
        /// The file.
        path: PathBuf,
        /// What is foreign or missing.
        what: String,
    },
    /// The operating system forbids it.
    #[error("no rights to read and write {path}: run as the owner of the data folder")]
    NoRights {
        /// The file.
        path: PathBuf,
    },
    /// No room.
    #[error("the disk that holds {path} is full: free some space and start again")]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// What is in the log could not be made durable.
    #[error(
        "{path} was not opened, because the disk did not keep what was written ({what}): nothing \
         was acknowledged; check the disk and the system's log before you start again"
    )]
    Unsynced {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
    /// The log was not the same each time it was read.
    #[error(
        "{path} was not opened, because its write-ahead log was read differently each time \
         ({what}): nothing was changed; check the disk and the system's log before you start again"
    )]
    Misread {
        /// The file.
        path: PathBuf,
        /// What differed.
        what: String,
    },
    /// SQLite sees less of the log than there is.
    #[error(
        "{path} has {frames} frames in its write-ahead log and {seen} of them are seen: another \
         program reads it and keeps the older count; close it and start again"
    )]
    Behind {
        /// The file.
        path: PathBuf,
        /// Frames that are there.
        frames: u64,
        /// Frames that SQLite sees.
        seen: u64,
    },
    /// Another program has locked the file.
    #[error("{path} is locked by another program: close it and start again")]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// Anything else.
    #[error("{path} could not be opened: {what}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

impl OpenError {
    /// Whether bits that were read wrong could be the reason: worth reading the
    /// file again before anyone is sent for. A sync that failed is not.
    pub fn may_be_misread(&self) -> bool {
        match self {
            OpenError::NotAJournal { .. }
            | OpenError::NewerFormat { .. }
            | OpenError::AnotherStream { .. }
            | OpenError::Damaged { .. }
            | OpenError::Altered { .. }
            | OpenError::Misread { .. }
            | OpenError::Behind { .. }
            | OpenError::Failed { .. } => true,
            OpenError::Missing { .. }
            | OpenError::Exists { .. }
            | OpenError::LogAlone { .. }
            | OpenError::Link { .. }
            | OpenError::NoRights { .. }
            | OpenError::DiskFull { .. }
            | OpenError::Unsynced { .. }
            | OpenError::Locked { .. } => false,
        }
    }

    /// The error that names what is foreign, where something is.
    pub(super) fn altered(path: &Path, foreign: &[String]) -> Option<OpenError> {
        (!foreign.is_empty()).then(|| OpenError::Altered {
            path: path.to_owned(),
            what: foreign.join("; "),
        })
    }

    pub(crate) fn from_io(path: &Path, error: &io::Error) -> OpenError {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => OpenError::Missing { path },
            io::ErrorKind::AlreadyExists => OpenError::Exists { path },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                OpenError::NoRights { path }
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                OpenError::DiskFull { path }
            }
            _ => OpenError::Failed {
                path,
                what: error.to_string(),
            },
        }
    }

    /// The same error, with what a look at the folder can add to SQLite's words.
    pub(super) fn explained(self, vfs: &Vfs) -> OpenError {
        match self {
            // A full disk refuses new files as if there were no rights.
            OpenError::NoRights { path } | OpenError::Failed { path, .. }
                if vfs.is_system() && is_full(&path) =>
            {
                OpenError::DiskFull { path }
            }
            OpenError::Damaged { path, what } => {
                let log = vfs.files().open(&log_path(&path)).ok().flatten();
                let length = log.and_then(|log| log.length().ok()).unwrap_or(0);
                let what = if length == 0 || what.contains("-wal") {
                    what
                } else {
                    format!(
                        "{what}; a log {}-wal lies beside it: if the file was restored from a \
                         backup, the log belongs to the file it replaced and must be moved away",
                        path.file_name().unwrap_or_default().display()
                    )
                };
                OpenError::Damaged { path, what }
            }
            other => other,
        }
    }

    pub(super) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> OpenError {
        let (path, what) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => OpenError::NotAJournal { path },
            Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged { path, what },
            Some(ErrorCode::DiskFull) => OpenError::DiskFull { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => OpenError::Locked { path },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
                OpenError::NoRights { path }
            }
            // The journal is ours by its mark, but a table or a row is gone,
            // or a value has another type.
            Some(ErrorCode::Unknown) | None => OpenError::Damaged { path, what },
            Some(_) => OpenError::Failed { path, what },
        }
    }
}

/// Whether the disk has no room for what a start writes beside a journal.
fn is_full(path: &Path) -> bool {
    let mut probe = path.as_os_str().to_owned();
    probe.push(".probe");
    let write = || -> io::Result<()> {
        std::fs::write(&probe, [0; 65_536])?;
        std::fs::File::open(&probe)?.sync_all()
    };
    let full = |error: &io::Error| {
        matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        )
    };
    let found = write().as_ref().is_err_and(full);
    let _ = std::fs::remove_file(&probe);
    found
}
