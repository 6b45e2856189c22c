//! The head of a tree, as the text that is signed (c2sp.org/tlog-checkpoint):
//! origin, size and root, a line each. Owns its bytes and a house's origin.

use base64ct::{Base64, Encoding};
use sicbo_journal::{Hash, HouseKey, KeyId};

use crate::note::{Note, NoteError};

/// What a tree is at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// Whose tree, e.g. `sicbo.house/0f1e2d3c4b5a69788796a5b4c3d2e1f0/1`.
    pub origin: String,
    /// How many leaves it has.
    pub size: u64,
    /// Its root.
    pub root: Hash,
}

impl TreeHead {
    /// The text that is signed.
    pub fn text(&self) -> String {
        let TreeHead { origin, size, root } = self;
        let root = Base64::encode_string(&root.0);
        format!("{origin}\n{size}\n{root}\n")
    }

    /// Signs it with the house's key under the name of its origin.
    ///
    /// # Errors
    /// When the origin cannot be a name.
    pub fn sign(&self, key: &HouseKey) -> Result<Note, NoteError> {
        Note::sign(&self.text(), &self.origin, key)
    }

    /// Reads a head out of the text of a note. Lines after the third are
    /// extensions of other logs and are passed over.
    ///
    /// # Errors
    /// When the text is no head.
    pub fn parse(text: &str) -> Result<TreeHead, HeadError> {
        let mut lines = text.strip_suffix('\n').ok_or(HeadError)?.split('\n');
        let mut line = || lines.next().filter(|line| !line.is_empty());
        let (Some(origin), Some(size), Some(root)) = (line(), line(), line()) else {
            return Err(HeadError);
        };
        let size = parse_size(size).ok_or(HeadError)?;
        let root = parse_hash(root).ok_or(HeadError)?;
        if lines.any(str::is_empty) {
            return Err(HeadError);
        }
        let origin = origin.to_owned();
        Ok(TreeHead { origin, size, root })
    }
}

/// The origin of a house's tree in one of its lives. A house that went on after
/// a rollback has a new life: no witness cosigns two trees under one origin.
pub fn origin(house: KeyId, life: u32) -> String {
    let house = house.to_string();
    format!("sicbo.house/{}/{life}", &house[..32])
}

/// The log of a house and which of its lives it is: `sicbo.house/…` and 2.
pub(crate) fn life_of(origin: &str) -> Option<(&str, u32)> {
    let (log, life) = origin.rsplit_once('/')?;
    let number: u32 = life.parse().ok()?;
    (log.starts_with("sicbo.house/") && number.to_string() == life).then_some((log, number))
}

/// A size in decimal, without leading zeros.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    let size: u64 = text.parse().ok()?;
    // SQL knows signed numbers only, and no tree is ever that large.
    (size <= i64::MAX as u64 && size.to_string() == text).then_some(size)
}

/// A hash in base64.
pub(crate) fn parse_hash(text: &str) -> Option<Hash> {
    Hash::from_slice(&Base64::decode_vec(text).ok()?)
}

/// The text is no head of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a checkpoint has an origin, a size in decimal and a root of 32 bytes in base64, a line each"
)]
pub struct HeadError;
