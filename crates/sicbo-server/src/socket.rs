//! WebSocket connections: how each is read, written, bounded and ended.
//!
//! One task serves a connection both ways. A message has a bound in size, a
//! connection in messages a second and in silence; whoever goes beyond is told
//! why and cut off.

pub mod frames;
pub mod stream;
pub mod terminal;
pub mod watcher;

use std::future::{Future as _, poll_fn};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use sicbo_clock::{now_ms, steady_ms};
use sicbo_house::allowance::Allowance;
use sicbo_house::connection::{Bye, Inbox, SILENT_MS};
use sicbo_house::sessions::Token;
use sicbo_house::terminal::Terminal;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::Frame as RawFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};

use crate::floor::Floor;
use crate::wire::terminal::HouseToTerminal;
use crate::wire::{Frame, frame};
pub use stream::{LARGEST_MESSAGE, Socket, Upgrade};

/// The house says that it is there this often.
pub const HEARTBEAT: Duration = Duration::from_secs(5);
/// When the house has not looked for this long, it was the house that was away:
/// what was said meanwhile may not have been read yet.
const AWAY_MS: i64 = 10_000;
/// A connection says hello within this time.
pub const HELLO_TIMEOUT: Duration = Duration::from_secs(5);
/// A write that takes longer belongs to a reader that is too slow.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// Whose connection it is.
enum Client<'c> {
    Terminal(&'c mut Terminal),
    /// With the session of one that sees what staff see: it ends with it.
    Watcher(Option<&'c Token>),
}

/// Until one side ends it; why, when the house does.
async fn converse(
    floor: &Floor,
    mut client: Client<'_>,
    socket: &mut Socket,
    inbox: &mut Inbox,
) -> Option<Bye> {
    let mut allowance = Allowance::of_messages(steady_ms());
    let mut beats = Beats::every(HEARTBEAT);
    let mut silence = Silence::since(steady_ms());
    let mut stopping = floor.stopping();
    // One future for the whole conversation: to ask anew each time takes a
    // lock that all connections share.
    let mut stop = std::pin::pin!(stopping.asked());
    loop {
        tokio::select! {
            biased;
            next = inbox.next() => match next {
                Some(first) => {
                    if !send(socket, first, inbox).await {
                        return inbox.end().or(Some(Bye::TooSlow));
                    }
                }
                None => return inbox.end(),
            },
            said = heard(socket) => match said {
                Heard::Text(text) => {
                    let now_ms = steady_ms();
                    silence.broken(now_ms);
                    if !allowance.take(now_ms) {
                        return Some(Bye::TooMany);
                    }
                    // The witness may have spoken after this terminal was let in.
                    if matches!(client, Client::Terminal(_)) && floor.is_halted() {
                        return Some(Bye::Stopping);
                    }
                    // A watcher asks nothing; a word is a sign of life.
                    if let Client::Terminal(terminal) = &mut client
                        && let Some(told) = terminal.message(&text).await
                        && !send(socket, told, inbox).await
                    {
                        return Some(Bye::TooSlow);
                    }
                }
                Heard::Life => {
                    let now_ms = steady_ms();
                    silence.broken(now_ms);
                    if !allowance.take(now_ms) {
                        return Some(Bye::TooMany);
                    }
                }
                Heard::Gone => return None,
                Heard::Bad(bye) => return Some(bye),
            },
            () = beats.next() => {
                if silence.too_long(steady_ms()) {
                    return Some(Bye::Silent);
                }
                if let Client::Watcher(Some(token)) = client
                    && !floor.is_logged_in(token)
                {
                    return Some(Bye::LoggedOut);
                }
                if !beat(socket, inbox).await {
                    return inbox.end().or(Some(Bye::TooSlow));
                }
            }
            () = stop.as_mut() => return Some(Bye::Stopping),
        }
    }
}

/// When the house says that it is there. The timer is asked again only when a beat is nearly due:
/// a terminal that bets wakes its task thousands of times between two beats.
struct Beats {
    timer: Interval,
    /// By the steady clock. Before it is due, since the timer goes by another clock.
    ask_at_ms: i64,
    /// The task that the timer wakes.
    wakes: Option<Waker>,
}

impl Beats {
    fn every(period: Duration) -> Beats {
        let mut timer = interval(period);
        timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Beats {
            timer,
            ask_at_ms: 0,
            wakes: None,
        }
    }

    async fn next(&mut self) {
        poll_fn(|context| self.poll(context)).await;
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let now_ms = steady_ms();
        let wakes = self.wakes.as_ref();
        if now_ms < self.ask_at_ms && wakes.is_some_and(|task| task.will_wake(context.waker())) {
            return Poll::Pending;
        }
        if self.timer.poll_tick(context).is_pending() {
            self.wakes = Some(context.waker().clone());
            return Poll::Pending;
        }
        self.wakes = None;
        let nearly_due = self.timer.period() * 4 / 5;
        self.ask_at_ms = now_ms.saturating_add_unsigned(nearly_due.as_millis() as u64);
        Poll::Ready(())
    }
}

/// When a connection was last heard, as far as the house was there to hear, by the steady clock.
struct Silence {
    heard_at_ms: i64,
    looked_at_ms: i64,
}

impl Silence {
    fn since(now_ms: i64) -> Silence {
        Silence {
            heard_at_ms: now_ms,
            looked_at_ms: now_ms,
        }
    }

    /// Something was heard.
    fn broken(&mut self, now_ms: i64) {
        self.heard_at_ms = now_ms;
    }

    /// Whether it has lasted too long. Looked at with every heartbeat.
    fn too_long(&mut self, now_ms: i64) -> bool {
        if now_ms - self.looked_at_ms > AWAY_MS {
            self.heard_at_ms = now_ms;
        }
        self.looked_at_ms = now_ms;
        now_ms - self.heard_at_ms > i64::from(SILENT_MS)
    }
}

/// What came in.
pub enum Heard {
    /// A text.
    Text(Utf8Bytes),
    /// A sign of life.
    Life,
    /// It is over.
    Gone,
    /// It must be over.
    Bad(Bye),
}

/// The next message of a connection.
pub async fn heard(socket: &mut Socket) -> Heard {
    match socket.recv().await {
        Some(Ok(Message::Text(text))) => Heard::Text(text),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Heard::Life,
        Some(Ok(Message::Binary(_))) => Heard::Bad(Bye::NotUnderstood),
        Some(Ok(Message::Close(_) | Message::Frame(_))) | None => Heard::Gone,
        Some(Err(_)) if socket.too_many() => Heard::Bad(Bye::TooMany),
        // Others are a broken line.
        Some(Err(Error::Capacity(_))) => Heard::Bad(Bye::TooLarge),
        Some(Err(Error::Utf8(_))) => Heard::Bad(Bye::NotUnderstood),
        Some(Err(_)) => Heard::Gone,
    }
}

/// A frame as a message; its text is shared, not copied, and known to be text without a look.
fn text(frame: Frame) -> Message {
    let kind = OpCode::Data(Data::Text);
    Message::Frame(RawFrame::message(frame.into_bytes(), kind, true))
}

/// Sends a frame and everything else that waits with one flush; false when the
/// reader is gone or too slow.
pub async fn send(socket: &mut Socket, first: Frame, inbox: &mut Inbox) -> bool {
    let write = async {
        socket.feed(text(first)).await?;
        while let Some(next) = inbox.waiting() {
            socket.feed(text(next)).await?;
        }
        socket.flush().await
    };
    let mut write = std::pin::pin!(write);
    // Mostly there is room, and then no clock need be asked.
    let at_once = poll_fn(|context| Poll::Ready(write.as_mut().poll(context))).await;
    match at_once {
        Poll::Ready(written) => written.is_ok(),
        Poll::Pending => matches!(timeout(WRITE_TIMEOUT, write).await, Ok(Ok(()))),
    }
}

/// Says that the house is there and asks whether the other side is, with one
/// flush; false when the reader is gone or too slow.
pub async fn beat(socket: &mut Socket, inbox: &mut Inbox) -> bool {
    let ping = Message::Ping(Bytes::new());
    let fed = timeout(WRITE_TIMEOUT, socket.feed(ping)).await;
    matches!(fed, Ok(Ok(()))) && send(socket, heartbeat(), inbox).await
}

/// The house is there.
#[must_use]
pub fn heartbeat() -> Frame {
    frame(&HouseToTerminal::Heartbeat {
        server_ms: now_ms(),
    })
}

/// Says why, and closes.
pub async fn end(mut socket: Socket, bye: Bye) {
    metrics::counter!("sicbo_connections_ended_total", "why" => bye.code()).increment(1);
    let told = frame(&HouseToTerminal::Bye {
        code: bye.code().to_owned(),
        words: bye.words().to_owned(),
    });
    let close = CloseFrame {
        code: bye.status().into(),
        reason: bye.code().into(),
    };
    let say = async {
        socket.send(text(told)).await?;
        socket.send(Message::Close(Some(close))).await?;
        // The other side's own closing frame, so that it can read ours.
        while let Some(Ok(message)) = socket.recv().await {
            if matches!(message, Message::Close(_)) {
                break;
            }
        }
        if socket.too_many() {
            socket.drain().await;
        }
        Ok::<(), Error>(())
    };
    // A reader that does not read cannot be told.
    let _ = timeout(Duration::from_secs(1), say).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_while_the_house_was_away_is_nobodys_fault() {
        let mut silence = Silence::since(0);
        for seconds in [5, 10, 15] {
            assert!(!silence.too_long(seconds * 1_000));
        }
        assert!(silence.too_long(20_000), "nobody spoke for 20 s");
        // Held for 30 s, the house gives everybody their time anew.
        let mut silence = Silence::since(0);
        for seconds in [5, 35, 40, 45, 50] {
            assert!(!silence.too_long(seconds * 1_000));
        }
        assert!(silence.too_long(55_000));
    }

    /// However often its task is woken in between.
    #[tokio::test]
    async fn beats_come_however_often_their_task_is_woken() {
        let every_ms = 100;
        let mut beats = Beats::every(Duration::from_millis(every_ms as u64));
        let mut at_ms = Vec::new();
        let mut woken = interval(Duration::from_millis(1));
        let (mut wakes, began_ms) = (0, steady_ms());
        while at_ms.len() < 4 {
            tokio::select! {
                biased;
                () = beats.next() => at_ms.push(steady_ms() - began_ms),
                _ = woken.tick() => wakes += 1,
            }
        }
        assert!(wakes > at_ms.len(), "{wakes} wakes");
        assert!(at_ms[3] >= 3 * every_ms - 5, "{at_ms:?}");
    }

    /// A task that moved to other threads has another waker.
    #[tokio::test]
    async fn a_beat_wakes_the_task_that_asked_last() {
        let mut beats = Beats::every(Duration::from_millis(200));
        beats.next().await;
        let mut another = Context::from_waker(Waker::noop());
        assert!(beats.poll(&mut another).is_pending());
        beats.next().await;
    }
}
