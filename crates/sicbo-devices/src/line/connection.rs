//! One connection of a device: hello, then messages, each answered in turn.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sicbo_table::actor::{Actor, Device};
use sicbo_table::{Act, Command};

use super::message::{self, Hello, LONGEST_LINE, Meaning, PROTOCOL};
use super::{LineOptions, Notice, Peer, Refused, Shared};
use sicbo_clock::now_ms;

/// Serves a connection until it ends.
pub(super) fn serve(peer: &Arc<Peer>, shared: &Arc<Shared>) {
    // Whoever stops looks at the list after the flag is set, or is seen here.
    if !shared.stopping.load(Ordering::SeqCst) {
        let mut lines = Lines::new(Arc::clone(peer));
        if let Some(device) = greet(&mut lines, peer, shared) {
            listen(&mut lines, peer, shared, device);
            gone(peer, shared, device);
        }
    }
    peer.hang_up();
    shared.arriving.lock().remove(&peer.serial);
    shared.open.lock().remove(&peer.serial);
}

/// The first line says who it is; the newer connection of a device replaces
/// the older one, which may be a cable that was pulled.
fn greet(lines: &mut Lines, peer: &Arc<Peer>, shared: &Shared) -> Option<Device> {
    let within = shared.options.hello_within;
    let refuse = |id, refused: Refused| {
        let _ = peer.send(&message::answer(id, &Err(refused)));
        None
    };
    let line = match lines.next(Instant::now() + within) {
        Ok(line) => line,
        Err(End::Gone) => return None,
        Err(End::Refused(refused)) => return refuse(None, refused),
    };
    let heard = message::read(&line, None);
    let hello: Hello = match heard.meaning {
        Ok(Meaning::Hello(hello)) => hello,
        Ok(_) => {
            let refused = Refused::new("hello_first", "the first line says hello");
            return refuse(heard.id, refused);
        }
        Err(refused) => return refuse(heard.id, refused),
    };
    if hello.protocol != PROTOCOL {
        let reason = format!("this house speaks protocol {PROTOCOL}");
        return refuse(heard.id, Refused::new("wrong_protocol", reason));
    }
    let admitted = peer
        .wire
        .shown(|shown| shared.house.admit(&hello.token, shown));
    let Some(device) = admitted.filter(|device| *device != Device::NoteAcceptor) else {
        let refused = Refused::new("not_admitted", "no such device is enrolled at this table");
        return refuse(heard.id, refused);
    };
    shared.arriving.lock().remove(&peer.serial);
    if peer.silent.load(Ordering::SeqCst) {
        return None;
    }
    {
        let _in_order = shared.coming.lock();
        // The house hears the newer one only when the older is silent: what a
        // replaced device had still to say must not be taken for the newer's word.
        let older = shared.devices.lock().get(&device).cloned();
        if let Some(older) = older {
            older.silence();
            older.await_turn();
            let refused = Refused::new("replaced", "a newer connection of this device is here");
            let _ = older.send(&message::answer(None, &Err(refused)));
            older.hang_up();
        }
        shared.devices.lock().insert(device, Arc::clone(peer));
        shared.house.noticed(device, Notice::Connected);
    }
    let _ = peer.send(&message::answer(heard.id, &Ok(())));
    Some(device)
}

/// The device has left, unless a newer connection has taken its place.
fn gone(peer: &Peer, shared: &Shared, device: Device) {
    let _in_order = shared.coming.lock();
    let mut devices = shared.devices.lock();
    let current = devices
        .get(&device)
        .is_some_and(|p| p.serial == peer.serial);
    if current {
        devices.remove(&device);
        drop(devices);
        // The house that stops hangs up itself: no device is at fault.
        if !shared.stopping.load(Ordering::SeqCst) {
            shared.house.noticed(device, Notice::Gone);
        }
    }
}

/// Messages and answers, until the device is gone or has to be.
fn listen(lines: &mut Lines, peer: &Peer, shared: &Shared, device: Device) {
    let mut rate = Rate::new(&shared.options, Instant::now());
    loop {
        let line = match lines.next(Instant::now() + shared.options.silent_after) {
            Ok(line) => line,
            Err(End::Gone) => return,
            Err(End::Refused(refused)) => {
                let _ = peer.send(&message::answer(None, &Err(refused)));
                return;
            }
        };
        if !rate.takes(Instant::now()) {
            let reason = format!("at most {} messages a second", shared.options.per_second);
            let refused = Refused::new("too_fast", reason);
            let _ = peer.send(&message::answer(None, &Err(refused)));
            return;
        }
        let turn = peer.turn.lock();
        if peer.silent.load(Ordering::SeqCst) {
            return;
        }
        let heard = message::read(&line, Some(device));
        let submit = |act: Act| {
            shared.house.submit(Command {
                id: shared.command.fetch_add(1, Ordering::Relaxed) + 1,
                at_ms: now_ms(),
                by: Actor::Device(device),
                second: None,
                act,
            })
        };
        let result = match heard.meaning {
            Err(refused) => Err(refused),
            Ok(Meaning::Cover { open }) => {
                shared.house.noticed(device, Notice::Cover { open });
                submit(Act::ReportCover { open })
            }
            Ok(Meaning::Hello(_)) => Err(Refused::new("hello_twice", "hello was said")),
            Ok(Meaning::Notice(notice)) => {
                shared.house.noticed(device, notice);
                Ok(())
            }
            Ok(Meaning::Act(act)) => submit(act),
        };
        drop(turn);
        if peer.send(&message::answer(heard.id, &result)).is_err() {
            return;
        }
    }
}

/// Why there is no further line.
enum End {
    Gone,
    Refused(Refused),
}

/// Lines of bounded length, each whole before a deadline.
struct Lines {
    peer: Arc<Peer>,
    held: Vec<u8>,
}

impl Lines {
    fn new(peer: Arc<Peer>) -> Lines {
        Lines {
            peer,
            held: Vec::new(),
        }
    }

    fn next(&mut self, deadline: Instant) -> Result<Vec<u8>, End> {
        loop {
            let end = self.held.iter().position(|byte| *byte == b'\n');
            if end.unwrap_or(self.held.len()) > LONGEST_LINE {
                let reason = format!("a line has at most {LONGEST_LINE} bytes");
                return Err(End::Refused(Refused::new("line_too_long", reason)));
            }
            if let Some(end) = end {
                let mut line: Vec<u8> = self.held.drain(..=end).collect();
                line.pop();
                return Ok(line);
            }
            // The time that is left for the whole line, not for the next byte.
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let refused = Refused::new("silent", "nothing whole was heard for too long");
                return Err(End::Refused(refused));
            }
            let left = left.max(Duration::from_millis(1));
            if self.peer.wire.set_read_timeout(left).is_err() {
                return Err(End::Gone);
            }
            let mut bytes = [0; 1_024];
            match self.peer.wire.read(&mut bytes) {
                Ok(0) => return Err(End::Gone),
                Ok(read) => self.held.extend_from_slice(&bytes[..read]),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock
                    | io::ErrorKind::TimedOut
                    | io::ErrorKind::Interrupted => {}
                    _ => return Err(End::Gone),
                },
            }
        }
    }
}

/// A bucket that fills evenly: a burst, then so many a second.
struct Rate {
    per_second: u32,
    burst_ms: u64,
    left_ms: u64,
    since: Instant,
}

impl Rate {
    fn new(options: &LineOptions, now: Instant) -> Rate {
        let per_second = options.per_second.clamp(1, 1_000);
        let burst_ms = u64::from(options.burst.max(1)) * 1_000;
        Rate {
            per_second,
            burst_ms,
            left_ms: burst_ms,
            since: now,
        }
    }

    fn takes(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.since);
        let ms = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
        let more = ms.saturating_mul(u64::from(self.per_second));
        if more > 0 {
            self.since = now;
        }
        self.left_ms = self.left_ms.saturating_add(more).min(self.burst_ms);
        let takes = self.left_ms >= 1_000;
        if takes {
            self.left_ms -= 1_000;
        }
        takes
    }
}
