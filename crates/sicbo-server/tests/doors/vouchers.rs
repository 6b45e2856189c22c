//! Vouchers over the wire: not guessed, not paid twice.

use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::{Answer, get, post};
use super::ws::Socket;

/// A number whose check digits are right.
fn number(payload: u64) -> String {
    let hundreds = payload * 100;
    format!("{:018}", hundreds + (98 - hundreds % 97))
}

/// Inserts a note and cashes out; the voucher's number in the house.
pub fn issue(house: &House, terminal: usize, amount: i64) -> u64 {
    let mut socket = cashes_out(house, terminal, amount);
    socket.until("voucher")["voucher"]
        .as_u64()
        .expect("a voucher")
}

/// Inserts a note and asks for a voucher.
pub fn cashes_out(house: &House, terminal: usize, amount: i64) -> Socket<TcpStream> {
    let mut socket = house.seated(terminal);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    let said = socket.until("done");
    assert_eq!(said["request"], 1);
    // A request's number is used once.
    static REQUESTS: AtomicU64 = AtomicU64::new(1_000);
    let request = REQUESTS.fetch_add(1, Ordering::Relaxed);
    socket.say(&json!({"type": "cash_out", "request": request, "amount": amount}));
    socket
}

/// The digits on the paper, as the simulated printer shows them.
pub fn digits(house: &House, terminal: usize, voucher: u64) -> String {
    let header = format!("Authorization: Bearer {}", house.terminal(terminal));
    let path = format!("/api/station/vouchers/{voucher}/ticket.svg");
    let said = get(house, &path, &[&header]).is(200);
    let text: String = said.body.clone();
    let found = text.split(['>', '<', ' ', '"']).find(|word| {
        let plain: String = word.chars().filter(char::is_ascii_digit).collect();
        plain.len() == 18 && word.chars().all(|c| c.is_ascii_digit() || c == '-')
    });
    found.expect("a validation number").replace('-', "")
}

pub fn redeem(house: &House, cookie: &str, request: u64, number: &str, claimed: Value) -> Answer {
    let mut body = json!({"request": request, "number": number, "currency": "SGD"});
    if !claimed.is_null() {
        body["claimed"] = claimed;
    }
    post(house, "/api/cage/redemptions", &[cookie], &body)
}

#[test]
fn s_15_numbers_that_do_not_exist_lock_the_window_that_tries_them() {
    let house = House::brisk();
    let voucher = issue(&house, 1, 2000);
    let paper = digits(&house, 1, voucher);
    let one = house.session("Chua Mei Fong");
    let two = house.session("Daniel Seah");
    // A misread number is no guess.
    for _ in 0..10 {
        redeem(&house, &one, 1, "123456789012345678", Value::Null).coded("misread");
    }
    let codes: Vec<String> = (0..7)
        .map(|guess| redeem(&house, &one, guess, &number(4_000 + guess), Value::Null).code())
        .collect();
    assert_eq!(&codes[..5], &["voucher_not_found"; 5], "{codes:?}");
    assert_eq!(&codes[5..], &["locked_out"; 2], "{codes:?}");
    // Also for a number that exists; at the other window it is paid.
    assert_eq!(redeem(&house, &one, 9, &paper, Value::Null).status, 429);
    assert_eq!(redeem(&house, &two, 9, &paper, Value::Null).status, 200);
    // The same at a terminal.
    let mut socket = house.seated(2);
    let mut said = Vec::new();
    for guess in 0..6 {
        socket.say(&json!({"type": "redeem", "request": guess, "number": number(9_000 + guess)}));
        let told = socket.find("declined", |told| told["request"] == guess);
        said.push(told["code"].as_str().unwrap_or_default().to_owned());
    }
    assert_eq!(said[4..], ["voucher_not_found", "locked_out"], "{said:?}");
    house.goes_on_dealing();
    house.ends_clean();
}

#[test]
fn s_14_a_voucher_is_paid_once_and_every_other_case_is_told_apart() {
    let house = House::quick();
    let voucher = issue(&house, 1, 2000);
    let paper = digits(&house, 1, voucher);
    let one = house.session("Chua Mei Fong");
    let two = house.session("Daniel Seah");
    redeem(&house, &one, 1, &paper, json!(19_99)).refuses(409, "voucher_amount_differs");
    let other = json!({"request": 1, "number": paper, "currency": "VND"});
    post(&house, "/api/cage/redemptions", &[&one], &other).coded("voucher_currency_differs");
    let said = redeem(&house, &one, 1, &paper, json!(2000));
    assert_eq!(
        (said.status, said.json()["amount"].clone()),
        (200, json!(2000))
    );
    // The same request again is the same payment; another one is none.
    let again = redeem(&house, &one, 1, &paper, json!(2000));
    assert_eq!(
        again.json(),
        json!({"voucher": voucher, "amount": 2000, "again": true})
    );
    assert_eq!(said.json()["again"], false);
    for (cookie, request) in [(&one, 2), (&two, 1), (&two, 2)] {
        redeem(&house, cookie, request, &paper, Value::Null).refuses(409, "voucher_already_paid");
    }
    let mut socket = house.seated(2);
    socket.say(&json!({"type": "redeem", "request": 1, "number": paper}));
    assert_eq!(socket.until("declined")["code"], "voucher_already_paid");
    redeem(&house, &one, 3, &number(77), Value::Null).coded("voucher_not_found");
    // What the station recalls never shows the whole number.
    let header = format!("Authorization: Bearer {}", house.terminal(1));
    let recalled = get(&house, "/api/station/vouchers", &[&header]).body;
    assert!(!recalled.contains(&paper[..14]), "{recalled}");
    let listed = get(&house, "/api/cage/vouchers", &[&one]);
    assert_eq!(listed.json()[0]["state"], "redeemed");
    assert!(!listed.body.contains(&paper));
    house.ends_clean();
}

#[test]
fn p_080_a_request_has_one_answer_however_often_it_arrives() {
    let house = House::quick();
    let cash_out =
        |request, amount| json!({"type": "cash_out", "request": request, "amount": amount});
    let mut socket = house.seated(1);
    socket.say(&cash_out(70, 2_000));
    let first = socket.answer(70);
    assert_eq!(first["code"], "insufficient_credit");
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    // By now it could be done, but the player was told that it was not; also
    // when the line broke in between.
    socket.say(&cash_out(70, 2_000));
    assert_eq!(socket.answer(70), first);
    drop(socket);
    let mut socket = house.seated(1);
    socket.say(&cash_out(70, 2_000));
    assert_eq!(socket.answer(70), first);
    // The second asks while the ticket of the first is being printed.
    socket.say(&cash_out(71, 1_000));
    socket.say(&cash_out(72, 1_000));
    let first = socket.answer(72);
    socket.say(&cash_out(71, 1_000));
    assert_eq!(socket.answer(71)["type"], "voucher");
    socket.say(&cash_out(72, 1_000));
    assert_eq!(socket.answer(72), first);
    for _ in 0..2 {
        socket.say(&json!({"type": "redeem", "request": 73, "number": "123456789012345678"}));
        assert_eq!(socket.answer(73)["code"], "misread");
    }
    house.ends_clean();
}

#[test]
fn p_080_two_windows_and_a_terminal_at_once_pay_once() {
    let house = House::quick();
    for round in 0..3_u64 {
        let voucher = issue(&house, 1, 2000);
        let paper = digits(&house, 1, voucher);
        let cookies = [house.session("Chua Mei Fong"), house.session("Daniel Seah")];
        let mut socket = house.seated(2);
        let before = get(&house, &format!("/api/tables/{TABLE}"), &[]).status;
        assert_eq!(before, 200);
        let paid: usize = std::thread::scope(|scope| {
            let windows: Vec<_> = cookies
                .iter()
                .flat_map(|cookie| (0..3).map(move |request| (cookie, request)))
                .map(|(cookie, request)| {
                    let (house, paper) = (&house, &paper);
                    scope.spawn(move || {
                        let request = 100 * round + request;
                        usize::from(
                            redeem(house, cookie, request, paper, Value::Null).status == 200,
                        )
                    })
                })
                .collect();
            socket.say(&json!({"type": "redeem", "request": round, "number": paper}));
            let told = loop {
                match socket.next() {
                    super::ws::Frame::Text(told) if told["request"] == round => break told,
                    super::ws::Frame::Gone => panic!("gone"),
                    _ => {}
                }
            };
            let at_terminal = usize::from(told["type"] == "done");
            at_terminal
                + windows
                    .into_iter()
                    .map(|w| w.join().expect("asked"))
                    .sum::<usize>()
        });
        assert_eq!(paid, 1, "voucher {voucher}");
    }
    house.ends_clean();
}

#[test]
fn p_081_only_a_voucher_without_a_paper_is_paid_without_one() {
    let house = House::quick();
    let voucher = issue(&house, 1, 2000);
    let cashier = house.session("Chua Mei Fong");
    let _supervisor = house.session("Lim Siew Hoon");
    let path = format!("/api/cage/vouchers/{voucher}/pay");
    let body = json!({"request": 1, "second_name": "Lim Siew Hoon", "second_pin": "000000"});
    post(&house, &path, &[&cashier], &body).coded("voucher_not_kept");
    let path = "/api/cage/vouchers/99/pay";
    assert_eq!(post(&house, path, &[&cashier], &body).status, 404);
    house.ends_clean();
}

#[test]
fn s_13_a_cash_out_sent_again_is_the_same_voucher() {
    let house = House::quick();
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    let ask = |request: u64| json!({"type": "cash_out", "request": request, "amount": 2000});
    socket.say(&ask(2));
    let first = socket.until("voucher");
    socket.say(&ask(2));
    assert_eq!(socket.until("voucher"), first);
    // Another line, the same station: still the same request.
    drop(socket);
    let mut socket = house.seated(1);
    socket.say(&ask(2));
    assert_eq!(socket.until("voucher"), first);
    socket.say(&ask(3));
    assert_ne!(socket.until("voucher")["voucher"], first["voucher"]);
    let mine = house.greeted(1).until("mine");
    assert_eq!(mine["mine"]["credit"], 6000, "{mine}");
    house.ends_clean();
}
