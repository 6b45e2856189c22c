//! The facts of responsible play as named fields.

use super::{Described, Value};
use sicbo_register::event::Fact;
use sicbo_register::play::{Counted, PlayStep};

/// The name of such a fact and its fields; nothing when it is another's.
pub(super) fn fact(fact: &Fact) -> Option<Described> {
    if let Fact::PlaysCounted { offset_min, lines } = fact {
        let fields = vec![
            ("utc_offset_minutes", (*offset_min).into()),
            ("stations", counted(lines)),
        ];
        return Some(("plays-counted", fields));
    }
    let Fact::PlayChanged {
        place,
        sitting,
        step,
    } = fact
    else {
        return None;
    };
    let mut fields = vec![
        ("table", place.table.as_str().into()),
        ("station", place.station.0.into()),
        ("session", sitting.session.0.into()),
        ("began", crate::text::time(sitting.began_ms).into()),
        ("base_staked_minor", sitting.base.staked.minor().into()),
        ("base_returned_minor", sitting.base.returned.minor().into()),
    ];
    let number = |value: Option<i64>| value.map_or(Value::Nothing, Into::into);
    let name = match step {
        PlayStep::Limit { limits } => {
            fields.extend([
                ("loss_minor", number(limits.loss.map(|most| most.minor()))),
                ("spend_minor", number(limits.spend.map(|most| most.minor()))),
                ("minutes", number(limits.minutes.map(i64::from))),
            ]);
            "play-limited"
        }
        PlayStep::Check { minutes } => {
            fields.push(("every_minutes", number(minutes.map(i64::from))));
            "reality-check-set"
        }
        PlayStep::Acknowledge => "reality-check-acknowledged",
        PlayStep::Break { minutes } => {
            fields.push(("minutes", (*minutes).into()));
            "break-taken"
        }
        PlayStep::Stop { reason } => {
            fields.push(("reason", reason.as_str().into()));
            "play-stopped"
        }
        PlayStep::Resume { reason } => {
            fields.push(("reason", reason.as_str().into()));
            "play-resumed"
        }
        PlayStep::Set { key, most } => {
            fields.extend([
                ("window", key.window.word().into()),
                ("measure", key.measure.word().into()),
                ("most", number(*most)),
            ]);
            "limit-wanted"
        }
        PlayStep::Confirm { key } => {
            fields.extend([
                ("window", key.window.word().into()),
                ("measure", key.measure.word().into()),
            ]);
            "limit-confirmed"
        }
        PlayStep::Present { card } => {
            fields.extend([
                ("member", card.member.to_string().into()),
                ("currency", card.currency.code().into()),
            ]);
            "card-presented"
        }
    };
    Some((name, fields))
}

/// Readings, station by station.
fn counted(lines: &[Counted]) -> Value {
    let line = |line: &Counted| {
        Value::Fields(vec![
            ("table", line.place.table.as_str().into()),
            ("station", line.place.station.0.into()),
            ("session", line.session.0.into()),
            ("staked_minor", line.meters.staked.minor().into()),
            ("returned_minor", line.meters.returned.minor().into()),
            ("played_ms", line.clock.played_ms.into()),
        ])
    };
    Value::List(lines.iter().map(line).collect())
}
