//! Who acts.

use serde::{Deserialize, Serialize};
use sicbo_rules::rulebook::words::Position;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::ids::{PersonId, StationId};

/// A named person of the house in the position they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Staff {
    /// Who.
    pub person: PersonId,
    /// The position they hold; what they may act as is the table's own record.
    pub position: Position,
}

/// What a device does.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "DeviceName")]
#[schema(as = DeviceName)]
pub enum Device {
    /// Tumbles the dice and counts the tumbles.
    Tumbler,
    /// Reads the dice.
    DiceReader,
    /// Lights the winning areas.
    Lights,
    /// Takes notes at a station.
    NoteAcceptor,
}

/// Who or what gives a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A person.
    Staff(Staff),
    /// A player, through a station.
    Station(StationId),
    /// A device.
    Device(Device),
    /// The house program itself: the betting clock, fencing, recovery.
    House,
}
