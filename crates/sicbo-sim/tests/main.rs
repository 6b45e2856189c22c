//! One test program with a module per area.

mod audit;
mod canary;
mod dishonest;
mod house;
mod seeds;
