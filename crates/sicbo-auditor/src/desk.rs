//! The auditor's view of the desk: when nothing may go on, begin or be staked,
//! for which causes a round becomes void, and who decides what. From the five
//! documents alone, as plain words. Records of earlier readings are followed and
//! not held to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::books::Objection;
use crate::heard::{ChipsHow, Heard, Person, Record, Source, Who};

/// Something that waits to be decided.
#[derive(Clone, Debug)]
struct Waits {
    question: &'static str,
    /// Who said or proposed it, where the record names them.
    by: Option<u32>,
}

/// What the desk's auditor keeps in mind.
#[derive(Clone, Default, Debug)]
pub(crate) struct Desk {
    /// How the program that wrote the newest round read the documents.
    revision: u16,
    book: String,
    next_book: Option<String>,
    open: bool,
    dice: String,
    /// The first round played with them.
    dice_since: u64,
    /// They made a round void and were not inspected since.
    condemned: bool,
    damaged: BTreeSet<String>,
    parted: bool,
    acting: BTreeSet<(u32, &'static str)>,
    waits: BTreeMap<u64, Waits>,
    seats: Vec<bool>,
    in_hand: bool,
    last_round: u64,
    began: u64,
    /// Of the current round: its tumble was counted and valid, its dice can be
    /// seen, and were said to lie flat.
    tumbled: bool,
    seen: bool,
    flat: bool,
    /// The book each round was played under.
    books: BTreeMap<u64, String>,
}

/// The ladder of a pit, with what a house may name above the director; beside it
/// nobody decides anything of play.
const LADDER: [&str; 9] = [
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "shift-manager",
    "director",
    "above-director-1",
    "above-director-2",
    "above-director-3",
    "above-director-4",
];

/// Questions that hold nothing up.
const NOTHING_WAITS_FOR: [&str; 2] = ["terminal-open-case", "affected-rounds"];

/// Questions that stay when their round has ended.
const OUTLAST: [&str; 5] = [
    "terminal-open-case",
    "device-failure",
    "technical-stop",
    "affected-rounds",
    "correction-proposed",
];

/// Causes of each document: 000 and 003 5.1, 5.3, 5.4; 001 5.1 to 5.5; 002 5.1
/// to 5.5, 5.8; 004 7.2 to 7.6.
fn causes(book: &str) -> &'static [&'static str] {
    match book {
        "rws-etg" => &[
            "too-few-tumbles",
            "die-not-flat",
            "dice-exposed-early",
            "dice-damaged",
            "technical-interruption",
        ],
        "rws-open-cover" => &[
            "too-few-tumbles",
            "die-not-flat",
            "tumbler-activated-early",
            "dice-damaged",
            "technical-interruption",
        ],
        "mbs-table" => &[
            "too-few-tumbles",
            "dice-exposed-early",
            "die-not-flat",
            "dice-damaged",
            "dome-broken",
            "dice-broken",
        ],
        "mbs-etg" => &[
            "too-few-tumbles",
            "dice-exposed-early",
            "die-not-flat",
            "dice-damaged",
            "dome-broken",
            "dice-broken",
            "technical-interruption",
        ],
        "quang-nam-table" => &[
            "too-few-tumbles",
            "dice-exposed-early",
            "die-not-flat",
            "dice-damaged",
            "dome-broken",
        ],
        _ => &[],
    }
}

/// Of these records the desk's auditor is asked from this reading on.
const ASKED_SINCE: u16 = 3;

/// Who did it, and with whom.
#[derive(Clone, Copy)]
struct Two {
    first: Option<Person>,
    second: Option<Person>,
}

impl Desk {
    /// Who decides what no rule covers: the director or higher (004 7.8), else
    /// the shift manager or above (000 and 003 5.10, 002 6.2).
    fn decider(&self) -> &'static str {
        match self.book.as_str() {
            "quang-nam-table" => "director",
            _ => "shift-manager",
        }
    }

    /// A person is, or acts as, one of whom this is said.
    fn is(&self, who: Option<Person>, fits: impl Fn(&str) -> bool) -> bool {
        who.is_some_and(|who| {
            let mut acting = self.acting.iter();
            fits(who.position) || acting.any(|(number, as_)| *number == who.number && fits(as_))
        })
    }

    /// A person acts at least in this position; beside the ladder, in just this one.
    fn at_least(&self, who: Option<Person>, needed: &str) -> bool {
        let rung = |position: &str| LADDER.iter().position(|rung| *rung == position);
        self.is(who, |position| {
            position == needed || rung(needed).is_some() && rung(position) >= rung(needed)
        })
    }

    /// Two different persons, one of each.
    fn two(&self, who: Two, one: &str, other: &str) -> bool {
        let (Some(first), Some(second)) = (who.first, who.second) else {
            return false;
        };
        let either = |a, b| self.at_least(Some(a), one) && self.at_least(Some(b), other);
        first.number != second.number && (either(first, second) || either(second, first))
    }

    /// Custody of dice: one supervises, the other is of the table or watches.
    fn custody(&self, who: Two) -> bool {
        self.two(who, "pit-supervisor", "dealer") || self.two(who, "pit-supervisor", "surveillance")
    }

    fn handles_money(&self, who: Two) -> bool {
        self.at_least(who.first, "dealer") || self.at_least(who.first, "cashier")
    }

    fn held(&self) -> Option<&'static str> {
        let mut waits = self.waits.values();
        let held = waits.find(|waits| !NOTHING_WAITS_FOR.contains(&waits.question));
        held.map(|waits| waits.question)
    }

    fn new_dice(&mut self, dice: &str) {
        self.dice = dice.to_owned();
        self.dice_since = self.last_round + 1;
        self.condemned = false;
    }

    fn end(&mut self) {
        self.in_hand = false;
        self.waits
            .retain(|_, waits| OUTLAST.contains(&waits.question));
    }

    /// Takes a record in: what happened, by whom and with whom.
    pub(crate) fn enter(&mut self, record: &Record) -> Result<(), Objection> {
        if let Heard::RoundBegan { revision, .. } | Heard::Opened { revision, .. } = record.heard {
            self.revision = revision;
        }
        let objection = self.objection(record);
        self.follow(record);
        match objection {
            Some(what) if self.revision >= ASKED_SINCE => Err(format!(
                "{what}: by {:?} with {:?}",
                record.who, record.second
            )),
            _ => Ok(()),
        }
    }

    /// Why this cannot have been, from what came before.
    fn objection(&self, record: &Record) -> Option<String> {
        let who = Two {
            first: match record.who {
                Who::Person(person) => Some(person),
                _ => None,
            },
            second: record.second,
        };
        let wrong = |right: bool, what: &str| (!right).then(|| what.to_owned());
        match &record.heard {
            Heard::RoundBegan { .. } => self.beginning(),
            // A machine that runs all the same is on record, and 003 5.3.3 makes it a
            // cause of its own.
            Heard::TumblerActivated
                if record.who == Who::Device && self.book == "rws-open-cover" =>
            {
                None
            }
            Heard::TumblerActivated
            | Heard::BetsCalled
            | Heard::Betted { .. }
            | Heard::Recorded { .. }
            | Heard::ClaimedChips { .. }
            | Heard::Observed { .. }
            | Heard::Late { .. }
            | Heard::ClosingBegan { .. }
            | Heard::DealPressed
            | Heard::Uncovered
            | Heard::Flat
            | Heard::Keyed { .. }
            | Heard::KeysCleared
            | Heard::SecondRead
            | Heard::Confirmed { .. }
            | Heard::Lit
            | Heard::Settled { .. } => {
                let held = self.held();
                let waited =
                    held.map(|held| format!("{} while {held} waited", name(&record.heard)));
                let paid = matches!(record.heard, Heard::Settled { .. });
                let spoilt = self.condemned || self.damaged.contains(&self.dice);
                waited.or(wrong(
                    !(paid && spoilt),
                    "a round with damaged dice was paid",
                ))
            }
            Heard::DecisionTaken { id, ruling } => self.ruling(who, *id, ruling),
            Heard::AttestedChips { .. } => {
                let claimed = self.waits.values();
                let mut claimed = claimed.filter(|waits| waits.question == "chips-unrecorded");
                let by = claimed.next().and_then(|waits| waits.by);
                let another = by.is_some() && who.first.map(|one| one.number) != by;
                let may = self.at_least(who.first, "pit-supervisor");
                wrong(another && may, "chips were not theirs to attest")
            }
            Heard::Voided { cause: None, .. } => self.ruled_void(who),
            Heard::Voided {
                cause: Some(cause), ..
            } => self.listed_void(who, cause),
            Heard::VoidedLate { round, cause, .. } => self.late_void(who, *round, *cause),
            Heard::Corrected { round, .. } => {
                let latest = !self.in_hand && self.last_round == *round;
                let right = match self.began == *round || latest {
                    true => self.two(who, "pit-supervisor", "dealer"),
                    false => self.two(who, self.decider(), "pit-supervisor"),
                };
                wrong(right, "a correction was not theirs to make")
            }
            Heard::DiceChanged(set) => {
                let here = self.condemned && self.dice == *set;
                let sound = !here && !self.damaged.contains(set);
                let sound = wrong(sound, "damaged dice were put in play");
                let between = wrong(!self.in_hand, "dice were changed in a round");
                let mut waits = self.waits.values();
                let read = waits.any(|waits| waits.question == "correction-proposed");
                let between = between.or(wrong(!read, "dice were changed while they were read"));
                let two = wrong(self.custody(who), "dice were not theirs to change");
                sound.or(between).or(two)
            }
            Heard::Sound(set) => {
                let here = self.condemned && self.dice == *set;
                let asked = here || self.damaged.contains(set);
                let asked = wrong(asked, "nothing was to be inspected");
                asked.or(wrong(
                    self.custody(who),
                    "dice were not theirs to find sound",
                ))
            }
            Heard::CountingSwitched { .. } => {
                let two = self.two(who, "pit-supervisor", "dealer");
                wrong(two && !self.in_hand, "counting was not theirs to switch")
            }
            Heard::Resumed => self.resuming(who),
            Heard::CasePaid { station, .. } | Heard::CaseOverpaid { station, .. } => {
                let right = match self.seats.get(*station) {
                    Some(true) => self.two(who, "pit-supervisor", "dealer"),
                    _ => self.two(who, self.decider(), "pit-supervisor"),
                };
                wrong(right, "a case was not theirs to settle")
            }
            Heard::Adjusted { .. } => {
                let two = self.two(who, self.decider(), "pit-supervisor");
                wrong(two, "an adjustment was not theirs to make")
            }
            Heard::CreditBought { source, .. } => {
                let right = match source {
                    Source::Voucher(_) => record.who == Who::House,
                    Source::Cash => record.who == Who::Device || self.handles_money(who),
                    Source::Cage => self.handles_money(who),
                };
                wrong(right, "credit was not theirs to give")
            }
            Heard::TransferredOut { .. } => {
                wrong(self.handles_money(who), "credit was not theirs to pay out")
            }
            Heard::HandPaid { .. } => {
                let two = self.two(who, "pit-supervisor", "dealer")
                    || self.two(who, "pit-supervisor", "cashier");
                wrong(two, "a hand pay was not theirs to make")
            }
            Heard::ChipsMoved {
                how: ChipsHow::Fill | ChipsHow::CreditSlip,
                ..
            } => {
                let two = self.two(who, "pit-supervisor", "dealer");
                wrong(two, "chips of the rack were not theirs to move")
            }
            Heard::Recovered { .. } | Heard::Waived { .. } | Heard::UnclaimedPaid { .. } => {
                let right = self.at_least(who.first, self.decider());
                wrong(right, "what is owed was not theirs to decide")
            }
            _ => None,
        }
    }

    fn beginning(&self) -> Option<String> {
        let wrong = |right: bool, what: &str| (!right).then(|| format!("a round began {what}"));
        wrong(!self.in_hand, "before the last had ended")
            .or(wrong(self.open, "while play stood still"))
            .or(wrong(self.held().is_none(), "while a decision waited"))
            .or(wrong(
                !self.condemned && !self.damaged.contains(&self.dice),
                "with damaged dice",
            ))
            .or(wrong(!self.parted, "while the clocks had parted"))
    }

    /// Play goes on after a failure only by whom 004 7.1 names.
    fn resuming(&self, who: Two) -> Option<String> {
        let failed = self.waits.values().any(|w| w.question == "device-failure");
        let right = !failed && self.at_least(who.first, "pit-supervisor") || self.approves(who);
        (!right).then(|| "play was not theirs to resume".to_owned())
    }

    fn approves(&self, who: Two) -> bool {
        self.at_least(who.first, "head-of-operations")
    }

    /// What waited was not for whoever decided it.
    fn ruling(&self, who: Two, id: u64, ruling: &str) -> Option<String> {
        let Some(waits) = self.waits.get(&id) else {
            return Some(format!("no decision {id} waited"));
        };
        let another = waits
            .by
            .is_none_or(|by| who.first.is_none_or(|one| one.number != by));
        let right = match waits.question {
            "uncovered" | "interpretation" | "dice-not-in-place" => {
                self.at_least(who.first, self.decider())
            }
            "affected-rounds" => self.two(who, self.decider(), "pit-supervisor"),
            "readings-disagree" => self.two(who, "pit-supervisor", "dealer"),
            "damaged-round" | "chips-unrecorded" => {
                another && self.at_least(who.first, "pit-supervisor")
            }
            "technical-stop" => self.at_least(who.first, "pit-supervisor"),
            // What lay open is concluded on the word of two.
            "interrupted" if ruling == "conclude" => self.two(who, "dealer", "pit-supervisor"),
            "interrupted" | "bet-status" => self.at_least(who.first, "dealer"),
            // The dice that lie open are paid whatever else failed (004 7.7).
            "device-failure" => self.approves(who) || ruling == "conclude" && self.seen,
            // Let go by a supervisor or above; else the round was amended by two, or
            // the house says that the proposal was withdrawn.
            "correction-proposed" if ruling == "release" => {
                self.at_least(who.first, "pit-supervisor")
            }
            "correction-proposed" => {
                who.first.is_none() || self.two(who, "pit-supervisor", "dealer")
            }
            _ => true,
        };
        (!right).then(|| format!("{} was not theirs to decide", waits.question))
    }

    /// A void that no document lists is for whoever decides such matters.
    fn ruled_void(&self, who: Two) -> Option<String> {
        let right = self.at_least(who.first, self.decider());
        (!right).then(|| "a void by ruling was not theirs".to_owned())
    }

    fn listed_void(&self, who: Two, cause: &'static str) -> Option<String> {
        if !causes(&self.book).contains(&cause) {
            return Some(format!("void for {cause}, which is not listed"));
        }
        if !self.in_hand {
            return Some("a void of no round".to_owned());
        }
        // Found later than in the step in which it shows, it takes two.
        let later = match cause {
            "too-few-tumbles" => self.tumbled,
            "die-not-flat" => self.flat,
            "dice-exposed-early" | "dome-broken" | "dice-broken" => self.seen,
            _ => false,
        };
        let right = match later {
            true => self.two(who, "dealer", "pit-supervisor"),
            false => self.at_least(who.first, "dealer"),
        };
        (!right).then(|| format!("a void for {cause} was not theirs to declare"))
    }

    fn late_void(&self, who: Two, round: u64, cause: Option<&'static str>) -> Option<String> {
        if !self.two(who, self.decider(), "pit-supervisor") {
            return Some("a late void was not theirs to make".to_owned());
        }
        let cause = cause?;
        let listed = self.books.get(&round).map_or(&[][..], |book| causes(book));
        let known = listed.contains(&cause) && cause != "technical-interruption";
        (!known).then(|| format!("late void for {cause}, which is not listed"))
    }

    /// Keeps in mind what happened.
    fn follow(&mut self, record: &Record) {
        match &record.heard {
            Heard::Opened {
                book,
                dice,
                stations,
                ..
            } => {
                self.book.clone_from(book);
                self.next_book = None;
                if self.dice != *dice {
                    self.new_dice(dice);
                }
                self.seats.extend(stations.iter().map(|place| place.seat));
                // Opening again does not stand in for an approval (004 7.1).
                self.open = !self.waits.values().any(|w| w.question == "device-failure");
            }
            Heard::StationAdded { place } => self.seats.push(place.seat),
            Heard::BookScheduled(book) => self.next_book = Some(book.clone()),
            Heard::Closed | Heard::Suspended => self.open = false,
            Heard::Resumed => self.open = true,
            Heard::Acting(person, position) => {
                self.acting.insert((*person, *position));
            }
            Heard::ActingEnded(person, position) => {
                self.acting.remove(&(*person, *position));
            }
            Heard::DiceChanged(dice) => self.new_dice(dice),
            Heard::Damaged(dice) => {
                self.damaged.insert(dice.clone());
            }
            Heard::Sound(dice) => {
                self.damaged.remove(dice);
                self.condemned &= self.dice != *dice;
            }
            Heard::ClockParted => self.parted = true,
            Heard::ClockSet { .. } => self.parted = false,
            Heard::RoundBegan { round, .. } => {
                if let Some(book) = self.next_book.take() {
                    self.book = book;
                }
                self.books.insert(*round, self.book.clone());
                (self.in_hand, self.last_round) = (true, *round);
                (self.tumbled, self.seen, self.flat) = (false, false, false);
            }
            // 004 2.1: its round opens at "không đặt cược thêm".
            Heard::BetsCalled if self.book == "quang-nam-table" => {}
            Heard::BetsCalled | Heard::ClosingBegan { .. } => self.began = self.last_round,
            Heard::TumbleEnded { valid } => self.tumbled = *valid,
            Heard::Uncovered => self.seen = true,
            Heard::Flat => self.flat = true,
            Heard::DecisionRaised {
                id, question, by, ..
            } => {
                let (question, by) = (*question, *by);
                let waits = Waits { question, by };
                self.waits.insert(*id, waits);
            }
            Heard::DecisionTaken { id, ruling } => {
                let waits = self.waits.remove(id);
                let looked = ["interrupted", "dice-not-in-place"];
                if waits.is_some_and(|w| looked.contains(&w.question)) && *ruling == "conclude" {
                    self.flat = false;
                }
            }
            Heard::Settled { .. } => self.end(),
            Heard::Voided { cause, .. } => {
                // What made a round void is out of play, whatever was said before.
                self.condemned |= matches!(cause, Some("dice-damaged" | "dice-broken"));
                self.end();
            }
            Heard::VoidedLate { round, cause, .. } => {
                let theirs = matches!(cause, Some("dice-damaged" | "dice-broken"));
                self.condemned |= theirs && *round >= self.dice_since;
            }
            _ => {}
        }
    }
}

/// A step by its name.
fn name(heard: &Heard) -> String {
    let text = format!("{heard:?}");
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}
