//! The program that the simulated house runs in: it waits, carries work out and
//! reads journals when the world says so.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use sicbo_house::house::{Carry, Host};
use sicbo_wire::problem::Problem;

#[derive(Default)]
struct Shared {
    /// Who pauses until the world's next step.
    pausing: Mutex<Vec<Waker>>,
    /// Work that is carried out apart from whoever asked for it.
    carried: Mutex<Vec<BoxFuture<'static, ()>>>,
}

/// A host without threads.
#[derive(Clone, Default)]
pub(super) struct WorldHost(Arc<Shared>);

impl WorldHost {
    /// A step of the world has passed: whoever paused goes on.
    pub(super) fn step(&self) {
        let pausing = std::mem::take(&mut *self.0.pausing.lock());
        for waker in pausing {
            waker.wake();
        }
    }

    /// The program is gone. Work that was still to be carried out holds the house,
    /// which holds this host: without it, neither would ever let go of a file.
    pub(super) fn forget(&self) {
        loop {
            let pausing = std::mem::take(&mut *self.0.pausing.lock());
            let carried = self.carried();
            if pausing.is_empty() && carried.is_empty() {
                return;
            }
        }
    }

    /// Work to be carried out.
    pub(super) fn carried(&self) -> Vec<BoxFuture<'static, ()>> {
        std::mem::take(&mut *self.0.carried.lock())
    }
}

/// Ready at the world's next step.
struct Pause {
    shared: Arc<Shared>,
    asked: bool,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.asked {
            return Poll::Ready(());
        }
        self.asked = true;
        self.shared.pausing.lock().push(context.waker().clone());
        Poll::Pending
    }
}

impl Host for WorldHost {
    fn pause(&self) -> BoxFuture<'static, ()> {
        Box::pin(Pause {
            shared: Arc::clone(&self.0),
            asked: false,
        })
    }

    fn room(&self) -> Option<Carry> {
        let shared = Arc::clone(&self.0);
        Some(Box::new(move |work| {
            shared.carried.lock().push(work);
        }))
    }

    fn read(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'static, Result<(), Problem>> {
        work();
        // Whoever waits for it does so for a while, in which others go on.
        let read = self.pause();
        Box::pin(async move {
            read.await;
            Ok(())
        })
    }
}
