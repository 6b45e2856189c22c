//! The dealer's console and the pit: everything staff may see of a table.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_rules::rulebook::words::{Word, WrongResult};
use sicbo_rules::{Dice, Layout, Money};
use sicbo_table::Table;
use sicbo_table::command::Ruling;
use sicbo_table::ids::{PersonId, RoundNumber, StationId};
use sicbo_table::legal::{LegalAct, Step, Who};
use sicbo_table::pending::Notice;
use sicbo_table::positions::{Line, Means};
use sicbo_table::round::{Round, StationRound};
use sicbo_table::station::{Link, StationKind};
use sicbo_table::table::ClocksParted;
use sicbo_table::views::console::{ConsoleRound, Preview};
use sicbo_table::views::pit::{DecisionView, StationEffect};
use sicbo_table::views::{self, ConsoleView};
use ts_rs::TS;
use utoipa::ToSchema;

use super::pit::ProposedCounts;
use super::public::{PublicState, RoadRound, ShownEnd, ShownResult, StatusName, TableInfo, lit};
use super::{Stake, stakes};

/// Who may take a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct MayAct {
    /// The position: `dealer`, `pit-manager`.
    pub position: String,
    /// As the book calls it.
    pub title: Option<String>,
    /// Anyone above will do.
    pub or_above: bool,
    /// The second person, where it takes two.
    pub second: Option<String>,
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

/// The word of a ruling.
#[must_use]
pub fn ruling_word(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Void => "void",
        Ruling::Conclude => "conclude",
        Ruling::Accept => "accept",
        Ruling::AtClose => "at_close",
        Ruling::AsTheyLie => "as_they_lie",
        Ruling::Affected => "affected",
        Ruling::NotAffected => "not_affected",
        Ruling::Release => "release",
    }
}

impl ShownStep {
    fn of(table: &Table, act: &LegalAct) -> ShownStep {
        let title = |position: sicbo_rules::rulebook::words::Position| {
            let title = table.book().and_then(|book| book.title(position));
            title.map(|title| title.title.is.clone())
        };
        let who = act.who.iter().filter_map(|who| match who {
            Who::Person { needed, .. } => Some(MayAct {
                position: needed.position.key().to_owned(),
                title: title(needed.position),
                or_above: needed.or_above,
                second: None,
            }),
            Who::TwoPersons { first, second } => Some(MayAct {
                position: first.position.key().to_owned(),
                title: title(first.position),
                or_above: first.or_above,
                second: Some(second.position.key().to_owned()),
            }),
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
                ruling = Some(ruling_word(word).to_owned());
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

impl ShownPreview {
    fn of(preview: &Preview) -> ShownPreview {
        ShownPreview {
            keyed: preview.keyed.faces(),
            result: ShownResult::of(preview.result),
            lit: lit(&preview.lit),
            payout: preview.payout.minor(),
        }
    }
}

/// The colour chips issued to a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownColour {
    /// The colour.
    pub name: String,
    /// What one chip is worth.
    pub value: i64,
}

/// A station as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownStation {
    /// Its number.
    pub station: u32,
    /// Its name.
    pub name: String,
    /// A terminal; else a seat.
    pub terminal: bool,
    /// Its layout within the book.
    pub layout: String,
    /// It can be heard.
    pub online: bool,
    /// Free credit.
    pub credit: i64,
    /// Staked in this round.
    pub at_risk: i64,
    /// The colour issued to it.
    pub colour: Option<ShownColour>,
    /// Chips or credit bets of a seat; of terminals only the sum is shown.
    pub chips: Vec<Stake>,
    /// Colour chips.
    pub colour_chips: Vec<Stake>,
    /// Cash chips as they were last seen after the close, where they were.
    pub observed: Option<Vec<Stake>>,
    /// The same of colour chips.
    pub colour_observed: Option<Vec<Stake>>,
    /// What the dealer does with each bet of a seat by the dice that are keyed
    /// or confirmed: first what is taken, then what is paid. The stake of a
    /// winning bet stays on the layout and is no part of what is paid.
    pub take_and_pay: Option<Vec<ShownBet>>,
}

/// A bet that is taken or paid (004 4.8.1, 4.8.2; 001 1.1.3).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownBet {
    /// Where it lies.
    pub section: String,
    /// What lies there.
    pub stake: i64,
    /// In the seat's colour.
    pub colour: bool,
    /// The odds to 1 at which it wins: `6`, `11 1/2`; none where it is taken.
    pub odds: Option<String>,
    /// What is paid to it beside the stake.
    pub winnings: i64,
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
    fn of(round: &ConsoleRound) -> ShownConsoleRound {
        let worst = round.exposure.by_outcome.iter().enumerate();
        let worst = worst.min_by_key(|(_, result)| **result);
        let dice = worst.and_then(|(at, _)| sicbo_rules::Outcome::from_index(at));
        let anything = round.exposure.staked != Money::ZERO;
        ShownConsoleRound {
            deal_pressed: round.deal_pressed,
            flat: round.flat,
            preview: round.preview.as_ref().map(ShownPreview::of),
            second_read: round.second_read,
            lights: round.lights,
            must_void: round.must_void.map(|cause| cause.key().to_owned()),
            awaiting: round.awaiting.iter().map(|station| station.0).collect(),
            fenced: round.fenced.iter().map(|station| station.0).collect(),
            staked: round.exposure.staked.minor(),
            worst_loss: round.exposure.worst_loss.minor(),
            worst_dice: dice
                .filter(|_| anything)
                .map(|outcome| outcome.dice().sorted().faces()),
        }
    }
}

/// What a decision would do at one station.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownEffect {
    /// Which station.
    pub station: u32,
    /// What it staked.
    pub staked: i64,
    /// What comes back if the round is void.
    pub if_void: i64,
    /// The least that comes back if it is concluded.
    pub concluded_least: i64,
    /// The most.
    pub concluded_most: i64,
    /// What it would have staked if its chips were attested.
    pub if_attested: Option<i64>,
}

impl ShownEffect {
    fn of(effect: &StationEffect) -> ShownEffect {
        ShownEffect {
            station: effect.station.0,
            staked: effect.staked.minor(),
            if_void: effect.if_void.minor(),
            concluded_least: effect.concluded_least.minor(),
            concluded_most: effect.concluded_most.minor(),
            if_attested: effect.if_attested.map(Money::minor),
        }
    }
}

/// A decision that waits (P-031).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownDecision {
    /// Its number.
    pub pending: u64,
    /// The round it is about.
    pub round: Option<u64>,
    /// What is asked: a stable word.
    pub question: String,
    /// In words, where a person wrote them.
    pub what: Option<String>,
    /// The station it is about.
    pub station: Option<u32>,
    /// Chips that wait to be attested, and whether they are in colour.
    pub chips: Vec<Stake>,
    /// They are colour chips.
    pub colour: bool,
    /// An outcome was established before the interruption.
    pub established: Option<bool>,
    /// The proposal it waits for, where it is a proposed correction.
    pub proposal: Option<u64>,
    /// The rule.
    pub rule: String,
    /// Who decides.
    pub by: String,
    /// As the book calls them.
    pub title: Option<String>,
    /// Or anyone above.
    pub or_above: bool,
    /// How many persons it takes.
    pub persons: u8,
    /// What it comes to if nobody has a reason to decide otherwise.
    pub default: Option<String>,
    /// What it would do, station by station; the first 200.
    pub effects: Vec<ShownEffect>,
}

impl ShownDecision {
    fn of(decision: &DecisionView) -> ShownDecision {
        use sicbo_table::pending::Question;
        let (mut what, mut station, mut established) = (None, None, None);
        let (mut chips, mut colour) = (Vec::new(), false);
        let mut proposal = None;
        match &decision.question {
            Question::Interrupted {
                established: is, ..
            } => established = Some(*is),
            Question::Uncovered { what: words } | Question::Interpretation { what: words } => {
                what = Some(words.clone());
            }
            Question::TechnicalStop {
                what: words,
                established: is,
            } => {
                what = Some(words.clone());
                established = Some(*is);
            }
            Question::TerminalOpenCase { station: id } | Question::BetStatus { station: id } => {
                station = Some(id.0);
            }
            Question::ChipsUnrecorded {
                station: id,
                means,
                lines,
                ..
            } => {
                station = Some(id.0);
                chips = stakes(lines);
                colour = *means == Means::ColourChips;
            }
            Question::AffectedRounds { dice_set, .. } => what = Some(dice_set.clone()),
            Question::CorrectionProposed {
                proposal: number, ..
            } => proposal = Some(*number),
            Question::DiceNotInPlace
            | Question::ReadingsDisagree
            | Question::DeviceFailure
            | Question::DamagedRound { .. } => {}
        }
        ShownDecision {
            pending: decision.id.0,
            round: decision.round.map(|round| round.0),
            question: decision.question.key().to_owned(),
            what,
            station,
            chips,
            colour,
            established,
            proposal,
            rule: decision.rule.clone(),
            by: decision.by.key().to_owned(),
            title: decision.title.clone(),
            or_above: decision.or_above,
            persons: decision.persons,
            default: decision
                .default
                .as_ref()
                .map(|ruling| ruling_word(ruling).to_owned()),
            effects: decision
                .effects
                .iter()
                .take(200)
                .map(ShownEffect::of)
                .collect(),
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
        let title = table.book().and_then(|book| book.title(notice.inform));
        ShownFailure {
            notice: notice.id.0,
            at_ms: notice.at_ms,
            what: notice.what.clone(),
            inform: notice.inform.key().to_owned(),
            title: title.map(|title| title.title.is.clone()),
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

/// What the two clocks showed when they were found to have parted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownClocks {
    /// The house's.
    pub house_ms: i64,
    /// The machine's.
    pub machine_ms: i64,
}

impl ShownClocks {
    /// As they were found.
    #[must_use]
    pub fn of(parted: ClocksParted) -> ShownClocks {
        ShownClocks {
            house_ms: parted.house_ms,
            machine_ms: parted.machine_ms,
        }
    }
}

/// Everything staff may see of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct StaffState {
    /// What everyone sees.
    pub public: PublicState,
    /// Whether it plays.
    pub status: StatusName,
    /// Everything a person may do now that is no single station's; the one
    /// that is next is marked.
    pub steps: Vec<ShownStep>,
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
    pub clock_parted: Option<ShownClocks>,
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

/// Stations beyond this many are left out of a console's frame; a screen for
/// thousands of them would be no use to a dealer.
pub const STATIONS_SHOWN: usize = 500;

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
        let console: ConsoleView = views::console(table);
        let pit = views::pit(table);
        let money = &pit.money;
        let owing =
            |id, round: RoundNumber, station: StationId, session, amount: Money| ShownOwing {
                id,
                round: round.0,
                station: station.0,
                amount: amount.minor(),
                present: table
                    .station(station)
                    .is_some_and(|at| at.session == session),
            };
        Some(StaffState {
            public: PublicState::of(table)?,
            status: StatusName::of(&table.status),
            steps: console
                .acts
                .iter()
                .map(|act| ShownStep::of(table, act))
                .collect(),
            round: console.round.as_ref().map(ShownConsoleRound::of),
            decisions: pit.decisions.iter().map(ShownDecision::of).collect(),
            notices: pit
                .notices
                .iter()
                .map(|notice| ShownFailure::of(table, notice))
                .collect(),
            counting: table.counting.key().to_owned(),
            shortest_tumble_ms: table.shortest_tumble_ms,
            stations: stations(table),
            last_round_announced: console.last_round_announced,
            dice_condemned: pit.dice_condemned,
            clock_parted: pit.clock_parted.map(ShownClocks::of),
            exposure_maximum: table
                .config
                .as_deref()
                .map_or(0, |config| config.limits.exposure_maximum.minor()),
            dice_set: table
                .config
                .as_deref()
                .map_or_else(String::new, |config| config.dice_set.clone()),
            dice_since: table.dice_since.0,
            recoverables: pit
                .recoverables
                .iter()
                .map(|entry| {
                    owing(
                        entry.id.0,
                        entry.round,
                        entry.station,
                        entry.session,
                        entry.amount,
                    )
                })
                .collect(),
            unclaimed: pit
                .unclaimed
                .iter()
                .map(|entry| {
                    owing(
                        entry.id.0,
                        entry.round,
                        entry.station,
                        entry.session,
                        entry.amount,
                    )
                })
                .collect(),
            money: ShownMoney {
                staked: money.staked.minor(),
                worst_loss: money.worst_loss.minor(),
                house_win: money.house_win.minor(),
                handle: money.handle.minor(),
                drop: money.drop.minor(),
                credit: money.credit.minor(),
                vouchers: money.vouchers.minor(),
                chips_outstanding: money.chips_outstanding.minor(),
                recoverable: money.recoverable.minor(),
                unclaimed: money.unclaimed.minor(),
            },
            last: console.last.as_ref().map(ShownEnd::of),
            current: console.current.0,
            dice_in_place: console.dice_in_place.map(|round| round.0),
            conduct_asked: table.book().is_some_and(|book| {
                book.corrections.wrong_result.is == WrongResult::SettleByDiceIfConducted
            }),
        })
    }
}

fn stations(table: &Table) -> Vec<ShownStation> {
    let round = table.round.as_deref();
    let keyed = |round: &Round| round.keyed.map(|keyed| keyed.dice);
    let dice: Option<Dice> = round.and_then(|round| round.confirmed.or_else(|| keyed(round)));
    let stations = table.stations.iter().enumerate();
    stations
        .filter(|(_, station)| !station.removed)
        .take(STATIONS_SHOWN)
        .map(|(at, station)| {
            let terminal = station.kind == StationKind::Terminal;
            let part = round
                .and_then(|round| round.stations.get(at))
                .filter(|_| !terminal);
            let layout = table.layout_of(station);
            let number = u32::try_from(at).unwrap_or(u32::MAX);
            let observed = |means: Means| {
                let seen = round?.observed.get(&(StationId(number), means))?;
                Some(stakes(seen))
            };
            ShownStation {
                station: number,
                name: station.name.clone(),
                terminal,
                layout: layout.map_or_else(String::new, |layout| layout.id.clone()),
                online: station.link == Link::Online || !terminal,
                credit: station.credit.minor(),
                at_risk: station.at_risk.minor(),
                colour: station.colour.as_ref().map(|colour| ShownColour {
                    name: colour.name.clone(),
                    value: colour.value.minor(),
                }),
                chips: part.map_or_else(Vec::new, |part| stakes(&part.positions.sorted())),
                colour_chips: part
                    .map_or_else(Vec::new, |part| stakes(&part.colour_positions.sorted())),
                observed: observed(Means::CashChips),
                colour_observed: observed(Means::ColourChips),
                take_and_pay: part
                    .zip(layout.zip(dice))
                    .map(|(part, (layout, dice))| take_and_pay(layout, dice, part)),
            }
        })
        .collect()
}

/// Each bet of a seat, what is taken first.
fn take_and_pay(layout: &Layout, dice: Dice, part: &StationRound) -> Vec<ShownBet> {
    let of = |colour: bool| {
        move |line: &Line| {
            let pays = layout.pays(line.section);
            let odds = pays.and_then(|pays| pays.line(line.section.hits(dice)));
            // Twice the odds are whole, and a stake at half odds is even.
            let halves = odds.map_or(0, |odds| i64::from(odds.is.halves()));
            ShownBet {
                section: line.section.to_string(),
                stake: line.stake.minor(),
                colour,
                odds: odds.map(|odds| odds.is.printed()),
                winnings: line.stake.minor() * halves / 2,
            }
        }
    };
    let cash = part.positions.sorted();
    let colour = part.colour_positions.sorted();
    let all = cash.iter().map(of(false));
    let mut bets: Vec<ShownBet> = all.chain(colour.iter().map(of(true))).collect();
    bets.sort_by_key(|bet| bet.odds.is_some());
    bets
}

/// A two-person act that waits for its second person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownProposal {
    /// Its number.
    pub proposal: u64,
    /// What is proposed: the act's word.
    pub act: String,
    /// In words for the second person. Dice read by the first are not among
    /// them where the second must read them independently.
    pub words: String,
    /// Who proposes.
    pub by: String,
    /// Their number.
    pub person: u32,
    /// Ended rounds it is about.
    pub rounds: Vec<u64>,
    /// The station it is about.
    pub station: Option<u32>,
    /// The amount it is about.
    pub amount: Option<i64>,
    /// What it rules: a ruling's word, or whether the dice lie as they lay
    /// (`in_place`, `not_in_place`).
    pub ruling: Option<String>,
    /// The cause for which it makes a round or rounds void.
    pub cause: Option<String>,
    /// What the first person gives as reason or evidence.
    pub note: Option<String>,
    /// What the first person says to whether the round to be corrected was
    /// conducted in accordance with the rules of the game; whoever confirms says
    /// the same.
    pub conducted: Option<bool>,
    /// What is counted, where it is an end of a shift.
    pub counts: Option<ProposedCounts>,
    /// The second person must state the dice as they read them.
    pub dice_wanted: bool,
    /// When it lapses.
    pub until_ms: i64,
    /// Digest of the whole act: the confirmation sends it back.
    pub digest: String,
}

/// What came of a two-person act, for the person who proposed it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ProposalOutcome {
    /// Its number.
    pub proposal: u64,
    /// `confirmed`, `withdrawn`, `lapsed` or `readings_differ`: nothing was done
    /// unless it was confirmed.
    pub outcome: String,
}

/// A two-person act that ended unconfirmed when the house was started again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct EndedProposal {
    /// Its number.
    pub proposal: u64,
    /// The table it was for; null when it was for the house.
    pub table: Option<String>,
    /// What was proposed: the act's word.
    pub act: String,
    /// In words.
    pub words: String,
    /// Who proposed it.
    pub by: String,
    /// Their number.
    pub person: u32,
    /// Why it ended: `restarted`.
    pub ended: String,
    /// When.
    pub ended_ms: i64,
}

/// House to consoles and pit desks.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HouseToStaff {
    /// First, and again when what the table is has changed.
    Info {
        /// The table.
        info: Box<TableInfo>,
        /// The house's clock.
        server_ms: i64,
    },
    /// Ended rounds, the oldest first.
    Road {
        /// Up to 200 of them.
        rounds: Vec<RoadRound>,
    },
    /// The state.
    Staff {
        /// Which table.
        table: String,
        /// Sequence it rests on.
        version: u64,
        /// The house's clock.
        server_ms: i64,
        /// The state.
        state: Box<StaffState>,
        /// The dice in a simulated tumbler, once they can be seen there: what
        /// a camera over the tumbler would show.
        tumbler: Option<[u8; 3]>,
    },
    /// Two-person acts that wait.
    Proposals {
        /// Which table.
        table: String,
        /// All of them.
        proposals: Vec<ShownProposal>,
        /// Those that the last restart has ended, for an hour: they must be
        /// proposed anew.
        ended: Vec<EndedProposal>,
        /// What came of the last ones, the newest last.
        outcomes: Vec<ProposalOutcome>,
    },
    /// The table is out of service: nothing is dealt, bet or paid at it before
    /// it is started again.
    Stopped {
        /// Which table.
        table: String,
        /// Why.
        why: String,
    },
    /// Something was reported that staff should know of.
    Incident {
        /// Which table.
        table: String,
        /// A stable word.
        kind: String,
        /// What was said.
        note: String,
        /// The station it came from.
        station: Option<u32>,
        /// The current round.
        round: Option<u64>,
        /// When.
        at_ms: i64,
    },
    /// The house is there.
    Heartbeat {
        /// The house's clock.
        server_ms: i64,
    },
    /// The connection ends.
    Bye {
        /// A stable word.
        code: String,
        /// In words.
        words: String,
    },
}
