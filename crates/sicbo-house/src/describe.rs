//! Events as named fields, for people and programs that read an export.
//!
//! The journal's own bytes are the truth; this is how they are told. Names are
//! stable: exports are read by other people's programs.

use std::fmt;

use sicbo_rules::rulebook::words::Word;
use sicbo_rules::{Currency, Money};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, Ruling};
use sicbo_table::event::{Effect, VoidBasis};
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::Standing;
use sicbo_table::station::StationKind;
use sicbo_table::{Event, Fact, Table};

/// A value of a described field.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Words.
    Text(String),
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// Nothing there.
    Nothing,
    /// Several.
    List(Vec<Value>),
    /// Named values, in order.
    Fields(Vec<(&'static str, Value)>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl From<$type> for Value {
            fn from(number: $type) -> Value {
                i64::try_from(number).map_or_else(|_| Value::Text(number.to_string()), Value::Number)
            }
        }
    )+};
}
numbers!(u8, u32, u64, usize, i64);

impl fmt::Display for Value {
    /// Plain words: lists with commas, named values in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Number(number) => write!(f, "{number}"),
            Value::Flag(flag) => f.write_str(if *flag { "yes" } else { "no" }),
            Value::Nothing => f.write_str("none"),
            Value::List(values) => {
                for (i, value) in values.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{value}")?;
                }
                Ok(())
            }
            Value::Fields(fields) => {
                f.write_str("(")?;
                for (i, (name, value)) in fields.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{name} {value}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Describes events of one table: knows its currency and its stations' names.
#[derive(Clone, Copy, Debug)]
pub struct Describer<'t> {
    table: &'t Table,
}

impl<'t> Describer<'t> {
    /// Describes with the names of this state.
    #[must_use]
    pub fn new(table: &'t Table) -> Describer<'t> {
        Describer { table }
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
            Actor::Staff(staff) => staff_words(staff),
            Actor::Station(id) => format!("station {}", self.station(id)),
            Actor::Device(Device::Tumbler) => "device tumbler".to_owned(),
            Actor::Device(Device::DiceReader) => "device dice-reader".to_owned(),
            Actor::Device(Device::Lights) => "device lights".to_owned(),
            Actor::Device(Device::NoteAcceptor) => "device note-acceptor".to_owned(),
            Actor::House => "house".to_owned(),
        }
    }

    /// The name of a fact and its fields.
    #[must_use]
    pub fn fact(&self, fact: &Fact) -> (&'static str, Vec<(&'static str, Value)>) {
        let station =
            |id: &sicbo_table::ids::StationId| ("station", Value::Text(self.station(*id)));
        match fact {
            Fact::TableOpened { config, stations } => (
                "table-opened",
                vec![
                    ("table", config.name.as_str().into()),
                    ("rulebook", config.book.id().into()),
                    ("rulebook_sha256", config.book.sha256_hex().into()),
                    ("currency", config.currency.code().into()),
                    ("dice_set", config.dice_set.as_str().into()),
                    ("real_money", config.real_money.into()),
                    ("stations", stations.len().into()),
                ],
            ),
            Fact::StationAdded { station } => (
                "station-added",
                vec![
                    ("station", station.name.as_str().into()),
                    ("kind", station_kind(station.kind).into()),
                    ("layout", station.layout.as_str().into()),
                ],
            ),
            Fact::StationRemoved { station: id } => ("station-removed", vec![station(id)]),
            Fact::LastRoundAnnounced => ("last-round-announced", vec![]),
            Fact::TableClosed => ("table-closed", vec![]),
            Fact::TableSuspended { reason } => {
                ("table-suspended", vec![("reason", reason.as_str().into())])
            }
            Fact::TableResumed => ("table-resumed", vec![]),
            Fact::LimitsScheduled { limits } => (
                "limits-scheduled",
                vec![
                    ("station_maximum", self.amount(limits.station_maximum)),
                    ("exposure_maximum", self.amount(limits.exposure_maximum)),
                ],
            ),
            Fact::RuleBookScheduled { book } => (
                "rule-book-scheduled",
                vec![
                    ("rulebook", book.id().into()),
                    ("rulebook_sha256", book.sha256_hex().into()),
                ],
            ),
            Fact::DiceChanged { dice_set } => {
                ("dice-changed", vec![("dice_set", dice_set.as_str().into())])
            }
            Fact::ActingAssigned { person, position } => (
                "acting-assigned",
                vec![
                    ("person", person.0.into()),
                    ("position", position.key().into()),
                ],
            ),
            Fact::ActingEnded { person, position } => (
                "acting-ended",
                vec![
                    ("person", person.0.into()),
                    ("position", position.key().into()),
                ],
            ),
            Fact::Connected { station: id } => ("connected", vec![station(id)]),
            Fact::Disconnected { station: id } => ("disconnected", vec![station(id)]),
            Fact::CreditBought {
                station: id,
                source,
                amount,
                session,
            } => {
                let mut fields = vec![
                    station(id),
                    ("source", credit_source(*source).into()),
                    ("amount", self.amount(*amount)),
                    ("session", session.0.into()),
                ];
                if let CreditSource::Voucher(voucher) = source {
                    fields.push(("voucher", voucher.0.into()));
                }
                ("credit-bought", fields)
            }
            Fact::CashedOut {
                station: id,
                amount,
                voucher,
            } => (
                "cashed-out",
                vec![
                    station(id),
                    ("amount", self.amount(*amount)),
                    ("voucher", voucher.0.into()),
                ],
            ),
            Fact::CashOutReversed {
                station: id,
                amount,
                voucher,
            } => (
                "cash-out-reversed",
                vec![
                    station(id),
                    ("amount", self.amount(*amount)),
                    ("voucher", voucher.0.into()),
                ],
            ),
            Fact::TransferredOut {
                station: id,
                amount,
            } => (
                "transferred-out",
                vec![station(id), ("amount", self.amount(*amount))],
            ),
            Fact::HandPaid {
                station: id,
                amount,
            } => (
                "hand-paid",
                vec![station(id), ("amount", self.amount(*amount))],
            ),
            Fact::VoucherForgotten { voucher } => {
                ("voucher-forgotten", vec![("voucher", voucher.0.into())])
            }
            Fact::ChipsMoved { how, amount, slip } => (
                "chips-moved",
                vec![
                    ("how", chip_move(*how).into()),
                    ("amount", self.amount(*amount)),
                    ("slip", slip.as_str().into()),
                ],
            ),
            Fact::ColourAssigned {
                station: id,
                colour,
                value,
                session,
            } => (
                "colour-assigned",
                vec![
                    station(id),
                    ("colour", colour.as_str().into()),
                    ("value", self.amount(*value)),
                    ("session", session.0.into()),
                ],
            ),
            Fact::ColourReleased { station: id } => ("colour-released", vec![station(id)]),
            Fact::ColourMoved {
                station: id,
                how,
                amount,
            } => (
                "colour-moved",
                vec![
                    station(id),
                    ("how", colour_move(*how).into()),
                    ("amount", self.amount(*amount)),
                ],
            ),
            Fact::Adjusted {
                station: id,
                amount,
                reason,
            } => (
                "adjusted",
                vec![
                    station(id),
                    ("amount", self.amount(*amount)),
                    ("reason", reason.as_str().into()),
                ],
            ),
            Fact::RoundBegan { round, digests } => (
                "round-began",
                vec![
                    ("round", round.0.into()),
                    ("program_sha256", hex(&digests.program).into()),
                    ("rulebook_sha256", hex(&digests.book).into()),
                    ("config_sha256", hex(&digests.config).into()),
                ],
            ),
            Fact::TumbleCommitted { round, commitment } => (
                "tumble-committed",
                vec![
                    ("round", round.0.into()),
                    ("commitment", hex(commitment).into()),
                ],
            ),
            Fact::TumbleRevealed { round, seed } => (
                "tumble-revealed",
                vec![("round", round.0.into()), ("seed", hex(seed).into())],
            ),
            Fact::TumblerActivated => ("tumbler-activated", vec![]),
            Fact::TumbleEnded { count, valid } => (
                "tumble-ended",
                vec![("count", (*count).into()), ("valid", (*valid).into())],
            ),
            Fact::BetsCalled => ("bets-called", vec![]),
            Fact::BetsPlaced {
                station: id,
                bet,
                means,
                lines,
                called,
            } => (
                "bets-placed",
                vec![
                    station(id),
                    ("bet", bet.0.into()),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("called", (*called).into()),
                ],
            ),
            Fact::BetsRemoved {
                station: id,
                bet,
                means,
                lines,
                all,
            } => (
                "bets-removed",
                vec![
                    station(id),
                    ("bet", bet.0.into()),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("all", (*all).into()),
                ],
            ),
            Fact::ClosingBegan { awaiting } => {
                ("closing-began", vec![("awaiting", (*awaiting).into())])
            }
            Fact::CloseAcknowledged { station: id } => ("close-acknowledged", vec![station(id)]),
            Fact::StationFenced { station: id } => ("station-fenced", vec![station(id)]),
            Fact::BetsClosed { staked } => ("bets-closed", vec![("staked", self.amount(*staked))]),
            Fact::DealPressed => ("deal-pressed", vec![]),
            Fact::PositionsRecorded {
                station: id,
                bet,
                means,
                lines,
                dice_visible,
            } => {
                let mut fields = vec![station(id)];
                fields.extend(bet.map(|bet| ("bet", Value::from(bet.0))));
                fields.extend([
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("dice_visible", (*dice_visible).into()),
                ]);
                ("positions-recorded", fields)
            }
            Fact::PositionsObserved { station: id, lines } => (
                "positions-observed",
                vec![station(id), ("bets", self.lines(lines))],
            ),
            Fact::LateActRecorded {
                station: id,
                late,
                line,
                consequence,
                rule,
            } => (
                "late-act-recorded",
                vec![
                    station(id),
                    ("late", late_kind(*late).into()),
                    ("section", line.section.to_string().into()),
                    ("stake", self.amount(line.stake)),
                    ("consequence", consequence.key().into()),
                    ("rule", rule.as_str().into()),
                ],
            ),
            Fact::Uncovered => ("uncovered", vec![]),
            Fact::FlatConfirmed => ("flat-confirmed", vec![]),
            Fact::DiceKeyed { dice } => ("dice-keyed", vec![("dice", dice.to_string().into())]),
            Fact::KeysCleared => ("keys-cleared", vec![]),
            Fact::SecondRead { dice } => ("second-read", vec![("dice", dice.to_string().into())]),
            Fact::ReadingsAgreed { dice } => {
                ("readings-agreed", vec![("dice", dice.to_string().into())])
            }
            Fact::ResultConfirmed { dice } => {
                ("result-confirmed", vec![("dice", dice.to_string().into())])
            }
            Fact::LightsReported { lit } => ("lights-reported", vec![("lit", (*lit).into())]),
            Fact::RoundSettled {
                dice,
                staked,
                returned,
                digest,
            } => (
                "round-settled",
                vec![
                    ("dice", dice.to_string().into()),
                    ("total", dice.total().into()),
                    ("staked", self.amount(*staked)),
                    ("returned", self.amount(*returned)),
                    ("payments_sha256", hex(digest).into()),
                ],
            ),
            Fact::RoundVoided {
                basis,
                rule,
                staked,
                digest,
            } => {
                let (cause, reason) = match basis {
                    VoidBasis::Listed(cause) => (cause.key().to_owned(), Value::Nothing),
                    VoidBasis::Ruling(reason) => ("ruling".to_owned(), reason.as_str().into()),
                };
                (
                    "round-voided",
                    vec![
                        ("cause", cause.into()),
                        ("reason", reason),
                        ("rule", rule.as_str().into()),
                        ("returned", self.amount(*staked)),
                        ("payments_sha256", hex(digest).into()),
                    ],
                )
            }
            Fact::IncidentRaised { kind, note } => (
                "incident-raised",
                vec![
                    ("kind", incident(*kind).into()),
                    ("note", note.as_str().into()),
                ],
            ),
            Fact::DeviceFailed { what, inform } => (
                "device-failed",
                vec![
                    ("what", what.as_str().into()),
                    (
                        "inform",
                        inform.map_or(Value::Nothing, |position| position.key().into()),
                    ),
                ],
            ),
            Fact::Interrupted { what } => ("interrupted", vec![("what", what.as_str().into())]),
            Fact::DecisionRaised { pending } => (
                "decision-raised",
                vec![
                    ("decision", pending.id.0.into()),
                    ("question", pending.question.key().into()),
                    ("rule", pending.rule.as_str().into()),
                    ("by", pending.by.key().into()),
                    ("or_above", pending.or_above.into()),
                    ("persons", pending.persons.into()),
                ],
            ),
            Fact::DecisionTaken {
                pending,
                ruling,
                reason,
            } => (
                "decision-taken",
                vec![
                    ("decision", pending.0.into()),
                    ("ruling", ruling_word(ruling).into()),
                    ("reason", reason.as_str().into()),
                ],
            ),
            Fact::ResultCorrected {
                round,
                revision,
                from,
                dice,
                evidence,
                rule,
                effects,
            } => (
                "result-corrected",
                vec![
                    ("round", round.0.into()),
                    ("revision", (*revision).into()),
                    ("from", standing(*from).into()),
                    ("to", dice.to_string().into()),
                    ("evidence", evidence.as_str().into()),
                    ("rule", rule.as_str().into()),
                    ("effects", self.effects(effects)),
                ],
            ),
            Fact::RoundVoidedLate {
                round,
                revision,
                from,
                reason,
                rule,
                effects,
            } => (
                "round-voided-late",
                vec![
                    ("round", round.0.into()),
                    ("revision", (*revision).into()),
                    ("from", standing(*from).into()),
                    ("reason", reason.as_str().into()),
                    ("rule", rule.as_str().into()),
                    ("effects", self.effects(effects)),
                ],
            ),
            Fact::OverpaymentRecovered {
                recoverable,
                amount,
            } => (
                "overpayment-recovered",
                vec![
                    ("recoverable", recoverable.0.into()),
                    ("amount", self.amount(*amount)),
                ],
            ),
            Fact::OverpaymentWaived {
                recoverable,
                amount,
                reason,
            } => (
                "overpayment-waived",
                vec![
                    ("recoverable", recoverable.0.into()),
                    ("amount", self.amount(*amount)),
                    ("reason", reason.as_str().into()),
                ],
            ),
            Fact::UnclaimedPaid { unclaimed, amount } => (
                "unclaimed-paid",
                vec![
                    ("unclaimed", unclaimed.0.into()),
                    ("amount", self.amount(*amount)),
                ],
            ),
        }
    }

    /// A person of the house.
    #[must_use]
    pub fn staff(&self, staff: Staff) -> String {
        staff_words(staff)
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
            record.push(("second", staff_words(second).into()));
        }
        record.push(("command", event.command.into()));
        record.push(("fields", Value::Fields(fields)));
        record
    }
}

fn staff_words(staff: Staff) -> String {
    format!("{} {}", staff.position.key(), staff.person)
}

/// Bytes as hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn standing(standing: Standing) -> String {
    match standing {
        Standing::Settled(dice) => dice.to_string(),
        Standing::Void => "void".to_owned(),
    }
}

fn station_kind(kind: StationKind) -> &'static str {
    match kind {
        StationKind::Terminal => "terminal",
        StationKind::Seat => "seat",
    }
}

fn means_word(means: Means) -> &'static str {
    match means {
        Means::Credit => "credit",
        Means::CashChips => "cash-chips",
        Means::ColourChips => "colour-chips",
    }
}

fn credit_source(source: CreditSource) -> &'static str {
    match source {
        CreditSource::Cash => "cash",
        CreditSource::Voucher(_) => "voucher",
        CreditSource::Cage => "cage",
        CreditSource::Attendant => "attendant",
    }
}

fn chip_move(how: ChipMove) -> &'static str {
    match how {
        ChipMove::Bought => "bought",
        ChipMove::Brought => "brought",
        ChipMove::TakenAway => "taken-away",
        ChipMove::Fill => "fill",
        ChipMove::CreditSlip => "credit-slip",
        ChipMove::Tip => "tip",
    }
}

fn colour_move(how: ColourMove) -> &'static str {
    match how {
        ColourMove::BoughtWithCash => "bought-with-cash",
        ColourMove::ExchangedFromChips => "exchanged-from-chips",
        ColourMove::ExchangedForChips => "exchanged-for-chips",
    }
}

pub(crate) fn late_kind(late: LateKind) -> &'static str {
    match late {
        LateKind::Placement => "placement",
        LateKind::Increase => "increase",
        LateKind::Withdrawal => "withdrawal",
    }
}

fn incident(kind: IncidentKind) -> &'static str {
    match kind {
        IncidentKind::CallSupervisor => "call-supervisor",
        IncidentKind::CallAttendant => "call-attendant",
        IncidentKind::Counterfeit => "counterfeit",
        IncidentKind::Dispute => "dispute",
        IncidentKind::Other => "other",
    }
}

fn ruling_word(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Void => "void",
        Ruling::Conclude => "conclude",
        Ruling::Accept => "accept",
        Ruling::AtClose => "at-close",
        Ruling::AsTheyLie => "as-they-lie",
    }
}
