//! Two tables, a register and people with papers in their hands, stopped at
//! every step: no money appears or disappears, no voucher is paid twice or lost.

use std::sync::Arc;

use proptest::prelude::*;
use sicbo_rules::{Currency, RuleBook};
use sicbo_table::actor::Device;
use sicbo_table::command::NewStation;
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::station::StationKind;
use sicbo_table::{Command as TableCommand, Config, Event as TableEvent, apply, decide};

use sicbo_table::ids::{PersonId, StationId};

use super::*;
use crate::backing::Backing;
use sicbo_loop::Machine;
use sicbo_proof::cross_check::{Compared, View, compare};
use sicbo_proof::verify::{HouseTrail, VerifyError, VoucherMove, follow};
use sicbo_register::derive::derive;
use sicbo_register::event::Fact;
use sicbo_register::settled::WHOLE_FOR_MS;
use sicbo_register::testing::{CASHIER, SHIFT, place, set_up};
use sicbo_register::validation::Number;
use sicbo_register::voucher::{RECALLED, Unpaid};
use sicbo_register::{Command, Party};

mod older;

const TABLES: [&str; 2] = ["mbs-etg", "rws-etg"];
const STATIONS: u32 = 2;
const EACH: i64 = 100_000;
const SECRET: [u8; 32] = [42; 32];

fn table(name: &str) -> Table {
    let book = Arc::clone(RuleBook::named(name).unwrap());
    let limit = Limit {
        minimum: Money::from_minor(500),
        maximum: Money::from_minor(2_000),
        step: Money::from_minor(500),
    };
    let layout = book.layouts[0].id.clone();
    let tumble = book.play.usual_tumble.is;
    let config = Config {
        name: name.to_owned(),
        book,
        currency: Currency::SGD,
        chip_unit: Money::from_minor(100),
        limits: Limits::uniform(
            limit,
            Money::from_minor(4_000),
            Money::from_minor(1_000_000),
        ),
        window_ms: 30_000,
        dice_set: "D1".to_owned(),
        tumble,
        second_reading: SecondReading::Never,
        void_by_supervisor: false,
        real_money: false,
        program: [7; 32],
    };
    let stations = (0..STATIONS).map(|number| NewStation {
        name: format!("T{number}"),
        kind: StationKind::Terminal,
        layout: layout.clone(),
    });
    let mut table = Table::default();
    let open = TableAct::OpenTable {
        config: Box::new(config),
        stations: stations.collect(),
    };
    act(&mut table, Actor::House, open).unwrap();
    for station in 0..STATIONS {
        let cash = TableAct::BuyCredit {
            station: StationId(station),
            source: CreditSource::Cash,
            amount: Money::from_minor(EACH),
        };
        act(&mut table, Actor::Device(Device::NoteAcceptor), cash).unwrap();
    }
    table
}

fn act(table: &mut Table, by: Actor, act: TableAct) -> Result<Vec<TableEvent>, String> {
    let command = TableCommand {
        id: 0,
        at_ms: 5_000,
        by,
        second: None,
        act,
    };
    let events = decide(table, &command).map_err(|refusal| refusal.code().to_owned())?;
    for event in &events {
        apply(table, event);
    }
    table.check().unwrap();
    Ok(events)
}

/// What the step of a schedule does.
#[derive(Clone, Debug)]
enum Move {
    /// A player asks for a voucher.
    Ask { place: usize, amount: i64 },
    /// A player asks for a voucher of all there is.
    AskAll { place: usize },
    /// A player presents one of the papers.
    Present { paper: usize, place: usize },
    /// The cashier is given one of the papers.
    PayAtCage { paper: usize },
    /// A player types a number.
    Guess { place: usize, number: u64 },
    /// One of the steps under way is done and told.
    Carry { step: usize },
    /// One is answered busy.
    Busy { step: usize },
    /// One is printed badly.
    Jam { step: usize },
    /// The program dies after one of the steps was done and before it was told.
    DieAfter { step: usize },
    /// The program dies; what was under way is lost.
    Die,
}

struct World {
    register: Register,
    tables: BTreeMap<TableName, Table>,
    desk: VoucherDesk,
    under_way: Vec<(VoucherId, Step)>,
    /// Papers in people's hands, duplicates among them.
    papers: Vec<Number>,
    /// What the journals would say of vouchers, and how many records there are.
    trails: BTreeMap<VoucherId, HouseTrail>,
    moves: BTreeMap<TableName, Vec<VoucherMove>>,
    /// What the tables wrote while vouchers moved, and what it rests on.
    written: BTreeMap<TableName, Vec<TableEvent>>,
    backing: BTreeMap<TableName, Backing>,
    records: u64,
    /// How often each voucher was paid, at tables and at the cage.
    paid: BTreeMap<VoucherId, u32>,
    now_ms: i64,
    request: u64,
    /// A second person with the one who acts.
    second: Option<PersonId>,
}

impl World {
    fn new() -> World {
        let mut register = Register::default();
        let command = Command {
            id: 0,
            at_ms: 0,
            by: Party::House,
            second: None,
            act: set_up(),
        };
        for event in register.decide(&command).unwrap() {
            register.apply(&event);
        }
        for id in [CASHIER, SHIFT] {
            register.people.get_mut(&id).unwrap().one_time = false;
        }
        let tables = TABLES.map(|name| (TableName::new(name).unwrap(), table(name)));
        World {
            desk: VoucherDesk::new(VoucherSecret::new(SECRET), &register),
            register,
            tables: tables.into(),
            under_way: Vec::new(),
            papers: Vec::new(),
            trails: BTreeMap::new(),
            moves: BTreeMap::new(),
            written: BTreeMap::new(),
            backing: BTreeMap::new(),
            records: 0,
            paid: BTreeMap::new(),
            now_ms: 10_000,
            request: 0,
            second: None,
        }
    }

    fn place(at: usize) -> Place {
        place(TABLES[at % 2], (at / 2) as u32 % STATIONS)
    }

    fn ask(&mut self, by: Party, act: Act) -> Result<Vec<Fact>, String> {
        self.now_ms += 1;
        let command = Command {
            // No two alike: the same one again asks for no second voucher.
            id: self.now_ms.unsigned_abs(),
            at_ms: self.now_ms,
            by,
            second: self.second,
            act,
        };
        let events = self
            .register
            .decide(&command)
            .map_err(|refusal| refusal.code().to_owned())?;
        // What was decided can be derived again from what is written.
        if !events.is_empty() {
            assert_eq!(derive(&self.register, &events), Ok(events.len()));
        }
        for event in &events {
            self.records += 1;
            follow(&mut self.trails, self.records, event);
            self.register.apply(event);
            if let Fact::VoucherRedeemed {
                voucher,
                to: Payee::Cage { .. },
                ..
            } = &event.fact
            {
                *self.paid.entry(*voucher).or_default() += 1;
            }
        }
        self.register.check().unwrap();
        Ok(events.into_iter().map(|event| event.fact).collect())
    }

    fn look(&mut self) {
        let tables = self.tables.iter();
        let tables: Tables<'_> = tables.map(|(name, table)| (name.clone(), table)).collect();
        self.under_way
            .extend(self.desk.steps(&self.register, &tables));
    }

    /// Carries a step out, durably; what is to be told.
    fn carry(&mut self, (id, step): &(VoucherId, Step), jam: bool) -> Outcome {
        let answer = match step.clone() {
            Step::Register(act) => self.ask(Party::House, act).map(|_| ()),
            Step::Table {
                table,
                by,
                act: asked,
            } => {
                let credits = matches!(asked, TableAct::BuyCredit { .. });
                let done = act(self.tables.get_mut(&table).unwrap(), by, asked);
                for event in done.iter().flatten() {
                    self.records += 1;
                    let moves = self.moves.entry(table.clone()).or_default();
                    moves.extend(VoucherMove::of(self.records, event));
                    let backing = self.backing.entry(table.clone()).or_default();
                    backing.note(self.records, event);
                    let written = self.written.entry(table.clone()).or_default();
                    written.push(event.clone());
                }
                let done = done.map(|_| ());
                if done.is_ok() && credits {
                    *self.paid.entry(*id).or_default() += 1;
                }
                done
            }
            Step::Print { .. } if jam => return Outcome::NotPrinted("paper jam".to_owned()),
            Step::Print { copy } => {
                let voucher = &self.register.vouchers[id];
                assert_eq!(copy, voucher.copies);
                assert_eq!(voucher.state, State::Issued);
                let number = self.desk.secret().number(*id, voucher.attempt);
                self.papers.push(number);
                Ok(())
            }
        };
        match answer {
            Ok(()) => Outcome::Done,
            Err(code) => Outcome::Refused(code),
        }
    }

    fn present(&mut self, number: Number, to: Payee) -> Vec<Fact> {
        self.request += 1;
        let by = match to {
            Payee::Cage { cashier } => Party::Person(cashier),
            Payee::Station(_) => Party::House,
        };
        let act = Act::BeginRedeem {
            request: self.request,
            digest: self.desk.secret().digest(number),
            to,
            currency: Currency::SGD,
            claimed: None,
        };
        self.ask(by, act).unwrap_or_default()
    }

    fn die(&mut self) {
        self.under_way.clear();
        // What comes back is what was written.
        self.register = Register::from_snapshot(&self.register.snapshot()).unwrap();
        for table in self.tables.values_mut() {
            *table = Table::from_snapshot(&Machine::snapshot(table)).unwrap();
        }
        self.desk = VoucherDesk::new(VoucherSecret::new(SECRET), &self.register);
    }

    fn step(&mut self, what: &Move) {
        self.look();
        let pick = |at: usize, from: &Vec<(VoucherId, Step)>| at.checked_rem(from.len());
        match *what {
            Move::Ask { place, amount } => {
                let origin = World::place(place);
                let _ = self.ask(
                    Party::House,
                    Act::ReserveVoucher {
                        origin,
                        station_name: "T".to_owned(),
                        currency: Currency::SGD,
                        amount: Money::from_minor(amount),
                    },
                );
            }
            Move::AskAll { place } => {
                let origin = World::place(place);
                let table = &self.tables[&origin.table];
                let amount = table.stations[origin.station.0 as usize].credit.minor();
                self.step(&Move::Ask { place, amount });
            }
            Move::Present { paper, place } => {
                if let Some(at) = paper.checked_rem(self.papers.len()) {
                    self.present(self.papers[at], Payee::Station(World::place(place)));
                }
            }
            Move::PayAtCage { paper } => {
                if let Some(at) = paper.checked_rem(self.papers.len()) {
                    self.present(self.papers[at], Payee::Cage { cashier: CASHIER });
                }
            }
            Move::Guess { place, number } => {
                let number = VoucherSecret::new([1; 32]).number(VoucherId(number), 0);
                let facts = self.present(number, Payee::Station(World::place(place)));
                let begun = |fact: &Fact| matches!(fact, Fact::RedemptionBegan { .. });
                assert!(!facts.iter().any(begun));
            }
            Move::Carry { step } | Move::Jam { step } => {
                if let Some(at) = pick(step, &self.under_way) {
                    let chosen = self.under_way.remove(at);
                    let outcome = self.carry(&chosen, matches!(what, Move::Jam { .. }));
                    self.desk.finished(chosen.0, outcome);
                }
            }
            Move::Busy { step } => {
                if let Some(at) = pick(step, &self.under_way) {
                    let (id, _) = self.under_way.remove(at);
                    self.desk.finished(id, Outcome::Busy);
                }
            }
            Move::DieAfter { step } => {
                if let Some(at) = pick(step, &self.under_way) {
                    let chosen = self.under_way.remove(at);
                    self.carry(&chosen, false);
                }
                self.die();
            }
            Move::Die => self.die(),
        }
        self.check();
    }

    fn credits(&self) -> Money {
        let stations = self.tables.values().flat_map(|table| &table.stations);
        stations.map(|station| station.credit).sum()
    }

    /// Every cent is somewhere, at every moment.
    fn check(&self) {
        let mut total = self.credits();
        for table in self.tables.values() {
            for (id, issued) in &table.vouchers_out {
                let voucher = self.register.vouchers.get(id);
                if voucher.is_none_or(|voucher| voucher.state == State::Reserved) {
                    total += issued.amount;
                }
            }
        }
        // What the cage paid and is no longer kept whole.
        let past = self.register.past.values();
        total += past.map(|sums| sums.redeemed_at_cage).sum::<Money>();
        for (id, voucher) in &self.register.vouchers {
            let origin = &self.tables[&voucher.origin.table];
            let counted_twice = match &voucher.state {
                State::Redeeming {
                    to: Payee::Station(place),
                    ..
                } => self.tables[&place.table].vouchers_in.contains(id),
                State::Returning => !origin.vouchers_out.contains_key(id),
                _ => false,
            };
            if voucher.state.is_outstanding() && !counted_twice {
                total += voucher.amount;
            }
            if let State::Redeemed {
                to: Payee::Cage { .. },
                ..
            } = voucher.state
            {
                total += voucher.amount;
            }
        }
        assert_eq!(total, Money::from_minor(EACH * 2 * i64::from(STATIONS)));
        assert!(self.paid.values().all(|paid| *paid == 1), "{:?}", self.paid);
        assert_eq!(self.desk.stuck().collect::<Vec<_>>(), []);
        self.compare().unwrap();
        // Wherever the program dies, a start finds no register older than its tables.
        assert_eq!(self.unknown_to(&self.register), None);
    }

    /// What the tables wrote that a register does not know.
    fn unknown_to(&self, register: &Register) -> Option<String> {
        let mut backing = self.backing.iter();
        backing.find_map(|(table, backing)| backing.unknown_to(register, table))
    }

    /// The two sides of every voucher, as whoever verifies the journals sees them.
    fn compare(&self) -> Result<Compared, VerifyError> {
        let mut views = Vec::new();
        for (name, table) in &self.tables {
            views.push(View {
                name: name.as_str(),
                moves: self.moves.get(name).map_or(&[], Vec::as_slice),
                // Nothing may be missing: all that was done is there.
                last_ms: i64::MAX,
                account: Some((Currency::SGD, table.books.vouchers)),
            });
        }
        compare(&self.trails, &self.register.totals, &views)
    }

    /// Everything is finished, and everybody with a paper goes to the cage.
    fn finish(mut self) {
        self.settle();
        for number in self.papers.clone() {
            self.now_ms += 10_000_000;
            self.present(number, Payee::Cage { cashier: CASHIER });
        }
        // What the cage keeps is paid when a second person says whose it is.
        let kept = self.register.vouchers.iter();
        let kept = kept.filter(|(_, voucher)| voucher.state == State::Kept);
        let kept: Vec<Number> = kept
            .map(|(id, voucher)| self.desk.secret().number(*id, voucher.attempt))
            .collect();
        for number in kept {
            assert_eq!(self.present(number, Payee::Cage { cashier: CASHIER }), []);
            self.second = Some(SHIFT);
            self.present(number, Payee::Cage { cashier: CASHIER });
            self.second = None;
        }
        self.settle();
        // What was begun more than once and may be in somebody's hand stays good.
        let mut owed = Money::ZERO;
        for (id, voucher) in &self.register.vouchers {
            let paid = self.paid.get(id).copied().unwrap_or(0);
            match &voucher.state {
                State::Redeemed { .. } => assert_eq!(paid, 1, "{id}"),
                State::Returned => assert_eq!(paid, 0, "{id}"),
                State::Printed if voucher.copies > 1 => {
                    assert_eq!(paid, 0, "{id}");
                    owed += voucher.amount;
                }
                state => panic!("{id} is left {}", state.word()),
            }
        }
        for table in self.tables.values() {
            assert!(table.vouchers_in.is_empty() && table.vouchers_out.is_empty());
        }
        let cage = self
            .register
            .totals
            .get("SGD")
            .map(|sums| sums.redeemed_at_cage);
        let out = cage.unwrap_or(Money::ZERO) + owed;
        let total = self.credits() + out;
        assert_eq!(total, Money::from_minor(EACH * 2 * i64::from(STATIONS)));
        // The tables' voucher accounts together are what the cage paid out and
        // what is still out (P-082).
        let accounts: Money = self.tables.values().map(|table| table.books.vouchers).sum();
        assert_eq!(accounts, out);
    }

    fn settle(&mut self) {
        for _ in 0..1_000 {
            self.look();
            let Some(chosen) = self.under_way.pop() else {
                return;
            };
            let outcome = self.carry(&chosen, false);
            self.desk.finished(chosen.0, outcome);
            self.check();
        }
        panic!("never settles: {:?}", self.under_way);
    }
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => (0..4usize, 1..30_000i64).prop_map(|(place, amount)| Move::Ask { place, amount }),
        2 => (0..4usize).prop_map(|place| Move::AskAll { place }),
        4 => (any::<usize>(), 0..4usize).prop_map(|(paper, place)| Move::Present { paper, place }),
        1 => any::<usize>().prop_map(|paper| Move::PayAtCage { paper }),
        1 => (0..4usize, 0..9u64).prop_map(|(place, number)| Move::Guess { place, number }),
        12 => any::<usize>().prop_map(|step| Move::Carry { step }),
        1 => any::<usize>().prop_map(|step| Move::Busy { step }),
        1 => any::<usize>().prop_map(|step| Move::Jam { step }),
        2 => any::<usize>().prop_map(|step| Move::DieAfter { step }),
        1 => Just(Move::Die),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn p_081_no_voucher_is_paid_twice_or_lost_whatever_happens(
        schedule in proptest::collection::vec(moves(), 1..80),
    ) {
        let mut world = World::new();
        for what in &schedule {
            world.step(what);
        }
        world.finish();
    }
}

/// One voucher from one table to the other, stopped at one place.
fn journey(stop_at: usize, told: bool, jam: bool) -> (World, usize) {
    let mut world = World::new();
    world.step(&Move::Ask {
        place: 0,
        amount: 2_500,
    });
    let mut taken = 0;
    let mut presented = false;
    loop {
        world.look();
        if world.under_way.is_empty() {
            if presented || world.papers.is_empty() {
                return (world, taken);
            }
            presented = true;
            world.step(&Move::Present { paper: 0, place: 1 });
            continue;
        }
        taken += 1;
        let chosen = world.under_way.remove(0);
        if taken == stop_at {
            if told {
                world.carry(&chosen, jam);
            }
            world.die();
        } else {
            let outcome = world.carry(&chosen, jam);
            world.desk.finished(chosen.0, outcome);
        }
        world.check();
    }
}

#[test]
fn p_081_a_stop_before_or_after_any_step_is_finished_on_restart() {
    let (whole, steps) = journey(0, false, false);
    assert_eq!(
        steps, 9,
        "cash-out, issue, begin, print, printed, forget; credit, finish, forget"
    );
    whole.finish();
    for stop_at in 1..=steps {
        for told in [false, true] {
            journey(stop_at, told, false).0.finish();
        }
    }
    let (whole, steps) = journey(0, false, true);
    assert_eq!(
        steps, 7,
        "cash-out, issue, begin, print, failed, reverse, returned"
    );
    assert!(whole.papers.is_empty());
    whole.finish();
    for stop_at in 1..=steps {
        for told in [false, true] {
            journey(stop_at, told, true).0.finish();
        }
    }
}

#[test]
fn s_13_a_print_that_failed_leaves_the_meters_as_if_nothing_had_been_asked() {
    let (world, _) = journey(0, false, true);
    for table in world.tables.values() {
        for station in &table.stations {
            assert_eq!(station.meters.voucher_out, Money::ZERO);
            assert_eq!(station.credit, Money::from_minor(EACH));
        }
    }
}

#[test]
fn s_13_a_print_interrupted_by_a_stop_is_a_marked_duplicate_and_paid_once() {
    // The fourth step is the print itself.
    let (mut world, _) = journey(4, true, false);
    assert_eq!(world.papers.len(), 2);
    assert_eq!(world.papers[0], world.papers[1]);
    assert_eq!(world.register.vouchers[&VoucherId(1)].copies, 2);
    let facts = world.present(world.papers[1], Payee::Station(World::place(3)));
    assert!(matches!(
        facts[..],
        [Fact::RedemptionRefused {
            why: Unpaid::AlreadyPaid,
            ..
        }]
    ));
    world.finish();
}

#[test]
fn a_station_that_is_given_no_credit_keeps_its_voucher() {
    let mut world = World::new();
    world.step(&Move::Ask {
        place: 0,
        amount: 2_500,
    });
    world.settle();
    // A station that does not exist cannot be credited.
    let nowhere = Payee::Station(place(TABLES[1], 9));
    world.present(world.papers[0], nowhere);
    world.settle();
    assert_eq!(world.register.vouchers[&VoucherId(1)].state, State::Printed);
    world.finish();
}

#[test]
fn credit_given_for_a_number_nobody_reserved_goes_back() {
    let mut world = World::new();
    for (station, number) in [(0, 77), (1, 78)] {
        let (name, table) = world.tables.iter_mut().next().unwrap();
        let out = TableAct::CashOut {
            station: StationId(station),
            amount: Money::from_minor(700),
            voucher: VoucherId(number),
        };
        let events = act(table, Actor::Station(StationId(station)), out).unwrap();
        let moves = world.moves.entry(name.clone()).or_default();
        moves.extend(VoucherMove::of(1, &events[0]));
    }
    // Until it goes back, whoever verifies is told of it.
    let fault = world.compare().unwrap_err().to_string();
    assert!(fault.starts_with("voucher 77: cashed out, and"), "{fault}");
    let steps = 2;
    world.look();
    for _ in 0..steps {
        let chosen = world.under_way.pop().unwrap();
        let outcome = world.carry(&chosen, false);
        world.desk.finished(chosen.0, outcome);
    }
    world.settle();
    world.finish();
}

#[test]
fn a_number_that_exists_is_drawn_again() {
    let mut world = World::new();
    world.step(&Move::Ask {
        place: 0,
        amount: 500,
    });
    world.settle();
    // The first voucher takes the number the second one would have.
    let taken = world
        .desk
        .secret()
        .digest(world.desk.secret().number(VoucherId(2), 0));
    let first = world.register.vouchers.get_mut(&VoucherId(1)).unwrap();
    first.digest = taken;
    world.register = Register::from_snapshot(&world.register.snapshot()).unwrap();
    world.step(&Move::Ask {
        place: 1,
        amount: 500,
    });
    world.settle();
    let second = &world.register.vouchers[&VoucherId(2)];
    assert_eq!((second.attempt, &second.state), (1, &State::Printed));
}

#[test]
fn credit_that_cannot_go_back_because_the_player_left_is_kept_by_the_cage() {
    let mut world = World::new();
    world.step(&Move::Ask {
        place: 1,
        amount: 900,
    });
    world.settle();
    // Everything goes out of a station and somebody else sits down there.
    world.step(&Move::AskAll { place: 0 });
    for _ in 0..3 {
        world.step(&Move::Carry { step: 0 });
    }
    world.step(&Move::Present { paper: 0, place: 0 });
    while world.register.vouchers[&VoucherId(1)].state.is_unsettled() {
        world.look();
        let at = world
            .under_way
            .iter()
            .position(|(id, _)| *id == VoucherId(1));
        world.step(&Move::Carry { step: at.unwrap() });
    }
    world.look();
    let at = world
        .under_way
        .iter()
        .position(|(id, _)| *id == VoucherId(2));
    world.step(&Move::Jam { step: at.unwrap() });
    world.settle();
    assert_eq!(world.register.vouchers[&VoucherId(2)].state, State::Kept);
    // A paper that came out after all is worth nothing at a station.
    let number = world.desk.secret().number(VoucherId(2), 0);
    let facts = world.present(number, Payee::Station(World::place(2)));
    assert!(matches!(
        facts[..],
        [Fact::RedemptionRefused {
            why: Unpaid::NotPrinted,
            ..
        }]
    ));
    world.finish();
}

#[test]
fn a_table_that_was_away_while_its_voucher_was_paid_forgets_it_and_gives_nothing_back() {
    let mut world = World::new();
    let ask = |world: &mut World| {
        world.step(&Move::Ask {
            place: 0,
            amount: 500,
        });
    };
    ask(&mut world);
    let first = VoucherId(1);
    // Printed, and its table hears nothing more of it.
    while !matches!(world.register.vouchers[&first].state, State::Printed) {
        world.look();
        let chosen = world.under_way.pop().unwrap();
        let outcome = world.carry(&chosen, false);
        world.desk.finished(chosen.0, outcome);
    }
    let away = world.tables[&World::place(0).table].clone();
    let number = world.papers[0];
    world.present(number, Payee::Cage { cashier: CASHIER });
    for _ in 0..RECALLED {
        ask(&mut world);
        world.settle();
    }
    world.now_ms += WHOLE_FOR_MS;
    ask(&mut world);
    assert!(!world.register.vouchers.contains_key(&first));
    assert!(away.vouchers_out.contains_key(&first));
    let mut desk = VoucherDesk::new(VoucherSecret::new(SECRET), &world.register);
    let name = World::place(0).table;
    let tables = Tables::from([(name.clone(), &away)]);
    let steps = desk.steps(&world.register, &tables);
    let own: Vec<&Step> = steps
        .iter()
        .filter(|(id, _)| *id == first)
        .map(|(_, step)| step)
        .collect();
    assert_eq!(own, [&forget(&name, first)]);
    // The same number at another station is nobody's and goes back.
    let mut elsewhere = away.clone();
    if let Some(issued) = elsewhere.vouchers_out.get_mut(&first) {
        issued.station = StationId(1);
    }
    let mut desk = VoucherDesk::new(VoucherSecret::new(SECRET), &world.register);
    let tables = Tables::from([(name.clone(), &elsewhere)]);
    let steps = desk.steps(&world.register, &tables);
    let back = reverse(&name, first, elsewhere.vouchers_out[&first]);
    assert!(steps.contains(&(first, back)), "{steps:?}");
}

/// Takes the steps of a voucher until it is so far; the one that follows is not taken.
fn until(world: &mut World, id: VoucherId, state: &State) -> Step {
    loop {
        world.look();
        let (of, step) = world.under_way.pop().expect("a step");
        assert_eq!(of, id);
        if world.register.vouchers[&id].state == *state {
            return step;
        }
        let outcome = world.carry(&(of, step), false);
        world.desk.finished(of, outcome);
    }
}

#[test]
fn a_ticket_is_credited_elsewhere_while_its_own_table_is_out_of_service() {
    let mut world = World::new();
    let (own, there) = (World::place(0), World::place(1));
    world.step(&Move::Ask {
        place: 0,
        amount: 500,
    });
    let first = VoucherId(1);
    // Its table's journal fails as it is to forget the voucher.
    let step = until(&mut world, first, &State::Printed);
    assert_eq!(step, forget(&own.table, first));
    world.desk.finished(first, Outcome::Stopped);
    world.desk.table_stopped(&world.register, &own.table);
    world.present(world.papers[0], Payee::Station(there.clone()));
    // Only the other table is there to be looked at.
    while !matches!(
        world.register.vouchers[&first].state,
        State::Redeemed { .. }
    ) {
        let tables = Tables::from([(there.table.clone(), &world.tables[&there.table])]);
        let steps = world.desk.steps(&world.register, &tables);
        let [step] = &steps[..] else {
            panic!("{steps:?}");
        };
        let outcome = world.carry(step, false);
        world.desk.finished(first, outcome);
    }
    assert_eq!(world.paid[&first], 1);
    // Back in service it forgets the voucher.
    world.desk.table_runs(&own.table);
    world.settle();
    assert!(world.tables[&own.table].vouchers_out.is_empty());
    world.finish();
}

#[test]
fn a_step_that_a_broken_loop_never_answers_is_over_with_its_table() {
    let mut world = World::new();
    let own = World::place(0).table;
    world.step(&Move::Ask {
        place: 0,
        amount: 500,
    });
    let first = VoucherId(1);
    let step = until(&mut world, first, &State::Reserved);
    assert!(matches!(step, Step::Table { .. }), "{step:?}");
    // The loop is gone with the command, and the table is started again.
    world.desk.table_stopped(&world.register, &own);
    world.look();
    assert!(world.under_way.is_empty(), "nothing before it runs again");
    world.desk.table_runs(&own);
    world.settle();
    let known = world.register.vouchers.get(&first);
    assert!(known.is_none_or(|voucher| !voucher.state.is_unsettled()));
    world.finish();
}
