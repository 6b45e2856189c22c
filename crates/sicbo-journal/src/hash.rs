//! A SHA-256 value and its text form. Owns nothing else: what is hashed, and
//! with which prefix, is said where it is hashed.

use sha2::{Digest, Sha256};

/// A SHA-256 value, written as 64 lower-case hexadecimal digits.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    derive_more::Display,
    derive_more::Debug,
)]
#[display("{}", hex::encode(_0))]
#[debug("{self}")]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What the first block of a stream names as the header before it.
    pub const ZERO: Hash = Hash([0; 32]);

    /// The plain SHA-256 of the bytes, the same `sha256sum` prints.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }

    /// The bytes, for storing.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads back 32 stored bytes; `None` for any other length.
    pub fn from_slice(bytes: &[u8]) -> Option<Hash> {
        bytes.try_into().ok().map(Hash)
    }

    /// Reads 64 lower-case hexadecimal digits; upper case is refused so that
    /// a value has one text only.
    pub fn from_hex(text: &str) -> Option<Hash> {
        let mut out = [0u8; 32];
        let one_text = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        (one_text && hex::decode_to_slice(text, &mut out).is_ok()).then_some(Hash(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_is_that_of_sha256sum_and_reads_back() {
        let hash = Hash::of(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash.to_string(), text);
        assert_eq!(Hash::from_hex(text), Some(hash));
        assert_eq!(Hash::from_hex(&text.to_uppercase()), None);
        assert_eq!(Hash::from_hex(&text[1..]), None);
    }
}
