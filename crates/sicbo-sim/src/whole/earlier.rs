//! Houses that an earlier program began: the golden data folders of released formats are the first
//! life, and the program of today goes on from them, as after an upgrade between two starts. A round
//! is under way with bets in it, and a voucher of that time may be in somebody's hand.
//!
//! The folders are read when this is built and never written.

use std::collections::BTreeMap;

use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::{HouseKey, KeyRing, adopt};
use sicbo_plan::HousePlan;
use sicbo_register::enrolment::{EnrolmentId, Key, TableName};
use sicbo_table::ids::{StationId, VoucherId};

use super::life::{Printed, stream_of};
use super::player::Player;
use super::shelf::Shelf;
use crate::random::Random;

/// What those houses' keys and the numbers of their vouchers are made from.
const KEY: [u8; 32] = [7; 32];
const VOUCHERS: [u8; 32] = [12; 32];
/// The program of today is started some time after the last record of the newest.
const BEGINS_MS: i64 = 1_794_900_000_000;
/// Requests of players and staff of that time had smaller numbers.
const REQUESTS: u64 = 1_000_000;
/// How long bets are taken at tables that are opened anew.
const WINDOW_MS: u32 = 1_000;
/// Digits of a voucher's number, as its paper has them.
const DIGITS: usize = 18;

/// A journal's file and the log beside it.
type Journal = (&'static str, &'static [u8], &'static [u8]);

/// What an earlier program left behind.
pub(super) struct Earlier {
    /// Which.
    name: &'static str,
    plan: &'static str,
    journals: &'static [Journal],
    /// Tokens of its terminals: table, station and token in a line each.
    terminals: &'static str,
    /// The paper of its first voucher.
    paper: &'static [u8],
}

macro_rules! bytes {
    ($($part:literal),+) => { include_bytes!(concat!("../../../", $($part),+)) };
}

macro_rules! earlier {
    ($name:literal, $data:literal, $paper:expr, [$($stream:literal),+]) => {
        Earlier {
            name: $name,
            plan: include_str!("../../../sicbo-server/tests/golden/rules-2/house.toml"),
            journals: &[$((
                $stream,
                bytes!($data, "/journal/", $stream, ".sqlite"),
                bytes!($data, "/journal/", $stream, ".sqlite-wal"),
            )),+],
            terminals: include_str!(concat!("../../../", $data, "/trial-terminals.txt")),
            paper: $paper,
        }
    };
}

/// Every house of a released format that has its register and its tables.
static ALL: [Earlier; 2] = [
    earlier!(
        "format 1, first rules",
        "sicbo-server/tests/golden/format-1/data",
        bytes!("sicbo-server/tests/golden/format-1/data/vouchers/voucher-1.escpos"),
        [
            "house",
            "mbs-etg",
            "mbs-table",
            "quang-nam-table",
            "rws-etg",
            "rws-open-cover"
        ]
    ),
    earlier!(
        "format 1, second rules",
        "sicbo-server/tests/golden/rules-2/data",
        bytes!("sicbo-server/tests/golden/rules-2/data/vouchers/voucher-1.escpos"),
        [
            "house",
            "mbs-etg",
            "mbs-table",
            "quang-nam-table",
            "rws-etg",
            "rws-open-cover"
        ]
    ),
];

impl Earlier {
    /// One of them.
    pub(super) fn drawn(chance: &mut Random) -> &'static Earlier {
        chance.pick(&ALL)
    }

    /// Which.
    pub(super) const fn name(&self) -> &'static str {
        self.name
    }

    /// Its plan, as today's program reads it.
    pub(super) fn plan(&self) -> Result<HousePlan, String> {
        // People of a simulated house count quickly, which the plan of that time could not allow.
        let text = self
            .plan
            .replace("window_seconds", "shortest_tumble_ms = 0\nwindow_seconds");
        let no_files = |path: &std::path::Path| Err(format!("no file {}", path.display()));
        let mut plan = HousePlan::parse(&text, &no_files).map_err(|error| error.to_string())?;
        let known = |name: &str| self.journals.iter().any(|(stream, ..)| *stream == name);
        plan.tables.retain(|table| known(table.name.as_str()));
        for table in &mut plan.tables {
            // Tables opened from now on; those of that time keep the hour they were opened with.
            table.config.window_ms = WINDOW_MS;
        }
        Ok(plan)
    }

    /// The key that signed its journals.
    pub(super) fn key() -> HouseKey {
        HouseKey::from_entropy(&KEY)
    }

    /// What the numbers of its vouchers are drawn from.
    pub(super) const fn voucher_secret() -> [u8; 32] {
        VOUCHERS
    }

    /// When today's program is started on it.
    pub(super) const fn begins_ms() -> i64 {
        BEGINS_MS
    }

    /// The first number that nobody of that time used for a request.
    pub(super) const fn requests() -> u64 {
        REQUESTS
    }

    /// Its journals. Somebody with the house's key has signed where each ends: a program that
    /// signed no blocks was killed there.
    pub(super) fn shelf(&self, on_disk: bool) -> Result<Shelf, String> {
        let disk = FaultDisk::new();
        let mut streams = Vec::new();
        for (name, file, log) in self.journals {
            disk.write_file(&format!("{name}.sqlite"), file);
            disk.write_file(&format!("{name}.sqlite-wal"), log);
            streams.push(stream_of(name)?);
        }
        let shelf = Shelf::Disk(disk);
        let (key, ring) = (Earlier::key(), KeyRing::new(Earlier::key().public()));
        for stream in &streams {
            let wrong = |error: &dyn std::fmt::Display| format!("{stream}: {error}");
            let mut store = shelf.open(stream).map_err(|error| wrong(&error))?;
            let adopted = adopt(store.as_mut(), stream, &key, &ring, BEGINS_MS);
            adopted.map_err(|error| wrong(&error))?;
        }
        match on_disk {
            true => Ok(shelf),
            false => shelf.copy_as(false, &streams),
        }
    }

    /// Players sit where they sat, and say nothing under a number that was used then.
    pub(super) fn seat(&self, players: &mut Vec<Player>) {
        let line = |line: &str| -> Option<((TableName, StationId), (EnrolmentId, String))> {
            let mut words = line.split(' ');
            let table = TableName::new(words.next()?)?;
            let station = StationId(words.next()?.parse().ok()?);
            let token = words.next()?;
            let (enrolment, _) = Key::from_token(token)?;
            Some(((table, station), (enrolment, token.to_owned())))
        };
        let known: BTreeMap<_, _> = self.terminals.lines().filter_map(line).collect();
        players.retain_mut(|player| {
            let Some((enrolment, token)) = known.get(&(player.table.clone(), player.station))
            else {
                return false;
            };
            player.enrolment = *enrolment;
            player.token.clone_from(token);
            player.number_from(REQUESTS);
            true
        });
    }

    /// The voucher that somebody has still in hand.
    pub(super) fn paper(&self) -> Option<Printed> {
        let digits = |run: &&[u8]| run.len() == DIGITS && run.iter().all(u8::is_ascii_digit);
        let number = self.paper.windows(DIGITS).find(digits)?;
        Some(Printed {
            voucher: VoucherId(1),
            number: String::from_utf8_lossy(number).into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use sicbo_journal::StreamId;
    use sicbo_register::validation::VoucherSecret;

    use super::*;

    #[test]
    fn every_earlier_house_is_read_with_its_terminals_and_its_voucher() {
        for earlier in &ALL {
            let plan = earlier.plan().expect("a plan");
            assert_eq!(plan.tables.len() + 1, earlier.journals.len());
            assert_eq!(earlier.terminals.lines().count(), 6);
            let paper = earlier.paper().expect("a paper");
            let secret = VoucherSecret::new(Earlier::voucher_secret());
            assert_eq!(paper.number, secret.number(paper.voucher, 0).digits());
            let streams = earlier.journals.iter();
            let streams = streams.map(|(name, ..)| stream_of(name).expect("a name"));
            let streams: Vec<StreamId> = streams.collect();
            for on_disk in [true, false] {
                let shelf = earlier.shelf(on_disk).expect("journals");
                for stream in &streams {
                    let store = shelf.read(stream).expect("a journal");
                    assert!(store.tail().sequence > 0, "{stream}");
                }
            }
        }
    }
}
