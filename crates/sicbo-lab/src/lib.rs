//! The lab: simulation of real dice streams, exact distributions, exposure,
//! what-if, strategies and tests of fairness, over the rule books only.
//!
//! Results are plain values that can be printed, plotted or written as JSON.
//! This crate reads no files, opens no terminal and knows no clock.
//!
//! Play real dice streams, from a seed that anybody can play again:
//!
//! ```
//! use sicbo_lab::{Rounds, Run, Seed};
//!
//! let rounds = Rounds::new(10_000).expect("not too many");
//! let histogram = Run::new(Seed(7)).play(rounds, &|_| {})?;
//! assert_eq!(histogram.rounds(), 10_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod distribution;
pub mod dump;
pub mod error;
pub mod exposure;
pub mod fair;
pub mod game;
pub mod generator;
pub mod hedge;
pub mod histogram;
pub mod hold;
pub mod interval;
pub mod pictures;
pub mod plot;
pub mod rounds;
pub mod sequential;
pub mod simulate;
pub mod stakes;
pub mod stats;
pub mod strategy;
pub mod what_if;

pub use error::LabError;
pub use generator::{Generator, Seed, Vector};
pub use histogram::Histogram;
pub use rounds::Rounds;
pub use simulate::Run;
