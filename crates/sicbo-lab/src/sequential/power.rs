//! How soon dice that are not fair are found, and how often fair ones are
//! doubted: measured by drawing records of both.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde::Serialize;
use sicbo_rules::Dice;

use super::Evidence;

/// Dice of which a face is heavier.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Loaded {
    /// The face 6 comes so much more often, e.g. 0.1; zero for fair dice.
    pub heavier: f64,
    /// Of how many of the three dice.
    pub dice: u8,
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measured {
    /// The dice.
    pub loaded: Loaded,
    /// Alarm level: the largest share of fair records that ever raise one.
    pub level: f64,
    /// Records drawn.
    pub records: u32,
    /// Rounds of each.
    pub rounds: u32,
    /// The evidence was looked at after every so many rounds.
    pub every: u32,
    /// Records that raised an alarm.
    pub alarms: u32,
    /// Half of the records had raised one after this many rounds.
    pub half_by: Option<u32>,
    /// Nine tenths had.
    pub nine_tenths_by: Option<u32>,
}

/// Draws records and looks at each until it raises an alarm or ends.
#[must_use]
pub fn measure(
    loaded: Loaded,
    level: f64,
    records: u32,
    (rounds, every): (u32, u32),
    seed: u64,
) -> Measured {
    let mut found: Vec<u32> = (0..records)
        .filter_map(|record| {
            let own = seed.wrapping_add(u64::from(record).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            first_alarm(loaded, level, (rounds, every.max(1)), own)
        })
        .collect();
    found.sort_unstable();
    let by = |tenths: u32| {
        let needed = (records * tenths).div_ceil(10).max(1) as usize;
        found.get(needed - 1).copied()
    };
    Measured {
        loaded,
        level,
        records,
        rounds,
        every,
        alarms: found.len() as u32,
        half_by: by(5),
        nine_tenths_by: by(9),
    }
}

fn first_alarm(loaded: Loaded, level: f64, (rounds, every): (u32, u32), seed: u64) -> Option<u32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut evidence = Evidence::default();
    let alarm = -libm::log(level);
    let heavy = (1.0 + loaded.heavier) / 6.0;
    for round in 1..=rounds {
        let mut faces = [0; 3];
        for (at, face) in faces.iter_mut().enumerate() {
            let uniform = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let share = if at < usize::from(loaded.dice) {
                heavy
            } else {
                1.0 / 6.0
            };
            // The heavy face first, the rest in equal parts.
            *face = if uniform < share {
                6
            } else {
                ((uniform - share) / (1.0 - share) * 5.0).min(4.0) as u8 + 1
            };
        }
        // A real table's dice are not kept apart: shuffle which is read first.
        let first = random.next_u64() % 6;
        faces.rotate_left((first % 3) as usize);
        if first >= 3 {
            faces.swap(0, 1);
        }
        evidence.add(Dice::from_faces(faces)?);
        if round % every == 0 && evidence.log() >= alarm {
            return Some(round);
        }
    }
    None
}
