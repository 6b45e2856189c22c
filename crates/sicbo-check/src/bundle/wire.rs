//! A bundle's bytes. Only the one form is accepted.

use minicbor::{Decoder, Encoder};
use sha2::{Digest, Sha256};
use sicbo_journal::{HandOver, HeaderSegment, Proof, PublicKey, SignedCheckpoint};

use crate::trust::Trust;

use super::{BUNDLE_FORMAT, Bundle, BundleError, MARK, Segment, SignedRecords, Told};

const IN_MEMORY: &str = "writing to memory does not fail";
const DIGEST_LEN: usize = 32;

/// Writing to memory.
pub type Written = Result<(), minicbor::encode::Error<std::convert::Infallible>>;

impl Bundle {
    /// Whether a file that begins so claims to be a bundle.
    #[must_use]
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(MARK)
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        bytes.extend_from_slice(format!("{BUNDLE_FORMAT}\n").as_bytes());
        sealed(bytes, |cbor| self.put(cbor))
    }

    fn put(&self, cbor: &mut Encoder<Vec<u8>>) -> Written {
        cbor.array(6)?.u64(self.round)?;
        match &self.station {
            Some(station) => cbor.str(station)?,
            None => cbor.null()?,
        };
        cbor.array(self.told.len() as u64)?;
        for told in &self.told {
            cbor.array(2)?.u64(told.sequence)?;
            match &told.dice {
                Some(dice) => cbor.bytes(dice)?,
                None => cbor.null()?,
            };
        }
        self.proof.put(cbor)
    }

    /// Reads a bundle. What it says is not believed yet.
    ///
    /// # Errors
    /// When the bytes are none, come from a later release, or are damaged;
    /// then the part is named.
    pub fn from_bytes(bytes: &[u8]) -> Result<Bundle, BundleError> {
        let rest = bytes.strip_prefix(MARK).ok_or(BundleError::NotABundle)?;
        let line = rest
            .iter()
            .take(12)
            .position(|byte| *byte == b'\n')
            .ok_or(BundleError::NotABundle)?;
        let format = std::str::from_utf8(&rest[..line])
            .ok()
            .and_then(|text| text.parse::<u32>().ok());
        match format {
            Some(BUNDLE_FORMAT) => {}
            Some(found) => return Err(BundleError::NewerFormat { found }),
            None => return Err(BundleError::NotABundle),
        }
        let bundle = Parts::new(unsealed(&rest[line + 1..])).bundle()?;
        // Everything else in the file is checked against the keys; what is
        // left are other spellings and the digest itself.
        if bundle.to_bytes() == bytes {
            Ok(bundle)
        } else {
            Err(BundleError::altered(bundle.check(&Trust::Anyone)))
        }
    }
}

/// A file that begins so and ends with the digest of all before.
pub fn sealed(start: Vec<u8>, put: impl FnOnce(&mut Encoder<Vec<u8>>) -> Written) -> Vec<u8> {
    let mut cbor = Encoder::new(start);
    put(&mut cbor).expect(IN_MEMORY);
    let mut bytes = cbor.into_writer();
    let digest: [u8; DIGEST_LEN] = Sha256::digest(&bytes).into();
    bytes.extend_from_slice(&digest);
    bytes
}

/// Without the digest at the end, as far as there is one.
pub fn unsealed(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().saturating_sub(DIGEST_LEN)]
}

impl SignedRecords {
    /// Its parts within a file.
    ///
    /// # Errors
    /// None: it is written to memory.
    pub fn put(&self, cbor: &mut Encoder<Vec<u8>>) -> Written {
        cbor.bytes(&self.first_key.to_spki_der())?;
        cbor.array(self.hand_overs.len() as u64)?;
        for hand_over in &self.hand_overs {
            cbor.array(3)?
                .str(hand_over.message())?
                .bytes(hand_over.signature_by_old())?
                .bytes(hand_over.signature_by_new())?;
        }
        cbor.array(self.segments.len() as u64)?;
        for segment in &self.segments {
            cbor.array(4)?
                .str(segment.checkpoint.message())?
                .bytes(segment.checkpoint.signature())?
                .bytes(&segment.headers.to_bytes())?
                .array(segment.records.len() as u64)?;
            for (sequence, header, proof) in &segment.records {
                cbor.array(3)?
                    .u64(*sequence)?
                    .u32(*header)?
                    .bytes(&proof.to_bytes())?;
            }
        }
        Ok(())
    }
}

/// Reads part by part, so that a part that cannot be read has a name.
pub struct Parts<'b> {
    cbor: Decoder<'b>,
}

/// One value read.
pub type Cbor<T> = Result<T, minicbor::decode::Error>;

/// A part that cannot be read.
pub fn damaged(part: impl Into<String>) -> BundleError {
    BundleError::Damaged { part: part.into() }
}

impl<'b> Parts<'b> {
    /// From its first part on.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Parts<'b> {
        Parts {
            cbor: Decoder::new(bytes),
        }
    }

    /// Reads one part.
    ///
    /// # Errors
    /// That it cannot be read, by its name.
    pub fn part<T>(
        &mut self,
        name: impl Into<String>,
        read: impl FnOnce(&mut Decoder<'b>) -> Cbor<T>,
    ) -> Result<T, BundleError> {
        read(&mut self.cbor).map_err(|_| damaged(name))
    }

    fn count(&mut self, name: &str) -> Result<u64, BundleError> {
        self.part(name, |cbor| Ok(cbor.array()?.unwrap_or(0)))
    }

    /// Nothing is left.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.cbor.position() == self.cbor.input().len()
    }

    /// Passes over a part that is not there.
    pub fn null(&mut self) -> bool {
        let there = matches!(self.cbor.datatype(), Ok(minicbor::data::Type::Null));
        there && self.cbor.null().is_ok()
    }

    fn bundle(mut self) -> Result<Bundle, BundleError> {
        let round = self.part("the round's number", |cbor| {
            cbor.array()?;
            cbor.u64()
        })?;
        let station = if self.null() {
            None
        } else {
            Some(self.part("the station's name", |cbor| Ok(cbor.str()?.to_owned()))?)
        };
        let mut told = Vec::new();
        for _ in 0..self.count("how the round ended")? {
            told.push(self.told()?);
        }
        let proof = self.proof()?;
        if !self.at_end() {
            return Err(damaged("what follows the last record"));
        }
        Ok(Bundle {
            round,
            station,
            told,
            proof,
        })
    }

    /// Reads keys, signatures and records.
    ///
    /// # Errors
    /// The part that cannot be read.
    pub fn proof(&mut self) -> Result<SignedRecords, BundleError> {
        let first_key = self.part("the house's public key", |cbor| Ok(cbor.bytes()?.to_vec()))?;
        let first_key =
            PublicKey::from_spki_der(&first_key).map_err(|_| damaged("the house's public key"))?;
        let mut hand_overs = Vec::new();
        for number in 0..self.count("the hand-overs")? {
            hand_overs.push(self.hand_over(number + 2)?);
        }
        let mut segments = Vec::new();
        for number in 0..self.count("the segments")? {
            segments.push(self.segment(number + 1)?);
        }
        Ok(SignedRecords {
            first_key,
            hand_overs,
            segments,
        })
    }

    fn told(&mut self) -> Result<Told, BundleError> {
        let name = "how the round ended";
        let sequence = self.part(name, |cbor| {
            cbor.array()?;
            cbor.u64()
        })?;
        let dice = if self.null() {
            None
        } else {
            let dice = self.part(name, |cbor| cbor.bytes())?;
            Some(dice.try_into().map_err(|_| damaged(name))?)
        };
        Ok(Told { sequence, dice })
    }

    fn hand_over(&mut self, number: u64) -> Result<HandOver, BundleError> {
        let name = format!("the hand-over to key {number}");
        let (message, by_old, by_new) = self.part(name.as_str(), |cbor| {
            cbor.array()?;
            Ok((cbor.str()?, cbor.bytes()?, cbor.bytes()?))
        })?;
        HandOver::from_parts(message, by_old, by_new).map_err(|_| damaged(name))
    }

    fn segment(&mut self, number: u64) -> Result<Segment, BundleError> {
        let name = format!("checkpoint {number}");
        let (message, signature) = self.part(name.as_str(), |cbor| {
            cbor.array()?;
            Ok((cbor.str()?, cbor.bytes()?))
        })?;
        let checkpoint =
            SignedCheckpoint::from_parts(message, signature).map_err(|_| damaged(name))?;
        let signed = checkpoint.checkpoint().sequence;
        let name = format!("the headers up to record {signed}");
        let headers = self.part(name.as_str(), |cbor| cbor.bytes())?;
        let headers = HeaderSegment::from_bytes(headers).map_err(|_| damaged(name))?;
        let mut records = Vec::new();
        let mut last = None;
        for _ in 0..self.count("the records")? {
            let name = last.map_or_else(
                || format!("the first record up to record {signed}"),
                |last| format!("the record after record {last}"),
            );
            let (sequence, header, proof) = self.part(name, |cbor| {
                cbor.array()?;
                Ok((cbor.u64()?, cbor.u32()?, cbor.bytes()?))
            })?;
            let proof =
                Proof::from_bytes(proof).map_err(|_| damaged(format!("record {sequence}")))?;
            records.push((sequence, header, proof));
            last = Some(sequence);
        }
        Ok(Segment {
            checkpoint,
            headers,
            records,
        })
    }
}
