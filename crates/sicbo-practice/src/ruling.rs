//! What becomes of a situation under a book, with the rule: the answer to
//! "what happens if the die leans?", side by side for the five books. Read
//! from the books' data; nothing is said here that they do not say.

use sicbo_rules::rulebook::words::{
    AfterInterruption, AfterTerminalFailure, Cause, Cover, Form, LateAct, Matter, Position,
    TumbleWindow,
};
use sicbo_rules::{Citation, RuleBook};

use super::situation::Situation;

sicbo_rules::worded! {
    /// What becomes of the round, or of the bet.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Consequence: key {
        /// The round is settled by the dice.
        SettledByDice = "settled-by-dice",
        /// The round is void for a listed cause.
        Void(Cause) = "void",
        /// The round is void because of an interruption.
        VoidByInterruption = "void-by-interruption",
        /// The round is concluded from the dice.
        Concluded = "concluded",
        /// The round is finished by the dice and play stops until it is approved.
        FinishedThenSuspended = "finished-then-suspended",
        /// Play stops where it stands until somebody approves, then the round goes on.
        StoppedUntilApproved = "stopped-until-approved",
        /// No rule covers it: somebody decides.
        Decided = "decided",
        /// The bet is refused.
        BetRefused = "bet-refused",
        /// Only the added part is refused.
        IncreaseRefused = "increase-refused",
        /// The bet is still won or lost.
        BetStands = "bet-stands",
        /// The dealer rules by position.
        DealerRules = "dealer-rules",
        /// The bet is placed as any other.
        BetPlaced = "bet-placed",
        /// The registered bet is settled as any other.
        RegisteredSettled = "registered-settled",
        /// It is reported to the supervisor.
        Reported = "reported",
        /// It is how this book's game is played.
        UsualOrder = "usual-order",
        /// It cannot happen here.
        DoesNotArise = "does-not-arise",
    }
}

/// What a book makes of a situation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruled {
    /// What happens.
    pub situation: Situation,
    /// What becomes of it.
    pub consequence: Consequence,
    /// The rule, as cited to people: `rws-etg 5.3.2`.
    pub rule: String,
    /// Who decides or confirms, where somebody must.
    pub by: Option<Position>,
}

/// What a book makes of a situation.
#[must_use]
pub fn ruled(book: &RuleBook, situation: Situation) -> Ruled {
    let (consequence, cite, by) = reading(book, situation);
    Ruled {
        situation,
        consequence,
        rule: cite.full(book.id()),
        by,
    }
}

/// The same situation under each of the five books, in their usual order.
#[must_use]
pub fn under_all(situation: Situation) -> Vec<(&'static str, Ruled)> {
    let books = RuleBook::all().iter();
    books
        .map(|book| (book.id(), ruled(book, situation)))
        .collect()
}

fn reading(book: &RuleBook, situation: Situation) -> (Consequence, &Citation, Option<Position>) {
    let play = &book.play;
    let table = play.form.is == Form::Table;
    let form = &play.form.cite;
    match situation {
        Situation::Normal => (Consequence::SettledByDice, &play.round_ends.cite, None),
        Situation::DiceExposedEarly if play.cover.is == Cover::Open => {
            (Consequence::DoesNotArise, &play.cover.cite, None)
        }
        Situation::TumblerActivatedEarly if play.tumble_window.is != TumbleWindow::AfterClose => {
            (Consequence::UsualOrder, &play.tumble_window.cite, None)
        }
        Situation::TooFewTumbles
        | Situation::DieStuck
        | Situation::DieNotFlat
        | Situation::DiceExposedEarly
        | Situation::TumblerActivatedEarly
        | Situation::DiceDamaged
        | Situation::DiceBroken
        | Situation::DomeBroken => cause(book, situation),
        Situation::PowerCutNoOutcome => interruption(book, false),
        Situation::PowerCutOutcome => interruption(book, true),
        Situation::DeviceFailure => match &book.interruption.device_failure {
            Some(failure) => (
                Consequence::StoppedUntilApproved,
                &failure.cite,
                Some(failure.resume_by),
            ),
            // No rule of its own: it is a technical interruption.
            None => interruption(book, false),
        },
        Situation::LightsWrong => match &play.lit_layout {
            Some(lit) if lit.is => {
                let wrong = &book.corrections.wrong_display;
                (Consequence::SettledByDice, &wrong.cite, None)
            }
            _ => (Consequence::DoesNotArise, form, None),
        },
        Situation::TerminalLost => match &book.interruption.terminal_registered {
            Some(lost) => (
                match lost.is {
                    AfterTerminalFailure::Settled => Consequence::RegisteredSettled,
                    AfterTerminalFailure::Returned | AfterTerminalFailure::NotParticipated => {
                        Consequence::BetRefused
                    }
                },
                &lost.cite,
                None,
            ),
            None => (Consequence::DoesNotArise, form, None),
        },
        Situation::WrongKey => {
            let wrong = &book.corrections.wrong_result;
            (Consequence::SettledByDice, &wrong.cite, None)
        }
        Situation::SpokenBet | Situation::SpokenBetWithChips if !table => {
            (Consequence::DoesNotArise, form, None)
        }
        Situation::SpokenBet => (Consequence::BetRefused, form, None),
        Situation::SpokenBetWithChips => (Consequence::BetPlaced, form, None),
        Situation::LateBet => late(&book.late.placement),
        Situation::LateIncrease => late(&book.late.increase),
        Situation::LateWithdrawal => late(&book.late.withdrawal),
        Situation::Dispute => decision(book, Matter::DisputeFirst, Consequence::Reported),
        Situation::Counterfeit => decision(book, Matter::Uncovered, Consequence::Reported),
        Situation::UncoveredMatter => decision(book, Matter::Uncovered, Consequence::Decided),
    }
}

fn cause(book: &RuleBook, situation: Situation) -> (Consequence, &Citation, Option<Position>) {
    let listed = situation.cause().and_then(|cause| book.void_cause(cause));
    // A book that speaks of what breaks but not of dice counts a broken die
    // among the damaged ones (A.0); one that is silent leaves it to be decided.
    let broken_is_damaged =
        situation == Situation::DiceBroken && book.void_cause(Cause::DomeBroken).is_some();
    let listed = listed.or_else(|| {
        broken_is_damaged
            .then(|| book.void_cause(Cause::DiceDamaged))
            .flatten()
    });
    match listed {
        Some(void) => (Consequence::Void(void.cause), &void.cite, None),
        None => decision(book, Matter::Uncovered, Consequence::Decided),
    }
}

fn interruption(book: &RuleBook, established: bool) -> (Consequence, &Citation, Option<Position>) {
    let rule = if established {
        &book.interruption.outcome_established
    } else {
        &book.interruption.no_outcome
    };
    let by = if rule.cite.is_in_document() {
        Position::Dealer
    } else {
        book.decision(Matter::Uncovered)
            .map_or(Position::ShiftManager, |decision| decision.by)
    };
    let consequence = match rule.is {
        AfterInterruption::Void => Consequence::VoidByInterruption,
        AfterInterruption::Conclude => Consequence::Concluded,
        AfterInterruption::FinishByDiceThenSuspend => Consequence::FinishedThenSuspended,
        AfterInterruption::StopUntilApproved => Consequence::StoppedUntilApproved,
    };
    (consequence, &rule.cite, Some(by))
}

fn late(rule: &sicbo_rules::Cited<LateAct>) -> (Consequence, &Citation, Option<Position>) {
    let consequence = match rule.is {
        LateAct::Refused => Consequence::BetRefused,
        LateAct::IncreaseRefused => Consequence::IncreaseRefused,
        LateAct::BetStands => Consequence::BetStands,
        LateAct::DealerDecides => Consequence::DealerRules,
    };
    (consequence, &rule.cite, None)
}

/// Who decides a matter. Every built-in book names somebody for what it does
/// not cover; a house's own that names nobody cites its form of play.
fn decision(
    book: &RuleBook,
    matter: Matter,
    consequence: Consequence,
) -> (Consequence, &Citation, Option<Position>) {
    let named = book
        .decision(matter)
        .or_else(|| book.decision(Matter::Uncovered));
    match named {
        Some(decision) => (consequence, &decision.cite, Some(decision.by)),
        None => (
            consequence,
            &book.play.form.cite,
            Some(Position::ShiftManager),
        ),
    }
}
