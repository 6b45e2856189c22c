//! `sicbo bench`: how fast this machine is, beside what it allows.

mod cluster;
mod fair;
mod journal;
mod serve;
mod settle;
mod simulate;
mod table;
mod verify;

use clap::Subcommand;
use sicbo_bench::BenchError;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Bets settled and credited per second on one core
    ///
    /// A table of 10,000 terminals plays rounds with a bet on up to 100 sections at each; the
    /// settlement is the house's own, from the confirmed result to the last terminal's credit.
    /// Beside it the bare loop `account[a] += stake * table[section]` over the same bets. Medians
    /// of 7 rounds each, taken in alternation.
    Settle(settle::Settle),
    /// Rounds simulated per second on one core
    ///
    /// Rounds drawn and settled on all sections; the same with the cryptographic generator; the
    /// bare generator as the limit; a playing system; and numpy doing the same work, where there
    /// is one. The best of 150 short turns each, taken in alternation; of 800 for numpy.
    Simulate(simulate::Simulate),
    /// Bets placed per second at one table on one core, and the time to settle a million
    ///
    /// Bets go one by one through the table's decisions, visiting the stations in a shuffled
    /// order; then the round with its 1,000,000 bets is settled. The median batch of 1,000 bets
    /// and the best settlement of 7 rounds, with 100, 10,000 and 100,000 stations, to show how
    /// little the cost of a bet grows.
    Table(table::Table),
    /// How soon a die that is not fair is found, and how often fair dice are doubted
    ///
    /// Draws records of fair dice, of three dice with one face heavier and of one such die among
    /// three, and looks at each as a table's report does, over and over, until it raises an alarm.
    Fair(fair::Fair),
    /// Durable bets per second through the whole path, restart and verification
    ///
    /// At batches of 1, 64, 1,024 and 8,192: commands are decided, encoded, appended to a real
    /// journal, synced and acknowledged. Bets arrive at a steady rate that does not wait for
    /// answers, and latency counts from when a bet was due. Beside it, what the same disk does
    /// with the same bytes and nothing else. Then a long history is written, the table is brought
    /// back from it, and all of it is verified.
    Journal(journal::Journal),
    /// Durable bets per second with the truth in PostgreSQL, beside SQLite and bare statements
    ///
    /// The whole path of a table as in `bench journal`, once on this machine's SQLite alone and once
    /// with every block in PostgreSQL under its quorum first and in SQLite after. Beside it the same
    /// records in the same statements and nothing else, all turn by turn; then the latency at half
    /// the rate. Without --postgres a primary and two standbys are started here for the while: on
    /// one disk, which all of them sync.
    Cluster(cluster::Cluster),
    /// Records verified per second and core, in journals of large and of small blocks
    ///
    /// Two journals are written, one with as many bets to a block as come together and one with
    /// one bet to a block, and looked at by the code of `sicbo verify`: chain, signatures, every
    /// record decided again, snapshots and index. A core's share is counted by the time the
    /// processor worked. The best of three times each.
    Verify(verify::Verify),
    /// A whole house with its terminals on loopback: bets per second, latency, settlement, memory
    ///
    /// Starts a house and terminals in further processes: bets per second one to a frame and sixteen
    /// to a frame, how long registration takes, the time from the confirmed result until the last
    /// of 1,000, 5,000 and 10,000 terminals has its own settlement, and memory for each terminal.
    Serve(serve::Serve),
    /// Terminals of `bench serve`, told what to do line by line
    #[command(hide = true)]
    ServeLoad(serve::Load),
}

impl Bench {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        match self {
            Bench::Settle(settle) => settle.run(out),
            Bench::Simulate(simulate) => simulate.run(out),
            Bench::Table(table) => table.run(out),
            Bench::Fair(fair) => fair.run(out),
            Bench::Journal(journal) => journal.run(out),
            Bench::Cluster(cluster) => cluster.run(out),
            Bench::Verify(verify) => verify.run(out),
            Bench::Serve(serve) => serve.run(out),
            Bench::ServeLoad(load) => load.run(),
        }
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        match error {
            BenchError::Input(message) => Failure::Input(message),
            BenchError::World(message) => Failure::World(message),
            BenchError::File {
                action,
                path,
                error,
            } => Failure::file(action, &path, &error),
            BenchError::Lab(error) => error.into(),
        }
    }
}
