//! Whom the answer to a table's command goes to.

use futures_channel::oneshot;
use sicbo_loop::Answer;
use sicbo_table::Refusal;
use sicbo_table::ids::{RoundNumber, StationId, VoucherId};

use crate::connection::ConnectionId;

/// Whom an answer goes to.
pub enum Reply {
    /// Nobody waits for it.
    Nobody,
    /// The table's driver: the automatic dealer or a device.
    Driver,
    /// A betting act of a terminal.
    Bet {
        /// Its connection.
        connection: ConnectionId,
        /// Its station.
        station: StationId,
        /// The act's id.
        id: u64,
        /// The round it names.
        round: RoundNumber,
    },
    /// Another request of a terminal.
    Request {
        /// Its connection.
        connection: ConnectionId,
        /// Its station.
        station: StationId,
        /// The request's number.
        request: u64,
    },
    /// A step of a voucher.
    Voucher(VoucherId),
    /// Someone who waits.
    Waiter(oneshot::Sender<Answer<Refusal>>),
}
