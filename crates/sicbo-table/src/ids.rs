//! The small numbers that name things at a table.

use std::fmt;

macro_rules! id {
    ($(#[$meta:meta])* $name:ident($inner:ty), $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// A station: its position among the table's stations, from 0 in the order they were added.
    StationId(u32), "station "
);
id!(
    /// A round, counted from 1 for as long as the table exists.
    RoundNumber(u64), "round "
);
id!(
    /// A person of the house, as the house's own register numbers them.
    PersonId(u32), "person "
);
id!(
    /// A player's name for one act of betting: unique per station and round.
    BetId(u64), "bet "
);
id!(
    /// A voucher, as the house numbers them.
    VoucherId(u64), "voucher "
);
id!(
    /// Who plays at a station: a new number each time someone buys in at an empty one.
    SessionNumber(u32), "session "
);
id!(
    /// A decision that waits for a person.
    PendingId(u64), "decision "
);
id!(
    /// Word of a failure that somebody must acknowledge.
    NoticeId(u64), "notice "
);
id!(
    /// An overpayment that may be recovered.
    RecoverableId(u64), "recoverable "
);
id!(
    /// A credit owed to someone who has left.
    UnclaimedId(u64), "unclaimed "
);
