//! Looks at a house from outside and says in plain words what is wrong and what to do: at a data
//! folder, at a plan and what it names, or at a house that runs. Reads only, takes no lock, and
//! changes nothing; `sicbo verify` is what proves a journal.

mod address;
mod data;
mod plan;

use std::path::Path;

use serde::Serialize;
use sicbo_keys::Keys;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// The house does not start, or does not play, with it.
    Problem,
    /// It will become one, or is unsafe.
    Warning,
}

/// Something that is wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub weight: Weight,
    /// Its stable code.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub what: String,
    /// What to do, in one line.
    pub advice: String,
}

/// What was found.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, weight: Weight, code: &'static str, what: impl ToString, advice: &str) {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.0.push(Finding {
            weight,
            code,
            what: line(&what.to_string()),
            advice: line(advice),
        });
    }

    fn problem(&mut self, code: &'static str, what: impl ToString, advice: &str) {
        self.add(Weight::Problem, code, what, advice);
    }

    fn warning(&mut self, code: &'static str, what: impl ToString, advice: &str) {
        self.add(Weight::Warning, code, what, advice);
    }

    /// An error of ours that ends in its own advice: `what: what to do`.
    fn told(&mut self, code: &'static str, error: &dyn std::fmt::Display, otherwise: &str) {
        let text = error.to_string();
        for parted in [": ", "; "] {
            if let Some((what, advice)) = text.rsplit_once(parted)
                && advice.split(' ').count() > 1
                && !advice.contains("os error")
            {
                return self.problem(code, what, advice);
            }
        }
        self.problem(code, text, otherwise);
    }

    fn sorted(mut self) -> Vec<Finding> {
        self.0.sort();
        self.0.dedup();
        self.0
    }
}

/// What is wrong with a data folder, and with the plan it is started from.
#[must_use]
pub fn folder(data: &Path, config: Option<&Path>, keys: &Keys) -> Vec<Finding> {
    let mut found = Findings::default();
    let plan = config.and_then(|config| plan::look(config, &mut found));
    data::look(data, plan.as_ref(), keys, &mut found);
    found.sorted()
}

/// What is wrong with a house that is asked over the network; `ca` is a PEM text of certificates
/// to hold its own to.
#[must_use]
pub fn url(url: &str, ca: Option<&str>) -> Vec<Finding> {
    let mut found = Findings::default();
    address::look(url, ca, &mut found);
    found.sorted()
}
