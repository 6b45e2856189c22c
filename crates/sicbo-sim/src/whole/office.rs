//! What staff of a simulated house do beside dealing: everything that their
//! screens have, by whoever it may be, alone or with somebody; the cage pays
//! papers, and what was closed is opened again.

use sicbo_house::desk::Entered;
use sicbo_loop::Answer;
use sicbo_register::dice::{DiceSet, DiceStep};
use sicbo_register::play::PlayStep;
use sicbo_register::voucher::Place;
use sicbo_register::{Act, Party};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::table::Status;

use super::World;
use super::crew::POSITIONS;
use super::story::words;
use super::swarm::Part;

/// Somebody does something in one step of so many.
const STEPS_BETWEEN: u64 = 8;

impl World {
    /// Somebody does something, or nothing.
    pub(super) fn office(&mut self) -> Result<(), String> {
        let on = self.swarm.has(Part::Office) && self.people.below(STEPS_BETWEEN) == 0;
        if !on || self.life.is_none() {
            return Ok(());
        }
        let house = self.house()?;
        let number = self.people.below(self.crews.len() as u64) as usize;
        let table = self.crews[number].table.to_string();
        let by = *self.people.pick(&POSITIONS);
        let Some(me) = self.present.get(&by).map(|present| present.staff.person) else {
            return Ok(());
        };
        let stopped = house.table_at(&table).and_then(|at| {
            let status = at.hub.state().table.status.clone();
            match status {
                Status::Suspended => Some("resume"),
                Status::Closed => Some("open_table"),
                Status::Open => None,
            }
        });
        if let Some(act) = stopped.filter(|_| self.people.chance(300)) {
            let act = serde_json::json!({ "act": act });
            return self.speak(number, (Position::PitManager, None), act.to_string());
        }
        let sight = self.sight(&house, me, &table);
        if self.people.chance(60) {
            return self.step_play();
        }
        if self.people.chance(250) {
            let act = match self.people.chance(200) {
                true => self.dice_act(number),
                false => sight.entry(&mut self.people),
            };
            let second = self.people.pick(&POSITIONS);
            let second = self.present.get(second).map(|present| present.staff.person);
            let second = second.filter(|_| self.people.chance(400));
            return match leaves_staff(&act) {
                true => self.ask_register(Party::Person(me), second, act),
                false => Ok(()),
            };
        }
        let text = sight.sentence(&mut self.people);
        // Dice that did not fall, where the tumbler's own seed says which did, are what the
        // verifier is for; here they would end the house.
        if text.contains("\"dice\":") && !self.crews[number].deals {
            return Ok(());
        }
        let second = *self.people.pick(&POSITIONS);
        let second = Some(second).filter(|_| self.people.chance(400));
        self.speak(number, (by, second), text)
    }

    /// Dice change hands.
    fn dice_act(&mut self, number: usize) -> Act {
        let random = &mut self.people;
        let text = "seen".to_owned();
        let table = self.crews[number].table.clone();
        let step = match random.below(6) {
            0 => DiceStep::Receive {
                seal: "S-1".to_owned(),
            },
            1 => DiceStep::Inspect {
                good: random.chance(700),
                text,
            },
            2 => DiceStep::Place { table },
            3 => DiceStep::Remove { text },
            4 => DiceStep::Quarantine { text },
            _ => DiceStep::Destroy { text },
        };
        let set = format!("D{}", random.below(4));
        match DiceSet::new(&set) {
            Some(set) => Act::StepDice { set, step },
            None => Act::ExpireVouchers,
        }
    }

    /// A player takes a break, or is stopped, or looks at how they stand.
    fn step_play(&mut self) -> Result<(), String> {
        if self.players.is_empty() {
            return Ok(());
        }
        let player = &self.players[self.people.below(self.players.len() as u64) as usize];
        let (place, enrolment) = (
            Place {
                table: player.table.clone(),
                station: player.station,
            },
            player.enrolment,
        );
        let reason = "asked".to_owned();
        let step = match self.people.below(8) {
            0 => PlayStep::Break { minutes: 1 },
            1 => PlayStep::Stop { reason },
            2 | 3 => PlayStep::Resume { reason },
            4 => PlayStep::Check { minutes: Some(1) },
            5 => PlayStep::Check { minutes: Some(0) },
            _ => PlayStep::Acknowledge,
        };
        let by = match self.present.get(self.people.pick(&POSITIONS)) {
            Some(present) if self.people.chance(500) => Party::Person(present.staff.person),
            _ => Party::Place(enrolment),
        };
        let house = self.house()?;
        let hub = house.table(&place.table);
        let seated = hub.and_then(|hub| hub.seated(place.station, house.clock.now_ms()));
        let Some((seated, _)) = seated else {
            return Ok(());
        };
        let sitting = house.sitting(&seated);
        let act = Act::StepPlay {
            place,
            sitting,
            step,
        };
        self.ask_register(by, None, act)
    }

    /// Somebody asks something of the register.
    fn ask_register(
        &mut self,
        by: Party,
        second: Option<sicbo_table::ids::PersonId>,
        act: Act,
    ) -> Result<(), String> {
        let house = self.house()?;
        let results = std::sync::Arc::clone(&self.results);
        let told = format!("{act:?}");
        let name = told.split([' ', '{']).next().unwrap_or_default().to_owned();
        let name_told = name.clone();
        self.trace.tell(self.clock.now_ms(), || {
            let by = match by {
                Party::Person(person) => format!("person {}", person.0),
                Party::Place(place) => format!("place {}", place.0),
                Party::House => "the house".to_owned(),
            };
            let with = second.map(|second| format!(" with person {}", second.0));
            let with = with.unwrap_or_default();
            format!(
                "{by}{with} asks the register: {}",
                words::code_name(&name_told)
            )
        });
        self.spawn(async move {
            let Entered { answer, .. } = house.desk.ask(by, second, act).await;
            let mut results = results.lock();
            match answer {
                Answer::Done { .. } => results.reach(format!("register {name}")),
                Answer::Refused(refusal) => {
                    results.reach(format!("refusal {}", refusal.reason.code()));
                }
                _ => {}
            }
        })
    }
}

/// Those who work here still do afterwards, each in their position: nobody comes
/// in this world who would put it right.
fn leaves_staff(act: &Act) -> bool {
    !matches!(
        act,
        Act::ChangePosition { .. }
            | Act::Disable { .. }
            | Act::ResetPin { .. }
            | Act::Enable { .. }
            | Act::Revoke { .. }
            | Act::LogOut { .. }
    )
}
