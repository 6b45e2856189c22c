//! One station's way through one round, record by record: what a dispute is
//! decided on.

use serde::Serialize;
use sicbo_rules::{Dice, Money};
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::positions::Line;
use sicbo_table::views::{Stake, stakes};
use sicbo_table::{Fact, codec};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{History, HistoryError, blocks};

/// A moment of the round a case is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, TS, ToSchema)]
#[ts(rename = "ShownMoment")]
#[schema(as = ShownMoment)]
pub struct Moment {
    /// Its record in the table's journal.
    pub sequence: u64,
    /// When the house received what it records.
    pub at_ms: i64,
    /// What, e.g. `bet_registered`, `closing_announced`, `close_shown`, `fenced`, `settled`.
    pub what: &'static str,
    /// The player's name for the bet.
    pub bet: Option<u64>,
    /// The bets placed or taken back.
    pub lines: Vec<Stake>,
    /// The dice.
    pub dice: Option<[u8; 3]>,
    /// What came back to the station, or what a later change gave or took.
    pub amount: Option<i64>,
}

impl History {
    /// What happened in a round as far as it concerns one station: its own
    /// bets, its own screen, and what everybody saw. Also of a round that goes
    /// on; nothing when it has not begun.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn timeline(
        &mut self,
        round: u64,
        station: StationId,
    ) -> Result<Option<Vec<Moment>>, HistoryError> {
        let rows = self.store.rounds(round, 1)?;
        let Some(row) = rows.into_iter().find(|row| row.round == round) else {
            return Ok(None);
        };
        let mut moments = Vec::new();
        'blocks: for block in blocks(self.store.as_ref(), row.first_sequence) {
            let block = block?;
            let records = block.records();
            for record in records.filter(|record| record.sequence >= row.first_sequence) {
                if row.ended_ms.is_some() && record.sequence > row.last_sequence {
                    break 'blocks;
                }
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| HistoryError::damaged(record.sequence, error))?;
                let moment = moment(&event.fact, station);
                moments.extend(moment.map(|moment| Moment {
                    sequence: record.sequence,
                    at_ms: event.at_ms,
                    ..moment
                }));
            }
        }
        if row.ended_ms.is_none() {
            return Ok(Some(moments));
        }
        let ended = self.ended(&row)?;
        let paid = crate::paid::paid(&ended.record, ended.record.standing);
        let own = paid.iter().find(|part| part.record.station == station);
        if let Some(last) = moments.last_mut() {
            last.amount = own.map(|part| part.returned.minor());
        }
        for (sequence, event) in self.amendments.numbered(self.store.as_ref(), &row)? {
            let (what, dice, effects) = match &event.fact {
                Fact::ResultCorrected { dice, effects, .. } => {
                    ("corrected", Some(dice.faces()), effects)
                }
                Fact::RoundVoidedLate { effects, .. } => ("voided_late", None, effects),
                _ => continue,
            };
            let effect = effects.iter().find(|effect| effect.station == station);
            moments.push(Moment {
                sequence,
                at_ms: event.at_ms,
                what,
                dice,
                amount: effect.map(|effect| (effect.is - effect.was).minor()),
                ..Moment::default()
            });
        }
        Ok(Some(moments))
    }

    /// The adjustment that a record holds.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn adjustment(&self, sequence: u64) -> Result<Option<Adjustment>, HistoryError> {
        let stored = super::amendments::stored_at(self.store.as_ref(), sequence);
        match stored {
            Ok((event, _)) => Ok(match event.fact {
                Fact::Adjusted {
                    station, amount, ..
                } => Some(Adjustment {
                    station,
                    amount,
                    case: None,
                }),
                Fact::CasePaid {
                    station,
                    amount,
                    case,
                    ..
                } => Some(Adjustment {
                    station,
                    amount,
                    case: Some(case),
                }),
                Fact::CaseOverpaid {
                    recoverable, case, ..
                } => Some(Adjustment {
                    station: recoverable.station,
                    amount: -recoverable.amount,
                    case: Some(case),
                }),
                _ => None,
            }),
            // Nothing was ever written there.
            Err(HistoryError::Damaged { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// What a record gave to a station or took from it beside its rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adjustment {
    /// The station.
    pub station: StationId,
    /// How much; negative where it was taken, or is owed back.
    pub amount: Money,
    /// The case it names; an adjustment of credit names none.
    pub case: Option<u64>,
}

/// What a record means to a station; nothing when it is another's business.
fn moment(fact: &Fact, own: StationId) -> Option<Moment> {
    let told = |what| Moment {
        what,
        ..Moment::default()
    };
    let plain = |what| Some(told(what));
    let bet = |what, bet: Option<BetId>, lines: &[Line]| {
        Some(Moment {
            bet: bet.map(|bet| bet.0),
            lines: stakes(lines),
            ..told(what)
        })
    };
    let dice = |what, dice: Dice| {
        Some(Moment {
            dice: Some(dice.faces()),
            ..told(what)
        })
    };
    if crate::bundle::station_of(fact).is_some_and(|station| station != own) {
        return None;
    }
    match fact {
        Fact::RoundBegan { .. } => plain("round_began"),
        Fact::TumblerActivated => plain("tumbler_activated"),
        Fact::TumbleEnded { .. } => plain("tumble_ended"),
        Fact::BetsCalled => plain("bets_called"),
        Fact::BetsPlaced { bet: id, lines, .. } => bet("bet_registered", Some(*id), lines),
        Fact::BetsRemoved { bet: id, lines, .. } => bet("bet_taken_back", Some(*id), lines),
        Fact::PositionsRecorded { bet: id, lines, .. } => bet("chips_recorded", *id, lines),
        Fact::PositionsObserved { lines, .. } => bet("chips_observed", None, lines),
        Fact::PositionsClaimed { bet: id, lines, .. } => bet("chips_claimed", Some(*id), lines),
        Fact::PositionsAttested { lines, .. } => bet("chips_attested", None, lines),
        Fact::PositionsReturned { lines, .. } => bet("chips_returned", None, lines),
        Fact::LateActRecorded { line, .. } => bet("late_act", None, &[*line]),
        Fact::ClosingBegan { .. } => plain("closing_announced"),
        Fact::CloseAcknowledged { .. } => plain("close_shown"),
        Fact::StationFenced { .. } => plain("fenced"),
        Fact::BetsClosed { .. } => plain("bets_closed"),
        Fact::Connected { .. } => plain("connected"),
        Fact::Disconnected { .. } => plain("disconnected"),
        Fact::Uncovered => plain("uncovered"),
        Fact::DiceKeyed { dice: read } => dice("dice_keyed", *read),
        Fact::SecondRead { dice: read } => dice("second_read", *read),
        Fact::ResultConfirmed { dice: read } => dice("result_confirmed", *read),
        Fact::Interrupted { .. } => plain("interrupted"),
        Fact::RoundSettled { dice: read, .. } => dice("settled", *read),
        Fact::RoundVoided { .. } => plain("void"),
        _ => None,
    }
}
