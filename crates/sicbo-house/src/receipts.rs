//! Keys of receipts: who holds one may read the receipt of one station's part
//! of one round, and no other. It stands in the address that the code on a
//! card leads to, so that a phone needs no log-in.

use sha2::{Digest, Sha256};
use sicbo_journal::StreamId;

/// Hashed first, so that a key means nothing else.
const DOMAIN: &[u8] = b"sicbo receipt key 1\0";

/// Eighty bits cannot be tried out over a network.
const BYTES: usize = 10;

/// Draws the keys of receipts from a secret of the house.
#[derive(Clone, derive_more::Debug)]
#[debug("ReceiptKeys(secret)")]
pub struct ReceiptKeys([u8; 32]);

impl ReceiptKeys {
    /// From a secret that has other uses too: what is kept here is derived.
    #[must_use]
    pub fn new(secret: &[u8; 32]) -> ReceiptKeys {
        let derived = Sha256::new()
            .chain_update(b"sicbo receipt secret 1\0")
            .chain_update(secret)
            .finalize();
        ReceiptKeys(derived.into())
    }

    /// The key of one station's part of a round: twenty hexadecimal digits.
    ///
    /// The secret stands first and every part has its length, and fewer bytes
    /// are given out than the digest has: nothing can be added behind.
    #[must_use]
    pub fn key(&self, table: &StreamId, round: u64, station: &str) -> String {
        let mut digest = Sha256::new().chain_update(DOMAIN).chain_update(self.0);
        for part in [table.as_str(), station] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        digest.update(round.to_be_bytes());
        sicbo_wire::hex(&digest.finalize()[..BYTES])
    }

    /// Whether a key opens that receipt. Every digit is compared.
    #[must_use]
    pub fn opens(&self, key: &str, table: &StreamId, round: u64, station: &str) -> bool {
        let right = self.key(table, round, station);
        let differ = right
            .bytes()
            .zip(key.bytes())
            .fold(0, |sum, (a, b)| sum | (a ^ b));
        right.len() == key.len() && differ == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_one_stations_part_of_one_round_of_one_table() {
        let keys = ReceiptKeys::new(&[7; 32]);
        let stream = |name: &str| StreamId::new(name).expect("a name");
        let (one, other) = (stream("table-1"), stream("table-11"));
        let key = keys.key(&one, 7, "T3");
        assert_eq!(key.len(), 20);
        assert!(keys.opens(&key, &one, 7, "T3"));
        assert!(!keys.opens(&key, &other, 7, "T3"));
        assert!(!keys.opens(&key, &one, 8, "T3"));
        assert!(!keys.opens(&key, &one, 7, "T4"));
        assert!(!keys.opens(&key[..19], &one, 7, "T3"));
        assert!(!keys.opens("", &one, 7, "T3"));
        assert!(!ReceiptKeys::new(&[8; 32]).opens(&key, &one, 7, "T3"));
    }
}
