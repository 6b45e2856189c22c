//! The mark: the newest head of a house and where each stream ended, in a file
//! outside its data folder. It catches accidents (an older copy put back, half a
//! restore), not attackers: whoever can write the mark can write another one.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use sicbo_journal::{Hash, HouseKey, KeyId, StreamId};

use crate::house_tree::{HouseTree, StreamTail, sync_folder};
use crate::note::{Note, NoteError};

const PURPOSE: &str = "sicbo mark 1";
/// No mark is longer.
const MAX_MARK: u64 = 1 << 20;

/// What a house had written when the mark was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The house: the id of its first key.
    pub house: KeyId,
    /// Its life.
    pub life: u32,
    /// Leaves of its tree.
    pub size: u64,
    /// The tree's root.
    pub root: Hash,
    /// Where each stream ended.
    pub tails: BTreeMap<StreamId, StreamTail>,
}

impl Mark {
    /// The file of a house's mark in a folder of marks.
    pub fn file_in(folder: &Path, house: KeyId) -> PathBuf {
        let house = house.to_string();
        folder.join(format!("{}.mark", &house[..32]))
    }

    /// How a tree stands now.
    pub fn of(house: KeyId, tree: &HouseTree) -> Mark {
        Mark {
            house,
            life: tree.life(),
            size: tree.size(),
            root: tree.root(),
            tails: tree.tails().clone(),
        }
    }

    /// Reads a mark; `None` where there is no file.
    ///
    /// # Errors
    /// When it cannot be read, or is no mark.
    pub fn read(path: &Path) -> Result<Option<Mark>, MarkError> {
        let mut text = String::new();
        let read = std::fs::File::open(path)
            .and_then(|file| file.take(MAX_MARK).read_to_string(&mut text));
        match read {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(MarkError::io(path, &error)),
        }
        let mark = Mark::parse(&text).ok_or_else(|| MarkError::Malformed {
            path: path.to_owned(),
        })?;
        Ok(Some(mark))
    }

    /// Writes the mark in place of the one before. After a crash one of both is
    /// there whole.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), MarkError> {
        let unfinished = path.with_extension("unfinished");
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
        let put = || -> std::io::Result<()> {
            if let Some(folder) = folder {
                std::fs::create_dir_all(folder)?;
            }
            let mut options = std::fs::File::options();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&unfinished)?;
            file.write_all(self.text().as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&unfinished, path)?;
            sync_folder(folder.unwrap_or(Path::new(".")))
        };
        put().map_err(|error| MarkError::io(path, &error))
    }

    /// Signs it as a statement of the house's under this origin, to be kept
    /// beside the tree. No checkpoint begins with its first line.
    ///
    /// # Errors
    /// When the origin cannot be a name.
    pub fn sign(&self, origin: &str, key: &HouseKey) -> Result<Note, NoteError> {
        Note::sign(&self.text(), origin, key)
    }

    pub(crate) fn text(&self) -> String {
        let Mark {
            house,
            life,
            size,
            root,
            tails,
        } = self;
        let mut text =
            format!("{PURPOSE}\nhouse: {house}\nlife: {life}\nsize: {size}\nroot: {root}\n");
        for (stream, tail) in tails {
            let (sequence, hash) = (tail.sequence, tail.header_hash);
            text.push_str(&format!("stream: {stream} {sequence} {hash}\n"));
        }
        text
    }

    pub(crate) fn parse(text: &str) -> Option<Mark> {
        let mut lines = text.lines();
        if lines.next()? != PURPOSE {
            return None;
        }
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(": ");
        let house = KeyId(Hash::from_hex(value("house")?)?);
        let life = value("life")?.parse().ok()?;
        let size = value("size")?.parse().ok()?;
        let root = Hash::from_hex(value("root")?)?;
        let mut tails = BTreeMap::new();
        for line in lines {
            let mut words = line.strip_prefix("stream: ")?.split(' ');
            let stream = StreamId::new(words.next()?).ok()?;
            let sequence = words.next()?.parse().ok()?;
            let header_hash = Hash::from_hex(words.next()?)?;
            let tail = StreamTail {
                sequence,
                header_hash,
            };
            tails.insert(stream, tail);
        }
        let mark = Mark {
            house,
            life,
            size,
            root,
            tails,
        };
        // One meaning, one text.
        (mark.text() == text).then_some(mark)
    }
}

/// Why a mark cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkError {
    /// The file is something else.
    #[error("{path} is no mark of a house: name another file, or remove it after looking why")]
    Malformed {
        /// The file.
        path: PathBuf,
    },
    /// The file could not be read or written.
    #[error("the mark {path} could not be read or written: {what}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

impl MarkError {
    fn io(path: &Path, error: &std::io::Error) -> MarkError {
        MarkError::Io {
            path: path.to_owned(),
            what: error.to_string(),
        }
    }
}
