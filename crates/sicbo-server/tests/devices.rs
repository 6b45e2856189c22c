//! Devices of a table over their real line: a tumbler with a sensor, a reader
//! of the dice and the lights, each enrolled with a key of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use futures_executor::block_on;
use serde_json::json;
use sicbo_clock::now_ms;
use sicbo_house::hub::Reply;
use sicbo_loop::Answer;
use sicbo_plan::{DealerPlan, HousePlan, LightsPlan, TumblerPlan};
use sicbo_register::enrolment::Role;
use sicbo_register::pin::PinCost;
use sicbo_register::set_up::new_enrolment;
use sicbo_register::{Act as RegisterAct, Fact, Party};
use sicbo_rules::Dice;
use sicbo_rules::rulebook::words::{Cause, Position};
use sicbo_server::floor::{Floor, Started, TableAt, start};
use sicbo_server::wire::staff::Files as _;
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::ids::PersonId;
use sicbo_table::pending::Question;
use sicbo_table::round::{Phase, Tumble};
use sicbo_table::{Act, Command, Refusal};

use crate::common::comes;
use crate::common::device::{Device as Line, hello};
use crate::common::proof;

/// A house with one table whose devices are on a line, dealt by a person.
fn house(book: &str, folder: &std::path::Path) -> (Started, SocketAddr) {
    house_with(book, folder, true)
}

/// The same, its tumbler on the line or worked by hand.
fn house_with(book: &str, folder: &std::path::Path, tumbler: bool) -> (Started, SocketAddr) {
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let mut plan = HousePlan::trial();
    plan.tables.retain(|table| table.config.book.id() == book);
    plan.pin_cost = PinCost::LOW;
    let table = &mut plan.tables[0];
    table.dealer = DealerPlan::Person;
    table.tumbler = match tumbler {
        true => TumblerPlan::Line { listen: address },
        false => TumblerPlan::Manual,
    };
    table.dice_reader = true;
    table.lights = LightsPlan::Line { listen: address };
    table.device_listen = Some(address);
    (
        start(plan, folder, false, &Default::default()).unwrap(),
        address,
    )
}

fn person(floor: &Floor, position: Position) -> Staff {
    let register = floor.desk.register();
    let mut people = register.people.iter();
    let (person, _) = people.find(|(_, p)| p.position == position).unwrap();
    Staff {
        person: *person,
        position,
    }
}

fn submit(at: &TableAt, by: Actor, second: Option<Staff>, act: Act) -> Answer<Refusal> {
    let (sender, receiver) = futures_channel::oneshot::channel();
    let command = Command {
        id: 0,
        at_ms: now_ms(),
        by,
        second,
        act,
    };
    let sent = at.hub.submit(Reply::Waiter(sender), command);
    assert!(sent.is_ok());
    block_on(receiver).unwrap()
}

/// Something a person does, which is done.
fn must(at: &TableAt, by: Staff, act: Act) {
    let told = format!("{act:?}");
    let answer = submit(at, Actor::Staff(by), None, act);
    assert!(matches!(answer, Answer::Done { .. }), "{told}: {answer:?}");
}

/// Enrols a device as the technician does; its token.
fn enrol(floor: &Floor, at: &TableAt, device: Device) -> String {
    let technician = person(floor, Position::Technician).person;
    // The one-time PIN has been changed before anything else is done.
    let act = RegisterAct::ChangePin {
        old: sicbo_register::command::PinRight {
            person: technician,
            pin_version: floor.desk.register().people[&technician].pin_version,
        },
        pin: {
            let name = floor.desk.register().people[&technician].name.clone();
            let pin = sicbo_register::pin::Pin::new("739182").unwrap();
            floor.hasher.hash(&name, &pin, [3; 16]).unwrap()
        },
    };
    block_on(floor.desk.ask(Party::Person(technician), None, act));
    let role = Role::Device {
        table: at.hub.name.clone(),
        device,
    };
    let (new, key) = new_enrolment(role, &format!("{device:?}")).unwrap();
    let enrol = RegisterAct::Enrol { new };
    let entered = block_on(floor.desk.ask(Party::Person(technician), None, enrol));
    let id = entered.facts.iter().find_map(|fact| match fact {
        Fact::Enrolled { enrolment, .. } => Some(*enrolment),
        _ => None,
    });
    key.token(id.unwrap_or_else(|| panic!("enrolled: {:?}", entered.answer)))
}

fn dice(faces: [u8; 3]) -> Dice {
    Dice::from_faces(faces).unwrap()
}

#[test]
fn a_tumbler_and_a_reader_on_the_line_take_part_and_a_differing_reading_stops_the_round() {
    let folder = tempfile::tempdir().unwrap();
    let (started, address) = house("mbs-etg", folder.path());
    let floor: Arc<Floor> = Arc::clone(&started.floor);
    let at = floor.table_at("mbs-etg").unwrap();
    let dealer = person(&floor, Position::Dealer);
    let supervisor = person(&floor, Position::PitSupervisor);
    let opening = at.opening().unwrap();
    must(at, supervisor, opening);

    let token = enrol(&floor, at, Device::Tumbler);
    let mut tumbler = Line::connect(address, &token);
    let token = enrol(&floor, at, Device::DiceReader);
    let mut reader = Line::connect(address, &token);

    // mbs-etg tumbles first: the sensor reports start and rest.
    let said = tumbler.say(&json!({"id": 1, "activated": true}));
    assert_eq!(said, json!({"id": 1, "ok": true}));
    let said = tumbler.say(&json!({"id": 2, "at_rest": {"count": 4, "all_dice_moved": true}}));
    assert_eq!(said, json!({"id": 2, "ok": true}));
    {
        let state = at.hub.state();
        let round = state.table.round.as_deref().unwrap();
        assert_eq!(round.tumble, Tumble::Valid { count: 4 });
    }
    for act in [
        Act::CallBets,
        Act::CloseBets,
        Act::Uncover,
        Act::ConfirmFlat,
    ] {
        must(at, dealer, act);
    }
    // The two readings differ: nothing is paid until two persons agree.
    must(
        at,
        dealer,
        Act::KeyDice {
            dice: dice([4, 3, 4]),
        },
    );
    let said = reader.say(&json!({"id": 3, "dice": [4, 3, 5]}));
    assert_eq!(said["ok"], true, "{said}");
    // Confirming compares them; what comes of it is a decision, not a result.
    must(at, dealer, Act::ConfirmResult);
    assert!(at.hub.state().table.last_record.is_none());
    let again = submit(at, Actor::Staff(dealer), None, Act::ConfirmResult);
    let Answer::Refused(refusal) = again else {
        panic!("confirmed: {again:?}");
    };
    assert_eq!(refusal.code(), "decision_pending");
    let pending = {
        let state = at.hub.state();
        let mut waits = state.table.pending.iter();
        let found = waits.find(|p| p.question == Question::ReadingsDisagree);
        found.unwrap().id
    };
    let resolve = Act::ResolveReadings {
        pending,
        dice: dice([4, 3, 4]),
    };
    let alone = submit(at, Actor::Staff(dealer), None, resolve.clone());
    assert!(matches!(alone, Answer::Refused(_)), "{alone:?}");
    let both = submit(at, Actor::Staff(dealer), Some(supervisor), resolve);
    assert!(matches!(both, Answer::Done { .. }), "{both:?}");
    let record = at.hub.state().table.last_record.clone().unwrap();
    assert_eq!(
        record.standing,
        sicbo_table::record::Standing::Settled(dice([4, 3, 4]))
    );

    // A key that was revoked opens nothing any more.
    let technician = person(&floor, Position::Technician).person;
    revoke(&floor, technician);
    let said = Line::open(address).say(&hello(&token));
    assert_eq!(said["refused"]["code"], "not_admitted", "{said}");
    started.engine.stop();
}

fn revoke(floor: &Floor, by: PersonId) {
    let ids: Vec<_> = {
        let register = floor.desk.register();
        let devices = register.enrolments.iter();
        devices
            .filter(|(_, known)| matches!(known.role, Role::Device { .. }))
            .map(|(id, _)| *id)
            .collect()
    };
    for enrolment in ids {
        let act = RegisterAct::Revoke {
            enrolment,
            reason: "taken out".to_owned(),
        };
        let entered = block_on(floor.desk.ask(Party::Person(by), None, act));
        assert!(matches!(entered.answer, Answer::Done { .. }));
    }
}

#[test]
fn r_038_the_lights_are_told_what_to_show_and_nothing_is_paid_before_they_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (started, address) = house_with("quang-nam-table", folder.path(), false);
    let floor: Arc<Floor> = Arc::clone(&started.floor);
    let at = floor.table_at("quang-nam-table").unwrap();
    let dealer = person(&floor, Position::Dealer);
    let opening = at.opening().unwrap();
    must(at, person(&floor, Position::PitSupervisor), opening);
    let token = enrol(&floor, at, Device::Lights);
    let mut lights = Line::connect(address, &token);

    // By the book's own order, whatever it is, until the result is confirmed.
    loop {
        let step = sicbo_table::legal::next_step(&at.hub.state().table).unwrap();
        if step == sicbo_table::legal::Step::ReportLights {
            break;
        }
        let act = sicbo_testkit::script::act_of(step, dice([2, 2, 5]));
        must(at, dealer, act);
    }
    let told = lights.hear();
    assert_eq!(told["light"]["round"], 1, "{told}");
    let lit = told["light"]["sections"]["a"].as_array().unwrap();
    for section in ["small", "total:9", "double:2", "pair:2-5", "single:5"] {
        assert!(lit.contains(&json!(section)), "{section}: {told}");
    }
    assert!(!lit.contains(&json!("big")), "{told}");
    let early = submit(at, Actor::Staff(dealer), None, Act::TakeAndPay);
    let Answer::Refused(refusal) = early else {
        panic!("paid: {early:?}");
    };
    assert_eq!(refusal.code(), "lights_first");
    assert_eq!(lights.say(&json!({"lit": true}))["ok"], true);
    must(at, dealer, Act::TakeAndPay);
    started.engine.stop();
}

/// Waits until the table is as it should be.
fn until(at: &TableAt, what: &str, is: impl Fn(&sicbo_table::Table) -> bool) {
    comes(what, || is(&at.hub.state().table).then_some(()));
}

/// The dealer takes a round by the book's own order to its closed bets.
fn to_closed(at: &TableAt, dealer: Staff) {
    loop {
        let step = sicbo_table::legal::next_step(&at.hub.state().table);
        use sicbo_table::legal::Step;
        let act = match step {
            Some(Step::ActivateTumbler) => Act::ActivateTumbler,
            Some(Step::ReportTumbles) => Act::ReportTumbles {
                count: 3,
                all_dice_moved: true,
            },
            Some(Step::CallBets) => Act::CallBets,
            Some(Step::CloseBets) => Act::CloseBets,
            _ => return,
        };
        must(at, dealer, act);
    }
}

#[test]
fn r_153_a_reader_that_died_with_the_cover_open_voids_no_further_round() {
    for book in ["rws-etg", "mbs-table", "mbs-etg", "quang-nam-table"] {
        let folder = tempfile::tempdir().unwrap();
        // The dealer works the tumbler; a reader beside it sees the cover.
        let (started, address) = house_with(book, folder.path(), false);
        let floor: Arc<Floor> = Arc::clone(&started.floor);
        let at = floor.table_at(book).unwrap();
        let dealer = person(&floor, Position::Dealer);
        let opening = at.opening().unwrap();
        must(at, person(&floor, Position::PitSupervisor), opening);
        let token = enrol(&floor, at, Device::DiceReader);
        let mut reader = Line::connect(address, &token);
        assert_eq!(reader.say(&json!({"cover": "open"}))["ok"], true);
        assert!(!at.hub.state().table.open_covers.is_empty(), "{book}");
        // As long as it is there, its word holds.
        to_closed(at, dealer);
        let void = Act::DeclareVoid {
            cause: Cause::DiceExposedEarly,
        };
        must(at, dealer, void);
        drop(reader);
        until(at, "the cover of a dead reader", |table| {
            table.open_covers.is_empty()
        });
        to_closed(at, dealer);
        {
            let state = at.hub.state();
            let round = state.table.round.as_deref().unwrap();
            assert_eq!(
                (round.number.0, round.phase, round.must_void, round.exposed),
                (2, Phase::Closed, None, false),
                "{book}"
            );
        }
        started.engine.stop();
        proof::clean(folder.path());
    }
}

#[test]
fn r_153_a_cover_opened_while_the_table_is_out_of_service_is_on_record_once_it_runs_again() {
    let folder = tempfile::tempdir().unwrap();
    let (started, address) = house_with("rws-etg", folder.path(), false);
    let floor: Arc<Floor> = Arc::clone(&started.floor);
    let at = floor.table_at("rws-etg").unwrap();
    let dealer = person(&floor, Position::Dealer);
    let opening = at.opening().unwrap();
    must(at, person(&floor, Position::PitSupervisor), opening);
    let token = enrol(&floor, at, Device::DiceReader);
    let mut reader = Line::connect(address, &token);
    // Whatever the table writes fails after a while.
    let journal = folder.path().join("journal/rws-etg.sqlite");
    let held = rusqlite::Connection::open(journal).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let said = reader.say(&json!({"cover": "open"}));
    assert!(said["refused"].is_object(), "{said}");
    comes("the table runs on", || at.hub.stopped());
    drop(held);
    floor.restart_table(at, "the disk was mended").unwrap();
    // The reader says nothing more: the house remembers for it.
    until(at, "the cover of a reader that was not heard", |table| {
        table.open_covers.contains(&Device::DiceReader)
    });
    to_closed(at, dealer);
    let void = at.hub.state().table.round.as_deref().unwrap().must_void;
    assert_eq!(void, Some(Cause::DiceExposedEarly));
    // A table that opens anew asks nobody for a second report either.
    let declared = Act::DeclareVoid {
        cause: Cause::DiceExposedEarly,
    };
    must(at, dealer, declared);
    assert_eq!(reader.say(&json!({"cover": "closed"}))["ok"], true);
    assert!(at.hub.state().table.open_covers.is_empty());
    started.engine.stop();
    proof::clean(folder.path());
}
