//! The identity of the software as JSON.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// Asks for the identity of the software.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskAttest {
    /// 16 to 64 bytes that nobody could foresee, as hexadecimal digits.
    #[schema(
        min_length = 32,
        max_length = 128,
        pattern = "^([0-9a-fA-F]{2}){16,64}$"
    )]
    pub seed: String,
    /// A signed list of what was approved, to be compared with.
    #[serde(default)]
    #[ts(optional)]
    #[schema(max_length = 49152)]
    pub list: Option<String>,
    /// The key that signs such lists, which goes with one.
    #[serde(default)]
    #[ts(optional)]
    #[schema(max_length = 500)]
    pub key: Option<String>,
}

/// One part of the software.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct AttestedPart {
    /// `program`, `web-app`, `rule-book/mbs-etg` or `plan`.
    pub part: String,
    /// Its SHA-256, as a signed list names it.
    pub sha256: String,
    /// Its HMAC-SHA-256 under the seed.
    pub keyed: String,
}

/// What came of the comparison with a signed list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ComparedWithList {
    /// All is as listed.
    pub as_listed: bool,
    /// Parts that differ, or are not on it.
    pub differs: Vec<String>,
    /// Why the list could not be used.
    pub why: Option<String>,
}

/// The identity of the software.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Attestation {
    /// The seed it was asked with.
    pub seed: String,
    /// When, by the house's clock.
    pub at_ms: i64,
    /// Part by part.
    pub parts: Vec<AttestedPart>,
    /// Parts whose files on the disk are others than those that were started.
    pub changed: Vec<String>,
    /// What a signed list says of them; null where none was given.
    pub compared: Option<ComparedWithList>,
}
