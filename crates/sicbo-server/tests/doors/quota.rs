//! A terminal cannot fill the disk: what it may have written in a round is
//! bounded, and what it asked before is answered all the same.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use sicbo_journal::Store as _;
use sicbo_proof::source::{self, Journals};
use sicbo_register::codec::KINDS;

use super::house::{House, plan};
use super::ws::{Frame, Socket};

/// Longer than any test takes: a round ends when a test has it end.
const WINDOW: Duration = Duration::from_secs(300);

fn busy_house(more: &str) -> House {
    let window = format!("window_seconds = {}", WINDOW.as_secs());
    House::of(&plan(more).replace("window_seconds = 5", &window))
}

struct Busy<'h> {
    house: &'h House,
    socket: Socket<TcpStream>,
    next: u64,
    round: u64,
}

impl<'h> Busy<'h> {
    fn sits(house: &'h House) -> Busy<'h> {
        let mut socket = house.seated(1);
        socket.say(&json!({"type": "insert_note", "request": 1, "amount": 100_000}));
        socket.until("done");
        Busy {
            house,
            socket,
            next: 10,
            round: 0,
        }
    }

    /// The next frame that is so; the round that takes bets is followed.
    fn find(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.socket.next() {
                Frame::Ping => drop(self.socket.frame(0x8a, b"")),
                Frame::Text(said) => {
                    let round = &said["state"]["round"];
                    if round["phase"] == "betting" {
                        self.round = round["number"].as_u64().expect("a number");
                    }
                    if round["phase"] == "closing" {
                        let shown = json!({"type": "shown", "round": round["number"]});
                        self.socket.say(&shown);
                    }
                    if is_so(&said) {
                        return said;
                    }
                }
                Frame::Pong => {}
                end => panic!("{end:?}"),
            }
        }
    }

    /// The round ends, and the next takes bets.
    fn next_round(&mut self) -> u64 {
        let before = self.round;
        self.house.skip(WINDOW);
        self.find(|said| {
            let round = &said["state"]["round"];
            round["phase"] == "betting" && round["number"].as_u64() > Some(before)
        });
        self.round
    }

    fn says(&mut self, message: Value) -> Value {
        let id = message["id"].clone();
        self.socket.say(&message);
        self.find(|said| said["id"] == id)
    }

    fn bets(&mut self, round: u64, lines: usize) -> Value {
        self.next += 1;
        self.says(bet(self.next, round, lines))
    }
}

fn bet(id: u64, round: u64, lines: usize) -> Value {
    let lines = vec![json!({"section": "big", "stake": 100}); lines];
    json!({"type": "bet", "id": id, "round": round, "lines": lines})
}

/// Bets and takes back within one round until that is too much; how often it
/// was registered, and the last answer. None when the round ended before.
fn until_refused(busy: &mut Busy<'_>, lines: usize) -> Option<(u64, Value)> {
    let round = busy.next_round();
    let mut registered = 0;
    loop {
        let bet = busy.bets(round, lines);
        if bet["type"] == "refused" {
            let reached = bet["code"] == "quota_reached";
            return reached.then_some((registered, bet));
        }
        registered += 1;
        busy.next += 1;
        let clear = json!({"type": "clear", "id": busy.next, "round": round});
        let cleared = busy.says(clear);
        if cleared["type"] == "refused" {
            let reached = cleared["code"] == "quota_reached";
            return reached.then_some((registered, cleared));
        }
        registered += 1;
    }
}

fn refused_within(busy: &mut Busy<'_>, lines: usize) -> (u64, Value) {
    let mut rounds = 0..10;
    rounds
        .find_map(|_| until_refused(busy, lines))
        .expect("too much for one round")
}

#[test]
fn a_terminal_that_acts_too_often_waits_for_the_next_round() {
    let house = busy_house("terminal_acts_per_round = 50");
    let mut busy = Busy::sits(&house);
    let (registered, said) = refused_within(&mut busy, 1);
    // The acknowledgement of the last close may be among those counted.
    assert!((45..=50).contains(&registered), "{registered}");
    let words = said["words"].as_str().expect("words");
    assert!(words.contains("50 times in a round"), "{words}");
    // What was asked before is answered all the same.
    let (id, round) = (busy.next, busy.round);
    let known = json!({"type": "clear", "id": id - 1, "round": round});
    let again = match said["id"] == id {
        true => busy.says(bet(id - 1, round, 1)),
        false => busy.says(known),
    };
    assert_ne!(again["code"], "quota_reached", "{again}");
    // Money can be taken out.
    busy.socket
        .say(&json!({"type": "cash_out", "request": 2, "amount": 1_000}));
    busy.find(|said| said["type"] == "voucher" && said["request"] == 2);
    // And the next round begins anew.
    let round = busy.next_round();
    let said = busy.bets(round, 1);
    assert_ne!(said["code"], "quota_reached", "{said}");
    house.ends_clean();
}

#[test]
fn a_terminal_that_has_too_much_written_waits_for_the_next_round() {
    let house = busy_house("terminal_kilobytes_per_round = 16");
    let mut busy = Busy::sits(&house);
    let (registered, said) = refused_within(&mut busy, 40);
    // Forty lines and their removal are about 620 bytes in two acts.
    assert!((40..=56).contains(&registered), "{registered}");
    let words = said["words"].as_str().expect("words");
    assert!(words.contains("16384 bytes"), "{words}");
    let round = busy.next_round();
    assert_ne!(busy.bets(round, 1)["code"], "quota_reached");
    house.ends_clean();
}

/// What the house's own journal holds in records, but for those that are written
/// by the clock.
fn house_records(house: &House) -> u64 {
    let journals = Journals::folder(&house.folder.path().join("data")).expect("a folder");
    let mut own = journals.tables_first();
    let (stream, path) = own.find(|(name, _)| name.as_str() == "house").expect("it");
    let store = source::open(stream, path).expect("a journal");
    let blocks = store.read_from(1);
    let records = blocks.map(|raw| {
        let block = raw.expect("readable").decode().expect("a block");
        let of_clock = |kind| {
            KINDS
                .iter()
                .any(|k| k.kind == kind && matches!(k.name, "TableReached" | "SecurityNoted"))
        };
        let asked = block.records().filter(|record| !of_clock(record.kind));
        asked.count() as u64
    });
    records.sum()
}

#[test]
fn more_than_the_credit_is_refused_before_anything_is_written_and_all_of_it_always_goes_out() {
    let house = busy_house("terminal_acts_per_round = 50");
    let mut busy = Busy::sits(&house);
    let before = house_records(&house);
    for request in 100..200 {
        let more = json!({"type": "cash_out", "request": request, "amount": 100_001});
        busy.socket.say(&more);
        let said = busy.find(|said| said["request"] == request);
        assert_eq!(said["code"], "insufficient_credit", "{said}");
    }
    assert_eq!(house_records(&house), before);

    // Out of acts, and of those in reserve too.
    refused_within(&mut busy, 1);
    let (mut request, mut left) = (1_000, 100_000);
    loop {
        request += 1;
        busy.socket
            .say(&json!({"type": "cash_out", "request": request, "amount": 100}));
        let said = busy.find(|said| said["request"] == request && said["type"] != "printing");
        match said["type"].as_str() {
            Some("voucher") => left -= 100,
            // A bet of the last round may still stand.
            _ if said["code"] == "quota_reached" => break,
            _ => assert_ne!(said["code"], "insufficient_credit", "{said}"),
        }
        assert!(request < 1_200, "cashes out without end");
    }
    // What was done is told again, and the rest goes out at once.
    busy.socket
        .say(&json!({"type": "cash_out", "request": 1_001, "amount": 100}));
    busy.find(|said| said["request"] == 1_001 && said["type"] == "voucher");
    busy.socket
        .say(&json!({"type": "cash_out", "request": 5_000, "amount": left}));
    let said = busy.find(|said| said["request"] == 5_000 && said["type"] != "printing");
    assert_eq!(said["type"], "voucher", "{said}");
    house.ends_clean();
}

#[test]
fn the_number_of_a_note_far_ahead_shuts_no_later_note_out() {
    let house = busy_house("");
    let mut busy = Busy::sits(&house);
    let note = |request: u64| json!({"type": "insert_note", "request": request, "amount": 5_000});
    busy.socket.say(&note(u64::MAX));
    let said = busy.find(|said| said["request"] == u64::MAX);
    assert_eq!(said["code"], "note_refused", "{said}");
    for request in 2..30 {
        busy.socket.say(&note(request));
        let said = busy.find(|said| said["request"] == request);
        assert_eq!(said["type"], "done", "{said}");
    }
    house.ends_clean();
}
