//! The checks of a script: what the table must look like now.

use sicbo_rules::Money;
use sicbo_table::books::Account;
use sicbo_table::record::Standing;
use sicbo_table::station::StationKind;
use sicbo_table::table::Status;

use crate::rules::script::{Row, Runner, fact_name};

const ACCOUNTS: [Account; 10] = [
    Account::HouseBank,
    Account::Vouchers,
    Account::Drop,
    Account::Cage,
    Account::ChipFloat,
    Account::ChipsOutstanding,
    Account::Tips,
    Account::Recoverable,
    Account::Unclaimed,
    Account::Adjustments,
];

impl Runner {
    /// Checks a line, if it is a check.
    pub(crate) fn checks(&self, row: &Row) -> bool {
        let table = &self.table;
        let station = || &table.stations[self.station(row, row.arg(0)).0 as usize];
        let (is, at) = match row.verb {
            "balance" => (station().credit, 1),
            "atrisk" => (station().at_risk, 1),
            // What a player has in hand, whatever the game is played with.
            "purse" => match station().kind {
                StationKind::Terminal => (station().credit, 1),
                StationKind::Seat => (table.books.chips_outstanding, 1),
            },
            "recoverable" => {
                let id = self.station(row, row.arg(0));
                let entries = table.recoverables.values();
                (
                    entries.filter(|e| e.station == id).map(|e| e.amount).sum(),
                    1,
                )
            }
            "unclaimed" => {
                let id = self.station(row, row.arg(0));
                let entries = table.unclaimed.values();
                (
                    entries.filter(|e| e.station == id).map(|e| e.amount).sum(),
                    1,
                )
            }
            "house" => (table.books.house_win(), 0),
            "exposure" => {
                let round = table.round.as_ref();
                (round.map_or(Money::ZERO, |r| r.exposure.worst_loss()), 0)
            }
            "account" => {
                let account = ACCOUNTS.into_iter().find(|a| a.key() == row.arg(0));
                let account = account.unwrap_or_else(|| row.fail("no such account"));
                (table.balance(account), 1)
            }
            "meter" => {
                let m = &station().meters;
                let meter = match row.arg(1) {
                    "cash-in" => m.cash_in,
                    "voucher-in" => m.voucher_in,
                    "transfer-in" => m.transfer_in,
                    "voucher-out" => m.voucher_out,
                    "transfer-out" => m.transfer_out,
                    "hand-pay" => m.hand_pay,
                    "staked" => m.staked,
                    "returned" => m.returned,
                    "void-returned" => m.void_returned,
                    "corrected-in" => m.corrected_in,
                    "recovered" => m.recovered,
                    "adjusted" => m.adjusted,
                    other => row.fail(format!("meter {other}?")),
                };
                (meter, 2)
            }
            _ => return self.words_checked(row),
        };
        let wanted = self.money(row, row.arg(at));
        if row.args.len() != at + 1 {
            row.fail("too many words");
        }
        if is != wanted {
            row.fail(format!("is {}", self.currency.format(is)));
        }
        true
    }

    fn words_checked(&self, row: &Row) -> bool {
        let table = &self.table;
        let is = match row.verb {
            "phase" => table.phase().map_or("idle", |phase| phase.key()).to_owned(),
            "status" => match table.status {
                Status::Open => "open",
                Status::Closed => "closed",
                Status::Suspended => "suspended",
            }
            .to_owned(),
            "book" => table.book().map_or("-", |book| book.id()).to_owned(),
            "last" => match table.last_record.as_ref().map(|record| record.standing) {
                None => "nothing".to_owned(),
                Some(Standing::Void) => "no-result".to_owned(),
                Some(Standing::Settled(dice)) => {
                    dice.faces().map(|face| face.to_string()).join(" ")
                }
            },
            // What waits: each as `question by-whom[+] persons`.
            "waits" => {
                let all = table.pending.iter().map(|p| {
                    let above = if p.or_above { "+" } else { "" };
                    format!("{} {}{above} {}", p.question.key(), p.by, p.persons)
                });
                match all.collect::<Vec<_>>().join(" | ") {
                    none if none.is_empty() => "nothing".to_owned(),
                    all => all,
                }
            }
            // A fact that followed from the last act.
            "said" => {
                let names: Vec<String> = self.last.iter().map(fact_name).collect();
                if !names.iter().any(|name| name == row.arg(0)) {
                    row.fail(format!("was {}", names.join(", ")));
                }
                return true;
            }
            // Who is there: the station, the first session of the visit, the session.
            "visit" => {
                let id = self.station(row, row.arg(0));
                let at = &table.stations[id.0 as usize];
                format!("{} {} {}", row.arg(0), at.visit.since.0, at.session.0)
            }
            "rounds" => table.last_round.0.to_string(),
            _ => return false,
        };
        let wanted = row.args.join(" ");
        if is != wanted {
            row.fail(format!("is {is}"));
        }
        true
    }
}
