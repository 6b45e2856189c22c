//! The runner itself: a script that is wrong fails, and says where.

use std::panic::catch_unwind;

use crate::rules::script::check;

fn fails_with(script: &str, words: &str) {
    let script = script.to_owned();
    let said = catch_unwind(|| check(&script).refusals.len());
    let said = said.expect_err("the script should have failed");
    let said = said.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(said.contains(words), "said {said:?}");
}

#[test]
fn a_typo_in_a_script_fails_with_its_line() {
    let table = "table mbs-etg\n station T1 rapid\n credit T1 100.00\n to-betting\n";
    for (line, words) in [
        (
            "bett T1 b1 big 5.00",
            "line 5: bett T1 b1 big 5.00\n  \"bett\" is not a verb",
        ),
        ("bet T9 b1 big 5.00", "no station T9"),
        ("bet T1 b1 bgi 5.00", "line 5"),
        ("bet T1 b1 big five", "line 5"),
        ("bet T1 b1 big", "a section without a stake"),
        ("bet T1 b1 big 5.00 regstered", "a section without a stake"),
        (
            "bet T1 b1 big 5.00 refused no_round",
            "expected refused no_round, was accepted: BetsPlaced",
        ),
        ("close now", "too many words"),
        ("round 1 2 3 settled", "no outcome together"),
        ("seat S1 a 5.00 refused x", "no outcome together"),
        ("flat", "expected acceptance, was refused wrong_phase -"),
        ("flat refused wrong_phas", "was refused wrong_phase"),
        (
            "flat refused wrong_phase mbs-etg 1.1",
            "was refused wrong_phase -",
        ),
        ("void dome-brokn", "not a known word"),
        (
            "void dome-broken void mbs-etg 5.6",
            "expected void mbs-etg 5.6",
        ),
        ("balance T1 100.01", "is 100.00"),
        ("balance T1 100.00 SGD", "too many words"),
        ("phase closed", "is betting"),
        ("account till 0", "no such account"),
        ("waits something", "is nothing"),
        ("said RoundVoided", "was "),
        ("dice 7 1 1", "not three dice"),
        ("open by nobody Ann", "not a known word"),
        ("rule uncovered maybe", "ruling maybe?"),
        ("table mbs-etg mni 5", "is no option of a table"),
    ] {
        fails_with(&format!("{table}{line}"), words);
    }
}
