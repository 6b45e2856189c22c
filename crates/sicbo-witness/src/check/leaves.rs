//! The walk along the leaves of a tree and the blocks of all streams beside each
//! other: every leaf is the next block of the stream it names, and the root is
//! made anew on the way. What a leaf's row says of its stream is under no hash;
//! this is where it is held to the journals.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sicbo_journal::{
    DataFolder, FolderError, Hash, Header, Headers, RawHeader, ReadError, SqliteStore, Store,
    StreamId, Vfs, leaf_hash,
};

use super::{TreeFault, TreeReport};
use crate::head::TreeHead;
use crate::house_tree::{HouseTree, Leaf, StoredNodes, TreeError};
use crate::mark::Mark;
use crate::tree::Edge;

/// Leaves read at once.
const LEAVES_AT_ONCE: usize = 4_096;

/// The journals of a folder, opened to be read.
pub(super) type Stores = BTreeMap<StreamId, SqliteStore>;

/// Opens every journal of a folder; one that cannot be is a fault.
pub(super) fn open_all(data: &Path, faults: &mut Vec<TreeFault>) -> Result<Stores, FolderError> {
    let mut stores = Stores::new();
    for stream in DataFolder::streams(data)? {
        let path = DataFolder::stream_path(data, &stream);
        match SqliteStore::open_read_only(&path, stream.clone(), &Vfs::default()) {
            Ok(store) => drop(stores.insert(stream, store)),
            Err(error) => faults.push(unreadable(&stream, &error)),
        }
    }
    Ok(stores)
}

/// A walk under way.
pub(super) struct Walk<'a> {
    blocks: BTreeMap<&'a StreamId, Headers<'a>>,
    /// Heads that the walk meets, by size.
    heads: BTreeMap<u64, Vec<&'a (TreeHead, String)>>,
    /// The nodes in the file, where they are held to the leaves too.
    nodes: Option<StoredNodes<'a>>,
    /// Streams that have left the tree: named once and passed over.
    lost: BTreeSet<StreamId>,
    missing: BTreeMap<StreamId, (u64, u64)>,
    edge: Edge,
    /// The places of leaves that are no block of the stream they name.
    pub(super) unmatched: Option<(u64, u64)>,
}

impl<'a> Walk<'a> {
    /// A walk from the first leaf on, which meets these heads.
    pub(super) fn from_the_first(stores: &'a Stores, heads: &'a [(TreeHead, String)]) -> Walk<'a> {
        let mut by_size: BTreeMap<u64, Vec<_>> = BTreeMap::new();
        for head in heads {
            by_size.entry(head.0.size).or_default().push(head);
        }
        Walk {
            blocks: stores
                .iter()
                .map(|(stream, store)| (stream, store.headers_from(1)))
                .collect(),
            heads: by_size,
            nodes: None,
            lost: BTreeSet::new(),
            missing: BTreeMap::new(),
            edge: Edge::default(),
            unmatched: None,
        }
    }

    /// Holds the nodes in the tree's file to the leaves as well.
    pub(super) fn with_nodes(mut self, tree: &'a HouseTree) -> Walk<'a> {
        self.nodes = Some(StoredNodes::of(tree));
        self
    }

    /// A walk from where a statement of the house's ends.
    pub(super) fn from_statement(
        stores: &'a Stores,
        tree: &HouseTree,
        statement: &Mark,
    ) -> Result<Walk<'a>, TreeError> {
        let after = |stream: &StreamId| statement.tails.get(stream).map_or(0, |at| at.sequence);
        Ok(Walk {
            blocks: stores
                .iter()
                .map(|(stream, store)| (stream, store.headers_from(after(stream) + 1)))
                .collect(),
            edge: Edge::of(tree, statement.size)?,
            ..Walk::from_the_first(stores, &[])
        })
    }

    /// Walks to the tree's end.
    pub(super) fn along(
        &mut self,
        tree: &HouseTree,
        report: &mut TreeReport,
    ) -> Result<(), TreeError> {
        self.at_root(&mut report.faults);
        while self.edge.size() < tree.size() {
            // A house that runs appends meanwhile: the tree is that of the moment it was opened.
            let left = tree.size() - self.edge.size();
            let count = usize::try_from(left).unwrap_or(LEAVES_AT_ONCE);
            let leaves = tree.leaves(self.edge.size(), count.min(LEAVES_AT_ONCE))?;
            if leaves.is_empty() {
                report.faults.push(TreeFault::Nodes);
                break;
            }
            for leaf in leaves {
                self.step(leaf, report)?;
            }
        }
        for (stream, (first, last)) in std::mem::take(&mut self.missing) {
            report.faults.push(TreeFault::Missing {
                stream,
                first,
                last,
            });
        }
        if self.edge.root() != tree.root() && !report.faults.contains(&TreeFault::Nodes) {
            report.faults.push(TreeFault::Nodes);
        }
        let size = self.edge.size();
        for (head, by) in self.heads.range(size + 1..).flat_map(|(_, heads)| heads) {
            report.faults.push(TreeFault::Behind {
                size,
                known: head.size,
                by: by.clone(),
            });
        }
        Ok(())
    }

    /// What became durable after the tree was last written.
    pub(super) fn rest(self, report: &mut TreeReport) {
        for (stream, rest) in self.blocks {
            if self.lost.contains(stream) {
                continue;
            }
            for block in rest {
                match as_leaf(stream, block) {
                    Ok(leaf) => {
                        report.uncovered.add(&leaf);
                        report.unsigned.add(&leaf);
                        report.outside.add(&leaf);
                    }
                    Err(error) => {
                        report.faults.push(unreadable(stream, &error));
                        break;
                    }
                }
            }
        }
    }

    fn at_root(&self, faults: &mut Vec<TreeFault>) {
        let size = self.edge.size();
        for (head, by) in self.heads.get(&size).into_iter().flatten() {
            if head.root != self.edge.root() {
                let by = by.clone();
                faults.push(TreeFault::Root { size, by });
            }
        }
    }

    fn step(&mut self, leaf: Leaf, report: &mut TreeReport) -> Result<(), TreeError> {
        let place = self.edge.size();
        let mut completed = Vec::new();
        self.edge
            .push(leaf_hash(&leaf.header_hash.0), |node| completed.push(node));
        for (level, at, hash) in completed {
            let Some(nodes) = &mut self.nodes else { break };
            if !nodes.has(level, at, hash)? {
                report.faults.push(TreeFault::Nodes);
                self.nodes = None;
            }
        }
        self.at_root(&mut report.faults);
        if place >= report.signed_size.unwrap_or(0) {
            report.unsigned.add(&leaf);
        }
        let covered = report.cosigned.as_ref().map_or(0, |head| head.size);
        if place >= covered {
            report.uncovered.add(&leaf);
        }
        if self.lost.contains(&leaf.stream) {
            self.is_unmatched(place);
            return Ok(());
        }
        let next = self.blocks.get_mut(&leaf.stream).and_then(Iterator::next);
        match next.map(|block| as_leaf(&leaf.stream, block)) {
            Some(Ok(found)) if found == leaf => return Ok(()),
            Some(Ok(_)) => {
                self.lost.insert(leaf.stream.clone());
                report.faults.push(TreeFault::Other {
                    stream: leaf.stream,
                    first: leaf.first_sequence,
                    last: leaf.last_sequence,
                    place,
                });
            }
            Some(Err(error)) => {
                self.lost.insert(leaf.stream.clone());
                report.faults.push(unreadable(&leaf.stream, &error));
            }
            None => {
                let known = self.missing.entry(leaf.stream);
                known
                    .and_modify(|(_, last)| *last = leaf.last_sequence)
                    .or_insert((leaf.first_sequence, leaf.last_sequence));
            }
        }
        self.is_unmatched(place);
        Ok(())
    }

    fn is_unmatched(&mut self, place: u64) {
        let (first, _) = self.unmatched.unwrap_or((place, place));
        self.unmatched = Some((first, place));
    }
}

fn as_leaf(stream: &StreamId, block: Result<RawHeader, ReadError>) -> Result<Leaf, ReadError> {
    let block = block?;
    let header = Header::decode(&block.header).map_err(|error| ReadError::Damaged {
        sequence: block.filed_under,
        what: error.to_string(),
    })?;
    Ok(Leaf {
        stream: stream.clone(),
        first_sequence: header.first_sequence,
        last_sequence: header.last_sequence,
        header_hash: Hash::of(&block.header),
    })
}

fn unreadable(stream: &StreamId, why: &dyn std::fmt::Display) -> TreeFault {
    TreeFault::Unreadable {
        stream: stream.clone(),
        what: why.to_string(),
    }
}
