//! One test program with a module per area.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod codec;
mod decide;
mod enrolment;
mod lockout;
mod person;
mod pin;
mod positions;
mod recovery;
mod settled;
mod snapshot;
mod validation;
mod zone;
