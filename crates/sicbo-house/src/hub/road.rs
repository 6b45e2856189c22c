//! The last ended rounds of a table, as roads and histories show them.

use std::collections::VecDeque;

use sicbo_journal::{RoundRow, StreamId};
use sicbo_proof::RoundCode;
use sicbo_rules::{Dice, RuleBook};
use sicbo_table::record::Standing;
use sicbo_table::{Event, Fact, Table, codec};

use crate::receipts::ReceiptKeys;
use sicbo_wire::public::{RoadRound, ShownResult};

/// Rounds on a road.
pub const ROAD_LENGTH: usize = 200;

/// The last ended rounds, the oldest first.
#[derive(Clone)]
pub struct Road {
    stream: StreamId,
    rounds: VecDeque<RoadRound>,
    /// The verification code of the newest round.
    code: Option<(u64, String)>,
    /// Draws the keys of players' receipts; none where nobody can fetch one.
    receipts: Option<ReceiptKeys>,
}

impl Road {
    /// The road of rounds as a journal's index has them, the oldest first, with
    /// results as the book in force calls them.
    #[must_use]
    pub fn of(stream: StreamId, rows: &[RoundRow], book: Option<&RuleBook>) -> Road {
        let mut road = Road {
            stream,
            rounds: VecDeque::new(),
            code: None,
            receipts: None,
        };
        for row in rows.iter().filter(|row| row.ended_ms.is_some()) {
            let faces: Option<Dice> = row.dice.as_ref().and_then(|dice| dice.parse().ok());
            let void = row.state.contains("void");
            road.push(RoadRound {
                number: row.round,
                result: faces
                    .filter(|_| !void)
                    .map(|dice| ShownResult::under(book, dice)),
                amended: row.state != "settled" && row.state != "void",
            });
        }
        road
    }

    /// The same for a house that gives out receipts.
    #[must_use]
    pub fn with_receipts(self, keys: ReceiptKeys) -> Road {
        Road {
            receipts: Some(keys),
            ..self
        }
    }

    /// The key of the receipt of a station's part of a round.
    #[must_use]
    pub fn receipt(&self, number: u64, station: &str) -> Option<String> {
        let keys = self.receipts.as_ref()?;
        Some(keys.key(&self.stream, number, station))
    }

    /// Whether a key opens that receipt.
    #[must_use]
    pub fn opens_receipt(&self, key: &str, number: u64, station: &str) -> bool {
        let keys = self.receipts.as_ref();
        keys.is_some_and(|keys| keys.opens(key, &self.stream, number, station))
    }

    fn push(&mut self, round: RoadRound) {
        if self.rounds.len() == ROAD_LENGTH {
            self.rounds.pop_front();
        }
        self.rounds.push_back(round);
    }

    /// Follows an event that was just applied to the table.
    pub fn note(&mut self, table: &Table, event: &Event) {
        let shown = |dice| {
            let book = table.book().map(AsRef::as_ref);
            ShownResult::under(book, dice)
        };
        match &event.fact {
            Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => {
                if let Some(record) = table.last_record.as_deref() {
                    let result = match record.standing {
                        Standing::Settled(dice) => Some(shown(dice)),
                        Standing::Void => None,
                    };
                    let mut payload = Vec::new();
                    codec::encode(event, &mut payload);
                    let code = RoundCode::of(&self.stream, record.number.0, &payload);
                    self.code = Some((record.number.0, code.to_string()));
                    self.push(RoadRound {
                        number: record.number.0,
                        result,
                        amended: false,
                    });
                }
            }
            Fact::ResultCorrected { round, dice, .. } => {
                self.amend(round.0, Some(shown(*dice)));
            }
            Fact::RoundVoidedLate { round, .. } => self.amend(round.0, None),
            _ => {}
        }
    }

    fn amend(&mut self, number: u64, result: Option<ShownResult>) {
        let mut rounds = self.rounds.iter_mut();
        if let Some(round) = rounds.find(|round| round.number == number) {
            round.result = result;
            round.amended = true;
        }
    }

    /// The verification code of the newest round, once it has ended since the
    /// program started; those of older ones are in the history.
    #[must_use]
    pub fn code(&self, number: u64) -> Option<String> {
        let (known, code) = self.code.as_ref()?;
        (*known == number).then(|| code.clone())
    }

    /// The rounds, the oldest first.
    #[must_use]
    pub fn rounds(&self) -> Vec<RoadRound> {
        self.rounds.iter().cloned().collect()
    }
}
