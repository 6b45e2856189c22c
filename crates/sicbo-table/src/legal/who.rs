//! Who may take a step.

use crate::actor::{Actor, Device, Staff};
use crate::authority::{self, Needed};
use crate::ids::{PersonId, StationId};
use crate::table::Table;

/// Who may take a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// One person.
    Person {
        /// In which position.
        needed: Needed,
        /// But not this one: the reading must be independent.
        but: Option<PersonId>,
    },
    /// Two different persons.
    TwoPersons {
        /// One of them in this position.
        first: Needed,
        /// The other in this.
        second: Needed,
    },
    /// A bound device.
    Device(Device),
    /// A station, for its player.
    Station(StationId),
    /// The house program.
    House,
}

impl Who {
    /// One person in a position.
    #[must_use]
    pub const fn person(needed: Needed) -> Who {
        Who::Person { needed, but: None }
    }

    /// How many persons it takes; none when it is no person's.
    #[must_use]
    pub const fn persons(self) -> u8 {
        match self {
            Who::Person { .. } => 1,
            Who::TwoPersons { .. } => 2,
            Who::Device(_) | Who::Station(_) | Who::House => 0,
        }
    }

    /// Whether the one who acts, with a second person or not, is who may.
    #[must_use]
    pub fn permits(self, table: &Table, by: Actor, second: Option<Staff>) -> bool {
        let holds = |staff, needed| authority::holds(table, staff, needed);
        match (self, by) {
            (Who::Person { needed, but }, Actor::Staff(staff)) => {
                holds(staff, needed) && but != Some(staff.person)
            }
            (
                Who::TwoPersons {
                    first,
                    second: other,
                },
                Actor::Staff(one),
            ) => second.is_some_and(|two| {
                let fits = |a, b| holds(a, first) && holds(b, other);
                one.person != two.person && (fits(one, two) || fits(two, one))
            }),
            (Who::Device(needed), Actor::Device(device)) => needed == device,
            (Who::Station(needed), Actor::Station(station)) => needed == station,
            (Who::House, Actor::House) => true,
            _ => false,
        }
    }
}
