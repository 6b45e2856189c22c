//! Who sealed a block. Each writer of a stream has a key of its own, made when
//! it begins and gone when it ends; the house's key certifies it, and it signs
//! every header. Owns the bytes of the seal and the checking of seals along a
//! stream; what a header says besides is not its business.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

use crate::block::SealedBlock;
use crate::checkpoint::{CheckpointReason, SignedCheckpoint};
use crate::hash::Hash;
use crate::header::Header;
use crate::key::{HouseKey, KeyId, PublicKey, SignError, SignatureBytes};
use crate::key_ring::KeyRing;
use crate::store::Snapshot;
use crate::stream::StreamId;
use crate::verify::{Fault, FaultKind};
use crate::writer::WriterSecret;

const PURPOSE: &str = "sicbo writer 1";

/// Bytes of a seal at the end of a header: number of the house's key, the
/// writer's public key, its certificate, the signature.
pub(crate) const SEAL_LEN: usize = 4 + 32 + 64 + 64;

/// What stands at the end of a signed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// Whose key the writer signs with.
    pub certificate: Certificate,
    /// The writer's signature over all bytes of the header before it.
    pub signature: SignatureBytes,
}

/// The house's word that a key is that of one writer: of one stream, under
/// one epoch. The words that are signed are those of [`Certificate::text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Which of the house's keys certified it, counted from 1.
    pub house_key: u32,
    /// The writer's public key, the plain 32 bytes of RFC 8032.
    pub writer: [u8; 32],
    /// The house's signature over the text.
    pub signature: SignatureBytes,
}

impl Certificate {
    /// The words the house signs. They are not stored: the header has all that
    /// is in them, and the key ring the ids.
    pub fn text(
        house: KeyId,
        key: KeyId,
        stream: &StreamId,
        epoch: u64,
        writer: &[u8; 32],
    ) -> String {
        let writer = hex::encode(writer);
        format!(
            "{PURPOSE}\nhouse: {house}\nstream: {stream}\nepoch: {epoch}\nwriter-key: {writer}\n\
             key: {key}\n"
        )
    }
}

/// Whoever continues the streams of a house: its current key, all its public
/// ones, and a secret that only this process knows.
#[derive(Clone, Debug)]
pub struct Signatory {
    key: HouseKey,
    ring: KeyRing,
    secret: WriterSecret,
}

impl Signatory {
    /// The key must be the ring's current one: nobody believes another.
    pub fn new(key: HouseKey, ring: KeyRing, secret: WriterSecret) -> Signatory {
        Signatory { key, ring, secret }
    }

    /// For a house that still has its first key.
    pub fn of_first_key(key: HouseKey, secret: WriterSecret) -> Signatory {
        let ring = KeyRing::new(key.public());
        Signatory { key, ring, secret }
    }

    /// The keys that are believed.
    pub fn ring(&self) -> &KeyRing {
        &self.ring
    }

    /// The secret of this process.
    pub(crate) fn secret(&self) -> &WriterSecret {
        &self.secret
    }

    /// A key for one writer, certified.
    pub(crate) fn writer_key(&self, stream: &StreamId, epoch: u64) -> Result<WriterKey, SignError> {
        let secret = SigningKey::from_bytes(&self.secret.signing_key(stream, epoch));
        let writer = secret.verifying_key().to_bytes();
        let (house, key) = (self.ring.house(), self.key.id());
        let text = Certificate::text(house, key, stream, epoch, &writer);
        let certificate = Certificate {
            house_key: self.ring.keys().count() as u32,
            writer,
            signature: self.key.sign(text.as_bytes())?,
        };
        Ok(WriterKey {
            secret,
            certificate,
        })
    }
}

/// The secret key of one writer, with its certificate.
#[derive(Clone, derive_more::Debug)]
#[debug("WriterKey(secret)")]
pub(crate) struct WriterKey {
    secret: SigningKey,
    certificate: Certificate,
}

impl WriterKey {
    /// Signs a header that has no seal yet.
    pub(crate) fn seal(&self, header: &mut Header) {
        header.seal = Some(Seal {
            certificate: self.certificate,
            signature: [0; 64],
        });
        let signature = self.secret.sign(&header.signed_bytes()).to_bytes();
        if let Some(seal) = &mut header.seal {
            seal.signature = signature;
        }
    }

    /// Signs the state after a block.
    pub(crate) fn sign_state(&self, block: Hash, state: &[u8]) -> SignatureBytes {
        self.secret.sign(&state_text(block, state)).to_bytes()
    }
}

/// What is signed of a state: `"sicbo state 2\0" ‖ header hash ‖ SHA-256(state)`.
/// The header names stream and sequence.
fn state_text(block: Hash, state: &[u8]) -> Vec<u8> {
    let digest: [u8; 32] = Sha256::digest(state).into();
    [&b"sicbo state 2\0"[..], &block.0, &digest].concat()
}

/// First bytes of a signed state.
const STATE_MARK: [u8; 4] = *b"SBS2";

/// The bytes of a snapshot: mark, the writer's signature, the state.
pub(crate) fn signed_state(key: &WriterKey, block: Hash, state: &[u8]) -> Vec<u8> {
    let signature = key.sign_state(block, state);
    [&STATE_MARK[..], &signature, state].concat()
}

/// The state in the bytes of a snapshot, with the signature; `None` for a
/// snapshot of an earlier program, which nobody signed.
fn read_signed_state(bytes: &[u8]) -> Option<(&SignatureBytes, &[u8])> {
    let rest = bytes.strip_prefix(&STATE_MARK)?;
    rest.split_first_chunk()
}

impl Snapshot {
    /// The state in it, whether anybody signed it or not.
    pub fn state(&self) -> &[u8] {
        read_signed_state(&self.bytes).map_or(&self.bytes, |(_, state)| state)
    }
}

/// A writer's key that was found to be certified.
#[derive(Clone, Debug)]
struct Writer {
    epoch: u64,
    certificate: Certificate,
    key: VerifyingKey,
}

impl Writer {
    fn signed(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        let signature = Signature::from_bytes(signature);
        self.key.verify_strict(message, &signature).is_ok()
    }
}

/// Where a key of the house took a stream over: its checkpoint `rotated`. No key
/// before it certifies a writer of what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenOver {
    /// The last record that was there.
    pub sequence: u64,
    /// The header of the block that ends with it.
    pub header_hash: Hash,
    /// The key's place in the ring.
    place: usize,
}

impl TakenOver {
    /// Of each key after the first, where it took over, if that verifies.
    pub fn find(ring: &KeyRing, checkpoints: &[SignedCheckpoint]) -> Vec<TakenOver> {
        let keys = ring.keys().enumerate().skip(1);
        let first = keys.filter_map(|(place, key)| {
            // Earlier programs let a key's writers go on after the next key had signed.
            let mut by_key = checkpoints.iter().filter(|signed| {
                let reason = signed.checkpoint().reason;
                reason == CheckpointReason::Rotated && signed.key_id() == key.id()
            });
            let signed = by_key.find(|signed| signed.verify(ring).is_ok())?;
            let checkpoint = signed.checkpoint();
            Some(TakenOver {
                sequence: checkpoint.sequence,
                header_hash: checkpoint.header_hash,
                place,
            })
        });
        first.collect()
    }

    /// Holds a header of the stream to it: the block that was there must still be.
    ///
    /// # Errors
    /// When another block is in its place.
    pub fn check(&self, header: &Header, hash: impl FnOnce() -> Hash) -> Result<(), Fault> {
        let here = header.first_sequence..=header.last_sequence;
        if !here.contains(&self.sequence)
            || (header.last_sequence == self.sequence && hash() == self.header_hash)
        {
            return Ok(());
        }
        Err(Fault {
            sequence: self.sequence,
            what: FaultKind::CheckpointDisagrees,
        })
    }
}

/// Follows the seals of one stream along its chain of blocks.
///
/// Each header names the one before, so a writer's last signature speaks for
/// all its blocks: only that one is checked, unless every one is asked for, to
/// say which of them is the first that is wrong.
#[derive(Clone, Debug)]
pub struct Seals<'k> {
    ring: &'k KeyRing,
    writer: Option<Writer>,
    /// The newest block whose signature is not checked yet.
    unchecked: Option<(u64, Vec<u8>)>,
    every_one: bool,
    /// Place in the ring of the key that certified last: never goes down.
    key_place: usize,
    /// From where on which key certifies, as far as checkpoints say so.
    taken_over: Vec<TakenOver>,
    /// The last record that is known to be signed.
    signed_to: u64,
    /// The newest record with a seal.
    sealed_to: u64,
}

impl<'k> Seals<'k> {
    /// Begins at the stream's first block, or after any other.
    pub fn new(ring: &'k KeyRing) -> Seals<'k> {
        Seals {
            ring,
            writer: None,
            unchecked: None,
            every_one: false,
            key_place: 0,
            taken_over: Vec::new(),
            signed_to: 0,
            sealed_to: 0,
        }
    }

    /// Checks every signature: slower by far, and names the first that is wrong.
    #[must_use]
    pub fn every_one(mut self) -> Seals<'k> {
        self.every_one = true;
        self
    }

    /// Believes no key any more after a later one has taken over.
    #[must_use]
    pub fn held_to(mut self, taken_over: Vec<TakenOver>) -> Seals<'k> {
        self.taken_over = taken_over;
        self
    }

    /// The keys that are believed.
    pub fn ring(&self) -> &'k KeyRing {
        self.ring
    }

    /// The last record known to be signed.
    pub fn signed_to(&self) -> u64 {
        self.signed_to
    }

    /// Takes the next block, whose place in the chain was checked.
    pub fn accept(&mut self, block: &SealedBlock) -> Result<(), Fault> {
        self.accept_header(block.header(), block.header_bytes())
    }

    /// As [`Seals::accept`], for a header without its body.
    pub fn accept_header(&mut self, header: &Header, bytes: &[u8]) -> Result<(), Fault> {
        let first = header.first_sequence;
        let fault = |what| Fault {
            sequence: first,
            what: FaultKind::Seal(what),
        };
        let Some(seal) = &header.seal else {
            return match self.writer {
                // Written before headers were signed.
                None => Ok(()),
                Some(_) => Err(fault(SealError::Missing)),
            };
        };
        let over = self.taken_over.iter().filter(|over| over.sequence < first);
        let newest = over.map(|over| over.place).max();
        self.key_place = self.key_place.max(newest.unwrap_or(0));
        match &self.writer {
            Some(writer) if writer.epoch == header.epoch => {
                let number = writer.certificate.house_key;
                if (number as usize) <= self.key_place {
                    return Err(fault(SealError::RetiredKey { number }));
                }
                if writer.certificate != seal.certificate {
                    return Err(fault(SealError::AnotherWriter));
                }
            }
            _ => {
                self.check_last()?;
                let (place, writer) = self.certified(header, &seal.certificate).map_err(fault)?;
                self.key_place = place;
                self.writer = Some(writer);
            }
        }
        let (sequence, unchecked) = self.unchecked.get_or_insert_default();
        *sequence = first;
        unchecked.clear();
        unchecked.extend_from_slice(bytes);
        self.sealed_to = header.last_sequence;
        if self.every_one {
            self.check_last()?;
        }
        Ok(())
    }

    /// Checks the newest signature, and with it all before it.
    pub fn check_last(&mut self) -> Result<(), Fault> {
        let (Some(writer), Some((first, bytes))) = (&self.writer, self.unchecked.take()) else {
            return Ok(());
        };
        let good = bytes
            .split_last_chunk::<64>()
            .is_some_and(|(message, signature)| writer.signed(message, signature));
        if !good {
            return Err(Fault {
                sequence: first,
                what: FaultKind::Seal(SealError::Signature),
            });
        }
        self.signed_to = self.sealed_to;
        Ok(())
    }

    /// The number of the house's newest key, where nothing at the end of the
    /// stream is its word: neither the last block's writer is certified with it,
    /// nor has it signed where the key before it ended.
    pub fn lacks_newest_key(&self) -> Option<u32> {
        let newest = self.ring.keys().count() - 1;
        let took_over = self.taken_over.iter().any(|over| over.place == newest);
        let lacks = self.writer.is_some() && self.key_place < newest && !took_over;
        lacks.then_some(newest as u32 + 1)
    }

    /// The stream must end in the word of the house's newest key: a key that was
    /// handed over from signs nothing more, also where the row that says so was
    /// deleted.
    pub fn check_end(&self) -> Result<(), Fault> {
        match self.lacks_newest_key() {
            None => Ok(()),
            Some(number) => Err(Fault {
                sequence: self.sealed_to,
                what: FaultKind::NotTakenOver { number },
            }),
        }
    }

    /// The state in a snapshot, if the writer of its block signed it; with the
    /// seals as they go on after that block, whose header is given.
    pub fn after_snapshot<'s>(
        &self,
        stream: &StreamId,
        snapshot: &'s Snapshot,
        header: &[u8],
    ) -> Option<(Seals<'k>, &'s [u8])> {
        let (signature, state) = read_signed_state(&snapshot.bytes)?;
        let block = Hash::of(header);
        let said = Header::decode(header).ok()?;
        let is_its_block = said.stream == *stream
            && said.last_sequence == snapshot.sequence
            && block == snapshot.header_hash;
        if !is_its_block {
            return None;
        }
        let mut after = self.clone();
        after.accept_header(&said, header).ok()?;
        after.check_last().ok()?;
        let writer = after.writer.as_ref()?;
        writer
            .signed(&state_text(block, state), signature)
            .then_some((after, state))
    }

    fn certified(
        &self,
        header: &Header,
        certificate: &Certificate,
    ) -> Result<(usize, Writer), SealError> {
        let number = certificate.house_key;
        let place = (number as usize).wrapping_sub(1);
        let house_key = self.ring.keys().nth(place);
        let house_key: &PublicKey = house_key.ok_or(SealError::UnknownKey { number })?;
        if place < self.key_place {
            return Err(SealError::RetiredKey { number });
        }
        let text = Certificate::text(
            self.ring.house(),
            house_key.id(),
            &header.stream,
            header.epoch,
            &certificate.writer,
        );
        if !house_key.verifies(text.as_bytes(), &certificate.signature) {
            return Err(SealError::Certificate);
        }
        let key =
            VerifyingKey::from_bytes(&certificate.writer).map_err(|_| SealError::Certificate)?;
        Ok((
            place,
            Writer {
                epoch: header.epoch,
                certificate: *certificate,
                key,
            },
        ))
    }
}

/// Why a block is not believed to be the house's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// No seal after blocks that have one.
    #[error("its block is not signed, and blocks before it are")]
    Missing,
    /// The certificate names a key the house does not have.
    #[error("its writer is certified with key {number}, which this house does not have")]
    UnknownKey {
        /// The number named.
        number: u32,
    },
    /// The certificate is of a key that had been handed over.
    #[error("its writer is certified with key {number}, which was retired by then")]
    RetiredKey {
        /// The number named.
        number: u32,
    },
    /// The house did not certify the writer for this stream and epoch.
    #[error("its writer is not certified by the house for this stream and epoch")]
    Certificate,
    /// Two writers under one epoch.
    #[error("its block is of another writer than the block before it, under the same epoch")]
    AnotherWriter,
    /// The writer did not sign it.
    #[error("its block is not signed by its writer")]
    Signature,
}
