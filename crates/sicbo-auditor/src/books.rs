//! The auditor's own books.
//!
//! Every balance is derived from what was said; nothing the engine computed is
//! believed. What it claims (totals, digests, effects of amendments) is checked
//! against the auditor's own figures first. Records of earlier readings of the
//! documents are counted as they were played.

mod amendments;
mod late;
mod money;

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::heard::Place as Setup;
use crate::heard::{Balances, Betting, Chips, Heard, Minor, Record, Stake, Who};
use crate::odds::{Outcome, Quirk, judge};

#[derive(Clone, Default, Debug)]
struct Place {
    seat: bool,
    layout: String,
    credit: Minor,
    session: u32,
    removed: bool,
    /// Staked and come back in rounds that were settled, corrections included.
    staked: Minor,
    returned: Minor,
    /// How much may show as staked and as lost, while the player stays.
    granted: (Option<Minor>, Option<Minor>),
    /// From when on nothing may be staked, while the player stays.
    held_from: Option<i64>,
}

/// One station's chips on the layout, by section.
#[derive(Clone, Default, Debug)]
struct OnLayout {
    plain: BTreeMap<String, Minor>,
    colour: BTreeMap<String, Minor>,
    /// What was recorded after the dice could be seen, and by whom.
    claimed: Option<(Chips, Vec<Stake>, Who)>,
    /// Cash chips as they lay once the dice could be seen, on which dealers
    /// ruled under an earlier reading.
    lying: Option<BTreeMap<String, Minor>>,
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
#[derive(Clone, Default, Debug)]
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

/// The books of one table.
#[derive(Clone, Default, Debug)]
pub(crate) struct Books {
    quirk: Quirk,
    /// How the program that wrote the newest round read the documents.
    revision: u16,
    book: String,
    next_book: Option<String>,
    places: Vec<Place>,
    round: Option<(u64, Vec<OnLayout>)>,
    last_round: u64,
    ended: BTreeMap<u64, Ended>,
    recoverables: BTreeMap<u64, Entry>,
    unclaimed: BTreeMap<u64, Entry>,
    dice_seen: bool,
    /// The last round that began as its document has it.
    began: u64,
    /// Questions about the chips of a seat.
    bet_status: BTreeMap<u64, usize>,
    settled_cases: BTreeSet<(u64, u32, bool)>,
    /// All stakes less all that is owed by how the rounds stand now, less what
    /// was let go.
    won: Minor,
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
pub type Objection = String;

impl Books {
    /// Books of an auditor who may be told to get one rule wrong.
    pub(crate) fn new(quirk: Quirk) -> Books {
        Books {
            quirk,
            ..Books::default()
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
            house_win: self.won + self.cases,
            recoverables: entries(&self.recoverables),
            unclaimed_entries: entries(&self.unclaimed),
        }
    }

    /// Takes a record in.
    pub(crate) fn enter(&mut self, record: &Record) -> Result<(), Objection> {
        match &record.heard {
            Heard::Opened {
                book,
                stations,
                revision,
                ..
            } => {
                self.book.clone_from(book);
                self.revision = *revision;
                self.next_book = None;
                stations.iter().for_each(|setup| self.add_place(setup));
            }
            Heard::StationAdded { place } => self.add_place(place),
            Heard::StationRemoved(station) => {
                if self.places[*station].credit != 0 {
                    return Err(format!("station {station} was removed with credit"));
                }
                self.places[*station].removed = true;
            }
            Heard::BookScheduled(book) => self.next_book = Some(book.clone()),
            Heard::RoundBegan { round, revision } => {
                if *round != self.last_round + 1 || self.round.is_some() {
                    return Err(format!("round {round} began after {}", self.last_round));
                }
                if let Some(book) = self.next_book.take() {
                    self.book = book;
                }
                self.revision = *revision;
                self.last_round = *round;
                self.dice_seen = false;
                self.round = Some((*round, vec![OnLayout::default(); self.places.len()]));
            }
            // 004 2.1: its round opens at "không đặt cược thêm".
            Heard::BetsCalled if self.book != "quang-nam-table" => self.began = self.last_round,
            Heard::ClosingBegan { .. } => self.began = self.last_round,
            Heard::Uncovered => self.dice_seen = true,
            Heard::PlayGranted {
                station,
                staked_to,
                lost_to,
                held_from,
            } => {
                self.places[*station].granted = (*staked_to, *lost_to);
                self.places[*station].held_from = *held_from;
            }
            Heard::Betted {
                station,
                betting,
                cleared,
                chips,
                ..
            } => match betting {
                Betting::Place { chips, stakes } => {
                    self.not_held(*station, record.at_ms)?;
                    self.place(*station, *chips, stakes)?;
                }
                Betting::Remove { chips, stakes } => self.remove(*station, *chips, stakes)?,
                Betting::Clear => self.remove(*station, *chips, cleared)?,
            },
            Heard::Recorded {
                station,
                chips,
                stakes,
            } => self.place(*station, *chips, stakes)?,
            Heard::ClaimedChips {
                station,
                chips,
                stakes,
            } => self.part(*station)?.claimed = Some((*chips, stakes.clone(), record.who)),
            Heard::AttestedChips {
                station,
                chips,
                stakes,
            } => {
                let claimed = self.part(*station)?.claimed.take();
                let (means, lines, who) = claimed.ok_or("nothing was claimed")?;
                if means != *chips || lines != *stakes || number(who) == number(record.who) {
                    return Err(format!("station {station}: other chips, or by one alone"));
                }
                self.put_down(*station, *chips, stakes)?;
            }
            Heard::ReturnedChips { station } => {
                let claimed = self.part(*station)?.claimed.take();
                claimed.ok_or("nothing was claimed")?;
            }
            Heard::Observed {
                station,
                chips: Chips::Cash,
                stakes,
            } => {
                let lying = stakes.iter().map(|s| (s.section.clone(), s.minor));
                self.part(*station)?.lying = Some(lying.collect());
            }
            Heard::Late {
                station,
                chips,
                stake,
                withdrawn,
            } => self.late(*station, *chips, stake, *withdrawn)?,
            Heard::DecisionRaised {
                id,
                bet_status: Some(station),
                ..
            } => {
                self.bet_status.insert(*id, *station);
            }
            Heard::DecisionTaken {
                id,
                ruling: "as-they-lie",
            } => self.as_they_lie(*id)?,
            Heard::BetsClosed { staked } => {
                let own: Minor = (0..self.places.len()).map(|at| self.staked(at)).sum();
                if *staked != own {
                    return Err(format!("{own} was staked at the close, not {staked}"));
                }
            }
            Heard::Settled {
                dice,
                staked,
                returned,
                digest,
            } => self.end(Stands::On(*dice), *staked, Some(*returned), digest)?,
            Heard::Voided { staked, digest, .. } => {
                self.end(Stands::Void, *staked, None, digest)?;
            }
            Heard::Corrected {
                round,
                dice,
                effects,
            } => self.amend(*round, Stands::On(*dice), effects)?,
            Heard::VoidedLate { round, effects, .. } => {
                self.amend(*round, Stands::Void, effects)?;
            }
            Heard::Recovered { id, amount } => self.recover(*id, *amount)?,
            Heard::Waived { id, amount } => self.waive(*id, *amount)?,
            Heard::UnclaimedPaid { id, amount } => self.pay_unclaimed(*id, *amount)?,
            other => self.money(other)?,
        }
        Ok(())
    }

    fn add_place(&mut self, setup: &Setup) {
        self.places.push(Place {
            seat: setup.seat,
            layout: setup.layout.clone(),
            ..Place::default()
        });
        if let Some((_, parts)) = &mut self.round {
            parts.push(OnLayout::default());
        }
    }

    /// Who takes everything away has left: the next to buy in is someone else.
    fn leave_if_empty(&mut self, station: usize) {
        if self.places[station].credit == 0 && self.staked(station) == 0 {
            self.places[station].session += 1;
            self.places[station].granted = (None, None);
            self.places[station].held_from = None;
        }
    }

    /// Whoever is held from play does not bet.
    fn not_held(&self, station: usize, at_ms: i64) -> Result<(), Objection> {
        let from = self.places[station].held_from;
        match from.is_some_and(|from| at_ms >= from) {
            true => Err(format!("station {station} bets while its play is held")),
            false => Ok(()),
        }
    }

    /// What the register granted is not overspent.
    fn within_grant(&self, station: usize) -> Result<(), Objection> {
        let place = &self.places[station];
        let staked = place.staked + self.staked(station);
        let beyond = |is: Minor, to: Option<Minor>| to.is_some_and(|to| is > to);
        let (staked_to, lost_to) = place.granted;
        if beyond(staked, staked_to) || beyond(staked - place.returned, lost_to) {
            return Err(format!("station {station} plays beyond what was granted"));
        }
        Ok(())
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
    fn place(&mut self, station: usize, chips: Chips, bets: &[Stake]) -> Result<(), Objection> {
        if self.dice_seen && self.revision >= 2 {
            return Err(format!("station {station} bets after the dice were seen"));
        }
        self.put_down(station, chips, bets)?;
        self.within_grant(station)
    }

    fn put_down(&mut self, station: usize, chips: Chips, bets: &[Stake]) -> Result<(), Objection> {
        for bet in bets {
            positive(bet.minor)?;
            let layout = &self.places[station].layout;
            let any_dice = [1, 2, 3];
            if judge(&self.book, layout, &bet.section, any_dice, Quirk::None) == Outcome::NotOffered
            {
                return Err(format!("{} is not on {layout}", bet.section));
            }
            match (self.places[station].seat, chips) {
                (false, Chips::Credit) | (true, Chips::Colour) => self.take(station, bet.minor)?,
                (true, Chips::Cash) => self.chips -= bet.minor,
                _ => return Err(format!("station {station} bets with {chips:?}")),
            }
            let side = self.part(station)?.side(chips);
            *side.entry(bet.section.clone()).or_default() += bet.minor;
        }
        Ok(())
    }

    fn remove(&mut self, station: usize, chips: Chips, bets: &[Stake]) -> Result<(), Objection> {
        for bet in bets {
            positive(bet.minor)?;
            let side = self.part(station)?.side(chips);
            let on = side.entry(bet.section.clone()).or_default();
            *on -= bet.minor;
            if *on < 0 {
                return Err(format!("more removed from {} than was there", bet.section));
            }
            if *on == 0 {
                side.remove(&bet.section);
            }
            match chips {
                Chips::Cash => self.chips += bet.minor,
                Chips::Credit | Chips::Colour => self.places[station].credit += bet.minor,
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
            if matches!(stands, Stands::On(_)) {
                place.staked += stake;
                place.returned += plain + colour;
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
                    ..Part::default()
                },
            );
        }
        self.won += staked - returned;
        self.bet_status.clear();
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

    /// A decision of a case is paid once, and its overpayment noted once.
    fn settle_case(&mut self, case: u64, decision: u32, paid: bool) -> Result<(), Objection> {
        // Programs of earlier readings did not count decisions.
        let counted = decision > 0 || self.revision >= 3;
        match self.settled_cases.insert((case, decision, paid)) || !counted {
            true => Ok(()),
            false => Err(format!("case {case} was settled twice by one decision")),
        }
    }
}

/// A person's number; nobody else has one.
fn number(who: Who) -> Option<u32> {
    match who {
        Who::Person(person) => Some(person.number),
        _ => None,
    }
}

fn positive(amount: Minor) -> Result<(), Objection> {
    if amount > 0 {
        Ok(())
    } else {
        Err(format!("an amount of {amount}"))
    }
}
