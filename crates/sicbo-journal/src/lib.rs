//! The journal: an append-only sequence of records per stream, written in
//! hash-chained, signed blocks, kept by a store.
//!
//! A store sees bytes and sequence numbers, never a bet: payloads are opaque
//! here, with a `kind` and a `version` for whoever decodes them. Nothing here
//! reads a clock or makes randomness; times and secrets come in.
//!
//! - [`Writer`] turns records into [`SealedBlock`]s and keeps the chain.
//! - [`Store`] keeps blocks: [`SqliteStore`] for a house, [`MemoryStore`] for tests.
//! - [`DataFolder`] and [`KeyFolder`] are a house's files; one process owns them.
//! - [`RawBlock::decode`] and [`Chain`] believe nothing that does not hash.
//! - A [`HouseKey`] certifies the key of each [`Writer`], which signs its blocks;
//!   [`Seals`] checks them against the [`KeyRing`]. [`Checkpoint`]s are the house's
//!   own word on where a stream ended. [`verify_chain`] checks a whole stream;
//!   [`Proof`] and [`HeaderSegment`] prove one record of it.
//!
//! The bytes are described in `docs/journal-format.md`.
//!
//! ```
//! use sicbo_journal::*;
//!
//! let stream = StreamId::new("table-1")?;
//! let mut store = MemoryStore::new(stream.clone());
//! // Both secrets come from the operating system, or from a simulation's seed.
//! let key = HouseKey::from_entropy(&[7; 32]);
//! let house = Signatory::of_first_key(key, WriterSecret::new([42; 32]));
//!
//! let tail = store.tail();
//! let mut writer = Writer::resume(stream.clone(), &tail, tail.epoch + 1, &house)?;
//! writer.push(1_794_772_800_000, 7, 1, b"a bet, encoded elsewhere")?;
//! writer.push(1_794_772_800_001, 7, 1, b"another")?;
//! if let Some(block) = writer.seal(1_794_772_800_002) {
//!     store.append(&block, Beside::default())?; // durable from here on
//! }
//!
//! let mut chain = Chain::after(stream, Tail::default());
//! let mut seals = Seals::new(house.ring());
//! for raw in store.read_from(1) {
//!     let block = chain.accept(raw?)?;
//!     seals.accept(&block)?;
//!     for record in block.records() {
//!         println!("{} {} {:?}", record.sequence, record.kind, record.payload);
//!     }
//! }
//! seals.check_last()?; // the house wrote every one of them
//! assert_eq!(chain.tail(), store.tail());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adopt;
mod again;
mod block;
mod checkpoint;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "files")]
mod folder;
mod hash;
mod header;
mod key;
#[cfg(feature = "files")]
mod key_folder;
mod key_ring;
mod memory;
mod merkle;
mod proof;
mod record;
#[cfg(feature = "files")]
pub mod rights;
mod seal;
#[cfg(feature = "files")]
mod sqlite;
mod statement;
mod store;
mod stream;
mod verify;
mod wire;
mod writer;

pub use adopt::{AdoptError, adopt, take_over, unsigned_end};
pub use again::{MAX_READINGS, read_again};
pub use block::{BlockBody, BlockError, RawBlock, RawHeader, Records, SealedBlock};
pub use checkpoint::{Checkpoint, CheckpointError, CheckpointReason, NotSigned, SignedCheckpoint};
#[cfg(feature = "files")]
pub use folder::{DataFolder, FOLDER_FORMAT, FolderError, Purpose};
pub use hash::Hash;
pub use header::{BLOCK_FORMAT, Header, HeaderBytes, HeaderError, MAX_BODY, MAX_RECORDS};
pub use key::{
    HouseKey, KeyError, KeyId, Passphrase, PublicKey, SignError, SignatureBytes, Signer,
};
#[cfg(feature = "files")]
pub use key_folder::{KeyFolder, KeyFolderError, KeyPlace, NoUnlock, Unlock};
pub use key_ring::{HandOver, HandOverError, KeyRing};
pub use memory::{Failure, MemoryDisk, MemoryStore};
pub use merkle::{leaf_hash, node_hash, root_from_path};
pub use proof::{HeaderSegment, Proof, ProofError, Prover};
pub use record::{MAX_PAYLOAD, Record};
pub use seal::{Certificate, Seal, SealError, Seals, Signatory, TakenOver};
#[cfg(feature = "files")]
pub use sqlite::{
    FILE_FORMAT, FileIdentity, Files, LogKeeper, LogLimits, OpenError, RawFile, SqliteOptions,
    SqliteStore, Vfs, WalUpkeep, foreign_schema, foreign_to_tables,
};
pub use statement::TimeOutOfRange;
pub use store::{
    AppendError, Beside, Blocks, Headers, ReadError, RoundRow, Snapshot, Store, Tail, check_append,
    check_checkpoint, check_snapshot,
};
pub use stream::{BadStreamId, StreamId};
pub use verify::{Chain, Fault, FaultKind, Report, Verifier, verify_chain};
pub use writer::{EpochNotNewer, PushError, ResumeError, Writer, WriterSecret};
