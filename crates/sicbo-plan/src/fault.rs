//! Why a text is not a plan of a house.

use sicbo_rules::document::{Advice, Fault};

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

pub(super) const ADVICE: Advice = Advice {
    text: "give a text",
    table: "give a table of keys and values",
    tables: "begin each with [[{key}]]",
    did_you_mean: true,
};
