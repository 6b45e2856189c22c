//! Makes a failing house smaller: fewer steps, and one part after the other taken
//! away, as long as it fails in the same way.

use super::{Part, Scenario, run_scenario};

/// Houses that are tried at most.
const TRIES: usize = 120;

/// A smaller house that fails in the same way.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The house.
    pub scenario: Scenario,
    /// What it breaks.
    pub what: String,
    /// Houses that were tried.
    pub tries: usize,
}

/// How a failure is known again: its words without numbers and names of tables.
fn kind(what: &str) -> String {
    let words = what.split(|letter: char| !letter.is_ascii_alphabetic());
    let words = words.filter(|word| word.len() > 2);
    words.take(12).collect::<Vec<_>>().join(" ")
}

/// Shrinks a house that fails.
#[must_use]
pub fn shrink(scenario: &Scenario, steps: u64, what: &str) -> Shrunk {
    let kind_of = kind(what);
    let mut best = Shrunk {
        scenario: Scenario {
            swarm: Some(scenario.drawn()),
            steps: Some(scenario.steps.unwrap_or(steps)),
            story: false,
            ..scenario.clone()
        },
        what: what.to_owned(),
        tries: 0,
    };
    loop {
        let before = (best.scenario.steps, best.scenario.swarm.clone());
        let parts: Vec<Part> = best.scenario.drawn().parts().collect();
        for part in parts {
            let swarm = Some(best.scenario.drawn().without(part));
            try_one(&mut best, &kind_of, |scenario| scenario.swarm = swarm);
        }
        // By halves, then by eighths.
        for of in [2, 4, 8] {
            let steps = best.scenario.steps.unwrap_or(steps);
            let fewer = Some(steps - steps / of);
            try_one(&mut best, &kind_of, |scenario| scenario.steps = fewer);
        }
        let after = (best.scenario.steps, best.scenario.swarm.clone());
        if before == after || best.tries >= TRIES {
            return best;
        }
    }
}

fn try_one(best: &mut Shrunk, kind_of: &str, change: impl FnOnce(&mut Scenario)) {
    if best.tries >= TRIES {
        return;
    }
    best.tries += 1;
    let mut scenario = best.scenario.clone();
    change(&mut scenario);
    if let (Err(failure), _) = run_scenario(&scenario)
        && kind(&failure.what) == kind_of
    {
        best.scenario = scenario;
        best.what.clone_from(&failure.what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_known_again_by_its_words() {
        let one = "mbs-etg station 3: bet 17 of round 4 is None";
        assert_eq!(
            kind(one),
            kind("mbs-etg station 1: bet 2 of round 99 is None")
        );
        assert_ne!(kind(one), kind("mbs-etg station 1: note 2 of 500 is None"));
    }
}
