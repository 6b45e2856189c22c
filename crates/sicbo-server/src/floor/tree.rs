//! The house's tree while it runs: leaves come from the stores after their
//! blocks are durable, a thread of its own writes them down, signs the head,
//! keeps the mark and asks the witness. No bet waits for any of it.
//!
//! What a start makes of the tree is in `look`, what the journals must hold by
//! it in `held`; the thread is in `keeper`.

mod held;
mod keeper;
mod look;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use sicbo_clock::{now_ms, steady_ms};
use sicbo_journal::{SealedBlock, StreamId};
use sicbo_plan::HousePlan;
use sicbo_witness::house_tree::Leaf;

use super::start::{Place, StartError, io};
use keeper::{Keeper, start_keeper};

pub(super) use keeper::Running;
pub(super) use look::{House as LookedAt, Looked, look};

/// Leaves that may wait. One that finds no room is read from its stream later.
const MAX_WAITING: usize = 1 << 16;

/// No time by the steady clock: the tree is written.
const WRITTEN: i64 = i64::MIN;
/// A house without a witness is stopped by a tree that cannot be written for so long.
const UNWRITTEN_S: u32 = 300;

/// Where the newest head is kept outside the data folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum MarkPlace {
    /// Nowhere: for tests.
    #[default]
    Nowhere,
    /// In this file.
    File(PathBuf),
    /// In a file of this folder that is named after the house.
    Folder(PathBuf),
}

/// A stream that lacks records which are known to have been written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingRecords {
    /// The stream.
    pub stream: String,
    /// Its last record now.
    pub ends: u64,
    /// The last record that is known.
    pub known: u64,
}

/// By whom it is known that there was more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KnownBy {
    /// The witness, by its name.
    Witness(String),
    /// The mark outside the data folder.
    Mark,
    /// The house's own tree.
    Tree,
    /// The tables' journals.
    Tables,
}

impl fmt::Display for KnownBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KnownBy::Witness(name) => write!(f, "its witness {name}"),
            KnownBy::Mark => write!(
                f,
                "its mark outside the data folder (which catches accidents, not attackers)"
            ),
            KnownBy::Tree => write!(f, "its own tree"),
            KnownBy::Tables => write!(f, "the journals of its tables"),
        }
    }
}

/// The house's data is older than what is known outside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behind {
    /// By whom that is known.
    pub by: KnownBy,
    /// Blocks of the tree.
    pub size: u64,
    /// Blocks that are known.
    pub known_size: u64,
    /// The tree is not a shorter one but another.
    pub forked: bool,
    /// What is missing of which stream, as far as that is known.
    pub missing: Vec<MissingRecords>,
    /// Why, where it is something else.
    pub fault: Option<String>,
}

impl Behind {
    /// The witness knows a later life of the house.
    fn earlier_life(witness: &str, size: u64, later: &str) -> Behind {
        let fault = format!(
            "its witness {witness} has cosigned {later}, a later life of this house: the data is \
             from before two persons recorded that the house goes on"
        );
        Behind {
            by: KnownBy::Witness(witness.to_owned()),
            size,
            known_size: size,
            forked: true,
            missing: Vec::new(),
            fault: Some(fault),
        }
    }

    /// The tree was begun anew at this start, and the witness knows another.
    fn without_tree(witness: &str, size: u64, known_size: u64) -> Behind {
        let fault = format!(
            "its tree (tree/tree.sqlite) was missing, and its witness {witness} knows one of \
             {known_size} blocks. The journals may be complete; without the tree that cannot be \
             shown to the witness"
        );
        Behind {
            by: KnownBy::Witness(witness.to_owned()),
            size,
            known_size,
            forked: false,
            missing: Vec::new(),
            fault: Some(fault),
        }
    }

    /// The tables have written what the register does not know.
    pub(super) fn of_register(size: u64, unknown: String) -> Behind {
        Behind {
            by: KnownBy::Tables,
            size,
            known_size: size,
            forked: false,
            missing: Vec::new(),
            fault: Some(unknown),
        }
    }

    /// The tree is not that of the journals: how that is seen.
    fn damaged(size: u64, known_size: u64, fault: String) -> Behind {
        Behind {
            by: KnownBy::Tree,
            size,
            known_size,
            forked: false,
            missing: Vec::new(),
            fault: Some(fault),
        }
    }
}

impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Behind {
            by,
            size,
            known_size,
            ..
        } = self;
        write!(f, "the house does not play: ")?;
        let (lead, fault) = match (by, &self.fault) {
            (KnownBy::Witness(_) | KnownBy::Mark, Some(fault)) => (Some(fault), None),
            (_, fault) => (None, fault.as_ref()),
        };
        match (self.forked, known_size.checked_sub(*size)) {
            _ if lead.is_some() => write!(f, "{}", lead.map_or("", String::as_str))?,
            _ if fault.is_some() && *by == KnownBy::Tables => {
                write!(f, "its own journal (house.sqlite) is older than {by}")?;
            }
            _ if fault.is_some() => write!(f, "its tree is not that of its journals")?,
            // A tree that is being built anew has no blocks to count.
            (false, Some(_)) if *size == 0 && !self.missing.is_empty() => {
                write!(f, "its data is older than {by} knows")?;
            }
            (false, Some(by_blocks @ 1..)) => write!(
                f,
                "its data is {by_blocks} blocks behind {by}, which knows {known_size} and finds \
                 {size}"
            )?,
            (true, _) => write!(
                f,
                "its data is not that of {by}: the first {known_size} blocks are not those it knows"
            )?,
            _ => write!(f, "its data is older than {by} knows")?,
        }
        for missing in &self.missing {
            let MissingRecords {
                stream,
                ends,
                known,
            } = missing;
            match ends < known {
                true => write!(f, "; {stream} ends with record {ends} of {known}")?,
                false => write!(f, "; record {known} of {stream} is another")?,
            }
        }
        if let Some(fault) = fault {
            write!(f, "; {fault}")?;
        }
        write!(
            f,
            ". Put the newest data back and start again; if it is lost, two persons record why the \
             house goes on (\"When the house is behind its witness\" in docs/operating.md)"
        )
    }
}

/// How the tree and its witness stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeStands {
    /// Which life of the house.
    pub life: u32,
    /// Whose tree, as the witness knows it.
    pub origin: String,
    /// Blocks in the tree.
    pub size: u64,
    /// Blocks under the newest signed head.
    pub signed_size: u64,
    /// The witness's name, where there is one.
    pub witness: Option<String>,
    /// Blocks under the newest cosigned head.
    pub cosigned_size: Option<u64>,
    /// When it was cosigned, milliseconds of UTC.
    pub cosigned_ms: Option<i64>,
    /// Since when a signed head waits for its cosignature, by the steady clock.
    pub waits_since_ms: Option<i64>,
    /// The house was let play although its witness did not answer at the start.
    pub silent_at_start: bool,
    /// Why the witness has not cosigned it, or the tree is not written.
    pub problem: Option<String>,
    /// Why no signed head of it could be kept.
    pub unsigned: Option<String>,
    /// Since when the mark outside the data folder could not be written,
    /// milliseconds of UTC, and why.
    pub mark_problem: Option<(i64, String)>,
    /// The data is older than what is known.
    pub behind: Option<Behind>,
    /// The tree was missing at the start, and when: in words for the log, the
    /// alert and whoever started the house.
    pub built_anew: Option<(i64, String)>,
}

impl TreeStands {
    /// Everything that is wrong beside the data's age, in words.
    #[must_use]
    pub fn problems(&self) -> Option<String> {
        let mark = self.mark_problem.as_ref().map(|(_, why)| why.as_str());
        let all = [self.unsigned.as_deref(), self.problem.as_deref(), mark];
        let all: Vec<&str> = all.into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// The tree of a running house, for whoever looks at it.
pub struct TreeWatch {
    stands: Mutex<TreeStands>,
    /// Asked with every message of a terminal: no lock for that.
    is_behind: AtomicBool,
    /// Since when the tree could not be written, by the steady clock; `WRITTEN`
    /// while it can.
    unwritten_since_ms: AtomicI64,
    /// Since when no signed head of it could be kept, in the same way.
    unsigned_since_ms: AtomicI64,
    to: Sender<ToTree>,
    alarm_after_s: u32,
}

impl TreeWatch {
    pub(super) fn new(stands: TreeStands, to: Sender<ToTree>, alarm_after_s: u32) -> TreeWatch {
        TreeWatch {
            is_behind: AtomicBool::new(stands.behind.is_some()),
            unwritten_since_ms: AtomicI64::new(WRITTEN),
            unsigned_since_ms: AtomicI64::new(WRITTEN),
            stands: Mutex::new(stands),
            to,
            alarm_after_s,
        }
    }

    /// How it stands now.
    #[must_use]
    pub fn stands(&self) -> TreeStands {
        self.stands.lock().clone()
    }

    /// Why the house does not play, if so.
    #[must_use]
    pub fn behind(&self) -> Option<Behind> {
        self.stands.lock().behind.clone()
    }

    /// Whether the house does not play.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.is_behind.load(Ordering::Relaxed)
    }

    /// For how many seconds durable blocks have waited to be written to the tree,
    /// or for a signed head over them, when that is longer than the plan allows:
    /// until they are, an older copy of the data could not be told from this, and
    /// the house neither pays nor deals.
    #[must_use]
    pub fn unwritten_s(&self) -> Option<i64> {
        let since = [&self.unwritten_since_ms, &self.unsigned_since_ms];
        let since = since.map(|since| since.load(Ordering::Relaxed));
        let since_ms = since.into_iter().filter(|since| *since != WRITTEN).min()?;
        let waits_s = steady_ms().saturating_sub(since_ms) / 1_000;
        (waits_s >= i64::from(self.alarm_after_s)).then_some(waits_s)
    }

    /// The same in words, with the reason.
    #[must_use]
    pub fn unwritten(&self) -> Option<String> {
        let waits_s = self.unwritten_s()?;
        let why = self.stands.lock().problems().unwrap_or_default();
        Some(format!(
            "nothing is paid or dealt: the house's tree has not been written and signed for \
             {waits_s} s, so that an older copy of the data could not be noticed: {why}. Play goes \
             on by itself when tree/tree.sqlite can be written and signed again"
        ))
    }

    /// Since when, in milliseconds of UTC, the mark outside the data folder cannot
    /// be written, and why. The house plays on: it is kept against accidents.
    #[must_use]
    pub fn mark_problem(&self) -> Option<(i64, String)> {
        self.stands.lock().mark_problem.clone()
    }

    /// The tree could not be written since then, or could again.
    fn unwritten_since(&self, since_ms: Option<i64>) {
        let since_ms = since_ms.unwrap_or(WRITTEN);
        self.unwritten_since_ms.store(since_ms, Ordering::Relaxed);
    }

    /// No signed head could be kept since then, or one could again.
    fn unsigned_since(&self, since_ms: Option<i64>) {
        let since_ms = since_ms.unwrap_or(WRITTEN);
        self.unsigned_since_ms.store(since_ms, Ordering::Relaxed);
    }

    /// How old the last cosignature is, in seconds; none without one.
    #[must_use]
    pub fn cosigned_age_s(&self) -> Option<i64> {
        let at_ms = self.stands.lock().cosigned_ms?;
        Some(now_ms().saturating_sub(at_ms).max(0) / 1_000)
    }

    /// For how many seconds a head has waited for its cosignature, when that is
    /// longer than the plan allows, or the house plays without an answer since its
    /// start.
    #[must_use]
    pub fn alarm_s(&self) -> Option<i64> {
        let stands = self.stands.lock();
        stands.witness.as_ref()?;
        let waits_s = (steady_ms() - stands.waits_since_ms?) / 1_000;
        let alarms = stands.silent_at_start || waits_s >= i64::from(self.alarm_after_s);
        alarms.then_some(waits_s)
    }

    /// A shift has ended: the head is signed at once and kept.
    pub fn shift_ended(&self) {
        // Without room the next head covers it; it is then not kept apart.
        let _ = self.to.try_send(ToTree::ShiftEnded);
    }

    /// The cage has paid: the head is signed and the witness asked at once. Does
    /// not wait.
    pub fn paid(&self) {
        // Without room the next head covers it.
        let _ = self.to.try_send(ToTree::Paid);
    }

    /// Two persons have put on record that the house goes on: a new life begins,
    /// with a tree of what there is. Waits.
    ///
    /// # Errors
    /// Why it could not, in words.
    pub fn go_on(&self, life: u32) -> Result<(), String> {
        let (done, is_done) = bounded(1);
        let gone = |_| "the house is being stopped".to_owned();
        let asked = ToTree::GoOn { life, done };
        self.to.send(asked).map_err(|_| gone(()))?;
        is_done.recv().map_err(|_| gone(()))?
    }

    fn change(&self, change: impl FnOnce(&mut TreeStands)) {
        let mut stands = self.stands.lock();
        change(&mut stands);
        let behind = stands.behind.is_some();
        self.is_behind.store(behind, Ordering::Relaxed);
    }
}

/// What the tree's thread is told.
pub(super) enum ToTree {
    /// A block is durable.
    Leaf(Leaf),
    /// A shift has ended.
    ShiftEnded,
    /// The cage has paid.
    Paid,
    /// The house goes on after a rollback.
    GoOn {
        /// The life that begins.
        life: u32,
        /// Says how it went.
        done: Sender<Result<(), String>>,
    },
    /// The house stops in good order.
    Stop,
}

/// Tells the tree of blocks that are durable.
#[derive(Clone)]
pub(crate) struct LeafTold(Option<Sender<ToTree>>);

impl LeafTold {
    /// A block is durable.
    pub(crate) fn durable(&self, block: &SealedBlock) {
        let Some(to) = &self.0 else { return };
        let header = block.header();
        let leaf = Leaf {
            stream: header.stream.clone(),
            first_sequence: header.first_sequence,
            last_sequence: header.last_sequence,
            header_hash: block.header_hash(),
        };
        // A leaf without room is read from its stream when the next one comes.
        let _ = to.try_send(ToTree::Leaf(leaf));
    }
}

/// The queue of the tree's thread; practice has no tree.
pub(super) fn queue(practice: bool) -> (LeafTold, Sender<ToTree>, Receiver<ToTree>) {
    let (to, from) = bounded(MAX_WAITING);
    let told = LeafTold((!practice).then(|| to.clone()));
    (told, to, from)
}

/// Starts the thread that keeps the tree.
pub(super) fn keep(
    place: &Place,
    plan: &HousePlan,
    path: &Path,
    looked: Looked,
    opened: BTreeSet<StreamId>,
    (to, queue): (Sender<ToTree>, Receiver<ToTree>),
) -> Result<(Watch, Running), StartError> {
    let Looked {
        tree,
        client,
        stands,
        mark,
        lives_asked,
        ..
    } = looked;
    let witness = plan.witness.as_ref();
    let alarm_after_s = witness.map_or(UNWRITTEN_S, |witness| witness.alarm_after_s);
    if witness.is_none() && mark.is_none() {
        tracing::warn!(
            "neither a witness nor a mark: an older copy of all data would be played on unseen"
        );
    }
    // A tree that is behind is left as it is, for whoever looks.
    let tree = tree.filter(|_| stands.behind.is_none());
    let watch = Arc::new(TreeWatch::new(stands, to.clone(), alarm_after_s));
    let (house, key) = place.signer();
    let keeper = Keeper {
        data: path.to_owned(),
        house,
        key: key.clone(),
        tree,
        witness: client.zip(witness.map(|witness| witness.key.clone())),
        mark,
        lives_asked,
        opened,
        watch: Arc::clone(&watch),
    };
    let running = start_keeper(keeper, to, queue).map_err(io("starting the tree"))?;
    Ok((watch, running))
}

/// The tree as the floor has it.
pub(super) type Watch = Arc<TreeWatch>;
