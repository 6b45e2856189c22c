//! What is enrolled as JSON.

use serde::{Deserialize, Serialize};
use sicbo_register::enrolment::Role;
use sicbo_table::actor::Device;
use ts_rs::TS;
use utoipa::ToSchema;

/// What is enrolled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "role", rename_all = "snake_case", deny_unknown_fields)]
pub enum EnrolmentRole {
    /// A player's terminal.
    Station {
        /// Its table.
        table: String,
        /// Its station.
        station: u32,
    },
    /// A dealer's console.
    Console {
        /// Its table.
        table: String,
    },
    /// A display on the wall.
    Display {
        /// Its table; null for all.
        table: Option<String>,
    },
    /// A device at a table.
    Device {
        /// Its table.
        table: String,
        /// What it does.
        device: Device,
    },
    /// A desk of the pit.
    PitDesk {},
    /// A window of the cage.
    Cage {},
    /// The desk of the technicians.
    TechnicianDesk {},
    /// A desk of those who only look.
    AuditDesk {},
}

impl EnrolmentRole {
    /// As it is sent.
    #[must_use]
    pub fn of(role: &Role) -> EnrolmentRole {
        match role {
            Role::Station { table, station } => EnrolmentRole::Station {
                table: table.to_string(),
                station: station.0,
            },
            Role::Console { table } => EnrolmentRole::Console {
                table: table.to_string(),
            },
            Role::Display { table } => EnrolmentRole::Display {
                table: table.as_ref().map(ToString::to_string),
            },
            Role::Device { table, device } => EnrolmentRole::Device {
                table: table.to_string(),
                device: *device,
            },
            Role::PitDesk => EnrolmentRole::PitDesk {},
            Role::Cage => EnrolmentRole::Cage {},
            Role::TechnicianDesk => EnrolmentRole::TechnicianDesk {},
            Role::AuditDesk => EnrolmentRole::AuditDesk {},
        }
    }
}

impl std::fmt::Display for EnrolmentRole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EnrolmentRole::Station { table, station } => write!(f, "station {station} of {table}"),
            EnrolmentRole::Console { table } => write!(f, "console of {table}"),
            EnrolmentRole::Display { table: Some(table) } => write!(f, "display of {table}"),
            EnrolmentRole::Display { table: None } => f.write_str("display of all tables"),
            EnrolmentRole::Device { table, device } => write!(f, "{} of {table}", device.key()),
            EnrolmentRole::PitDesk {} => f.write_str("pit desk"),
            EnrolmentRole::Cage {} => f.write_str("window of the cage"),
            EnrolmentRole::TechnicianDesk {} => f.write_str("technicians' desk"),
            EnrolmentRole::AuditDesk {} => f.write_str("audit desk"),
        }
    }
}
