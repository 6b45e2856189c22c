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
pub mod cross_check;
pub mod csv;
pub mod describe;
pub mod export;
pub mod history;
mod index;
mod owings;
pub mod reached;
pub mod receipt;
pub mod rounds;
pub mod source;
pub mod story;
pub mod tumbles;
pub mod verify;
mod walk;

pub use cross_check::{Compared, cross_check, cross_examine};
pub use sicbo_check::{FINGERPRINT_DIGITS, RoundCode, Trust, TrustError, digests, paid, text};
pub use verify::{
    Examined, ExaminedFolder, OneThread, RanBack, StreamFault, Threads, Verified, VerifiedHouse,
    VerifyError, VoucherMove, Way, examine, examine_chains, examine_folder, examine_house,
    examine_with, verify, verify_house,
};
pub use walk::{Visitor, walk};
