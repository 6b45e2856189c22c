//! What a window of the cage asks as JSON.

use serde::Deserialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Secret;

/// A voucher presented at a window.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Presented {
    /// Chosen by the window: the same request again is the same redemption.
    pub request: u64,
    /// The eighteen digits; spaces and hyphens are ignored.
    #[ts(type = "string")]
    pub number: Secret,
    /// The currency it is paid in.
    #[schema(schema_with = crate::schemas::currency)]
    pub currency: String,
    /// The amount on the paper, where it was keyed.
    #[serde(default)]
    #[ts(optional)]
    pub claimed: Option<i64>,
}

/// Why a voucher is made void, and by whom beside the one who asks.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidVoucher {
    /// Why.
    #[schema(max_length = 500)]
    pub reason: String,
    /// Name of the second person.
    #[schema(max_length = 200)]
    pub second_name: String,
    /// Their PIN: both are present.
    #[ts(type = "string")]
    pub second_pin: Secret,
    /// A code of their authenticator, where they have one.
    #[serde(default)]
    #[ts(optional, type = "string")]
    pub second_code: Option<Secret>,
}

/// A voucher that a window looks up before it pays.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LookUp {
    /// Chosen by the window, as for a redemption.
    pub request: u64,
    /// The eighteen digits; spaces and hyphens are ignored.
    #[ts(type = "string")]
    pub number: Secret,
}

/// Who confirms that a voucher without a paper is paid to the right person.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PayKept {
    /// Name of the second person, a supervisor.
    #[schema(max_length = 200)]
    pub second_name: String,
    /// A code of their authenticator, where they have one.
    #[serde(default)]
    #[ts(optional, type = "string")]
    pub second_code: Option<Secret>,
    /// Chosen by the window: the same request again is the same payment.
    pub request: u64,
    /// Their PIN: both are present.
    #[ts(type = "string")]
    pub second_pin: Secret,
}
