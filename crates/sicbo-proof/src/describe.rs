//! Events as named fields, for people and programs that read an export.
//!
//! The journal's own bytes are the truth; this is how they are told. Names are
//! stable: exports are read by other people's programs.

mod facts;
mod register;

use std::collections::BTreeMap;

use sicbo_register::positions::place_of;
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_rules::{Currency, Money};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::describe::{Fields, Names};
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::{Event, Table};

pub use register::RegisterDescriber;
pub use sicbo_table::describe::{Value, hex};

/// The stable name of a fact, and its fields in order.
pub type Described = (&'static str, Fields);

/// The house's people, from its register.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct People {
    /// Their names by their numbers.
    pub names: BTreeMap<PersonId, String>,
    /// What the house calls its positions above the director, lowest first.
    pub above_director: Vec<String>,
}

impl People {
    /// What a position is called here: the house's own name, or its word.
    fn position(&self, position: Position) -> &str {
        let own = place_of(position).and_then(|at| self.above_director.get(at));
        own.map_or(position.key(), String::as_str)
    }
}

/// Describes events of one table: knows its currency, its stations' names and,
/// where the house's register was read, its people's.
#[derive(Clone, Copy, Debug)]
pub struct Describer<'t> {
    table: &'t Table,
    people: Option<&'t People>,
}

impl<'t> Describer<'t> {
    /// Describes with the names of this state.
    #[must_use]
    pub fn new(table: &'t Table) -> Describer<'t> {
        Describer {
            table,
            people: None,
        }
    }

    /// The same, with people called by their names.
    #[must_use]
    pub fn with_people(self, people: &'t People) -> Describer<'t> {
        Describer {
            people: Some(people),
            ..self
        }
    }

    /// An amount in the table's currency.
    #[must_use]
    pub fn money(&self, amount: Money) -> String {
        let currency = self
            .table
            .config
            .as_ref()
            .map_or(Currency::SGD, |config| config.currency);
        currency.format(amount)
    }

    /// A station's name.
    #[must_use]
    pub fn station(&self, id: StationId) -> String {
        self.table
            .stations
            .get(id.0 as usize)
            .map_or_else(|| id.to_string(), |station| station.name.clone())
    }

    /// Who acted.
    #[must_use]
    pub fn actor(&self, actor: Actor) -> String {
        match actor {
            Actor::Staff(staff) => self.staff(staff),
            Actor::Station(id) => format!("station {}", self.station(id)),
            Actor::Device(device) => format!("device {}", device.key()),
            Actor::House => "house".to_owned(),
        }
    }

    /// A person of the house: by name where it is known, else by number.
    #[must_use]
    pub fn staff(&self, staff: Staff) -> String {
        match (self.people, self.name(staff.person)) {
            (Some(people), Some(name)) => format!("{} {name}", people.position(staff.position)),
            _ => format!("{} {}", staff.position.key(), staff.person),
        }
    }

    fn name(&self, person: PersonId) -> Option<&'t str> {
        self.people?.names.get(&person).map(String::as_str)
    }

    /// A whole record: sequence, time, who, what.
    #[must_use]
    pub fn record(&self, sequence: u64, event: &Event) -> Fields {
        let by = self.actor(event.by);
        let second = event.second.map(|second| self.staff(second));
        let at = (sequence, event.at_ms, event.command);
        record(at, self.fact(&event.fact), by, second)
    }
}

/// A whole record of a table or the register: `at` is its sequence, time and command.
fn record(
    at: (u64, i64, u64),
    fact: (&'static str, Fields),
    by: String,
    second: Option<String>,
) -> Fields {
    let ((sequence, at_ms, command), (name, fields)) = (at, fact);
    let mut record: Fields = vec![
        ("sequence", sequence.into()),
        ("time", crate::text::time(at_ms).into()),
        ("time_ms", at_ms.into()),
        ("event", name.into()),
        ("by", by.into()),
    ];
    record.extend(second.map(|second| ("second", second.into())));
    record.push(("command", command.into()));
    record.push(("fields", Value::Fields(fields)));
    record
}

impl Names for Describer<'_> {
    fn amount(&self, amount: Money) -> Value {
        self.money(amount).into()
    }

    fn station(&self, station: StationId) -> Value {
        self.station(station).into()
    }

    fn person(&self, person: PersonId) -> Value {
        let name = self.name(person);
        name.map_or_else(|| person.0.into(), Value::from)
    }

    fn time(&self, at_ms: i64) -> Value {
        crate::text::time(at_ms).into()
    }
}
