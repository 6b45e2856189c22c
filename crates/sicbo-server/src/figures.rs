//! Figures for Prometheus.

use std::sync::OnceLock;
use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::floor::tree::TreeWatch;

static FIGURES: OnceLock<PrometheusHandle> = OnceLock::new();

/// Samples are summed up this often, whether or not anybody asks for figures:
/// until then each takes memory of its own.
const SUMMED_EVERY: Duration = Duration::from_secs(1);

/// Begins to count. Twice is as good as once.
pub fn install() {
    FIGURES.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        // One that is there already counts as well; ours then stays empty.
        let _ = metrics::set_global_recorder(recorder);
        let upkeep = handle.clone();
        let spawned = std::thread::Builder::new()
            .name("figures".to_owned())
            .spawn(move || {
                loop {
                    std::thread::sleep(SUMMED_EVERY);
                    upkeep.run_upkeep();
                }
            });
        if let Err(error) = spawned {
            tracing::error!(%error, "figures are summed up only when somebody asks for them");
        }
        handle
    });
    metrics::describe_counter!("sicbo_rounds_total", "rounds ended, by table and end");
    metrics::describe_counter!("sicbo_bets_total", "bets registered, by table");
    metrics::describe_counter!("sicbo_refusals_total", "refusals, by table and code");
    metrics::describe_counter!(
        "sicbo_slow_readers_total",
        "connections dropped as too slow"
    );
    metrics::describe_counter!(
        "sicbo_connections_ended_total",
        "connections the house ended, by reason"
    );
    metrics::describe_counter!(
        "sicbo_refused_total",
        "connections and requests refused at the edge, by what and why"
    );
    metrics::describe_counter!(
        "sicbo_answers_not_compressed_total",
        "answers sent as they are because too many waited to be compressed"
    );
    metrics::describe_counter!(
        "sicbo_certificates_read_total",
        "times that a changed certificate was read"
    );
    metrics::describe_counter!(
        "sicbo_certificates_unreadable_total",
        "times that a changed certificate could not be used"
    );
    metrics::describe_gauge!("sicbo_connections", "open connections, by kind");
    metrics::describe_gauge!(
        "sicbo_clock_apart_seconds",
        "how far the machine's clock is ahead of the house's"
    );
    metrics::describe_gauge!(
        "sicbo_clock_parted",
        "1 while the clocks have parted and no supervisor has looked"
    );
    metrics::describe_gauge!("sicbo_queue_depth", "commands waiting, by table");
    metrics::describe_gauge!("sicbo_tree_blocks", "blocks in the house's tree");
    metrics::describe_gauge!(
        "sicbo_house_behind",
        "1 while the data is older than what is known and the house does not play"
    );
    metrics::describe_gauge!(
        "sicbo_witness_cosigned_blocks",
        "blocks under the newest cosigned head"
    );
    metrics::describe_gauge!(
        "sicbo_witness_cosigned_age_seconds",
        "how old the last cosignature is"
    );
    metrics::describe_gauge!(
        "sicbo_witness_alarm",
        "1 while the witness has been silent for longer than the plan allows"
    );
    metrics::describe_histogram!("sicbo_fan_out_seconds", "from durable to every outbox");
    metrics::describe_histogram!("sicbo_sync_seconds", "making one block durable");
}

/// How the house's tree and its witness stand now.
pub fn tree(tree: &TreeWatch) {
    let stands = tree.stands();
    metrics::gauge!("sicbo_tree_blocks").set(stands.size as f64);
    metrics::gauge!("sicbo_house_behind").set(f64::from(u8::from(stands.behind.is_some())));
    let unwritten = tree.unwritten_s().is_some();
    metrics::gauge!("sicbo_tree_unwritten").set(f64::from(u8::from(unwritten)));
    let unmarked = stands.mark_problem.is_some();
    metrics::gauge!("sicbo_mark_unwritten").set(f64::from(u8::from(unmarked)));
    if stands.witness.is_none() {
        return;
    }
    let cosigned = stands.cosigned_size.unwrap_or(0);
    metrics::gauge!("sicbo_witness_cosigned_blocks").set(cosigned as f64);
    if let Some(age_s) = tree.cosigned_age_s() {
        metrics::gauge!("sicbo_witness_cosigned_age_seconds").set(age_s as f64);
    }
    let alarm = tree.alarm_s().is_some();
    metrics::gauge!("sicbo_witness_alarm").set(f64::from(u8::from(alarm)));
}

/// All figures as text.
#[must_use]
pub fn render() -> String {
    FIGURES.get().map_or_else(String::new, |figures| {
        figures.run_upkeep();
        figures.render()
    })
}

#[cfg(test)]
mod tests {
    use super::{SUMMED_EVERY, install, render};

    /// Memory of this process, in bytes.
    fn resident() -> u64 {
        let statm = std::fs::read_to_string("/proc/self/statm").expect("the system says");
        let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
        pages.map_or(0, |pages: u64| pages * 4096)
    }

    #[test]
    fn memory_does_not_grow_with_what_is_counted_when_nobody_asks() {
        install();
        let sample = || metrics::histogram!("sicbo_sync_seconds").record(0.001);
        sample();
        std::thread::sleep(SUMMED_EVERY + SUMMED_EVERY / 2);
        let before = resident();
        // Samples of some hours, in a few seconds, and nobody looks.
        let (mut most, mut counted) = (0, 0_u64);
        for _ in 0..60 {
            for _ in 0..20_000 {
                sample();
            }
            counted += 20_000;
            most = most.max(resident());
            std::thread::sleep(SUMMED_EVERY / 10);
        }
        let grown = most.saturating_sub(before);
        assert!(
            grown < counted * 20,
            "{grown} bytes for {counted} samples that nobody asked for"
        );
        assert!(render().contains("sicbo_sync_seconds_count"));
    }
}
