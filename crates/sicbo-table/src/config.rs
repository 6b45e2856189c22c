//! How a table is set up: rule book, limits, currency, dice, window. A
//! `Config` that passed [`Config::faults`] can never ask for a payment that is not exact.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{TumbleStep, TumbleWindow};
use sicbo_rules::{Currency, Kind, Layout, Money, RuleBook};

/// Least, most and step of a stake on one section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Least stake.
    pub minimum: Money,
    /// Most.
    pub maximum: Money,
    /// Stakes are whole multiples of it.
    pub step: Money,
}

/// Limits by kind of bet, and over a station and the house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// One row for each kind, in the order of [`Kind::ALL`].
    pub by_kind: [Limit; Kind::ALL.len()],
    /// Most that one station may stake in a round.
    pub station_maximum: Money,
    /// Most that the house may lose in a round.
    pub exposure_maximum: Money,
}

impl Limits {
    /// The same limits for every kind.
    #[must_use]
    pub fn uniform(limit: Limit, station_maximum: Money, exposure_maximum: Money) -> Limits {
        Limits {
            by_kind: [limit; Kind::ALL.len()],
            station_maximum,
            exposure_maximum,
        }
    }

    /// The limits of a kind.
    #[must_use]
    pub fn of(&self, kind: Kind) -> Limit {
        self.by_kind[kind as usize]
    }
}

/// When a second, independent reading of the dice is needed before anything is paid (P-022).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondReading {
    /// Never.
    Never,
    /// In every round.
    Always,
    /// When the round would pay out more than this.
    AbovePayout(Money),
}

/// The set-up of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The table's name.
    pub name: String,
    /// The rules.
    pub book: Arc<RuleBook>,
    /// The one currency.
    pub currency: Currency,
    /// The smallest chip.
    pub chip_unit: Money,
    /// Limits.
    pub limits: Limits,
    /// How long bets are taken, in milliseconds.
    pub window_ms: u32,
    /// Name of the dice in the tumbler.
    pub dice_set: String,
    /// When this table tumbles, within what the book allows.
    pub tumble: TumbleStep,
    /// When the dice are read twice.
    pub second_reading: SecondReading,
    /// A listed void of the current round needs a supervisor, not only the dealer (J-03).
    pub void_by_supervisor: bool,
    /// Players play for money.
    pub real_money: bool,
    /// SHA-256 of the running program (S-16).
    pub program: [u8; 32],
}

/// The most any one limit may be: keeps every product of stake and odds, summed
/// over all bets a round can hold, far inside an `i64`.
pub const LARGEST_LIMIT: Money = Money::from_minor(100_000_000_000);

impl Config {
    /// What is wrong with it; nothing when it can be opened. `layouts` are those its stations use.
    #[must_use]
    pub fn faults(&self, layouts: &[&Layout]) -> Vec<String> {
        let mut faults = Vec::new();
        let money = |amount: Money| self.currency.format(amount);
        if self.name.is_empty() || self.name.len() > 64 {
            faults.push("the table's name must have 1 to 64 characters".to_owned());
        }
        if !self.chip_unit.is_positive() {
            faults.push("the chip unit must be above zero".to_owned());
        }
        if self.window_ms == 0 {
            faults.push("the betting window must be above zero".to_owned());
        }
        if self.dice_set.is_empty() {
            faults.push("the dice set must be named".to_owned());
        }
        let fits = match self.book.play.tumble_window.is {
            TumbleWindow::Any => true,
            TumbleWindow::BeforeOpen => self.tumble == TumbleStep::BeforeOpen,
            TumbleWindow::BeforeClose => self.tumble == TumbleStep::DuringBetting,
            TumbleWindow::UntilClose => self.tumble != TumbleStep::AfterClose,
            TumbleWindow::AfterClose => self.tumble == TumbleStep::AfterClose,
        };
        if !fits {
            faults.push(format!(
                "tumble {} is outside what {} allows: {}",
                self.tumble,
                self.book.id(),
                self.book.play.tumble_window.is
            ));
        }
        for kind in Kind::ALL {
            if !layouts
                .iter()
                .any(|layout| layout.sections().any(|s| s.kind() == kind))
            {
                continue;
            }
            let limit = self.limits.of(kind);
            if !limit.step.is_positive() || limit.step.minor() % self.chip_unit.minor().max(1) != 0
            {
                faults.push(format!(
                    "{kind}: the step {} must be a multiple of the chip unit {}",
                    money(limit.step),
                    money(self.chip_unit)
                ));
                continue;
            }
            if limit.minimum < limit.step
                || limit.maximum < limit.minimum
                || limit.maximum > LARGEST_LIMIT
            {
                faults.push(format!(
                    "{kind}: minimum {} and maximum {} must satisfy step ≤ minimum ≤ maximum ≤ {}",
                    money(limit.minimum),
                    money(limit.maximum),
                    money(LARGEST_LIMIT)
                ));
            }
            for layout in layouts {
                let mut odd = layout
                    .unpayable(limit.step)
                    .filter(|(section, _)| section.kind() == kind);
                if let Some((section, odds)) = odd.next() {
                    // a stake that could not be paid exactly is never taken.
                    faults.push(format!(
                        "{kind}: a step of {} cannot be paid exactly on {}/{} {section} at {odds}",
                        money(limit.step),
                        self.book.id(),
                        layout.id
                    ));
                }
            }
        }
        for (name, amount) in [
            ("station maximum", self.limits.station_maximum),
            ("exposure maximum", self.limits.exposure_maximum),
        ] {
            if !amount.is_positive() || amount > Money::MAX {
                faults.push(format!("the {name} must be above zero"));
            }
        }
        faults
    }

    /// The whole set-up as one text with one spelling, to be hashed (S-16).
    #[must_use]
    pub fn canonical(&self) -> String {
        use std::fmt::Write as _;
        let mut text = format!(
            "table={}\nbook={} {}\ncurrency={} {}\nchip_unit={}\nwindow_ms={}\ndice_set={}\ntumble={}\nsecond_reading={:?}\nvoid_by_supervisor={}\nreal_money={}\nstation_maximum={}\nexposure_maximum={}\n",
            self.name,
            self.book.id(),
            self.book.sha256_hex(),
            self.currency.code(),
            self.currency.decimals(),
            self.chip_unit.minor(),
            self.window_ms,
            self.dice_set,
            self.tumble,
            self.second_reading,
            self.void_by_supervisor,
            self.real_money,
            self.limits.station_maximum.minor(),
            self.limits.exposure_maximum.minor(),
        );
        for kind in Kind::ALL {
            let limit = self.limits.of(kind);
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "limit {kind}={} {} {}",
                limit.minimum.minor(),
                limit.maximum.minor(),
                limit.step.minor()
            );
        }
        text
    }
}
