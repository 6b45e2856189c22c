//! A disk that was damaged while nobody looked: bits that turned for good, and a page in the place
//! of another, as a write to the wrong place leaves it. The program does not start and says whose
//! journal it is, or nothing that was written is lost. Of the log's last frames the house's mark and
//! its witness are asked, which are outside.

use sha2::{Digest as _, Sha256};
use sicbo_journal::{KeyRing, StreamId, verify_chain};

use super::World;
use super::life::Life;
use super::shelf::Shelf;

/// Everything that a journal says, as one number; nothing where whoever verifies it finds a fault.
fn told(shelf: &Shelf, stream: &StreamId, ring: &KeyRing) -> Option<[u8; 32]> {
    let store = shelf.read(stream).ok()?;
    let checkpoints = store.checkpoints().ok()?;
    verify_chain(stream.clone(), store.read_from(1), checkpoints, ring).ok()?;
    let mut hash = Sha256::new();
    for raw in store.read_from(1) {
        let raw = raw.ok()?;
        let block = raw.decode().ok()?;
        hash.update(block.header_bytes());
        hash.update(block.body().bytes());
    }
    Some(hash.finalize().into())
}

impl World {
    /// One journal is damaged, the program tries to start, and the disk is put right.
    pub(super) fn try_a_damaged_disk(&mut self) -> Result<(), String> {
        let which = self.trouble.below(self.streams.len() as u64) as usize;
        let stream = self.streams[which].clone();
        let ring = KeyRing::new(self.key.public());
        let tails = |life: &Life| life.tails().1;
        let sound = self.begin_life();
        let Ok(sound) = sound else {
            return Ok(());
        };
        let was = tails(&sound);
        sound.forget();
        // The start may have made it: a table that has just come into the plan has no journal before.
        let before = told(&self.shelf, &stream, &ring);
        let Some(damage) = self.shelf.damage(&stream, &mut self.trouble) else {
            return Ok(());
        };
        let kind = match damage.turned {
            true => "a bit of a journal turned",
            false => "a page stands where another should",
        };
        let begun = self.begin_life();
        let after = told(&self.shelf, &stream, &ring);
        let said = match begun {
            Ok(life) => {
                let is = tails(&life);
                life.forget();
                if is != was {
                    return Err(format!(
                        "{kind} in {stream}: the program starts, and lacks what was acknowledged"
                    ));
                }
                None
            }
            Err(what) => Some(what.to_string()),
        };
        // Never read as something else: as it was written, or a verifier names it.
        if after.is_some() && after != before && said.is_none() {
            return Err(format!(
                "{kind} in {stream}: the program starts, and reads what was never written"
            ));
        }
        self.shelf.put_right(damage);
        self.met(&format!("fault {kind}"), || match said {
            // Names of columns are for technicians.
            Some(said) => {
                let said = said.replace('_', " ");
                format!("{kind} in {stream}; the program does not start: {said}")
            }
            None => format!("{kind} in {stream}, where nothing is lost by it"),
        });
        Ok(())
    }
}
