//! Honest people beside a dishonest one: they count what was moved, confirm what is proposed now
//! and then, correct rounds, and let a table go on.

use std::sync::Arc;

use sicbo_house::acts;
use sicbo_house::house::{House, Present, TableAt};
use sicbo_register::command::PinRight;
use sicbo_register::play::PlayStep;
use sicbo_register::voucher::Place;
use sicbo_register::{Act, Party};
use sicbo_table::command::Ruling;
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::pending::Question as Q;
use sicbo_table::table::Status;
use sicbo_wire::acts::Confirmation;
use sicbo_wire::pit::HouseAct;
use sicbo_wire::problem::Problem;
use sicbo_wire::staff::StaffAct;

use super::super::PIN;
use super::{Dishonest, answered};
use crate::random::Random;

/// Honest people who are logged in.
#[derive(Default)]
pub(super) struct Honest {
    pub(super) cashier: Option<Present>,
    pub(super) supervisor: Option<Present>,
    pub(super) technician: Option<Present>,
    pub(super) manager: Option<Present>,
    pub(super) director: Option<Present>,
}

impl Honest {
    /// Whoever is asked to be the second person, and thinks nothing of it.
    pub(super) fn anybody(&self, random: &mut Random) -> Option<Present> {
        let all = [
            &self.director,
            &self.manager,
            &self.supervisor,
            &self.technician,
            &self.cashier,
        ];
        let there: Vec<&Present> = all.into_iter().flatten().collect();
        (!there.is_empty()).then(|| (*random.pick(&there)).clone())
    }
}

impl Dishonest {
    /// What honest people do meanwhile: they count what was moved, look at what is proposed, and
    /// let a table go on.
    pub(super) fn others(&mut self) -> Result<(), String> {
        let house = self.world.house()?;
        let name = self.table();
        let Some(at) = house.table_at(&name) else {
            return Ok(());
        };
        match self.mind.below(60) {
            0 => {
                let entries: Vec<(u64, i64)> = {
                    let state = at.hub.state();
                    let all = state.table.uncounted.iter();
                    all.map(|(id, one)| (*id, one.amount.minor())).collect()
                };
                if entries.is_empty() {
                    return Ok(());
                }
                let (entry, amount) = *self.mind.pick(&entries);
                // Now and then the drawer holds something else.
                let amount = amount - i64::from(self.mind.chance(100));
                let act = StaffAct::CountMoney { entry, amount };
                self.ask(self.honest.cashier.clone(), name, act)
            }
            1..=3 => match mending(at) {
                None => Ok(()),
                Some((Whose::Manager, act)) => self.ask(self.honest.manager.clone(), name, act),
                Some((Whose::Director, act)) => self.ask(self.honest.director.clone(), name, act),
                Some((Whose::Two, act)) => self.by_two(&house, name, act),
            },
            4 if self.mind.chance(200) => self.confirm(&house, &name),
            5 if self.mind.chance(300) => self.correct(&house, name),
            6 => self.put_right(&house),
            7 => self.let_play_on(&house, at),
            _ => Ok(()),
        }
    }

    /// Two honest persons correct one of the last rounds: somebody is owed something then, or has
    /// too much, and one person may pay or waive it.
    fn correct(&mut self, house: &Arc<House>, name: String) -> Result<(), String> {
        let last = house
            .table_named(&name)
            .map(|at| at.hub.state().table.last_round.0);
        let round = last.unwrap_or(0).saturating_sub(self.mind.below(4)).max(1);
        let act = StaffAct::CorrectResult {
            round,
            dice: [(); 3].map(|()| self.mind.below(6) as u8 + 1),
            evidence: "the recording".to_owned(),
            conducted: Some(true),
        };
        self.by_two(house, name, act)
    }

    /// Whoever was given a PIN changes it, and a manager sees them log in: without that two persons
    /// who were harassed would be nobody's second for good.
    fn put_right(&mut self, house: &Arc<House>) -> Result<(), String> {
        let given: Option<PinRight> = {
            let register = house.desk.register();
            let mut people = register.people.iter().filter(|(_, known)| known.one_time);
            people.next().map(|(person, known)| PinRight {
                person: *person,
                pin_version: known.pin_version,
            })
        };
        let unseen = {
            let register = house.desk.register();
            let unseen = register.people.iter().filter(|(_, known)| !known.is_seen());
            let unseen: Vec<PersonId> = unseen.map(|(person, _)| *person).collect();
            unseen
        };
        let (by, act) = match (given, unseen.is_empty(), &self.honest.manager) {
            (Some(old), _, _) => {
                let pin = PIN.to_owned();
                (old.person, Act::ChangePin { old, pin })
            }
            (None, false, Some(manager)) => {
                let person = *self.mind.pick(&unseen);
                (manager.staff.person, Act::WitnessLogIn { person })
            }
            _ => return Ok(()),
        };
        self.enter_for(house, by, act)
    }

    /// A shift manager lets somebody play on whom a dishonest person has stopped.
    fn let_play_on(&mut self, house: &Arc<House>, at: &TableAt) -> Result<(), String> {
        let Some(manager) = &self.honest.manager else {
            return Ok(());
        };
        let by = manager.staff.person;
        let stations = at.hub.state().table.stations.len() as u64;
        let station = StationId(self.mind.below(stations.max(1)) as u32);
        let Some((seated, _)) = at.hub.seated(station, house.clock.now_ms()) else {
            return Ok(());
        };
        let act = Act::StepPlay {
            place: Place {
                table: at.hub.name.clone(),
                station,
            },
            sitting: house.sitting(&seated),
            step: PlayStep::Resume {
                reason: "nothing was wrong".to_owned(),
            },
        };
        self.enter_for(house, by, act)
    }

    fn enter_for(&mut self, house: &Arc<House>, by: PersonId, act: Act) -> Result<(), String> {
        let house = Arc::clone(house);
        self.world.spawn(async move {
            drop(house.desk.ask(Party::Person(by), None, act).await);
        })
    }

    /// The director and a supervisor do it together.
    fn by_two(&mut self, house: &Arc<House>, name: String, act: StaffAct) -> Result<(), String> {
        let both = (self.honest.director.clone(), self.honest.supervisor.clone());
        let (Some(first), Some(second)) = both else {
            return Ok(());
        };
        let house = Arc::clone(house);
        self.world.spawn(async move {
            drop(together(&house, first, second, &name, act).await);
        })
    }

    fn ask(&mut self, who: Option<Present>, table: String, act: StaffAct) -> Result<(), String> {
        let house = self.world.house()?;
        let Some(who) = who else {
            return Ok(());
        };
        self.world.spawn(async move {
            // Honest people may come too late as well.
            drop(acts::act(&house, &who, &table, &act).await);
        })
    }

    /// A supervisor confirms what somebody proposed.
    fn confirm(&mut self, house: &Arc<House>, name: &str) -> Result<(), String> {
        let Some(who) = self.honest.supervisor.clone() else {
            return Ok(());
        };
        let (house, name) = (Arc::clone(house), name.to_owned());
        let which = self.mind.number();
        self.world.spawn(async move {
            drop(confirm_one(&house, &who, &name, which).await);
        })
    }
}

/// Whose it is to let a table go on.
enum Whose {
    Manager,
    Director,
    Two,
}

/// What would let a table go on.
fn mending(at: &TableAt) -> Option<(Whose, StaffAct)> {
    let state = at.hub.state();
    let table = &state.table;
    if let Some(pending) = table.pending.first() {
        let number = pending.id.0;
        let rule = |ruling| StaffAct::Rule {
            pending: number,
            ruling,
            reason: "play goes on".to_owned(),
        };
        return Some(match &pending.question {
            Q::TechnicalStop { .. } => (Whose::Director, rule(Ruling::NotAffected)),
            Q::CorrectionProposed { .. } => (Whose::Director, rule(Ruling::Release)),
            Q::AffectedRounds { .. } => (Whose::Two, rule(Ruling::Accept)),
            Q::DeviceFailure | Q::TerminalOpenCase { .. } => {
                (Whose::Director, rule(Ruling::Accept))
            }
            Q::Interrupted { .. } => {
                let act = StaffAct::ConfirmInterruption {
                    pending: number,
                    dice_in_place: false,
                };
                (Whose::Director, act)
            }
            _ => (Whose::Director, rule(Ruling::Void)),
        });
    }
    let dice_set = table.config.as_deref()?.dice_set.clone();
    if table.dice_condemned || table.damaged.contains(&dice_set) {
        let text = "measured again".to_owned();
        return Some((Whose::Two, StaffAct::FindDiceSound { dice_set, text }));
    }
    match table.status {
        Status::Suspended => Some((Whose::Manager, StaffAct::Resume {})),
        Status::Closed => Some((Whose::Manager, StaffAct::OpenTable {})),
        Status::Open => None,
    }
}

/// Two honest persons do something.
async fn together(
    house: &Arc<House>,
    first: Present,
    second: Present,
    table: &str,
    act: StaffAct,
) -> Result<(), String> {
    let dice = act.stated_dice();
    let proposed = acts::propose(house, first, table, act).await;
    let proposed = proposed.map_err(|problem| problem.code)?;
    let number = (proposed.proposal, proposed.digest);
    confirm(house, second, table, number, dice).await
}

async fn confirm(
    house: &Arc<House>,
    who: Present,
    table: &str,
    (proposal, digest): (u64, String),
    dice: Option<[u8; 3]>,
) -> Result<(), String> {
    let stated = Confirmation { digest, dice };
    let done = acts::confirm(house, who, table, proposal, stated).await;
    done.map(drop).map_err(|problem| problem.code)
}

/// One proposes something for the house and the other confirms it, as over their screens; `entry`
/// is what the register is asked to enter then.
pub(super) async fn together_for_house(
    house: &Arc<House>,
    (first, second): (Present, Present),
    act: HouseAct,
    entry: Act,
) -> Result<(), String> {
    let code = |problem: Problem| problem.code;
    let (by, with) = (first.staff.person, second.staff.person);
    let proposed = house.propose(&house.proposals, None, act, first).await;
    let proposed = proposed.map_err(code)?.proposed();
    let (number, digest) = (proposed.proposal, proposed.digest);
    let done = confirmed_for_house(house, (by, with), (number, &digest), entry).await;
    // What was not done waits no longer: room for the next one.
    let _ = House::withdraw(&house.proposals, by, number);
    house.record_ended(&house.proposals).await;
    done
}

async fn confirmed_for_house(
    house: &Arc<House>,
    (by, with): (PersonId, PersonId),
    (number, digest): (u64, &str),
    entry: Act,
) -> Result<(), String> {
    let code = |problem: Problem| problem.code;
    let stands = house.to_be_confirmed(&house.proposals, with, number, digest);
    let Err(proposal) = stands.await.map_err(code)? else {
        return Ok(());
    };
    house.both_present(&proposal, with).map_err(code)?;
    let begun = house.begin_confirmed(&house.proposals, with, number, digest);
    let Err((ends, under_way)) = begun.await.map_err(code)? else {
        return Ok(());
    };
    let entered = house.desk.ask(Party::Person(by), Some(with), entry).await;
    let outcome = answered(&entered.answer);
    {
        let done = outcome.as_ref().map(|()| (1, false));
        let done = done.map_err(|code| Problem::conflict("not_entered", code.clone()));
        let mut open = house.proposals.lock();
        open.end(number, ends, done);
    }
    drop(under_way);
    outcome
}

/// Confirms something that waits at a table.
pub(super) async fn confirm_one(
    house: &Arc<House>,
    who: &Present,
    table: &str,
    which: u64,
) -> Result<(), String> {
    let waits = acts::proposals(house, table).map_err(|problem| problem.code)?;
    let count = waits.len().max(1) as u64;
    let one = waits.get((which % count) as usize);
    let one = one.ok_or_else(|| "nothing_waits".to_owned())?;
    let number = (one.proposal, one.digest.clone());
    confirm(house, who.clone(), table, number, None).await
}
