//! Every fact there is, each with a number of its own.

use sicbo_rules::rulebook::words::{Cause, LateAct, Word as _};
use sicbo_table::Fact;
use sicbo_table::cash::{Bound, MoneyDuties};
use sicbo_table::command::{
    ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, Part, Ruling,
};
use sicbo_table::event::{Digests, RulesRevision, VoidBasis};
use sicbo_table::grant::{Hold, PlayGrant, PlayHold};
use sicbo_table::ids::{BetId, NoticeId, PendingId, RecoverableId, UnclaimedId};
use sicbo_table::pending::Notice;

use crate::codec::samples::Source;

/// The table of facts: how each is made from a source, by a number of its own.
macro_rules! facts {
    ($s:ident: $($number:literal => $fact:ident $({ $($field:ident: $made:expr),* })?;)*) => {
        /// How many facts [`fact`] can make.
        pub(crate) const FACTS: usize = [$($number),*].len();

        /// The number of a fact for [`fact`]. A new fact must be given a row: this does not
        /// compile without it.
        pub(crate) fn number_of(fact: &Fact) -> usize {
            match fact {
                $(Fact::$fact { .. } => $number,)*
            }
        }

        /// The fact of that number.
        pub(crate) fn fact(number: usize, $s: &mut Source) -> Fact {
            match number {
                $($number => Fact::$fact { $($($field: $made),*)? },)*
                _ => unreachable!("no fact has the number {number}"),
            }
        }
    };
}

facts! { s:
    0 => TableOpened { config: Box::new(s.config()), stations: s.list(4, Source::new_station),
        rules: RulesRevision(s.small() as u16) };
    1 => StationAdded { station: s.new_station() };
    2 => StationRemoved { station: s.station() };
    3 => LastRoundAnnounced;
    4 => TableClosed;
    5 => TableSuspended { reason: s.text() };
    6 => TableResumed;
    7 => LimitsScheduled { limits: Box::new(s.limits()) };
    8 => RuleBookScheduled { book: s.book() };
    9 => DiceChanged { dice_set: s.text() };
    10 => ActingAssigned { person: s.person(), position: s.position() };
    11 => ActingEnded { person: s.person(), position: s.position() };
    12 => Connected { station: s.station() };
    13 => Disconnected { station: s.station() };
    14 => CreditBought { station: s.station(), source: s.source(), amount: s.money(),
        session: s.session() };
    15 => CashedOut { station: s.station(), amount: s.money(), voucher: s.voucher() };
    16 => CashOutReversed { station: s.station(), amount: s.money(), voucher: s.voucher() };
    17 => TransferredOut { station: s.station(), amount: s.money() };
    18 => HandPaid { station: s.station(), amount: s.money() };
    19 => VoucherForgotten { voucher: s.voucher() };
    20 => ChipsMoved {
        how: s.pick(&[ChipMove::Bought, ChipMove::Brought, ChipMove::TakenAway, ChipMove::Fill,
            ChipMove::CreditSlip, ChipMove::Tip]),
        amount: s.money(), slip: s.text() };
    21 => ColourAssigned { station: s.station(), colour: s.text(), value: s.money(),
        session: s.session() };
    22 => ColourReleased { station: s.station() };
    23 => ColourMoved { station: s.station(),
        how: s.pick(&[ColourMove::BoughtWithCash, ColourMove::ExchangedFromChips,
            ColourMove::ExchangedForChips]),
        amount: s.money() };
    24 => Adjusted { station: s.station(), amount: s.money(), reason: s.text() };
    25 => RoundBegan { round: s.round(),
        digests: Digests { program: s.hash(), book: s.hash(), config: s.hash() },
        rules: RulesRevision(s.small() as u16) };
    26 => TumblerActivated;
    27 => TumbleEnded { count: s.small() as u8, valid: s.flag() };
    28 => BetsCalled;
    29 => BetsPlaced { station: s.station(), bet: s.bet(), means: s.means(), lines: s.lines(),
        called: s.flag() };
    30 => BetsRemoved { station: s.station(), bet: s.bet(), means: s.means(), lines: s.lines(),
        all: s.flag() };
    31 => ClosingBegan { awaiting: s.small() };
    32 => CloseAcknowledged { station: s.station() };
    33 => StationFenced { station: s.station() };
    34 => BetsClosed { staked: s.money() };
    35 => DealPressed;
    36 => PositionsRecorded { station: s.station(), means: s.means(), lines: s.lines(),
        dice_visible: s.flag(), bet: s.maybe(|s| BetId(s.number())) };
    37 => PositionsObserved { station: s.station(), means: s.means(), lines: s.lines() };
    38 => LateActRecorded { station: s.station(),
        late: s.pick(&[LateKind::Placement, LateKind::Increase, LateKind::Withdrawal]),
        means: s.maybe(Source::means), line: s.line(), consequence: s.pick(LateAct::all()),
        rule: s.text() };
    39 => Uncovered;
    40 => FlatConfirmed;
    41 => DiceKeyed { dice: s.dice() };
    42 => KeysCleared;
    43 => SecondRead { dice: s.dice() };
    44 => ReadingsAgreed { dice: s.dice() };
    45 => ResultConfirmed { dice: s.dice() };
    46 => LightsReported { lit: s.flag() };
    47 => RoundSettled { dice: s.dice(), staked: s.money(), returned: s.money(), digest: s.hash() };
    48 => RoundVoided { basis: s.void_basis(), rule: s.text(), staked: s.money(),
        digest: s.hash() };
    49 => IncidentRaised {
        kind: s.pick(&[IncidentKind::CallSupervisor, IncidentKind::CallAttendant,
            IncidentKind::Counterfeit, IncidentKind::Dispute, IncidentKind::Other]),
        note: s.text() };
    50 => DeviceFailed { what: s.text(), inform: s.maybe(Source::position),
        part: s.pick(&Part::ALL), by_dice: s.flag() };
    51 => Interrupted { what: s.text() };
    52 => DecisionRaised { pending: s.pending() };
    53 => DecisionTaken { pending: PendingId(s.number()),
        ruling: s.pick(&[Ruling::Void, Ruling::Conclude, Ruling::Accept, Ruling::AtClose,
            Ruling::AsTheyLie, Ruling::Affected, Ruling::NotAffected, Ruling::Release]),
        reason: s.text() };
    54 => ResultCorrected { round: s.round(), revision: s.small(), from: s.standing(),
        dice: s.dice(), evidence: s.text(), rule: s.text(), effects: s.list(3, Source::effect),
        conducted: s.maybe(Source::flag) };
    55 => RoundVoidedLate { round: s.round(), revision: s.small(), from: s.standing(),
        reason: s.text(), rule: s.text(), effects: s.list(3, Source::effect),
        cause: s.maybe(|s| s.pick(Cause::all())), ground: s.maybe(Source::text) };
    56 => OverpaymentRecovered { recoverable: RecoverableId(s.number()), amount: s.money() };
    57 => OverpaymentWaived { recoverable: RecoverableId(s.number()), amount: s.money(),
        reason: s.text() };
    58 => UnclaimedPaid { unclaimed: UnclaimedId(s.number()), amount: s.money() };
    59 => TumbleCommitted { round: s.round(), commitment: s.hash() };
    60 => TumbleRevealed { round: s.round(), seed: s.hash() };
    61 => NoticeRaised {
        notice: Notice { id: NoticeId(s.number()), at_ms: s.number() as i64, what: s.text(),
            inform: s.position(), rule: s.text(), round: s.maybe(Source::round),
            read: s.maybe(|s| (s.person(), s.number() as i64)) } };
    62 => NoticeAcknowledged { notice: NoticeId(s.number()) };
    63 => TumblerBound { line: s.flag(), shortest_ms: s.small() };
    64 => CountingSwitched { by_hand: s.flag() };
    65 => CasePaid { station: s.station(), case: s.number(), round: s.maybe(Source::round),
        amount: s.money(), reason: s.text(), decision: s.small(),
        unclaimed: s.maybe(Source::unclaimed) };
    66 => CaseOverpaid { case: s.number(), recoverable: s.recoverable(), reason: s.text(),
        decision: s.small() };
    67 => PositionsClaimed { station: s.station(), bet: BetId(s.number()), means: s.means(),
        lines: s.lines() };
    68 => PositionsAttested { pending: PendingId(s.number()), station: s.station(),
        means: s.means(), lines: s.lines(), bookmark: s.text() };
    69 => PositionsReturned { pending: PendingId(s.number()), station: s.station(),
        means: s.means(), lines: s.lines(), bookmark: s.text() };
    70 => DamageReported { dice_set: s.text(), round: s.maybe(Source::round), note: s.text() };
    71 => DiceFoundSound { dice_set: s.text(), text: s.text() };
    72 => ClockParted { machine_ms: s.number() as i64 };
    73 => ClockSet { was_ms: s.number() as i64, is_ms: s.number() as i64 };
    74 => CoverReported { open: s.flag() };
    75 => PlayGranted { station: s.station(),
        grant: PlayGrant { visit: s.session(), staked_to: s.maybe(Source::money),
            lost_to: s.maybe(Source::money), hold: s.maybe(Source::hold) } };
    76 => MoneyDutiesSet { duties: s.duties() };
    77 => MoneyCounted { entry: s.number(), amount: s.money() };
    78 => LastRoundTakenBack;
}

impl Source {
    fn hold(&mut self) -> PlayHold {
        PlayHold {
            why: Hold::ALL[self.number() as usize % Hold::ALL.len()],
            from_ms: self.number() as i64,
        }
    }

    fn duties(&mut self) -> MoneyDuties {
        let mut bound = || Bound {
            alone: self.money(),
            together: self.money(),
        };
        let (attendant, cage, transfer, limits) = (bound(), bound(), bound(), bound());
        MoneyDuties {
            attendant,
            cage,
            transfer,
            hand_pay: self.money(),
            limits,
        }
    }

    fn source(&mut self) -> CreditSource {
        let voucher = CreditSource::Voucher(self.voucher());
        let (cash, cage, attendant) = (
            CreditSource::Cash,
            CreditSource::Cage,
            CreditSource::Attendant,
        );
        self.pick(&[cash, voucher, cage, attendant])
    }

    fn void_basis(&mut self) -> VoidBasis {
        let listed = VoidBasis::Listed(self.pick(Cause::all()));
        let ruled = VoidBasis::Ruling(self.text());
        self.pick(&[listed, ruled])
    }
}
