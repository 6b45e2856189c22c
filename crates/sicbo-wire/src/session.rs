//! What somebody of the staff says of themselves as JSON: who they are, and their PINs.

use serde::Deserialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Secret;

/// A name and a PIN.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LogIn {
    /// The name.
    #[schema(max_length = 200)]
    pub name: String,
    /// The PIN.
    #[ts(type = "string")]
    pub pin: Secret,
    /// The code of the second factor, where the position asks for one.
    #[serde(default)]
    #[ts(optional, type = "string")]
    pub code: Option<Secret>,
}

/// A PIN, given once more before money is moved.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PinAgain {
    /// The PIN of whoever is logged in.
    #[ts(type = "string")]
    pub pin: Secret,
}

/// A code of an authenticator.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FactorCode {
    /// Six digits.
    #[ts(type = "string")]
    pub code: Secret,
}

/// An old and a new PIN.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePin {
    /// The one that was.
    #[ts(type = "string")]
    pub old: Secret,
    /// The one that will be: 6 to 12 digits, not easy to guess.
    #[ts(type = "string")]
    pub new: Secret,
}

/// Who asks for a second factor shows that it is they.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskFactor {
    /// The PIN of whoever is logged in.
    #[ts(type = "string")]
    pub pin: Secret,
    /// A code of the factor that the new one replaces, where there is one.
    #[serde(default)]
    #[ts(optional, type = "string")]
    pub code: Option<Secret>,
}
