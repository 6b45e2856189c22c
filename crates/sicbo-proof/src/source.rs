//! What a tool is pointed at: a data folder, one journal file, or a bundle.
//!
//! Opens for reading only and takes no lock, so that an auditor may look while
//! the house is running. Changes nothing, whatever it finds.

use std::io::Read;
use std::path::{Path, PathBuf};

use sicbo_journal::{
    DataFolder, FolderError, KeyFolder, KeyFolderError, KeyRing, OpenError, Purpose, Record,
    SqliteStore, StreamId, Vfs,
};

use crate::bundle::case::CaseBundle;
use crate::bundle::{self, Bundle, BundleError};
use crate::describe::People;
use crate::walk::{Visitor, walk};
use sicbo_check::receipt::Receipt;
use sicbo_register::Register;

/// The stream of people, vouchers and shifts; all others are tables.
pub const HOUSE_STREAM: &str = sicbo_register::STREAM;

/// First bytes of every SQLite file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Longest bundle that is read into memory: 1 GiB.
const LONGEST_BUNDLE: u64 = 1 << 30;

/// What was found at a path.
#[derive(Debug)]
pub enum Source {
    /// A data folder or one of its journal files.
    Journals(Journals),
    /// A bundle.
    Bundle(Box<Bundle>),
    /// The file of a case.
    Case(Box<CaseBundle>),
}

/// Streams and the keys that signed them.
#[derive(Debug)]
pub struct Journals {
    /// It is a whole data folder.
    pub is_folder: bool,
    /// The house's public keys, where they were found.
    pub ring: Option<KeyRing>,
    /// What the data folder is for that they lie in, if they lie in one.
    pub purpose: Option<Purpose>,
    /// Each stream with its file.
    pub streams: Vec<(StreamId, PathBuf)>,
}

/// Why a path could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A data folder that is none, or cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A journal file that is none, or cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The keys cannot be read.
    #[error(transparent)]
    Keys(#[from] KeyFolderError),
    /// A bundle that cannot be read.
    #[error("{path}: {error}")]
    Bundle {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: bundle::BundleError,
    },
    /// Neither a folder, nor a journal, nor a bundle.
    #[error("{path} is not a data folder, a journal or a bundle: check the path")]
    Unknown {
        /// The path.
        path: PathBuf,
    },
    /// The system said no.
    #[error("cannot read {path}: {what}")]
    Io {
        /// The path.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
    /// There is no such table.
    #[error("there is no stream {asked} here; there is {there}")]
    NoStream {
        /// What was asked for.
        asked: String,
        /// What there is.
        there: String,
    },
    /// Rounds are played at tables.
    #[error("the house's own journal holds no rounds; choose a table with --stream: {there}")]
    NoRounds {
        /// What there is.
        there: String,
    },
    /// One table must be named.
    #[error("there are several tables here; choose one with --stream: {there}")]
    WhichStream {
        /// What there is.
        there: String,
    },
}

impl Source {
    /// Opens whatever is at a path.
    ///
    /// # Errors
    /// When it is nothing known, or cannot be read.
    pub fn open(path: &Path) -> Result<Source, SourceError> {
        if path.is_dir() {
            return Journals::folder(path).map(Source::Journals);
        }
        let io = |error: std::io::Error| SourceError::Io {
            path: path.to_owned(),
            what: match error.kind() {
                std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
                std::io::ErrorKind::PermissionDenied => {
                    "permission denied; run as the owner of the file".to_owned()
                }
                _ => error.to_string(),
            },
        };
        let file = std::fs::File::open(path).map_err(io)?;
        let mut start = Vec::new();
        let mut rest = file.take(LONGEST_BUNDLE);
        rest.by_ref().take(32).read_to_end(&mut start).map_err(io)?;
        if start.starts_with(SQLITE) || start.is_empty() {
            return Journals::file(path).map(Source::Journals);
        }
        let is_case = CaseBundle::is_one(&start);
        let is_receipt = Receipt::is_one(&start);
        if !is_case && !is_receipt && !Bundle::is_one(&start) {
            return Err(SourceError::Unknown {
                path: path.to_owned(),
            });
        }
        rest.read_to_end(&mut start).map_err(io)?;
        let damaged = |error| SourceError::Bundle {
            path: path.to_owned(),
            error,
        };
        if is_case {
            let case = CaseBundle::from_bytes(&start).map_err(damaged)?;
            return Ok(Source::Case(Box::new(case)));
        }
        if is_receipt {
            // A player's receipt: its signed text must hold, and the rest is a bundle.
            let receipt = Receipt::from_bytes(&start).map_err(damaged)?;
            let altered = |fault| damaged(BundleError::Altered(fault));
            receipt.check().map_err(altered)?;
            return Ok(Source::Bundle(Box::new(receipt.bundle)));
        }
        let bundle = Bundle::from_bytes(&start).map_err(damaged)?;
        Ok(Source::Bundle(Box::new(bundle)))
    }
}

impl Journals {
    /// All streams of a data folder.
    ///
    /// # Errors
    /// When it is no data folder or its keys cannot be read.
    pub fn folder(path: &Path) -> Result<Journals, SourceError> {
        match Journals::folder_to_examine(path)? {
            (journals, None) => Ok(journals),
            (_, Some(wrong)) => Err(wrong.into()),
        }
    }

    /// As [`Journals::folder`] for whoever tells everything that is wrong: with
    /// the keys as far as they hold, and what is wrong with the next one.
    ///
    /// # Errors
    /// When it is no data folder.
    pub fn folder_to_examine(
        path: &Path,
    ) -> Result<(Journals, Option<KeyFolderError>), SourceError> {
        let purpose = Some(DataFolder::purpose(path)?);
        let streams = DataFolder::streams(path)?
            .into_iter()
            .map(|stream| {
                let file = DataFolder::stream_path(path, &stream);
                (stream, file)
            })
            .collect();
        let keys = path.join("keys");
        let (ring, wrong) = match keys.exists() {
            true => KeyFolder::examine_ring(&keys),
            false => (None, None),
        };
        let journals = Journals {
            is_folder: true,
            ring,
            purpose,
            streams,
        };
        Ok((journals, wrong))
    }

    /// One journal file; its keys if it lies in a data folder.
    fn file(path: &Path) -> Result<Journals, SourceError> {
        let stream = stream_of(path)?;
        let folder = path.parent().and_then(Path::parent);
        let keys = folder
            .map(|folder| folder.join("keys"))
            .filter(|keys| keys.exists());
        let ring = keys.map(|keys| KeyFolder::read_ring(&keys)).transpose()?;
        Ok(Journals {
            is_folder: false,
            ring,
            purpose: folder.and_then(|folder| DataFolder::purpose(folder).ok()),
            streams: vec![(stream, path.to_owned())],
        })
    }

    /// What is old of a house: it ends before the house does, and has no tree.
    #[must_use]
    pub fn is_archive(&self) -> bool {
        self.purpose == Some(Purpose::Archive)
    }

    /// Each stream with its file, the house's own last: what a table did the
    /// house knew before, so whoever reads in this order while they are being
    /// written finds every voucher a table names.
    pub fn tables_first(&self) -> impl Iterator<Item = &(StreamId, PathBuf)> {
        let is_house = |(id, _): &&(StreamId, PathBuf)| id.as_str() == HOUSE_STREAM;
        let tables = self.streams.iter().filter(move |stream| !is_house(stream));
        tables.chain(self.streams.iter().filter(is_house))
    }

    /// The table asked for; without a name, the only one there is.
    ///
    /// # Errors
    /// When there is none such, or several, or it is the house.
    pub fn table(&self, name: Option<&str>) -> Result<(StreamId, SqliteStore), SourceError> {
        if name == Some(HOUSE_STREAM) {
            let tables = self.streams.iter().map(|(id, _)| id.as_str());
            let tables: Vec<&str> = tables.filter(|id| *id != HOUSE_STREAM).collect();
            return Err(SourceError::NoRounds {
                there: tables.join(", "),
            });
        }
        self.one(name)
    }

    /// The names of the house's people, where its own journal is here and can
    /// be read. One that is damaged leaves the tables' journals as readable as
    /// before: then nobody is named, and `verify` says what is wrong.
    #[must_use]
    pub fn people(&self) -> People {
        struct Nothing;
        impl Visitor<Register> for Nothing {
            fn before(&mut self, _: &Register, _: &Record<'_>, _: &sicbo_register::Event) {}
        }
        let known = |(id, path): &(StreamId, PathBuf)| {
            let store = open(id, path).ok()?;
            walk::<Register>(&store, id, &mut Nothing).ok()
        };
        let house = self
            .streams
            .iter()
            .find(|(id, _)| id.as_str() == HOUSE_STREAM);
        let Some(register) = house.and_then(known) else {
            return People::default();
        };
        let people = register.people.into_iter();
        People {
            names: people.map(|(id, person)| (id, person.name)).collect(),
            above_director: register.above_director,
        }
    }

    /// The stream asked for; without a name, the only table there is.
    ///
    /// # Errors
    /// When there is none such, or several.
    pub fn one(&self, name: Option<&str>) -> Result<(StreamId, SqliteStore), SourceError> {
        let there = || {
            let names: Vec<&str> = self.streams.iter().map(|(id, _)| id.as_str()).collect();
            match names[..] {
                [] => "none".to_owned(),
                _ => names.join(", "),
            }
        };
        let found = match name {
            Some(name) => self.streams.iter().find(|(id, _)| id.as_str() == name),
            None => {
                let mut tables = self
                    .streams
                    .iter()
                    .filter(|(id, _)| self.streams.len() == 1 || id.as_str() != HOUSE_STREAM);
                let first = tables.next();
                if tables.next().is_some() {
                    return Err(SourceError::WhichStream { there: there() });
                }
                first
            }
        };
        let (stream, path) = found.ok_or_else(|| SourceError::NoStream {
            asked: name.unwrap_or("of a table").to_owned(),
            there: there(),
        })?;
        let store = open(stream, path)?.believing(self.ring.as_ref());
        Ok((stream.clone(), store))
    }
}

/// Opens a stream's file for reading. Whoever reads a state from it says whose
/// snapshots are believed.
///
/// # Errors
/// When it is missing, damaged or no journal.
pub fn open(stream: &StreamId, path: &Path) -> Result<SqliteStore, OpenError> {
    SqliteStore::open_read_only(path, stream.clone(), &Vfs::default())
}

/// As [`open`] for whoever reads blocks from the first on: also where the last is damaged, and
/// without the tail.
///
/// # Errors
/// When it is missing or no journal.
pub fn open_blocks(stream: &StreamId, path: &Path) -> Result<SqliteStore, OpenError> {
    SqliteStore::open_blocks(path, stream.clone(), &Vfs::default())
}

/// The stream a file holds, whatever the file is called.
fn stream_of(path: &Path) -> Result<StreamId, OpenError> {
    let named = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .and_then(|stem| StreamId::new(stem).ok());
    // Any name will do to be told the right one.
    let guess = match named {
        Some(name) => name,
        None => StreamId::new(HOUSE_STREAM).map_err(|_| OpenError::NotAJournal {
            path: path.to_owned(),
        })?,
    };
    // Whoever reads the journal says what is foreign in it.
    match SqliteStore::open_to_examine(path, guess.clone(), &Vfs::default()) {
        Ok(_) => Ok(guess),
        Err(OpenError::AnotherStream { found, .. }) => {
            StreamId::new(&found).map_err(|_| OpenError::Damaged {
                path: path.to_owned(),
                what: "its stream's name is not allowed".to_owned(),
            })
        }
        Err(error) => Err(error),
    }
}

/// The record that kept a journal from being opened, where one did: the last
/// block is looked at when a journal is opened.
#[must_use]
pub fn damaged_record(error: &OpenError) -> Option<u64> {
    let OpenError::Damaged { what, .. } = error else {
        return None;
    };
    let rest = what
        .strip_prefix("record ")
        .or_else(|| what.strip_prefix("the store is damaged at or after sequence "))?;
    rest.split(':').next()?.parse().ok()
}
