//! The people and devices at the tables of a simulated house: dealers who follow
//! the book and err, those who decide, and what a tumbler, a reader and lights
//! say. Staff speak in the JSON of their screens, devices in lines of theirs.

mod speech;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sicbo_devices::line::act_of;
use sicbo_house::acts;
use sicbo_house::house::{House, Present};
use sicbo_register::enrolment::TableName;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::table::Status;
use sicbo_table::{Act, Command};
use sicbo_wire::acts::{Confirmation, Done};
use sicbo_wire::problem::{Problem, told};
use sicbo_wire::staff::StaffAct;

use self::speech::speech;
use super::devices::{WorldLine, line_of};
use super::judges::citations;
use super::story::words;
use super::swarm::Part;
use super::trace::Trace;
use super::{Results, World};
use crate::dealer::{Dealer, Said};
use crate::random::Random;

/// Things that go wrong at a table, in a thousand acts.
const MISTAKES: u64 = 40;
/// Nothing more is said while this much is not answered.
const AT_ONCE: u64 = 2;

/// Who works at one table.
pub(super) struct Crew {
    pub(super) table: TableName,
    pub(super) dealer: Dealer,
    /// A person deals; else the house program does and people only help.
    pub(super) deals: bool,
    next_ms: i64,
    open: Arc<AtomicU64>,
    /// What devices have still to say.
    late: Vec<(i64, Device, String)>,
    /// When a lost line comes back.
    found_ms: Option<i64>,
}

impl Crew {
    pub(super) fn new(table: TableName, deals: bool) -> Crew {
        Crew {
            table,
            dealer: Dealer::default(),
            deals,
            next_ms: 0,
            open: Arc::default(),
            late: Vec::new(),
            found_ms: None,
        }
    }

    /// The program is gone, and with it whoever waited for an answer.
    pub(super) fn cut(&mut self) {
        self.open = Arc::default();
    }
}

/// Somebody says something at a table, and it is answered.
#[derive(Clone)]
struct Saying {
    house: Arc<House>,
    table: String,
    trace: Trace,
    results: Arc<parking_lot::Mutex<Results>>,
}

impl World {
    /// Everybody at the tables does what comes next; with `anew` false they only
    /// bring things to their end.
    pub(super) fn work(&mut self, anew: bool) -> Result<(), String> {
        for number in 0..self.crews.len() {
            self.devices(number)?;
            let now_ms = self.time.steady_ms();
            let crew = &self.crews[number];
            let busy = crew.open.load(Ordering::Relaxed) >= AT_ONCE;
            if now_ms >= crew.next_ms && !busy {
                self.work_at(number, anew)?;
            }
        }
        Ok(())
    }

    fn work_at(&mut self, number: usize, anew: bool) -> Result<(), String> {
        let house = self.house()?;
        let now_ms = self.time.steady_ms();
        let crew = &mut self.crews[number];
        crew.next_ms = now_ms + self.people.between(20, 150);
        let Some(hub) = house.table(&crew.table) else {
            return Ok(());
        };
        if hub.stopped().is_some() {
            return Ok(());
        }
        let mistakes = match anew && self.swarm.has(Part::Mistakes) {
            true => MISTAKES,
            false => 0,
        };
        let state = hub.state();
        let table = &state.table;
        let opens = !crew.deals || anew || table.config.is_none();
        let said = match (&table.status, crew.deals) {
            (Status::Closed, true) if opens => None,
            (_, true) if !anew && table.round.is_none() && table.pending.is_empty() => {
                return Ok(());
            }
            (_, true) => match crew.dealer.next(table, mistakes, &mut self.people) {
                Some(said) => Some(said),
                None => return Ok(()),
            },
            (_, false) => match crew
                .dealer
                .beside(table, (mistakes, anew), &mut self.people)
            {
                Some(said) => Some(said),
                None => return Ok(()),
            },
        };
        drop(state);
        match said {
            None => {
                let open = serde_json::json!({"act": "open_table"});
                self.speak(number, (Position::PitManager, None), open.to_string())
            }
            Some(said) => self.said(number, &said),
        }
    }

    /// Somebody or something says what they mean.
    fn said(&mut self, number: usize, said: &Said) -> Result<(), String> {
        match said.by {
            Actor::Staff(by) => {
                self.requests += 1;
                let Some(text) = speech(&said.act, self.requests) else {
                    return Err(format!("no screen can say {:?}", said.act));
                };
                let second = said.second.map(|second| second.position);
                // Who reported damage, or wrote chips down, may not be who looks at them.
                let looks = matches!(said.act, Act::Rule { .. } | Act::AttestPositions { .. });
                let another = looks && by.position == Position::PitSupervisor;
                let position = match another && self.people.chance(300) {
                    true => Position::PitManager,
                    false => by.position,
                };
                self.speak(number, (position, second), text.to_string())
            }
            Actor::Device(device) => self.signal(number, device, &said.act),
            Actor::House | Actor::Station(_) => Ok(()),
        }
    }

    fn saying(&mut self, number: usize) -> Result<Saying, String> {
        Ok(Saying {
            house: self.house()?,
            table: self.crews[number].table.to_string(),
            trace: self.trace.clone(),
            results: Arc::clone(&self.results),
        })
    }

    pub(super) fn speak(
        &mut self,
        number: usize,
        (by, second): (Position, Option<Position>),
        text: String,
    ) -> Result<(), String> {
        let (by, second) = match self.swarm.has(Part::Mistakes) {
            true => mistaken_persons((by, second), &mut self.people),
            false => (by, second),
        };
        let now_ms = self.time.steady_ms();
        let away = self.away.filter(|(_, until_ms)| now_ms < *until_ms);
        let away = away.map(|(position, _)| position);
        let is_here = |position: &&Position| away != Some(**position);
        let find = |position: &Position| {
            let here = Some(position).filter(is_here);
            here.and_then(|position| self.present.get(position))
                .cloned()
        };
        let Some(first) = find(&by) else {
            return Ok(());
        };
        let second = second.and_then(|position| find(&position));
        let times = match self.swarm.has(Part::Crowds) && self.people.chance(60) {
            true => 2,
            false => 1,
        };
        let now_ms = self.clock.now_ms();
        for _ in 0..times {
            let saying = self.saying(number)?;
            let open = Arc::clone(&self.crews[number].open);
            open.fetch_add(1, Ordering::Relaxed);
            let (first, second, text) = (first.clone(), second.clone(), text.clone());
            self.trace.tell(now_ms, || {
                let with = second
                    .as_ref()
                    .map(|second| format!(" with {}", second.name));
                let with = with.unwrap_or_default();
                let says = words::act(&text);
                format!("{}: {}{with}: {says}", saying.table, first.name)
            });
            self.spawn(async move {
                saying.staff(first, second, &text).await;
                open.fetch_sub(1, Ordering::Relaxed);
            })?;
        }
        Ok(())
    }

    /// A device says something, as it does or as it should not.
    fn signal(&mut self, number: usize, device: Device, act: &Act) -> Result<(), String> {
        let now_ms = self.time.steady_ms();
        let table = self.crews[number].table.clone();
        if self
            .lines
            .get(&table)
            .is_some_and(|line| !line.is_there(device))
        {
            return Ok(());
        }
        let wrong = self.swarm.has(Part::WrongDevices) && self.people.chance(50);
        let act = match wrong {
            true => mistaken(act, &mut self.people),
            false => act.clone(),
        };
        let Some(line) = line_of(&act) else {
            return Err(format!("no line can say {act:?}"));
        };
        if self.swarm.has(Part::SilentDevices) && self.people.chance(60) {
            self.crews[number].next_ms = now_ms + 1_000;
            return Ok(());
        }
        let twice = self.swarm.has(Part::DoubleDevices) && self.people.chance(80);
        let late = match self.swarm.has(Part::LateDevices) && self.people.chance(80) {
            true => self.people.between(500, 4_000),
            false => 0,
        };
        for again in 0..1 + i64::from(twice) {
            let due_ms = now_ms + late + again * 20;
            let line = line.to_string();
            self.crews[number].late.push((due_ms, device, line));
        }
        Ok(())
    }

    /// What devices have said arrives; lines are lost and found.
    fn devices(&mut self, number: usize) -> Result<(), String> {
        let now_ms = self.time.steady_ms();
        let table = self.crews[number].table.clone();
        let mut lost = false;
        if let Some(line) = self.lines.get(&table) {
            let crew = &mut self.crews[number];
            if crew.found_ms.is_some_and(|at_ms| now_ms >= at_ms) {
                crew.found_ms = None;
                line.find(Device::Tumbler);
            } else if crew.found_ms.is_none()
                && self.swarm.has(Part::SilentDevices)
                && self.people.below(4_000) == 0
            {
                crew.found_ms = Some(now_ms + self.people.between(100, 3_000));
                line.lose(Device::Tumbler);
                lost = true;
            }
        }
        if lost {
            self.met("fault the tumbler's line is lost", || {
                format!("{table}: the tumbler's cable is pulled")
            });
        }
        let due = self.crews[number]
            .late
            .extract_if(.., |late| late.0 <= now_ms);
        let due: Vec<_> = due.collect();
        for (_, device, text) in due {
            let saying = self.saying(number)?;
            let line = self.lines.get(&table).cloned();
            let open = Arc::clone(&self.crews[number].open);
            open.fetch_add(1, Ordering::Relaxed);
            self.spawn(async move {
                saying.device(line, device, &text).await;
                open.fetch_sub(1, Ordering::Relaxed);
            })?;
        }
        Ok(())
    }
}

/// Now and then the wrong person says it, one alone what takes two, or one person
/// for both.
fn mistaken_persons(
    (by, second): (Position, Option<Position>),
    random: &mut Random,
) -> (Position, Option<Position>) {
    match (random.below(60), second) {
        (0, second) => (*random.pick(&POSITIONS), second),
        (1, _) => (by, None),
        (2, Some(_)) => (by, Some(by)),
        (3, Some(_)) => (by, Some(*random.pick(&POSITIONS))),
        _ => (by, second),
    }
}

/// The device is wrong about it.
fn mistaken(act: &Act, random: &mut Random) -> Act {
    match act {
        Act::ReportTumbles { .. } => Act::ReportTumbles {
            count: random.below(3) as u8,
            all_dice_moved: random.chance(500),
        },
        Act::ReportLights { .. } => Act::ReportLights { lit: false },
        Act::ReadSecond { .. } => {
            let faces = [(); 3].map(|()| random.below(6) as u8 + 1);
            match sicbo_rules::Dice::from_faces(faces) {
                Some(dice) => Act::ReadSecond { dice },
                None => act.clone(),
            }
        }
        _ => Act::ReportDeviceFailure {
            what: "no signal".to_owned(),
            part: sicbo_table::command::Part::Other,
        },
    }
}

impl Saying {
    async fn staff(&self, first: Present, second: Option<Present>, text: &str) {
        let who = first.name.clone();
        self.trace.said(&who, text);
        let act: StaffAct = match serde_json::from_str(text) {
            Ok(act) => act,
            Err(error) => {
                let what = format!("a screen's words are not understood: {text}: {error}");
                self.results.lock().faults.push(what);
                return;
            }
        };
        let (name, request) = (act.name(), act.request());
        let outcome = match second {
            None => acts::act(&self.house, &first, &self.table, &act).await,
            Some(second) => self.together(first, second, act).await,
        };
        let answer = match &outcome {
            Ok(done) => serde_json::to_string(done),
            Err(problem) => serde_json::to_string(problem),
        };
        self.trace.told(&who, &answer.unwrap_or_default());
        let mut results = self.results.lock();
        match outcome {
            Ok(done) => {
                results.reach(format!("staff {name}"));
                if let Some(request) = request.filter(|_| !done.again) {
                    let asked = (self.table.clone(), request);
                    *results.requests.entry(asked).or_default() += 1;
                }
            }
            Err(problem) => {
                if let Some(wrong) = self.miscited(&problem) {
                    let what = format!("{who} is refused {name} under a rule: {wrong}");
                    results.faults.push(what);
                }
                let now_ms = self.house.clock.now_ms();
                let (table, code) = (&self.table, &problem.code);
                self.trace.tell(now_ms, || {
                    let (name, code) = (words::code_name(&name), words::code_name(code));
                    format!("{table}: {who} is refused {name}: {code}")
                });
                results.reach(format!("refusal {code}"));
            }
        }
    }

    /// A rule that is shown and is none of the table's book.
    fn miscited(&self, problem: &Problem) -> Option<String> {
        let rule = problem.rule.as_deref()?;
        let at = self.house.table_at(&self.table)?;
        citations::objection(at.plan.config.book.id(), rule)
    }

    /// Two persons; what one of them may do alone is done at once.
    async fn together(
        &self,
        first: Present,
        second: Present,
        act: StaffAct,
    ) -> Result<Done, Problem> {
        let (house, table) = (&self.house, &self.table);
        let dice = act.stated_dice();
        let proposed = acts::propose(house, first.clone(), table, act.clone()).await;
        let proposed = match proposed {
            Err(problem) if problem.code == "one_person_suffices" => {
                return acts::act(house, &first, table, &act).await;
            }
            other => other?,
        };
        let stated = Confirmation {
            digest: proposed.digest,
            dice,
        };
        acts::confirm(house, second, table, proposed.proposal, stated).await
    }

    async fn device(&self, line: Option<WorldLine>, device: Device, text: &str) {
        let who = format!("{} {device:?}", self.table);
        self.trace.said(&who, text);
        let act = match act_of(text.as_bytes(), device) {
            Ok(Some(act)) => act,
            Ok(None) => return,
            Err(refused) => {
                let what = format!("a line is not understood: {text}: {refused:?}");
                self.results.lock().faults.push(what);
                return;
            }
        };
        let Some(at) = self.house.table_at(&self.table) else {
            return;
        };
        let cover = match (&act, line.and_then(|line| line.end())) {
            (Act::ReportCover { open }, Some(end)) => {
                let turn = end.covers.begin(device);
                Some((end, turn, *open))
            }
            _ => None,
        };
        let command = Command {
            id: 0,
            at_ms: self.house.clock.now_ms(),
            by: Actor::Device(device),
            second: None,
            act,
        };
        let answer = at.hub.ask(command).await;
        if let Some((end, turn, open)) = cover {
            end.covers.end(device, turn, open);
        }
        let code = told(&answer).map_or("done", |(code, _, _)| code);
        self.trace.told(&who, code);
        let mut results = self.results.lock();
        match code {
            "done" => results.reach(format!("device {device:?}")),
            code => results.reach(format!("refusal {code}")),
        }
    }
}

/// Everybody who works here, by position: who logs in at a start.
pub(super) const POSITIONS: [Position; 7] = [
    Position::Cashier,
    Position::Dealer,
    Position::PitSupervisor,
    Position::PitManager,
    Position::ShiftManager,
    Position::Director,
    Position::HeadOfOperations,
];

/// Those who are logged in.
pub(super) type Presence = BTreeMap<Position, Present>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_devices_mean_is_what_the_line_says() {
        let acts = [
            (Device::Tumbler, Act::ActivateTumbler),
            (Device::Tumbler, Act::ReportCover { open: true }),
            (Device::Lights, Act::ReportLights { lit: true }),
        ];
        for (device, act) in acts {
            let line = line_of(&act).expect("a line").to_string();
            let understood = act_of(line.as_bytes(), device).expect("understood");
            assert_eq!(understood, Some(act), "{line}");
        }
    }
}
