//! The name of a stream: `house`, or the name of a table. Owns which names are
//! allowed; it must stay safe as a file name and as a line of a checkpoint.

use std::str::FromStr;

/// Name of one append-only sequence, e.g. `house` or `table-1`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display, derive_more::Debug)]
#[display("{_0}")]
#[debug("{_0:?}")]
pub struct StreamId(Box<str>);

impl StreamId {
    /// Longest name, in bytes.
    pub const MAX_LEN: usize = 48;

    /// Accepts 1 to 48 of `a`–`z`, `0`–`9`, `-`, `_` and `.`, beginning with a
    /// letter or digit.
    pub fn new(name: &str) -> Result<StreamId, BadStreamId> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let good = name.len() <= Self::MAX_LEN
            && name.bytes().next().is_some_and(plain)
            && name
                .bytes()
                .all(|b| plain(b) || matches!(b, b'-' | b'_' | b'.'));
        if good {
            Ok(StreamId(name.into()))
        } else {
            Err(BadStreamId)
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A stream name outside the allowed letters or length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a stream is named with 1 to 48 of a-z, 0-9, '-', '_' and '.', beginning with a letter or digit"
)]
pub struct BadStreamId;

impl FromStr for StreamId {
    type Err = BadStreamId;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        StreamId::new(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_as_file_names() {
        for good in ["house", "table-1", "mbs.rapid_2", "7"] {
            assert!(StreamId::new(good).is_ok(), "{good}");
        }
        let long = "x".repeat(49);
        for bad in ["", ".", "..", "-x", "A", "a/b", "a b", "ä", "a\n", &long] {
            assert!(StreamId::new(bad).is_err(), "{bad}");
        }
    }
}
