//! What staff see of a table: the next step and what else is legal, the keyed
//! reading as a preview, who has not acknowledged, the exposure, the money and
//! all that waits.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_rules::rulebook::words::{Word as _, WrongResult};
use sicbo_rules::{Dice, Money, Outcome};
use ts_rs::TS;
use utoipa::ToSchema;

use super::decisions::ShownDecision;
use super::stations::{ShownStation, stations};
use super::{PublicState, ShownEnd, ShownResult, lit, sent, title};
use crate::authority::{self, Needed};
use crate::ids::{PersonId, RoundNumber, SessionNumber, StationId};
use crate::legal::{LegalAct, Step, Who, offered_acts};
use crate::pending::Notice;
use crate::round::{Phase, Round, StationRound};
use crate::table::{ClocksParted, Status, Table};

/// Who may take a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct MayAct {
    /// The position: `dealer`, `pit-manager`.
    pub position: String,
    /// As the book calls it.
    pub title: Option<String>,
    /// Anyone above will do, by this step or because the book lets them act.
    pub or_above: bool,
    /// The second person, where it takes two.
    pub second: Option<String>,
    /// For the second person too anyone above will do.
    pub second_or_above: bool,
}

/// Somebody who acts in a position for the time being.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownActing {
    /// Who.
    pub person: u64,
    /// In which position.
    pub position: String,
}

/// A step that may be taken now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownStep {
    /// A stable word: `call-bets`.
    pub step: String,
    /// The cause of a void.
    pub cause: Option<String>,
    /// The decision it takes.
    pub pending: Option<u64>,
    /// The ruling it gives.
    pub ruling: Option<String>,
    /// Any one of these may take it.
    pub who: Vec<MayAct>,
    /// The rule it rests on.
    pub rule: Option<String>,
    /// The only bright button (P-020).
    pub next: bool,
}

impl ShownStep {
    fn of(table: &Table, act: &LegalAct) -> ShownStep {
        let higher = authority::higher_may_act(table);
        let may = |needed: Needed, second: Option<Needed>| MayAct {
            position: needed.position.key().to_owned(),
            title: title(table, needed.position),
            or_above: needed.or_above || higher,
            second: second.map(|second| second.position.key().to_owned()),
            second_or_above: second.is_some_and(|second| second.or_above || higher),
        };
        let who = act.who.iter().filter_map(|who| match who {
            Who::Person { needed, .. } => Some(may(*needed, None)),
            Who::TwoPersons { first, second } => Some(may(*first, Some(*second))),
            Who::Device(_) | Who::Station(_) | Who::House => None,
        });
        let (mut cause, mut pending, mut ruling) = (None, None, None);
        match &act.step {
            Step::DeclareVoid { cause: word } => cause = Some(word.key().to_owned()),
            Step::ConfirmInterruption { pending: id }
            | Step::DiceNotInPlace { pending: id }
            | Step::ResolveReadings { pending: id }
            | Step::AttestPositions { pending: id } => pending = Some(id.0),
            Step::Rule {
                pending: id,
                ruling: word,
            } => {
                pending = Some(id.0);
                ruling = Some(sent(word.key()));
            }
            _ => {}
        }
        ShownStep {
            step: act.step.key().to_owned(),
            cause,
            pending,
            ruling,
            who: who.collect(),
            rule: act.rule.clone(),
            next: act.next,
        }
    }
}

/// The keyed reading, not yet confirmed (P-021).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownPreview {
    /// In the order keyed.
    pub keyed: [u8; 3],
    /// As it would be called.
    pub result: ShownResult,
    /// What would light up, by layout.
    pub lit: BTreeMap<String, Vec<String>>,
    /// What would be returned to players in all.
    pub payout: i64,
}

/// The round as the console shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownConsoleRound {
    /// The deal button was pressed.
    pub deal_pressed: bool,
    /// The dice were seen to lie flat.
    pub flat: bool,
    /// The keyed reading.
    pub preview: Option<ShownPreview>,
    /// A second reading was made.
    pub second_read: bool,
    /// The winning areas are lit, or known not to be.
    pub lights: Option<bool>,
    /// Nothing is left but to declare the round void, for this cause.
    pub must_void: Option<String>,
    /// Terminals that have not yet shown the close.
    pub awaiting: Vec<u32>,
    /// Terminals that were cut off.
    pub fenced: Vec<u32>,
    /// All stakes.
    pub staked: i64,
    /// The most the house can lose; negative when it wins whatever falls.
    pub worst_loss: i64,
    /// The dice that would cost the most.
    pub worst_dice: Option<[u8; 3]>,
}

impl ShownConsoleRound {
    fn of(table: &Table, round: &Round) -> ShownConsoleRound {
        let closing = round.phase == Phase::Closing;
        let awaited =
            |part: &StationRound| closing && part.awaited && !part.acknowledged && !part.fenced;
        let those = |wanted: &dyn Fn(&StationRound) -> bool| {
            let parts = (0u32..).zip(&round.stations);
            let found = parts.filter(|(_, part)| wanted(part));
            found.map(|(station, _)| station).collect()
        };
        let house = round.exposure.by_outcome();
        let staked = round.exposure.staked();
        let worst = house.iter().enumerate().min_by_key(|(_, result)| **result);
        let worst = worst.and_then(|(at, _)| Outcome::from_index(at));
        let keyed = round.keyed.filter(|_| round.confirmed.is_none());
        let preview = |dice: Dice| {
            // The house's result on an outcome is what was staked less what returns.
            let result = house.get(dice.outcome().index());
            ShownPreview {
                keyed: dice.faces(),
                result: ShownResult::at(table, dice),
                lit: lit(table, dice),
                payout: result.map_or(0, |result| (staked - *result).minor()),
            }
        };
        ShownConsoleRound {
            deal_pressed: round.deal_pressed,
            flat: round.flat,
            preview: keyed.map(|reading| preview(reading.dice)),
            // What it says stays hidden from the one who keys, so that the two
            // are independent (P-022).
            second_read: round.second.is_some(),
            lights: round.lights,
            must_void: round.must_void.map(|cause| cause.key().to_owned()),
            awaiting: those(&awaited),
            fenced: those(&|part| part.fenced),
            staked: staked.minor(),
            worst_loss: round.exposure.worst_loss().minor(),
            worst_dice: worst
                .filter(|_| staked != Money::ZERO)
                .map(|outcome| outcome.dice().sorted().faces()),
        }
    }
}

/// Word of a failure to whoever the book says must be told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownFailure {
    /// Its number.
    pub notice: u64,
    /// When it was given.
    pub at_ms: i64,
    /// What failed.
    pub what: String,
    /// Who must be told: a position.
    pub inform: String,
    /// As the book calls them.
    pub title: Option<String>,
    /// The rule.
    pub rule: String,
    /// The current round then.
    pub round: Option<u64>,
    /// Who acknowledged it, by their number in the house.
    pub read_by: Option<u32>,
    /// Their name, where the answer may carry it.
    pub read_name: Option<String>,
    /// When.
    pub read_ms: Option<i64>,
}

impl ShownFailure {
    fn of(table: &Table, notice: &Notice) -> ShownFailure {
        ShownFailure {
            notice: notice.id.0,
            at_ms: notice.at_ms,
            what: notice.what.clone(),
            inform: notice.inform.key().to_owned(),
            title: title(table, notice.inform),
            rule: notice.rule.clone(),
            round: notice.round.map(|round| round.0),
            read_by: notice.read.map(|(person, _)| person.0),
            read_name: None,
            read_ms: notice.read.map(|(_, at_ms)| at_ms),
        }
    }
}

/// An overpayment, or a credit nobody has claimed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownOwing {
    /// Its number.
    pub id: u64,
    /// Of which round.
    pub round: u64,
    /// At which station.
    pub station: u32,
    /// How much.
    pub amount: i64,
    /// Who played then plays there still.
    pub present: bool,
}

/// Money of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownMoney {
    /// Staked in the current round.
    pub staked: i64,
    /// The most it can cost.
    pub worst_loss: i64,
    /// Won by the house since the table exists.
    pub house_win: i64,
    /// All settled stakes.
    pub handle: i64,
    /// Cash in.
    pub drop: i64,
    /// Free credit at stations.
    pub credit: i64,
    /// Vouchers this table has given out less those it has taken.
    pub vouchers: i64,
    /// Chips in players' hands.
    pub chips_outstanding: i64,
    /// Overpayments that may be recovered.
    pub recoverable: i64,
    /// Credits nobody has claimed.
    pub unclaimed: i64,
}

impl ShownMoney {
    fn of(table: &Table) -> ShownMoney {
        let stations = || table.stations.iter();
        let exposure = table.round.as_deref().map(|round| &round.exposure);
        let staked = exposure.map_or(Money::ZERO, |exposure| exposure.staked());
        let settled: Money = stations()
            .map(|s| s.meters.staked - s.meters.void_returned)
            .sum();
        let credit: Money = stations().map(|s| s.credit).sum();
        ShownMoney {
            staked: staked.minor(),
            worst_loss: exposure.map_or(0, |exposure| exposure.worst_loss().minor()),
            house_win: table.books.house_win().minor(),
            handle: (settled - staked).minor(),
            drop: -table.books.drop.minor(),
            credit: credit.minor(),
            vouchers: table.books.vouchers.minor(),
            chips_outstanding: table.books.chips_outstanding.minor(),
            recoverable: -table.books.recoverable.minor(),
            unclaimed: table.books.unclaimed.minor(),
        }
    }
}

/// Everything staff may see of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct StaffState {
    /// What everyone sees.
    pub public: PublicState,
    /// Whether it plays.
    pub status: Status,
    /// Everything a person may do now that is no single station's; the one
    /// that is next is marked.
    pub steps: Vec<ShownStep>,
    /// Who acts in another position than their own.
    pub acting: Vec<ShownActing>,
    /// The current round.
    pub round: Option<ShownConsoleRound>,
    /// Decisions that wait.
    pub decisions: Vec<ShownDecision>,
    /// Word of failures, the oldest first, acknowledged ones included.
    pub notices: Vec<ShownFailure>,
    /// Who counts the tumbles: `either`, `line` or `hand`.
    pub counting: String,
    /// The least time a tumble takes that a person counts, in milliseconds.
    pub shortest_tumble_ms: u32,
    /// Stations.
    pub stations: Vec<ShownStation>,
    /// One more round will be played (false), or has been (true).
    pub last_round_announced: Option<bool>,
    /// The dice must be changed before a round can begin.
    pub dice_condemned: bool,
    /// The machine's clock has parted from the house's: no round begins until
    /// a supervisor has looked. What the two showed then.
    pub clock_parted: Option<ClocksParted>,
    /// The most the house may stand to lose on a round.
    pub exposure_maximum: i64,
    /// The dice in use.
    pub dice_set: String,
    /// The first round played with them, or that could be.
    pub dice_since: u64,
    /// Overpayments.
    pub recoverables: Vec<ShownOwing>,
    /// Credits nobody has claimed.
    pub unclaimed: Vec<ShownOwing>,
    /// Money.
    pub money: ShownMoney,
    /// The last round.
    pub last: Option<ShownEnd>,
    /// The round of which a wrong result is still found at once: no later one
    /// has commenced by what the book calls the start of a round.
    pub current: u64,
    /// The ended round whose dice can still be read: none was tumbled since.
    pub dice_in_place: Option<u64>,
    /// Before a result is corrected both persons answer whether the round was
    /// conducted in accordance with the rules of the game.
    pub conduct_asked: bool,
}

impl StaffState {
    /// Names those who acknowledged a failure, by the house's register.
    pub fn name_readers(&mut self, name_of: impl Fn(PersonId) -> Option<String>) {
        for notice in &mut self.notices {
            notice.read_name = notice.read_by.map(PersonId).and_then(&name_of);
        }
    }

    /// What staff see; nothing before the table is first opened.
    #[must_use]
    pub fn of(table: &Table) -> Option<StaffState> {
        let config = table.config.as_deref()?;
        let owing = |id: u64,
                     round: RoundNumber,
                     station: StationId,
                     session: SessionNumber,
                     amount: Money| ShownOwing {
            id,
            round: round.0,
            station: station.0,
            amount: amount.minor(),
            present: table
                .station(station)
                .is_some_and(|at| at.session == session),
        };
        let recoverables = table.recoverables.values();
        let unclaimed = table.unclaimed.values();
        Some(StaffState {
            public: PublicState::of(table)?,
            status: table.status.clone(),
            steps: offered_acts(table)
                .iter()
                .map(|act| ShownStep::of(table, act))
                .collect(),
            acting: (table.acting.iter())
                .map(|(person, position)| ShownActing {
                    person: person.0.into(),
                    position: position.key().to_owned(),
                })
                .collect(),
            round: table
                .round
                .as_deref()
                .map(|round| ShownConsoleRound::of(table, round)),
            decisions: table
                .pending
                .iter()
                .map(|pending| ShownDecision::of(table, pending))
                .collect(),
            notices: table
                .notices
                .iter()
                .map(|notice| ShownFailure::of(table, notice))
                .collect(),
            counting: table.counting.key().to_owned(),
            shortest_tumble_ms: table.shortest_tumble_ms,
            stations: stations(table),
            last_round_announced: table.last_round_announced,
            dice_condemned: table.dice_condemned,
            clock_parted: table.clock_parted,
            exposure_maximum: config.limits.exposure_maximum.minor(),
            dice_set: config.dice_set.clone(),
            dice_since: table.dice_since.0,
            recoverables: recoverables
                .map(|due| owing(due.id.0, due.round, due.station, due.session, due.amount))
                .collect(),
            unclaimed: unclaimed
                .map(|due| owing(due.id.0, due.round, due.station, due.session, due.amount))
                .collect(),
            money: ShownMoney::of(table),
            last: ShownEnd::last(table),
            current: table.last_started.0,
            dice_in_place: table.dice_in_place().map(|round| round.0),
            conduct_asked: config.book.corrections.wrong_result.is
                == WrongResult::SettleByDiceIfConducted,
        })
    }
}
