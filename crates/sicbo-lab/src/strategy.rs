//! Playing systems: sessions of bets whose stakes depend on what came before.
//!
//! A session plays one section, or several in fixed proportions, until the
//! bankroll cannot cover the least stake, a wanted win is reached, or its
//! rounds are over. A stake above the
//! table's maximum or the bankroll is cut to it, in whole chips; so no stake
//! is ever off the chip unit, below the minimum or above the maximum.

mod automaton;
mod exact;
mod own;
mod progression;
mod report;

use rayon::prelude::*;
use serde::Serialize;
use sicbo_rules::{Currency, Money, Outcome};

use crate::LabError;
use crate::game::{Game, Loading};
use crate::generator::{Stream, Weighted};
use crate::simulate::Run;

pub use automaton::{Automaton, Player};
pub use exact::{Exact, RuinTime, exact};
pub use own::{OwnSystem, Staking, SystemError};

pub use progression::{
    DAlembert, Fibonacci, Flat, Labouchere, Martingale, Paroli, Progression, System, UnknownSystem,
};
pub use report::{Bin, Report, Share, Spread};

/// Sessions that share one stream. Part of what a seed means: never changed.
const BLOCK_SESSIONS: u64 = 256;

/// The most sessions of one run: each keeps its figures in memory.
pub const MAX_SESSIONS: u64 = 10_000_000;

/// How sessions are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The bets played, each with its part of the stake.
    pub bets: Vec<(usize, i64)>,
    /// The system.
    pub system: Staking,
    /// Base stake, the system's unit: all bets together.
    pub base: Money,
    /// What the player comes with.
    pub bankroll: Money,
    /// The table's least stake.
    pub least: Money,
    /// The table's greatest stake.
    pub most: Money,
    /// Every stake is a multiple of this.
    pub unit: Money,
    /// The player leaves after winning this much.
    pub target: Option<Money>,
    /// The most rounds of a session.
    pub rounds: u32,
}

impl Plan {
    /// Everything that keeps the plan from being played, all at once.
    #[must_use]
    pub fn faults(&self, game: &Game, currency: Currency) -> Vec<String> {
        let mut faults = Vec::new();
        let mut claim = |holds: bool, fault: String| {
            if !holds {
                faults.push(fault);
            }
        };
        let unit = self.unit.minor();
        let money = |money: Money| currency.format(money);
        claim(unit > 0, "the chip unit must be more than zero".to_owned());
        let whole = |money: Money| unit > 0 && money.minor() % unit == 0;
        for (name, amount) in [
            ("base stake", self.base),
            ("minimum", self.least),
            ("maximum", self.most),
            ("bankroll", self.bankroll),
        ] {
            claim(
                amount > Money::ZERO,
                format!("the {name} must be more than zero"),
            );
            claim(
                whole(amount),
                format!(
                    "the {name} of {} must be a multiple of the chip unit {}",
                    money(amount),
                    money(self.unit)
                ),
            );
        }
        claim(
            self.least <= self.most,
            format!(
                "the minimum must not be above the maximum: {} and {}",
                money(self.least),
                money(self.most)
            ),
        );
        claim(
            self.base >= self.least && self.base <= self.most,
            format!(
                "the base stake of {} must lie between the minimum and the maximum, {} to {}",
                money(self.base),
                money(self.least),
                money(self.most)
            ),
        );
        claim(
            self.bankroll >= self.base,
            format!(
                "the bankroll must cover at least the base stake: {} and {}",
                money(self.bankroll),
                money(self.base)
            ),
        );
        claim(
            self.bankroll.minor() <= Money::MAX.minor() / 20_000,
            "the bankroll is too large".to_owned(),
        );
        claim(
            self.target != Some(Money::ZERO),
            "the target must be more than zero".to_owned(),
        );
        claim(
            self.rounds > 0,
            "a session must have at least one round".to_owned(),
        );
        claim(
            !self.bets.is_empty() && self.bets.iter().all(|(_, part)| *part > 0),
            "there must be a bet".to_owned(),
        );
        let denominator = Returns::of(game, &self.bets).denominator;
        claim(
            unit % denominator == 0,
            format!(
                "the chip unit {} cannot be paid exactly: choose a multiple of {}",
                money(self.unit),
                money(Money::from_minor(denominator))
            ),
        );
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
    /// Whether a stake was limited by the table maximum or the bankroll.
    pub cut: bool,
    /// How it ended.
    pub end: End,
}

/// Dice for sessions, drawn ahead from one stream.
struct Dealer {
    stream: Stream,
    weighted: Option<Weighted>,
    ahead: Vec<u8>,
    next: usize,
}

impl Dealer {
    fn new(stream: Stream, loading: &Loading) -> Dealer {
        Dealer {
            stream,
            weighted: (!loading.is_fair()).then(|| Weighted::new(loading)),
            ahead: Vec::new(),
            next: 0,
        }
    }

    #[inline]
    fn outcome(&mut self) -> u8 {
        if self.next == self.ahead.len() {
            self.draw();
        }
        let outcome = self.ahead[self.next];
        self.next += 1;
        outcome
    }

    /// Apart from the loop that plays, which is quicker without it.
    #[cold]
    #[inline(never)]
    fn draw(&mut self) {
        self.ahead.clear();
        match &mut self.weighted {
            None => self.stream.outcomes(8192, &mut self.ahead),
            Some(weighted) => {
                let stream = &mut self.stream;
                self.ahead
                    .extend((0..1024).map(|_| weighted.next(stream) as u8));
            }
        }
        self.next = 0;
    }
}

/// What comes back by outcome, for a stake of the denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returns {
    back: [i64; 256],
    denominator: i64,
}

impl Returns {
    /// Of bets in these proportions; the stake is all of them together.
    #[must_use]
    pub fn of(game: &Game, bets: &[(usize, i64)]) -> Returns {
        let common = bets.iter().fold(1, |all, (at, _)| {
            num_integer::lcm(all, game.bets[*at].denominator())
        });
        let parts: i64 = bets.iter().map(|(_, part)| part).sum();
        let mut back = [0; 256];
        for (outcome, sum) in back.iter_mut().enumerate().take(Outcome::COUNT) {
            *sum = bets
                .iter()
                .map(|(at, part)| {
                    let bet = &game.bets[*at];
                    part * bet.back()[outcome] * (common / bet.denominator())
                })
                .sum();
        }
        let denominator = (parts * common).max(1);
        let divisor = back.iter().copied().fold(denominator, num_integer::gcd);
        Returns {
            back: back.map(|back| back / divisor),
            denominator: denominator / divisor,
        }
    }

    /// What comes back for a stake.
    #[inline]
    #[must_use]
    pub fn back(&self, stake: i64, outcome: u8) -> i64 {
        let product = stake * self.back[usize::from(outcome)];
        // Most bets pay whole multiples, and a division is slow.
        if self.denominator == 1 {
            product
        } else {
            product / self.denominator
        }
    }

    /// Returns with the chance of each, in rising order.
    fn chances(&self, loading: &Loading) -> Vec<(i64, f64)> {
        let mut weights = std::collections::BTreeMap::new();
        for (back, weight) in self.back.iter().zip(loading.weights()) {
            *weights.entry(*back).or_insert(0u64) += weight;
        }
        let all = loading.all() as f64;
        let chances = weights.into_iter().filter(|(_, weight)| *weight > 0);
        chances
            .map(|(back, weight)| (back, weight as f64 / all))
            .collect()
    }
}

/// Plays one session on dice that `outcome` gives one by one.
pub fn play<P: Progression>(
    plan: &Plan,
    returns: &Returns,
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
        let back = returns.back(stake, outcome());
        bankroll += back - stake;
        session.staked_minor += stake;
        session.greatest_minor = session.greatest_minor.max(stake);
        session.rounds += 1;
        // Several bets together may come out level: then nothing was won or lost.
        if back > stake {
            progression.won(stake);
        } else if back < stake {
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
fn play_block(plan: &Plan, returns: &Returns, dealer: &mut Dealer, count: u64) -> Vec<Session> {
    fn block<P: Progression>(
        plan: &Plan,
        returns: &Returns,
        dealer: &mut Dealer,
        count: u64,
        start: impl Fn() -> P,
    ) -> Vec<Session> {
        (0..count)
            .map(|_| play(plan, returns, start(), || dealer.outcome()))
            .collect()
    }
    let base = plan.base.minor();
    let system = match &plan.system {
        Staking::Named(system) => *system,
        Staking::Own(own) => {
            let automaton = own.automaton(base);
            return block(plan, returns, dealer, count, || Player::new(&automaton));
        }
    };
    match system {
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
    game: &Game,
    plan: &Plan,
    loading: &Loading,
    run: &Run,
    sessions: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Session>, LabError> {
    let faults = plan.faults(game, game.currency);
    if !faults.is_empty() {
        return Err(LabError::OutOfRange(faults.join("; ")));
    }
    if sessions == 0 || sessions > MAX_SESSIONS {
        return Err(LabError::OutOfRange(format!(
            "{sessions} sessions cannot be played: 1 to {MAX_SESSIONS} are possible"
        )));
    }
    let returns = Returns::of(game, &plan.bets);
    let blocks = sessions.div_ceil(BLOCK_SESSIONS);
    let block = |index: u64| {
        let count = (sessions - index * BLOCK_SESSIONS).min(BLOCK_SESSIONS);
        let mut dealer = Dealer::new(run.generator.stream(run.seed, index), loading);
        let played = play_block(plan, &returns, &mut dealer, count);
        done(count);
        played
    };
    let played: Vec<Vec<Session>> =
        run.on_threads(|| (0..blocks).into_par_iter().map(block).collect())?;
    Ok(played.into_iter().flatten().collect())
}
