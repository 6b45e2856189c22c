//! An auditor who knows the rules from the requirements page only.
//!
//! Shares no code with the engine: own odds, own winning conditions, own books.
//! It hears what happened as plain words and numbers ([`said::Said`]) and says
//! what every balance must be. Where the engine and the auditor differ, one of
//! them is wrong.

pub(crate) mod book;
pub(crate) mod odds;
pub(crate) mod said;
