//! A case as one file: its records in the house's own journal, and the bundle
//! of the round it is about. Each is proved up to a signature of the house.
//!
//! The bytes: the line `sicbo case 1`, one CBOR array, and the SHA-256 of all
//! before it, as with the bundle of a round.

use std::collections::BTreeSet;

use minicbor::Encoder;
use sicbo_journal::{HandOver, KeyId, PublicKey, Store};

use super::make::{MakeError, segments};
use super::{Bundle, BundleError, BundleFault, Proved, tell};
use crate::Trust;
use crate::verify::VerifyError;
use sicbo_check::bundle::wire::{Parts, Written, damaged, sealed, unsealed};
use sicbo_check::bundle::{SignedRecords, fault, record_fault};
use sicbo_register::case::{Case, CaseId, Entry};
use sicbo_register::{Fact, STREAM, codec};

/// First bytes of every case's file.
const MARK: &[u8] = b"sicbo case 1\n";

/// A case as read or made; nothing in it is believed before [`CaseBundle::check`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseBundle {
    case: u64,
    round: Option<Bundle>,
    proof: SignedRecords,
}

/// What the file of a case proves.
#[derive(Debug)]
pub struct ProvedCase {
    /// Whose journal it is.
    pub house: KeyId,
    /// The case.
    pub number: u64,
    /// As its records make it.
    pub case: Case,
    /// Records of the house's journal shown, each proved.
    pub records: usize,
    /// Checkpoints over them, each with a good signature.
    pub checkpoints: usize,
    /// The round it is about, where that had ended.
    pub round: Option<Box<Proved>>,
}

/// Makes the file of a case from the house's journal. `round` is the bundle of
/// the round it is about.
///
/// # Errors
/// When the journal is broken, has no such case, or is not signed that far yet.
pub fn make(
    store: &dyn Store,
    (first_key, hand_overs): (PublicKey, Vec<HandOver>),
    case: u64,
    round: Option<Bundle>,
) -> Result<CaseBundle, MakeError> {
    let mut sequences = BTreeSet::new();
    for raw in store.read_from(1) {
        let raw = raw?;
        let at = raw.filed_under;
        let block = raw
            .decode()
            .map_err(|error| VerifyError::record(at, error))?;
        for record in block.records() {
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| VerifyError::record(record.sequence, error))?;
            if of_case(&event.fact) == Some(CaseId(case)) {
                sequences.insert(record.sequence);
            }
        }
    }
    if sequences.is_empty() {
        return Err(MakeError::NoSuchCase { case });
    }
    Ok(CaseBundle {
        case,
        round,
        proof: SignedRecords {
            first_key,
            hand_overs,
            segments: segments(store, &sequences)?,
        },
    })
}

fn of_case(fact: &Fact) -> Option<CaseId> {
    match fact {
        Fact::CaseOpened { case, .. } | Fact::CaseStepped { case, .. } => Some(*case),
        _ => None,
    }
}

impl CaseBundle {
    /// Whether a file that begins so claims to be a case's.
    #[must_use]
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(MARK)
    }

    /// Verifies everything.
    ///
    /// # Errors
    /// The first part that does not hold.
    pub fn check(&self, trust: &Trust) -> Result<ProvedCase, BundleFault> {
        let ring = self.proof.ring()?;
        trust
            .check(&ring)
            .map_err(|error| fault("the house's public key", error))?;
        let (stream, _, records) = self.proof.records(&ring)?;
        if stream.as_str() != STREAM {
            return Err(fault(
                "the records",
                "they are not of the house's own stream",
            ));
        }
        let mut known: Option<Case> = None;
        for record in &records {
            let wrong = |what: &dyn std::fmt::Display| record_fault(record.sequence, what);
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| wrong(&error))?;
            if of_case(&event.fact) != Some(CaseId(self.case)) {
                return Err(wrong(&"it is not of this case"));
            }
            match (event.fact, &mut known) {
                (Fact::CaseOpened { new, .. }, None) => {
                    known = Some(Case {
                        new: *new,
                        opened_by: event.by,
                        opened_ms: event.at_ms,
                        entries: Vec::new(),
                    });
                }
                (Fact::CaseStepped { acting, step, .. }, Some(case)) if case.is_open() => {
                    case.entries.push(Entry {
                        at_ms: event.at_ms,
                        by: event.by,
                        acting,
                        step,
                    });
                }
                _ => return Err(wrong(&"it does not follow from the records before it")),
            }
        }
        let case = known.ok_or_else(|| fault("the records", "the case's opening is missing"))?;
        let round = match &self.round {
            None => None,
            Some(bundle) => {
                let proved = tell(bundle, trust)?;
                let round = &proved.round;
                let same = round.house == ring.house()
                    && round.stream.as_str() == case.new.table.as_str()
                    && case.new.round.is_some_and(|number| number.0 == round.round);
                if !same {
                    return Err(fault("the round", "it is not the one the case is about"));
                }
                Some(Box::new(proved))
            }
        };
        Ok(ProvedCase {
            house: ring.house(),
            number: self.case,
            case,
            records: records.len(),
            checkpoints: self.proof.segments.len(),
            round,
        })
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(MARK.to_vec(), |cbor| self.put(cbor))
    }

    fn put(&self, cbor: &mut Encoder<Vec<u8>>) -> Written {
        cbor.array(5)?.u64(self.case)?;
        match &self.round {
            Some(round) => cbor.bytes(&round.to_bytes())?,
            None => cbor.null()?,
        };
        self.proof.put(cbor)
    }

    /// Reads a case's file. What it says is not believed yet.
    ///
    /// # Errors
    /// When the bytes are none or are damaged; then the part is named.
    pub fn from_bytes(bytes: &[u8]) -> Result<CaseBundle, BundleError> {
        let rest = bytes.strip_prefix(MARK).ok_or(BundleError::NotABundle)?;
        let mut parts = Parts::new(unsealed(rest));
        let case = parts.part("the case's number", |cbor| {
            cbor.array()?;
            cbor.u64()
        })?;
        let round = if parts.null() {
            None
        } else {
            let bytes = parts.part("the round", |cbor| Ok(cbor.bytes()?.to_vec()))?;
            Some(Bundle::from_bytes(&bytes)?)
        };
        let proof = parts.proof()?;
        if !parts.at_end() {
            return Err(damaged("what follows the last record"));
        }
        let bundle = CaseBundle { case, round, proof };
        // What is left are other spellings and the digest itself.
        if bundle.to_bytes() == bytes {
            Ok(bundle)
        } else {
            Err(BundleError::altered(bundle.check(&Trust::Anyone)))
        }
    }
}
