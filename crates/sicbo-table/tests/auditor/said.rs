//! What the auditor hears: events as plain words and numbers, no type of the engine's.

/// Minor units of money.
pub(crate) type Minor = i64;

/// What a stake is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Chips {
    Credit,
    Cash,
    Colour,
}

/// A stake, with its section in the notation of the documents page: `total:11`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bet {
    pub(crate) section: String,
    pub(crate) stake: Minor,
}

/// A station that is set up.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) seat: bool,
    pub(crate) layout: String,
}

/// How chips move between rack, players, cage and boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ChipsHow {
    Bought,
    Brought,
    TakenAway,
    Fill,
    CreditSlip,
    Tip,
}

/// How colour chips change hands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColourHow {
    ForCash,
    FromChips,
    ToChips,
}

/// Where credit comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Cash,
    Voucher(u64),
    Cage,
}

/// What the engine says an amendment does to a station.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Claimed {
    pub(crate) station: usize,
    pub(crate) was: Minor,
    pub(crate) is: Minor,
    pub(crate) credited: Minor,
    pub(crate) in_chips: Minor,
    pub(crate) netted: Minor,
    pub(crate) waiver_netted: Minor,
    pub(crate) waiver_restored: Minor,
    pub(crate) unclaimed_netted: Minor,
    pub(crate) unclaimed: Minor,
    pub(crate) recoverable: Minor,
    /// Name of the new overpayment, where there is one.
    pub(crate) recoverable_id: Option<u64>,
    /// Name of the new unclaimed credit, where there is one.
    pub(crate) unclaimed_id: Option<u64>,
}

/// What has happened.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Opened {
        book: String,
        stations: Vec<Setup>,
    },
    StationAdded(Setup),
    StationRemoved(usize),
    BookScheduled(String),
    RoundBegan(u64),
    CreditBought {
        station: usize,
        source: Source,
        amount: Minor,
        session: u32,
    },
    CashedOut {
        station: usize,
        voucher: u64,
        amount: Minor,
    },
    CashOutReversed {
        station: usize,
        voucher: u64,
        amount: Minor,
    },
    /// The house has it in its own books.
    VoucherForgotten(u64),
    PaidToCage {
        station: usize,
        amount: Minor,
    },
    ChipsMoved {
        how: ChipsHow,
        amount: Minor,
    },
    ColourAssigned {
        station: usize,
        session: u32,
    },
    ColourMoved {
        station: usize,
        how: ColourHow,
        amount: Minor,
    },
    Adjusted {
        station: usize,
        amount: Minor,
    },
    /// A case was paid in chips.
    CasePaid {
        amount: Minor,
    },
    /// A case found an overpayment.
    CaseOverpaid {
        id: u64,
        round: u64,
        station: usize,
        session: u32,
        amount: Minor,
    },
    /// The dice can be seen.
    DiceSeen,
    /// Bets placed, or chips written down that lay there at the close.
    Placed {
        station: usize,
        chips: Chips,
        bets: Vec<Bet>,
    },
    /// Chips that wait for a second person, by who recorded them.
    Claimed {
        station: usize,
        chips: Chips,
        bets: Vec<Bet>,
        by: u32,
    },
    /// They count, by the word of this one.
    Attested {
        station: usize,
        chips: Chips,
        bets: Vec<Bet>,
        by: u32,
    },
    /// They do not.
    Returned {
        station: usize,
    },
    Removed {
        station: usize,
        chips: Chips,
        bets: Vec<Bet>,
    },
    /// A change after the close, which changes nothing.
    Late {
        station: usize,
        chips: Chips,
        bet: Bet,
        withdrawn: bool,
    },
    /// Late chips were ruled to count: nobody may.
    RuledAsTheyLie,
    Settled {
        dice: [u8; 3],
        staked: Minor,
        returned: Minor,
        digest: [u8; 32],
    },
    Voided {
        staked: Minor,
        digest: [u8; 32],
    },
    Corrected {
        round: u64,
        dice: [u8; 3],
        effects: Vec<Claimed>,
    },
    VoidedLate {
        round: u64,
        effects: Vec<Claimed>,
    },
    Recovered {
        id: u64,
        amount: Minor,
    },
    Waived {
        id: u64,
        amount: Minor,
    },
    UnclaimedPaid {
        id: u64,
        amount: Minor,
    },
    /// Moves no money.
    Nothing,
}

/// Every balance of a table, as one picture.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Balances {
    pub(crate) credit: Vec<Minor>,
    pub(crate) at_risk: Vec<Minor>,
    pub(crate) house_bank: Minor,
    pub(crate) vouchers: Minor,
    pub(crate) drop: Minor,
    pub(crate) cage: Minor,
    pub(crate) chip_float: Minor,
    pub(crate) chips_outstanding: Minor,
    pub(crate) tips: Minor,
    pub(crate) recoverable: Minor,
    pub(crate) unclaimed: Minor,
    pub(crate) adjustments: Minor,
    pub(crate) house_win: Minor,
    /// Overpayments still open: id, station, round, amount.
    pub(crate) recoverables: Vec<(u64, usize, u64, Minor)>,
    /// Credits nobody has claimed: id, station, round, amount.
    pub(crate) unclaimed_entries: Vec<(u64, usize, u64, Minor)>,
}
