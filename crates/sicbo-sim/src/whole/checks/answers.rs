//! What players were told of what they asked, held to their table's journal: a yes is there once and
//! as it was asked, a no is not there at all, and what they were shown of their own is what is there.

use sicbo_table::ids::{StationId, VoucherId};

use super::super::player::{Asked, Player, Told};
use super::super::story::words;
use super::Heard;

/// What a player was told is done is in the journal, once, as it was asked.
pub(super) fn promised(table: &Heard, station: StationId, told: &Told) -> Result<(), String> {
    match &told.asked {
        Asked::Bet { round, lines } => {
            let found = table.bets.get(&(station, *round, told.id));
            let mut lines = lines.clone();
            lines.sort();
            match found.map(Vec::as_slice) {
                Some([one]) if *one == lines => Ok(()),
                other => {
                    let found = other.into_iter().flatten().map(|lines| words::bets(lines));
                    let found = there(found.collect());
                    let asked = words::bets(&lines);
                    let id = told.id;
                    Err(format!(
                        "bet {id} of round {round} was told as registered: {asked}; {found} \
                         (what is shown as registered is registered, R-130, R-137)"
                    ))
                }
            }
        }
        Asked::Remove { round, .. } | Asked::Clear { round } => {
            match table.removed.get(&(station, *round, told.id)) {
                Some(1) => Ok(()),
                other => Err(format!(
                    "taking back {} of round {round} was told as done, and is in the journal {} \
                     times (R-130)",
                    told.id,
                    other.copied().unwrap_or(0)
                )),
            }
        }
        Asked::Call | Asked::Dispute { .. } => Ok(()),
        Asked::Note { amount } => {
            let found = table.notes.get(&(station, told.id));
            match found.map(Vec::as_slice) {
                Some([one]) if one == amount => Ok(()),
                other => {
                    let found = other.into_iter().flatten();
                    let found = there(found.map(|amount| words::amount(*amount)).collect());
                    let (id, amount) = (told.id, words::amount(*amount));
                    Err(format!(
                        "note {id} of {amount} was told as credited; {found} (R-220)"
                    ))
                }
            }
        }
        Asked::CashOut { amount } => {
            let found = told
                .voucher
                .and_then(|voucher| table.out.get(&VoucherId(voucher)));
            match found.map(Vec::as_slice) {
                Some([one]) if *one == (station, *amount) => Ok(()),
                other => {
                    let found = there(moved(other));
                    let (id, amount) = (told.id, words::amount(*amount));
                    Err(format!(
                        "cash-out {id} of {amount} was told as done; {found} (R-221)"
                    ))
                }
            }
        }
        Asked::Redeem { paper } => {
            let found = table.taken.get(&paper.voucher).map(Vec::as_slice);
            match found {
                Some([(at, _)]) if *at == station => Ok(()),
                other => {
                    let (id, found) = (told.id, there(moved(other)));
                    let number = paper.voucher.0;
                    Err(format!(
                        "redemption {id} of voucher {number} was told as done; {found} (S-13)"
                    ))
                }
            }
        }
    }
}

/// What the journal has in the place of what was told.
fn there(found: Vec<String>) -> String {
    match found.is_empty() {
        true => "the journal has nothing of it".to_owned(),
        false => format!("the journal has {}", found.join(" and again ")),
    }
}

/// Credit that moved, with where.
fn moved(found: Option<&[(StationId, i64)]>) -> Vec<String> {
    let found = found.into_iter().flatten();
    let found = found.map(|(at, amount)| format!("{} at station {}", words::amount(*amount), at.0));
    found.collect()
}

/// What a player was told is not done is not in the journal.
pub(super) fn refused(table: &Heard, player: &Player) -> Result<(), String> {
    let station = player.station;
    for (id, asked) in &player.refused {
        let there = match asked {
            Asked::Bet { round, .. } => table.bets.contains_key(&(station, *round, *id)),
            Asked::Remove { round, .. } | Asked::Clear { round } => {
                table.removed.contains_key(&(station, *round, *id))
            }
            Asked::Note { .. } => table.notes.contains_key(&(station, *id)),
            Asked::Redeem { paper } => {
                let taken = table.taken.get(&paper.voucher).into_iter().flatten();
                let mut here = taken.filter(|(at, _)| *at == station);
                let told =
                    |told: &Told| matches!(&told.asked, Asked::Redeem { paper: of } if of == paper);
                here.next().is_some() && !player.done.iter().any(told)
            }
            Asked::CashOut { .. } | Asked::Call | Asked::Dispute { .. } => false,
        };
        if there {
            return Err(format!(
                "{} {id} was told as refused, and is in the journal (R-130)",
                asked.word()
            ));
        }
    }
    Ok(())
}

/// What a player was shown of their own money and bets is what was there.
pub(super) fn shown(table: &Heard, player: &Player) -> Result<(), String> {
    for (version, shown) in &player.shown {
        let credit = table.credit_after(player.station, *version);
        if credit != Some(*shown) {
            let (shown, credit) = (words::amount(*shown), credit.map(words::amount));
            let credit = credit.as_deref().unwrap_or("unknown");
            return Err(format!(
                "was shown a credit of {shown} after record {version}, where it is {credit} (R-222)"
            ));
        }
    }
    for (version, shown) in &player.laid {
        let lay = table.lying_after(player.station, *version);
        if lay != shown {
            let (shown, lay) = (words::bets(shown), words::bets(lay));
            return Err(format!(
                "was shown bets {shown} after record {version}, where they are {lay} (R-130, R-137)"
            ));
        }
    }
    Ok(())
}
