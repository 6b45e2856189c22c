//! All rounds of a table, one line each.

use std::collections::BTreeMap;

use sicbo_journal::{Record, Store, StreamId};
use sicbo_rules::{Currency, Money};
use sicbo_table::record::Standing;
use sicbo_table::{Event, Fact, Table};

use crate::RoundCode;
use crate::describe::Value;
use crate::text;
use crate::verify::VerifyError;
use crate::walk::{Visitor, walk};

/// One round in one line.
#[derive(Clone, Debug)]
pub struct RoundLine {
    /// Which round.
    pub round: u64,
    /// Its first record.
    pub first_sequence: u64,
    /// Its last record; nothing while it is open.
    pub last_sequence: Option<u64>,
    /// When it began.
    pub began_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// Acts of betting.
    pub bets: u64,
    /// Stations that took part.
    pub stations: usize,
    /// All stakes.
    pub staked: Money,
    /// All that came back when it ended.
    pub returned: Money,
    /// How it ended and how it stood after each amendment.
    pub standings: Vec<Standing>,
    /// Its money.
    pub currency: Currency,
    /// Its verification code; nothing while it is open.
    pub code: Option<RoundCode>,
}

impl RoundLine {
    /// Its state in a word or two.
    #[must_use]
    pub fn state(&self) -> String {
        let all: Vec<String> = self.standings.iter().map(ToString::to_string).collect();
        if all.is_empty() {
            "open".to_owned()
        } else {
            all.join(", then ")
        }
    }

    /// The line for people.
    #[must_use]
    pub fn text(&self) -> String {
        format!(
            "{:>7}  {}  {:<7} {:>9}  staked {:>12}  returned {:>12}  {:<14}  {}",
            self.round,
            text::time(self.began_ms),
            text::count(self.bets, "bet"),
            text::count(self.stations as u64, "station"),
            self.currency.format(self.staked),
            self.currency.format(self.returned),
            self.code.map_or_else(String::new, |code| code.to_string()),
            self.state()
        )
    }

    /// The line for programs.
    #[must_use]
    pub fn value(&self) -> Value {
        let number = |number: Option<u64>| number.map_or(Value::Nothing, Value::from);
        Value::Fields(vec![
            ("round", self.round.into()),
            ("first_sequence", self.first_sequence.into()),
            ("last_sequence", number(self.last_sequence)),
            ("began", text::time(self.began_ms).into()),
            ("began_ms", self.began_ms.into()),
            (
                "ended_ms",
                self.ended_ms.map_or(Value::Nothing, Value::from),
            ),
            ("bets", self.bets.into()),
            ("stations", self.stations.into()),
            ("staked", self.currency.format(self.staked).into()),
            ("returned", self.currency.format(self.returned).into()),
            ("state", self.state().into()),
            (
                "code",
                self.code
                    .map_or(Value::Nothing, |code| code.to_string().into()),
            ),
        ])
    }
}

/// All rounds of a journal, in order.
///
/// # Errors
/// The first record that is not what was written.
pub fn overview(store: &dyn Store, stream: &StreamId) -> Result<Vec<RoundLine>, VerifyError> {
    let mut lines = Lines {
        stream: stream.clone(),
        rounds: BTreeMap::new(),
    };
    let _: Table = walk(store, stream, &mut lines)?;
    Ok(lines.rounds.into_values().collect())
}

struct Lines {
    stream: StreamId,
    rounds: BTreeMap<u64, RoundLine>,
}

impl Lines {
    fn end(&mut self, table: &Table, record: &Record<'_>, event: &Event) -> Option<&mut RoundLine> {
        let round = table.round.as_deref()?;
        let line = self.rounds.get_mut(&round.number.0)?;
        line.last_sequence = Some(record.sequence);
        line.code = Some(RoundCode::of(&self.stream, line.round, record.payload));
        line.ended_ms = Some(event.at_ms);
        line.stations = round
            .stations
            .iter()
            .filter(|part| part.takes_part())
            .count();
        Some(line)
    }
}

impl Visitor for Lines {
    fn before(&mut self, table: &Table, record: &Record<'_>, event: &Event) {
        match &event.fact {
            Fact::RoundBegan { round, .. } => {
                let currency = table
                    .config
                    .as_ref()
                    .map_or(Currency::SGD, |config| config.currency);
                let line = RoundLine {
                    round: round.0,
                    first_sequence: record.sequence,
                    last_sequence: None,
                    began_ms: event.at_ms,
                    ended_ms: None,
                    bets: 0,
                    stations: 0,
                    staked: Money::ZERO,
                    returned: Money::ZERO,
                    standings: Vec::new(),
                    currency,
                    code: None,
                };
                self.rounds.insert(round.0, line);
            }
            Fact::BetsPlaced { .. }
            | Fact::PositionsRecorded { .. }
            | Fact::PositionsAttested { .. } => {
                if let Some(line) = self.rounds.get_mut(&table.last_round.0) {
                    line.bets += 1;
                }
            }
            Fact::RoundSettled {
                dice,
                staked,
                returned,
                ..
            } => {
                if let Some(line) = self.end(table, record, event) {
                    (line.staked, line.returned) = (*staked, *returned);
                    line.standings.push(Standing::Settled(*dice));
                }
            }
            Fact::RoundVoided { staked, .. } => {
                if let Some(line) = self.end(table, record, event) {
                    (line.staked, line.returned) = (*staked, *staked);
                    line.standings.push(Standing::Void);
                }
            }
            Fact::ResultCorrected { round, dice, .. } => {
                if let Some(line) = self.rounds.get_mut(&round.0) {
                    line.standings.push(Standing::Settled(*dice));
                }
            }
            Fact::RoundVoidedLate { round, .. } => {
                if let Some(line) = self.rounds.get_mut(&round.0) {
                    line.standings.push(Standing::Void);
                }
            }
            _ => {}
        }
    }
}
