//! Where each kill met the house: at which phase of each table and within which
//! cash-outs and proposals, by the records that were durable then; and within
//! which acts of the counter, by the book of those who had no answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

/// Where a table stands between two records of its journal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Phase {
    BetweenRounds,
    Prepared,
    Betting,
    Closing,
    Closed,
    /// The dice can be seen and nothing is paid yet.
    ResultShown,
}

impl Phase {
    /// Phases that a campaign of full length must have met.
    pub(crate) const ALL: [Phase; 6] = [
        Phase::BetweenRounds,
        Phase::Prepared,
        Phase::Betting,
        Phase::Closing,
        Phase::Closed,
        Phase::ResultShown,
    ];

    /// The phase after a record of this kind.
    pub(crate) fn after(self, kind: &str) -> Phase {
        match kind {
            "round-began" => Phase::Prepared,
            "bets-called" => Phase::Betting,
            "closing-began" => Phase::Closing,
            "bets-closed" => Phase::Closed,
            "uncovered" | "dice-keyed" | "result-confirmed" => Phase::ResultShown,
            "round-settled" | "round-voided" => Phase::BetweenRounds,
            _ => self,
        }
    }

    /// The phase that a terminal is shown.
    pub(crate) fn shown(table: &Value) -> Phase {
        let round = &table["state"]["round"];
        match round["phase"].as_str() {
            None => Phase::BetweenRounds,
            Some("prepared") => Phase::Prepared,
            Some("betting") => Phase::Betting,
            Some("closing") => Phase::Closing,
            Some(_) if round["cover"] == "uncovered" => Phase::ResultShown,
            Some(_) => Phase::Closed,
        }
    }
}

/// Before the house listened.
pub(crate) const RECOVERY: &str = "Recovery";
/// While two persons had no answer to a proposal or its confirmation.
pub(crate) const ADJUSTMENT: &str = "within an adjustment by two";
/// While the cashier had no answer.
pub(crate) const REDEMPTION: &str = "within a redemption";
/// Between the reservation of a voucher and its print.
pub(crate) const CASH_OUT: &str = "within a cash-out";
/// Between a proposal and its end.
pub(crate) const PROPOSAL: &str = "within a proposal";

/// One kill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kill {
    /// When the process was gone: every earlier record was written before it,
    /// every later one after it.
    at_ms: i64,
    /// It did not listen yet.
    pub(crate) in_recovery: bool,
}

impl Kill {
    pub(crate) fn now(in_recovery: bool) -> Kill {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let at_ms = now.expect("after 1970").as_millis() as i64;
        Kill { at_ms, in_recovery }
    }
}

/// What was met, and how often.
#[derive(Clone, Default, Debug)]
pub(crate) struct Met(BTreeMap<String, u64>);

impl Met {
    pub(crate) fn count(&mut self, what: &str, times: u64) {
        if times > 0 {
            *self.0.entry(what.to_owned()).or_default() += times;
        }
    }

    pub(crate) fn times(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    pub(crate) fn add(&mut self, other: &Met) {
        for (what, times) in &other.0 {
            self.count(what, *times);
        }
    }

    /// Every phase, recovery, and every act in which a house may be killed.
    pub(crate) fn must_be_whole(&self) {
        let phases = Phase::ALL.map(|phase| format!("{phase:?}"));
        let others = [RECOVERY, ADJUSTMENT, REDEMPTION, CASH_OUT, PROPOSAL];
        let all = phases.iter().map(String::as_str).chain(others);
        let missing: Vec<&str> = all.filter(|what| self.times(what) == 0).collect();
        assert!(missing.is_empty(), "no kill met {missing:?}: {self}");
    }
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|(what, n)| format!("{what} {n}"))
            .collect();
        f.write_str(&parts.join(", "))
    }
}

/// Kills in order of time, given out as records of a journal pass them.
struct Passed<'k>(&'k [Kill]);

impl Passed<'_> {
    /// Kills of a house that listened, between the record before and this one.
    fn before(&mut self, time_ms: i64) -> u64 {
        let earlier = self.0.iter().take_while(|kill| kill.at_ms < time_ms);
        let (passed, later) = self.0.split_at(earlier.count());
        self.0 = later;
        passed.iter().filter(|kill| !kill.in_recovery).count() as u64
    }
}

/// Follows a table's journal and says which phase each kill met.
pub(crate) struct FollowTable<'k> {
    kills: Passed<'k>,
    phase: Phase,
    pub(crate) met: Met,
}

impl<'k> FollowTable<'k> {
    /// `kills` in order of time.
    pub(crate) fn new(kills: &'k [Kill]) -> FollowTable<'k> {
        FollowTable {
            kills: Passed(kills),
            phase: Phase::BetweenRounds,
            met: Met::default(),
        }
    }

    /// The next record.
    pub(crate) fn record(&mut self, time_ms: i64, kind: &str) {
        let times = self.kills.before(time_ms);
        self.met.count(&format!("{:?}", self.phase), times);
        self.phase = self.phase.after(kind);
    }
}

/// Follows the house's own journal and says within what each kill came.
pub(crate) struct FollowHouse<'k> {
    kills: Passed<'k>,
    cash_outs: BTreeSet<u64>,
    proposals: BTreeSet<u64>,
    pub(crate) met: Met,
}

impl<'k> FollowHouse<'k> {
    /// `kills` in order of time.
    pub(crate) fn new(kills: &'k [Kill]) -> FollowHouse<'k> {
        FollowHouse {
            kills: Passed(kills),
            cash_outs: BTreeSet::new(),
            proposals: BTreeSet::new(),
            met: Met::default(),
        }
    }

    /// The next record, with the voucher or the proposal it is about.
    pub(crate) fn record(&mut self, time_ms: i64, kind: &str, about: Option<u64>) {
        let times = self.kills.before(time_ms);
        let open = |set: &BTreeSet<u64>| if set.is_empty() { 0 } else { times };
        self.met.count(CASH_OUT, open(&self.cash_outs));
        self.met.count(PROPOSAL, open(&self.proposals));
        let Some(about) = about else {
            return;
        };
        match kind {
            "voucher-reserved" => _ = self.cash_outs.insert(about),
            "reservation-released" | "voucher-printed" | "voucher-returned" | "voucher-kept" => {
                self.cash_outs.remove(&about);
            }
            "proposal-made" => _ = self.proposals.insert(about),
            "proposal-ended" => _ = self.proposals.remove(&about),
            _ => {}
        }
    }
}
