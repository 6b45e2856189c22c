//! Who a membership card belongs to, and whether they may play (P-075). The
//! list itself is another system's: here is only the door to it.

use std::path::{Path, PathBuf};

/// Longest number of a card, in bytes.
pub const LONGEST_CARD: usize = 40;
/// Longest list that is read, in bytes.
const LONGEST_LIST: u64 = 16 << 20;

sicbo_rules::worded! {
    /// What the list says of a card.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub enum Standing: word {
        /// Not on the list.
        Unknown = "unknown",
        /// A member who may play.
        Member = "member",
        /// A member who may not: by an order, or by their own wish.
        Excluded = "excluded",
    }
}

/// Why a card could not be looked up.
#[derive(Debug, thiserror::Error)]
#[error("the list of members cannot be read: {what}")]
pub struct MembershipError {
    /// What the system said.
    pub what: String,
}

/// The door to the list of members.
pub trait Membership: Send + Sync {
    /// What the list says of a card, now.
    ///
    /// # Errors
    /// When the list cannot be read.
    fn look_up(&self, card: &str) -> Result<Standing, MembershipError>;
}

/// For a trial: every card is a member's, and those that end in `0000` are
/// excluded.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedMembership;

impl Membership for SimulatedMembership {
    fn look_up(&self, card: &str) -> Result<Standing, MembershipError> {
        Ok(match card.ends_with("0000") {
            true => Standing::Excluded,
            false => Standing::Member,
        })
    }
}

/// A file that another system keeps: a card on each line, then a tab and
/// `member` or `excluded`. It is read anew for every card, so that an order
/// counts as soon as it is written. Lines it does not understand are an
/// error: nobody plays because of a misprint.
#[derive(Clone, Debug)]
pub struct FileMembership {
    path: PathBuf,
}

impl FileMembership {
    /// Over a file.
    #[must_use]
    pub fn at(path: &Path) -> FileMembership {
        FileMembership {
            path: path.to_owned(),
        }
    }
}

impl Membership for FileMembership {
    fn look_up(&self, card: &str) -> Result<Standing, MembershipError> {
        let failed = |what: &dyn std::fmt::Display| MembershipError {
            what: what.to_string(),
        };
        let length = std::fs::metadata(&self.path).map_err(|error| failed(&error))?;
        if length.len() > LONGEST_LIST {
            return Err(failed(&"it is longer than 16 MiB"));
        }
        let text = std::fs::read_to_string(&self.path).map_err(|error| failed(&error))?;
        let mut found = Standing::Unknown;
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let standing = match line.split_once('\t') {
                Some((known, "member")) => (known, Standing::Member),
                Some((known, "excluded")) => (known, Standing::Excluded),
                _ => return Err(failed(&format!("line {} is not understood", at + 1))),
            };
            // Excluded once is excluded, whatever else the list says.
            if standing.0 == card && found != Standing::Excluded {
                found = standing.1;
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_075_a_file_says_who_may_play_and_a_misprint_lets_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("members.tsv");
        let list = FileMembership::at(&path);
        assert!(list.look_up("1").is_err(), "there is no list");
        std::fs::write(&path, "# cards\n11\tmember\n12\texcluded\n12\tmember\n\n").unwrap();
        for (card, standing) in [
            ("11", Standing::Member),
            ("12", Standing::Excluded),
            ("13", Standing::Unknown),
            ("1", Standing::Unknown),
        ] {
            assert_eq!(list.look_up(card).unwrap(), standing, "{card}");
        }
        std::fs::write(&path, "11\tmember\n12 excluded\n").unwrap();
        let said = list.look_up("11").unwrap_err().to_string();
        assert!(said.contains("line 2"), "{said}");
    }

    #[test]
    fn a_trial_has_members_of_both_sorts() {
        let look_up = |card| SimulatedMembership.look_up(card).unwrap();
        assert_eq!(look_up("70001234"), Standing::Member);
        assert_eq!(look_up("70000000"), Standing::Excluded);
    }
}
