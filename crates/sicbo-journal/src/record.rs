//! One record and its bytes inside a block's body. Owns the entry layout:
//! `length ‖ tag ‖ salt ‖ time ‖ kind ‖ version ‖ payload`. The payload is the
//! caller's; nothing here looks inside it.

use crate::hash::Hash;
use crate::merkle::leaf_hash;
use crate::wire::{Cursor, put_varint, unzigzag, varint_len, zigzag};

/// Longest payload of one record: 1 MiB. A rule book's full bytes fit many
/// times over.
pub const MAX_PAYLOAD: usize = 1 << 20;

/// Time, kind and version take at most 10 + 3 + 3 bytes before the payload.
const MAX_FACTS: usize = MAX_PAYLOAD + 16;

const TAG_LEN: usize = 4;

/// Random-looking bytes hashed with a record, so that a bet cannot be guessed
/// from its hash.
pub(crate) type Salt = [u8; SALT_LEN];

/// Length of a salt: 128 bits cannot be tried out.
pub(crate) const SALT_LEN: usize = 16;

/// A record as it stands in a block, borrowed from the block's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Place in the stream; the first record has 1.
    pub sequence: u64,
    /// When it happened, milliseconds of UTC since 1970, as the writer said.
    pub time_ms: i64,
    /// Stable number of what kind of event this is.
    pub kind: u16,
    /// Version of that kind's payload encoding.
    pub version: u16,
    /// The event, encoded by the crate that owns it.
    pub payload: &'a [u8],
}

/// Appends one entry to a body and returns its leaf hash.
///
/// The sequence is not written: a record's place says it, so the two can
/// never disagree.
pub(crate) fn put_entry(body: &mut Vec<u8>, index: u32, salt: &Salt, record: &Record<'_>) -> Hash {
    let time = zigzag(record.time_ms);
    let (kind, version) = (u64::from(record.kind), u64::from(record.version));
    let facts = varint_len(time) + varint_len(kind) + varint_len(version);
    put_varint(body, (facts + record.payload.len()) as u64);
    let tag_at = body.len();
    body.extend_from_slice(&[0; TAG_LEN]);
    body.extend_from_slice(salt);
    put_varint(body, time);
    put_varint(body, kind);
    put_varint(body, version);
    body.extend_from_slice(record.payload);
    let leaf = leaf_hash(&body[tag_at + TAG_LEN..]);
    body[tag_at..tag_at + TAG_LEN].copy_from_slice(&tag(&leaf, index));
    leaf
}

/// The first four bytes of the leaf hash, mixed with the place in the block.
///
/// The Merkle root alone could only say "one of these records"; the tag lets
/// verification name the one that was changed, moved, dropped or repeated.
/// It proves nothing: a forger can recompute it, and then the root speaks.
fn tag(leaf: &Hash, index: u32) -> [u8; TAG_LEN] {
    let [a, b, c, d, ..] = leaf.0;
    (u32::from_be_bytes([a, b, c, d]) ^ index).to_be_bytes()
}

/// One entry cut out of a body, its numbers not yet read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    tag: [u8; TAG_LEN],
    /// What is hashed into the tree: salt, then the record.
    pub(crate) salted: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Cuts the next entry off; `None` when the bytes cannot be one.
    pub(crate) fn next(body: &mut Cursor<'a>) -> Option<Entry<'a>> {
        let length = usize::try_from(body.varint()?)
            .ok()
            .filter(|l| *l <= MAX_FACTS)?;
        let tag = body.array()?;
        let salted = body.take(SALT_LEN + length)?;
        Some(Entry { tag, salted })
    }

    /// The leaf hash, if the tag agrees with it at this place.
    pub(crate) fn checked_leaf(&self, index: u32) -> Option<Hash> {
        let leaf = leaf_hash(self.salted);
        (tag(&leaf, index) == self.tag).then_some(leaf)
    }

    /// Reads the record; `None` when its numbers are malformed.
    pub(crate) fn record(&self, sequence: u64) -> Option<Record<'a>> {
        read_salted(self.salted, sequence)
    }
}

/// Reads a record out of `salt ‖ record`, the bytes of a leaf.
pub(crate) fn read_salted(salted: &[u8], sequence: u64) -> Option<Record<'_>> {
    let mut cursor = Cursor::new(salted.get(SALT_LEN..)?);
    let time_ms = unzigzag(cursor.varint()?);
    let kind = u16::try_from(cursor.varint()?).ok()?;
    let version = u16::try_from(cursor.varint()?).ok()?;
    let payload = cursor.rest();
    (payload.len() <= MAX_PAYLOAD).then_some(Record {
        sequence,
        time_ms,
        kind,
        version,
        payload,
    })
}
