//! What the journals must hold at a start: every leaf of the tree, and every end
//! of a stream that the house's own statement, the tree and the mark know. A
//! table that alone does not is out of service alone; anything else is the
//! whole house's.

use std::collections::BTreeMap;

use sicbo_house::service::{NotHeld, check_holds};
use sicbo_journal::{DataFolder, SqliteStore, Store, StreamId, Vfs};
use sicbo_register::reached::Reached;
use sicbo_witness::check::{self, Holding};
use sicbo_witness::house_tree::{HouseTree, StreamTail};
use sicbo_witness::mark::Mark;

use super::super::start::{StartError, stream_of};
use super::look::{House, house_stream, plan_fault};
use super::{Behind, KnownBy, MissingRecords};

/// Ends of streams that journals must hold, and why the house does not play.
type Held = (BTreeMap<StreamId, Vec<Reached>>, Option<Behind>);

/// What every journal must hold, and whether those do that are the whole
/// house's. A table's is looked at when it is opened.
pub(super) fn held(
    house: &House<'_>,
    tree: Option<&HouseTree>,
    mark: Option<&Mark>,
) -> Result<Held, StartError> {
    let mut reached: BTreeMap<StreamId, Vec<Reached>> = BTreeMap::new();
    let mut behind = None;
    // An earlier life's mark says nothing of this one.
    let mark = mark.filter(|mark| mark.life == house.life);
    let size = tree.map_or(0, HouseTree::size);
    let holding = match tree {
        Some(tree) => walked(house, tree)?,
        None => Holding::default(),
    };
    let by_mark = mark.map(|mark| (KnownBy::Mark, &mark.tails, mark.size));
    let stated = holding.stated.as_ref();
    let by_house = stated.map(|stated| (KnownBy::Tree, &stated.tails, stated.size));
    let by_tree = tree.map(|tree| (KnownBy::Tree, tree.tails(), size));
    for (by, tails, known_size) in by_mark.into_iter().chain(by_house).chain(by_tree) {
        for (stream, tail) in tails {
            let to = as_reached(tail);
            reached.entry(stream.clone()).or_default().push(to);
            if behind.is_some() || is_planned(house, stream) {
                continue;
            }
            behind = not_held(house, stream, tail)?.map(|missing| Behind {
                by: by.clone(),
                size,
                known_size,
                forked: false,
                missing: vec![missing],
                fault: None,
            });
        }
    }
    if behind.is_none() {
        behind = lies(house, &holding, size)?;
    }
    if behind.is_none()
        && let (Some(tree), Some(mark)) = (tree, mark)
    {
        behind = unlike_mark(house, tree, mark)?;
    }
    Ok((reached, behind))
}

/// The tree beside the journals. Walked again where something is wrong: nobody
/// is sent for because of a bit that was read wrong once.
fn walked(house: &House<'_>, tree: &HouseTree) -> Result<Holding, StartError> {
    let walk = || check::held(house.data, tree, house.id, house.key.public());
    match walk() {
        Ok(holding) if holding.faults.is_empty() => Ok(holding),
        _ => walk().map_err(plan_fault),
    }
}

fn as_reached(tail: &StreamTail) -> Reached {
    Reached {
        sequence: tail.sequence,
        header_hash: tail.header_hash.0,
    }
}

fn is_planned(house: &House<'_>, stream: &StreamId) -> bool {
    let mut tables = house.plan.tables.iter();
    tables.any(|table| stream_of(table) == *stream)
}

/// What a stream lacks of a known end; nothing where it holds it.
fn not_held(
    house: &House<'_>,
    stream: &StreamId,
    tail: &StreamTail,
) -> Result<Option<MissingRecords>, StartError> {
    let missing = |ends| {
        let (stream, known) = (stream.to_string(), tail.sequence);
        Some(MissingRecords {
            stream,
            ends,
            known,
        })
    };
    let to = as_reached(tail);
    let (held, ends) = if *stream == house_stream() {
        (check_holds(house.store, &to), house.store.tail().sequence)
    } else {
        let path = DataFolder::stream_path(house.data, stream);
        // A journal that is gone, or cannot be opened, holds nothing.
        let Ok(store) = SqliteStore::open_read_only(&path, stream.clone(), &Vfs::default()) else {
            return Ok(missing(0));
        };
        (check_holds(&store, &to), store.tail().sequence)
    };
    match held {
        Ok(()) => Ok(None),
        Err(NotHeld::Older(_)) => Ok(missing(ends)),
        Err(NotHeld::Read(error)) => Err(StartError::Recovery {
            stream: stream.to_string(),
            error: error.into(),
        }),
    }
}

/// Whether leaves are not the blocks they say they are, other than by a table
/// whose own journal lacks what the house stated of it.
fn lies(house: &House<'_>, holding: &Holding, size: u64) -> Result<Option<Behind>, StartError> {
    for fault in &holding.faults {
        let told = Behind::damaged(size, size, fault.to_string());
        let Some(stream) = fault.stream() else {
            return Ok(Some(told));
        };
        let stated = holding.stated.as_ref();
        let stated = stated.and_then(|stated| stated.tails.get(stream));
        let own = !holding.unstated && is_planned(house, stream);
        let Some(stated) = stated.filter(|_| own) else {
            return Ok(Some(told));
        };
        if not_held(house, stream, stated)?.is_none() {
            return Ok(Some(told));
        }
    }
    Ok(None)
}

/// A mark of this life is of a tree that this one continues. A tree that is
/// being built anew has no head yet, and the mark comes before its first one.
fn unlike_mark(
    house: &House<'_>,
    tree: &HouseTree,
    mark: &Mark,
) -> Result<Option<Behind>, StartError> {
    let size = tree.size();
    if tree.newest_head().map_err(plan_fault)?.is_none() {
        return Ok(None);
    }
    let known_size = mark.size;
    let (forked, fault) = if known_size > size {
        // Of journals that were put back with the tree their own ends say so.
        for (stream, tail) in &mark.tails {
            if not_held(house, stream, tail)?.is_some() {
                return Ok(None);
            }
        }
        let fault = format!(
            "its tree (tree/tree.sqlite) is an older copy: it has {size} blocks, and its mark \
             outside the data folder knows {known_size}. The journals hold all that the mark knows"
        );
        (false, Some(fault))
    } else if tree.root_at(known_size).map_err(plan_fault)? == mark.root {
        return Ok(None);
    } else {
        (true, None)
    };
    Ok(Some(Behind {
        by: KnownBy::Mark,
        size,
        known_size,
        forked,
        missing: Vec::new(),
        fault,
    }))
}
