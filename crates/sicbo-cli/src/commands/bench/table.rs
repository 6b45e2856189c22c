//! `sicbo bench table`: how fast a table takes bets and settles a round, on one core.

use clap::Args;
use sicbo_bench::table;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
pub(crate) struct Table {}

impl Table {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let report = table::measure()?;
        if out.is_json() {
            return out.json(&report);
        }
        for measured in report.by_stations {
            out.line(format!(
                "{:>7} stations  {:>5.2} million bets placed per second on one core  {:>7.2} ms to settle a million  {:>6.0} µs to check the books",
                measured.stations,
                measured.place_bets_per_s as f64 / 1e6,
                measured.settle_ms_per_million_bets,
                measured.check_us
            ))?;
        }
        Ok(())
    }
}
