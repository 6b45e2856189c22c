//! The generator's lanes and the counting of draws, in plain code.
//!
//! This is the definition; the vector code must give the same.

use crate::generator::{REJECTED, STEP};
use crate::histogram::Histogram;
use sicbo_rules::Outcome;

/// Lanes that step together.
const LANES: usize = 8;

/// Sets of bins, taken in turn so that equal outcomes in a row do not wait for each other.
const SETS: usize = 8;

/// Eight lanes of xoshiro256++.
#[derive(Clone)]
pub(crate) struct Lanes {
    /// State words, the same word of all lanes side by side.
    pub(super) words: [[u64; LANES]; 4],
}

impl Lanes {
    /// Lanes whose states are the next 32 words of `next`, four a lane.
    pub(super) fn from_words(mut next: impl FnMut() -> u64) -> Lanes {
        let mut words = [[0; LANES]; 4];
        for lane in 0..LANES {
            for word in &mut words {
                word[lane] = next();
            }
            // All zeros is the one state that never moves on.
            if words.iter().all(|word| word[lane] == 0) {
                words[0][lane] = 1;
            }
        }
        Lanes { words }
    }

    /// One output of every lane.
    #[inline(always)]
    pub(super) fn next(&mut self) -> [u64; LANES] {
        let [s0, s1, s2, s3] = &mut self.words;
        let mut output = [0; LANES];
        for lane in 0..LANES {
            output[lane] = s0[lane]
                .wrapping_add(s3[lane])
                .rotate_left(23)
                .wrapping_add(s0[lane]);
            let shifted = s1[lane] << 17;
            s2[lane] ^= s0[lane];
            s3[lane] ^= s1[lane];
            s1[lane] ^= s2[lane];
            s0[lane] ^= s3[lane];
            s2[lane] ^= shifted;
            s3[lane] = s3[lane].rotate_left(45);
        }
        output
    }

    /// One output of every lane as draws: lane by lane, lowest bits first.
    pub(super) fn draws(&mut self) -> [u16; STEP] {
        let output = self.next();
        let mut draws = [0; STEP];
        for (index, draw) in draws.iter_mut().enumerate() {
            *draw = (output[index / 4] >> (index % 4 * 16)) as u16;
        }
        draws
    }
}

/// The outcome of a draw, or `None` when it must be drawn again.
///
/// The products `v * 216` fall into 216 spans of 65,536. A span holds 303 or
/// 304 of them; leaving out those less than 88 (65,536 mod 216) into their
/// span makes it 303 for each.
#[inline(always)]
pub(super) fn outcome(draw: u16) -> Option<u8> {
    let product = u32::from(draw) * Outcome::COUNT as u32;
    if product as u16 >= 88 {
        Some((product >> 16) as u8)
    } else {
        None
    }
}

/// Counts of draws by outcome.
pub(crate) struct Bins {
    pub(super) sets: [[u32; 256]; SETS],
}

impl Default for Bins {
    fn default() -> Bins {
        Bins {
            sets: [[0; 256]; SETS],
        }
    }
}

impl Bins {
    /// Counts eight cells, one in each byte of a word.
    #[inline(always)]
    pub(super) fn count_word(&mut self, word: u64) {
        for (set, cell) in self.sets.iter_mut().zip(word.to_le_bytes()) {
            set[usize::from(cell)] = set[usize::from(cell)].wrapping_add(1);
        }
    }

    /// Counts one outcome.
    pub(super) fn count(&mut self, outcome: u8) {
        self.sets[0][usize::from(outcome)] += 1;
    }

    /// How many draws were rejected so far.
    pub(super) fn rejected(&self) -> usize {
        self.sets.iter().map(|set| set[REJECTED] as usize).sum()
    }

    /// The outcomes counted.
    pub(super) fn histogram(&self) -> Histogram {
        let mut counts = [0u64; Outcome::COUNT];
        for set in &self.sets {
            for (count, bin) in counts.iter_mut().zip(set) {
                *count += u64::from(*bin);
            }
        }
        Histogram::from_counts(counts)
    }
}

/// The cells of eight draws, one in each byte.
#[inline(always)]
fn cells(draws: [u16; 8]) -> u64 {
    let mut cells = [0; 8];
    for (cell, draw) in cells.iter_mut().zip(draws) {
        *cell = outcome(draw).unwrap_or(REJECTED as u8);
    }
    u64::from_le_bytes(cells)
}

/// Steps the lanes and counts what they draw.
pub(super) fn tally(lanes: &mut Lanes, steps: usize, bins: &mut Bins) {
    for _ in 0..steps {
        for pair in lanes.next().chunks_exact(2) {
            let mut draws = [0; 8];
            for (index, draw) in draws.iter_mut().enumerate() {
                *draw = (pair[index / 4] >> (index % 4 * 16)) as u16;
            }
            bins.count_word(cells(draws));
        }
    }
}

/// The draws in 64 bytes of a key stream.
pub(super) fn draws_of(bytes: &[u8; STEP * 2]) -> [u16; STEP] {
    let mut draws = [0; STEP];
    for (draw, pair) in draws.iter_mut().zip(bytes.chunks_exact(2)) {
        *draw = u16::from_le_bytes([pair[0], pair[1]]);
    }
    draws
}

/// Counts the draws in a key stream; its length is a multiple of 64.
pub(super) fn tally_bytes(bytes: &[u8], bins: &mut Bins) {
    for part in bytes.chunks_exact(16) {
        let mut draws = [0; 8];
        for (draw, pair) in draws.iter_mut().zip(part.chunks_exact(2)) {
            *draw = u16::from_le_bytes([pair[0], pair[1]]);
        }
        bins.count_word(cells(draws));
    }
}

/// Steps the lanes and adds up what they give.
pub(super) fn spin(lanes: &mut Lanes, steps: usize) -> u64 {
    let mut sum = [0u64; LANES];
    for _ in 0..steps {
        for (sum, output) in sum.iter_mut().zip(lanes.next()) {
            *sum = sum.wrapping_add(output);
        }
    }
    sum.iter().fold(0, |all, one| all.wrapping_add(*one))
}
