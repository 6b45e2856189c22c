//! Runs a round written as a text table against the engine.
//!
//! One line is one act, or one check. An act is a verb, its arguments, then
//! `by …` where it is not the dealer (or, for a terminal's own acts, the
//! terminal), then the outcome as the last column:
//!
//! ```text
//! bet   T1 b1 total:11 5.00                     registered
//! bet   T1 b1 total:11 6.00                     refused bet_id_reused
//! void  die-not-flat  by pit-supervisor Sue     void mbs-etg 5.3
//! ```
//!
//! `request 7` after the arguments is the number that who asks gives it.
//!
//! A station may be followed by what its player brings, and `to-betting` by the
//! first bet. `to-closed`, `to-visible` and `round` go on from where the round
//! stands. `each rws-etg 5.10 | mbs-etg 6.1, 6.2` runs the script under each of
//! these books with this rule ([`check_each`]).
//!
//! An act without an outcome must be accepted and must change something. After
//! every event all money invariants are checked, and before it that it follows
//! for a verifier; at the end all events are
//! replayed on an empty table, which must come to the same state. A verb, an
//! amount or a name that is not understood fails with its line number.

use std::collections::BTreeMap;
use std::sync::Arc;

use sicbo_auditor::{Auditor, balances, hear};
use sicbo_rules::rulebook::words::{Form, Position};
use sicbo_rules::{Currency, Money, RuleBook};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::derive::{Departure, derive};
use sicbo_table::ids::{PersonId, RoundNumber, StationId};
use sicbo_table::record::{RoundRecord, Standing};
use sicbo_table::round::Phase;
use sicbo_table::{Act, Command, Event, Fact, Refusal, Table, apply, decide};

/// The dealer of every script, and their number.
const DEALER: (&str, u32) = ("Dan", 1);

/// Words that begin the outcome column.
const OUTCOMES: [&str; 7] = [
    "registered",
    "again",
    "refused",
    "void",
    "pending",
    "settled",
    "late",
];

/// Runs a script; where it has lines that begin with `each`, under each of
/// their books.
pub(crate) fn check(script: &str) -> Runner {
    let each = |line: &&str| line.trim_start().starts_with("each ");
    let rows = script.lines().filter(each);
    let rows = rows.flat_map(|line| line.trim_start()["each".len()..].split('|'));
    let rows = rows.map(|row| row.trim().split_once(' ').unwrap_or((row.trim(), "")));
    let rows: Vec<(&str, &str)> = rows.collect();
    if !rows.is_empty() {
        let acts = script
            .lines()
            .map(|line| if each(&line) { "" } else { line });
        return check_each(&rows, &acts.collect::<Vec<_>>().join("\n"));
    }
    let mut runner = Runner::new();
    runner.play(script);
    runner.replay();
    runner
}

/// Runs a script and gives the answer to its last act, which may be a refusal.
pub(crate) fn try_last(script: &str) -> Result<Vec<Event>, Refusal> {
    let mut runner = Runner::new();
    let lines: Vec<&str> = script.lines().collect();
    let (last, before) = lines.split_last().expect("a script has lines");
    runner.play(&before.join("\n"));
    let row = Row::read(lines.len(), last).expect("the last line is an act");
    let (act, by) = runner.act(&row).expect("the last line is an act");
    let (by, second) = match &row.by {
        None => (by, None),
        Some(words) => runner.who(&row, words),
    };
    runner.give(act, by, second)
}

impl Runner {
    /// A table after a script, and the act that a further line asks for.
    pub(crate) fn staged(before: &str, line: &str) -> (Runner, Act) {
        let mut runner = Runner::new();
        runner.play(before);
        let row = Row::read(0, line).expect("a line that asks for something");
        let (act, _) = runner.act(&row).expect("an act");
        (runner, act)
    }
}

/// Runs one script under several books. `BOOK`, `LAYOUT` and `RULE` stand for
/// the book's name, its first layout, and the rule given for it with its book.
/// The table under the last of them.
pub(crate) fn check_each(rows: &[(&str, &str)], script: &str) -> Runner {
    let mut last = None;
    for (id, rule) in rows {
        let book = RuleBook::named(id).unwrap_or_else(|| panic!("no rule book {id}"));
        let script = script
            .replace("BOOK", id)
            .replace("LAYOUT", &book.layouts[0].id)
            .replace("RULE", &format!("{id} {rule}"));
        last = Some(check(&script));
    }
    last.expect("a book")
}

/// The five books without a rule each.
pub(crate) const ALL: [(&str, &str); 5] = [
    ("rws-etg", ""),
    ("rws-open-cover", ""),
    ("mbs-table", ""),
    ("mbs-etg", ""),
    ("quang-nam-table", ""),
];

/// A line taken apart.
pub(crate) struct Row<'s> {
    pub(crate) number: usize,
    pub(crate) text: &'s str,
    pub(crate) verb: &'s str,
    pub(crate) args: Vec<&'s str>,
    by: Option<Vec<&'s str>>,
    request: Option<u64>,
    outcome: Option<(&'s str, String)>,
}

impl<'s> Row<'s> {
    fn read(number: usize, text: &'s str) -> Option<Row<'s>> {
        let words: Vec<&str> = text
            .split('#')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        let (verb, rest) = words.split_first()?;
        let at = rest.iter().position(|word| OUTCOMES.contains(word));
        let (rest, outcome) = rest.split_at(at.unwrap_or(rest.len()));
        let outcome = outcome
            .split_first()
            .map(|(word, more)| (*word, more.join(" ")));
        let at = rest.iter().position(|word| *word == "by");
        let (args, by) = rest.split_at(at.unwrap_or(rest.len()));
        let at = args.iter().position(|word| *word == "request");
        let (args, request) = args.split_at(at.unwrap_or(args.len()));
        Some(Row {
            number,
            text,
            verb,
            args: args.to_vec(),
            by: (!by.is_empty()).then(|| by[1..].to_vec()),
            request: request.get(1).and_then(|number| number.parse().ok()),
            outcome,
        })
    }

    pub(crate) fn fail(&self, why: impl std::fmt::Display) -> ! {
        panic!("line {}: {}\n  {why}", self.number, self.text.trim())
    }

    /// An argument by place.
    pub(crate) fn arg(&self, at: usize) -> &'s str {
        self.args
            .get(at)
            .copied()
            .unwrap_or_else(|| self.fail(format!("lacks argument {}", at + 1)))
    }

    /// The words from a place on: `""` is empty, `LONG` longer than allowed,
    /// `LONGEST` just short enough.
    pub(crate) fn words(&self, at: usize) -> String {
        match self.args.get(at..).unwrap_or(&[]).join(" ").as_str() {
            "" => "because".to_owned(),
            "\"\"" => String::new(),
            "LONG" => "x".repeat(2_001),
            "LONGEST" => "x".repeat(2_000),
            text => text.to_owned(),
        }
    }

    /// A number by place.
    pub(crate) fn number_at<T: std::str::FromStr>(&self, at: usize) -> T {
        let text = self
            .arg(at)
            .trim_start_matches(|c: char| c.is_ascii_alphabetic());
        text.parse()
            .unwrap_or_else(|_| self.fail(format!("{text:?} is not a number")))
    }

    /// A word of one of the rule books' closed lists.
    pub(crate) fn word<T: sicbo_rules::rulebook::Word>(&self, text: &str) -> T {
        T::from_key(text).unwrap_or_else(|| self.fail(format!("{text:?} is not a known word")))
    }
}

/// A table under test.
pub(crate) struct Runner {
    pub(crate) table: Table,
    pub(crate) events: Vec<Event>,
    /// Events of the last act.
    pub(crate) last: Vec<Event>,
    /// Ended rounds, as the house would rebuild them from its journal.
    pub(crate) records: BTreeMap<u64, Arc<RoundRecord>>,
    /// Codes of refusals, in the order they came.
    pub(crate) refusals: Vec<&'static str>,
    pub(crate) currency: Currency,
    people: BTreeMap<String, u32>,
    commands: u64,
    /// The number of the next command, where the script gives one.
    request: Option<u64>,
}

impl Runner {
    fn new() -> Runner {
        Runner {
            table: Table::default(),
            events: Vec::new(),
            last: Vec::new(),
            records: BTreeMap::new(),
            refusals: Vec::new(),
            currency: Currency::SGD,
            people: BTreeMap::from([(DEALER.0.to_owned(), DEALER.1)]),
            commands: 0,
            request: None,
        }
    }

    pub(crate) fn play(&mut self, script: &str) {
        for (i, text) in script.lines().enumerate() {
            if let Some(row) = Row::read(i + 1, text) {
                self.line(&row);
            }
        }
    }

    fn line(&mut self, row: &Row) {
        if let ("STALE" | "FRESH" | "FORGED" | "TRUE" | "MANY-AMENDED", number) =
            (row.verb, row.args.len())
        {
            assert_eq!(number, 1, "which round?");
            self.tamper(row);
            return;
        }
        if self.steps(row) || self.checks(row) {
            return;
        }
        let most = most_args(row.verb);
        if most.is_some_and(|most| row.args.len() > most) {
            row.fail("too many words");
        }
        let (act, by) = self
            .act(row)
            .unwrap_or_else(|| row.fail(format!("{:?} is not a verb", row.verb)));
        let (by, second) = match &row.by {
            None => (by, None),
            Some(words) => self.who(row, words),
        };
        self.request = row.request;
        let answer = self.give(act, by, second);
        self.expect(row, answer);
    }

    /// Several acts in one word, in the order the book in force asks for, from
    /// where the round stands.
    fn steps(&mut self, row: &Row) -> bool {
        let args = row.args.join(" ");
        let book = self.table.book().cloned();
        let before = match (row.verb, self.table.phase()) {
            ("to-closed", None) => "to-betting\n",
            ("to-visible", None | Some(Phase::Betting)) => "to-closed\n",
            _ => "",
        };
        let steps = match (row.verb, &book) {
            ("tumble", _) => format!("activate\ntumbled {args}"),
            // A station with what its player brings.
            ("station" | "terminal" | "seat", Some(_))
                if row.args.len() == 3 && row.arg(2) != "only" =>
            {
                let (name, layout, amount) = (row.arg(0), row.arg(1), row.arg(2));
                format!("{} {name} {layout}\nfund {name} {amount}", row.verb)
            }
            ("fund", Some(book)) if book.play.form.is == Form::Table => {
                format!("chips brought {}", row.arg(1))
            }
            ("fund", Some(_)) => format!("credit {args}"),
            // What comes before the tumbler may run.
            ("to-tumble", Some(book)) => match book.id() {
                "rws-open-cover" => "open\nto-closed".to_owned(),
                "mbs-table" => "open".to_owned(),
                _ => String::new(),
            },
            // What comes before bets are called.
            ("to-call", Some(book)) => match book.id() {
                "rws-open-cover" | "mbs-table" => String::new(),
                _ => "tumble 3".to_owned(),
            },
            // And the first bet.
            ("to-betting", Some(_)) if !args.is_empty() => format!("to-betting\nbet {args}"),
            ("to-betting", Some(book)) => match book.id() {
                "rws-open-cover" => "open".to_owned(),
                "mbs-table" => "open\ntumble 3".to_owned(),
                _ => "tumble 3\nopen".to_owned(),
            },
            ("to-closed", Some(book)) => match book.play.form.is {
                Form::Electronic => {
                    let online = self
                        .table
                        .stations
                        .iter()
                        .filter(|s| s.link == sicbo_table::station::Link::Online && !s.removed);
                    let acks: String = online.map(|s| format!("ack {}\n", s.name)).collect();
                    format!("close\n{acks}")
                }
                Form::Table => "close".to_owned(),
            },
            ("to-visible", Some(book)) => match book.id() {
                "rws-open-cover" => "tumble 3".to_owned(),
                "mbs-table" => "deal\nuncover".to_owned(),
                _ => "uncover".to_owned(),
            },
            ("to-uncover", Some(book)) => match book.id() {
                "mbs-table" => "deal".to_owned(),
                _ => String::new(),
            },
            ("to-result", Some(book)) => {
                let pay = if book.play.lit_layout.is_some() {
                    "\nlights on\npay"
                } else {
                    ""
                };
                format!("flat\ndice {args}\nconfirm{pay}")
            }
            ("round", Some(_)) => {
                // A whole round, or the rest of one.
                format!("to-visible\nto-result {args}")
            }
            _ => return false,
        };
        if row.outcome.is_some() || row.request.is_some() {
            row.fail("several acts have no outcome together");
        }
        for text in before.lines().chain(steps.lines()) {
            let inner = Row::read(row.number, text).unwrap_or_else(|| row.fail("nothing to do"));
            let inner = Row {
                by: row.by.clone().or(inner.by),
                ..inner
            };
            self.line(&inner);
        }
        true
    }

    fn person(&mut self, name: &str) -> PersonId {
        let next = self.people.len() as u32 + 1;
        PersonId(*self.people.entry(name.to_owned()).or_insert(next))
    }

    /// A person who has been named in the script.
    pub(crate) fn named(&mut self, name: &str) -> PersonId {
        self.person(name)
    }

    fn who(&mut self, row: &Row, words: &[&str]) -> (Actor, Option<Staff>) {
        match words {
            ["house"] => (Actor::House, None),
            ["station", name] => (Actor::Station(self.station(row, name)), None),
            ["device", device] => {
                let device = match *device {
                    "tumbler" => Device::Tumbler,
                    "reader" => Device::DiceReader,
                    "lights" => Device::Lights,
                    "acceptor" => Device::NoteAcceptor,
                    _ => row.fail("no such device"),
                };
                (Actor::Device(device), None)
            }
            [position, name] => (Actor::Staff(self.staff(row, position, name)), None),
            [position, name, "and", other_position, other] => (
                Actor::Staff(self.staff(row, position, name)),
                Some(self.staff(row, other_position, other)),
            ),
            _ => row.fail("by whom?"),
        }
    }

    fn staff(&mut self, row: &Row, position: &str, name: &str) -> Staff {
        Staff {
            person: self.person(name),
            position: row.word::<Position>(position),
        }
    }

    /// A station by name; one that never was there is far off.
    pub(crate) fn station(&self, row: &Row, name: &str) -> StationId {
        match self.table.stations.iter().rposition(|s| s.name == name) {
            Some(at) => StationId(at as u32),
            None if name == "NOWHERE" => StationId(99),
            None => row.fail(format!("no station {name}")),
        }
    }

    /// The dealer, who acts unless a line says otherwise.
    pub(crate) fn dealer() -> Actor {
        Actor::Staff(Staff {
            person: PersonId(DEALER.1),
            position: Position::Dealer,
        })
    }

    /// Money as written, with a sign.
    pub(crate) fn money(&self, row: &Row, text: &str) -> Money {
        let (minus, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let amount = self
            .currency
            .parse(digits)
            .unwrap_or_else(|error| row.fail(error));
        if minus { -amount } else { amount }
    }

    /// Gives a command and applies what follows.
    pub(crate) fn give(
        &mut self,
        act: Act,
        by: Actor,
        second: Option<Staff>,
    ) -> Result<Vec<Event>, Refusal> {
        self.commands += 1;
        let command = Command {
            // Apart from the numbers that scripts give.
            id: self.request.take().unwrap_or(1_000_000 + self.commands),
            at_ms: 1_000 * self.commands as i64,
            by,
            second,
            act,
        };
        let answer = decide(&self.table, &command);
        self.last.clear();
        if let Ok(events) = &answer {
            match self.derives(events) {
                Ok(made) => assert_eq!(made, events.len(), "follow from {command:?}"),
                Err(wrong) => panic!("{command:?} does not follow: {wrong}"),
            }
            for event in events {
                apply(&mut self.table, event);
                if let Err(fault) = self.table.check() {
                    panic!("after {:?}: {fault}", event.fact);
                }
                self.remember(event);
            }
            self.last.clone_from(events);
            self.events.extend(events.iter().cloned());
        }
        answer
    }

    /// What a verifier says of events that are about to be applied: how many of
    /// them one command made.
    pub(crate) fn derives(&self, events: &[Event]) -> Result<usize, Departure> {
        let amends = |event: &Event| {
            matches!(
                event.fact,
                Fact::ResultCorrected { .. } | Fact::RoundVoidedLate { .. }
            )
        };
        let amends = events.iter().any(amends);
        let records = self.records.iter().filter(|_| amends);
        let records = records.map(|(number, record)| (RoundNumber(*number), record.clone()));
        derive(&self.table, events, &records.collect())
    }

    fn remember(&mut self, event: &Event) {
        let mut amend = |round: RoundNumber, revision: u32, standing: Standing| {
            if let Some(record) = self.records.get_mut(&round.0) {
                let record = Arc::make_mut(record);
                record.revision = revision;
                record.standing = standing;
            }
        };
        match &event.fact {
            Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => {
                if let Some(record) = &self.table.last_record {
                    self.records.insert(record.number.0, record.clone());
                }
            }
            Fact::ResultCorrected {
                round,
                revision,
                dice,
                ..
            } => amend(*round, *revision, Standing::Settled(*dice)),
            Fact::RoundVoidedLate {
                round, revision, ..
            } => amend(*round, *revision, Standing::Void),
            _ => {}
        }
    }

    /// `STALE 1`: the house hands in a record that misses an amendment, or
    /// speaks of one that never was. `FRESH 1`: no longer. `FORGED 1`: a record
    /// that names a layout nobody has; `TRUE 1`: no longer. `MANY-AMENDED 9`: as
    /// if nine other rounds had been amended.
    fn tamper(&mut self, row: &Row) {
        let number: u64 = row.number_at(0);
        if row.verb == "MANY-AMENDED" {
            let amended = sicbo_table::table::Amended {
                revision: 1,
                standing: Standing::Void,
                waived: BTreeMap::new(),
            };
            let rounds = (0..number).map(|i| (RoundNumber(1_000_000 + i), amended.clone()));
            self.table.amended.extend(rounds);
            return;
        }
        let record = self.records.get_mut(&number);
        let record = Arc::make_mut(record.unwrap_or_else(|| row.fail("no such round")));
        match (row.verb, record.revision) {
            ("FORGED", _) => record.stations[0].layout += 100,
            ("TRUE", _) => record.stations[0].layout -= 100,
            ("STALE", 0) => record.revision = 1,
            ("STALE", _) => record.revision -= 1,
            (_, revision) => record.revision = revision + 1,
        }
    }

    fn expect(&mut self, row: &Row, answer: Result<Vec<Event>, Refusal>) {
        if let Err(refusal) = &answer {
            self.refusals.push(refusal.code());
        }
        let said = |answer: &Result<Vec<Event>, Refusal>| match answer {
            Ok(events) if events.is_empty() => "answered again".to_owned(),
            Ok(events) => {
                let facts: Vec<String> = events.iter().map(fact_name).collect();
                format!("accepted: {}", facts.join(", "))
            }
            Err(refusal) => format!(
                "refused {} {}",
                refusal.code(),
                refusal.rule.as_deref().unwrap_or("-")
            ),
        };
        let wrong =
            |wanted: &str| -> ! { row.fail(format!("expected {wanted}, was {}", said(&answer))) };
        let Some((word, rest)) = &row.outcome else {
            match &answer {
                Ok(events) if !events.is_empty() => return,
                _ => wrong("acceptance"),
            }
        };
        let facts = answer.as_deref().unwrap_or(&[]).iter().map(|e| &e.fact);
        let fits = match *word {
            "registered" => answer.is_ok(),
            "again" => answer.as_ref().is_ok_and(Vec::is_empty),
            "refused" => {
                let (code, rule) = rest.split_once(' ').unwrap_or((rest, ""));
                answer.as_ref().is_err_and(|refusal| {
                    refusal.code() == code
                        && match rule {
                            "" => true,
                            "-" => refusal.rule.is_none(),
                            rule => refusal.rule.as_deref() == Some(rule),
                        }
                })
            }
            "settled" => facts
                .into_iter()
                .any(|fact| matches!(fact, Fact::RoundSettled { .. })),
            "void" => facts.into_iter().any(|fact| match fact {
                Fact::RoundVoided { rule, .. } | Fact::RoundVoidedLate { rule, .. } => rule == rest,
                _ => false,
            }),
            "pending" => facts.into_iter().any(|fact| match fact {
                Fact::DecisionRaised { pending } => {
                    let full = format!("{} {}", pending.question.key(), pending.rule);
                    full == *rest || pending.question.key() == rest
                }
                _ => false,
            }),
            "late" => facts.into_iter().any(|fact| match fact {
                Fact::LateActRecorded {
                    consequence, rule, ..
                } => format!("{consequence} {rule}") == *rest,
                _ => false,
            }),
            _ => unreachable!("only outcomes are read as outcomes"),
        };
        if !fits {
            wrong(&format!("{word} {rest}"));
        }
    }

    /// All events again, from nothing, and the auditor hears them.
    fn replay(&self) {
        let mut again = Table::default();
        let mut auditor = Auditor::default();
        for event in &self.events {
            apply(&mut again, event);
            let heard = auditor.enter(&hear(event));
            let heard = heard.and_then(|()| auditor.compare(&balances(&again)));
            assert_eq!(heard, Ok(()), "the auditor of {event:?}");
        }
        // What `MANY-AMENDED` made up is in no event.
        let made_up = self.table.amended.range(RoundNumber(1_000_000)..);
        again.amended.extend(made_up.map(|(k, v)| (*k, v.clone())));
        assert_eq!(again, self.table, "the replay came to another state");
    }
}

/// How many words may follow a verb that takes a fixed number of them.
fn most_args(verb: &str) -> Option<usize> {
    Some(match verb {
        "last-round" | "close-table" | "resume" | "activate" | "open" | "close" | "deal"
        | "uncover" | "flat" | "clear-keys" | "confirm" | "pay" => 0,
        "remove"
        | "rulebook"
        | "connect"
        | "disconnect"
        | "forget"
        | "release"
        | "fence"
        | "lights"
        | "void"
        | "confirm-interruption"
        | "commit"
        | "pay-unclaimed" => 1,
        "acting" | "end-acting" | "transfer" | "handpay" | "tumbled" | "recover" | "reveal" => 2,
        "station" | "terminal" | "seat" | "ack" | "cashout" | "reverse" | "colour" | "colours"
        | "dice" | "second" | "agree" => 3,
        "credit" | "clear" => 4,
        _ => return None,
    })
}

/// The name of a fact, as it is spelled in the code.
pub(crate) fn fact_name(event: &Event) -> String {
    let text = format!("{:?}", event.fact);
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}
