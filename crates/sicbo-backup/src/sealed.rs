//! Backups that only those they are meant for can read.
//!
//! A sealed backup is a folder of parts, each a tar archive encrypted in the age
//! format (age-encryption.org) to one or more recipients, and a text that says
//! in the clear how far each stream goes. The first part holds a whole data
//! folder, every further one what is new since the part before: the house needs
//! no key that opens them to add one. A part can be opened without this program,
//! with `age -d -i KEY 0001.age | tar -x`.
//!
//! What is sealed is first copied and verified inside the house's own data
//! folder, so that nothing readable ever stands where the backup goes.

mod list;

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use age::x25519::{Identity, Recipient};
use sha2::{Digest as _, Sha256};
use sicbo_journal::rights::{create_private_file, create_private_folder, require_private};
use sicbo_journal::{DataFolder, KeyFolder, KeyRing, Store as _, StreamId, Tail};
use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
use sicbo_register::{Fact, Register, codec};
use sicbo_table::Table;

use crate::backup::{BackupError, Copied, backup, copy_beside, sync};
use crate::increment::{add, check_new};
use crate::tree;
use list::{ListKey, Part, PartList, Reach};

pub use list::LIST_FILE;

/// In the house's data folder while a backup is being made.
const STAGING: &str = "backup-staging";
/// Held while one is.
const STAGING_LOCK: &str = "backup-staging.lock";
/// Kind of the register's record of how far a table had come.
const TABLE_REACHED: u16 = 98;

/// Whoever may open a sealed backup.
pub struct Recipients(Vec<Recipient>);

/// What opens a sealed backup.
pub struct Identities(Vec<Identity>);

/// What a sealed backup was made or extended with.
#[derive(Debug)]
pub struct Sealed {
    /// Number of the part that was written.
    pub part: u32,
    /// Each stream, the last record before, and the last record now.
    pub streams: Vec<(StreamId, u64, u64)>,
    /// Bytes of the part.
    pub bytes: u64,
}

/// Why a sealed backup could not be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The copy could not be made.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// A recipient that is none.
    #[error("{0:?} is no recipient: give an age public key, age1 and 58 letters and digits")]
    Recipient(String),
    /// A file without a key.
    #[error("{path}: {what}; give a file with lines AGE-SECRET-KEY-1…, as age-keygen writes it")]
    Identity {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A folder that is no sealed backup, or is damaged.
    #[error("{path}: {what}")]
    Damaged {
        /// What.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A part that the list names is not there.
    #[error("{path} is missing: the backup cannot be restored beyond the part before it")]
    Missing {
        /// The part.
        path: PathBuf,
    },
    /// A part that the system does not give.
    #[error("{path} cannot be read: {what}")]
    Unreadable {
        /// The part.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
    /// None of the keys opens it.
    #[error("{path} cannot be opened with these keys: {what}")]
    Closed {
        /// The part.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Another backup of the house is being made.
    #[error("another backup of {0} is being made: wait until it is done")]
    Busy(PathBuf),
    /// A copy that does not verify.
    #[error("the copy does not verify ({0}): verify the house; nothing was sealed")]
    NotVerified(String),
}

impl SealError {
    /// What was examined is at fault, not the world or whoever asks.
    #[must_use]
    pub fn is_of_the_backup(&self) -> bool {
        matches!(
            self,
            SealError::Damaged { .. }
                | SealError::Missing { .. }
                | SealError::Backup(BackupError::Damaged { .. } | BackupError::DoesNotJoin { .. })
        )
    }
}

impl Recipients {
    /// Reads public keys.
    ///
    /// # Errors
    /// The first that is none.
    pub fn read(texts: &[String]) -> Result<Recipients, SealError> {
        let read = |text: &String| {
            let key = text.trim().parse();
            key.map_err(|_| SealError::Recipient(text.clone()))
        };
        texts
            .iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Recipients)
    }
}

impl Identities {
    /// Reads a file of secret keys, which only its owner may read.
    ///
    /// # Errors
    /// When there is none in it, or others may read it.
    pub fn read(path: &Path) -> Result<Identities, SealError> {
        let bad = |what: String| SealError::Identity {
            path: path.to_owned(),
            what,
        };
        require_private(path).map_err(|error| bad(error.to_string()))?;
        let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
        let text = zeroize::Zeroizing::new(text);
        let lines = text.lines().map(str::trim);
        let keys = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Result<Vec<Identity>, _> = keys.map(str::parse).collect();
        let keys = keys.map_err(|what| bad(format!("a line is no key: {what}")))?;
        if keys.is_empty() {
            return Err(bad("there is no key in it".to_owned()));
        }
        Ok(Identities(keys))
    }
}

/// Whether a folder is a sealed backup.
#[must_use]
pub fn is_sealed(path: &Path) -> bool {
    path.join(LIST_FILE).is_file()
}

/// Makes a sealed backup of a whole data folder, also while the house runs.
/// `verify` looks at the copy before it is sealed.
///
/// # Errors
/// When something is there, or the copy cannot be made, verified or sealed.
pub fn seal(
    from: &Path,
    to: &Path,
    recipients: &Recipients,
    with_secrets: bool,
    verify: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<Sealed, SealError> {
    if to.symlink_metadata().is_ok() {
        let path = to.to_owned();
        return Err(BackupError::Exists { path }.into());
    }
    let staging = Staging::take(from)?;
    let copy = staging.path.join("copy");
    let Copied { streams, .. } = backup(from, &copy, with_secrets)?;
    verify(&copy).map_err(SealError::NotVerified)?;
    let list = PartList::new(house_id(&copy)?);
    let key = ListKey::of(from)?;
    create_private_folder(to).map_err(BackupError::io(to))?;
    let reached = reached(&copy)?;
    let before = streams.into_iter().map(|(stream, last)| (stream, 0, last));
    let list = (list, &key);
    put_part(list, &copy, to, recipients, before.collect(), reached)
}

/// Adds what the house has written since to a sealed backup. The new part is
/// verified against the house's signatures before it is sealed.
///
/// # Errors
/// When the two do not belong together, or the part cannot be made.
pub fn add_sealed(
    from: &Path,
    to: &Path,
    recipients: &Recipients,
    with_secrets: bool,
) -> Result<Sealed, SealError> {
    let list = PartList::read(to)?;
    if list.house != house_id(from)? {
        let path = to.to_owned();
        return Err(BackupError::AnotherHouse { path }.into());
    }
    let key = ListKey::of(from)?;
    if !list.is_by(&key) {
        return Err(SealError::Damaged {
            path: to.join(LIST_FILE),
            what: "it is not as this house wrote it: make a new backup, and look at who can write \
                   to this one"
                .to_owned(),
        });
    }
    check_parts_there(&list, to)?;
    let staging = Staging::take(from)?;
    let part = staging.path.join("part");
    let journals = Journals::folder(from).map_err(BackupError::from)?;
    let purpose = DataFolder::purpose(from).map_err(BackupError::from)?;
    let folder = DataFolder::create_for(&part, purpose).map_err(BackupError::from)?;
    let tree = tree::copy(from, &part)?;
    let known = list.reached();
    let mut streams = Vec::new();
    // Tables first and the register last, as in every copy; see `backup`.
    for (stream, path) in journals.tables_first() {
        let before = known.get(stream.as_str()).copied();
        let until = source::open(stream, path).map_err(BackupError::from)?;
        let until = until.tail().sequence;
        copy_part(stream, path, &part, before, until)?;
        streams.push((stream.clone(), before.map_or(0, |at| at.sequence), until));
    }
    // What the register has seen of a table in the meantime comes along.
    for (table, sequence) in register_saw(&part)? {
        let Some((stream, _, last)) = streams.iter_mut().find(|(s, ..)| s.as_str() == table) else {
            continue;
        };
        if *last < sequence {
            let file = DataFolder::stream_path(&part, stream);
            std::fs::remove_file(&file).map_err(BackupError::io(&file))?;
            let source = DataFolder::stream_path(from, stream);
            let before = known.get(stream.as_str()).copied();
            copy_part(stream, &source, &part, before, sequence)?;
            *last = sequence;
        }
    }
    for (stream, _, until) in &streams {
        let before = known.get(stream.as_str()).copied();
        check_part(&part, stream, before, *until, journals.ring.as_ref())?;
    }
    copy_beside(from, &part, &folder, with_secrets)?;
    tree.put()?;
    drop(folder);
    let lock = part.join("lock");
    std::fs::remove_file(&lock).map_err(BackupError::io(&lock))?;
    let reached = reached(&part)?;
    put_part((list, &key), &part, to, recipients, streams, reached)
}

/// Nothing is added behind a part that is gone or cut short: the whole could not
/// be restored. Their bytes are looked at when the backup is opened.
fn check_parts_there(list: &PartList, folder: &Path) -> Result<(), SealError> {
    for part in &list.parts {
        let path = folder.join(part.file());
        let found = path.metadata().map_err(|error| unread(&path, &error))?;
        if found.len() != part.bytes {
            let what = format!("it has {} bytes, the list says {}", found.len(), part.bytes);
            return Err(SealError::Damaged { path, what });
        }
    }
    Ok(())
}

/// Why a part cannot be read.
fn unread(path: &Path, error: &std::io::Error) -> SealError {
    let path = path.to_owned();
    match error.kind() {
        std::io::ErrorKind::NotFound => SealError::Missing { path },
        _ => SealError::Unreadable {
            path,
            what: error.to_string(),
        },
    }
}

/// Opens a sealed backup into a new data folder. Every part after the first is
/// added as an increment is, with all that is verified then; verify the whole
/// afterwards.
///
/// # Errors
/// When something is there, a part is missing, damaged or closed to these keys,
/// or the parts do not follow each other.
pub fn restore(from: &Path, to: &Path, identities: &Identities) -> Result<u32, SealError> {
    match restore_as_far(from, to, identities)? {
        (count, None) => Ok(count),
        (_, Some(wrong)) => {
            std::fs::remove_dir_all(to).map_err(BackupError::io(to))?;
            Err(wrong)
        }
    }
}

/// As [`restore`], for whoever examines the backup: the parts before the first
/// that is missing or damaged, and what is wrong with that one.
///
/// # Errors
/// As for [`restore`], where not even the first part opens.
pub fn restore_as_far(
    from: &Path,
    to: &Path,
    identities: &Identities,
) -> Result<(u32, Option<SealError>), SealError> {
    let list = PartList::read(from)?;
    if to.symlink_metadata().is_ok() {
        let path = to.to_owned();
        return Err(BackupError::Exists { path }.into());
    }
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let io = BackupError::io(&unfinished);
    if unfinished.exists() {
        std::fs::remove_dir_all(&unfinished).map_err(io)?;
    }
    create_private_folder(&unfinished).map_err(io)?;
    let house = unfinished.join("house");
    let mut count = 0;
    let mut wrong = None;
    for part in &list.parts {
        let into = match count {
            0 => house.clone(),
            _ => unfinished.join("part"),
        };
        match take_part((from, &list.house), part, &into, &house, identities) {
            Ok(()) => count += 1,
            Err(error) if count > 0 => {
                wrong = Some(error);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    std::fs::rename(&house, to).map_err(io)?;
    std::fs::remove_dir_all(&unfinished).map_err(io)?;
    sync(to.parent().filter(|parent| parent.is_dir())).map_err(BackupError::io(to))?;
    Ok((count, wrong))
}

/// Opens a part and adds it to those before it; the first one is the house.
fn take_part(
    (from, house_of_list): (&Path, &str),
    part: &Part,
    into: &Path,
    house: &Path,
    identities: &Identities,
) -> Result<(), SealError> {
    open_part(&from.join(part.file()), part, into, identities)?;
    // The list is in the clear: it is believed as far as the parts say the same.
    if house_id(into)? != house_of_list || reached(into)? != part.reached {
        return Err(SealError::Damaged {
            path: from.join(LIST_FILE),
            what: format!("it says something else than part {} holds", part.number),
        });
    }
    if into != house {
        // A part with secret keys brings them along.
        add(into, house, true)?;
        std::fs::remove_dir_all(into).map_err(BackupError::io(into))?;
    }
    Ok(())
}

/// The house's id: that of its first key.
fn house_id(folder: &Path) -> Result<String, SealError> {
    let ring = KeyFolder::read_ring(&folder.join("keys"));
    let ring = ring.map_err(|error| SealError::Damaged {
        path: folder.join("keys"),
        what: error.to_string(),
    })?;
    Ok(ring.house().to_string())
}

/// Where each stream of a folder ends.
fn reached(folder: &Path) -> Result<Vec<Reach>, SealError> {
    let journals = Journals::folder(folder).map_err(BackupError::from)?;
    let mut reached = Vec::new();
    for (stream, path) in &journals.streams {
        let tail = source::open(stream, path)
            .map_err(BackupError::from)?
            .tail();
        reached.push(Reach {
            stream: stream.to_string(),
            sequence: tail.sequence,
            header_hash: tail.header_hash,
        });
    }
    Ok(reached)
}

/// Copies what is new of a stream. The house must hold the block that the
/// backup ends with.
fn copy_part(
    stream: &StreamId,
    path: &Path,
    part: &Path,
    before: Option<&Reach>,
    until: u64,
) -> Result<(), SealError> {
    let store = source::open(stream, path).map_err(BackupError::from)?;
    let after = before.map_or(0, |at| at.sequence);
    if let Some(before) = before.filter(|at| at.sequence > 0) {
        let joins = store.read_from(before.sequence).next();
        let joins = joins.transpose().map_err(BackupError::from)?;
        let joins = joins.and_then(|raw| raw.decode().ok());
        let same = |hash| hash == before.header_hash;
        if !joins.is_some_and(|block| same(block.header_hash())) {
            return Err(BackupError::DoesNotJoin {
                stream: stream.clone(),
                sequence: before.sequence,
            }
            .into());
        }
    }
    let to = DataFolder::stream_path(part, stream);
    store
        .copy_part(after, until, &to)
        .map_err(|error| BackupError::from(error).into())
}

/// Verifies the new blocks of a stream: each against itself and the one before,
/// each record, each signature.
fn check_part(
    part: &Path,
    stream: &StreamId,
    before: Option<&Reach>,
    until: u64,
    ring: Option<&KeyRing>,
) -> Result<(), SealError> {
    let path = DataFolder::stream_path(part, stream);
    let store = source::open(stream, &path).map_err(BackupError::from)?;
    let before = before.map_or_else(Tail::default, |at| Tail {
        sequence: at.sequence,
        header_hash: at.header_hash,
        // Epochs only rise; the list does not keep them.
        epoch: 0,
    });
    let span = (before, until);
    match stream.as_str() {
        HOUSE_STREAM => check_new::<Register>(&store, stream, span, &[], ring)?,
        _ => check_new::<Table>(&store, stream, span, &[], ring)?,
    }
    Ok(())
}

/// How far the new records of the register say that tables had come.
fn register_saw(part: &Path) -> Result<Vec<(String, u64)>, SealError> {
    let stream = StreamId::new(HOUSE_STREAM).map_err(|error| SealError::Damaged {
        path: part.to_owned(),
        what: error.to_string(),
    })?;
    let path = DataFolder::stream_path(part, &stream);
    let damaged = |what: String| SealError::Damaged {
        path: path.clone(),
        what,
    };
    let mut seen = Vec::new();
    // Tables alone, as a bench makes them, have no register.
    if !path.exists() {
        return Ok(seen);
    }
    let store = source::open(&stream, &path).map_err(BackupError::from)?;
    for raw in store.read_from(1) {
        let block = raw.map_err(BackupError::from)?;
        let block = block.decode().map_err(|error| damaged(error.to_string()))?;
        for record in block.records().filter(|one| one.kind == TABLE_REACHED) {
            let event = codec::decode(record.kind, record.version, record.payload);
            let event = event.map_err(|error| damaged(error.to_string()))?;
            if let Fact::TableReached { table, reached } = event.fact {
                seen.push((table.as_str().to_owned(), reached.sequence));
            }
        }
    }
    Ok(seen)
}

/// Seals a folder as the next part, and puts it on the list.
fn put_part(
    (mut list, key): (PartList, &ListKey),
    folder: &Path,
    to: &Path,
    recipients: &Recipients,
    streams: Vec<(StreamId, u64, u64)>,
    reached: Vec<Reach>,
) -> Result<Sealed, SealError> {
    let number = list.parts.last().map_or(1, |last| last.number + 1);
    let mut part = Part {
        number,
        bytes: 0,
        sha256: [0; 32],
        reached,
    };
    let file = to.join(part.file());
    let unfinished = file.with_extension("unfinished");
    let io = BackupError::io(&file);
    if unfinished.exists() {
        std::fs::remove_file(&unfinished).map_err(io)?;
    }
    let write = || -> Result<(u64, [u8; 32]), std::io::Error> {
        let keys = recipients.0.iter().map(|key| key as &dyn age::Recipient);
        let sealing = age::Encryptor::with_recipients(keys).map_err(std::io::Error::other)?;
        let mut out = Counted::around(BufWriter::new(create_private_file(&unfinished)?));
        let mut sealed = sealing.wrap_output(&mut out)?;
        let mut tar = tar::Builder::new(&mut sealed);
        tar.append_dir_all(".", folder)?;
        tar.finish()?;
        drop(tar);
        sealed.finish()?;
        let (file, bytes, digest) = out.end()?;
        file.into_inner()?.sync_all()?;
        std::fs::rename(&unfinished, file_at(to, number))?;
        Ok((bytes, digest))
    };
    (part.bytes, part.sha256) = write().map_err(io)?;
    sync(Some(to)).map_err(io)?;
    let (bytes, digest) = measured(&file).map_err(io)?;
    if (bytes, digest) != (part.bytes, part.sha256) {
        return Err(SealError::Damaged {
            path: file,
            what: "what is read back is not what was written: the medium is faulty".to_owned(),
        });
    }
    list.parts.push(part);
    list.write(to, key)?;
    Ok(Sealed {
        part: number,
        streams,
        bytes,
    })
}

fn file_at(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:04}.age"))
}

/// Opens a part into a folder.
fn open_part(
    file: &Path,
    part: &Part,
    into: &Path,
    identities: &Identities,
) -> Result<(), SealError> {
    let io = |error: std::io::Error| unread(file, &error);
    let found = measured(file).map_err(io)?;
    if found != (part.bytes, part.sha256) {
        return Err(SealError::Damaged {
            path: file.to_owned(),
            what: "it is not the part that the list names: take another copy".to_owned(),
        });
    }
    let closed = |what: String| SealError::Closed {
        path: file.to_owned(),
        what,
    };
    let input = BufReader::new(File::open(file).map_err(io)?);
    let sealed = age::Decryptor::new_buffered(input).map_err(|error| closed(error.to_string()))?;
    let keys = identities.0.iter().map(|key| key as &dyn age::Identity);
    let open = sealed
        .decrypt(keys)
        .map_err(|error| closed(error.to_string()))?;
    create_private_folder(into).map_err(BackupError::io(into))?;
    let mut tar = tar::Archive::new(open);
    tar.set_preserve_permissions(true);
    tar.unpack(into).map_err(BackupError::io(into))?;
    Ok(())
}

/// Length and SHA-256 of a file.
fn measured(file: &Path) -> std::io::Result<(u64, [u8; 32])> {
    let mut input = File::open(file)?;
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let read = input.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, hash.finalize().into()));
        }
        bytes += read as u64;
        hash.update(&buffer[..read]);
    }
}

/// Counts and hashes what goes through it.
struct Counted<W> {
    inner: W,
    bytes: u64,
    hash: Sha256,
}

impl<W: Write> Counted<W> {
    fn around(inner: W) -> Counted<W> {
        let (bytes, hash) = (0, Sha256::new());
        Counted { inner, bytes, hash }
    }

    fn end(mut self) -> std::io::Result<(W, u64, [u8; 32])> {
        self.inner.flush()?;
        Ok((self.inner, self.bytes, self.hash.finalize().into()))
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.bytes += written as u64;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

/// The place of a copy before it is sealed; gone when it is dropped.
struct Staging {
    path: PathBuf,
    _lock: File,
}

impl Staging {
    fn take(house: &Path) -> Result<Staging, SealError> {
        let (path, lock) = (house.join(STAGING), house.join(STAGING_LOCK));
        let io = BackupError::io(&path);
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let lock = options.open(&lock).map_err(io)?;
        if lock.try_lock().is_err() {
            return Err(SealError::Busy(house.to_owned()));
        }
        // What a backup that was cut off has left.
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(io)?;
        }
        create_private_folder(&path).map_err(io)?;
        Ok(Staging { path, _lock: lock })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The next backup removes what cannot be removed now.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
