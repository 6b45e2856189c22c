//! Dice, sections, odds, pay tables, layouts, rule books, settlement and the
//! exact maths over them.
//!
//! This crate does no I/O, knows no clock, no randomness and no float money.
