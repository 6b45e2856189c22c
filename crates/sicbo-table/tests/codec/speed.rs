//! How fast bets are written and read. Run by hand:
//! `cargo test --release -p sicbo-table --test table -- --ignored --nocapture speed`.
//!
//! Counts the thread's own time on a processor where the system tells it, so
//! that a busy machine does not blur the figures.

use std::hint::black_box;
use std::time::Instant;

use sicbo_rules::{Money, Section};
use sicbo_table::actor::Actor;
use sicbo_table::codec::{decode, encode};
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::{Event, Fact};

const BETS: usize = 1_000_000;

/// Seconds that the work took on a processor.
fn timed(work: impl FnOnce()) -> f64 {
    let on_processor = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    let (start, before) = (Instant::now(), on_processor());
    work();
    match (before, on_processor()) {
        (Some(before), Some(after)) => (after - before) / 1e9,
        _ => start.elapsed().as_secs_f64(),
    }
}

fn bets(lines: usize) -> Vec<Event> {
    (0..BETS)
        .map(|i| {
            let station = StationId((i * 7919 % 10_000) as u32);
            Event {
                at_ms: 1_790_000_000_000 + i as i64,
                by: Actor::Station(station),
                second: None,
                command: 1_000_000_000 + i as u64,
                fact: Fact::BetsPlaced {
                    station,
                    bet: BetId(i as u64 / 10_000),
                    means: Means::Credit,
                    lines: (0..lines)
                        .map(|line| Line {
                            section: Section::ALL[(i + line) % Section::COUNT],
                            stake: Money::from_minor(500 * (i as i64 % 20 + 1)),
                        })
                        .collect(),
                    called: false,
                },
            }
        })
        .collect()
}

#[test]
#[ignore = "measures; run by hand in release"]
fn speed_of_bets() {
    for lines in [1, 5] {
        let events = bets(lines);
        let (mut best_encode, mut best_decode) = (f64::MAX, f64::MAX);
        let mut bytes = Vec::with_capacity(64 * BETS * lines);
        let mut ends = Vec::with_capacity(BETS);
        for _ in 0..7 {
            bytes.clear();
            ends.clear();
            best_encode = best_encode.min(timed(|| {
                for event in &events {
                    let (kind, version) = encode(black_box(event), &mut bytes);
                    ends.push((bytes.len(), kind, version));
                }
            }));
            best_decode = best_decode.min(timed(|| {
                let mut from = 0;
                for (to, kind, version) in &ends {
                    let event = decode(*kind, *version, &bytes[from..*to]);
                    from = *to;
                    black_box(event.is_ok());
                }
            }));
        }
        let million = |seconds: f64| BETS as f64 / seconds / 1e6;
        println!(
            "{lines} lines: {:.1} bytes, encode {:.1} M/s, decode {:.1} M/s",
            bytes.len() as f64 / BETS as f64,
            million(best_encode),
            million(best_decode),
        );
    }
}
