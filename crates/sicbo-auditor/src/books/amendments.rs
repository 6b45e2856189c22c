//! Ended rounds that are amended, and what was paid too much or too little in them.

use std::collections::BTreeMap;

use super::{Books, Entry, Objection, Part, Stands, positive};
use crate::heard::{Claimed, Minor};

impl Books {
    pub(super) fn amend(
        &mut self,
        number: u64,
        to: Stands,
        claims: &[Claimed],
    ) -> Result<(), Objection> {
        let mut round = self
            .ended
            .remove(&number)
            .ok_or_else(|| format!("round {number} has not ended"))?;
        if round.stands == Stands::Void {
            return Err(format!("round {number} was void and is amended"));
        }
        let latest = (self.began == number && self.revision >= 3)
            || (self.round.is_none() && self.last_round == number);
        let mut claims = claims.iter();
        for (station, part) in &mut round.parts {
            let (plain, colour) = self.returned(&round.book, &part.layout, &part.chips, to)?;
            let (was, is) = (part.owed, plain + colour);
            part.owed = is;
            if was == is {
                continue;
            }
            let claimed = claims
                .next()
                .ok_or_else(|| format!("round {number}: station {station} was forgotten"))?;
            let mut due = Claimed {
                station: *station,
                was,
                is,
                recoverable_id: claimed.recoverable_id,
                unclaimed_id: claimed.unclaimed_id,
                ..Claimed::default()
            };
            if is > was {
                // Owed more: first off what was overpaid before, the rest at once.
                due.netted = (is - was).min(part.recoverable);
                // Then off what the player was allowed to keep.
                due.waiver_netted = (is - was - due.netted).min(part.waived);
                let rest = is - was - due.netted - due.waiver_netted;
                let place = &self.places[*station];
                let empty = place.credit == 0 && self.staked(*station) == 0;
                // Once play has gone on, an empty station may have been left.
                let there = !place.removed && place.session == part.session && (latest || !empty);
                match (part.seat, there) {
                    (false, true) => due.credited = rest,
                    (true, true) if latest => due.in_chips = rest,
                    _ => due.unclaimed = rest,
                }
            } else {
                // Overpaid: first off what nobody has claimed, the rest may be recovered.
                due.unclaimed_netted = (was - is).min(part.unclaimed);
                // Then what the player had been allowed to keep once already.
                let over = was - is - due.unclaimed_netted;
                due.waiver_restored = over.min(part.granted - part.waived);
                due.recoverable = over - due.waiver_restored;
            }
            if due != *claimed {
                return Err(format!("round {number}: {claimed:?} where {due:?} is due"));
            }
            part.paid += due.credited + due.in_chips;
            part.recoverable += due.recoverable - due.netted;
            part.waived += due.waiver_restored - due.waiver_netted;
            self.won -= is - was + due.waiver_restored - due.waiver_netted;
            part.unclaimed += due.unclaimed - due.unclaimed_netted;
            self.places[*station].credit += due.credited;
            self.places[*station].returned += due.credited;
            self.chips += due.in_chips;
            self.float -= due.in_chips;
            self.bank +=
                due.recoverable + due.unclaimed_netted - due.credited - due.netted - due.unclaimed;
            let entry = |amount| Entry {
                round: number,
                station: *station,
                amount,
                case: None,
            };
            net(&mut self.recoverables, number, *station, due.netted);
            net(&mut self.unclaimed, number, *station, due.unclaimed_netted);
            if due.recoverable > 0 {
                let id = claimed
                    .recoverable_id
                    .ok_or("an overpayment without name")?;
                if self
                    .recoverables
                    .insert(id, entry(due.recoverable))
                    .is_some()
                {
                    return Err(format!("recoverable {id} was named twice"));
                }
            }
            if due.unclaimed > 0 {
                let id = claimed
                    .unclaimed_id
                    .ok_or("an unclaimed credit without name")?;
                if self.unclaimed.insert(id, entry(due.unclaimed)).is_some() {
                    return Err(format!("unclaimed {id} was named twice"));
                }
            }
            reconciled(number, *station, part)?;
        }
        if let Some(extra) = claims.next() {
            return Err(format!("round {number}: nothing is due for {extra:?}"));
        }
        round.stands = to;
        self.ended.insert(number, round);
        Ok(())
    }

    pub(super) fn recover(&mut self, id: u64, amount: Minor) -> Result<(), Objection> {
        let entry = lessen(&mut self.recoverables, id, amount)?;
        let (seat, session) = match entry.case {
            Some(session) => (self.places[entry.station].seat, session),
            None => {
                let part = self.past(entry)?;
                part.recoverable -= amount;
                part.recovered += amount;
                (part.seat, part.session)
            }
        };
        if self.places[entry.station].session != session {
            return Err(format!("recoverable {id} was taken from another player"));
        }
        if seat {
            self.chips -= amount;
            self.float += amount;
            self.bank -= amount;
        } else {
            self.take(entry.station, amount)?;
            self.places[entry.station].returned -= amount;
        }
        match entry.case {
            Some(_) => Ok(()),
            None => self.reconcile(entry),
        }
    }

    fn past(&mut self, entry: Entry) -> Result<&mut Part, Objection> {
        self.ended
            .get_mut(&entry.round)
            .and_then(|round| round.parts.get_mut(&entry.station))
            .ok_or_else(|| format!("{entry:?} is of no round"))
    }

    fn reconcile(&mut self, entry: Entry) -> Result<(), Objection> {
        let part = self.past(entry)?;
        reconciled(entry.round, entry.station, part)
    }

    pub(super) fn waive(&mut self, id: u64, amount: Minor) -> Result<(), Objection> {
        let entry = lessen(&mut self.recoverables, id, amount)?;
        self.bank -= amount;
        if entry.case.is_some() {
            self.cases -= amount;
            return Ok(());
        }
        self.won -= amount;
        let part = self.past(entry)?;
        part.recoverable -= amount;
        part.waived += amount;
        part.granted += amount;
        self.reconcile(entry)
    }

    pub(super) fn pay_unclaimed(&mut self, id: u64, amount: Minor) -> Result<(), Objection> {
        let entry = lessen(&mut self.unclaimed, id, amount)?;
        if self.unclaimed.contains_key(&id) {
            return Err(format!("unclaimed {id} was paid in part"));
        }
        self.cage += amount;
        if entry.case.is_some() {
            return Ok(());
        }
        let part = self.past(entry)?;
        part.unclaimed -= amount;
        part.paid += amount;
        self.reconcile(entry)
    }
}

/// Every player has got, or will get, exactly what is owed plus what may be recovered.
fn reconciled(round: u64, station: usize, part: &Part) -> Result<(), Objection> {
    let held = part.paid + part.unclaimed - part.recovered;
    if held == part.owed + part.recoverable + part.waived {
        return Ok(());
    }
    Err(format!("round {round} station {station}: {part:?}"))
}

/// Takes from a named entry; it is gone when nothing is left.
fn lessen(map: &mut BTreeMap<u64, Entry>, id: u64, amount: Minor) -> Result<Entry, Objection> {
    positive(amount)?;
    let entry = map.get_mut(&id).ok_or_else(|| format!("no entry {id}"))?;
    entry.amount -= amount;
    let now = *entry;
    if now.amount < 0 {
        return Err(format!("entry {id} went below zero"));
    }
    if now.amount == 0 {
        map.remove(&id);
    }
    Ok(now)
}

/// Takes from a round's entries of a station, oldest first.
fn net(map: &mut BTreeMap<u64, Entry>, round: u64, station: usize, amount: Minor) {
    let mut left = amount;
    for entry in map.values_mut() {
        if entry.round == round && entry.station == station && entry.case.is_none() {
            let part = left.min(entry.amount);
            entry.amount -= part;
            left -= part;
        }
    }
    map.retain(|_, entry| entry.amount > 0);
}
