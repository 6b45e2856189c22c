//! Who else touches the disk of a house on SQLite: the connection that keeps the
//! log short, a reader that stays in one transaction, somebody who removes a
//! file, and what goes wrong while the journal is being opened. All by a chance
//! of their own, so that the rest of a world does not move with them.

use crate::canary::Canary;
use crate::engine::Engine;
use crate::medium::StartFault;
use crate::plan::MediumKind;
use crate::world::{Checked, Step, World};

impl<E: Engine> World<E> {
    pub(crate) fn plan_disk_actors(&mut self) {
        if self.plan.medium == MediumKind::Sqlite && self.plan.disk.actors {
            let wait = self.disk_chance.between(500, 5_000);
            self.after(wait, Step::KeepLog);
            let wait = self.disk_chance.between(1_000, 60_000);
            self.after(wait, Step::Reader);
        }
    }

    /// The log's keeper folds in what it can.
    pub(crate) fn keep_log(&mut self) {
        if self.ending {
            return;
        }
        let fails = self.disk_chance.chance(self.plan.disk.keeper_failed);
        let process = self.house.process.as_ref();
        if let Some(keeper) = process.and_then(|process| process.keeper.as_ref()) {
            if fails {
                self.house.medium.fail_sync(&mut self.disk_chance);
            }
            let well = match self.house.flaw {
                Some(Canary::FoldsAgain) => self.house.medium.fold_apart(),
                _ => keeper.fold(),
            };
            self.house.medium.cancel_faults();
            if !well {
                self.tally.fault("log keeper failed");
            }
        }
        let wait = self.disk_chance.between(500, 8_000);
        self.after(wait, Step::KeepLog);
    }

    /// Somebody begins to read the journal in one go, or has done.
    pub(crate) fn reader(&mut self) -> Checked {
        if self.house.medium.has_reader() && self.read_chance.chance(self.plan.disk.rotten_reading)
        {
            let stream = self.house.stream.clone();
            let medium = &self.house.medium;
            if medium.read_rotten(&stream, &mut self.read_chance)? {
                self.tally.fault("wrong bit beside the house");
            }
        }
        let reads =
            if self.house.medium.has_reader() || (!self.ending && self.house.process.is_some()) {
                let stream = self.house.stream.clone();
                self.house.medium.reader_comes_or_leaves(&stream)?
            } else {
                false
            };
        if reads {
            self.tally.meet("long readers");
        }
        if reads || !self.ending {
            let wait = self.disk_chance.between(2_000, 45_000);
            self.after(wait, Step::Reader);
        }
        Ok(())
    }

    /// What goes wrong with the start that comes, if anything.
    pub(crate) fn plan_start_fault(&mut self) -> Option<StartFault> {
        let faulty = self.plan.medium == MediumKind::Sqlite
            && self.house.life > 0
            && self.disk_chance.chance(self.plan.disk.start_failed);
        if !faulty {
            return None;
        }
        let faults = [
            StartFault::PowerCut,
            StartFault::PowerCut,
            StartFault::SyncFailed,
            StartFault::RottenRead,
        ];
        let fault = *self.disk_chance.pick(&faults);
        self.house
            .medium
            .plan_start_fault(fault, &mut self.disk_chance);
        self.note(format!("the start meets {fault:?}"));
        Some(fault)
    }

    /// A start that failed because something went wrong with it is tried again.
    pub(crate) fn start_again(&mut self, fault: Option<StartFault>, down: bool) {
        self.tally.fault(match fault {
            Some(StartFault::PowerCut) => "power cut within recovery",
            Some(StartFault::SyncFailed) => "sync failed within recovery",
            Some(StartFault::RottenRead) => "wrong bit within recovery",
            None if self.house.medium.has_reader() => "start while a reader stays",
            None => "sync failed within recovery",
        });
        self.house.process = None;
        if down {
            self.house.life += 1;
            self.house.medium.power_cut(&mut self.disk_chance);
        }
        if !self.restart_planned {
            self.restart_planned = true;
            let wait = self.disk_chance.between(200, 6_000);
            self.after(wait, Step::Restart);
        }
    }
}
