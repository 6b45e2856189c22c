//! What a start asks of the tree: whether its leaves are the blocks of the
//! journals, before anything is written. A table whose own journal was put back
//! is out of service alone, but only on the word of the house's key: what the
//! rows of the tree say of streams is under no hash.

use std::path::Path;

use sicbo_journal::{KeyId, PublicKey, StreamId};

use super::leaves::{Walk, open_all};
use super::{CheckError, TreeFault, TreeReport};
use crate::head::origin;
use crate::house_tree::HouseTree;
use crate::mark::Mark;
use crate::note::{Algorithm, VerifierKey};

/// A tree of no more leaves is walked from its first one at every start. A
/// longer one is from where the house's newest statement ends.
const WALKED_WHOLE: u64 = 100_000;

/// How the journals of a folder stand to its tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    /// Where each stream ended by the newest statement that the house's key
    /// signed beside a head of this tree.
    pub stated: Option<Mark>,
    /// Leaves that are not the blocks they say they are, or a tree that is not
    /// that of its leaves.
    pub faults: Vec<TreeFault>,
    /// A leaf after the statement is no block of the stream it names: whose it
    /// was cannot be known.
    pub unstated: bool,
}

impl TreeFault {
    /// The stream it is about, where it is about one.
    pub fn stream(&self) -> Option<&StreamId> {
        match self {
            TreeFault::Missing { stream, .. }
            | TreeFault::Other { stream, .. }
            | TreeFault::Unreadable { stream, .. } => Some(stream),
            _ => None,
        }
    }
}

/// Walks the tree of a house beside its journals. Only statements that `key`,
/// which signs now, has signed are believed: one that was chosen among older
/// ones makes the walk longer and excuses less.
///
/// # Errors
/// When the folder or its tree cannot be read.
pub fn held(
    data: &Path,
    tree: &HouseTree,
    house: KeyId,
    key: PublicKey,
) -> Result<Holding, CheckError> {
    let name = origin(house, tree.life());
    let stated = match VerifierKey::new(&name, Algorithm::Ed25519, key) {
        Ok(key) => tree.stated_tails(&key)?,
        Err(_) => None,
    };
    let stated = match stated {
        Some(stated) if stated.house == house && stated.life == tree.life() => {
            let begins = stated.size <= tree.size() && tree.root_at(stated.size)? == stated.root;
            begins.then_some(stated)
        }
        _ => None,
    };
    let mut report = TreeReport::default();
    // One that cannot be opened is the start's to say, unless the tree has blocks of it.
    let stores = open_all(data, &mut Vec::new())?;
    let base = stated.as_ref().filter(|_| tree.size() > WALKED_WHOLE);
    let mut walk = match base {
        Some(stated) => Walk::from_statement(&stores, tree, stated)?,
        None => Walk::from_the_first(&stores, &[]),
    };
    walk.along(tree, &mut report)?;
    let from = stated.as_ref().map_or(0, |stated| stated.size);
    Ok(Holding {
        unstated: walk.unmatched.is_some_and(|(_, last)| last >= from),
        stated,
        faults: report.faults,
    })
}
