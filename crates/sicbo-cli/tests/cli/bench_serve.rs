//! `sicbo bench serve`: that it measures a real house and says what is asked,
//! not how fast this machine is.

use serde_json::Value;

use crate::cli::binary::{folder, good};

#[test]
fn bench_serve_has_its_stable_form_and_believable_figures() {
    let place = folder("bench-serve");
    let dir = place.to_str().unwrap();
    let text = good(&["bench", "serve", "--quick", "--json", "--dir", dir]);
    let measured: Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&String> = measured.as_object().unwrap().keys().collect();
    for key in [
        "terminals",
        "bets_per_s_one_per_frame",
        "bets_per_s_sixteen_per_frame",
        "register_p50_ms",
        "register_p99_ms",
        "last_terminal_ms",
        "bytes_per_terminal",
    ] {
        assert!(keys.iter().any(|known| *known == key), "{key} in {keys:?}");
    }
    assert_eq!(measured["terminals"], 200);
    let figure = |key: &str| measured[key].as_f64().unwrap();
    assert!(figure("bets_per_s_one_per_frame") > 100.0);
    assert!(figure("bets_per_s_sixteen_per_frame") > 100.0);
    assert!(figure("register_p50_ms") > 0.0);
    assert!(figure("register_p50_ms") <= figure("register_p99_ms"));
    let last = measured["last_terminal_ms"].as_object().unwrap();
    assert_eq!(last.len(), 3);
    assert!(last.values().all(|ms| ms.as_f64().unwrap() > 0.0));
    // A connection cannot be free, nor take megabytes.
    assert!((500.0..1_000_000.0).contains(&figure("bytes_per_terminal")));
    // The disk is left as it was.
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}
