//! One dishonest person in a simulated house for money, alone, with every act there is in random
//! order; everybody else is honest, and the power goes now and then.
//!
//! What comes of it is judged from the journals (`counterparts`): every cent that left the house
//! has a counterpart by somebody else, or stands in the report of exceptions.

mod attempt;
mod beyond;
mod counterparts;
mod honest;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use sicbo_dealer::Pace;
use sicbo_house::acts;
use sicbo_house::house::{House, Present};
use sicbo_house::sessions::LoggedIn;
use sicbo_journal::{KeyRing, StreamId};
use sicbo_loop::Answer;
use sicbo_plan::{DealerPlan, DutiesPlan, HousePlan};
use sicbo_register::command::PinRight;
use sicbo_register::enrolment::{EnrolmentId, Role};
use sicbo_register::validation::Number;
use sicbo_register::{Act, Fact, Party};
use sicbo_rules::rulebook::words::{Form, Position};
use sicbo_table::actor::Staff;
use sicbo_table::cash::MoneyDuties;
use sicbo_table::ids::PersonId;

use self::attempt::{Attempt, Sight};
use self::beyond::{Counter, name_of};
use self::counterparts::judge;
use self::honest::{Honest, confirm_one, together_for_house};
use super::checks::examine;
use super::{HouseFlaw, LAST_STEPS, Part, Player, Results, Swarm, Trace, World, failed};
use crate::random::Random;
use crate::tally::Failure;

pub use self::attempt::temptations;
pub use self::beyond::register_temptations;
pub use self::counterparts::Counterparts;

/// Attempts that may wait for their answers at once.
const AT_ONCE: u64 = 4;
/// How often the person tries something, of a thousand steps: play goes on meanwhile.
const TEMPTED: u64 = 250;
/// What is done for the house by one person who confirms it as well.
const ALONE: &str = "confirm alone ";
/// And what an honest person confirmed or proposed.
const TOGETHER: &str = "with another ";
/// How the verifier speaks of dice that the tumbler's seed does not give.
const FALSE_DICE: &str = "was confirmed and never corrected";
/// Acts of one world; longer runs are several worlds.
pub const ACTS_OF_A_HOUSE: u64 = 5_000;

/// The automatic dealer of these houses, who has to give people time to interfere.
const PACE: Pace = Pace {
    between_rounds_ms: 200,
    tumble_ms: 100,
    act_ms: 60,
    look_ms: 60,
    decide_ms: 200,
};

/// Who is dishonest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "each is a position")]
pub enum Insider {
    Dealer,
    Cashier,
    Technician,
    Manager,
    Director,
}

impl Insider {
    /// All of them.
    pub const ALL: [Insider; 5] = [
        Insider::Dealer,
        Insider::Cashier,
        Insider::Technician,
        Insider::Manager,
        Insider::Director,
    ];

    fn position(self) -> Position {
        match self {
            Insider::Dealer => Position::Dealer,
            Insider::Cashier => Position::Cashier,
            Insider::Technician => Position::Technician,
            Insider::Manager => Position::PitManager,
            Insider::Director => Position::Director,
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InsiderReport {
    /// The seed.
    pub seed: u64,
    /// Who was dishonest.
    pub who: Insider,
    /// Acts that were tried.
    pub acts: u64,
    /// Those that were done, by name.
    pub done: BTreeMap<String, u64>,
    /// Those that were refused, by code.
    pub refused: BTreeMap<String, u64>,
    /// How often the program began.
    pub lives: u64,
    /// Dice that were keyed and had not fallen, as the verifier names the first of them.
    pub named: Option<String>,
    /// What the journals say.
    pub found: Counterparts,
}

impl fmt::Display for InsiderReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counterparts {
            alone,
            counted,
            reported,
            together,
            claims,
            paid,
            rights,
            rounds,
        } = self.found;
        let done: u64 = self.done.values().sum();
        let refused: u64 = self.refused.values().sum();
        write!(
            f,
            "dishonest {:?}, house {}: {} acts, {done} done in {} ways, {refused} refused for {} \
             reasons, {} lives, {rounds} rounds; moved alone {alone} ({counted} counted by \
             another, {reported} in the report of exceptions), with a second person {together}, \
             {claims} of them claims; {paid} vouchers paid, {rights} rights changed by two",
            self.who,
            self.seed,
            self.acts,
            self.done.len(),
            self.refused.len(),
            self.lives,
        )?;
        match &self.named {
            Some(what) => write!(f, "; the verifier names false dice: {what}"),
            None => Ok(()),
        }
    }
}

/// Runs a house in which one person is dishonest.
///
/// # Errors
/// The first promise that was broken.
pub fn run_insider(who: Insider, seed: u64, acts: u64) -> Result<InsiderReport, Box<Failure>> {
    run_flawed_insider(who, seed, acts, HouseFlaw::None)
}

/// The same with a deliberate fault.
///
/// # Errors
/// As [`run_insider`].
pub fn run_flawed_insider(
    who: Insider,
    seed: u64,
    acts: u64,
    flaw: HouseFlaw,
) -> Result<InsiderReport, Box<Failure>> {
    let on = [
        Part::Vouchers,
        Part::Limits,
        Part::Disconnects,
        Part::Repeats,
        Part::PrinterFaults,
        Part::PowerCuts,
    ];
    let ran = World::over((seed, flaw), (Swarm::of(&on), Trace::default()), plan)
        .map(|world| Dishonest::new(world, who))
        .and_then(|house| house.run(acts));
    ran.map_err(|what| failed(seed, what))
}

/// A table with terminals and another of any kind, in a house with duties.
fn plan(draw: &mut Random, _: &Swarm) -> Result<HousePlan, String> {
    let mut plan = HousePlan::trial();
    let mut kept = Vec::new();
    for electronic in [true, false] {
        let fits = plan.tables.extract_if(.., |table| {
            !electronic || table.config.book.play.form.is == Form::Electronic
        });
        let mut fits: Vec<_> = fits.collect();
        kept.push(fits.swap_remove(draw.below(fits.len() as u64) as usize));
        plan.tables.extend(fits);
    }
    plan.tables = kept;
    for table in &mut plan.tables {
        table.config.window_ms = 1_000;
        table.dealer = DealerPlan::Automatic { pace: PACE };
        table.stations.truncate(3);
    }
    plan.duties = Some(DutiesPlan::default());
    // Whoever is dishonest has an honest colleague.
    for (name, position) in [
        ("Kwok Tin Lung", Position::PitManager),
        ("Sofia Almeida", Position::Director),
        ("Anders Holm", Position::Technician),
    ] {
        plan.staff.push((name.to_owned(), position));
    }
    Ok(plan)
}

/// What the dishonest person's attempts leave behind.
#[derive(Default)]
struct Came {
    /// Where they are logged in.
    present: Option<Present>,
    done: BTreeMap<String, u64>,
    refused: BTreeMap<String, u64>,
    open: u64,
}

impl Came {
    fn note(&mut self, name: String, outcome: Result<(), String>) {
        let (list, word) = match outcome {
            Ok(()) => (&mut self.done, name),
            Err(code) => (&mut self.refused, code),
        };
        *list.entry(word).or_default() += 1;
        self.open -= 1;
    }
}

struct Dishonest {
    world: World,
    who: Insider,
    honest: Honest,
    came: Arc<Mutex<Came>>,
    mind: Random,
    /// The life in which the honest ones logged in.
    life: u64,
    acts: u64,
}

impl Dishonest {
    fn new(mut world: World, who: Insider) -> Dishonest {
        let mind = world.people.fork();
        Dishonest {
            world,
            who,
            honest: Honest::default(),
            came: Arc::default(),
            mind,
            life: 0,
            acts: 0,
        }
    }

    fn run(mut self, acts: u64) -> Result<InsiderReport, String> {
        // A program that is down for long, or full queues, would make it endless.
        for _ in 0..acts * 40 {
            if self.acts >= acts {
                return self.end();
            }
            self.world.pass(30);
            if !self.there()? {
                continue;
            }
            self.world.turn(false)?;
            self.world.play(true)?;
            if self.mind.chance(TEMPTED) {
                self.tempt()?;
            }
            self.others()?;
            if self.world.chance.below(2_000) == 0 {
                self.world.power_cut()?;
            }
        }
        Err(format!("only {} acts of {acts} could be tried", self.acts))
    }

    /// The program runs, and everybody is logged in.
    fn there(&mut self) -> Result<bool, String> {
        if self.world.life.is_none() {
            self.world.begin_when_due()?;
        }
        if self.world.life.is_none() {
            return Ok(false);
        }
        if self.life != self.world.lives {
            self.life = self.world.lives;
            // What was on its way when the power went is never answered; a new
            // heap of results keeps a late answer of the old life out.
            let old = std::mem::take(&mut *self.came.lock());
            self.came = Arc::new(Mutex::new(Came {
                present: None,
                open: 0,
                ..old
            }));
            let own = self.insider()?;
            self.honest = Honest {
                cashier: self.greet(own, Position::Cashier, &Role::Cage),
                supervisor: self.greet(own, Position::PitSupervisor, &Role::PitDesk),
                technician: self.greet(own, Position::Technician, &Role::TechnicianDesk),
                manager: self.greet(own, Position::ShiftManager, &Role::PitDesk),
                director: self.greet(own, Position::Director, &Role::PitDesk),
            };
        }
        Ok(true)
    }

    /// The first who holds the position is the dishonest one.
    fn insider(&mut self) -> Result<PersonId, String> {
        let position = self.who.position();
        let house = self.world.house()?;
        let register = house.desk.register();
        let mut people = register.people.iter();
        // By who they were at the beginning: a position can be changed.
        let name = self
            .world
            .plan
            .staff
            .iter()
            .find(|(_, held)| *held == position);
        let (name, _) = name.ok_or("nobody holds the position")?;
        let found = people.find(|(_, person)| person.name == *name);
        found
            .map(|(id, _)| *id)
            .ok_or_else(|| "nobody of that name".to_owned())
    }

    /// The last who holds a position logs in; nobody where they were sent away.
    fn greet(&mut self, besides: PersonId, position: Position, role: &Role) -> Option<Present> {
        let person = {
            let house = self.world.house().ok()?;
            let register = house.desk.register();
            let mut people = register.people.iter().rev();
            let fits = people.find(|(id, known)| known.position == position && **id != besides);
            *fits?.0
        };
        let place = self.world.desks.iter().find(|(known, _)| known == role)?.1;
        self.world.log_in_at(person, Some(place)).ok()
    }

    fn table(&mut self) -> String {
        let tables = &self.world.plan.tables;
        self.mind.pick(tables).name.to_string()
    }

    /// The dishonest person tries something.
    fn tempt(&mut self) -> Result<(), String> {
        if self.came.lock().open >= AT_ONCE {
            return Ok(());
        }
        let house = self.world.house()?;
        let me = self.insider()?;
        let table = self.table();
        let mut sight = self.world.sight(&house, me, &table);
        // No table hears a technician: half of what they try is asked of the house.
        sight.of_house = self.who == Insider::Technician && self.mind.chance(500);
        let present = {
            let present = self.came.lock().present.clone();
            let sessions = &house.desk.register().sessions;
            present.filter(|present| sessions.contains_key(&present.session))
        };
        let attempt = match present {
            Some(_) => {
                let counter = Counter::of(&house, &table);
                sight.attempt(&mut self.mind, counter.as_ref())?
            }
            None => self.log_in_attempt(&house),
        };
        self.acts += 1;
        self.came.lock().open += 1;
        let came = Arc::clone(&self.came);
        let secret = self.mind.number();
        let honest = self.honest.anybody(&mut self.mind);
        self.world.spawn(async move {
            let who = (me, present, honest);
            let (name, outcome) = try_it(&house, who, (&table, &sight), attempt, secret).await;
            let mut came = came.lock();
            let outcome = outcome.map(|logged_in| {
                if logged_in.is_some() {
                    came.present = logged_in;
                }
            });
            came.note(name, outcome);
        })
    }

    /// Mostly at a place that is for them.
    fn log_in_attempt(&mut self, house: &House) -> Attempt {
        let position = self.who.position();
        let fits = self.world.desks.iter().filter(|(role, _)| {
            self.mind.chance(50) || sicbo_register::duties::fits(position, role)
        });
        let fits: Vec<EnrolmentId> = fits.map(|(_, place)| *place).collect();
        let live = |place: &&EnrolmentId| house.desk.register().enrolled(**place).is_some();
        let live: Vec<EnrolmentId> = fits.iter().filter(live).copied().collect();
        let place = (!live.is_empty()).then(|| *self.mind.pick(&live));
        Attempt::LogIn { place }
    }

    fn end(mut self) -> Result<InsiderReport, String> {
        for _ in 0..LAST_STEPS {
            self.world.pass(30);
            let quiet = self.world.players.iter().all(Player::is_quiet);
            match &self.world.life {
                None => self.world.begin_when_due()?,
                Some(life) if quiet && life.is_idle() && self.came.lock().open == 0 => {
                    return self.report();
                }
                Some(_) => {
                    self.world.turn(false)?;
                    self.world.play(false)?;
                }
            }
        }
        Err("it does not come to its end: somebody was never answered".to_owned())
    }

    fn report(self) -> Result<InsiderReport, String> {
        let world = &self.world;
        let ring = KeyRing::new(world.key.public());
        // Who deals can key dice that did not fall. Where the tumbler's own seed says otherwise the
        // verifier names the round, which is what it is for; every other fault is one.
        let journals = (&world.shelf, &world.streams[..]);
        let results = Results::default();
        // Everything else is looked at all the same.
        let told = (&world.players[..], &world.papers[..], &results);
        let (_, named) = examine(journals, &ring, told, |fault| fault.contains(FALSE_DICE))?;
        let named = named.into_iter().next();
        let found = judge(journals, |stream| bounds(&world.plan, stream))?;
        let came = std::mem::take(&mut *self.came.lock());
        if let Some(name) = came.done.keys().find(|name| name.starts_with(ALONE)) {
            return Err(format!("one person was taken for two: {name}"));
        }
        Ok(InsiderReport {
            seed: world.seed,
            who: self.who,
            acts: self.acts,
            done: came.done,
            refused: came.refused,
            lives: world.lives,
            named,
            found,
        })
    }
}

impl World {
    /// What somebody of the staff sees of a table and of the house.
    pub(super) fn sight(&self, house: &House, me: PersonId, table: &str) -> Sight {
        let mut sight = Sight {
            me: me.0,
            table: table.to_owned(),
            ..Sight::default()
        };
        if let Some(at) = house.table_at(table) {
            let state = at.hub.state();
            let known = &state.table;
            sight.unit = known.config.as_deref().map_or(100, |c| c.chip_unit.minor());
            sight.currency = known.config.as_deref().map(|config| config.currency);
            sight.stations = known.stations.len() as u64;
            let credits = known.stations.iter();
            sight.credits = credits.map(|station| station.credit.minor()).collect();
            sight.round = known.last_round.0;
            sight.pending = known.pending.iter().map(|one| one.id.0).collect();
            let entries = known.uncounted.iter();
            sight.entries = entries.map(|(id, one)| (*id, one.amount.minor())).collect();
            sight.recoverables = known.recoverables.keys().map(|id| id.0).collect();
            sight.unclaimed = known.unclaimed.keys().map(|id| id.0).collect();
        }
        let papers = self.papers.iter().rev().take(8);
        let papers = papers.filter_map(|paper| Number::parse(&paper.number).ok());
        sight.papers = papers.map(|number| house.voucher_digest(number)).collect();
        let register = house.desk.register();
        sight.people = register.people.len() as u64;
        sight.places = register.enrolments.len() as u64;
        let cage = register.enrolments.iter();
        let cage = cage.filter(|(_, known)| known.role == Role::Cage);
        sight.windows = cage.map(|(id, _)| *id).collect();
        sight.vouchers = register.vouchers.keys().rev().take(8).copied().collect();
        sight.sessions = register.sessions.keys().copied().collect();
        sight
    }
}

/// What the plan says of a table.
fn bounds(plan: &HousePlan, stream: &StreamId) -> Option<MoneyDuties> {
    let mut tables = plan.tables.iter();
    let table = tables.find(|table| table.name.as_str() == stream.as_str())?;
    Some(plan.duties.as_ref()?.money_of(&table.config))
}

/// Tries something; where it is a log-in that stood, the person is there now.
async fn try_it(
    house: &Arc<House>,
    (me, present, honest): (PersonId, Option<Present>, Option<Present>),
    (table, sight): (&str, &Sight),
    attempt: Attempt,
    secret: u64,
) -> (String, Result<Option<Present>, String>) {
    let (Some(present), false) = (present, matches!(attempt, Attempt::LogIn { .. })) else {
        let place = match attempt {
            Attempt::LogIn { place } => place,
            _ => None,
        };
        return (
            "log-in".to_owned(),
            log_in(house, me, place, secret).await.map(Some),
        );
    };
    let (name, outcome) = match attempt {
        Attempt::Do(act) => {
            let done = acts::act(house, &present, table, &act).await;
            (act.name(), done.map(drop).map_err(|problem| problem.code))
        }
        Attempt::Propose(act) => {
            let name = format!("propose {}", act.name());
            let done = acts::propose(house, present, table, act).await;
            (name, done.map(drop).map_err(|problem| problem.code))
        }
        Attempt::Confirm => {
            let done = confirm_one(house, &present, table, secret).await;
            ("confirm".to_owned(), done)
        }
        Attempt::ProposeToHouse(act) => {
            let name = format!("{ALONE}{}", act.word());
            (name, confirm_alone(house, present, act).await)
        }
        Attempt::WithAnother(act) => {
            let name = format!("{TOGETHER}{}", act.word());
            let both = match (honest, secret.is_multiple_of(2)) {
                (Some(honest), true) => Some((present, honest)),
                (Some(honest), false) => Some((honest, present)),
                (None, _) => None,
            };
            let entry = Counter::of(house, table).and_then(|all| all.entry_of(sight, &act));
            let done = match (both, entry) {
                (Some(both), Some(entry)) => together_for_house(house, both, act, entry).await,
                (None, _) => Err("nobody_is_there".to_owned()),
                (_, None) => Err("not_of_this_house".to_owned()),
            };
            (name, done)
        }
        Attempt::Register { act, with_oneself } => {
            let name = name_of(&act);
            let second = with_oneself.then_some(me);
            let entered = house.desk.ask(Party::Person(me), second, act).await;
            (name, answered(&entered.answer))
        }
        Attempt::LogIn { .. } => ("log-in".to_owned(), Ok(())),
    };
    (name, outcome.map(|()| None))
}

fn answered(answer: &Answer<sicbo_register::Refusal>) -> Result<(), String> {
    match answer {
        Answer::Done { .. } => Ok(()),
        Answer::Refused(refusal) => Err(refusal.reason.code().to_owned()),
        _ => Err("busy".to_owned()),
    }
}

/// Proposes something for the house and confirms it as if they were two.
async fn confirm_alone(
    house: &Arc<House>,
    me: Present,
    act: sicbo_wire::pit::HouseAct,
) -> Result<(), String> {
    let own = me.staff.person;
    let proposed = house.propose(&house.proposals, None, act, me).await;
    let proposed = proposed.map_err(|problem| problem.code)?.proposed();
    let stands = house
        .to_be_confirmed(&house.proposals, own, proposed.proposal, &proposed.digest)
        .await;
    let proposal = stands.map_err(|problem| problem.code)?;
    let ended = match proposal {
        Ok(_) => Ok(()),
        Err(proposal) => house
            .both_present(&proposal, own)
            .map_err(|problem| problem.code),
    };
    // Room for the next one.
    let withdrawn = House::withdraw(&house.proposals, own, proposed.proposal);
    if withdrawn.is_ok() {
        house.record_ended(&house.proposals).await;
    }
    ended
}

async fn log_in(
    house: &House,
    person: PersonId,
    place: Option<EnrolmentId>,
    secret: u64,
) -> Result<Present, String> {
    let known = {
        let register = house.desk.register();
        register.people.get(&person).cloned()
    };
    let known = known.ok_or_else(|| "unknown".to_owned())?;
    let right = PinRight {
        person,
        pin_version: known.pin_version,
    };
    let act = Act::LogIn {
        name: known.name.clone(),
        right: Some(right),
        place,
    };
    let entered = house.desk.ask(Party::House, None, act).await;
    answered(&entered.answer)?;
    let session = entered.facts.iter().find_map(|fact| match fact {
        Fact::LoggedIn { session, .. } => Some(*session),
        _ => None,
    });
    let session = session.ok_or_else(|| "not_let_in".to_owned())?;
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&secret.to_be_bytes());
    let logged_in = LoggedIn::new(session, person, place, house.clock.steady_ms());
    drop(house.sessions.begin(logged_in, bytes));
    Ok(Present {
        staff: Staff {
            person,
            position: known.position,
        },
        name: known.name,
        session,
        place,
    })
}
