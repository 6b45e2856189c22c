//! What one seed decides before anything happens: which book, which stations,
//! which limits, and how often what goes wrong.

use sicbo_loop::LoopOptions;
use sicbo_rules::rulebook::words::{Form, TumbleStep, TumbleWindow};
use sicbo_rules::{Currency, RuleBook};
use sicbo_table::Config;
use sicbo_table::command::NewStation;
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::station::StationKind;

use crate::random::Random;
use crate::translate::minor;

/// How a terminal behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// Shows the close at once.
    Prompt,
    /// Takes its time, often more than the house waits.
    Slow,
    /// Goes on betting after it has acknowledged the close.
    Rogue,
}

/// The medium under the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MediumKind {
    /// The memory store, whose blocks are whole or absent.
    Memory,
    /// SQLite on a simulated file system with torn and lost sectors.
    Sqlite,
}

/// How often what goes wrong, in thousandths of its occasions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    /// Mean time between plain power cuts; 0 for none.
    pub(crate) power_cut_every_ms: i64,
    pub(crate) cut_before_write: u64,
    pub(crate) cut_after_write: u64,
    pub(crate) cut_between_effects: u64,
    pub(crate) write_failed: u64,
    pub(crate) snapshot_failed: u64,
    pub(crate) link_cut: u64,
    pub(crate) repeat: u64,
    pub(crate) delay: u64,
    pub(crate) mistake: u64,
}

/// The same for the disk of a house on SQLite.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DiskFaults {
    /// The log's keeper and a reader are there.
    pub(crate) actors: bool,
    pub(crate) keeper_failed: u64,
    pub(crate) start_failed: u64,
    pub(crate) taken_away: u64,
    /// After a restart that followed a failed write, the lights go out soon.
    pub(crate) cut_after_failure: u64,
    /// Readers see truncations, and the disk never does.
    pub(crate) lose_truncations: bool,
    /// A reader beside the house reads a bit wrong.
    pub(crate) rotten_reading: u64,
}

impl DiskFaults {
    /// Drawn apart from everything else; none where there are no other faults.
    pub(crate) fn new(random: &mut Random, faults: &Faults) -> DiskFaults {
        let drawn = DiskFaults {
            actors: true,
            keeper_failed: random.below(60),
            start_failed: random.below(400),
            taken_away: random.below(5),
            cut_after_failure: random.below(600),
            ..DiskFaults::default()
        };
        if faults.delay + faults.mistake + faults.repeat == 0 {
            let actors = true;
            return DiskFaults {
                actors,
                ..DiskFaults::default()
            };
        }
        drawn
    }

    /// Faults that came later, drawn apart so that earlier seeds keep their worlds.
    pub(crate) fn draw_more(&mut self, random: &mut Random) {
        self.lose_truncations = random.chance(300);
        self.rotten_reading = random.below(800);
    }
}

/// All that one seed decides beforehand.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) config: Config,
    pub(crate) stations: Vec<NewStation>,
    pub(crate) manners: Vec<Manner>,
    pub(crate) medium: MediumKind,
    pub(crate) options: LoopOptions,
    pub(crate) door: usize,
    /// The longest an ordinary write takes; slow disks make blocks of many records.
    pub(crate) disk_ms: i64,
    pub(crate) rounds: u64,
    pub(crate) faults: Faults,
    pub(crate) disk: DiskFaults,
}

impl Plan {
    pub(crate) fn new(seed: u64, random: &mut Random) -> Plan {
        let books = RuleBook::all();
        let book = books[(seed % books.len() as u64) as usize].clone();
        let electronic = book.play.form.is == Form::Electronic;
        let step = *random.pick(&[100, 200, 500]);
        let limit = Limit {
            minimum: minor(step * random.between(1, 5)),
            maximum: minor(step * random.between(20, 200)),
            step: minor(step),
        };
        let exposure = *random.pick(&[2_000_000, 50_000_000]);
        let limits = Limits::uniform(limit, minor(step * 400), minor(exposure));
        let usual = book.play.usual_tumble.is;
        let tumble = match book.play.tumble_window.is {
            TumbleWindow::Any => *random.pick(&[
                TumbleStep::BeforeOpen,
                TumbleStep::DuringBetting,
                TumbleStep::AfterClose,
            ]),
            TumbleWindow::UntilClose => {
                *random.pick(&[TumbleStep::BeforeOpen, TumbleStep::DuringBetting])
            }
            _ => usual,
        };
        let count = random.between(3, 9) as usize;
        let mut stations = Vec::new();
        let mut manners = Vec::new();
        for i in 0..count {
            let kind = if electronic {
                StationKind::Terminal
            } else {
                StationKind::Seat
            };
            let layout = &book.layouts[random.below(book.layouts.len() as u64) as usize];
            stations.push(NewStation {
                name: format!("P{}", i + 1),
                kind,
                layout: layout.id.clone(),
            });
            manners.push(*random.pick(&[
                Manner::Prompt,
                Manner::Prompt,
                Manner::Slow,
                Manner::Rogue,
            ]));
        }
        let config = Config {
            name: format!("seed {seed}"),
            book,
            currency: Currency::SGD,
            chip_unit: minor(100),
            limits,
            window_ms: random.between(3_000, 9_000) as u32,
            dice_set: "set 1".to_owned(),
            tumble,
            second_reading: *random.pick(&[
                SecondReading::Never,
                SecondReading::Always,
                SecondReading::AbovePayout(minor(50_000)),
            ]),
            void_by_supervisor: random.chance(500),
            real_money: true,
            program: [seed as u8; 32],
        };
        Plan {
            config,
            stations,
            manners,
            // More than half of all worlds.
            medium: if seed.is_multiple_of(2) || seed % 7 == 3 {
                MediumKind::Sqlite
            } else {
                MediumKind::Memory
            },
            options: LoopOptions {
                batch: *random.pick(&[1, 4, 64]),
                unanswered: *random.pick(&[2, 8, 64]),
                snapshot_every: *random.pick(&[40, 150, 100_000]),
                ..LoopOptions::default()
            },
            door: *random.pick(&[2, 16, 64]),
            disk_ms: *random.pick(&[5, 40, 300]),
            rounds: random.between(8, 20) as u64,
            faults: Faults::new(random),
            disk: DiskFaults::default(),
        }
    }
}

impl Faults {
    fn new(random: &mut Random) -> Faults {
        // One world in eight has no faults at all: play itself must be right.
        if random.chance(125) {
            return Faults::default();
        }
        Faults {
            power_cut_every_ms: *random.pick(&[0, 30_000, 90_000]),
            cut_before_write: random.below(8),
            cut_after_write: random.below(8),
            cut_between_effects: random.below(3),
            write_failed: random.below(10),
            snapshot_failed: random.below(200),
            link_cut: random.below(40),
            repeat: random.below(120),
            delay: random.below(120),
            mistake: random.below(80),
        }
    }

    /// No faults any more: what is left must come to its end.
    pub(crate) fn calm(&mut self) {
        *self = Faults::default();
    }
}
