//! The order of play as the journal must tell it: who bets when, who closed,
//! when dice may be seen, and where a result may come from.

use std::collections::BTreeSet;

use super::heard::{Chips, Heard, Place, Record, Stake, Who};

/// How long a terminal may delay the close.
const FENCE_MS: i64 = 2_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    Prepared,
    Betting,
    Closing,
    Closed,
}

#[derive(Debug)]
struct Round {
    phase: Phase,
    closing_ms: i64,
    awaited: BTreeSet<usize>,
    acknowledged: BTreeSet<usize>,
    fenced: BTreeSet<usize>,
    tumbled: bool,
    seen: bool,
    /// How the program that wrote it read the documents.
    revision: u16,
    /// Chips that wait for a second person, and who recorded them.
    claimed: Option<(usize, Chips, Vec<Stake>, Who)>,
    flat: bool,
    keyed: Option<[u8; 3]>,
    confirmed: Option<[u8; 3]>,
    /// Why it can only be void.
    void_only: Option<&'static str>,
}

/// Follows one table's rounds.
#[derive(Default, Debug)]
pub(crate) struct Play {
    book: String,
    terminals: BTreeSet<usize>,
    places: usize,
    online: BTreeSet<usize>,
    pub(crate) last_round: u64,
    round: Option<Round>,
}

type Checked = Result<(), String>;

impl Play {
    /// Terminals close each for itself when they show the words (000, 002, 003).
    fn closes_by_display(&self) -> bool {
        matches!(self.book.as_str(), "rws-etg" | "mbs-etg" | "rws-open-cover")
    }

    fn open_cover(&self) -> bool {
        self.book == "rws-open-cover"
    }

    fn add(&mut self, places: &[Place]) {
        for place in places {
            if !place.seat {
                self.terminals.insert(self.places);
            }
            self.places += 1;
        }
    }

    /// Takes a record in.
    pub(crate) fn enter(&mut self, record: &Record) -> Checked {
        match &record.heard {
            Heard::Opened { book, stations } => {
                self.book.clone_from(book);
                self.add(stations);
                return Ok(());
            }
            Heard::Connected { station } => {
                self.online.insert(*station);
                return Ok(());
            }
            Heard::Disconnected { station } => {
                self.online.remove(station);
                return Ok(());
            }
            Heard::RoundBegan { round, revision } => {
                if self.round.is_some() || *round != self.last_round + 1 {
                    return Err(format!("round {round} began after {}", self.last_round));
                }
                self.last_round = *round;
                self.round = Some(Round {
                    phase: Phase::Prepared,
                    closing_ms: 0,
                    awaited: BTreeSet::new(),
                    acknowledged: BTreeSet::new(),
                    fenced: BTreeSet::new(),
                    tumbled: false,
                    revision: *revision,
                    claimed: None,
                    seen: self.open_cover(),
                    flat: false,
                    keyed: None,
                    confirmed: None,
                    void_only: None,
                });
                return Ok(());
            }
            Heard::Interrupted => {
                self.online.clear();
                let voids = self.book != "quang-nam-table";
                if let Some(round) = &mut self.round {
                    // an outcome is established once a die of a valid
                    // tumble can be seen after the close.
                    let established = round.phase == Phase::Closed && round.tumbled && round.seen;
                    if voids && !established {
                        round.void_only = Some("it was interrupted before an outcome");
                    }
                    // Keyed again from the dice, unless it was confirmed before.
                    round.flat = false;
                    round.keyed = None;
                }
                return Ok(());
            }
            _ => {}
        }
        self.in_round(record)
    }

    fn in_round(&mut self, record: &Record) -> Checked {
        let by_display = self.closes_by_display();
        let open_cover = self.open_cover();
        let Some(round) = self.round.as_mut() else {
            return match record.heard {
                Heard::Betted { .. }
                | Heard::Settled { .. }
                | Heard::Voided { .. }
                | Heard::Recorded { .. } => Err("it belongs to no round".to_owned()),
                _ => Ok(()),
            };
        };
        let need = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        match &record.heard {
            Heard::TumblerActivated if open_cover && round.phase != Phase::Closed => {
                round.void_only = Some("open dice tumbled before the close");
            }
            Heard::TumbleEnded { valid } => {
                round.tumbled = *valid;
                if !valid {
                    round.void_only = Some("it had too few tumbles");
                }
            }
            Heard::BetsCalled => {
                need(
                    round.phase == Phase::Prepared,
                    "bets were called out of order",
                )?;
                round.phase = Phase::Betting;
            }
            Heard::Betted { station, .. } => {
                let closing = round.phase == Phase::Closing
                    && round.awaited.contains(station)
                    && record.at_ms <= round.closing_ms + FENCE_MS;
                need(
                    !round.acknowledged.contains(station),
                    "a bet was registered after its terminal acknowledged the close",
                )?;
                need(
                    !round.fenced.contains(station),
                    "a bet of a fenced terminal was registered",
                )?;
                need(
                    round.phase == Phase::Betting || closing,
                    "a bet was registered while none are taken",
                )?;
            }
            Heard::ClosingBegan { awaiting } => {
                need(
                    by_display || round.revision < 2 || matches!(record.who, Who::Person(_)),
                    "bets that the dealer announces were closed by the clock",
                )?;
                need(round.phase == Phase::Betting, "closing began out of order")?;
                round.phase = Phase::Closing;
                round.closing_ms = record.at_ms;
                if by_display {
                    round.awaited = self.online.intersection(&self.terminals).copied().collect();
                    round.fenced = self.terminals.difference(&self.online).copied().collect();
                }
                need(
                    round.awaited.len() == *awaiting as usize,
                    "another number of terminals is awaited",
                )?;
            }
            Heard::Acknowledged { station } => {
                need(
                    round.phase == Phase::Closing,
                    "an acknowledgement out of order",
                )?;
                need(
                    record.who == Who::Station(*station),
                    "acknowledged by another",
                )?;
                need(
                    round.awaited.remove(station),
                    "acknowledged by one not awaited",
                )?;
                round.acknowledged.insert(*station);
            }
            Heard::Fenced { station } => {
                need(round.awaited.remove(station), "fenced though not awaited")?;
                need(
                    record.at_ms >= round.closing_ms + FENCE_MS,
                    "fenced before its time",
                )?;
                round.fenced.insert(*station);
            }
            Heard::BetsClosed { .. } => {
                need(round.phase == Phase::Closing, "closed out of order")?;
                need(
                    round.awaited.is_empty(),
                    "closed while a terminal had not answered",
                )?;
                round.phase = Phase::Closed;
            }
            Heard::Uncovered => {
                need(
                    round.phase == Phase::Closed,
                    "the dice were uncovered before the close",
                )?;
                need(
                    round.tumbled,
                    "the dice were uncovered without a valid tumble",
                )?;
                round.seen = true;
            }
            Heard::Recorded { .. } => {
                need(round.phase == Phase::Closed, "positions before the close")?;
                // One person alone puts nothing down once the dice are seen.
                let alone = round.seen && round.revision >= 2;
                need(!alone, "chips were recorded after the dice were seen")?;
            }
            Heard::ClaimedChips {
                station,
                chips,
                stakes,
            } => {
                need(round.seen, "chips were claimed before the dice were seen")?;
                round.claimed = Some((*station, *chips, stakes.clone(), record.who));
            }
            Heard::AttestedChips {
                station,
                chips,
                stakes,
            } => {
                let claimed = round.claimed.take();
                let (at, means, lines, who) = claimed.ok_or("attested though nobody claimed it")?;
                need(
                    at == *station && means == *chips && lines == *stakes,
                    "other chips were attested than claimed",
                )?;
                need(who != record.who, "attested by the one who claimed it")?;
            }
            Heard::Flat => {
                need(
                    round.phase == Phase::Closed && round.seen,
                    "flat before it could be seen",
                )?;
                round.flat = true;
            }
            Heard::Keyed { dice } => {
                need(
                    matches!(record.who, Who::Person(_)),
                    "keyed by nobody on record",
                )?;
                need(round.flat, "keyed before the dice were seen to lie flat")?;
                round.keyed = Some(*dice);
            }
            Heard::KeysCleared => round.keyed = None,
            Heard::Agreed { dice } => {
                let two = match (record.who, record.second) {
                    (Who::Person(one), Some(other)) => one != other,
                    _ => false,
                };
                need(two, "readings agreed without two persons")?;
                round.keyed = Some(*dice);
            }
            Heard::Confirmed { dice } => {
                need(
                    round.keyed == Some(*dice),
                    "a result that nobody keyed was confirmed",
                )?;
                round.confirmed = Some(*dice);
            }
            Heard::Settled { dice, .. } => {
                need(round.phase == Phase::Closed, "settled before the close")?;
                if let Some(why) = round.void_only {
                    return Err(format!("a round that can only be void was settled: {why}"));
                }
                need(
                    round.confirmed.or(round.keyed) == Some(*dice),
                    "settled by dice that nobody keyed",
                )?;
                self.round = None;
            }
            Heard::Voided { .. } => self.round = None,
            _ => {}
        }
        Ok(())
    }
}
