//! `sicbo bench cluster`: durable bets a second with the truth in PostgreSQL,
//! beside SQLite alone and beside the same statements and nothing else.

use std::path::PathBuf;

use clap::Args;
use sicbo_bench::cluster;

use crate::failure::Failure;
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct Cluster {
    /// An empty database that is in no other use, as psql takes it: "host=a,b,c user=sicbo
    /// dbname=bench". Its password comes from the address. Without this, servers are started here
    #[arg(long, value_name = "ADDRESS")]
    postgres: Option<String>,
    /// The authority that signed the servers' certificates (PEM): encrypted connections only
    #[arg(long, value_name = "FILE", requires = "postgres")]
    ca: Option<PathBuf>,
    /// A folder on the disk of the copy; a folder made in it is removed again
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    dir: PathBuf,
}

impl Cluster {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let measured = cluster::measure(&self.dir, self.postgres.as_deref(), self.ca.as_deref())?;
        if out.is_json() {
            return out.json(&measured);
        }
        let mut grid = Grid::new(&["", ">bets/s", ">part"]);
        let parts = [
            ("quorum and copy", measured.bets_per_s, 1.0),
            ("bare statements", measured.bare_bets_per_s, measured.ratio),
            (
                "SQLite alone",
                measured.sqlite_bets_per_s,
                measured.sqlite_ratio,
            ),
        ];
        for (what, rate, part) in parts {
            grid.row([what.to_owned(), rate.to_string(), format!("{part:.2}")]);
        }
        out.table(&grid)?;
        out.line(format!(
            "at half the rate: p50 {:.2} ms, p99 {:.2} ms",
            measured.p50_ms, measured.p99_ms
        ))
    }
}
