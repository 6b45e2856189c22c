//! The engine against the text of the rules: every requirement that speaks of
//! play has a test named after it. A test reads like a round; see `script.rs`.

mod blocks;
mod checks;
mod script;
mod verbs;

mod authority;
mod bets;
mod closing;
mod corrections;
mod decisions;
mod described;
mod every_book;
mod forged;
mod identity;
mod interruptions;
mod journeys;
mod money;
mod past;
mod phases;
mod precedence;
mod refusals;
mod requests;
mod rulings;
mod scenes;
mod scripts;
mod seats;
mod terminals;
mod tumbler;
mod voids;
