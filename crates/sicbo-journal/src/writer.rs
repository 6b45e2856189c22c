//! The writer of one stream: turns records into sealed blocks and keeps the
//! chain (next sequence, previous hash, epoch). Does no I/O and knows no
//! clock; a sealed block goes to a [`Store`](crate::Store) by other hands.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::block::SealedBlock;
use crate::hash::Hash;
use crate::header::{Header, MAX_BODY, MAX_RECORDS};
use crate::key::SignError;
use crate::merkle::{TreeBuilder, compress};
use crate::record::{MAX_PAYLOAD, Record, SALT_LEN, Salt, put_entry};
use crate::seal::{Signatory, WriterKey, signed_state};
use crate::store::Tail;
use crate::stream::StreamId;

/// The longest an entry can be beyond its payload.
const MAX_ENTRY_FRAME: usize = 64;

/// Secret from which a writer's key and every record's salt are derived.
///
/// Salts are stored beside their records and a writer's key dies with it, so
/// the secret is never needed again: a process draws a new one from the
/// operating system at each start and keeps it nowhere. Under simulation it
/// comes from the seed, and so do salts and signatures.
#[derive(Clone, derive_more::Debug)]
#[debug("WriterSecret")]
pub struct WriterSecret(Zeroizing<[u8; 32]>);

impl WriterSecret {
    /// Wraps 32 secret bytes.
    pub fn new(secret: [u8; 32]) -> WriterSecret {
        WriterSecret(Zeroizing::new(secret))
    }

    /// The key of one stream and one writer. The epoch is part of it because
    /// after a crash the same sequence may be written with other contents; a
    /// salt shown for the one must not help to guess the other.
    fn salt_key(&self, stream: &StreamId, epoch: u64) -> Zeroizing<[u8; 32]> {
        self.for_writer(b"sicbo journal salt 1\0", stream, epoch)
    }

    /// The secret half of the key of one stream and one writer.
    pub(crate) fn signing_key(&self, stream: &StreamId, epoch: u64) -> Zeroizing<[u8; 32]> {
        self.for_writer(b"sicbo writer key 1\0", stream, epoch)
    }

    fn for_writer(&self, purpose: &[u8], stream: &StreamId, epoch: u64) -> Zeroizing<[u8; 32]> {
        let mut key = Zeroizing::new([0; 32]);
        let digest = Sha256::new()
            .chain_update(purpose)
            .chain_update(*self.0)
            .chain_update(epoch.to_be_bytes())
            .chain_update(stream.as_str());
        digest.finalize_into((&mut *key).into());
        key
    }
}

/// First 16 bytes of `SHA-256(writer key ‖ sequence)`. Input length is fixed
/// and half the output is kept, so one salt tells nothing of another.
fn salt(writer_key: &[u8; 32], sequence: u64) -> Salt {
    let mut padded = [0u8; 64];
    padded[..32].copy_from_slice(writer_key);
    padded[32..40].copy_from_slice(&sequence.to_be_bytes());
    padded[40] = 0x80;
    padded[56..].copy_from_slice(&(40u64 * 8).to_be_bytes());
    let mut salt = [0; SALT_LEN];
    salt.copy_from_slice(&compress(&padded).0[..SALT_LEN]);
    salt
}

/// Collects records and seals them into blocks, one after the other.
#[derive(derive_more::Debug)]
pub struct Writer {
    stream: StreamId,
    epoch: u64,
    #[debug(skip)]
    salt_key: Zeroizing<[u8; 32]>,
    /// Signs every block; a writer of unsigned blocks has none.
    key: Option<WriterKey>,
    /// Sequence the next pushed record gets.
    next_sequence: u64,
    /// Header hash of the last sealed block.
    previous: Hash,
    body: Vec<u8>,
    tree: TreeBuilder,
    pending: u32,
}

impl Writer {
    /// Continues a stream after its tail, with signed blocks. `epoch` must be
    /// above every epoch that wrote before: with one process to a data folder,
    /// `tail.epoch + 1`; with leases, the lease's fencing number.
    pub fn resume(
        stream: StreamId,
        tail: &Tail,
        epoch: u64,
        signatory: &Signatory,
    ) -> Result<Writer, ResumeError> {
        let mut writer = Writer::unsigned(stream, tail, epoch, signatory.secret())?;
        writer.key = Some(signatory.writer_key(&writer.stream, epoch)?);
        Ok(writer)
    }

    /// Continues a stream as programs did that signed no blocks: to make such
    /// journals for tests, and to measure what signing costs.
    pub fn unsigned(
        stream: StreamId,
        tail: &Tail,
        epoch: u64,
        secret: &WriterSecret,
    ) -> Result<Writer, EpochNotNewer> {
        if epoch <= tail.epoch || epoch > i64::MAX as u64 {
            return Err(EpochNotNewer {
                epoch,
                tail: tail.epoch,
            });
        }
        Ok(Writer {
            salt_key: secret.salt_key(&stream, epoch),
            stream,
            epoch,
            key: None,
            next_sequence: tail.sequence + 1,
            previous: tail.header_hash,
            body: Vec::new(),
            tree: TreeBuilder::default(),
            pending: 0,
        })
    }

    /// The stream written.
    pub fn stream(&self) -> &StreamId {
        &self.stream
    }

    /// The writer's epoch.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Sequence the next pushed record will get.
    pub fn next_sequence(&self) -> u64 {
        self.next_sequence
    }

    /// Records pushed since the last seal.
    pub fn pending(&self) -> u32 {
        self.pending
    }

    /// Whether so many records with so many bytes of payload in all fit into
    /// the open block.
    pub fn has_room(&self, records: usize, payload: usize) -> bool {
        let frames = records.saturating_mul(MAX_ENTRY_FRAME);
        let length = self
            .body
            .len()
            .saturating_add(payload)
            .saturating_add(frames);
        length <= MAX_BODY && records <= (MAX_RECORDS - self.pending) as usize
    }

    /// Takes one record into the open block and returns its sequence. Nothing
    /// is durable until the block is sealed and appended.
    pub fn push(
        &mut self,
        time_ms: i64,
        kind: u16,
        version: u16,
        payload: &[u8],
    ) -> Result<u64, PushError> {
        if payload.len() > MAX_PAYLOAD {
            return Err(PushError::PayloadTooLong {
                length: payload.len(),
            });
        }
        let length = self.body.len() + payload.len() + MAX_ENTRY_FRAME;
        if self.pending == MAX_RECORDS || length > MAX_BODY {
            return Err(PushError::BlockFull);
        }
        let sequence = self.next_sequence;
        if sequence > i64::MAX as u64 {
            return Err(PushError::StreamFull);
        }
        let record = Record {
            sequence,
            time_ms,
            kind,
            version,
            payload,
        };
        let salt = salt(&self.salt_key, sequence);
        let leaf = put_entry(&mut self.body, self.pending, &salt, &record);
        self.tree.push(leaf);
        self.pending += 1;
        self.next_sequence += 1;
        Ok(sequence)
    }

    /// Seals the pushed records into a block that follows the one sealed
    /// before; `None` when nothing is pending.
    pub fn seal(&mut self, time_ms: i64) -> Option<SealedBlock> {
        if self.pending == 0 {
            return None;
        }
        let capacity = self.body.len() + self.body.len() / 4;
        let body = std::mem::replace(&mut self.body, Vec::with_capacity(capacity));
        let mut header = Header {
            stream: self.stream.clone(),
            first_sequence: self.next_sequence - u64::from(self.pending),
            last_sequence: self.next_sequence - 1,
            epoch: self.epoch,
            time_ms,
            previous: self.previous,
            root: self.tree.take_root(),
            body_len: body.len() as u32,
            seal: None,
        };
        if let Some(key) = &self.key {
            key.seal(&mut header);
        }
        self.pending = 0;
        let block = SealedBlock::seal(header, body);
        self.previous = block.header_hash();
        Some(block)
    }

    /// The bytes of a snapshot of the state after a block of this writer,
    /// signed as the block is.
    pub fn snapshot(&self, block: &SealedBlock, state: Vec<u8>) -> Vec<u8> {
        match &self.key {
            Some(key) => signed_state(key, block.header_hash(), &state),
            None => state,
        }
    }
}

/// Why a writer cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// Another writer is ahead.
    #[error(transparent)]
    Epoch(#[from] EpochNotNewer),
    /// The house's key did not certify it.
    #[error(transparent)]
    NotCertified(#[from] SignError),
}

/// A writer may only begin with an epoch above all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("writer epoch {epoch} is not above {tail}, the epoch of the stream's last block")]
pub struct EpochNotNewer {
    /// The epoch asked for.
    pub epoch: u64,
    /// The epoch of the last block.
    pub tail: u64,
}

/// Why a record was not taken. The open block is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// The payload is above [`MAX_PAYLOAD`].
    #[error("a record's payload has {length} bytes, the most is {MAX_PAYLOAD}")]
    PayloadTooLong {
        /// Length of the payload.
        length: usize,
    },
    /// The open block is full: seal it, then push again.
    #[error("the open block is full; seal it first")]
    BlockFull,
    /// No sequence is left.
    #[error("the stream has no sequence left")]
    StreamFull,
}
