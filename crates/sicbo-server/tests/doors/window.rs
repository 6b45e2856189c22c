//! Vouchers at a window of the cage that take two persons: in a house for real money the second
//! confirms on a screen of their own, and no PIN typed at the window is one.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use super::house::{House, own_pin};
use super::http::{Answer, get, post};
use super::real_money::real;
use crate::common::comes;

/// A printer on the network that takes no connection: it listens, and its queue is full.
struct Stuck {
    listens: TcpListener,
    _queue: Vec<TcpStream>,
}

impl Stuck {
    fn open() -> Stuck {
        let listens = TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = listens.local_addr().expect("its address");
        let waits = Duration::from_millis(300);
        let queue = std::iter::from_fn(|| TcpStream::connect_timeout(&at, waits).ok());
        Stuck {
            _queue: queue.take(10_000).collect(),
            listens,
        }
    }

    fn address(&self) -> SocketAddr {
        self.listens.local_addr().expect("its address")
    }
}

fn propose(house: &House, who: &str, act: &Value) -> Answer {
    post(house, "/api/proposals", &[who], act)
}

fn confirm(house: &House, who: &str, proposed: &Value) -> Answer {
    let path = format!("/api/proposals/{}/confirm", proposed["proposal"]);
    post(house, &path, &[who], &json!({"digest": proposed["digest"]}))
}

fn credit(house: &House, who: &str, request: u64) {
    let act = json!({"act": "buy_credit", "request": request, "station": 0, "source": "cage",
        "amount": 5_000});
    house.act(who, &act).is(200);
}

/// The state of the newest voucher.
fn newest(house: &House, who: &str) -> Value {
    get(house, "/api/cage/vouchers", &[who]).is(200).json()[0].clone()
}

/// The last record of the house's own journal.
fn last_record(data: &Path) -> i64 {
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let file = Connection::open_with_flags(data.join("journal/house.sqlite"), read);
    let last = "SELECT max(last_sequence) FROM blocks";
    let last = file.and_then(|file| file.query_row(last, [], |row| row.get(0)));
    last.expect("records")
}

/// When the newest head of the tree was signed, if it is over this record.
fn head_over(data: &Path, record: i64) -> Option<i64> {
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let file = Connection::open_with_flags(data.join("tree/tree.sqlite"), read).ok()?;
    let newest = "SELECT time_ms FROM heads WHERE size = (SELECT max(size) FROM heads) AND ?1 <= \
                  (SELECT max(last_sequence) FROM leaves WHERE stream = 'house' AND place < size)";
    file.query_row(newest, [record], |row| row.get(0)).ok()
}

#[test]
fn p_081_a_kept_voucher_is_paid_by_a_second_person_on_a_screen_of_their_own() {
    let printer = Stuck::open();
    let stuck = format!("printer = {{ tcp = \"{}\" }}", printer.address());
    let house = House::of(&real().replace("printer = { file = \"/dev/null\" }", &stuck));
    let (shift, dealer) = (house.staff("shift-manager"), house.staff("dealer"));
    let (cashier, supervisor) = (house.staff("cashier"), house.staff("pit-supervisor"));
    house.open_table(&shift);
    credit(&house, &cashier, 1);
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "cash_out", "request": 2, "amount": 5_000}));
    comes("the credit is on its way", || {
        (newest(&house, &cashier)["state"] == "issued").then_some(())
    });
    // Somebody else buys in before the printer has given up: the credit cannot go back.
    credit(&house, &cashier, 3);
    let kept = comes("it is kept", || {
        Some(newest(&house, &cashier)).filter(|one| one["state"] == "kept")
    });

    // The supervisor's PIN, seen as it was typed at this window, pays nothing.
    let path = format!("/api/cage/vouchers/{}/pay", kept["voucher"]);
    let name = "Lim Siew Hoon";
    let typed = json!({"request": 4, "second_name": name, "second_pin": own_pin(name)});
    post(&house, &path, &[&cashier], &typed).refuses(403, "own_screen_needed");
    // Proposed at a window, over what the voucher is over, and confirmed by another.
    let pay = |amount: i64| json!({"act": "pay_kept", "request": 4, "voucher": kept["voucher"], "amount": amount});
    propose(&house, &cashier, &pay(500_000)).refuses(409, "amount_differs");
    for elsewhere in [&dealer, &shift] {
        propose(&house, elsewhere, &pay(5_000)).refuses(403, "place_does_not_fit");
    }
    let proposed = propose(&house, &cashier, &pay(5_000)).is(201).json();
    let shown = get(&house, "/api/proposals", &[&supervisor]).is(200).json();
    assert_eq!(shown[0]["amount"], 5_000, "{shown}");
    confirm(&house, &cashier, &proposed).refuses(409, "same_person_twice");
    confirm(&house, &dealer, &proposed).refuses(403, "not_authorised");
    assert_eq!(newest(&house, &cashier)["state"], "kept");
    let data = house.folder.path().join("data");
    // A head that something else was the reason of, so that the next such one is five seconds away.
    house.session("Goh Boon Keng");
    let known = last_record(&data);
    let before_ms = comes("no head", || head_over(&data, known));
    let mut looked_ms = before_ms;
    let mut longest_ms = 0;
    let mut look = || {
        let now_ms = sicbo_clock::now_ms();
        longest_ms = longest_ms.max(now_ms - looked_ms);
        looked_ms = now_ms;
    };
    look();
    confirm(&house, &supervisor, &proposed).is(200);
    look();
    let paid = last_record(&data);
    let covered_ms = comes("the payment is under no head", || {
        look();
        head_over(&data, paid)
    });
    // Whoever looks a second late on a busy machine may see only the next head, which is due by itself.
    assert!(
        longest_ms > 1_000 || covered_ms - before_ms < 4_900,
        "only with the next head"
    );
    assert_eq!(newest(&house, &cashier)["state"], "redeemed");
    // Confirmed again it is the same payment, and proposed again it is none.
    confirm(&house, &supervisor, &proposed).is(200);
    propose(&house, &cashier, &pay(5_000)).refuses(409, "voucher_not_kept");
    house.ends_clean();
}

#[test]
fn s_18_a_voucher_is_made_void_by_a_second_person_on_a_screen_of_their_own() {
    let house = House::of(&real());
    let (desk, supervisor) = (house.staff("shift-manager"), house.staff("pit-supervisor"));
    let cashier = house.staff("cashier");
    house.open_table(&desk);
    credit(&house, &cashier, 1);
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "cash_out", "request": 2, "amount": 5_000}));
    let voucher = socket.until("voucher")["voucher"].clone();
    let act = json!({"act": "void_voucher", "voucher": voucher, "reason": "torn"});
    propose(&house, &desk, &act).refuses(403, "place_does_not_fit");
    // The shift manager goes to a window.
    let bearer = format!("Authorization: Bearer {}", house.token("cage window 1"));
    let body = json!({"name": "Goh Boon Keng", "pin": own_pin("Goh Boon Keng")});
    let window = post(&house, "/api/session", &[&bearer], &body)
        .is(200)
        .cookie();
    let path = format!("/api/cage/vouchers/{voucher}/void");
    let name = "Lim Siew Hoon";
    let typed = json!({"reason": "torn", "second_name": name, "second_pin": own_pin(name)});
    post(&house, &path, &[&window], &typed).refuses(403, "own_screen_needed");
    let proposed = propose(&house, &window, &act).is(201).json();
    confirm(&house, &window, &proposed).refuses(409, "same_person_twice");
    confirm(&house, &supervisor, &proposed).is(200);
    assert_eq!(newest(&house, &cashier)["state"], "void");
    house.ends_clean();
}
