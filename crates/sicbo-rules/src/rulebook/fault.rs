//! What can be wrong with a rule book file, and where.

use std::fmt;

/// One fault: where it stands, what is wrong, what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Line of the file, counted from one.
    pub line: usize,
    /// Path of keys to the place, e.g. `pay_table[0].row[3].rule`.
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

/// Why a text is not a rule book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleBookError {
    /// Not TOML at all.
    #[error("line {line}: this is not TOML: {message}")]
    Unreadable {
        /// Line of the file, counted from one.
        line: usize,
        /// What the TOML parser says.
        message: String,
    },
    /// A rule book with faults; all of them.
    #[error("{} fault{} in the rule book", .0.len(), if .0.len() == 1 { "" } else { "s" })]
    Faults(Vec<Fault>),
}
