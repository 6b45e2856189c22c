//! The threads that drive a house: one for each hub, one for the desk, one for
//! each printer. What they do is in `sicbo-house`; here they wait.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use sicbo_house::desk::{self, DeskWork, ToDesk};
use sicbo_house::hub::{self, HubWork, ToHub};

/// Drives a table's hub until its queue is gone.
pub(super) fn drive_hub(
    mut work: HubWork,
    queue: Receiver<ToHub>,
) -> std::io::Result<JoinHandle<()>> {
    let name = format!("hub {}", work.table());
    std::thread::Builder::new().name(name).spawn(move || {
        loop {
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

/// Drives the desk until its queue is gone.
pub(super) fn drive_desk(
    mut work: DeskWork,
    queue: Receiver<ToDesk>,
) -> std::io::Result<JoinHandle<()>> {
    let thread = std::thread::Builder::new().name("desk".to_owned());
    thread.spawn(move || {
        loop {
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
