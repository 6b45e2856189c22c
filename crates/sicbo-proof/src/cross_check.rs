//! Compares vouchers between the house's stream and the tables': each is
//! reserved for the station that cashed it out, worth what left the table, and
//! credited at most once, where the house says.
//!
//! The tables are verified first and the house after them, so that what a
//! table did the house must know. What the house knows last a table's journal
//! may not show yet: that is in transit, and only at the table's very end.
//! Likewise what tables paid for cases, in `cases`.

use std::collections::BTreeMap;

use sicbo_journal::StreamId;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::VoucherId;

use crate::verify::{HouseTrail, Stamp, Verified, VerifiedHouse, VerifyError, VoucherMove, Way};
use sicbo_register::voucher::{Payee, Place, Totals};

/// What the comparison came to.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Vouchers the house ever reserved.
    pub vouchers: u64,
    /// Those on their way between the house and a table where the journals end.
    pub in_transit: Vec<VoucherId>,
    /// What the house owes, by currency.
    pub outstanding: Vec<(Currency, Money)>,
}

/// A move at a table.
struct At<'t> {
    table: &'t str,
    last_ms: i64,
    step: &'t VoucherMove,
}

impl At<'_> {
    fn is_at(&self, place: &Place) -> bool {
        self.table == place.table.as_str() && self.step.station == place.station
    }
}

/// Compares every voucher of verified streams of one moment: the tables read
/// first, the house after them.
///
/// # Errors
/// The first thing that does not agree, with the records of both sides.
pub fn cross_check(
    house: &VerifiedHouse,
    tables: &[(StreamId, Verified)],
) -> Result<Compared, VerifyError> {
    let (compared, faults) = cross_examine(house, tables);
    faults.into_iter().next().map_or(Ok(compared), Err)
}

/// As [`cross_check`], telling everything that does not agree.
pub fn cross_examine(
    house: &VerifiedHouse,
    tables: &[(StreamId, Verified)],
) -> (Compared, Vec<VerifyError>) {
    let mut faults = Vec::new();
    let views: Vec<View<'_>> = tables
        .iter()
        .map(|(id, table)| View::new(id, table))
        .collect();
    for name in house.register.reached.keys() {
        if views.iter().all(|view| view.name != name.as_str()) {
            let stream = name.to_string();
            faults.push(VerifyError::MissingStream { stream });
        }
    }
    cases::compare(&house.cases, tables, &mut faults);
    let (trails, totals) = (&house.trails, &house.register.totals);
    let compared = examine(trails, totals, &views, &mut faults);
    (compared, faults)
}

/// A table's side.
pub struct View<'t> {
    /// Its name.
    pub name: &'t str,
    /// What moved between it and vouchers, in order.
    pub moves: &'t [VoucherMove],
    /// When its journal ends.
    pub last_ms: i64,
    /// What its voucher account holds, and in which currency.
    pub account: Option<(Currency, Money)>,
}

impl<'t> View<'t> {
    fn new(stream: &'t StreamId, verified: &'t Verified) -> View<'t> {
        let table = &verified.table;
        let account = |config: &sicbo_table::Config| (config.currency, table.books.vouchers);
        View {
            name: stream.as_str(),
            moves: &verified.vouchers,
            last_ms: verified.last_ms,
            account: table.config.as_deref().map(account),
        }
    }
}

/// The two sides of every voucher.
///
/// # Errors
/// The first thing on which they differ.
pub fn compare(
    trails: &BTreeMap<VoucherId, HouseTrail>,
    totals: &BTreeMap<String, Totals>,
    tables: &[View<'_>],
) -> Result<Compared, VerifyError> {
    let mut faults = Vec::new();
    let compared = examine(trails, totals, tables, &mut faults);
    faults.into_iter().next().map_or(Ok(compared), Err)
}

fn examine(
    trails: &BTreeMap<VoucherId, HouseTrail>,
    totals: &BTreeMap<String, Totals>,
    tables: &[View<'_>],
    faults: &mut Vec<VerifyError>,
) -> Compared {
    let mut moves: BTreeMap<VoucherId, Vec<At<'_>>> = BTreeMap::new();
    for view in tables {
        for step in view.moves {
            let at = At {
                table: view.name,
                last_ms: view.last_ms,
                step,
            };
            moves.entry(step.voucher).or_default().push(at);
        }
    }
    let mut compared = Compared {
        vouchers: trails.len() as u64,
        ..Compared::default()
    };
    // What the tables' accounts hold beyond what the house has written.
    let mut transit: BTreeMap<&str, Money> = BTreeMap::new();
    let mut currencies: BTreeMap<&str, Currency> = BTreeMap::new();
    for (currency, _) in tables.iter().filter_map(|view| view.account.as_ref()) {
        currencies.insert(currency.code(), *currency);
    }
    for (id, steps) in &moves {
        if !trails.contains_key(id) {
            faults.extend(unreserved(*id, steps).err());
        }
    }
    for (id, trail) in trails {
        currencies.insert(trail.currency.code(), trail.currency);
        let steps = moves.get(id).map_or(&[][..], Vec::as_slice);
        let checked = Checked {
            id: *id,
            trail,
            steps,
            tables,
        };
        let difference = checked
            .out()
            .and_then(|out| Ok(out - checked.credited()?))
            .unwrap_or_else(|fault| {
                faults.push(fault);
                Money::ZERO
            });
        if difference != Money::ZERO {
            compared.in_transit.push(*id);
            *transit.entry(trail.currency.code()).or_default() += difference;
        }
    }
    for (code, currency) in currencies {
        let totals = totals.get(code).copied().unwrap_or_default();
        if totals.issued != Money::ZERO {
            compared.outstanding.push((currency, totals.outstanding));
        }
        let accounts = tables.iter().filter_map(|view| view.account);
        let held: Money = accounts
            .filter(|(known, _)| known.code() == code)
            .map(|(_, held)| held)
            .sum();
        let paid_elsewhere = totals.redeemed_at_cage + totals.voided + totals.expired;
        let on_its_way = transit.get(code).copied().unwrap_or_default();
        if held != totals.outstanding + paid_elsewhere + on_its_way {
            let what = format!(
                "{code}: the tables' voucher accounts hold {} minor units; the house gives {} \
                 outstanding, {} paid by the cage, voided or expired, and {} in transit",
                held.minor(),
                totals.outstanding.minor(),
                paid_elsewhere.minor(),
                on_its_way.minor()
            );
            faults.push(VerifyError::VoucherSum { what });
        }
    }
    compared
}

fn fault(
    voucher: VoucherId,
    what: impl Into<String>,
    table: Option<&At<'_>>,
    house: Option<Stamp>,
) -> VerifyError {
    VerifyError::Voucher {
        voucher,
        what: what.into(),
        table: table.map(|at| (at.table.to_owned(), at.step.sequence)),
        house: house.map(|at| at.sequence),
    }
}

/// Cash-outs that did not come back, in order; a reversal takes away the one
/// before it at the same station.
fn live<'s, 't>(steps: &'s [At<'t>]) -> Vec<&'s At<'t>> {
    let mut live: Vec<&At<'t>> = Vec::new();
    for at in steps {
        match at.step.way {
            Way::Out => live.push(at),
            Way::Back => {
                let same = |out: &&At<'_>| {
                    out.table == at.table
                        && out.step.station == at.step.station
                        && out.step.amount == at.step.amount
                };
                if let Some(found) = live.iter().rposition(same) {
                    live.remove(found);
                }
            }
            Way::In => {}
        }
    }
    live
}

/// A number the house never reserved: credit for it must have gone back.
fn unreserved(id: VoucherId, steps: &[At<'_>]) -> Result<(), VerifyError> {
    if let Some(at) = steps.iter().find(|at| at.step.way == Way::In) {
        return Err(fault(
            id,
            "credited, and the house has no such voucher",
            Some(at),
            None,
        ));
    }
    match live(steps).first() {
        Some(at) => Err(fault(
            id,
            "cashed out, and the house reserved no such voucher",
            Some(at),
            None,
        )),
        None => Ok(()),
    }
}

struct Checked<'c, 't> {
    id: VoucherId,
    trail: &'c HouseTrail,
    steps: &'c [At<'t>],
    tables: &'c [View<'t>],
}

impl Checked<'_, '_> {
    fn wrong(&self, what: &str, table: Option<&At<'_>>, house: Option<Stamp>) -> VerifyError {
        fault(self.id, what, table, house)
    }

    /// A table's journal may end before what the house has seen of it.
    fn may_miss(&self, place: &Place, since: Stamp) -> Result<(), VerifyError> {
        let name = place.table.as_str();
        match self.tables.iter().find(|view| view.name == name) {
            None => {
                let what = format!("there is no journal of table {name}");
                Err(self.wrong(&what, None, Some(since)))
            }
            Some(view) if since.at_ms >= view.last_ms => Ok(()),
            Some(_) => {
                let what = format!("the journal of table {name} does not show it");
                Err(self.wrong(&what, None, Some(since)))
            }
        }
    }

    /// The way out; what the table's account holds for it beyond what the
    /// house has written.
    fn out(&self) -> Result<Money, VerifyError> {
        let trail = self.trail;
        let live = live(self.steps);
        let own_outs = || {
            let mut steps = self.steps.iter();
            steps.any(|at| at.step.way == Way::Out && at.is_at(&trail.origin))
        };
        for at in &live {
            if !at.is_at(&trail.origin) {
                let what = "cashed out at a station it was not reserved for";
                return Err(self.wrong(what, Some(at), Some(trail.reserved)));
            }
            if at.step.amount != trail.amount {
                let what = "cashed out with another amount than was reserved";
                return Err(self.wrong(what, Some(at), Some(trail.reserved)));
            }
        }
        if let [_, second, ..] = live[..] {
            let what = "cashed out twice";
            return Err(self.wrong(what, Some(second), Some(trail.reserved)));
        }
        let held = live.first().map_or(Money::ZERO, |at| at.step.amount);
        if let (Some(at), Some(released)) = (live.first(), trail.released) {
            let what = "cashed out, and its number was given up";
            return Err(self.wrong(what, Some(at), Some(released)));
        }
        if let (Some(at), Some(returned)) = (live.first(), trail.returned) {
            let what = "returned by the house, and not at the table";
            // The table's last word may come after the end of its journal.
            return if returned.at_ms >= at.last_ms {
                Ok(held)
            } else {
                Err(self.wrong(what, Some(at), Some(returned)))
            };
        }
        let Some((issued, amount)) = trail.issued else {
            return Ok(held);
        };
        match live.first() {
            Some(at) if at.step.amount != amount => {
                let what = "worth another amount than was cashed out";
                Err(self.wrong(what, Some(at), Some(issued)))
            }
            Some(_) => Ok(Money::ZERO),
            None if !own_outs() => {
                self.may_miss(&trail.origin, issued)?;
                let gone = if trail.returned.is_some() {
                    Money::ZERO
                } else {
                    amount
                };
                Ok(-gone)
            }
            // Its credit went back.
            None => {
                let back = self.steps.iter().rfind(|at| at.step.way == Way::Back);
                let still = trail.kept.or(trail.redeemed.as_ref().map(|(at, _)| *at));
                match (trail.print_failed, still) {
                    (Some(_), None) if trail.returned.is_some() => Ok(Money::ZERO),
                    (Some(_), None) => Ok(-amount),
                    (_, still) => {
                        let what = "its credit went back to the table and it is still good";
                        Err(self.wrong(what, back, Some(still.unwrap_or(issued))))
                    }
                }
            }
        }
    }

    /// The way in; what a table has credited beyond what the house has written.
    fn credited(&self) -> Result<Money, VerifyError> {
        let trail = self.trail;
        let mut credits = self.steps.iter().filter(|at| at.step.way == Way::In);
        let (credit, second) = (credits.next(), credits.next());
        if let Some(second) = second {
            let house = trail.redeemed.as_ref().map(|(at, _)| *at);
            let first = credit.map_or(0, |at| at.step.sequence);
            let what = format!("credited twice, first by record {first}");
            return Err(self.wrong(&what, Some(second), house));
        }
        match (credit, &trail.redeemed) {
            (None, None) => Ok(Money::ZERO),
            (None, Some((_, Payee::Cage { .. }))) => Ok(Money::ZERO),
            (None, Some((redeemed, Payee::Station(place)))) => {
                self.may_miss(place, *redeemed)?;
                let amount = trail.issued.map_or(trail.amount, |(_, amount)| amount);
                Ok(-amount)
            }
            (Some(at), Some((redeemed, Payee::Cage { .. }))) => {
                let what = "credited at a table and paid by the cage";
                Err(self.wrong(what, Some(at), Some(*redeemed)))
            }
            (Some(at), redeemed) => {
                let Some((issued, amount)) = trail.issued else {
                    let what = "credited, and never worth anything";
                    return Err(self.wrong(what, Some(at), Some(trail.reserved)));
                };
                let Some((taken, place)) = &trail.taken else {
                    let what = "credited, and the house gave it to no station";
                    return Err(self.wrong(what, Some(at), Some(issued)));
                };
                if !at.is_at(place) {
                    let what = "credited at another station than the house gave it to";
                    return Err(self.wrong(what, Some(at), Some(*taken)));
                }
                if at.step.amount != amount {
                    let what = "credited with another amount than it is worth";
                    return Err(self.wrong(what, Some(at), Some(issued)));
                }
                Ok(if redeemed.is_some() {
                    Money::ZERO
                } else {
                    amount
                })
            }
        }
    }
}

mod cases;
#[cfg(test)]
mod tests;
