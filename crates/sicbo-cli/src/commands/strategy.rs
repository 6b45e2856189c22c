//! `sicbo strategy`: sessions of a playing system with bankroll and limits.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use sicbo_lab::rounds::Rounds;
use sicbo_lab::strategy::{self, Exact, OwnSystem, Plan, Report, Share, Spread, Staking};
use sicbo_lab::{pictures, plot};
use sicbo_rules::Money;

use crate::books;
use crate::failure::Failure;
use crate::lab::{Chips, Files, RunArgs, Table, amount, deliver, percent, progress};
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct Strategy {
    #[command(flatten)]
    chips: Chips,
    /// flat, martingale, paroli, dalembert, fibonacci, labouchere, or a file of steps ending in .toml
    system: String,
    /// The sections played, SECTION or SECTION=PARTS where several share the stake; may be repeated
    #[arg(long, value_name = "SECTION", default_value = "big")]
    bet: Vec<String>,
    /// Bankroll the player comes with [default: 100 base stakes]
    #[arg(long, value_name = "AMOUNT")]
    bankroll: Option<String>,
    /// Base stake (the system's unit), all sections together [default: the minimum]
    #[arg(long, value_name = "AMOUNT")]
    base: Option<String>,
    /// Table minimum, all sections together [default: five chip units]
    #[arg(long, value_name = "AMOUNT")]
    min: Option<String>,
    /// Table maximum, all sections together [default: 100 times the minimum]
    #[arg(long, value_name = "AMOUNT")]
    max: Option<String>,
    /// Leave after winning this much
    #[arg(long, value_name = "AMOUNT")]
    target: Option<String>,
    /// The most rounds of a session
    #[arg(
        long,
        value_name = "N",
        default_value = "1000",
        allow_hyphen_values = true
    )]
    rounds: Rounds,
    /// Sessions
    #[arg(
        long,
        value_name = "N",
        default_value = "100000",
        allow_hyphen_values = true
    )]
    sessions: Rounds,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    files: Files,
}

impl Strategy {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let table = self.chips.find()?;
        let plan = self.plan(&table)?;
        let faults = plan.faults(&table.game, table.currency);
        if !faults.is_empty() {
            return Err(Failure::input(faults.join("; ")));
        }
        let files = self.files.open(out)?;
        let run = self.run.run();
        let (game, loading) = (&table.game, &table.loading);
        let bar = progress(self.sessions.get(), "sessions");
        let count = self.sessions.get();
        let sessions = strategy::run(game, &plan, loading, &run, count, &|more| bar.inc(more))?;
        bar.finish_and_clear();
        let report = Report::of(game, &plan, loading, &run, &sessions);
        let origin = table.origin("strategy");
        deliver(
            files,
            &origin,
            out,
            &report,
            || Report::csv(&sessions),
            || pictures::strategy(game.name(), &report, table.currency, &origin.line()).svg(),
            |out| print(&report, &table, out),
        )
    }

    fn system(&self) -> Result<Staking, Failure> {
        if !self.system.ends_with(".toml") {
            return self.system.parse().map_err(Failure::input);
        }
        let text = books::read_text(Path::new(&self.system))?;
        let own: OwnSystem = text
            .parse()
            .map_err(|error| Failure::input(format!("{}: {error}", self.system)))?;
        Ok(Staking::Own(Arc::new(own)))
    }

    /// Sections with their parts of the stake.
    fn bets(&self, table: &Table) -> Result<Vec<(usize, i64)>, Failure> {
        let mut bets: Vec<(usize, i64)> = Vec::new();
        for text in &self.bet {
            let (name, parts) = text.split_once('=').unwrap_or((text, "1"));
            let at = table.game.find(name.trim()).map_err(Failure::input)?;
            let parts = parts
                .trim()
                .parse()
                .ok()
                .filter(|parts| (1..=1000).contains(parts))
                .ok_or_else(|| {
                    Failure::input(format!(
                        "--bet {text}: give the parts of the stake as a whole number from 1 to 1000, e.g. {name}=2"
                    ))
                })?;
            if bets.iter().any(|(other, _)| *other == at) {
                return Err(Failure::input(format!("--bet: {name} is given twice")));
            }
            bets.push((at, parts));
        }
        Ok(bets)
    }

    fn plan(&self, table: &Table) -> Result<Plan, Failure> {
        let times =
            |money: Money, times: i64| Money::from_minor(money.minor().saturating_mul(times));
        let given = |option: &str, text: &Option<String>, default: Money| match text {
            Some(text) => amount(table.currency, option, text),
            None => Ok(default),
        };
        let system = self.system()?;
        let bets = self.bets(table)?;
        let parts: i64 = bets.iter().map(|(_, parts)| parts).sum();
        // Every section gets whole chips.
        let unit = times(table.unit, parts);
        let least = given("--min", &self.min, times(unit, 5))?;
        let most = given("--max", &self.max, times(least, 100))?;
        let base = given("--base", &self.base, least)?;
        let bankroll = given("--bankroll", &self.bankroll, times(base, 100))?;
        let target = match &self.target {
            Some(text) => Some(amount(table.currency, "--target", text)?),
            None => None,
        };
        Ok(Plan {
            bets,
            system,
            base,
            bankroll,
            least,
            most,
            unit,
            target,
            rounds: u32::try_from(self.rounds.get()).map_err(|_| {
                Failure::input("--rounds: a session can have at most 4294967295 rounds")
            })?,
        })
    }
}

fn print(report: &Report, table: &Table, out: &mut Output) -> Result<(), Failure> {
    let played: Vec<String> = match report.sections.as_slice() {
        [one] => vec![one.section.clone()],
        several => several
            .iter()
            .map(|one| format!("{} {}", one.section, table.money(one.stake_minor)))
            .collect(),
    };
    out.heading(&format!(
        "{} on {}, {}: {} sessions of up to {} rounds, seed {}",
        report.system,
        played.join(" + "),
        table.game.name(),
        plot::group(&report.sessions.to_string()),
        plot::group(&report.rounds.to_string()),
        report.seed.0
    ))?;
    let target = report.target_minor.map_or_else(String::new, |target| {
        format!(", target {}", table.money(target))
    });
    out.line(format!(
        "Base stake {}, bankroll {}, minimum {}, maximum {}, chip unit {}{target}",
        table.money(report.base_minor),
        table.money(report.bankroll_minor),
        table.money(report.least_minor),
        table.money(report.most_minor),
        table.money(report.unit_minor)
    ))?;
    let mut grid = Grid::headed(
        " | >mean | >least | >1 % | >5 % | >25 % | >median | >75 % | >95 % | >99 % | >most",
    );
    let money = |minor: i64| table.currency.format(Money::from_minor(minor));
    let rounds = |count: i64| count.to_string();
    let mut row = |name: &str, spread: &Spread, write: &dyn Fn(i64) -> String| {
        let figures = [
            spread.mean.round() as i64,
            spread.least,
            spread.percent_1,
            spread.percent_5,
            spread.percent_25,
            spread.median,
            spread.percent_75,
            spread.percent_95,
            spread.percent_99,
            spread.most,
        ];
        grid.row(std::iter::once(name.to_owned()).chain(figures.into_iter().map(write)));
    };
    let name = |text: &str| format!("{text}, {}", table.currency);
    row(&name("net result"), &report.result_minor, &money);
    row(&name("maximum drawdown"), &report.drawdown_minor, &money);
    row("rounds played", &report.length, &rounds);
    if let Some(ruined) = &report.length_ruined {
        row("rounds to ruin", ruined, &rounds);
    }
    row(&name("staked"), &report.staked_minor, &money);
    row(&name("greatest stake"), &report.greatest_minor, &money);
    out.table(&grid)?;
    let exact = report.exact.as_ref();
    let mut line = |name: &str, share: &Share, exact: Option<f64>| {
        let exact = exact.map_or_else(String::new, |exact| format!("; exact {}", percent(exact)));
        out.line(format!(
            "{name}: {} of sessions ({} to {}){exact}",
            percent(share.share),
            percent(share.low),
            percent(share.high)
        ))
    };
    line("Ruined", &report.ruined, exact.map(|exact| exact.ruined))?;
    if let Some(target) = &report.target {
        line(
            "Reached the target",
            target,
            exact.and_then(|exact| exact.target),
        )?;
    }
    line("Ended ahead", &report.ahead, exact.map(|exact| exact.ahead))?;
    line(
        "At least one stake limited by the table maximum or bankroll",
        &report.cut,
        None,
    )?;
    match (exact, report.exact_left_out) {
        (Some(exact), _) => print_exact(exact, table, out)?,
        (None, why) => out.line(format!("Exact: {}", why.unwrap_or_default()))?,
    }
    out.line(format!(
        "Lost {} of all that was staked; the exact edge is {} = {:.4} %: z {:+.2}, plus when more was lost",
        percent(report.loss_per_unit_staked),
        report.edge,
        report.edge_percent,
        report.standard_errors_from_exact
    ))
}

fn print_exact(exact: &Exact, table: &Table, out: &mut Output) -> Result<(), Failure> {
    out.line(format!(
        "Exact (Markov chain, relative error below {:.0e}): mean result {}, mean staked {}, mean rounds {:.2}: {}",
        exact.error_bound,
        table.major(exact.mean_result_minor),
        table.major(exact.mean_staked_minor),
        exact.mean_rounds,
        if exact.agree { "result and edge agree" } else { "RESULT AND EDGE DISAGREE" }
    ))?;
    match &exact.ruin_time {
        Some(time) => out.line(format!(
            "Exact time to ruin of ruined sessions: mean {:.2} rounds, 5 % by {}, median {}, 95 % by {}",
            time.mean, time.percent_5, time.median, time.percent_95
        )),
        None => Ok(()),
    }
}
