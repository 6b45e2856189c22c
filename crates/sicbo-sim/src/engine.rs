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

/// A mistake in what drives the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flaw {
    /// None: the loop is driven as it should be.
    None,
    /// Says a block is durable when it is handed to the disk.
    DurableTooEarly,
    /// Takes a failed append for a good one.
    FailureIgnored,
    /// Forgets the last block at every restart.
    LastBlockForgotten,
    /// Takes what is in the write-ahead log for durable.
    LogTrusted,
    /// Writes pages of the database back as they were read.
    PagesWrittenBack,
    /// Tells nobody that the log could not be folded in, and folds again.
    FoldingRepeated,
    /// Never syncs the folder of its files.
    FolderUnsynced,
    /// Gives a start up at the first thing that was read wrong.
    ReadsOnce,
    /// Keeps deadlines by the machine's clock.
    WallClock,
}
