//! Dice, sections, odds, pay tables, layouts, rule books, settlement and the
//! exact maths over them.
//!
//! This crate does no I/O, knows no clock, no randomness and no float money.
//! The five approved documents are compiled in as data; see [`RuleBook::all`].

pub mod citation;
pub mod dice;
pub mod drawing;
pub mod exposure;
pub mod layout;
pub mod maths;
pub mod money;
#[cfg(feature = "mutants")]
pub mod mutant;
pub mod odds;
pub mod pay_table;
pub mod rulebook;
pub mod section;
pub mod self_test;
pub mod settlement;

pub use citation::{Citation, Cited};
pub use dice::{Dice, Die, Outcome};
pub use exposure::{Exposure, ExposureTable};
pub use layout::Layout;
pub use maths::{Par, Profile, Stakes};
pub use money::{Currency, Money};
pub use odds::Odds;
pub use pay_table::PayTable;
pub use rulebook::RuleBook;
pub use section::{Kind, Section};
pub use self_test::SelfTest;
pub use settlement::Settlement;

/// An exact ratio.
pub type Ratio = num_rational::Ratio<i128>;
