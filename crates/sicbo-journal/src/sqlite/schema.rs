//! What stands in the schema of a file of ours, compared with what this program
//! puts there. A trigger can swallow a row and a view can stand in for a table:
//! nothing is written to, or believed of, a file that holds anything else.

use std::collections::BTreeMap;

use rusqlite::Connection;

/// Type and name of an entry, with its table and its text.
type Entries = BTreeMap<(String, String), (String, Option<String>)>;

/// Compares the schema of a file with what these scripts make; the first is of
/// this program, the others of earlier ones. Names everything that none of
/// them made and everything that is gone, as the nearest of them sees it.
///
/// # Errors
/// When the file cannot be read.
pub fn foreign_schema(connection: &Connection, scripts: &[&str]) -> rusqlite::Result<Vec<String>> {
    nearest(connection, scripts, |_| true)
}

/// The same of these tables alone, with their triggers and indexes.
///
/// # Errors
/// When the file cannot be read.
pub fn foreign_to_tables(
    connection: &Connection,
    scripts: &[&str],
    tables: &[&str],
) -> rusqlite::Result<Vec<String>> {
    // SQLite does not tell names apart by the case of their letters.
    nearest(connection, scripts, |table| {
        tables.iter().any(|one| one.eq_ignore_ascii_case(table))
    })
}

fn nearest(
    connection: &Connection,
    scripts: &[&str],
    looks_at: impl Fn(&str) -> bool,
) -> rusqlite::Result<Vec<String>> {
    let entries = |connection: &Connection| -> rusqlite::Result<Entries> {
        let mut found = entries(connection)?;
        found.retain(|_, (table, _)| looks_at(table));
        Ok(found)
    };
    let found = entries(connection)?;
    let mut nearest: Option<Vec<String>> = None;
    for script in scripts {
        let model = Connection::open_in_memory()?;
        model.execute_batch(script)?;
        let differs = differences(&entries(&model)?, &found);
        if nearest
            .as_ref()
            .is_none_or(|known| differs.len() < known.len())
        {
            nearest = Some(differs);
        }
    }
    Ok(nearest.unwrap_or_default())
}

fn entries(connection: &Connection) -> rusqlite::Result<Entries> {
    // By its oldest name, which nothing in a file can take.
    let mut rows =
        connection.prepare("SELECT type, name, tbl_name, sql FROM main.sqlite_master")?;
    let rows = rows.query_map([], |row| {
        Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?)))
    })?;
    rows.collect()
}

fn differences(made: &Entries, found: &Entries) -> Vec<String> {
    let named = |kind: &str, name: &str, table: &str| match kind {
        "trigger" | "index" => format!("the {kind} {name} on {table}"),
        _ => format!("the {kind} {name}"),
    };
    let mut differs = Vec::new();
    for ((kind, name), (table, text)) in made {
        let what = named(kind, name, table);
        match found.get(&(kind.clone(), name.clone())) {
            None => differs.push(format!("{what} is missing")),
            Some(other) if other != &(table.clone(), text.clone()) => {
                differs.push(format!("{what} was changed"));
            }
            Some(_) => {}
        }
    }
    for ((kind, name), (table, _)) in found {
        if !made.contains_key(&(kind.clone(), name.clone())) {
            differs.push(format!("{} is foreign", named(kind, name, table)));
        }
    }
    differs
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADE: &str = "CREATE TABLE a (x UNIQUE); CREATE TRIGGER g BEFORE DELETE ON a \
                        BEGIN SELECT RAISE(ABORT, 'no'); END;";
    const EARLIER: &str = "CREATE TABLE a (x);";

    #[test]
    fn what_stands_on_another_table_is_not_of_this_one() {
        let made = "CREATE TABLE a (x); CREATE TABLE b (x);";
        let file = Connection::open_in_memory().unwrap();
        let on_b = "CREATE TRIGGER z BEFORE INSERT ON B BEGIN SELECT RAISE(IGNORE); END;";
        file.execute_batch(&format!("{made}{on_b}")).unwrap();
        let of = |table| foreign_to_tables(&file, &[made], &[table]).unwrap();
        assert_eq!(of("a"), [""; 0]);
        assert_eq!(of("b"), ["the trigger z on B is foreign"]);
        let view = "DROP TABLE a; CREATE VIEW a AS SELECT 1 AS x";
        file.execute_batch(view).unwrap();
        let told = foreign_to_tables(&file, &[made], &["a"]).unwrap();
        assert_eq!(told, ["the table a is missing", "the view a is foreign"]);
    }

    fn check(sql: &str, expected: &[&str]) {
        let file = Connection::open_in_memory().unwrap();
        file.execute_batch(sql).unwrap();
        let found = foreign_schema(&file, &[MADE, EARLIER]).unwrap();
        assert_eq!(found, expected, "{sql}");
    }

    #[test]
    fn everything_that_no_program_made_is_named() {
        check(MADE, &[]);
        check(EARLIER, &[]);
        let with = |more: &str| format!("{MADE}{more}");
        check(
            &with("CREATE TRIGGER z BEFORE INSERT ON a BEGIN SELECT RAISE(IGNORE); END"),
            &["the trigger z on a is foreign"],
        );
        check(
            &with("CREATE INDEX i ON a (x)"),
            &["the index i on a is foreign"],
        );
        check(
            &with("CREATE VIEW v AS SELECT 1"),
            &["the view v is foreign"],
        );
        check(&with("DROP TRIGGER g"), &["the trigger g on a is missing"]);
        check(
            "CREATE VIEW a AS SELECT 1 AS x",
            &["the table a is missing", "the view a is foreign"],
        );
        check("CREATE TABLE a (x, y)", &["the table a was changed"]);
    }
}
