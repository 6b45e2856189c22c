//! What a record of results says, in words: what was seen and how sure it is.

use serde::Serialize;
use sicbo_rules::Dice;

use super::{Evidence, PARTS, Test};

/// What results so far say against the dice.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// Results looked at.
    pub rounds: u64,
    /// The evidence now: fair dice ever reach `e` in at most one record of `e`.
    pub e: f64,
    /// The most it has been.
    pub peak: f64,
    /// At this many results it was the most.
    pub peak_at: u64,
    /// An alarm is raised when the evidence reaches this.
    pub alarm_at: f64,
    /// After how many results it was first reached.
    pub alarmed: Option<u64>,
    /// The test that speaks loudest, with its own evidence.
    pub test: &'static str,
    /// Its own evidence.
    pub test_e: f64,
    /// What it saw.
    pub saw: String,
}

/// Looks at results one by one and remembers the first alarm.
#[derive(Clone, Debug)]
pub struct Follow {
    evidence: Evidence,
    level: f64,
    peak: f64,
    peak_at: u64,
    alarmed: Option<u64>,
    /// Looks after every so many results; `None` for as often as pays.
    every: Option<u64>,
}

impl Finding {
    /// Follows results; an alarm is raised when fair dice would ever look as
    /// bad in a share `level` of records.
    #[must_use]
    pub fn follow(level: f64) -> Follow {
        Follow {
            evidence: Evidence::default(),
            level,
            peak: 0.0,
            peak_at: 0,
            alarmed: None,
            every: None,
        }
    }

    /// Of a whole record.
    #[must_use]
    pub fn of(results: impl Iterator<Item = Dice>, level: f64) -> Finding {
        let mut follow = Finding::follow(level);
        results.for_each(|dice| follow.add(dice));
        follow.finding()
    }
}

impl Follow {
    /// The same with looks after every so many results only: for a whole record.
    #[must_use]
    pub fn every(mut self, results: u64) -> Follow {
        self.every = Some(results.max(1));
        self
    }

    /// The same with no bet on one position: for dice that are not kept apart.
    #[must_use]
    pub fn without_positions(mut self) -> Follow {
        self.evidence.ignores_positions = true;
        self
    }

    /// Adds a result and looks: at every one of the first, later at every
    /// sixteenth, for looking costs time and is valid at any moment.
    pub fn add(&mut self, dice: Dice) {
        self.evidence.add(dice);
        let rounds = self.evidence.rounds();
        let due = match self.every {
            Some(every) => rounds.is_multiple_of(every),
            None => rounds <= 256 || rounds.is_multiple_of(16),
        };
        if due {
            self.look();
        }
    }

    fn look(&mut self) {
        let log = self.evidence.log();
        if self.peak_at == 0 || log > self.peak {
            (self.peak, self.peak_at) = (log, self.evidence.rounds());
        }
        if self.alarmed.is_none() && log >= -libm::log(self.level) {
            self.alarmed = Some(self.evidence.rounds());
        }
    }

    /// The results so far.
    #[must_use]
    pub const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// What they say.
    #[must_use]
    pub fn finding(&self) -> Finding {
        let loudest = PARTS
            .map(|(test, _)| (test, self.evidence.log_of(test)))
            .into_iter()
            .fold((Test::OneFace, f64::MIN), |loudest, one| {
                if one.1 > loudest.1 { one } else { loudest }
            });
        Finding {
            rounds: self.evidence.rounds(),
            e: bounded(self.evidence.log()),
            peak: bounded(self.peak),
            peak_at: self.peak_at,
            alarm_at: 1.0 / self.level,
            alarmed: self.alarmed,
            test: loudest.0.key(),
            test_e: bounded(loudest.1),
            saw: saw(&self.evidence, loudest.0),
        }
    }
}

/// A figure that JSON can hold, however sure it is.
fn bounded(log: f64) -> f64 {
    libm::exp(log.min(600.0))
}

fn saw(evidence: &Evidence, test: Test) -> String {
    let rounds = evidence.rounds();
    match test {
        Test::OneFace | Test::OneFaceOfOneDie | Test::Faces => {
            let faces = evidence.faces();
            let expected = rounds as f64 / 2.0;
            let off = |count: &u64| (*count as f64 - expected).abs();
            let far = (0..6).max_by(|a, b| off(&faces[*a]).total_cmp(&off(&faces[*b])));
            let face = far.unwrap_or(0);
            let percent = if rounds == 0 {
                0.0
            } else {
                100.0 * (faces[face] as f64 / expected - 1.0)
            };
            format!(
                "face {} came {} times in {} dice, where {:.1} were to be expected ({percent:+.1} %)",
                face + 1,
                faces[face],
                3 * rounds,
                expected
            )
        }
        Test::Totals => furthest(evidence.totals(), &crate::simulate::TOTAL_WAYS, |at| {
            format!("total {}", at + 3)
        }),
        Test::Combinations => {
            let dice = sicbo_rules::exposure::combinations();
            let ways = dice.map(|dice| super::ways(dice) as u64);
            furthest(evidence.combinations(), &ways, |at| {
                format!("combination {}", dice[at])
            })
        }
        Test::HighLowRuns | Test::OddEvenRuns => {
            let (high_low, odd_even, _) = evidence.runs();
            let (what, [same, other]) = match test {
                Test::HighLowRuns => ("high or low", high_low),
                _ => ("odd or even", odd_even),
            };
            format!(
                "totals stayed {what} {same} times and changed {other} times, where both were to be \
                 expected equally often"
            )
        }
        Test::Repeats => {
            let (_, _, repeats) = evidence.runs();
            format!("the same result came again at once {repeats} times in {rounds} rounds")
        }
    }
}

/// The cell that is furthest off, in standard deviations.
fn furthest<const N: usize>(
    counts: &[u64; N],
    weights: &[u64; N],
    name: impl Fn(usize) -> String,
) -> String {
    let (draws, all): (u64, u64) = (counts.iter().sum(), weights.iter().sum());
    let expected = |at: usize| draws as f64 * weights[at] as f64 / all as f64;
    let off = |at: usize| (counts[at] as f64 - expected(at)).abs() / expected(at).sqrt().max(1e-9);
    let far = (0..N).max_by(|a, b| off(*a).total_cmp(&off(*b)));
    let at = far.unwrap_or(0);
    format!(
        "{} came {} times in {draws} rounds, where {:.1} were to be expected",
        name(at),
        counts[at],
        expected(at)
    )
}
