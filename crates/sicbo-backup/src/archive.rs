//! What is older than a day, as a folder of its own with its proof (P-077, S-22).
//!
//! Age runs along the journal, so what is old is its beginning: every block of
//! a stream up to the last signed checkpoint before the moment asked for, and of a
//! table at least to the record that the archived register has noted of it. The
//! copy is a data folder that verifies by itself, round by round, and of which
//! bundles can be made; the original is only read. Nothing is ever deleted.

use std::path::{Path, PathBuf};

use sicbo_journal::{
    AppendError, Beside, DataFolder, FolderError, Header, OpenError, Purpose, ReadError,
    SignedCheckpoint, SqliteOptions, SqliteStore, Store, StreamId,
};
use sicbo_table::Table;

use crate::backup::{MONEY_FILE, copy_keys, follow, sync};
use sicbo_loop::Machine;
use sicbo_loop::rows;
use sicbo_proof::source::{self, HOUSE_STREAM, Journals, SourceError};
use sicbo_register::Register;

/// Rounds looked at together when they are counted.
const PAGE: usize = 1_000;

/// What was archived of one stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchivedStream {
    /// The stream.
    pub stream: StreamId,
    /// The last record.
    pub last_sequence: u64,
    /// When the checkpoint over it was signed, UTC milliseconds.
    pub signed_ms: i64,
    /// The header hash of its last block.
    pub header_hash: sicbo_journal::Hash,
    /// The first and the last round that ended in it; none in the house's own.
    pub rounds: Option<(u64, u64)>,
}

/// Why there is no archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Something is there already.
    #[error("{path} is there already: name a new folder")]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// No table has a signed checkpoint of that age.
    #[error("nothing is signed that is so old")]
    Nothing,
    /// The source cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A stream could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The folder could not be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A stream could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A record is not what was written.
    #[error("record {sequence}: {what}")]
    Damaged {
        /// Which.
        sequence: u64,
        /// What is wrong.
        what: String,
    },
    /// The copy could not be written.
    #[error("cannot write to the archive: {0}")]
    Append(#[from] AppendError),
    /// Keys could not be copied.
    #[error(transparent)]
    Keys(#[from] crate::backup::BackupError),
    /// A file could not be written.
    #[error("cannot write {path}: {what}")]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

/// Copies what was signed before a moment, UTC milliseconds, to a new data
/// folder without secret keys. Verify the copy afterwards.
///
/// # Errors
/// When nothing is so old, the source cannot be read, or the copy not be
/// written. What was written so far stays, under the name with `.unfinished`
/// behind it.
pub fn archive(
    from: &Path,
    to: &Path,
    before_ms: i64,
) -> Result<Vec<ArchivedStream>, ArchiveError> {
    let journals = Journals::folder(from)?;
    if to.symlink_metadata().is_ok() {
        let path = to.to_owned();
        return Err(ArchiveError::Exists { path });
    }
    let io = |error: std::io::Error| ArchiveError::Io {
        path: to.to_owned(),
        what: error.to_string(),
    };
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let mut cuts = Vec::new();
    // The house knows what its tables did, so it goes as far as the furthest.
    let mut furthest = i64::MIN;
    for (stream, path) in journals.tables_first() {
        let store = source::open(stream, path)?;
        let of_house = stream.as_str() == HOUSE_STREAM;
        if of_house && cuts.is_empty() {
            continue;
        }
        let cut = if of_house {
            house_cut(&store, furthest)?
        } else {
            table_cut(&store, before_ms)?
        };
        if let Some(cut) = cut {
            furthest = furthest.max(cut.checkpoint().time_ms);
            cuts.push((stream, store, cut));
        }
    }
    if cuts.is_empty() {
        return Err(ArchiveError::Nothing);
    }
    // An archive of practice is practice.
    let purpose = match DataFolder::purpose(from)? {
        Purpose::Practice => Purpose::Practice,
        Purpose::House | Purpose::Archive => Purpose::Archive,
    };
    let folder = DataFolder::create_for(&unfinished, purpose)?;
    let mut archived = Vec::new();
    let mut register = Register::default();
    // The house first: what it has noted of a table, the table's part must hold.
    for (stream, store, cut) in cuts.iter().rev() {
        let path = DataFolder::stream_path(&unfinished, stream);
        let mut last = cut.checkpoint().sequence;
        let rounds = if stream.as_str() == HOUSE_STREAM {
            register = copy(store, stream, &path, last)?;
            None
        } else {
            last = last.max(noted_end(&register, stream, store)?);
            copy::<Table>(store, stream, &path, last)?;
            rounds(&source::open(stream, &path)?)?
        };
        archived.push(ArchivedStream {
            stream: (*stream).clone(),
            last_sequence: last,
            signed_ms: cut.checkpoint().time_ms,
            header_hash: source::open(stream, &path)?.tail().header_hash,
            rounds,
        });
    }
    archived.reverse();
    // A table that is younger is there as far as the house has noted something of it.
    for (stream, path) in journals.tables_first() {
        if cuts.iter().any(|(known, ..)| *known == stream) || stream.as_str() == HOUSE_STREAM {
            continue;
        }
        let store = source::open(stream, path)?;
        let to = DataFolder::stream_path(&unfinished, stream);
        let last = noted_end(&register, stream, &store)?;
        copy::<Table>(&store, stream, &to, last)?;
    }
    copy_keys(&from.join("keys"), &folder.keys_path(), false)?;
    let money = from.join(MONEY_FILE);
    if money.exists() {
        std::fs::copy(&money, unfinished.join(MONEY_FILE)).map_err(io)?;
    }
    drop(folder);
    std::fs::remove_file(unfinished.join("lock")).map_err(io)?;
    std::fs::rename(&unfinished, to).map_err(io)?;
    sync(to.parent().filter(|parent| parent.is_dir())).map_err(io)?;
    Ok(archived)
}

/// The last checkpoint before a moment.
fn table_cut(store: &dyn Store, before_ms: i64) -> Result<Option<SignedCheckpoint>, ReadError> {
    let signed = store.checkpoints()?.into_iter();
    let old = signed.filter(|signed| signed.checkpoint().time_ms < before_ms);
    Ok(old.max_by_key(|signed| signed.checkpoint().sequence))
}

/// The first checkpoint from a moment on, else the last there is.
fn house_cut(store: &dyn Store, from_ms: i64) -> Result<Option<SignedCheckpoint>, ReadError> {
    let mut signed = store.checkpoints()?;
    signed.sort_by_key(|signed| signed.checkpoint().sequence);
    let late = |signed: &SignedCheckpoint| signed.checkpoint().time_ms >= from_ms;
    let at = signed.iter().position(late);
    Ok(match at {
        Some(at) => Some(signed.swap_remove(at)),
        None => signed.pop(),
    })
}

/// Copies the blocks up to a record, with the index as it stood there; the state
/// they come to.
fn copy<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    path: &Path,
    last: u64,
) -> Result<M, ArchiveError> {
    let mut new = SqliteStore::create(path, stream.clone(), &SqliteOptions::default())?;
    let mut signed = store.checkpoints()?;
    signed.retain(|signed| signed.checkpoint().sequence <= last);
    signed.sort_by_key(|signed| signed.checkpoint().sequence);
    let mut signed = signed.into_iter().peekable();
    let (mut state, mut first) = (M::empty(), 0);
    for raw in store.read_from(1) {
        let raw = raw?;
        let filed_under = raw.filed_under;
        let damaged = |sequence, what: String| ArchiveError::Damaged { sequence, what };
        let block = raw
            .decode()
            .map_err(|error| damaged(filed_under, error.to_string()))?;
        if block.header().last_sequence > last {
            break;
        }
        let changes = follow(&mut state, &block, &mut first)
            .map_err(|(sequence, error)| damaged(sequence, error.to_string()))?;
        let end = block.header().last_sequence;
        let mut over = Vec::new();
        while let Some(one) = signed.next_if(|signed| signed.checkpoint().sequence <= end) {
            over.push(one);
        }
        let mut over = over.into_iter();
        let own = over.next();
        let beside = Beside {
            rounds: &rows(&new, &changes),
            checkpoint: own.as_ref(),
        };
        new.append(&block, beside)?;
        for more in over {
            new.put_checkpoint(&more)?;
        }
    }
    Ok(state)
}

/// The first signed end of a table's blocks that holds the last record the
/// register has noted of it; 0 where it has noted none.
fn noted_end(register: &Register, stream: &StreamId, store: &dyn Store) -> Result<u64, ReadError> {
    let mut noted = register.reached.iter();
    let noted = noted.find(|(name, _)| name.as_str() == stream.as_str());
    let Some(sequence) = noted.map(|(_, reached)| reached.sequence) else {
        return Ok(0);
    };
    let block = store.headers_from(sequence).next().transpose()?;
    let header = block.and_then(|block| Header::decode(&block.header).ok());
    if header.is_some_and(|header| header.seal.is_some()) {
        return Ok(sequence);
    }
    let signed = store.checkpoint_from(sequence)?;
    Ok(signed.map_or(sequence, |signed| signed.checkpoint().sequence))
}

/// The first and the last round that ended.
fn rounds(store: &dyn Store) -> Result<Option<(u64, u64)>, ReadError> {
    let (mut span, mut from) = (None, 0);
    loop {
        let page = store.rounds(from, PAGE)?;
        let Some(end) = page.last().map(|row| row.round) else {
            return Ok(span);
        };
        for row in page.iter().filter(|row| row.ended_ms.is_some()) {
            let (first, _) = span.unwrap_or((row.round, row.round));
            span = Some((first, row.round));
        }
        from = end + 1;
    }
}
