//! What a start makes of the tree, before anything is written: whether the
//! house's own journal holds what the tree and the mark know, whether the
//! witness knows more, and what the tables' journals must hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sicbo_clock::now_ms;
use sicbo_journal::{Header, HouseKey, KeyId, Store, StreamId};
use sicbo_plan::{HousePlan, Unreachable, WitnessPlan};
use sicbo_register as register;
use sicbo_register::reached::Reached;
use sicbo_witness::ask::{Outcome, ask, later_life};
use sicbo_witness::client::Client;
use sicbo_witness::head::origin;
use sicbo_witness::house_tree::{HeadReason, HouseTree, TreeError};
use sicbo_witness::mark::Mark;
use sicbo_witness::note::Note;

use super::super::start::StartError;
use super::held::held;
use super::{Behind, KnownBy, MarkPlace, TreeStands};

/// How often a start that waits for its witness asks again.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// A house as it is looked at.
pub(in crate::floor) struct House<'h> {
    /// Its data folder.
    pub(in crate::floor) data: &'h Path,
    /// Its plan.
    pub(in crate::floor) plan: &'h HousePlan,
    /// Its id.
    pub(in crate::floor) id: KeyId,
    /// The key that signs now.
    pub(in crate::floor) key: &'h HouseKey,
    /// The life its register is in.
    pub(in crate::floor) life: u32,
    /// Its own journal.
    pub(in crate::floor) store: &'h dyn Store,
    /// Where its mark is.
    pub(in crate::floor) mark: &'h MarkPlace,
}

/// What was found.
pub(in crate::floor) struct Looked {
    /// The tree, unless it cannot be used.
    pub(in crate::floor) tree: Option<HouseTree>,
    /// The witness, where the plan has one.
    pub(in crate::floor) client: Option<Client>,
    /// How it stands.
    pub(in crate::floor) stands: TreeStands,
    /// What the tables' journals must hold, by stream.
    pub(in crate::floor) reached: BTreeMap<StreamId, Vec<Reached>>,
    /// The file of the mark.
    pub(in crate::floor) mark: Option<PathBuf>,
    /// The witness has said that it knows no later life of the house.
    pub(in crate::floor) lives_asked: bool,
}

pub(super) fn plan_fault(error: impl std::fmt::Display) -> StartError {
    StartError::Plan(error.to_string())
}

/// Looks at a house's tree, its mark and its witness. `stopped` says whether a
/// start that waits is to end.
pub(in crate::floor) fn look(
    house: &House<'_>,
    stopped: &dyn Fn() -> bool,
) -> Result<Looked, StartError> {
    let file = match house.mark {
        MarkPlace::Nowhere => None,
        MarkPlace::File(file) => Some(file.clone()),
        MarkPlace::Folder(folder) => Some(Mark::file_in(folder, house.id)),
    };
    let mark = match &file {
        Some(file) => Mark::read(file).map_err(plan_fault)?,
        None => None,
    };
    if let (Some(mark), Some(file)) = (&mark, &file)
        && mark.house != house.id
    {
        let what = format!("{} is the mark of another house", file.display());
        return Err(StartError::Plan(what));
    }
    if let (None, Some(file)) = (&mark, &file)
        && house.store.tail().sequence > 0
    {
        let file = file.display();
        let what = match house.plan.witness {
            Some(_) => "the witness alone can notice an older copy of all data",
            None => "an older copy of all data cannot be noticed at this start",
        };
        tracing::warn!("no mark was found at {file}: {what}. It is written anew");
    }
    let built_anew = is_lost(house)?.then(|| {
        let why = "the house's tree (tree/tree.sqlite) was missing and is built anew from the \
                   journals: what it alone knew, a rollback of all journals together, can no \
                   longer be noticed by it";
        tracing::error!("{why}");
        (now_ms(), why.to_owned())
    });
    let (tree, fault) = open(house)?;
    let witness = house.plan.witness.as_ref();
    let mut stands = TreeStands {
        life: house.life,
        origin: origin(house.id, house.life),
        size: tree.as_ref().map_or(0, HouseTree::size),
        witness: witness.map(|witness| witness.key.name().to_owned()),
        built_anew,
        ..TreeStands::default()
    };
    let (mut reached, behind) = held(house, tree.as_ref(), mark.as_ref())?;
    stands.behind = behind.or_else(|| {
        let known_size = mark.as_ref().map_or(0, |mark| mark.size);
        fault.map(|fault| Behind::damaged(0, known_size, fault))
    });
    if let Some(mark) = &mark
        && mark.life > house.life
        && stands.behind.is_none()
    {
        stands.behind = Some(Behind {
            by: KnownBy::Mark,
            size: stands.size,
            known_size: mark.size,
            forked: true,
            missing: Vec::new(),
            fault: None,
        });
    }
    reached.remove(&house_stream());
    let client = match witness {
        None => None,
        Some(witness) => {
            let what = |error| StartError::Plan(format!("the witness: {error}"));
            Some(Client::new(witness.url.clone(), witness.ca.as_deref()).map_err(what)?)
        }
    };
    let mut looked = Looked {
        tree,
        client,
        stands,
        reached,
        mark: file,
        lives_asked: false,
    };
    if let Some(witness) = witness
        && looked.stands.behind.is_none()
    {
        ask_witness(house, witness, &mut looked, stopped)?;
    }
    Ok(looked)
}

pub(super) fn house_stream() -> StreamId {
    match StreamId::new(register::STREAM) {
        Ok(stream) => stream,
        Err(_) => unreachable!("the house's own stream has a good name"),
    }
}

/// Whether there must have been a tree: whoever signs blocks keeps one.
fn is_lost(house: &House<'_>) -> Result<bool, StartError> {
    if HouseTree::path_in(house.data).exists() {
        return Ok(false);
    }
    let tail = house.store.tail().sequence;
    let last = house.store.headers_from(tail.max(1)).next().transpose();
    let last = last.map_err(|error| StartError::Recovery {
        stream: register::STREAM.to_owned(),
        error: error.into(),
    })?;
    let header = last.and_then(|last| Header::decode(&last.header).ok());
    Ok(header.is_some_and(|header| header.seal.is_some()))
}

/// Opens the tree of the register's life, or begins it. A tree that cannot be
/// used is said to be so: nobody replaces it unasked.
fn open(house: &House<'_>) -> Result<(Option<HouseTree>, Option<String>), StartError> {
    let found = match HouseTree::open(house.data) {
        Err(damaged @ TreeError::Damaged { .. }) => return Ok((None, Some(damaged.to_string()))),
        found => found.map_err(plan_fault)?,
    };
    Ok(match found {
        Some(tree) if tree.life() == house.life => (Some(tree), None),
        Some(tree) if tree.life() > house.life => {
            let (has, is) = (tree.life(), house.life);
            let fault = format!("the tree is of life {has}, the register knows of life {is}");
            (None, Some(fault))
        }
        // The first start with a tree, or one that was cut off after the
        // register had begun a new life.
        _ => {
            let tree = HouseTree::create(house.data, house.life);
            (Some(tree.map_err(plan_fault)?), None)
        }
    })
}

/// Asks the witness about the tree as it was last written down, before anything
/// new is. It never cosigned more than that, unless files were put back.
fn ask_witness(
    house: &House<'_>,
    witness: &WitnessPlan,
    looked: &mut Looked,
    stopped: &dyn Fn() -> bool,
) -> Result<(), StartError> {
    let (Some(tree), Some(client)) = (&mut looked.tree, &looked.client) else {
        return Ok(());
    };
    let stands = &mut looked.stands;
    let mut said = None;
    loop {
        match once(house, witness, tree, client, stands)? {
            None => {
                looked.lives_asked = true;
                return Ok(());
            }
            Some(why) => {
                if said.as_ref() != Some(&why) {
                    let address = &witness.address;
                    let then = match witness.unreachable {
                        Unreachable::Wait => "the house waits for it and does not open",
                        Unreachable::Play => "the house plays without it, with an alarm",
                    };
                    tracing::error!("the witness {address} gives no cosignature: {why}; {then}");
                }
                stands.problem = Some(why.clone());
                said = Some(why);
            }
        }
        if witness.unreachable == Unreachable::Play {
            plays_unanswered(witness, tree, stands)?;
            return Ok(());
        }
        if stopped() {
            return Err(StartError::Stopped);
        }
        std::thread::sleep(ASK_AGAIN);
    }
}

/// The house plays although its witness has not answered: with an alarm from the
/// first moment, and the age of the last cosignature that it has.
fn plays_unanswered(
    witness: &WitnessPlan,
    tree: &HouseTree,
    stands: &mut TreeStands,
) -> Result<(), StartError> {
    let known = tree.newest_cosigned().map_err(plan_fault)?;
    let last_s = known.and_then(|(note, _)| note.cosigned_by(&witness.key));
    let last_ms = last_s.and_then(|last_s| i64::try_from(last_s).ok()?.checked_mul(1_000));
    let age_ms = last_ms.map_or(0, |last_ms| now_ms().saturating_sub(last_ms).max(0));
    stands.cosigned_ms = last_ms;
    stands.silent_at_start = true;
    stands.waits_since_ms = Some(sicbo_clock::steady_ms().saturating_sub(age_ms));
    Ok(())
}

/// Asks once: nothing when the witness has spoken, or why it has not.
fn once(
    house: &House<'_>,
    witness: &WitnessPlan,
    tree: &mut HouseTree,
    client: &Client,
    stands: &mut TreeStands,
) -> Result<Option<String>, StartError> {
    let io = |error| StartError::Plan(format!("the tree: {error}"));
    match later_life((house.id, house.life), house.key, |body| client.post(body)) {
        Ok(None) => {}
        Ok(Some(later)) => {
            let name = witness.key.name();
            stands.behind = Some(Behind::earlier_life(name, tree.size(), &later));
            return Ok(None);
        }
        Err(why) => return Ok(Some(why)),
    }
    let known = tree.newest_cosigned().map_err(io)?;
    let head = tree.head(&stands.origin);
    let note: Note = head.sign(house.key).map_err(plan_fault)?;
    let guess = known.map_or(0, |(_, known)| known.size);
    let outcome = ask(
        (&note, &head),
        &witness.key,
        guess,
        |old| tree.consistency(old),
        |body| client.post(body),
    )
    .map_err(io)?;
    let behind = |known_size, forked| Behind {
        by: KnownBy::Witness(witness.key.name().to_owned()),
        size: head.size,
        known_size,
        forked,
        missing: Vec::new(),
        fault: None,
    };
    match outcome {
        Outcome::Cosigned { note, time_s } => {
            let kept = tree
                .keep_head(head.size, &note, HeadReason::Start, now_ms())
                .and_then(|()| tree.keep_cosigned(head.size, &note, time_s));
            kept.map_err(io)?;
            stands.signed_size = head.size;
            stands.cosigned_size = Some(head.size);
            stands.cosigned_ms = Some(now_ms());
            stands.problem = None;
        }
        // A tree that was begun at this start has no block yet, whatever the journals have.
        Outcome::Behind { witness_size } if stands.built_anew.is_some() => {
            let name = witness.key.name();
            stands.behind = Some(Behind::without_tree(name, head.size, witness_size));
        }
        Outcome::Behind { witness_size } => stands.behind = Some(behind(witness_size, false)),
        Outcome::Forked { witness_size } => {
            stands.behind = Some(behind(witness_size.unwrap_or(0), true));
        }
        Outcome::LaterLife(later) => {
            let name = witness.key.name();
            stands.behind = Some(Behind::earlier_life(name, head.size, &later));
        }
        Outcome::Unknown(why) => {
            let say = format!(
                "{why}; its operator must add {} (`sicbo witness log`)",
                stands.origin
            );
            return Ok(Some(say));
        }
        Outcome::Silent(why) => return Ok(Some(why)),
    }
    Ok(None)
}
