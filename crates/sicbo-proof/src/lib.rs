//! What an auditor reads: journals verified and derived again, rounds proved,
//! told and exported.
//!
//! [`verify`] derives everything in a stream again, [`cross_check`] compares
//! vouchers and cases between the house and its tables, [`bundle`] proves one
//! round to somebody who has nothing else, [`history`] reads ended rounds beside
//! the writer. Everything here reads, and nothing writes to a data folder.
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

pub mod bundle;
mod code;
pub mod cross_check;
pub mod csv;
pub mod describe;
pub mod digests;
pub mod export;
pub mod history;
mod index;
mod owings;
pub mod paid;
pub mod reached;
pub mod rounds;
pub mod source;
pub mod story;
pub mod text;
mod trust;
pub mod tumbles;
pub mod verify;
mod walk;

pub use code::RoundCode;
pub use cross_check::{Compared, cross_check, cross_examine};
pub use trust::{FINGERPRINT_DIGITS, Trust, TrustError};
pub use verify::{
    Examined, ExaminedFolder, OneThread, RanBack, StreamFault, Threads, Verified, VerifiedHouse,
    VerifyError, VoucherMove, Way, examine, examine_folder, examine_house, examine_with, verify,
    verify_house,
};
pub use walk::{Visitor, walk};
