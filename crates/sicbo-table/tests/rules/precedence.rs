//! Which refusal is given when two apply.

use sicbo_table::Reason;

use crate::rules::blocks::blocks;
use crate::rules::refusals::{spelled_out, table};
use crate::rules::script::check;

#[test]
fn precedence_is_pinned_for_every_pair_of_neighbours_that_can_both_apply() {
    let place = |code: &str| {
        let at = Reason::CODES.iter().position(|known| *known == code);
        at.unwrap_or_else(|| panic!("{code} is no refusal"))
    };
    let rows = blocks(include_str!("precedence.txt"));
    let mut listed = Vec::new();
    for row in &rows {
        let [first, second, word] = row.head[..] else {
            panic!("two refusals and a table: {:?}", row.head);
        };
        assert!(
            place(first) < place(second),
            "{first} stands after {second}"
        );
        let (table, lines) = (table(word), row.script());
        let run = check(&spelled_out(&format!("{table} {lines}")));
        assert_eq!(run.refusals.first(), Some(&first), "{lines}");
        assert_eq!(run.refusals.last(), Some(&second), "{lines}");
        listed.push([first, second]);
    }
    let never_both = include_str!("never_both.txt").lines();
    for line in never_both.filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [first, second, _why, ..] = words[..] {
            listed.push([first, second]);
        }
    }
    let open: Vec<&[&str]> = Reason::CODES
        .windows(2)
        .filter(|pair| !listed.iter().any(|known| known == pair))
        .collect();
    assert!(open.is_empty(), "which comes first? {open:?}");
}
