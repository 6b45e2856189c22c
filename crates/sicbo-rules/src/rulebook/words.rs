//! The closed lists of words a rule book chooses from: each is a decision some
//! document makes differently from another (requirements A.0).

/// A choice written as a word in the file.
pub trait Word: Copy + 'static {
    /// Every choice.
    fn all() -> &'static [Self];
    /// The word in the file.
    fn key(self) -> &'static str;
    /// The choice of that word.
    fn from_key(key: &str) -> Option<Self> {
        Self::all().iter().copied().find(|word| word.key() == key)
    }
}

/// A closed list of words, one of which a file or a person chooses.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $key:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$vmeta])* #[doc = concat!("Written `", $key, "`.")] $variant,)+ }
        impl $crate::rulebook::words::Word for $name {
            fn all() -> &'static [Self] { &[$($name::$variant,)+] }
            fn key(self) -> &'static str { match self { $($name::$variant => $key,)+ } }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::rulebook::words::Word::key(*self))
            }
        }
    };
}

words! {
    /// How the game is played.
    Form {
        /// At terminals, with a live dealer.
        Electronic = "electronic",
        /// At a table, with chips.
        Table = "table",
    }
}
words! {
    /// What hides the dice.
    Cover {
        /// The tumbler is covered until the result is uncovered.
        Covered = "covered",
        /// The dice are always seen.
        Open = "open",
    }
}
words! {
    /// When the tumbler may be activated.
    TumbleWindow {
        /// Before, during or after betting.
        Any = "any",
        /// Before betting is offered.
        BeforeOpen = "before-open",
        /// While bets are taken. Books of earlier programs; the window that also
        /// opens before the call is `until-close`.
        BeforeClose = "before-close",
        /// At any time before the close, also before the call for bets.
        UntilClose = "until-close",
        /// Only after every terminal shows the close.
        AfterClose = "after-close",
    }
}
words! {
    /// Where the tumble usually stands in a round when nothing else is configured.
    TumbleStep {
        /// First act of the round.
        BeforeOpen = "before-open",
        /// While bets are placed.
        DuringBetting = "during-betting",
        /// Once bets are closed.
        AfterClose = "after-close",
    }
}
words! {
    /// What begins a round, formally or as its record.
    RoundStart {
        /// The notice for placing bets is displayed.
        NoticeDisplayed = "notice-displayed",
        /// The dealer calls for bets.
        BetsAnnounced = "bets-announced",
        /// The tumbler has tumbled and the notice is displayed.
        TumbledAndNoticeDisplayed = "tumbled-and-notice-displayed",
        /// The announcement of no more bets.
        NoMoreBets = "no-more-bets",
    }
}
words! {
    /// What closes betting.
    Closing {
        /// Each terminal displays the words.
        TerminalDisplay = "terminal-display",
        /// The dealer says the words.
        Announcement = "announcement",
    }
}
words! {
    /// What ends a round.
    RoundEnd {
        /// Settlement for all players is made.
        AllSettled = "all-settled",
        /// The result is announced, and bets are collected and paid if there are any.
        AnnouncedAndPaid = "announced-and-paid",
        /// The outcome is announced or displayed and all wagers are settled.
        DisplayedAndSettled = "displayed-and-settled",
        /// The result is determined and winnings are paid.
        DeterminedAndPaid = "determined-and-paid",
    }
}
words! {
    /// The moment whose chip positions decide.
    Positions {
        /// At the close of bets.
        AtClose = "at-close",
        /// When the cage is opened.
        AtUncovering = "at-uncovering",
    }
}
words! {
    /// Causes for which a round is void.
    Cause {
        /// Fewer tumbles than the minimum.
        TooFewTumbles = "too-few-tumbles",
        /// A die does not lie flat.
        DieNotFlat = "die-not-flat",
        /// Concealed dice were seen before the close.
        DiceExposedEarly = "dice-exposed-early",
        /// The tumbler ran before the close.
        TumblerActivatedEarly = "tumbler-activated-early",
        /// A die is damaged.
        DiceDamaged = "dice-damaged",
        /// A die broke.
        DiceBroken = "dice-broken",
        /// The dome broke.
        DomeBroken = "dome-broken",
        /// A technical interruption left no outcome.
        TechnicalInterruption = "technical-interruption",
    }
}
words! {
    /// How far a void reaches.
    Scope {
        /// The current round, or the last one when found between rounds.
        CurrentRound = "current-round",
        /// Every round the cause touched, settled ones included.
        AllAffectedRounds = "all-affected-rounds",
    }
}
words! {
    /// What a technical interruption does to the round.
    AfterInterruption {
        /// Play goes on and the round is concluded.
        Conclude = "conclude",
        /// The round is void.
        Void = "void",
        /// The round is finished by the dice, then play stops until approved.
        FinishByDiceThenSuspend = "finish-by-dice-then-suspend",
        /// Play stops where it stands until approved, then the round goes on.
        StopUntilApproved = "stop-until-approved",
    }
}
words! {
    /// What becomes of a bet on a terminal that failed.
    AfterTerminalFailure {
        /// Settled as any other.
        Settled = "settled",
        /// Given back.
        Returned = "returned",
        /// The player did not take part.
        NotParticipated = "not-participated",
    }
}
words! {
    /// What becomes of a change made after the close.
    LateAct {
        /// Refused; nothing changes.
        Refused = "refused",
        /// Only what was added is refused.
        IncreaseRefused = "increase-refused",
        /// A bet taken away is still won or lost.
        BetStands = "bet-stands",
        /// The dealer rules by position.
        DealerDecides = "dealer-decides",
    }
}
words! {
    /// What a wrongly registered or displayed result means.
    WrongResult {
        /// The dice prevail.
        SettleByDice = "settle-by-dice",
        /// The dice prevail if the round was conducted by the rules.
        SettleByDiceIfConducted = "settle-by-dice-if-conducted",
    }
}
words! {
    /// Positions in a house. The first five are a ladder, lowest first;
    /// the last four continue it above the director, under the names that a
    /// house gives them in its plan.
    Position {
        /// Deals the game.
        Dealer = "dealer",
        /// Supervises tables.
        PitSupervisor = "pit-supervisor",
        /// Manages the pit.
        PitManager = "pit-manager",
        /// Manages the shift.
        ShiftManager = "shift-manager",
        /// Directs table games.
        Director = "director",
        /// Approves that play resumes after a device failure.
        HeadOfOperations = "head-of-operations",
        /// Watches.
        Surveillance = "surveillance",
        /// Pays vouchers and sells credit.
        Cashier = "cashier",
        /// Reads everything, changes nothing.
        Auditor = "auditor",
        /// Reads everything for the authority.
        Regulator = "regulator",
        /// Runs practice.
        Trainer = "trainer",
        /// Enrols stations and devices.
        Technician = "technician",
        /// The house's own, next above the director.
        AboveDirector1 = "above-director-1",
        /// The house's own, second above the director.
        AboveDirector2 = "above-director-2",
        /// The house's own, third above the director.
        AboveDirector3 = "above-director-3",
        /// The house's own, fourth above the director.
        AboveDirector4 = "above-director-4",
    }
}

impl Position {
    /// Positions above the director, lowest first. No document names one: a
    /// house gives them their names.
    pub const ABOVE_DIRECTOR: [Position; 4] = [
        Position::AboveDirector1,
        Position::AboveDirector2,
        Position::AboveDirector3,
        Position::AboveDirector4,
    ];

    /// One of the house's own, above the director.
    #[must_use]
    pub fn is_above_director(self) -> bool {
        Position::ABOVE_DIRECTOR.contains(&self)
    }

    /// Rung on the ladder, from the dealer's 0; `None` off the ladder.
    #[must_use]
    pub fn rung(self) -> Option<u8> {
        match self {
            Position::Dealer => Some(0),
            Position::PitSupervisor => Some(1),
            Position::PitManager => Some(2),
            Position::ShiftManager => Some(3),
            Position::Director => Some(4),
            Position::AboveDirector1 => Some(5),
            Position::AboveDirector2 => Some(6),
            Position::AboveDirector3 => Some(7),
            Position::AboveDirector4 => Some(8),
            _ => None,
        }
    }

    /// On the ladder at or above another position.
    #[must_use]
    pub fn is_at_least(self, other: Position) -> bool {
        match (self.rung(), other.rung()) {
            (Some(mine), Some(theirs)) => mine >= theirs,
            _ => self == other,
        }
    }
}

words! {
    /// Who may act in a position.
    Substitution {
        /// Only who is assigned to it as acting.
        ActingOnly = "acting-only",
        /// Who is assigned, and whoever holds a higher position.
        ActingOrHigher = "acting-or-higher",
    }
}
words! {
    /// Matters that a named position decides.
    Matter {
        /// What no rule covers.
        Uncovered = "uncovered",
        /// What a rule means.
        Interpretation = "interpretation",
        /// Which rounds damaged dice affected.
        AffectedRounds = "affected-rounds",
        /// Whether a bet stands, by its position.
        BetStatus = "bet-status",
        /// That play goes on after a device failed.
        ResumeAfterDeviceFailure = "resume-after-device-failure",
        /// A dispute when it is first raised.
        DisputeFirst = "dispute-first",
        /// A dispute the first could not settle.
        DisputeEscalated = "dispute-escalated",
    }
}
