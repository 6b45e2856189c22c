//! What goes over more than one desk: a player's own limit, and two persons who
//! adjust credit.

use std::sync::Arc;

use sicbo_house::acts;
use sicbo_loop::Answer;
use sicbo_register::play::{PlayLimits, PlayStep};
use sicbo_register::voucher::Place;
use sicbo_register::{Act, Party};
use sicbo_rules::Money;
use sicbo_wire::acts::Confirmation;
use sicbo_wire::staff::StaffAct;

use super::World;
use super::checks::Adjusted;

impl World {
    /// A player who wants a limit asks for it as soon as there is credit.
    pub(super) fn limit(&mut self, number: usize) -> Result<(), String> {
        let player = &self.players[number];
        let Some(limit) = player.limit else {
            return Ok(());
        };
        if player.limit_asked || player.credit() == 0 || self.people.below(10) != 0 {
            return Ok(());
        }
        let place = Place {
            table: player.table.clone(),
            station: player.station,
        };
        let by = Party::Place(player.enrolment);
        let house = self.house()?;
        let results = Arc::clone(&self.results);
        self.spawn(async move {
            let hub = house.table(&place.table);
            let now_ms = house.clock.now_ms();
            let seated = hub.and_then(|hub| hub.seated(place.station, now_ms));
            let Some((seated, _)) = seated else { return };
            let limits = PlayLimits {
                spend: Some(Money::from_minor(limit)),
                ..PlayLimits::default()
            };
            let act = Act::StepPlay {
                place,
                sitting: house.sitting(&seated),
                step: PlayStep::Limit { limits },
            };
            let entered = house.desk.ask(by, None, act).await;
            if matches!(entered.answer, Answer::Done { .. }) {
                let mut results = results.lock();
                results.limited.push(number);
            }
        })
    }

    /// Two persons adjust the credit of a terminal; the second now and then
    /// confirms twice.
    pub(super) fn adjust(&mut self) -> Result<(), String> {
        let house = self.house()?;
        let Some(pair) = &self.pair else {
            return Ok(());
        };
        let (first, second) = (pair.first.clone(), pair.second.clone());
        if self.players.is_empty() {
            return Ok(());
        }
        let player = &self.players[self.people.below(self.players.len() as u64) as usize];
        self.requests += 1;
        let (table, station) = (player.table.to_string(), player.station.0);
        let (request, amount) = (self.requests, player.unit);
        let twice = self.people.chance(300);
        let results = Arc::clone(&self.results);
        self.spawn(async move {
            let act = StaffAct::Adjust {
                request,
                station,
                amount,
                reason: "a note was read twice".to_owned(),
            };
            let Ok(proposed) = acts::propose(&house, first, &table, act).await else {
                return;
            };
            let confirmation = Confirmation {
                digest: proposed.digest,
                dice: None,
            };
            for _ in 0..1 + u32::from(twice) {
                let stated = confirmation.clone();
                let who = second.clone();
                let done = acts::confirm(&house, who, &table, proposed.proposal, stated).await;
                if done.is_ok_and(|done| !done.again) {
                    let mut results = results.lock();
                    results.adjusted.push(Adjusted {
                        table: table.clone(),
                        station,
                        request,
                        amount,
                    });
                }
            }
        })
    }
}
