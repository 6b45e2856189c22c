//! Walls, the lobby, consoles and pit desks: they watch. What staff do goes
//! over HTTP, through one door.

use std::sync::Arc;

use sicbo_house::connection::{ConnectionId, boxes};
use sicbo_house::hub::{Hub, Sees, ToHub};
use sicbo_house::sessions::Token;

use super::{Client, Socket};
use crate::floor::Floor;

/// Serves a watcher of these tables until it is gone. One that sees what staff
/// see is cut off when its session ends.
pub async fn serve(
    floor: Arc<Floor>,
    mut socket: Socket,
    hubs: Vec<Arc<Hub>>,
    sees: Sees,
    session: Option<Token>,
) {
    let kind = match sees {
        Sees::Public => "wall",
        Sees::Staff => "staff",
    };
    if sees == Sees::Staff {
        socket.known();
    }
    let connection = ConnectionId::new();
    let (outbox, mut inbox) = boxes(hubs.len());
    for hub in &hubs {
        let come = ToHub::Watcher {
            connection,
            sees,
            outbox: outbox.clone(),
        };
        hub.tell(come, || floor.house.host.pause()).await;
    }
    if sees == Sees::Staff {
        for told in floor.proposals_shown(&hubs) {
            // A box this new has room.
            let _ = outbox.put(told);
        }
    }
    drop(outbox);
    metrics::gauge!("sicbo_connections", "kind" => kind).increment(1);
    let client = Client::Watcher(session.as_ref());
    let bye = super::converse(&floor, client, &mut socket, &mut inbox).await;
    metrics::gauge!("sicbo_connections", "kind" => kind).decrement(1);
    for hub in &hubs {
        let gone = ToHub::Gone {
            connection,
            station: None,
        };
        hub.tell(gone, || floor.house.host.pause()).await;
    }
    if let Some(bye) = bye {
        super::end(socket, bye).await;
    }
}
