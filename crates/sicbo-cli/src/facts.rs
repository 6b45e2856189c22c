//! A rule book as a list of facts in plain words, each with its rule.
//!
//! One list serves both `rules show` and `rules diff`, so that what is shown
//! and what is compared can never drift apart.

use sicbo_rules::rulebook::words::{Cause, Matter, Position};
use sicbo_rules::rulebook::{Decision, Known, Resolution, RuleBook, Word};
use sicbo_rules::{Citation, Cited};

use crate::words::Plain;

/// One fact of a rule book.
pub(crate) struct Fact {
    /// The part of the book, e.g. "Order of play".
    pub(crate) part: &'static str,
    /// What it is about; the same name in every book.
    pub(crate) name: String,
    /// What the book says.
    pub(crate) says: String,
    /// The rule, e.g. `5.3.1` or `Q-43`.
    pub(crate) rule: String,
}

/// The parts, in the order they are shown.
pub(crate) const PARTS: [&str; 10] = [
    "Identity",
    "Words",
    "Order of play",
    "Void rounds",
    "Interruption",
    "After the close",
    "Corrections",
    "Authority",
    "Disputes",
    "Equipment",
];

struct List {
    part: &'static str,
    facts: Vec<Fact>,
}

impl List {
    fn part(&mut self, part: &'static str) {
        debug_assert!(PARTS.contains(&part));
        self.part = part;
    }

    fn add(&mut self, name: impl Into<String>, says: impl Into<String>, cite: &Citation) {
        self.facts.push(Fact {
            part: self.part,
            name: name.into(),
            says: says.into(),
            rule: cite.to_string(),
        });
    }

    /// What a resolution settles where the document leaves it open.
    fn resolved(&mut self, book: &RuleBook, about: &[&str]) {
        let resolutions = book.resolutions();
        for resolution in resolutions
            .iter()
            .filter(|one| about.contains(&one.about()))
        {
            let (name, says) = plainly(book, *resolution);
            self.add(name, says, &resolution.cite(book));
        }
    }

    /// What our file says about the book without a rule of the document.
    fn note(&mut self, name: &str, says: &str) {
        self.facts.push(Fact {
            part: self.part,
            name: name.to_owned(),
            says: says.to_owned(),
            rule: String::new(),
        });
    }

    fn text<'a>(&mut self, name: &str, cited: impl Into<Option<&'a Cited<String>>>) {
        if let Some(cited) = cited.into() {
            self.add(name, &cited.is, &cited.cite);
        }
    }

    fn known(&mut self, name: &str, known: &Known<String>) {
        match known {
            Known::Is(cited) => self.text(name, cited),
            Known::Lost(why) => self.add(name, format!("LOST: {}", why.is), &why.cite),
        }
    }

    fn word<'a, T: Plain + Copy + 'a>(
        &mut self,
        name: &str,
        cited: impl Into<Option<&'a Cited<T>>>,
    ) {
        if let Some(cited) = cited.into() {
            self.add(name, cited.is.plain(), &cited.cite);
        }
    }

    fn yes<'a>(&mut self, name: &str, cited: impl Into<Option<&'a Cited<bool>>>) {
        if let Some(cited) = cited.into() {
            self.add(name, if cited.is { "yes" } else { "no" }, &cited.cite);
        }
    }
}

/// All facts of a book but its layouts and pay tables, part by part.
pub(crate) fn of(book: &RuleBook) -> Vec<Fact> {
    let mut list = List {
        part: PARTS[0],
        facts: Vec::new(),
    };
    identity(&mut list, book);
    play(&mut list, book);
    trouble(&mut list, book);
    people(&mut list, book);
    list.part("Equipment");
    for equipment in &book.equipment {
        list.text(&equipment.item, &equipment.is);
    }
    list.facts
}

fn identity(list: &mut List, book: &RuleBook) {
    let identity = &book.identity;
    list.part("Identity");
    list.text("title", &identity.title);
    list.text("also known as", identity.also_known_as.as_ref());
    list.text("operator", &identity.operator);
    list.known("version", &identity.version);
    list.known("effective", &identity.effective);
    list.note("time zone", &identity.zone);
    list.text("approval", identity.approval.as_ref());
    list.note("law", &identity.jurisdiction);
    list.note("language", &identity.language);
    list.part("Words");
    list.text("call for bets", &book.words.place_bets);
    list.text("close of bets", &book.words.no_more_bets);
    list.text("of its pictures", book.words.pictures.as_ref());
}

fn play(list: &mut List, book: &RuleBook) {
    let play = &book.play;
    list.part("Order of play");
    list.word("game", &play.form);
    list.word("dice", &play.cover);
    list.word("tumbler may run", &play.tumble_window);
    list.word("tumbler usually runs", &play.usual_tumble);
    list.add(
        "fewest tumbles",
        play.minimum_tumbles.is.to_string(),
        &play.minimum_tumbles.cite,
    );
    if let Some(unit) = &play.chip_unit {
        let says = format!("multiples of {} minor units", unit.is.minor());
        list.add("stakes", says, &unit.cite);
    }
    list.word("the round opens when", &play.round_opens);
    list.word("the document's start", &play.formal_start);
    list.word("betting closes when", &play.closes);
    list.yes("deal button", play.deal_button.as_ref());
    list.word("positions count", &play.positions);
    list.yes("colour chips are issued", play.colour_chips.as_ref());
    list.yes(
        "a spoken bet needs its chips in time",
        play.spoken_needs_chips.as_ref(),
    );
    list.yes(
        "the player answers for where chips lie",
        play.player_answers.as_ref(),
    );
    list.yes("dice checked to lie flat", &play.flat_check);
    list.yes("winning areas light up first", play.lit_layout.as_ref());
    list.word("the round ends when", &play.round_ends);
}

fn trouble(list: &mut List, book: &RuleBook) {
    list.part("Void rounds");
    for cause in Cause::all() {
        if let Some(void) = book.void_cause(*cause) {
            list.add(cause.plain(), void.scope.plain(), &void.cite);
        }
    }
    list.yes("stakes go back", &book.voiding.bets_returned);
    list.yes("earlier rounds stand", &book.voiding.previous_rounds_stand);
    list.resolved(
        book,
        &["cause_found_in_round", "cause_found_after_settlement"],
    );

    let interruption = &book.interruption;
    list.part("Interruption");
    list.word("with an outcome", &interruption.outcome_established);
    list.word("without an outcome", &interruption.no_outcome);
    list.resolved(book, &["technical_stop"]);
    list.word(
        "registered bet on a failed terminal",
        interruption.terminal_registered.as_ref(),
    );
    list.word(
        "unregistered bet on a failed terminal",
        interruption.terminal_unregistered.as_ref(),
    );
    list.word(
        "cases left open are confirmed by",
        interruption.terminal_open_cases.as_ref(),
    );
    if let Some(failure) = &interruption.device_failure {
        list.add(
            "failing device",
            format!(
                "the {} is told at once; the {} approves that play resumes",
                called(book, failure.inform),
                called(book, failure.resume_by)
            ),
            &failure.cite,
        );
    }
    list.resolved(book, &["dice_moved"]);

    list.part("After the close");
    list.word("a new bet", &book.late.placement);
    list.word("more on a bet", &book.late.increase);
    list.word("a bet taken away", &book.late.withdrawal);
    list.resolved(book, &["chips_seen_late"]);

    list.part("Corrections");
    list.word("wrong result registered", &book.corrections.wrong_result);
    list.word("wrong result displayed", &book.corrections.wrong_display);
    list.yes("later rounds stand", &book.corrections.later_rounds_stand);
}

/// What a resolution is about, and how it settles it.
fn plainly(book: &RuleBook, resolution: Resolution) -> (&'static str, String) {
    let dealer = called(book, Position::Dealer);
    let called = |position| called(book, position);
    match resolution {
        Resolution::CauseFoundInRound { with } => (
            "a cause found later in the round",
            format!(
                "void by the {dealer} with the {} or above, under its own rule",
                called(with)
            ),
        ),
        Resolution::CauseFoundAfterSettlement {
            by,
            or_above,
            as_uncovered,
        } => {
            let under = match as_uncovered {
                true => "as a matter no rule covers, naming its rule as the ground",
                false => "under its own rule",
            };
            let by = decider(book, by, or_above);
            (
                "a cause found after settlement",
                format!("void by the {by} with a second person, {under}"),
            )
        }
        Resolution::TechnicalStop { answered_by } => (
            "equipment fails while play goes on",
            format!(
                "the {dealer} stops play, the {} or above answers whether the round is affected",
                called(answered_by)
            ),
        ),
        Resolution::DiceMoved { by, or_above } => (
            "dice no longer in place",
            format!("the {} decides", decider(book, by, or_above)),
        ),
        Resolution::ChipsSeenLate { attested_by } => (
            "chips recorded once dice can be seen",
            format!(
                "count only when the {} or above attests that they lay there",
                called(attested_by)
            ),
        ),
    }
}

fn people(list: &mut List, book: &RuleBook) {
    list.part("Authority");
    for position in Position::all() {
        if let Some(title) = book.title(*position) {
            list.add(
                format!("the {}", position.plain()),
                &title.title.is,
                &title.title.cite,
            );
        }
    }
    list.word("substitution", &book.authority.substitution);
    for matter in Matter::all() {
        if let Some(decision) = book.decision(*matter) {
            list.add(
                format!("decides {}", matter.plain()),
                decides(book, decision),
                &decision.cite,
            );
        }
    }

    // the ladder of the documents ends with the director.
    let upward = book.authority.decisions.iter().find(|one| one.or_above);
    if let Some(decision) = upward {
        list.add(
            "or above",
            "also positions above the director that a house names in its plan",
            &decision.cite,
        );
    }

    list.part("Disputes");
    let language = &book.identity.language;
    for (i, step) in book.disputes.steps.iter().enumerate() {
        list.add(
            format!("step {}", i + 1),
            format!("{}: {}", called(book, step.by), step.act),
            &step.cite,
        );
        if let Some(printed) = &step.printed {
            let name = format!("step {}, in {language}", i + 1);
            list.add(name, printed, &step.cite);
        }
    }
    for (i, basis) in book.disputes.bases.iter().enumerate() {
        list.add(format!("basis {}", i + 1), &basis.is, &basis.cite);
        if let Some(printed) = &basis.printed {
            let name = format!("basis {}, in {language}", i + 1);
            list.add(name, printed, &basis.cite);
        }
    }
    if let Some(days) = &book.disputes.authority_days {
        list.add(
            "to the authority within",
            format!("{} days", days.is),
            &days.cite,
        );
    }
}

/// Who decides, by the book's own titles.
fn decides(book: &RuleBook, decision: &Decision) -> String {
    decider(book, decision.by, decision.or_above)
}

fn decider(book: &RuleBook, position: Position, or_above: bool) -> String {
    let above = if or_above { " or above" } else { "" };
    format!("{}{above}", called(book, position))
}

/// What the book calls a position, or our word where it has none.
fn called(book: &RuleBook, position: Position) -> String {
    book.title(position).map_or_else(
        || position.plain().to_owned(),
        |title| title.title.is.clone(),
    )
}
