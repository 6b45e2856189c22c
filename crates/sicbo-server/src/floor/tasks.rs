//! What the house asks of the program it runs in: a moment's wait, work that is
//! carried out to its end whoever waits for it, and journals read where that
//! holds nobody up.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sicbo_house::house::{Carry, Host};
use tokio::sync::Semaphore;

use crate::limited::Limited;
use crate::problem::Problem;

/// Confirmations carried out at once, in the whole house: a line that breaks
/// half-way leaves nothing half done.
const AT_ONCE: usize = 64;
/// A full queue may have room after this time.
const PAUSE: Duration = Duration::from_millis(1);

/// The tasks of a running house.
pub(super) struct Tasks {
    carried: Arc<Semaphore>,
    /// Journals being read.
    pub(super) reading: Arc<Limited>,
}

impl Tasks {
    pub(super) fn new(reading: Limited) -> Tasks {
        Tasks {
            carried: Arc::new(Semaphore::new(AT_ONCE)),
            reading: Arc::new(reading),
        }
    }

    /// Waits until none is being carried out; from then on there is no room.
    pub(super) async fn ended(&self) {
        let all = u32::try_from(AT_ONCE).unwrap_or(u32::MAX);
        if let Ok(all) = self.carried.acquire_many(all).await {
            all.forget();
        }
    }
}

impl Host for Tasks {
    fn pause(&self) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(PAUSE))
    }

    fn room(&self) -> Option<Carry> {
        let permit = Arc::clone(&self.carried).try_acquire_owned().ok()?;
        Some(Box::new(move |work| {
            tokio::spawn(async move {
                work.await;
                drop(permit);
            });
        }))
    }

    fn read(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'static, Result<(), Problem>> {
        let reading = Arc::clone(&self.reading);
        Box::pin(async move { reading.run(work).await })
    }
}
