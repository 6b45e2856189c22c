//! A player's terminal and the house.
//!
//! The first message of a terminal is `hello` with its enrolment token. Every
//! betting act carries an id of the terminal's own choice: sent again, it is
//! answered again and never charged twice.

use serde::{Deserialize, Serialize};
use sicbo_rules::Currency;
use sicbo_table::Table;
use sicbo_table::ids::StationId;
use sicbo_table::record::{RoundRecord, StationRecord};
use sicbo_table::views::settlement::{Outcome, SettlementLine};
use sicbo_table::views::{self, LastRound};
use ts_rs::TS;
use utoipa::ToSchema;

use super::public::{PublicState, ShownEnd, ShownResult, TableInfo};
use super::{Secret, Stake, stakes};

/// Terminal to house.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TerminalToHouse {
    /// First: who this is, and what it has seen.
    Hello {
        /// The protocol it speaks.
        protocol: u32,
        /// Its enrolment token.
        #[ts(type = "string")]
        token: Secret,
        /// The last version it has seen, to be given what came since.
        #[serde(default)]
        #[ts(optional)]
        from: Option<u64>,
    },
    /// Bets, all or none.
    Bet {
        /// Chosen by the terminal; unique in the round.
        id: u64,
        /// The round they are meant for; without it, the one in hand.
        #[serde(default)]
        #[ts(optional)]
        round: Option<u64>,
        /// The bets.
        lines: Vec<Stake>,
    },
    /// Takes bets, or parts of them, back.
    Remove {
        /// Chosen by the terminal; unique in the round.
        id: u64,
        /// The round.
        #[serde(default)]
        #[ts(optional)]
        round: Option<u64>,
        /// How much of what.
        lines: Vec<Stake>,
    },
    /// Takes all bets back.
    Clear {
        /// Chosen by the terminal; unique in the round.
        id: u64,
        /// The round.
        #[serde(default)]
        #[ts(optional)]
        round: Option<u64>,
    },
    /// *No more bets* is on the screen.
    Shown {
        /// Of this round.
        round: u64,
    },
    /// A note in the acceptor, where one is simulated.
    InsertNote {
        /// Chosen by the terminal; comes back in the answer.
        request: u64,
        /// Its value.
        amount: i64,
    },
    /// Free credit to a voucher.
    CashOut {
        /// Chosen by the terminal; comes back in the answer.
        request: u64,
        /// How much.
        amount: i64,
    },
    /// A voucher in the slot.
    Redeem {
        /// Chosen by the terminal; the same one again is the same redemption.
        request: u64,
        /// Its validation number.
        #[ts(type = "string")]
        number: Secret,
    },
    /// The attendant is wanted.
    CallAttendant {
        /// Chosen by the terminal; comes back in the answer.
        request: u64,
    },
    /// The player disputes a round.
    Dispute {
        /// Chosen by the terminal; comes back in the answer.
        request: u64,
        /// Which round.
        round: u64,
        /// In the player's words.
        #[serde(default)]
        note: String,
    },
    /// Still here.
    Heartbeat,
}

/// What became of one bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineOutcome {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// The round was void and the stake came back.
    Returned,
}

/// One line of a settlement card (P-006).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct CardLine {
    /// Where it stood.
    pub section: String,
    /// What the layout calls this kind of bet.
    pub name: String,
    /// Made with colour chips.
    pub colour: bool,
    /// The stake.
    pub stake: i64,
    /// What became of it.
    pub outcome: LineOutcome,
    /// Odds it won at, as printed: `6 1/2`.
    pub odds: Option<String>,
    /// What was won beside the stake.
    pub profit: i64,
    /// What came back in all.
    pub returned: i64,
}

impl CardLine {
    fn of(line: &SettlementLine) -> CardLine {
        let (outcome, odds) = match line.outcome {
            Outcome::Won(odds) => (LineOutcome::Won, Some(odds.printed())),
            Outcome::Lost => (LineOutcome::Lost, None),
            Outcome::Returned => (LineOutcome::Returned, None),
        };
        CardLine {
            section: line.section.to_string(),
            name: line.name.clone(),
            colour: line.colour,
            stake: line.stake.minor(),
            outcome,
            odds,
            profit: line.profit.minor(),
            returned: line.returned.minor(),
        }
    }
}

/// A station's part of an ended round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Card {
    /// How the round ended.
    pub end: ShownEnd,
    /// What was staked.
    pub staked: i64,
    /// What came back, stakes included.
    pub returned: i64,
    /// Bet by bet, winners first.
    pub lines: Vec<CardLine>,
    /// By which anyone can check that this is what was recorded.
    pub code: Option<String>,
}

impl Card {
    /// The card of one station's part.
    #[must_use]
    pub fn of(
        table: &Table,
        record: &RoundRecord,
        part: &StationRecord,
        code: Option<String>,
    ) -> Card {
        let lines = views::settlement::lines_of(record, part);
        Card {
            end: ShownEnd::of(&LastRound::of(table, record)),
            staked: lines.iter().map(|line| line.stake.minor()).sum(),
            returned: lines.iter().map(|line| line.returned.minor()).sum(),
            lines: lines.iter().map(CardLine::of).collect(),
            code,
        }
    }
}

/// A station's own money and bets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Mine {
    /// Free credit.
    pub credit: i64,
    /// Registered in this round: the only figure called "your bets".
    pub at_risk: i64,
    /// Registered bets.
    pub bets: Vec<Stake>,
    /// Bets are taken from this station now.
    pub may_bet: bool,
    /// Cut off at the close; takes part again in the next round.
    pub wait_for_next_round: bool,
    /// A decision about this station's bets is awaited.
    pub own_case: Option<u64>,
    /// Counts who plays here: another number is another player.
    pub session: u32,
}

impl Mine {
    /// What a station has.
    #[must_use]
    pub fn of(table: &Table, station: StationId) -> Option<Mine> {
        let view = views::player(table, station)?;
        Some(Mine {
            credit: view.credit.minor(),
            at_risk: view.at_risk.minor(),
            bets: stakes(&view.bets),
            may_bet: view.may_bet,
            wait_for_next_round: view.wait_for_next_round,
            own_case: view.own_case.map(|case| case.0),
            session: table.station(station)?.session.0,
        })
    }
}

/// What a station is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct StationInfo {
    /// Its number at the table.
    pub station: u32,
    /// Its name.
    pub name: String,
    /// Its layout within the book.
    pub layout: String,
    /// It has a simulated note acceptor that takes these.
    pub notes: Vec<i64>,
}

/// House to terminal.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HouseToTerminal {
    /// The answer to `hello`, and again when what the table is has changed.
    Welcome {
        /// The protocol.
        protocol: u32,
        /// The house's clock.
        server_ms: i64,
        /// A terminal not heard for this long is cut off.
        silent_ms: u32,
        /// The table.
        info: Box<TableInfo>,
        /// The station.
        station: StationInfo,
    },
    /// What was seen up to the named version goes on without a gap; else
    /// forget it, all of it follows.
    Resume {
        /// Nothing was missed that does not follow.
        gapless: bool,
    },
    /// The public state.
    Table {
        /// Sequence it rests on.
        version: u64,
        /// The house's clock.
        server_ms: i64,
        /// The state.
        state: Box<PublicState>,
    },
    /// The station's own state, whole.
    Mine {
        /// Sequence it rests on.
        version: u64,
        /// The state.
        mine: Mine,
    },
    /// A betting act is registered: durable, and part of the round.
    Registered {
        /// The act.
        id: u64,
        /// Sequence it rests on.
        version: u64,
        /// Free credit now.
        credit: i64,
        /// Registered in this round now.
        at_risk: i64,
    },
    /// A betting act is refused; nothing was charged for it.
    Refused {
        /// The act.
        id: u64,
        /// A stable word.
        code: String,
        /// In words.
        words: String,
        /// The rule, where there is one.
        rule: Option<String>,
    },
    /// The station's part of a round that has ended, or was amended since.
    Settlement {
        /// Sequence it rests on.
        version: u64,
        /// The card.
        card: Box<Card>,
        /// Free credit now.
        credit: i64,
    },
    /// A round that had ended was corrected or made void, and this is what it
    /// means for whoever plays here now and played then.
    Amended {
        /// Sequence it rests on.
        version: u64,
        /// The round.
        round: u64,
        /// The result that stands now; null when the round is void.
        result: Option<ShownResult>,
        /// The rule.
        rule: String,
        /// What had come back.
        was: i64,
        /// What comes back by the result that stands.
        is: i64,
        /// Credited now.
        credited: i64,
        /// Free credit now.
        credit: i64,
    },
    /// A request other than a bet was carried out.
    Done {
        /// Which.
        request: u64,
    },
    /// A request other than a bet was refused.
    Declined {
        /// Which.
        request: u64,
        /// A stable word.
        code: String,
        /// In words.
        words: String,
        /// The rule, where there is one.
        rule: Option<String>,
    },
    /// A voucher is out.
    Voucher {
        /// The request it answers.
        request: u64,
        /// Its number in the house.
        voucher: u64,
        /// Its amount.
        amount: i64,
        /// Where the ticket can be looked at, where the printer is simulated.
        ticket: Option<String>,
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

/// An amount for people: `137.50`.
#[must_use]
pub fn told(currency: Currency, minor: i64) -> String {
    currency.format(sicbo_rules::Money::from_minor(minor))
}
