//! The receipt of a voucher: the house's signed word on what it issued and how it stands.
//!
//! The voucher's number is not in it, only its last digits: whoever reads it can compare the
//! paper, and cannot be paid with it. That a voucher is still good is true of the moment in
//! which this was signed.
//!
//! The bytes: the line `sicbo voucher 1`, then one CBOR array of the signed text, the signature
//! and the house's keys.

use minicbor::Encoder;
use serde::Serialize;
use sicbo_journal::{HandOver, KeyRing, PublicKey, SignatureBytes};

use crate::Trust;
use crate::bundle::wire::{Parts, damaged};
use crate::bundle::{BundleError, BundleFault, SignedRecords, fault};
use crate::receipt::{is_signed, value};

const MARK: &[u8] = b"sicbo voucher 1\n";
const PART: &str = "the signed text";
const IN_MEMORY: &str = "writing to memory does not fail";

/// What the house says of a voucher.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SlipFacts {
    /// Its number in the house, not the one it is paid for.
    pub voucher: u64,
    /// The table it came from.
    pub table: String,
    /// The station's name.
    pub station: String,
    /// Counts the vouchers of the station.
    pub sequence: u32,
    /// When it was issued, UTC milliseconds.
    pub issued_ms: i64,
    /// Good before this.
    pub expires_ms: i64,
    /// The currency.
    pub currency: String,
    /// Decimals of the currency.
    pub decimals: u8,
    /// In minor units.
    pub amount: i64,
    /// The last digits of the number on the paper.
    pub ends: String,
    /// How it stood when this was signed, as the register's word.
    pub state: String,
    /// It is worth money.
    pub real_money: bool,
    /// When this was signed, UTC milliseconds.
    pub signed_ms: i64,
}

/// A receipt as read or made; nothing in it is believed before it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slip {
    /// What the house signed.
    pub statement: String,
    /// Its signature.
    pub signature: SignatureBytes,
    keys: SignedRecords,
}

impl SlipFacts {
    /// What the house signs, as text.
    #[must_use]
    pub fn statement(&self, ring: &KeyRing) -> String {
        let yes = if self.real_money { "yes" } else { "no" };
        format!(
            "sicbo voucher 1\nhouse: {}\nvoucher: {}\ntable: {}\nstation: {}\nsequence: {}\n\
             issued-ms: {}\nexpires-ms: {}\ncurrency: {}\ndecimals: {}\namount: {}\nends: {}\n\
             state: {}\nreal-money: {yes}\nsigned-ms: {}\nkey: {}\n",
            ring.house(),
            self.voucher,
            one_line(&self.table),
            one_line(&self.station),
            self.sequence,
            self.issued_ms,
            self.expires_ms,
            self.currency,
            self.decimals,
            self.amount,
            self.ends,
            self.state,
            self.signed_ms,
            ring.current().id(),
        )
    }

    fn read(statement: &str) -> Option<SlipFacts> {
        fn number<T: std::str::FromStr>(statement: &str, name: &str) -> Option<T> {
            value(statement, name)?.parse().ok()
        }
        let text = |name: &str| value(statement, name).map(str::to_owned);
        Some(SlipFacts {
            voucher: number(statement, "voucher")?,
            table: text("table")?,
            station: text("station")?,
            sequence: number(statement, "sequence")?,
            issued_ms: number(statement, "issued-ms")?,
            expires_ms: number(statement, "expires-ms")?,
            currency: text("currency")?,
            decimals: number(statement, "decimals")?,
            amount: number(statement, "amount")?,
            ends: text("ends")?,
            state: text("state")?,
            real_money: value(statement, "real-money")? == "yes",
            signed_ms: number(statement, "signed-ms")?,
        })
    }
}

/// A name in a text of lines takes no line of its own.
fn one_line(name: &str) -> String {
    name.replace(char::is_control, " ")
}

impl Slip {
    /// Of what the house has signed, and its keys.
    #[must_use]
    pub fn new(
        statement: String,
        signature: SignatureBytes,
        (first_key, hand_overs): (PublicKey, Vec<HandOver>),
    ) -> Slip {
        Slip {
            statement,
            signature,
            keys: SignedRecords {
                first_key,
                hand_overs,
                segments: Vec::new(),
            },
        }
    }

    /// Whether a file that begins so claims to be one.
    #[must_use]
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(MARK)
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut cbor = Encoder::new(MARK.to_vec());
        cbor.array(5)
            .and_then(|cbor| cbor.str(&self.statement))
            .and_then(|cbor| cbor.bytes(&self.signature))
            .map(|_| ())
            .expect(IN_MEMORY);
        self.keys.put(&mut cbor).expect(IN_MEMORY);
        cbor.into_writer()
    }

    /// Reads one. What it says is not believed yet.
    ///
    /// # Errors
    /// When the bytes are none or are damaged; then the part is named.
    pub fn from_bytes(bytes: &[u8]) -> Result<Slip, BundleError> {
        let rest = bytes.strip_prefix(MARK).ok_or(BundleError::NotABundle)?;
        let mut parts = Parts::new(rest);
        let (statement, signature) = parts.part(PART, |cbor| {
            cbor.array()?;
            Ok((cbor.str()?.to_owned(), cbor.bytes()?.to_vec()))
        })?;
        let signature = signature.try_into();
        let slip = Slip {
            statement,
            signature: signature.map_err(|_| damaged("the signature"))?,
            keys: parts.proof()?,
        };
        // Only the one form is accepted.
        match slip.to_bytes() == bytes && slip.keys.segments.is_empty() {
            true => Ok(slip),
            false => Err(damaged("what follows the keys")),
        }
    }

    /// Verifies the signature; the house it is of and what it says.
    ///
    /// # Errors
    /// The first part that does not hold.
    pub fn check(&self, trust: &Trust) -> Result<(String, SlipFacts), BundleFault> {
        let ring = self.keys.ring()?;
        let house = ring.house().to_string();
        let known = trust.check(&ring);
        known.map_err(|error| fault("the house's public key", error))?;
        is_signed(&ring, &self.statement, &self.signature)?;
        // The same key may have signed texts of other kinds.
        let begins = self.statement.as_bytes().starts_with(MARK);
        if !begins || value(&self.statement, "house") != Some(house.as_str()) {
            return Err(fault(PART, "it is of something else"));
        }
        let facts = SlipFacts::read(&self.statement);
        let facts = facts.ok_or_else(|| fault(PART, "it cannot be read"))?;
        Ok((house, facts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Answer, Question, Reason, answer};
    use sicbo_journal::HouseKey;

    fn facts() -> SlipFacts {
        SlipFacts {
            voucher: 7,
            table: "mbs-etg".to_owned(),
            station: "T12".to_owned(),
            sequence: 42,
            issued_ms: 1_792_562_709_000,
            expires_ms: 1_795_154_709_000,
            currency: "SGD".to_owned(),
            decimals: 2,
            amount: 123_450,
            ends: "5678".to_owned(),
            state: "printed".to_owned(),
            real_money: true,
            signed_ms: 1_792_562_800_000,
        }
    }

    fn signed(key: &HouseKey, statement: String) -> Slip {
        let signature = key.sign(statement.as_bytes()).expect("a signature");
        Slip::new(statement, signature, (key.public(), Vec::new()))
    }

    fn reason(question: &Question, bytes: &[u8]) -> Option<Reason> {
        match answer(question, bytes) {
            Answer::Refused(refused) => Some(refused.reason),
            Answer::Voucher(_) => None,
            Answer::Proved(_) => panic!("it is no round"),
        }
    }

    #[test]
    fn a_voucher_is_proved_by_the_houses_signature_and_one_changed_letter_is_refused() {
        let key = HouseKey::from_entropy(&[7; 32]);
        let ring = KeyRing::new(key.public());
        let slip = signed(&key, facts().statement(&ring));
        let bytes = slip.to_bytes();
        assert_eq!(Slip::from_bytes(&bytes), Ok(slip.clone()));
        let question = Question {
            voucher: Some(7),
            house: Some(ring.house().to_string()),
            ..Question::default()
        };
        let Answer::Voucher(proof) = answer(&question, &bytes) else {
            panic!("it is not proved: {:?}", answer(&question, &bytes));
        };
        assert_eq!((proof.facts, proof.house_given), (facts(), true));
        // Another voucher, another house.
        let other = |change: fn(&mut Question)| {
            let mut question = question.clone();
            change(&mut question);
            reason(&question, &bytes)
        };
        assert_eq!(other(|q| q.voucher = Some(8)), Some(Reason::Voucher));
        assert_eq!(
            other(|q| q.house = Some("0".repeat(64))),
            Some(Reason::House)
        );
        assert_eq!(other(|q| q.round = Some(7)), Some(Reason::NotAReceipt));
        // Every single byte counts.
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(reason(&question, &changed).is_some(), "byte {at}");
            assert!(reason(&question, &bytes[..at]).is_some(), "cut at {at}");
        }
        let dearer = slip.statement.replace("amount: 123450", "amount: 923450");
        let forged = Slip::new(dearer, slip.signature, (key.public(), Vec::new()));
        assert_eq!(
            reason(&question, &forged.to_bytes()),
            Some(Reason::Signature)
        );
        // Signed by the house, and no voucher.
        let text = slip.statement.replace("sicbo voucher 1", "sicbo receipt 1");
        let bytes = signed(&key, text).to_bytes();
        assert_eq!(reason(&question, &bytes), Some(Reason::Signature));
    }

    #[test]
    fn names_cannot_add_lines_to_what_is_signed() {
        let key = HouseKey::from_entropy(&[7; 32]);
        let ring = KeyRing::new(key.public());
        let mut tricky = facts();
        tricky.table = "x\namount: 999999".to_owned();
        let slip = signed(&key, tricky.statement(&ring));
        let (_, read) = slip.check(&Trust::Anyone).expect("it holds");
        assert_eq!(read.amount, 123_450);
        assert_eq!(read.table, "x amount: 999999");
    }
}
