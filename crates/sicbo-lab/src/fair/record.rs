//! Records of results as people and programs write them.
//!
//! One result per line: `4,3,4`, `4-3-4` or `4 3 4`, a row of a CSV table, or a
//! JSON line `[4,3,4]`, `{"dice":[4,3,4]}` or a record that `sicbo export`
//! wrote. Blank lines and lines that start with `#` are skipped; a first line
//! without any figure is a heading.

use std::collections::BTreeMap;

use sicbo_rules::Dice;

/// What one line says.
enum Line {
    /// A result that stands alone.
    Result(Dice),
    /// A journal's round began.
    Began(u64),
    /// It was settled by these dice.
    Settled(Dice),
    /// An ended round got another result, or became void.
    Amended(u64, Option<Dice>),
    /// A record of something else, such as a bet.
    Other,
}

/// Results in the order they were settled; a round that was corrected or made
/// void later counts as it stands now.
#[derive(Default)]
struct Results {
    list: Vec<Option<Dice>>,
    current: Option<u64>,
    by_round: BTreeMap<u64, usize>,
}

impl Results {
    fn add(&mut self, line: Line) {
        match line {
            Line::Other => {}
            Line::Began(round) => self.current = Some(round),
            Line::Result(dice) => self.list.push(Some(dice)),
            Line::Settled(dice) => {
                if let Some(round) = self.current {
                    self.by_round.insert(round, self.list.len());
                }
                self.list.push(Some(dice));
            }
            // A correction of a round before the first record exported says
            // nothing about the results here.
            Line::Amended(round, dice) => {
                if let Some(at) = self.by_round.get(&round) {
                    self.list[*at] = dice;
                }
            }
        }
    }
}

/// Why a text is no record of results: up to twenty faults, each with its line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .faults.join("; "))]
pub struct RecordError {
    /// The faults.
    pub faults: Vec<String>,
}

/// Reads a record.
///
/// # Errors
/// All faults, up to twenty.
pub fn read(text: &str) -> Result<Vec<Dice>, RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut results = Results::default();
    let mut faults = Vec::new();
    let mut columns: Option<[usize; 3]> = None;
    let mut first = true;
    let mut exported = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let heading = first && is_heading(line);
        first = false;
        if heading {
            columns = heading_columns(line);
            exported = columns.is_none() && is_export(line);
            continue;
        }
        let read = if exported {
            from_export_row(line)
        } else {
            one(line, columns)
        };
        match read {
            Ok(line) => results.add(line),
            Err(problem) => faults.push(format!("line {}: {problem}", number + 1)),
        }
        if faults.len() == 20 {
            faults.push("and perhaps more".to_owned());
            break;
        }
    }
    if faults.is_empty() && results.list.iter().flatten().next().is_none() {
        faults.push("there are no results: write one per line, e.g. 4,3,4".to_owned());
    }
    if faults.is_empty() {
        Ok(results.list.into_iter().flatten().collect())
    } else {
        Err(RecordError { faults })
    }
}

/// A line without any figure, or with the names of the dice: `round,die1,die2,die3`.
fn is_heading(line: &str) -> bool {
    let plain = !line.bytes().any(|b| b.is_ascii_digit());
    !line.starts_with(['{', '[']) && (plain || heading_columns(line).is_some())
}

/// The columns of the three dice in a table's heading.
fn heading_columns(line: &str) -> Option<[usize; 3]> {
    let names: Vec<String> = line
        .split([',', ';', '\t'])
        .map(|name| {
            name.trim()
                .trim_matches('"')
                .to_lowercase()
                .replace([' ', '_', '-'], "")
        })
        .collect();
    let find = |number: usize| {
        let wanted = [
            format!("die{number}"),
            format!("dice{number}"),
            format!("d{number}"),
        ];
        names.iter().position(|name| wanted.contains(name))
    };
    Some([find(1)?, find(2)?, find(3)?])
}

/// The heading of the CSV that `sicbo export` writes.
fn is_export(line: &str) -> bool {
    line.starts_with("sequence,") && line.ends_with(",fields")
}

/// A row of that CSV: the dice stand in the JSON of its last cell.
fn from_export_row(line: &str) -> Result<Line, String> {
    let Some((_, rest)) = line.split_once(",\"{") else {
        return Ok(Line::Other);
    };
    let (head, _) = line.split_at(line.len() - rest.len());
    let event = head.split(',').nth(3).unwrap_or_default();
    let cell = rest.strip_suffix('"').unwrap_or(rest).replace("\"\"", "\"");
    from_json(&format!("{{\"event\":\"{event}\",\"fields\":{{{cell}}}"))
}

fn one(line: &str, columns: Option<[usize; 3]>) -> Result<Line, String> {
    if line.starts_with(['{', '[']) {
        return from_json(line);
    }
    let text = match columns {
        None => line.replace([';', '\t'], ","),
        Some(columns) => {
            let cells: Vec<&str> = line
                .split([',', ';', '\t'])
                .map(|cell| cell.trim().trim_matches('"'))
                .collect();
            columns
                .map(|column| cells.get(column).copied().unwrap_or("nothing"))
                .join(",")
        }
    };
    text.parse::<Dice>()
        .map(Line::Result)
        .map_err(|error| error.to_string())
}

/// A JSON line: the dice themselves, an object with `dice`, or a record of a
/// journal, which may be of something else than a result.
fn from_json(line: &str) -> Result<Line, String> {
    let refuse = || {
        let short: String = line.chars().take(40).collect();
        format!(
            "{short:?} is not a result: write [4,3,4] or {{\"dice\":[4,3,4]}}, each face 1 to 6"
        )
    };
    let value: serde_json::Value = serde_json::from_str(line).map_err(|_| refuse())?;
    let dice_of = |value: &serde_json::Value| dice(value).ok_or_else(refuse);
    let Some(event) = value.get("event").and_then(|event| event.as_str()) else {
        return dice_of(value.get("dice").unwrap_or(&value)).map(Line::Result);
    };
    let field = |name: &str| value.get("fields").and_then(|fields| fields.get(name));
    let round = field("round").and_then(serde_json::Value::as_u64);
    match (event, round) {
        ("round-began", Some(round)) => Ok(Line::Began(round)),
        ("round-settled", _) => match field("dice") {
            Some(dice) => Ok(Line::Settled(dice_of(dice)?)),
            None => Err(refuse()),
        },
        ("result-corrected", Some(round)) => match field("to") {
            Some(dice) => Ok(Line::Amended(round, Some(dice_of(dice)?))),
            None => Err(refuse()),
        },
        ("round-voided-late", Some(round)) => Ok(Line::Amended(round, None)),
        _ => Ok(Line::Other),
    }
}

/// Dice as a text, `"4-3-4"`, or as a list of faces.
fn dice(value: &serde_json::Value) -> Option<Dice> {
    if let Some(text) = value.as_str() {
        return text.parse().ok();
    }
    let faces: Option<Vec<u8>> = value
        .as_array()?
        .iter()
        .map(|face| face.as_u64().and_then(|face| u8::try_from(face).ok()))
        .collect();
    Dice::from_faces(faces?.try_into().ok()?)
}
