//! One dishonest person of the house, alone, with every act there is in random order: every cent
//! that leaves the house has a counterpart by somebody else or stands in the report of exceptions.

use std::collections::BTreeSet;

use super::fresh_from;
use sicbo_sim::{
    HouseFlaw, Insider, InsiderReport, register_temptations, run_flawed_insider, run_insider,
    temptations,
};

/// Acts of each in `make test`; `make soak` has `sicbo-sim --dishonest` try 100,000.
const ACTS: u64 = 1_000;

fn alone(who: Insider) -> Vec<InsiderReport> {
    let fresh = fresh_from();
    let reports = [7, fresh].map(|seed| {
        let ran = run_insider(who, seed, ACTS);
        let report =
            ran.unwrap_or_else(|failure| panic!("{who:?}, house {seed}: {}", failure.what));
        println!(
            "{report}\n  done {:?}\n  refused {:?}",
            report.done, report.refused
        );
        assert_eq!(report.acts, ACTS);
        report
    });
    reports.into()
}

/// What they tried was let through now and then: a person who is refused everything shows nothing.
fn did(reports: &[InsiderReport], what: &[&str]) {
    for what in what {
        let done = |report: &InsiderReport| report.done.contains_key(*what);
        assert!(reports.iter().any(done), "no {what}");
    }
}

#[test]
fn p_031_a_dishonest_dealer_alone() {
    did(&alone(Insider::Dealer), &["buy-credit", "log-in"]);
}

#[test]
fn p_031_a_dishonest_cashier_alone() {
    did(&alone(Insider::Cashier), &["buy-credit", "log-in"]);
}

#[test]
fn p_031_a_dishonest_technician_alone() {
    let own = ["log-in", "RestartTable", "SetSecondFactor"];
    let reports = alone(Insider::Technician);
    did(&reports, &own);
    cooperated(&reports);
}

#[test]
fn p_031_a_dishonest_manager_alone() {
    did(&alone(Insider::Manager), &["buy-credit", "move-chips"]);
}

#[test]
fn p_031_a_dishonest_director_alone() {
    let reports = alone(Insider::Director);
    did(
        &reports,
        &["buy-credit", "BeginRedeem", "OpenCase", "StepCase"],
    );
    cooperated(&reports);
}

/// Somebody honest confirmed what they proposed for the house, or proposed what they confirmed.
fn cooperated(reports: &[InsiderReport]) {
    let done = reports.iter().flat_map(|report| report.done.keys());
    let together = done.filter(|name| name.starts_with("with another "));
    assert!(together.count() > 0, "nobody was taken in");
}

/// A rule taken away is noticed in some house, and for what it is.
fn noticed(who: Insider, flaw: HouseFlaw, words: &str) {
    for seed in 1..6 {
        if let Err(failure) = run_flawed_insider(who, seed, ACTS, flaw) {
            let what = &failure.what;
            assert!(what.contains(words), "{flaw:?}, house {seed}: {what}");
            return;
        }
    }
    panic!("{flaw:?} was not noticed");
}

#[test]
fn tables_that_bound_no_money_are_noticed() {
    noticed(Insider::Dealer, HouseFlaw::NoMoneyDuties, "alone where");
}

#[test]
fn a_register_without_duties_is_noticed() {
    noticed(Insider::Director, HouseFlaw::NoDuties, "by one person");
}

/// A two-person rule taken away by a switch of the mutation check is found by this very test of
/// the director, for what it is.
#[cfg(feature = "mutants")]
fn noticed_of_one_person(act: &str, words: &str) {
    let mut said = String::new();
    for book in ["rws-etg", "rws-open-cover", "mbs-etg"] {
        let own = std::env::current_exe().expect("this program");
        let ran = std::process::Command::new(own)
            .args(["dishonest::p_031_a_dishonest_director_alone", "--exact"])
            .env("SICBO_MUTANT", format!("{book} off second-person:{act}"))
            .output()
            .expect("it runs");
        said += &String::from_utf8_lossy(&ran.stdout);
        said += &String::from_utf8_lossy(&ran.stderr);
        if said.contains(words) {
            assert!(!ran.status.success());
            return;
        }
    }
    panic!("nobody noticed: {said}");
}

#[cfg(feature = "mutants")]
#[test]
fn an_adjustment_that_takes_one_person_is_noticed() {
    noticed_of_one_person("Adjust", "an adjustment was not theirs to make");
}

#[cfg(feature = "mutants")]
#[test]
fn a_hand_pay_that_takes_one_person_is_noticed() {
    noticed_of_one_person("HandPay", "a hand pay was not theirs to make");
}

#[test]
fn every_act_of_the_protocol_is_tried() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let text = std::fs::read_to_string(path).expect("the description");
    let described: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut all = BTreeSet::new();
    for (whose, schema) in [("table", "StaffAct"), ("house", "HouseAct")] {
        let acts = &described["components"]["schemas"][schema]["oneOf"];
        let acts = acts.as_array().expect("a list of acts").iter();
        let names = acts.filter_map(|act| act["properties"]["act"]["enum"][0].as_str());
        all.extend(names.map(|name| format!("{whose} {name}")));
    }
    let tried: BTreeSet<String> = temptations().into_iter().collect();
    assert_eq!(tried, all);
}

/// The variants of an enum, from the text that declares it.
fn variants<'a>(text: &'a str, of: &str) -> BTreeSet<&'a str> {
    let (_, body) = text.split_once(of).expect("the enum");
    let (body, _) = body.split_once("\n}\n").expect("its end");
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let named = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let end = |line: &'a str| line.split([' ', ',', '{', '(']).next();
    named.filter_map(end).collect()
}

#[test]
fn every_act_of_the_register_is_tried() {
    let text = include_str!("../../sicbo-register/src/command.rs");
    let all = variants(text, "pub enum Act {");
    assert!(all.len() > 50, "{all:?}");
    let tried = register_temptations();
    let tried: BTreeSet<&str> = tried.iter().map(String::as_str).collect();
    assert_eq!(tried, all);
}
