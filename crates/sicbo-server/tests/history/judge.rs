//! Reads the export of every journal with books of its own and compares them
//! with what everybody wrote down.

use std::collections::{BTreeMap, BTreeSet};

use sicbo_proof::describe::Value;
use sicbo_proof::export;
use sicbo_proof::source::{HOUSE_STREAM, Journals};

use crate::common::account::Account;
use crate::common::house::Site;
use crate::common::proof::Clean;
use crate::history::kills::{FollowHouse, FollowTable, Kill, Met};
use crate::history::patron::{Answer, AskedBet, MoneyAct, Patron};
use crate::history::staff::Desk;

/// A record's fields by name.
type Fields = BTreeMap<&'static str, Value>;

/// Sections and their stakes.
type Lines = Vec<(String, i64)>;

/// What the export of one table amounts to.
#[derive(Default)]
struct Ledger {
    accounts: BTreeMap<String, Account>,
    /// Bets by station and id, with their rounds and their lines as exported.
    bets: BTreeMap<(String, u64), (u64, Lines)>,
    notes: BTreeMap<String, i64>,
    vouchers: BTreeMap<u64, (String, i64)>,
    adjustments: BTreeMap<String, i64>,
    /// Stakes that were lost, less what was won.
    house_bank: i64,
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
                let key = (text(fields, "station"), number(fields, "bet"));
                let round = self.round;
                let refs: Vec<_> = placed.iter().map(|(s, m)| (s.as_str(), *m)).collect();
                self.account(fields).placed(&refs);
                if let Some((other, _)) = self.bets.insert(key.clone(), (round, placed)) {
                    let what = format!("{key:?} is there in round {other} and in round {round}");
                    self.faults.push(what);
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
                    let held = account.credit + account.at_risk();
                    account.ended(round, dice);
                    self.house_bank += held - account.credit;
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

fn record(fields: Vec<(&'static str, Value)>) -> (Fields, Fields) {
    let record: Fields = fields.into_iter().collect();
    let Some(Value::Fields(fields)) = record.get("fields") else {
        panic!("a record without fields: {record:?}");
    };
    let fields: Fields = fields.iter().cloned().collect();
    (record, fields)
}

/// Reads a table's export; says also which phases its kills met.
fn ledger(site: &Site, table: &str, patrons: &[&Patron], kills: &[Kill]) -> (Ledger, Met) {
    let mut ledger = Ledger::default();
    let mut follow = FollowTable::new(kills);
    for patron in patrons {
        let account = Account::new(table, patron.layout);
        ledger.accounts.insert(patron.name.clone(), account);
    }
    let journals = Journals::folder(&site.data()).expect("a data folder");
    let (stream, store) = journals.one(Some(table)).expect("a journal");
    assert_ne!(stream.as_str(), HOUSE_STREAM);
    let mut put = |fields: Vec<(&'static str, Value)>| {
        let (record, fields) = record(fields);
        let kind = text(&record, "event");
        follow.record(number(&record, "time_ms") as i64, &kind);
        ledger.enter(&kind, &fields);
        true
    };
    export::table(&store, &stream, 1..=u64::MAX, &mut put).expect("whole");
    (ledger, follow.met)
}

/// Reads the house's own export: what the cage has paid, by voucher, and within
/// what the kills came.
fn house_ledger(
    site: &Site,
    kills: &[Kill],
    faults: &mut Vec<String>,
) -> (BTreeMap<u64, i64>, Met) {
    let journals = Journals::folder(&site.data()).expect("a data folder");
    let (stream, store) = journals.one(Some(HOUSE_STREAM)).expect("the house's");
    let (mut paid, mut follow) = (BTreeMap::new(), FollowHouse::new(kills));
    let mut put = |fields: Vec<(&'static str, Value)>| {
        let (record, fields) = record(fields);
        let kind = text(&record, "event");
        let about = ["voucher", "proposal"].map(|name| fields.get(name));
        let about = about.into_iter().flatten().next();
        let about = about.and_then(|about| about.to_string().parse().ok());
        follow.record(number(&record, "time_ms") as i64, &kind, about);
        let by_cashier = matches!(fields.get("to"), Some(Value::Fields(to))
            if to.iter().any(|(name, _)| *name == "cashier"));
        if kind == "voucher-redeemed" && by_cashier {
            let voucher = number(&fields, "voucher");
            let sum = amount(&fields, "amount");
            if paid.insert(voucher, sum).is_some() {
                faults.push(format!("voucher {voucher} was paid twice"));
            }
        }
        true
    };
    export::house(&store, &stream, 1..=u64::MAX, &mut put).expect("whole");
    (paid, follow.met)
}

/// Compares the house's own accounts of a table with what the export comes to.
fn check_books(table: &str, ledger: &Ledger, clean: &Clean) -> Vec<String> {
    let books = clean.tables[table].table.books;
    let notes: i64 = ledger.notes.values().sum();
    let adjusted: i64 = ledger.adjustments.values().sum();
    let vouchers: i64 = ledger.vouchers.values().map(|(_, sum)| sum).sum();
    let rows = [
        ("house bank", books.house_bank, ledger.house_bank),
        ("drop", books.drop, -notes),
        ("adjustments", books.adjustments, -adjusted),
        ("vouchers", books.vouchers, vouchers),
    ];
    let differs = |(name, shown, own): (&str, sicbo_rules::Money, i64)| {
        let shown = shown.minor();
        (shown != own).then(|| format!("{table}: {name} is {shown}, by the books {own}"))
    };
    rows.into_iter().filter_map(differs).collect()
}

/// What the journal says of a bet somebody sent.
fn check_bet(patron: &Patron, ledger: &Ledger, id: u64, asked: &AskedBet) -> Option<String> {
    let who = format!("{} at {}, bet {id}", patron.name, patron.table);
    let there = ledger.bets.get(&(patron.name.clone(), id));
    if there.is_some_and(|(round, _)| *round != asked.round) {
        return Some(format!("{who}: registered in another round"));
    }
    match (&asked.answer, there) {
        (None, _) => Some(format!("{who}: never answered")),
        (Some(Answer::Registered), None) => Some(format!("{who}: registered and lost")),
        (Some(Answer::Refused(code)), Some(_)) => {
            Some(format!("{who}: refused with {code} and charged"))
        }
        (Some(Answer::Refused(_)), None) => None,
        (Some(Answer::Registered), Some((_, lines))) => {
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

/// Compares everything; returns what there was, for people to read, and the
/// phases that the kills met.
pub(crate) fn judge(
    site: &Site,
    patrons: &[Patron],
    desk: &Desk,
    kills: &[Kill],
    clean: &Clean,
) -> (String, Met) {
    let (mut faults, mut met) = (Vec::new(), Met::default());
    let (mut registered, mut refused, mut notes, mut cash_outs) = (0, 0, 0, 0);
    let mut outstanding = 0;
    for spec in &site.tables {
        let here: Vec<&Patron> = patrons.iter().filter(|p| p.table == spec.name).collect();
        let (ledger, met_here) = ledger(site, spec.name, &here, kills);
        met.add(&met_here);
        faults.extend(ledger.faults.iter().cloned());
        faults.extend(check_books(spec.name, &ledger, clean));
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
            for (request, asked) in &patron.money {
                let Some(answer) = &asked.answer else {
                    faults.push(format!("{who}: request {request} was never answered"));
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
            if credited != inserted {
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
    let (paid, met_there) = house_ledger(site, kills, &mut faults);
    met.add(&met_there);
    if paid != desk.paid {
        let differ = paid
            .iter()
            .filter(|(id, sum)| desk.paid.get(id) != Some(sum));
        let missing = desk.paid.keys().filter(|id| !paid.contains_key(id));
        let (differ, missing): (Vec<_>, Vec<_>) = (differ.collect(), missing.collect());
        faults.push(format!(
            "the cage paid {differ:?} otherwise than it was told, and never {missing:?}"
        ));
    }
    outstanding -= paid.values().sum::<i64>();
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
    let counts = format!(
        "{registered} bets registered and {refused} refused, {notes} notes, {cash_outs} cash-outs, \
         {} paid at the cage, {} adjustments by two: nothing lost, nothing doubled, nobody unanswered",
        desk.paid.len(),
        desk.adjustments.len()
    );
    (counts, met)
}
