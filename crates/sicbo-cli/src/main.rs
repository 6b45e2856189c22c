//! The `sicbo` command line: reads arguments, calls the libraries, maps errors to exit codes.

use clap::Parser;

/// Runs Sic Bo tables, and shows and proves their rules.
#[derive(Parser)]
#[command(name = "sicbo", version)]
struct Arguments {}

fn main() {
    let Arguments {} = Arguments::parse();
}
