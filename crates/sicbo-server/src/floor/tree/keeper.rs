//! The thread that keeps the tree: writes leaves down together, signs a head
//! every few seconds while something was written, keeps the mark, and asks the
//! witness. It may be behind the tables; it is never ahead of them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use sicbo_clock::{now_ms, steady_ms};
use sicbo_journal::{DataFolder, Header, HouseKey, KeyId, SqliteStore, Store, StreamId, Vfs};
use sicbo_witness::ask::{Outcome, ask, later_life};
use sicbo_witness::client::Client;
use sicbo_witness::head::{TreeHead, origin};
use sicbo_witness::house_tree::{HeadReason, HouseTree, Leaf, TreeError};
use sicbo_witness::mark::Mark;
use sicbo_witness::note::VerifierKey;

use super::{Behind, KnownBy, ToTree, TreeStands, Watch};

/// Something that was written is signed for within this time.
const SIGN_INTERVAL: Duration = Duration::from_secs(5);
/// Leaves that are written down at once, however soon they come.
const MAX_PENDING: usize = 4_096;

/// What the thread is made of.
pub(in crate::floor) struct Keeper {
    /// The data folder.
    pub(in crate::floor) data: PathBuf,
    /// The house's id.
    pub(in crate::floor) house: KeyId,
    /// The key that signs.
    pub(in crate::floor) key: HouseKey,
    /// The tree; none while the house is behind.
    pub(in crate::floor) tree: Option<HouseTree>,
    /// The witness and the key of its cosignatures.
    pub(in crate::floor) witness: Option<(Client, VerifierKey)>,
    /// The file of the mark.
    pub(in crate::floor) mark: Option<PathBuf>,
    /// The witness has said that it knows no later life of the house.
    pub(in crate::floor) lives_asked: bool,
    /// Streams that this process has opened and made durable.
    pub(in crate::floor) opened: BTreeSet<StreamId>,
    /// Where it says how it stands.
    pub(in crate::floor) watch: Watch,
}

/// A running keeper.
pub(in crate::floor) struct Running {
    to: Sender<ToTree>,
    thread: JoinHandle<()>,
}

impl Running {
    /// Writes down, signs and asks once more, and ends. Waits.
    pub(in crate::floor) fn stop(self) {
        let _ = self.to.send(ToTree::Stop);
        let _ = self.thread.join();
    }
}

/// Starts the thread.
pub(in crate::floor) fn start_keeper(
    keeper: Keeper,
    to: Sender<ToTree>,
    queue: Receiver<ToTree>,
) -> std::io::Result<Running> {
    let thread = std::thread::Builder::new()
        .name("tree".to_owned())
        .spawn(move || {
            let mut work = Work {
                keeper,
                pending: Vec::new(),
                unread: BTreeSet::new(),
                signed: 0,
                due: Instant::now() + SIGN_INTERVAL,
                said: None,
                unwritten_since_ms: None,
                unsigned_since_ms: None,
            };
            work.run(&queue);
        })?;
    Ok(Running { to, thread })
}

struct Work {
    keeper: Keeper,
    /// Leaves that are not yet written down.
    pending: Vec<Leaf>,
    /// Streams of which a leaf was missed: they are read.
    unread: BTreeSet<StreamId>,
    /// The size of the newest signed head.
    signed: u64,
    due: Instant,
    /// What was last said to the log, so that it is said once.
    said: Option<String>,
    /// Since when the tree could not be written, by the steady clock.
    unwritten_since_ms: Option<i64>,
    /// Since when no signed head could be kept, by the steady clock. Apart from
    /// the above: leaves may well be written while no head is.
    unsigned_since_ms: Option<i64>,
}

impl Work {
    fn run(&mut self, queue: &Receiver<ToTree>) {
        self.unread = self.all_streams();
        self.write_down();
        self.signed = self.signed_before();
        self.sign(HeadReason::Start);
        loop {
            let wait = self.due.saturating_duration_since(Instant::now());
            match queue.recv_timeout(wait) {
                Ok(ToTree::Leaf(leaf)) => {
                    self.keeper.opened.insert(leaf.stream.clone());
                    self.pending.push(leaf);
                    if self.pending.len() >= MAX_PENDING {
                        self.write_down();
                    }
                }
                Ok(ToTree::ShiftEnded) => {
                    self.write_down();
                    self.sign(HeadReason::ShiftEnd);
                }
                Ok(ToTree::Paid) => self.cover_payment(),
                Ok(ToTree::GoOn { life, done }) => {
                    let _ = done.send(self.go_on(life));
                }
                Ok(ToTree::Stop) | Err(RecvTimeoutError::Disconnected) => {
                    self.write_down();
                    self.sign(HeadReason::Stop);
                    return;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if Instant::now() >= self.due {
                self.write_down();
                self.sign(HeadReason::Interval);
                self.due = Instant::now() + SIGN_INTERVAL;
            }
        }
    }

    /// Money has left the house: what says so is under a signed head at once, in
    /// the mark, and with the witness. One that was silent before is not waited
    /// for with every payment.
    fn cover_payment(&mut self) {
        self.write_down();
        self.keep_head(HeadReason::Interval);
        if self.keeper.watch.stands().problem.is_none() {
            self.ask(HeadReason::Interval);
        }
    }

    /// Blocks under the newest head that an earlier process kept. A file that says
    /// none, or cannot say, has none.
    fn signed_before(&self) -> u64 {
        let newest = self.keeper.tree.as_ref().map(HouseTree::newest_head);
        let newest = newest.and_then(|found| found.ok().flatten());
        newest.map_or(0, |(_, head)| head.size)
    }

    /// Durable blocks are in no tree: told at once, and after a while the house
    /// neither pays nor deals. The time counts from the oldest of them, so that it
    /// does not begin anew with a start.
    fn not_written(&mut self, began_ms: i64, what: String) {
        let since_ms = match self.unwritten_since_ms {
            Some(since_ms) => since_ms,
            None => since_oldest(began_ms, self.oldest_outside_ms()),
        };
        self.unwritten_since_ms = Some(since_ms);
        self.keeper.watch.unwritten_since(Some(since_ms));
        let problem = Some(what.clone());
        self.keeper.watch.change(|stands| stands.problem = problem);
        self.say(what);
    }

    /// No signed head could be kept: counted and told as a tree that is not
    /// written, from the oldest block that is under none.
    fn not_signed(&mut self, began_ms: i64, what: String) {
        let since_ms = match self.unsigned_since_ms {
            Some(since_ms) => since_ms,
            None => since_oldest(began_ms, self.oldest_unsigned_ms()),
        };
        self.unsigned_since_ms = Some(since_ms);
        self.keeper.watch.unsigned_since(Some(since_ms));
        self.keeper.watch.change(|stands| {
            stands.unsigned = Some(what.clone());
            waits_for_witness(stands);
        });
        self.say(what);
    }

    /// When the oldest block of the tree was sealed that no signed head covers.
    fn oldest_unsigned_ms(&self) -> Option<i64> {
        let tree = self.keeper.tree.as_ref()?;
        let leaf = tree.leaves(self.signed, 1).ok()?.pop()?;
        let path = DataFolder::stream_path(&self.keeper.data, &leaf.stream);
        let store = SqliteStore::open_read_only(&path, leaf.stream, &Vfs::default()).ok()?;
        let block = store.headers_from(leaf.first_sequence).next()?.ok()?;
        Some(Header::decode(&block.header).ok()?.time_ms)
    }

    /// Says something to the log, once until something else is said.
    fn say(&mut self, what: String) {
        if self.said.as_ref() != Some(&what) {
            tracing::error!("{what}");
            self.said = Some(what);
        }
    }

    /// When the oldest durable block was sealed that the tree does not have.
    fn oldest_outside_ms(&self) -> Option<i64> {
        let tree = self.keeper.tree.as_ref()?;
        let first_ms = |stream: StreamId| {
            let path = DataFolder::stream_path(&self.keeper.data, &stream);
            let last = tree.tails().get(&stream).map_or(0, |tail| tail.sequence);
            let store = SqliteStore::open_read_only(&path, stream, &Vfs::default()).ok()?;
            let block = store.headers_from(last + 1).next()?.ok()?;
            Some(Header::decode(&block.header).ok()?.time_ms)
        };
        let streams = self.all_streams().into_iter();
        streams.filter_map(first_ms).min()
    }

    /// The streams of the folder that may be read: those this process has made
    /// durable, and those that no earlier process left a log of.
    fn all_streams(&self) -> BTreeSet<StreamId> {
        let streams = DataFolder::streams(&self.keeper.data).unwrap_or_default();
        let settled = |stream: &StreamId| {
            let mut log = DataFolder::stream_path(&self.keeper.data, stream).into_os_string();
            log.push("-wal");
            let length = std::fs::metadata(log).map_or(0, |log| log.len());
            self.keeper.opened.contains(stream) || length == 0
        };
        streams.into_iter().filter(settled).collect()
    }

    /// Writes the leaves down that came, and reads those that did not.
    fn write_down(&mut self) {
        let Some(tree) = &mut self.keeper.tree else {
            self.pending.clear();
            return;
        };
        let mut wrong = None;
        // Another program that holds the file makes a write wait before it fails.
        let began_ms = steady_ms();
        match tree.append(&self.pending) {
            Ok(()) => {}
            Err(TreeError::Gap { .. }) => {
                // One was missed when the queue was full: the streams have it.
                let streams = self.pending.iter().map(|leaf| leaf.stream.clone());
                self.unread.extend(streams);
            }
            Err(error) => wrong = Some(error),
        }
        self.pending.clear();
        if wrong.is_none() && !self.unread.is_empty() {
            wrong = read(&self.keeper.data, &self.unread, tree).err();
            if wrong.is_none() {
                self.unread.clear();
            }
        }
        let size = tree.size();
        self.keeper.watch.change(|stands| stands.size = size);
        if let Some(error) = wrong {
            // What was not written down is read from the streams next time.
            self.unread = self.all_streams();
            self.not_written(
                began_ms,
                format!("the house's tree is not written: {error}"),
            );
        } else if self.unwritten_since_ms.take().is_some() {
            self.keeper.watch.unwritten_since(None);
            self.keeper.watch.change(|stands| stands.problem = None);
            tracing::info!("the house's tree is written again");
        }
    }

    /// Signs the head if it is a new one, keeps the mark, and asks the witness
    /// while it has not cosigned the newest. It is asked about a head that could
    /// not be kept as well: what it has seen cannot be taken back unseen.
    fn sign(&mut self, reason: HeadReason) {
        self.keep_head(reason);
        self.ask(reason);
    }

    /// Signs the head if it is a new one, and keeps the mark.
    fn keep_head(&mut self, reason: HeadReason) {
        let Some(tree) = &self.keeper.tree else {
            return;
        };
        let head = tree.head(&self.keeper.watch.stands().origin);
        let is_new = match reason {
            HeadReason::ShiftEnd => true,
            HeadReason::Start => head.size > 0,
            HeadReason::Interval | HeadReason::Stop => head.size != self.signed,
        };
        if is_new || self.keeper.watch.stands().mark_problem.is_some() {
            // Before the head: a mark is never of another tree than one that has a head.
            self.keep_mark();
        }
        if !is_new && self.unsigned_since_ms.is_none() {
            return;
        }
        let began_ms = steady_ms();
        if let Err(what) = self.keep_signed(&head, reason) {
            self.not_signed(began_ms, what);
            return;
        }
        self.signed = head.size;
        let was_unsigned = self.unsigned_since_ms.take().is_some();
        self.keeper.watch.unsigned_since(None);
        self.keeper.watch.change(|stands| {
            stands.signed_size = head.size;
            stands.unsigned = None;
            if was_unsigned {
                // What was cosigned meanwhile was never kept with its head: it is asked for again.
                stands.cosigned_size = None;
            }
            waits_for_witness(stands);
        });
        if was_unsigned {
            tracing::info!("the head of the house's tree is signed and kept again");
        }
    }

    /// Signs this head and keeps it, with the house's own word where each stream
    /// ends: rows of the tree are under no hash.
    fn keep_signed(&mut self, head: &TreeHead, reason: HeadReason) -> Result<(), String> {
        let Keeper {
            tree, key, house, ..
        } = &mut self.keeper;
        let Some(tree) = tree else { return Ok(()) };
        let not_signed = "the head of the house's tree is not signed";
        let note = head.sign(key);
        let note = note.map_err(|error| format!("{not_signed}: {error}"))?;
        let not_kept = "the head of the house's tree is not kept";
        tree.keep_head(head.size, &note, reason, now_ms())
            .map_err(|error| format!("{not_kept}: {error}"))?;
        let name = origin(*house, tree.life());
        let note = Mark::of(*house, tree).sign(&name, key);
        let note = note.map_err(|error| format!("{not_signed}: {error}"))?;
        tree.keep_tails(tree.size(), &note)
            .map_err(|error| format!("where the streams end is not kept: {error}"))
    }

    /// Keeps the mark. One that cannot be written is tried again each time.
    fn keep_mark(&mut self) {
        let (Some(tree), Some(file)) = (&self.keeper.tree, &self.keeper.mark) else {
            return;
        };
        let mark = Mark::of(self.keeper.house, tree);
        let problem = mark.write(file).err().map(|error| error.to_string());
        if let Some(what) = &problem {
            self.say(what.clone());
        }
        let problem = problem.map(|what| (now_ms(), what));
        self.keeper.watch.change(|stands| {
            // When it began, as long as it lasts.
            let began_ms = stands.mark_problem.as_ref().map(|(at_ms, _)| *at_ms);
            stands.mark_problem = problem.map(|(at_ms, what)| (began_ms.unwrap_or(at_ms), what));
        });
    }

    fn ask(&mut self, reason: HeadReason) {
        let Keeper {
            tree,
            watch,
            witness,
            key,
            house,
            lives_asked,
            ..
        } = &mut self.keeper;
        let (Some(tree), Some((client, verifier))) = (tree, witness) else {
            return;
        };
        let stands = watch.stands();
        if stands.cosigned_size == Some(tree.size()) {
            watch.change(|stands| stands.waits_since_ms = None);
            return;
        }
        // A stop does not wait for a witness that was silent before.
        if reason == HeadReason::Stop && stands.problem.is_some() {
            return;
        }
        let head = tree.head(&stands.origin);
        let Ok(note) = head.sign(key) else { return };
        // A house that was let play before its witness answered asks this late.
        let later = match *lives_asked {
            true => Ok(None),
            false => later_life((*house, stands.life), key, |body| client.post(body)),
        };
        *lives_asked |= later == Ok(None);
        let asked = match later {
            Ok(Some(later)) => Ok(Outcome::LaterLife(later)),
            Err(why) => Ok(Outcome::Silent(why)),
            Ok(None) => ask(
                (&note, &head),
                verifier,
                stands.cosigned_size.unwrap_or(0),
                |old| tree.consistency(old),
                |body| client.post(body),
            ),
        };
        let name = verifier.name().to_owned();
        let behind = |known_size, forked| Behind {
            by: KnownBy::Witness(name.clone()),
            size: head.size,
            known_size,
            forked,
            missing: Vec::new(),
            fault: None,
        };
        let (problem, behind) = match asked {
            Ok(Outcome::Cosigned { note, time_s }) => {
                let kept = tree.keep_cosigned(head.size, &note, time_s);
                watch.change(|stands| {
                    stands.cosigned_size = Some(head.size);
                    stands.cosigned_ms = Some(now_ms());
                    stands.waits_since_ms = None;
                    stands.silent_at_start = false;
                    stands.problem = None;
                });
                match kept {
                    Ok(()) => {
                        let is_well = stands.unsigned.is_none() && stands.mark_problem.is_none();
                        if is_well && self.said.take().is_some() {
                            tracing::info!("the witness cosigns");
                        }
                        return;
                    }
                    Err(error) => (error.to_string(), None),
                }
            }
            Ok(Outcome::Behind { witness_size }) => {
                let behind = behind(witness_size, false);
                (behind.to_string(), Some(behind))
            }
            Ok(Outcome::Forked { witness_size }) => {
                let behind = behind(witness_size.unwrap_or(0), true);
                (behind.to_string(), Some(behind))
            }
            Ok(Outcome::LaterLife(later)) => {
                let behind = Behind::earlier_life(&name, head.size, &later);
                (behind.to_string(), Some(behind))
            }
            Ok(Outcome::Unknown(why)) => {
                let origin = &stands.origin;
                let add = "its operator must add";
                (format!("{why}; {add} {origin} (`sicbo witness log`)"), None)
            }
            Ok(Outcome::Silent(why)) => (why, None),
            Err(error) => (error.to_string(), None),
        };
        // The house was let play without its witness's word, and should not have been.
        let is_behind = behind.is_some();
        watch.change(|stands| {
            stands.problem = Some(problem.clone());
            stands.behind = behind.or(stands.behind.take());
        });
        if is_behind {
            self.keeper.tree = None;
        }
        self.say(format!("no cosignature: {problem}"));
    }

    /// Begins a new life with a tree of what there is.
    fn go_on(&mut self, life: u32) -> Result<(), String> {
        self.pending.clear();
        self.keeper.tree = None;
        let tree = HouseTree::create(&self.keeper.data, life);
        self.keeper.tree = Some(tree.map_err(|error| error.to_string())?);
        self.unread = self.all_streams();
        self.signed = 0;
        self.keeper.lives_asked = false;
        let origin = origin(self.keeper.house, life);
        self.keeper.watch.change(|stands| {
            stands.life = life;
            stands.origin = origin;
            stands.behind = None;
            stands.cosigned_size = None;
            stands.cosigned_ms = None;
            stands.waits_since_ms = None;
            stands.silent_at_start = false;
            stands.problem = None;
            stands.unsigned = None;
        });
        self.unsigned_since_ms = None;
        self.keeper.watch.unsigned_since(None);
        self.write_down();
        self.sign(HeadReason::Start);
        Ok(())
    }
}

/// The moment of the steady clock from which something counts that began now or,
/// as its oldest block says, earlier.
fn since_oldest(began_ms: i64, oldest_ms: Option<i64>) -> i64 {
    let age_ms = oldest_ms.map_or(0, |oldest_ms| now_ms().saturating_sub(oldest_ms));
    began_ms.min(steady_ms().saturating_sub(age_ms))
}

/// There is something the witness has not cosigned, if there is a witness.
fn waits_for_witness(stands: &mut TreeStands) {
    if stands.witness.is_some() && stands.waits_since_ms.is_none() {
        stands.waits_since_ms = Some(steady_ms());
    }
}

/// Appends what the streams have and the tree has not.
fn read(
    data: &std::path::Path,
    streams: &BTreeSet<StreamId>,
    tree: &mut HouseTree,
) -> Result<(), TreeError> {
    let mut stores = Vec::new();
    for stream in streams {
        let path = DataFolder::stream_path(data, stream);
        let store = SqliteStore::open_read_only(&path, stream.clone(), &Vfs::default());
        let store = store.map_err(|error| TreeError::Io {
            path: path.clone(),
            what: error.to_string(),
        })?;
        stores.push((stream.clone(), store));
    }
    let stores: Vec<(StreamId, &dyn Store)> = stores
        .iter()
        .map(|(stream, store)| (stream.clone(), store as &dyn Store))
        .collect();
    tree.catch_up(&stores).map(drop)
}

#[cfg(test)]
mod tests;
