//! Whether whoever plays at a station now is still the same person, as far as
//! money can tell.
//!
//! A session (see [`SessionNumber`]) ends with every buy-in at an empty station,
//! so that nobody is paid what is another's. Who has lost everything and buys
//! in again has not left, though: a visit ends only when all credit is taken
//! out. It goes on when that money comes back to the same station before
//! anybody has played there: the voucher could not be printed, or is redeemed
//! where it came from.

use sicbo_rules::Money;

use crate::ids::{SessionNumber, VoucherId};
use crate::station::Meters;

/// Vouchers of a station that are remembered; of more, the last.
pub const VOUCHERS_REMEMBERED: usize = 16;

/// A voucher that was given out at a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// Which.
    pub voucher: VoucherId,
    /// To whom: the first session of the visit.
    pub since: SessionNumber,
    /// What had been staked at the station when they were last there.
    pub staked: Money,
}

/// How a station stood when somebody left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// Who: the first session of the visit.
    pub since: SessionNumber,
    /// The meters then.
    pub meters: Meters,
}

/// Who is at a station.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The first session of the visit: the first after somebody left.
    pub since: SessionNumber,
    /// The last vouchers given out here.
    pub given: Vec<Given>,
    /// Who left last.
    pub left: Option<Box<Left>>,
}

impl Default for Visit {
    /// Nobody has come yet.
    fn default() -> Visit {
        Visit {
            since: SessionNumber(0),
            given: Vec::new(),
            left: None,
        }
    }
}

impl Visit {
    /// Credit went out as a voucher.
    pub(crate) fn gave(&mut self, voucher: VoucherId, meters: &Meters) {
        if self.given.len() >= VOUCHERS_REMEMBERED {
            self.given.remove(0);
        }
        self.given.push(Given {
            voucher,
            since: self.since,
            staked: meters.staked,
        });
    }

    /// All credit was taken out; whoever comes next begins with this session.
    pub(crate) fn ended(&mut self, next: SessionNumber, meters: &Meters) {
        let own = self.given.iter_mut();
        for given in own.filter(|given| given.since == self.since) {
            given.staked = meters.staked;
        }
        self.left = Some(Box::new(Left {
            since: self.since,
            meters: *meters,
        }));
        self.since = next;
    }

    /// A voucher's money has come in: when it went out here and nobody has
    /// played here since, whoever took it has come back.
    pub(crate) fn came_back(&mut self, voucher: VoucherId, meters: &Meters) {
        let Some(at) = self.given.iter().position(|given| given.voucher == voucher) else {
            return;
        };
        let given = self.given.remove(at);
        if given.since < self.since && given.staked == meters.staked {
            self.since = given.since;
            self.left = None;
        }
    }
}
