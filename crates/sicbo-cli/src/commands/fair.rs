//! `sicbo fair`: the dice tests on a file of results.

use std::path::PathBuf;

use clap::Args;
use sicbo_lab::fair::{Fairness, read, test};

use crate::books;
use crate::failure::Failure;
use crate::output::{Grid, Output, marked};

/// Exits with 1 when the dice are doubted.
#[derive(Args)]
pub(crate) struct Fair {
    /// Results, one a line: 4,3,4 or CSV with die1, die2, die3, or JSON lines; - is standard input
    file: PathBuf,
    /// Doubt the dice when fair ones would fare as badly less often than this, all tests together
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = level)]
    level: f64,
}

/// A share between 0 and 1.
pub(crate) fn level(text: &str) -> Result<f64, String> {
    let share: f64 = text
        .parse()
        .map_err(|_| "write a share such as 0.01".to_owned())?;
    if share > 0.0 && share < 1.0 {
        Ok(share)
    } else {
        Err("it must lie between 0 and 1".to_owned())
    }
}

/// Some fifty million results.
const LARGEST_RECORD: u64 = 512 << 20;

impl Fair {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let text = books::read_text_within(&self.file, LARGEST_RECORD)?;
        let results = read(&text)
            .map_err(|error| Failure::input(format!("{}: {error}", self.file.display())))?;
        let fairness = test(&results, self.level);
        if out.is_json() {
            out.json(&fairness)?;
        } else {
            print(&fairness, out)?;
        }
        if fairness.doubtful {
            Err(Failure::Faulty)
        } else {
            Ok(())
        }
    }
}

fn print(fairness: &Fairness, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!("{} results", fairness.results))?;
    let mut grid =
        Grid::headed("  test | >statistic | >degrees | >p | >p of all tests | what is tested");
    for one in &fairness.tests {
        grid.row([
            marked(one.doubtful, one.name),
            format!("{:.3}", one.statistic),
            one.degrees
                .map_or_else(String::new, |degrees| degrees.to_string()),
            format!("{:.5}", one.p),
            format!("{:.5}", one.p_adjusted),
            one.tests.to_owned(),
        ]);
    }
    out.table(&grid)?;
    if !fairness.left_out.is_empty() {
        out.line(format!(
            "Too few results for: {}",
            fairness.left_out.join(", ")
        ))?;
    }
    out.line(if fairness.doubtful {
        format!(
            "The dice are doubted: fair ones would fare as badly in less than {} of records",
            fairness.level
        )
    } else if fairness.tests.is_empty() {
        "Nothing could be tested".to_owned()
    } else {
        format!(
            "Nothing speaks against the dice at a level of {}",
            fairness.level
        )
    })
}
