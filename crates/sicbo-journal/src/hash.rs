//! A SHA-256 value and its text form. Owns nothing else: what is hashed, and
//! with which prefix, is said where it is hashed.

use std::fmt;

use sha2::{Digest, Sha256};

/// A SHA-256 value, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
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
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut out = [0u8; 32];
        for (slot, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
            *slot = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(Hash(out))
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
