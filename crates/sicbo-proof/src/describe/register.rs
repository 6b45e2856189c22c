//! The register's facts as named fields, by their rows in the table of facts.

use sicbo_register::Register;
use sicbo_register::command::Party;
use sicbo_register::describe::RegisterNames;
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::event::{Event, Fact};
use sicbo_rules::rulebook::words::Word;
use sicbo_rules::{Currency, Money};
use sicbo_table::describe::{Fields, Names};
use sicbo_table::ids::{PersonId, StationId};

use super::{Described, Value};

/// Describes events of the house's own stream: knows its people, what is
/// enrolled, and its vouchers.
#[derive(Clone, Copy, Debug)]
pub struct RegisterDescriber<'r> {
    register: &'r Register,
    /// The currency of the fact that is being described.
    currency: Option<Currency>,
}

impl<'r> RegisterDescriber<'r> {
    /// Describes with the names of this state.
    #[must_use]
    pub fn new(register: &'r Register) -> RegisterDescriber<'r> {
        RegisterDescriber {
            register,
            currency: None,
        }
    }

    /// A whole record: sequence, time, who, what.
    #[must_use]
    pub fn record(&self, sequence: u64, event: &Event) -> Fields {
        let by = self.party(event.by);
        let second = event.second.map(|second| self.person(second));
        let at = (sequence, event.at_ms, event.command);
        super::record(at, self.fact(&event.fact), by, second)
    }

    /// Who acted.
    #[must_use]
    pub fn party(&self, party: Party) -> String {
        match party {
            Party::House => "house".to_owned(),
            Party::Person(id) => self.person(id),
            Party::Place(id) => self.enrolled(id),
        }
    }

    fn person(&self, id: PersonId) -> String {
        match self.register.people.get(&id) {
            Some(person) => format!("{} {id} {}", person.position.key(), person.name),
            None => id.to_string(),
        }
    }

    fn enrolled(&self, id: EnrolmentId) -> String {
        match self.register.enrolments.get(&id) {
            Some(enrolment) => format!("enrolment {} {}", id.0, enrolment.name),
            None => format!("enrolment {}", id.0),
        }
    }

    /// The name of a fact and its fields.
    #[must_use]
    pub fn fact(&self, fact: &Fact) -> Described {
        let vouchers = &self.register.vouchers;
        let currency = match fact {
            Fact::VoucherReserved { currency, .. } => Some(*currency),
            Fact::VoucherIssued { voucher, .. } => {
                vouchers.get(voucher).map(|known| known.currency)
            }
            Fact::ShiftOpened { new, .. } => Some(new.currency),
            Fact::ShiftClosed { shift, .. } => {
                self.register.shifts.get(shift).map(|known| known.currency)
            }
            _ => None,
        };
        let mut fields = fact.fields(&RegisterDescriber { currency, ..*self });
        match fact {
            Fact::CaseStepped { acting: None, .. } => fields.retain(|(name, _)| *name != "acting"),
            Fact::RedemptionBegan { voucher, .. } | Fact::VoucherRedeemed { voucher, .. } => {
                if let Some(known) = vouchers.get(voucher) {
                    let amount = known.currency.format(known.amount);
                    fields.insert(1, ("amount", amount.into()));
                }
            }
            _ => {}
        }
        (fact.key(), fields)
    }
}

impl Names for RegisterDescriber<'_> {
    /// In the fact's own currency; in minor units where none is known.
    fn amount(&self, amount: Money) -> Value {
        let currency = self.currency;
        currency.map_or_else(|| amount.minor().into(), |own| own.format(amount).into())
    }

    fn station(&self, station: StationId) -> Value {
        station.0.into()
    }

    fn person(&self, person: PersonId) -> Value {
        self.person(person).into()
    }

    fn time(&self, at_ms: i64) -> Value {
        crate::text::time(at_ms).into()
    }
}

impl RegisterNames for RegisterDescriber<'_> {
    fn enrolment(&self, id: EnrolmentId) -> Value {
        self.enrolled(id).into()
    }
}
