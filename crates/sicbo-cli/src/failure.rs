//! What can go wrong with a command, and the exit code and line each becomes.
//!
//! One line on standard error names what was wrong and what is allowed. A
//! reader that went away is nobody's failure and is silent.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The thing examined has faults; they have been printed. Exit 1.
    Faulty,
    /// What was looked at is damaged or incomplete; nothing more could be done
    /// with it. Exit 1.
    Broken(String),
    /// The thing examined is whole, and its end is not signed; that has been
    /// printed. Exit 3.
    Unsigned,
    /// There was too little to examine; that has been printed. Exit 3.
    Undecided,
    /// The arguments name something that does not exist or is not allowed. Exit 2.
    Input(String),
    /// A file or stream could not be used. Exit 2.
    World(String),
    /// Help or version was asked for: not a failure. Exit 0.
    Asked(Box<clap::Error>),
    /// The reader of our output closed it. Exit 0, silently.
    ClosedPipe,
}

impl Failure {
    /// Wrong input, said in one line.
    pub(crate) fn input(message: impl std::fmt::Display) -> Failure {
        Failure::Input(message.to_string())
    }

    /// A file that cannot be used, said in one line.
    pub(crate) fn file(what: &str, path: &std::path::Path, error: &io::Error) -> Failure {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
            _ => error.to_string(),
        };
        Failure::World(format!("cannot {what} {}: {why}", path.display()))
    }

    /// What the argument parser has to say, shortened to one line.
    pub(crate) fn from_clap(error: clap::Error) -> Failure {
        if error.use_stderr() {
            let text = error.render().to_string();
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                return Failure::Input(format!(
                    "a subcommand is missing: give one of {}",
                    subcommands(&text).join(" ")
                ));
            }
            let lines: Vec<&str> = text
                .lines()
                .map(str::trim)
                .take_while(|line| !line.starts_with("Usage:"))
                .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
                .collect();
            let message = lines.join("; ").replace(":; ", ": ");
            let message = message.strip_prefix("error: ").unwrap_or(&message);
            let help = usage_of(&text);
            Failure::Input(format!("{message}; see {help} --help"))
        } else {
            Failure::Asked(Box::new(error))
        }
    }

    /// Says it, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Faulty => ExitCode::from(1),
            Failure::Unsigned | Failure::Undecided => ExitCode::from(3),
            Failure::ClosedPipe => ExitCode::SUCCESS,
            Failure::Asked(error) => match error.print() {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
                Err(_) => ExitCode::from(2),
            },
            Failure::Broken(message) => {
                say(&message);
                ExitCode::from(1)
            }
            Failure::Input(message) | Failure::World(message) => {
                say(&message);
                ExitCode::from(2)
            }
        }
    }
}

fn say(message: &str) {
    // Nobody left to tell when standard error is closed as well.
    let _ = writeln!(io::stderr(), "sicbo: {}", one_line(message));
}

impl From<io::Error> for Failure {
    /// Writing to standard output failed.
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else {
            Failure::World(format!("cannot write the output: {error}"))
        }
    }
}

/// The command whose usage a message shows: `sicbo simulate`.
fn usage_of(text: &str) -> String {
    let usage = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Usage: "));
    let words: Vec<&str> = usage
        .unwrap_or("sicbo")
        .split(' ')
        .take_while(|word| {
            word.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
                && !word.starts_with('-')
        })
        .collect();
    match words.as_slice() {
        [] => "sicbo".to_owned(),
        [_, rest @ ..] => std::iter::once("sicbo")
            .chain(rest.iter().copied())
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// The subcommands a help text lists.
fn subcommands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect()
}

/// Keeps whatever was given from breaking the line or steering the terminal.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// `; did you mean X?` when one of the candidates is close to what was given.
pub(crate) fn did_you_mean<'a>(
    given: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> String {
    sicbo_rules::document::did_you_mean(given, candidates, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_named_and_far_ones_are_not() {
        let known = ["rws-etg/a", "rws-etg/b", "mbs-etg/rapid"];
        assert!(did_you_mean("mbs-etg/rapd", known).contains("mbs-etg/rapid"));
        assert!(did_you_mean("RWS-ETG/A", known).contains("rws-etg/a"));
        assert_eq!(did_you_mean("banana", known), "");
    }

    #[test]
    fn an_error_stays_on_one_line() {
        assert!(!one_line("a\nb\u{1b}[31m").contains(['\n', '\u{1b}']));
    }
}
