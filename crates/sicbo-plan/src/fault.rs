//! What can be wrong with a plan's file, and where.

use std::fmt;

/// One fault: where it stands, what is wrong, what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Line of the file, counted from one.
    pub line: usize,
    /// Path of keys to the place, a table by its name: `tables[rapid-1].limits.step`.
    pub place: String,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub expected: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: {}: {}; {}",
            self.line, self.place, self.problem, self.expected
        )
    }
}

/// Why a text is not a plan of a house.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Not TOML at all.
    #[error("line {line}: this is not TOML: {message}")]
    Unreadable {
        /// Line of the file, counted from one.
        line: usize,
        /// What the TOML parser says.
        message: String,
    },
    /// A plan with faults; all of them, in the order of the file.
    #[error("{} fault{} in the plan of the house", .0.len(), if .0.len() == 1 { "" } else { "s" })]
    Faults(Vec<Fault>),
}
