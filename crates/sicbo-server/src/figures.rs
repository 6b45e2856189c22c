//! Figures for Prometheus.

use std::sync::OnceLock;
use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use sicbo_house::house::TableAt;
use sicbo_house::hub::RULING;
use sicbo_plan::{LightsPlan, TumblerPlan};
use sicbo_proof::describe::hex;
use sicbo_register::security::SecurityKind;
use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::actor::Device;

use crate::build;
use crate::floor::Floor;
use crate::floor::tree::TreeWatch;
use crate::lines::device_word;

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
    metrics::describe_counter!(
        "sicbo_voids_total",
        "rounds that became void, by table, cause and when: in the round or late"
    );
    metrics::describe_counter!(
        "sicbo_tickets_total",
        "tickets sent to a printer, by table and end"
    );
    metrics::describe_counter!(
        "sicbo_security_events_total",
        "events of the security log, by kind"
    );
    metrics::describe_counter!(
        "sicbo_syslog_lost_total",
        "lines of the security log that found no room for their receiver"
    );
    metrics::describe_gauge!(
        "sicbo_table_in_service",
        "1 while the table's journal takes records"
    );
    metrics::describe_gauge!("sicbo_house_ready", "1 while /health/ready says so");
    metrics::describe_gauge!(
        "sicbo_device_connected",
        "1 while a planned device is on its table's line"
    );
    metrics::describe_gauge!(
        "sicbo_printer_ready",
        "0 since a ticket was not printed, until one is"
    );
    metrics::describe_gauge!(
        "sicbo_journal_age_seconds",
        "how old the newest record is, or the start, by stream"
    );
    metrics::describe_gauge!(
        "sicbo_checkpoint_age_seconds",
        "how old the newest checkpoint is, or the start, by stream"
    );
    metrics::describe_gauge!(
        "sicbo_unsigned_age_seconds",
        "how long records have waited for a checkpoint, by stream"
    );
    metrics::describe_gauge!("sicbo_journal_bytes", "size of a journal, by stream");
    metrics::describe_gauge!(
        "sicbo_wal_bytes",
        "size of a journal's write-ahead log, by stream"
    );
    metrics::describe_gauge!(
        "sicbo_disk_free_bytes",
        "free on the disk of the data folder"
    );
    metrics::describe_gauge!(
        "sicbo_disk_size_bytes",
        "size of the disk of the data folder"
    );
    metrics::describe_gauge!(
        "sicbo_certificate_expiry_timestamp_seconds",
        "when a certificate in use ends, in seconds since 1970"
    );
    metrics::describe_gauge!(
        "sicbo_self_check_failed",
        "files that are not those of the start"
    );
    metrics::describe_gauge!(
        "sicbo_tree_unwritten",
        "1 while the tree has not been written and signed for too long"
    );
    metrics::describe_gauge!("sicbo_mark_unwritten", "1 while the mark cannot be written");
    metrics::describe_gauge!(
        "sicbo_start_timestamp_seconds",
        "when the house started, in seconds since 1970"
    );
    metrics::describe_gauge!(
        "sicbo_build_info",
        "1; the program's version, commit and digest"
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

/// Counters that have counted nothing yet are there from the start, so that a rule or a chart
/// finds them; and what does not change while the house runs.
pub fn begin(floor: &Floor) {
    for at in floor.tables() {
        let table = || at.hub.name.as_str().to_owned();
        metrics::counter!("sicbo_bets_total", "table" => table()).increment(0);
        metrics::counter!("sicbo_refusals_total", "table" => table(), "code" => "bets_closed")
            .increment(0);
        for end in ["settled", "void"] {
            metrics::counter!("sicbo_rounds_total", "table" => table(), "end" => end).increment(0);
        }
        let causes = &at.plan.config.book.voiding.causes;
        let causes = causes.iter().map(|listed| listed.cause.key());
        for cause in causes.chain([RULING]) {
            for when in ["round", "late"] {
                metrics::counter!("sicbo_voids_total",
                    "table" => table(), "cause" => cause, "when" => when)
                .increment(0);
            }
        }
    }
    for kind in SecurityKind::ALL {
        metrics::counter!("sicbo_security_events_total", "kind" => kind.word()).increment(0);
    }
    for kind in ["terminal", "staff", "wall"] {
        metrics::gauge!("sicbo_connections", "kind" => kind).increment(0.0);
    }
    metrics::gauge!("sicbo_self_check_failed").set(0.0);
    for figure in [
        "sicbo_slow_readers_total",
        "sicbo_answers_not_compressed_total",
        "sicbo_certificates_read_total",
        "sicbo_certificates_unreadable_total",
        "sicbo_syslog_lost_total",
    ] {
        metrics::counter!(figure).increment(0);
    }
    let build = build::known();
    metrics::gauge!("sicbo_build_info", "version" => build.version, "commit" => build.commit,
        "program" => hex(&floor.program))
    .set(1.0);
    let now_s = sicbo_clock::now_ms() as f64 / 1_000.0;
    metrics::gauge!("sicbo_start_timestamp_seconds").set(now_s);
}

/// What is looked at when somebody asks.
pub fn measure(floor: &Floor) {
    let one = |whether: bool| f64::from(u8::from(whether));
    for at in floor.tables() {
        let table = || at.hub.name.as_str().to_owned();
        metrics::gauge!("sicbo_queue_depth", "table" => table()).set(at.hub.waiting() as f64);
        metrics::gauge!("sicbo_table_in_service", "table" => table())
            .set(one(at.hub.stopped().is_none()));
        let connected = at.line.get().map_or_else(Vec::new, |line| line.connected());
        for device in planned(at) {
            metrics::gauge!("sicbo_device_connected",
                "table" => table(), "device" => device_word(device))
            .set(one(connected.contains(&device)));
        }
    }
    metrics::gauge!("sicbo_house_ready").set(one(crate::http::health::is_ready(floor)));
    crate::clock::measure(floor);
    floor.storage.measure();
    if let Some(known) = floor.tree() {
        tree(known);
    }
}

/// The devices that a table's plan expects on its line.
fn planned(at: &TableAt) -> impl Iterator<Item = Device> {
    let plan = &at.plan;
    let tumbler = matches!(plan.tumbler, TumblerPlan::Line { .. });
    let lights = matches!(plan.lights, LightsPlan::Line { .. });
    let all = [
        (Device::Tumbler, tumbler),
        (Device::DiceReader, plan.dice_reader),
        (Device::Lights, lights),
    ];
    let expected = all.into_iter().filter(|(_, expected)| *expected);
    expected.map(|(device, _)| device)
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
