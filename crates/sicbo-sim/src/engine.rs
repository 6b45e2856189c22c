//! What is simulated: the real table, or one broken on purpose.

use sicbo_loop::Machine;
use sicbo_table::{Command, Event, Refusal, Table};

/// A table, right or wrong.
pub(crate) trait Engine:
    Machine<Command = Command, Event = Event, Refusal = Refusal> + Clone
{
    /// Its state, to be shown and compared.
    fn table(&self) -> &Table;
}

impl Engine for Table {
    fn table(&self) -> &Table {
        self
    }
}
