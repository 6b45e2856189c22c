//! A lesson: what happens round by round, drawn from a seed. The same book,
//! pack and seed give the same lesson on every machine.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use sicbo_rules::rulebook::words::{Form, Word};
use sicbo_rules::{Currency, Dice, Layout, Money, RuleBook, Section};
use sicbo_table::command::NewStation;
use sicbo_table::positions::Line;
use sicbo_table::station::StationKind;

use super::situation::{Pack, Situation};

/// Simulated players of a lesson, at the first stations of the table.
pub const PLAYERS: usize = 3;
/// Payments that are asked for after a round.
const MAX_ASKED: usize = 3;

/// What one simulated player bets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wager {
    /// Which player: the station's number.
    pub player: usize,
    /// The bets.
    pub lines: Vec<Line>,
}

/// A payment the trainee is asked for: what the house adds to the stake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Whose bet.
    pub player: usize,
    /// The bet.
    pub line: Line,
    /// What it wins.
    pub pays: Money,
    /// The rule its odds stand in.
    pub rule: String,
}

/// One round of a lesson.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exercise {
    /// What happens.
    pub situation: Situation,
    /// How the dice lie.
    pub dice: Dice,
    /// What a colleague keys where that goes wrong.
    pub wrong: Dice,
    /// How often the dice are thrown up.
    pub tumbles: u8,
    /// Who bets what.
    pub wagers: Vec<Wager>,
    /// The bet that is spoken, late or taken away, by the first player.
    pub special: Line,
    /// Payments to state when the round is settled.
    pub asked: Vec<Asked>,
}

/// A lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// The rules it is about.
    pub book: Arc<RuleBook>,
    /// What is practised.
    pub pack: Pack,
    /// What it was drawn from.
    pub seed: u64,
    /// Round by round.
    pub exercises: Vec<Exercise>,
}

/// The currency and the smallest stake of a practice table.
pub(crate) fn stakes_of(book: &RuleBook) -> (Currency, i64) {
    if book.identity.jurisdiction == "vn" {
        (Currency::VND, 50_000)
    } else {
        (Currency::SGD, 500)
    }
}

/// Where the simulated players sit: one terminal for each layout in turn, so
/// that pay tables differ, or seats at the one printed layout.
pub(crate) fn stations(book: &RuleBook) -> Vec<NewStation> {
    let electronic = book.play.form.is == Form::Electronic;
    let (letter, kind) = match electronic {
        true => ('T', StationKind::Terminal),
        false => ('S', StationKind::Seat),
    };
    let station = |player: usize| NewStation {
        name: format!("{letter}{}", player + 1),
        kind,
        layout: layout(book, player).id.clone(),
    };
    (0..PLAYERS).map(station).collect()
}

fn layout(book: &RuleBook, player: usize) -> &Layout {
    match book.play.form.is {
        Form::Electronic => &book.layouts[player % book.layouts.len()],
        Form::Table => &book.layouts[0],
    }
}

/// Numbers drawn one after the other from a hash of the seed.
struct Draw {
    key: [u8; 32],
    count: u64,
}

impl Draw {
    fn new(book: &RuleBook, pack: Pack, seed: u64) -> Draw {
        let mut hash = Sha256::new();
        hash.update(b"sicbo lesson 1\0");
        hash.update(book.id().as_bytes());
        hash.update([0]);
        hash.update(pack.key().as_bytes());
        hash.update([0]);
        hash.update(seed.to_be_bytes());
        Draw {
            key: hash.finalize().into(),
            count: 0,
        }
    }

    /// A number below `n`; the tiny bias of the remainder does not matter in a lesson.
    fn below(&mut self, n: usize) -> usize {
        let mut hash = Sha256::new();
        hash.update(self.key);
        hash.update(self.count.to_be_bytes());
        self.count += 1;
        let digest: [u8; 32] = hash.finalize().into();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        (u64::from_be_bytes(first) % n.max(1) as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let at = self.below(all.len());
        all.get(at).copied()
    }

    fn dice(&mut self) -> Dice {
        loop {
            let face = |draw: &mut Draw| 1 + draw.below(6) as u8;
            let faces = [face(self), face(self), face(self)];
            if let Some(dice) = Dice::from_faces(faces) {
                return dice;
            }
        }
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }
}

impl Lesson {
    /// The lesson of a book, a pack and a seed.
    #[must_use]
    pub fn new(book: &Arc<RuleBook>, pack: Pack, seed: u64) -> Lesson {
        let mut draw = Draw::new(book, pack, seed);
        let mut situations = Situation::of(book);
        situations.retain(|situation| pack.holds(*situation) && *situation != Situation::Normal);
        draw.shuffle(&mut situations);
        // A sound round comes first, and one in between: not every round is a trap.
        situations.insert(0, Situation::Normal);
        let middle = situations.len() / 2 + 1;
        situations.insert(middle.min(situations.len()), Situation::Normal);
        Lesson::of(book, pack, seed, draw, &situations)
    }

    /// A lesson of one situation alone; none where the book has no such thing.
    #[must_use]
    pub fn single(book: &Arc<RuleBook>, situation: Situation, seed: u64) -> Option<Lesson> {
        let pack = situation.pack();
        let draw = Draw::new(book, pack, seed);
        situation
            .arises(book)
            .then(|| Lesson::of(book, pack, seed, draw, &[situation]))
    }

    fn of(
        book: &Arc<RuleBook>,
        pack: Pack,
        seed: u64,
        mut draw: Draw,
        situations: &[Situation],
    ) -> Lesson {
        let exercises = situations
            .iter()
            .map(|situation| exercise(book, *situation, &mut draw))
            .collect();
        Lesson {
            book: Arc::clone(book),
            pack,
            seed,
            exercises,
        }
    }
}

fn exercise(book: &RuleBook, situation: Situation, draw: &mut Draw) -> Exercise {
    let dice = draw.dice();
    let mut wrong = dice;
    while wrong.sorted() == dice.sorted() {
        wrong = draw.dice();
    }
    let minimum = book.play.minimum_tumbles.is;
    let tumbles = match situation {
        Situation::TooFewTumbles => draw.below(usize::from(minimum)).max(1) as u8,
        _ => minimum + draw.below(3) as u8,
    };
    let wagers: Vec<Wager> = (0..PLAYERS)
        .map(|player| wager(book, player, dice, draw))
        .collect();
    let special = special(book, situation, &wagers, draw);
    let asked = asked(book, dice, &wagers);
    Exercise {
        situation,
        dice,
        wrong,
        tumbles,
        wagers,
        special,
        asked,
    }
}

/// One section that will win and one drawn from all, so that there is something
/// to pay and something to take.
fn wager(book: &RuleBook, player: usize, dice: Dice, draw: &mut Draw) -> Wager {
    let layout = layout(book, player);
    let (_, smallest) = stakes_of(book);
    let lit: Vec<Section> = layout.settlement().lit(dice).collect();
    let all: Vec<Section> = layout.sections().collect();
    let mut lines: Vec<Line> = Vec::new();
    for section in [draw.of(&lit), draw.of(&all)].into_iter().flatten() {
        let stake = Money::from_minor(smallest * (1 + draw.below(4) as i64));
        if lines.iter().all(|line| line.section != section) {
            lines.push(Line { section, stake });
        }
    }
    Wager { player, lines }
}

fn special(book: &RuleBook, situation: Situation, wagers: &[Wager], draw: &mut Draw) -> Line {
    let (_, smallest) = stakes_of(book);
    let mine: &[Line] = wagers.first().map_or(&[], |wager| &wager.lines);
    let first = mine.first().copied();
    let smallest = Money::from_minor(smallest);
    match (situation, first) {
        // Taken away whole, or added to.
        (Situation::LateWithdrawal, Some(line)) => line,
        (Situation::LateIncrease, Some(line)) => Line {
            stake: smallest,
            ..line
        },
        _ => {
            let all: Vec<Section> = layout(book, 0)
                .sections()
                .filter(|section| mine.iter().all(|line| line.section != *section))
                .collect();
            Line {
                section: draw.of(&all).unwrap_or(Section::ALL[0]),
                stake: smallest,
            }
        }
    }
}

fn asked(book: &RuleBook, dice: Dice, wagers: &[Wager]) -> Vec<Asked> {
    let mut asked = Vec::new();
    for wager in wagers {
        let layout = layout(book, wager.player);
        for line in &wager.lines {
            let returned = layout
                .settlement()
                .returned(dice, line.section, line.stake)
                .unwrap_or(Money::ZERO);
            if returned.is_positive() {
                asked.push(Asked {
                    player: wager.player,
                    line: *line,
                    pays: returned - line.stake,
                    rule: format!("{} {}", book.id(), book.pay_table(layout).cite),
                });
            }
        }
    }
    asked.truncate(MAX_ASKED);
    asked
}

/// A lesson as text: equal lessons are equal texts.
impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (book, pack, seed) = (self.book.id(), self.pack.key(), self.seed);
        writeln!(f, "lesson {book} {pack} {seed}")?;
        for exercise in &self.exercises {
            write!(
                f,
                "{} dice {:?} tumbles {}",
                exercise.situation.key(),
                exercise.dice.faces(),
                exercise.tumbles
            )?;
            for wager in &exercise.wagers {
                for line in &wager.lines {
                    write!(
                        f,
                        "; {} {} {}",
                        wager.player,
                        line.section,
                        line.stake.minor()
                    )?;
                }
            }
            writeln!(
                f,
                "; then {} {}",
                exercise.special.section,
                exercise.special.stake.minor()
            )?;
        }
        Ok(())
    }
}
