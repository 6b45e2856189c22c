//! What the tests of several crates share. Never in the product.

pub mod golden;
pub mod letters;
pub mod mutate;
pub mod random;
pub mod script;
