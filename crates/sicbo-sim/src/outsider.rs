//! Reads the journal from the medium as an outsider would, and remembers what
//! was there: what has once been read may never read differently.

use sha2::{Digest, Sha256};
use sicbo_journal::Store;
use sicbo_table::{Event, codec};

/// A reader of the journal with a memory.
#[derive(Default, Debug)]
pub(crate) struct Outsider {
    /// A fingerprint of every record read, by sequence from 1.
    known: Vec<[u8; 8]>,
}

fn fingerprint(kind: u16, version: u16, payload: &[u8]) -> [u8; 8] {
    let digest = Sha256::new()
        .chain_update(kind.to_be_bytes())
        .chain_update(version.to_be_bytes())
        .chain_update(payload)
        .finalize();
    let mut short = [0; 8];
    short.copy_from_slice(&digest[..8]);
    short
}

impl Outsider {
    /// Reads from a sequence to the end, or to `last`. What is new is handed
    /// over; what was read before must be the same.
    pub(crate) fn read(
        &mut self,
        store: &dyn Store,
        from: u64,
        last: u64,
        mut take: impl FnMut(u64, Event) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut reached = from - 1;
        for raw in store.read_from(from) {
            let block = raw
                .map_err(|error| error.to_string())?
                .decode()
                .map_err(|error| error.to_string())?;
            for record in block.records() {
                if record.sequence < from || record.sequence > last {
                    continue;
                }
                reached = record.sequence;
                let print = fingerprint(record.kind, record.version, record.payload);
                let at = record.sequence as usize - 1;
                if let Some(known) = self.known.get(at) {
                    if *known != print {
                        return Err(format!("record {reached} reads otherwise than before"));
                    }
                    continue;
                }
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| format!("record {reached}: {error}"))?;
                self.known.push(print);
                take(record.sequence, event)?;
            }
        }
        let due = if last == u64::MAX {
            self.known.len() as u64
        } else {
            last
        };
        if reached < due {
            return Err(format!(
                "record {due} was shown as durable and only {reached} are there"
            ));
        }
        Ok(())
    }
}
