//! A sealed block: header and body whose bytes agree with each other, and the
//! raw form a store hands out before that has been checked. Owns the body's
//! decoding; must not know where a block came from or what precedes it.

use crate::hash::Hash;
use crate::header::{Header, HeaderBytes, HeaderError};
use crate::merkle::TreeBuilder;
use crate::record::{Entry, Record};
use crate::wire::Cursor;

/// The bytes of a block as some store holds them, believed by nobody yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawBlock {
    /// The first sequence the store files it under.
    pub filed_under: u64,
    /// Header bytes.
    pub header: HeaderBytes,
    /// Body bytes.
    pub body: Vec<u8>,
}

/// The header of a block as some store holds it, without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawHeader {
    /// The first sequence the store files the block under.
    pub filed_under: u64,
    /// Header bytes.
    pub header: HeaderBytes,
}

impl RawBlock {
    /// Checks the block against itself: framing, record tags, Merkle root.
    /// Whether it follows the block before is the chain's business.
    pub fn decode(self) -> Result<SealedBlock, BlockError> {
        let header = Header::decode(&self.header)?;
        if header.first_sequence != self.filed_under {
            return Err(BlockError::FiledElsewhere {
                stated: header.first_sequence,
            });
        }
        let found = self.body.len();
        if found != header.body_len as usize {
            return Err(BlockError::BodyLength {
                stated: header.body_len,
                found,
            });
        }
        check_body(&header, &self.body)?;
        Ok(SealedBlock {
            header,
            header_bytes: self.header,
            body: self.body,
        })
    }
}

/// Walks the body once: every entry well formed, tagged rightly, and the
/// whole leading to the stated root.
fn check_body(header: &Header, body: &[u8]) -> Result<(), BlockError> {
    let mut tree = TreeBuilder::default();
    let mut cursor = Cursor::new(body);
    for index in 0..header.record_count() {
        let sequence = header.first_sequence + u64::from(index);
        let entry = Entry::next(&mut cursor);
        let leaf = entry
            .filter(|e| e.record(sequence).is_some())
            .map(|e| e.checked_leaf(index));
        match leaf {
            Some(Some(leaf)) => tree.push(leaf),
            Some(None) => return Err(BlockError::RecordChanged { sequence }),
            None => return Err(BlockError::RecordMalformed { sequence }),
        }
    }
    if !cursor.is_empty() {
        return Err(BlockError::TrailingBytes {
            sequence: header.last_sequence,
        });
    }
    if tree.take_root() != header.root {
        let (first, last) = (header.first_sequence, header.last_sequence);
        return Err(BlockError::RootDiffers { first, last });
    }
    Ok(())
}

/// A block whose header and body are known to agree: made by the
/// [`Writer`](crate::Writer) or read and checked by [`RawBlock::decode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedBlock {
    header: Header,
    header_bytes: HeaderBytes,
    body: Vec<u8>,
}

impl SealedBlock {
    /// Only the writer calls this, with a header it has just computed.
    pub(crate) fn seal(header: Header, body: Vec<u8>) -> SealedBlock {
        let header_bytes = header.encode().into();
        SealedBlock {
            header,
            header_bytes,
            body,
        }
    }

    /// The header's fields.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The header as stored and hashed.
    pub fn header_bytes(&self) -> &[u8] {
        &self.header_bytes
    }

    /// SHA-256 of the header's bytes: what the next block and a checkpoint name.
    pub fn header_hash(&self) -> Hash {
        self.header_bytes.hash()
    }

    /// The records and their salts, as stored.
    pub fn body(&self) -> BlockBody<'_> {
        BlockBody {
            first_sequence: self.header.first_sequence,
            bytes: &self.body,
        }
    }

    /// Shorthand for `body().records()`.
    pub fn records(&self) -> Records<'_> {
        self.body().records()
    }

    /// The form a store keeps.
    pub fn to_raw(&self) -> RawBlock {
        RawBlock {
            filed_under: self.header.first_sequence,
            header: self.header_bytes.clone(),
            body: self.body.clone(),
        }
    }
}

/// The body of a checked block.
#[derive(Clone, Copy, Debug)]
pub struct BlockBody<'a> {
    first_sequence: u64,
    bytes: &'a [u8],
}

impl<'a> BlockBody<'a> {
    /// The stored bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The records in order, borrowed; nothing is allocated.
    pub fn records(&self) -> Records<'a> {
        Records {
            sequence: self.first_sequence,
            cursor: Cursor::new(self.bytes),
        }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let mut cursor = Cursor::new(self.bytes);
        std::iter::from_fn(move || Entry::next(&mut cursor))
    }
}

/// Iterator over a block's records.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    sequence: u64,
    cursor: Cursor<'a>,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        // A body in a SealedBlock was walked to its end once, so `None` here
        // is its end and nothing else.
        let record = Entry::next(&mut self.cursor)?.record(self.sequence)?;
        self.sequence += 1;
        Some(record)
    }
}

/// Why stored bytes are not a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The header cannot be read.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The store files the block under another sequence than it states.
    #[error("the block states first sequence {stated} but is filed elsewhere")]
    FiledElsewhere {
        /// What the header says.
        stated: u64,
    },
    /// The body is not as long as the header says.
    #[error("the body has {found} bytes, the header says {stated}")]
    BodyLength {
        /// What the header says.
        stated: u32,
        /// What is there.
        found: usize,
    },
    /// A record's framing or numbers cannot be read.
    #[error("record {sequence} is malformed")]
    RecordMalformed {
        /// The record.
        sequence: u64,
    },
    /// A record is not the one that was sealed at this place.
    #[error("record {sequence} is not what was sealed there")]
    RecordChanged {
        /// The record.
        sequence: u64,
    },
    /// There are bytes after the last record.
    #[error("there are bytes after the block's last record {sequence}")]
    TrailingBytes {
        /// The last record.
        sequence: u64,
    },
    /// Each record is well formed but together they are not the sealed ones.
    #[error("records {first} to {last} do not lead to the root in their header")]
    RootDiffers {
        /// First record of the block.
        first: u64,
        /// Last record of the block.
        last: u64,
    },
}
