//! Reads the export of every journal with books of its own and compares them
//! with what everybody wrote down.

use std::collections::{BTreeMap, BTreeSet};

use sicbo_house::describe::Value;
use sicbo_house::export;
use sicbo_house::source::{HOUSE_STREAM, Journals};

use crate::common::account::Account;
use crate::common::house::Site;
use crate::common::proof::Clean;
use crate::patron::{Answer, AskedBet, MoneyAct, Patron};
use crate::staff::Desk;

/// A record's fields by name.
type Fields = BTreeMap<&'static str, Value>;

/// What the export of one table amounts to.
#[derive(Default)]
struct Ledger {
    accounts: BTreeMap<String, Account>,
    /// Bets by station, round and id, with their lines as exported.
    bets: BTreeMap<(String, u64, u64), Vec<(String, i64)>>,
    notes: BTreeMap<String, i64>,
    vouchers: BTreeMap<u64, (String, i64)>,
    adjustments: BTreeMap<String, i64>,
    round: u64,
    faults: Vec<String>,
}

fn text(fields: &Fields, name: &str) -> String {
    match fields.get(name) {
        Some(Value::Text(text)) => text.clone(),
        other => panic!("{name} is {other:?} in {fields:?}"),
    }
}

fn number(fields: &Fields, name: &str) -> u64 {
    let found = fields.get(name).map(ToString::to_string);
    let found = found.and_then(|text| text.parse().ok());
    found.unwrap_or_else(|| panic!("{name} in {fields:?}"))
}

/// `12.50` in minor units.
fn minor(text: &str) -> i64 {
    let digits: String = text
        .chars()
        .filter(|c| *c == '-' || c.is_ascii_digit())
        .collect();
    assert!(text.contains('.'), "two decimals: {text}");
    digits.parse().expect("an amount")
}

fn amount(fields: &Fields, name: &str) -> i64 {
    minor(&text(fields, name))
}

fn lines(fields: &Fields) -> Vec<(String, i64)> {
    let Some(Value::List(lines)) = fields.get("bets") else {
        panic!("no bets in {fields:?}");
    };
    let one = |line: &Value| {
        let Value::Fields(line) = line else {
            panic!("{line:?} is no bet");
        };
        let line: Fields = line.iter().cloned().collect();
        (text(&line, "section"), amount(&line, "stake"))
    };
    lines.iter().map(one).collect()
}

fn dice(fields: &Fields) -> [u8; 3] {
    let faces = text(fields, "dice");
    let faces: Vec<u8> = faces
        .chars()
        .filter_map(|c| c.to_digit(10))
        .map(|digit| digit as u8)
        .collect();
    faces.try_into().expect("three dice")
}

impl Ledger {
    fn account(&mut self, fields: &Fields) -> &mut Account {
        let name = text(fields, "station");
        self.accounts.get_mut(&name).expect("a known station")
    }

    fn enter(&mut self, kind: &str, fields: &Fields) {
        match kind {
            "round-began" => self.round = number(fields, "round"),
            "bets-placed" => {
                let placed = lines(fields);
                let key = (text(fields, "station"), self.round, number(fields, "bet"));
                let refs: Vec<_> = placed.iter().map(|(s, m)| (s.as_str(), *m)).collect();
                self.account(fields).placed(&refs);
                if self.bets.insert(key.clone(), placed).is_some() {
                    self.faults.push(format!("{key:?} is there twice"));
                }
            }
            "bets-removed" => {
                let removed = lines(fields);
                let refs: Vec<_> = removed.iter().map(|(s, m)| (s.as_str(), *m)).collect();
                self.account(fields).removed(&refs);
            }
            "round-settled" | "round-voided" => {
                let dice = (kind == "round-settled").then(|| dice(fields));
                let round = self.round;
                for account in self.accounts.values_mut() {
                    account.ended(round, dice);
                }
            }
            "credit-bought" => {
                let amount = amount(fields, "amount");
                self.account(fields).credit += amount;
                *self.notes.entry(text(fields, "station")).or_default() += amount;
            }
            "cashed-out" => {
                let sum = amount(fields, "amount");
                self.account(fields).credit -= sum;
                let out = (text(fields, "station"), sum);
                let voucher = number(fields, "voucher");
                if self.vouchers.insert(voucher, out).is_some() {
                    self.faults
                        .push(format!("voucher {voucher} is there twice"));
                }
            }
            "cash-out-reversed" => {
                let sum = amount(fields, "amount");
                self.account(fields).credit += sum;
                self.vouchers.remove(&number(fields, "voucher"));
            }
            "adjusted" => {
                let sum = amount(fields, "amount");
                self.account(fields).credit += sum;
                let reason = text(fields, "reason");
                if self.adjustments.insert(reason.clone(), sum).is_some() {
                    self.faults.push(format!("{reason:?} is there twice"));
                }
            }
            _ => {}
        }
    }
}

fn ledger(site: &Site, table: &str, patrons: &[&Patron]) -> Ledger {
    let mut ledger = Ledger::default();
    for patron in patrons {
        let account = Account::new(table, patron.layout);
        ledger.accounts.insert(patron.name.clone(), account);
    }
    let journals = Journals::folder(&site.data()).expect("a data folder");
    let (stream, store) = journals.one(Some(table)).expect("a journal");
    assert_ne!(stream.as_str(), HOUSE_STREAM);
    let mut put = |fields: Vec<(&'static str, Value)>| {
        let record: Fields = fields.into_iter().collect();
        let Some(Value::Fields(fields)) = record.get("fields") else {
            panic!("a record without fields: {record:?}");
        };
        let fields: Fields = fields.iter().cloned().collect();
        ledger.enter(&text(&record, "event"), &fields);
        true
    };
    export::table(&store, &stream, 1..=u64::MAX, &mut put).expect("whole");
    ledger
}

/// What the journal says of a bet somebody sent.
fn check_bet(patron: &Patron, ledger: &Ledger, id: u64, asked: &AskedBet) -> Option<String> {
    let who = format!("{} at {}, bet {id}", patron.name, patron.table);
    let there = ledger.bets.get(&(patron.name.clone(), asked.round, id));
    let elsewhere = ledger
        .bets
        .keys()
        .any(|(name, round, bet)| *name == patron.name && *bet == id && *round != asked.round);
    if elsewhere {
        return Some(format!("{who}: registered in another round"));
    }
    match (&asked.answer, there) {
        (None, _) => Some(format!("{who}: never answered")),
        (Some(Answer::Registered), None) => Some(format!("{who}: registered and lost")),
        (Some(answer), Some(_)) if answer.says_nothing() => None,
        (Some(Answer::Refused(code)), Some(_)) => {
            Some(format!("{who}: refused with {code} and charged"))
        }
        (Some(Answer::Refused(_)), None) => None,
        (Some(Answer::Registered), Some(lines)) => {
            let sent = asked.lines.iter().map(|(s, m)| ((*s).to_owned(), *m));
            let mut sum = BTreeMap::<String, i64>::new();
            for (section, stake) in sent {
                *sum.entry(section).or_default() += stake;
            }
            let mut found = BTreeMap::<String, i64>::new();
            for (section, stake) in lines {
                *found.entry(section.clone()).or_default() += stake;
            }
            (sum != found).then(|| format!("{who}: sent {sum:?}, registered {found:?}"))
        }
    }
}

/// Compares everything; returns what there was, for people to read.
pub(crate) fn judge(site: &Site, patrons: &[Patron], desk: &Desk, clean: &Clean) -> String {
    let mut faults = Vec::new();
    let (mut registered, mut refused, mut notes, mut cash_outs) = (0, 0, 0, 0);
    let mut outstanding = 0;
    for spec in &site.tables {
        let here: Vec<&Patron> = patrons.iter().filter(|p| p.table == spec.name).collect();
        let ledger = ledger(site, spec.name, &here);
        faults.extend(ledger.faults.iter().cloned());
        let mut answered_vouchers = BTreeSet::new();
        for patron in here {
            faults.extend(patron.contradictions.iter().cloned());
            for (id, asked) in &patron.bets {
                match asked.answer {
                    Some(Answer::Registered) => registered += 1,
                    _ => refused += 1,
                }
                faults.extend(check_bet(patron, &ledger, *id, asked));
            }
            let who = format!("{} at {}", patron.name, patron.table);
            let mut inserted = 0;
            let mut unsure = 0;
            for asked in patron.money.values() {
                let Some(answer) = &asked.answer else {
                    unsure += asked.amount;
                    continue;
                };
                match (asked.act, answer["type"].as_str()) {
                    (MoneyAct::Note, Some("done")) => {
                        inserted += asked.amount;
                        notes += 1;
                    }
                    (MoneyAct::CashOut, Some("voucher")) => {
                        cash_outs += 1;
                        let voucher = answer["voucher"].as_u64().expect("a voucher");
                        answered_vouchers.insert(voucher);
                        let there = ledger.vouchers.get(&voucher);
                        if there != Some(&(patron.name.clone(), asked.amount)) {
                            faults.push(format!("{who}: voucher {voucher} is {there:?}"));
                        }
                    }
                    _ => {}
                }
            }
            let credited = ledger.notes.get(&patron.name).copied().unwrap_or(0);
            if credited < inserted || credited > inserted + unsure {
                faults.push(format!("{who}: {inserted} in notes, {credited} credited"));
            }
            let own = ledger.accounts[&patron.name].credit;
            if own != patron.credit {
                faults.push(format!(
                    "{who}: shown {}, by the books {own}",
                    patron.credit
                ));
            }
        }
        for voucher in ledger
            .vouchers
            .keys()
            .filter(|id| !answered_vouchers.contains(id))
        {
            faults.push(format!(
                "{}: voucher {voucher} nobody was told of",
                spec.name
            ));
        }
        for (request, adjustment) in desk
            .adjustments
            .iter()
            .filter(|(_, a)| a.table == spec.name)
        {
            let there = ledger.adjustments.get(&format!("campaign {request}"));
            if there != Some(&adjustment.amount) {
                faults.push(format!("adjustment {request} is {there:?}"));
            }
        }
        outstanding += ledger
            .vouchers
            .values()
            .map(|(_, amount)| amount)
            .sum::<i64>();
    }
    outstanding -= desk.paid.values().sum::<i64>();
    let shown: i64 = clean
        .vouchers
        .outstanding
        .iter()
        .map(|(_, sum)| sum.minor())
        .sum();
    if shown != outstanding {
        faults.push(format!("vouchers out: {shown}, by the books {outstanding}"));
    }
    assert!(
        faults.is_empty(),
        "{} faults: {:#?}",
        faults.len(),
        &faults[..faults.len().min(20)]
    );
    assert!(registered > 0, "nobody played");
    format!(
        "{registered} bets registered and {refused} refused, {notes} notes, {cash_outs} cash-outs, \
         {} paid at the cage, {} adjustments by two: nothing lost, nothing doubled, nobody unanswered",
        desk.paid.len(),
        desk.adjustments.len()
    )
}
