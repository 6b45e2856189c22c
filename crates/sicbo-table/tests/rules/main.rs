//! The engine against the text of the rules: every requirement that speaks of
//! play has a test named after it. A test reads like a round; see `script.rs`.

mod checks;
mod script;
mod scripts;
mod verbs;

mod authority;
mod bets;
mod corrections;
mod interruptions;
mod journeys;
mod money;
mod phases;
mod refusals;
mod seats;
mod voids;
