//! What was seen of a simulated house from outside: a running hash over every
//! frame both ways and every byte of the journals, and where it is wanted the
//! story of it in words.

use std::sync::Arc;

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};
use sicbo_journal::Store;

#[derive(Default)]
struct Seen {
    hash: Sha256,
    frames: u64,
    /// Lines of the story with their times, where somebody wants it.
    story: Option<Vec<(i64, String)>>,
}

/// Clones write to the same trace.
#[derive(Clone, Default)]
pub(super) struct Trace(Arc<Mutex<Seen>>);

impl Trace {
    /// A trace that keeps the story too.
    pub(super) fn with_story(story: bool) -> Trace {
        let trace = Trace::default();
        trace.0.lock().story = story.then(Vec::new);
        trace
    }

    fn add(&self, direction: u8, who: &str, text: &[u8]) {
        let mut seen = self.0.lock();
        seen.frames += 1;
        seen.hash.update([direction, who.len() as u8]);
        seen.hash.update(who);
        seen.hash.update((text.len() as u64).to_be_bytes());
        seen.hash.update(text);
    }

    /// Somebody said something to the house.
    pub(super) fn said(&self, who: &str, text: &str) {
        self.add(b'>', who, text.as_bytes());
    }

    /// The house told somebody something.
    pub(super) fn told(&self, who: &str, text: &str) {
        self.add(b'<', who, text.as_bytes());
    }

    /// Every byte of a journal.
    pub(super) fn journal(&self, stream: &str, store: &dyn Store) -> Result<(), String> {
        for raw in store.read_from(1) {
            let block = raw.map_err(|error| error.to_string())?;
            let block = block.decode().map_err(|error| error.to_string())?;
            self.add(b'h', stream, block.header_bytes());
            self.add(b'b', stream, block.body().bytes());
        }
        Ok(())
    }

    /// Frames both ways, and the hash over everything so far.
    pub(super) fn digest(&self) -> (u64, String) {
        let seen = self.0.lock();
        (seen.frames, hex::encode(seen.hash.clone().finalize()))
    }

    /// A line of the story.
    pub(super) fn tell(&self, at_ms: i64, words: impl FnOnce() -> String) {
        if let Some(story) = &mut self.0.lock().story {
            story.push((at_ms, words()));
        }
    }

    /// The story so far.
    pub(super) fn take_story(&self) -> Vec<(i64, String)> {
        let story = &mut self.0.lock().story;
        story.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
