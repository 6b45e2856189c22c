//! The figures of a par sheet: par values, and how play spreads around them.

use serde::Serialize;
use sicbo_lab::game::{Game, Loading, Mix, Profile};
use sicbo_lab::hold::{self, HoldRange, ROUNDS};
use sicbo_lab::plot::group;
use sicbo_rules::maths::approx;
use sicbo_rules::{Money, SelfTest};

use crate::books::Found;
use crate::failure::Failure;
use crate::lab::percent;
use crate::output::{Grid, Output};
use crate::sections::gathered;

/// The share of stretches of play that a hold range holds.
pub(super) const CONFIDENCE: f64 = 0.9;

/// One layout's sheet.
pub(super) struct ParSheet {
    pub(super) game: Game,
    pub(super) found: Option<Found>,
    pub(super) loading: Loading,
    /// The second computation of every cell; none for a pay table only.
    pub(super) test: Option<SelfTest>,
    pub(super) play: Vec<SectionPlay>,
}

/// How play on sections that share their odds spreads.
#[derive(Serialize)]
pub(crate) struct SectionPlay {
    /// The sections, those that share kind and odds together.
    pub(super) sections: String,
    /// Rounds of a hundred in which anything is won.
    pub(super) hit_frequency: f64,
    /// The largest win, profit to 1.
    pub(super) largest_win: String,
    /// Standard deviation per unit staked.
    pub(super) deviation: f64,
    pub(super) skewness: f64,
    pub(super) excess_kurtosis: f64,
    /// Half the width of the hold's 90 % range after one round.
    pub(super) volatility_index: f64,
    /// 90 % ranges of the hold by rounds.
    pub(super) hold_ranges: Vec<HoldRange>,
}

impl ParSheet {
    pub(super) fn of(game: Game, found: Option<Found>) -> ParSheet {
        let loading = Loading::fair();
        let test = found.as_ref().map(|found| SelfTest::of(found.layout()));
        let values = game
            .bets
            .iter()
            .map(|bet| (bet, (bet.pays(), bet.par(&loading))));
        let play = gathered(values)
            .iter()
            .filter_map(|group| {
                let bet = group.sections[0];
                let at = game.position(&bet.name)?;
                let unit = Money::from_minor(bet.denominator());
                let profile = game.profile(&Mix::one(at, unit), &loading).ok()?;
                Some(section_play(group.label(), bet, &profile))
            })
            .collect();
        ParSheet {
            game,
            found,
            loading,
            test,
            play,
        }
    }

    pub(super) fn passed(&self) -> bool {
        self.test.as_ref().is_none_or(SelfTest::passed)
    }

    /// The self-test in one line.
    pub(super) fn summary(&self) -> String {
        let count = |number: usize| group(&number.to_string());
        match &self.test {
            None => "no self-test: a pay table only has no settlement to compare with".to_owned(),
            Some(test) if test.passed() => format!(
                "self-test passed: {} sections by 216 outcomes, {} cells recomputed independently; {} winning",
                test.sections,
                count(test.cells),
                count(test.paying)
            ),
            Some(test) => format!(
                "self-test FAILED: {} of {} cells differ, first {}",
                test.disagreements.len(),
                count(test.cells),
                test.disagreements.first().map_or("", String::as_str)
            ),
        }
    }

    pub(super) fn print_play(&self, out: &mut Output) -> Result<(), Failure> {
        let mut heads =
            "section | >hit % | >largest win | >skewness | >excess kurtosis | >volatility index"
                .to_owned();
        for rounds in ROUNDS {
            heads.push_str(&format!(" | >hold {rounds:.0e}"));
        }
        let mut grid = Grid::headed(&heads);
        for one in &self.play {
            grid.row(one.cells());
        }
        out.table(&grid)?;
        out.line(format!(
            "hold: {} % range of the house's hold, in percent of stakes, after so many rounds of one unit; volatility index: half its width after one round, in units",
            CONFIDENCE * 100.0
        ))
    }
}

fn section_play(sections: String, bet: &sicbo_lab::game::Bet, profile: &Profile) -> SectionPlay {
    let par = bet.par(&profile.loading);
    let largest = bet.lines.iter().max_by_key(|line| line.odds);
    let (skewness, excess_kurtosis) = profile.shape();
    SectionPlay {
        sections,
        hit_frequency: approx(par.chance) * 100.0,
        largest_win: largest.map_or_else(String::new, |line| line.written.clone()),
        deviation: par.deviation(),
        skewness,
        excess_kurtosis,
        volatility_index: hold::volatility_index(profile, CONFIDENCE),
        hold_ranges: ROUNDS
            .map(|rounds| HoldRange::of(profile, rounds, CONFIDENCE))
            .to_vec(),
    }
}

impl SectionPlay {
    pub(super) fn cells(&self) -> Vec<String> {
        let mut cells = vec![
            self.sections.clone(),
            format!("{:.4}", self.hit_frequency),
            self.largest_win.clone(),
            format!("{:.4}", self.skewness),
            format!("{:.4}", self.excess_kurtosis),
            format!("{:.4}", self.volatility_index),
        ];
        let range = |range: &HoldRange| {
            let end = |share: f64| percent(share).replace(" %", "");
            let digits = |text: String| {
                let (whole, fraction) = text.split_once('.').unwrap_or((&text, "00"));
                format!("{whole}.{}", &fraction[..fraction.len().min(2)])
            };
            format!("{} to {}", digits(end(range.low)), digits(end(range.high)))
        };
        cells.extend(self.hold_ranges.iter().map(range));
        cells
    }
}

/// The play figures as CSV, with a header.
pub(super) fn csv(sheets: &[ParSheet]) -> String {
    let mut text = String::from(
        "layout,sections,hit_percent,largest_win,deviation,skewness,excess_kurtosis,volatility_index,rounds,hold_low,hold_high\n",
    );
    for sheet in sheets {
        for one in &sheet.play {
            for range in &one.hold_ranges {
                text.push_str(&format!(
                    "{},{},{},{},{},{},{},{},{},{},{}\n",
                    sheet.game.name(),
                    one.sections,
                    one.hit_frequency,
                    one.largest_win,
                    one.deviation,
                    one.skewness,
                    one.excess_kurtosis,
                    one.volatility_index,
                    range.rounds,
                    range.low,
                    range.high
                ));
            }
        }
    }
    text
}
