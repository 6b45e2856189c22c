//! Ends a statement that waits too long: the server is asked to cancel it, and its
//! answer is in doubt from then on. The server's own limit does not reach a commit
//! that waits for its standbys, and the primary may have changed meanwhile.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use postgres::CancelToken;

use crate::error::ClusterError;
use crate::server::Server;

/// Watches the statements of one connection, until it is dropped.
pub(crate) struct Watchdog(Sender<bool>);

impl Watchdog {
    pub(crate) fn start(server: &Server, token: CancelToken) -> Result<Watchdog, ClusterError> {
        let (sender, receiver) = channel();
        let server = server.clone();
        let thread = std::thread::Builder::new().name("postgres watchdog".to_owned());
        let started = thread.spawn(move || watch(&server, &token, &receiver));
        started.map_err(|error| ClusterError::Unknown(error.to_string()))?;
        Ok(Watchdog(sender))
    }

    /// A statement begins.
    pub(crate) fn arm(&self) {
        let _ = self.0.send(true);
    }

    /// It has ended.
    pub(crate) fn disarm(&self) {
        let _ = self.0.send(false);
    }
}

fn watch(server: &Server, token: &CancelToken, told: &Receiver<bool>) {
    let mut patience: Option<Duration> = None;
    loop {
        let heard = match patience {
            Some(patience) => told.recv_timeout(patience),
            None => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match heard {
            Ok(armed) => patience = armed.then(|| server.patience()),
            Err(RecvTimeoutError::Timeout) => {
                // Asked again after as long: the request itself may be lost.
                if let Err(what) = server.cancel(token) {
                    tracing::warn!(what, "a statement that waits could not be cancelled");
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
