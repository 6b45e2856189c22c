//! Streams of dice: which generator, how it is seeded, and what one round draws.
//!
//! Everything here is fixed for good, because a seed must give the same dice
//! on any machine, with any number of threads, with or without vector
//! instructions:
//!
//! - The work is cut into chunks. Chunk `c` of seed `s` has its own stream, so
//!   whoever draws it, and when, cannot matter.
//! - A stream is a sequence of 16-bit draws. A draw `v` is rejected when
//!   `v * 216 mod 65536 < 88`; otherwise `v * 216 / 65536` is the outcome. Each
//!   of the 216 outcomes is hit by exactly 303 of the 65,536 draws.
//! - `fast`: eight lanes of xoshiro256++. The lanes' states are the first 256
//!   bytes of the ChaCha8 key stream with the seed as key and the chunk as
//!   stream number, 32 bytes a lane. Step by step, lane by lane, each 64-bit
//!   output gives four draws, lowest bits first.
//! - `crypto`: the ChaCha20 key stream with the same key and stream number;
//!   every two bytes, low byte first, are a draw.

mod avx2;
mod pairs;
mod portable;

use std::str::FromStr;

use rand_chacha::{ChaCha8Rng, ChaCha20Rng};
use rand_core::{Rng, SeedableRng};
use serde::Serialize;
use sicbo_rules::Outcome;

use crate::game::Loading;
use crate::histogram::Histogram;

use pairs::Pairs;
use portable::{Bins, Lanes};

/// Draws made by one step of all lanes.
pub(crate) const STEP: usize = 32;

/// The cell that collects rejected draws; no outcome has it.
pub(crate) const REJECTED: usize = Outcome::COUNT;

/// Where a run starts. The same seed gives the same dice everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// The 256-bit key made of it: the seed, low byte first, then zeros.
    fn key(self) -> [u8; 32] {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.0.to_le_bytes());
        key
    }
}

/// A generator by name.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, strum::Display, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "lowercase")]
pub enum Generator {
    /// Eight lanes of xoshiro256++: `fast`.
    #[default]
    Fast,
    /// ChaCha20: `crypto`.
    Crypto,
}

impl Generator {
    /// Both of them.
    pub const ALL: [Generator; 2] = [Generator::Fast, Generator::Crypto];

    /// The name it is asked for by.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// What it is.
    #[must_use]
    pub const fn algorithm(self) -> &'static str {
        match self {
            Generator::Fast => "xoshiro256++ in 8 lanes, seeded by ChaCha8",
            Generator::Crypto => "ChaCha20",
        }
    }

    /// The stream of one chunk.
    #[must_use]
    pub fn stream(self, seed: Seed, chunk: u64) -> Stream {
        Stream {
            source: match self {
                Generator::Fast => Source::Fast(Box::new(Lanes::seeded(seed, chunk))),
                Generator::Crypto => Source::Crypto(Box::new(keystream(seed, chunk))),
            },
            vector: Vector::best(),
        }
    }
}

/// There is no generator of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a valid generator: they are fast (xoshiro256++) and crypto (ChaCha20)")]
pub struct UnknownGenerator(String);

impl FromStr for Generator {
    type Err = UnknownGenerator;

    fn from_str(text: &str) -> Result<Generator, UnknownGenerator> {
        Generator::ALL
            .into_iter()
            .find(|generator| generator.key() == text)
            .ok_or_else(|| UnknownGenerator(text.chars().take(40).collect()))
    }
}

/// Which instructions count the draws. The result is the same with either.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Vector {
    /// Plain code that runs everywhere.
    Portable,
    /// 256-bit integer vectors; falls back to portable code where there are none.
    Avx2,
}

impl Vector {
    /// The fastest this machine has.
    #[must_use]
    pub fn best() -> Vector {
        if avx2::available() {
            Vector::Avx2
        } else {
            Vector::Portable
        }
    }

    /// The name of it.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.into()
    }
}

#[derive(Clone)]
enum Source {
    Fast(Box<Lanes>),
    Crypto(Box<ChaCha20Rng>),
}

/// The draws of one chunk.
pub struct Stream {
    source: Source,
    vector: Vector,
}

fn keystream(seed: Seed, chunk: u64) -> ChaCha20Rng {
    let mut generator = ChaCha20Rng::from_seed(seed.key());
    generator.set_stream(chunk);
    generator
}

impl Lanes {
    fn seeded(seed: Seed, chunk: u64) -> Lanes {
        let mut generator = ChaCha8Rng::from_seed(seed.key());
        generator.set_stream(chunk);
        Lanes::from_words(|| generator.next_u64())
    }
}

/// Bytes of the key stream taken at a time.
const BLOCK: usize = 4096;

impl Source {
    /// Makes `steps` times 32 draws and counts them one by one.
    fn tally(&mut self, steps: usize, bins: &mut Bins) {
        match self {
            Source::Fast(lanes) => portable::tally(lanes, steps, bins),
            Source::Crypto(generator) => {
                blocks(generator, steps, |block| portable::tally_bytes(block, bins));
            }
        }
    }

    /// Makes `steps` times 32 draws and counts them in pairs.
    fn tally_pairs(&mut self, steps: usize, pairs: &mut Pairs) {
        match self {
            Source::Fast(lanes) => avx2::tally(lanes, steps, pairs),
            Source::Crypto(generator) => {
                blocks(generator, steps, |block| avx2::tally_bytes(block, pairs));
            }
        }
    }
}

/// Shows the key stream of so many steps, block by block.
fn blocks(generator: &mut ChaCha20Rng, steps: usize, mut show: impl FnMut(&[u8])) {
    let mut block = [0; BLOCK];
    let mut left = steps * STEP * 2;
    while left > 0 {
        let block = &mut block[..left.min(BLOCK)];
        generator.fill_bytes(block);
        show(block);
        left -= block.len();
    }
}

impl Stream {
    /// The same stream counted with the given instructions.
    #[must_use]
    pub fn with(mut self, vector: Vector) -> Stream {
        self.vector = match vector {
            Vector::Portable => Vector::Portable,
            Vector::Avx2 => Vector::best(),
        };
        self
    }

    /// Plays exactly `rounds` rounds, at most 2^31, and counts their outcomes.
    pub fn play(&mut self, rounds: u32) -> Histogram {
        assert!(rounds <= 1 << 31, "a bin holds 32 bits");
        let mut bins = Bins::default();
        let mut left = rounds as usize;
        // Never more draws than rounds are left, so no round is played too
        // many; the few rejected draws are made up for in the next turn.
        while left >= STEP {
            let steps = left / STEP;
            let rejected = bins.rejected();
            self.tally(steps, &mut bins);
            left -= steps * STEP - (bins.rejected() - rejected);
        }
        while left > 0 {
            for draw in self.draws() {
                if let Some(outcome) = portable::outcome(draw)
                    && left > 0
                {
                    bins.count(outcome);
                    left -= 1;
                }
            }
        }
        let histogram = bins.histogram();
        assert_eq!(histogram.rounds(), u64::from(rounds));
        histogram
    }

    /// Makes `steps` times 32 draws and counts them, rejected ones included.
    fn tally(&mut self, steps: usize, bins: &mut Bins) {
        if self.vector == Vector::Portable || steps < pairs::LEAST_STEPS {
            self.source.tally(steps, bins);
            return;
        }
        let mut pairs = Pairs::new();
        let mut left = steps;
        while left > 0 {
            let steps = left.min(pairs::MAX_STEPS);
            let before = self.source.clone();
            self.source.tally_pairs(steps, &mut pairs);
            if pairs.fold(steps, bins).is_none() {
                self.source = before;
                self.source.tally(steps, bins);
            }
            left -= steps;
        }
    }

    /// The next 32 draws, in order.
    fn draws(&mut self) -> [u16; STEP] {
        match &mut self.source {
            Source::Fast(lanes) => lanes.draws(),
            Source::Crypto(generator) => {
                let mut block = [0; STEP * 2];
                generator.fill_bytes(&mut block);
                portable::draws_of(&block)
            }
        }
    }

    /// Appends the outcomes of the next draws, in order, until at least `least` are there.
    pub(crate) fn outcomes(&mut self, least: usize, into: &mut Vec<u8>) {
        while into.len() < least {
            for draw in self.draws() {
                if let Some(outcome) = portable::outcome(draw) {
                    into.push(outcome);
                }
            }
        }
    }

    /// Appends the next 32 draws as they are, rejected ones included, each as
    /// two bytes, low byte first: the bits that a test of generators wants.
    pub(crate) fn raw(&mut self, into: &mut Vec<u8>) {
        for draw in self.draws() {
            into.extend_from_slice(&draw.to_le_bytes());
        }
    }

    /// Plays rounds with weighted dice. Eight outcomes are the digits of a
    /// number below 216^8; the numbers that would favour a weight are drawn
    /// again, so that each weight is hit exactly as often as it should be.
    pub fn play_weighted(&mut self, loading: &Loading, rounds: u32) -> Histogram {
        let mut histogram = Histogram::default();
        let mut draw = Weighted::new(loading);
        for _ in 0..rounds {
            histogram.add_index(draw.next(self));
        }
        histogram
    }

    /// Makes draws and keeps nothing but their sum: the generator alone, as the
    /// limit that counting can approach.
    #[must_use]
    pub fn spin(&mut self, steps: usize) -> u64 {
        match (&mut self.source, self.vector) {
            (Source::Fast(lanes), Vector::Avx2) => avx2::spin(lanes, steps),
            (Source::Fast(lanes), Vector::Portable) => portable::spin(lanes, steps),
            (Source::Crypto(generator), _) => {
                let mut sum = 0u64;
                blocks(generator, steps, |block| sum += u64::from(block[0]));
                sum
            }
        }
    }
}

/// Draws outcomes with given weights.
pub(crate) struct Weighted {
    /// Sum of the weights up to each outcome, itself included.
    sums: [u64; Outcome::COUNT],
    all: u64,
    /// Numbers from here on are drawn again.
    limit: u64,
    ahead: Vec<u8>,
    next: usize,
}

/// Outcomes that make one number.
const DIGITS: usize = 8;

impl Weighted {
    pub(crate) fn new(loading: &Loading) -> Weighted {
        let mut sum = 0;
        let sums = loading.weights().map(|weight| {
            sum += weight;
            sum
        });
        let numbers = (Outcome::COUNT as u64).pow(DIGITS as u32);
        Weighted {
            sums,
            all: loading.all(),
            limit: numbers - numbers % loading.all(),
            ahead: Vec::new(),
            next: 0,
        }
    }

    /// The next outcome's number.
    pub(crate) fn next(&mut self, stream: &mut Stream) -> usize {
        loop {
            if self.next + DIGITS > self.ahead.len() {
                self.ahead.drain(..self.next);
                self.next = 0;
                stream.outcomes(8192, &mut self.ahead);
            }
            let digits = &self.ahead[self.next..self.next + DIGITS];
            self.next += DIGITS;
            let number = digits.iter().fold(0, |number, digit| {
                number * Outcome::COUNT as u64 + u64::from(*digit)
            });
            if number < self.limit {
                let wanted = number % self.all;
                return self.sums.partition_point(|sum| *sum <= wanted);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Straight at the vector code: were it wrong, `play` might notice the sum,
    /// count again in plain code and hide it but for the time.
    #[test]
    fn counting_in_pairs_needs_no_second_count() {
        if !avx2::available() {
            return;
        }
        for generator in Generator::ALL {
            for chunk in 0..20 {
                let mut plain = generator.stream(Seed(1), chunk).source;
                let mut vector = plain.clone();
                let (mut expected, mut got) = (Bins::default(), Bins::default());
                let mut pairs = Pairs::new();
                plain.tally(64, &mut expected);
                vector.tally_pairs(64, &mut pairs);
                assert_eq!(pairs.fold(64, &mut got), Some(()));
                assert_eq!(got.histogram(), expected.histogram());
                assert_eq!(got.rejected(), expected.rejected());
            }
        }
    }

    #[test]
    fn a_whole_chunk_does_not_overflow_the_pairs() {
        if avx2::available() {
            let mut source = Generator::Fast.stream(Seed(1), 0).source;
            let mut pairs = Pairs::new();
            source.tally_pairs(pairs::MAX_STEPS, &mut pairs);
            let folded = pairs.fold(pairs::MAX_STEPS, &mut Bins::default());
            assert_eq!(folded, Some(()));
        }
    }
}
