//! A rule book: one approved document, one version, as data.
//!
//! A `RuleBook` can only be made by reading a file without faults, so every
//! one that exists is complete, cited and playable.

mod builtin;
mod check;
mod fault;
mod layouts;
mod pay_tables;
mod places;
mod plain_text;
mod printed;
mod read;
mod reader;
mod resolution;
pub mod words;

use std::sync::Arc;

pub use crate::document::Fault;
pub use fault::RuleBookError;
pub use resolution::Resolution;
pub use words::Word;
use words::{
    AfterInterruption, AfterTerminalFailure, Cause, Closing, Cover, Form, LateAct, Matter,
    Position, Positions, RoundEnd, RoundStart, Scope, Substitution, TumbleStep, TumbleWindow,
    WrongResult,
};

use crate::citation::{Citation, Cited};
use crate::layout::Layout;
use crate::money::Money;
use crate::pay_table::PayTable;

/// Where the text of a book comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// A file that somebody wrote to be played by.
    File,
    /// A journal, in which it was played by.
    Record,
}

/// A fact of the document's title page, or that it is lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known<T> {
    /// What the document says.
    Is(Cited<T>),
    /// The document lost it; never invented.
    Lost(Cited<String>),
}

impl<T> Known<T> {
    /// The value, when it is not lost.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        match self {
            Known::Is(cited) => Some(&cited.is),
            Known::Lost(_) => None,
        }
    }
}

/// Who issued which version of what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The book's name in this product: `mbs-etg`.
    pub id: String,
    /// The game's title as printed.
    pub title: Cited<String>,
    /// Another printed name, e.g. "Tai Sai (Open Cover)".
    pub also_known_as: Option<Cited<String>>,
    /// The casino operator.
    pub operator: Cited<String>,
    /// Version as printed.
    pub version: Known<String>,
    /// From when it is in force, as an RFC 3339 instant or a date.
    pub effective: Known<String>,
    /// Time zone of the effective instant.
    pub zone: String,
    /// The approval it carries, word for word as printed.
    pub approval: Option<Cited<String>>,
    /// The law overlay that applies: `sg`, `vn`.
    pub jurisdiction: String,
    /// Language of the document: `en`, `vi`.
    pub language: String,
}

/// What is displayed or announced, as printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// Calls for bets.
    pub place_bets: Cited<String>,
    /// Closes betting.
    pub no_more_bets: Cited<String>,
    /// What the document says of its own pictures, where it says anything.
    pub pictures: Option<Cited<String>>,
}

/// The order of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    /// Electronic or at a table.
    pub form: Cited<Form>,
    /// Covered or open.
    pub cover: Cited<Cover>,
    /// When the tumbler may run.
    pub tumble_window: Cited<TumbleWindow>,
    /// When it usually runs.
    pub usual_tumble: Cited<TumbleStep>,
    /// Tumbles that make a valid tumble.
    pub minimum_tumbles: Cited<u8>,
    /// The smallest stake a house's own book allows, written `chip_unit_minor`;
    /// every stake is a multiple of it and must be payable exactly.
    pub chip_unit: Option<Cited<Money>>,
    /// What opens the round.
    pub round_opens: Cited<RoundStart>,
    /// What the document calls the start of the round.
    pub formal_start: Cited<RoundStart>,
    /// What closes betting.
    pub closes: Cited<Closing>,
    /// The dealer confirms the close with a deal button.
    pub deal_button: Option<Cited<bool>>,
    /// Whose positions decide.
    pub positions: Cited<Positions>,
    /// Colour chips are issued. A book of an earlier program that says nothing
    /// allows them.
    pub colour_chips: Option<Cited<bool>>,
    /// A spoken bet counts only with its chips, put down before the announcement.
    pub spoken_needs_chips: Option<Cited<bool>>,
    /// Bets are chips on their own area, and the player answers for where they
    /// lie, also when the dealer helps.
    pub player_answers: Option<Cited<bool>>,
    /// The dealer checks that the dice lie flat before a result counts.
    pub flat_check: Cited<bool>,
    /// The winning areas light up before anything is taken or paid.
    pub lit_layout: Option<Cited<bool>>,
    /// What ends the round.
    pub round_ends: Cited<RoundEnd>,
}

/// One cause for which a round is void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoidCause {
    /// The cause.
    pub cause: Cause,
    /// How far it reaches.
    pub scope: Scope,
    /// The rule.
    pub cite: Citation,
}

/// What follows from a void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Voiding {
    /// Stakes go back to the players.
    pub bets_returned: Cited<bool>,
    /// Earlier rounds stand.
    pub previous_rounds_stand: Cited<bool>,
    /// The causes.
    pub causes: Vec<VoidCause>,
}

/// What follows when the electronic device itself fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceFailure {
    /// Told at once.
    pub inform: Position,
    /// Approves that play goes on.
    pub resume_by: Position,
    /// The rule.
    pub cite: Citation,
}

/// What a technical interruption does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interruption {
    /// When an outcome was established.
    pub outcome_established: Cited<AfterInterruption>,
    /// When none was.
    pub no_outcome: Cited<AfterInterruption>,
    /// Terminals: a registered bet.
    pub terminal_registered: Option<Cited<AfterTerminalFailure>>,
    /// Terminals: a bet not registered.
    pub terminal_unregistered: Option<Cited<AfterTerminalFailure>>,
    /// A person confirms the terminal cases the rule leaves open.
    pub terminal_open_cases: Option<Cited<Position>>,
    /// A failing device.
    pub device_failure: Option<DeviceFailure>,
}

/// What a change after the close does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Late {
    /// A new bet.
    pub placement: Cited<LateAct>,
    /// More on a bet.
    pub increase: Cited<LateAct>,
    /// A bet taken away.
    pub withdrawal: Cited<LateAct>,
}

/// What wrong results and displays mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corrections {
    /// A wrong result was registered.
    pub wrong_result: Cited<WrongResult>,
    /// A display is wrong.
    pub wrong_display: Cited<WrongResult>,
    /// An error found late leaves later rounds as they are.
    pub later_rounds_stand: Cited<bool>,
}

/// What a position is called in the document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Title {
    /// The position.
    pub position: Position,
    /// The title, in the document's language.
    pub title: Cited<String>,
}

/// Who decides one matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The matter.
    pub matter: Matter,
    /// Who decides it.
    pub by: Position,
    /// Anyone above may decide it as well.
    pub or_above: bool,
    /// The rule.
    pub cite: Citation,
}

/// Who may do what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Authority {
    /// Who may act in a position.
    pub substitution: Cited<Substitution>,
    /// Titles.
    pub titles: Vec<Title>,
    /// Decisions.
    pub decisions: Vec<Decision>,
}

/// One step of the dispute procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DisputeStep {
    /// Who acts.
    pub by: Position,
    /// What is done, in our words.
    pub act: String,
    /// The same in the document's language, where that is not English: its own
    /// sentence, or ours where it has none for this step alone.
    pub printed: Option<String>,
    /// The rule.
    pub cite: Citation,
}

/// What a decision about a dispute may rest on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// What it is, in our words.
    pub is: String,
    /// As the document prints it, in the document's language, where it is
    /// another than English.
    pub printed: Option<String>,
    /// The rule.
    pub cite: Citation,
}

/// How disputes are handled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disputes {
    /// The steps, in order.
    pub steps: Vec<DisputeStep>,
    /// What a decision may rest on; empty where the document names nothing.
    pub bases: Vec<Basis>,
    /// Days the player has to go to the authority, where a law gives them.
    pub authority_days: Option<Cited<u8>>,
}

/// A piece of equipment the document describes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equipment {
    /// Short name: `dice`, `tumbler`.
    pub item: String,
    /// What it is, in our words.
    pub is: Cited<String>,
}

/// One approved document, one version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleBook {
    /// Who issued which version of what.
    pub identity: Identity,
    /// What is displayed or announced.
    pub words: Words,
    /// The order of play.
    pub play: Play,
    /// Odds.
    pub pay_tables: Vec<PayTable>,
    /// Betting layouts.
    pub layouts: Vec<Layout>,
    /// Voids.
    pub voiding: Voiding,
    /// Interruptions.
    pub interruption: Interruption,
    /// Changes after the close.
    pub late: Late,
    /// Wrong results.
    pub corrections: Corrections,
    /// Who decides.
    pub authority: Authority,
    /// Disputes.
    pub disputes: Disputes,
    /// Equipment.
    pub equipment: Vec<Equipment>,
    source: Arc<str>,
    sha256: [u8; 32],
}

impl RuleBook {
    /// Reads a rule book from the text of its file.
    ///
    /// # Errors
    /// When the text is not TOML, or is a rule book with faults: all of them at once.
    pub fn parse(source: &str) -> Result<RuleBook, RuleBookError> {
        plain_text::required(source, read::rule_book(source, Origin::File))
    }

    /// Reads a rule book out of a record. Programs before this one took `false`
    /// for facts they never acted on; what they recorded stays readable.
    ///
    /// # Errors
    /// As [`RuleBook::parse`].
    pub fn recorded(source: &str) -> Result<RuleBook, RuleBookError> {
        plain_text::required(source, read::rule_book(source, Origin::Record))
    }

    /// The five approved documents, in the order they are listed everywhere.
    #[must_use]
    pub fn all() -> &'static [Arc<RuleBook>] {
        builtin::all()
    }

    /// One of the five by name.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Arc<RuleBook>> {
        RuleBook::all().iter().find(|book| book.identity.id == id)
    }

    /// The book's name: `mbs-etg`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.identity.id
    }

    /// The whole text of the file it was read from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// SHA-256 of that text.
    #[must_use]
    pub fn sha256(&self) -> [u8; 32] {
        self.sha256
    }

    /// SHA-256 of that text, in hexadecimal.
    #[must_use]
    pub fn sha256_hex(&self) -> String {
        hex::encode(self.sha256)
    }

    /// A layout by its name within the book.
    #[must_use]
    pub fn layout(&self, id: &str) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.id == id)
    }

    /// The full name of one of its layouts: `mbs-etg/rapid`.
    #[must_use]
    pub fn layout_name(&self, layout: &Layout) -> String {
        format!("{}/{}", self.id(), layout.id)
    }

    /// The pay table of one of its layouts.
    #[must_use]
    pub fn pay_table(&self, layout: &Layout) -> &PayTable {
        &self.pay_tables[layout.pay_table_index()]
    }

    /// The rule that makes a cause void the round, if the book has one.
    #[must_use]
    pub fn void_cause(&self, cause: Cause) -> Option<&VoidCause> {
        self.voiding.causes.iter().find(|void| void.cause == cause)
    }

    /// Who decides a matter, if the book or a resolution names anyone.
    #[must_use]
    pub fn decision(&self, matter: Matter) -> Option<&Decision> {
        self.authority
            .decisions
            .iter()
            .find(|decision| decision.matter == matter)
    }

    /// What the book calls a position.
    #[must_use]
    pub fn title(&self, position: Position) -> Option<&Title> {
        self.authority
            .titles
            .iter()
            .find(|title| title.position == position)
    }
}

/// Finds a layout of the built-in books by its full name, e.g. `mbs-etg/rapid`.
///
/// # Errors
/// When there is none: the message lists those there are.
pub fn find_layout(name: &str) -> Result<(&'static Arc<RuleBook>, &'static Layout), UnknownLayout> {
    let found = name.split_once('/').and_then(|(book, layout)| {
        let book = RuleBook::named(book)?;
        Some((book, book.layout(layout)?))
    });
    found.ok_or_else(|| UnknownLayout {
        name: name.chars().take(60).collect(),
        known: RuleBook::all()
            .iter()
            .flat_map(|book| book.layouts.iter().map(|layout| book.layout_name(layout)))
            .collect::<Vec<_>>()
            .join(" "),
    })
}

/// There is no layout of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no layout {name:?}: the layouts are {known}")]
pub struct UnknownLayout {
    name: String,
    known: String,
}
