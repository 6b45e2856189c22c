//! The streams: the same dice from the same seed, however they are drawn.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sicbo_lab::{Generator, Histogram, Rounds, Run, Seed, Vector};
use sicbo_rules::Outcome;

fn run(seed: u64, generator: Generator, threads: usize, vector: Vector) -> Run {
    Run {
        seed: Seed(seed),
        generator,
        threads: Some(threads),
        vector,
    }
}

/// A number that changes when any count does (FNV-1a over all counts).
fn fingerprint(histogram: &Histogram) -> u64 {
    histogram
        .counts()
        .iter()
        .flat_map(|count| count.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// The definition of the fast stream, written again from the documentation
/// with public parts only, one draw at a time.
fn by_the_book(seed: u64, chunk: u64, rounds: u64) -> Histogram {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut seeder = ChaCha8Rng::from_seed(key);
    seeder.set_stream(chunk);
    let mut lanes: Vec<Xoshiro256PlusPlus> = (0..8)
        .map(|_| {
            let mut state = [0; 32];
            seeder.fill_bytes(&mut state);
            Xoshiro256PlusPlus::from_seed(state)
        })
        .collect();
    let mut histogram = Histogram::default();
    let mut played = 0;
    loop {
        for lane in &mut lanes {
            let word = lane.next_u64();
            for shift in [0, 16, 32, 48] {
                let draw = (word >> shift) as u16;
                let product = u32::from(draw) * 216;
                if product % 65_536 < 88 {
                    continue;
                }
                histogram.add(Outcome::from_index((product / 65_536) as usize).unwrap());
                played += 1;
                if played == rounds {
                    return histogram;
                }
            }
        }
    }
}

#[test]
fn the_fast_stream_is_what_the_documentation_says() {
    for rounds in [1, 31, 32, 33, 1000, 100_003] {
        let expected = by_the_book(42, 7, rounds);
        for vector in [Vector::Portable, Vector::Avx2] {
            let mut stream = Generator::Fast.stream(Seed(42), 7).with(vector);
            assert_eq!(stream.play(rounds as u32), expected, "{rounds} {vector:?}");
        }
    }
}

#[test]
fn every_outcome_has_exactly_303_draws() {
    let mut ways = [0; 216];
    for draw in 0..=u16::MAX {
        let product = u32::from(draw) * 216;
        if product % 65_536 >= 88 {
            ways[(product / 65_536) as usize] += 1;
        }
    }
    assert_eq!(ways, [303; 216]);
}

#[test]
fn threads_and_vectors_change_nothing() {
    for generator in Generator::ALL {
        for rounds in ["1", "31", "1000", "1048577", "5e6"] {
            let rounds: Rounds = rounds.parse().unwrap();
            let play = |threads, vector| {
                let histogram = run(9, generator, threads, vector)
                    .play(rounds, &|_| ())
                    .unwrap();
                assert_eq!(histogram.rounds(), rounds.get());
                histogram
            };
            let expected = play(1, Vector::Portable);
            for (threads, vector) in [
                (1, Vector::Avx2),
                (2, Vector::Avx2),
                (2, Vector::Portable),
                (7, Vector::Avx2),
            ] {
                assert_eq!(
                    play(threads, vector),
                    expected,
                    "{generator} {rounds} {threads} {vector:?}"
                );
            }
        }
    }
}

#[test]
fn a_seed_means_the_same_dice_for_good() {
    for (generator, seed, pinned) in [
        (Generator::Fast, 42, 0x193b_4e16_5c94_f407),
        (Generator::Fast, u64::MAX, 0xa05b_a157_1277_ca28),
        (Generator::Crypto, 42, 0xcf4f_d6c0_1da2_f2c8),
    ] {
        let rounds: Rounds = "3e6".parse().unwrap();
        let histogram = run(seed, generator, 2, Vector::best())
            .play(rounds, &|_| ())
            .unwrap();
        assert_eq!(fingerprint(&histogram), pinned, "{generator} {seed}");
    }
}

#[test]
fn seeds_and_chunks_give_different_dice() {
    let first = |seed, chunk| Generator::Fast.stream(Seed(seed), chunk).play(10_000);
    assert_ne!(first(1, 0), first(2, 0));
    assert_ne!(first(1, 0), first(1, 1));
    let crypto = Generator::Crypto.stream(Seed(1), 0).play(10_000);
    assert_ne!(first(1, 0), crypto);
}

#[test]
fn progress_adds_up_to_the_rounds() {
    let done = std::sync::atomic::AtomicU64::new(0);
    let count = |more| {
        done.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
    };
    run(1, Generator::Fast, 2, Vector::best())
        .play("3e6".parse().unwrap(), &count)
        .unwrap();
    assert_eq!(done.into_inner(), 3_000_000);
}
