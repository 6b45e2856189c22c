//! The tree of a house on its disk, `tree/tree.sqlite` of the data folder: a
//! leaf for each block of every stream, the nodes above, and the heads that were
//! signed. Written after the blocks are durable, so it may be behind the streams
//! and is never ahead of them but by a rollback. Owns the file; signs nothing.

mod file;
mod heads;
mod schema;
mod stored;

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use sicbo_journal::{Hash, Header, ReadError, Store, StreamId, leaf_hash};

use crate::head::TreeHead;
use crate::tree::{self, Edge, Nodes};

pub(crate) use file::sync_folder;
pub use heads::{HeadReason, KeptNote};
pub(crate) use stored::StoredNodes;

/// Marks the file as ours: `SBT1`.
const APPLICATION_ID: i32 = 0x5342_5431;
/// The format this code writes and reads.
pub const TREE_FORMAT: i32 = 1;
/// How long an auditor who reads beside the house may hold a write up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Leaves that one transaction of catching up appends.
const CATCH_UP_LEAVES: usize = 4_096;

/// One block as a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The block's stream.
    pub stream: StreamId,
    /// Its first record.
    pub first_sequence: u64,
    /// Its last record.
    pub last_sequence: u64,
    /// SHA-256 of its header: what the leaf is over.
    pub header_hash: Hash,
}

/// Where a stream ended in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamTail {
    /// Its last record.
    pub sequence: u64,
    /// The header hash of the block that ends with it.
    pub header_hash: Hash,
}

/// The tree of a house in one of its lives.
#[derive(Debug)]
pub struct HouseTree {
    connection: Connection,
    path: PathBuf,
    life: u32,
    edge: Edge,
    tails: BTreeMap<StreamId, StreamTail>,
    /// The number SQLite gave the schema when it was compared last.
    schema: Cell<i32>,
}

impl HouseTree {
    fn around(path: &Path, opened: rusqlite::Result<Connection>) -> Result<HouseTree, TreeError> {
        let failed = |error| TreeError::sqlite(path, &error);
        let connection = opened.map_err(failed)?;
        let read = || -> rusqlite::Result<_> {
            // A head that a witness cosigned must never be lost with its leaves: the
            // folder is synced as well, or a power cut could bring back the rollback
            // journal of a commit, and the house would be behind its own witness.
            connection.pragma_update(None, "synchronous", "EXTRA")?;
            connection.busy_timeout(BUSY_TIMEOUT)?;
            let mark: i32 = connection.pragma_query_value(None, "application_id", |r| r.get(0))?;
            let format: i32 = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
            Ok((mark, format))
        };
        match read().map_err(failed)? {
            (APPLICATION_ID, TREE_FORMAT) => {}
            (APPLICATION_ID, found) => {
                let what = format!("it has format {found}, this program knows {TREE_FORMAT}");
                return Err(TreeError::damaged(path, &what));
            }
            _ => return Err(TreeError::damaged(path, "it is not the tree of a house")),
        }
        // The number before the schema: of a change in between it is the older one.
        let schema = schema::version(&connection).map_err(failed)?;
        let foreign = schema::foreign(&connection).map_err(failed)?;
        if !foreign.is_empty() {
            return Err(TreeError::damaged(path, &schema::altered(&foreign)));
        }
        let mut found = HouseTree {
            connection,
            path: path.to_owned(),
            life: 0,
            edge: Edge::default(),
            tails: BTreeMap::new(),
            schema: Cell::new(schema),
        };
        found.read_state()?;
        Ok(found)
    }

    fn read_state(&mut self) -> Result<(), TreeError> {
        let failed = |error| TreeError::sqlite(&self.path, &error);
        let one = |sql: &str| -> Result<i64, TreeError> {
            self.connection
                .query_row(sql, [], |row| row.get(0))
                .map_err(failed)
        };
        if one("SELECT count(*) FROM meta")? != 1 {
            let what = "it does not say which life of the house it is of: its table meta is empty or has more than one row";
            return Err(TreeError::damaged(&self.path, what));
        }
        let life = one("SELECT life FROM meta")?;
        let size = one("SELECT coalesce(max(place) + 1, 0) FROM leaves")?;
        let mut statement = self.connection.prepare(LAST_LEAVES).map_err(failed)?;
        let rows = statement.query_map([], |row| {
            let (stream, sequence): (String, i64) = (row.get(0)?, row.get(1)?);
            Ok((stream, sequence, row.get::<_, [u8; 32]>(2)?))
        });
        let mut tails = BTreeMap::new();
        for row in rows.map_err(failed)? {
            let (stream, sequence, hash) = row.map_err(failed)?;
            let stream = StreamId::new(&stream)
                .map_err(|_| TreeError::damaged(&self.path, "a leaf names no stream"))?;
            let sequence = u64::try_from(sequence).unwrap_or(0);
            let header_hash = Hash(hash);
            tails.insert(
                stream,
                StreamTail {
                    sequence,
                    header_hash,
                },
            );
        }
        drop(statement);
        self.life = u32::try_from(life)
            .map_err(|_| TreeError::damaged(&self.path, "its life is no number"))?;
        self.edge = Edge::of(self, u64::try_from(size).unwrap_or(0))?;
        self.tails = tails;
        Ok(())
    }

    /// Which life of the house it is of.
    pub fn life(&self) -> u32 {
        self.life
    }

    /// How many leaves it has.
    pub fn size(&self) -> u64 {
        self.edge.size()
    }

    /// Its root.
    pub fn root(&self) -> Hash {
        self.edge.root()
    }

    /// The root it had at a smaller size.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn root_at(&self, size: u64) -> Result<Hash, TreeError> {
        tree::root_at(self, size)
    }

    /// Its head under this origin.
    pub fn head(&self, origin: &str) -> TreeHead {
        TreeHead {
            origin: origin.to_owned(),
            size: self.size(),
            root: self.root(),
        }
    }

    /// Where each stream ends in it.
    pub fn tails(&self) -> &BTreeMap<StreamId, StreamTail> {
        &self.tails
    }

    /// The proof that the tree of `old` leaves begins this one.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn consistency(&self, old: u64) -> Result<Vec<Hash>, TreeError> {
        tree::consistency_proof(self, old, self.size())
    }

    /// The audit path of a leaf in the tree when it had `size` leaves.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn inclusion(&self, place: u64, size: u64) -> Result<Vec<Hash>, TreeError> {
        tree::inclusion_proof(self, place, size)
    }

    /// Appends leaves durably. Those the tree has already are passed over.
    ///
    /// # Errors
    /// When one does not follow its stream's last leaf: nothing is written then,
    /// and the streams must be read; or when the file cannot be written.
    pub fn append(&mut self, leaves: &[Leaf]) -> Result<(), TreeError> {
        let (mut edge, mut tails) = (self.edge.clone(), BTreeMap::new());
        let mut rows = Vec::new();
        let mut nodes = Vec::new();
        for leaf in leaves {
            let known = tails
                .get(&leaf.stream)
                .or_else(|| self.tails.get(&leaf.stream));
            let last = known.map_or(0, |tail: &StreamTail| tail.sequence);
            if leaf.last_sequence <= last {
                continue;
            }
            if leaf.first_sequence != last + 1 {
                return Err(TreeError::Gap {
                    stream: leaf.stream.clone(),
                    last,
                    first: leaf.first_sequence,
                });
            }
            rows.push((edge.size(), leaf));
            edge.push(leaf_hash(&leaf.header_hash.0), |node| nodes.push(node));
            let tail = StreamTail {
                sequence: leaf.last_sequence,
                header_hash: leaf.header_hash,
            };
            tails.insert(leaf.stream.clone(), tail);
        }
        if rows.is_empty() {
            return Ok(());
        }
        let write = |change: &Connection| -> rusqlite::Result<()> {
            {
                let mut put = change.prepare_cached(
                    "INSERT INTO leaves (place, stream, first_sequence, last_sequence, \
                     header_sha256) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?;
                for (place, leaf) in &rows {
                    put.execute(params![
                        clamp(*place),
                        leaf.stream.as_str(),
                        clamp(leaf.first_sequence),
                        clamp(leaf.last_sequence),
                        leaf.header_hash.0
                    ])?;
                }
                let mut put = change
                    .prepare_cached("INSERT INTO nodes (level, place, hash) VALUES (?1, ?2, ?3)")?;
                for (level, place, hash) in &nodes {
                    put.execute(params![level, clamp(*place), hash.0])?;
                }
            }
            Ok(())
        };
        self.write(&["leaves", "nodes"], write)?;
        self.edge = edge;
        self.tails.extend(tails);
        Ok(())
    }

    /// Appends every block that the streams have after their last leaves, in
    /// the order of their times. Returns how many.
    ///
    /// # Errors
    /// When a stream or the file cannot be read or written.
    pub fn catch_up(&mut self, streams: &[(StreamId, &dyn Store)]) -> Result<u64, TreeError> {
        let before = self.size();
        let mut readers: Vec<_> = Vec::new();
        for (stream, store) in streams {
            let last = self.tails.get(stream).map_or(0, |tail| tail.sequence);
            readers.push((stream, store.headers_from(last + 1)));
        }
        // Streams are merged by the time their blocks were sealed; each stays in
        // its own order, whatever its clock did.
        let mut next = BinaryHeap::new();
        let mut pull = |at: usize| -> Result<Option<_>, TreeError> {
            let (stream, blocks) = &mut readers[at];
            let failed = |error| TreeError::Stream {
                stream: stream.to_string(),
                error,
            };
            let Some(block) = blocks.next().transpose().map_err(failed)? else {
                return Ok(None);
            };
            let header = Header::decode(&block.header).map_err(|error| {
                failed(ReadError::Damaged {
                    sequence: block.filed_under,
                    what: error.to_string(),
                })
            })?;
            let header_hash = Hash::of(&block.header);
            let (first, last) = (header.first_sequence, header.last_sequence);
            Ok(Some(Reverse((
                header.time_ms,
                at,
                first,
                last,
                header_hash,
            ))))
        };
        for at in 0..streams.len() {
            next.extend(pull(at)?);
        }
        let mut leaves = Vec::new();
        while let Some(Reverse((_, at, first_sequence, last_sequence, header_hash))) = next.pop() {
            leaves.push(Leaf {
                stream: streams[at].0.clone(),
                first_sequence,
                last_sequence,
                header_hash,
            });
            next.extend(pull(at)?);
            if leaves.len() == CATCH_UP_LEAVES {
                self.append(&leaves)?;
                leaves.clear();
            }
        }
        self.append(&leaves)?;
        Ok(self.size() - before)
    }

    /// The leaves from a place on, at most so many.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn leaves(&self, from: u64, limit: usize) -> Result<Vec<Leaf>, TreeError> {
        let failed = |error| TreeError::sqlite(&self.path, &error);
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT stream, first_sequence, last_sequence, header_sha256 FROM leaves \
                 WHERE place >= ?1 ORDER BY place LIMIT ?2",
            )
            .map_err(failed)?;
        let rows = statement.query_map([clamp(from), clamp(limit as u64)], |row| {
            let (stream, first, last): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((stream, first, last, row.get::<_, [u8; 32]>(3)?))
        });
        let mut leaves = Vec::new();
        for row in rows.map_err(failed)? {
            let (stream, first, last, hash) = row.map_err(failed)?;
            let stream = StreamId::new(&stream)
                .map_err(|_| TreeError::damaged(&self.path, "a leaf names no stream"))?;
            leaves.push(Leaf {
                stream,
                first_sequence: u64::try_from(first).unwrap_or(0),
                last_sequence: u64::try_from(last).unwrap_or(0),
                header_hash: Hash(hash),
            });
        }
        Ok(leaves)
    }
}

impl Nodes for HouseTree {
    type Error = TreeError;

    fn node(&self, level: u32, place: u64) -> Result<Hash, TreeError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT hash FROM nodes WHERE level = ?1 AND place = ?2")
            .map_err(|error| TreeError::sqlite(&self.path, &error))?;
        let found: Option<[u8; 32]> = statement
            .query_row(params![level, clamp(place)], |row| row.get(0))
            .optional()
            .map_err(|error| TreeError::sqlite(&self.path, &error))?;
        found
            .map(Hash)
            .ok_or_else(|| TreeError::damaged(&self.path, "a node is missing"))
    }
}

/// The last leaf of each stream. Steps from stream to stream by the index: a
/// start does not read every leaf.
const LAST_LEAVES: &str = "
    WITH RECURSIVE streams (name) AS (
        SELECT min(stream) FROM leaves
        UNION ALL
        SELECT (SELECT min(stream) FROM leaves WHERE stream > name) FROM streams
        WHERE name IS NOT NULL
    )
    SELECT stream, last_sequence, header_sha256 FROM streams JOIN leaves ON place =
        (SELECT place FROM leaves WHERE stream = name ORDER BY first_sequence DESC LIMIT 1)";

/// Sizes, sequences and times stay below 2^63.
fn clamp(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Why the tree cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A block is missing between the tree and the leaf.
    #[error("the tree ends at record {last} of {stream}, and the next block begins at {first}")]
    Gap {
        /// The stream.
        stream: StreamId,
        /// Its last record in the tree.
        last: u64,
        /// The first record of the leaf.
        first: u64,
    },
    /// A stream could not be read.
    #[error("the journal {stream}: {error}")]
    Stream {
        /// Which.
        stream: String,
        /// Why.
        error: ReadError,
    },
    /// The file is not what it should be.
    #[error("{path}: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file could not be read or written.
    #[error("{path} could not be read or written: {what}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

impl TreeError {
    fn damaged(path: &Path, what: &str) -> TreeError {
        TreeError::Damaged {
            path: path.to_owned(),
            what: what.to_owned(),
        }
    }

    fn sqlite(path: &Path, error: &rusqlite::Error) -> TreeError {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase, Unknown};
        let what = error.to_string();
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => TreeError::Damaged { path, what },
            // The tree is ours by its mark, but a table or a row is gone, or a
            // value has another type.
            Some(Unknown) | None => TreeError::Damaged { path, what },
            Some(_) => TreeError::Io { path, what },
        }
    }
}
