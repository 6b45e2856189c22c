//! The scenes of the table of decisions: for every row a table that stands so
//! that only who asks matters, and the line that asks.

use crate::rules::blocks::{Block, blocks};

/// What every scene begins with.
pub(crate) const TABLE: &str =
    "table BOOK play-money\nstation T1 LAYOUT\nstation T2 LAYOUT\nfund T1 1000.00";

/// The scenes, by row and books.
pub(crate) fn scenes() -> Vec<Block> {
    blocks(include_str!("scenes.txt"))
}
