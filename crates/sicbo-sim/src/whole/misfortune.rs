//! What goes wrong with a simulated house as a whole, and how it is mended: the
//! power, tables whose journals failed, clocks, plans that change, copies that
//! are put back; and whether everything has come to rest.

use std::sync::Arc;

use sicbo_clock::HouseClock;
use sicbo_house::clock;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::table::Status;

use super::crew::POSITIONS;
use super::life::Ground;
use super::story::words;
use super::stream::NotBack;
use super::swarm::Part;
use super::{HouseFlaw, Player, World};

/// Clocks are compared this often.
const COMPARE_EVERY_MS: i64 = 200;

impl World {
    /// Something goes wrong now and then, and what went wrong is mended.
    pub(super) fn go_wrong(&mut self) -> Result<(), String> {
        if self.swarm.has(Part::Clocks) && self.trouble.below(400) == 0 {
            let by_ms = self.time.disturb(&mut self.trouble);
            let what = match by_ms {
                1_000.. => "fault the clock jumped",
                ..=-1_000 => "fault the clock ran back",
                _ => "fault the clock drifted",
            };
            self.met(what, || format!("the machine's clock moves by {by_ms} ms"));
        }
        if self.swarm.has(Part::Copies) && self.trouble.below(600) == 0 && !self.planned {
            let copy = self.shelf.copy(&self.streams)?;
            self.copy = Some(copy);
            self.met("fault a copy is made", || {
                "a copy is made of every journal".to_owned()
            });
        }
        if self.swarm.has(Part::Absent) && self.trouble.below(300) == 0 {
            let who = *self.trouble.pick(&POSITIONS);
            let until_ms = self.time.steady_ms() + self.trouble.between(1_000, 20_000);
            self.away = Some((who, until_ms));
            self.met("fault somebody is not there", || {
                format!("the {} is not there for a while", words::position(who))
            });
        }
        if self.swarm.has(Part::Drift) && self.trouble.below(400) == 0 {
            let ppm = self.trouble.between(-20_000, 20_000);
            self.time.drift(ppm);
            self.met("fault the clock runs at another rate", || {
                format!("the machine's clock gains {ppm} millionths")
            });
        }
        if self.has_backups() && self.trouble.below(500) == 0 {
            self.back_up()?;
        }
        self.mend()?;
        if self.swarm.has(Part::PowerCuts) && self.trouble.below(500) == 0 {
            self.power_cut()?;
        }
        Ok(())
    }

    /// Tables that stopped are started again, and somebody looks at the clocks.
    pub(super) fn mend(&mut self) -> Result<(), String> {
        let now_ms = self.time.steady_ms();
        if self.planned && now_ms >= self.mended_ms {
            self.shelf.mend();
        }
        self.compare_clocks()?;
        let Some(life) = &mut self.life else {
            return Ok(());
        };
        for number in life.stopped() {
            if now_ms < self.mended_ms {
                continue;
            }
            let ground = Ground {
                plan: &self.plan,
                shelf: &self.shelf,
                clock: &self.clock,
                key: &self.key,
                lines: &self.lines,
                money_bounds: self.flaw != HouseFlaw::NoMoneyDuties,
                vouchers: self.vouchers,
            };
            match life.restart(&ground, number) {
                Ok(()) => {}
                Err(NotBack::Older(what)) => {
                    return Err(format!("a table that stopped does not come back: {what}"));
                }
                Err(what) if !self.planned => {
                    return Err(format!("a table that stopped does not come back: {what}"));
                }
                Err(_) => {
                    self.mended_ms = now_ms + 500;
                    return Ok(());
                }
            }
            self.results
                .lock()
                .reach("fault a table restarted".to_owned());
            let at_ms = self.clock.now_ms();
            self.trace.tell(at_ms, || {
                format!("table number {} is started again", number + 1)
            });
        }
        let stopped = self.life()?.stopped();
        if stopped.is_empty() && now_ms >= self.mended_ms {
            self.planned = false;
        }
        Ok(())
    }

    /// The clocks are compared as a server does it, and a supervisor looks.
    fn compare_clocks(&mut self) -> Result<(), String> {
        let now_ms = self.time.steady_ms();
        if now_ms < self.compared_ms + COMPARE_EVERY_MS || self.life.is_none() {
            return Ok(());
        }
        self.compared_ms = now_ms;
        let house = self.house()?;
        let parted = house.desk.register().clock_parted.is_some();
        let by = self.present.get(&Position::PitSupervisor);
        let by = by.map(|present| present.staff.person);
        let looks = parted && self.people.chance(200);
        let seen_ms = self.time.machine_ms();
        self.spawn(async move {
            clock::compare(&house).await;
            if let Some(by) = by.filter(|_| looks) {
                // Whoever comes too late looks again.
                drop(clock::looked(&house, by, seen_ms).await);
            }
        })
    }

    pub(super) fn power_cut(&mut self) -> Result<(), String> {
        if self.cutting {
            return Ok(());
        }
        if self.flaw == HouseFlaw::LostBlocks {
            for _ in 0..8 {
                self.cutting = true;
                let turned = self.turn(true);
                self.cutting = false;
                turned?;
                for player in &mut self.players {
                    let mut moment = super::Moment {
                        chance: &mut self.people,
                        weather: &mut self.weather,
                        now_ms: self.time.steady_ms(),
                    };
                    player.listen(&mut moment)?;
                }
            }
        }
        let Some(life) = self.life.take() else {
            return Ok(());
        };
        {
            let mut results = self.results.lock();
            for point in life.points() {
                results.reach(format!("kill {point}"));
            }
        }
        self.trace
            .tell(self.clock.now_ms(), || "the power goes".to_owned());
        self.shelf.lose_power();
        // A medium that lies keeps nothing of what was on its way.
        if self.flaw == HouseFlaw::LostBlocks {
            life.forget();
        } else {
            life.end(&mut self.chance, &self.shelf);
        }
        self.planned = false;
        self.pair = None;
        self.present.clear();
        self.stragglers.clear();
        for player in &mut self.players {
            drop(player.cut());
        }
        self.crews.iter_mut().for_each(super::Crew::cut);
        self.watchers.iter_mut().for_each(super::Watcher::cut);
        // Only now does nobody hold a file of the life that ended: one closed after the power is
        // back would write to the disk what it remembers from before.
        let open = self.shelf.open_files();
        if !open.is_empty() {
            let what = format!("the program is gone, and {} is open", open.join(", "));
            self.results.lock().faults.push(what);
        }
        self.lose_names();
        self.begins_ms = self.time.steady_ms() + self.chance.between(100, 3_000);
        self.change_while_off()
    }

    /// The power is back; what was not synced is there, lost or torn, and so are names.
    pub(super) fn lose_names(&mut self) {
        let before = self.shelf.lost_names();
        self.shelf.power_cut(&mut self.trouble);
        if self.shelf.lost_names() > before {
            self.met("fault a name was lost", || {
                "a file's name was not on the disk".to_owned()
            });
        }
    }

    /// What is different when the program begins again.
    fn change_while_off(&mut self) -> Result<(), String> {
        if self.swarm.has(Part::PlanChanges) && self.trouble.chance(500) {
            let window_ms = self.trouble.between(500, 2_500) as u32;
            for table in &mut self.plan.tables {
                table.config.window_ms = window_ms;
            }
            self.plan.reality_check_minutes = self.trouble.between(20, 90) as u16;
            self.plan.voucher_days = self.trouble.between(1, 90) as u16;
            self.met("fault the plan changed", || {
                "the plan is another one".to_owned()
            });
        }
        if self.swarm.has(Part::Copies) && self.trouble.chance(400) {
            let copy = self.shelf.copy(&self.streams)?;
            self.shelf = copy;
            self.met("fault a copy is put back", || {
                "the house goes on from a copy that was made just now".to_owned()
            });
        }
        if self.swarm.has(Part::TableChanges) && self.trouble.chance(600) {
            self.change_tables()?;
        }
        if self.swarm.has(Part::Rot) && self.trouble.chance(500) {
            self.try_a_damaged_disk()?;
        }
        if self.has_backups() && self.trouble.chance(700) {
            self.restore()?;
        }
        // Time may have moved on, or back, while nobody looked.
        if self.swarm.has(Part::Clocks) {
            self.clock = Arc::new(HouseClock::new(Box::new(self.time.clone())));
        }
        self.try_an_older_copy()
    }

    /// Somebody puts an older copy of one table back: the house must notice where
    /// it was told of what is missing, and begins with the newest.
    fn try_an_older_copy(&mut self) -> Result<(), String> {
        let Some(mut older) = self.copy.take_if(|_| self.trouble.chance(500)) else {
            return Ok(());
        };
        let tables = self.streams.len() - 1;
        let stream = self.streams[self.trouble.below(tables as u64) as usize].clone();
        // A table that is not in the plan is not looked at.
        let mut planned = self.plan.tables.iter();
        let is_planned = planned.any(|table| table.name.as_str() == stream.as_str());
        // Nor one that came after the copy was made.
        if !is_planned || !older.has_all(std::slice::from_ref(&stream)) {
            return Ok(());
        }
        let lasts = |shelf: &super::Shelf| -> Result<u64, String> {
            Ok(shelf.read(&stream)?.tail().sequence)
        };
        let noted = self.noted(&stream)?;
        let (newest, old) = (lasts(&self.shelf)?, lasts(&older)?);
        if old >= newest || old >= noted {
            return Ok(());
        }
        self.shelf.swap(&stream, &mut older);
        let begun = self.begin_life();
        self.shelf.swap(&stream, &mut older);
        match begun {
            Err(NotBack::Older(_)) => {
                self.met("fault an older copy is refused", || {
                    format!("an older copy of {stream} is tried, and refused")
                });
                Ok(())
            }
            Err(other) => Err(format!("an older copy of {stream}: {other}")),
            Ok(_) => Err(format!(
                "{stream} was begun from a copy that ends with record {old}, and the register \
                 knows of record {noted}"
            )),
        }
    }

    /// Nothing is on its way, no round is under way and no decision waits.
    pub(super) fn is_at_rest(&mut self) -> Result<bool, String> {
        let house = self.house()?;
        for at in house.tables() {
            at.hub.end_rounds();
        }
        let quiet = self.players.iter().all(Player::is_quiet);
        Ok(quiet && self.life()?.is_idle() && self.unsettled()?.is_none())
    }

    fn unsettled(&mut self) -> Result<Option<String>, String> {
        let house = self.house()?;
        for at in house.tables() {
            let (name, state) = (&at.hub.name, at.hub.state());
            if let Some(round) = &state.table.round {
                let (number, phase) = (round.number.0, round.phase);
                let next = sicbo_table::legal::next_step(&state.table);
                let words = |told: String| words::code_name(&told);
                return Ok(Some(format!(
                    "round {number} of {name} does not end (R-170 to R-176): it is {}, play is {}, \
                     the tumble is {}, next would be {}",
                    words(format!("{phase:?}")),
                    words(format!("{:?}", state.table.status)),
                    words(format!("{:?}", round.tumble)),
                    words(format!("{next:?}"))
                )));
            }
            if let Some(pending) = state.table.pending.first()
                && state.table.status != Status::Closed
            {
                let question = &pending.question;
                let question = words::code_name(question.key());
                return Ok(Some(format!(
                    "at {name} nobody decides what waits (R-200): {question}"
                )));
            }
        }
        Ok(None)
    }

    /// Why it does not come to rest.
    pub(super) fn unrest(&mut self) -> Result<String, String> {
        if let Some(waits) = self.players.iter().find_map(Player::waits_for) {
            return Ok(format!("somebody was never answered: {waits}"));
        }
        let unsettled = self.unsettled()?;
        Ok(unsettled.unwrap_or_else(|| "something is always on its way".to_owned()))
    }
}
