//! What the auditor hears: commands and records as plain words and numbers,
//! with no type of the engine's.

/// Minor units of money.
pub(crate) type Minor = i64;

/// What a stake is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Chips {
    Credit,
    Cash,
    Colour,
}

/// A stake on a section, in the notation of exports: `total:11`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stake {
    pub(crate) section: String,
    pub(crate) minor: Minor,
}

/// A station that is set up.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) seat: bool,
    pub(crate) layout: String,
}

/// What an act of betting asks for, and what a record says was registered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Betting {
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

/// An act of betting has a name: unique per station and round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BetName {
    pub(crate) station: usize,
    pub(crate) round: u64,
    pub(crate) bet: u64,
}

/// Who acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    Person(u32),
    Station(usize),
    Device,
    House,
}

/// A command as it was handed to the house.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) at_ms: i64,
    pub(crate) who: Who,
    pub(crate) second: Option<u32>,
    pub(crate) betting: Option<(BetName, Betting)>,
}

/// What a command was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Done {
        sequence: u64,
    },
    Refused,
    /// Busy, or too large: nothing was written.
    Rejected,
    /// Known only after the restart.
    Stopped,
}

/// How chips move at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChipsHow {
    Bought,
    Brought,
    TakenAway,
    Fill,
    CreditSlip,
    Tip,
}

/// How colour chips change hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColourHow {
    ForCash,
    FromChips,
    ToChips,
}

/// Where credit comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Cash,
    Voucher(u64),
    Cage,
}

/// What a record says an amendment does to one station.
#[derive(Clone, Default, Debug)]
pub(crate) struct Claimed {
    pub(crate) station: usize,
    pub(crate) was: Minor,
    pub(crate) is: Minor,
    pub(crate) credited: Minor,
    pub(crate) in_chips: Minor,
    pub(crate) netted: Vec<(u64, Minor)>,
    pub(crate) waiver_netted: Minor,
    pub(crate) waiver_restored: Minor,
    pub(crate) unclaimed_netted: Vec<(u64, Minor)>,
    pub(crate) unclaimed: Option<(u64, Minor)>,
    pub(crate) recoverable: Option<(u64, Minor)>,
}

/// A record of the journal.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) at_ms: i64,
    pub(crate) who: Who,
    pub(crate) second: Option<u32>,
    pub(crate) command: u64,
    pub(crate) heard: Heard,
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) enum Heard {
    Opened {
        book: String,
        stations: Vec<Place>,
    },
    StationAdded {
        place: Place,
    },
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
    Uncovered,
    Flat,
    Keyed {
        dice: [u8; 3],
    },
    KeysCleared,
    Agreed {
        dice: [u8; 3],
    },
    Confirmed {
        dice: [u8; 3],
    },
    Settled {
        dice: [u8; 3],
        staked: Minor,
        returned: Minor,
    },
    Voided {
        staked: Minor,
    },
    Connected {
        station: usize,
    },
    Disconnected {
        station: usize,
    },
    Interrupted,
    DecisionRaised {
        id: u64,
        bet_status: Option<usize>,
    },
    DecisionTaken {
        id: u64,
        as_they_lie: bool,
    },
    CreditBought {
        station: usize,
        source: Source,
        amount: Minor,
    },
    CashedOut {
        station: usize,
        amount: Minor,
    },
    CashOutReversed {
        station: usize,
        amount: Minor,
    },
    PaidToCage {
        station: usize,
        amount: Minor,
    },
    ChipsMoved {
        how: ChipsHow,
        amount: Minor,
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
        station: usize,
        amount: Minor,
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
    /// Moves no money and no phase.
    Other,
}
