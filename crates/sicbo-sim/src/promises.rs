//! What the house promises its clients, held against what they see: every
//! answer that leaves is durable, every record rests on a command, every bet is
//! registered once and as it was asked for. What the records say is for the
//! auditor ([`sicbo_auditor`]).

use std::collections::BTreeMap;

use sicbo_auditor::Auditor;
use sicbo_auditor::heard::{Balances, Betting, Heard, Person, Record, Who};

/// An act of betting has a name: unique per station and round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BetName {
    pub(crate) station: usize,
    pub(crate) round: u64,
    pub(crate) bet: u64,
}

/// A command as it was handed to the house.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) at_ms: i64,
    pub(crate) who: Who,
    pub(crate) second: Option<Person>,
    pub(crate) betting: Option<(BetName, Betting)>,
}

/// What a command was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Done {
        sequence: u64,
    },
    Refused,
    /// Busy, or too large: nothing was written.
    Rejected,
    /// Known only after the restart.
    Stopped,
}

type Checked = Result<(), String>;

#[derive(Debug)]
struct Known {
    asked: Asked,
    verdict: Option<Verdict>,
    /// It has records in the journal.
    written: bool,
}

/// The promises of one house.
#[derive(Debug)]
pub(crate) struct Promises {
    commands: BTreeMap<u64, Known>,
    registered: BTreeMap<BetName, Betting>,
    /// By whom and by which command, so that a clear in two records counts once.
    last_bet: Option<(BetName, u64)>,
    read: u64,
    auditor: Auditor,
    append_failed: bool,
    /// Bets acknowledged, each name once.
    acknowledged: BTreeMap<BetName, u64>,
    pub(crate) refused: u64,
    /// Every round as the journal tells it: first record, last, how it ended.
    rounds: BTreeMap<u64, (u64, u64, &'static str)>,
}

impl Default for Promises {
    fn default() -> Promises {
        Promises {
            commands: BTreeMap::new(),
            registered: BTreeMap::new(),
            last_bet: None,
            read: 0,
            auditor: Auditor::default().timed(),
            append_failed: false,
            acknowledged: BTreeMap::new(),
            refused: 0,
            rounds: BTreeMap::new(),
        }
    }
}

impl Promises {
    /// A command is handed to the house.
    pub(crate) fn asked(&mut self, id: u64, asked: Asked) {
        let known = Known {
            asked,
            verdict: None,
            written: false,
        };
        self.commands.insert(id, known);
    }

    /// An answer leaves the house.
    pub(crate) fn answered(&mut self, id: u64, verdict: Verdict) -> Checked {
        let read = self.read;
        let known = self
            .commands
            .get_mut(&id)
            .ok_or("an answer to no command")?;
        if known.verdict.replace(verdict).is_some() {
            return Err(format!("command {id} was answered twice"));
        }
        let speaks = matches!(verdict, Verdict::Done { .. } | Verdict::Refused);
        if speaks && self.append_failed {
            return Err(format!(
                "command {id} was answered after an append had failed"
            ));
        }
        match verdict {
            Verdict::Done { sequence } if sequence > read => Err(format!(
                "command {id} was acknowledged at record {sequence}, of which {read} are durable"
            )),
            Verdict::Done { .. } => match &known.asked.betting {
                None => Ok(()),
                Some((name, betting)) if self.registered.get(name) == Some(betting) => {
                    self.acknowledged.entry(*name).or_insert(id);
                    Ok(())
                }
                Some((name, _)) => Err(format!(
                    "{name:?} was acknowledged and is not in the journal as asked"
                )),
            },
            Verdict::Refused | Verdict::Rejected if known.written => {
                Err(format!("command {id} was refused and is in the journal"))
            }
            Verdict::Refused => {
                self.refused += u64::from(known.asked.betting.is_some());
                Ok(())
            }
            Verdict::Rejected | Verdict::Stopped => Ok(()),
        }
    }

    /// An append has failed: until the restart nothing may be answered.
    pub(crate) fn append_failed(&mut self) {
        self.append_failed = true;
    }

    /// The program was held for so long.
    pub(crate) fn away(&mut self, held_ms: i64) {
        self.auditor.away(held_ms);
    }

    /// The program came back.
    pub(crate) fn restarted(&mut self) {
        self.append_failed = false;
    }

    /// The last record read.
    pub(crate) fn read(&self) -> u64 {
        self.read
    }

    /// Bets acknowledged.
    pub(crate) fn acknowledged(&self) -> usize {
        self.acknowledged.len()
    }

    /// Commands that never got an answer.
    pub(crate) fn unanswered(&self) -> usize {
        let open = |known: &&Known| matches!(known.verdict, None | Some(Verdict::Stopped));
        self.commands.values().filter(open).count()
    }

    /// The next record of the journal.
    pub(crate) fn record(&mut self, sequence: u64, record: &Record) -> Checked {
        let wrong = |what: String| format!("record {sequence}: {what}");
        if sequence != self.read + 1 {
            return Err(wrong(format!("follows record {}", self.read)));
        }
        self.read = sequence;
        self.rests_on_a_command(record).map_err(wrong)?;
        self.auditor.enter(record).map_err(wrong)?;
        if let Heard::Betted {
            station,
            bet,
            betting,
            ..
        } = &record.heard
        {
            let name = BetName {
                station: *station,
                round: self.auditor.last_round(),
                bet: *bet,
            };
            self.registers(name, betting, record.command)
                .map_err(wrong)?;
        }
        self.index(sequence, &record.heard);
        Ok(())
    }

    fn index(&mut self, sequence: u64, heard: &Heard) {
        let in_hand = self.auditor.last_round();
        let (round, state) = match heard {
            Heard::RoundBegan { round, .. } => {
                self.rounds.insert(*round, (sequence, sequence, "open"));
                return;
            }
            Heard::Settled { .. } => (in_hand, "settled"),
            Heard::Voided { .. } => (in_hand, "void"),
            Heard::Corrected { round, .. } => (*round, "corrected"),
            Heard::VoidedLate { round, .. } => (*round, "voided after settlement"),
            _ => return,
        };
        if let Some(entry) = self.rounds.get_mut(&round) {
            if matches!(heard, Heard::Settled { .. } | Heard::Voided { .. }) {
                entry.1 = sequence;
            }
            entry.2 = state;
        }
    }

    /// The index of rounds kept beside the journal says what the journal says.
    pub(crate) fn rounds_are(&self, rows: &[(u64, u64, u64, String)]) -> Checked {
        let own: Vec<_> = self
            .rounds
            .iter()
            .map(|(round, (first, last, state))| (*round, *first, *last, (*state).to_owned()))
            .collect();
        match own.iter().zip(rows).find(|(own, row)| own != row) {
            Some((own, row)) => Err(format!(
                "the index of rounds says {row:?}, the journal {own:?}"
            )),
            None if own.len() == rows.len() => Ok(()),
            None => Err(format!(
                "the index has {} rounds of {}",
                rows.len(),
                own.len()
            )),
        }
    }

    /// Every record has a command that was handed in and not refused, or is
    /// what the house does by itself.
    fn rests_on_a_command(&mut self, record: &Record) -> Checked {
        if record.command == 0 {
            let own = matches!(
                record.heard,
                Heard::ClosingBegan { .. }
                    | Heard::BetsClosed { .. }
                    | Heard::Fenced { .. }
                    | Heard::DecisionRaised { .. }
            );
            return if own && record.who == Who::House {
                Ok(())
            } else {
                Err("nobody asked for it".to_owned())
            };
        }
        let known = self
            .commands
            .get_mut(&record.command)
            .ok_or("it rests on a command nobody gave")?;
        known.written = true;
        let asked = &known.asked;
        if (asked.who, asked.second, asked.at_ms) != (record.who, record.second, record.at_ms) {
            return Err("it names other persons or another time than the command".to_owned());
        }
        match known.verdict {
            Some(Verdict::Refused | Verdict::Rejected) => Err("its command was refused".to_owned()),
            _ => Ok(()),
        }
    }

    fn registers(&mut self, name: BetName, betting: &Betting, command: u64) -> Checked {
        let asked = self
            .commands
            .get(&command)
            .and_then(|known| known.asked.betting.as_ref());
        if asked != Some(&(name, betting.clone())) {
            return Err(format!(
                "{name:?} is registered other than it was asked for"
            ));
        }
        // Taking everything back may need a record for each kind of chips.
        let same_act = *betting == Betting::Clear && self.last_bet == Some((name, command));
        self.last_bet = Some((name, command));
        match self.registered.insert(name, betting.clone()) {
            Some(_) if !same_act => Err(format!("{name:?} is registered a second time")),
            _ => Ok(()),
        }
    }

    /// What the house shows must be what the auditor's own books say.
    pub(crate) fn compare(&self, shown: &Balances) -> Checked {
        let after = |what| format!("after record {} {what}", self.read);
        self.auditor.compare(shown).map_err(after)
    }
}
