//! Counting two rounds at a time.
//!
//! The bare increment of a bin in memory is what limits a simulation, far more
//! than the generator. Here the cells of two draws share one increment: the
//! unordered pair of them is counted, of which there are few enough for the
//! first-level cache, and the count of each outcome follows exactly from the
//! counts of the pairs that contain it.

use super::portable::Bins;
use super::{REJECTED, STEP};

/// Cells a draw can fall into: the outcomes, and rejected.
const CELLS: usize = REJECTED + 1;

/// Most steps between two folds. A pair's count then stays near 45, and its
/// eight bits never overflow in practice; should they, `fold` sees it.
pub(super) const MAX_STEPS: usize = 1 << 16;

/// Fewest steps for which clearing and folding the table is worth it.
pub(super) const LEAST_STEPS: usize = 1 << 10;

/// Counts of unordered pairs of cells: the pair of `high` and `low`, where
/// `high >= low`, stands at `high * (high + 1) / 2 + low`.
pub(super) struct Pairs {
    /// As long as a 16-bit index can reach, so that no bound needs checking;
    /// only the first 23,653 are used.
    pub(super) counts: Box<[u8; 1 << 16]>,
}

impl Pairs {
    pub(super) fn new() -> Pairs {
        Pairs {
            counts: Box::new([0; 1 << 16]),
        }
    }

    /// Counts a pair by its position.
    #[inline(always)]
    pub(super) fn count(&mut self, position: u16) {
        let count = &mut self.counts[usize::from(position)];
        *count = count.wrapping_add(1);
    }

    /// Adds the draws of so many steps to `bins` and starts again from zero.
    ///
    /// `None`, with `bins` untouched, when a count has overflowed: then the
    /// pairs do not add up to the draws made, for each overflow loses 256.
    pub(super) fn fold(&mut self, steps: usize, bins: &mut Bins) -> Option<()> {
        let mut cells = [0u32; CELLS];
        let mut start = 0;
        let mut pairs = 0;
        for high in 0..CELLS {
            let row = &mut self.counts[start..=start + high];
            let mut sum = 0;
            for (cell, count) in cells.iter_mut().zip(row.iter()) {
                *cell += u32::from(*count);
                sum += u32::from(*count);
            }
            cells[high] += sum;
            pairs += sum as usize;
            row.fill(0);
            start += high + 1;
        }
        if pairs != steps * STEP / 2 {
            return None;
        }
        for (bin, cell) in bins.sets[0].iter_mut().zip(cells) {
            *bin += cell;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_give_each_cell_its_count() {
        let (mut pairs, mut bins) = (Pairs::new(), Bins::default());
        // Two steps are 32 pairs: 30 of cells 7 and 3, one of 7 and 7, one of
        // the last cell and 0.
        let position = |high: u16, low: u16| high * (high + 1) / 2 + low;
        for _ in 0..30 {
            pairs.count(position(7, 3));
        }
        pairs.count(position(7, 7));
        pairs.count(position(216, 0));
        assert_eq!(pairs.fold(2, &mut bins), Some(()));
        assert_eq!(bins.sets[0][7], 32);
        assert_eq!(bins.sets[0][3], 30);
        assert_eq!(bins.sets[0][0], 1);
        assert_eq!(bins.rejected(), 1);
        // Folding starts again from zero.
        assert_eq!(pairs.fold(0, &mut bins), Some(()));
        assert_eq!(bins.sets[0][7], 32);
    }

    #[test]
    fn an_overflow_is_seen_and_changes_nothing() {
        let (mut pairs, mut bins) = (Pairs::new(), Bins::default());
        for _ in 0..256 {
            pairs.count(5);
        }
        assert_eq!(pairs.fold(16, &mut bins), None);
        assert_eq!(bins.histogram().rounds(), 0);
    }
}
