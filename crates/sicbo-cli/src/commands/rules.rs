//! `sicbo rules`: the rule books themselves.

mod check;
mod diff;
mod list;
mod show;

use clap::Subcommand;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Subcommand)]
pub(crate) enum Rules {
    /// The rule books and their layouts
    List,
    /// One rule book in plain words, each fact with its rule
    Show(show::Show),
    /// Check a rule book file; all faults at once
    ///
    /// Exits 1 when the file is a rule book with faults, 2 when it cannot be read as one.
    Check(check::Check),
    /// Two rule books side by side, differences marked
    Diff(diff::Diff),
}

impl Rules {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        match self {
            Rules::List => list::run(out),
            Rules::Show(command) => command.run(out),
            Rules::Check(command) => command.run(out),
            Rules::Diff(command) => command.run(out),
        }
    }
}
