//! The facts of dice and shifts as named fields.

use sicbo_rules::Money;

use super::{Described, Value, hex};
use sicbo_register::Register;
use sicbo_register::dice::DiceStep;
use sicbo_register::event::Fact;
use sicbo_register::shift::Ledger;

type Fields = Vec<(&'static str, Value)>;

/// The name of such a fact and its fields; nothing when it is another's.
pub(super) fn fact(register: &Register, fact: &Fact) -> Option<Described> {
    match fact {
        Fact::DiceStepped { set, step } => {
            let mut fields = vec![("dice_set", set.as_str().into())];
            let (name, more) = stepped(step);
            fields.extend(more);
            Some((name, fields))
        }
        Fact::ShiftOpened { shift, new } => {
            let money = |amount: Money| Value::from(new.currency.format(amount));
            let mut fields = vec![
                ("shift", shift.0.into()),
                ("table", new.table.as_str().into()),
                ("opener", money(new.opener)),
                ("comment_above", money(new.threshold)),
            ];
            fields.extend(ledger(&new.ledger, &money));
            Some(("shift-opened", fields))
        }
        Fact::RefusalsCounted { shift, refused } => {
            let told: Vec<String> = refused
                .iter()
                .map(|one| format!("{} {}", one.code, one.count))
                .collect();
            let fields = vec![
                ("shift", shift.0.into()),
                ("refused", told.join(", ").as_str().into()),
            ];
            Some(("refusals-counted", fields))
        }
        Fact::ShiftClosed { shift, end } => {
            let known = register.shifts.get(shift);
            let money = |amount: Money| match known {
                Some(known) => Value::from(known.currency.format(amount)),
                None => amount.minor().into(),
            };
            let mut fields = vec![
                ("shift", shift.0.into()),
                ("closer", money(end.counts.closer)),
                ("drop", money(end.counts.drop)),
                ("tips", money(end.counts.tips)),
                ("comment", end.comment.as_str().into()),
            ];
            fields.extend(ledger(&end.ledger, &money));
            if let Some(signed) = end.signed {
                fields.push(("signed_to", signed.sequence.into()));
                fields.push(("fingerprint", hex(&signed.header_hash).into()));
            }
            Some(("shift-closed", fields))
        }
        _ => None,
    }
}

fn ledger(ledger: &Ledger, money: &dyn Fn(Money) -> Value) -> Fields {
    vec![
        ("record", ledger.sequence.into()),
        ("books_rack", money(ledger.rack)),
        ("books_fills", money(ledger.fills)),
        ("books_drop", money(ledger.drop)),
        ("books_tips", money(ledger.tips)),
    ]
}

fn stepped(step: &DiceStep) -> Described {
    let words = |text: &String| vec![("text", text.as_str().into())];
    match step {
        DiceStep::Receive { seal } => ("dice-received", vec![("seal", seal.as_str().into())]),
        DiceStep::Inspect { good, text } => {
            let mut fields = vec![("good", (*good).into())];
            fields.extend(words(text));
            ("dice-inspected", fields)
        }
        DiceStep::Place { table } => ("dice-placed", vec![("table", table.as_str().into())]),
        DiceStep::Remove { text } => ("dice-removed", words(text)),
        DiceStep::Quarantine { text } => ("dice-quarantined", words(text)),
        DiceStep::Destroy { text } => ("dice-destroyed", words(text)),
    }
}
