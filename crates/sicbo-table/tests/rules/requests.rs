//! What staff ask for twice under one number is done once.

use sicbo_table::notes::MAX_NOTES;
use sicbo_table::requests::REMEMBERED;
use sicbo_table::snapshot;

use crate::rules::script::check;

/// Every act by which staff move money: where, before, the line, the same line
/// with something else in it.
const MOVES: &[(&str, &str, &str, &str)] = &[
    (
        "mbs-etg",
        "",
        "credit T1 5.00 cage",
        "credit T1 5.00 attendant",
    ),
    ("mbs-etg", "", "transfer T1 5.00", "transfer T1 6.00"),
    ("mbs-etg", "", "handpay T1 5.00", "handpay T1 6.00"),
    (
        "mbs-etg",
        "",
        "adjust T1 5.00 owed",
        "adjust T1 5.00 not owed",
    ),
    ("mbs-table", "", "chips bought 5.00", "chips tip 5.00"),
    (
        "mbs-table",
        "",
        "chips fill 5.00 slip-1",
        "chips fill 5.00 slip-2",
    ),
    (
        "mbs-table",
        "colour T1 red 5.00",
        "colours T1 bought 5.00",
        "colours T1 bought 10.00",
    ),
    (
        "mbs-etg",
        "to-betting\n bet T1 b1 big 10.00\n round 6 5 1\n correct 1 1 1 2 by pit-supervisor Sue and dealer Dan",
        "recover 1 1.00",
        "recover 1 2.00",
    ),
    (
        "mbs-etg",
        "to-betting\n bet T1 b1 big 10.00\n round 6 5 1\n correct 1 1 1 2 by pit-supervisor Sue and dealer Dan",
        "waive 1 goodwill",
        "waive 1 error",
    ),
    (
        "mbs-table",
        "to-betting\n bet T1 b1 big 10.00\n round 1 1 2\n to-betting\n round 1 1 2\n correct 1 6 5 1 by director Dora and pit-supervisor Sue",
        "pay-unclaimed 1",
        "recover 1 1.00",
    ),
];

/// Two persons who between them may do all of it.
const WHO: &str = "by director Dora and pit-supervisor Sue";
/// A dealer's own, where nobody else may.
const DEALER: &str = "by dealer Dora";

fn table(book: &str) -> String {
    let layout = if book == "mbs-etg" { "rapid" } else { "a" };
    format!("table {book}\n station T1 {layout}\n station T2 {layout}\n fund T1 1000.00\n")
}

#[test]
fn money_that_staff_move_moves_once_however_often_it_is_asked_for() {
    for (book, before, line, other) in MOVES {
        let who = if line.starts_with("colours") {
            DEALER
        } else {
            WHO
        };
        let run = check(&format!(
            "{} {before}
            {line} request 7 {who}
            {line} request 7 {who}     again
            {line} request 7 {who}     again
            {other} request 7 {who}    refused request_reused",
            table(book)
        ));
        // What is remembered is part of the state that a restart reads back.
        let kept = snapshot::decode(&snapshot::encode(&run.table)).expect("a snapshot");
        assert_eq!(kept, run.table, "{line}");
        assert!(!kept.requests.is_empty());
    }
}

#[test]
fn another_number_or_another_person_is_another_request() {
    check(
        "table mbs-etg
        station T1 rapid
        credit T1 5.00 cage request 7
        credit T1 5.00 cage request 8
        credit T1 5.00 cage request 7 by cashier Cat
        credit T1 5.00 cage request 7 by cashier Cat    again
        balance T1 15.00
        # No number is no request: two notes are two notes.
        credit T1 5.00 cash request 0
        credit T1 5.00 cash request 0
        balance T1 25.00",
    );
}

#[test]
fn the_oldest_requests_are_forgotten_first() {
    let many: String = (1..=REMEMBERED)
        .map(|number| format!("credit T1 1.00 cage request {number}\n"))
        .collect();
    let run = check(&format!(
        "table mbs-etg
        station T1 rapid
        {many}
        credit T1 1.00 cage request 1            again
        credit T1 1.00 cage request 5000
        credit T1 1.00 cage request 2            again
        credit T1 1.00 cage request 1"
    ));
    assert_eq!(run.table.requests.len(), REMEMBERED);
}

#[test]
fn a_note_reported_twice_is_credited_once() {
    let run = check(
        "
        table    mbs-etg
        station  T1 rapid
        station  T2 rapid
        credit   T1 50.00 cash request 7
        credit   T1 50.00 cash request 7     again
        credit   T1 10.00 cash request 7     refused request_reused
        credit   T2 50.00 cash request 7
        credit   T1 50.00 cash request 8
        balance  T1 100.00
        balance  T2 50.00
        meter    T1 cash-in 100.00
        ",
    );
    let kept = snapshot::decode(&snapshot::encode(&run.table)).expect("a snapshot");
    assert_eq!(kept, run.table);
}

#[test]
fn a_note_older_than_those_remembered_is_never_taken_for_another() {
    let mut script = "table mbs-etg\n station T1 rapid\n".to_owned();
    for request in 1..=MAX_NOTES + 1 {
        script += &format!("credit T1 5.00 cash request {request}\n");
    }
    script += "credit T1 5.00 cash request 1   refused request_too_old
        credit T1 5.00 cash request 2          again
        balance T1 85.00";
    check(&script);
}
