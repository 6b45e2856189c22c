//! Who acts.

use sicbo_rules::rulebook::words::Position;

use crate::ids::{PersonId, StationId};

/// A named person of the house in the position they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Staff {
    /// Who.
    pub person: PersonId,
    /// The position they hold; what they may act as is the table's own record.
    pub position: Position,
}

/// A bound device at the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
