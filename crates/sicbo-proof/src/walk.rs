//! Walks a journal from its first record: each block against the chain, each
//! record decoded, each event applied.

use std::ops::ControlFlow;

use sicbo_journal::{Chain, Record, Store, StreamId, Tail};
use sicbo_table::Table;

use crate::verify::VerifyError;
use sicbo_loop::{Machine, apply_read};

/// Looks at every event on the way.
pub trait Visitor<M: Machine = Table> {
    /// A block whose events come next, by its header's hash.
    fn block(&mut self, _: &[u8; 32]) {}
    /// An event about to be applied, and the record it was read from.
    fn before(&mut self, state: &M, record: &Record<'_>, event: &M::Event);
    /// The state after it. Stops the walk by breaking.
    fn after(&mut self, _: &M, _: u64, _: &M::Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Walks a whole stream; gives the state where the walk ended.
///
/// # Errors
/// The first record that is not what was written.
pub fn walk<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    visitor: &mut dyn Visitor<M>,
) -> Result<M, VerifyError> {
    let mut chain = Chain::after(stream.clone(), Tail::default());
    let mut state = M::empty();
    for raw in store.read_from(1) {
        let block = chain.accept(raw?).map_err(VerifyError::Chain)?;
        visitor.block(block.header_hash().as_bytes());
        for record in block.records() {
            let event = M::decode(record.kind, record.version, record.payload)
                .map_err(|error| VerifyError::record(record.sequence, error))?;
            visitor.before(&state, &record, &event);
            apply_read(&mut state, &event)
                .map_err(|what| VerifyError::record(record.sequence, what))?;
            if visitor.after(&state, record.sequence, &event).is_break() {
                return Ok(state);
            }
        }
    }
    Ok(state)
}
