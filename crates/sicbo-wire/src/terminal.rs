//! A player's terminal and the house.
//!
//! The first message of a terminal is `hello` with its enrolment token. Every
//! betting act carries an id of the terminal's own choice: sent again, it is
//! answered again and never charged twice.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};
use sicbo_rules::{Currency, Money, Section};
use sicbo_table::Table;
use sicbo_table::ids::{BetId, RoundNumber, StationId};
use sicbo_table::positions::Line;
use sicbo_table::record::{RoundRecord, StationRecord};
use sicbo_table::views;
use sicbo_table::views::settlement::Place;
use ts_rs::TS;
use utoipa::ToSchema;

use super::public::{PublicState, ShownEnd, ShownResult, TableInfo};
pub use sicbo_table::views::{CardLine, LineOutcome, Mine};

use super::{Frame, Secret, Stake, frame};

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
        /// The web app it was served with, by the name of its script.
        #[serde(default)]
        #[ts(optional)]
        app: Option<String>,
    },
    /// Bets, all or none.
    Bet {
        /// Chosen by the terminal; unique in the round.
        id: u64,
        /// The round they are meant for; without it, the current one.
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
        /// Chosen by the terminal, higher than any before it: the same one
        /// again is the same note, and is credited once.
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
        /// What the player reads, for the voucher: `en`, `vi`, `zh-Hans` or `zh-Hant`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        language: Option<String>,
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

/// [`TerminalToHouse::Bet`] as it is sent most: read in one go and without a
/// copy of any of its texts. What is not understood so is read as any other
/// message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainBet<'t> {
    #[serde(rename = "type")]
    kind: &'t str,
    /// Chosen by the terminal; unique in the round.
    pub id: u64,
    /// The round they are meant for; without it, the current one.
    #[serde(default)]
    pub round: Option<u64>,
    lines: Vec<PlainStake<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainStake<'t> {
    section: &'t str,
    stake: i64,
}

impl<'t> PlainBet<'t> {
    /// Reads a bet, if it is one and nothing about it is unusual.
    #[must_use]
    pub fn read(text: &'t str) -> Option<(PlainBet<'t>, Vec<Line>)> {
        let bet: PlainBet<'_> = serde_json::from_str(text).ok()?;
        if bet.kind != "bet" {
            return None;
        }
        let line = |stake: &PlainStake<'_>| {
            Some(Line {
                section: stake.section.parse().ok()?,
                stake: Money::from_minor(stake.stake),
            })
        };
        let lines = bet.lines.iter().map(line).collect::<Option<Vec<Line>>>()?;
        Some((bet, lines))
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
    /// The key of its receipt; null where the house gives out none.
    pub receipt: Option<String>,
}

impl Card {
    /// The card of one station's part.
    #[must_use]
    pub fn of(
        table: &Table,
        record: &RoundRecord,
        part: &StationRecord,
        code: Option<String>,
        receipt: Option<String>,
    ) -> Card {
        let lines = views::settlement::lines_of(record, part);
        Card {
            end: ShownEnd::of(table, record),
            staked: lines.iter().map(|line| line.stake).sum(),
            returned: lines.iter().map(|line| line.returned).sum(),
            lines,
            code,
            receipt,
        }
    }
}

/// The settlement frames of one round: what is the same for every station is
/// written once.
pub struct Settlements<'r> {
    record: &'r RoundRecord,
    /// Up to the card's own figures.
    head: String,
    code: String,
    /// Many have the same chips on the same section: each such line is written
    /// once, by layout, section, stake and whether it was of colour chips.
    written: BTreeMap<(usize, Section, Money, bool), WrittenLine>,
}

/// A line of a card as it is sent.
struct WrittenLine {
    place: Place,
    returned: i64,
    text: Frame,
}

impl<'r> Settlements<'r> {
    /// The frames of a round as it stands.
    #[must_use]
    pub fn of(
        table: &Table,
        record: &'r RoundRecord,
        code: Option<String>,
        version: u64,
    ) -> Settlements<'r> {
        let end = frame(&ShownEnd::of(table, record));
        Settlements {
            record,
            head: format!(r#"{{"type":"settlement","version":{version},"card":{{"end":{end}"#),
            code: frame(&code).to_string(),
            written: BTreeMap::new(),
        }
    }

    /// One station's frame, with its credit now and the key of its receipt.
    #[must_use]
    pub fn frame(&mut self, part: &StationRecord, credit: i64, receipt: Option<&str>) -> Frame {
        use std::fmt::Write as _;
        let plain = part.lines.iter().map(|bet| (bet, false));
        let colour = part.colour_lines.iter().map(|bet| (bet, true));
        let bets = || plain.clone().chain(colour.clone());
        let key = |bet: &Line, colour: bool| (part.layout, bet.section, bet.stake, colour);
        for (bet, colour) in bets() {
            if let Entry::Vacant(new) = self.written.entry(key(bet, colour))
                && let Some((place, line)) =
                    views::settlement::line_of(self.record, part.layout, *bet, colour)
            {
                new.insert(WrittenLine {
                    place,
                    returned: line.returned,
                    text: frame(&line),
                });
            }
        }
        let mut lines: Vec<&WrittenLine> = bets()
            .filter_map(|(bet, colour)| self.written.get(&key(bet, colour)))
            .collect();
        lines.sort_by_key(|line| line.place);
        let staked = part.staked().minor();
        let returned: i64 = lines.iter().map(|line| line.returned).sum();
        let mut text = String::with_capacity(self.head.len() + 128 + 160 * lines.len());
        text.push_str(&self.head);
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            r#","staked":{staked},"returned":{returned},"lines":["#
        );
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            text.push_str(&line.text);
        }
        let code = &self.code;
        let receipt = frame(&receipt);
        let _ = write!(
            text,
            r#"],"code":{code},"receipt":{receipt}}},"credit":{credit}}}"#
        );
        text.into()
    }
}

/// An act of betting whose round is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PastBet {
    /// Its round.
    pub round: u64,
    /// The record of the table's journal that holds it.
    pub record: u64,
    /// What became of all that stood in the round, for whoever played then;
    /// null when somebody else plays here now.
    pub part: Option<PastPart>,
}

/// A station's part of a round that is over, as the round stands now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PastPart {
    /// The round was void: all stakes came back.
    pub void: bool,
    /// What stood at the close.
    pub staked: i64,
    /// What came back, stakes included.
    pub returned: i64,
}

impl PastBet {
    /// An act that is remembered, of a round that is over.
    #[must_use]
    pub fn of(table: &Table, id: StationId, round: RoundNumber, bet: BetId) -> Option<PastBet> {
        let station = table.station(id).filter(|_| table.is_over(round))?;
        let act = station.past.act(round, bet)?;
        let part = station.past.round(round);
        let part = part.filter(|part| part.session == station.session);
        Some(PastBet {
            round: round.0,
            record: act.record,
            part: part.map(|part| PastPart {
                void: part.void,
                staked: part.staked.minor(),
                returned: part.returned.minor(),
            }),
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
        /// What happened, when it was asked again after its round; not there else.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        past: Option<PastBet>,
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
        /// The rule of the document; null where it does not speak.
        rule: Option<String>,
        /// The cause of a void that was found late, as a stable word.
        cause: Option<String>,
        /// The rule that lists the cause, where it was decided under another.
        ground: Option<String>,
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
    /// What holds for whoever plays here has changed: ask for it.
    Play {},
    /// The terminal runs another web app than the house serves: load it again.
    Reload {},
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
    currency.format(Money::from_minor(minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the quick reading takes, the slow one reads the same.
    #[test]
    fn a_plain_bet_is_read_as_any_other_message_is() {
        for text in [
            r#"{"type":"bet","id":7,"round":3,"lines":[{"section":"total:11","stake":100}]}"#,
            r#"{"id":7,"lines":[{"stake":-5,"section":"big"}],"type":"bet"}"#,
            r#"{"type":"bet","id":1,"lines":[]}"#,
            r#"{"type":"bet","id":1,"round":null,"lines":[]}"#,
        ] {
            let (plain, lines) = PlainBet::read(text).unwrap();
            let TerminalToHouse::Bet {
                id,
                round,
                lines: slow,
            } = serde_json::from_str(text).unwrap()
            else {
                panic!("{text}");
            };
            let slow: Vec<Line> = slow.iter().map(|stake| stake.line().unwrap()).collect();
            assert_eq!((plain.id, plain.round, lines), (id, round, slow), "{text}");
        }
    }

    #[test]
    fn what_is_no_plain_bet_is_left_to_the_slow_reading() {
        for text in [
            r#"{"type":"remove","id":7,"lines":[{"section":"big","stake":100}]}"#,
            r#"{"type":"bet","id":7,"lines":[{"section":"bigger","stake":100}]}"#,
            r#"{"type":"bet","id":7,"lines":[{"section":"b\u0069g","stake":100}]}"#,
            r#"{"type":"bet","id":7,"x":1,"lines":[]}"#,
            r#"{"type":"bet","id":7}"#,
            r#"{"type":"bet","id":-7,"lines":[]}"#,
            "",
        ] {
            assert!(PlainBet::read(text).is_none(), "{text}");
        }
    }
}
