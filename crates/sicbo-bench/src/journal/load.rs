//! A load: a table with many terminals, and the
//! commands of its rounds one after the other, without an end.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use sicbo_clock::now_ms;
use sicbo_rules::rulebook::words::{Position, TumbleStep};
use sicbo_rules::{Dice, Money, Outcome, RuleBook, Section};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::command::CreditSource;
use sicbo_table::ids::{BetId, PersonId, RoundNumber, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::{Act, Command};

use crate::table_run::{DEALER, open_table};

/// Terminals at the table.
const STATIONS: u32 = 200;
/// Bets of one round: fifty from each terminal.
const BETS_OF_ROUND: u64 = 10_000;

const SUPERVISOR: Staff = Staff {
    person: PersonId(2),
    position: Position::PitSupervisor,
};

/// Gives commands in the order they are to be handed in.
pub(crate) struct Load {
    random: Xoshiro256PlusPlus,
    sections: Vec<Section>,
    now_ms: i64,
    round: u64,
    /// Steps of the round still to come before its bets, or after them.
    steps: std::collections::VecDeque<(Actor, Act)>,
    bets_left: u64,
}

impl Load {
    /// A table that has not been opened.
    pub(crate) fn new() -> Load {
        let book = rulebook();
        let mut load = Load {
            random: Xoshiro256PlusPlus::seed_from_u64(42),
            sections: book.layouts[0].sections().collect(),
            now_ms: now_ms(),
            round: 0,
            steps: std::collections::VecDeque::new(),
            bets_left: 0,
        };
        let layout = &book.layouts[0].id;
        let open = open_table(book, layout, TumbleStep::BeforeOpen, STATIONS);
        load.steps.push_back((Actor::House, open));
        for station in (0..STATIONS).map(StationId) {
            load.steps
                .push_back((Actor::House, Act::Connect { station }));
            let credit = Act::BuyCredit {
                station,
                source: CreditSource::Cage,
                amount: Money::from_minor(100_000_000_000),
            };
            load.steps.push_back((Actor::Staff(SUPERVISOR), credit));
        }
        load
    }

    /// The commands that open the table and give every terminal credit.
    pub(crate) fn set_up(&mut self) -> Vec<Command> {
        let steps = std::mem::take(&mut self.steps);
        steps
            .into_iter()
            .map(|(by, act)| self.command(by, act))
            .collect()
    }

    fn begin(&mut self) {
        self.round += 1;
        self.bets_left = BETS_OF_ROUND;
        let tumbled = Act::ReportTumbles {
            count: 3,
            all_dice_moved: true,
        };
        for act in [Act::ActivateTumbler, tumbled, Act::CallBets] {
            self.steps.push_back((DEALER, act));
        }
    }

    fn end(&mut self) {
        let round = RoundNumber(self.round);
        self.steps.push_back((DEALER, Act::CloseBets));
        for station in (0..STATIONS).map(StationId) {
            let act = Act::AcknowledgeClose { station, round };
            self.steps.push_back((Actor::Station(station), act));
        }
        let outcome = (self.random.next_u64() % Outcome::COUNT as u64) as usize;
        let dice = Outcome::from_index(outcome).map(Outcome::dice);
        let dice = dice.or(Dice::from_faces([4, 3, 4]));
        self.steps.push_back((DEALER, Act::Uncover));
        self.steps.push_back((DEALER, Act::ConfirmFlat));
        if let Some(dice) = dice {
            self.steps.push_back((DEALER, Act::KeyDice { dice }));
        }
        self.steps.push_back((DEALER, Act::ConfirmResult));
    }

    /// The next command, and whether it is a bet.
    pub(crate) fn next(&mut self) -> (Command, bool) {
        if let Some((by, act)) = self.steps.pop_front() {
            // The clock is looked at with every step of the dealer, not with every bet.
            self.now_ms = self.now_ms.max(now_ms());
            return (self.command(by, act), false);
        }
        if self.bets_left == 0 {
            self.begin();
            return self.next();
        }
        self.bets_left -= 1;
        let left = self.bets_left;
        if left == 0 {
            self.end();
        }
        let draw = self.random.next_u64();
        let station = StationId((left % u64::from(STATIONS)) as u32);
        let section = self.sections[(draw % self.sections.len() as u64) as usize];
        let act = Act::PlaceBets {
            station,
            round: RoundNumber(self.round),
            bet: BetId(left),
            means: Means::Credit,
            lines: vec![Line {
                section,
                stake: Money::from_minor(500 + 100 * (draw >> 32) as i64 % 1_000),
            }],
        };
        (self.command(Actor::Station(station), act), true)
    }

    fn command(&self, by: Actor, act: Act) -> Command {
        Command {
            id: 0,
            at_ms: self.now_ms,
            by,
            second: None,
            act,
        }
    }
}

fn rulebook() -> &'static Arc<RuleBook> {
    // The first of the five that are built in.
    RuleBook::named("rws-etg").unwrap_or(&RuleBook::all()[0])
}
