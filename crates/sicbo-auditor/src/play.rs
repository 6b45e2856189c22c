//! The order of play as the journal must tell it: who bets when, who closed,
//! when dice may be seen, and where a result may come from. Records of earlier
//! readings are followed and not held to it.

use std::collections::BTreeSet;

use crate::heard::{Chips, Heard, Place, Record, Says, Stake, Who};

/// Rounds are held to the order of play from this reading on.
const ASKED_SINCE: u16 = 3;

/// How long a terminal may delay the close.
const FENCE_MS: i64 = 2_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Phase {
    #[default]
    Prepared,
    Betting,
    Closing,
    Closed,
}

#[derive(Clone, Debug, Default)]
struct Round {
    phase: Phase,
    closing_ms: i64,
    awaited: BTreeSet<usize>,
    acknowledged: BTreeSet<usize>,
    fenced: BTreeSet<usize>,
    activated: bool,
    tumbled: bool,
    seen: bool,
    /// Chips that wait for a second person, and who recorded them.
    claimed: Option<(usize, Chips, Vec<Stake>, Who)>,
    flat: bool,
    keyed: Option<[u8; 3]>,
    confirmed: Option<[u8; 3]>,
    /// Why it can only be void.
    void_only: Option<&'static str>,
}

/// Follows one table's rounds.
#[derive(Clone, Default, Debug)]
pub(crate) struct Play {
    /// Times are those of a simulated clock, to the millisecond.
    pub(crate) timed: bool,
    book: String,
    next_book: Option<String>,
    terminals: BTreeSet<usize>,
    places: usize,
    online: BTreeSet<usize>,
    last_round: u64,
    round: Option<Round>,
    /// Whose last word is that the cover is open.
    cover_open: BTreeSet<Says>,
    /// Two persons have given up the tumbler's line.
    by_hand: bool,
    /// How the program that wrote the newest round read the documents.
    revision: u16,
    /// The program was held for so long in this round: what lay in its sockets
    /// meanwhile is no later than it was.
    away_ms: i64,
}

type Checked = Result<(), String>;

/// Two different persons did it.
fn two_persons(record: &Record) -> bool {
    match (record.who, record.second) {
        (Who::Person(one), Some(other)) => one.number != other.number,
        _ => false,
    }
}

/// A step that takes a round towards its result.
fn goes_on(heard: &Heard) -> bool {
    matches!(
        heard,
        Heard::BetsCalled
            | Heard::Betted { .. }
            | Heard::Recorded { .. }
            | Heard::ClosingBegan { .. }
            | Heard::DealPressed
            | Heard::Uncovered
            | Heard::Flat
            | Heard::Keyed { .. }
            | Heard::Confirmed { .. }
            | Heard::Lit
    )
}

impl Play {
    /// Terminals close each for itself when they show the words (000, 002, 003).
    fn closes_by_display(&self) -> bool {
        matches!(self.book.as_str(), "rws-etg" | "mbs-etg" | "rws-open-cover")
    }

    fn strict(&self) -> bool {
        self.revision >= ASKED_SINCE
    }

    fn open_cover(&self) -> bool {
        self.book == "rws-open-cover"
    }

    /// The program was held, and looks around for a moment before it goes on.
    pub(crate) fn away(&mut self, held_ms: i64) {
        self.away_ms += held_ms + 1_000;
    }

    fn add(&mut self, places: &[Place]) {
        for place in places {
            if !place.seat {
                self.terminals.insert(self.places);
            }
            self.places += 1;
        }
    }

    /// The number of the last round that began.
    pub(crate) fn last_round(&self) -> u64 {
        self.last_round
    }

    /// Takes a record in.
    pub(crate) fn enter(&mut self, record: &Record) -> Checked {
        match &record.heard {
            Heard::Opened {
                book,
                stations,
                revision,
                ..
            } => {
                self.book.clone_from(book);
                self.next_book = None;
                self.revision = *revision;
                self.cover_open.clear();
                self.add(stations);
                return Ok(());
            }
            Heard::StationAdded { place } => {
                self.add(std::slice::from_ref(place));
                return Ok(());
            }
            Heard::StationRemoved(station) => {
                self.terminals.remove(station);
                return Ok(());
            }
            Heard::BookScheduled(book) => {
                self.next_book = Some(book.clone());
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
                self.revision = *revision;
                self.away_ms = 0;
                if let Some(book) = self.next_book.take() {
                    self.book = book;
                }
                self.round = Some(Round {
                    seen: self.open_cover(),
                    ..Round::default()
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
            Heard::Corrected { round, .. } | Heard::VoidedLate { round, .. } => {
                if self.strict() && !two_persons(record) {
                    return Err(format!("round {round} was amended without two persons"));
                }
                return Ok(());
            }
            _ => {}
        }
        let checked = self.in_round(record).and(self.cover(&record.heard));
        if matches!(
            record.heard,
            Heard::CoverReported { .. }
                | Heard::CountingSwitched { .. }
                | Heard::LineLeft
                | Heard::TumblerActivated
        ) {
            self.expose(&record.heard);
        }
        checked
    }

    /// Only a device that is relied on knows how the cover is; the house knows
    /// when one is gone.
    fn cover(&self, heard: &Heard) -> Checked {
        let Heard::CoverReported { open, says } = heard else {
            return Ok(());
        };
        let may = match says {
            Says::Tumbler => !(*open && self.by_hand),
            Says::Reader => true,
            Says::House => !open,
            Says::Other => false,
        };
        match may || !self.strict() {
            true => Ok(()),
            false => Err(format!("{says:?} reported the cover")),
        }
    }

    /// Dice of this round under a cover that the line reports open can be seen;
    /// before the close that leaves nothing but the void.
    fn expose(&mut self, heard: &Heard) {
        match heard {
            Heard::CoverReported { open: true, says } => drop(self.cover_open.insert(*says)),
            Heard::CoverReported {
                open: false,
                says: Says::House,
            } => self.cover_open.clear(),
            Heard::CoverReported { open: false, says } => drop(self.cover_open.remove(says)),
            Heard::CountingSwitched { by_hand } => {
                self.by_hand = *by_hand;
                if *by_hand {
                    self.cover_open.remove(&Says::Tumbler);
                }
            }
            Heard::LineLeft => {
                self.by_hand = false;
                self.cover_open.remove(&Says::Tumbler);
            }
            _ => {}
        }
        let hidden = !self.open_cover();
        let Some(round) = self.round.as_mut() else {
            return;
        };
        round.activated |= matches!(heard, Heard::TumblerActivated);
        if hidden && !self.cover_open.is_empty() && round.activated {
            round.seen = true;
            if round.phase != Phase::Closed && round.void_only.is_none() {
                round.void_only = Some("its dice were seen before the close");
            }
        }
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
        let (strict, timed, away_ms) = (self.revision >= ASKED_SINCE, self.timed, self.away_ms);
        let need = |holds: bool, what: &str| match holds || !strict {
            true => Ok(()),
            false => Err(what.to_owned()),
        };
        if let Some(why) = round.void_only.filter(|_| strict && goes_on(&record.heard)) {
            return Err(format!("a round that can only be void went on: {why}"));
        }
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
            // What was closed since it was set is by the new clock already.
            Heard::ClockSet { was_ms, is_ms } => {
                let since = round.closing_ms >= *is_ms && round.closing_ms <= record.at_ms;
                if !since {
                    round.closing_ms += is_ms - was_ms;
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
                    && (!timed || record.at_ms <= round.closing_ms + FENCE_MS + away_ms);
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
                    by_display || matches!(record.who, Who::Person(_)),
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
                let after_ms = record.at_ms - round.closing_ms;
                need(
                    !timed || after_ms >= FENCE_MS,
                    &format!("fenced before its time, after {after_ms} ms"),
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
                need(!round.seen, "chips were recorded after the dice were seen")?;
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
                let claim = claimed
                    .as_ref()
                    .map(|(at, means, lines, _)| (at, means, lines));
                need(
                    claim == Some((station, chips, stakes)),
                    "other chips were attested than claimed",
                )?;
                let by = claimed.map(|(.., who)| who);
                need(by != Some(record.who), "attested by the one who claimed it")?;
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
                need(two_persons(record), "readings agreed without two persons")?;
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
                if let Some(why) = round.void_only.filter(|_| strict) {
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
