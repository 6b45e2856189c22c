//! The facts of cases as named fields.

use sicbo_rules::rulebook::words::Word;

use super::{Described, Value};
use crate::text::time;
use sicbo_register::case::{NewCase, Step};
use sicbo_register::event::Fact;

type Fields = Vec<(&'static str, Value)>;

/// The name of a case's fact and its fields; nothing when it is another's.
pub(super) fn fact(fact: &Fact) -> Option<Described> {
    match fact {
        Fact::CaseOpened { case, new } => {
            let mut fields = vec![("case", case.0.into())];
            fields.extend(opened(new));
            Some(("case-opened", fields))
        }
        Fact::CaseStepped { case, acting, step } => {
            let mut fields = vec![("case", case.0.into())];
            if let Some(position) = acting {
                fields.push(("acting", position.key().into()));
            }
            let (name, more) = stepped(step);
            fields.extend(more);
            Some((name, fields))
        }
        _ => None,
    }
}

fn or_nothing<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::Nothing, Into::into)
}

fn opened(new: &NewCase) -> Fields {
    let ladder = &new.ladder;
    let rung = |rung: sicbo_register::case::Rung| {
        let above = if rung.or_above { " or above" } else { "" };
        Value::from(format!("{}{above}", rung.position.key()))
    };
    let refused = new.refused.iter().map(|refused| {
        Value::Fields(vec![
            ("bet", refused.bet.0.into()),
            ("time", time(refused.at_ms).into()),
            ("code", refused.code.as_str().into()),
        ])
    });
    vec![
        ("kind", new.kind.word().into()),
        ("table", new.table.as_str().into()),
        ("round", or_nothing(new.round.map(|round| round.0))),
        ("station", or_nothing(new.station.map(|station| station.0))),
        ("session", or_nothing(new.session.map(|session| session.0))),
        ("grievance", new.grievance.word().into()),
        ("words", new.words.as_str().into()),
        ("claimed_bet", or_nothing(new.claimed.bet.map(|bet| bet.0))),
        (
            "claimed_tapped",
            or_nothing(new.claimed.tapped_ms.map(time)),
        ),
        ("claimed_sent", or_nothing(new.claimed.sent_ms.map(time))),
        ("refused", Value::List(refused.collect())),
        ("book", ladder.book.as_str().into()),
        ("first", rung(ladder.first)),
        ("escalated", rung(ladder.escalated)),
        ("bases", u32::from(ladder.bases).into()),
        (
            "authority_days",
            or_nothing(ladder.authority_days.map(u32::from)),
        ),
    ]
}

fn stepped(step: &Step) -> Described {
    let words = |text: &String| vec![("text", text.as_str().into())];
    match step {
        Step::Take => ("case-taken", Vec::new()),
        Step::Note { text } => ("case-noted", words(text)),
        Step::Bookmark {
            camera,
            from_ms,
            to_ms,
            text,
        } => (
            "case-evidence-bookmarked",
            vec![
                ("camera", camera.as_str().into()),
                ("from", time(*from_ms).into()),
                ("to", or_nothing(to_ms.map(time))),
                ("text", text.as_str().into()),
            ],
        ),
        Step::CheckUv { genuine, text } => {
            let mut fields = vec![("genuine", (*genuine).into())];
            fields.extend(words(text));
            ("case-uv-checked", fields)
        }
        Step::Escalate { text } => ("case-escalated", words(text)),
        Step::AcknowledgeNotice => ("case-notice-acknowledged", Vec::new()),
        Step::Promise { until_ms } => (
            "case-time-promised",
            vec![("until", time(*until_ms).into())],
        ),
        Step::Decide {
            outcome,
            bases,
            text,
        } => {
            let bases = bases.iter().map(|basis| u32::from(*basis).into());
            (
                "case-decided",
                vec![
                    ("outcome", outcome.word().into()),
                    ("bases", Value::List(bases.collect())),
                    ("text", text.as_str().into()),
                ],
            )
        }
        Step::DecideOnEach {
            outcome,
            bases,
            silent,
            text,
        } => {
            let list =
                |bases: &[u8]| Value::List(bases.iter().map(|b| u32::from(*b).into()).collect());
            (
                "case-decided",
                vec![
                    ("outcome", outcome.word().into()),
                    ("bases", list(bases)),
                    ("silent", list(silent)),
                    ("text", text.as_str().into()),
                ],
            )
        }
        Step::LinkAdjustment { sequence, amount } => (
            "case-adjustment-linked",
            vec![
                ("record", (*sequence).into()),
                ("amount_minor", amount.minor().into()),
            ],
        ),
        Step::Answer { answer } => (
            "case-player-answered",
            vec![("answer", answer.word().into())],
        ),
        Step::TellRights => ("case-rights-told", Vec::new()),
        Step::NotifyAuthority { text } => ("case-authority-notified", words(text)),
        Step::Complain { text } => ("case-complaint-filed", words(text)),
        Step::Close { text } => ("case-closed", words(text)),
    }
}
