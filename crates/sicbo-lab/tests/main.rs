//! One test program with a module per area.

mod distribution;
mod exposure_and_what_if;
mod fair;
mod generator;
mod sequential;
mod simulate;
mod strategy;
