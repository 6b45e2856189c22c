//! What a dishonest person tries next: every act that staff can ask for, and every act of the
//! register, with numbers that are nearly right.

use sicbo_register::command::{Act, PinRight};
use sicbo_register::duties::{Duties, Posts};
use sicbo_register::enrolment::{EnrolmentId, NewEnrolment, Role, TableName};
use sicbo_register::person::{LogOutReason, NewPerson, SessionId};
use sicbo_register::proposal::ProposalEnd;
use sicbo_register::voucher::Payee;
use sicbo_rules::rulebook::words::{Cause, Position, Word as _};
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, VoucherId};
use sicbo_wire::pit::HouseAct;
use sicbo_wire::staff::StaffAct;

use super::super::PIN;
use super::super::key_of;
use super::beyond::Counter;
use crate::random::Random;

/// One row for each act, with its blanks.
const ROWS: &str = include_str!("temptations.txt");

/// What the person can see of the house, from the screens that staff have.
#[derive(Clone, Default, Debug)]
pub(in super::super) struct Sight {
    pub(in super::super) me: u32,
    pub(in super::super) table: String,
    pub(in super::super) currency: Option<Currency>,
    pub(in super::super) unit: i64,
    pub(in super::super) stations: u64,
    /// Credit of each station.
    pub(in super::super) credits: Vec<i64>,
    pub(in super::super) round: u64,
    pub(in super::super) pending: Vec<u64>,
    /// Money that waits to be counted, by entry.
    pub(in super::super) entries: Vec<(u64, i64)>,
    pub(in super::super) recoverables: Vec<u64>,
    pub(in super::super) unclaimed: Vec<u64>,
    pub(in super::super) people: u64,
    pub(in super::super) places: u64,
    pub(in super::super) windows: Vec<EnrolmentId>,
    pub(in super::super) vouchers: Vec<VoucherId>,
    /// Digests of the numbers on papers that lie about.
    pub(in super::super) papers: Vec<[u8; 32]>,
    pub(in super::super) proposals: Vec<u64>,
    pub(in super::super) sessions: Vec<SessionId>,
    /// What is tried next is asked of the house and of no table.
    pub(in super::super) of_house: bool,
}

/// What is tried.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Attempt {
    /// Something at a table, alone.
    Do(StaffAct),
    /// Something at a table that wants a second person.
    Propose(StaffAct),
    /// Confirms whatever waits there, one's own included.
    Confirm,
    /// Something for the house, confirmed by the same person at once.
    ProposeToHouse(HouseAct),
    /// Something for the house, proposed by one and confirmed by the other of this person and an
    /// honest one who thinks nothing of it.
    WithAnother(HouseAct),
    /// Asked of the register, alone or with oneself as the second person.
    Register { act: Act, with_oneself: bool },
    /// Logs in, wherever it may be.
    LogIn { place: Option<EnrolmentId> },
}

/// The names of all acts of the two lists, as they are sent: `table buy_credit`.
#[must_use]
pub fn temptations() -> Vec<String> {
    let acts = rows().map(|(whose, row)| {
        let name = row.split('"').nth(3).unwrap_or_default();
        let whose = if whose == "house" { "house" } else { "table" };
        format!("{whose} {name}")
    });
    acts.collect()
}

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = ROWS.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once(' '))
}

/// Amounts about the bounds of the plan, tiny ones and enormous ones.
const AMOUNTS: [i64; 10] = [
    1,
    100,
    20_000,
    199_999,
    200_000,
    500_000,
    500_001,
    5_000_000,
    10_000_000,
    90_000_000_000,
];

impl Sight {
    fn one_of(random: &mut Random, known: &[u64]) -> u64 {
        match known.is_empty() || random.chance(100) {
            true => random.below(8),
            false => *random.pick(known),
        }
    }

    fn money(&self, random: &mut Random) -> i64 {
        let sign = if random.chance(50) { -1 } else { 1 };
        sign * match random.below(3) {
            0 => *random.pick(&AMOUNTS),
            1 => self.unit * random.between(1, 40),
            _ => random.between(1, 600_000),
        }
    }

    /// The value of a blank, as JSON. Some go with the one before: `before` is what is there to be
    /// counted or paid out.
    fn value(&self, random: &mut Random, blank: &str, before: &mut i64) -> String {
        let number = match blank {
            "die" => random.below(6) + 1,
            "flag" => return random.chance(500).to_string(),
            "cause" => return random.pick(Cause::all()).key().to_owned(),
            "position" => return random.pick(Position::all()).key().to_owned(),
            "ruling" => {
                let words = [
                    "void",
                    "conclude",
                    "accept",
                    "affected",
                    "not_affected",
                    "release",
                ];
                return (*random.pick(&words)).to_owned();
            }
            "section" => {
                let sections = [
                    "small",
                    "big",
                    "total:11",
                    "triple:6",
                    "any-triple",
                    "single:4",
                ];
                return (*random.pick(&sections)).to_owned();
            }
            "set" => return format!("D{}", random.below(4)),
            "name" => return format!("Nobody {}", random.below(500)),
            "table" => return self.table.clone(),
            "station" => {
                let station = random.below(self.stations.max(1));
                let credit = self.credits.get(station as usize);
                *before = credit.copied().unwrap_or_default();
                station
            }
            // Nearly all that is there, a part of it, or whatever comes to mind. Never all: a visit
            // ends with the last cent, and the players of this world know of no other end.
            "credit" if *before > 1 => match random.below(4) {
                0 => return self.money(random).to_string(),
                1 => return (*before - 1).to_string(),
                _ => return random.between(1, *before - 1).to_string(),
            },
            "credit" => return self.money(random).to_string(),
            "round" => self.round.saturating_sub(random.below(3)),
            "pending" => Sight::one_of(random, &self.pending),
            "recoverable" => Sight::one_of(random, &self.recoverables),
            "unclaimed" => Sight::one_of(random, &self.unclaimed),
            "person" => random.below(self.people + 1) + 1,
            "place" => random.below(self.places + 1) + 1,
            "request" => random.below(1 << 40) + 1,
            "stake" => return (self.unit * random.between(1, 3)).to_string(),
            "money" => return self.money(random).to_string(),
            "entry" => {
                let known = match self.entries.is_empty() {
                    true => (random.below(5), 1),
                    false => *random.pick(&self.entries),
                };
                *before = known.1;
                known.0
            }
            "counted" => return (*before + i64::from(random.chance(200))).to_string(),
            _ => random.below(6),
        };
        number.to_string()
    }

    fn filled(&self, random: &mut Random, row: &str) -> String {
        let (mut parts, mut before) = (row.split('$'), 0);
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_alphabetic());
            let (blank, rest) = part.split_at(end.unwrap_or(part.len()));
            text += &self.value(random, blank, &mut before);
            text += rest;
        }
        text
    }

    /// Something that staff may ask of a table, as it is sent.
    pub(in super::super) fn sentence(&self, random: &mut Random) -> String {
        let sort = match random.below(1_000) {
            0..30 => ["halts"].as_slice(),
            30..300 => &["money"],
            _ => &["table", "money"],
        };
        let all = rows().filter(|(whose, _)| sort.contains(whose));
        let all: Vec<_> = all.collect();
        let (_, row) = *random.pick(&all);
        self.filled(random, row)
    }

    /// The next thing that is tried; a row that is no message is a fault of this list.
    pub(super) fn attempt(
        &self,
        random: &mut Random,
        counter: Option<&Counter>,
    ) -> Result<Attempt, String> {
        match random.below(100) {
            0..=3 => Ok(Attempt::LogIn {
                place: match random.chance(50) {
                    true => None,
                    false => Some(EnrolmentId(random.below(self.places + 1) as u32 + 1)),
                },
            }),
            4..=6 => Ok(Attempt::Confirm),
            7..=29 => {
                let which = random.number();
                let act = match counter {
                    Some(counter) if random.chance(500) => counter.entry(self, random, which),
                    _ => self.entry(random),
                };
                let with_oneself = random.chance(500);
                Ok(Attempt::Register { act, with_oneself })
            }
            _ => {
                let sort = match random.below(1_000) {
                    _ if self.of_house => ["house"].as_slice(),
                    0..20 => &["halts"],
                    20..270 => &["money"],
                    _ => &["table", "money", "house"],
                };
                let all = rows().filter(|(whose, _)| sort.contains(whose));
                let all: Vec<_> = all.collect();
                let (whose, row) = *random.pick(&all);
                let text = self.filled(random, row);
                let wrong = |error: serde_json::Error| format!("{text}: {error}");
                if whose == "house" {
                    let act = serde_json::from_str(&text).map_err(wrong)?;
                    return Ok(match random.chance(500) {
                        true => Attempt::WithAnother(act),
                        false => Attempt::ProposeToHouse(act),
                    });
                }
                let act = serde_json::from_str(&text).map_err(wrong)?;
                Ok(match random.chance(300) {
                    true => Attempt::Propose(act),
                    false => Attempt::Do(act),
                })
            }
        }
    }

    /// A voucher of the house.
    pub(super) fn voucher(&self, random: &mut Random) -> VoucherId {
        match self.vouchers.is_empty() {
            true => VoucherId(1),
            false => *random.pick(&self.vouchers),
        }
    }

    /// Something that only the register decides.
    pub(in super::super) fn entry(&self, random: &mut Random) -> Act {
        let person = PersonId(random.below(self.people + 1) as u32 + 1);
        let place = EnrolmentId(random.below(self.places + 1) as u32 + 1);
        let reason = "said".to_owned();
        let pin = PIN.to_owned();
        let me = PersonId(self.me);
        let currency = self.currency.unwrap_or(Currency::SGD);
        let voucher = self.voucher(random);
        let table = TableName::new(&self.table);
        match random.below(20) {
            0 => Act::AddPerson {
                person: NewPerson {
                    name: format!("Nobody {}", random.below(500)),
                    position: *random.pick(Position::all()),
                    pin,
                },
            },
            1 => Act::ChangePosition {
                person,
                position: *random.pick(Position::all()),
            },
            2 => Act::ResetPin { person, pin },
            3 => Act::Enable { person, pin },
            // Rarely: who sends everybody away has nobody left to rob.
            4 if random.chance(20) => Act::Disable { person, reason },
            5 => Act::WitnessLogIn { person },
            6 => Act::Enrol {
                new: NewEnrolment {
                    role: match (random.below(3), table) {
                        (0, Some(table)) => Role::Console { table },
                        (1, _) => Role::PitDesk,
                        _ => Role::Cage,
                    },
                    name: "a laptop".to_owned(),
                    key: key_of(EnrolmentId(9_000 + random.below(1_000) as u32)).digest(),
                },
            },
            // A desk that is revoked is gone for the rest of the world.
            7 if random.chance(20) => Act::Revoke {
                enrolment: place,
                reason,
            },
            8 => Act::Assign {
                person: if random.chance(500) { me } else { person },
                posts: Posts {
                    tables: table.into_iter().collect(),
                    windows: self.windows.clone(),
                },
            },
            9 => Act::ChangePin {
                old: PinRight {
                    person,
                    pin_version: random.below(3) as u32 + 1,
                },
                pin,
            },
            10 => Act::VoidVoucher { voucher, reason },
            11..=14 => Act::BeginRedeem {
                request: random.below(1 << 40) + 1,
                digest: match self.papers.is_empty() || random.chance(100) {
                    true => [random.below(250) as u8; 32],
                    false => *random.pick(&self.papers),
                },
                to: Payee::Cage {
                    cashier: if random.chance(900) { me } else { person },
                },
                currency,
                claimed: None,
            },
            15 => Act::SetDuties {
                duties: Duties::default(),
            },
            16 => Act::LiftLock { person },
            17 => Act::LogOut {
                session: match self.sessions.is_empty() {
                    true => SessionId(1),
                    false => *random.pick(&self.sessions),
                },
                why: LogOutReason::Asked,
            },
            18 => Act::EndProposal {
                proposal: Sight::one_of(random, &self.proposals),
                end: ProposalEnd::Confirmed { second: person },
            },
            _ => Act::IssueVoucher {
                voucher,
                amount: Money::from_minor(self.money(random)),
                digest: [random.below(250) as u8; 32],
                attempt: 0,
            },
        }
    }
}
