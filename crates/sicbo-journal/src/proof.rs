//! Proof that one record stands in the journal, without showing any other: an
//! audit path to its block's root, and the headers from that block to one the
//! house signed. Owns both and their bytes (CBOR); must not choose what to show.

use minicbor::{Decoder, Encoder};

use crate::block::SealedBlock;
use crate::checkpoint::{CheckpointError, SignedCheckpoint};
use crate::hash::Hash;
use crate::header::{Header, HeaderError};
use crate::key_ring::KeyRing;
use crate::merkle::{audit_path, leaf_hash, root_from_path};
use crate::record::{Record, read_salted};

const IN_MEMORY: &str = "writing to memory does not fail";

/// Makes proofs for the records of one block.
#[derive(Debug)]
pub struct Prover<'a> {
    block: &'a SealedBlock,
    leaves: Vec<Hash>,
}

impl<'a> Prover<'a> {
    /// Hashes the block's leaves once, for as many proofs as are wanted.
    pub fn new(block: &'a SealedBlock) -> Prover<'a> {
        let leaves = block
            .body()
            .entries()
            .map(|entry| leaf_hash(entry.salted))
            .collect();
        Prover { block, leaves }
    }

    /// The proof of one record; `None` if the block does not hold it.
    pub fn prove(&self, sequence: u64) -> Option<Proof> {
        let index = sequence.checked_sub(self.block.header().first_sequence)?;
        let index = usize::try_from(index).ok()?;
        let entry = self.block.body().entries().nth(index)?;
        let path = audit_path(&self.leaves, index);
        Some(Proof {
            index: index as u32,
            salted: entry.salted.to_vec(),
            path,
        })
    }
}

/// One record with its salt and the hashes that lead to its block's root.
/// The salt shown is this record's alone; the hashes show nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    index: u32,
    salted: Vec<u8>,
    path: Vec<Hash>,
}

impl Proof {
    /// The record, if it stands in the block with this header. The header
    /// itself must be proved by a [`HeaderSegment`].
    pub fn verify(&self, header: &Header) -> Result<Record<'_>, ProofError> {
        let (index, count) = (u64::from(self.index), u64::from(header.record_count()));
        let root = root_from_path(leaf_hash(&self.salted), index, count, &self.path);
        if root != Some(header.root) {
            return Err(ProofError::NotInBlock);
        }
        read_salted(&self.salted, header.first_sequence + index).ok_or(ProofError::Malformed)
    }

    /// CBOR: `[index, salt and record, path]`, the path as one byte string.
    pub fn to_bytes(&self) -> Vec<u8> {
        let path: Vec<u8> = self.path.iter().flat_map(|hash| hash.0).collect();
        let mut cbor = Encoder::new(Vec::new());
        cbor.array(3)
            .and_then(|e| e.u32(self.index))
            .and_then(|e| e.bytes(&self.salted))
            .and_then(|e| e.bytes(&path))
            .expect(IN_MEMORY);
        cbor.into_writer()
    }

    /// Reads those bytes; only the one form is accepted.
    pub fn from_bytes(bytes: &[u8]) -> Result<Proof, ProofError> {
        let read = || -> Result<Proof, minicbor::decode::Error> {
            let mut cbor = Decoder::new(bytes);
            cbor.array()?;
            let (index, salted) = (cbor.u32()?, cbor.bytes()?.to_vec());
            let path = cbor
                .bytes()?
                .chunks_exact(32)
                .filter_map(Hash::from_slice)
                .collect();
            Ok(Proof {
                index,
                salted,
                path,
            })
        };
        let proof = read().map_err(|_| ProofError::Malformed)?;
        if proof.to_bytes() == bytes {
            Ok(proof)
        } else {
            Err(ProofError::Malformed)
        }
    }
}

/// Consecutive headers of one stream, from a block of interest to the block a
/// checkpoint signs. Headers show times, counts and hashes, and no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderSegment {
    headers: Vec<Vec<u8>>,
}

impl HeaderSegment {
    /// Takes the headers of these blocks, in order.
    pub fn of<'a>(blocks: impl IntoIterator<Item = &'a SealedBlock>) -> HeaderSegment {
        let headers = blocks
            .into_iter()
            .map(|block| block.header_bytes().to_vec())
            .collect();
        HeaderSegment { headers }
    }

    /// Checks the checkpoint's signature, that the segment ends in the signed
    /// header and that each header names the one before. Then all of them are
    /// the house's word.
    pub fn verify(
        &self,
        checkpoint: &SignedCheckpoint,
        ring: &KeyRing,
    ) -> Result<Vec<Header>, ProofError> {
        checkpoint.verify(ring)?;
        let checkpoint = checkpoint.checkpoint();
        let mut named = checkpoint.header_hash;
        let mut headers = Vec::new();
        // Backwards from what is signed: each header is believed because the
        // one after it names it.
        for bytes in self.headers.iter().rev() {
            if Hash::of(bytes) != named {
                return Err(ProofError::NotChained);
            }
            let header = Header::decode(bytes)?;
            named = header.previous;
            headers.push(header);
        }
        headers.reverse();
        let ends_there = headers.last().is_some_and(|last| {
            last.last_sequence == checkpoint.sequence && last.stream == checkpoint.stream
        });
        if ends_there {
            Ok(headers)
        } else {
            Err(ProofError::NotChained)
        }
    }

    /// CBOR: an array of byte strings, one for each header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut cbor = Encoder::new(Vec::new());
        cbor.array(self.headers.len() as u64).expect(IN_MEMORY);
        for header in &self.headers {
            cbor.bytes(header).expect(IN_MEMORY);
        }
        cbor.into_writer()
    }

    /// Reads those bytes; only the one form is accepted.
    pub fn from_bytes(bytes: &[u8]) -> Result<HeaderSegment, ProofError> {
        let read = || -> Result<HeaderSegment, minicbor::decode::Error> {
            let mut cbor = Decoder::new(bytes);
            let count = cbor.array()?.unwrap_or(0);
            // Grows with what is really there, whatever the count says.
            let mut headers = Vec::new();
            for _ in 0..count {
                headers.push(cbor.bytes()?.to_vec());
            }
            Ok(HeaderSegment { headers })
        };
        let segment = read().map_err(|_| ProofError::Malformed)?;
        if segment.to_bytes() == bytes {
            Ok(segment)
        } else {
            Err(ProofError::Malformed)
        }
    }
}

/// Why a proof does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The bytes are not a proof.
    #[error("the bytes are not a proof")]
    Malformed,
    /// The record does not lead to the block's root.
    #[error("the record does not stand in that block")]
    NotInBlock,
    /// The headers do not lead to the signed one.
    #[error("the headers do not lead to the one the house signed")]
    NotChained,
    /// A header cannot be read.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The checkpoint does not verify.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}
