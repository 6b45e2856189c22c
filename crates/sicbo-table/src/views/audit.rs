//! What the auditor, surveillance and the regulator see: everything, as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;

use crate::books::{Account, Books};
use crate::ids::{PersonId, RoundNumber, StationId, VoucherId};
use crate::pending::{Pending, Recoverable, Unclaimed};
use crate::record::RoundRecord;
use crate::round::Round;
use crate::station::Station;
use crate::table::{Amended, Status, Table};

/// Everything.
#[derive(Clone, PartialEq, Debug)]
pub struct AuditView {
    /// Fingerprint of the whole state.
    pub digest: [u8; 32],
    /// The set-up as one text with one spelling, whose hash each round records.
    pub config: Option<String>,
    /// The rule book's name and SHA-256.
    pub book: Option<(String, [u8; 32])>,
    /// Whether it plays.
    pub status: Status,
    /// The round in hand with every station's bets and both readings of the dice.
    pub round: Option<Box<Round>>,
    /// The number of the last round that began.
    pub last_round: RoundNumber,
    /// The last round that ended, whole.
    pub last_record: Option<Arc<RoundRecord>>,
    /// Rounds amended after they ended.
    pub amended: BTreeMap<RoundNumber, Amended>,
    /// Every station with its credit and meters.
    pub stations: Vec<Station>,
    /// Accounts of no station.
    pub books: Books,
    /// Every account with a balance.
    pub balances: Vec<(Account, Money)>,
    /// Who acts as what.
    pub acting: BTreeSet<(PersonId, Position)>,
    /// Decisions that wait.
    pub pending: Vec<Pending>,
    /// Overpayments.
    pub recoverables: Vec<Recoverable>,
    /// Credits nobody has claimed.
    pub unclaimed: Vec<Unclaimed>,
    /// Vouchers credited here that the house has not finished with.
    pub vouchers_in: BTreeSet<VoucherId>,
    /// What is wrong with the figures, if anything is.
    pub fault: Option<String>,
}

/// The auditor's view.
#[must_use]
pub fn audit(table: &Table) -> AuditView {
    let config = table.config.as_deref();
    AuditView {
        digest: table.digest(),
        config: config.map(crate::config::Config::canonical),
        book: config.map(|config| (config.book.id().to_owned(), config.book.sha256())),
        status: table.status.clone(),
        round: table.round.clone(),
        last_round: table.last_round,
        last_record: table.last_record.clone(),
        amended: table.amended.clone(),
        stations: table.stations.clone(),
        books: table.books,
        balances: balances(table),
        acting: table.acting.clone(),
        pending: table.pending.clone(),
        recoverables: table.recoverables.values().cloned().collect(),
        unclaimed: table.unclaimed.values().cloned().collect(),
        vouchers_in: table.vouchers_in.clone(),
        fault: table.check().err(),
    }
}

fn balances(table: &Table) -> Vec<(Account, Money)> {
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
    let stations = (0..table.stations.len() as u32).map(StationId);
    plain
        .into_iter()
        .chain(stations.flat_map(|id| [Account::Credit(id), Account::AtRisk(id)]))
        .map(|account| (account, table.balance(account)))
        .filter(|(_, balance)| *balance != Money::ZERO)
        .collect()
}
