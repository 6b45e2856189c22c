//! Walks a table's journal from its first record: each block against the
//! chain, each record decoded, each event applied.

use std::ops::ControlFlow;

use sicbo_journal::{Chain, Store, StreamId, Tail};
use sicbo_table::{Event, Table, apply, codec};

use crate::verify::VerifyError;

/// Looks at every event on the way.
pub trait Visitor {
    /// A block whose events come next, by its header's hash.
    fn block(&mut self, _: &[u8; 32]) {}
    /// An event about to be applied.
    fn before(&mut self, table: &Table, sequence: u64, event: &Event);
    /// The state after it. Stops the walk by breaking.
    fn after(&mut self, _: &Table, _: u64, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Walks a whole stream; gives the state where the walk ended.
///
/// # Errors
/// The first record that is not what was written.
pub fn walk(
    store: &dyn Store,
    stream: &StreamId,
    visitor: &mut dyn Visitor,
) -> Result<Table, VerifyError> {
    let mut chain = Chain::after(stream.clone(), Tail::default());
    let mut table = Table::default();
    for raw in store.read_from(1) {
        let block = chain.accept(raw?).map_err(VerifyError::Chain)?;
        visitor.block(block.header_hash().as_bytes());
        for record in block.records() {
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| VerifyError::record(record.sequence, error))?;
            visitor.before(&table, record.sequence, &event);
            apply(&mut table, &event);
            if visitor.after(&table, record.sequence, &event).is_break() {
                return Ok(table);
            }
        }
    }
    Ok(table)
}
