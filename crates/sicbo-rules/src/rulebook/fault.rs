//! Why a text is not a rule book.

use crate::document::Fault;

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
