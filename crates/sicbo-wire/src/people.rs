//! What is asked about people, and about what is enrolled, as JSON.

use serde::Deserialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::places::EnrolmentRole;

/// Someone to be taken in.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPerson {
    /// Their name.
    #[schema(max_length = 200)]
    pub name: String,
    /// The position they hold.
    #[schema(schema_with = crate::schemas::position)]
    pub position: String,
}

/// A change of a person's rights.
#[derive(Deserialize, TS, ToSchema)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum PersonChange {
    /// Another position.
    Position {
        /// Which.
        #[schema(schema_with = crate::schemas::position)]
        position: String,
    },
    /// A new one-time PIN.
    ResetPin {},
    /// May not log in any more.
    Disable {
        /// Why.
        reason: String,
    },
    /// May log in again, with a new one-time PIN.
    Enable {},
    /// Ends a lockout early.
    LiftLock {},
    /// Whoever asks has seen them log in.
    Witness {},
    /// The tables and windows they work at.
    Assign {
        /// Tables, by name.
        #[schema(max_items = 64)]
        tables: Vec<String>,
        /// Windows of the cage, by the number they are enrolled under.
        #[schema(max_items = 64)]
        windows: Vec<u32>,
    },
}

/// Something to be enrolled.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEnrolment {
    /// What it is.
    pub role: EnrolmentRole,
    /// What people call it.
    #[schema(max_length = 120)]
    pub name: String,
}

/// Why something is revoked.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Revocation {
    /// Why.
    #[schema(max_length = 500)]
    pub reason: String,
}
