//! Events of every kind, made from a seed: edge values as often as ordinary ones.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{
    AfterInterruption, Cause, LateAct, Position, TumbleStep, Word as _,
};
use sicbo_rules::{Currency, Dice, Kind, Money, Outcome, RuleBook, Section};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{
    ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, NewStation, Ruling,
};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::event::{Digests, Effect, VoidBasis};
use sicbo_table::ids::{
    BetId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId, UnclaimedId,
    VoucherId,
};
use sicbo_table::pending::{Pending, Question, Recoverable, Unclaimed};
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::Standing;
use sicbo_table::station::StationKind;
use sicbo_table::{Config, Event, Fact};

/// Numbers drawn from a seed (SplitMix64).
pub(crate) struct Source(pub(crate) u64);

impl Source {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Of any size: few bits as often as many.
    fn number(&mut self) -> u64 {
        let bits = self.below(65) as u32;
        self.next().checked_shr(64 - bits).unwrap_or(0)
    }

    fn small(&mut self) -> u32 {
        self.number() as u32
    }

    fn money(&mut self) -> Money {
        let size = self.number() as i64;
        let edges = [0, 1, -1, 500, i64::MAX, i64::MIN, Money::MAX.minor(), size];
        Money::from_minor(self.pick(&edges))
    }

    fn text(&mut self) -> String {
        let long = "x".repeat(300);
        self.pick(&["", "b", "the lights", "骰子 Tài Xỉu \u{0}", &long])
            .to_owned()
    }

    fn hash(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_be_bytes());
        }
        bytes
    }

    fn list<T>(&mut self, most: usize, mut one: impl FnMut(&mut Source) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }

    fn maybe<T>(&mut self, one: impl FnOnce(&mut Source) -> T) -> Option<T> {
        self.flag().then(|| one(self))
    }

    fn station(&mut self) -> StationId {
        StationId(self.small())
    }
    fn round(&mut self) -> RoundNumber {
        RoundNumber(self.number())
    }
    fn bet(&mut self) -> BetId {
        BetId(self.number())
    }
    fn voucher(&mut self) -> VoucherId {
        VoucherId(self.number())
    }
    fn session(&mut self) -> SessionNumber {
        SessionNumber(self.small())
    }
    fn person(&mut self) -> PersonId {
        PersonId(self.small())
    }
    fn position(&mut self) -> Position {
        self.pick(Position::all())
    }
    fn staff(&mut self) -> Staff {
        Staff {
            person: self.person(),
            position: self.position(),
        }
    }
    fn dice(&mut self) -> Dice {
        Outcome::from_index(self.below(216))
            .expect("below 216")
            .dice()
    }
    fn book(&mut self) -> Arc<RuleBook> {
        self.pick(RuleBook::all())
    }
    fn means(&mut self) -> Means {
        self.pick(&[Means::Credit, Means::CashChips, Means::ColourChips])
    }
    fn line(&mut self) -> Line {
        Line {
            section: self.pick(&Section::ALL),
            stake: self.money(),
        }
    }
    fn lines(&mut self) -> Vec<Line> {
        let most = self.pick(&[1, 1, 8, 104]);
        self.list(most, Source::line)
    }
    fn standing(&mut self) -> Standing {
        let dice = self.dice();
        self.pick(&[Standing::Void, Standing::Settled(dice)])
    }
    fn new_station(&mut self) -> NewStation {
        NewStation {
            name: self.text(),
            kind: self.pick(&[StationKind::Terminal, StationKind::Seat]),
            layout: self.text(),
        }
    }
    fn limits(&mut self) -> Limits {
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
    fn config(&mut self) -> Config {
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
    fn recoverable(&mut self) -> Recoverable {
        Recoverable {
            id: RecoverableId(self.number()),
            round: self.round(),
            station: self.station(),
            session: self.session(),
            amount: self.money(),
        }
    }
    fn unclaimed(&mut self) -> Unclaimed {
        Unclaimed {
            id: UnclaimedId(self.number()),
            round: self.round(),
            station: self.station(),
            session: self.session(),
            amount: self.money(),
        }
    }
    fn effect(&mut self) -> Effect {
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
        }
    }
    fn pending(&mut self) -> Pending {
        let station = self.station();
        let interrupted = Question::Interrupted {
            established: self.flag(),
            then: self.pick(AfterInterruption::all()),
        };
        let questions = [
            interrupted,
            Question::DiceNotInPlace,
            Question::ReadingsDisagree,
            Question::Uncovered { what: self.text() },
            Question::TerminalOpenCase { station },
            Question::BetStatus { station },
            Question::DeviceFailure,
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
    fn actor(&mut self, fact: &Fact) -> Actor {
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

/// How many facts [`fact`] can make. A new fact must be given a number here:
/// [`number_of`] does not compile without it.
pub(crate) const FACTS: usize = 59;

/// The number of a fact for [`fact`].
pub(crate) fn number_of(fact: &Fact) -> usize {
    match fact {
        Fact::TableOpened { .. } => 0,
        Fact::StationAdded { .. } => 1,
        Fact::StationRemoved { .. } => 2,
        Fact::LastRoundAnnounced => 3,
        Fact::TableClosed => 4,
        Fact::TableSuspended { .. } => 5,
        Fact::TableResumed => 6,
        Fact::LimitsScheduled { .. } => 7,
        Fact::RuleBookScheduled { .. } => 8,
        Fact::DiceChanged { .. } => 9,
        Fact::ActingAssigned { .. } => 10,
        Fact::ActingEnded { .. } => 11,
        Fact::Connected { .. } => 12,
        Fact::Disconnected { .. } => 13,
        Fact::CreditBought { .. } => 14,
        Fact::CashedOut { .. } => 15,
        Fact::CashOutReversed { .. } => 16,
        Fact::TransferredOut { .. } => 17,
        Fact::HandPaid { .. } => 18,
        Fact::VoucherForgotten { .. } => 19,
        Fact::ChipsMoved { .. } => 20,
        Fact::ColourAssigned { .. } => 21,
        Fact::ColourReleased { .. } => 22,
        Fact::ColourMoved { .. } => 23,
        Fact::Adjusted { .. } => 24,
        Fact::RoundBegan { .. } => 25,
        Fact::TumblerActivated => 26,
        Fact::TumbleEnded { .. } => 27,
        Fact::BetsCalled => 28,
        Fact::BetsPlaced { .. } => 29,
        Fact::BetsRemoved { .. } => 30,
        Fact::ClosingBegan { .. } => 31,
        Fact::CloseAcknowledged { .. } => 32,
        Fact::StationFenced { .. } => 33,
        Fact::BetsClosed { .. } => 34,
        Fact::DealPressed => 35,
        Fact::PositionsRecorded { .. } => 36,
        Fact::PositionsObserved { .. } => 37,
        Fact::LateActRecorded { .. } => 38,
        Fact::Uncovered => 39,
        Fact::FlatConfirmed => 40,
        Fact::DiceKeyed { .. } => 41,
        Fact::KeysCleared => 42,
        Fact::SecondRead { .. } => 43,
        Fact::ReadingsAgreed { .. } => 44,
        Fact::ResultConfirmed { .. } => 45,
        Fact::LightsReported { .. } => 46,
        Fact::RoundSettled { .. } => 47,
        Fact::RoundVoided { .. } => 48,
        Fact::IncidentRaised { .. } => 49,
        Fact::DeviceFailed { .. } => 50,
        Fact::Interrupted { .. } => 51,
        Fact::DecisionRaised { .. } => 52,
        Fact::DecisionTaken { .. } => 53,
        Fact::ResultCorrected { .. } => 54,
        Fact::RoundVoidedLate { .. } => 55,
        Fact::OverpaymentRecovered { .. } => 56,
        Fact::OverpaymentWaived { .. } => 57,
        Fact::UnclaimedPaid { .. } => 58,
    }
}

/// The fact of that number.
fn fact(number: usize, s: &mut Source) -> Fact {
    match number {
        0 => Fact::TableOpened {
            config: Box::new(s.config()),
            stations: s.list(4, Source::new_station),
        },
        1 => Fact::StationAdded {
            station: s.new_station(),
        },
        2 => Fact::StationRemoved {
            station: s.station(),
        },
        3 => Fact::LastRoundAnnounced,
        4 => Fact::TableClosed,
        5 => Fact::TableSuspended { reason: s.text() },
        6 => Fact::TableResumed,
        7 => Fact::LimitsScheduled {
            limits: Box::new(s.limits()),
        },
        8 => Fact::RuleBookScheduled { book: s.book() },
        9 => Fact::DiceChanged { dice_set: s.text() },
        10 => Fact::ActingAssigned {
            person: s.person(),
            position: s.position(),
        },
        11 => Fact::ActingEnded {
            person: s.person(),
            position: s.position(),
        },
        12 => Fact::Connected {
            station: s.station(),
        },
        13 => Fact::Disconnected {
            station: s.station(),
        },
        14..=24 => money_fact(number, s),
        25..=48 => round_fact(number, s),
        _ => late_fact(number, s),
    }
}

fn money_fact(number: usize, s: &mut Source) -> Fact {
    match number {
        14 => {
            let voucher = CreditSource::Voucher(s.voucher());
            Fact::CreditBought {
                station: s.station(),
                source: s.pick(&[
                    CreditSource::Cash,
                    voucher,
                    CreditSource::Cage,
                    CreditSource::Attendant,
                ]),
                amount: s.money(),
                session: s.session(),
            }
        }
        15 => Fact::CashedOut {
            station: s.station(),
            amount: s.money(),
            voucher: s.voucher(),
        },
        16 => Fact::CashOutReversed {
            station: s.station(),
            amount: s.money(),
            voucher: s.voucher(),
        },
        17 => Fact::TransferredOut {
            station: s.station(),
            amount: s.money(),
        },
        18 => Fact::HandPaid {
            station: s.station(),
            amount: s.money(),
        },
        19 => Fact::VoucherForgotten {
            voucher: s.voucher(),
        },
        20 => Fact::ChipsMoved {
            how: s.pick(&[
                ChipMove::Bought,
                ChipMove::Brought,
                ChipMove::TakenAway,
                ChipMove::Fill,
                ChipMove::CreditSlip,
                ChipMove::Tip,
            ]),
            amount: s.money(),
            slip: s.text(),
        },
        21 => Fact::ColourAssigned {
            station: s.station(),
            colour: s.text(),
            value: s.money(),
            session: s.session(),
        },
        22 => Fact::ColourReleased {
            station: s.station(),
        },
        23 => Fact::ColourMoved {
            station: s.station(),
            how: s.pick(&[
                ColourMove::BoughtWithCash,
                ColourMove::ExchangedFromChips,
                ColourMove::ExchangedForChips,
            ]),
            amount: s.money(),
        },
        _ => Fact::Adjusted {
            station: s.station(),
            amount: s.money(),
            reason: s.text(),
        },
    }
}

fn round_fact(number: usize, s: &mut Source) -> Fact {
    match number {
        25 => Fact::RoundBegan {
            round: s.round(),
            digests: Digests {
                program: s.hash(),
                book: s.hash(),
                config: s.hash(),
            },
        },
        26 => Fact::TumblerActivated,
        27 => Fact::TumbleEnded {
            count: s.small() as u8,
            valid: s.flag(),
        },
        28 => Fact::BetsCalled,
        29 => Fact::BetsPlaced {
            station: s.station(),
            bet: s.bet(),
            means: s.means(),
            lines: s.lines(),
            called: s.flag(),
        },
        30 => Fact::BetsRemoved {
            station: s.station(),
            bet: s.bet(),
            means: s.means(),
            lines: s.lines(),
            all: s.flag(),
        },
        31 => Fact::ClosingBegan {
            awaiting: s.small(),
        },
        32 => Fact::CloseAcknowledged {
            station: s.station(),
        },
        33 => Fact::StationFenced {
            station: s.station(),
        },
        34 => Fact::BetsClosed { staked: s.money() },
        35 => Fact::DealPressed,
        36 => Fact::PositionsRecorded {
            station: s.station(),
            means: s.means(),
            lines: s.lines(),
            dice_visible: s.flag(),
        },
        37 => Fact::PositionsObserved {
            station: s.station(),
            lines: s.lines(),
        },
        38 => Fact::LateActRecorded {
            station: s.station(),
            late: s.pick(&[
                LateKind::Placement,
                LateKind::Increase,
                LateKind::Withdrawal,
            ]),
            line: s.line(),
            consequence: s.pick(LateAct::all()),
            rule: s.text(),
        },
        39 => Fact::Uncovered,
        40 => Fact::FlatConfirmed,
        41 => Fact::DiceKeyed { dice: s.dice() },
        42 => Fact::KeysCleared,
        43 => Fact::SecondRead { dice: s.dice() },
        44 => Fact::ReadingsAgreed { dice: s.dice() },
        45 => Fact::ResultConfirmed { dice: s.dice() },
        46 => Fact::LightsReported { lit: s.flag() },
        47 => Fact::RoundSettled {
            dice: s.dice(),
            staked: s.money(),
            returned: s.money(),
            digest: s.hash(),
        },
        _ => {
            let bases = [
                VoidBasis::Listed(s.pick(Cause::all())),
                VoidBasis::Ruling(s.text()),
            ];
            Fact::RoundVoided {
                basis: s.pick(&bases),
                rule: s.text(),
                staked: s.money(),
                digest: s.hash(),
            }
        }
    }
}

fn late_fact(number: usize, s: &mut Source) -> Fact {
    match number {
        49 => Fact::IncidentRaised {
            kind: s.pick(&[
                IncidentKind::CallSupervisor,
                IncidentKind::CallAttendant,
                IncidentKind::Counterfeit,
                IncidentKind::Dispute,
                IncidentKind::Other,
            ]),
            note: s.text(),
        },
        50 => Fact::DeviceFailed {
            what: s.text(),
            inform: s.maybe(Source::position),
        },
        51 => Fact::Interrupted { what: s.text() },
        52 => Fact::DecisionRaised {
            pending: s.pending(),
        },
        53 => Fact::DecisionTaken {
            pending: PendingId(s.number()),
            ruling: s.pick(&[
                Ruling::Void,
                Ruling::Conclude,
                Ruling::Accept,
                Ruling::AtClose,
                Ruling::AsTheyLie,
            ]),
            reason: s.text(),
        },
        54 => Fact::ResultCorrected {
            round: s.round(),
            revision: s.small(),
            from: s.standing(),
            dice: s.dice(),
            evidence: s.text(),
            rule: s.text(),
            effects: s.list(3, Source::effect),
        },
        55 => Fact::RoundVoidedLate {
            round: s.round(),
            revision: s.small(),
            from: s.standing(),
            reason: s.text(),
            rule: s.text(),
            effects: s.list(3, Source::effect),
        },
        56 => Fact::OverpaymentRecovered {
            recoverable: RecoverableId(s.number()),
            amount: s.money(),
        },
        57 => Fact::OverpaymentWaived {
            recoverable: RecoverableId(s.number()),
            amount: s.money(),
            reason: s.text(),
        },
        _ => Fact::UnclaimedPaid {
            unclaimed: UnclaimedId(s.number()),
            amount: s.money(),
        },
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
