//! Practice: lessons in which a trainee works the ordinary console while
//! players, dice and mishaps are scripted from a seed, and a coach compares
//! what was done with what the rule book asks.
//!
//! Everything here is a pure function of the book, the seed and the table's
//! events: no clock, no randomness, no I/O. The rules of play are those of
//! `sicbo-table`, not a copy of them. Practice has a house of its own; see
//! [`house_plan`].
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

mod grade;
mod house;
mod lesson;
mod record;
mod ruling;
mod session;
mod situation;
mod world;

pub use grade::{Marks, Remark, Skill, Verdict};
pub use house::house_plan;
use lesson::stations;
pub use lesson::{Asked, Exercise, Lesson, PLAYERS, Wager};
pub use record::{ExerciseRecord, LessonRecord};
pub use ruling::{Consequence, Ruled, ruled, under_all};
pub use session::{Due, Session, Stated};
pub use situation::{Pack, Response, Situation};
pub use world::{Cast, SIMULATED};

pub use sicbo_plan::PRACTICE_PREFIX as TABLE_PREFIX;

#[cfg(test)]
mod tests;
