//! Disputes from the first word to the last, by the ladders of the books.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Money, RuleBook};
use sicbo_table::ids::{BetId, PersonId, RoundNumber, SessionNumber, StationId};

use sicbo_register::case::{
    Answer, Case, CaseId, Claimed, Grievance, Kind, Ladder, NewCase, Outcome, RefusedBet, Step,
};
use sicbo_register::command::{Act, Party};
use sicbo_register::derive::derive;
use sicbo_register::enrolment::TableName;
use sicbo_register::event::{Event, Fact};
use sicbo_register::testing::{House, STATION, WINDOW, person};
use sicbo_testkit::letters::LETTERS;

const ROLES: &str = include_str!("case_roles.txt");
const SINGAPORE: [&str; 4] = ["rws-etg", "rws-open-cover", "mbs-table", "mbs-etg"];
const DAY_MS: i64 = 86_400_000;

fn new(book: &str) -> NewCase {
    let book = RuleBook::all()
        .iter()
        .find(|known| known.id() == book)
        .unwrap();
    NewCase {
        kind: Kind::Dispute,
        table: TableName::new("mbs-etg").unwrap(),
        ladder: Ladder::of(book),
        round: Some(RoundNumber(7)),
        station: Some(StationId(0)),
        session: Some(SessionNumber(1)),
        grievance: Grievance::NotPaid,
        words: "I bet Small, it was not paid".to_owned(),
        claimed: Claimed::default(),
        refused: vec![RefusedBet {
            bet: BetId(3),
            at_ms: 900,
            code: "bets_closed".to_owned(),
        }],
    }
}

fn text() -> String {
    "as said".to_owned()
}

fn decide(book: &str) -> Step {
    let outcome = Outcome::Rejected;
    match book {
        "quang-nam-table" => Step::DecideOnEach {
            outcome,
            bases: vec![1, 6],
            silent: vec![2, 3, 4, 5, 7, 8],
            text: text(),
        },
        _ => Step::Decide {
            outcome,
            bases: Vec::new(),
            text: text(),
        },
    }
}

fn answer(answer: Answer) -> Step {
    Step::Answer { answer }
}

/// A house with somebody in every position.
struct Pit {
    house: House,
    people: Vec<(Position, PersonId)>,
}

impl Pit {
    fn new() -> Pit {
        let mut house = House::new();
        house.name_positions();
        let director = Party::Person(PersonId(1));
        let mut people = Vec::new();
        for (at, (_, position)) in LETTERS.iter().enumerate() {
            let name = format!("Person {}", char::from(b'A' + u8::try_from(at).unwrap()));
            house.ok(
                director,
                Act::AddPerson {
                    person: person(&name, *position),
                },
            );
            let id = *house.register.people.last_key_value().unwrap().0;
            house.register.people.get_mut(&id).unwrap().one_time = false;
            people.push((*position, id));
        }
        Pit { house, people }
    }

    fn who(&self, position: Position) -> Party {
        let found = self.people.iter().find(|(held, _)| *held == position);
        Party::Person(found.unwrap().1)
    }

    fn open(&mut self, by: Party, new: NewCase) -> &'static str {
        self.house.code(by, Act::OpenCase { new: Box::new(new) })
    }

    fn opened(&mut self, book: &str) -> CaseId {
        let place = Party::Place(STATION);
        assert_eq!(self.open(place, new(book)), "done");
        CaseId(self.house.register.last_case)
    }

    fn step(&mut self, case: CaseId, by: Party, step: Step) -> &'static str {
        let acting = None;
        self.house.code(by, Act::StepCase { case, acting, step })
    }

    fn must(&mut self, case: CaseId, by: Position, step: Step) {
        let by = self.who(by);
        assert_eq!(self.step(case, by, step.clone()), "done", "{step:?}");
    }

    fn case(&self, case: CaseId) -> &Case {
        &self.house.register.cases[&case]
    }
}

/// A case that stands so that only who asks matters, and the step.
fn ready(pit: &mut Pit, book: &str, rung: &str, step: &str) -> (CaseId, Step) {
    let case = pit.opened(book);
    let quang_nam = book == "quang-nam-table";
    let (first, second) = if quang_nam {
        (Position::PitSupervisor, Position::PitManager)
    } else {
        (Position::PitSupervisor, Position::ShiftManager)
    };
    let holder = if rung == "escalated" {
        pit.must(case, first, Step::Escalate { text: text() });
        second
    } else {
        first
    };
    if matches!(
        step,
        "answer" | "link_adjustment" | "close" | "tell_rights" | "complain" | "notify_authority"
    ) {
        pit.must(case, holder, decide(book));
    }
    if matches!(step, "tell_rights" | "complain" | "notify_authority") {
        pit.must(case, holder, answer(Answer::Disagrees));
    }
    if step == "complain" {
        pit.must(case, holder, Step::TellRights);
    }
    if step == "close" {
        pit.must(case, holder, answer(Answer::Agrees));
    }
    let step = match step {
        "take" => Step::Take,
        "promise" => Step::Promise {
            until_ms: pit.house.now_ms + 1,
        },
        "decide" => decide(book),
        "answer" => answer(Answer::Agrees),
        "link_adjustment" => Step::LinkAdjustment {
            sequence: 9,
            amount: Money::from_minor(-1),
        },
        "close" => Step::Close { text: text() },
        "escalate" => Step::Escalate { text: text() },
        "note" => Step::Note { text: text() },
        "bookmark" => Step::Bookmark {
            camera: "C-12".to_owned(),
            from_ms: 5,
            to_ms: Some(5),
            text: String::new(),
        },
        "tell_rights" => Step::TellRights,
        "notify_authority" => Step::NotifyAuthority { text: text() },
        "complain" => Step::Complain { text: text() },
        "acknowledge_notice" => Step::AcknowledgeNotice,
        other => panic!("{other}"),
    };
    (case, step)
}

#[test]
fn every_step_is_refused_to_everyone_whom_the_book_does_not_name() {
    let mut pit = Pit::new();
    let mut rows = 0;
    for line in ROLES.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [group, rung, step, ref may @ ..] = words[..] else {
            panic!("{line}")
        };
        let books = match group {
            "singapore" => SINGAPORE.to_vec(),
            one => vec![one],
        };
        for book in books {
            for (letter, position) in LETTERS {
                let (case, step) = ready(&mut pit, book, rung, step);
                let above = if letter.is_ascii_digit() { '^' } else { letter };
                let allowed = may.iter().any(|one| one.starts_with(above));
                let expected = if allowed { "done" } else { "not_authorised" };
                let offered = pit.case(case).clone();
                let now_ms = pit.house.now_ms;
                let offered = pit.house.register.case_steps(&offered, &[position], now_ms);
                let who = pit.who(position);
                let got = pit.step(case, who, step.clone());
                assert_eq!(got, expected, "{book} {rung} {position:?} {step:?}");
                // What a screen offers is what is taken.
                assert_eq!(offered.contains(&step.word()), allowed, "{step:?}");
                rows += 1;
                // Cases are closed so that the station may open more.
                pit.house.register.cases.clear();
            }
        }
    }
    assert_eq!(rows, 16 * (20 + 4 * 21));
}

#[test]
fn q_61_only_decisions_in_the_old_form_may_leave_bases_unanswered() {
    let mut pit = Pit::new();
    let case = pit.opened("quang-nam-table");
    let by = pit.who(Position::PitSupervisor);
    let derived = |step: Step| {
        let event = Event {
            at_ms: pit.house.now_ms,
            by,
            second: None,
            command: 0,
            fact: Fact::CaseStepped {
                case,
                acting: None,
                step,
            },
        };
        derive(&pit.house.register, &[event])
    };
    let (outcome, bases) = (Outcome::Upheld, vec![6]);
    let old = Step::Decide {
        outcome,
        bases: bases.clone(),
        text: text(),
    };
    assert_eq!(derived(old), Ok(1));
    let on_each = |silent: Vec<u8>| Step::DecideOnEach {
        outcome,
        bases: bases.clone(),
        silent,
        text: text(),
    };
    assert_eq!(derived(on_each(vec![1, 2, 3, 4, 5, 7, 8])), Ok(1));
    let forged = derived(on_each(vec![1, 2, 3])).expect_err("it leaves four open");
    assert!(forged.contains("bases_unanswered"), "{forged}");
}

#[test]
fn quang_nam_8_a_dispute_goes_up_the_ladder_to_the_formal_complaint() {
    use Position::{PitManager, PitSupervisor, Surveillance};
    let mut pit = Pit::new();
    let case = pit.opened("quang-nam-table");
    assert_eq!(pit.case(case).standing().word(), "open");
    pit.must(case, PitSupervisor, Step::Take);
    let until_ms = pit.house.now_ms + 600_000;
    pit.must(case, PitSupervisor, Step::Promise { until_ms });
    // 8.1: not solved, so the Pit Manager; 8.2: Surveillance is notified.
    pit.must(case, PitSupervisor, Step::Escalate { text: text() });
    assert_eq!(pit.case(case).standing().noticed_ms, None);
    pit.must(case, Surveillance, Step::AcknowledgeNotice);
    // 8.4: one or more of the eight bases, and an answer for each.
    let manager = pit.who(PitManager);
    let outcome = Outcome::Rejected;
    let old = Step::Decide {
        outcome,
        bases: vec![1],
        text: text(),
    };
    assert_eq!(pit.step(case, manager, old), "bases_unanswered");
    for (bases, silent, code) in [
        (vec![], vec![1, 2, 3, 4, 5, 6, 7, 8], "basis_needed"),
        (vec![0], vec![], "unknown_basis"),
        (vec![9], vec![], "unknown_basis"),
        (vec![2, 2], vec![], "unknown_basis"),
        (vec![1], vec![1, 2, 3, 4, 5, 6, 7, 8], "unknown_basis"),
        (vec![1], vec![2, 3, 4, 5, 6, 7, 9], "unknown_basis"),
        (vec![1], vec![3, 2, 4, 5, 6, 7, 8], "unknown_basis"),
        (vec![1], vec![2, 3, 4, 5, 6, 7], "bases_unanswered"),
        (vec![1, 6], vec![], "bases_unanswered"),
        (vec![1, 6], vec![2, 3, 4, 5, 7, 8], "done"),
    ] {
        let step = Step::DecideOnEach {
            outcome,
            bases: bases.clone(),
            silent,
            text: text(),
        };
        assert_eq!(pit.step(case, manager, step), code, "{bases:?}");
    }
    // 8.5 and 8.6 only once the player disagrees.
    assert_eq!(
        pit.step(case, manager, Step::TellRights),
        "wrong_case_state"
    );
    let station = Party::Place(STATION);
    assert_eq!(pit.step(case, station, answer(Answer::Disagrees)), "done");
    let close = || Step::Close { text: text() };
    assert_eq!(pit.step(case, manager, close()), "wrong_case_state");
    assert!(
        pit.case(case)
            .clocks()
            .iter()
            .any(|c| c.what == "tell_rights")
    );
    pit.must(case, PitManager, Step::TellRights);
    let authority = Step::NotifyAuthority { text: text() };
    assert_eq!(pit.step(case, manager, authority), "not_in_book");
    pit.must(case, PitManager, Step::Complain { text: text() });
    assert_eq!(pit.case(case).standing().word(), "complained");
    pit.must(case, PitManager, close());
    let note = Step::Note { text: text() };
    assert_eq!(pit.step(case, manager, note), "wrong_case_state");
    assert_eq!(pit.house.register.open_cases().count(), 0);
}

#[test]
fn p_070_an_unresolved_dispute_goes_to_the_inspector_at_once_and_has_seven_days() {
    use Position::{PitSupervisor, ShiftManager};
    for book in SINGAPORE {
        let mut pit = Pit::new();
        let case = pit.opened(book);
        pit.must(case, PitSupervisor, decide(book));
        pit.must(case, PitSupervisor, answer(Answer::Disagrees));
        let close = || Step::Close { text: text() };
        let supervisor = pit.who(PitSupervisor);
        assert_eq!(pit.step(case, supervisor, close()), "wrong_case_state");
        pit.must(case, PitSupervisor, Step::Escalate { text: text() });
        pit.must(case, ShiftManager, decide(book));
        pit.must(case, ShiftManager, answer(Answer::Disagrees));
        let now = pit.house.now_ms;
        let late = |case: &Case, at: i64| -> Vec<&'static str> {
            let clocks = case.clocks();
            let late = clocks.iter().filter(|clock| clock.is_overdue(at));
            late.map(|clock| clock.what).collect()
        };
        let both = ["notify_authority", "tell_rights"];
        assert_eq!(late(pit.case(case), now), both, "at once is at once");
        let manager = pit.who(ShiftManager);
        pit.must(case, ShiftManager, Step::TellRights);
        assert_eq!(pit.step(case, manager, close()), "wrong_case_state");
        let notify = Step::NotifyAuthority { text: text() };
        pit.must(case, ShiftManager, notify);
        assert_eq!(late(pit.case(case), now + 30 * DAY_MS), [""; 0]);
        // The player's seven days.
        pit.house.now_ms = now + 7 * DAY_MS - 1;
        assert_eq!(pit.step(case, manager, close()), "clock_running");
        pit.house.now_ms += 1;
        assert_eq!(pit.step(case, manager, close()), "done", "{book}");
    }
}

#[test]
fn a_station_disputes_what_is_its_own_and_not_too_often() {
    let mut pit = Pit::new();
    let station = Party::Place(STATION);
    let mut other = new("mbs-etg");
    other.station = Some(StationId(1));
    assert_eq!(pit.open(station, other), "not_your_station");
    let mut incident = new("mbs-etg");
    incident.kind = Kind::Incident;
    assert_eq!(pit.open(station, incident.clone()), "not_authorised");
    let window = Party::Place(WINDOW);
    assert_eq!(pit.open(window, new("mbs-etg")), "not_your_station");
    for _ in 0..3 {
        assert_eq!(pit.open(station, new("mbs-etg")), "done");
    }
    assert_eq!(pit.open(station, new("mbs-etg")), "too_many_cases");
    // Taken back, there is room again; it needs no decision.
    let case = CaseId(1);
    assert_eq!(
        pit.step(case, station, answer(Answer::Left)),
        "not_authorised"
    );
    assert_eq!(
        pit.step(case, station, answer(Answer::Agrees)),
        "wrong_case_state"
    );
    assert_eq!(pit.step(case, station, answer(Answer::Withdraws)), "done");
    pit.must(case, Position::PitSupervisor, Step::Close { text: text() });
    assert_eq!(pit.open(station, new("mbs-etg")), "done");
    // Staff open any kind; who only looks opens none.
    for (position, code) in [
        (Position::Dealer, "done"),
        (Position::Surveillance, "done"),
        (Position::Cashier, "not_authorised"),
        (Position::Auditor, "not_authorised"),
        (Position::Regulator, "not_authorised"),
        (Position::Technician, "not_authorised"),
    ] {
        let by = pit.who(position);
        assert_eq!(pit.open(by, incident.clone()), code, "{position:?}");
    }
    incident.words.clear();
    let dealer = pit.who(Position::Dealer);
    assert_eq!(pit.open(dealer, incident), "reason_needed");
}

#[test]
fn r_042_a_suspected_forgery_keeps_what_the_scanner_showed() {
    let mut pit = Pit::new();
    let mut forged = new("quang-nam-table");
    forged.kind = Kind::Counterfeit;
    let cashier = pit.who(Position::Cashier);
    assert_eq!(pit.open(cashier, forged), "done");
    let case = CaseId(1);
    let check = |genuine| Step::CheckUv {
        genuine,
        text: text(),
    };
    assert_eq!(pit.step(case, cashier, check(false)), "done");
    let auditor = pit.who(Position::Auditor);
    assert_eq!(pit.step(case, auditor, check(true)), "not_authorised");
    // No player waits for a decision: the house's own rungs close it.
    pit.must(case, Position::PitManager, Step::Close { text: text() });
    let dispute = pit.opened("quang-nam-table");
    let dealer = pit.who(Position::Dealer);
    assert_eq!(pit.step(dispute, dealer, check(true)), "not_in_book");
}

#[test]
fn q_38_who_acts_in_a_position_at_the_table_does_so_on_record() {
    let mut pit = Pit::new();
    let case = pit.opened("quang-nam-table");
    let as_supervisor = |by, step| {
        let acting = Some(Position::PitSupervisor);
        (by, Act::StepCase { case, acting, step })
    };
    let manager = pit.who(Position::PitManager);
    let (by, act) = as_supervisor(manager, Step::Take);
    assert_eq!(pit.house.code(by, act), "done");
    assert_eq!(
        pit.case(case).entries[0].acting,
        Some(Position::PitSupervisor)
    );
    let auditor = pit.who(Position::Auditor);
    let (by, act) = as_supervisor(auditor, decide("quang-nam-table"));
    assert_eq!(pit.house.code(by, act), "not_authorised");
}

#[test]
fn what_is_kept_of_cases_is_bounded() {
    use sicbo_register::case::{CLOSED_AT_HAND, MAX_NOTED, MAX_STEPS};
    let mut pit = Pit::new();
    let case = pit.opened("mbs-etg");
    let supervisor = pit.who(Position::PitSupervisor);
    for _ in 0..MAX_NOTED {
        let note = Step::Note { text: text() };
        assert_eq!(pit.step(case, supervisor, note), "done");
    }
    let note = Step::Note { text: text() };
    assert_eq!(pit.step(case, supervisor, note), "too_many_steps");
    assert_eq!(pit.step(case, supervisor, Step::Take), "done");
    for at in 0..(MAX_STEPS - MAX_NOTED - 1) as i64 {
        let until_ms = pit.house.now_ms + 1 + at;
        assert_eq!(
            pit.step(case, supervisor, Step::Promise { until_ms }),
            "done"
        );
    }
    let until_ms = pit.house.now_ms + 1;
    let promise = Step::Promise { until_ms };
    assert_eq!(pit.step(case, supervisor, promise), "too_many_steps");
    // Closed cases make room for later ones, the oldest first.
    let mut old = pit.case(case).clone();
    old.entries.push(sicbo_register::case::Entry {
        at_ms: 1,
        by: supervisor,
        acting: None,
        step: Step::Close { text: text() },
    });
    old.entries.drain(..old.entries.len() - 1);
    let mut incident = new("mbs-etg");
    incident.kind = Kind::Incident;
    for id in 2..=CLOSED_AT_HAND as u64 + 1 {
        pit.house.register.cases.insert(CaseId(id), old.clone());
        pit.house.register.last_case = id;
    }
    assert_eq!(pit.open(supervisor, incident), "done");
    let newest = CaseId(pit.house.register.last_case);
    assert_eq!(
        pit.step(newest, supervisor, Step::Close { text: text() }),
        "done"
    );
    let cases = &pit.house.register.cases;
    assert!(cases.contains_key(&case), "it is open");
    assert!(!cases.contains_key(&CaseId(2)));
    assert!(cases.contains_key(&CaseId(3)) && cases.contains_key(&newest));
}
