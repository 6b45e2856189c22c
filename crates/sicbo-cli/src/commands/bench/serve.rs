//! `sicbo bench serve`: a whole house with its terminals on loopback: bets a
//! second, how long registration takes, how soon the last terminal has its
//! settlement, and how much memory a terminal takes.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use sicbo_bench::serve::{
    self, GOAL_LAST_MS, GOAL_MEMORY, GOAL_ONE, GOAL_P99_MS, GOAL_SIXTEEN, LoadArgs, Measured,
};

use crate::failure::Failure;
use crate::output::{Grid, Output};

#[derive(Args)]
#[command(after_help = "\
Registration latency is measured with bets that are due at a steady rate, whether or not earlier \
ones have been answered, each in a frame and a write of its own, and counts from when a bet was \
due: at 60,000 bets per second, or at three, two or one quarter of that where the goal is not met. \
The greatest rates are those of terminals with up to 8 bets, or 2 frames of sixteen, on the way. \
Times until the last settlement \
count from when the dealer's confirmation was sent, half a second after the dice were keyed; \
medians of several rounds. Beside them stands how long this machine takes in the same run to \
bring as many bytes to as many bare connections, written by threads that do nothing else.")]
pub(crate) struct Serve {
    /// A short run with 200 terminals: shows that it works, not how fast
    #[arg(long)]
    quick: bool,
    /// A folder on the disk to be measured; a folder made in it is removed again
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    dir: PathBuf,
    /// The program whose house is measured, to set two of them side by side; this one otherwise
    #[arg(long, value_name = "PROGRAM")]
    house: Option<PathBuf>,
}

impl Serve {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let measured = serve::measure(self.house.as_deref(), &self.dir, self.quick)?;
        if out.is_json() {
            return out.json(&measured);
        }
        print(out, &measured)
    }
}

fn print(out: &mut Output, measured: &Measured) -> Result<(), Failure> {
    let mut grid = Grid::new(&["", ">measured", ">goal"]);
    let row = |what: &str, is: String, goal: String| [what.to_owned(), is, goal];
    grid.row(row(
        "terminals connected",
        measured.terminals.to_string(),
        String::new(),
    ));
    grid.row(row(
        "bets per second, one to a frame",
        measured.bets_per_s_one_per_frame.to_string(),
        GOAL_ONE.to_string(),
    ));
    grid.row(row(
        "bets per second, sixteen to a frame",
        measured.bets_per_s_sixteen_per_frame.to_string(),
        GOAL_SIXTEEN.to_string(),
    ));
    let at = measured.register_at_bets_per_s;
    grid.row(row(
        &format!("registration p50 ms at {at} bets per second"),
        format!("{:.1}", measured.register_p50_ms),
        String::new(),
    ));
    grid.row(row(
        &format!("registration p99 ms at {at} bets per second"),
        format!("{:.1}", measured.register_p99_ms),
        format!("{GOAL_P99_MS}"),
    ));
    let of = |figures: &BTreeMap<usize, f64>, terminals: &usize| {
        figures.get(terminals).copied().unwrap_or_default()
    };
    for (terminals, ms) in &measured.last_terminal_ms {
        grid.row(row(
            &format!("ms until the last of {terminals} has its settlement (best)"),
            format!(
                "{ms:.1} ({:.1})",
                of(&measured.best_last_terminal_ms, terminals)
            ),
            match terminals {
                5_000 => format!("{GOAL_LAST_MS}"),
                _ => String::new(),
            },
        ));
        grid.row(row(
            "  and of bare connections; times as long",
            format!(
                "{:.1}; {:.2}",
                of(&measured.limit_last_terminal_ms, terminals),
                of(&measured.last_terminal_to_limit, terminals)
            ),
            String::new(),
        ));
    }
    grid.row(row(
        "bytes of memory a terminal",
        measured.bytes_per_terminal.to_string(),
        String::new(),
    ));
    grid.row(row(
        "MB of the house with all connected",
        (measured.house_bytes / 1_000_000).to_string(),
        (GOAL_MEMORY / 1_000_000).to_string(),
    ));
    out.table(&grid)?;
    let [before, after] = measured.load_average;
    out.line(format!("load average {before} before, {after} after"))
}

#[derive(Args)]
pub(crate) struct Load {
    /// The house's address
    #[arg(long)]
    address: SocketAddr,
    /// A file with a terminal's token on each line
    #[arg(long)]
    tokens: PathBuf,
    /// A stake as JSON on each line, on different sections
    #[arg(long)]
    stakes: PathBuf,
    /// A note as the acceptor takes it
    #[arg(long)]
    note: i64,
}

impl Load {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let load = LoadArgs {
            address: self.address,
            tokens: self.tokens,
            stakes: self.stakes,
            note: self.note,
        };
        Ok(load.run()?)
    }
}
