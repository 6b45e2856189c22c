//! Meters, accounts and counts: what money did at the table, and whether it adds up.

use sicbo_rules::Money;
use sicbo_table::Table;
use sicbo_table::books::{Account, Books};
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::station::{Meters, Station, StationKind};

use super::sheet::{
    AccountLine, CountLine, Counted, LedgerFigures, OwedLine, StationMeters, VoucherLiability,
};
use sicbo_register::Register;

/// What was counted at the end of a shift (J-09, P-098), in minor units.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Chips in the rack when the shift began.
    pub opener: i64,
    /// Chips that came from the cage, by the slips.
    pub fills: i64,
    /// Chips that went to the cage, by the slips.
    pub credits: i64,
    /// Chips in the rack when it ended.
    pub closer: i64,
    /// The drop box and the acceptors.
    pub drop: i64,
    /// The tip box.
    pub tips: i64,
}

/// What a shift's counts are held against: the same figures the managers had
/// before them when they signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Recorded {
    /// What the previous shift counted last, and what the books moved since;
    /// what was counted, where there was none.
    pub(crate) opener: Money,
    /// The opener as it was counted, and what the books moved in the shift.
    pub(crate) closer: Money,
    /// What the books say came in.
    pub(crate) drop: Money,
    /// The same of tips.
    pub(crate) tips: Money,
    /// Colour chips that players held at the beginning and at the end.
    pub(crate) colour_out: [Money; 2],
}

/// The figures of a moment, to compare a later one with.
#[derive(Clone, Default)]
pub(crate) struct Moment {
    pub(crate) books: Books,
    /// Colour chips that players hold.
    colour_out: Money,
    stations: Vec<(Money, Money, Meters)>,
}

impl Moment {
    pub(crate) fn of(table: &Table) -> Moment {
        let station = |station: &Station| (station.credit, station.at_risk, station.meters);
        Moment {
            books: table.books,
            colour_out: table.colour_chips_out(),
            stations: table.stations.iter().map(station).collect(),
        }
    }

    fn stations(&self) -> (Money, Money) {
        let zero = (Money::ZERO, Money::ZERO);
        self.stations
            .iter()
            .fold(zero, |(credit, at_risk), (c, r, _)| {
                (credit + *c, at_risk + *r)
            })
    }

    /// Meters of every station since that moment.
    pub(crate) fn meters(&self, table: &Table) -> Vec<StationMeters> {
        let stations = table.stations.iter().enumerate();
        stations
            .map(|(at, station)| {
                let known = self.stations.get(at).copied().unwrap_or_default();
                meters(at, station, known)
            })
            .collect()
    }

    /// The accounts since that moment.
    pub(crate) fn ledger(
        &self,
        table: &Table,
        win: Money,
        earlier: Money,
        waived: Money,
    ) -> LedgerFigures {
        let after = Moment::of(table);
        let own = |books: &Books| {
            [
                (Account::HouseBank, books.house_bank),
                (Account::Vouchers, books.vouchers),
                (Account::Drop, books.drop),
                (Account::Cage, books.cage),
                (Account::ChipFloat, books.chip_float),
                (Account::ChipsOutstanding, books.chips_outstanding),
                (Account::Tips, books.tips),
                (Account::Recoverable, books.recoverable),
                (Account::Unclaimed, books.unclaimed),
                (Account::Adjustments, books.adjustments),
            ]
        };
        let line = |account: &str, before: Money, after: Money| AccountLine {
            account: account.to_owned(),
            before: before.minor(),
            after: after.minor(),
        };
        let (credit_before, risk_before) = self.stations();
        let (credit_after, risk_after) = after.stations();
        let mut accounts: Vec<AccountLine> = own(&self.books)
            .into_iter()
            .zip(own(&after.books))
            .map(|((account, before), (_, after))| line(account.key(), before, after))
            .collect();
        accounts.push(line("credit", credit_before, credit_after));
        accounts.push(line("at-risk", risk_before, risk_after));
        let sum = |of: fn(&AccountLine) -> i64| accounts.iter().map(of).sum::<i64>();
        let balances = sum(|line| line.before) == 0 && sum(|line| line.after) == 0;
        let book_win = after.books.house_win() - self.books.house_win();
        LedgerFigures {
            balances,
            book_win: book_win.minor(),
            earlier_amendments: earlier.minor(),
            waived: waived.minor(),
            reconciles: book_win == win - earlier - waived,
            accounts,
        }
    }

    /// Counted against recorded: what a shift's counts were signed against, or
    /// the books of the stretch where it is of no shift.
    pub(crate) fn counted(
        &self,
        table: &Table,
        counts: &Counts,
        (fills, credits): (Money, Money),
        shift: Option<Recorded>,
    ) -> Counted {
        let after = &table.books;
        let recorded = shift.unwrap_or_else(|| {
            let [before, now] = [self.colour_out, table.colour_chips_out()];
            Recorded {
                opener: self.books.chip_float + before,
                closer: after.chip_float + now,
                drop: self.books.drop - after.drop,
                tips: after.tips - self.books.tips,
                colour_out: [before, now],
            }
        });
        let colour_out = recorded.colour_out.map(Money::minor);
        let recorded = [
            ("opener", counts.opener, recorded.opener),
            ("fills", counts.fills, fills),
            ("credits", counts.credits, credits),
            ("closer", counts.closer, recorded.closer),
            ("drop", counts.drop, recorded.drop),
            ("tips", counts.tips, recorded.tips),
        ];
        let line = |(what, counted, recorded): (&str, i64, Money)| CountLine {
            what: what.to_owned(),
            counted,
            recorded: recorded.minor(),
            variance: counted.saturating_sub(recorded.minor()),
        };
        let spent = counts.opener.saturating_add(counts.fills);
        let left = counts.credits.saturating_add(counts.closer);
        Counted {
            lines: recorded.into_iter().map(line).collect(),
            has_rack: [spent, left] != [0, 0] || after.chip_float != self.books.chip_float,
            colour_out_before: colour_out[0],
            colour_out_after: colour_out[1],
            // The cash for colour chips that players still hold is in the box and not won.
            win_by_count: (counts.drop.saturating_sub(spent.saturating_sub(left)))
                .saturating_sub(colour_out[1] - colour_out[0]),
        }
    }
}

/// A station's meters since a moment, or since ever.
fn meters(at: usize, station: &Station, known: (Money, Money, Meters)) -> StationMeters {
    let (credit_before, _, before) = known;
    let now = &station.meters;
    let since = |of: fn(&Meters) -> Money| (of(now) - of(&before)).minor();
    let mut line = StationMeters {
        station: at as u32,
        name: station.name.clone(),
        kind: match station.kind {
            StationKind::Terminal => "terminal",
            StationKind::Seat => "seat",
        }
        .to_owned(),
        credit_before: credit_before.minor(),
        cash_in: since(|m| m.cash_in),
        voucher_in: since(|m| m.voucher_in),
        transfer_in: since(|m| m.transfer_in),
        staked: since(|m| m.staked),
        returned: since(|m| m.returned),
        void_returned: since(|m| m.void_returned),
        corrected_in: since(|m| m.corrected_in),
        recovered: since(|m| m.recovered),
        adjusted: since(|m| m.adjusted),
        voucher_out: since(|m| m.voucher_out),
        hand_pay: since(|m| m.hand_pay),
        transfer_out: since(|m| m.transfer_out),
        credit_after: station.credit.minor(),
        at_risk: station.at_risk.minor(),
        rounds: now.rounds - before.rounds,
        voids: now.voids - before.voids,
        reconciles: None,
    };
    if station.kind == StationKind::Terminal {
        let inward = line.cash_in + line.voucher_in + line.transfer_in + line.corrected_in;
        let outward = line.voucher_out + line.hand_pay + line.transfer_out + line.recovered;
        let played = line.returned + line.void_returned - line.staked;
        let expected = line.credit_before + inward + line.adjusted - outward + played;
        line.reconciles = Some(expected == line.credit_after);
    }
    line
}

/// The meters of one station since it was set up (S-08); none when there is none such.
#[must_use]
pub fn station_meters(table: &Table, station: StationId) -> Option<StationMeters> {
    let known = table.station(station)?;
    Some(meters(
        station.0 as usize,
        known,
        (Money::ZERO, Money::ZERO, Meters::default()),
    ))
}

pub(crate) fn unclaimed(table: &Table) -> Vec<OwedLine> {
    let owed = table.unclaimed.values();
    owed.map(|one| owed_line(table, one.id.0, one.round, one.station, one.amount))
        .collect()
}

pub(crate) fn recoverable(table: &Table) -> Vec<OwedLine> {
    let owed = table.recoverables.values();
    owed.map(|one| owed_line(table, one.id.0, one.round, one.station, one.amount))
        .collect()
}

fn owed_line(
    table: &Table,
    id: u64,
    round: RoundNumber,
    station: StationId,
    amount: Money,
) -> OwedLine {
    OwedLine {
        id,
        round: round.0,
        station: name(table, station),
        amount: amount.minor(),
    }
}

pub(crate) fn name(table: &Table, station: StationId) -> String {
    let known = table.stations.get(station.0 as usize);
    known.map_or_else(|| station.to_string(), |known| known.name.clone())
}

impl VoucherLiability {
    /// What a register says is owed in a currency, as of a record of its stream.
    #[must_use]
    pub fn of(register: &Register, sequence: u64, currency: &str) -> VoucherLiability {
        let totals = register.totals.get(currency).copied().unwrap_or_default();
        let rest = totals.outstanding
            + totals.redeemed_at_tables
            + totals.redeemed_at_cage
            + totals.returned
            + totals.voided
            + totals.expired;
        VoucherLiability {
            sequence,
            issued: totals.issued.minor(),
            outstanding: totals.outstanding.minor(),
            redeemed_at_tables: totals.redeemed_at_tables.minor(),
            redeemed_at_cage: totals.redeemed_at_cage.minor(),
            returned: totals.returned.minor(),
            voided: totals.voided.minor(),
            expired: totals.expired.minor(),
            reconciles: rest == totals.issued,
        }
    }
}
