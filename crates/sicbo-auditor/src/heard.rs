//! What the auditor hears: records as plain words and numbers, with no type of
//! the engine's.
#![expect(missing_docs, reason = "fields repeat what the record says")]

/// Minor units of money.
pub type Minor = i64;

/// What a stake is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chips {
    Credit,
    Cash,
    Colour,
}

/// A stake on a section, in the notation of exports: `total:11`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stake {
    pub section: String,
    pub minor: Minor,
}

/// A station that is set up.
#[derive(Clone, Debug)]
pub struct Place {
    pub seat: bool,
    pub layout: String,
}

/// What an act of betting asks for, and what a record says was registered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Betting {
    Place {
        chips: Chips,
        stakes: Vec<Stake>,
    },
    Remove {
        chips: Chips,
        stakes: Vec<Stake>,
    },
    /// Everything taken back; the record lists what lay there.
    Clear,
}

/// Somebody on record: their number and their position, `pit-supervisor`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Person {
    pub number: u32,
    pub position: &'static str,
}

/// Who acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Person(Person),
    Station(usize),
    Device,
    House,
}

/// Whose word on the cover it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Says {
    Tumbler,
    Reader,
    House,
    /// Nobody who could know.
    Other,
}

/// How chips move at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChipsHow {
    Bought,
    Brought,
    TakenAway,
    Fill,
    CreditSlip,
    Tip,
}

/// How colour chips change hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColourHow {
    ForCash,
    FromChips,
    ToChips,
}

/// Where credit comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Cash,
    Voucher(u64),
    Cage,
}

/// What a record says an amendment does to one station.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Claimed {
    pub station: usize,
    pub was: Minor,
    pub is: Minor,
    pub credited: Minor,
    pub in_chips: Minor,
    pub netted: Minor,
    pub waiver_netted: Minor,
    pub waiver_restored: Minor,
    pub unclaimed_netted: Minor,
    pub unclaimed: Minor,
    pub recoverable: Minor,
    /// Name of the new overpayment, where there is one.
    pub recoverable_id: Option<u64>,
    /// Name of the new unclaimed credit, where there is one.
    pub unclaimed_id: Option<u64>,
}

/// A record of the journal.
#[derive(Clone, Debug)]
pub struct Record {
    pub at_ms: i64,
    pub who: Who,
    pub second: Option<Person>,
    pub command: u64,
    pub heard: Heard,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Heard {
    Opened {
        book: String,
        dice: String,
        stations: Vec<Place>,
        /// How the program that wrote it read the documents.
        revision: u16,
    },
    Closed,
    Suspended,
    Resumed,
    BookScheduled(String),
    StationAdded {
        place: Place,
    },
    StationRemoved(usize),
    Acting(u32, &'static str),
    ActingEnded(u32, &'static str),
    DiceChanged(String),
    /// The set is said to be damaged.
    Damaged(String),
    /// It was found sound.
    Sound(String),
    CountingSwitched {
        by_hand: bool,
    },
    /// The tumbler is on no line any more, and its tumbles are attested again.
    LineLeft,
    /// Somebody on the line says how the cover is; a tumbler that is not relied
    /// on says nothing, and the house says that whoever reported it open is gone.
    CoverReported {
        open: bool,
        says: Says,
    },
    ClockParted,
    /// The house's clock was set on, or back.
    ClockSet {
        was_ms: i64,
        is_ms: i64,
    },
    /// How much a station may show as staked and as lost.
    PlayGranted {
        station: usize,
        staked_to: Option<Minor>,
        lost_to: Option<Minor>,
        /// From when on nothing may be staked.
        held_from: Option<i64>,
    },
    Connected {
        station: usize,
    },
    Disconnected {
        station: usize,
    },
    Interrupted,

    RoundBegan {
        /// How the program that wrote it read the documents.
        revision: u16,
        round: u64,
    },
    TumblerActivated,
    TumbleEnded {
        valid: bool,
    },
    BetsCalled,
    Betted {
        station: usize,
        bet: u64,
        betting: Betting,
        cleared: Vec<Stake>,
        chips: Chips,
    },
    /// Chips that lay there at the close, written down afterwards.
    Recorded {
        station: usize,
        chips: Chips,
        stakes: Vec<Stake>,
    },
    /// Chips that wait for a second person.
    ClaimedChips {
        station: usize,
        chips: Chips,
        stakes: Vec<Stake>,
    },
    /// A second person said that they lay there.
    AttestedChips {
        station: usize,
        chips: Chips,
        stakes: Vec<Stake>,
    },
    /// Nobody said so: they go back to the player.
    ReturnedChips {
        station: usize,
    },
    Observed {
        station: usize,
        chips: Chips,
        stakes: Vec<Stake>,
    },
    Late {
        station: usize,
        chips: Chips,
        stake: Stake,
        withdrawn: bool,
    },
    ClosingBegan {
        awaiting: u32,
    },
    Acknowledged {
        station: usize,
    },
    Fenced {
        station: usize,
    },
    BetsClosed {
        staked: Minor,
    },
    DealPressed,
    Uncovered,
    Flat,
    Keyed {
        dice: [u8; 3],
    },
    KeysCleared,
    /// A second reading of the dice.
    SecondRead,
    Agreed {
        dice: [u8; 3],
    },
    Confirmed {
        dice: [u8; 3],
    },
    Lit,
    Settled {
        dice: [u8; 3],
        staked: Minor,
        returned: Minor,
        digest: [u8; 32],
    },
    Voided {
        /// A cause that documents list; none is a ruling.
        cause: Option<&'static str>,
        staked: Minor,
        digest: [u8; 32],
    },
    /// Something waits to be decided.
    DecisionRaised {
        id: u64,
        /// `damaged-round`.
        question: &'static str,
        /// Who said or proposed it, where the record names them.
        by: Option<u32>,
        /// The seat whose chips are to be ruled on.
        bet_status: Option<usize>,
    },
    DecisionTaken {
        id: u64,
        /// `conclude`.
        ruling: &'static str,
    },

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
    TransferredOut {
        station: usize,
        amount: Minor,
    },
    HandPaid {
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
    /// A case was paid, in chips at a seat.
    CasePaid {
        station: usize,
        case: u64,
        decision: u32,
        round: u64,
        amount: Minor,
        /// Name and session, where the cage keeps it.
        unclaimed: Option<(u64, u32)>,
    },
    /// A case found an overpayment.
    CaseOverpaid {
        case: u64,
        decision: u32,
        id: u64,
        round: u64,
        station: usize,
        session: u32,
        amount: Minor,
    },
    Corrected {
        round: u64,
        dice: [u8; 3],
        effects: Vec<Claimed>,
    },
    VoidedLate {
        round: u64,
        cause: Option<&'static str>,
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
    /// Moves no money and no phase.
    Other,
}

/// Every balance of a table, as one picture.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Balances {
    pub credit: Vec<Minor>,
    pub at_risk: Vec<Minor>,
    pub house_bank: Minor,
    pub vouchers: Minor,
    pub drop: Minor,
    pub cage: Minor,
    pub chip_float: Minor,
    pub chips_outstanding: Minor,
    pub tips: Minor,
    pub recoverable: Minor,
    pub unclaimed: Minor,
    pub adjustments: Minor,
    pub house_win: Minor,
    /// Overpayments still open: id, station, round, amount.
    pub recoverables: Vec<(u64, usize, u64, Minor)>,
    /// Credits nobody has claimed: id, station, round, amount.
    pub unclaimed_entries: Vec<(u64, usize, u64, Minor)>,
}
