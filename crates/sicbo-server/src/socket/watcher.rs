//! Walls, the lobby, consoles and pit desks: they watch. What staff do goes
//! over HTTP, through one door.

use std::sync::Arc;

use axum::extract::ws::WebSocket;
use tokio::time::{MissedTickBehavior, interval};

use sicbo_clock::steady_ms;
use sicbo_house::allowance::Allowance;
use sicbo_house::connection::{Bye, ConnectionId, Inbox, boxes};
use sicbo_house::hub::{Hub, Sees, ToHub};
use sicbo_house::sessions::Token;

use super::{HEARTBEAT, Heard, Silence};
use crate::floor::Floor;

/// Serves a watcher of these tables until it is gone. One that sees what staff
/// see is cut off when its session ends.
pub async fn serve(
    floor: Arc<Floor>,
    mut socket: WebSocket,
    hubs: Vec<Arc<Hub>>,
    sees: Sees,
    session: Option<Token>,
) {
    let kind = match sees {
        Sees::Public => "wall",
        Sees::Staff => "staff",
    };
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
    let bye = converse(&floor, &mut socket, &mut inbox, session.as_ref()).await;
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

async fn converse(
    floor: &Floor,
    socket: &mut WebSocket,
    inbox: &mut Inbox,
    session: Option<&Token>,
) -> Option<Bye> {
    let mut allowance = Allowance::of_messages(steady_ms());
    let mut beat = interval(HEARTBEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut silence = Silence::default();
    let mut stopping = floor.stopping();
    let mut stop = std::pin::pin!(stopping.asked());
    loop {
        tokio::select! {
            biased;
            next = inbox.next() => match next {
                Some(first) => {
                    if !super::send(socket, first, inbox).await {
                        return inbox.end().or(Some(Bye::TooSlow));
                    }
                }
                None => return inbox.end(),
            },
            heard = super::heard(socket) => match heard {
                // Nothing is asked here; a word is a sign of life.
                Heard::Text(_) | Heard::Life => {
                    silence.broken();
                    if !allowance.take(steady_ms()) {
                        return Some(Bye::TooMany);
                    }
                }
                Heard::Gone => return None,
                Heard::Bad(bye) => return Some(bye),
            },
            _ = beat.tick() => {
                if silence.too_long() {
                    return Some(Bye::Silent);
                }
                if session.is_some_and(|token| !floor.is_logged_in(token)) {
                    return Some(Bye::LoggedOut);
                }
                if !super::beat(socket, inbox).await {
                    return inbox.end().or(Some(Bye::TooSlow));
                }
            }
            () = stop.as_mut() => return Some(Bye::Stopping),
        }
    }
}
