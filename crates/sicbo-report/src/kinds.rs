//! Stakes by kind of bet, each with the exact edge of its section and layout.

use std::sync::Arc;

use sicbo_rules::section::Kind;
use sicbo_rules::{Currency, Outcome, RuleBook, Section};
use sicbo_table::positions::Line;
use sicbo_table::record::{RoundRecord, Standing};

use super::exact::{Fraction, approx, fraction, money};
use super::sheet::KindLine;

/// Edges of a book's layouts, in 432nds of the stake: 216 outcomes, halves.
struct Edges {
    book: Arc<RuleBook>,
    by_layout: Vec<[i64; Section::COUNT]>,
}

impl Edges {
    fn of(book: &Arc<RuleBook>) -> Edges {
        let by_layout = book.layouts.iter().map(|layout| {
            let mut edges = [432; Section::COUNT];
            for outcome in Outcome::all() {
                let row = layout.settlement().row(outcome.dice());
                for (edge, halves) in edges.iter_mut().zip(row) {
                    *edge -= i64::from(*halves);
                }
            }
            edges
        });
        Edges {
            by_layout: by_layout.collect(),
            book: Arc::clone(book),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Sums {
    bets: u64,
    handle: i128,
    returned_twice: i128,
    theoretical_432: i128,
}

/// Stakes by kind.
#[derive(Default)]
pub(crate) struct Kinds {
    edges: Vec<Edges>,
    sums: [Sums; Kind::ALL.len()],
}

impl Kinds {
    /// The books seen, each once.
    pub(crate) fn books(&self) -> impl Iterator<Item = &Arc<RuleBook>> {
        self.edges.iter().map(|edges| &edges.book)
    }

    fn edges_of(&mut self, book: &Arc<RuleBook>) -> usize {
        let same = |edges: &Edges| Arc::ptr_eq(&edges.book, book) || edges.book == *book;
        self.edges.iter().position(same).unwrap_or_else(|| {
            self.edges.push(Edges::of(book));
            self.edges.len() - 1
        })
    }

    /// Counts a round as it stands; one that is void counts for nothing.
    pub(crate) fn add(&mut self, record: &RoundRecord, standing: Standing) {
        let at = self.edges_of(&record.book);
        let Standing::Settled(dice) = standing else {
            return;
        };
        for part in &record.stations {
            let row = record.book.layouts[part.layout].settlement().row(dice);
            let edges = &self.edges[at].by_layout[part.layout];
            for Line { section, stake } in part.lines.iter().chain(&part.colour_lines) {
                let (stake, index) = (i128::from(stake.minor()), section.index());
                let sums = &mut self.sums[section.kind() as usize];
                sums.bets += 1;
                sums.handle += stake;
                sums.returned_twice += stake * i128::from(row[index]);
                sums.theoretical_432 += stake * i128::from(edges[index]);
            }
        }
    }

    /// Handle and what came back.
    pub(crate) fn totals(&self) -> (i64, i64) {
        let handle: i128 = self.sums.iter().map(|sums| sums.handle).sum();
        let twice: i128 = self.sums.iter().map(|sums| sums.returned_twice).sum();
        (narrow(handle), narrow(twice / 2))
    }

    /// Every stake by its edge.
    pub(crate) fn theoretical(&self) -> Fraction {
        let sum: i128 = self.sums.iter().map(|sums| sums.theoretical_432).sum();
        fraction(sum, 432)
    }

    /// The kinds that were bet on.
    pub(crate) fn lines(&self, currency: Currency) -> Vec<KindLine> {
        let kinds = Kind::ALL.iter().zip(&self.sums);
        kinds
            .filter(|(_, sums)| sums.bets > 0)
            .map(|(kind, sums)| {
                let theoretical = fraction(sums.theoretical_432, 432);
                let (handle, returned) = (narrow(sums.handle), narrow(sums.returned_twice / 2));
                KindLine {
                    kind: kind.key().to_owned(),
                    bets: sums.bets,
                    handle,
                    returned,
                    win: handle - returned,
                    edge_percent: approx(&fraction(sums.theoretical_432 * 100, sums.handle * 432)),
                    theoretical: money(&theoretical, currency),
                }
            })
            .collect()
    }
}

fn narrow(sum: i128) -> i64 {
    i64::try_from(sum).unwrap_or(if sum < 0 { i64::MIN } else { i64::MAX })
}
