//! The `sicbo` command line: reads arguments, calls the libraries, maps errors to exit codes.
//!
//! Holds the list of commands and nothing else. A command is one file under
//! `commands/`; what went wrong becomes an exit code in `failure`.

mod books;
mod commands;
mod facts;
mod failure;
mod journals;
mod lab;
mod output;
mod sections;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches as _, Parser, Subcommand};

use failure::Failure;
use output::Output;
use sicbo_proof::describe::hex;
use sicbo_server::build;

/// Runs Sic Bo tables, and shows and proves their rules.
#[derive(Parser)]
#[command(
    name = "sicbo",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = "\
A LAYOUT is BOOK/ID, e.g. rws-etg/a; `sicbo rules list` lists them. In place of a BOOK a path \
to a rule book file ending in .toml may be given, e.g. house.toml or house.toml/a; the lab's \
commands also take a file that is a pay table only.

Exit codes: 0 done, 1 the thing examined has faults, 2 wrong input or a file that cannot be used, \
3 nothing could be said (an unsigned journal, too few results).")]
struct Arguments {
    /// Print JSON for programs instead of tables for people
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// List, show, check and compare rule books
    #[command(subcommand)]
    Rules(commands::rules::Rules),
    /// Ways, odds, return and edge of every section, exact
    Odds(commands::odds::Odds),
    /// Odds and edges of layouts side by side, differences marked
    Compare(commands::compare::Compare),
    /// Settle bets on a layout for given dice
    Settle(commands::settle::Settle),
    /// Draw a betting layout in the terminal or as an SVG picture
    Layout(commands::layout::Layout),
    /// A par sheet for a test lab, as one HTML page or PDF
    Par(commands::par::Par),
    /// Simulate rounds and compare each section with its exact edge; write them out raw
    Simulate(commands::simulate::Simulate),
    /// Play sessions of a system such as martingale, with bankroll and limits; exact ruin
    Strategy(commands::strategy::Strategy),
    /// The distribution of the house's result over N rounds, with its error
    Dist(commands::dist::Dist),
    /// What the house can lose on these stakes, and the stake limits that cap it
    Exposure(commands::exposure::Exposure),
    /// Change cells of a pay table: the edge before and after, odds for a wanted edge
    WhatIf(commands::what_if::WhatIf),
    /// Covariances of sections, and the mix of stakes with the smallest variance
    Mix(commands::mix::Mix),
    /// Test the dice on a file of results
    Fair(commands::fair::Fair),
    /// Run a house; without a plan, a trial of all five rule books for play money
    Serve(commands::serve::Serve),
    /// Write a commented example of a house's plan, to start from
    Init(commands::init::Init),
    /// Check the plan of a house: all faults at once, or what the house would be
    Check(commands::check::Check),
    /// What is wrong with a house, its plan or its data folder, and what to do
    Doctor(commands::doctor::Doctor),
    /// Verify a data folder, a journal or a bundle: chain, signatures, every payment
    Verify(commands::verify::Verify),
    /// Tell a round phase by phase from its records, or list all rounds
    Replay(commands::replay::Replay),
    /// Write a journal's records as JSON lines or CSV
    Export(commands::export::Export),
    /// Results of a table: win, hold, exact z, voids, meters, dice
    Report(commands::report::Report),
    /// Make one file that proves one round, for a regulator or for one station
    Bundle(commands::bundle::Bundle),
    /// Copy a data folder, also while the house runs, and verify the copy
    Backup(commands::backup::Backup),
    /// Open a sealed backup into a new data folder, and verify it
    Restore(commands::restore::Restore),
    /// Copy what is older than so many days, with its proof
    Archive(commands::archive::Archive),
    /// The identity of this software, keyed with a seed, compared with a signed list
    Attest(commands::attest::Attest),
    /// Show, export, rotate and encrypt the house's keys
    #[command(subcommand)]
    Key(commands::key::Key),
    /// Run a witness that cosigns what houses have written, and set one up
    #[command(subcommand)]
    Witness(commands::witness::WitnessCommand),
    /// Measure this machine against what its memory and disk allow
    #[command(subcommand)]
    Bench(commands::bench::Bench),
    /// Write man pages and shell completions
    Pages(commands::pages::Pages),
    /// The command line reference as Markdown
    #[command(hide = true)]
    Reference,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Whether a command may have a secret key or a passphrase in memory. A house says
/// for itself, by what it plays for.
fn holds_secrets(command: &Command) -> bool {
    matches!(
        command,
        Command::Key(_)
            | Command::Witness(_)
            | Command::Backup(_)
            | Command::Restore(_)
            | Command::Doctor(_)
    )
}

/// The arguments. What `--version` says of the program takes reading it, so it is made only then.
fn parse() -> Result<Arguments, clap::Error> {
    let mut command = Arguments::command();
    if std::env::args_os().any(|argument| argument == "--version") {
        // Once, and for as long as the program runs.
        command = command.long_version(&*version().leak());
    }
    Arguments::from_arg_matches(&command.try_get_matches()?)
}

/// Version, commit, and the digests by which the program and its rule books are known (S-16).
fn version() -> String {
    let build = build::known();
    let program = build::program_digest().map(|digest| hex(&digest));
    let program = program.unwrap_or_else(|error| format!("unknown: {error}"));
    format!(
        "{}\ncommit {}\nprogram sha256 {program}\nrule books sha256 {}",
        build.version,
        build.commit,
        hex(&build::books_digest())
    )
}

fn run() -> Result<(), Failure> {
    let arguments = parse().map_err(Failure::from_clap)?;
    let mut out = Output::stdout(arguments.json);
    if arguments.command.as_ref().is_some_and(holds_secrets) {
        sicbo_server::serve::no_core_dumps();
    }
    match arguments.command {
        Some(Command::Rules(command)) => command.run(&mut out),
        Some(Command::Odds(command)) => command.run(&mut out),
        Some(Command::Compare(command)) => command.run(&mut out),
        Some(Command::Settle(command)) => command.run(&mut out),
        Some(Command::Layout(command)) => command.run(&mut out),
        Some(Command::Par(command)) => command.run(&mut out),
        Some(Command::Simulate(command)) => command.run(&mut out),
        Some(Command::Strategy(command)) => command.run(&mut out),
        Some(Command::Dist(command)) => command.run(&mut out),
        Some(Command::Exposure(command)) => command.run(&mut out),
        Some(Command::WhatIf(command)) => command.run(&mut out),
        Some(Command::Mix(command)) => command.run(&mut out),
        Some(Command::Fair(command)) => command.run(&mut out),
        Some(Command::Serve(command)) => command.run(&mut out),
        Some(Command::Init(command)) => command.run(&mut out),
        Some(Command::Check(command)) => command.run(&mut out),
        Some(Command::Doctor(command)) => command.run(&mut out),
        Some(Command::Verify(command)) => command.run(&mut out),
        Some(Command::Replay(command)) => command.run(&mut out),
        Some(Command::Export(command)) => command.run(&mut out),
        Some(Command::Report(command)) => command.run(&mut out),
        Some(Command::Bundle(command)) => command.run(&mut out),
        Some(Command::Backup(command)) => command.run(&mut out),
        Some(Command::Restore(command)) => command.run(&mut out),
        Some(Command::Archive(command)) => command.run(&mut out),
        Some(Command::Attest(command)) => command.run(&mut out),
        Some(Command::Key(command)) => command.run(&mut out),
        Some(Command::Witness(command)) => command.run(&mut out),
        Some(Command::Bench(command)) => command.run(&mut out),
        Some(Command::Pages(command)) => command.run(Arguments::command(), &mut out),
        Some(Command::Reference) => commands::reference::run(Arguments::command(), &mut out),
        None => out.text(&Arguments::command().render_help().to_string()),
    }?;
    out.finish()
}
