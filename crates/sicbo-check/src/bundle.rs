//! A bundle: one file that proves one round without the journal it came from.
//!
//! It holds the house's public keys with their hand-overs, signed checkpoints,
//! the headers that lead to them, and records with their places in the blocks.
//! Made for a regulator it holds every record of the round; made for one
//! station it holds what everyone could see and that station's own bets.
//!
//! The bytes: the line `sicbo bundle 1`, one CBOR array, and the SHA-256 of
//! all before it. The digest finds a file that was damaged; what proves the
//! round is the signature over the headers.

mod check;
pub mod scope;
pub mod wire;

use sicbo_journal::{HandOver, HeaderSegment, Proof, PublicKey, SignedCheckpoint};

pub use check::{BundleFault, ProvedRound, Records, Watch, fault, record_fault};

/// First bytes of every bundle, up to its format number.
const MARK: &[u8] = b"sicbo bundle ";

/// The format written, and the newest that is read.
pub const BUNDLE_FORMAT: u32 = 1;

/// How a round ended or was amended, where the record that says so is not shown.
///
/// That record carries the sums and a fingerprint of everyone's payments, from
/// which other players' bets could be worked out, so a station's bundle only
/// repeats what it says. A regulator's bundle proves it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The record that is not shown.
    pub sequence: u64,
    /// The dice it was settled by; nothing when it is void.
    pub dice: Option<[u8; 3]>,
}

/// Records of consecutive blocks, up to one that a checkpoint signs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What the house signed.
    pub checkpoint: SignedCheckpoint,
    /// The headers that lead there.
    pub headers: HeaderSegment,
    /// Sequence, which of the headers, and the record with its path.
    pub records: Vec<(u64, u32, Proof)>,
}

/// Records with what proves that the house signed them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedRecords {
    /// The house's first key.
    pub first_key: PublicKey,
    /// From each key to the next.
    pub hand_overs: Vec<HandOver>,
    /// In the order of their records.
    pub segments: Vec<Segment>,
}

/// A bundle as read or made; nothing in it is believed before [`Bundle::check`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The round it says it proves.
    pub round: u64,
    /// The station it says it was made for.
    pub station: Option<String>,
    /// How the round ended, where the record is not shown.
    pub told: Vec<Told>,
    /// The records.
    pub proof: SignedRecords,
}

impl BundleError {
    /// A file whose digest does not fit: the part that is not as it was
    /// signed, as its check found it.
    #[must_use]
    pub fn altered<T>(checked: Result<T, BundleFault>) -> BundleError {
        checked.map_or_else(BundleError::Altered, |_| BundleError::Digest)
    }
}

/// Why bytes are not a bundle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BundleError {
    /// Something else.
    #[error("this is not a bundle")]
    NotABundle,
    /// Made by a later release.
    #[error(
        "the bundle has format {found}, this program knows {BUNDLE_FORMAT}: use a newer program"
    )]
    NewerFormat {
        /// Its format.
        found: u32,
    },
    /// Cut off or changed so that it cannot be read.
    #[error("the bundle is cut off or damaged: {part} cannot be read")]
    Damaged {
        /// Which part.
        part: String,
    },
    /// Readable, but a part of it is not what the house signed (J-10).
    #[error("the bundle is damaged: {0}")]
    Altered(BundleFault),
    /// Every record is as it was signed; the digest, or how something is
    /// spelt, is not as it was written.
    #[error(
        "the bundle is damaged: its digest does not fit its bytes, though every record in it is \
         what the house signed"
    )]
    Digest,
}
