//! How fast a table takes bets and settles a round, on one core.
//!
//! `cargo run --release -p sicbo-table --example bench_table [stations ...]`
//!
//! Bets go one by one through `decide` and `apply`, visiting the stations in a
//! shuffled order so that no two neighbouring bets share memory. Commands are
//! built in small batches outside the clock, as a decoder would leave them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Dice, Money, Outcome, RuleBook, Section};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{CreditSource, NewStation};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::ids::{BetId, PersonId, RoundNumber, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command, Config, Table, apply, decide};

const BETS: usize = 1_000_000;
const ROUNDS: usize = 7;
const BATCH: usize = 1_000;

/// What was measured with so many stations.
struct Measured {
    stations: usize,
    place_bets_per_s: f64,
    settle_ms_per_million_bets: f64,
    settle_best_ms: f64,
}

fn main() {
    let wanted: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    let wanted = if wanted.is_empty() {
        vec![100, 10_000, 100_000]
    } else {
        wanted
    };
    for stations in wanted {
        let measured = measure(stations);
        println!(
            "{:>7} stations  {:>10.0} bets/s  {:>7.2} ms to settle a million bets (best {:.2})",
            measured.stations,
            measured.place_bets_per_s,
            measured.settle_ms_per_million_bets,
            measured.settle_best_ms
        );
    }
}

/// A small generator, so that the order of visits is the same in every run.
struct Order(u64);

impl Order {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn shuffle(&mut self, items: &mut [u32]) {
        for i in (1..items.len()).rev() {
            items.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
    }
}

const DEALER: Actor = Actor::Staff(Staff {
    person: PersonId(1),
    position: Position::Dealer,
});

struct Run {
    table: Table,
    id: u64,
}

impl Run {
    fn command(&mut self, by: Actor, act: Act) -> Command {
        self.id += 1;
        Command {
            id: self.id,
            at_ms: 1_700_000_000_000 + self.id as i64,
            by,
            second: None,
            act,
        }
    }

    fn give(&mut self, by: Actor, act: Act) {
        let command = self.command(by, act);
        let events = decide(&self.table, &command)
            .unwrap_or_else(|refusal| panic!("{:?}: {refusal}", command.act));
        for event in &events {
            apply(&mut self.table, event);
        }
    }
}

fn config() -> Config {
    let limit = Limit {
        minimum: Money::from_minor(100),
        maximum: Money::from_minor(50_000_000),
        step: Money::from_minor(100),
    };
    Config {
        name: "bench".to_owned(),
        book: RuleBook::named("mbs-etg").expect("the book exists").clone(),
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(
            limit,
            Money::from_minor(10_000_000_000),
            Money::from_minor(9_000_000_000_000_000),
        ),
        window_ms: 20_000,
        dice_set: "dice 1".to_owned(),
        tumble: sicbo_rules::rulebook::words::TumbleStep::BeforeOpen,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [0; 32],
    }
}

fn measure(stations: usize) -> Measured {
    let mut run = Run {
        table: Table::default(),
        id: 0,
    };
    let new = (0..stations)
        .map(|i| NewStation {
            name: format!("T{i}"),
            kind: StationKind::Terminal,
            layout: "rapid".to_owned(),
        })
        .collect();
    run.give(
        Actor::House,
        Act::OpenTable {
            config: Box::new(config()),
            stations: new,
        },
    );
    for i in 0..stations as u32 {
        run.give(
            Actor::Device(Device::NoteAcceptor),
            Act::BuyCredit {
                station: StationId(i),
                source: CreditSource::Cash,
                amount: Money::from_minor(20_000_000_000),
            },
        );
        let station = StationId(i);
        run.give(Actor::House, Act::Connect { station });
    }
    let mut order = Order(0x5eed);
    let mut placing = Vec::new();
    let mut settling = Vec::new();
    for round in 0..=ROUNDS {
        let (placed, settled) = play(&mut run, stations, &mut order, round as u64);
        // The first round warms the memory and is not counted.
        if round > 0 {
            placing.extend(placed);
            settling.push(settled);
        }
    }
    run.table.check().expect("the money must be right");
    Measured {
        stations,
        // The median batch: what another program takes of the core is not the table's cost.
        place_bets_per_s: BATCH as f64 / median(placing).as_secs_f64(),
        settle_best_ms: settling.iter().min().map_or(0.0, |t| t.as_secs_f64() * 1e3),
        settle_ms_per_million_bets: median(settling).as_secs_f64() * 1e3,
    }
}

/// One round with a million bets; the time to take each batch and the time to settle all.
fn play(
    run: &mut Run,
    stations: usize,
    order: &mut Order,
    round: u64,
) -> (Vec<Duration>, Duration) {
    run.give(DEALER, Act::ActivateTumbler);
    run.give(
        DEALER,
        Act::ReportTumbles {
            count: 3,
            all_dice_moved: true,
        },
    );
    run.give(DEALER, Act::CallBets);
    let number = RoundNumber(run.table.last_round.0);
    let mut visits: Vec<u32> = (0..stations as u32).collect();
    let mut at = stations;
    let mut lap = 0u64;
    let mut placing = Vec::with_capacity(BETS / BATCH);
    for _ in 0..BETS / BATCH {
        let commands: Vec<Command> = (0..BATCH)
            .map(|_| {
                if at == stations {
                    order.shuffle(&mut visits);
                    at = 0;
                    lap += 1;
                }
                let station = visits[at];
                at += 1;
                // Each lap is another section, so that a station's bets are on different ones.
                let section = (u64::from(station) + lap * 5) % Section::COUNT as u64;
                run.command(
                    Actor::Station(StationId(station)),
                    Act::PlaceBets {
                        station: StationId(station),
                        round: number,
                        bet: BetId(lap),
                        means: Means::Credit,
                        lines: vec![Line {
                            section: Section::ALL[section as usize],
                            stake: Money::from_minor(100 + 100 * (order.next() % 40) as i64),
                        }],
                    },
                )
            })
            .collect();
        let started = Instant::now();
        for command in &commands {
            let events = decide(&run.table, command).expect("every bet is within its limits");
            for event in &events {
                apply(&mut run.table, event);
            }
            black_box(&events);
        }
        placing.push(started.elapsed());
    }
    run.give(DEALER, Act::CloseBets);
    for i in 0..stations as u32 {
        run.give(
            Actor::Station(StationId(i)),
            Act::AcknowledgeClose {
                station: StationId(i),
                round: number,
            },
        );
    }
    run.give(DEALER, Act::Uncover);
    run.give(DEALER, Act::ConfirmFlat);
    let dice = Outcome::from_index((round as usize * 37 + 11) % Outcome::COUNT).map(Outcome::dice);
    let dice: Dice = dice.expect("an outcome");
    run.give(DEALER, Act::KeyDice { dice });
    let confirm = run.command(DEALER, Act::ConfirmResult);
    let started = Instant::now();
    let events = decide(&run.table, &confirm).expect("the result can be confirmed");
    for event in &events {
        apply(&mut run.table, event);
    }
    (placing, started.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
