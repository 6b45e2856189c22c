//! `sicbo bench settle`: how fast a table settles a round, beside what the memory allows.

use clap::Args;
use sicbo_bench::settle;

use crate::books;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
pub(crate) struct Settle {
    /// The layout the bets are on, of a book that is played at terminals
    #[arg(long, default_value = "rws-etg/b")]
    layout: String,
}

impl Settle {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = books::layout(&self.layout)?;
        let measured = settle::measure(&found.book, found.layout())?;
        if out.is_json() {
            return out.json(&measured);
        }
        out.line(format!(
            "{:>6.1} million bets settled and credited per second on one core ({})",
            measured.bets_per_s as f64 / 1e6,
            measured.layout
        ))?;
        out.line(format!(
            "{:>6.1} million per second for the bare loop account[a] += stake * table[section]",
            measured.memory_limit_bets_per_s as f64 / 1e6
        ))?;
        out.line(format!("{:>6.2} of what the memory allows", measured.ratio))
    }
}
