//! The people behind the counter in a campaign: two-person adjustments and
//! vouchers paid at the cage, each under a number of its own, asked again
//! until it is answered.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::house::Site;
use crate::common::http::Http;
use crate::common::people::{People, Staff};

pub(crate) const POSITIONS: [&str; 3] = ["pit-supervisor", "shift-manager", "cashier"];

/// Credit given to a station by two persons.
pub(crate) struct Adjustment {
    pub(crate) table: &'static str,
    pub(crate) station: u32,
    pub(crate) amount: i64,
}

/// The counter's own book.
pub(crate) struct Desk {
    people: People,
    pub(crate) adjustments: BTreeMap<u64, Adjustment>,
    /// Of these, such as nobody has heard of as done.
    open: BTreeSet<u64>,
    /// Redeemed vouchers: number in the house, and the sum that was paid.
    pub(crate) paid: BTreeMap<u64, i64>,
    asked: BTreeMap<u64, String>,
    /// Tickets that were read.
    read: BTreeSet<u64>,
    /// The act that has no answer yet, and since when.
    doing: Option<(Doing, Instant)>,
}

/// A request of the counter on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doing {
    Adjustment,
    Redemption,
}

/// The validation number on a ticket: eighteen digits in groups.
fn number_on(ticket: &str) -> Option<String> {
    let grouped = |c: char| c.is_ascii_digit() || c == '-';
    let digits = |part: &str| part.chars().filter(char::is_ascii_digit).count();
    let mut parts = ticket.split(|c: char| !grouped(c));
    parts.find(|part| digits(part) == 18).map(str::to_owned)
}

/// Tickets that came out of the printer and are not known yet.
fn tickets(folder: &Path, known: &BTreeSet<u64>) -> Vec<(u64, String)> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for file in files.map_while(Result::ok) {
        let name = file.file_name().to_string_lossy().into_owned();
        let id = name
            .strip_prefix("voucher-")
            .and_then(|rest| rest.strip_suffix(".escpos"));
        let Some(id) = id.and_then(|id| id.parse().ok()) else {
            continue;
        };
        if known.contains(&id) {
            continue;
        }
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        if let Some(number) = number_on(&String::from_utf8_lossy(&bytes)) {
            found.push((id, number));
        }
    }
    found.sort();
    found
}

impl Desk {
    pub(crate) fn new(people: People) -> Desk {
        Desk {
            people,
            adjustments: BTreeMap::new(),
            open: BTreeSet::new(),
            paid: BTreeMap::new(),
            asked: BTreeMap::new(),
            read: BTreeSet::new(),
            doing: None,
        }
    }

    /// The people of the counter on sessions of this life.
    pub(crate) async fn log_in(&mut self, site: &Site, address: SocketAddr) -> Staff {
        self.people.log_in(site, address, &POSITIONS).await
    }

    /// Whatever was not answered in an earlier life, and new work without end:
    /// it ends with the house. Returns what had no answer then, and since when.
    pub(crate) async fn work(&mut self, site: &Site, staff: &Staff) -> Option<(Doing, Instant)> {
        self.doing = None;
        while self.all_again(staff).await {
            self.find_work(site);
        }
        self.doing
    }

    fn find_work(&mut self, site: &Site) {
        for spec in &site.tables {
            let request = self.adjustments.len() as u64 + 1;
            let adjustment = Adjustment {
                table: spec.name,
                station: request as u32 % spec.stations[0].1 as u32,
                amount: 100 + request as i64,
            };
            self.adjustments.insert(request, adjustment);
            self.open.insert(request);
        }
        for (voucher, number) in tickets(&site.data().join("vouchers"), &self.read) {
            self.read.insert(voucher);
            if voucher % 2 == 0 {
                self.asked.insert(voucher, number);
            }
        }
    }

    /// Asks whatever is open; false when the house died on the way.
    async fn all_again(&mut self, staff: &Staff) -> bool {
        while let Some((voucher, number)) = self.asked.first_key_value() {
            self.doing = Some((Doing::Redemption, Instant::now()));
            let voucher = *voucher;
            let Some(amount) = redeem(staff.of("cashier"), voucher, number).await else {
                return false;
            };
            self.doing = None;
            self.asked.remove(&voucher);
            self.paid.insert(voucher, amount);
        }
        while let Some(request) = self.open.first().copied() {
            self.doing = Some((Doing::Adjustment, Instant::now()));
            if !adjust(staff, request, &self.adjustments[&request]).await {
                return false;
            }
            self.doing = None;
            self.open.remove(&request);
        }
        true
    }

    /// All of it is answered.
    pub(crate) async fn finish(&mut self, site: &Site, address: SocketAddr) {
        let staff = self.log_in(site, address).await;
        let (adjustments, vouchers) = (self.open.clone(), self.asked.clone());
        assert!(
            self.all_again(&staff).await,
            "no answer to {:?} of adjustments {adjustments:?} and vouchers {vouchers:?}",
            self.doing
        );
    }
}

/// Proposes and confirms; false when the house died on the way.
async fn adjust(staff: &Staff, request: u64, adjustment: &Adjustment) -> bool {
    let act = json!({"act": "adjust", "request": request, "station": adjustment.station,
        "amount": adjustment.amount, "reason": format!("campaign {request}")});
    staff
        .try_two("shift-manager", "pit-supervisor", adjustment.table, &act)
        .await
}

/// A slip that lies at the printer can be read before the house has heard that
/// it is printed.
const PRINTED_TIMEOUT: Duration = Duration::from_secs(30);

/// Pays a voucher at the cage; nothing when the house died on the way.
async fn redeem(cashier: &Http, voucher: u64, number: &str) -> Option<i64> {
    let body = json!({"request": voucher, "number": number, "currency": "SGD"});
    let asked = Instant::now();
    loop {
        let said = cashier
            .ask("POST", "/api/cage/redemptions", Some(&body))
            .await;
        let said = said.ok()?;
        let answer: Value = said.json();
        if answer["code"] == "voucher_not_printed" && asked.elapsed() < PRINTED_TIMEOUT {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        }
        assert_eq!(said.status, 200, "voucher {voucher}: {}", said.body);
        return Some(answer["amount"].as_i64().expect("what was paid"));
    }
}
