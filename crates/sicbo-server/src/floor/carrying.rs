//! What two persons have confirmed is carried out to its end, whoever waits for
//! it: a line that breaks half-way leaves nothing half done.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::problem::Problem;

/// Confirmations carried out at once, in the whole house.
const AT_ONCE: usize = 64;

/// The confirmations that are being carried out.
pub struct Carrying(Arc<Semaphore>);

impl Default for Carrying {
    fn default() -> Carrying {
        Carrying(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

/// Room for one confirmation.
pub struct Room(tokio::sync::OwnedSemaphorePermit);

impl Carrying {
    /// Room for one, to be had before anything is begun.
    ///
    /// # Errors
    /// When too many are being carried out.
    pub fn room(&self) -> Result<Room, Problem> {
        let permit = Arc::clone(&self.0).try_acquire_owned();
        permit.map(Room).map_err(|_| Problem::busy())
    }

    /// Waits until none is being carried out; from then on there is no room.
    pub async fn ended(&self) {
        let all = u32::try_from(AT_ONCE).unwrap_or(u32::MAX);
        if let Ok(all) = self.0.acquire_many(all).await {
            all.forget();
        }
    }
}

impl Room {
    /// Does the work apart from whoever asked for it.
    pub fn carry(self, work: impl Future<Output = ()> + Send + 'static) {
        tokio::spawn(async move {
            work.await;
            drop(self.0);
        });
    }
}
