//! What must hold of a simulated house, from its journals and from what its
//! clients were told: nothing of it uses the house.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use sicbo_journal::{KeyRing, Record, StreamId};
use sicbo_proof::cross_check::cross_check;
use sicbo_proof::verify::verify_house;
use sicbo_proof::{Visitor, walk};
use sicbo_register as register;
use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::codec::KINDS;
use sicbo_table::command::CreditSource;
use sicbo_table::event::VoidBasis;
use sicbo_table::ids::{StationId, VoucherId};
use sicbo_table::{Event, Fact, Table};

use super::Results;
use super::judges::authority::Authority;
use super::life::{Printed, stream_of, table_stream};
use super::player::{Asked, Player, Told};
use super::shelf::Shelf;
use crate::audit::Audit;

/// An adjustment that two persons were told is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Adjusted {
    pub(super) table: String,
    pub(super) station: u32,
    pub(super) request: u64,
    pub(super) amount: i64,
}

/// Kinds of records that were met, by number.
type Known = Vec<bool>;

/// Sections with their stakes, sorted.
type Lines = Vec<(String, i64)>;

/// Everything that happened at one table.
#[derive(Default)]
struct Heard {
    audit: Audit,
    authority: Authority,
    /// Bets by station, round and number.
    bets: BTreeMap<(StationId, u64, u64), Vec<Lines>>,
    /// What was taken back, by the same.
    removed: BTreeMap<(StationId, u64, u64), u64>,
    /// Requests of staff.
    staff: BTreeSet<u64>,
    /// Credit of each station after the records that changed it.
    credit: BTreeMap<StationId, Vec<(u64, i64)>>,
    /// What was met.
    reached: BTreeSet<String>,
    rounds: [u64; 2],
    known: Known,
    /// Notes by station and number.
    notes: BTreeMap<(StationId, u64), Vec<i64>>,
    /// Vouchers given out, given back and taken in: by whom, and for how much.
    out: BTreeMap<VoucherId, Vec<(StationId, i64)>>,
    back: BTreeMap<VoucherId, Vec<(StationId, i64)>>,
    taken: BTreeMap<VoucherId, Vec<(StationId, i64)>>,
    /// Adjustments by request.
    adjusted: BTreeMap<u64, Vec<(StationId, i64, bool)>>,
    /// Staked in rounds that were settled, and in the current one.
    staked: BTreeMap<StationId, (i64, i64)>,
    most_staked: BTreeMap<StationId, i64>,
    round: u64,
}

impl Visitor for Heard {
    fn before(&mut self, _: &Table, record: &Record<'_>, event: &Event) {
        let kind = KINDS.iter().find(|known| known.kind == record.kind);
        let Some(kind) = kind else {
            return;
        };
        if !self.known[kind.kind as usize % 256] {
            self.known[kind.kind as usize % 256] = true;
            self.reached.insert(format!("fact {}", kind.key));
        }
        self.authority.enter(record.sequence, kind.key, event);
    }

    fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> ControlFlow<()> {
        self.note(event);
        if let (Fact::RoundVoided { basis, .. }, Some(book)) = (&event.fact, table.book()) {
            let cause = match basis {
                VoidBasis::Listed(cause) => cause.key(),
                VoidBasis::Ruling(_) => "ruled",
            };
            self.reached.insert(format!("void {} {cause}", book.id()));
        }
        for (station, known) in (0..).map(StationId).zip(&table.stations) {
            let all = self.credit.entry(station).or_default();
            let credit = known.credit.minor();
            if all.last().is_none_or(|(_, last)| *last != credit) {
                all.push((sequence, credit));
            }
        }
        self.audit.after(table, sequence, event)
    }
}

impl Heard {
    fn new() -> Heard {
        Heard {
            known: vec![false; 256],
            ..Heard::default()
        }
    }

    /// The credit of a station after a record.
    fn credit_after(&self, station: StationId, sequence: u64) -> Option<i64> {
        let all = self.credit.get(&station)?;
        let behind = all.partition_point(|(at, _)| *at <= sequence);
        behind.checked_sub(1).map(|at| all[at].1)
    }

    fn note(&mut self, event: &Event) {
        if matches!(event.by, Actor::Staff(_)) {
            self.staff.insert(event.command);
        }
        match &event.fact {
            Fact::RoundBegan { round, .. } => self.round = round.0,
            Fact::BetsPlaced {
                station,
                bet,
                lines,
                ..
            } => {
                let told = lines
                    .iter()
                    .map(|line| (line.section.to_string(), line.stake.minor()));
                let mut told: Lines = told.collect();
                told.sort();
                let stakes = told.iter().map(|(_, stake)| *stake).sum::<i64>();
                let name = (*station, self.round, bet.0);
                self.bets.entry(name).or_default().push(told);
                let (settled, current) = self.staked.entry(*station).or_default();
                *current += stakes;
                let most = self.most_staked.entry(*station).or_default();
                *most = (*most).max(*settled + *current);
            }
            Fact::BetsRemoved {
                station,
                bet,
                lines,
                ..
            } => {
                let name = (*station, self.round, bet.0);
                *self.removed.entry(name).or_default() += 1;
                let stakes = lines.iter().map(|line| line.stake.minor()).sum::<i64>();
                self.staked.entry(*station).or_default().1 -= stakes;
            }
            Fact::RoundSettled { .. } => {
                self.rounds[0] += 1;
                for (settled, current) in self.staked.values_mut() {
                    *settled += std::mem::take(current);
                }
            }
            Fact::RoundVoided { .. } => {
                self.rounds[1] += 1;
                for (_, current) in self.staked.values_mut() {
                    *current = 0;
                }
            }
            Fact::CreditBought {
                station,
                source,
                amount,
                ..
            } => match source {
                CreditSource::Voucher(voucher) => {
                    let moved = (*station, amount.minor());
                    self.taken.entry(*voucher).or_default().push(moved);
                }
                CreditSource::Cash if event.by == Actor::Device(Device::NoteAcceptor) => {
                    let name = (*station, event.command);
                    self.notes.entry(name).or_default().push(amount.minor());
                }
                _ => {}
            },
            Fact::CashedOut {
                station,
                amount,
                voucher,
            } => {
                let moved = (*station, amount.minor());
                self.out.entry(*voucher).or_default().push(moved);
            }
            Fact::CashOutReversed {
                station,
                amount,
                voucher,
            } => {
                let moved = (*station, amount.minor());
                self.back.entry(*voucher).or_default().push(moved);
            }
            Fact::Adjusted {
                station, amount, ..
            } => {
                let two = match event.by {
                    Actor::Staff(by) => event
                        .second
                        .is_some_and(|second| second.person != by.person),
                    _ => false,
                };
                let done = (*station, amount.minor(), two);
                self.adjusted.entry(event.command).or_default().push(done);
            }
            _ => {}
        }
    }
}

/// What a house came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sums {
    pub(super) bets: u64,
    pub(super) vouchers: u64,
    pub(super) redeemed: u64,
    pub(super) adjustments: u64,
    pub(super) rounds: [u64; 2],
    pub(super) reached: BTreeSet<String>,
}

/// Checks the journals of a house against each other, against the documents and
/// against what its clients were told.
pub(super) fn check(
    journals: (&Shelf, &[StreamId]),
    ring: &KeyRing,
    players: &[Player],
    papers: &[Printed],
    results: &Results,
) -> Result<Sums, String> {
    let found = examine(journals, ring, (players, papers, results), |_| false);
    found.map(|(sums, _)| sums)
}

/// As [`check`], where the verifier may name `known` faults in a table's journal: those are told,
/// and everything else is looked at all the same.
pub(super) fn examine(
    (shelf, streams): (&Shelf, &[StreamId]),
    ring: &KeyRing,
    (players, papers, results): (&[Player], &[Printed], &Results),
    known: impl Fn(&str) -> bool,
) -> Result<(Sums, Vec<String>), String> {
    let mut named = Vec::new();
    let house = stream_of(register::STREAM)?;
    let mut heard = BTreeMap::new();
    let mut verified = Vec::new();
    for stream in streams.iter().filter(|stream| **stream != house) {
        let wrong = |what: String| format!("{stream}: {what}");
        let store = shelf.read(stream)?;
        let mut table = Heard::new();
        walk(store.as_ref(), stream, &mut table).map_err(|error| wrong(error.to_string()))?;
        if let Some(fault) = table.audit.fault.take().or(table.authority.fault.take()) {
            return Err(wrong(fault));
        }
        heard.insert(stream.clone(), table);
        let one = sicbo_proof::verify::examine(store.as_ref(), stream, ring, &mut |_| {});
        let one = one.map_err(|error| wrong(error.to_string()))?;
        for fault in &one.faults {
            let fault = wrong(fault.to_string());
            match known(&fault) {
                true => named.push(fault),
                false => return Err(fault),
            }
        }
        verified.push((stream.clone(), one.verified));
    }
    let store = shelf.read(&house)?;
    let register = verify_house(store.as_ref(), &house, ring, &mut |_| {});
    let register = register.map_err(|error| format!("{house}: {error}"))?;
    cross_check(&register, &verified).map_err(|error| error.to_string())?;
    let mut sums = Sums {
        vouchers: vouchers(&heard)?,
        ..Sums::default()
    };
    for table in heard.values() {
        sums.rounds[0] += table.rounds[0];
        sums.rounds[1] += table.rounds[1];
        sums.reached.extend(table.reached.iter().cloned());
    }
    for paper in papers {
        if !heard
            .values()
            .any(|table| table.out.contains_key(&paper.voucher))
        {
            return Err(format!(
                "{paper:?} was printed, and no credit left a table for it"
            ));
        }
    }
    for player in players {
        let table = &heard[&table_stream(&player.table)?];
        let wrong = |what: String| format!("{} station {}: {what}", player.table, player.station.0);
        for told in &player.done {
            sums.reached.insert(format!("player {}", told.asked.word()));
            sums.bets += u64::from(matches!(told.asked, Asked::Bet { .. }));
            sums.redeemed += u64::from(matches!(told.asked, Asked::Redeem { .. }));
            promised(table, player.station, told).map_err(wrong)?;
        }
        for (version, shown) in &player.shown {
            let credit = table.credit_after(player.station, *version);
            if credit != Some(*shown) {
                return Err(wrong(format!(
                    "was shown a credit of {shown} after record {version}, where it is {credit:?}"
                )));
            }
        }
        for (name, notes) in table
            .notes
            .range((player.station, 0)..=(player.station, u64::MAX))
        {
            if notes.len() > 1 {
                return Err(wrong(format!(
                    "note {} was credited {} times",
                    name.1,
                    notes.len()
                )));
            }
        }
        let staked = table.most_staked.get(&player.station).copied().unwrap_or(0);
        if player.limit.is_some_and(|limit| staked > limit) {
            return Err(wrong(format!(
                "staked {staked} beyond the limit {:?}",
                player.limit
            )));
        }
    }
    for ((table, request), done) in &results.requests {
        let heard = &heard[&stream_of(table)?];
        if *done > 1 || !heard.staff.contains(request) {
            return Err(format!(
                "request {request} of staff at {table} was told as done {done} times"
            ));
        }
    }
    for done in &results.adjusted {
        let table = &heard[&stream_of(&done.table)?];
        let found = table
            .adjusted
            .get(&done.request)
            .map_or(&[][..], Vec::as_slice);
        let asked = (StationId(done.station), done.amount, true);
        if found != [asked] {
            return Err(format!("{done:?} was told as done, and is {found:?}"));
        }
        sums.adjustments += 1;
    }
    Ok((sums, named))
}

/// What a player was told is done is in the journal, once, as it was asked.
fn promised(table: &Heard, station: StationId, told: &Told) -> Result<(), String> {
    match &told.asked {
        Asked::Bet { round, lines } => {
            let found = table.bets.get(&(station, *round, told.id));
            let mut lines = lines.clone();
            lines.sort();
            match found.map(Vec::as_slice) {
                Some([one]) if *one == lines => Ok(()),
                other => Err(format!("bet {} of round {round} is {other:?}", told.id)),
            }
        }
        Asked::Remove { round, .. } | Asked::Clear { round } => {
            match table.removed.get(&(station, *round, told.id)) {
                Some(1) => Ok(()),
                other => Err(format!(
                    "taking back {} of round {round} is on record {other:?} times",
                    told.id
                )),
            }
        }
        Asked::Call | Asked::Dispute { .. } => Ok(()),
        Asked::Note { amount } => {
            let found = table.notes.get(&(station, told.id));
            match found.map(Vec::as_slice) {
                Some([one]) if one == amount => Ok(()),
                other => Err(format!("note {} of {amount} is {other:?}", told.id)),
            }
        }
        Asked::CashOut { amount } => {
            let found = told
                .voucher
                .and_then(|voucher| table.out.get(&VoucherId(voucher)));
            match found.map(Vec::as_slice) {
                Some([one]) if *one == (station, *amount) => Ok(()),
                other => Err(format!("cash-out {} of {amount} is {other:?}", told.id)),
            }
        }
        Asked::Redeem { paper } => {
            let found = table.taken.get(&paper.voucher).map(Vec::as_slice);
            match found {
                Some([(at, _)]) if *at == station => Ok(()),
                other => Err(format!("redemption {} is {other:?}", told.id)),
            }
        }
    }
}

/// A voucher leaves one table once, and comes back or goes to another at most
/// once, for what it is worth.
fn vouchers(heard: &BTreeMap<StreamId, Heard>) -> Result<u64, String> {
    let mut all: BTreeMap<VoucherId, (Vec<i64>, Vec<i64>)> = BTreeMap::new();
    for table in heard.values() {
        for (voucher, amounts) in &table.out {
            let amounts = amounts.iter().map(|(_, amount)| *amount);
            all.entry(*voucher).or_default().0.extend(amounts);
        }
        for (voucher, amounts) in table.back.iter().chain(&table.taken) {
            let amounts = amounts.iter().map(|(_, amount)| *amount);
            all.entry(*voucher).or_default().1.extend(amounts);
        }
    }
    for (voucher, (out, back)) in &all {
        let fair = match (out.as_slice(), back.as_slice()) {
            ([_], []) => true,
            ([out], [back]) => out == back,
            _ => false,
        };
        if !fair {
            return Err(format!(
                "voucher {} left as {out:?} and came back as {back:?}",
                voucher.0
            ));
        }
    }
    Ok(all.len() as u64)
}
