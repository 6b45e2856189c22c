//! What the lab's commands share: stakes, seeds, weighted dice and progress.

pub(crate) mod files;
pub(crate) mod origin;

use std::path::Path;

use clap::Args;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use sicbo_lab::game::{FaceWeights, Game, Loading, Mix};
use sicbo_lab::stakes::{Rules, StakesError, currency_by_code, currency_codes, unit_of};
use sicbo_lab::{Generator, LabError, Run, Seed, Vector};
use sicbo_rules::{Currency, Money};

use crate::books::{self, Found};
use crate::failure::{Failure, did_you_mean};

pub(crate) use files::{CsvFile, Files, deliver};
pub(crate) use origin::Origin;

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Threads(_) => Failure::World(error.to_string()),
            LabError::Inexact(_) | LabError::OutOfRange(_) => Failure::Input(error.to_string()),
        }
    }
}

/// The layout and its dice.
#[derive(Args)]
pub(crate) struct GameArgs {
    /// The layout, e.g. rws-open-cover/c, or a file that is a pay table only
    layout: String,
    /// Weights of the faces 1 to 6 for dice that are not fair, e.g. 1,1,1,1,1,1.1; given three
    /// times, one for each die
    #[arg(long, value_name = "W1,...,W6")]
    faces: Vec<FaceWeights>,
}

impl GameArgs {
    pub(crate) fn find(&self) -> Result<(Game, Option<Found>, Loading), Failure> {
        let (game, found) = books::game(&self.layout)?;
        let loading = match self.faces.as_slice() {
            [] => Loading::fair(),
            [all] => Loading::of([*all; 3]),
            [a, b, c] => Loading::of([*a, *b, *c]),
            _ => {
                return Err(Failure::input(
                    "--faces: give it once for all dice, or three times, one for each die",
                ));
            }
        };
        Ok((game, found, loading))
    }
}

/// The layout, its currency and its chips.
#[derive(Args)]
pub(crate) struct Chips {
    #[command(flatten)]
    game: GameArgs,
    /// Currency of all amounts [default: VND for Vietnamese books, otherwise SGD; that of a pay
    /// table file]
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// The chip unit: every stake is a multiple of it [default: 1.00, or 1000 without decimals]
    #[arg(long, value_name = "AMOUNT")]
    unit: Option<String>,
}

/// The same, looked up.
pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) loading: Loading,
    pub(crate) currency: Currency,
    pub(crate) unit: Money,
}

impl Chips {
    pub(crate) fn find(&self) -> Result<Table, Failure> {
        let (mut game, _, loading) = self.game.find()?;
        let currency = match &self.currency {
            None => game.currency,
            Some(code) => parse_currency(code)?,
        };
        game.currency = currency;
        let unit = match &self.unit {
            // A game that pays in thirds needs chips that come in thirds.
            None => game.chip_unit(unit_of(currency)),
            Some(text) => amount(currency, "--unit", text)?,
        };
        if unit == Money::ZERO {
            return Err(Failure::input(
                "--unit: the chip unit must be more than zero",
            ));
        }
        if let Some(bet) = game.unpayable(unit) {
            return Err(Failure::input(format!(
                "--unit: {} cannot be paid exactly at {} to 1 on {}: choose a multiple of {}",
                currency.format(unit),
                bet.pays().join("/"),
                bet.name,
                currency.format(Money::from_minor(game.denominator()))
            )));
        }
        Ok(Table {
            game,
            loading,
            currency,
            unit,
        })
    }
}

/// A currency by its code.
pub(crate) fn parse_currency(code: &str) -> Result<Currency, Failure> {
    currency_by_code(code).ok_or_else(|| {
        let known = currency_codes();
        let upper = code.to_uppercase();
        let hint = known.iter().find(|known| **known == upper).map_or_else(
            || did_you_mean(code, []),
            |known| format!("; did you mean {known}?"),
        );
        Failure::Input(format!(
            "there is no currency {:?}: the currencies are {}{hint}",
            code.chars().take(40).collect::<String>(),
            known.join(" ")
        ))
    })
}

/// An amount given to an option.
pub(crate) fn amount(currency: Currency, option: &str, text: &str) -> Result<Money, Failure> {
    currency
        .parse(text)
        .map_err(|error| Failure::input(format!("{option}: {error}")))
}

/// An amount that may be negative, in minor units.
pub(crate) fn signed_amount(currency: Currency, option: &str, text: &str) -> Result<i64, Failure> {
    match text.strip_prefix(['-', '−']) {
        Some(rest) => amount(currency, option, rest).map(|amount| -amount.minor()),
        None => amount(currency, option, text.strip_prefix('+').unwrap_or(text)).map(Money::minor),
    }
}

/// A share written as `0.95` or `95%`, strictly between 0 and 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text.trim(), 1.0),
    };
    let share: f64 = number
        .parse()
        .map_err(|_| "write a share such as 0.01 or 1%".to_owned())?;
    let share = share / scale;
    if share > 0.0 && share < 1.0 {
        Ok(share)
    } else {
        Err("it must lie between 0 and 1".to_owned())
    }
}

impl Table {
    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules {
            game: &self.game,
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

    /// An amount that need not be whole, with its currency.
    pub(crate) fn major(&self, minor: f64) -> String {
        let decimals = usize::from(self.currency.decimals());
        let scale = 10f64.powi(i32::from(self.currency.decimals()));
        // Adding zero makes minus zero zero.
        let text = format!("{:.decimals$}", minor / scale + 0.0);
        let nothing = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
        let text = if nothing {
            text.trim_start_matches('-').to_owned()
        } else {
            text
        };
        format!("{text} {}", self.currency)
    }

    /// Where the figures of this table come from.
    pub(crate) fn origin(&self, command: &'static str) -> Origin<'_> {
        Origin::new(command, &self.game, &self.loading)
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
    pub(crate) fn read(&self, table: &Table) -> Result<Option<Mix>, Failure> {
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
            let mix = rules.read_pairs(pairs.iter().map(String::as_str));
            return mix.map(Some).map_err(|error| said("", error));
        }
        match self.stakes.as_slice() {
            [] => Ok(None),
            [path] if !path.contains('=') => {
                self.not_a_bet(path, table)?;
                let text = books::read_text(Path::new(path))?;
                let mix = rules.read(&text);
                mix.map(Some)
                    .map_err(|error| said(&format!("{path}: "), error))
            }
            pairs => {
                if let Some(path) = pairs.iter().find(|pair| !pair.contains('=')) {
                    self.not_a_bet(path, table)?;
                    return Err(Failure::input(format!(
                        "--stakes: {path:?} is not a stake: give one file, or SECTION=AMOUNT as often as needed, e.g. big=10.00"
                    )));
                }
                let mix = rules.read_pairs(pairs.iter().map(String::as_str));
                mix.map(Some).map_err(|error| said("", error))
            }
        }
    }

    /// Says so when what was given for a file is a bet: `big:10` or `big`.
    fn not_a_bet(&self, text: &str, table: &Table) -> Result<(), Failure> {
        let (section, amount) = text.rsplit_once(':').unwrap_or((text, "10"));
        let meant = [(text, "10"), (section, amount)];
        let found = meant
            .into_iter()
            .find(|(section, _)| table.game.position(section).is_some());
        match found {
            Some((section, amount)) if !Path::new(text).exists() => Err(Failure::input(format!(
                "--stakes: {text:?} is not a stake; did you mean {section}={amount}?"
            ))),
            _ => Ok(()),
        }
    }

    /// The stakes; refused when none were given.
    pub(crate) fn required(&self, table: &Table) -> Result<Mix, Failure> {
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
    /// Seed: the same one gives the same dice on any machine
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// fast (xoshiro256++ in eight lanes) or crypto (ChaCha20)
    #[arg(long, value_name = "NAME", default_value_t = Generator::Fast)]
    generator: Generator,
    /// Threads; the result does not depend on it [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Disable SIMD (same result, slower)
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

/// A bar on standard error, where a person sees it; nothing elsewhere.
pub(crate) fn progress(all: u64, of: &str) -> ProgressBar {
    let bar = ProgressBar::new(all);
    let template = format!(
        "{{bar:40}} {{percent}} %  {{human_pos}} of {{human_len}} {of}, {{rate}}, {{eta}} left"
    );
    if let Ok(style) = ProgressStyle::with_template(&template) {
        // 1.5e9/s says more than 1,495,488,090.0256/s.
        let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = write!(text, "{:.1e}/s", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
    }
    bar
}

/// A share in percent: `2.7778 %`; tiny ones in full.
pub(crate) fn percent(share: f64) -> String {
    if share != 0.0 && share.abs() < 5e-7 {
        return format!("{:.3e} %", share * 100.0);
    }
    format!("{:.4} %", share * 100.0 + 0.0)
}
