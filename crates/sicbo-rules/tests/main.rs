//! The five rule books against the documents they were made from.
//!
//! A test's name cites what it proves: `r_072_…` a requirement, `q_24_…` a
//! resolution. `expected/` holds plain-text tables with their sources.

#[cfg(test)]
mod bets;
#[cfg(test)]
mod citations;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod expected;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod game;
#[cfg(test)]
mod layouts;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod mutations;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod par;
#[cfg(test)]
mod pay_tables;
#[cfg(test)]
mod print;
#[cfg(test)]
mod twins;
