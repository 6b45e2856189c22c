//! The auditor's own books.
//!
//! Every balance is derived from what was said; nothing the engine computed is
//! believed. What it claims (totals, digests, effects of amendments) is checked
//! against the auditor's own figures first.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::odds::{Outcome, Quirk, judge};
use super::said::{Balances, Bet, Chips, ChipsHow, Claimed, ColourHow, Minor, Said, Setup, Source};

#[derive(Clone, Debug)]
struct Place {
    seat: bool,
    layout: String,
    credit: Minor,
    session: u32,
    removed: bool,
}

/// One station's chips on the layout, by section.
#[derive(Clone, Default, Debug)]
struct OnLayout {
    plain: BTreeMap<String, Minor>,
    colour: BTreeMap<String, Minor>,
    /// What was recorded after the dice could be seen, and by whom.
    claimed: Option<(Chips, Vec<Bet>, u32)>,
}

impl OnLayout {
    fn staked(&self) -> Minor {
        self.plain.values().chain(self.colour.values()).sum()
    }

    fn side(&mut self, chips: Chips) -> &mut BTreeMap<String, Minor> {
        match chips {
            Chips::Colour => &mut self.colour,
            Chips::Credit | Chips::Cash => &mut self.plain,
        }
    }
}

/// How an ended round stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stands {
    On([u8; 3]),
    Void,
}

/// One player's part of an ended round, and everything paid for it so far.
#[derive(Clone, Debug)]
struct Part {
    session: u32,
    seat: bool,
    layout: String,
    chips: OnLayout,
    /// What the round gives by how it stands now.
    owed: Minor,
    /// Handed out: credit, chips, or an unclaimed credit that was paid.
    paid: Minor,
    /// Set aside for one who has left.
    unclaimed: Minor,
    /// Paid too much and neither recovered nor waived.
    recoverable: Minor,
    recovered: Minor,
    /// Kept by ruling beyond what is owed now.
    waived: Minor,
    /// All that was ever waived.
    granted: Minor,
}

#[derive(Clone, Debug)]
struct Ended {
    book: String,
    stands: Stands,
    parts: BTreeMap<usize, Part>,
}

/// An overpayment or an unclaimed credit by its name.
#[derive(Clone, Copy, Debug)]
struct Entry {
    round: u64,
    station: usize,
    amount: Minor,
    /// A case found it, for the player of this session: the round itself owes
    /// what it owed.
    case: Option<u32>,
}

/// The auditor.
#[derive(Clone, Debug)]
pub(crate) struct Auditor {
    quirk: Quirk,
    book: String,
    next_book: Option<String>,
    places: Vec<Place>,
    round: Option<(u64, Vec<OnLayout>)>,
    last_round: u64,
    ended: BTreeMap<u64, Ended>,
    recoverables: BTreeMap<u64, Entry>,
    unclaimed: BTreeMap<u64, Entry>,
    dice_seen: bool,
    /// What cases brought the house beside the rounds.
    cases: Minor,
    vouchers_out: BTreeMap<u64, (usize, u32, Minor)>,
    vouchers_in: BTreeSet<u64>,
    bank: Minor,
    vouchers: Minor,
    drop: Minor,
    cage: Minor,
    float: Minor,
    chips: Minor,
    tips: Minor,
    adjustments: Minor,
}

/// What the auditor objects to.
pub(crate) type Objection = String;

impl Auditor {
    /// An auditor who may be told to get one rule wrong.
    pub(crate) fn new(quirk: Quirk) -> Auditor {
        Auditor {
            quirk,
            book: String::new(),
            next_book: None,
            places: Vec::new(),
            round: None,
            last_round: 0,
            ended: BTreeMap::new(),
            recoverables: BTreeMap::new(),
            unclaimed: BTreeMap::new(),
            dice_seen: false,
            cases: 0,
            vouchers_out: BTreeMap::new(),
            vouchers_in: BTreeSet::new(),
            bank: 0,
            vouchers: 0,
            drop: 0,
            cage: 0,
            float: 0,
            chips: 0,
            tips: 0,
            adjustments: 0,
        }
    }

    /// What every balance must be now.
    pub(crate) fn balances(&self) -> Balances {
        let entries = |map: &BTreeMap<u64, Entry>| {
            map.iter()
                .map(|(id, entry)| (*id, entry.station, entry.round, entry.amount))
                .collect::<Vec<_>>()
        };
        let sum = |map: &BTreeMap<u64, Entry>| map.values().map(|entry| entry.amount).sum();
        let recoverable: Minor = sum(&self.recoverables);
        Balances {
            credit: self.places.iter().map(|place| place.credit).collect(),
            at_risk: (0..self.places.len())
                .map(|at| {
                    let part = self.round.as_ref().and_then(|(_, parts)| parts.get(at));
                    part.map_or(0, OnLayout::staked)
                })
                .collect(),
            house_bank: self.bank,
            vouchers: self.vouchers,
            drop: self.drop,
            cage: self.cage,
            chip_float: self.float,
            chips_outstanding: self.chips,
            tips: self.tips,
            recoverable: -recoverable,
            unclaimed: sum(&self.unclaimed),
            adjustments: self.adjustments,
            house_win: self.house_win(),
            recoverables: entries(&self.recoverables),
            unclaimed_entries: entries(&self.unclaimed),
        }
    }

    /// What the house has won, from the rounds and cases alone: all stakes less all that
    /// is owed by how the rounds stand now, less what was let go.
    fn house_win(&self) -> Minor {
        let parts = self.ended.values().flat_map(|round| round.parts.values());
        let rounds: Minor = parts
            .map(|part| part.chips.staked() - part.owed - part.waived)
            .sum();
        rounds + self.cases
    }

    /// Hears what happened.
    pub(crate) fn hear(&mut self, said: &Said) -> Result<(), Objection> {
        match said {
            Said::Opened { book, stations } => {
                self.book.clone_from(book);
                self.next_book = None;
                stations.iter().for_each(|setup| self.add_place(setup));
            }
            Said::StationAdded(setup) => self.add_place(setup),
            Said::StationRemoved(station) => {
                if self.places[*station].credit != 0 {
                    return Err(format!("station {station} was removed with credit"));
                }
                self.places[*station].removed = true;
            }
            Said::BookScheduled(book) => self.next_book = Some(book.clone()),
            Said::RoundBegan(number) => {
                if *number != self.last_round + 1 || self.round.is_some() {
                    return Err(format!("round {number} began after {}", self.last_round));
                }
                if let Some(book) = self.next_book.take() {
                    self.book = book;
                }
                self.last_round = *number;
                self.dice_seen = false;
                self.round = Some((*number, vec![OnLayout::default(); self.places.len()]));
            }
            Said::Placed {
                station,
                chips,
                bets,
            } => self.place(*station, *chips, bets)?,
            Said::Removed {
                station,
                chips,
                bets,
            } => self.remove(*station, *chips, bets)?,
            Said::DiceSeen => self.dice_seen = true,
            Said::Claimed {
                station,
                chips,
                bets,
                by,
            } => self.part(*station)?.claimed = Some((*chips, bets.clone(), *by)),
            Said::Attested {
                station,
                chips,
                bets,
                by,
            } => {
                let claimed = self.part(*station)?.claimed.take();
                let (means, lines, who) = claimed.ok_or("nothing was claimed")?;
                if means != *chips || lines != *bets || who == *by {
                    return Err(format!("station {station}: other chips, or by one alone"));
                }
                self.put_down(*station, *chips, bets)?;
            }
            Said::Returned { station } => {
                let claimed = self.part(*station)?.claimed.take();
                claimed.ok_or("nothing was claimed")?;
            }
            Said::Late {
                station,
                chips,
                bet,
                withdrawn,
            } => {
                let side = self.part(*station)?.side(*chips);
                let there = side.get(&bet.section).copied().unwrap_or(0);
                if *withdrawn && bet.stake > there {
                    return Err(format!(
                        "more withdrawn from {} than lay there",
                        bet.section
                    ));
                }
            }
            Said::RuledAsTheyLie => return Err("late chips were ruled to count".to_owned()),
            Said::Settled {
                dice,
                staked,
                returned,
                digest,
            } => self.end(Stands::On(*dice), *staked, Some(*returned), digest)?,
            Said::Voided { staked, digest } => self.end(Stands::Void, *staked, None, digest)?,
            Said::Corrected {
                round,
                dice,
                effects,
            } => self.amend(*round, Stands::On(*dice), effects)?,
            Said::VoidedLate { round, effects } => self.amend(*round, Stands::Void, effects)?,
            Said::Recovered { id, amount } => self.recover(*id, *amount)?,
            Said::CasePaid { amount } => {
                positive(*amount)?;
                self.float -= amount;
                self.chips += amount;
                self.cases -= amount;
            }
            Said::CaseOverpaid {
                id,
                round,
                station,
                session,
                amount,
            } => {
                positive(*amount)?;
                let entry = Entry {
                    round: *round,
                    station: *station,
                    amount: *amount,
                    case: Some(*session),
                };
                if self.recoverables.insert(*id, entry).is_some() {
                    return Err(format!("recoverable {id} was named twice"));
                }
                self.bank += amount;
                self.cases += amount;
            }
            Said::Waived { id, amount } => {
                let entry = lessen(&mut self.recoverables, *id, *amount)?;
                if entry.case.is_some() {
                    self.bank -= amount;
                    self.cases -= amount;
                    return Ok(());
                }
                let part = self.past(entry)?;
                part.recoverable -= amount;
                part.waived += amount;
                part.granted += amount;
                self.bank -= amount;
                self.reconcile(entry)?;
            }
            Said::UnclaimedPaid { id, amount } => {
                let entry = lessen(&mut self.unclaimed, *id, *amount)?;
                if self.unclaimed.contains_key(id) {
                    return Err(format!("unclaimed {id} was paid in part"));
                }
                let part = self.past(entry)?;
                part.unclaimed -= amount;
                part.paid += amount;
                self.cage += amount;
                self.reconcile(entry)?;
            }
            Said::Nothing => {}
            other => self.money(other)?,
        }
        Ok(())
    }

    fn money(&mut self, said: &Said) -> Result<(), Objection> {
        match said {
            Said::CreditBought {
                station,
                source,
                amount,
                session,
            } => {
                positive(*amount)?;
                let empty = self.places[*station].credit == 0 && self.staked(*station) == 0;
                let place = &mut self.places[*station];
                let expected = place.session + u32::from(empty);
                if *session != expected {
                    return Err(format!("session {session} where {expected} was due"));
                }
                place.session = *session;
                place.credit += amount;
                match source {
                    Source::Cash => self.drop -= amount,
                    Source::Cage => self.cage -= amount,
                    Source::Voucher(voucher) => {
                        if !self.vouchers_in.insert(*voucher) {
                            return Err(format!("voucher {voucher} was credited twice"));
                        }
                        self.vouchers -= amount;
                    }
                }
            }
            Said::CashedOut {
                station,
                voucher,
                amount,
            } => {
                self.take(*station, *amount)?;
                self.vouchers += amount;
                self.leave_if_empty(*station);
                let session = self.places[*station].session;
                let given = (*station, session, *amount);
                if self.vouchers_out.insert(*voucher, given).is_some() {
                    return Err(format!("voucher {voucher} was given out twice"));
                }
            }
            Said::CashOutReversed {
                station,
                voucher,
                amount,
            } => {
                let given = (*station, self.places[*station].session, *amount);
                if self.vouchers_out.remove(voucher) != Some(given) {
                    return Err(format!("voucher {voucher} was not given out like that"));
                }
                self.places[*station].credit += amount;
                self.vouchers -= amount;
            }
            Said::VoucherForgotten(voucher) => {
                self.vouchers_in.remove(voucher);
                self.vouchers_out.remove(voucher);
            }
            Said::PaidToCage { station, amount } => {
                self.take(*station, *amount)?;
                self.cage += amount;
                self.leave_if_empty(*station);
            }
            Said::ChipsMoved { how, amount } => {
                positive(*amount)?;
                match how {
                    ChipsHow::Bought => {
                        self.drop -= amount;
                        self.bank += amount;
                        self.float -= amount;
                        self.chips += amount;
                    }
                    ChipsHow::Brought => {
                        self.cage -= amount;
                        self.chips += amount;
                    }
                    ChipsHow::TakenAway => {
                        self.chips -= amount;
                        self.cage += amount;
                    }
                    ChipsHow::Fill => {
                        self.cage -= amount;
                        self.float += amount;
                    }
                    ChipsHow::CreditSlip => {
                        self.float -= amount;
                        self.cage += amount;
                    }
                    ChipsHow::Tip => {
                        self.chips -= amount;
                        self.tips += amount;
                    }
                }
            }
            Said::ColourAssigned { station, session } => {
                let staked = self.staked(*station);
                let place = &mut self.places[*station];
                if place.credit != 0 || staked != 0 || *session != place.session + 1 {
                    return Err("colour was assigned while chips were out".to_owned());
                }
                place.session = *session;
            }
            Said::ColourMoved {
                station,
                how,
                amount,
            } => {
                positive(*amount)?;
                match how {
                    ColourHow::ForCash => {
                        self.drop -= amount;
                        self.bank += amount;
                        self.float -= amount;
                        self.places[*station].credit += amount;
                    }
                    ColourHow::FromChips => {
                        self.chips -= amount;
                        self.places[*station].credit += amount;
                    }
                    ColourHow::ToChips => {
                        self.take(*station, *amount)?;
                        self.chips += amount;
                    }
                }
            }
            Said::Adjusted { station, amount } => {
                self.adjustments -= amount;
                self.places[*station].credit += amount;
                if self.places[*station].credit < 0 {
                    return Err(format!("an adjustment left station {station} below zero"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_place(&mut self, setup: &Setup) {
        self.places.push(Place {
            seat: setup.seat,
            layout: setup.layout.clone(),
            credit: 0,
            session: 0,
            removed: false,
        });
        if let Some((_, parts)) = &mut self.round {
            parts.push(OnLayout::default());
        }
    }

    /// Who takes everything away has left: the next to buy in is someone else.
    fn leave_if_empty(&mut self, station: usize) {
        if self.places[station].credit == 0 && self.staked(station) == 0 {
            self.places[station].session += 1;
        }
    }

    fn staked(&self, station: usize) -> Minor {
        let part = self
            .round
            .as_ref()
            .and_then(|(_, parts)| parts.get(station));
        part.map_or(0, OnLayout::staked)
    }

    fn part(&mut self, station: usize) -> Result<&mut OnLayout, Objection> {
        let (_, parts) = self.round.as_mut().ok_or("bets without a round")?;
        parts
            .get_mut(station)
            .ok_or_else(|| format!("no station {station}"))
    }

    /// Takes free credit.
    fn take(&mut self, station: usize, amount: Minor) -> Result<(), Objection> {
        positive(amount)?;
        let place = &mut self.places[station];
        place.credit -= amount;
        if place.credit < 0 {
            return Err(format!("station {station} paid {amount} it did not have"));
        }
        Ok(())
    }

    /// Bets by one person: never once the dice can be seen.
    fn place(&mut self, station: usize, chips: Chips, bets: &[Bet]) -> Result<(), Objection> {
        if self.dice_seen {
            return Err(format!("station {station} bets after the dice were seen"));
        }
        self.put_down(station, chips, bets)
    }

    fn put_down(&mut self, station: usize, chips: Chips, bets: &[Bet]) -> Result<(), Objection> {
        for bet in bets {
            positive(bet.stake)?;
            let layout = &self.places[station].layout;
            let any_dice = [1, 2, 3];
            if judge(&self.book, layout, &bet.section, any_dice, Quirk::None) == Outcome::NotOffered
            {
                return Err(format!("{} is not on {layout}", bet.section));
            }
            match (self.places[station].seat, chips) {
                (false, Chips::Credit) | (true, Chips::Colour) => self.take(station, bet.stake)?,
                (true, Chips::Cash) => self.chips -= bet.stake,
                _ => return Err(format!("station {station} bets with {chips:?}")),
            }
            let side = self.part(station)?.side(chips);
            *side.entry(bet.section.clone()).or_default() += bet.stake;
        }
        Ok(())
    }

    fn remove(&mut self, station: usize, chips: Chips, bets: &[Bet]) -> Result<(), Objection> {
        for bet in bets {
            positive(bet.stake)?;
            let side = self.part(station)?.side(chips);
            let on = side.entry(bet.section.clone()).or_default();
            *on -= bet.stake;
            if *on < 0 {
                return Err(format!("more removed from {} than was there", bet.section));
            }
            if *on == 0 {
                side.remove(&bet.section);
            }
            match chips {
                Chips::Cash => self.chips += bet.stake,
                Chips::Credit | Chips::Colour => self.places[station].credit += bet.stake,
            }
        }
        Ok(())
    }

    /// What comes back for chips on the layout: the plain ones, and the colour ones.
    fn returned(
        &self,
        book: &str,
        layout: &str,
        chips: &OnLayout,
        stands: Stands,
    ) -> Result<(Minor, Minor), Objection> {
        let of = |side: &BTreeMap<String, Minor>| -> Result<Minor, Objection> {
            let Stands::On(dice) = stands else {
                return Ok(side.values().sum());
            };
            let mut sum = 0;
            for (section, stake) in side {
                match judge(book, layout, section, dice, self.quirk) {
                    Outcome::NotOffered => {
                        return Err(format!("{book}/{layout} has no {section}"));
                    }
                    Outcome::Lost => {}
                    Outcome::Won { profit_halves } => {
                        let doubled = stake * profit_halves;
                        if doubled % 2 != 0 {
                            return Err(format!("{stake} on {section} is not paid exactly"));
                        }
                        sum += stake + doubled / 2;
                    }
                }
            }
            Ok(sum)
        };
        Ok((of(&chips.plain)?, of(&chips.colour)?))
    }

    fn end(
        &mut self,
        stands: Stands,
        said_staked: Minor,
        said_returned: Option<Minor>,
        said_digest: &[u8; 32],
    ) -> Result<(), Objection> {
        let (number, parts) = self.round.take().ok_or("no round to end")?;
        let mut hash = Sha256::new();
        let (mut staked, mut returned) = (0, 0);
        let mut kept = BTreeMap::new();
        for (station, chips) in parts.into_iter().enumerate() {
            let stake = chips.staked();
            if stake == 0 {
                continue;
            }
            let layout = self.places[station].layout.clone();
            let (plain, colour) = self.returned(&self.book, &layout, &chips, stands)?;
            let place = &mut self.places[station];
            if place.seat {
                self.chips += plain;
                place.credit += colour;
                self.float += stake - plain - colour;
            } else {
                place.credit += plain;
                self.bank += stake - plain;
            }
            staked += stake;
            returned += plain + colour;
            hash.update((station as u32).to_be_bytes());
            hash.update((plain + colour).to_be_bytes());
            kept.insert(
                station,
                Part {
                    session: place.session,
                    seat: place.seat,
                    layout,
                    chips,
                    owed: plain + colour,
                    paid: plain + colour,
                    unclaimed: 0,
                    recoverable: 0,
                    recovered: 0,
                    waived: 0,
                    granted: 0,
                },
            );
        }
        let digest: [u8; 32] = hash.finalize().into();
        if staked != said_staked || said_returned.is_some_and(|said| said != returned) {
            return Err(format!(
                "round {number}: {staked} staked and {returned} returned, not {said_staked} and {said_returned:?}"
            ));
        }
        if digest != *said_digest {
            return Err(format!("round {number}: the digest of returns is another"));
        }
        self.ended.insert(
            number,
            Ended {
                book: self.book.clone(),
                stands,
                parts: kept,
            },
        );
        Ok(())
    }

    fn amend(&mut self, number: u64, to: Stands, claims: &[Claimed]) -> Result<(), Objection> {
        let mut round = self
            .ended
            .remove(&number)
            .ok_or_else(|| format!("round {number} has not ended"))?;
        if round.stands == Stands::Void {
            return Err(format!("round {number} was void and is amended"));
        }
        let latest = self.round.is_none() && self.last_round == number;
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
            part.unclaimed += due.unclaimed - due.unclaimed_netted;
            self.places[*station].credit += due.credited;
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

    fn recover(&mut self, id: u64, amount: Minor) -> Result<(), Objection> {
        let entry = lessen(&mut self.recoverables, id, amount)?;
        let (seat, session) = match entry.case {
            Some(session) => (true, session),
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
}

/// Every player has got, or will get, exactly what is owed plus what may be recovered.
fn reconciled(round: u64, station: usize, part: &Part) -> Result<(), Objection> {
    let held = part.paid + part.unclaimed - part.recovered;
    if held == part.owed + part.recoverable + part.waived {
        return Ok(());
    }
    Err(format!("round {round} station {station}: {part:?}"))
}

fn positive(amount: Minor) -> Result<(), Objection> {
    if amount > 0 {
        Ok(())
    } else {
        Err(format!("an amount of {amount}"))
    }
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
