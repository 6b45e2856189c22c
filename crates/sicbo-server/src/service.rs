//! What the service manager is told: that the house is up, is reading its plan again, or stops.
//!
//! Said to the socket that systemd names to a service of `Type=notify`; nobody is told elsewhere.

use sd_notify::{NotifyState, notify};

/// The house takes connections.
pub(crate) fn ready(status: &str) {
    tell(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// It reads its plan again, until it is ready.
pub(crate) fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(now) => tell(&[NotifyState::Reloading, now]),
        Err(error) => tracing::warn!(%error, "the service manager could not be told"),
    }
}

/// It finishes its rounds and stops.
pub(crate) fn stopping() {
    tell(&[
        NotifyState::Stopping,
        NotifyState::Status("finishing rounds"),
    ]);
}

fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = notify(state) {
        tracing::warn!(%error, "the service manager could not be told");
    }
}
