//! Dice, sections, odds, pay tables, layouts, rule books, settlement and the
//! exact maths over them.
//!
//! This crate does no I/O, knows no clock, no randomness and no float money.
//! The five approved documents are compiled in as data; see [`RuleBook::all`].
//!
//! Settle a bet, and ask what it is worth to the house:
//!
//! ```
//! use sicbo_rules::{Dice, Money, Par, Ratio, Section, rulebook::find_layout};
//!
//! let (_, layout) = find_layout("rws-etg/a")?;
//! let (dice, section): (Dice, Section) = ("4,3,4".parse()?, "total:11".parse()?);
//! // 5.00 at 6 1/2 to 1, and the stake comes back.
//! let returned = layout.settlement().returned(dice, section, Money::from_minor(500))?;
//! assert_eq!(returned, Money::from_minor(3_750));
//! assert_eq!(Par::of(layout, section).map(|par| par.edge()), Some(Ratio::new(1, 16)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Draw a layout with its winners lit:
//!
//! ```
//! use sicbo_rules::drawing::{Ink, Lit, svg, terminal};
//! use sicbo_rules::{Dice, rulebook::find_layout};
//!
//! let (book, layout) = find_layout("quang-nam-table/a")?;
//! let lit = Lit::winners(layout, "1,3,4".parse::<Dice>()?);
//! println!("{}", terminal(layout, &lit, 120, Ink::Plain));
//! assert!(svg(book, layout, &lit).starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod citation;
pub mod dice;
pub mod document;
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
mod worded;

/// Whether this build has the switches of the mutation check; the product never
/// has.
pub const HAS_SWITCHES: bool = cfg!(feature = "mutants");

/// Whether a piece of the house is broken on purpose, to see that a simulated house notices: the line
/// `every off NAME` of `crates/sicbo-sim/canaries.txt`.
#[cfg(feature = "mutants")]
#[must_use]
pub fn broken(name: &str) -> bool {
    mutant::is_off("every", name)
}

/// Nothing is broken in the product.
#[cfg(not(feature = "mutants"))]
#[must_use]
pub const fn broken(_: &str) -> bool {
    false
}

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
