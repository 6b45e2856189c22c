//! `sicbo fair`: the dice tests on a file of results.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_lab::fair::{DiceOrder, Fairness, order, read, test_with};
use sicbo_lab::plot::group;

use crate::books;
use crate::failure::Failure;
use crate::lab::origin::{FORMAT, PROGRAM};
use crate::lab::share;
use crate::output::{Grid, Output, marked};

/// Exits with 1 on evidence of bias, and with 3 when there are too few results to test.
#[derive(Args)]
pub(crate) struct Fair {
    /// Results, one per line: 4,3,4 or CSV with die1, die2, die3, or JSON lines, or what `sicbo
    /// export` writes of a table; - is standard input
    file: PathBuf,
    /// Family-wise significance level (Holm-adjusted), e.g. 0.01 or 1%
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    level: f64,
    /// Ignore the order of the dice within a result: leave out the tests of each position
    #[arg(long)]
    no_positions: bool,
}

/// Some fifty million results.
const LARGEST_RECORD: u64 = 512 << 20;

#[derive(Serialize)]
struct Named<'a> {
    format: &'static str,
    command: &'static str,
    program: &'static str,
    file: String,
    #[serde(flatten)]
    fairness: &'a Fairness,
}

impl Fair {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let text = books::read_text_within(&self.file, LARGEST_RECORD)?;
        let file = match self.file.as_os_str() == "-" {
            true => "standard input".to_owned(),
            false => self.file.display().to_string(),
        };
        let results = read(&text).map_err(|error| Failure::input(format!("{file}: {error}")))?;
        let order = if self.no_positions {
            DiceOrder::Ignored
        } else {
            order(&results)
        };
        let fairness = test_with(&results, self.level, order);
        if out.is_json() {
            out.json(&Named {
                format: FORMAT,
                command: "fair",
                program: PROGRAM,
                file,
                fairness: &fairness,
            })?;
        } else {
            print(&fairness, out)?;
        }
        match (fairness.doubtful, fairness.tested) {
            (true, _) => Err(Failure::Faulty),
            (false, true) => Ok(()),
            (false, false) => Err(Failure::Undecided),
        }
    }
}

/// A chance, never shown as nothing.
fn chance(p: f64) -> String {
    if p < 1e-300 {
        "<1e-300".to_owned()
    } else if p < 1e-5 {
        format!("{p:.1e}")
    } else {
        format!("{p:.5}")
    }
}

/// Evidence, however large.
fn evidence_text(e: f64) -> String {
    if !(1e-3..1e5).contains(&e) {
        format!("{e:.3e}")
    } else {
        format!("{e:.4}")
    }
}

fn print(fairness: &Fairness, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!("{} results", group(&fairness.results.to_string())))?;
    if !fairness.tests.is_empty() {
        let mut grid = Grid::headed(
            "  test | >statistic | >degrees | >p | >adjusted p (Holm) | what is tested",
        );
        for one in &fairness.tests {
            grid.row([
                marked(one.doubtful, one.name),
                format!("{:.3}", one.statistic),
                one.degrees
                    .map_or_else(String::new, |degrees| degrees.to_string()),
                chance(one.p),
                chance(one.p_adjusted),
                one.tests.to_owned(),
            ]);
        }
        out.table(&grid)?;
    }
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in &fairness.left_out {
        match reasons.iter_mut().find(|(reason, _)| *reason == one.reason) {
            Some((_, names)) => names.push(one.name),
            None => reasons.push((one.reason, vec![one.name])),
        }
    }
    for (reason, names) in reasons {
        out.line(format!("Not tested: {} ({reason})", names.join(", ")))?;
    }
    if fairness.order == DiceOrder::PartlySorted {
        out.line("Most results have their dice in order, far more than chance gives: were they written sorted?")?;
    }
    let evidence = &fairness.evidence;
    let alarm = match evidence.alarmed {
        Some(after) => format!(
            "it reached {:.0} after {} results",
            evidence.alarm_at,
            group(&after.to_string())
        ),
        None => format!(
            "fair dice ever reach {:.0} in at most {} of records",
            evidence.alarm_at, fairness.level
        ),
    };
    out.line(format!(
        "Evidence, valid however often one looks: e = {}, highest {} after {} results; {alarm}",
        evidence_text(evidence.e),
        evidence_text(evidence.peak),
        group(&evidence.peak_at.to_string()),
    ))?;
    if evidence.peak >= 10.0 {
        out.line(format!(
            "Loudest: {} (e = {}): {}",
            evidence.test,
            evidence_text(evidence.test_e),
            evidence.saw
        ))?;
    }
    out.line(fairness.power.words(fairness.results))?;
    let level = fairness.level;
    let percent = level * 100.0;
    let tests = fairness.tests.len();
    out.line(if fairness.doubtful {
        format!(
            "Evidence of bias: adjusted p < {level}. Fair dice give this in fewer than {percent} % of files."
        )
    } else if fairness.tests.is_empty() {
        "Nothing could be tested: this says nothing for or against the dice".to_owned()
    } else {
        format!(
            "No evidence of bias at the {percent} % level ({tests} test{}, {} results)",
            if tests == 1 { "" } else { "s" },
            group(&fairness.results.to_string())
        )
    })
}
