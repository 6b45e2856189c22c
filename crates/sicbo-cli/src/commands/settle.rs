//! `sicbo settle LAYOUT --dice A,B,C SECTION=AMOUNT...`: what bets get back for given dice.

use clap::Args;
use serde::Serialize;
use sicbo_rules::{Currency, Dice, Money, Section};

use crate::books::{self, Found};
use crate::failure::Failure;
use crate::lab::parse_currency;
use crate::output::{Grid, Output, marked};

#[derive(Args)]
#[command(after_help = "\
A section given twice is two bets, each settled on its own; the totals \
hold both. A stake that any of its section's odds could not pay exactly is refused, whether or \
not the bet wins.")]
pub(crate) struct Settle {
    /// The layout, e.g. rws-etg/a
    layout: String,
    /// The dice as read, e.g. 4,3,4
    #[arg(long)]
    dice: String,
    /// Bets as SECTION=AMOUNT, e.g. total:11=5 big=10 four:6543=2.50
    #[arg(required = true, value_name = "SECTION=AMOUNT")]
    bets: Vec<String>,
    /// Currency of the amounts; it says how many decimals they have
    #[arg(long, default_value = "SGD")]
    currency: String,
}

#[derive(Serialize)]
struct Settled {
    layout: String,
    dice: [u8; 3],
    total: u8,
    triple: bool,
    bets: Vec<SettledBet>,
    staked: String,
    staked_minor: i64,
    returned: String,
    returned_minor: i64,
    currency: String,
    rulebook_sha256: String,
}

#[derive(Serialize)]
struct SettledBet {
    section: String,
    stake: String,
    won: bool,
    pays: Option<String>,
    returned: String,
    rule: Option<String>,
}

impl Settle {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = books::layout(&self.layout)?;
        let dice: Dice = self.dice.parse().map_err(Failure::input)?;
        let currency = parse_currency(&self.currency)?;
        let bets: Vec<(Section, Money)> = self
            .bets
            .iter()
            .map(|text| parse_bet(&found, currency, text))
            .collect::<Result<_, _>>()?;
        let settled = settle(&found, dice, currency, &bets)?;
        if out.is_json() {
            return out.json(&settled);
        }
        print(&found, dice, &settled, out)
    }
}

/// Reads one bet and refuses what no table would take.
fn parse_bet(found: &Found, currency: Currency, text: &str) -> Result<(Section, Money), Failure> {
    let Some((section, amount)) = text.split_once('=') else {
        return Err(Failure::Input(format!(
            "{text:?} is not a bet: write SECTION=AMOUNT, e.g. total:11=5"
        )));
    };
    let section = found.section(section)?;
    let stake = currency
        .parse(amount)
        .map_err(|error| Failure::Input(format!("stake on {section}: {error}")))?;
    if !stake.is_positive() {
        return Err(Failure::Input(format!(
            "stake on {section}: {amount:?}: the stake must be greater than zero"
        )));
    }
    let lines = found
        .layout()
        .pays(section)
        .map_or(&[][..], |pays| pays.lines());
    for line in lines {
        if stake.minor() % 2 != 0 && line.is.halves() % 2 != 0 {
            return Err(Failure::Input(format!(
                "stake on {section}: {} cannot be paid exactly at {} to 1: stake a multiple of {}",
                currency.format(stake),
                line.is,
                currency.format(Money::from_minor(2)),
            )));
        }
        // What comes back must be an amount as well.
        let largest = 2 * (Money::MAX.minor() / i64::from(line.is.gross_halves()));
        if stake.minor() > largest {
            return Err(Failure::Input(format!(
                "stake on {section}: {} is too large: at {} to 1 the largest stake is {}",
                currency.format(stake),
                line.is,
                currency.format(Money::from_minor(largest)),
            )));
        }
    }
    Ok((section, stake))
}

fn settle(
    found: &Found,
    dice: Dice,
    currency: Currency,
    bets: &[(Section, Money)],
) -> Result<Settled, Failure> {
    let layout = found.layout();
    let mut staked = Money::ZERO;
    let mut returned = Money::ZERO;
    let mut settled = Vec::new();
    for (section, stake) in bets {
        let back = layout
            .settlement()
            .returned(dice, *section, *stake)
            .map_err(Failure::input)?;
        let line = layout
            .pays(*section)
            .and_then(|pays| pays.line(section.hits(dice)));
        let add = |sum: Money, amount| {
            sum.checked_add(amount)
                .filter(|sum| *sum <= Money::MAX)
                .ok_or_else(|| {
                    Failure::Input(format!(
                        "the bets are too large together: no sum may be above {}",
                        currency.format(Money::MAX)
                    ))
                })
        };
        staked = add(staked, *stake)?;
        returned = add(returned, back)?;
        settled.push(SettledBet {
            section: section.to_string(),
            stake: currency.format(*stake),
            won: line.is_some(),
            pays: line.map(|line| line.is.to_string()),
            returned: currency.format(back),
            rule: line.map(|line| line.cite.full(found.book.id())),
        });
    }
    Ok(Settled {
        layout: found.name(),
        dice: dice.faces(),
        total: dice.total(),
        triple: dice.is_triple(),
        bets: settled,
        staked: currency.format(staked),
        staked_minor: staked.minor(),
        returned: currency.format(returned),
        returned_minor: returned.minor(),
        currency: currency.code().to_owned(),
        rulebook_sha256: found.book.sha256_hex(),
    })
}

fn print(found: &Found, dice: Dice, settled: &Settled, out: &mut Output) -> Result<(), Failure> {
    let triple = if settled.triple { ", a triple" } else { "" };
    out.heading(&format!(
        "{}  dice {dice}, total {}{triple}",
        found.name(),
        settled.total
    ))?;
    let mut grid = Grid::new(&["section", ">stake", ">pays", ">returned", "rule"]);
    for bet in &settled.bets {
        grid.row([
            marked(bet.won, &bet.section).as_str(),
            &bet.stake,
            bet.pays.as_deref().unwrap_or("lost"),
            &bet.returned,
            bet.rule.as_deref().unwrap_or(""),
        ]);
    }
    out.table(&grid)?;
    out.line(format!(
        "{} {} returned of {} staked",
        settled.returned, settled.currency, settled.staked
    ))
}
