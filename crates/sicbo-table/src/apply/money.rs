//! Money outside the rounds: credit, vouchers, chips and colours.

use sicbo_rules::Money;

use super::amendments;
use crate::books::Account;
use crate::command::{ChipMove, ColourMove, CreditSource};
use crate::event::Fact;
use crate::ids::{SessionNumber, StationId};
use crate::must::must;
use crate::station::{Colour, Station, StationKind};
use crate::table::{Issued, Table};

/// Applies what moved money.
pub(super) fn money(table: &mut Table, fact: &Fact) {
    match fact {
        Fact::CreditBought {
            station,
            source,
            amount,
            session,
        } => {
            let (id, amount) = (*station, *amount);
            let Station { meters, visit, .. } = &mut table.stations[id.0 as usize];
            let from = match source {
                CreditSource::Cash => {
                    meters.cash_in += amount;
                    Account::Drop
                }
                CreditSource::Voucher(voucher) => {
                    meters.voucher_in += amount;
                    visit.came_back(*voucher, meters);
                    let new = table.vouchers_in.insert(*voucher);
                    assert!(new, "a voucher credited twice");
                    Account::Vouchers
                }
                CreditSource::Cage | CreditSource::Attendant => {
                    meters.transfer_in += amount;
                    Account::Cage
                }
            };
            table.stations[id.0 as usize].session = *session;
            table.post(from, Account::Credit(id), amount);
        }
        Fact::CashedOut {
            station,
            amount,
            voucher,
        } => {
            let Station { meters, visit, .. } = &mut table.stations[station.0 as usize];
            meters.voucher_out += *amount;
            visit.gave(*voucher, meters);
            table.post(Account::Credit(*station), Account::Vouchers, *amount);
            left_if_empty(table, *station);
            let issued = Issued {
                station: *station,
                session: table.stations[station.0 as usize].session,
                amount: *amount,
            };
            let twice = table.vouchers_out.insert(*voucher, issued);
            assert!(twice.is_none(), "a voucher issued twice");
        }
        Fact::CashOutReversed {
            station,
            amount,
            voucher,
        } => {
            let Station { meters, visit, .. } = &mut table.stations[station.0 as usize];
            meters.voucher_out -= *amount;
            visit.came_back(*voucher, meters);
            table.post(Account::Vouchers, Account::Credit(*station), *amount);
            let issued = table.vouchers_out.remove(voucher);
            must(issued, "a voucher taken back that was not issued");
        }
        Fact::TransferredOut { station, amount } => {
            table.stations[station.0 as usize].meters.transfer_out += *amount;
            table.post(Account::Credit(*station), Account::Cage, *amount);
            left_if_empty(table, *station);
        }
        Fact::HandPaid { station, amount } => {
            table.stations[station.0 as usize].meters.hand_pay += *amount;
            table.post(Account::Credit(*station), Account::Cage, *amount);
            left_if_empty(table, *station);
        }
        Fact::VoucherForgotten { voucher } => {
            table.vouchers_in.remove(voucher);
            table.vouchers_out.remove(voucher);
        }
        Fact::ChipsMoved { how, amount, .. } => chips(table, *how, *amount),
        Fact::ColourAssigned {
            station,
            colour,
            value,
            session,
        } => {
            let station = &mut table.stations[station.0 as usize];
            station.colour = Some(Colour {
                name: colour.clone(),
                value: *value,
            });
            station.session = *session;
            station.visit.ended(*session, &station.meters);
        }
        Fact::ColourReleased { station } => table.stations[station.0 as usize].colour = None,
        Fact::ColourMoved {
            station,
            how,
            amount,
        } => colour(table, *station, *how, *amount),
        Fact::Adjusted {
            station, amount, ..
        } => {
            table.stations[station.0 as usize].meters.adjusted += *amount;
            if amount.is_negative() {
                table.post(Account::Credit(*station), Account::Adjustments, -*amount);
            } else {
                table.post(Account::Adjustments, Account::Credit(*station), *amount);
            }
        }
        Fact::CasePaid {
            station,
            case,
            amount,
            decision,
            unclaimed,
            ..
        } => {
            table.cases_settled.insert((*case, *decision, true));
            if let Some(kept) = unclaimed {
                table.post(Account::Adjustments, Account::Unclaimed, kept.amount);
                amendments::kept(table, kept);
                table.case_credits.insert(kept.id);
                return;
            }
            match table.stations[station.0 as usize].kind {
                StationKind::Seat => {
                    table.post(Account::ChipFloat, Account::ChipsOutstanding, *amount);
                }
                StationKind::Terminal => {
                    table.stations[station.0 as usize].meters.adjusted += *amount;
                    table.post(Account::Adjustments, Account::Credit(*station), *amount);
                }
            }
        }
        Fact::CaseOverpaid {
            case,
            recoverable,
            decision,
            ..
        } => {
            table.cases_settled.insert((*case, *decision, false));
            amendments::owed_back(table, recoverable);
            table.case_debts.insert(recoverable.id);
        }
        _ => {}
    }
}

/// Whoever takes all their credit out has left: what a correction owes them
/// later must not go to the next player there.
fn left_if_empty(table: &mut Table, id: StationId) {
    let station = &mut table.stations[id.0 as usize];
    if station.credit == Money::ZERO && station.at_risk == Money::ZERO {
        station.session = SessionNumber(station.session.0 + 1);
        station.visit.ended(station.session, &station.meters);
    }
}

fn chips(table: &mut Table, how: ChipMove, amount: Money) {
    match how {
        ChipMove::Bought => {
            // The rack gives chips; the cash in the box is the house's.
            table.post(Account::Drop, Account::HouseBank, amount);
            table.post(Account::ChipFloat, Account::ChipsOutstanding, amount);
        }
        ChipMove::Brought => table.post(Account::Cage, Account::ChipsOutstanding, amount),
        ChipMove::TakenAway => table.post(Account::ChipsOutstanding, Account::Cage, amount),
        ChipMove::Fill => {
            table.post(Account::Cage, Account::ChipFloat, amount);
            table.books.fills += amount;
        }
        ChipMove::CreditSlip => {
            table.post(Account::ChipFloat, Account::Cage, amount);
            table.books.fills -= amount;
        }
        ChipMove::Tip => table.post(Account::ChipsOutstanding, Account::Tips, amount),
    }
}

fn colour(table: &mut Table, id: StationId, how: ColourMove, amount: Money) {
    let meters = &mut table.stations[id.0 as usize].meters;
    match how {
        ColourMove::BoughtWithCash => {
            meters.cash_in += amount;
            table.post(Account::Drop, Account::HouseBank, amount);
            table.post(Account::ChipFloat, Account::Credit(id), amount);
        }
        ColourMove::ExchangedFromChips => {
            meters.transfer_in += amount;
            table.post(Account::ChipsOutstanding, Account::Credit(id), amount);
        }
        ColourMove::ExchangedForChips => {
            meters.transfer_out += amount;
            table.post(Account::Credit(id), Account::ChipsOutstanding, amount);
        }
    }
}
