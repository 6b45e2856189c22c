//! What the lab's commands share: stakes, seeds, output files and progress.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sicbo_lab::stakes::{Rules, StakesError, currency_of, unit_of};
use sicbo_lab::{Generator, LabError, Run, Seed, Vector};
use sicbo_rules::{Currency, Money, Stakes};

use crate::books::{self, Found};
use crate::failure::Failure;

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Threads(_) => Failure::World(error.to_string()),
            LabError::Inexact(_) | LabError::OutOfRange(_) => Failure::Input(error.to_string()),
        }
    }
}

/// The layout, its currency and its chips.
#[derive(Args)]
pub(crate) struct Chips {
    /// The layout, e.g. rws-open-cover/c
    layout: String,
    /// Currency of all amounts [default: VND for Vietnamese books, otherwise SGD]
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// The chip unit: every stake is a multiple of it [default: 1.00, or 1000 without decimals]
    #[arg(long, value_name = "AMOUNT")]
    unit: Option<String>,
}

/// The same, looked up.
pub(crate) struct Table {
    pub(crate) found: Found,
    pub(crate) currency: Currency,
    pub(crate) unit: Money,
}

impl Chips {
    pub(crate) fn find(&self) -> Result<Table, Failure> {
        let found = books::layout(&self.layout)?;
        let currency = match &self.currency {
            None => currency_of(&found.book),
            Some(code) => Currency::from_code(code).ok_or_else(|| {
                let known: Vec<&str> = Currency::KNOWN.iter().map(Currency::code).collect();
                Failure::input(format!(
                    "there is no currency {:?}: the currencies are {}",
                    code.chars().take(40).collect::<String>(),
                    known.join(" ")
                ))
            })?,
        };
        let unit = match &self.unit {
            None => unit_of(currency),
            Some(text) => amount(currency, "--unit", text)?,
        };
        if unit == Money::ZERO {
            return Err(Failure::input(
                "--unit: the chip unit must be more than zero",
            ));
        }
        if let Some((section, odds)) = found.layout().unpayable(unit).next() {
            return Err(Failure::input(format!(
                "--unit: {} cannot be paid exactly at {odds} to 1 on {section}: choose an even number of minor units",
                currency.format(unit)
            )));
        }
        Ok(Table {
            found,
            currency,
            unit,
        })
    }
}

/// An amount given to an option.
pub(crate) fn amount(currency: Currency, option: &str, text: &str) -> Result<Money, Failure> {
    currency
        .parse(text)
        .map_err(|error| Failure::input(format!("{option}: {error}")))
}

impl Table {
    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules {
            layout: self.found.layout(),
            currency: self.currency,
            unit: self.unit,
        }
    }

    /// An amount with its currency: `12.50 SGD`.
    pub(crate) fn money(&self, minor: i64) -> String {
        format!(
            "{} {}",
            self.currency.format(Money::from_minor(minor)),
            self.currency
        )
    }
}

/// Stakes on the layout.
#[derive(Args)]
pub(crate) struct StakeArgs {
    /// Stakes: a file, or SECTION=AMOUNT as often as needed
    ///
    /// A file is a JSON object such as {"big": "10.00", "total:11": "5"}, or text with a section
    /// and an amount on each line; - is standard input.
    #[arg(long, value_name = "FILE|SECTION=AMOUNT", num_args = 1..)]
    stakes: Vec<String>,
    /// A stake of one chip unit, or SECTION=AMOUNT; may be repeated
    #[arg(long, value_name = "SECTION", conflicts_with = "stakes")]
    bet: Vec<String>,
}

impl StakeArgs {
    /// The stakes, or `None` when none were given.
    pub(crate) fn read(&self, table: &Table) -> Result<Option<Stakes>, Failure> {
        let rules = table.rules();
        let said = |place: &str, error: StakesError| {
            Failure::input(format!("{place}{}", error.faults.join("; ")))
        };
        if !self.bet.is_empty() {
            let unit = table.currency.format(table.unit);
            let pairs: Vec<String> = self
                .bet
                .iter()
                .map(|bet| {
                    if bet.contains('=') {
                        bet.clone()
                    } else {
                        format!("{bet}={unit}")
                    }
                })
                .collect();
            let stakes = rules.read_pairs(pairs.iter().map(String::as_str));
            return stakes.map(Some).map_err(|error| said("", error));
        }
        match self.stakes.as_slice() {
            [] => Ok(None),
            [path] if !path.contains('=') => {
                let text = books::read_text(Path::new(path))?;
                let stakes = rules.read(&text);
                stakes
                    .map(Some)
                    .map_err(|error| said(&format!("{path}: "), error))
            }
            pairs => {
                if let Some(path) = pairs.iter().find(|pair| !pair.contains('=')) {
                    return Err(Failure::input(format!(
                        "--stakes: {path:?} is no stake: give one file, or SECTION=AMOUNT as often as needed, e.g. big=10.00"
                    )));
                }
                let stakes = rules.read_pairs(pairs.iter().map(String::as_str));
                stakes.map(Some).map_err(|error| said("", error))
            }
        }
    }

    /// The stakes; refused when none were given.
    pub(crate) fn required(&self, table: &Table) -> Result<Stakes, Failure> {
        self.read(table)?.ok_or_else(|| {
            Failure::input(
                "there are no stakes: give --stakes FILE, --stakes SECTION=AMOUNT or --bet SECTION",
            )
        })
    }
}

/// Seed, generator and threads.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// The same seed gives the same dice on any machine
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// fast (xoshiro256++ in eight lanes) or crypto (ChaCha20)
    #[arg(long, value_name = "NAME", default_value_t = Generator::Fast)]
    generator: Generator,
    /// Threads; the result does not depend on it [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Do without vector instructions; the result does not depend on it
    #[arg(long)]
    portable: bool,
}

impl RunArgs {
    pub(crate) fn run(&self) -> Run {
        Run {
            seed: Seed(self.seed),
            generator: self.generator,
            threads: self.threads.map(usize::from),
            vector: if self.portable {
                Vector::Portable
            } else {
                Vector::best()
            },
        }
    }
}

/// Files to write beside what is printed.
#[derive(Args)]
pub(crate) struct Files {
    /// Write a table of figures for programs
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Write a picture
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// The files, open: what cannot be written is found out before any long work.
pub(crate) struct OpenFiles {
    csv: Option<(PathBuf, File)>,
    plot: Option<(PathBuf, File)>,
}

impl Files {
    pub(crate) fn open(&self) -> Result<OpenFiles, Failure> {
        let open = |path: &Option<PathBuf>| {
            path.as_ref()
                .map(|path| {
                    OpenOptions::new()
                        .create(true)
                        .write(true)
                        .truncate(false)
                        .open(path)
                        .map(|file| (path.clone(), file))
                        .map_err(|error| Failure::file("write", path, &error))
                })
                .transpose()
        };
        Ok(OpenFiles {
            csv: open(&self.csv)?,
            plot: open(&self.plot)?,
        })
    }
}

impl OpenFiles {
    /// Writes those that were asked for.
    pub(crate) fn write(
        self,
        csv: impl FnOnce() -> String,
        plot: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if let Some((path, file)) = self.csv {
            put(&path, file, &csv())?;
        }
        if let Some((path, file)) = self.plot {
            put(&path, file, &plot())?;
        }
        Ok(())
    }
}

fn put(path: &Path, mut file: File, text: &str) -> Result<(), Failure> {
    // Devices cannot be cut short and need not be.
    let regular = file.metadata().is_ok_and(|about| about.is_file());
    let cut = if regular { file.set_len(0) } else { Ok(()) };
    cut.and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.flush())
        .map_err(|error| Failure::file("write", path, &error))
}

/// A bar on standard error, where a person sees it; nothing elsewhere.
pub(crate) fn progress(all: u64, of: &str) -> ProgressBar {
    let bar = ProgressBar::new(all);
    let template = format!(
        "{{bar:40}} {{percent}} %  {{human_pos}} of {{human_len}} {of}, {{per_sec}}, {{eta}} left"
    );
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// A share in percent: `2.7778 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.4} %", share * 100.0)
}
