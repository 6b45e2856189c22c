//! What players, staff and devices say, in words that a casino manager reads: no names of code, no
//! braces, amounts as people write them.

use serde_json::Value;
use sicbo_rules::rulebook::words::Position;
use sicbo_rules::rulebook::words::Word as _;

use super::super::player::Asked;

/// An amount in whole units and hundredths.
pub(in super::super) fn amount(minor: i64) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let minor = minor.unsigned_abs();
    format!("{sign}{}.{:02}", minor / 100, minor % 100)
}

/// Amounts one after the other.
pub(in super::super) fn amounts(minor: &[i64]) -> String {
    list(minor.iter().map(|one| amount(*one)).collect())
}

/// Bets: `5.00 on small and 10.00 on total:11`.
pub(in super::super) fn bets(lines: &[(String, i64)]) -> String {
    let lines = lines.iter();
    let lines = lines.map(|(section, stake)| format!("{} on {section}", amount(*stake)));
    list(lines.collect())
}

/// Things in a row: `a, b and c`.
fn list(mut things: Vec<String>) -> String {
    let Some(last) = things.pop() else {
        return "nothing".to_owned();
    };
    match things.is_empty() {
        true => last,
        false => format!("{} and {last}", things.join(", ")),
    }
}

/// What a player asks for.
pub(in super::super) fn asked(asked: &Asked) -> String {
    match asked {
        Asked::Bet { round, lines } => format!("bets {} in round {round}", bets(lines)),
        Asked::Remove { round, lines } => {
            format!("takes back {} in round {round}", bets(lines))
        }
        Asked::Clear { round } => format!("takes back all bets of round {round}"),
        Asked::Note { amount: value } => format!("puts in a note of {}", amount(*value)),
        Asked::CashOut { amount: value } => format!("cashes {} out", amount(*value)),
        Asked::Redeem { paper } => format!("puts in voucher {}", paper.voucher.0),
        Asked::Call => "calls for staff".to_owned(),
        Asked::Dispute { round } => format!("disputes round {round}"),
    }
}

/// Numbers that are money, by their names.
const MONEY: [&str; 5] = ["amount", "stake", "value", "minimum", "maximum"];

fn value(name: &str, is: &Value) -> String {
    match is {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) if MONEY.contains(&name) => {
            number.as_i64().map_or_else(|| number.to_string(), amount)
        }
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.replace('_', " "),
        Value::Array(all) => list(all.iter().map(|one| value(name, one)).collect()),
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, is)| field(name, is));
            list(fields.collect())
        }
    }
}

fn field(name: &str, is: &Value) -> String {
    format!("{} {}", name.replace('_', " "), value(name, is))
}

/// What staff say to a screen: `buy credit (station 1, amount 5.00)`.
pub(in super::super) fn act(sent: &str) -> String {
    let sent: Value = serde_json::from_str(sent).unwrap_or_default();
    let name = sent["act"].as_str().unwrap_or("something");
    let fields = sent.as_object().into_iter().flatten();
    // The number by which a screen knows its own request is nobody's business.
    let told = fields.filter(|(name, _)| !["act", "request"].contains(&name.as_str()));
    let told: Vec<String> = told.map(|(name, is)| field(name, is)).collect();
    let name = name.replace('_', " ");
    match told.is_empty() {
        true => name,
        false => format!("{name} ({})", told.join(", ")),
    }
}

/// A name as code has it, in words: `BeginRedeem` is `begin redeem`.
pub(in super::super) fn code_name(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words.replace(['_', '-'], " ")
}

/// A position as people call it.
pub(in super::super) fn position(position: Position) -> String {
    code_name(position.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_told_in_words() {
        let lines = vec![("small".to_owned(), 500), ("total:11".to_owned(), 1_050)];
        let bet = Asked::Bet { round: 4, lines };
        assert_eq!(
            asked(&bet),
            "bets 5.00 on small and 10.50 on total:11 in round 4"
        );
        let said = r#"{"act":"buy_credit","station":1,"amount":500,"request":77}"#;
        assert_eq!(act(said), "buy credit (amount 5.00, station 1)");
        assert_eq!(code_name("BeginRedeem"), "begin redeem");
        assert_eq!(position(Position::PitSupervisor), "pit supervisor");
        assert_eq!(amount(-105), "-1.05");
    }
}
