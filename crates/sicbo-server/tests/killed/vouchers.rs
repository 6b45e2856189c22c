//! Killed while a voucher is printed, issued or redeemed: it is finished once
//! after the restart (J-05, S-12, S-14, P-080).

use std::io::Read;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::{Value, json};

use crate::common::SOON;
use crate::common::dealing::Table;
use crate::common::house::{Site, TableSpec};
use crate::common::http::Http;
use crate::common::people::Staff;
use crate::common::proof;
use crate::common::terminal::{Terminal, number_on};

/// A printer on the network. It stops in the middle of the first ticket and
/// keeps the line; later tickets it prints whole.
struct Printer {
    address: SocketAddr,
    stalled: Receiver<TcpStream>,
    tickets: Receiver<Vec<u8>>,
}

fn print(listener: &TcpListener, stalled: &Sender<TcpStream>, tickets: &Sender<Vec<u8>>) {
    let (mut first, _) = listener.accept().expect("the house connects");
    first
        .read_exact(&mut [0; 40])
        .expect("the start of a ticket");
    let _ = stalled.send(first);
    loop {
        let (mut line, _) = listener.accept().expect("the house connects");
        let mut ticket = Vec::new();
        if line.read_to_end(&mut ticket).is_ok() && tickets.send(ticket).is_err() {
            return;
        }
    }
}

impl Printer {
    fn start() -> Printer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let ((stall, stalled), (ticket, tickets)) = (channel(), channel());
        std::thread::spawn(move || print(&listener, &stall, &ticket));
        Printer {
            address,
            stalled,
            tickets,
        }
    }
}

/// Every voucher the house knows, once none of them moves any more.
async fn settled_vouchers(staff: &Staff) -> Vec<Value> {
    let look = async {
        loop {
            let shown = staff.of("cashier").get("/api/cage/vouchers").await;
            let shown = shown.as_array().expect("a list").clone();
            let moves = |v: &Value| {
                matches!(
                    v["state"].as_str(),
                    Some("reserved" | "issued" | "returning" | "redeeming")
                )
            };
            if !shown.iter().any(moves) {
                return shown;
            }
            // The register has no event for those outside.
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let found = tokio::time::timeout(SOON, look).await;
    found.expect("vouchers in transit are finished")
}

async fn redeem(cashier: &Http, request: u64, number: &str) -> (u16, Value) {
    let body = json!({"request": request, "number": number, "currency": "SGD"});
    let said = cashier.post("/api/cage/redemptions", &body).await;
    (said.status, said.json())
}

#[tokio::test]
async fn j_05_killed_in_mid_print_the_voucher_is_finished_once_and_marked_a_duplicate() {
    let printer = Printer::start();
    let mut spec = TableSpec::by_hand("mbs-etg", &[("rapid", 1)]);
    spec.printer = Some(printer.address);
    let site = Site::of(vec![spec]);
    let house = site.start();
    let staff = site.staff(&house);
    Table::new(&site.tables[0], &staff).open().await;
    let token = site.token("mbs-etg", 0);
    let mut player = Terminal::connect(house.address, &token, None).await;
    player.insert_note(1, 10_000).await;
    player
        .send(json!({"type": "cash_out", "request": 2, "amount": 10_000}))
        .await;
    let half = tokio::task::spawn_blocking(move || {
        let half = printer.stalled.recv_timeout(SOON).expect("a ticket begins");
        (half, printer.tickets)
    });
    let (half, tickets) = half.await.expect("the printer");
    player.catch_up();
    assert!(
        !player.replies.contains_key(&2),
        "nothing is said before it is out"
    );
    house.kill();
    drop(half);

    let house = site.start();
    let staff = site.staff(&house);
    let shown = settled_vouchers(&staff).await;
    assert_eq!(shown.len(), 1, "{shown:?}");
    has!(shown[0], {"state": "printed", "amount": 10_000});
    let ticket = tickets.recv_timeout(SOON).expect("printed again");
    let ticket = String::from_utf8_lossy(&ticket).into_owned();
    assert!(ticket.contains("DUPLICATE"), "S-12: marked as a duplicate");
    assert!(tickets.try_recv().is_err(), "printed once more, not twice");
    let player = Terminal::connect(house.address, &token, Some(player.version)).await;
    assert_eq!(player.credit(), 0, "the credit is on the voucher");

    let number = number_on(&ticket);
    let cashier = staff.of("cashier");
    let (status, paid) = redeem(cashier, 1, &number).await;
    assert_eq!((status, &paid["amount"]), (200, &json!(10_000)), "{paid}");
    assert_eq!(redeem(cashier, 1, &number).await.0, 200, "the same request");
    let (status, again) = redeem(cashier, 2, &number).await;
    assert_eq!(
        (status, again["code"].as_str()),
        (409, Some("voucher_already_paid"))
    );
    house.stop();
    nothing_is_owed(&site);
}

/// The house is clean, and no voucher is under way or unpaid.
fn nothing_is_owed(site: &Site) {
    let clean = proof::clean(&site.data());
    assert!(clean.vouchers.in_transit.is_empty());
    assert!(
        clean
            .vouchers
            .outstanding
            .iter()
            .all(|(_, owed)| owed.minor() == 0)
    );
}

#[tokio::test]
async fn j_05_killed_between_the_steps_of_vouchers_nothing_is_lost_or_paid_twice() {
    let site = Site::of(vec![
        TableSpec::by_hand("mbs-etg", &[("rapid", 1)]),
        TableSpec::by_hand("rws-etg", &[("a", 1)]),
    ]);
    let mut house = site.start();
    let staff = site.staff(&house);
    for spec in &site.tables {
        Table::new(spec, &staff).open().await;
    }
    let (from, to) = (site.token("mbs-etg", 0), site.token("rws-etg", 0));
    let mut player = Terminal::connect(house.address, &from, None).await;
    player.insert_note(1, 100_000).await;
    let mut out = 0;
    // Killed as soon as it was asked for, and as soon as the credit is gone.
    for (request, wait) in [(2, false), (3, true), (4, false), (5, true)] {
        let ask = json!({"type": "cash_out", "request": request, "amount": 1_000});
        player.send(ask.clone()).await;
        let left = 100_000 - out - 1_000;
        if wait {
            player
                .until("the credit to go", |t| t.credit() == left)
                .await;
        }
        house.kill();
        house = site.start();
        player = Terminal::connect(house.address, &from, Some(player.version)).await;
        let gone = 100_000 - out - player.credit();
        assert!(gone == 1_000 || (gone == 0 && !wait), "{gone}");
        if gone == 1_000 {
            // Nobody heard an answer: asked again it is the same voucher.
            player.send(ask).await;
            player
                .until("the answer", |t| t.replies.contains_key(&request))
                .await;
            let said = &player.replies[&request];
            assert_eq!(said["type"], "voucher", "{said}");
            assert_eq!(player.credit(), 100_000 - out - 1_000, "not charged twice");
        }
        out += gone;
        let staff = site.staff(&house);
        let shown = settled_vouchers(&staff).await;
        let good: i64 = shown
            .iter()
            .filter(|v| v["state"] == "printed")
            .map(|v| v["amount"].as_i64().expect("an amount"))
            .sum();
        assert_eq!(good, out, "what left the station is on vouchers: {shown:?}");
    }
    assert!(out >= 2_000, "the waited ones are out");
    // Redeemed elsewhere while the program dies; sent again, it is the same.
    let staff = site.staff(&house);
    let shown = settled_vouchers(&staff).await;
    let mut credit = 0;
    for (nth, voucher) in shown.iter().filter(|v| v["state"] == "printed").enumerate() {
        let id = voucher["voucher"].as_u64().expect("its number");
        let path = format!("/api/station/vouchers/{id}/ticket.svg");
        let asked = Http::terminal(house.address, &from);
        let ticket = asked.ask("GET", &path, None).await.expect("up");
        let number = number_on(&ticket.body);
        let mut there = Terminal::connect(house.address, &to, None).await;
        let redeem = json!({"type": "redeem", "request": id, "number": number});
        there.send(redeem.clone()).await;
        if nth % 2 == 1 {
            there
                .until("credit", |t| t.credit() == credit + 1_000)
                .await;
        }
        house.kill();
        house = site.start();
        credit += 1_000;
        let mut there = Terminal::connect(house.address, &to, Some(there.version)).await;
        there.send(redeem).await;
        let said = there.reply(id).await;
        assert_eq!(said["type"], "done", "{said}");
        there.until("credit", |t| t.credit() >= credit).await;
        assert_eq!(there.credit(), credit, "credited once");
        // With another request it is another redemption.
        there
            .send(json!({"type": "redeem", "request": id + 1_000, "number": number}))
            .await;
        let said = there.reply(id + 1_000).await;
        assert_eq!(said["code"], "voucher_already_paid", "{said}");
    }
    assert_eq!(credit, out);
    house.stop();
    nothing_is_owed(&site);
}
