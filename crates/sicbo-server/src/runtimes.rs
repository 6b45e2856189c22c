//! The threads that carry bytes, in three groups that wait for each other as little as can be.
//!
//! Terminals and staff are served by threads of their own. Whoever has not shown who they are is
//! served by others, which give way: their connections are accepted, read and refused there, and
//! wake no thread that a bet needs (decision 0110). Walls have a third group, since ten thousand
//! of them may look on.

use std::io;
use std::num::NonZero;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};

/// How far threads of strangers give way to those of terminals and staff, as `nice` counts.
const GIVES_WAY: i32 = 5;

/// The three groups.
pub struct Runtimes {
    known: Runtime,
    strangers: Runtime,
    walls: Runtime,
}

/// Where work goes.
#[derive(Clone)]
pub struct Threads {
    /// Of terminals and staff.
    pub known: Handle,
    /// Of those who have not shown who they are.
    pub strangers: Handle,
    /// Of walls.
    pub walls: Handle,
}

impl Runtimes {
    /// Starts their threads.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn start() -> io::Result<Runtimes> {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let giving_way = |name: &str, threads: usize| {
            Builder::new_multi_thread()
                .worker_threads(threads)
                .thread_name(name)
                .on_thread_start(give_way)
                .enable_all()
                .build()
        };
        Ok(Runtimes {
            known: Builder::new_multi_thread().enable_all().build()?,
            strangers: giving_way("strangers", (cores / 2).max(1))?,
            walls: giving_way("walls", 1)?,
        })
    }

    /// The runtime of the house itself.
    #[must_use]
    pub const fn known(&self) -> &Runtime {
        &self.known
    }

    /// Where work goes.
    #[must_use]
    pub fn threads(&self) -> Threads {
        Threads {
            known: self.known.handle().clone(),
            strangers: self.strangers.handle().clone(),
            walls: self.walls.handle().clone(),
        }
    }

    /// Ends them; work that does not end within this time is left.
    pub fn end(self, within: Duration) {
        self.strangers.shutdown_timeout(within);
        self.known.shutdown_timeout(within);
        self.walls.shutdown_timeout(within);
    }
}

/// The calling thread gives way to others of the program. Elsewhere than on Linux this would be
/// asked of the whole program.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(GIVES_WAY) {
        tracing::warn!(%error, "a thread of strangers has the same rank as the others");
    }
}
