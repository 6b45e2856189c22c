//! Reports, alerts, events and meters of a running house.

use super::house::{House, TABLE};
use super::http::get;

#[test]
fn p_099_a_report_comes_in_every_form_and_names_what_it_is_true_for() {
    let house = House::quick();
    let auditor = house.staff("auditor");
    let path = format!("/api/tables/{TABLE}/report");
    let said = get(&house, &path, &[&auditor]).is(200);
    let report = said.json();
    has!(report, {"table": TABLE, "from": 1});
    assert!(report["to"].as_u64().is_some_and(|to| to >= 1));
    has!(report["ledger"], {"balances": true, "reconciles": true});
    assert_eq!(report["vouchers"]["reconciles"], true);
    let meters = report["meters"].as_array().expect("meters");
    assert!(!meters.is_empty());
    for (format, kind, begins) in [
        ("json", "application/json", "{"),
        ("csv", "text/csv; charset=utf-8", "section,row,column,value"),
        ("html", "text/html; charset=utf-8", "<!doctype html>"),
        ("pdf", "application/pdf", "%PDF-"),
    ] {
        let said = get(&house, &format!("{path}?to=1&format={format}"), &[&auditor]).is(200);
        assert_eq!(said.header("content-type"), Some(kind));
        assert!(said.body.starts_with(begins), "{format}");
        if format == "html" {
            let policy = said.header("content-security-policy").unwrap_or_default();
            assert!(policy.starts_with("default-src 'none'"), "{policy}");
        }
    }
    for (asked, status) in [
        ("from=0", 422),
        ("from=4000000", 422),
        ("from=3&to=2", 422),
        ("to=18446744073709551615", 422),
        ("format=word", 400),
        ("from=x", 400),
        ("since=1", 400),
    ] {
        get(&house, &format!("{path}?{asked}"), &[&auditor]).is(status);
    }
    get(&house, "/api/tables/nowhere/report", &[&auditor]).is(404);
    house.ends_clean();
}

#[test]
fn p_033_p_034_s_08_events_alerts_and_meters_are_read_and_bounded() {
    let house = House::brisk();
    let watcher = house.staff("surveillance");
    let path = format!("/api/tables/{TABLE}/events");
    let said = get(&house, &format!("{path}?limit=1"), &[&watcher]).is(200);
    let page = said.json();
    has!(page["events"][0], {"event": "table-opened", "sequence": 1});
    let lines = get(
        &house,
        &format!("{path}?limit=2&format=ndjson"),
        &[&watcher],
    );
    assert_eq!(lines.header("content-type"), Some("application/x-ndjson"));
    let first = lines.body.lines().next().expect("a line");
    let first: serde_json::Value = serde_json::from_str(first).expect("JSON");
    assert_eq!(first, page["events"][0]);
    let accept = get(&house, &path, &[&watcher, "Accept: application/x-ndjson"]);
    assert_eq!(accept.header("content-type"), Some("application/x-ndjson"));
    for (asked, status) in [
        ("limit=0", 400),
        ("limit=501", 400),
        ("after=18446744073709551615", 200),
        ("round=18446744073709551615", 200),
        ("station=4294967295", 200),
        ("kind=", 200),
        ("newest=true&before=18446744073709551615", 200),
        ("newest=1", 400),
        ("person=-1", 400),
    ] {
        get(&house, &format!("{path}?{asked}"), &[&watcher]).is(status);
    }
    // The newest first, and on from there without a gap.
    let page = get(&house, &format!("{path}?newest=true&limit=3"), &[&watcher]).json();
    let sequence = |page: &serde_json::Value, at: usize| page["events"][at]["sequence"].as_u64();
    let newest = sequence(&page, 0).expect("an event");
    assert_eq!(Some(newest), page["last"].as_u64());
    assert_eq!(sequence(&page, 2), Some(newest - 2));
    let next = page["next"].as_u64().expect("there is more");
    let more = format!("{path}?newest=true&limit=3&before={next}");
    let page = get(&house, &more, &[&watcher]).json();
    assert_eq!(sequence(&page, 0), Some(newest - 3));
    // One ended round as evidence.
    house.goes_on_dealing();
    let path = format!("/api/tables/{TABLE}/rounds");
    let said = get(&house, &format!("{path}/1/bundle"), &[&watcher]).is(200);
    let kept = said.header("content-disposition").unwrap_or_default();
    assert!(kept.contains("round-1.bundle"), "{kept}");
    for (round, status) in [("4000000", 404), ("x", 404)] {
        get(&house, &format!("{path}/{round}/bundle"), &[&watcher]).is(status);
    }
    let alerts = get(&house, &format!("/api/tables/{TABLE}/alerts"), &[&watcher]).is(200);
    assert!(alerts.json()["alerts"].is_array());
    let meters = format!("/api/tables/{TABLE}/stations");
    let said = get(&house, &format!("{meters}/0/meters"), &[&watcher]).is(200);
    assert_eq!(said.json()["reconciles"], true);
    get(&house, &format!("{meters}/4000000/meters"), &[&watcher]).is(404);
    house.ends_clean();
}
