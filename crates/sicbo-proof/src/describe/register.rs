//! The register's facts as named fields. PIN hashes, keys and the digests of
//! validation numbers appear as fingerprints only: an export goes to people
//! who may not have them.

use sicbo_rules::rulebook::words::Word;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, VoucherId};

use super::words::device_word;
use super::{Described, Value, fingerprint};
use sicbo_register::Register;
use sicbo_register::command::{Party, Terms};
use sicbo_register::enrolment::{EnrolmentId, NewEnrolment, Role};
use sicbo_register::event::{Event, Fact};
use sicbo_register::person::{LogOutReason, NewPerson};
use sicbo_register::proposal::ProposalEnd;
use sicbo_register::voucher::{Payee, Place};

/// Describes events of the house's own stream: knows its people, what is
/// enrolled, and its vouchers.
#[derive(Clone, Copy, Debug)]
pub struct RegisterDescriber<'r> {
    register: &'r Register,
}

impl<'r> RegisterDescriber<'r> {
    /// Describes with the names of this state.
    #[must_use]
    pub fn new(register: &'r Register) -> RegisterDescriber<'r> {
        RegisterDescriber { register }
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
            ("by", self.party(event.by).into()),
        ];
        if let Some(second) = event.second {
            record.push(("second", self.person(second).into()));
        }
        record.push(("command", event.command.into()));
        record.push(("fields", Value::Fields(fields)));
        record
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

    fn somebody(&self, id: PersonId) -> (&'static str, Value) {
        ("person", self.person(id).into())
    }

    fn place(&self, place: Option<EnrolmentId>) -> (&'static str, Value) {
        let there = place.map_or(Value::Nothing, |id| self.enrolled(id).into());
        ("place", there)
    }

    /// A voucher's amount in its own currency.
    fn amount(&self, voucher: VoucherId, amount: Money) -> Value {
        let known = self.register.vouchers.get(&voucher);
        known.map_or_else(
            || amount.minor().into(),
            |known| money(known.currency, amount),
        )
    }

    /// A payment of a voucher, with its amount where it is known.
    fn payment(&self, voucher: VoucherId, request: u64, to: &Payee) -> Vec<(&'static str, Value)> {
        let mut fields = vec![id(voucher)];
        if let Some(known) = self.register.vouchers.get(&voucher) {
            fields.push(("amount", money(known.currency, known.amount)));
        }
        fields.push(("request", request.into()));
        fields.push(("to", self.payee(to)));
        fields
    }

    fn payee(&self, payee: &Payee) -> Value {
        match payee {
            Payee::Station(place) => station(place),
            Payee::Cage { cashier } => {
                Value::Fields(vec![("cashier", self.person(*cashier).into())])
            }
        }
    }

    /// The fact of a two-person proposal or of a table out of service.
    fn proposal(&self, fact: &Fact) -> Option<Described> {
        match fact {
            Fact::ProposalMade { proposal, new } => {
                let table = new.table.as_ref();
                let table = table.map_or(Value::Nothing, |table| table.as_str().into());
                let fields = vec![
                    ("proposal", (*proposal).into()),
                    ("table", table),
                    ("act", new.act.as_str().into()),
                    ("words", new.words.as_str().into()),
                    ("digest", super::hex(&new.digest).into()),
                ];
                Some(("proposal-made", fields))
            }
            Fact::ProposalEnded { proposal, end } => {
                let mut fields = vec![("proposal", (*proposal).into()), ("end", end.word().into())];
                if let ProposalEnd::Confirmed { second } = end {
                    fields.push(("confirmed_by", self.person(*second).into()));
                }
                Some(("proposal-ended", fields))
            }
            Fact::TableRestarted { table, reason } => {
                let fields = vec![
                    ("table", table.as_str().into()),
                    ("reason", reason.as_str().into()),
                ];
                Some(("table-restarted", fields))
            }
            Fact::TableReached { table, reached } => {
                let fields = vec![
                    ("table", table.as_str().into()),
                    ("record", reached.sequence.into()),
                    ("header_hash", super::hex(&reached.header_hash).into()),
                ];
                Some(("table-reached", fields))
            }
            _ => None,
        }
    }

    /// The name of a fact and its fields.
    #[must_use]
    pub fn fact(&self, fact: &Fact) -> Described {
        let pin = |pin: &String| ("pin_fingerprint", fingerprint(pin.as_bytes()).into());
        match fact {
            Fact::HouseSetUp {
                terms,
                staff,
                places,
            } => {
                let mut fields = terms_fields(terms);
                fields.push((
                    "staff",
                    Value::List(
                        staff
                            .iter()
                            .map(|new| Value::Fields(new_person(new)))
                            .collect(),
                    ),
                ));
                fields.push((
                    "enrolled",
                    Value::List(
                        places
                            .iter()
                            .map(|new| Value::Fields(new_place(new)))
                            .collect(),
                    ),
                ));
                ("house-set-up", fields)
            }
            Fact::TermsChanged { terms } => ("terms-changed", terms_fields(terms)),
            Fact::PositionsNamed { names } => {
                let names = names.iter().map(|name| name.as_str().into());
                (
                    "positions-named",
                    vec![("above_director", Value::List(names.collect()))],
                )
            }
            Fact::PersonAdded { person, new } => {
                let mut fields = vec![("person", person.0.into())];
                fields.extend(new_person(new));
                ("person-added", fields)
            }
            Fact::PositionChanged { person, from, to } => (
                "position-changed",
                vec![
                    self.somebody(*person),
                    ("from", from.key().into()),
                    ("to", to.key().into()),
                ],
            ),
            Fact::PinReset { person, pin: hash } => {
                ("pin-reset", vec![self.somebody(*person), pin(hash)])
            }
            Fact::PinChanged { person, pin: hash } => {
                ("pin-changed", vec![self.somebody(*person), pin(hash)])
            }
            Fact::PersonDisabled { person, reason } => (
                "person-disabled",
                vec![self.somebody(*person), ("reason", reason.as_str().into())],
            ),
            Fact::PersonEnabled { person, pin: hash } => {
                ("person-enabled", vec![self.somebody(*person), pin(hash)])
            }
            Fact::LockLifted { person } => ("lock-lifted", vec![self.somebody(*person)]),
            Fact::LoggedIn {
                person,
                session,
                place,
            } => (
                "logged-in",
                vec![
                    self.somebody(*person),
                    ("session", session.0.into()),
                    self.place(*place),
                ],
            ),
            Fact::LogInFailed {
                person,
                name,
                place,
            } => (
                "log-in-failed",
                vec![
                    self.whoever(*person),
                    ("name", name.as_str().into()),
                    self.place(*place),
                ],
            ),
            Fact::LockedOut {
                person,
                place,
                until_ms,
            } => (
                "locked-out",
                vec![self.whoever(*person), self.place(*place), until(*until_ms)],
            ),
            Fact::LoggedOut {
                person,
                session,
                why,
            } => (
                "logged-out",
                vec![
                    self.somebody(*person),
                    ("session", session.0.into()),
                    ("why", log_out(*why).into()),
                ],
            ),
            Fact::Enrolled { enrolment, new } => {
                let mut fields = vec![("enrolment", enrolment.0.into())];
                fields.extend(new_place(new));
                ("enrolled", fields)
            }
            Fact::Revoked { enrolment, reason } => (
                "revoked",
                vec![
                    ("enrolment", self.enrolled(*enrolment).into()),
                    ("reason", reason.as_str().into()),
                ],
            ),
            _ => super::cases::fact(fact)
                .or_else(|| super::custody::fact(self.register, fact))
                .or_else(|| super::plays::fact(fact))
                .or_else(|| self.proposal(fact))
                .unwrap_or_else(|| self.voucher_fact(fact)),
        }
    }

    fn whoever(&self, person: Option<PersonId>) -> (&'static str, Value) {
        person.map_or(("person", Value::Nothing), |id| self.somebody(id))
    }

    fn voucher_fact(&self, fact: &Fact) -> Described {
        match fact {
            Fact::VoucherReserved {
                voucher,
                origin,
                station_name,
                currency,
                amount,
            } => (
                "voucher-reserved",
                vec![
                    id(*voucher),
                    ("origin", station(origin)),
                    ("station_name", station_name.as_str().into()),
                    ("amount", money(*currency, *amount)),
                    ("currency", currency.code().into()),
                ],
            ),
            Fact::ReservationReleased { voucher } => ("reservation-released", vec![id(*voucher)]),
            Fact::VoucherIssued {
                voucher,
                amount,
                sequence,
                digest,
                attempt,
                expires_ms,
            } => (
                "voucher-issued",
                vec![
                    id(*voucher),
                    ("amount", self.amount(*voucher, *amount)),
                    ("voucher_sequence", (*sequence).into()),
                    ("number_fingerprint", fingerprint(digest).into()),
                    ("attempt", (*attempt).into()),
                    ("expires", crate::text::time(*expires_ms).into()),
                ],
            ),
            Fact::PrintBegan { voucher, copy } => {
                ("print-began", vec![id(*voucher), ("copy", (*copy).into())])
            }
            Fact::VoucherPrinted { voucher } => ("voucher-printed", vec![id(*voucher)]),
            Fact::PrintFailed { voucher, what } => (
                "print-failed",
                vec![id(*voucher), ("what", what.as_str().into())],
            ),
            Fact::VoucherReturned { voucher } => ("voucher-returned", vec![id(*voucher)]),
            Fact::VoucherKept { voucher, why } => (
                "voucher-kept",
                vec![id(*voucher), ("why", why.as_str().into())],
            ),
            Fact::RedemptionBegan {
                voucher,
                request,
                to,
            } => ("redemption-began", self.payment(*voucher, *request, to)),
            Fact::RedemptionRefused {
                voucher,
                request,
                to,
                why,
            } => (
                "redemption-refused",
                vec![
                    (
                        "voucher",
                        voucher.map_or(Value::Nothing, |voucher| voucher.0.into()),
                    ),
                    ("request", (*request).into()),
                    ("to", self.payee(to)),
                    ("why", why.code().into()),
                ],
            ),
            Fact::RedemptionLocked { to, until_ms } => (
                "redemption-locked",
                vec![("to", self.payee(to)), until(*until_ms)],
            ),
            Fact::RedemptionCancelled { voucher, why } => (
                "redemption-cancelled",
                vec![id(*voucher), ("why", why.as_str().into())],
            ),
            Fact::VoucherRedeemed {
                voucher,
                request,
                to,
            } => ("voucher-redeemed", self.payment(*voucher, *request, to)),
            Fact::VoucherVoided { voucher, reason } => (
                "voucher-voided",
                vec![id(*voucher), ("reason", reason.as_str().into())],
            ),
            Fact::VoucherExpired { voucher } => ("voucher-expired", vec![id(*voucher)]),
            Fact::ClockParted { machine_ms } => (
                "clock-parted",
                vec![("machine", crate::text::time(*machine_ms).into())],
            ),
            Fact::ClockSet { was_ms, is_ms } => (
                "clock-set",
                vec![
                    ("was", crate::text::time(*was_ms).into()),
                    ("is", crate::text::time(*is_ms).into()),
                ],
            ),
            _ => unreachable!("only facts of vouchers come here"),
        }
    }
}

fn id(voucher: VoucherId) -> (&'static str, Value) {
    ("voucher", voucher.0.into())
}

fn until(until_ms: i64) -> (&'static str, Value) {
    ("until", crate::text::time(until_ms).into())
}

fn money(currency: Currency, amount: Money) -> Value {
    currency.format(amount).into()
}

fn station(place: &Place) -> Value {
    Value::Fields(vec![
        ("table", place.table.as_str().into()),
        ("station", place.station.0.into()),
    ])
}

fn terms_fields(terms: &Terms) -> Vec<(&'static str, Value)> {
    let bounds = terms.hand_pay_above.iter().map(|(currency, bound)| {
        Value::Fields(vec![
            ("currency", currency.code().into()),
            ("amount", money(*currency, *bound)),
        ])
    });
    vec![
        ("site", terms.site.as_str().into()),
        ("voucher_days", u32::from(terms.voucher_days).into()),
        ("hand_pay_above", Value::List(bounds.collect())),
    ]
}

fn new_person(new: &NewPerson) -> Vec<(&'static str, Value)> {
    vec![
        ("name", new.name.as_str().into()),
        ("position", new.position.key().into()),
        ("pin_fingerprint", fingerprint(new.pin.as_bytes()).into()),
    ]
}

fn new_place(new: &NewEnrolment) -> Vec<(&'static str, Value)> {
    let mut fields = vec![("name", new.name.as_str().into())];
    let (role, table) = match &new.role {
        Role::Station { table, station } => {
            fields.push(("station", station.0.into()));
            ("station", Some(table))
        }
        Role::Console { table } => ("console", Some(table)),
        Role::Display { table } => ("display", table.as_ref()),
        Role::Device { table, device } => {
            fields.push(("device", device_word(*device).into()));
            ("device", Some(table))
        }
        Role::PitDesk => ("pit-desk", None),
        Role::Cage => ("cage", None),
    };
    fields.insert(0, ("role", role.into()));
    if let Some(table) = table {
        fields.push(("table", table.as_str().into()));
    }
    fields.push(("key_fingerprint", fingerprint(&new.key).into()));
    fields
}

fn log_out(why: LogOutReason) -> &'static str {
    match why {
        LogOutReason::Asked => "asked",
        LogOutReason::Idle => "idle",
        LogOutReason::TooMany => "too-many",
        LogOutReason::RightsChanged => "rights-changed",
        LogOutReason::Restart => "restart",
        LogOutReason::PlaceRevoked => "place-revoked",
    }
}
