//! Who judges a simulated house. None of them shares code with what it judges:
//! they hear frames as JSON and journals as records.
//!
//! Money, order and decisions are the auditor's (`sicbo-auditor`);
//! what clients were told is held to the journals in `checks`.

pub(super) mod authority;
pub(super) mod cage;
pub(super) mod citations;
pub(super) mod privacy;
