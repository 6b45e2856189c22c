//! Figures for Prometheus.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

static FIGURES: OnceLock<PrometheusHandle> = OnceLock::new();

/// Begins to count. Twice is as good as once.
pub fn install() {
    FIGURES.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        // One that is there already counts as well; ours then stays empty.
        let _ = metrics::set_global_recorder(recorder);
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
    metrics::describe_gauge!("sicbo_connections", "open connections, by kind");
    metrics::describe_gauge!("sicbo_queue_depth", "commands waiting, by table");
    metrics::describe_histogram!("sicbo_fan_out_seconds", "from durable to every outbox");
    metrics::describe_histogram!("sicbo_sync_seconds", "making one block durable");
}

/// All figures as text.
#[must_use]
pub fn render() -> String {
    FIGURES.get().map_or_else(String::new, |figures| {
        figures.run_upkeep();
        figures.render()
    })
}
