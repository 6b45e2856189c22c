//! A journal as a Parquet file, read by DuckDB.

use std::process::Command;

use serde_json::Value;

use crate::cli::binary::{folder, good, refused, root};
use crate::cli::journal::{golden, text};

/// What DuckDB answers, as JSON.
fn asked(query: &str) -> Value {
    let python = root().join("target/tools/data/bin/python");
    let script = "import duckdb, json, sys\n\
                  rows = duckdb.sql(sys.argv[1]).fetchall()\n\
                  print(json.dumps(rows, default=str))";
    let said = Command::new(python).args(["-c", script, query]).output();
    let said = said.expect("DuckDB: `scripts/setup data` installs it");
    let words = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{query}: {words}");
    serde_json::from_slice(&said.stdout).unwrap()
}

#[test]
fn duckdb_reads_every_record_of_an_export_with_its_types() {
    let data = golden("parquet");
    let out = folder("parquet-out");
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).unwrap();
    let (file, path) = (out.join("records.parquet"), text(&data).to_owned());
    let export = ["export", &path, "--stream", "mbs-etg"];
    let to_file = ["--format", "parquet", "--out", text(&file)];
    good(&[&export[..], &to_file].concat());
    let lines = good(&export);
    let records: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(records.len() > 10, "{}", records.len());
    let table = format!("'{}'", file.display());
    let rows = asked(&format!(
        "select sequence, epoch_ms(time), event, \"by\", \"second\", command, \
         cast(fields as varchar) from {table} order by sequence"
    ));
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), records.len());
    for (row, record) in rows.iter().zip(&records) {
        let second = record.get("second").unwrap_or(&Value::Null);
        let plain = [
            &record["sequence"],
            &record["time_ms"],
            &record["event"],
            &record["by"],
            second,
            &record["command"],
        ];
        for (at, value) in plain.into_iter().enumerate() {
            assert_eq!(row[at], *value, "{record}");
        }
        let fields: Value = serde_json::from_str(row[6].as_str().unwrap()).unwrap();
        assert_eq!(fields, record["fields"]);
    }
    // Typed, and the fields are JSON that can be asked.
    let types = asked(&format!(
        "select column_name, column_type from (describe select * from {table})"
    ));
    let types = types.to_string();
    for expected in ["BIGINT", "TIMESTAMP WITH TIME ZONE", "JSON"] {
        assert!(types.contains(expected), "{types}");
    }
    let kinds = asked(&format!(
        "select count(distinct event), count(distinct stream) from {table}"
    ));
    assert!(
        kinds[0][0].as_u64() > Some(3) && kinds[0][1] == 1,
        "{kinds}"
    );
    refused(&[&export[..], &to_file[..2]].concat(), "--out");
    refused(&[&export[..], &to_file].concat(), "exists");
}
