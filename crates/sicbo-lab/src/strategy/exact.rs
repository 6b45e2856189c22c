//! A session worked out exactly: the chances of every bankroll and step of the
//! system, round by round. A Markov chain whose terms are all positive, so the
//! relative error of every chance stays below a proven bound.

use serde::Serialize;
use sicbo_rules::maths::approx;

use super::{Automaton, Plan, Returns};
use crate::game::{Game, Loading};

/// What becomes of a session.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Exact {
    /// Chance of ruin.
    pub ruined: f64,
    /// Chance of reaching the target; `null` when none was given.
    pub target: Option<f64>,
    /// Chance of ending with more than the first bankroll.
    pub ahead: f64,
    /// Mean of the player's result, in minor units.
    pub mean_result_minor: f64,
    /// Mean of all stakes of a session together, in minor units.
    pub mean_staked_minor: f64,
    /// Mean of the rounds played.
    pub mean_rounds: f64,
    /// When ruin comes, in the sessions that end in it.
    pub ruin_time: Option<RuinTime>,
    /// Bound on the relative error of every chance above.
    pub error_bound: f64,
    /// Mean result and edge times mean stakes agree within the error.
    pub agree: bool,
}

/// The round in which ruined sessions are ruined.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RuinTime {
    /// The average.
    pub mean: f64,
    /// One ruined session in twenty is ruined by this round.
    pub percent_5: u32,
    /// Half are.
    pub median: u32,
    /// Nineteen in twenty are.
    pub percent_95: u32,
}

/// Products and sums a chain may take: a few seconds.
const MAX_WORK: f64 = 4e9;
const TOO_MANY: &str = "there are too many states to work it out: it is simulated only";
/// Chances held in memory.
const MAX_STATES: usize = 30_000_000;

/// Works a plan out, or says why it cannot be.
///
/// # Errors
/// In words: the system has no fixed steps, or there are too many states.
pub fn exact(game: &Game, plan: &Plan, loading: &Loading) -> Result<Exact, &'static str> {
    let automaton = Automaton::of(&plan.system, plan.base.minor(), plan.rounds)
        .ok_or("labouchere has no fixed steps: it is simulated only")?;
    let returns = Returns::of(game, &plan.bets);
    Chain::new(plan, &automaton, &returns, loading)?.run(game, plan, loading)
}

struct Chain<'a> {
    automaton: &'a Automaton,
    returns: &'a Returns,
    chances: Vec<(i64, f64)>,
    /// Distance between possible bankrolls, in minor units.
    step: i64,
    lowest: i64,
    points: usize,
    /// Chance of each bankroll, by step of the system.
    now: Vec<Vec<f64>>,
    next: Vec<Vec<f64>>,
    /// First and last bankroll with a chance, by step; empty when first > last.
    live: Vec<(usize, usize)>,
}

const NOTHING: (usize, usize) = (usize::MAX, 0);

impl<'a> Chain<'a> {
    fn new(
        plan: &Plan,
        automaton: &'a Automaton,
        returns: &'a Returns,
        loading: &Loading,
    ) -> Result<Chain<'a>, &'static str> {
        let chances = returns.chances(loading);
        let first = plan.bankroll.minor();
        let gain = chances.last().map_or(0, |(back, _)| *back) as f64 / returns.denominator as f64;
        // A stake is whole chips, so every bankroll is a whole number of the
        // smallest difference above the first.
        let step = chances.iter().fold(0, |step, (back, _)| {
            num_integer::gcd(step, plan.unit.minor() * back / returns.denominator)
        });
        let step = num_integer::gcd(num_integer::gcd(step, plan.unit.minor()), first);
        let most_stake = automaton
            .stakes
            .iter()
            .copied()
            .max()
            .unwrap_or(0)
            .min(plan.most.minor());
        let highest = match plan.target {
            Some(target) => {
                first as f64 + target.minor() as f64 + most_stake as f64 * (gain - 1.0).max(0.0)
            }
            None => {
                first as f64 + f64::from(plan.rounds) * most_stake as f64 * (gain - 1.0).max(0.0)
            }
        };
        let points = highest / step as f64 + 2.0;
        let steps = automaton.stakes.len();
        if points > MAX_STATES as f64 {
            return Err(TOO_MANY);
        }
        let points = points as usize;
        let mut now = vec![Vec::new(); steps];
        now[0] = vec![0.0; points];
        let start = (first / step) as usize;
        now[0][start] = 1.0;
        let mut live = vec![NOTHING; steps];
        live[0] = (start, start);
        Ok(Chain {
            automaton,
            returns,
            chances,
            step,
            lowest: 0,
            points,
            next: vec![Vec::new(); steps],
            now,
            live,
        })
    }

    fn run(mut self, game: &Game, plan: &Plan, loading: &Loading) -> Result<Exact, &'static str> {
        let first = plan.bankroll.minor();
        let goal = plan.target.map(|target| first + target.minor());
        let (mut ruined, mut reached, mut ahead) = (0.0, 0.0, 0.0);
        let (mut staked, mut result, mut rounds_played) = (0.0, 0.0, 0.0);
        let mut ruin_by_round = vec![0.0; plan.rounds as usize + 1];
        let (mut work, mut held) = (0.0, 0);
        let mut ended = |bankroll: i64, chance: f64| {
            result += (bankroll - first) as f64 * chance;
            if bankroll > first {
                ahead += chance;
            }
        };
        for ruined_now in ruin_by_round.iter_mut().take(plan.rounds as usize) {
            let mut live_next = vec![NOTHING; self.live.len()];
            let mut any = false;
            for step in 0..self.live.len() {
                let (from, to) = self.live[step];
                if from > to {
                    continue;
                }
                work += (to - from + 1) as f64 * self.chances.len() as f64;
                if work > MAX_WORK {
                    return Err(TOO_MANY);
                }
                for at in from..=to {
                    let chance = std::mem::replace(&mut self.now[step][at], 0.0);
                    if chance == 0.0 {
                        continue;
                    }
                    let bankroll = self.lowest + at as i64 * self.step;
                    let Some(stake) = stake(plan, self.automaton.stakes[step], bankroll) else {
                        // Not enough for the least stake: it ended with the round before.
                        ruined += chance;
                        *ruined_now += chance;
                        ended(bankroll, chance);
                        continue;
                    };
                    any = true;
                    staked += stake as f64 * chance;
                    rounds_played += chance;
                    for (back, share) in &self.chances {
                        let back = stake * back / self.returns.denominator;
                        let (after, part) = (bankroll + back - stake, chance * share);
                        if goal.is_some_and(|goal| after >= goal) {
                            reached += part;
                            ended(after, part);
                            continue;
                        }
                        let to_step = match back.cmp(&stake) {
                            std::cmp::Ordering::Greater => self.automaton.won[step] as usize,
                            std::cmp::Ordering::Less => self.automaton.lost[step] as usize,
                            std::cmp::Ordering::Equal => step,
                        };
                        let place = ((after - self.lowest) / self.step) as usize;
                        let column = &mut self.next[to_step];
                        if column.is_empty() {
                            held += self.points;
                            if held > MAX_STATES {
                                return Err(TOO_MANY);
                            }
                            column.resize(self.points, 0.0);
                        }
                        column[place] += part;
                        let live = &mut live_next[to_step];
                        *live = (live.0.min(place), live.1.max(place));
                    }
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
            self.live = live_next;
            if !any {
                break;
            }
        }
        // The rounds are over.
        for step in 0..self.live.len() {
            let (from, to) = self.live[step];
            if from > to {
                continue;
            }
            for at in from..=to {
                let chance = self.now[step][at];
                let bankroll = self.lowest + at as i64 * self.step;
                if bankroll < plan.least.minor() {
                    ruined += chance;
                    ruin_by_round[plan.rounds as usize] += chance;
                }
                ended(bankroll, chance);
            }
        }
        let terms = self.chances.len() as f64 + 3.0;
        let error_bound = f64::from(plan.rounds) * terms * f64::EPSILON + 1e-12;
        let edge = edge_of(game, plan, loading);
        Ok(Exact {
            ruined,
            target: plan.target.map(|_| reached),
            ahead,
            mean_result_minor: result,
            mean_staked_minor: staked,
            mean_rounds: rounds_played,
            ruin_time: RuinTime::of(&ruin_by_round, ruined),
            error_bound,
            // Gains and losses cancel, so the error is measured by the stakes.
            agree: (result + edge * staked).abs() <= 4.0 * error_bound * staked.max(1.0),
        })
    }
}

/// The edge of the bets played together.
fn edge_of(game: &Game, plan: &Plan, loading: &Loading) -> f64 {
    let parts: i64 = plan.bets.iter().map(|(_, part)| part).sum();
    let weighted = plan
        .bets
        .iter()
        .map(|(at, part)| approx(game.bets[*at].par(loading).edge()) * *part as f64);
    weighted.sum::<f64>() / parts as f64
}

/// What is really staked when the system wants so much: within the limits and
/// the bankroll, in whole chips; `None` when the least stake cannot be covered.
fn stake(plan: &Plan, wanted: i64, bankroll: i64) -> Option<i64> {
    let (least, most) = (plan.least.minor(), plan.most.minor());
    if bankroll < least {
        return None;
    }
    let mut stake = wanted.max(least);
    if stake > most || stake > bankroll {
        stake = most.min(bankroll);
        stake -= stake % plan.unit.minor();
    }
    (stake >= least).then_some(stake)
}

impl RuinTime {
    fn of(by_round: &[f64], ruined: f64) -> Option<RuinTime> {
        if ruined <= 0.0 {
            return None;
        }
        let rounds = || by_round.iter().enumerate();
        let by = |share: f64| {
            let mut sum = 0.0;
            let found = rounds().find(|(_, chance)| {
                sum += *chance;
                sum >= share * ruined * (1.0 - 1e-12)
            });
            found.map_or(by_round.len() - 1, |(round, _)| round) as u32
        };
        Some(RuinTime {
            mean: rounds()
                .map(|(round, chance)| round as f64 * chance)
                .sum::<f64>()
                / ruined,
            percent_5: by(0.05),
            median: by(0.5),
            percent_95: by(0.95),
        })
    }
}
