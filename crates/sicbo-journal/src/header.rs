//! A block's header: its fields and their exact bytes. The hash of these bytes
//! is what the next header names and what a checkpoint signs. Owns no body.

use crate::hash::Hash;
use crate::seal::{Certificate, SEAL_LEN, Seal};
use crate::stream::StreamId;
use crate::wire::Cursor;

/// First bytes of every header.
const MAGIC: [u8; 4] = *b"SBJB";

/// The block format this code writes, and the newest it reads: signed headers.
pub const BLOCK_FORMAT: u16 = 2;

/// The format of headers that nobody signed, as earlier programs wrote them.
const UNSIGNED_FORMAT: u16 = 1;

/// Most records in one block.
pub const MAX_RECORDS: u32 = 1 << 16;

/// Longest body of one block: 16 MiB, so that a reader's memory is bounded.
pub const MAX_BODY: usize = 1 << 24;

/// Bytes of a header without its stream name and its seal.
const FIXED_LEN: usize = 4 + 2 + 1 + 8 + 8 + 8 + 8 + 32 + 32 + 4;

/// What a block says of itself. Layout in `docs/journal-format.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Which sequence the block belongs to.
    pub stream: StreamId,
    /// Sequence of the block's first record; the stream's first is 1.
    pub first_sequence: u64,
    /// Sequence of the block's last record.
    pub last_sequence: u64,
    /// Which writer sealed it; a later writer of the stream has a higher one.
    pub epoch: u64,
    /// When it was sealed, milliseconds of UTC since 1970.
    pub time_ms: i64,
    /// SHA-256 of the header before; zero in the stream's first block.
    pub previous: Hash,
    /// Root of the RFC 6962 tree over the salted records.
    pub root: Hash,
    /// Length of the body in bytes.
    pub body_len: u32,
    /// Who sealed it; nobody signed the headers of earlier programs.
    pub seal: Option<Seal>,
}

/// The bytes of a header, believed by nobody yet, with their hash: readers compare it, link it and
/// look for it, and it is calculated once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderBytes {
    bytes: Vec<u8>,
    hash: Hash,
}

impl HeaderBytes {
    /// Their SHA-256: what the next header and a checkpoint name.
    pub fn hash(&self) -> Hash {
        self.hash
    }
}

impl std::ops::Deref for HeaderBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<Vec<u8>> for HeaderBytes {
    fn from(bytes: Vec<u8>) -> HeaderBytes {
        HeaderBytes {
            hash: Hash::of(&bytes),
            bytes,
        }
    }
}

impl Header {
    /// How many records the block holds.
    pub fn record_count(&self) -> u32 {
        // Checked when the header was made or read: 1 to MAX_RECORDS.
        (self.last_sequence - self.first_sequence + 1) as u32
    }

    /// The stored and hashed bytes.
    pub fn encode(&self) -> Vec<u8> {
        let name = self.stream.as_str().as_bytes();
        let mut out = Vec::with_capacity(FIXED_LEN + name.len() + SEAL_LEN);
        let format = match self.seal {
            Some(_) => BLOCK_FORMAT,
            None => UNSIGNED_FORMAT,
        };
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&format.to_be_bytes());
        out.push(name.len() as u8);
        out.extend_from_slice(name);
        out.extend_from_slice(&self.first_sequence.to_be_bytes());
        out.extend_from_slice(&self.last_sequence.to_be_bytes());
        out.extend_from_slice(&self.epoch.to_be_bytes());
        out.extend_from_slice(&self.time_ms.to_be_bytes());
        out.extend_from_slice(&self.previous.0);
        out.extend_from_slice(&self.root.0);
        out.extend_from_slice(&self.body_len.to_be_bytes());
        if let Some(seal) = &self.seal {
            let Certificate {
                house_key,
                writer,
                signature,
            } = &seal.certificate;
            out.extend_from_slice(&house_key.to_be_bytes());
            out.extend_from_slice(writer);
            out.extend_from_slice(signature);
            out.extend_from_slice(&seal.signature);
        }
        out
    }

    /// What the writer of a sealed header signs: everything but the signature.
    pub(crate) fn signed_bytes(&self) -> Vec<u8> {
        let mut bytes = self.encode();
        bytes.truncate(bytes.len() - 64);
        bytes
    }

    /// Reads stored bytes. Any byte string gives a header or an error.
    pub fn decode(bytes: &[u8]) -> Result<Header, HeaderError> {
        let mut cursor = Cursor::new(bytes);
        if cursor.array() != Some(MAGIC) {
            return Err(HeaderError::NotAHeader);
        }
        let sealed = match cursor.u16().ok_or(HeaderError::Length)? {
            UNSIGNED_FORMAT => false,
            BLOCK_FORMAT => true,
            found if found > BLOCK_FORMAT => return Err(HeaderError::NewerFormat { found }),
            found => return Err(HeaderError::UnknownFormat { found }),
        };
        let mut header = Self::decode_fields(&mut cursor).ok_or(HeaderError::Length)??;
        if sealed {
            header.seal = Some(decode_seal(&mut cursor).ok_or(HeaderError::Length)?);
        }
        if !cursor.is_empty() {
            return Err(HeaderError::Length);
        }
        header.check()?;
        Ok(header)
    }

    /// Last sequence, epoch and time of bytes that are a header by their look,
    /// where they stand in one; whether they are one, [`Header::decode`] says.
    #[cfg(feature = "files")]
    pub(crate) fn peek(bytes: &[u8]) -> Option<(u64, u64, i64)> {
        let mut cursor = Cursor::new(bytes);
        if cursor.array() != Some(MAGIC) {
            return None;
        }
        cursor.u16()?;
        let [name_len] = cursor.array()?;
        cursor.take(usize::from(name_len))?;
        cursor.u64()?;
        let (last, epoch) = (cursor.u64()?, cursor.u64()?);
        Some((last, epoch, i64::from_be_bytes(cursor.array()?)))
    }

    fn decode_fields(cursor: &mut Cursor<'_>) -> Option<Result<Header, HeaderError>> {
        let [name_len] = cursor.array()?;
        let name = cursor.take(usize::from(name_len))?;
        let stream = std::str::from_utf8(name)
            .ok()
            .and_then(|n| StreamId::new(n).ok());
        let Some(stream) = stream else {
            return Some(Err(HeaderError::Stream));
        };
        Some(Ok(Header {
            stream,
            first_sequence: cursor.u64()?,
            last_sequence: cursor.u64()?,
            epoch: cursor.u64()?,
            time_ms: i64::from_be_bytes(cursor.array()?),
            previous: Hash(cursor.array()?),
            root: Hash(cursor.array()?),
            body_len: cursor.u32()?,
            seal: None,
        }))
    }

    fn check(&self) -> Result<(), HeaderError> {
        // SQL and many other tools know signed 64-bit numbers only.
        let last_allowed = i64::MAX as u64;
        let count = self.last_sequence.checked_sub(self.first_sequence);
        let count_fits = count.is_some_and(|c| c < u64::from(MAX_RECORDS));
        if self.first_sequence == 0 || self.last_sequence > last_allowed || !count_fits {
            return Err(HeaderError::Sequences);
        }
        if self.epoch == 0 || self.epoch > last_allowed {
            return Err(HeaderError::Epoch);
        }
        if (self.previous == Hash::ZERO) != (self.first_sequence == 1) {
            return Err(HeaderError::Previous);
        }
        if self.body_len as usize > MAX_BODY {
            return Err(HeaderError::BodyLength);
        }
        Ok(())
    }
}

fn decode_seal(cursor: &mut Cursor<'_>) -> Option<Seal> {
    Some(Seal {
        certificate: Certificate {
            house_key: cursor.u32()?,
            writer: cursor.array()?,
            signature: cursor.array()?,
        },
        signature: cursor.array()?,
    })
}

/// Why bytes are not a block header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// The first bytes are not those of a header.
    #[error("the header does not begin with the mark of a journal block")]
    NotAHeader,
    /// Written by a later release.
    #[error(
        "the block has format {found}, this program knows up to {BLOCK_FORMAT}: use a newer program"
    )]
    NewerFormat {
        /// The format number found.
        found: u16,
    },
    /// A format number that was never used.
    #[error("the block has format {found}, which was never used")]
    UnknownFormat {
        /// The format number found.
        found: u16,
    },
    /// Too short or too long.
    #[error("the header is too short or too long")]
    Length,
    /// The stream name is not allowed.
    #[error("the header's stream name is not allowed")]
    Stream,
    /// First and last sequence are out of order, zero, or too far apart.
    #[error("the header's first and last sequence are impossible")]
    Sequences,
    /// The epoch is zero or out of range.
    #[error("the header's epoch is impossible")]
    Epoch,
    /// Only the first block of a stream has no header before it.
    #[error("the header's previous hash is zero or not, against its sequence")]
    Previous,
    /// The stated body length is above the bound.
    #[error("the header states a body longer than {MAX_BODY} bytes")]
    BodyLength,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Header {
        Header {
            stream: StreamId::new("table-1").unwrap(),
            first_sequence: 7,
            last_sequence: 9,
            epoch: 2,
            time_ms: 1_794_772_800_123,
            previous: Hash([0x11; 32]),
            root: Hash([0x22; 32]),
            body_len: 120,
            seal: None,
        }
    }

    fn sealed() -> Header {
        let seal = Seal {
            certificate: Certificate {
                house_key: 3,
                writer: [0x33; 32],
                signature: [0x44; 64],
            },
            signature: [0x55; 64],
        };
        Header {
            seal: Some(seal),
            ..sample()
        }
    }

    #[test]
    fn a_header_reads_back_and_has_its_documented_length() {
        let bytes = sample().encode();
        assert_eq!(bytes.len(), 107 + "table-1".len());
        assert_eq!(Header::decode(&bytes), Ok(sample()));
        let bytes = sealed().encode();
        assert_eq!(bytes.len(), 107 + "table-1".len() + 164);
        assert_eq!(Header::decode(&bytes), Ok(sealed()));
        assert_eq!(sealed().signed_bytes(), bytes[..bytes.len() - 64]);
    }

    #[test]
    fn a_newer_format_is_named_not_misread() {
        let mut bytes = sample().encode();
        bytes[5] = 3;
        assert_eq!(
            Header::decode(&bytes),
            Err(HeaderError::NewerFormat { found: 3 })
        );
    }

    #[test]
    fn impossible_headers_are_refused() {
        let check = |change: &dyn Fn(&mut Header), expected| {
            let mut header = sample();
            change(&mut header);
            assert_eq!(Header::decode(&header.encode()), Err(expected));
        };
        check(&|h| h.first_sequence = 0, HeaderError::Sequences);
        check(&|h| h.last_sequence = 6, HeaderError::Sequences);
        check(
            &|h| h.last_sequence = 7 + u64::from(MAX_RECORDS),
            HeaderError::Sequences,
        );
        check(
            &|h| (h.first_sequence, h.last_sequence) = (1 << 63, 1 << 63),
            HeaderError::Sequences,
        );
        check(&|h| h.epoch = 0, HeaderError::Epoch);
        check(&|h| h.previous = Hash::ZERO, HeaderError::Previous);
        check(&|h| h.first_sequence = 1, HeaderError::Previous);
        check(
            &|h| h.body_len = MAX_BODY as u32 + 1,
            HeaderError::BodyLength,
        );
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_header_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Header::decode(&bytes);
        }

        #[test]
        fn damaged_headers_give_an_error_or_another_header(
            at in 0usize..278, xor in 1u8..=255, cut in 0usize..=278,
        ) {
            let mut bytes = sealed().encode();
            bytes[at] ^= xor;
            if let Ok(header) = Header::decode(&bytes) {
                prop_assert_ne!(&header, &sealed());
                prop_assert_eq!(header.encode(), bytes.clone());
            }
            bytes.truncate(cut);
            prop_assert!(cut == 278 || Header::decode(&bytes).is_err());
        }
    }
}
