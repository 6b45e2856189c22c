//! Events as named fields, for people and programs that read an export.
//!
//! The journal's own bytes are the truth; this is how they are told. Names are
//! stable: exports are read by other people's programs.

mod cases;
mod custody;
mod facts;
mod plays;
mod register;
mod value;
mod words;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use sicbo_register::positions::place_of;
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_rules::{Currency, Money};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::event::Effect;
use sicbo_table::ids::PersonId;
use sicbo_table::positions::Line;
use sicbo_table::{Event, Table};

pub use register::RegisterDescriber;
pub use value::Value;
pub use words::incident as incident_word;
pub(crate) use words::late_kind;
use words::{device_word, staff_words};

/// The stable name of a fact, and its fields in order.
pub type Described = (&'static str, Vec<(&'static str, Value)>);

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
    pub fn station(&self, id: sicbo_table::ids::StationId) -> String {
        self.table
            .stations
            .get(id.0 as usize)
            .map_or_else(|| id.to_string(), |station| station.name.clone())
    }

    fn amount(&self, amount: Money) -> Value {
        Value::Text(self.money(amount))
    }

    fn lines(&self, lines: &[Line]) -> Value {
        let line = |line: &Line| {
            Value::Fields(vec![
                ("section", line.section.to_string().into()),
                ("stake", self.amount(line.stake)),
            ])
        };
        Value::List(lines.iter().map(line).collect())
    }

    fn effects(&self, effects: &[Effect]) -> Value {
        let one = |effect: &Effect| {
            let mut fields = vec![
                ("station", Value::Text(self.station(effect.station))),
                ("was", self.amount(effect.was)),
                ("is", self.amount(effect.is)),
            ];
            for (name, amount) in [
                ("credited", effect.credited),
                ("paid_in_chips", effect.paid_in_chips),
            ] {
                if amount.is_positive() {
                    fields.push((name, self.amount(amount)));
                }
            }
            let netted: Money = effect.netted.iter().map(|(_, amount)| *amount).sum();
            if netted.is_positive() {
                fields.push(("taken_off_recoverable", self.amount(netted)));
            }
            for (name, amount) in [
                ("set_against_waiver", effect.waiver_netted),
                ("kept_by_waiver", effect.waiver_restored),
            ] {
                if amount.is_positive() {
                    fields.push((name, self.amount(amount)));
                }
            }
            let netted: Money = effect
                .unclaimed_netted
                .iter()
                .map(|(_, amount)| *amount)
                .sum();
            if netted.is_positive() {
                fields.push(("taken_off_unclaimed", self.amount(netted)));
            }
            if let Some(entry) = &effect.unclaimed {
                fields.push(("unclaimed", self.amount(entry.amount)));
            }
            if let Some(entry) = &effect.recoverable {
                fields.push(("recoverable", self.amount(entry.amount)));
            }
            Value::Fields(fields)
        };
        Value::List(effects.iter().map(one).collect())
    }

    /// Who acted.
    #[must_use]
    pub fn actor(&self, actor: Actor) -> String {
        match actor {
            Actor::Staff(staff) => self.staff(staff),
            Actor::Station(id) => format!("station {}", self.station(id)),
            Actor::Device(device) => format!("device {}", device_word(device)),
            Actor::House => "house".to_owned(),
        }
    }

    /// A person of the house: by name where it is known, else by number.
    #[must_use]
    pub fn staff(&self, staff: Staff) -> String {
        match (self.people, self.name(staff.person)) {
            (Some(people), Some(name)) => format!("{} {name}", people.position(staff.position)),
            _ => staff_words(staff),
        }
    }

    fn name(&self, person: PersonId) -> Option<&'t str> {
        self.people?.names.get(&person).map(String::as_str)
    }

    fn person(&self, person: PersonId) -> Value {
        self.name(person)
            .map_or_else(|| person.0.into(), Value::from)
    }

    /// A whole record: sequence, time, who, what.
    #[must_use]
    pub fn record(&self, sequence: u64, event: &Event) -> Vec<(&'static str, Value)> {
        let (name, fields) = self.fact(&event.fact);
        let mut record = vec![
            ("sequence", sequence.into()),
            ("time", crate::text::time(event.at_ms).into()),
            ("time_ms", event.at_ms.into()),
            ("event", name.into()),
            ("by", self.actor(event.by).into()),
        ];
        if let Some(second) = event.second {
            record.push(("second", self.staff(second).into()));
        }
        record.push(("command", event.command.into()));
        record.push(("fields", Value::Fields(fields)));
        record
    }
}

/// Bytes as hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first digits of the SHA-256 of something that is not to be shown: tells
/// whether two are the same and nothing else.
fn fingerprint(secret: &[u8]) -> String {
    let digest = Sha256::new()
        .chain_update(b"sicbo export fingerprint 1\0")
        .chain_update(secret)
        .finalize();
    hex(&digest[..6])
}
