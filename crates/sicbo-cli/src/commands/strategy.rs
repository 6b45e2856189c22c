//! `sicbo strategy`: sessions of a playing system with bankroll and limits.

use clap::Args;
use sicbo_lab::rounds::Rounds;
use sicbo_lab::strategy::{self, Plan, Report, Share, Spread, System};
use sicbo_lab::{pictures, plot};
use sicbo_rules::Money;

use crate::failure::Failure;
use crate::lab::{Chips, Files, RunArgs, Table, amount, percent, progress};
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct Strategy {
    #[command(flatten)]
    chips: Chips,
    /// flat, martingale, paroli, dalembert, fibonacci or labouchere
    system: System,
    /// The section played
    #[arg(long, value_name = "SECTION", default_value = "big")]
    bet: String,
    /// What the player comes with [default: 100 base stakes]
    #[arg(long, value_name = "AMOUNT")]
    bankroll: Option<String>,
    /// The first stake, which the system counts in [default: the minimum]
    #[arg(long, value_name = "AMOUNT")]
    base: Option<String>,
    /// The table's least stake [default: five chip units]
    #[arg(long, value_name = "AMOUNT")]
    min: Option<String>,
    /// The table's greatest stake [default: 100 times the minimum]
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
        let files = self.files.open()?;
        let run = self.run.run();
        let layout = table.found.layout();
        let bar = progress(self.sessions.get(), "sessions");
        let sessions = strategy::run(layout, &plan, &run, self.sessions.get(), &|more| {
            bar.inc(more)
        })?;
        bar.finish_and_clear();
        let report = Report::of(&table.found.name(), layout, &plan, &run, &sessions);
        files.write(
            || Report::csv(&sessions),
            || pictures::strategy(&report, table.currency).svg(),
        )?;
        if out.is_json() {
            out.json(&report)
        } else {
            print(&report, &table, out)
        }
    }

    fn plan(&self, table: &Table) -> Result<Plan, Failure> {
        let times =
            |money: Money, times: i64| Money::from_minor(money.minor().saturating_mul(times));
        let given = |option: &str, text: &Option<String>, default: Money| match text {
            Some(text) => amount(table.currency, option, text),
            None => Ok(default),
        };
        let least = given("--min", &self.min, times(table.unit, 5))?;
        let most = given("--max", &self.max, times(least, 100))?;
        let base = given("--base", &self.base, least)?;
        let bankroll = given("--bankroll", &self.bankroll, times(base, 100))?;
        let target = match &self.target {
            Some(text) => Some(amount(table.currency, "--target", text)?),
            None => None,
        };
        Ok(Plan {
            section: table.found.section(&self.bet)?,
            system: self.system,
            base,
            bankroll,
            least,
            most,
            unit: table.unit,
            target,
            rounds: u32::try_from(self.rounds.get()).map_err(|_| {
                Failure::input("--rounds: a session can have at most 4294967295 rounds")
            })?,
        })
    }
}

fn print(report: &Report, table: &Table, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!(
        "{} on {}, {}: {} sessions of up to {} rounds, seed {}",
        report.system,
        report.section,
        report.layout,
        plot::group(&report.sessions.to_string()),
        plot::group(&report.rounds.to_string()),
        report.seed.0
    ))?;
    out.line(format!(
        "Base {}, bankroll {}, minimum {}, maximum {}, chip unit {}",
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
    row(&name("result"), &report.result, &money);
    row(&name("drawdown"), &report.drawdown, &money);
    row("rounds played", &report.length, &rounds);
    row(&name("staked"), &report.staked, &money);
    row(&name("greatest stake"), &report.greatest, &money);
    out.table(&grid)?;
    let mut line = |name: &str, share: &Share| {
        out.line(format!(
            "{name}: {} of sessions ({} to {})",
            percent(share.share),
            percent(share.low),
            percent(share.high)
        ))
    };
    line("Ruined", &report.ruined)?;
    line("Reached the target", &report.target)?;
    line("Ended ahead", &report.ahead)?;
    line(
        "Had a stake cut to the maximum or the bankroll",
        &report.cut,
    )?;
    out.line(format!(
        "Lost {} of all that was staked; the exact edge is {} = {}: {:+.2} standard errors off",
        percent(report.loss_per_unit_staked),
        report.edge,
        percent(report.edge_value),
        report.standard_errors_off
    ))
}
