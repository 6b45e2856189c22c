//! The story of a simulated house for people: what players, staff and misfortune
//! did, and beside it every record of every round as a house's replay tells it.

pub(super) mod words;

use sicbo_proof::story;

use super::World;

/// Rounds of a table that are told at most.
const MAX_ROUNDS: u64 = 200;

impl World {
    /// Tells what the journals say, each record at its time.
    pub(super) fn tell_journals(&self) {
        for stream in self.streams.iter().take(self.streams.len() - 1) {
            let Ok(store) = self.shelf.read(stream) else {
                continue;
            };
            for round in 1..=MAX_ROUNDS {
                let Ok(told) = story::tell(store.as_ref(), stream, round) else {
                    break;
                };
                for step in told.steps.iter().chain(&told.afterwards) {
                    let second = step.second.as_deref();
                    let second = second.map(|second| format!(" and {second}"));
                    let second = second.unwrap_or_default();
                    let (by, words) = (&step.by, &step.words);
                    self.trace.tell(step.at_ms, || {
                        format!("{stream} round {round}: {by}{second}: {words}")
                    });
                }
            }
        }
    }
}
