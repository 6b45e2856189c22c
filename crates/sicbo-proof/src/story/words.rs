//! Events in words, for people who read a round. Facts that need no sentence
//! of their own are told by their name and fields.

use sicbo_rules::rulebook::words::{Cause, Word};
use sicbo_table::actor::Actor;
use sicbo_table::describe::Fields;
use sicbo_table::event::VoidBasis;
use sicbo_table::ids::StationId;
use sicbo_table::positions::{Line, Means};
use sicbo_table::{Event, Fact, Table};

use crate::describe::{Describer, Value};

#[cfg(test)]
mod tests;

/// The phase a fact begins.
pub(super) fn phase(fact: &Fact) -> Option<&'static str> {
    match fact {
        Fact::RoundBegan { .. } => Some("prepared"),
        Fact::BetsCalled => Some("betting"),
        Fact::ClosingBegan { .. } => Some("closing"),
        Fact::BetsClosed { .. } => Some("closed"),
        Fact::RoundSettled { .. } => Some("settled"),
        Fact::RoundVoided { .. } => Some("void"),
        Fact::ResultCorrected { .. } | Fact::RoundVoidedLate { .. } => Some("afterwards"),
        _ => None,
    }
}

/// What happened.
pub(super) fn tell(describer: &Describer<'_>, table: &Table, event: &Event) -> String {
    let station = |id| describer.station(id);
    let money = |amount| describer.money(amount);
    let laid = |lines: &[Line], means: Means| bets(describer, lines) + with(means);
    let chips = |id: StationId, how: &str, lines: &[Line], means: Means| {
        format!("chips of {} {how}: {}", station(id), laid(lines, means))
    };
    match &event.fact {
        Fact::TumbleEnded { count, valid } => {
            let is = if *valid { "valid" } else { "not valid" };
            format!("the dice come to rest after {count} tumbles: {is}")
        }
        Fact::BetsPlaced {
            station: id,
            bet,
            means,
            lines,
            called,
        } => {
            let called = if *called { ", called aloud" } else { "" };
            format!(
                "{} bets {}{called} ({bet})",
                station(*id),
                laid(lines, *means)
            )
        }
        Fact::BetsRemoved {
            station: id,
            bet,
            means,
            lines,
            ..
        } => format!(
            "{} takes back {} ({bet})",
            station(*id),
            laid(lines, *means)
        ),
        Fact::ClosingBegan { awaiting: 0 } => "no more bets".to_owned(),
        Fact::ClosingBegan { awaiting } => {
            format!("no more bets; {awaiting} terminals are to show it")
        }
        Fact::PositionsRecorded {
            station: id,
            means,
            lines,
            dice_visible,
            ..
        } => {
            let seen = match dice_visible {
                true => ", written down when the dice could be seen",
                false => "",
            };
            chips(*id, "at the close", lines, *means) + seen
        }
        Fact::PositionsObserved {
            station: id,
            means,
            lines,
        } => chips(*id, "as the cage is opened", lines, *means),
        Fact::PositionsClaimed {
            station: id,
            means,
            lines,
            ..
        } => {
            let how = "recorded after the dice were seen, to be attested";
            chips(*id, how, lines, *means)
        }
        Fact::PositionsAttested {
            station: id,
            means,
            lines,
            bookmark,
            ..
        } => {
            let how = "attested to have lain there at the close";
            format!("{} ({bookmark})", chips(*id, how, lines, *means))
        }
        Fact::PositionsReturned {
            station: id,
            means,
            lines,
            ..
        } => chips(*id, "not attested and returned", lines, *means),
        Fact::LateActRecorded {
            station: id,
            late,
            means,
            line,
            consequence,
            rule,
        } => format!(
            "late {} by {}: {}{}; {} ({rule})",
            late.key(),
            station(*id),
            bets(describer, std::slice::from_ref(line)),
            means.map_or("", with),
            consequence.key(),
        ),
        Fact::CoverReported { open: false } if event.by == Actor::House => {
            "no device that is there reports the cover open".to_owned()
        }
        Fact::CoverReported { open: true } => "the line reports the cover open".to_owned(),
        Fact::CoverReported { open: false } => "the line reports the cover closed".to_owned(),
        Fact::LightsReported { lit: true } => "the winning areas are lit".to_owned(),
        Fact::LightsReported { lit: false } => "the winning areas did not light rightly".to_owned(),
        Fact::RoundVoided {
            basis,
            rule,
            staked,
            ..
        } => {
            let cause = match basis {
                VoidBasis::Listed(cause) => cause.key().replace('-', " "),
                VoidBasis::Ruling(reason) => format!("ruling: {reason}"),
            };
            format!("void, {cause} ({rule}): {} returned", money(*staked))
        }
        Fact::ResultCorrected {
            round,
            from,
            dice,
            evidence,
            rule,
            conducted,
            ..
        } => {
            let conducted = match conducted {
                Some(true) => "; both say that it was conducted in accordance with the rules",
                Some(false) | None => "",
            };
            format!(
                "{round} is corrected from {} to {dice} ({rule}); evidence: {evidence}{conducted}",
                from
            )
        }
        Fact::RoundVoidedLate {
            round,
            from,
            reason,
            rule,
            cause,
            ground,
            ..
        } => {
            // Damage is what every late void was once, and is told as it was then.
            let cause = match cause {
                Some(Cause::DiceDamaged) => String::new(),
                Some(cause) => format!(" for {cause}"),
                None => " by a ruling".to_owned(),
            };
            let ground = ground
                .as_ref()
                .map_or_else(String::new, |ground| format!(", on the ground of {ground}"));
            format!(
                "{round}, which stood as {}, is void after all{cause} ({rule}{ground}): {reason}",
                from
            )
        }
        Fact::OverpaymentRecovered { recoverable, .. }
        | Fact::OverpaymentWaived { recoverable, .. } => {
            let from = table
                .recoverables
                .get(recoverable)
                .map_or_else(String::new, |entry| {
                    format!(" from {}", station(entry.station))
                });
            plain(describer, &event.fact) + &from
        }
        fact => plain(describer, fact),
    }
}

fn bets(describer: &Describer<'_>, lines: &[Line]) -> String {
    let texts: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {}", line.section, describer.money(line.stake)))
        .collect();
    if texts.is_empty() {
        "nothing".to_owned()
    } else {
        texts.join(", ")
    }
}

fn with(means: Means) -> &'static str {
    match means {
        Means::Credit => "",
        Means::CashChips => " in chips",
        Means::ColourChips => " in colour chips",
    }
}

/// The sentence of its kind; else name and fields: `credit bought: station T1,
/// source cash, amount 50.00`.
fn plain(describer: &Describer<'_>, fact: &Fact) -> String {
    let (name, fields) = describer.fact(fact);
    if let Some(sentence) = fact.kind().told {
        return filled(sentence, &fields);
    }
    let name = name.replace('-', " ");
    let fields: Vec<String> = fields
        .iter()
        .filter(|(_, value)| *value != Value::Nothing)
        .map(|(key, value)| format!("{} {value}", key.replace('_', " ")))
        .collect();
    if fields.is_empty() {
        name
    } else {
        format!("{name}: {}", fields.join(", "))
    }
}

/// A sentence with the values of fields in place of their names in braces.
fn filled(sentence: &str, fields: &Fields) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, (name, after))) = rest
        .split_once('{')
        .and_then(|(before, from)| Some((before, from.split_once('}')?)))
    {
        let value = fields.iter().find(|(field, _)| *field == name);
        text += before;
        text += &value.map_or_else(String::new, |(_, value)| value.to_string());
        rest = after;
    }
    text + rest
}
