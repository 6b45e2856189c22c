//! No frame holds another player's money.
//!
//! What everybody sees says nothing about anybody's money at all: a frame of a
//! wall may hold numbers only in places that are on this list. What a terminal
//! sees of money is its own, which `checks` compares with the auditor's books.

use serde_json::Value;

/// Where numbers may stand in what everybody sees; `*` is any name or row.
/// None of them is anybody's money: limits are the table's.
const PUBLIC: &[&str] = &[
    "version",
    "server_ms",
    "info.*",
    "state.round.number",
    "state.round.*",
    "state.last.*",
    "state.notices.*",
    "rounds.*",
];

/// Words that would be somebody's money wherever they stand.
const MONEY: &[&str] = &[
    "credit",
    "at_risk",
    "stake",
    "staked",
    "stakes",
    "bets",
    "returned",
    "paid",
    "won",
    "payout",
    "amount",
    "worst_loss",
    "drop",
    "house_win",
    "handle",
    "voucher",
    "recoverables",
    "unclaimed",
];

/// What a wall was shown.
pub(in super::super) fn public(who: &str, frame: &Value) -> Result<(), String> {
    look(frame, &mut Vec::new()).map_err(|place| {
        format!("{who} was shown a number that may be somebody's money: {place} in {frame}")
    })
}

fn look<'f>(value: &'f Value, place: &mut Vec<&'f str>) -> Result<(), String> {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if MONEY.contains(&name.as_str()) && !value.is_null() {
                    return Err(name.clone());
                }
                place.push(name);
                look(value, place)?;
                place.pop();
            }
            Ok(())
        }
        Value::Array(rows) => rows.iter().try_for_each(|row| look(row, place)),
        Value::Number(_) => {
            let fits = |allowed: &&str| {
                let mut at = place.iter();
                allowed.split('.').all(|word| match word {
                    "*" => true,
                    word => at.next() == Some(&word),
                })
            };
            match PUBLIC.iter().any(fits) {
                true => Ok(()),
                false => Err(place.join(".")),
            }
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_that_is_somebodys_money_is_found_wherever_it_stands() {
        let fine = json!({"type": "table", "version": 3, "state": {"round": {"number": 2}}});
        assert_eq!(public("wall", &fine), Ok(()));
        for wrong in [
            json!({"type": "table", "state": {"round": {"staked": 500}}}),
            json!({"type": "table", "state": {"last": {"credit": 0}}}),
            json!({"type": "table", "mine": 7}),
            json!({"type": "road", "rounds": [{"returned": 1}]}),
        ] {
            assert!(public("wall", &wrong).is_err(), "{wrong}");
        }
    }
}
