//! Holds a data folder to its tree, and the tree to what was signed and
//! cosigned: every block of every stream is a leaf at its place, the root is the
//! checkpoint's, the signatures are good. Reads only and names every fault. The
//! walk along the leaves is in `leaves`, what a start asks of it in `held`.

mod held;
mod leaves;

use std::path::Path;

use sicbo_journal::{FolderError, KeyRing, OpenError, StreamId};

use crate::head::{TreeHead, origin};
use crate::house_tree::{HouseTree, KeptNote, Leaf, TreeError};
use crate::mark::Mark;
use crate::note::{Algorithm, Note, VerifierKey};

pub use held::{Holding, held};
use leaves::{Walk, open_all};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeReport {
    /// Leaves of the tree.
    pub size: u64,
    /// Which life of the house the tree is of.
    pub life: u32,
    /// The newest head that the house signed, by its size.
    pub signed_size: Option<u64>,
    /// The head that a witness cosigned, as demanded or as found in the folder.
    pub cosigned: Option<CosignedHead>,
    /// Blocks and records that no cosigned head covers, in the tree or not yet in it.
    pub uncovered: Counted,
    /// Blocks and records that no head of the house's own covers, in the tree or
    /// not yet in it: a crash or a tree that was put back leaves such.
    pub unsigned: Counted,
    /// Of these, those that are not in the tree at all.
    pub outside: Counted,
    /// Everything that is wrong.
    pub faults: Vec<TreeFault>,
}

/// A head with a good cosignature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CosignedHead {
    /// Its size.
    pub size: u64,
    /// The witness's name.
    pub witness: String,
    /// When it was cosigned, seconds of UTC since 1970.
    pub time_s: u64,
}

/// Blocks and their records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Blocks.
    pub blocks: u64,
    /// Records in them.
    pub records: u64,
}

impl Counted {
    fn add(&mut self, leaf: &Leaf) {
        self.blocks += 1;
        // Whoever wrote the tree's rows may have written any numbers.
        let records = leaf.last_sequence.saturating_sub(leaf.first_sequence);
        self.records = self.records.saturating_add(records.saturating_add(1));
    }
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeFault {
    /// There is no tree.
    #[error("the folder has no tree (tree/tree.sqlite)")]
    NoTree,
    /// The tree has a leaf that no stream has.
    #[error(
        "the tree has records {first} to {last} of {stream}, and the journal ends before them: it \
         is an older copy"
    )]
    Missing {
        /// The stream.
        stream: StreamId,
        /// First record that is missing.
        first: u64,
        /// Last record that the tree knows of.
        last: u64,
    },
    /// A block is another than its leaf says.
    #[error("records {first} to {last} of {stream} are not those the tree has at leaf {place}")]
    Other {
        /// The stream.
        stream: StreamId,
        /// First record of the leaf.
        first: u64,
        /// Last record of the leaf.
        last: u64,
        /// The leaf.
        place: u64,
    },
    /// A stream cannot be read.
    #[error("the journal {stream} cannot be read: {what}")]
    Unreadable {
        /// The stream.
        stream: StreamId,
        /// Why.
        what: String,
    },
    /// The tree's own nodes are not those of its leaves.
    #[error("the tree's nodes are not those of its leaves")]
    Nodes,
    /// A row of heads or tails is not what the house put there.
    #[error("what the tree keeps as signed over {size} blocks is no statement of the house")]
    Kept {
        /// The size it is filed under.
        size: u64,
    },
    /// The heads were removed.
    #[error("the tree keeps no signed checkpoint, and the house has signed one over {size} blocks")]
    NoHead {
        /// The size of what was signed.
        size: u64,
    },
    /// A head is not of this house, or of another life.
    #[error("the checkpoint is of {found:?}, this house's tree is {expected:?}")]
    Origin {
        /// Whose it is.
        found: String,
        /// This house's.
        expected: String,
    },
    /// A head that the house did not sign.
    #[error("the checkpoint over {size} blocks is not signed by the house")]
    NotSigned {
        /// Its size.
        size: u64,
    },
    /// A head that is not cosigned by the witness that was named.
    #[error("the checkpoint over {size} blocks is not cosigned by {witness}")]
    NotCosigned {
        /// Its size.
        size: u64,
        /// The witness.
        witness: String,
    },
    /// The tree is smaller than what was signed or cosigned.
    #[error(
        "a checkpoint over {known} blocks was {by}, and the tree has {size}: it is an older copy"
    )]
    Behind {
        /// Its size.
        size: u64,
        /// The size that is known.
        known: u64,
        /// `signed by the house` or `cosigned by NAME`.
        by: String,
    },
    /// The tree had another root at that size.
    #[error("the tree of {size} blocks is not the one that was {by}: it was written anew")]
    Root {
        /// The size.
        size: u64,
        /// `signed by the house` or `cosigned by NAME`.
        by: String,
    },
}

/// What the folder is held to.
#[derive(Clone, Copy, Debug)]
pub enum Demand<'a> {
    /// Only its own heads.
    Nothing,
    /// The newest head in it must be cosigned by this witness.
    CosignedBy(&'a VerifierKey),
    /// It must continue this cosigned head, which somebody else kept.
    Continues(&'a Note, &'a VerifierKey),
}

/// Holds a data folder to its tree and to a cosigned head.
///
/// # Errors
/// When the folder cannot be read at all; what is wrong in it is in the report.
pub fn check_tree(
    data: &Path,
    ring: &KeyRing,
    demand: Demand<'_>,
) -> Result<TreeReport, CheckError> {
    let mut report = TreeReport::default();
    let no_tree = |mut report: TreeReport| {
        report.faults.push(TreeFault::NoTree);
        Ok(report)
    };
    // A house that runs goes on meanwhile: what it had signed is read first, each
    // statement before its head, then the tree, which has all of that.
    let Some(before) = HouseTree::open_to_read(data)? else {
        return no_tree(report);
    };
    let statements = before.kept_tails()?;
    let kept = before.kept_heads()?;
    drop(before);
    let Some(tree) = HouseTree::open_to_read(data)? else {
        return no_tree(report);
    };
    (report.size, report.life) = (tree.size(), tree.life());
    let own = origin(ring.house(), tree.life());
    let mut heads = Vec::new();
    check_heads(kept, ring, &own, &mut heads, &mut report);
    check_statements(&tree, &statements, ring, &own, &mut report)?;
    let cosigned = match demand {
        Demand::Nothing => None,
        Demand::CosignedBy(witness) => {
            let found = tree.newest_cosigned()?;
            if found.is_none() {
                let witness = witness.name().to_owned();
                let fault = TreeFault::NotCosigned { size: 0, witness };
                report.faults.push(fault);
            }
            found.map(|(note, head)| (note, head, witness))
        }
        Demand::Continues(note, witness) => {
            let head = TreeHead::parse(note.text()).map_err(|_| CheckError::NoCheckpoint)?;
            Some((note.clone(), head, witness))
        }
    };
    if let Some((note, head, witness)) = cosigned {
        check_signed(&own, &note, &head, ring, &mut report.faults);
        match note.cosigned_by(witness) {
            Some(time_s) => {
                report.cosigned = Some(CosignedHead {
                    size: head.size,
                    witness: witness.name().to_owned(),
                    time_s,
                });
                heads.push((head, format!("cosigned by {}", witness.name())));
            }
            None => report.faults.push(TreeFault::NotCosigned {
                size: head.size,
                witness: witness.name().to_owned(),
            }),
        }
    }
    let stores = open_all(data, &mut report.faults)?;
    let mut walk = Walk::from_the_first(&stores, &heads).with_nodes(&tree);
    walk.along(&tree, &mut report)?;
    walk.rest(&mut report);
    Ok(report)
}

/// Every head that is kept in the tree.
fn check_heads(
    all: Vec<KeptNote>,
    ring: &KeyRing,
    own: &str,
    heads: &mut Vec<(TreeHead, String)>,
    report: &mut TreeReport,
) {
    for kept in all {
        let size = kept.filed_under;
        let head = kept.note.as_ref();
        let head = head.and_then(|note| TreeHead::parse(note.text()).ok());
        let (Some(note), Some(head)) = (kept.note, head.filter(|head| head.size == size)) else {
            report.faults.push(TreeFault::Kept { size });
            continue;
        };
        report.signed_size = Some(head.size);
        check_signed(own, &note, &head, ring, &mut report.faults);
        heads.push((head, "signed by the house".to_owned()));
    }
}

/// Every statement where streams end that is kept in the tree.
fn check_statements(
    tree: &HouseTree,
    statements: &[KeptNote],
    ring: &KeyRing,
    own: &str,
    report: &mut TreeReport,
) -> Result<(), TreeError> {
    for kept in statements {
        let size = kept.filed_under;
        let stated = kept.note.as_ref();
        let stated = stated.and_then(|note| Mark::parse(note.text()).map(|mark| (note, mark)));
        let begins = |mark: &Mark| -> Result<bool, TreeError> {
            let is_of_it = mark.house == ring.house() && mark.life == tree.life();
            let fits = is_of_it && mark.size == size && size <= tree.size();
            Ok(fits && tree.root_at(size)? == mark.root)
        };
        let good = match &stated {
            Some((note, mark)) => is_signed(own, note, ring) && begins(mark)?,
            None => false,
        };
        if !good {
            report.faults.push(TreeFault::Kept { size });
        }
    }
    // A statement is kept with its head.
    if let (None, Some(stated)) = (report.signed_size, statements.first()) {
        let size = stated.filed_under;
        report.faults.push(TreeFault::NoHead { size });
    }
    Ok(())
}

/// The head's origin, and that one of the house's keys signed it.
fn check_signed(
    own: &str,
    note: &Note,
    head: &TreeHead,
    ring: &KeyRing,
    faults: &mut Vec<TreeFault>,
) {
    if head.origin != own {
        let (found, expected) = (head.origin.clone(), own.to_owned());
        faults.push(TreeFault::Origin { found, expected });
        return;
    }
    if !is_signed(own, note, ring) {
        faults.push(TreeFault::NotSigned { size: head.size });
    }
}

fn is_signed(own: &str, note: &Note, ring: &KeyRing) -> bool {
    ring.keys().any(|key| {
        let key = VerifierKey::new(own, Algorithm::Ed25519, key.clone());
        key.is_ok_and(|key| note.is_signed_by(&key))
    })
}

/// Why nothing could be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A journal.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The folder has no tree, or no head was signed yet.
    #[error("the folder has no signed checkpoint of its tree")]
    NoHead,
    /// What was demanded is no checkpoint.
    #[error("the note that was given is no checkpoint of a tree")]
    NoCheckpoint,
}
