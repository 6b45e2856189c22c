//! What each client is shown, made here so that no client is sent what it may
//! not see.
//!
//! A player sees their own money and bets, never another's; nobody but the
//! dealer's console sees a reading of the dice before it is confirmed. Views are plain values: the edge turns them into frames and
//! words, and never looks into the table itself.

pub mod console;
pub mod own;
pub mod pit;
pub mod settlement;
pub mod wall;

use sicbo_rules::{Dice, Kind, Layout, Money, RuleBook, Section};

use crate::config::Limits;
use crate::ids::RoundNumber;
use crate::record::{RoundRecord, Standing, VoidWhy};
use crate::round::{CoverState, Phase, Round, Tumble};
use crate::table::{Committed, Table};

pub use console::{ConsoleView, console};
pub use own::{OwnView, own};
pub use pit::{PitView, pit};
pub use settlement::SettlementLine;
pub use wall::{WallView, wall};

/// Small, big, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Total 4 to 10.
    Small,
    /// Total 11 to 17.
    Big,
    /// Three alike: neither side, neither odd nor even.
    Triple,
}

/// A result as it is called: lowest to highest, then the total.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultView {
    /// From lowest to highest.
    pub dice: Dice,
    /// Their sum.
    pub total: u8,
    /// Small, big or triple.
    pub side: Side,
    /// The total is odd; none for a triple, and where the book has no such bet.
    pub odd: Option<bool>,
}

impl ResultView {
    /// The result of these dice.
    #[must_use]
    pub fn of(dice: Dice) -> ResultView {
        let total = dice.total();
        let (side, odd) = match (dice.is_triple(), total) {
            (true, _) => (Side::Triple, None),
            (false, ..=10) => (Side::Small, Some(total % 2 == 1)),
            (false, _) => (Side::Big, Some(total % 2 == 1)),
        };
        ResultView {
            dice: dice.sorted(),
            total,
            side,
            odd,
        }
    }

    /// The result of these dice as a book calls it: odd and even are said only
    /// where they can be bet on.
    #[must_use]
    pub fn under(book: Option<&RuleBook>, dice: Dice) -> ResultView {
        let view = ResultView::of(dice);
        let parity = book.is_none_or(|book| {
            let mut layouts = book.layouts.iter();
            layouts.any(|layout| layout.sections().any(|section| section.kind() == Kind::Odd))
        });
        ResultView {
            odd: view.odd.filter(|_| parity),
            ..view
        }
    }
}

/// What everyone may know of the current round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundView {
    /// Its number.
    pub number: RoundNumber,
    /// Where it stands.
    pub phase: Phase,
    /// When bets were called; with the window it gives the countdown.
    pub opened_ms: Option<i64>,
    /// How long bets are taken.
    pub window_ms: u32,
    /// When *no more bets* was said or first shown.
    pub closing_ms: Option<i64>,
    /// The tumble and its count.
    pub tumble: Tumble,
    /// The cover.
    pub cover: CoverState,
    /// The result, once it is confirmed.
    pub result: Option<ResultView>,
    /// What a simulated tumbler committed to before the bets.
    pub commitment: Option<[u8; 32]>,
}

impl RoundView {
    fn of(table: &Table, round: &Round) -> RoundView {
        let config = table.config.as_deref();
        RoundView {
            number: round.number,
            phase: round.phase,
            opened_ms: round.opened_ms,
            window_ms: config.map_or(0, |config| config.window_ms),
            closing_ms: round.closing_ms,
            tumble: round.tumble,
            cover: round.cover,
            result: round
                .confirmed
                .map(|dice| ResultView::under(table.book().map(AsRef::as_ref), dice)),
            commitment: table
                .commitment
                .filter(|(of, _)| *of == round.number)
                .map(|(_, commitment)| commitment),
        }
    }
}

/// A correction: what was replaced, and under which rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorrectedView {
    /// The result the round stood on before.
    pub from: ResultView,
    /// The rule, as cited to people.
    pub rule: String,
}

/// What a simulated tumbler has committed to for the round that has not begun.
fn next_commitment(table: &Table) -> Option<[u8; 32]> {
    let none_in_hand = table.round.is_none();
    let next = table.commitment.filter(|_| none_in_hand);
    next.map(|(_, commitment)| commitment)
}

/// How the last round ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastRound {
    /// Its number.
    pub number: RoundNumber,
    /// The result; none when it was void.
    pub result: Option<ResultView>,
    /// It was changed after it ended (P-045).
    pub amended: bool,
    /// Why it is void, if it is (P-006).
    pub void: Option<VoidWhy>,
    /// Its latest correction, if it was corrected; with the result it says
    /// "Result corrected to 3-3-6 (rule 5.5)".
    pub corrected: Option<CorrectedView>,
    /// What a simulated tumbler had committed to, and the seed once revealed.
    pub tumble: Option<Committed>,
}

impl LastRound {
    /// How a round ended.
    #[must_use]
    pub fn of(table: &Table, record: &RoundRecord) -> LastRound {
        let result = match record.standing {
            Standing::Settled(dice) => Some(ResultView::under(Some(&record.book), dice)),
            Standing::Void => None,
        };
        LastRound {
            number: record.number,
            result,
            amended: record.revision > 0,
            void: record.void.clone(),
            corrected: record.corrected.as_ref().map(|corrected| CorrectedView {
                from: ResultView::under(Some(&record.book), corrected.from),
                rule: corrected.rule.clone(),
            }),
            tumble: table.last_tumble.filter(|last| last.round == record.number),
        }
    }
}

/// The limits of one kind of bet, by the name the layout gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitView {
    /// The kind.
    pub kind: Kind,
    /// As the layout calls it.
    pub name: String,
    /// Least stake.
    pub minimum: Money,
    /// Most.
    pub maximum: Money,
    /// Whole multiples of it.
    pub step: Money,
}

/// The limits of every kind of bet a layout offers, in the order of kinds.
fn limits_of(layout: &Layout, limits: &Limits) -> Vec<LimitView> {
    Kind::ALL
        .into_iter()
        .filter(|kind| layout.sections().any(|section| section.kind() == *kind))
        .map(|kind| {
            let limit = limits.of(kind);
            LimitView {
                kind,
                name: layout.name(kind).unwrap_or(kind.key()).to_owned(),
                minimum: limit.minimum,
                maximum: limit.maximum,
                step: limit.step,
            }
        })
        .collect()
}

/// The winning sections of one layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LitLayout {
    /// Its name within the book.
    pub layout: String,
    /// Those that win and are offered there, in stable order.
    pub sections: Vec<Section>,
}

/// What lights up on each layout of the book.
fn lit(table: &Table, dice: Dice) -> Vec<LitLayout> {
    let layouts = table.book().map_or(&[][..], |book| &book.layouts);
    layouts
        .iter()
        .map(|layout| LitLayout {
            layout: layout.id.clone(),
            sections: layout.settlement().lit(dice).collect(),
        })
        .collect()
}

/// What is called to everyone besides the game itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// One more round will be played (P-029).
    LastRound,
    /// Play has stopped.
    Suspended,
    /// The table is not open.
    Closed,
    /// The round waits for a decision under this rule.
    Held {
        /// The rule.
        rule: String,
    },
    /// The round will be declared void.
    RoundLost,
    /// Other limits from the next round.
    LimitsChange,
    /// Another rule book from the next round.
    RuleBookChanges,
    /// The last round was void: all bets were returned.
    LastRoundVoid,
    /// The result of the last round was corrected.
    LastResultCorrected,
}

/// The notices for everyone in the room.
fn notices(table: &Table) -> Vec<Notice> {
    use crate::table::Status;
    let mut notices = Vec::new();
    match table.status {
        Status::Closed => notices.push(Notice::Closed),
        Status::Suspended => notices.push(Notice::Suspended),
        Status::Open => {}
    }
    if table.last_round_announced.is_some() {
        notices.push(Notice::LastRound);
    }
    if let Some(pending) = table.holding() {
        let rule = pending.rule.clone();
        notices.push(Notice::Held { rule });
    }
    if table.round.as_ref().is_some_and(|r| r.must_void.is_some()) {
        notices.push(Notice::RoundLost);
    }
    if table.next_limits.is_some() {
        notices.push(Notice::LimitsChange);
    }
    if table.next_book.is_some() {
        notices.push(Notice::RuleBookChanges);
    }
    match table.last_record.as_deref() {
        Some(last) if last.standing == Standing::Void => notices.push(Notice::LastRoundVoid),
        Some(last) if last.revision > 0 => notices.push(Notice::LastResultCorrected),
        _ => {}
    }
    notices
}
