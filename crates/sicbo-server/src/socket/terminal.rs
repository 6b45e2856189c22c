//! Carries the messages of a player's terminal.

use std::sync::Arc;

use sicbo_clock::steady_ms;
use sicbo_house::allowance::Allowance;
use sicbo_house::connection::{Bye, boxes};
use sicbo_house::terminal::Terminal;
use tokio::time::timeout;

use super::{Client, HELLO_TIMEOUT, Heard, Socket};
use crate::certificates::PlaceCertificate;
use crate::edge::crowd::Place;
use crate::floor::Floor;

/// Where a connection comes from.
pub struct From {
    /// Its place among all connections.
    pub place: Option<Arc<Place>>,
    /// What it has shown.
    pub certificate: PlaceCertificate,
}

/// A terminal that has said who it is.
pub struct Greeted {
    socket: Socket,
    terminal: Terminal,
}

/// Hears who it is; whoever does not say so is sent away.
pub async fn greet(floor: &Floor, mut socket: Socket, from: From) -> Option<Greeted> {
    let terminal = match timeout(HELLO_TIMEOUT, hello(floor, &mut socket)).await {
        Ok(Ok(terminal)) => terminal,
        Ok(Err(bye)) => {
            if let Some(bye) = bye {
                super::end(socket, bye).await;
            }
            return None;
        }
        Err(_) => {
            super::end(socket, Bye::NoHello).await;
            return None;
        }
    };
    if !from
        .certificate
        .opens(&floor.plan.tls, terminal.enrolment())
    {
        super::end(socket, Bye::NotEnrolled).await;
        return None;
    }
    if let Some(place) = from.place {
        place.recognised();
    }
    socket.known();
    Some(Greeted { socket, terminal })
}

/// Serves a terminal until it is gone.
pub async fn serve(floor: Arc<Floor>, greeted: Greeted) {
    let Greeted {
        mut socket,
        mut terminal,
    } = greeted;
    let (outbox, mut inbox) = boxes(1);
    terminal.come(outbox).await;
    metrics::gauge!("sicbo_connections", "kind" => "terminal").increment(1);
    let client = Client::Terminal(&mut terminal);
    let bye = super::converse(&floor, client, &mut socket, &mut inbox).await;
    metrics::gauge!("sicbo_connections", "kind" => "terminal").decrement(1);
    terminal.leave().await;
    if let Some(bye) = bye {
        super::end(socket, bye).await;
    }
}

async fn hello(floor: &Floor, socket: &mut Socket) -> Result<Terminal, Option<Bye>> {
    let mut allowance = Allowance::of_messages(steady_ms());
    loop {
        match super::heard(socket).await {
            Heard::Life if allowance.take(steady_ms()) => {}
            Heard::Life => return Err(Some(Bye::TooMany)),
            Heard::Gone => return Err(None),
            Heard::Bad(bye) => return Err(Some(bye)),
            Heard::Text(text) => return Terminal::greeted(&floor.house, &text).map_err(Some),
        }
    }
}
