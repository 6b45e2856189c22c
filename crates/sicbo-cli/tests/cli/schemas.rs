//! A JSON schema for each of the lab's commands, in `docs/schemas`.
//!
//! `SICBO_BLESS=1` writes them anew from what the commands print (`make docs`);
//! otherwise every form a command has must be what its schema says, no key more
//! and none less. A key that goes or changes its type changes the schema, and
//! with it the form's number.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::cli::binary::{folder, root, run};
use crate::cli::docs::fresh;

/// The forms of each command: with and without what may be left out.
const FORMS: &[(&str, &[&str])] = &[
    (
        "odds",
        &[
            "odds rws-etg/a",
            "odds PAY/macau.toml single:1",
            "odds rws-etg/a big --faces 1,1,1,1,1,2",
        ],
    ),
    ("compare", &["compare rws-etg/a PAY/macau.toml"]),
    ("par", &["par mbs-table/a", "par PAY/new-zealand.toml"]),
    (
        "simulate",
        &[
            "simulate rws-etg/a --rounds 100",
            "simulate rws-etg/a --rounds 1e6 --bet big --bet single:1",
            "simulate rws-etg/a --rounds 1e4 --bet big --faces 1,1,1,1,1,2",
        ],
    ),
    (
        "strategy",
        &[
            "strategy rws-etg/a flat --sessions 200 --rounds 50",
            "strategy rws-etg/a martingale --sessions 200 --rounds 50 --target 20 --bankroll 20",
            "strategy rws-etg/a labouchere --sessions 200 --rounds 500 --bankroll 25",
        ],
    ),
    (
        "dist",
        &[
            "dist rws-etg/a --bet big --rounds 10 --against 0",
            "dist rws-etg/a --bet big --rounds 10 --against 5",
            "dist rws-etg/a --bet big --rounds 100 --against 500 --at -5 --hold",
            "dist rws-etg/a --bet big --rounds 200000 --against 0",
        ],
    ),
    (
        "exposure",
        &[
            "exposure rws-etg/a --bet big",
            "exposure rws-etg/a --bet big --worst 100",
            "exposure rws-etg/a --bet big --bet small --worst 5",
        ],
    ),
    (
        "what-if",
        &[
            "what-if rws-etg/a total:5=30",
            "what-if rws-etg/a total:5 --edge 5%",
            "what-if rws-etg/a single:1 --edge 35%",
            "what-if rws-etg/a total:5 --edge 97%",
        ],
    ),
    (
        "mix",
        &[
            "mix rws-etg/a small big",
            "mix rws-etg/a small any-triple --max-edge 5%",
        ],
    ),
    ("fair", &["fair FAIR", "fair FEW"]),
    ("settle", &["settle rws-etg/a --dice 4,3,4 big=5 small=5"]),
];

fn outputs(forms: &[&str]) -> Vec<Value> {
    let here = folder("schemas");
    let dice: String = (0..2160)
        .map(|i| {
            let outcome = i * 95 % 216;
            format!(
                "{},{},{}\n",
                outcome / 36 + 1,
                outcome / 6 % 6 + 1,
                outcome % 6 + 1
            )
        })
        .collect();
    std::fs::write(here.join("fair.txt"), dice).unwrap();
    std::fs::write(here.join("few.txt"), "1,2,3\n").unwrap();
    let tables = root().join("docs/examples/pay-tables");
    forms
        .iter()
        .map(|form| {
            let form = form
                .replace("PAY", tables.to_str().unwrap())
                .replace("FAIR", here.join("fair.txt").to_str().unwrap())
                .replace("FEW", here.join("few.txt").to_str().unwrap());
            let mut arguments: Vec<&str> = form.split_whitespace().collect();
            arguments.push("--json");
            let run = run(&arguments);
            assert!(run.stderr.is_empty(), "{form}: {}", run.stderr);
            serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{form}: {error}"))
        })
        .collect()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The schema of all these values together.
fn schema(values: &[&Value]) -> Value {
    let mut types: BTreeSet<&str> = values.iter().map(|value| type_of(value)).collect();
    // Whole figures are printed as 1.0 by some and as 1 by none; a number holds both.
    if types.contains("number") {
        types.remove("integer");
    }
    let mut schema = Map::new();
    let types: Vec<&str> = types.into_iter().collect();
    schema.insert(
        "type".to_owned(),
        match types.as_slice() {
            [one] => json!(one),
            several => json!(several),
        },
    );
    let objects: Vec<&Map<String, Value>> = values
        .iter()
        .filter_map(|value| value.as_object())
        .collect();
    if !objects.is_empty() {
        let mut by_key: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for (key, value) in objects.iter().flat_map(|object| object.iter()) {
            by_key.entry(key).or_default().push(value);
        }
        let required: Vec<&str> = by_key
            .iter()
            .filter(|(_, values)| values.len() == objects.len())
            .map(|(key, _)| *key)
            .collect();
        let properties: Map<String, Value> = by_key
            .iter()
            .map(|(key, values)| ((*key).to_owned(), self::schema(values)))
            .collect();
        schema.insert("properties".to_owned(), Value::Object(properties));
        schema.insert("required".to_owned(), json!(required));
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    let items: Vec<&Value> = values
        .iter()
        .filter_map(|value| value.as_array())
        .flatten()
        .collect();
    if !items.is_empty() {
        schema.insert("items".to_owned(), self::schema(&items));
    }
    Value::Object(schema)
}

/// What of a value is not as the schema says.
fn faults(schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    let allowed: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let is = type_of(value);
    let fits = allowed.contains(&is) || (is == "integer" && allowed.contains(&"number"));
    if !fits {
        found.push(format!("{place}: {is} where {allowed:?} is allowed"));
        return;
    }
    if let Some(object) = value.as_object() {
        for key in schema["required"].as_array().into_iter().flatten() {
            if !object.contains_key(key.as_str().unwrap_or_default()) {
                found.push(format!("{place}: {key} is missing"));
            }
        }
        for (key, inner) in object {
            match schema["properties"].get(key) {
                Some(known) => faults(known, inner, &format!("{place}.{key}"), found),
                None => found.push(format!("{place}: {key} is not in the schema")),
            }
        }
    }
    if let (Some(list), Some(items)) = (value.as_array(), schema.get("items")) {
        list.iter()
            .for_each(|inner| faults(items, inner, &format!("{place}[]"), found));
    }
}

#[test]
fn the_json_of_every_lab_command_is_what_its_schema_says() {
    for (command, forms) in FORMS {
        let values = outputs(forms);
        let path = root().join(format!("docs/schemas/{command}.json"));
        if std::env::var_os("SICBO_BLESS").is_some() {
            let mut made = schema(&values.iter().collect::<Vec<_>>());
            let head = made.as_object_mut().unwrap();
            head.insert(
                "$schema".to_owned(),
                json!("https://json-schema.org/draft/2020-12/schema"),
            );
            head.insert("title".to_owned(), json!(format!("sicbo {command} --json")));
            fresh(
                &path,
                &format!("{}\n", serde_json::to_string_pretty(&made).unwrap()),
            );
        }
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{command} has no schema"));
        let schema: Value = serde_json::from_str(&text).unwrap();
        for (form, value) in forms.iter().zip(&values) {
            let mut found = Vec::new();
            faults(&schema, value, command, &mut found);
            assert!(found.is_empty(), "{form}: {found:#?}");
        }
    }
}

/// A schema that lets everything through would prove nothing.
#[test]
fn a_key_more_a_key_less_and_another_type_are_found() {
    let good = json!({"edge": "1/36", "edge_percent": 2.7778, "wins": [1, 2]});
    let schema = schema(&[&good]);
    for (bad, hint) in [
        (json!({"edge": "1/36", "edge_percent": 2.7778}), "missing"),
        (
            json!({"edge": 1, "edge_percent": 2.7778, "wins": []}),
            "integer",
        ),
        (
            json!({"edge": "1/36", "edge_percent": 2.0, "wins": ["1"]}),
            "string",
        ),
        (
            json!({"edge": "1/36", "edge_percent": 2.0, "wins": [], "more": 1}),
            "not in the schema",
        ),
    ] {
        let mut found = Vec::new();
        faults(&schema, &bad, "x", &mut found);
        assert!(found.iter().any(|fault| fault.contains(hint)), "{found:?}");
    }
}
