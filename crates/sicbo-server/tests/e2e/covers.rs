//! What the devices' line reports of the cover and of a tumbler that runs when
//! nobody asked it to, at a table of every book, with the money to the cent
//! (R-145, R-152, R-153, P-020).

use serde_json::json;

use crate::common::device::{Device, enrol_tumbler};
use crate::common::house::Site;
use crate::common::one::{Running, site};
use crate::common::proof;
use crate::common::terminal::stakes;

#[tokio::test]
async fn r_153_a_cover_opened_before_the_close_leaves_only_the_void() {
    let site = site();
    let lines = site.with_lines();
    let house = Running::of(site);
    for (spec, line) in house.site.tables.iter().zip(lines) {
        let mut one = house.one(spec).await;
        let (unit, name) = (one.unit, spec.name);
        let mut tumbler = Device::connect(line, &enrol_tumbler(&house.staff, name).await);
        let round = one.bets().await;
        one.purse(40 * unit).await;
        tumbler.must(json!({"cover": "open"}));
        tumbler.must(json!({"cover": "closed"}));
        let close = json!({"act": "close_bets"});
        let rule = match spec.book {
            "rws-etg" => "rws-etg 5.3.3",
            "mbs-etg" => "mbs-etg 5.2",
            "mbs-table" => "mbs-table 5.2",
            "quang-nam-table" => "quang-nam-table 7.3",
            // Its dice are meant to be seen.
            _ => {
                one.close(round).await;
                one.table.finish([6, 5, 1]).await;
                one.purse(60 * unit).await;
                continue;
            }
        };
        let said = house.staff.act("dealer", name, &close).await;
        assert_eq!(said.code(), "only_void_possible", "{said:?}");
        let cited = said.json()["rule"].as_str().expect("a rule").to_owned();
        assert!(cited.starts_with(rule), "{name}: {cited}");
        // Seen by the machine: the dealer alone declares it.
        let void = json!({"act": "declare_void", "cause": "dice-exposed-early"});
        house.staff.must("dealer", name, void).await;
        one.purse(50 * unit).await;
        let why = one.table.last().await["why"].clone();
        assert_eq!(why["cause"], "dice-exposed-early", "{name}: {why}");
        let cited = why["rule"].as_str().expect("a rule");
        assert!(cited.starts_with(rule), "{name}: {why}");
        // The next round is not to blame.
        one.round([6, 5, 1]).await;
        one.purse(60 * unit).await;
    }
    house.ends();
}

#[tokio::test]
async fn r_145_chips_recorded_under_an_open_cover_need_a_second_person() {
    let site = site();
    let lines = site.with_lines();
    let house = Running::of(site);
    for (spec, line) in house.site.tables.iter().zip(lines) {
        if spec.electronic() {
            continue;
        }
        let mut one = house.one(spec).await;
        let (unit, name) = (one.unit, spec.name);
        let mut tumbler = Device::connect(line, &enrol_tumbler(&house.staff, name).await);
        let round = one.closes().await;
        // The cage is open, and the dealer has not pressed *uncover*.
        tumbler.must(json!({"cover": "open"}));
        let lay = json!({"act": "record_positions", "station": 0, "round": round, "bet": 90,
            "means": "cash_chips", "lines": stakes(&[("triple:6", 40 * unit)])});
        one.table.deal(lay).await;
        one.purse(40 * unit).await;
        let sees = one.table.sees().await;
        let waits = &sees["decisions"][0];
        assert_eq!(waits["question"], "chips-unrecorded", "{name}: {sees}");
        let begin = json!({"act": "uncover"});
        let held = one.refused("dealer", &begin).await;
        assert_eq!(held, "decision_pending", "{name}");
        let attest = json!({"act": "attest_positions", "pending": waits["pending"],
            "lay_there": false, "bookmark": "camera 4"});
        assert_eq!(one.refused("dealer", &attest).await, "not_authorised");
        house.staff.must("pit-supervisor", name, attest).await;
        // Exposed early can still be said, but no longer by the dealer alone.
        let void = json!({"act": "declare_void", "cause": "dice-exposed-early"});
        let said = one.refused("dealer", &void).await;
        assert_eq!(said, "second_person_needed", "{name}");
        one.table.finish([6, 6, 6]).await;
        // Big loses to a triple, and nothing else was bet.
        one.purse(40 * unit).await;
    }
    house.ends();
}

#[tokio::test]
async fn p_020_a_tumbler_that_runs_while_the_table_is_held_is_on_record_without_a_round() {
    let site = site();
    let lines = site.with_lines();
    let house = Running::of(site);
    for (spec, line) in house.site.tables.iter().zip(lines) {
        let one = house.one(spec).await;
        let name = spec.name;
        let mut tumbler = Device::connect(line, &enrol_tumbler(&house.staff, name).await);
        let hold = json!({"act": "hold", "what": "a player fell ill"});
        one.table.deal(hold).await;
        let said = house.staff.act("dealer", name, &one.first_step()).await;
        let rule = one.table.sees().await["decisions"][0]["rule"].clone();
        assert_eq!(said.code(), "decision_pending", "{name}: {}", said.body);
        assert_eq!(said.json()["rule"], rule, "{name}: {}", said.body);
        tumbler.must(json!({"activated": true}));
        // Once for each hold, however often it is repeated.
        for _ in 0..3 {
            let said = tumbler.say(&json!({"activated": true}));
            assert_eq!(said["refused"]["code"], "already_done", "{name}: {said}");
        }
        let sees = one.table.sees().await;
        assert!(sees["public"]["round"].is_null(), "{name}: {sees}");
    }
    house.program.stop();
    assert_eq!(ran_on(&house.site), house.site.tables.len());
    proof::clean(&house.site.data());
}

/// How many incidents tell of a tumbler that ran although play was stopped.
fn ran_on(site: &Site) -> usize {
    use sicbo_journal::Store as _;
    use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
    use sicbo_table::{Fact, codec};
    let journals = Journals::folder(&site.data()).expect("a data folder");
    let mut found = 0;
    for (stream, path) in journals.tables_first() {
        if stream.as_str() == HOUSE_STREAM {
            continue;
        }
        let store = source::open(stream, path).expect("a journal");
        for raw in store.read_from(1) {
            let block = raw.expect("readable").decode().expect("a block");
            for record in block.records() {
                let event = codec::decode(record.kind, record.version, record.payload);
                if let Fact::IncidentRaised { note, .. } = event.expect("an event").fact {
                    found += usize::from(note.starts_with("the tumbler ran although"));
                }
            }
        }
    }
    found
}
