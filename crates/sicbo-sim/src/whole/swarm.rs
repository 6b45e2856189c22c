//! What is on in a house: each seed draws which faults and which acts, so that a
//! house with few of them goes deep where a house with all of them drowns, and a
//! failing house can be tried again with one of them taken away.

use std::collections::BTreeSet;
use std::fmt;

use crate::random::Random;

macro_rules! parts {
    ($($(#[$meta:meta])* $part:ident = $word:literal, $often:literal;)+) => {
        /// Something that a house has or has not.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Part { $($(#[$meta])* $part,)+ }

        impl Part {
            /// All of them.
            pub const ALL: &'static [Part] = &[$(Part::$part),+];

            /// A stable word.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Part::$part => $word,)+ }
            }

            /// How many houses of a thousand have it.
            const fn often(self) -> u64 {
                match self { $(Part::$part => $often,)+ }
            }
        }
    };
}

parts! {
    /// Players cash out, and redeem what lies in printers.
    Vouchers = "vouchers", 800;
    /// Some players ask for a limit of play.
    Limits = "limits", 700;
    /// Players take bets back.
    Removals = "removals", 700;
    /// Players call for staff and dispute rounds.
    Calls = "calls", 500;
    /// Players lose their line and come back.
    Disconnects = "disconnects", 700;
    /// Players say things twice.
    Repeats = "repeats", 600;
    /// Players say what makes no sense or is not theirs to say.
    Cheats = "cheats", 500;
    /// Messages take long now and then.
    Delays = "delays", 500;
    /// What was sent on a line that broke arrives after what follows on the next.
    Stragglers = "stragglers", 500;
    /// Lines that carry only one way for a while, and then break.
    OneWay = "one-way", 400;
    /// Somebody does not read for a while.
    SlowReaders = "slow-readers", 400;
    /// Walls and consoles look on.
    Watchers = "watchers", 800;
    /// Tables with seats are there.
    Chips = "chips", 700;
    /// Some tables are dealt by people.
    People = "people", 600;
    /// People err, and things go wrong at the table.
    Mistakes = "mistakes", 600;
    /// Two persons adjust credit.
    Adjustments = "adjustments", 700;
    /// Staff try everything that their screens have, whoever they are.
    Office = "office", 500;
    /// The same is asked by two persons at once.
    Crowds = "crowds", 300;
    /// Devices say nothing where they should.
    SilentDevices = "silent-devices", 400;
    /// Devices say things twice.
    DoubleDevices = "double-devices", 400;
    /// Devices say the wrong thing.
    WrongDevices = "wrong-devices", 400;
    /// Devices say things late.
    LateDevices = "late-devices", 400;
    /// Tumblers and lights on a line of their own, which is lost now and then.
    DeviceLines = "device-lines", 400;
    /// Printers run out of paper or jam.
    PrinterFaults = "printer-faults", 600;
    /// The power goes, between any two effects.
    PowerCuts = "power-cuts", 700;
    /// Writes fail, and a table or the register stops.
    WriteFailures = "write-failures", 400;
    /// Journals are files on a disk that loses, tears and reorders what was not synced.
    Disk = "disk", 150;
    /// Bits are read wrong at a start.
    RottenReads = "rotten-reads", 400;
    /// The machine's clock jumps, runs back or drifts.
    Clocks = "clocks", 350;
    /// The plan is another one at the next start.
    PlanChanges = "plan-changes", 400;
    /// The house is put back from a copy; and an older copy of a table is tried.
    Copies = "copies", 350;
    /// Every book has a table.
    AllBooks = "all-books", 120;
    /// Somebody who is needed is not there for a while.
    Absent = "absent", 300;
    /// The machine's clock runs fast or slow.
    Drift = "drift", 250;
    /// The disk takes its time.
    SlowDisk = "slow-disk", 250;
    /// A reading comes short at a start.
    ShortReads = "short-reads", 350;
    /// The power goes while the program starts.
    CutStarts = "cut-starts", 400;
    /// Bits of a journal turn, or a page of it stands where another should.
    Rot = "rot", 400;
    /// Tables come to the house and leave it between two starts.
    TableChanges = "table-changes", 300;
    /// The house was begun by an earlier program, and its journals are of that time.
    Earlier = "earlier-program", 60;
    /// Backups are taken, and restored while the power is off.
    Backups = "backups", 80;
}

/// Which parts are on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swarm(BTreeSet<Part>);

impl Swarm {
    /// As a seed draws them. One house in ten has no faults at all.
    pub(crate) fn drawn(random: &mut Random) -> Swarm {
        let calm = random.chance(100);
        let drawn = Part::ALL.iter().filter(|part| {
            let on = random.chance(part.often());
            on && !(calm && part.is_fault())
        });
        Swarm(drawn.copied().collect())
    }

    /// These alone.
    #[must_use]
    pub fn of(parts: &[Part]) -> Swarm {
        Swarm(parts.iter().copied().collect())
    }

    /// Reads words with commas.
    ///
    /// # Errors
    /// Which word means nothing.
    pub fn parse(words: &str) -> Result<Swarm, String> {
        let mut parts = BTreeSet::new();
        for word in words.split(',').filter(|word| !word.is_empty()) {
            let known = Part::ALL.iter().find(|part| part.word() == word);
            parts.insert(*known.ok_or_else(|| format!("{word:?} is no part of a house"))?);
        }
        Ok(Swarm(parts))
    }

    /// Whether a part is on.
    #[must_use]
    pub fn has(&self, part: Part) -> bool {
        self.0.contains(&part)
    }

    /// Those that are on.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        self.0.iter().copied()
    }

    /// The same without one.
    #[must_use]
    pub fn without(&self, part: Part) -> Swarm {
        let mut parts = self.0.clone();
        parts.remove(&part);
        Swarm(parts)
    }

    /// Every fault is off; what people do goes on.
    pub(crate) fn calm(&mut self) {
        self.0.retain(|part| !part.is_fault());
    }
}

impl Part {
    /// Something goes wrong by it.
    const fn is_fault(self) -> bool {
        use Part as P;
        !matches!(
            self,
            P::Vouchers
                | P::Limits
                | P::Removals
                | P::Calls
                | P::Watchers
                | P::Chips
                | P::People
                | P::Adjustments
                | P::Office
                | P::DeviceLines
                | P::Disk
                | P::AllBooks
                | P::Earlier
        )
    }
}

impl fmt::Display for Swarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.parts().map(Part::word).collect();
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swarm_is_read_as_it_is_written() {
        let mut random = Random::new(7);
        for _ in 0..50 {
            let swarm = Swarm::drawn(&mut random);
            assert_eq!(Swarm::parse(&swarm.to_string()), Ok(swarm));
        }
        assert!(Swarm::parse("no-such-thing").is_err());
        let mut swarm = Swarm::of(Part::ALL);
        swarm.calm();
        assert!(swarm.has(Part::Vouchers) && !swarm.has(Part::PowerCuts));
    }
}
