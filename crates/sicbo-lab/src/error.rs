//! What can go wrong in the lab.

use sicbo_rules::settlement::Inexact;

/// An error of the lab: always something asked for that cannot be done.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LabError {
    /// The machine gives no threads.
    #[error("threads cannot be started: {0}")]
    Threads(String),
    /// A stake whose winnings are no whole number of minor units.
    #[error("{0}: choose a chip unit that all odds of the layout can be paid on")]
    Inexact(#[from] Inexact),
    /// What was asked for is out of range; the text says what is possible.
    #[error("{0}")]
    OutOfRange(String),
}
