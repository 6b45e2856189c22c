//! The dice of a simulated tumbler, from a seed that was committed to before
//! the bets: anyone who knows the seed can derive them again.
//!
//! Before a round the tumbler commits to the SHA-256 of a seed of 32 bytes;
//! after it, it reveals the seed. The dice follow from the seed, the table's
//! name, the round and 32 bytes mixed in: where the table tumbles after the
//! close, the header hash of the journal block that holds the close, which
//! nobody knew when the seed was chosen; else zeros. Pure: no clock, no
//! randomness. Only tables that do not play for money have such a tumbler.
//!
//! `SHA-256("sicbo dice 1" ‖ seed ‖ length of name ‖ name ‖ round ‖ mixed ‖
//! counter)`, with the length and the counter as 32 and the round as 64 bits,
//! big-endian, gives sixteen draws of 16 bits, big-endian. The first below
//! 216 × 303 counts, so that all outcomes are equally likely; if there is
//! none, the counter goes up by one. The draw modulo 216, written in base six,
//! is the three dice, each less one.

use sha2::{Digest, Sha256};
use sicbo_rules::{Dice, Outcome};

/// What stands first in every hash: what it is for, and its version.
const PURPOSE: &[u8] = b"sicbo dice 1";

/// Draws from here on would favour some outcomes.
const LIMIT: u16 = 216 * 303;

/// What is mixed in where nothing is.
pub const NOTHING_MIXED: [u8; 32] = [0; 32];

/// The commitment to a seed.
#[must_use]
pub fn commitment(seed: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(seed).into()
}

/// The dice of a round.
#[must_use]
pub fn dice(seed: &[u8; 32], table: &str, round: u64, mixed: &[u8; 32]) -> Dice {
    let mut counter = 0u32;
    loop {
        if let Some(dice) = try_dice(seed, table, round, mixed, counter) {
            return dice;
        }
        counter = counter.wrapping_add(1);
    }
}

fn try_dice(
    seed: &[u8; 32],
    table: &str,
    round: u64,
    mixed: &[u8; 32],
    counter: u32,
) -> Option<Dice> {
    let mut hash = Sha256::new();
    hash.update(PURPOSE);
    hash.update(seed);
    // A table's name has at most 64 bytes.
    hash.update((table.len() as u32).to_be_bytes());
    hash.update(table);
    hash.update(round.to_be_bytes());
    hash.update(mixed);
    hash.update(counter.to_be_bytes());
    let bytes: [u8; 32] = hash.finalize().into();
    let draws = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    let mut fair = draws.filter(|draw| *draw < LIMIT);
    let index = usize::from(fair.next()?) % Outcome::COUNT;
    let face = |n: usize| (n % 6 + 1) as u8;
    Dice::from_faces([face(index / 36), face(index / 6), face(index)])
}

/// The seed is the one committed to and gives these dice, in whatever order
/// they were read.
#[must_use]
pub fn check(
    seed: &[u8; 32],
    committed: &[u8; 32],
    table: &str,
    round: u64,
    mixed: &[u8; 32],
    read: Dice,
) -> bool {
    commitment(seed) == *committed && dice(seed, table, round, mixed).sorted() == read.sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(n: u64) -> [u8; 32] {
        Sha256::digest(n.to_be_bytes()).into()
    }

    #[test]
    fn vectors_are_pinned() {
        let rows: Vec<String> = [
            ("Table 1", 1, NOTHING_MIXED),
            ("Table 1", 2, NOTHING_MIXED),
            ("Table 1", 1, [0xff; 32]),
            ("Bàn 1", 1, NOTHING_MIXED),
            ("", u64::MAX, NOTHING_MIXED),
        ]
        .iter()
        .map(|(table, round, mixed)| dice(&[7; 32], table, *round, mixed).to_string())
        .collect();
        assert_eq!(rows, PINNED);
        assert_eq!(
            commitment(&[0; 32])[..4],
            [0x66, 0x68, 0x7a, 0xad],
            "SHA-256 of 32 zero bytes"
        );
    }

    /// Computed apart, by a few lines of another language.
    const PINNED: [&str; 5] = ["3-1-2", "5-4-6", "1-5-6", "3-4-2", "5-4-5"];

    #[test]
    fn all_outcomes_are_equally_likely() {
        const EACH: usize = 200;
        let mut counts = [0u32; 216];
        for n in 0..216 * EACH as u64 {
            let dice = dice(&seed(n), "Table 1", n, &NOTHING_MIXED);
            let [a, b, c] = dice.faces().map(|face| usize::from(face) - 1);
            counts[a * 36 + b * 6 + c] += 1;
        }
        let chi_square: f64 = counts
            .iter()
            .map(|count| (f64::from(*count) - EACH as f64).powi(2) / EACH as f64)
            .sum();
        // 215 degrees of freedom: between the quantiles of 0.0005 and 0.9995.
        assert!((153.0..290.0).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn a_rejected_draw_favours_nothing() {
        assert_eq!(usize::from(LIMIT) % Outcome::COUNT, 0);
        assert!(u32::from(LIMIT) + 216 > u32::from(u16::MAX) + 1);
    }

    #[test]
    fn a_proof_holds_for_its_seed_round_table_and_mix_only() {
        let (seed, other) = (seed(1), seed(2));
        let committed = commitment(&seed);
        let read = dice(&seed, "Table 1", 9, &[3; 32]);
        let [a, b, c] = read.faces();
        let turned = Dice::from_faces([c, a, b]).unwrap();
        assert!(check(&seed, &committed, "Table 1", 9, &[3; 32], turned));
        assert!(!check(&other, &committed, "Table 1", 9, &[3; 32], read));
        assert!(!check(
            &seed,
            &commitment(&other),
            "Table 1",
            9,
            &[3; 32],
            read
        ));
        assert!((10..40).any(|round| dice(&seed, "Table 1", round, &[3; 32]) != read));
        assert!((4..40).any(|mix| dice(&seed, "Table 1", 9, &[mix; 32]) != read));
        assert!((2..40).any(|n| dice(&seed, &format!("Table {n}"), 9, &[3; 32]) != read));
    }
}
