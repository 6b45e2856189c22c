//! What is known of each station, under several locks: every bet looks here while the hub writes,
//! and only stations that share a lock wait for each other.

use std::collections::BTreeMap;

use parking_lot::{Mutex, MutexGuard};
use sicbo_table::ids::StationId;

/// Enough that two threads seldom want the same one.
const LOCKS: usize = 64;

/// A value for each station.
pub(super) struct ByStation<T>([Mutex<BTreeMap<StationId, T>>; LOCKS]);

impl<T> Default for ByStation<T> {
    fn default() -> ByStation<T> {
        ByStation(std::array::from_fn(|_| Mutex::default()))
    }
}

impl<T> ByStation<T> {
    /// The part that holds a station. Nothing else is locked while it is held.
    pub(super) fn part(&self, station: StationId) -> MutexGuard<'_, BTreeMap<StationId, T>> {
        self.0[station.0 as usize % LOCKS].lock()
    }

    /// Every part in turn.
    pub(super) fn parts(&self) -> impl Iterator<Item = MutexGuard<'_, BTreeMap<StationId, T>>> {
        self.0.iter().map(Mutex::lock)
    }
}
