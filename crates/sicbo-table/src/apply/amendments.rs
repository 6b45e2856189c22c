//! Amendments of ended rounds on the accounts: reversing and new postings, nothing edited.

use std::collections::BTreeMap;
use std::sync::Arc;

use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::{Dice, Money};

use crate::books::Account;
use crate::event::{Effect, Fact};
use crate::ids::{RecoverableId, RoundNumber, UnclaimedId};
use crate::must::must;
use crate::past;
use crate::pending::{Recoverable, Unclaimed};
use crate::record::Standing;
use crate::station::StationKind;
use crate::table::{Amended, Table, Waiver};

fn amended(table: &mut Table, round: RoundNumber, revision: u32, standing: Standing) {
    let entry = table.amended.entry(round).or_insert_with(|| Amended {
        revision,
        standing,
        waived: BTreeMap::new(),
    });
    entry.revision = revision;
    entry.standing = standing;
}

/// The last round's record says how it stands now, and why.
pub(super) fn retell(table: &mut Table, fact: &Fact) {
    let amended = table
        .last_record
        .as_ref()
        .and_then(|last| last.amended(fact));
    if let Some(record) = amended {
        table.last_record = Some(Arc::new(record));
    }
}

fn post_effects(table: &mut Table, round: RoundNumber, effects: &[Effect]) {
    for effect in effects {
        let id = effect.station;
        // The bank bore it when it was waived: nothing moves now.
        move_waiver(table, round, effect);
        if effect.credited.is_positive() {
            table.stations[id.0 as usize].meters.corrected_in += effect.credited;
            table.post(Account::HouseBank, Account::Credit(id), effect.credited);
        }
        if effect.paid_in_chips.is_positive() {
            table.post(
                Account::ChipFloat,
                Account::ChipsOutstanding,
                effect.paid_in_chips,
            );
        }
        for (entry, amount) in &effect.netted {
            table.post(Account::HouseBank, Account::Recoverable, *amount);
            lessen(table, *entry, *amount);
        }
        for (entry, amount) in &effect.unclaimed_netted {
            table.post(Account::Unclaimed, Account::HouseBank, *amount);
            lessen_unclaimed(table, *entry, *amount);
        }
        if let Some(unclaimed) = &effect.unclaimed {
            table.post(Account::HouseBank, Account::Unclaimed, unclaimed.amount);
            kept(table, unclaimed);
        }
        if let Some(recoverable) = &effect.recoverable {
            owed_back(table, recoverable);
        }
    }
}

/// Who has left finds it at the cage.
pub(super) fn kept(table: &mut Table, unclaimed: &Unclaimed) {
    table.next_unclaimed = UnclaimedId(unclaimed.id.0 + 1);
    table.unclaimed.insert(unclaimed.id, unclaimed.clone());
}

/// Too much was paid: the bank counts on it until it is recovered or waived.
pub(super) fn owed_back(table: &mut Table, recoverable: &Recoverable) {
    table.post(Account::Recoverable, Account::HouseBank, recoverable.amount);
    table.next_recoverable = RecoverableId(recoverable.id.0 + 1);
    table
        .recoverables
        .insert(recoverable.id, recoverable.clone());
}

fn lessen(table: &mut Table, id: RecoverableId, amount: Money) {
    let entry = must(table.recoverables.get_mut(&id), "nothing to recover");
    entry.amount -= amount;
    assert!(!entry.amount.is_negative(), "more recovered than owed");
    if entry.amount == Money::ZERO {
        table.recoverables.remove(&id);
        table.case_debts.remove(&id);
    }
}

fn move_waiver(table: &mut Table, round: RoundNumber, effect: &Effect) {
    let amended = table.amended.get_mut(&round);
    let waiver = amended.and_then(|amended| amended.waived.get_mut(&effect.station));
    if let Some(waiver) = waiver {
        let spent = effect.waiver_netted - effect.waiver_restored;
        waiver.kept -= spent;
        waiver.spent += spent;
    }
}

fn lessen_unclaimed(table: &mut Table, id: UnclaimedId, amount: Money) {
    let entry = must(table.unclaimed.get_mut(&id), "nothing is unclaimed");
    entry.amount -= amount;
    assert!(
        !entry.amount.is_negative(),
        "more taken back than was unclaimed"
    );
    if entry.amount == Money::ZERO {
        table.unclaimed.remove(&id);
        table.case_credits.remove(&id);
    }
}

pub(super) fn corrected(
    table: &mut Table,
    round: RoundNumber,
    revision: u32,
    dice: Dice,
    effects: &[Effect],
) {
    post_effects(table, round, effects);
    past::amended(table, round, false, effects);
    amended(table, round, revision, Standing::Settled(dice));
}

pub(super) fn voided_late(
    table: &mut Table,
    round: RoundNumber,
    revision: u32,
    cause: Option<Cause>,
    effects: &[Effect],
) {
    post_effects(table, round, effects);
    past::amended(table, round, true, effects);
    // The dice are found damaged: none of the next rounds is played with them,
    // unless they have left the tumbler already. Other causes are not theirs.
    let theirs = matches!(cause, Some(Cause::DiceDamaged | Cause::DiceBroken));
    table.dice_condemned |= theirs && round >= table.dice_since;
    amended(table, round, revision, Standing::Void);
}

pub(super) fn recovered(table: &mut Table, id: RecoverableId, amount: Money) {
    let station = must(table.recoverables.get(&id), "nothing to recover").station;
    match table.stations[station.0 as usize].kind {
        StationKind::Terminal => {
            table.stations[station.0 as usize].meters.recovered += amount;
            table.post(Account::Credit(station), Account::Recoverable, amount);
        }
        StationKind::Seat => {
            // The chips go back to the rack; the bank had stood in for them.
            table.post(Account::ChipsOutstanding, Account::ChipFloat, amount);
            table.post(Account::HouseBank, Account::Recoverable, amount);
        }
    }
    lessen(table, id, amount);
}

pub(super) fn waived(table: &mut Table, id: RecoverableId, amount: Money) {
    let of_case = table.case_debts.contains(&id);
    if let Some(entry) = table.recoverables.get(&id).filter(|_| !of_case)
        && let Some(amended) = table.amended.get_mut(&entry.round)
    {
        let waiver = amended.waived.entry(entry.station).or_insert(Waiver {
            kept: Money::ZERO,
            spent: Money::ZERO,
        });
        waiver.kept += amount;
    }
    table.post(Account::HouseBank, Account::Recoverable, amount);
    lessen(table, id, amount);
}
