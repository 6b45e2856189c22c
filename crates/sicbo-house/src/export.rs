//! A journal's records as named fields, one by one and in bounded memory.

use std::ops::{ControlFlow, RangeInclusive};

use sicbo_journal::{Chain, Store, StreamId, Tail};
use sicbo_table::{Event, Table};

use crate::describe::{Describer, Value, hex};
use crate::text;
use crate::verify::VerifyError;
use crate::walk::{Visitor, walk};

/// Takes a record's fields; false when no more are wanted.
pub type Put<'p> = &'p mut dyn FnMut(Vec<(&'static str, Value)>) -> bool;

/// Exports a table's records. Those before the range are read too: they say
/// what the stations are called.
///
/// # Errors
/// The first record that is not what was written.
pub fn table(
    store: &dyn Store,
    stream: &StreamId,
    range: RangeInclusive<u64>,
    put: Put<'_>,
) -> Result<(), VerifyError> {
    let mut export = Export {
        range,
        put,
        done: false,
    };
    walk(store, stream, &mut export).map(|_| ())
}

/// Exports records whose payload this program does not read.
///
/// # Errors
/// The first record that is not what was written.
pub fn raw(
    store: &dyn Store,
    stream: &StreamId,
    range: RangeInclusive<u64>,
    put: Put<'_>,
) -> Result<(), VerifyError> {
    let mut chain = Chain::after(stream.clone(), Tail::default());
    for block in store.read_from(1) {
        let block = chain.accept(block?).map_err(VerifyError::Chain)?;
        let records = block.records();
        for record in records.filter(|record| range.contains(&record.sequence)) {
            let more = put(vec![
                ("sequence", record.sequence.into()),
                ("time", text::time(record.time_ms).into()),
                ("time_ms", record.time_ms.into()),
                ("event", format!("kind-{}", record.kind).into()),
                (
                    "fields",
                    Value::Fields(vec![
                        ("version", u64::from(record.version).into()),
                        ("payload", hex(record.payload).into()),
                    ]),
                ),
            ]);
            if !more {
                return Ok(());
            }
        }
    }
    Ok(())
}

struct Export<'p> {
    range: RangeInclusive<u64>,
    put: Put<'p>,
    done: bool,
}

impl Visitor for Export<'_> {
    fn before(&mut self, table: &Table, sequence: u64, event: &Event) {
        if self.range.contains(&sequence) && !self.done {
            self.done = !(self.put)(Describer::new(table).record(sequence, event));
        }
    }

    fn after(&mut self, _: &Table, sequence: u64, _: &Event) -> ControlFlow<()> {
        if self.done || sequence >= *self.range.end() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
