//! A player's receipt: the bundle of one station's part of one round, and the
//! house's signed word on which verification code belongs to it.
//!
//! The record from which a code is made has sums of all players and is shown
//! only to whoever was alone in the round. Where it is not shown, the code
//! stands on this signature: a house that signs a wrong one has signed a lie
//! that any auditor can show.
//!
//! The bytes: the line `sicbo receipt 1`, then one CBOR array of the signed
//! text, the signature and the bytes of the bundle.

use minicbor::{Decoder, Encoder};
use sha2::{Digest, Sha256};
use sicbo_journal::{KeyId, KeyRing, SignatureBytes, StreamId};

use crate::bundle::wire::damaged;
use crate::bundle::{Bundle, BundleError, BundleFault, fault};
use crate::{RoundCode, Trust, text};

const MARK: &[u8] = b"sicbo receipt 1\n";
const IN_MEMORY: &str = "writing to memory does not fail";

/// A receipt as read or made; nothing in it is believed before it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// What the house signed.
    pub statement: String,
    /// Its signature.
    pub signature: SignatureBytes,
    /// What proves the round.
    pub bundle: Bundle,
}

/// What the house signs with a receipt, as text.
///
/// # Errors
/// The bundle is of the whole round and not of one station.
pub fn statement(
    bundle: &Bundle,
    stream: &StreamId,
    code: RoundCode,
    ring: &KeyRing,
    at_ms: i64,
) -> Result<String, BundleFault> {
    let station = bundle.station.as_deref();
    let station = station.ok_or_else(|| fault("the station", "there is none"))?;
    Ok(format!(
        "sicbo receipt 1\nhouse: {}\nstream: {stream}\nround: {}\nstation: {station}\ncode: {code}\n\
         bundle-sha256: {}\ntime: {}\nkey: {}\n",
        ring.house(),
        bundle.round,
        digest(bundle),
        text::time(at_ms),
        ring.current().id(),
    ))
}

fn digest(bundle: &Bundle) -> String {
    sicbo_journal::Hash(Sha256::digest(bundle.to_bytes()).into()).to_string()
}

impl Receipt {
    /// Whether a file that begins so claims to be a receipt.
    #[must_use]
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(MARK)
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut cbor = Encoder::new(MARK.to_vec());
        cbor.array(3)
            .and_then(|cbor| cbor.str(&self.statement))
            .and_then(|cbor| cbor.bytes(&self.signature))
            .and_then(|cbor| cbor.bytes(&self.bundle.to_bytes()))
            .expect(IN_MEMORY);
        cbor.into_writer()
    }

    /// Reads a receipt. What it says is not believed yet.
    ///
    /// # Errors
    /// When the bytes are none or are damaged; then the part is named.
    pub fn from_bytes(bytes: &[u8]) -> Result<Receipt, BundleError> {
        let rest = bytes.strip_prefix(MARK).ok_or(BundleError::NotABundle)?;
        let mut cbor = Decoder::new(rest);
        let read = |cbor: &mut Decoder<'_>| {
            cbor.array()?;
            let statement = cbor.str()?.to_owned();
            Ok::<_, minicbor::decode::Error>((statement, cbor.bytes()?.to_vec()))
        };
        let (statement, signature) = read(&mut cbor).map_err(|_| damaged("the signed text"))?;
        let signature = signature.try_into();
        let signature = signature.map_err(|_| damaged("the signature"))?;
        let bundle = cbor.bytes().map_err(|_| damaged("the round"))?;
        let receipt = Receipt {
            statement,
            signature,
            bundle: Bundle::from_bytes(bundle)?,
        };
        // Only the one form is accepted.
        match receipt.to_bytes() == bytes {
            true => Ok(receipt),
            false => Err(damaged("what follows the round")),
        }
    }

    /// Verifies the round and the signed text, whoever's they are; the code it
    /// gives to the round.
    ///
    /// # Errors
    /// The first part that does not hold.
    pub fn check(&self) -> Result<String, BundleFault> {
        let proved = self.bundle.check(&Trust::Anyone)?;
        let signed = self.signed_code(&self.bundle.proof.ring()?, &proved.stream)?;
        match proved.code {
            Some(code) if code.to_string() != signed => {
                Err(fault("the signed text", "its code is another round's"))
            }
            _ => Ok(signed),
        }
    }

    /// The code that the house's signature gives to this very bundle.
    ///
    /// # Errors
    /// When the signature or what it says does not hold.
    pub fn signed_code(&self, ring: &KeyRing, stream: &StreamId) -> Result<String, BundleFault> {
        let part = "the signed text";
        let value = |name: &str| value(&self.statement, name);
        is_signed(ring, &self.statement, &self.signature)?;
        let known = [
            ("house", ring.house().to_string()),
            ("stream", stream.to_string()),
            ("round", self.bundle.round.to_string()),
            ("station", self.bundle.station.clone().unwrap_or_default()),
            ("bundle-sha256", digest(&self.bundle)),
        ];
        for (name, found) in known {
            if value(name) != Some(found.as_str()) {
                return Err(fault(part, format!("its {name} is not that of the round")));
            }
        }
        let code = value("code").ok_or_else(|| fault(part, "there is no code in it"))?;
        Ok(code.to_owned())
    }
}

/// What a signed text says under a name.
pub(crate) fn value<'t>(statement: &'t str, name: &str) -> Option<&'t str> {
    let mut lines = statement.lines();
    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// That the key which a text names is the house's and signed it.
pub(crate) fn is_signed(
    ring: &KeyRing,
    statement: &str,
    signature: &SignatureBytes,
) -> Result<(), BundleFault> {
    let part = "the signed text";
    let key = value(statement, "key")
        .and_then(sicbo_journal::Hash::from_hex)
        .map(KeyId);
    let signer = ring.keys().find(|known| Some(known.id()) == key);
    let signer = signer.ok_or_else(|| fault(part, "no key of the house signed it"))?;
    match signer.verifies(statement.as_bytes(), signature) {
        true => Ok(()),
        false => Err(fault(part, "the signature is not the house's")),
    }
}
