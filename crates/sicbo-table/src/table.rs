//! The state of one table.
//!
//! Changed only by [`crate::apply`]; read by [`crate::decide`] and the views.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use sicbo_rules::rulebook::words::{Cover, Position};
use sicbo_rules::{ExposureTable, Layout, Money, RuleBook};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::actor::Device;
use crate::books::{Account, Books};
use crate::cash::{MoneyDuties, Uncounted};
use crate::command::Counting;
use crate::config::{Config, Limits};
use crate::event::RulesRevision;
use crate::ids::{
    NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId,
    UnclaimedId, VoucherId,
};
use crate::pending::{Notice, Pending, Question, Recoverable, Unclaimed};
use crate::record::{RoundRecord, Standing};
use crate::requests::Requests;
use crate::round::{Phase, Round, StationRound};
use crate::station::{Station, StationKind};

/// Whether a table plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "StatusName")]
#[schema(as = StatusName)]
pub enum Status {
    /// Never opened, or closed.
    Closed,
    /// Open for play.
    Open,
    /// Play has stopped.
    Suspended,
}

/// A voucher issued at this table, as long as its issue may still be asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Issued {
    /// Where.
    pub station: StationId,
    /// To whom: the session after the credit went out, new when none was left.
    pub session: SessionNumber,
    /// How much.
    pub amount: Money,
}

/// How an amended round stands now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Amended {
    /// How often it was amended.
    pub revision: u32,
    /// How it stands.
    pub standing: Standing,
    /// Overpayments of the round that were waived, by station.
    pub waived: BTreeMap<StationId, Waiver>,
}

/// What a player may keep of a round beyond what it gives, by ruling.
/// The two together are what was ever waived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiver {
    /// Kept beyond what the round gives as it stands now.
    pub kept: Money,
    /// Set against what a later amendment found to be owed after all.
    pub spent: Money,
}

/// What the two clocks showed when they were found to have parted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[ts(rename = "ShownClocks")]
#[schema(as = ShownClocks)]
pub struct ClocksParted {
    /// The house's.
    pub house_ms: i64,
    /// The machine's.
    pub machine_ms: i64,
}

/// A commitment of an ended round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Committed {
    /// Which round.
    pub round: RoundNumber,
    /// SHA-256 of the seed.
    pub commitment: [u8; 32],
    /// The seed, once it is revealed.
    pub seed: Option<[u8; 32]>,
}

/// Memory kept for the next round. It holds nothing of the table's state, so
/// any two are equal.
#[derive(Clone, Default, Debug)]
pub(crate) struct Spare(pub(crate) Vec<StationRound>);

impl PartialEq for Spare {
    fn eq(&self, _: &Spare) -> bool {
        true
    }
}

/// One table.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Whether it plays.
    pub status: Status,
    /// Its set-up; none before it is first opened.
    pub config: Option<Box<Config>>,
    /// The revision of the rules as programmed, under which the table was last
    /// opened or its newest round began.
    pub rules: RulesRevision,
    /// Stations by number.
    pub stations: Vec<Station>,
    /// The current round.
    pub round: Option<Box<Round>>,
    /// The number of the last round that began.
    pub last_round: RoundNumber,
    /// The last round that commenced by what its book calls the start of a
    /// round; a record that only takes bets may not have yet.
    pub last_started: RoundNumber,
    /// The last round whose dice were tumbled: older dice can be read no more.
    pub last_tumbled: RoundNumber,
    /// The last round that ended, whole.
    pub last_record: Option<Arc<RoundRecord>>,
    /// Rounds that were amended after they ended.
    pub amended: BTreeMap<RoundNumber, Amended>,
    /// Accounts of no station.
    pub books: Books,
    /// Who acts as what.
    pub acting: BTreeSet<(PersonId, Position)>,
    /// Decisions that wait.
    pub pending: Vec<Pending>,
    /// The number of the next one.
    pub next_pending: PendingId,
    /// Overpayments not yet recovered or waived.
    pub recoverables: BTreeMap<RecoverableId, Recoverable>,
    /// The number of the next one.
    pub next_recoverable: RecoverableId,
    /// Overpayments that a case found, apart from what a round itself owes: no
    /// correction of the round sets anything against them.
    pub case_debts: BTreeSet<RecoverableId>,
    /// Decisions of cases that were paid here (true), and whose overpayment was
    /// noted (false): neither happens twice. The number of the decision is 0 in
    /// what a program did that did not count them.
    pub cases_settled: BTreeSet<(u64, u32, bool)>,
    /// Credits nobody has claimed that a case gave, apart from what a round
    /// itself owes: no correction of the round takes anything back from them.
    pub case_credits: BTreeSet<UnclaimedId>,
    /// Credits nobody has claimed.
    pub unclaimed: BTreeMap<UnclaimedId, Unclaimed>,
    /// The number of the next one.
    pub next_unclaimed: UnclaimedId,
    /// Vouchers credited here that the house has not yet finished with.
    pub vouchers_in: BTreeSet<VoucherId>,
    /// Vouchers issued here that the house has not yet finished with.
    pub vouchers_out: BTreeMap<VoucherId, Issued>,
    /// The last round was announced; it has been played when this is `Some(true)`.
    pub last_round_announced: Option<bool>,
    /// The round that was announced as the last: the first to begin after the announcement (S-07).
    pub closing_round: Option<RoundNumber>,
    /// Limits from the next round.
    pub next_limits: Option<Box<Limits>>,
    /// Rule book from the next round.
    pub next_book: Option<Arc<RuleBook>>,
    /// The dice in the tumbler are damaged: no round may begin with them.
    pub dice_condemned: bool,
    /// Sets said to be damaged and not found sound since: none is put in play again.
    pub damaged: BTreeSet<String>,
    /// The first round that was, or will be, played with the dice now in the tumbler.
    pub dice_since: RoundNumber,
    /// The machine's clock has parted from the house's: no round begins until
    /// somebody has looked.
    pub clock_parted: Option<ClocksParted>,
    /// Suspended because a device failed: resumes only by whom the book names.
    pub device_failed: bool,
    /// Word of failures, given to whoever the book says must be told.
    pub notices: Vec<Notice>,
    /// The number of the next one.
    pub next_notice: NoticeId,
    /// Who counts the tumbles.
    pub counting: Counting,
    /// The least time a tumble takes that a person counts, in milliseconds.
    pub shortest_tumble_ms: u32,
    /// Devices on the line that last reported the cover open.
    pub open_covers: BTreeSet<Device>,
    /// The tumbler ran although play was stopped, and nothing was decided since.
    pub ran_on: bool,
    /// Rounds of late whose tumble failed, oldest first.
    pub failed_tumbles: Vec<RoundNumber>,
    /// What a simulated tumbler committed to for the current round or the next.
    pub commitment: Option<(RoundNumber, [u8; 32])>,
    /// What it had committed to for the last round that ended, and the seed
    /// once it is revealed.
    pub last_tumble: Option<Committed>,
    /// The newest requests of staff by which money moved.
    pub requests: Requests,
    /// How much money staff may move; none before it was said.
    pub money_duties: Option<Box<MoneyDuties>>,
    /// Money that staff moved and that nobody else has counted, by number.
    pub uncounted: BTreeMap<u64, Uncounted>,
    /// The number of the last one.
    pub last_uncounted: u64,
    /// Records of the journal that made this state: the number of the last.
    pub records: u64,
    /// How many of the decisions that wait hold up the round.
    pub(crate) holds: u32,
    /// Compiled exposure tables of the book's layouts.
    pub(crate) exposure_tables: Arc<Vec<ExposureTable>>,
    /// Parts of stations of the last round, kept for their memory only.
    pub(crate) spare: Spare,
}

impl Default for Table {
    fn default() -> Self {
        Table {
            status: Status::Closed,
            config: None,
            rules: RulesRevision::CURRENT,
            stations: Vec::new(),
            round: None,
            last_round: RoundNumber(0),
            last_started: RoundNumber(0),
            last_tumbled: RoundNumber(0),
            last_record: None,
            amended: BTreeMap::new(),
            books: Books::default(),
            acting: BTreeSet::new(),
            pending: Vec::new(),
            next_pending: PendingId(1),
            recoverables: BTreeMap::new(),
            next_recoverable: RecoverableId(1),
            case_debts: BTreeSet::new(),
            cases_settled: BTreeSet::new(),
            case_credits: BTreeSet::new(),
            unclaimed: BTreeMap::new(),
            next_unclaimed: UnclaimedId(1),
            vouchers_in: BTreeSet::new(),
            vouchers_out: BTreeMap::new(),
            last_round_announced: None,
            closing_round: None,
            next_limits: None,
            next_book: None,
            dice_condemned: false,
            damaged: BTreeSet::new(),
            clock_parted: None,
            dice_since: RoundNumber(1),
            device_failed: false,
            notices: Vec::new(),
            next_notice: NoticeId(1),
            counting: Counting::Either,
            shortest_tumble_ms: 0,
            open_covers: BTreeSet::new(),
            ran_on: false,
            failed_tumbles: Vec::new(),
            commitment: None,
            last_tumble: None,
            requests: Requests::default(),
            money_duties: None,
            uncounted: BTreeMap::new(),
            last_uncounted: 0,
            records: 0,
            holds: 0,
            exposure_tables: Arc::new(Vec::new()),
            spare: Spare::default(),
        }
    }
}

impl Table {
    /// Colour chips that players hold, on the layout or before them. The rack holds the
    /// cash chips that stand for them until they come back.
    #[must_use]
    pub fn colour_chips_out(&self) -> Money {
        let seats = self.stations.iter().enumerate();
        let seats = seats.filter(|(_, station)| station.kind == StationKind::Seat);
        let on_layout = |seat: usize| {
            let part = self.round.as_deref()?.stations.get(seat)?;
            Some(part.colour_positions.total())
        };
        seats
            .map(|(seat, station)| station.credit + on_layout(seat).unwrap_or(Money::ZERO))
            .sum()
    }

    /// This decision of a case was paid here, or its overpayment noted where
    /// `paid` is false. What a program settled that did not count decisions was
    /// settled for the first.
    #[must_use]
    pub fn has_settled(&self, case: u64, decision: u32, paid: bool) -> bool {
        let settled = |decision| self.cases_settled.contains(&(case, decision, paid));
        settled(decision) || (decision == 1 && settled(0))
    }

    /// The rule book in force.
    #[must_use]
    pub fn book(&self) -> Option<&Arc<RuleBook>> {
        self.config.as_ref().map(|config| &config.book)
    }

    /// A station that is in use.
    #[must_use]
    pub fn station(&self, id: StationId) -> Option<&Station> {
        self.stations
            .get(id.0 as usize)
            .filter(|station| !station.removed)
    }

    /// A station by name.
    #[must_use]
    pub fn station_named(&self, name: &str) -> Option<StationId> {
        let at = self
            .stations
            .iter()
            .position(|station| station.name == name && !station.removed)?;
        Some(StationId(u32::try_from(at).ok()?))
    }

    /// The layout a station shows.
    #[must_use]
    pub fn layout_of(&self, station: &Station) -> Option<&Layout> {
        self.book()?.layouts.get(station.layout)
    }

    /// A device's word on the cover counts here: the game has a cover, and two
    /// persons have not given the device up.
    #[must_use]
    pub fn hears_cover(&self, device: Device) -> bool {
        let relied_on = match device {
            Device::Tumbler => self.counting != Counting::Hand,
            Device::DiceReader => true,
            Device::Lights | Device::NoteAcceptor => false,
        };
        let has_cover = |book: &Arc<RuleBook>| book.play.cover.is == Cover::Covered;
        relied_on && self.book().is_some_and(has_cover)
    }

    /// The phase of the current round.
    #[must_use]
    pub fn phase(&self) -> Option<Phase> {
        self.round.as_ref().map(|round| round.phase)
    }

    /// The decision that holds up the round, if any.
    #[must_use]
    pub fn holding(&self) -> Option<&Pending> {
        // Counted, because every bet asks and others may wait in great number.
        if self.holds == 0 {
            return None;
        }
        self.pending
            .iter()
            .find(|pending| pending.question.holds_round())
    }

    /// The ended round whose dice still lie as they fell: none was tumbled since
    /// and they are in the tumbler still.
    #[must_use]
    pub fn dice_in_place(&self) -> Option<RoundNumber> {
        let in_hand = self.round.as_deref().map(|round| round.number);
        let last = self.last_tumbled;
        (last.0 > 0 && Some(last) != in_hand && last >= self.dice_since).then_some(last)
    }

    /// The decision that play may resume after a device failed, if it is awaited.
    #[must_use]
    pub fn device_failure(&self) -> Option<&Pending> {
        self.pending
            .iter()
            .find(|pending| pending.question == Question::DeviceFailure)
    }

    /// A cited rule of the book in force, with its name.
    #[must_use]
    pub fn cite(&self, citation: &sicbo_rules::Citation) -> String {
        if sicbo_rules::broken("table:cited-rule") {
            return citation.full("mbs-etg");
        }
        self.book()
            .map_or_else(|| citation.to_string(), |book| citation.full(book.id()))
    }

    /// The balance of an account.
    #[must_use]
    pub fn balance(&self, account: Account) -> Money {
        let station = |id: StationId| self.stations.get(id.0 as usize);
        match account {
            Account::HouseBank => self.books.house_bank,
            Account::Credit(id) => station(id).map_or(Money::ZERO, |s| s.credit),
            Account::AtRisk(id) => station(id).map_or(Money::ZERO, |s| s.at_risk),
            Account::Vouchers => self.books.vouchers,
            Account::Drop => self.books.drop,
            Account::Cage => self.books.cage,
            Account::ChipFloat => self.books.chip_float,
            Account::ChipsOutstanding => self.books.chips_outstanding,
            Account::Tips => self.books.tips,
            Account::Recoverable => self.books.recoverable,
            Account::Unclaimed => self.books.unclaimed,
            Account::Adjustments => self.books.adjustments,
        }
    }

    pub(crate) fn post(&mut self, from: Account, to: Account, amount: Money) {
        assert!(!amount.is_negative(), "a posting below zero");
        let left = self.account_mut(from);
        *left -= amount;
        // What players have never falls below nothing; the house's accounts may.
        let players = matches!(from, Account::Credit(_) | Account::AtRisk(_));
        assert!(!players || !left.is_negative(), "credit below zero");
        *self.account_mut(to) += amount;
    }

    fn account_mut(&mut self, account: Account) -> &mut Money {
        match account {
            Account::HouseBank => &mut self.books.house_bank,
            Account::Credit(id) => &mut self.stations[id.0 as usize].credit,
            Account::AtRisk(id) => &mut self.stations[id.0 as usize].at_risk,
            Account::Vouchers => &mut self.books.vouchers,
            Account::Drop => &mut self.books.drop,
            Account::Cage => &mut self.books.cage,
            Account::ChipFloat => &mut self.books.chip_float,
            Account::ChipsOutstanding => &mut self.books.chips_outstanding,
            Account::Tips => &mut self.books.tips,
            Account::Recoverable => &mut self.books.recoverable,
            Account::Unclaimed => &mut self.books.unclaimed,
            Account::Adjustments => &mut self.books.adjustments,
        }
    }

    /// Checks every money invariant from the figures themselves. A failure is
    /// a bug: the table must stop.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn check(&self) -> Result<(), String> {
        let mut sum = self.books.sum();
        let mut at_risk = Money::ZERO;
        for (i, station) in self.stations.iter().enumerate() {
            sum += station.credit + station.at_risk;
            at_risk += station.at_risk;
            if station.credit.is_negative() {
                return Err(format!("credit of {} is below zero", station.name));
            }
            let staked = self
                .round
                .as_ref()
                .and_then(|round| round.stations.get(i))
                .map_or(Money::ZERO, StationRound::staked);
            if station.at_risk != staked {
                return Err(format!(
                    "at-risk of {} is not its open stakes",
                    station.name
                ));
            }
            if station.kind == crate::station::StationKind::Terminal
                && station.credit_by_meters() != station.credit
            {
                return Err(format!(
                    "meters of {} do not reconcile with its credit",
                    station.name
                ));
            }
        }
        if sum != Money::ZERO {
            return Err(format!("the accounts sum to {sum:?}"));
        }
        let staked = self
            .round
            .as_ref()
            .map_or(Money::ZERO, |round| round.exposure.staked());
        if at_risk != staked {
            return Err("exposure and at-risk disagree".to_owned());
        }
        let holds = self.pending.iter().filter(|p| p.question.holds_round());
        if holds.count() != self.holds as usize {
            return Err("decisions that hold the round are miscounted".to_owned());
        }
        let recoverable: Money = self.recoverables.values().map(|entry| entry.amount).sum();
        if self.books.recoverable != -recoverable {
            return Err("the recoverable account is not the sum of its entries".to_owned());
        }
        let unclaimed: Money = self.unclaimed.values().map(|entry| entry.amount).sum();
        if self.books.unclaimed != unclaimed {
            return Err("the unclaimed account is not the sum of its entries".to_owned());
        }
        Ok(())
    }

    /// The postings that turned `before` into this table, by account balances.
    #[must_use]
    pub fn movements(&self, before: &Table) -> Vec<(Account, Money)> {
        let plain = [
            Account::HouseBank,
            Account::Vouchers,
            Account::Drop,
            Account::Cage,
            Account::ChipFloat,
            Account::ChipsOutstanding,
            Account::Tips,
            Account::Recoverable,
            Account::Unclaimed,
            Account::Adjustments,
        ];
        let stations = (0..self.stations.len() as u32)
            .flat_map(|i| [Account::Credit(StationId(i)), Account::AtRisk(StationId(i))]);
        plain
            .into_iter()
            .chain(stations)
            .map(|account| (account, self.balance(account) - before.balance(account)))
            .filter(|(_, moved)| *moved != Money::ZERO)
            .collect()
    }
}
