//! Work that takes memory, a thread or time: some of it at once, some more
//! waiting its turn, and the rest told at once that there is too much.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::problem::Problem;

/// Nobody waits longer for a turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

/// A bound on work done at once and on work that waits.
pub struct Limited {
    at_once: Arc<Semaphore>,
    all: Arc<Semaphore>,
}

impl Limited {
    /// So much at once, and so much waiting beside it.
    #[must_use]
    pub fn new(at_once: usize, waiting: usize) -> Limited {
        Limited {
            at_once: Arc::new(Semaphore::new(at_once)),
            all: Arc::new(Semaphore::new(at_once + waiting)),
        }
    }

    /// From now on there is no room.
    #[cfg(test)]
    pub(crate) fn close(&self) {
        self.all.close();
    }

    /// Does work on a thread that may wait. It counts until it has ended, also
    /// when whoever asked has gone.
    ///
    /// # Errors
    /// When too much is waiting, or the work broke off.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let Ok(all) = Arc::clone(&self.all).try_acquire_owned() else {
            return Err(Problem::busy());
        };
        let turn = timeout(TURN_TIMEOUT, Arc::clone(&self.at_once).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(Problem::busy());
        };
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop((turn, all));
            done
        })
        .await
        .map_err(|error| Problem::ours(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_finds_no_room_is_told_so_at_once_and_what_waits_is_done() {
        let limited = Arc::new(Limited::new(1, 1));
        let (open, opened) = std::sync::mpsc::channel::<()>();
        let (began, begun) = tokio::sync::oneshot::channel();
        let same = Arc::clone(&limited);
        let first = tokio::spawn(async move {
            let work = move || {
                let _ = began.send(());
                opened.recv()
            };
            same.run(work).await
        });
        begun.await.unwrap();
        let same = Arc::clone(&limited);
        let second = tokio::spawn(async move { same.run(|| 2).await });
        // Until the second has taken the one place to wait in.
        while limited.all.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(limited.run(|| 3).await, Err(Problem::busy()));
        open.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(Ok(())));
        assert_eq!(second.await.unwrap(), Ok(2));
        assert_eq!(limited.run(|| 4).await, Ok(4));
    }
}
