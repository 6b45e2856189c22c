//! A journal's records as named fields, one by one and in bounded memory.

use std::ops::{ControlFlow, RangeInclusive};

use sicbo_journal::{Record, Store, StreamId};
use sicbo_table::Table;

use crate::describe::{Describer, RegisterDescriber, Value};
use crate::verify::VerifyError;
use crate::walk::{Visitor, walk};
use sicbo_loop::Machine;
use sicbo_register::Register;

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
    export::<Table>(store, stream, range, put, |table, sequence, event| {
        Describer::new(table).record(sequence, event)
    })
}

/// Exports the records of the house's own stream, without its secrets.
///
/// # Errors
/// The first record that is not what was written.
pub fn house(
    store: &dyn Store,
    stream: &StreamId,
    range: RangeInclusive<u64>,
    put: Put<'_>,
) -> Result<(), VerifyError> {
    export::<Register>(store, stream, range, put, |register, sequence, event| {
        RegisterDescriber::new(register).record(sequence, event)
    })
}

fn export<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    range: RangeInclusive<u64>,
    put: Put<'_>,
    describe: Describe<M>,
) -> Result<(), VerifyError> {
    let mut export = Export {
        range,
        put,
        describe,
        done: false,
    };
    walk::<M>(store, stream, &mut export).map(|_| ())
}

/// How an event is told with the names of the state before it.
type Describe<M> = fn(&M, u64, &<M as Machine>::Event) -> Vec<(&'static str, Value)>;

struct Export<'p, M: Machine> {
    range: RangeInclusive<u64>,
    put: Put<'p>,
    describe: Describe<M>,
    done: bool,
}

impl<M: Machine> Visitor<M> for Export<'_, M> {
    fn before(&mut self, state: &M, record: &Record<'_>, event: &M::Event) {
        if self.range.contains(&record.sequence) && !self.done {
            self.done = !(self.put)((self.describe)(state, record.sequence, event));
        }
    }

    fn after(&mut self, _: &M, sequence: u64, _: &M::Event) -> ControlFlow<()> {
        if self.done || sequence >= *self.range.end() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
