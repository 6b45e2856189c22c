//! What comes of an act of staff, and how two-person acts are proposed and
//! confirmed.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// It is done, durably.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Done {
    /// Sequence of the last record it rests on.
    pub sequence: u64,
    /// It was done by this very request before: nothing more was done now.
    pub again: bool,
}

/// A proposal was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Proposed {
    /// Its number, which is never used again.
    pub proposal: u64,
    /// Digest of the act: a confirmation carries it.
    pub digest: String,
}

/// What the second person states.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// Digest of the act as it was shown to the second person.
    pub digest: String,
    /// The dice as they read them, where that is asked.
    #[serde(default)]
    #[ts(optional)]
    #[schema(schema_with = crate::schemas::dice)]
    pub dice: Option<[u8; 3]>,
}
