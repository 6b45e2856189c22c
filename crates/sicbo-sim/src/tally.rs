//! What is counted while a world runs, and what is told at its end.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// Steps that are remembered for the report of a failure.
const REMEMBERED: usize = 60;

/// Counts of one run.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) steps: u64,
    pub(crate) faults: BTreeMap<&'static str, u64>,
    /// What play has met, by kind.
    pub(crate) met: BTreeMap<&'static str, u64>,
    pub(crate) messages: u64,
    pub(crate) restarts: u64,
    pub(crate) settled: u64,
    pub(crate) void: u64,
    pub(crate) amended: u64,
    last: VecDeque<String>,
}

impl Tally {
    pub(crate) fn fault(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
    }

    pub(crate) fn faults_of(&mut self, kind: &'static str, times: u64) {
        if times > 0 {
            *self.faults.entry(kind).or_default() += times;
        }
    }

    pub(crate) fn meet(&mut self, kind: &'static str) {
        *self.met.entry(kind).or_default() += 1;
    }

    /// Remembers a step for the report of a failure.
    pub(crate) fn remember(&mut self, at_ms: i64, what: String) {
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last
            .push_back(format!("{:>9}.{:03}  {what}", at_ms / 1_000, at_ms % 1_000));
    }

    pub(crate) fn take_last(&mut self) -> Vec<String> {
        self.last.drain(..).collect()
    }
}

/// What a clean run amounts to. The same seed gives the same report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// The rule book played by.
    pub book: String,
    /// The store's medium.
    pub medium: String,
    /// Stations.
    pub stations: usize,
    /// Steps taken.
    pub steps: u64,
    /// Simulated time.
    pub simulated_ms: i64,
    /// Rounds settled and void, and amendments of ended rounds.
    pub rounds: [u64; 3],
    /// Bets acknowledged, and refused.
    pub bets: [u64; 2],
    /// Commands that never got their answer.
    pub unanswered: u64,
    /// Messages between terminals and house.
    pub messages: u64,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// What play has met, by kind.
    pub met: BTreeMap<&'static str, u64>,
    /// Times the process came back.
    pub restarts: u64,
    /// Records and blocks in the journal, checkpoints over it.
    pub journal: [u64; 3],
    /// SHA-256 over the last header and every balance.
    pub state: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [settled, void, amended] = self.rounds;
        let [acknowledged, refused] = self.bets;
        let [records, blocks, checkpoints] = self.journal;
        writeln!(f, "seed       {}", self.seed)?;
        writeln!(
            f,
            "table      {}, {} stations, {}",
            self.book, self.stations, self.medium
        )?;
        let (seconds, ms) = (self.simulated_ms / 1_000, self.simulated_ms % 1_000);
        writeln!(
            f,
            "steps      {} in {seconds}.{ms:03} s of simulated time",
            self.steps
        )?;
        writeln!(
            f,
            "rounds     {settled} settled, {void} void, {amended} amended"
        )?;
        writeln!(
            f,
            "bets       {acknowledged} acknowledged, {refused} refused; {} commands never answered",
            self.unanswered
        )?;
        writeln!(f, "messages   {}", self.messages)?;
        writeln!(f, "restarts   {}", self.restarts)?;
        let total: u64 = self.faults.values().sum();
        writeln!(f, "faults     {total}")?;
        for (kind, count) in &self.faults {
            writeln!(f, "  {kind:<28}{count:>6}")?;
        }
        writeln!(f, "met")?;
        for (kind, count) in &self.met {
            writeln!(f, "  {kind:<28}{count:>6}")?;
        }
        writeln!(
            f,
            "journal    {records} records, {blocks} blocks, {checkpoints} checkpoints"
        )?;
        write!(f, "state      {}", self.state)
    }
}

/// A promise that was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The seed that shows it.
    pub seed: u64,
    /// What plays it again: `WORLD` one table, `SEED` a whole house.
    pub plays: &'static str,
    /// What was broken.
    pub what: String,
    /// The last steps before.
    pub last: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "last steps before the failure:")?;
        for step in &self.last {
            writeln!(f, "  {step}")?;
        }
        writeln!(f, "seed {} failed: {}", self.seed, self.what)?;
        write!(f, "repeat it with: make sim {}={}", self.plays, self.seed)
    }
}
