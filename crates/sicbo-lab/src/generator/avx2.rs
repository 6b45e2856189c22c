//! The same counting with 256-bit integer vectors.
//!
//! The only file of the crate with unsafe code: entering a function compiled
//! for AVX2 is sound only on a processor that has it, and every entry checks
//! that first.

use super::pairs::Pairs;
use super::portable::Lanes;

/// Whether this processor has the instructions.
pub(super) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use vector::{spin, tally, tally_bytes};

#[cfg(not(target_arch = "x86_64"))]
pub(super) use absent::{spin, tally, tally_bytes};

/// Never called: nothing selects vectors where `available` is false.
#[cfg(not(target_arch = "x86_64"))]
mod absent {
    use super::{Lanes, Pairs};

    pub(in crate::generator) fn tally(_: &mut Lanes, _: usize, _: &mut Pairs) {
        unreachable!("this processor has no AVX2");
    }

    pub(in crate::generator) fn tally_bytes(_: &[u8], _: &mut Pairs) {
        unreachable!("this processor has no AVX2");
    }

    pub(in crate::generator) fn spin(_: &mut Lanes, _: usize) -> u64 {
        unreachable!("this processor has no AVX2");
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "calling code compiled for AVX2, after checking that the processor has it"
)]
mod vector {
    use std::arch::x86_64::*;

    use super::{Lanes, Pairs, available};
    use crate::generator::REJECTED;

    /// Steps the lanes and counts what they draw.
    pub(in crate::generator) fn tally(lanes: &mut Lanes, steps: usize, pairs: &mut Pairs) {
        assert!(available(), "this processor has no AVX2");
        // SAFETY: the processor has AVX2, checked in the line above.
        unsafe { tally_avx2(lanes, steps, pairs) }
    }

    /// Counts the draws in a key stream; its length is a multiple of 64.
    pub(in crate::generator) fn tally_bytes(bytes: &[u8], pairs: &mut Pairs) {
        assert!(available(), "this processor has no AVX2");
        // SAFETY: the processor has AVX2, checked in the line above.
        unsafe { tally_bytes_avx2(bytes, pairs) }
    }

    /// Steps the lanes and adds up what they give.
    pub(in crate::generator) fn spin(lanes: &mut Lanes, steps: usize) -> u64 {
        assert!(available(), "this processor has no AVX2");
        // SAFETY: the processor has AVX2, checked in the line above.
        unsafe { spin_avx2(lanes, steps) }
    }

    /// Four lanes.
    #[derive(Clone, Copy)]
    struct Half {
        words: [__m256i; 4],
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(words: [u64; 4]) -> __m256i {
        let [a, b, c, d] = words.map(u64::cast_signed);
        _mm256_set_epi64x(d, c, b, a)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store(vector: __m256i) -> [u64; 4] {
        [
            _mm256_extract_epi64::<0>(vector),
            _mm256_extract_epi64::<1>(vector),
            _mm256_extract_epi64::<2>(vector),
            _mm256_extract_epi64::<3>(vector),
        ]
        .map(i64::cast_unsigned)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn take(lanes: &Lanes, first: usize) -> Half {
        Half {
            words: [0, 1, 2, 3].map(|word| {
                let four = &lanes.words[word][first..first + 4];
                load([four[0], four[1], four[2], four[3]])
            }),
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn put_back(half: Half, lanes: &mut Lanes, first: usize) {
        for (word, vector) in half.words.into_iter().enumerate() {
            lanes.words[word][first..first + 4].copy_from_slice(&store(vector));
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn next(half: &mut Half) -> __m256i {
        let [mut s0, mut s1, mut s2, mut s3] = half.words;
        let sum = _mm256_add_epi64(s0, s3);
        let turned = _mm256_or_si256(_mm256_slli_epi64::<23>(sum), _mm256_srli_epi64::<41>(sum));
        let output = _mm256_add_epi64(turned, s0);
        let shifted = _mm256_slli_epi64::<17>(s1);
        s2 = _mm256_xor_si256(s2, s0);
        s3 = _mm256_xor_si256(s3, s1);
        s1 = _mm256_xor_si256(s1, s2);
        s0 = _mm256_xor_si256(s0, s3);
        s2 = _mm256_xor_si256(s2, shifted);
        s3 = _mm256_or_si256(_mm256_slli_epi64::<45>(s3), _mm256_srli_epi64::<19>(s3));
        half.words = [s0, s1, s2, s3];
        output
    }

    /// The cells of sixteen draws.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn cells(draws: __m256i) -> __m256i {
        let ways = _mm256_set1_epi16(216);
        let outcome = _mm256_mulhi_epu16(draws, ways);
        let low = _mm256_mullo_epi16(draws, ways);
        // Unsigned `low < 88`, as all ones where the draw is rejected.
        let rejected = _mm256_cmpeq_epi16(_mm256_min_epu16(low, _mm256_set1_epi16(87)), low);
        // An outcome is less than the rejected cell.
        let cell = _mm256_set1_epi16(REJECTED as i16);
        _mm256_max_epi16(outcome, _mm256_and_si256(rejected, cell))
    }

    /// The positions of sixteen pairs of draws in the table of pairs.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn positions(first: __m256i, second: __m256i) -> __m256i {
        let (first, second) = (cells(first), cells(second));
        let high = _mm256_max_epi16(first, second);
        let low = _mm256_min_epi16(first, second);
        // 216 * 217 is less than 65,536.
        let product = _mm256_mullo_epi16(high, _mm256_add_epi16(high, _mm256_set1_epi16(1)));
        _mm256_add_epi16(_mm256_srli_epi16::<1>(product), low)
    }

    /// Counts sixteen pairs of draws.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn count(first: __m256i, second: __m256i, pairs: &mut Pairs) {
        for word in store(positions(first, second)) {
            pairs.count(word as u16);
            pairs.count((word >> 16) as u16);
            pairs.count((word >> 32) as u16);
            pairs.count((word >> 48) as u16);
        }
    }

    #[target_feature(enable = "avx2")]
    fn tally_avx2(lanes: &mut Lanes, steps: usize, pairs: &mut Pairs) {
        let (mut low, mut high) = (take(lanes, 0), take(lanes, 4));
        for _ in 0..steps {
            let (first, second) = (next(&mut low), next(&mut high));
            count(first, second, pairs);
        }
        put_back(low, lanes, 0);
        put_back(high, lanes, 4);
    }

    #[target_feature(enable = "avx2")]
    fn tally_bytes_avx2(bytes: &[u8], pairs: &mut Pairs) {
        let word = |part: &[u8], at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&part[at..at + 8]);
            u64::from_le_bytes(word)
        };
        for part in bytes.chunks_exact(64) {
            let first = load([0, 8, 16, 24].map(|at| word(part, at)));
            let second = load([32, 40, 48, 56].map(|at| word(part, at)));
            count(first, second, pairs);
        }
    }

    #[target_feature(enable = "avx2")]
    fn spin_avx2(lanes: &mut Lanes, steps: usize) -> u64 {
        let (mut low, mut high) = (take(lanes, 0), take(lanes, 4));
        let mut sum = _mm256_setzero_si256();
        for _ in 0..steps {
            let both = _mm256_add_epi64(next(&mut low), next(&mut high));
            sum = _mm256_add_epi64(sum, both);
        }
        put_back(low, lanes, 0);
        put_back(high, lanes, 4);
        store(sum).iter().fold(0, |all, one| all.wrapping_add(*one))
    }
}
