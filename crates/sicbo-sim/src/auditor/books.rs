//! The auditor's own money: every balance derived from what the journal says
//! happened and from the auditor's own odds. What a record claims (totals,
//! effects of amendments) is checked first, then believed.

use std::collections::BTreeMap;

use super::heard::{
    Betting, Chips, ChipsHow, Claimed, ColourHow, Heard, Minor, Place, Source, Stake,
};
use super::odds;

/// Every balance of a table as one picture, to be compared with what is shown.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Balances {
    pub(crate) credit: Vec<Minor>,
    pub(crate) at_risk: Vec<Minor>,
    pub(crate) bank: Minor,
    pub(crate) vouchers: Minor,
    pub(crate) drop: Minor,
    pub(crate) cage: Minor,
    pub(crate) chip_float: Minor,
    pub(crate) chips: Minor,
    pub(crate) tips: Minor,
    pub(crate) recoverable: Minor,
    pub(crate) unclaimed: Minor,
    pub(crate) adjustments: Minor,
}

/// Stakes of one station by section.
#[derive(Clone, Default, Debug)]
struct OnLayout {
    plain: BTreeMap<String, Minor>,
    colour: BTreeMap<String, Minor>,
    lying: Option<BTreeMap<String, Minor>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stands {
    On([u8; 3]),
    Void,
}

#[derive(Clone, Debug)]
struct Ended {
    stands: Stands,
    parts: BTreeMap<usize, OnLayout>,
}

/// The auditor's books.
#[derive(Default, Debug)]
pub(crate) struct Books {
    pub(crate) balances: Balances,
    book: String,
    places: Vec<Place>,
    round: u64,
    layout: BTreeMap<usize, OnLayout>,
    ended: BTreeMap<u64, Ended>,
    bet_status: BTreeMap<u64, usize>,
    owing: BTreeMap<u64, (usize, Minor)>,
    /// The round of each overpayment there ever was.
    owing_round: BTreeMap<u64, u64>,
    /// By round and station: kept by waiver beyond what is owed, and set
    /// against what was found to be owed later.
    waived: BTreeMap<(u64, usize), (Minor, Minor)>,
    kept: BTreeMap<u64, Minor>,
    vouchers_in: BTreeMap<u64, Minor>,
}

type Checked = Result<(), String>;

fn same(what: &str, said: Minor, found: Minor) -> Checked {
    if said == found {
        Ok(())
    } else {
        Err(format!(
            "{what}: the record says {said}, the auditor finds {found}"
        ))
    }
}

impl Books {
    /// Takes a record in.
    pub(crate) fn enter(&mut self, heard: &Heard) -> Checked {
        match heard {
            Heard::Opened { book, stations } => {
                self.book.clone_from(book);
                self.places(stations);
            }
            Heard::StationAdded { place } => self.places(std::slice::from_ref(place)),
            Heard::RoundBegan { round, .. } => self.round = *round,
            Heard::Betted {
                station,
                betting,
                cleared,
                chips,
                ..
            } => match betting {
                Betting::Place { chips, stakes } => self.stake(*station, *chips, stakes, 1)?,
                Betting::Remove { chips, stakes } => self.stake(*station, *chips, stakes, -1)?,
                Betting::Clear => self.stake(*station, *chips, cleared, -1)?,
            },
            Heard::Recorded {
                station,
                chips,
                stakes,
            }
            | Heard::AttestedChips {
                station,
                chips,
                stakes,
            } => self.stake(*station, *chips, stakes, 1)?,
            Heard::CasePaid { amount } => {
                self.balances.chip_float -= amount;
                self.balances.chips += amount;
            }
            Heard::CaseOverpaid {
                id,
                station,
                amount,
            } => {
                self.balances.recoverable -= amount;
                self.balances.bank += amount;
                if self.owing.insert(*id, (*station, *amount)).is_some() {
                    return Err("an overpayment was named twice".to_owned());
                }
            }
            // What old programs let the dealer rule on was of cash chips only.
            Heard::Observed {
                chips: Chips::Colour,
                ..
            }
            | Heard::Late {
                chips: Chips::Colour,
                ..
            } => {}
            Heard::Observed {
                station, stakes, ..
            } => {
                let lying = stakes
                    .iter()
                    .map(|s| (s.section.clone(), s.minor))
                    .collect();
                self.layout.entry(*station).or_default().lying = Some(lying);
            }
            Heard::Late {
                station,
                stake,
                withdrawn,
                ..
            } => {
                let part = self.layout.entry(*station).or_default();
                let mut lying = part.plain.clone();
                let on = lying.entry(stake.section.clone()).or_default();
                // Colour chips taken away are not among these.
                *on += if *withdrawn {
                    -stake.minor.min(*on)
                } else {
                    stake.minor
                };
                lying.retain(|_, minor| *minor != 0);
                part.lying = Some(lying);
            }
            Heard::DecisionRaised {
                id,
                bet_status: Some(station),
            } => {
                self.bet_status.insert(*id, *station);
            }
            Heard::DecisionTaken {
                id,
                as_they_lie: true,
            } => self.as_they_lie(*id)?,
            Heard::BetsClosed { staked } => same("stakes at the close", *staked, self.staked())?,
            Heard::Settled {
                dice,
                staked,
                returned,
            } => {
                same("stakes settled", *staked, self.staked())?;
                let paid = self.end(Stands::On(*dice))?;
                same("payments", *returned, paid)?;
            }
            Heard::Voided { staked } => {
                same("stakes returned", *staked, self.staked())?;
                self.end(Stands::Void)?;
            }
            Heard::Corrected {
                round,
                dice,
                effects,
            } => {
                self.amend(*round, Stands::On(*dice), effects)?;
            }
            Heard::VoidedLate { round, effects } => self.amend(*round, Stands::Void, effects)?,
            Heard::Recovered { id, amount } => self.recovered(*id, *amount)?,
            Heard::Waived { id, amount } => {
                let (station, owed) = self.owing.remove(id).ok_or("no such overpayment")?;
                same("overpayment waived", *amount, owed)?;
                let round = self.owing_round.get(id).copied().unwrap_or_default();
                self.waived.entry((round, station)).or_default().0 += amount;
                self.balances.bank -= amount;
                self.balances.recoverable += amount;
            }
            Heard::UnclaimedPaid { id, amount } => {
                let kept = self.kept.remove(id).ok_or("no such unclaimed credit")?;
                same("unclaimed credit paid", *amount, kept)?;
                self.balances.unclaimed -= amount;
                self.balances.cage += amount;
            }
            other => self.move_money(other)?,
        }
        self.sound()
    }

    fn places(&mut self, new: &[Place]) {
        self.places.extend(new.iter().cloned());
        self.balances.credit.resize(self.places.len(), 0);
        self.balances.at_risk.resize(self.places.len(), 0);
    }

    fn move_money(&mut self, heard: &Heard) -> Checked {
        let all = &mut self.balances;
        match heard {
            Heard::CreditBought {
                station,
                source,
                amount,
            } => {
                all.credit[*station] += amount;
                match source {
                    Source::Cash => all.drop -= amount,
                    Source::Cage => all.cage -= amount,
                    Source::Voucher(voucher) => {
                        all.vouchers -= amount;
                        if self.vouchers_in.insert(*voucher, *amount).is_some() {
                            return Err(format!("voucher {voucher} was credited twice"));
                        }
                    }
                }
            }
            Heard::CashedOut { station, amount } => {
                all.credit[*station] -= amount;
                all.vouchers += amount;
            }
            Heard::CashOutReversed { station, amount } => {
                all.credit[*station] += amount;
                all.vouchers -= amount;
            }
            Heard::PaidToCage { station, amount } => {
                all.credit[*station] -= amount;
                all.cage += amount;
            }
            Heard::Adjusted { station, amount } => {
                all.credit[*station] += amount;
                all.adjustments -= amount;
            }
            Heard::ChipsMoved { how, amount } => match how {
                ChipsHow::Bought => {
                    all.drop -= amount;
                    all.bank += amount;
                    all.chip_float -= amount;
                    all.chips += amount;
                }
                ChipsHow::Brought => {
                    all.cage -= amount;
                    all.chips += amount;
                }
                ChipsHow::TakenAway => {
                    all.chips -= amount;
                    all.cage += amount;
                }
                ChipsHow::Fill => {
                    all.cage -= amount;
                    all.chip_float += amount;
                }
                ChipsHow::CreditSlip => {
                    all.chip_float -= amount;
                    all.cage += amount;
                }
                ChipsHow::Tip => {
                    all.chips -= amount;
                    all.tips += amount;
                }
            },
            Heard::ColourMoved {
                station,
                how,
                amount,
            } => match how {
                ColourHow::ForCash => {
                    all.drop -= amount;
                    all.bank += amount;
                    all.chip_float -= amount;
                    all.credit[*station] += amount;
                }
                ColourHow::FromChips => {
                    all.chips -= amount;
                    all.credit[*station] += amount;
                }
                ColourHow::ToChips => {
                    all.credit[*station] -= amount;
                    all.chips += amount;
                }
            },
            _ => {}
        }
        Ok(())
    }

    fn staked(&self) -> Minor {
        self.balances.at_risk.iter().sum()
    }

    fn stake(&mut self, station: usize, chips: Chips, stakes: &[Stake], sign: Minor) -> Checked {
        let part = self.layout.entry(station).or_default();
        let side = match chips {
            Chips::Colour => &mut part.colour,
            Chips::Credit | Chips::Cash => &mut part.plain,
        };
        let all = &mut self.balances;
        for stake in stakes {
            let on = side.entry(stake.section.clone()).or_default();
            *on += sign * stake.minor;
            if stake.minor <= 0 || *on < 0 {
                return Err(format!("station {station} has {on} on {}", stake.section));
            }
            let moved = sign * stake.minor;
            all.at_risk[station] += moved;
            match chips {
                Chips::Cash => all.chips -= moved,
                Chips::Credit | Chips::Colour => all.credit[station] -= moved,
            }
        }
        side.retain(|_, minor| *minor != 0);
        Ok(())
    }

    fn as_they_lie(&mut self, decision: u64) -> Checked {
        let Some(station) = self.bet_status.remove(&decision) else {
            return Err("a ruling on chips nobody asked about".to_owned());
        };
        let part = self.layout.entry(station).or_default();
        let Some(lying) = part.lying.clone() else {
            return Ok(());
        };
        let list = |map: &BTreeMap<String, Minor>| -> Vec<Stake> {
            let stake = |(section, minor): (&String, &Minor)| Stake {
                section: section.clone(),
                minor: *minor,
            };
            map.iter().map(stake).collect()
        };
        let before = list(&part.plain);
        self.stake(station, Chips::Cash, &before, -1)?;
        self.stake(station, Chips::Cash, &list(&lying), 1)
    }

    /// What a station's stakes bring back: plain, then colour.
    fn back(
        &self,
        station: usize,
        part: &OnLayout,
        stands: Stands,
    ) -> Result<(Minor, Minor), String> {
        let place = self.places.get(station).ok_or("no such station")?;
        let of = |side: &BTreeMap<String, Minor>| -> Result<Minor, String> {
            let mut sum = 0;
            for (section, minor) in side {
                sum += match stands {
                    Stands::Void => *minor,
                    Stands::On(dice) => {
                        odds::returned(&self.book, &place.layout, section, *minor, dice)
                            .ok_or_else(|| {
                                format!("{minor} on {section} cannot be paid at {}", place.layout)
                            })?
                    }
                };
            }
            Ok(sum)
        };
        Ok((of(&part.plain)?, of(&part.colour)?))
    }

    /// Ends the round; what all stations got back.
    fn end(&mut self, stands: Stands) -> Result<Minor, String> {
        let parts = std::mem::take(&mut self.layout);
        let mut paid = 0;
        for (station, part) in &parts {
            let (plain, colour) = self.back(*station, part, stands)?;
            let staked: Minor = part.plain.values().chain(part.colour.values()).sum();
            let all = &mut self.balances;
            all.at_risk[*station] -= staked;
            if self.places[*station].seat {
                all.chips += plain;
                all.credit[*station] += colour;
                all.chip_float += staked - plain - colour;
            } else {
                all.credit[*station] += plain + colour;
                all.bank += staked - plain - colour;
            }
            paid += plain + colour;
        }
        let parts = parts
            .into_iter()
            .filter(|(_, part)| !part.plain.is_empty() || !part.colour.is_empty())
            .collect();
        self.ended.insert(self.round, Ended { stands, parts });
        self.bet_status.clear();
        Ok(paid)
    }

    fn amend(&mut self, round: u64, to: Stands, effects: &[Claimed]) -> Checked {
        let ended = self
            .ended
            .get(&round)
            .cloned()
            .ok_or("an amendment of no ended round")?;
        for (station, part) in &ended.parts {
            let total = |(plain, colour)| plain + colour;
            let was = total(self.back(*station, part, ended.stands)?);
            let is = total(self.back(*station, part, to)?);
            let claimed = effects.iter().find(|effect| effect.station == *station);
            let (said_was, said_is) = claimed.map_or((was, was), |effect| (effect.was, effect.is));
            if claimed.is_some() || was != is {
                same("what had been returned", said_was, was)?;
                same("what should have been returned", said_is, is)?;
            }
        }
        for effect in effects {
            self.effect(round, effect)?;
        }
        if let Some(ended) = self.ended.get_mut(&round) {
            ended.stands = to;
        }
        Ok(())
    }

    /// One station's part of an amendment: every cent of the difference has one place.
    fn effect(&mut self, round: u64, effect: &Claimed) -> Checked {
        let entry_sum = |entries: &[(u64, Minor)]| entries.iter().map(|(_, m)| m).sum::<Minor>();
        let amount = |entry: Option<(u64, Minor)>| entry.map_or(0, |(_, minor)| minor);
        let up = effect.credited
            + effect.in_chips
            + entry_sum(&effect.netted)
            + effect.waiver_netted
            + amount(effect.unclaimed);
        let down = entry_sum(&effect.unclaimed_netted)
            + effect.waiver_restored
            + amount(effect.recoverable);
        same(
            "difference of an amendment",
            up - down,
            effect.is - effect.was,
        )?;
        if up != 0 && down != 0 {
            return Err("an amendment both gives and takes".to_owned());
        }
        self.waivers(round, effect, up, down)?;
        let all = &mut self.balances;
        all.credit[effect.station] += effect.credited;
        all.bank -= effect.credited;
        all.chip_float -= effect.in_chips;
        all.chips += effect.in_chips;
        for (id, minor) in &effect.netted {
            all.bank -= minor;
            all.recoverable += minor;
            let (_, owed) = self.owing.get_mut(id).ok_or("no such overpayment")?;
            *owed -= minor;
        }
        for (id, minor) in &effect.unclaimed_netted {
            all.unclaimed -= minor;
            all.bank += minor;
            *self.kept.get_mut(id).ok_or("no such unclaimed credit")? -= minor;
        }
        if let Some((id, minor)) = effect.unclaimed {
            all.bank -= minor;
            all.unclaimed += minor;
            self.kept.insert(id, minor);
        }
        if let Some((id, minor)) = effect.recoverable {
            all.recoverable -= minor;
            all.bank += minor;
            self.owing.insert(id, (effect.station, minor));
            self.owing_round.insert(id, round);
        }
        Ok(())
    }

    /// Nobody is paid what a waiver has given them already, and nobody is asked
    /// for what one lets them keep: as much as can be is set against it.
    fn waivers(&mut self, round: u64, effect: &Claimed, up: Minor, down: Minor) -> Checked {
        let netted: Minor = effect.netted.iter().map(|(_, minor)| minor).sum();
        let unclaimed: Minor = effect.unclaimed_netted.iter().map(|(_, minor)| minor).sum();
        let (kept, spent) = self.waived.entry((round, effect.station)).or_default();
        same(
            "set against a waiver",
            effect.waiver_netted,
            (up - netted).min(*kept),
        )?;
        same(
            "kept by a waiver",
            effect.waiver_restored,
            (down - unclaimed).min(*spent),
        )?;
        let moved = effect.waiver_netted - effect.waiver_restored;
        *kept -= moved;
        *spent += moved;
        Ok(())
    }

    fn recovered(&mut self, id: u64, amount: Minor) -> Checked {
        let (station, owed) = self.owing.get_mut(&id).ok_or("no such overpayment")?;
        *owed -= amount;
        let all = &mut self.balances;
        if self.places[*station].seat {
            all.chips -= amount;
            all.chip_float += amount;
            all.bank -= amount;
        } else {
            all.credit[*station] -= amount;
        }
        all.recoverable += amount;
        Ok(())
    }

    /// Nothing is owed below zero, and everything sums to nothing.
    fn sound(&self) -> Checked {
        let all = &self.balances;
        if let Some(station) = all.credit.iter().position(|credit| *credit < 0) {
            return Err(format!("the credit of station {station} is below zero"));
        }
        if self.owing.values().any(|(_, owed)| *owed < 0) || self.kept.values().any(|k| *k < 0) {
            return Err("more was taken off an entry than it holds".to_owned());
        }
        let stations: Minor = all.credit.iter().chain(&all.at_risk).sum();
        let others = all.bank
            + all.vouchers
            + all.drop
            + all.cage
            + all.chip_float
            + all.chips
            + all.tips
            + all.recoverable
            + all.unclaimed
            + all.adjustments;
        same("sum of all accounts", 0, stations + others)
    }
}
