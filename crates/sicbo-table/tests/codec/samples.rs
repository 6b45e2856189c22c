//! Events of every kind, made from a seed: edge values as often as ordinary ones.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{AfterInterruption, Position, TumbleStep, Word as _};
use sicbo_rules::{Currency, Dice, Kind, Money, Outcome, RuleBook, Section};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::NewStation;
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::event::Effect;
use sicbo_table::ids::{
    BetId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId, UnclaimedId,
    VoucherId,
};
use sicbo_table::pending::{Pending, Question, Recoverable, Unclaimed};
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::Standing;
use sicbo_table::station::StationKind;
use sicbo_table::{Config, Event, Fact};

pub(crate) use crate::codec::facts::{FACTS, fact, number_of};

/// Numbers drawn from a seed (SplitMix64).
pub(crate) struct Source(pub(crate) u64);

impl Source {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Of any size: few bits as often as many.
    pub(crate) fn number(&mut self) -> u64 {
        let bits = self.below(65) as u32;
        self.next().checked_shr(64 - bits).unwrap_or(0)
    }

    pub(crate) fn small(&mut self) -> u32 {
        self.number() as u32
    }

    pub(crate) fn money(&mut self) -> Money {
        let size = self.number() as i64;
        let edges = [0, 1, -1, 500, i64::MAX, i64::MIN, Money::MAX.minor(), size];
        Money::from_minor(self.pick(&edges))
    }

    pub(crate) fn text(&mut self) -> String {
        let long = "x".repeat(300);
        self.pick(&["", "b", "the lights", "骰子 Tài Xỉu \u{0}", &long])
            .to_owned()
    }

    pub(crate) fn hash(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_be_bytes());
        }
        bytes
    }

    pub(crate) fn list<T>(&mut self, most: usize, mut one: impl FnMut(&mut Source) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }

    pub(crate) fn maybe<T>(&mut self, one: impl FnOnce(&mut Source) -> T) -> Option<T> {
        self.flag().then(|| one(self))
    }

    pub(crate) fn station(&mut self) -> StationId {
        StationId(self.small())
    }
    pub(crate) fn round(&mut self) -> RoundNumber {
        RoundNumber(self.number())
    }
    pub(crate) fn bet(&mut self) -> BetId {
        BetId(self.number())
    }
    pub(crate) fn voucher(&mut self) -> VoucherId {
        VoucherId(self.number())
    }
    pub(crate) fn session(&mut self) -> SessionNumber {
        SessionNumber(self.small())
    }
    pub(crate) fn person(&mut self) -> PersonId {
        PersonId(self.small())
    }
    pub(crate) fn position(&mut self) -> Position {
        self.pick(Position::all())
    }
    pub(crate) fn staff(&mut self) -> Staff {
        Staff {
            person: self.person(),
            position: self.position(),
        }
    }
    pub(crate) fn dice(&mut self) -> Dice {
        Outcome::from_index(self.below(216))
            .expect("below 216")
            .dice()
    }
    pub(crate) fn book(&mut self) -> Arc<RuleBook> {
        self.pick(RuleBook::all())
    }
    pub(crate) fn means(&mut self) -> Means {
        self.pick(&[Means::Credit, Means::CashChips, Means::ColourChips])
    }
    pub(crate) fn line(&mut self) -> Line {
        Line {
            section: self.pick(&Section::ALL),
            stake: self.money(),
        }
    }
    pub(crate) fn lines(&mut self) -> Vec<Line> {
        let most = self.pick(&[1, 1, 8, 104]);
        self.list(most, Source::line)
    }
    pub(crate) fn standing(&mut self) -> Standing {
        let dice = self.dice();
        self.pick(&[Standing::Void, Standing::Settled(dice)])
    }
    pub(crate) fn new_station(&mut self) -> NewStation {
        NewStation {
            name: self.text(),
            kind: self.pick(&[StationKind::Terminal, StationKind::Seat]),
            layout: self.text(),
        }
    }
    pub(crate) fn limits(&mut self) -> Limits {
        let limit = |source: &mut Source| Limit {
            minimum: source.money(),
            maximum: source.money(),
            step: source.money(),
        };
        Limits {
            by_kind: [(); Kind::ALL.len()].map(|()| limit(self)),
            station_maximum: self.money(),
            exposure_maximum: self.money(),
        }
    }
    pub(crate) fn config(&mut self) -> Config {
        let above = SecondReading::AbovePayout(self.money());
        Config {
            name: self.text(),
            book: self.book(),
            currency: self.pick(&Currency::KNOWN),
            chip_unit: self.money(),
            limits: self.limits(),
            window_ms: self.small(),
            dice_set: self.text(),
            tumble: self.pick(TumbleStep::all()),
            second_reading: self.pick(&[SecondReading::Never, SecondReading::Always, above]),
            void_by_supervisor: self.flag(),
            real_money: self.flag(),
            program: self.hash(),
        }
    }
    pub(crate) fn recoverable(&mut self) -> Recoverable {
        Recoverable {
            id: RecoverableId(self.number()),
            round: self.round(),
            station: self.station(),
            session: self.session(),
            amount: self.money(),
        }
    }
    pub(crate) fn unclaimed(&mut self) -> Unclaimed {
        Unclaimed {
            id: UnclaimedId(self.number()),
            round: self.round(),
            station: self.station(),
            session: self.session(),
            amount: self.money(),
        }
    }
    pub(crate) fn effect(&mut self) -> Effect {
        Effect {
            station: self.station(),
            was: self.money(),
            is: self.money(),
            credited: self.money(),
            paid_in_chips: self.money(),
            netted: self.list(3, |s| (RecoverableId(s.number()), s.money())),
            unclaimed_netted: self.list(3, |s| (UnclaimedId(s.number()), s.money())),
            unclaimed: self.maybe(Source::unclaimed),
            recoverable: self.maybe(Source::recoverable),
            waiver_netted: self.money(),
            waiver_restored: self.money(),
        }
    }
    pub(crate) fn pending(&mut self) -> Pending {
        let station = self.station();
        let interrupted = Question::Interrupted {
            established: self.flag(),
            then: self.pick(AfterInterruption::all()),
        };
        let unrecorded = Question::ChipsUnrecorded {
            station,
            means: self.means(),
            lines: self.lines(),
            by: self.person(),
        };
        let questions = [
            interrupted,
            Question::DiceNotInPlace,
            Question::ReadingsDisagree,
            Question::Uncovered { what: self.text() },
            Question::TerminalOpenCase { station },
            Question::BetStatus { station },
            Question::DeviceFailure,
            Question::TechnicalStop {
                what: self.text(),
                established: self.flag(),
            },
            Question::Interpretation { what: self.text() },
            unrecorded,
            Question::DamagedRound {
                reporter: PersonId(7),
            },
            Question::AffectedRounds {
                dice_set: self.text(),
                last: self.flag().then_some(RoundNumber(3)),
            },
            Question::CorrectionProposed {
                round: self.round(),
                proposal: self.number(),
                by: self.person(),
            },
        ];
        Pending {
            id: PendingId(self.number()),
            round: self.maybe(Source::round),
            question: self.pick(&questions),
            rule: self.text(),
            by: self.position(),
            or_above: self.flag(),
            persons: self.small() as u8,
        }
    }
    pub(crate) fn actor(&mut self, fact: &Fact) -> Actor {
        if let Fact::BetsPlaced { station, .. } = fact
            && self.flag()
        {
            return Actor::Station(*station);
        }
        let actors = [
            Actor::Staff(self.staff()),
            Actor::Station(self.station()),
            Actor::House,
            Actor::Device(Device::Tumbler),
            Actor::Device(Device::DiceReader),
            Actor::Device(Device::Lights),
            Actor::Device(Device::NoteAcceptor),
        ];
        self.pick(&actors)
    }
}

/// An event of the given number, otherwise drawn from the seed.
pub(crate) fn event(number: usize, seed: u64) -> Event {
    let mut source = Source(seed);
    let fact = fact(number, &mut source);
    assert_eq!(number_of(&fact), number, "each number makes its own fact");
    Event {
        at_ms: source.pick(&[0, -1, i64::MIN, i64::MAX, 1_790_000_000_000]),
        by: source.actor(&fact),
        second: source.maybe(Source::staff),
        command: source.number(),
        fact,
    }
}
