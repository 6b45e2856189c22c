//! Events in words, for people who read a round. Facts that need no sentence
//! of their own are told by their name and fields.

use sicbo_rules::rulebook::words::{Cause, Word};
use sicbo_table::actor::Actor;
use sicbo_table::event::VoidBasis;
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::Standing;
use sicbo_table::{Event, Fact, Table};

use crate::describe::{Describer, Value, hex};

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
    match &event.fact {
        Fact::RoundBegan { round, .. } => format!("{round} begins"),
        Fact::TumbleCommitted { round, commitment } => {
            format!("the tumbler commits to {} for {round}", hex(commitment))
        }
        Fact::TumbleRevealed { round, seed } => {
            format!("the tumbler reveals the seed of {round}: {}", hex(seed))
        }
        Fact::TumblerActivated => "the tumbler is activated".to_owned(),
        Fact::TumbleEnded { count, valid } => {
            let is = if *valid { "valid" } else { "not valid" };
            format!("the dice come to rest after {count} tumbles: {is}")
        }
        Fact::BetsCalled => "bets are called".to_owned(),
        Fact::BetsPlaced {
            station: id,
            bet,
            means,
            lines,
            called,
        } => format!(
            "{} bets {}{}{} ({bet})",
            station(*id),
            bets(describer, lines),
            with(*means),
            if *called { ", called aloud" } else { "" },
        ),
        Fact::BetsRemoved {
            station: id,
            bet,
            means,
            lines,
            ..
        } => format!(
            "{} takes back {}{} ({bet})",
            station(*id),
            bets(describer, lines),
            with(*means)
        ),
        Fact::ClosingBegan { awaiting: 0 } => "no more bets".to_owned(),
        Fact::ClosingBegan { awaiting } => {
            format!("no more bets; {awaiting} terminals are to show it")
        }
        Fact::CloseAcknowledged { station: id } => {
            format!("{} shows no more bets", station(*id))
        }
        Fact::StationFenced { station: id } => {
            format!("{} did not show it in time and is cut off", station(*id))
        }
        Fact::BetsClosed { staked } => format!("bets are closed, {} staked", money(*staked)),
        Fact::DealPressed => "the deal button is pressed".to_owned(),
        Fact::PositionsRecorded {
            station: id,
            means,
            lines,
            dice_visible,
            ..
        } => format!(
            "chips of {} at the close: {}{}{}",
            station(*id),
            bets(describer, lines),
            with(*means),
            if *dice_visible {
                ", written down when the dice could be seen"
            } else {
                ""
            }
        ),
        Fact::PositionsObserved {
            station: id,
            means,
            lines,
        } => format!(
            "chips of {} as the cage is opened: {}{}",
            station(*id),
            bets(describer, lines),
            with(*means)
        ),
        Fact::PositionsClaimed {
            station: id,
            means,
            lines,
            ..
        } => format!(
            "chips of {} recorded after the dice were seen, to be attested: {}{}",
            station(*id),
            bets(describer, lines),
            with(*means)
        ),
        Fact::PositionsAttested {
            station: id,
            means,
            lines,
            bookmark,
            ..
        } => format!(
            "chips of {} attested to have lain there at the close: {}{} ({bookmark})",
            station(*id),
            bets(describer, lines),
            with(*means)
        ),
        Fact::PositionsReturned {
            station: id,
            means,
            lines,
            ..
        } => format!(
            "chips of {} not attested and returned: {}{}",
            station(*id),
            bets(describer, lines),
            with(*means)
        ),
        Fact::LateActRecorded {
            station: id,
            late,
            means,
            line,
            consequence,
            rule,
        } => format!(
            "late {} by {}: {}{}; {} ({rule})",
            crate::describe::late_kind(*late),
            station(*id),
            bets(describer, std::slice::from_ref(line)),
            means.map_or("", with),
            consequence.key(),
        ),
        Fact::Uncovered => "the dice are uncovered".to_owned(),
        Fact::CoverReported { open: false } if event.by == Actor::House => {
            "no device that is there reports the cover open".to_owned()
        }
        Fact::CoverReported { open: true } => "the line reports the cover open".to_owned(),
        Fact::CoverReported { open: false } => "the line reports the cover closed".to_owned(),
        Fact::FlatConfirmed => "all three dice lie flat".to_owned(),
        Fact::DiceKeyed { dice } => format!("the dice are read as {dice}"),
        Fact::KeysCleared => "the reading is taken back".to_owned(),
        Fact::SecondRead { dice } => format!("a second reading gives {dice}"),
        Fact::ReadingsAgreed { dice } => format!("two persons agree on {dice}"),
        Fact::ResultConfirmed { dice } => format!("the result {dice} is confirmed"),
        Fact::LightsReported { lit: true } => "the winning areas are lit".to_owned(),
        Fact::LightsReported { lit: false } => "the winning areas did not light rightly".to_owned(),
        Fact::RoundSettled {
            dice,
            staked,
            returned,
            ..
        } => format!(
            "settled by {dice}, total {}: {} staked, {} returned",
            dice.total(),
            money(*staked),
            money(*returned)
        ),
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
                standing(*from)
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
                standing(*from)
            )
        }
        Fact::DamageReported { dice_set, note, .. } => {
            format!("dice {dice_set} are said to be damaged and are out of play: {note}")
        }
        Fact::DiceFoundSound { dice_set, text } => {
            format!("dice {dice_set} were inspected by two persons and found sound: {text}")
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

/// How a round stands.
pub(super) fn standing(standing: Standing) -> String {
    match standing {
        Standing::Settled(dice) => dice.to_string(),
        Standing::Void => "void".to_owned(),
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

/// Name and fields: `credit bought: station T1, source cash, amount 50.00`.
fn plain(describer: &Describer<'_>, fact: &Fact) -> String {
    let (name, fields) = describer.fact(fact);
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
