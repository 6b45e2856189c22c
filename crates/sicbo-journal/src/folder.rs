//! The data folder: who owns it, which streams it holds, where its files are.
//! One process owns a folder at a time. Knows file names, not their contents.
//!
//! ```text
//! data-folder.txt          what this is, and its format
//! lock                     held by the process that runs the house
//! journal/house.sqlite     one file for each stream
//! journal/table-1.sqlite
//! keys/                    the house's keys; see `KeyFolder`
//! ```

use std::fs::{File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::rights::{create_private_folder, tighten};
use crate::sqlite::{OpenError, SqliteOptions, SqliteStore, Vfs};
use crate::stream::StreamId;

/// The format of a data folder this program makes, and the newest it opens.
pub const FOLDER_FORMAT: u32 = 1;

const MARK: &str = "data-folder.txt";
const MARK_PREFIX: &str = "sicbo data folder, format ";
const PRACTICE_PREFIX: &str = "sicbo practice folder, format ";
const ARCHIVE_PREFIX: &str = "sicbo archive folder, format ";
const UNFINISHED_MARK: &str = "data-folder.unfinished";
const SUFFIX: &str = ".sqlite";

/// What a data folder is for. A folder never changes from one to the other:
/// what was practised can never become part of a house's record (P-068).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A house that plays.
    House,
    /// Practice.
    Practice,
    /// What is old of a house, copied out: nobody plays in it.
    Archive,
}

impl Purpose {
    const ALL: [Purpose; 3] = [Purpose::House, Purpose::Practice, Purpose::Archive];

    fn prefix(self) -> &'static str {
        match self {
            Purpose::House => MARK_PREFIX,
            Purpose::Practice => PRACTICE_PREFIX,
            Purpose::Archive => ARCHIVE_PREFIX,
        }
    }
}

/// A data folder owned by this process, until it is dropped.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    /// The operating system releases it when the process ends, however it ends.
    _lock: File,
}

impl DataFolder {
    /// Makes a house's data folder where there is nothing, or an empty folder.
    pub fn create(path: &Path) -> Result<DataFolder, FolderError> {
        DataFolder::create_for(path, Purpose::House)
    }

    /// Makes a data folder for this purpose.
    pub fn create_for(path: &Path, purpose: Purpose) -> Result<DataFolder, FolderError> {
        let io = |error| FolderError::from_io(path, &error);
        create_private_folder(path).map_err(io)?;
        if !is_blank(path).map_err(io)? {
            return Err(FolderError::NotEmpty {
                path: path.to_owned(),
            });
        }
        let lock = take_lock(path)?;
        create_private_folder(&path.join("journal")).map_err(io)?;
        // An empty folder, or what a crash left, may have had other rights.
        tighten_all(path).map_err(io)?;
        // The mark comes last and whole: a folder with it is complete.
        let unfinished = path.join(UNFINISHED_MARK);
        let mark = format!("{}{FOLDER_FORMAT}\n", purpose.prefix());
        let put = || -> std::io::Result<()> {
            if unfinished.exists() {
                std::fs::remove_file(&unfinished)?;
            }
            write_durably(&unfinished, mark.as_bytes(), 0o644)?;
            std::fs::rename(&unfinished, path.join(MARK))?;
            sync_folder(path)
        };
        put().map_err(io)?;
        Ok(DataFolder {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Opens an existing data folder of a house and takes it for this process.
    pub fn open(path: &Path) -> Result<DataFolder, FolderError> {
        DataFolder::open_for(path, Purpose::House)
    }

    /// Opens an existing data folder, if it is for this purpose.
    pub fn open_for(path: &Path, purpose: Purpose) -> Result<DataFolder, FolderError> {
        let found = check_mark(path)?;
        if found != purpose {
            return Err(FolderError::OtherPurpose {
                path: path.to_owned(),
                found,
            });
        }
        let lock = take_lock(path)?;
        Ok(DataFolder {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Opens the folder of a house, or makes it where there is nothing yet.
    pub fn open_or_create(path: &Path) -> Result<DataFolder, FolderError> {
        DataFolder::open_or_create_for(path, Purpose::House)
    }

    /// What an existing data folder is for. Takes no lock.
    pub fn purpose(path: &Path) -> Result<Purpose, FolderError> {
        check_mark(path)
    }

    /// Opens the folder for this purpose, or makes it where there is nothing yet.
    pub fn open_or_create_for(path: &Path, purpose: Purpose) -> Result<DataFolder, FolderError> {
        let blank = match is_blank(path) {
            Ok(blank) => blank,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
            Err(error) => return Err(FolderError::from_io(path, &error)),
        };
        if blank {
            DataFolder::create_for(path, purpose)
        } else {
            DataFolder::open_for(path, purpose)
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Closes the folder to everybody but its owner: the folder itself, those of
    /// the journals and keys, and every journal. Gives what was open to others,
    /// with the mode it had. Secrets are left as they are: whoever could read one
    /// may have, which tightening would hide.
    pub fn close_to_others(&self) -> Result<Vec<(PathBuf, u32)>, FolderError> {
        tighten_all(&self.path).map_err(|error| FolderError::from_io(&self.path, &error))
    }

    /// Where the house's keys are kept.
    pub fn keys_path(&self) -> PathBuf {
        self.path.join("keys")
    }

    /// Where a stream's file is, in this or any data folder.
    pub fn stream_path(folder: &Path, stream: &StreamId) -> PathBuf {
        folder.join("journal").join(format!("{stream}{SUFFIX}"))
    }

    /// The streams of a data folder, in order of name. Takes no lock: an
    /// auditor may look while the house is running.
    pub fn streams(folder: &Path) -> Result<Vec<StreamId>, FolderError> {
        check_mark(folder)?;
        let io = |error| FolderError::from_io(folder, &error);
        let mut streams = Vec::new();
        let journals = std::fs::read_dir(folder.join("journal"));
        let journals = journals.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => FolderError::NoJournals {
                path: folder.to_owned(),
            },
            _ => io(error),
        })?;
        for entry in journals {
            let name = entry.map_err(io)?.file_name();
            let name = name.to_str().and_then(|name| name.strip_suffix(SUFFIX));
            streams.extend(name.and_then(|name| StreamId::new(name).ok()));
        }
        streams.sort();
        Ok(streams)
    }

    /// Opens a stream that is there.
    pub fn open_stream(&self, stream: &StreamId) -> Result<SqliteStore, OpenError> {
        let path = DataFolder::stream_path(&self.path, stream);
        SqliteStore::open(&path, stream.clone(), &SqliteOptions::default())
    }

    /// Lets go of what the system keeps of a stream's files in its memory, so that
    /// the next reading comes from the disk.
    pub fn forget_cached(&self, stream: &StreamId) {
        let path = DataFolder::stream_path(&self.path, stream);
        SqliteStore::forget_cached(&path, &Vfs::default());
    }

    /// Makes a stream that is not there.
    pub fn create_stream(&self, stream: &StreamId) -> Result<SqliteStore, OpenError> {
        let path = DataFolder::stream_path(&self.path, stream);
        SqliteStore::create(&path, stream.clone(), &SqliteOptions::default())
    }

    /// Opens a stream, or makes it if it is not there. For a table that has
    /// run before, use [`DataFolder::open_stream`]: a lost file must be
    /// noticed, not replaced by an empty one.
    pub fn open_or_create_stream(&self, stream: &StreamId) -> Result<SqliteStore, OpenError> {
        match self.open_stream(stream) {
            Err(OpenError::Missing { .. }) => self.create_stream(stream),
            other => other,
        }
    }
}

/// Whether there is nothing in the folder but what a crash may have left of an
/// attempt to make one.
fn is_blank(path: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let ours = name == "lock" || name == UNFINISHED_MARK;
        let empty_journal = name == "journal" && std::fs::read_dir(entry.path())?.next().is_none();
        if !ours && !empty_journal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Closes a data folder, the folders in it and its journals to everybody but
/// their owner; gives what was open.
fn tighten_all(path: &Path) -> std::io::Result<Vec<(PathBuf, u32)>> {
    let mut found = Vec::new();
    let mut close = |path: PathBuf| -> std::io::Result<()> {
        match tighten(&path) {
            Ok(loose) => found.extend(loose.map(|mode| (path, mode))),
            // A log that SQLite has just folded in.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    };
    close(path.to_owned())?;
    for folder in ["journal", "keys", "tree"].map(|name| path.join(name)) {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let secrets = folder.ends_with("keys");
        close(folder)?;
        for entry in entries {
            let entry = entry?;
            if !secrets || entry.file_type()?.is_dir() {
                close(entry.path())?;
            }
        }
    }
    Ok(found)
}

fn check_mark(path: &Path) -> Result<Purpose, FolderError> {
    let mut mark = String::new();
    let read =
        File::open(path.join(MARK)).and_then(|file| file.take(200).read_to_string(&mut mark));
    match read {
        Ok(_) => {}
        Err(error) if path.is_dir() && error.kind() == std::io::ErrorKind::NotFound => {
            return Err(FolderError::NotADataFolder {
                path: path.to_owned(),
            });
        }
        Err(error) => return Err(FolderError::from_io(path, &error)),
    }
    let format = Purpose::ALL.into_iter().find_map(|purpose| {
        let rest = mark.strip_prefix(purpose.prefix())?;
        Some((purpose, rest.trim_end().parse().ok()?))
    });
    match format {
        Some((purpose, FOLDER_FORMAT)) => Ok(purpose),
        Some((_, found)) => Err(FolderError::NewerFormat {
            path: path.to_owned(),
            found,
        }),
        None => Err(FolderError::NotADataFolder {
            path: path.to_owned(),
        }),
    }
}

fn take_lock(path: &Path) -> Result<File, FolderError> {
    let io = |error| FolderError::from_io(path, &error);
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let mut lock = options.open(path.join("lock")).map_err(io)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            // Who holds it is written in the file, as a help only.
            let mut holder = String::new();
            let _ = lock.take(20).read_to_string(&mut holder);
            let holder = holder.trim().parse().ok();
            return Err(FolderError::InUse {
                path: path.to_owned(),
                holder,
            });
        }
        Err(TryLockError::Error(error)) => return Err(io(error)),
    }
    lock.set_len(0).map_err(io)?;
    writeln!(lock, "{}", std::process::id()).map_err(io)?;
    Ok(lock)
}

/// Writes a whole file with these rights and syncs it and its folder. On other
/// systems than Unix the rights are the folder's.
pub(crate) fn write_durably(path: &Path, bytes: &[u8], mode: u32) -> std::io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Makes new and renamed files in a folder durable.
pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    if cfg!(unix) {
        File::open(path)?.sync_all()
    } else {
        Ok(())
    }
}

/// Why a data folder could not be opened or made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FolderError {
    /// Another process has it.
    #[error(
        "the data folder {path} is in use{}: stop that process, or choose another folder",
        .holder.map(|id| format!(" by process {id}")).unwrap_or_default()
    )]
    InUse {
        /// The folder.
        path: PathBuf,
        /// The process, if it could be learnt.
        holder: Option<u32>,
    },
    /// There is no such folder.
    #[error("there is no folder {path}: check the path")]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// A data folder whose journals were taken away.
    #[error("the data folder {path} has no folder `journal`: its journals are missing")]
    NoJournals {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is something else.
    #[error("{path} is not a sicbo data folder: check the path, or name a new or empty folder")]
    NotADataFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is for practice and the house is not, or the other way round;
    /// or it is an archive.
    #[error("{path} is {}", match .found {
        Purpose::Practice => "a folder of practice: nothing in it can become part of a house; \
            use --practice, or choose another folder",
        Purpose::Archive => "an archive, in which nothing is written any more: choose another \
            folder, or restore a backup",
        Purpose::House => "the data folder of a house, which practice never touches: \
            choose another folder",
    })]
    OtherPurpose {
        /// The folder.
        path: PathBuf,
        /// What it is for.
        found: Purpose,
    },
    /// A new data folder needs an empty place.
    #[error("{path} is not empty: name a new or empty folder")]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// Made by a later release.
    #[error(
        "the data folder {path} has format {found}, this program knows {FOLDER_FORMAT}: \
         use a newer program"
    )]
    NewerFormat {
        /// The folder.
        path: PathBuf,
        /// Its format number.
        found: u32,
    },
    /// The operating system forbids it.
    #[error("no rights to read and write {path}: run as the owner of the data folder")]
    NoRights {
        /// The folder.
        path: PathBuf,
    },
    /// No room.
    #[error("the disk that holds {path} is full: free some space and start again")]
    DiskFull {
        /// The folder.
        path: PathBuf,
    },
    /// Anything else.
    #[error("the data folder {path} could not be opened: {what}")]
    Failed {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

impl FolderError {
    fn from_io(path: &Path, error: &std::io::Error) -> FolderError {
        // The same causes as for a journal file, in a folder's words.
        match OpenError::from_io(path, error) {
            OpenError::Missing { path } => FolderError::Missing { path },
            OpenError::NoRights { path } => FolderError::NoRights { path },
            OpenError::DiskFull { path } => FolderError::DiskFull { path },
            _ => FolderError::Failed {
                path: path.to_owned(),
                what: error.to_string(),
            },
        }
    }
}
