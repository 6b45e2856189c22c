//! What houses have met together, what there is to be met, and what never was.
//!
//! `crates/sicbo-sim/unreached.txt` is the written list of what no house meets,
//! each with its reason; anything else that was never met is a failure of the
//! simulator itself.

use std::collections::BTreeSet;

use sicbo_register as register;
use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::codec::KINDS;
use sicbo_table::refusal::Reason;

use super::swarm::Part;

/// Points at which the power goes.
const KILLS: [&str; 9] = [
    "at rest",
    "before an answer",
    "before an append",
    "before a publication",
    "before a stop is told",
    "with a block on its way",
    "within a first start",
    "within a start",
    "within a write",
];
/// What players are told is done.
const PLAYERS: [&str; 8] = [
    "bet", "call", "cash-out", "clear", "dispute", "note", "redeem", "remove",
];
/// What goes wrong.
const FAULTS: [&str; 28] = [
    "a backup gets an increment",
    "a backup is made",
    "a backup is restored",
    "a copy is made",
    "a copy is put back",
    "a bit of a journal turned",
    "a name was lost",
    "a page stands where another should",
    "a sealed backup gets a part",
    "a sealed backup is made",
    "a start read a bit wrong",
    "a start read too little",
    "a table came back",
    "a table left",
    "a table restarted",
    "a table was added",
    "a write failed",
    "an older backup is refused",
    "an older copy is refused",
    "somebody is not there",
    "the clock drifted",
    "the clock jumped",
    "the clock ran back",
    "the clock runs at another rate",
    "the plan changed",
    "the program was upgraded",
    "the register stopped",
    "the tumbler's line is lost",
];
/// What is known not to be met, and why.
const UNREACHED: &str = include_str!("../../unreached.txt");

/// What there is to be met.
#[must_use]
pub fn reachable() -> BTreeSet<String> {
    let named = |prefix: &'static str, names: &[&str]| -> Vec<String> {
        let names = names.iter();
        names.map(|name| format!("{prefix} {name}")).collect()
    };
    let facts: Vec<&str> = KINDS.iter().map(|kind| kind.key).collect();
    let parts: Vec<&str> = Part::ALL.iter().map(|part| part.word()).collect();
    let mut all: BTreeSet<String> = BTreeSet::new();
    all.extend(named("fact", &facts));
    all.extend(named("part", &parts));
    all.extend(named("refusal", Reason::CODES));
    all.extend(named("refusal", register::Reason::CODES));
    all.extend(named("kill", &KILLS));
    all.extend(named("player", &PLAYERS));
    all.extend(named("fault", &FAULTS));
    all.extend(named("cage", &["paid"]));
    for book in RuleBook::all() {
        for cause in &book.voiding.causes {
            all.insert(format!("void {} {}", book.id(), cause.cause.key()));
        }
    }
    all
}

/// What houses have met together.
#[derive(Clone, Default, Debug)]
pub struct Coverage(BTreeSet<String>);

impl Coverage {
    /// Adds what one house met.
    pub fn add(&mut self, report: &super::HouseReport) {
        self.0.extend(report.reached.iter().cloned());
        let parts = report.swarm.parts();
        self.0
            .extend(parts.map(|part| format!("part {}", part.word())));
    }

    /// How much of what there is was met.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let all = reachable();
        (all.intersection(&self.0).count(), all.len())
    }

    /// What was never met and is not on the written list.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let listed = listed();
        let all = reachable().into_iter();
        all.filter(|what| !self.0.contains(what) && !listed.contains(what.as_str()))
            .collect()
    }

    /// What is on the written list and was met all the same.
    #[must_use]
    pub fn met_after_all(&self) -> Vec<&'static str> {
        let listed = listed().into_iter();
        listed.filter(|what| self.0.contains(*what)).collect()
    }
}

/// The written list: `what -- why`.
fn listed() -> BTreeSet<&'static str> {
    let lines = UNREACHED.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split(" -- ").next().unwrap_or(line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_list_names_what_there_is_each_with_its_reason() {
        let all = reachable();
        for what in listed() {
            assert!(all.contains(what), "{what:?} is nothing that could be met");
        }
        for line in UNREACHED.lines() {
            let stated = line.is_empty() || line.starts_with('#') || line.contains(" -- ");
            assert!(stated, "{line:?} has no reason");
        }
    }
}
