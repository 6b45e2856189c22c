//! `sicbo bench simulate`: rounds per second on one core, beside the bare
//! generator and beside numpy, all in one run.

use clap::Args;
use sicbo_bench::simulate;

use crate::books;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
pub(crate) struct Simulate {
    /// The layout whose sections are all settled
    #[arg(long, default_value = "rws-etg/b")]
    layout: String,
    /// The Python to look for numpy in
    #[arg(long, value_name = "PATH", default_value = "python3")]
    python: String,
}

impl Simulate {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = books::layout(&self.layout)?;
        let measured = simulate::measure(&found.book, found.layout(), &self.python)?;
        if out.is_json() {
            return out.json(&measured);
        }
        let mut line = |rate: u64, what: &str| {
            out.line(format!(
                "{:>9.1} million rounds per second {what}",
                rate as f64 / 1e6
            ))
        };
        line(
            measured.rounds_per_s_per_core,
            "drawn and settled on all sections, one core",
        )?;
        line(
            measured.crypto_rounds_per_s_per_core,
            "the same with ChaCha20",
        )?;
        line(
            measured.limit_rounds_per_s_per_core,
            "for the bare generator",
        )?;
        line(
            measured.strategy_rounds_per_s_per_core,
            "of a martingale with limits, one core",
        )?;
        match measured.numpy_rounds_per_s {
            Some(numpy) => {
                line(numpy, "in numpy, the same work")?;
                let times = measured.rounds_per_s_per_core as f64 / numpy as f64;
                out.line(format!("{times:>9.1} times numpy"))
            }
            None => out.line(format!("          no numpy in {}", self.python)),
        }
    }
}
