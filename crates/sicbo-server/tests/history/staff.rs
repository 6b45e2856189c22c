//! The people behind the counter in a campaign: two-person adjustments and
//! vouchers paid at the cage, each under a number of its own, asked again
//! until it is answered.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;

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
    /// Both have heard that it is done.
    pub(crate) done: bool,
}

/// The counter's own book.
pub(crate) struct Desk {
    people: People,
    pub(crate) adjustments: BTreeMap<u64, Adjustment>,
    /// Redeemed vouchers: number in the house, and the sum that was paid.
    pub(crate) paid: BTreeMap<u64, i64>,
    asked: BTreeMap<u64, String>,
}

/// The validation number on a ticket: eighteen digits in groups.
fn number_on(ticket: &str) -> Option<String> {
    let grouped = |c: char| c.is_ascii_digit() || c == '-';
    let digits = |part: &str| part.chars().filter(char::is_ascii_digit).count();
    let mut parts = ticket.split(|c: char| !grouped(c));
    parts.find(|part| digits(part) == 18).map(str::to_owned)
}

/// Tickets that came out of the printer.
fn tickets(folder: &Path) -> Vec<(u64, String)> {
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
            paid: BTreeMap::new(),
            asked: BTreeMap::new(),
        }
    }

    /// Some new work, and whatever was not answered in an earlier life. Ends
    /// early when the house does.
    pub(crate) async fn work(&mut self, site: &Site, address: SocketAddr) {
        let staff = self.people.log_in(site, address, &POSITIONS).await;
        for spec in &site.tables {
            let request = self.adjustments.len() as u64 + 1;
            let adjustment = Adjustment {
                table: spec.name,
                station: request as u32 % spec.stations[0].1 as u32,
                amount: 100 + request as i64,
                done: false,
            };
            self.adjustments.insert(request, adjustment);
        }
        let folder = site.data().join("vouchers");
        for (voucher, number) in tickets(&folder) {
            let known = self.asked.contains_key(&voucher) || self.paid.contains_key(&voucher);
            if !known && voucher % 2 == 0 {
                self.asked.insert(voucher, number);
            }
        }
        self.all_again(&staff).await;
    }

    async fn all_again(&mut self, staff: &Staff) {
        for (request, adjustment) in &mut self.adjustments {
            if !adjustment.done {
                adjustment.done = adjust(staff, *request, adjustment).await;
            }
        }
        for (voucher, number) in std::mem::take(&mut self.asked) {
            match redeem(staff.of("cashier"), voucher, &number).await {
                Some(amount) => {
                    self.paid.insert(voucher, amount);
                }
                None => {
                    self.asked.insert(voucher, number);
                }
            }
        }
    }

    /// All of it is answered.
    pub(crate) async fn finish(&mut self, site: &Site, address: SocketAddr) {
        let staff = self.people.log_in(site, address, &POSITIONS).await;
        self.all_again(&staff).await;
        let open = self.adjustments.iter().filter(|(_, a)| !a.done);
        let open: Vec<u64> = open.map(|(request, _)| *request).collect();
        assert!(open.is_empty(), "adjustments {open:?} are not answered");
        assert!(
            self.asked.is_empty(),
            "vouchers {:?} are not answered",
            self.asked
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

/// Pays a voucher at the cage; nothing when the house died on the way.
async fn redeem(cashier: &Http, voucher: u64, number: &str) -> Option<i64> {
    let body = json!({"request": voucher, "number": number, "currency": "SGD"});
    let said = cashier
        .ask("POST", "/api/cage/redemptions", Some(&body))
        .await;
    let said = said.ok()?;
    let answer: Value = said.json();
    assert_eq!(said.status, 200, "voucher {voucher}: {}", said.text);
    Some(answer["amount"].as_i64().expect("what was paid"))
}
