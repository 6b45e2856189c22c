//! What every test over the network shares: a house program on a free
//! loopback port, people with sessions, terminals, and a model of the money
//! that shares nothing with the engine.
#![expect(unreachable_pub, reason = "each test program uses a part of it")]

/// These fields of a JSON object are so, whatever else it has.
macro_rules! has {
    ($is:expr, {$($wanted:tt)*} $(, $($about:tt)+)?) => {{
        let wanted = serde_json::json!({$($wanted)*});
        let about = String::new() $(+ &format!($($about)+))?;
        match &$is {
            is => for (name, value) in wanted.as_object().expect("fields") {
                assert_eq!(is[name], *value, "{name} of {about} {is}");
            },
        }
    }};
}

pub mod account;
pub mod dealing;
pub mod device;
pub mod house;
pub mod http;
pub mod one;
pub mod people;
pub mod pit;
pub mod program;
pub mod proof;
pub mod terminal;

use std::fmt::Display;
use std::time::{Duration, Instant};

/// Whatever is waited for has come by then, or never comes.
pub const SOON: Duration = Duration::from_secs(40);

/// How long to wait before the next look at what tells nobody when it changes.
const PAUSE: Duration = Duration::from_millis(10);

/// Looks until something is there.
#[track_caller]
pub fn comes<T>(what: impl Display, mut look: impl FnMut() -> Option<T>) -> T {
    let by = Instant::now() + SOON;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < by, "{what}");
        std::thread::sleep(PAUSE);
    }
}

/// The same over the network.
pub async fn comes_there<T>(what: impl Display, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let by = Instant::now() + SOON;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < by, "{what}");
        tokio::time::sleep(PAUSE).await;
    }
}
