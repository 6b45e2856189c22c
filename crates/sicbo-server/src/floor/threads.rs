//! The threads that drive a house: one for each hub, one for the desk, one for
//! each printer. What they do is in `sicbo-house`; here they wait.

use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use sicbo_house::desk::{self, DeskWork, ToDesk};
use sicbo_house::hub::{self, HubWork, ToHub};

/// When the threads of a house end. Each holds what sends to its own queue, so that the queue of a
/// house that is only looked at is never gone.
#[derive(Clone)]
pub(super) enum Until {
    /// With their queues: the program ends.
    QueueGone,
    /// With this, at most half a second later.
    Dropped(Weak<()>),
}

impl Until {
    /// When `house` is dropped.
    pub(super) fn dropped(house: &Arc<()>) -> Until {
        Until::Dropped(Arc::downgrade(house))
    }

    fn has_come(&self) -> bool {
        matches!(self, Until::Dropped(house) if house.strong_count() == 0)
    }
}

/// Drives a table's hub.
pub(super) fn drive_hub(
    mut work: HubWork,
    queue: Receiver<ToHub>,
    until: Until,
) -> std::io::Result<JoinHandle<()>> {
    let name = format!("hub {}", work.table());
    std::thread::Builder::new().name(name).spawn(move || {
        while !until.has_come() {
            match queue.recv_timeout(Duration::from_millis(work.wait_ms())) {
                Ok(message) => {
                    take(&mut work, message);
                    for message in queue.try_iter().take(hub::TOGETHER) {
                        take(&mut work, message);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            work.turn();
        }
    })
}

/// Has a hub deal with a message, and measures how long everyone is told of
/// what happened.
fn take(work: &mut HubWork, message: ToHub) {
    let published = matches!(message, ToHub::Published { .. });
    let began = Instant::now();
    work.take(message);
    if published {
        metrics::histogram!("sicbo_fan_out_seconds").record(began.elapsed().as_secs_f64());
    }
}

/// Drives the desk.
pub(super) fn drive_desk(
    mut work: DeskWork,
    queue: Receiver<ToDesk>,
    until: Until,
) -> std::io::Result<JoinHandle<()>> {
    let thread = std::thread::Builder::new().name("desk".to_owned());
    thread.spawn(move || {
        while !until.has_come() {
            match queue.recv_timeout(Duration::from_millis(work.wait_ms())) {
                Ok(message) => {
                    work.take(message);
                    for message in queue.try_iter().take(desk::TOGETHER) {
                        work.take(message);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            work.turn();
        }
    })
}
