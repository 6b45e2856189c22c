//! What is known of each station, under several locks: every bet looks here while the hub writes,
//! and only stations that share a lock wait for each other.
//!
//! A table numbers its stations from nought without gaps, so a station's number says where its
//! value stands and nothing is searched.

use parking_lot::{Mutex, MutexGuard};
use sicbo_table::ids::StationId;

/// Enough that two threads seldom want the same one.
const LOCKS: usize = 64;

/// A value for each station.
pub(super) struct ByStation<T>([Mutex<Part<T>>; LOCKS]);

impl<T> Default for ByStation<T> {
    fn default() -> ByStation<T> {
        ByStation(std::array::from_fn(|_| Mutex::default()))
    }
}

impl<T> ByStation<T> {
    /// The part that holds a station. Nothing else is locked while it is held.
    pub(super) fn part(&self, station: StationId) -> MutexGuard<'_, Part<T>> {
        self.0[station.0 as usize % LOCKS].lock()
    }

    /// Every part in turn.
    pub(super) fn parts(&self) -> impl Iterator<Item = MutexGuard<'_, Part<T>>> {
        self.0.iter().map(Mutex::lock)
    }
}

/// The values of the stations that share a lock: every 64th station.
pub(super) struct Part<T>(Vec<Option<T>>);

impl<T> Default for Part<T> {
    fn default() -> Part<T> {
        Part(Vec::new())
    }
}

impl<T> Part<T> {
    fn place(station: StationId) -> usize {
        station.0 as usize / LOCKS
    }

    pub(super) fn get(&self, station: StationId) -> Option<&T> {
        self.0.get(Part::<T>::place(station))?.as_ref()
    }

    pub(super) fn get_mut(&mut self, station: StationId) -> Option<&mut T> {
        self.0.get_mut(Part::<T>::place(station))?.as_mut()
    }

    /// The station's value, made by `new` where it has none yet.
    pub(super) fn get_or_insert_with(
        &mut self,
        station: StationId,
        new: impl FnOnce() -> T,
    ) -> &mut T {
        let place = Part::<T>::place(station);
        if self.0.len() <= place {
            self.0.resize_with(place + 1, || None);
        }
        self.0[place].get_or_insert_with(new)
    }

    /// All values, in the order of their stations.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_station_has_a_value_of_its_own() {
        let numbers = ByStation::default();
        let last = 3 * LOCKS as u32;
        for station in (0..=last).rev().map(StationId) {
            assert!(numbers.part(station).get(station).is_none());
            *numbers.part(station).get_or_insert_with(station, || 0) += station.0;
        }
        for station in (0..=last).map(StationId) {
            let mut part = numbers.part(station);
            assert_eq!(part.get(station), Some(&station.0));
            assert_eq!(part.get_mut(station).copied(), Some(station.0));
        }
        let sum = |mut part: MutexGuard<'_, Part<u32>>| part.values_mut().map(|n| *n).sum::<u32>();
        assert_eq!(
            numbers.parts().map(sum).sum::<u32>(),
            (0..=last).sum::<u32>()
        );
        assert!(
            numbers
                .part(StationId(last + 1))
                .get(StationId(last + 1))
                .is_none()
        );
    }
}
