//! A verified copy of a house's data folder, made while the house runs.
//!
//! Every stream is copied at one moment of its own, the register last; then the
//! tables are brought to where the register says that they had come, and all is
//! read back. The house's tree is copied before all of them. Public keys go along; secret keys only when that is asked for.

use std::path::{Path, PathBuf};

use sicbo_journal::rights::create_private_folder;
use sicbo_journal::{
    AppendError, DataFolder, FolderError, OpenError, ReadError, SealedBlock, StreamId,
};
use sicbo_loop::{Machine, RoundChange, guarded};
use sicbo_table::codec::DecodeError;

use crate::increment::follow_register;
use crate::tree;
use sicbo_proof::source::{self, Journals, SourceError};

/// What was copied.
#[derive(Debug)]
pub struct Copied {
    /// Each stream with the sequence of its last record.
    pub streams: Vec<(StreamId, u64)>,
    /// Keys copied.
    pub keys: usize,
    /// Their secret halves too.
    pub with_secrets: bool,
}

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Something is there already.
    #[error("{path} is there already: name a new folder")]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// The source cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A stream could not be copied.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The folder could not be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The backup is of another house.
    #[error("{path} is a backup of another house: name a backup of this one, or a new folder")]
    AnotherHouse {
        /// The backup.
        path: PathBuf,
    },
    /// The backup does not end with a block of the house.
    #[error(
        "{stream} of the backup ends with a record {sequence} that the house does not have: the \
         two do not belong together, or the journal was changed. Nothing was added; verify both"
    )]
    DoesNotJoin {
        /// Which stream.
        stream: StreamId,
        /// The backup's last record.
        sequence: u64,
    },
    /// A record or signature does not verify.
    #[error("{stream}, record {sequence}: {what}; verify the house and the backup")]
    Damaged {
        /// Which stream.
        stream: StreamId,
        /// Which record.
        sequence: u64,
        /// What is wrong.
        what: String,
    },
    /// A stream could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The backup could not be written.
    #[error("cannot add to the backup: {0}")]
    Append(#[from] AppendError),
    /// A file could not be copied.
    #[error("cannot copy to {path}: {what}")]
    Io {
        /// Where to.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

impl BackupError {
    /// What became of a file or folder.
    pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> BackupError + Copy {
        move |error| BackupError::Io {
            path: path.to_owned(),
            what: error.to_string(),
        }
    }
}

/// Says in a data folder whether its house plays for money.
pub const MONEY_FILE: &str = "money.txt";

/// Files of a key's folder that anyone may have.
const PUBLIC: [&str; 4] = [
    "public.pem",
    "hand-over.txt",
    "hand-over.old.sig",
    "hand-over.new.sig",
];

/// Copies a data folder to a new one. Verify the copy afterwards.
///
/// # Errors
/// When the source cannot be read or the copy not be written. What was
/// written so far stays, under the name with `.unfinished` behind it.
pub fn backup(from: &Path, to: &Path, with_secrets: bool) -> Result<Copied, BackupError> {
    let journals = Journals::folder(from)?;
    if to.symlink_metadata().is_ok() {
        return Err(BackupError::Exists {
            path: to.to_owned(),
        });
    }
    // Made under another name and put in place whole.
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    // A copy of practice is practice.
    let folder = DataFolder::create_for(&unfinished, DataFolder::purpose(from)?)?;
    let tree = tree::copy(from, &unfinished)?;
    let mut streams = Vec::new();
    for (stream, path) in journals.tables_first() {
        let store = source::open(stream, path)?;
        let copy = DataFolder::stream_path(&unfinished, stream);
        store.backup(&copy)?;
        let copied = source::open(stream, &copy)?;
        streams.push((stream.clone(), sicbo_journal::Store::tail(&copied).sequence));
    }
    for more in follow_register(&journals, &folder)? {
        if let Some(one) = streams
            .iter_mut()
            .find(|(stream, _)| *stream == more.stream)
        {
            one.1 = more.last;
        }
    }
    let keys = copy_beside(from, &unfinished, &folder, with_secrets)?;
    tree.put()?;
    drop(folder);
    let io = BackupError::io(to);
    // The lock belongs to the program that runs the house there; a copy begins without one.
    std::fs::remove_file(unfinished.join("lock")).map_err(io)?;
    std::fs::rename(&unfinished, to).map_err(io)?;
    sync(to.parent().filter(|parent| parent.is_dir())).map_err(io)?;
    Ok(Copied {
        streams,
        keys,
        with_secrets,
    })
}

/// Copies what belongs to a house beside its journals; gives the number of keys.
pub(crate) fn copy_beside(
    from: &Path,
    to: &Path,
    folder: &DataFolder,
    with_secrets: bool,
) -> Result<usize, BackupError> {
    let keys = copy_keys(&from.join("keys"), &folder.keys_path(), with_secrets)?;
    let money = from.join(MONEY_FILE);
    if money.exists() {
        let target = to.join(MONEY_FILE);
        std::fs::copy(&money, &target)
            .and_then(|_| std::fs::File::open(&target)?.sync_all())
            .map_err(BackupError::io(&target))?;
    }
    Ok(keys)
}

/// Applies a block that is copied; gives what it changes in the table of rounds,
/// or which record cannot be read.
pub(crate) fn follow<M: Machine>(
    state: &mut M,
    block: &SealedBlock,
    first: &mut u64,
) -> Result<Vec<RoundChange>, (u64, DecodeError)> {
    let mut changes = Vec::new();
    for record in block.records() {
        let event = M::decode(record.kind, record.version, record.payload)
            .map_err(|error| (record.sequence, error))?;
        let applied = guarded(|| {
            changes.extend(state.notes(&event, record.sequence, first).round);
            state.apply(&event);
        });
        applied.map_err(|what| (record.sequence, DecodeError::Contradictory { what }))?;
    }
    Ok(changes)
}

pub(crate) fn copy_keys(from: &Path, to: &Path, with_secrets: bool) -> Result<usize, BackupError> {
    let mut number = 0;
    while from.join((number + 1).to_string()).is_dir() {
        number += 1;
        let (old, new) = (from.join(number.to_string()), to.join(number.to_string()));
        let copy = |name: &str| -> Result<(), BackupError> {
            let target = new.join(name);
            let io = BackupError::io(&target);
            if !old.join(name).exists() {
                return Ok(());
            }
            create_private_folder(&new).map_err(io)?;
            // Rights come along: a secret stays its owner's.
            std::fs::copy(old.join(name), &target).map_err(io)?;
            std::fs::File::open(&target)
                .and_then(|file| file.sync_all())
                .map_err(io)
        };
        for name in PUBLIC {
            copy(name)?;
        }
        if with_secrets {
            copy("key.pem")?;
            // A secret in a token stays there; where it is comes along.
            copy("key.pkcs11")?;
        }
        sync(Some(&new)).map_err(BackupError::io(&new))?;
    }
    if with_secrets {
        copy_secrets(from, to)?;
    }
    Ok(number)
}

/// What keys the hashes of PINs and draws the numbers of vouchers: without
/// them a house that is restored knows neither.
fn copy_secrets(from: &Path, to: &Path) -> Result<(), BackupError> {
    let entries = match std::fs::read_dir(from) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(BackupError::io(from)(error)),
    };
    for entry in entries {
        let secret = entry.map_err(BackupError::io(from))?.path();
        let Some(name) = secret.file_name() else {
            continue;
        };
        if secret.extension().is_some_and(|end| end == "secret") {
            let target = to.join(name);
            create_private_folder(to)
                .and_then(|()| std::fs::copy(&secret, &target))
                .and_then(|_| std::fs::File::open(&target)?.sync_all())
                .map_err(BackupError::io(&target))?;
        }
    }
    sync(to.is_dir().then_some(to)).map_err(BackupError::io(to))
}

pub(crate) fn sync(folder: Option<&Path>) -> std::io::Result<()> {
    match folder {
        Some(folder) if cfg!(unix) => std::fs::File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}
