//! Limits of play: what is left of them is granted to the table, which spends
//! it (see [`sicbo_table::grant`]).
//!
//! Here is asked what only the house can answer: whether play is stopped, a
//! break is taken, a look is due, or the card is in use elsewhere.

use sicbo_loop::Answer;
use sicbo_register::play::NoPlay;
use sicbo_register::play::held::Reading;
use sicbo_register::voucher::Place;
use sicbo_rules::{Money, broken};
use sicbo_table::actor::Actor;
use sicbo_table::grant::PlayGrant;
use sicbo_table::ids::StationId;
use sicbo_table::{Act, Command};

use crate::house::House;
use crate::hub::{Hub, Reply};
use sicbo_wire::problem::Problem;

/// Whether a bet may go to its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Permission {
    /// The table has what it needs to decide.
    Granted,
    /// What was granted elsewhere is not withdrawn on record yet: to be asked
    /// again in a moment.
    Wait,
    /// The table has no room, or what it was granted is not on record yet: to
    /// be asked again in a moment.
    Busy,
}

impl House {
    /// Whether whoever is at a station is held to nothing: of whom nothing is on record only the
    /// reality check is asked, and no lock of the house is taken for them.
    pub fn plays_freely(&self, hub: &Hub, station: StationId) -> bool {
        if broken("limits:asked") {
            return true;
        }
        let (played_ms, on_record) = hub.asks(station, self.clock.now_ms());
        let unasked_ms = i64::from(self.plan.reality_check_minutes) * 60_000;
        !on_record && played_ms < unasked_ms
    }

    /// Whether what the player at a station asked to be held to lets them
    /// stake `more`. What is left is granted before the bet is handed in.
    ///
    /// # Errors
    /// Why they may not.
    pub fn may_stake(&self, hub: &Hub, here: &Place, more: Money) -> Result<Permission, NoPlay> {
        let now_ms = self.clock.now_ms();
        if self.plays_freely(hub, here.station) {
            return Ok(Permission::Granted);
        }
        let Some((seated, stands)) = hub.seated(here.station, now_ms) else {
            return Ok(Permission::Granted);
        };
        let granted = {
            let state = hub.state();
            let station = state.table.station(here.station);
            station.map(|station| station.play_grant())
        };
        let sitting = self.sitting(&seated);
        let card = self.desk.register().play_of(here, &sitting).card;
        // Tables are looked at before the register: see `Desk::uncounted`.
        let open = card.map(|card| self.desk.granted_elsewhere(card.member, here));
        let elsewhere = card.map(|card| self.desk.uncounted_elsewhere(card.member, here));
        let reading = Reading {
            at_ms: now_ms,
            offset_min: i64::from(self.plan.zone.offset_minutes(now_ms)),
            meters: stands.meters,
            clock: seated.clock,
            elsewhere: elsewhere.unwrap_or_default(),
        };
        // The register is held until the grant is handed in: whoever takes the
        // card elsewhere withdraws this grant, and comes after it.
        let register = self.desk.register();
        let play = register.play_of(here, &sitting);
        let held = register.held(here, &play);
        let no = held.may_stake(&reading, more).err();
        let wanted = kept(granted, held.grant(stands.since, &reading), now_ms);
        if let Some(no) = no {
            // The table holds them to it as well, whatever door the next bet
            // comes through. Where it has no room the house said no all the same.
            if wanted.hold.is_some() && granted != Some(wanted) {
                let _ = self.grant(hub, here, wanted);
            }
            return Err(no);
        }
        let limited = (wanted.staked_to, wanted.lost_to) != (None, None);
        let open = open.filter(|_| limited);
        if let Some(open) = open.filter(|open| !open.is_empty()) {
            for (place, visit) in open {
                if let Some(hub) = self.table(&place.table) {
                    let _ = self.grant(&hub, &place, PlayGrant::withdrawn(visit));
                }
            }
            return Ok(Permission::Wait);
        }
        if granted == Some(wanted) {
            return Ok(Permission::Granted);
        }
        match self.grant(hub, here, wanted) {
            Err(Answer::Busy) => Ok(Permission::Busy),
            // Other stations see a grant once it is on record. One that was
            // withdrawn still looks so to them, and a bet on top of the new one
            // would be seen by nobody.
            Ok(()) if granted.is_some_and(|known| known.is_withdrawn()) => Ok(Permission::Busy),
            // A table that has stopped says so of the bet itself.
            _ => Ok(Permission::Granted),
        }
    }

    /// Hands the table what holds for whoever is at a station before staff take
    /// chips or a spoken bet for them; the table decides.
    ///
    /// # Errors
    /// While the table does not have it: the bet is to be handed in again in a moment.
    pub fn hold_to_limits(&self, hub: &Hub, here: &Place) -> Result<(), Problem> {
        if !hub.asks(here.station, self.clock.now_ms()).1 {
            return Ok(());
        }
        match self.may_stake(hub, here, Money::ZERO) {
            // What the house refuses, the table was told and refuses with its own words.
            Ok(Permission::Granted) | Err(_) => Ok(()),
            Ok(Permission::Wait | Permission::Busy) => Err(Problem::busy()),
        }
    }

    /// Hands a grant in; the table says nothing of one that changes nothing.
    fn grant(
        &self,
        hub: &Hub,
        place: &Place,
        grant: PlayGrant,
    ) -> Result<(), Answer<sicbo_table::Refusal>> {
        let command = Command {
            id: 0,
            at_ms: self.clock.now_ms(),
            by: Actor::House,
            second: None,
            act: Act::GrantPlay {
                station: place.station,
                grant,
            },
        };
        hub.submit(Reply::Nobody, command)
            .map_err(|(_, answer)| answer)
    }
}

/// The grant that a table gets: a hold that lies ahead moves with every pause
/// of play, and one that is there already, stricter and not yet reached, stays,
/// so that a bet makes no record of its own.
fn kept(granted: Option<PlayGrant>, wanted: PlayGrant, now_ms: i64) -> PlayGrant {
    let known = granted.filter(|known| known.visit == wanted.visit);
    let (Some(was), Some(will)) = (known.and_then(|known| known.hold), wanted.hold) else {
        return wanted;
    };
    let ahead = now_ms < was.from_ms && was.from_ms <= will.from_ms;
    let holds = was.from_ms <= now_ms && will.from_ms <= now_ms;
    match (ahead || holds) && was.why == will.why {
        true => PlayGrant {
            hold: Some(was),
            ..wanted
        },
        false => wanted,
    }
}
