//! The few questions about a table that the conditions are made of.

use sicbo_rules::rulebook::words::{Cause, Cover, TumbleWindow};
use sicbo_rules::{Dice, Money, RuleBook};

use crate::config::{Config, SecondReading};
use crate::round::{CoverState, Phase, Round, Tumble};
use crate::table::{Status, Table};

/// An open table with its book and round, and what they say.
#[derive(Clone, Copy)]
pub(super) struct State<'t> {
    pub(super) table: &'t Table,
    pub(super) config: &'t Config,
    pub(super) book: &'t RuleBook,
    pub(super) round: Option<&'t Round>,
    /// A decision holds everything up.
    pub(super) held: bool,
}

impl<'t> State<'t> {
    /// Nothing can be done at a table that is not open.
    pub(super) fn of(table: &'t Table) -> Option<State<'t>> {
        let config = table.config.as_deref()?;
        (table.status != Status::Closed).then_some(State {
            table,
            config,
            book: &config.book,
            round: table.round.as_deref(),
            held: table.pending.iter().any(|p| p.question.holds_round()),
        })
    }

    /// A round may begin.
    pub(super) fn may_begin(self) -> bool {
        self.round.is_none()
            && self.table.status == Status::Open
            && self.table.last_round_announced != Some(true)
            && !self.table.dice_condemned
            && self.table.clock_parted.is_none()
            && !self.held
            && self.questions_about_dice() < 16
    }

    /// How many questions about rounds of damaged dice wait.
    fn questions_about_dice(self) -> usize {
        let waits = self.table.pending.iter();
        waits
            .filter(|pending| pending.question.key() == "affected-rounds")
            .count()
    }

    /// The round, when nothing holds it up and it is not lost.
    pub(super) fn going(self) -> Option<&'t Round> {
        self.round
            .filter(|round| !self.held && round.must_void.is_none())
    }

    /// The round in this phase, when it can go on.
    pub(super) fn going_in(self, phase: Phase) -> Option<&'t Round> {
        self.going().filter(|round| round.phase == phase)
    }

    /// The window of the book that the round, or the next one, is played under.
    pub(super) fn window(self) -> TumbleWindow {
        let next = self.table.next_book.as_deref();
        let book = next.filter(|_| self.round.is_none()).unwrap_or(self.book);
        book.play.tumble_window.is
    }

    /// The tumbler may run in this phase; `None` is before the round.
    pub(super) fn window_open(self) -> bool {
        let phase = self.round.map(|round| round.phase);
        match self.window() {
            TumbleWindow::BeforeOpen => phase.is_none(),
            TumbleWindow::BeforeClose => phase == Some(Phase::Betting),
            TumbleWindow::UntilClose => phase.is_none() || phase == Some(Phase::Betting),
            TumbleWindow::AfterClose => phase == Some(Phase::Closed),
            TumbleWindow::Any => {
                phase.is_none() || phase == Some(Phase::Betting) || phase == Some(Phase::Closed)
            }
        }
    }

    /// The round whose dice can be seen: closed, validly tumbled, not covered.
    pub(super) fn visible(self) -> Option<&'t Round> {
        self.going_in(Phase::Closed)
            .filter(|round| tumbled(round) && round.cover != CoverState::Covered)
    }

    /// The round whose dice lie flat and wait for a result.
    pub(super) fn readable(self) -> Option<&'t Round> {
        self.visible()
            .filter(|round| round.flat && round.confirmed.is_none())
    }

    pub(super) fn has_deal_button(self) -> bool {
        self.book.play.deal_button.as_ref().is_some_and(|b| b.is)
    }

    pub(super) fn has_lights(self) -> bool {
        self.book.play.lit_layout.as_ref().is_some_and(|lit| lit.is)
    }

    /// A second reading is asked for before these dice may be confirmed (P-022).
    pub(super) fn second_reading_wanted(self, round: &Round, dice: Dice) -> bool {
        match self.config.second_reading {
            SecondReading::Never => false,
            SecondReading::Always => true,
            SecondReading::AbovePayout(limit) => self.payout(round, dice) > limit,
        }
    }

    /// What the round would pay out in all, bet by bet.
    fn payout(self, round: &Round, dice: Dice) -> Money {
        let parts = self.table.stations.iter().zip(&round.stations);
        parts
            .flat_map(|(station, part)| {
                let settlement = self.book.layouts[station.layout].settlement();
                let lines = part.positions.lines().iter();
                lines
                    .chain(part.colour_positions.lines())
                    .filter_map(move |line| {
                        settlement.returned(dice, line.section, line.stake).ok()
                    })
            })
            .sum()
    }

    /// A void cause of the book agrees with what was seen of the round, and
    /// takes one person (true) or a supervisor as well (false).
    pub(super) fn fits(self, round: &Round, cause: Cause) -> Option<bool> {
        let ran = round.tumble != Tumble::None;
        let open = round.cover != CoverState::Covered || round.exposed;
        let visible = ran && open;
        match cause {
            Cause::TooFewTumbles => match round.tumble {
                Tumble::Invalid { .. } => Some(true),
                Tumble::Valid { .. } => Some(false),
                Tumble::None | Tumble::Activated => None,
            },
            Cause::DieNotFlat => round.outcome_established().then_some(!round.flat),
            Cause::DiceExposedEarly => (self.book.play.cover.is == Cover::Covered)
                .then_some(!open || round.must_void == Some(cause)),
            Cause::TumblerActivatedEarly => {
                Some(!ran || round.must_void == Some(Cause::TumblerActivatedEarly))
            }
            Cause::DiceDamaged | Cause::DiceBroken | Cause::DomeBroken => Some(!visible),
            Cause::TechnicalInterruption => None,
        }
    }
}

/// The tumble is over and counts.
pub(super) fn tumbled(round: &Round) -> bool {
    matches!(round.tumble, Tumble::Valid { .. })
}
