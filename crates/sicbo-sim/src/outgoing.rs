//! What leaves the house: answers, published events, and what terminals are
//! told; each is held against the journal as an outsider reads it.

use sicbo_auditor::{balances, hear};
use sicbo_loop::Answer;
use sicbo_table::round::Phase;
use sicbo_table::{Event, Fact, Refusal};

use crate::engine::Engine;
use crate::house::{Origin, Token};
use crate::promises::Verdict;
use crate::tally::Tally;
use crate::terminal::{HouseToTerminal, Reply};
use crate::world::{Checked, World};

impl<E: Engine> World<E> {
    /// An answer leaves the house.
    pub(crate) fn answer(&mut self, token: Token, answer: &Answer<Refusal>) -> Checked {
        let (verdict, reply) = match answer {
            Answer::Done { sequence, .. } => (
                Verdict::Done {
                    sequence: *sequence,
                },
                Reply::Done,
            ),
            Answer::Refused(_) => (Verdict::Refused, Reply::Refused),
            Answer::Busy => (Verdict::Rejected, Reply::Busy),
            Answer::TooLarge => (Verdict::Rejected, Reply::Refused),
            Answer::Stopped => (Verdict::Stopped, Reply::Stopped),
        };
        let words = match answer {
            Answer::Refused(refusal) => format!("refused: {:?}", refusal.reason),
            other => format!("{other:?}"),
        };
        self.note(format!("answer {}: {words}", token.command));
        self.promises.answered(token.command, verdict)?;
        match token.origin {
            Origin::Terminal {
                station,
                connection,
                request,
            } => {
                let message = HouseToTerminal::Answer { request, reply };
                self.send_to_terminal(station, connection, message);
            }
            Origin::Hello {
                station,
                connection,
            } => self.welcome(station, connection),
            Origin::Desk => self.waiting_since = None,
            Origin::House => {}
        }
        Ok(())
    }

    /// How things stand, for a terminal that has connected.
    fn welcome(&mut self, station: usize, connection: u32) {
        let Some(table) = self.house.shown() else {
            return;
        };
        let in_phase = |phase: Phase| {
            let round = table.round.as_deref().filter(|round| round.phase == phase);
            round.map(|round| round.number.0)
        };
        let message = HouseToTerminal::Welcome {
            betting: in_phase(Phase::Betting),
            closing: in_phase(Phase::Closing),
            credit: table.stations.get(station).map_or(0, |s| s.credit.minor()),
        };
        self.send_to_terminal(station, connection, message);
    }

    /// Durable events are shown: they must be in the journal by now.
    pub(crate) fn publish(&mut self, first: u64, events: &[Event]) -> Checked {
        let last = first + events.len() as u64 - 1;
        let read = self.read_journal(first, last)?;
        if read != events {
            return Err(format!(
                "what was published as records {first} to {last} is not what the journal holds"
            ));
        }
        if let Some(process) = &mut self.house.process {
            for event in events {
                process.shown.apply(event);
            }
        }
        self.compare()?;
        self.time_is_kept(events)?;
        self.tell(events);
        Ok(())
    }

    /// Terminals hear what concerns them.
    fn tell(&mut self, events: &[Event]) {
        let Some(process) = &mut self.house.process else {
            return;
        };
        let table = process.shown.table();
        let round = table.last_round.0;
        let mut news = Vec::new();
        for event in events {
            news.extend(match event.fact {
                Fact::BetsCalled => Some(HouseToTerminal::Called { round }),
                Fact::ClosingBegan { .. } => Some(HouseToTerminal::NoMoreBets { round }),
                Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => {
                    Some(HouseToTerminal::Ended)
                }
                _ => None,
            });
        }
        let mut messages = Vec::new();
        for (station, connection) in &process.links {
            let credit = table.stations[*station].credit.minor();
            messages.extend(news.iter().map(|message| (*station, *connection, *message)));
            if process.told.insert(*station, credit) != Some(credit) {
                let message = HouseToTerminal::Credit { minor: credit };
                messages.push((*station, *connection, message));
            }
        }
        for (station, connection, message) in messages {
            self.send_to_terminal(station, connection, message);
        }
    }

    /// Reads the journal on, as an outsider, and hands it to the auditor.
    pub(crate) fn read_journal(&mut self, from: u64, last: u64) -> Result<Vec<Event>, String> {
        let Some(process) = &self.house.process else {
            return Ok(Vec::new());
        };
        let mut read = Vec::new();
        let (promises, tally) = (&mut self.promises, &mut self.tally);
        let clocks = &mut self.clocks;
        self.outsider
            .read(process.store.as_ref(), from, last, |sequence, event| {
                count(tally, &event.fact);
                clocks.recorded(&event);
                promises.record(sequence, &hear(&event))?;
                read.push(event);
                Ok(())
            })?;
        Ok(read)
    }

    /// What the house shows against the auditor's own books.
    pub(crate) fn compare(&self) -> Checked {
        match self.house.shown() {
            Some(table) => self.promises.compare(&balances(table)),
            None => Ok(()),
        }
    }
}

/// Counts what a run has met, so that a test can see that nothing is missing.
fn count(tally: &mut Tally, fact: &Fact) {
    let kind = match fact {
        Fact::RoundSettled { .. } => {
            tally.settled += 1;
            return;
        }
        Fact::RoundVoided { .. } => {
            tally.void += 1;
            return;
        }
        Fact::ResultCorrected { .. } => {
            tally.amended += 1;
            "results corrected"
        }
        Fact::RoundVoidedLate { .. } => {
            tally.amended += 1;
            "rounds voided late"
        }
        Fact::StationFenced { .. } => "terminals fenced",
        Fact::CloseAcknowledged { .. } => "closes acknowledged",
        Fact::BetsRemoved { .. } => "bets taken back",
        Fact::CashedOut { .. } => "cash-outs",
        Fact::CreditBought { .. } => "buy-ins",
        Fact::KeysCleared => "keys cleared",
        Fact::ReadingsAgreed { .. } => "readings that disagreed",
        Fact::LateActRecorded { .. } => "late acts",
        Fact::PositionsRecorded { .. } => "positions written down",
        Fact::PositionsAttested { .. } => "positions attested",
        Fact::ClockParted { .. } => "clocks parted",
        Fact::ClockSet { .. } => "clocks looked at",
        Fact::DeviceFailed { .. } => "device failures",
        Fact::OverpaymentRecovered { .. } | Fact::OverpaymentWaived { .. } => "overpayments ended",
        Fact::UnclaimedPaid { .. } => "unclaimed credits paid",
        Fact::DecisionRaised { pending } => pending.question.key(),
        _ => return,
    };
    tally.meet(kind);
}
