//! What everyone in the room sees: phase, words as printed, result, limits,
//! lit sections and notices. No money and no bets.

use sicbo_rules::Kind;

use super::{
    LastRound, LimitView, LitLayout, Notice, RoundView, limits_of, lit, next_commitment, notices,
};
use crate::record::Standing;
use crate::round::Phase;
use crate::table::{Status, Table};

/// What everyone in the room sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WallView {
    /// The table's name.
    pub table: String,
    /// The game's title as printed.
    pub title: String,
    /// The rule book's name.
    pub book: String,
    /// The game is played, or stopped.
    pub open: bool,
    /// The current round.
    pub round: Option<RoundView>,
    /// What a simulated tumbler committed to for the round that begins next.
    pub next_commitment: Option<[u8; 32]>,
    /// What the book has displayed or announced in this phase, as printed.
    pub words: Option<String>,
    /// What is lit: the confirmed result of the current round, or else of the last.
    pub lit: Vec<LitLayout>,
    /// Limits of every kind any layout in use offers.
    pub limits: Vec<LimitView>,
    /// The last round.
    pub last: Option<LastRound>,
    /// Notices for everyone.
    pub notices: Vec<Notice>,
}

/// The wall's view; none before the table is first opened.
#[must_use]
pub fn wall(table: &Table) -> Option<WallView> {
    let config = table.config.as_deref()?;
    let book = &config.book;
    let round = table.round.as_deref();
    let words = round.and_then(|round| match round.phase {
        Phase::Prepared => None,
        Phase::Betting => Some(book.words.place_bets.is.clone()),
        Phase::Closing | Phase::Closed => Some(book.words.no_more_bets.is.clone()),
    });
    let last = table.last_record.as_deref();
    let dice = match (round, last) {
        (Some(round), _) => round.confirmed,
        (None, Some(last)) => match last.standing {
            Standing::Settled(dice) => Some(dice),
            Standing::Void => None,
        },
        (None, None) => None,
    };
    let mut limits: Vec<LimitView> = Vec::new();
    for (at, layout) in book.layouts.iter().enumerate() {
        let mut stations = table.stations.iter().filter(|s| !s.removed);
        if stations.any(|station| station.layout == at) {
            for limit in limits_of(layout, &config.limits) {
                if limits.iter().all(|known| known.kind != limit.kind) {
                    limits.push(limit);
                }
            }
        }
    }
    limits.sort_by_key(|limit| Kind::ALL.iter().position(|kind| *kind == limit.kind));
    Some(WallView {
        table: config.name.clone(),
        title: book.identity.title.is.clone(),
        book: book.id().to_owned(),
        open: table.status == Status::Open,
        round: round.map(|round| RoundView::of(table, round)),
        next_commitment: next_commitment(table),
        words,
        lit: dice.map_or_else(Vec::new, |dice| lit(table, dice)),
        limits,
        last: last.map(|last| LastRound::of(table, last)),
        notices: notices(table),
    })
}
