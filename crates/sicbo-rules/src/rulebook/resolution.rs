//! Who decides where a document is silent: what the numbered resolutions settle
//! for a book, told from one place to the command line and to screens.

use super::RuleBook;
use super::words::{AfterInterruption, Form, Matter, Position, Word};
use crate::citation::Citation;

/// A question a document leaves open, with who answers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each variant's line says who its fields name")]
pub enum Resolution {
    /// A listed cause of a void found later in its round than it usually
    /// shows: the dealer with this position or above.
    CauseFoundInRound { with: Position },
    /// A listed cause found after settlement: this position, with a second
    /// person.
    CauseFoundAfterSettlement {
        by: Position,
        or_above: bool,
        /// The document lets settled rounds stand, so that only a ruling on
        /// what no rule covers can reach one.
        as_uncovered: bool,
    },
    /// Equipment fails while play goes on: the dealer stops it, and this
    /// position or above answers whether the round is affected.
    TechnicalStop { answered_by: Position },
    /// The dice are no longer in place after an interruption.
    DiceMoved { by: Position, or_above: bool },
    /// Chips that were recorded only once dice could be seen.
    ChipsSeenLate { attested_by: Position },
}

impl Resolution {
    /// What it is about: a stable word.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Resolution::CauseFoundInRound { .. } => "cause_found_in_round",
            Resolution::CauseFoundAfterSettlement { .. } => "cause_found_after_settlement",
            Resolution::TechnicalStop { .. } => "technical_stop",
            Resolution::DiceMoved { .. } => "dice_moved",
            Resolution::ChipsSeenLate { .. } => "chips_seen_late",
        }
    }

    /// How it is settled: a stable word.
    #[must_use]
    pub fn is(self) -> String {
        let alone = |or_above| if or_above { "" } else { "-alone" };
        match self {
            Resolution::CauseFoundAfterSettlement {
                by,
                or_above,
                as_uncovered,
            } => {
                let ruling = if as_uncovered { "-ruling" } else { "" };
                format!("{}{}{ruling}", by.key(), alone(or_above))
            }
            Resolution::DiceMoved { by, or_above } => format!("{}{}", by.key(), alone(or_above)),
            Resolution::CauseFoundInRound { with: by }
            | Resolution::TechnicalStop { answered_by: by }
            | Resolution::ChipsSeenLate { attested_by: by } => by.key().to_owned(),
        }
    }

    /// The rule it rests on, and its number among the resolutions.
    #[must_use]
    pub fn cite(self, book: &RuleBook) -> Citation {
        // Left by the document to whoever decides what no rule covers.
        let as_uncovered = matches!(
            self,
            Resolution::DiceMoved { .. }
                | Resolution::CauseFoundAfterSettlement {
                    as_uncovered: true,
                    ..
                }
        );
        let rule = book
            .decision(Matter::Uncovered)
            .filter(|_| as_uncovered)
            .map_or(Citation::NOT_IN_DOCUMENT[0], |decision| &decision.cite.rule);
        Citation {
            rule: rule.to_owned(),
            resolution: Some(self.number().to_owned()),
        }
    }

    const fn number(self) -> &'static str {
        match self {
            Resolution::CauseFoundInRound { .. } | Resolution::CauseFoundAfterSettlement { .. } => {
                "Q-55"
            }
            Resolution::TechnicalStop { .. } => "Q-56",
            Resolution::DiceMoved { .. } => "Q-57",
            Resolution::ChipsSeenLate { .. } => "Q-60",
        }
    }
}

impl RuleBook {
    /// What resolutions settle for this book.
    #[must_use]
    pub fn resolutions(&self) -> Vec<Resolution> {
        let supervisor = Position::PitSupervisor;
        let uncovered = self.decision(Matter::Uncovered);
        let stand = &self.voiding.previous_rounds_stand;
        let after_settlement = uncovered.map(|decision| Resolution::CauseFoundAfterSettlement {
            by: decision.by,
            or_above: decision.or_above,
            as_uncovered: stand.is && stand.cite.is_in_document(),
        });
        // A book that names who is told of a failure says itself what follows.
        let says_itself = self.interruption.device_failure.is_some();
        let technical_stop = (!says_itself).then_some(Resolution::TechnicalStop {
            answered_by: supervisor,
        });
        let stops = self.interruption.no_outcome.is == AfterInterruption::StopUntilApproved;
        let dice_moved = uncovered
            .filter(|_| stops)
            .map(|decision| Resolution::DiceMoved {
                by: decision.by,
                or_above: decision.or_above,
            });
        let has_chips = self.play.form.is == Form::Table;
        let chips = has_chips.then_some(Resolution::ChipsSeenLate {
            attested_by: supervisor,
        });
        let in_round = Resolution::CauseFoundInRound { with: supervisor };
        [
            Some(in_round),
            after_settlement,
            technical_stop,
            dice_moved,
            chips,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
