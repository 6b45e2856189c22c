//! The verification code of a round: twelve digits that a player can write
//! down and anyone with the journal can derive again (P-007).

use std::fmt;

use sha2::{Digest, Sha256};
use sicbo_journal::StreamId;

/// Hashed first, so that the digits mean nothing else.
const DOMAIN: &[u8] = b"sicbo round code 1\0";

/// The code of one ended round, e.g. `3f9a-01c2-77de`.
///
/// Made from the record that ended the round (settled or void), as stored. A
/// later correction is another record: the code stays what the player was
/// shown, and the correction names the round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Debug)]
#[debug("{self}")]
pub struct RoundCode([u8; 6]);

impl RoundCode {
    /// The code of the round that this stored payload ended.
    #[must_use]
    pub fn of(stream: &StreamId, round: u64, payload: &[u8]) -> RoundCode {
        let name = stream.as_str().as_bytes();
        let digest = Sha256::new()
            .chain_update(DOMAIN)
            // A name has at most 48 bytes; its length keeps the parts apart.
            .chain_update([name.len() as u8])
            .chain_update(name)
            .chain_update(round.to_be_bytes())
            .chain_update(payload)
            .finalize();
        let mut first = [0; 6];
        first.copy_from_slice(&digest[..6]);
        RoundCode(first)
    }
}

impl fmt::Display for RoundCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, pair) in self.0.chunks(2).enumerate() {
            let dash = if at > 0 { "-" } else { "" };
            write!(f, "{dash}{:02x}{:02x}", pair[0], pair[1])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a digest made by another program:
    /// `printf 'sicbo round code 1\0\007table-1\0\0\0\0\0\0\0\007abc' | sha256sum`
    #[test]
    fn p_007_the_code_is_what_the_format_page_says() {
        let stream = StreamId::new("table-1").expect("a name");
        let code = RoundCode::of(&stream, 7, b"abc").to_string();
        assert_eq!(code, "f204-d249-7921");
        assert_ne!(RoundCode::of(&stream, 8, b"abc").to_string(), code);
        assert_ne!(RoundCode::of(&stream, 7, b"abd").to_string(), code);
    }
}
