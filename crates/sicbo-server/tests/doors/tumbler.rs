//! A tumbler on the line: only it counts, its silence or a fault it reports is a technical stop
//! and a person counts in its place only after two persons have said so on record,
//! between rounds, and not sooner than a tumble takes.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::dealing::Table;
use crate::common::device::{Device, enrol_tumbler};
use crate::common::house::{Program, Site, TableSpec};
use crate::common::one::{One, Running, site as every_book};
use crate::common::proof;
use crate::doors::http::Answer;

/// No tumble takes less by this plan.
const SHORTEST: Duration = Duration::from_millis(700);

/// A house of one table that is open, and where its tumbler connects.
pub struct OnLine {
    site: Site,
    program: Program,
    pub table: Table,
    pub line: SocketAddr,
}

impl OnLine {
    pub async fn open(book: &'static str, layout: &'static str, shortest: Duration) -> OnLine {
        let site = Site::of(vec![TableSpec::by_hand(book, &[(layout, 1)])]);
        let line = site.with_tumblers()[0];
        let shortest = format!("shortest_tumble_ms = {}", shortest.as_millis());
        site.change_plan(|text| text.replace("shortest_tumble_ms = 0", &shortest));
        let program = site.start();
        let table = Table::new(&site.tables[0], &site.staff(&program));
        table.open().await;
        OnLine {
            site,
            program,
            table,
            line,
        }
    }

    pub async fn enrol(&self) -> String {
        enrol_tumbler(&self.table.staff, self.table.name).await
    }

    /// Hand counts or the line's, proposed by the supervisor and confirmed by the dealer.
    pub async fn switch(&self, by_hand: bool) -> Answer {
        let (staff, name) = (&self.table.staff, self.table.name);
        let wanted = json!({"act": "switch_counting", "by_hand": by_hand});
        let path = format!("/api/tables/{name}/proposals");
        let said = staff.post("pit-supervisor", &path, &wanted).await;
        if said.status != 201 {
            return said;
        }
        let said = said.json();
        let shown = (
            said["proposal"].as_u64().expect("its number"),
            said["digest"].clone(),
        );
        let said = staff
            .confirm("pit-supervisor", name, &shown, &json!({}))
            .await;
        said.coded("same_person_twice");
        staff.confirm("dealer", name, &shown, &json!({})).await
    }

    pub async fn switches(&self, by_hand: bool) {
        self.switch(by_hand).await.is(200);
        let counting = if by_hand { "hand" } else { "line" };
        assert_eq!(self.table.sees().await["counting"], counting);
    }

    pub async fn must(&self, who: &str, act: Value) {
        self.table.staff.must(who, self.table.name, act).await;
    }

    /// Stopped, verified and audited.
    pub fn ends(self) {
        self.program.stop();
        assert_eq!(proof::clean(&self.site.data()).tables.len(), 1);
    }
}

pub fn tumbles(count: u8) -> Value {
    json!({"act": "report_tumbles", "count": count, "all_dice_moved": true})
}

pub fn rule(waits: &Value, ruling: &str) -> Value {
    json!({"act": "rule", "pending": waits["pending"], "ruling": ruling,
        "reason": "seen at the tumbler"})
}

#[tokio::test]
async fn r_175_a_dead_tumbler_line_stops_play_and_two_persons_take_over_its_count() {
    let house = OnLine::open("mbs-etg", "rapid", SHORTEST).await;
    let table = &house.table;
    let token = house.enrol().await;

    // The line counts, and nobody in its place.
    let mut tumbler = Device::connect(house.line, &token);
    tumbler.must(json!({"id": 1, "activated": true}));
    tokio::time::sleep(SHORTEST).await;
    let said = table.staff.act("dealer", table.name, &tumbles(3)).await;
    said.refuses(409, "counted_by_line");

    // It dies while the dice tumble: play stops by itself, the supervisor decides.
    drop(tumbler);
    let waits = table.decision("technical-stop").await;
    assert_eq!(waits["by"], "pit-supervisor");
    let call = json!({"act": "call_bets"});
    assert_eq!(table.refused("dealer", &call).await, "decision_pending");
    // Not in the middle of a round.
    house.switch(true).await.coded("round_in_hand");
    house.must("pit-supervisor", rule(&waits, "affected")).await;
    let last = table.last().await;
    assert_eq!(last["why"]["cause"], "technical-interruption", "{last}");

    // Alone nobody takes the count over; two do, on record.
    let wanted = json!({"act": "switch_counting", "by_hand": true});
    for who in ["dealer", "pit-supervisor"] {
        assert_eq!(table.refused(who, &wanted).await, "second_person_needed");
    }
    house.switches(true).await;
    table.deal(json!({"act": "activate_tumbler"})).await;
    let said = table.staff.act("dealer", table.name, &tumbles(3)).await;
    assert_eq!(said.code(), "counted_too_soon", "{said:?}");
    assert!(said.body.contains("0.7 seconds"), "{}", said.body);
    tokio::time::sleep(SHORTEST).await;
    table.deal(tumbles(3)).await;
    house.ends();
}

#[tokio::test]
async fn q_56_a_fault_on_the_line_raises_the_stop_by_itself() {
    let house = OnLine::open("mbs-etg", "rapid", Duration::ZERO).await;
    let table = &house.table;
    let mut tumbler = Device::connect(house.line, &house.enrol().await);
    tumbler.tumble();
    table.deal(json!({"act": "call_bets"})).await;

    // Nobody presses anything: the device says it, and play stops.
    tumbler.must(json!({"fault": "the motor is hot"}));
    let waits = table.decision("technical-stop").await;
    has!(waits, {"what": "the motor is hot", "by": "pit-supervisor", "established": false});
    let close = json!({"act": "close_bets"});
    assert_eq!(table.refused("dealer", &close).await, "decision_pending");
    let go_on = rule(&waits, "not_affected");
    assert_eq!(table.refused("dealer", &go_on).await, "not_authorised");
    house.must("pit-supervisor", go_on).await;
    table.deal(close).await;
    // Once for each fault, and the line itself is alive.
    tumbler.must(json!({"heartbeat": true}));
    house.ends();
}

/// What a fault of the tumbler comes to at one book.
struct Fault {
    book: &'static str,
    /// What waits, by which rule.
    question: &'static str,
    rule: &'static str,
    /// Who decides it, and who does not.
    by: &'static str,
    not_by: &'static [&'static str],
    /// The document's rule by which the round is void where it cannot continue.
    void_by: Option<&'static str>,
}

/// At the four books of Singapore.
const fn stop(book: &'static str, rule: &'static str, void_by: Option<&'static str>) -> Fault {
    Fault {
        book,
        question: "technical-stop",
        rule,
        by: "pit-supervisor",
        not_by: &["dealer", "head-of-operations"],
        void_by,
    }
}

const FAULTS: [Fault; 5] = [
    stop("rws-etg", "rws-etg 5.1.2 (Q-07)", Some("rws-etg 5.1.2")),
    stop(
        "rws-open-cover",
        "rws-open-cover 5.1.2 (Q-07)",
        Some("rws-open-cover 5.1.2"),
    ),
    stop("mbs-etg", "mbs-etg 5.8.1 (Q-07)", Some("mbs-etg 5.8.1")),
    // Its document has no such rule: by analogy.
    stop("mbs-table", "mbs-table Q-36", None),
    Fault {
        book: "quang-nam-table",
        question: "device-failure",
        rule: "quang-nam-table 7.1",
        by: "head-of-operations",
        not_by: &[
            "dealer",
            "pit-supervisor",
            "pit-manager",
            "shift-manager",
            "director",
        ],
        void_by: Some("quang-nam-table 7.8"),
    },
];

/// The tumbler reports a fault. Nobody presses anything: play stops by itself, nothing goes on, and
/// it waits for whom the book names.
async fn reported(one: &mut One, round: u64, fault: &Fault, what: &str) -> Value {
    let tumbler = one.table.tumbler.clone().expect("a tumbler");
    tumbler.lock().expect("it").must(json!({"fault": what}));
    let waits = one.table.decision(fault.question).await;
    let (book, table) = (fault.book, &one.table);
    has!(waits, {"by": fault.by, "rule": fault.rule, "round": round}, "{book}");
    let ruling = if fault.question == "device-failure" {
        // The game is stopped, and the Pit Manager is told what the device said.
        let sees = table.sees().await;
        let notice = sees["notices"].as_array().and_then(|all| all.last());
        let notice = notice.expect("a notice");
        assert_eq!(sees["status"], "suspended", "{sees}");
        has!(notice, {"inform": "pit-manager", "what": what}, "{sees}");
        let read = json!({"act": "acknowledge_notice", "notice": notice["notice"]});
        table.staff.must("pit-manager", book, read).await;
        "accept"
    } else {
        assert_eq!(waits["what"], what, "{book}: {waits}");
        "not_affected"
    };
    for who in fault.not_by {
        let said = table.refused(who, &rule(&waits, ruling)).await;
        assert_eq!(said, "not_authorised", "{book}: {who}");
    }
    one.refused_stake(round).await;
    rule(&waits, ruling)
}

#[tokio::test]
async fn q_56_a_fault_on_the_line_stops_play_by_itself_at_every_book() {
    let site = every_book();
    let lines = site.with_tumblers();
    let house = Running::of(site);
    for ((spec, line), expected) in house.site.tables.iter().zip(lines).zip(&FAULTS) {
        let book = expected.book;
        assert_eq!(spec.book, book);
        let mut one = house.one(spec).await;
        let unit = one.unit;
        let token = enrol_tumbler(&house.staff, book).await;
        let tumbler = Device::connect(line, &token);
        one.table.tumbler = Some(Arc::new(Mutex::new(tumbler)));

        // While bets are taken. Nothing is affected: the round goes on from where it stood.
        let round = one.bets().await;
        let go_on = reported(&mut one, round, expected, "the motor is hot").await;
        let close = json!({"act": "close_bets"});
        assert_eq!(
            one.table.refused("dealer", &close).await,
            "decision_pending",
            "{book}"
        );
        house.staff.must(expected.by, book, go_on).await;
        one.purse(40 * unit).await;
        one.close(round).await;
        one.table.finish([6, 5, 1]).await;
        one.purse(60 * unit).await;

        // After the close, with no dice to be seen. The round cannot continue: it is void under the
        // book's own number, and every stake goes back to the cent.
        let round = one.closes().await;
        one.purse(50 * unit).await;
        let go_on = reported(&mut one, round, expected, "no signal").await;
        match book {
            "quang-nam-table" => {
                let void = json!({"act": "rule_void", "reason": "the tumbler has failed"});
                let said = one.table.refused(expected.by, &void).await;
                assert_eq!(said, "not_authorised", "7.8 names the Director");
                house.staff.must("director", book, void).await;
                // The round has ended, and not the stop.
                assert_eq!(one.table.sees().await["status"], "suspended");
                house
                    .staff
                    .must(expected.by, book, json!({"act": "resume"}))
                    .await;
            }
            _ => {
                house
                    .staff
                    .must(expected.by, book, rule(&go_on, "affected"))
                    .await;
            }
        }
        if book == "mbs-table" {
            // By analogy with an interruption, which the Shift Manager confirms.
            let asked = one.table.decision("interrupted").await;
            let confirm = json!({"act": "confirm_interruption", "pending": asked["pending"],
                "dice_in_place": true});
            let said = one.table.refused("pit-supervisor", &confirm).await;
            assert_eq!(said, "not_authorised");
            house.staff.must("shift-manager", book, confirm).await;
        }
        let last = one.table.last().await;
        assert_eq!(last["number"], round, "{book}: {last}");
        has!(last["why"], {"rule": expected.void_by}, "{book}: {last}");
        one.purse(60 * unit).await;
        // Nothing is left of it: the tumbler counts the next round.
        one.round([6, 5, 1]).await;
        one.purse(70 * unit).await;
    }
    assert_eq!(house.ends().tables.len(), FAULTS.len());
}

#[tokio::test]
async fn r_175_a_tumbler_that_never_came_stops_the_table_too() {
    let house = OnLine::open("mbs-etg", "rapid", Duration::ZERO).await;
    let table = &house.table;
    // It is waited for as long as a line may be silent.
    while table.waits("technical-stop").await.is_none() {
        house.site.skip(Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let waits = table.decision("technical-stop").await;
    assert_eq!(waits["what"], "the tumbler's line is dead");
    // Said once: the supervisor's answer lets two persons take the count over.
    house
        .must("pit-supervisor", rule(&waits, "not_affected"))
        .await;
    house.switches(true).await;
    table.deal(json!({"act": "activate_tumbler"})).await;
    house.ends();
}
