//! The nodes of a tree as they stand in its file, read level by level beside a
//! walk along the leaves, which completes them in the same order: proofs are made
//! of them, so a verifier holds each to its leaves.

use std::collections::VecDeque;

use rusqlite::params;
use sicbo_journal::Hash;

use super::{HouseTree, TreeError, clamp};

/// Nodes of one level read at once.
const NODES_AT_ONCE: i64 = 1_024;

/// The nodes that are still to be met, by level.
pub(crate) struct StoredNodes<'t> {
    tree: &'t HouseTree,
    levels: Vec<VecDeque<(u64, Hash)>>,
}

impl<'t> StoredNodes<'t> {
    pub(crate) fn of(tree: &'t HouseTree) -> StoredNodes<'t> {
        let levels = Vec::new();
        StoredNodes { tree, levels }
    }

    /// Whether this node stands in the file, as the next of its level.
    pub(crate) fn has(&mut self, level: u32, place: u64, hash: Hash) -> Result<bool, TreeError> {
        let at = level as usize;
        if self.levels.len() <= at {
            self.levels.resize_with(at + 1, VecDeque::new);
        }
        if self.levels[at].is_empty() {
            self.levels[at] = self.read(level, place)?;
        }
        Ok(self.levels[at].pop_front() == Some((place, hash)))
    }

    fn read(&self, level: u32, from: u64) -> Result<VecDeque<(u64, Hash)>, TreeError> {
        let query = "SELECT place, hash FROM nodes WHERE level = ?1 AND place >= ?2 \
                     ORDER BY place LIMIT ?3";
        let read = || -> rusqlite::Result<_> {
            let mut statement = self.tree.connection.prepare_cached(query)?;
            let rows = statement.query_map(params![level, clamp(from), NODES_AT_ONCE], |row| {
                let place: i64 = row.get(0)?;
                Ok((place.unsigned_abs(), Hash(row.get(1)?)))
            })?;
            rows.collect()
        };
        read().map_err(|error| TreeError::sqlite(&self.tree.path, &error))
    }
}
