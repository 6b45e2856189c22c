//! Names of what random play has reached, for counting.

use std::collections::HashMap;
use std::mem::Discriminant;

use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::event::{Effect, Fact, VoidBasis};

/// A short name of what happened, with its case where the case matters: for
/// counting what was reached. `names` remembers the plain names.
pub(crate) fn kind(fact: &Fact, names: &mut HashMap<Discriminant<Fact>, String>) -> String {
    let name = names
        .entry(std::mem::discriminant(fact))
        .or_insert_with(|| {
            let text = format!("{fact:?}");
            let end = text.find([' ', '{', '(']).unwrap_or(text.len());
            text[..end].to_owned()
        })
        .clone();
    match fact {
        Fact::RoundVoided {
            basis: VoidBasis::Listed(cause),
            ..
        } => format!("{name} {}", cause.key()),
        Fact::RoundVoided {
            basis: VoidBasis::Ruling(_),
            ..
        } => format!("{name} ruling"),
        Fact::DecisionRaised { pending } => format!("{name} {}", pending.question.key()),
        Fact::DecisionTaken { ruling, .. } => format!("{name} {ruling:?}"),
        _ => name,
    }
}

type Holds = fn(&Effect) -> bool;

/// What an amendment did to stations, by case.
pub(crate) fn cases(fact: &Fact) -> Vec<&'static str> {
    let (Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. }) = fact
    else {
        return Vec::new();
    };
    let cases: [(&str, Holds); 8] = [
        ("effect credited", |e| e.credited.is_positive()),
        ("effect paid in chips", |e| e.paid_in_chips.is_positive()),
        ("effect netted", |e| !e.netted.is_empty()),
        ("effect waiver netted", |e| e.waiver_netted.is_positive()),
        ("effect waiver restored", |e| {
            e.waiver_restored.is_positive()
        }),
        ("effect unclaimed netted", |e| {
            !e.unclaimed_netted.is_empty()
        }),
        ("effect unclaimed", |e| e.unclaimed.is_some()),
        ("effect recoverable", |e| e.recoverable.is_some()),
    ];
    cases
        .into_iter()
        .filter(|(_, holds)| effects.iter().any(holds))
        .map(|(case, _)| case)
        .collect()
}
