//! Compares the machine's clock with the house's for as long as the house runs.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::floor::Floor;

/// The clocks are compared this often.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Compares the clocks until the house stops.
pub async fn watch(floor: Arc<Floor>) {
    let mut tick = interval(LOOK_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stopping = floor.stopping();
    loop {
        tokio::select! {
            _ = tick.tick() => {
                measure(&floor);
                sicbo_house::clock::compare(&floor).await;
            }
            () = stopping.asked() => return,
        }
    }
}

/// Sets the figures.
pub(crate) fn measure(floor: &Floor) {
    if let Some((house_ms, machine_ms)) = floor.clock.both() {
        let apart = machine_ms.saturating_sub(house_ms);
        metrics::gauge!("sicbo_clock_apart_seconds").set(apart as f64 / 1_000.0);
    }
    let parted = floor.desk.register().clock_parted.is_some();
    metrics::gauge!("sicbo_clock_parted").set(if parted { 1.0 } else { 0.0 });
}
