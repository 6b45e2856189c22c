//! Facts as named fields, for people and programs that read an export. Names are
//! stable: exports are read by other people's programs.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use sicbo_rules::rulebook::words::{Cause, LateAct, Position, Word};
use sicbo_rules::{Currency, Dice, Money, RuleBook};

use crate::cash::MoneyDuties;
use crate::command::{CreditSource, NewStation};
use crate::config::{Config, Limits};
use crate::event::{Digests, Effect, RulesRevision, VoidBasis};
use crate::grant::PlayGrant;
use crate::ids::{
    BetId, NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId,
    UnclaimedId, VoucherId,
};
use crate::pending::{Notice, Pending, Recoverable, Unclaimed};
use crate::positions::Line;
use crate::record::Standing;

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
    Fields(Fields),
}

/// Named values, in order.
pub type Fields = Vec<(&'static str, Value)>;

/// What a description asks of whoever knows the table or the house.
pub trait Names {
    /// An amount of money.
    fn amount(&self, amount: Money) -> Value;
    /// A station's name.
    fn station(&self, station: StationId) -> Value;
    /// A person's name.
    fn person(&self, person: PersonId) -> Value;
    /// A moment, in UTC milliseconds.
    fn time(&self, at_ms: i64) -> Value;
}

/// A value that can be described with names.
pub trait Describe<N> {
    /// As one value.
    fn value(&self, names: &N) -> Value;

    /// As a field of that name, or as several fields of its own.
    fn describe(&self, name: &'static str, names: &N, to: &mut Fields) {
        to.push((name, self.value(names)));
    }
}

/// As a field of that name, told in a way of its own.
#[doc(hidden)]
pub fn told<T, V: Into<Value>>(
    field: &T,
    name: &'static str,
    how: impl Fn(&T) -> V,
    to: &mut Fields,
) {
    to.push((name, how(field).into()));
}

/// The first digits of the SHA-256 of something that is not to be shown: tells
/// whether two are the same and nothing else.
#[must_use]
pub fn fingerprint<T: AsRef<[u8]> + ?Sized>(secret: &T) -> String {
    let digest = Sha256::new()
        .chain_update(b"sicbo export fingerprint 1\0")
        .chain_update(secret)
        .finalize();
    hex(&digest[..6])
}

/// Bytes as hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A type with one value: `Type: |it, names| value`.
#[doc(hidden)]
#[macro_export]
macro_rules! describe_values {
    ($names:path: $($type:ty: |$it:ident, $with:pat_param| $value:expr;)+) => {$(
        impl<N: $names> $crate::describe::Describe<N> for $type {
            fn value(&self, $with: &N) -> $crate::describe::Value {
                let $it = self;
                $crate::describe::Value::from($value)
            }
        }
    )+};
}

/// A type told by fields of its own, whatever the field is called that holds it.
#[doc(hidden)]
#[macro_export]
macro_rules! describe_fields {
    ($names:path: $($type:ty: |$it:ident, $with:pat_param| [$(($name:literal, $value:expr)),+ $(,)?];)+) => {$(
        impl<N: $names> $crate::describe::Describe<N> for $type {
            fn value(&self, names: &N) -> $crate::describe::Value {
                let mut fields = Vec::new();
                $crate::describe::Describe::describe(self, "", names, &mut fields);
                $crate::describe::Value::Fields(fields)
            }
            fn describe(
                &self,
                _: &'static str,
                $with: &N,
                to: &mut $crate::describe::Fields,
            ) {
                let $it = self;
                to.extend([$(($name, $crate::describe::Value::from($value))),+]);
            }
        }
    )+};
}

describe_values! { Names:
    String: |it, _| it.as_str();
    bool: |it, _| *it;
    u8: |it, _| *it;
    u32: |it, _| *it;
    u64: |it, _| *it;
    [u8; 32]: |it, _| hex(it);
    RulesRevision: |it, _| it.0;
    RoundNumber: |it, _| it.0;
    BetId: |it, _| it.0;
    VoucherId: |it, _| it.0;
    SessionNumber: |it, _| it.0;
    PendingId: |it, _| it.0;
    NoticeId: |it, _| it.0;
    RecoverableId: |it, _| it.0;
    UnclaimedId: |it, _| it.0;
    Position: |it, _| it.key();
    Cause: |it, _| it.key();
    LateAct: |it, _| it.key();
    Dice: |it, _| it.to_string();
    Currency: |it, _| it.code();
    Standing: |it, _| it.to_string();
    Money: |it, names| names.amount(*it);
    StationId: |it, names| names.station(*it);
    PersonId: |it, names| names.person(*it);
    Unclaimed: |it, _| it.id.0;
    CreditSource: |it, _| match it {
        CreditSource::Cash => "cash",
        CreditSource::Voucher(_) => "voucher",
        CreditSource::Cage => "cage",
        CreditSource::Attendant => "attendant",
    };
    Effect: |it, names| Value::Fields(effect(it, names));
}

describe_fields! { Names:
    NewStation: |it, _| [
        ("station", it.name.as_str()),
        ("kind", it.kind.key()),
        ("layout", it.layout.as_str()),
    ];
    Line: |it, names| [
        ("section", it.section.to_string()),
        ("stake", names.amount(it.stake)),
    ];
    Config: |it, _| [
        ("table", it.name.as_str()),
        ("rulebook", it.book.id()),
        ("rulebook_sha256", it.book.sha256_hex()),
        ("currency", it.currency.code()),
        ("dice_set", it.dice_set.as_str()),
        ("real_money", it.real_money),
    ];
    MoneyDuties: |it, names| [
        ("attendant_alone", names.amount(it.attendant.alone)),
        ("attendant_together", names.amount(it.attendant.together)),
        ("cage_alone", names.amount(it.cage.alone)),
        ("cage_together", names.amount(it.cage.together)),
        ("transfer_alone", names.amount(it.transfer.alone)),
        ("transfer_together", names.amount(it.transfer.together)),
        ("hand_pay_together", names.amount(it.hand_pay)),
        ("exposure_alone", names.amount(it.limits.alone)),
        ("exposure_together", names.amount(it.limits.together)),
    ];
    PlayGrant: |it, names| [
        ("visit", it.visit.0),
        ("staked_to", it.staked_to.map(|to| names.amount(to))),
        ("lost_to", it.lost_to.map(|to| names.amount(to))),
        ("held", it.hold.map(|hold| hold.why.word())),
        ("held_from", it.hold.map(|hold| names.time(hold.from_ms))),
    ];
    Limits: |it, names| [
        ("station_maximum", names.amount(it.station_maximum)),
        ("exposure_maximum", names.amount(it.exposure_maximum)),
    ];
    Arc<RuleBook>: |it, _| [
        ("rulebook", it.id()),
        ("rulebook_sha256", it.sha256_hex()),
    ];
    Digests: |it, _| [
        ("program_sha256", hex(&it.program)),
        ("rulebook_sha256", hex(&it.book)),
        ("config_sha256", hex(&it.config)),
    ];
    Recoverable: |it, names| [
        ("station", names.station(it.station)),
        ("round", it.round.0),
        ("recoverable", it.id.0),
        ("amount", names.amount(it.amount)),
    ];
    Notice: |it, _| [
        ("notice", it.id.0),
        ("what", it.what.as_str()),
        ("inform", it.inform.key()),
        ("rule", it.rule.as_str()),
    ];
    Pending: |it, _| [
        ("decision", it.id.0),
        ("question", it.question.key()),
        ("rule", it.rule.as_str()),
        ("by", it.by.key()),
        ("or_above", it.or_above),
        ("persons", it.persons),
    ];
    VoidBasis: |it, _| [
        ("cause", match it {
            VoidBasis::Listed(cause) => cause.key(),
            VoidBasis::Ruling(_) => "ruling",
        }),
        ("reason", match it {
            VoidBasis::Listed(_) => Value::Nothing,
            VoidBasis::Ruling(reason) => reason.as_str().into(),
        }),
    ];
}

/// A number; a moment where the field is one, as in `until_ms`.
impl<N: Names> Describe<N> for i64 {
    fn value(&self, _: &N) -> Value {
        (*self).into()
    }

    fn describe(&self, name: &'static str, names: &N, to: &mut Fields) {
        to.push(match name.strip_suffix("_ms") {
            Some(name) => (name, names.time(*self)),
            None => (name, self.value(names)),
        });
    }
}

impl<N, T: Describe<N>> Describe<N> for Option<T> {
    fn value(&self, names: &N) -> Value {
        let value = self.as_ref().map(|value| value.value(names));
        value.unwrap_or(Value::Nothing)
    }
}

impl<N, T: Describe<N>> Describe<N> for Vec<T> {
    fn value(&self, names: &N) -> Value {
        Value::List(self.iter().map(|value| value.value(names)).collect())
    }
}

impl<N, T: Describe<N>> Describe<N> for Box<T> {
    fn value(&self, names: &N) -> Value {
        T::value(self, names)
    }

    fn describe(&self, name: &'static str, names: &N, to: &mut Fields) {
        T::describe(self, name, names, to);
    }
}

/// What an amendment did to a station: what it did not do is left out.
fn effect(effect: &Effect, names: &impl Names) -> Fields {
    let off_recoverable = effect.netted.iter().map(|(_, amount)| *amount);
    let off_unclaimed = effect.unclaimed_netted.iter().map(|(_, amount)| *amount);
    let mut fields = vec![
        ("station", names.station(effect.station)),
        ("was", names.amount(effect.was)),
        ("is", names.amount(effect.is)),
    ];
    let done = [
        ("credited", effect.credited),
        ("paid_in_chips", effect.paid_in_chips),
        ("taken_off_recoverable", off_recoverable.sum()),
        ("set_against_waiver", effect.waiver_netted),
        ("kept_by_waiver", effect.waiver_restored),
        ("taken_off_unclaimed", off_unclaimed.sum()),
    ];
    let done = done.into_iter().filter(|(_, amount)| amount.is_positive());
    fields.extend(done.map(|(name, amount)| (name, names.amount(amount))));
    let kept = effect.unclaimed.as_ref();
    fields.extend(kept.map(|kept| ("unclaimed", names.amount(kept.amount))));
    let owed = effect.recoverable.as_ref();
    fields.extend(owed.map(|owed| ("recoverable", names.amount(owed.amount))));
    fields
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

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nothing, Into::into)
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
numbers!(u8, u16, u32, u64, usize, i64);

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
