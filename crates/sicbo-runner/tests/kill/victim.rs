//! The program that is killed: a table under load on a real store, which says
//! on its standard output what it has acknowledged, and nothing earlier.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use sicbo_clock::now_ms;
use sicbo_journal::{DataFolder, Hash, HouseKey, KeyFolder, Signatory, StreamId, WriterSecret};
use sicbo_loop::{Answer, LoopOptions, Recovered, recover};
use sicbo_loop::{Door as _, Listener};
use sicbo_rules::rulebook::words::{Position, TumbleStep};
use sicbo_rules::{Currency, Dice, Money, RuleBook};
use sicbo_runner::{Handle, Runner, RunnerOptions};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::command::{CreditSource, NewStation};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{BetId, PersonId, RoundNumber, StationId};
use sicbo_table::pending::Question;
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, Event, Refusal, Table, apply};

pub(crate) const STREAM: &str = "table-1";
const STATIONS: u32 = 8;
const BETS: u64 = 40;

/// What an answer belongs to.
#[derive(Clone, Copy, Debug)]
enum Reply {
    Bet { station: u32, round: u64, bet: u64 },
    Dealer,
}

/// Speaks as soon as an answer is released, and hands durable events to the dealer.
struct Voice {
    answers: Sender<Answer<Refusal>>,
    events: Sender<Vec<Event>>,
}

impl Listener<Table, Reply> for Voice {
    fn answer(&mut self, reply: Reply, answer: Answer<Refusal>) {
        match (reply, answer) {
            (
                Reply::Bet {
                    station,
                    round,
                    bet,
                },
                Answer::Done { .. },
            ) => {
                say(&format!("ack {station} {round} {bet}"));
            }
            (Reply::Bet { .. }, _) => say("refused"),
            (Reply::Dealer, answer) => {
                let _ = self.answers.send(answer);
            }
        }
    }

    fn publish(&mut self, _: u64, _: Hash, events: Vec<Event>) {
        let _ = self.events.send(events);
    }

    fn stopped(&mut self, what: &str) {
        panic!("the journal failed: {what}");
    }
}

/// One write system call per line, so that a line said is a line heard.
fn say(line: &str) {
    let text = format!("{line}\n");
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

pub(crate) fn run(folder: &Path) -> ! {
    let data = DataFolder::open_or_create(folder).expect("the folder is ours");
    let keys = KeyFolder::open_or_create(&data.keys_path(), || [7; 32]).expect("keys");
    let stream = StreamId::new(STREAM).expect("a stream name");
    let store = data
        .open_or_create_stream(&stream)
        .expect("the journal opens");
    // Small batches and frequent snapshots, so that every path is met.
    let options = LoopOptions {
        batch: 16,
        unanswered: 256,
        snapshot_every: 500,
        ..LoopOptions::default()
    };
    let key = HouseKey::from_entropy(&[7; 32]);
    let signatory = Signatory::of_first_key(key.clone(), WriterSecret::new([9; 32]));
    let Recovered {
        writer_loop,
        interrupted,
        ..
    } = recover::<Table, Reply>(&store, &stream, &signatory, options).expect("recovers");
    let (answers, answered) = channel();
    let (sender, events) = channel();
    let table = writer_loop.state().clone();
    // Numbers of a start that was killed are not used for something else: the table remembers them.
    let next = writer_loop.durable() * 1_000;
    let voice = Box::new(Voice {
        answers,
        events: sender,
    });
    let house = keys.ring().house();
    let runner = Runner::start(
        writer_loop,
        Box::new(store),
        key,
        house,
        voice,
        RunnerOptions::default(),
    )
    .expect("threads");
    let mut dealer = Dealer {
        handle: runner.handle(),
        answered,
        events,
        table,
        next,
    };
    dealer.settle_the_past(interrupted);
    say("recovered");
    loop {
        dealer.play_round();
    }
}

struct Dealer {
    handle: Handle<Table, Reply>,
    answered: Receiver<Answer<Refusal>>,
    events: Receiver<Vec<Event>>,
    /// What is durable, followed event by event.
    table: Table,
    next: u64,
}

const DEALER: Staff = Staff {
    person: PersonId(1),
    position: Position::Dealer,
};
const SUPERVISOR: Staff = Staff {
    person: PersonId(2),
    position: Position::PitSupervisor,
};

impl Dealer {
    fn command(&mut self, by: Actor, act: Act) -> Command {
        self.next += 1;
        Command {
            id: self.next,
            at_ms: now_ms(),
            by,
            second: Some(SUPERVISOR),
            act,
        }
    }

    /// Asks and waits for the answer.
    fn ask(&mut self, by: Actor, act: Act) -> Answer<Refusal> {
        let command = self.command(by, act);
        self.handle.submit(Reply::Dealer, command).expect("room");
        let answer = self.answered.recv().expect("an answer");
        self.follow();
        answer
    }

    fn must(&mut self, by: Actor, act: Act) {
        let answer = self.ask(by, act.clone());
        assert!(matches!(answer, Answer::Done { .. }), "{act:?}: {answer:?}");
    }

    fn follow(&mut self) {
        while let Ok(events) = self.events.try_recv() {
            for event in &events {
                apply(&mut self.table, event);
            }
        }
    }

    /// Opens the table the first time; afterwards ends the interrupted round as the book says.
    fn settle_the_past(&mut self, interrupted: bool) {
        if !interrupted || self.table.config.is_none() {
            self.must(Actor::House, open_table());
        } else {
            self.must(
                Actor::House,
                Act::Interrupt {
                    what: "killed".to_owned(),
                },
            );
        }
        let waiting = self
            .table
            .pending
            .iter()
            .find_map(|pending| match pending.question {
                Question::Interrupted { .. } => Some(pending.id),
                _ => None,
            });
        if let Some(pending) = waiting {
            self.must(
                Actor::Staff(DEALER),
                Act::ConfirmInterruption {
                    pending,
                    dice_in_place: true,
                },
            );
        }
        if self.table.round.is_some() {
            // An outcome was established: it is concluded from the dice.
            self.read_the_dice();
        }
        for station in 0..STATIONS {
            let id = StationId(station);
            self.must(Actor::House, Act::Connect { station: id });
            if self.table.stations[station as usize].credit < Money::from_minor(1_000_000) {
                let amount = Money::from_minor(10_000_000);
                self.must(
                    Actor::Staff(SUPERVISOR),
                    Act::BuyCredit {
                        station: id,
                        source: CreditSource::Cage,
                        amount,
                    },
                );
            }
        }
    }

    fn read_the_dice(&mut self) {
        let dice = Dice::from_faces([4, 3, 4]).expect("dice");
        for act in [Act::ConfirmFlat, Act::KeyDice { dice }, Act::ConfirmResult] {
            self.must(Actor::Staff(DEALER), act);
        }
    }

    fn play_round(&mut self) {
        let dealer = Actor::Staff(DEALER);
        self.must(dealer, Act::ActivateTumbler);
        self.must(
            dealer,
            Act::ReportTumbles {
                count: 3,
                all_dice_moved: true,
            },
        );
        self.must(dealer, Act::CallBets);
        let round = self.table.last_round;
        for bet in 0..BETS {
            for station in 0..STATIONS {
                self.bet(station, round, bet);
            }
        }
        self.must(dealer, Act::CloseBets);
        for station in 0..STATIONS {
            let id = StationId(station);
            self.must(
                Actor::Station(id),
                Act::AcknowledgeClose { station: id, round },
            );
        }
        self.must(dealer, Act::Uncover);
        self.read_the_dice();
    }

    fn bet(&mut self, station: u32, round: RoundNumber, bet: u64) {
        let layout = self
            .table
            .layout_of(&self.table.stations[station as usize])
            .expect("a layout");
        let sections: Vec<_> = layout.sections().collect();
        let section = sections[(bet as usize * 7 + station as usize) % sections.len()];
        let id = StationId(station);
        let lines = vec![Line {
            section,
            stake: Money::from_minor(500),
        }];
        let act = Act::PlaceBets {
            station: id,
            round,
            bet: BetId(bet),
            means: Means::Credit,
            lines,
        };
        let reply = Reply::Bet {
            station,
            round: round.0,
            bet,
        };
        let command = self.command(Actor::Station(id), act);
        // Not waited for: many are under way at once. A full queue is an answer too.
        let _ = self.handle.submit(reply, command);
    }
}

fn open_table() -> Act {
    let limit = Limit {
        minimum: Money::from_minor(500),
        maximum: Money::from_minor(1_000_000),
        step: Money::from_minor(100),
    };
    let config = Config {
        name: "table 1".to_owned(),
        book: Arc::clone(RuleBook::named("rws-etg").expect("built in")),
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(
            limit,
            Money::from_minor(100_000_000),
            Money::from_minor(10_000_000_000),
        ),
        window_ms: 60_000,
        dice_set: "dice 1".to_owned(),
        tumble: TumbleStep::BeforeOpen,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [0; 32],
    };
    let stations = (0..STATIONS)
        .map(|i| NewStation {
            name: format!("T{i}"),
            kind: StationKind::Terminal,
            layout: ["a", "b", "c"][i as usize % 3].to_owned(),
        })
        .collect();
    Act::OpenTable {
        config: Box::new(config),
        stations,
    }
}
