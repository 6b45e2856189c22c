//! How much each station may have written in one round, so that no terminal
//! fills the disk.
//!
//! What a station has caused to be written is counted as it becomes durable
//! and begins anew with each round, or after a while where no round begins.
//! Whoever is over is refused until then; what was asked before is still
//! answered, taking money out has a few acts in reserve, and taking all of it
//! out is never refused. A restart counts anew: no terminal can cause one.

use sicbo_plan::TerminalQuota;
use sicbo_table::actor::Actor;
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::{Event, Fact};

use super::by_station::ByStation;

/// The code of a terminal that had too much written in a round.
pub const QUOTA_REACHED: &str = "quota_reached";
/// Acts that only taking money out may still use.
pub const RESERVE: u32 = 20;
/// A record without its lines or words, and what the store adds to it.
const RECORD_BYTES: u32 = 64;
/// One line of a bet.
const LINE_BYTES: u32 = 12;
/// A voucher or a note, which the register or the meters write down too.
const MONEY_BYTES: u32 = 256;

/// A quota begins anew after this long, also while a table stands still.
const RENEWED_AFTER_MS: i64 = 600_000;

/// What a station had written in a round.
#[derive(Clone, Copy, Debug)]
struct Used {
    round: RoundNumber,
    /// By the steady clock.
    since_ms: i64,
    acts: u32,
    bytes: u32,
}

impl Used {
    fn counts_in(&self, round: RoundNumber, steady_ms: i64) -> bool {
        self.round == round && steady_ms - self.since_ms < RENEWED_AFTER_MS
    }
}

/// The quotas of a table's stations.
pub(super) struct Quotas {
    most: TerminalQuota,
    used: ByStation<Used>,
}

impl Quotas {
    /// Nothing is used yet.
    #[must_use]
    pub(super) fn new(most: TerminalQuota) -> Quotas {
        Quotas {
            most,
            used: ByStation::default(),
        }
    }

    /// Counts an event of the round, or of the pause before the next.
    pub(super) fn note(&self, round: RoundNumber, event: &Event, steady_ms: i64) {
        if let Some((station, bytes)) = cost(event) {
            self.count((round, steady_ms), station, bytes);
        }
    }

    /// Counts what the register writes down for a station.
    pub(super) fn note_money(&self, round: RoundNumber, station: StationId, steady_ms: i64) {
        self.count((round, steady_ms), station, MONEY_BYTES);
    }

    fn count(&self, (round, steady_ms): (RoundNumber, i64), station: StationId, bytes: u32) {
        let mut used = self.used.part(station);
        let none = Used {
            round,
            since_ms: steady_ms,
            acts: 0,
            bytes: 0,
        };
        let own = used.get_or_insert_with(station, || none);
        if !own.counts_in(round, steady_ms) {
            *own = none;
        }
        own.acts = own.acts.saturating_add(1);
        own.bytes = own.bytes.saturating_add(bytes);
    }

    /// Why a station may have no more written in this round, if so; `reserve`
    /// acts more are let through.
    #[must_use]
    pub(super) fn reached(
        &self,
        station: StationId,
        round: RoundNumber,
        reserve: u32,
        steady_ms: i64,
    ) -> Option<String> {
        let used = self.used.part(station);
        let own = used
            .get(station)
            .filter(|own| own.counts_in(round, steady_ms))?;
        let TerminalQuota { acts, bytes } = self.most;
        if own.acts >= acts + reserve {
            return Some(format!(
                "a terminal may act {acts} times in a round, and this one has; it may again from the next round on"
            ));
        }
        let over = own.bytes >= bytes + reserve * MONEY_BYTES;
        over.then(|| {
            format!(
                "what a terminal asks for in a round may take {bytes} bytes, and this one's does; it may ask again from the next round on"
            )
        })
    }
}

/// The station that caused an event, and about how many bytes it takes.
fn cost(event: &Event) -> Option<(StationId, u32)> {
    let lines =
        |count: usize| RECORD_BYTES + LINE_BYTES * u32::try_from(count).unwrap_or(u32::MAX / 64);
    let own = match event.by {
        Actor::Station(station) => Some(station),
        _ => None,
    };
    match &event.fact {
        Fact::BetsPlaced { lines: placed, .. } => own.map(|own| (own, lines(placed.len()))),
        Fact::BetsRemoved { lines: removed, .. } => own.map(|own| (own, lines(removed.len()))),
        Fact::IncidentRaised { note, .. } => {
            let bytes = u32::try_from(note.len()).unwrap_or(u32::MAX / 2);
            own.map(|own| (own, RECORD_BYTES + bytes))
        }
        Fact::CreditBought { station, .. } => match event.by {
            Actor::Staff(_) => None,
            _ => Some((*station, MONEY_BYTES)),
        },
        // Counted when the register was asked.
        Fact::CashedOut { .. } => None,
        // How often a station connects is bounded by itself (`Hub::may_connect`).
        Fact::Connected { .. } | Fact::Disconnected { .. } => None,
        _ => own.map(|own| (own, RECORD_BYTES)),
    }
}

#[cfg(test)]
mod tests {
    use sicbo_table::command::IncidentKind;

    use super::*;

    fn call(station: u32, words: usize) -> Event {
        Event {
            at_ms: 0,
            by: Actor::Station(StationId(station)),
            second: None,
            command: 0,
            fact: Fact::IncidentRaised {
                kind: IncidentKind::Other,
                note: "x".repeat(words),
            },
        }
    }

    #[test]
    fn a_station_has_its_own_quota_and_a_new_one_each_round() {
        let most = TerminalQuota {
            acts: 3,
            bytes: 1_000,
        };
        let quotas = Quotas::new(most);
        let (one, other) = (StationId(1), StationId(2));
        for _ in 0..3 {
            assert_eq!(quotas.reached(one, RoundNumber(1), 0, 0), None);
            quotas.note(RoundNumber(1), &call(1, 0), 0);
        }
        let why = quotas
            .reached(one, RoundNumber(1), 0, 0)
            .unwrap_or_default();
        assert!(why.contains("3 times"), "{why}");
        assert_eq!(quotas.reached(one, RoundNumber(1), RESERVE, 0), None);
        assert_eq!(quotas.reached(other, RoundNumber(1), 0, 0), None);
        assert_eq!(quotas.reached(one, RoundNumber(2), 0, 0), None);
        quotas.note(RoundNumber(2), &call(1, 2_000), 0);
        let why = quotas
            .reached(one, RoundNumber(2), 0, 0)
            .unwrap_or_default();
        assert!(why.contains("1000 bytes"), "{why}");
    }
}
