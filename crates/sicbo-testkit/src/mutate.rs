//! Bytes that are nearly right: samples changed at random, for whatever reads
//! bytes from outside. Quick enough for every run of the tests; `scripts/fuzz`
//! follows coverage.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::random::Random;

/// Longest input that is made.
const MAX_BYTES: usize = 1 << 16;

/// How long a reader is tried: `SICBO_FUZZ_SECONDS`, or a second.
#[must_use]
pub fn time() -> Duration {
    let asked = std::env::var("SICBO_FUZZ_SECONDS").ok();
    let seconds = asked.and_then(|text| text.parse().ok()).unwrap_or(1);
    Duration::from_secs(seconds)
}

/// Tries a reader on changed samples for [`time`]; how many inputs. The seed is
/// printed, and what makes the reader panic is kept beside the samples.
///
/// # Panics
/// When the reader does.
pub fn tried(target: &str, seed: u64, samples: &[Vec<u8>], read: impl Fn(&[u8])) -> u64 {
    assert!(!samples.is_empty(), "{target} has no samples");
    println!("fuzz {target}: seed {seed}, {} samples", samples.len());
    let mut random = Random(seed);
    let (end, mut inputs) = (Instant::now() + time(), 0);
    for sample in samples {
        one(target, sample, &read);
    }
    while Instant::now() < end {
        let input = changed(&mut random, samples);
        one(target, &input, &read);
        inputs += 1;
    }
    println!("fuzz {target}: {inputs} inputs");
    inputs
}

fn one(target: &str, input: &[u8], read: impl Fn(&[u8])) {
    if catch_unwind(AssertUnwindSafe(|| read(input))).is_err() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
        let file = folder.join(format!("fuzz-{target}.bin"));
        let kept = std::fs::write(&file, input);
        panic!(
            "{target} panicked; the input is in {}: {kept:?}",
            file.display()
        );
    }
}

/// A sample with some changes.
fn changed(random: &mut Random, samples: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = samples[random.below(samples.len())].clone();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len() + 1);
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => bytes.truncate(at),
            3 => bytes.insert(at, random.below(256) as u8),
            4 => {
                // A stretch is gone.
                let to = (at + random.below(32)).min(bytes.len());
                bytes.drain(at..to);
            }
            5 => {
                // A stretch stands there again, as deep nesting would.
                let to = (at + 1 + random.below(64)).min(bytes.len());
                let again = bytes[at.min(to)..to].repeat(1 + random.below(40));
                bytes.splice(at..at, again);
            }
            6 => {
                let tokens: [&[u8]; 12] = [
                    b"null",
                    b"-1",
                    b"18446744073709551615",
                    b"9223372036854775808",
                    b"1e309",
                    b"\"\"",
                    b"{}",
                    b"[]",
                    b"\\u0000",
                    b"\xff\xfe",
                    b"-0.0",
                    b"true",
                ];
                let token = tokens[random.below(tokens.len())];
                bytes.splice(at..at, token.iter().copied());
            }
            _ => {
                // The end of another.
                let other = &samples[random.below(samples.len())];
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
        bytes.truncate(MAX_BYTES);
    }
    bytes
}
