//! Playing systems: sessions of bets whose stakes depend on what came before.
//!
//! A session plays one section until the bankroll cannot cover the least
//! stake, a wanted win is reached, or its rounds are over. A stake above the
//! table's maximum or the bankroll is cut to it, in whole chips; so no stake
//! is ever off the chip unit, below the minimum or above the maximum.

mod progression;
mod report;

use rayon::prelude::*;
use serde::Serialize;
use sicbo_rules::{Layout, Money, Outcome, Section};

use crate::LabError;
use crate::generator::Stream;
use crate::simulate::Run;

pub use progression::{
    DAlembert, Fibonacci, Flat, Labouchere, Martingale, Paroli, Progression, System, UnknownSystem,
};
pub use report::{Bin, Report, Share, Spread};

/// Sessions that share one stream. Part of what a seed means: never changed.
const BLOCK_SESSIONS: u64 = 256;

/// The most sessions of one run: each keeps its figures in memory.
pub const MAX_SESSIONS: u64 = 10_000_000;

/// How sessions are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The section played.
    pub section: Section,
    /// The system.
    pub system: System,
    /// The first stake, which the system counts in.
    pub base: Money,
    /// What the player comes with.
    pub bankroll: Money,
    /// The table's least stake.
    pub least: Money,
    /// The table's greatest stake.
    pub most: Money,
    /// The chip unit.
    pub unit: Money,
    /// The player leaves after winning this much.
    pub target: Option<Money>,
    /// The most rounds of a session.
    pub rounds: u32,
}

impl Plan {
    /// Everything that keeps the plan from being played, all at once.
    #[must_use]
    pub fn faults(&self, layout: &Layout) -> Vec<String> {
        let mut faults = Vec::new();
        let mut claim = |holds: bool, fault: String| {
            if !holds {
                faults.push(fault);
            }
        };
        let unit = self.unit.minor();
        claim(unit > 0, "the chip unit must be more than zero".to_owned());
        let whole = |money: Money| unit > 0 && money.minor() % unit == 0;
        for (name, money) in [
            ("base stake", self.base),
            ("minimum", self.least),
            ("maximum", self.most),
            ("bankroll", self.bankroll),
        ] {
            claim(
                money > Money::ZERO,
                format!("the {name} must be more than zero"),
            );
            claim(
                whole(money),
                format!("the {name} must be a multiple of the chip unit"),
            );
        }
        claim(
            self.least <= self.most,
            "the minimum must not be above the maximum".to_owned(),
        );
        claim(
            self.base >= self.least && self.base <= self.most,
            "the base stake must lie between the minimum and the maximum".to_owned(),
        );
        claim(
            self.bankroll >= self.base,
            "the bankroll must cover at least the base stake".to_owned(),
        );
        claim(
            self.bankroll.minor() <= Money::MAX.minor() / 20_000,
            "the bankroll is too large".to_owned(),
        );
        claim(
            self.rounds > 0,
            "a session must have at least one round".to_owned(),
        );
        match layout.pays(self.section) {
            None => claim(false, format!("the layout has no section {}", self.section)),
            Some(pays) => claim(
                unit % 2 == 0 || pays.lines().iter().all(|line| line.is.halves() % 2 == 0),
                "the chip unit cannot be paid exactly at half odds".to_owned(),
            ),
        }
        faults
    }
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The bankroll no longer covers the least stake.
    Ruined,
    /// The wanted win was reached.
    Target,
    /// The rounds were over.
    Finished,
}

/// What became of one session. Amounts are in minor units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Session {
    /// Final bankroll less the first.
    pub result_minor: i64,
    /// All stakes together.
    pub staked_minor: i64,
    /// The deepest fall from a high point of the bankroll.
    pub drawdown_minor: i64,
    /// The greatest stake.
    pub greatest_minor: i64,
    /// Rounds played.
    pub rounds: u32,
    /// Whether a stake was cut to the maximum or the bankroll.
    pub cut: bool,
    /// How it ended.
    pub end: End,
}

/// Dice for sessions, drawn ahead from one stream.
struct Dealer {
    stream: Stream,
    ahead: Vec<u8>,
    next: usize,
}

impl Dealer {
    fn new(stream: Stream) -> Dealer {
        Dealer {
            stream,
            ahead: Vec::new(),
            next: 0,
        }
    }

    #[inline]
    fn outcome(&mut self) -> u8 {
        if self.next == self.ahead.len() {
            self.ahead.clear();
            self.stream.outcomes(8192, &mut self.ahead);
            self.next = 0;
        }
        let outcome = self.ahead[self.next];
        self.next += 1;
        outcome
    }
}

/// What comes back by outcome, in halves of the stake.
#[must_use]
pub fn returns(layout: &Layout, section: Section) -> [i64; 256] {
    let mut halves = [0; 256];
    for outcome in Outcome::all() {
        halves[outcome.index()] =
            i64::from(layout.settlement().row(outcome.dice())[section.index()]);
    }
    halves
}

/// Plays one session on dice that `outcome` gives one by one.
pub fn play<P: Progression>(
    plan: &Plan,
    returns: &[i64; 256],
    mut progression: P,
    mut outcome: impl FnMut() -> u8,
) -> Session {
    let first = plan.bankroll.minor();
    let (unit, least, most) = (plan.unit.minor(), plan.least.minor(), plan.most.minor());
    let goal = plan
        .target
        .map_or(i64::MAX, |target| first + target.minor());
    let (mut bankroll, mut high) = (first, first);
    let mut session = Session {
        result_minor: 0,
        staked_minor: 0,
        drawdown_minor: 0,
        greatest_minor: 0,
        rounds: 0,
        cut: false,
        end: End::Finished,
    };
    while session.rounds < plan.rounds {
        if bankroll < least {
            session.end = End::Ruined;
            break;
        }
        let wanted = progression.stake().max(least);
        let mut stake = wanted;
        if stake > most || stake > bankroll {
            // Limits are whole chips; a bankroll may not be, after half odds.
            stake = most.min(bankroll);
            stake -= stake % unit;
            session.cut = true;
            if stake < least {
                session.end = End::Ruined;
                break;
            }
        }
        let back = stake * returns[usize::from(outcome())] / 2;
        bankroll += back - stake;
        session.staked_minor += stake;
        session.greatest_minor = session.greatest_minor.max(stake);
        session.rounds += 1;
        if back > 0 {
            progression.won(stake);
        } else {
            progression.lost(stake);
        }
        high = high.max(bankroll);
        session.drawdown_minor = session.drawdown_minor.max(high - bankroll);
        if bankroll >= goal {
            session.end = End::Target;
            break;
        }
    }
    // A bankroll emptied by the last round is ruin as well.
    if session.end == End::Finished && bankroll < least {
        session.end = End::Ruined;
    }
    session.result_minor = bankroll - first;
    session
}

/// Plays sessions `first..first + count` of a block with whatever system the plan has.
fn play_block(plan: &Plan, returns: &[i64; 256], dealer: &mut Dealer, count: u64) -> Vec<Session> {
    fn block<P: Progression>(
        plan: &Plan,
        returns: &[i64; 256],
        dealer: &mut Dealer,
        count: u64,
        start: impl Fn() -> P,
    ) -> Vec<Session> {
        (0..count)
            .map(|_| play(plan, returns, start(), || dealer.outcome()))
            .collect()
    }
    let base = plan.base.minor();
    match plan.system {
        System::Flat => block(plan, returns, dealer, count, || Flat::new(base)),
        System::Martingale => block(plan, returns, dealer, count, || Martingale::new(base)),
        System::Paroli => block(plan, returns, dealer, count, || Paroli::new(base)),
        System::DAlembert => block(plan, returns, dealer, count, || DAlembert::new(base)),
        System::Fibonacci => block(plan, returns, dealer, count, || Fibonacci::new(base)),
        System::Labouchere => block(plan, returns, dealer, count, || Labouchere::new(base)),
    }
}

/// Plays many sessions. `done` is told of every so many more sessions.
///
/// # Errors
/// When the plan cannot be played, or threads cannot be started.
pub fn run(
    layout: &Layout,
    plan: &Plan,
    run: &Run,
    sessions: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Session>, LabError> {
    let faults = plan.faults(layout);
    if !faults.is_empty() {
        return Err(LabError::OutOfRange(faults.join("; ")));
    }
    if sessions == 0 || sessions > MAX_SESSIONS {
        return Err(LabError::OutOfRange(format!(
            "{sessions} sessions cannot be played: 1 to {MAX_SESSIONS} are possible"
        )));
    }
    let returns = returns(layout, plan.section);
    let blocks = sessions.div_ceil(BLOCK_SESSIONS);
    let block = |index: u64| {
        let count = (sessions - index * BLOCK_SESSIONS).min(BLOCK_SESSIONS);
        let mut dealer = Dealer::new(run.generator.stream(run.seed, index));
        let played = play_block(plan, &returns, &mut dealer, count);
        done(count);
        played
    };
    let played: Vec<Vec<Session>> =
        run.on_threads(|| (0..blocks).into_par_iter().map(block).collect())?;
    Ok(played.into_iter().flatten().collect())
}
