//! The parts of the register's facts as named fields, for exports. PIN hashes,
//! keys and the digests of validation numbers appear as fingerprints only: an
//! export goes to people who may not have them.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Word;
use sicbo_table::describe::{Describe, Fields, Names, Value, fingerprint, hex};
use sicbo_table::{describe_fields, describe_values};

use crate::case::{CaseId, NewCase, Rung, Step};
use crate::command::Terms;
use crate::dice::{DiceSet, DiceStep};
use crate::duties::{Duties, Posts};
use crate::enrolment::{EnrolmentId, NewEnrolment, Role, TableName};
use crate::event::Fact;
use crate::identity::Identity;
use crate::person::{LogOutReason, NewPerson, SessionId};
use crate::play::limits::LimitKey;
use crate::play::{Card, Counted, PlayStep, Sitting};
use crate::proposal::{NewProposal, ProposalEnd};
use crate::reached::Reached;
use crate::shift::{BoxCount, Boxes, Ledger, NewShift, Pieces, Refused, ShiftEnd, ShiftId};
use crate::voucher::{Payee, Place, Unpaid};

/// What a description asks of whoever knows the house.
pub trait RegisterNames: Names {
    /// What is enrolled, by name.
    fn enrolment(&self, id: EnrolmentId) -> Value;
}

impl Fact {
    /// Its name in exports: steps of a case, of dice and of play have names of
    /// their own.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Fact::CaseStepped { step, .. } => step.key(),
            Fact::DiceStepped { step, .. } => step.key(),
            Fact::PlayChanged { step, .. } => step.key(),
            _ => self.kind().key,
        }
    }
}

describe_values! { RegisterNames:
    CaseId: |it, _| it.0;
    SessionId: |it, _| it.0;
    ShiftId: |it, _| it.0;
    TableName: |it, _| it.as_str();
    DiceSet: |it, _| it.as_str();
    Unpaid: |it, _| it.code();
    EnrolmentId: |it, names| names.enrolment(*it);
    Rung: |it, _| {
        let above = if it.or_above { " or above" } else { "" };
        format!("{}{above}", it.position.key())
    };
    Payee: |it, names| match it {
        Payee::Station(place) => place.fields(),
        Payee::Cage { cashier } => Value::Fields(vec![("cashier", names.person(*cashier))]),
    };
    LogOutReason: |it, _| <&str>::from(it);
}

describe_fields! { RegisterNames:
    Terms: |it, _| [
        ("site", it.site.as_str()),
        ("voucher_days", it.voucher_days),
        ("hand_pay_above", list(&it.hand_pay_above, |(currency, bound)| Value::Fields(vec![
            ("currency", currency.code().into()),
            ("amount", currency.format(*bound).into()),
        ]))),
    ];
    Identity: |it, _| [
        ("plays_for", <&str>::from(it.kind)),
        ("pins_check", hex(&it.pins.0)),
        ("vouchers_check", hex(&it.vouchers.0)),
        ("tumblers_check", hex(&it.tumblers.0)),
    ];
    Duties: |it, _| [
        ("one_time_hours", it.one_time_hours),
        ("absence_hours", it.absence_hours),
    ];
    Posts: |it, names| [
        ("tables", list(&it.tables, |table| table.as_str().into())),
        ("windows", list(&it.windows, |window| names.enrolment(*window))),
    ];
    NewPerson: |it, _| [
        ("name", it.name.as_str()),
        ("position", it.position.key()),
        ("pin_fingerprint", fingerprint(&it.pin)),
    ];
    Place: |it, _| [("table", it.table.as_str()), ("station", it.station.0)];
    Ledger: |it, names| [
        ("record", it.sequence),
        ("books_rack", names.amount(it.rack)),
        ("books_fills", names.amount(it.fills)),
        ("books_drop", names.amount(it.drop)),
        ("books_tips", names.amount(it.tips)),
        ("colour_chips_out", names.amount(it.colour_out)),
    ];
    Reached: |it, _| [("record", it.sequence), ("header_hash", hex(&it.header_hash))];
    NewProposal: |it, _| [
        ("table", it.table.as_ref().map(TableName::as_str)),
        ("act", it.act.as_str()),
        ("words", it.words.as_str()),
        ("digest", hex(&it.digest)),
    ];
    Sitting: |it, names| [
        ("session", it.session.0),
        ("began", names.time(it.began_ms)),
        ("base_staked_minor", it.base.staked.minor()),
        ("base_returned_minor", it.base.returned.minor()),
    ];
    Counted: |it, _| [
        ("table", it.place.table.as_str()),
        ("station", it.place.station.0),
        ("session", it.session.0),
        ("staked_minor", it.meters.staked.minor()),
        ("returned_minor", it.meters.returned.minor()),
        ("played_ms", it.clock.played_ms),
    ];
    NewCase: |it, names| [
        ("kind", it.kind.word()),
        ("table", it.table.as_str()),
        ("round", it.round.map(|round| round.0)),
        ("station", it.station.map(|station| station.0)),
        ("session", it.session.map(|session| session.0)),
        ("grievance", it.grievance.word()),
        ("words", it.words.as_str()),
        ("claimed_bet", it.claimed.bet.map(|bet| bet.0)),
        ("claimed_tapped", it.claimed.tapped_ms.map(|at_ms| names.time(at_ms))),
        ("claimed_sent", it.claimed.sent_ms.map(|at_ms| names.time(at_ms))),
        ("refused", list(&it.refused, |refused| Value::Fields(vec![
            ("bet", refused.bet.0.into()),
            ("time", names.time(refused.at_ms)),
            ("code", refused.code.as_str().into()),
        ]))),
        ("book", it.ladder.book.as_str()),
        ("first", it.ladder.first.value(names)),
        ("escalated", it.ladder.escalated.value(names)),
        ("bases", it.ladder.bases),
        ("authority_days", it.ladder.authority_days),
    ];
}

/// Types whose fields depend on what they hold: `Type: function`.
macro_rules! describe_by {
    ($($type:ty: $fields:ident;)+) => {$(
        impl<N: RegisterNames> Describe<N> for $type {
            fn value(&self, names: &N) -> Value {
                Value::Fields($fields(self, names))
            }
            fn describe(&self, _: &'static str, names: &N, to: &mut Fields) {
                to.extend($fields(self, names));
            }
        }
    )+};
}

describe_by! {
    NewEnrolment: enrolled;
    NewShift: opened;
    ShiftEnd: closed;
    BoxCount: boxes_counted;
    ProposalEnd: ended;
    Step: case_step;
    DiceStep: dice_step;
    PlayStep: play_step;
}

impl Place {
    /// As one value: table and station.
    pub(crate) fn fields(&self) -> Value {
        Value::Fields(vec![
            ("table", self.table.as_str().into()),
            ("station", self.station.0.into()),
        ])
    }
}

impl Refused {
    /// Codes with their counts.
    pub(crate) fn words(refused: &[Refused]) -> String {
        let words = refused
            .iter()
            .map(|one| format!("{} {}", one.code, one.count));
        words.collect::<Vec<String>>().join(", ")
    }
}

fn list<T>(values: &[T], value: impl Fn(&T) -> Value) -> Value {
    Value::List(values.iter().map(value).collect())
}

fn enrolled(new: &NewEnrolment, _: &impl Names) -> Fields {
    let (role, own, table) = match &new.role {
        Role::Station { table, station } => {
            ("station", Some(("station", station.0.into())), Some(table))
        }
        Role::Console { table } => ("console", None, Some(table)),
        Role::Display { table } => ("display", None, table.as_ref()),
        Role::Device { table, device } => {
            ("device", Some(("device", device.key().into())), Some(table))
        }
        Role::PitDesk => ("pit-desk", None, None),
        Role::Cage => ("cage", None, None),
        Role::TechnicianDesk => ("technician-desk", None, None),
        Role::AuditDesk => ("audit-desk", None, None),
    };
    let mut fields = vec![("role", role.into()), ("name", new.name.as_str().into())];
    fields.extend(own);
    fields.extend(table.map(|table| ("table", table.as_str().into())));
    fields.push(("key_fingerprint", fingerprint(&new.key).into()));
    fields
}

fn opened(new: &NewShift, names: &impl RegisterNames) -> Fields {
    let mut fields = vec![
        ("table", new.table.as_str().into()),
        ("opener", names.amount(new.opener)),
        ("comment_above", names.amount(new.threshold)),
    ];
    fields.extend(pieces("rack", &new.rack));
    numbers(&new.boxes, &mut fields);
    new.ledger.describe("", names, &mut fields);
    fields
}

fn closed(end: &ShiftEnd, names: &impl RegisterNames) -> Fields {
    let mut fields = vec![
        ("closer", names.amount(end.counts.closer)),
        (
            "drop",
            end.counts.drop.map(|drop| names.amount(drop)).into(),
        ),
        (
            "tips",
            end.counts.tips.map(|tips| names.amount(tips)).into(),
        ),
        ("comment", end.comment.as_str().into()),
    ];
    fields.extend(pieces("rack", &end.rack));
    end.ledger.describe("", names, &mut fields);
    if let Some(signed) = end.signed {
        fields.push(("signed_to", signed.sequence.into()));
        fields.push(("fingerprint", hex(&signed.header_hash).into()));
    }
    fields
}

/// What was counted by denomination, where it was.
fn pieces(name: &'static str, lines: &[Pieces]) -> Option<(&'static str, Value)> {
    (!lines.is_empty()).then(|| (name, Pieces::words(lines).into()))
}

/// The numbers on boxes, where there are any.
fn numbers(boxes: &Boxes, fields: &mut Fields) {
    for (name, number) in [("drop_box", &boxes.drop), ("tip_box", &boxes.tips)] {
        fields.extend((!number.is_empty()).then(|| (name, number.as_str().into())));
    }
}

fn boxes_counted(counted: &BoxCount, names: &impl RegisterNames) -> Fields {
    let mut fields = vec![
        ("drop", names.amount(counted.drop)),
        ("tips", names.amount(counted.tips)),
    ];
    numbers(&counted.boxes, &mut fields);
    fields.extend(pieces("drop_pieces", &counted.drop_pieces));
    fields.extend(pieces("tip_pieces", &counted.tip_pieces));
    fields
}

fn ended(end: &ProposalEnd, names: &impl Names) -> Fields {
    let mut fields = vec![("end", end.word().into())];
    if let ProposalEnd::Confirmed { second } = end {
        fields.push(("confirmed_by", names.person(*second)));
    }
    fields
}

fn case_step(step: &Step, names: &impl Names) -> Fields {
    let bases = |bases: &[u8]| list(bases, |basis| (*basis).into());
    match step {
        Step::Take | Step::AcknowledgeNotice | Step::TellRights => Vec::new(),
        Step::Note { text }
        | Step::Escalate { text }
        | Step::NotifyAuthority { text }
        | Step::Complain { text }
        | Step::Close { text } => vec![("text", text.as_str().into())],
        Step::Bookmark {
            camera,
            from_ms,
            to_ms,
            text,
        } => vec![
            ("camera", camera.as_str().into()),
            ("from", names.time(*from_ms)),
            ("to", to_ms.map(|at_ms| names.time(at_ms)).into()),
            ("text", text.as_str().into()),
        ],
        Step::CheckUv { genuine, text } => vec![
            ("genuine", (*genuine).into()),
            ("text", text.as_str().into()),
        ],
        Step::Promise { until_ms } => vec![("until", names.time(*until_ms))],
        Step::Decide {
            outcome,
            bases: named,
            text,
        } => vec![
            ("outcome", outcome.word().into()),
            ("bases", bases(named)),
            ("text", text.as_str().into()),
        ],
        Step::DecideOnEach {
            outcome,
            bases: named,
            silent,
            text,
        } => vec![
            ("outcome", outcome.word().into()),
            ("bases", bases(named)),
            ("silent", bases(silent)),
            ("text", text.as_str().into()),
        ],
        Step::LinkAdjustment { sequence, amount } => vec![
            ("record", (*sequence).into()),
            ("amount_minor", amount.minor().into()),
        ],
        Step::Answer { answer } => vec![("answer", answer.word().into())],
    }
}

fn dice_step(step: &DiceStep, _: &impl Names) -> Fields {
    match step {
        DiceStep::Receive { seal } => vec![("seal", seal.as_str().into())],
        DiceStep::Inspect { good, text } => {
            vec![("good", (*good).into()), ("text", text.as_str().into())]
        }
        DiceStep::Place { table } => vec![("table", table.as_str().into())],
        DiceStep::Remove { text } | DiceStep::Quarantine { text } | DiceStep::Destroy { text } => {
            vec![("text", text.as_str().into())]
        }
    }
}

fn play_step(step: &PlayStep, _: &impl Names) -> Fields {
    let of = |key: &LimitKey| {
        vec![
            ("window", key.window.word().into()),
            ("measure", key.measure.word().into()),
        ]
    };
    let shown = |card: &Card| {
        [
            ("member", card.member.to_string().into()),
            ("currency", card.currency.code().into()),
        ]
    };
    match step {
        PlayStep::Limit { limits } => vec![
            ("loss_minor", limits.loss.map(Money::minor).into()),
            ("spend_minor", limits.spend.map(Money::minor).into()),
            ("minutes", limits.minutes.into()),
        ],
        PlayStep::Check { minutes } => vec![("every_minutes", (*minutes).into())],
        PlayStep::Acknowledge => Vec::new(),
        PlayStep::Break { minutes } => vec![("minutes", (*minutes).into())],
        PlayStep::Stop { reason } | PlayStep::Resume { reason } => {
            vec![("reason", reason.as_str().into())]
        }
        PlayStep::Set { key, most } => {
            let mut fields = of(key);
            fields.push(("most", (*most).into()));
            fields
        }
        PlayStep::Confirm { key } => of(key),
        PlayStep::Present { card } => shown(card).to_vec(),
        PlayStep::Prove { card, proof } => {
            let mut fields = shown(card).to_vec();
            fields.push(("proof", proof.word().into()));
            fields
        }
    }
}
