//! `sicbo bench verify`: how fast journals of large and of small blocks are
//! verified, and both with their tree, beside what a core must do at least.

use std::path::PathBuf;

use clap::Args;
use sicbo_bench::verify;

use crate::failure::Failure;
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct Verify {
    /// Bets in the journal of large blocks
    #[arg(long, value_name = "BETS", default_value_t = 2_000_000)]
    large: u64,
    /// Bets in the journal of small blocks, each of which is one sync of the disk
    #[arg(long, value_name = "BETS", default_value_t = 50_000)]
    small: u64,
    /// A folder on the disk to be measured; a folder made in it is removed again
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    dir: PathBuf,
}

impl Verify {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let measured = verify::measure(&self.dir, self.large, self.small)?;
        if out.is_json() {
            return out.json(&measured);
        }
        let heads = [
            "blocks of",
            ">blocks",
            ">records",
            ">records/s",
            ">a core",
            ">cores",
            ">to what is wanted",
        ];
        let mut grid = Grid::new(&heads);
        for one in &measured.journals {
            let part = one.records_per_s_per_core as f64 / measured.wanted_per_core as f64;
            grid.row([
                one.blocks_of.to_owned(),
                one.blocks.to_string(),
                one.records.to_string(),
                one.records_per_s.to_string(),
                one.records_per_s_per_core.to_string(),
                format!("{:.2}", one.cores_used),
                format!("{part:.2}"),
            ]);
        }
        out.table(&grid)
    }
}
