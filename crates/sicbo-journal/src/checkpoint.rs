//! The checkpoint: a small signed text that says which header a stream had at
//! which sequence. Owns its text and signature; whether the stream agrees is
//! for `verify`.

use crate::hash::Hash;
use crate::key::{HouseKey, KeyId, SignError, SignatureBytes};
use crate::key_ring::{KeyRing, NoSigner};
use crate::statement::{Lines, TimeOutOfRange, read_time, time_text};
use crate::stream::StreamId;

const PURPOSE: &str = "sicbo checkpoint 1";

/// Longest text of a checkpoint; anything longer is not read at all.
const MAX_MESSAGE: usize = 1024;

/// Why a checkpoint was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum CheckpointReason {
    /// A round has ended: `round-end`.
    RoundEnd,
    /// A shift has ended: `shift-end`.
    ShiftEnd,
    /// A minute has passed since something was written: `minute`.
    Minute,
    /// The house was stopped in good order: `stop`.
    Stop,
    /// Somebody with the house's key looked at records that nobody had signed: `adopted`.
    Adopted,
    /// The house's key was rotated: the new one signs where the old one ended: `rotated`.
    Rotated,
}

impl CheckpointReason {
    /// The word in the message.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What a checkpoint says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The house: the id of its first key.
    pub house: KeyId,
    /// The stream.
    pub stream: StreamId,
    /// Last sequence of the block whose header is signed.
    pub sequence: u64,
    /// SHA-256 of that header.
    pub header_hash: Hash,
    /// When it was signed, milliseconds of UTC.
    pub time_ms: i64,
    /// Why.
    pub reason: CheckpointReason,
}

impl Checkpoint {
    /// Signs the checkpoint.
    pub fn sign(self, key: &HouseKey) -> Result<SignedCheckpoint, NotSigned> {
        let key_id = key.id();
        let message = self.render(key_id)?;
        let signature = key.sign(message.as_bytes())?;
        Ok(SignedCheckpoint {
            checkpoint: self,
            key_id,
            message,
            signature,
        })
    }

    fn render(&self, key_id: KeyId) -> Result<String, TimeOutOfRange> {
        let Checkpoint {
            house,
            stream,
            sequence,
            header_hash,
            time_ms,
            reason,
        } = self;
        let (time, reason) = (time_text(*time_ms)?, reason.as_str());
        Ok(format!(
            "{PURPOSE}\nhouse: {house}\nstream: {stream}\nsequence: {sequence}\n\
             header-sha256: {header_hash}\ntime: {time}\nkey: {key_id}\nreason: {reason}\n"
        ))
    }
}

/// Why a checkpoint was not signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSigned {
    /// Its time has no text.
    #[error(transparent)]
    Time(#[from] TimeOutOfRange),
    /// The key is in a device that did not sign.
    #[error(transparent)]
    Key(#[from] SignError),
}

/// A checkpoint with the text and signature that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint {
    checkpoint: Checkpoint,
    key_id: KeyId,
    message: String,
    signature: SignatureBytes,
}

impl SignedCheckpoint {
    /// Reads a stored checkpoint. The signature is checked by
    /// [`SignedCheckpoint::verify`].
    pub fn from_parts(message: &str, signature: &[u8]) -> Result<Self, CheckpointError> {
        let signature = signature
            .try_into()
            .map_err(|_| CheckpointError::Signature)?;
        let (checkpoint, key_id) = read(message).ok_or(CheckpointError::Malformed)?;
        Ok(SignedCheckpoint {
            checkpoint,
            key_id,
            message: message.to_owned(),
            signature,
        })
    }

    /// What it says.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The key that is said to have signed.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// The signed text, to be given to `openssl` as it is.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The raw signature, to be given to `openssl` as it is.
    pub fn signature(&self) -> &SignatureBytes {
        &self.signature
    }

    /// Checks house, key, time and signature; gives the key's place in the
    /// ring, which along a stream must never go down.
    pub fn verify(&self, ring: &KeyRing) -> Result<usize, CheckpointError> {
        if self.checkpoint.house != ring.house() {
            return Err(CheckpointError::AnotherHouse);
        }
        let (place, key) = ring
            .signer(self.key_id, self.checkpoint.time_ms)
            .map_err(|why| match why {
                NoSigner::UnknownKey => CheckpointError::UnknownKey { key: self.key_id },
                NoSigner::OutOfTime => CheckpointError::KeyOutOfTime { key: self.key_id },
            })?;
        let good = key.verifies(self.message.as_bytes(), &self.signature);
        if good {
            Ok(place)
        } else {
            Err(CheckpointError::Signature)
        }
    }
}

fn read(message: &str) -> Option<(Checkpoint, KeyId)> {
    if message.len() > MAX_MESSAGE {
        return None;
    }
    let mut lines = Lines::after_purpose(message, PURPOSE)?;
    let house = KeyId(Hash::from_hex(lines.value("house")?)?);
    let stream = StreamId::new(lines.value("stream")?).ok()?;
    let sequence = lines.value("sequence")?.parse().ok()?;
    let header_hash = Hash::from_hex(lines.value("header-sha256")?)?;
    let time_ms = read_time(lines.value("time")?)?;
    let key_id = KeyId(Hash::from_hex(lines.value("key")?)?);
    let reason = lines.value("reason")?.parse().ok()?;
    let checkpoint = Checkpoint {
        house,
        stream,
        sequence,
        header_hash,
        time_ms,
        reason,
    };
    // Rendering it again must give the same bytes: one meaning, one text.
    let same = checkpoint.render(key_id).ok()? == message;
    (same && sequence <= i64::MAX as u64).then_some((checkpoint, key_id))
}

/// Why a checkpoint is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The text is not a checkpoint.
    #[error("the text is not a checkpoint")]
    Malformed,
    /// It speaks of another house.
    #[error("the checkpoint is of another house")]
    AnotherHouse,
    /// The key is not one of the house's.
    #[error("the checkpoint is signed with key {key}, which is not one of this house's")]
    UnknownKey {
        /// The key named.
        key: KeyId,
    },
    /// The key did not sign at that time: before or after its hand-overs.
    #[error("the checkpoint is signed with key {key} at a time when it was not in use")]
    KeyOutOfTime {
        /// The key named.
        key: KeyId,
    },
    /// The signature does not fit the text.
    #[error("the checkpoint's signature is wrong")]
    Signature,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn signed(key: &HouseKey) -> SignedCheckpoint {
        let checkpoint = Checkpoint {
            house: key.id(),
            stream: StreamId::new("table-1").unwrap(),
            sequence: 42,
            header_hash: Hash::of(b"header"),
            time_ms: 1_794_772_800_123,
            reason: CheckpointReason::RoundEnd,
        };
        checkpoint.sign(key).unwrap()
    }

    #[test]
    fn a_checkpoint_reads_back_and_verifies() {
        let key = HouseKey::from_entropy(&[7; 32]);
        let ring = KeyRing::new(key.public());
        let good = signed(&key);
        let again = SignedCheckpoint::from_parts(good.message(), good.signature());
        assert_eq!(again.as_ref(), Ok(&good));
        assert_eq!(again.unwrap().verify(&ring), Ok(0));
    }

    #[test]
    fn every_changed_bit_of_message_or_signature_is_refused() {
        let key = HouseKey::from_entropy(&[7; 32]);
        let ring = KeyRing::new(key.public());
        let good = signed(&key);
        let verify = |message: &[u8], signature: &[u8]| {
            let text = std::str::from_utf8(message).map_err(|_| CheckpointError::Malformed)?;
            SignedCheckpoint::from_parts(text, signature)?.verify(&ring)
        };
        let (message, signature) = (good.message().as_bytes(), good.signature());
        for at in 0..message.len() * 8 {
            let mut bad = message.to_vec();
            bad[at / 8] ^= 1 << (at % 8);
            assert!(verify(&bad, signature).is_err(), "bit {at} of the message");
        }
        for at in 0..512 {
            let mut bad = *signature;
            bad[at / 8] ^= 1 << (at % 8);
            assert!(verify(message, &bad).is_err(), "bit {at} of the signature");
        }
        assert!(verify(&[message, b"\n"].concat(), signature).is_err());
    }

    #[test]
    fn another_houses_key_is_refused_and_named_as_such() {
        let (ours, theirs) = (
            HouseKey::from_entropy(&[7; 32]),
            HouseKey::from_entropy(&[8; 32]),
        );
        let ring = KeyRing::new(ours.public());
        assert_eq!(
            signed(&theirs).verify(&ring),
            Err(CheckpointError::AnotherHouse)
        );
        let mut posing = signed(&theirs).checkpoint().clone();
        posing.house = ours.id();
        let posing = posing.sign(&theirs).unwrap();
        assert_eq!(
            posing.verify(&ring),
            Err(CheckpointError::UnknownKey { key: theirs.id() })
        );
    }

    proptest! {
        #[test]
        fn any_text_gives_a_checkpoint_or_an_error(text: String, signature: Vec<u8>) {
            let _ = SignedCheckpoint::from_parts(&text, &signature);
            let _ = SignedCheckpoint::from_parts(&format!("{PURPOSE}\n{text}"), &signature);
        }
    }
}
