//! Carries the messages of a player's terminal.

use std::sync::Arc;

use axum::extract::ws::WebSocket;
use sicbo_clock::steady_ms;
use sicbo_house::allowance::Allowance;
use sicbo_house::connection::{Bye, Inbox, boxes};
use sicbo_house::terminal::Terminal;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{HEARTBEAT, HELLO_TIMEOUT, Heard, Silence};
use crate::floor::Floor;

/// Serves a terminal until it is gone.
pub async fn serve(floor: Arc<Floor>, mut socket: WebSocket) {
    let mut terminal = match timeout(HELLO_TIMEOUT, hello(&floor, &mut socket)).await {
        Ok(Ok(terminal)) => terminal,
        Ok(Err(Some(bye))) => return super::end(socket, bye).await,
        Ok(Err(None)) => return,
        Err(_) => return super::end(socket, Bye::NoHello).await,
    };
    let (outbox, mut inbox) = boxes(1);
    terminal.come(outbox).await;
    metrics::gauge!("sicbo_connections", "kind" => "terminal").increment(1);
    let bye = converse(&floor, &mut terminal, &mut socket, &mut inbox).await;
    metrics::gauge!("sicbo_connections", "kind" => "terminal").decrement(1);
    terminal.leave().await;
    if let Some(bye) = bye {
        super::end(socket, bye).await;
    }
}

async fn hello(floor: &Floor, socket: &mut WebSocket) -> Result<Terminal, Option<Bye>> {
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

/// Until one side ends it; why, when the house does.
async fn converse(
    floor: &Floor,
    terminal: &mut Terminal,
    socket: &mut WebSocket,
    inbox: &mut Inbox,
) -> Option<Bye> {
    let mut allowance = Allowance::of_messages(steady_ms());
    let mut beat = interval(HEARTBEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut silence = Silence::default();
    let mut stopping = floor.stopping();
    // One future for the whole conversation: to ask anew each time takes a
    // lock that all connections share.
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
                Heard::Text(text) => {
                    silence.broken();
                    if !allowance.take(steady_ms()) {
                        return Some(Bye::TooMany);
                    }
                    if let Some(told) = terminal.message(&text).await
                        && !super::send(socket, told, inbox).await
                    {
                        return Some(Bye::TooSlow);
                    }
                }
                Heard::Life => {
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
                if !super::beat(socket, inbox).await {
                    return inbox.end().or(Some(Bye::TooSlow));
                }
            }
            () = stop.as_mut() => return Some(Bye::Stopping),
        }
    }
}
