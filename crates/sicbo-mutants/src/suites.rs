//! The tests that are run against every mutant, built once with the switches.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// One test program, and which of its tests are run.
pub(crate) struct Suite {
    /// What it is called in the output.
    pub(crate) name: &'static str,
    /// It is tried first for mutants with one of these words.
    pub(crate) first_for: &'static [&'static str],
    /// It is tried for no mutant without one of these words; for all when empty.
    pub(crate) only_for: &'static [&'static str],
    /// The built program.
    pub(crate) program: PathBuf,
    /// Where it runs: the folder of its crate, as cargo does it.
    pub(crate) folder: PathBuf,
    /// What is passed to it.
    pub(crate) arguments: Vec<String>,
}

/// A suite before it is built.
struct Plan {
    name: &'static str,
    package: &'static str,
    /// What cargo builds.
    target: &'static [&'static str],
    /// The target's name.
    target_name: &'static str,
    /// Which tests to run, by the start of their names; all when empty.
    only: &'static [&'static str],
    /// Which of them not to run.
    skip: &'static [&'static str],
    /// It is tried first for mutants with one of these words.
    first_for: &'static [&'static str],
    /// It is tried for no mutant without one of these words; for all when empty.
    only_for: &'static [&'static str],
}

const RULES: Plan = Plan {
    name: "table rules",
    package: "sicbo-table",
    target: &["--test", "table"],
    target_name: "table",
    only: &["rules::"],
    skip: &[],
    first_for: &[],
    only_for: &[],
};

/// What reads books beside the table.
const BOOKS: Plan = Plan {
    first_for: &["dispute", "usual_tumble"],
    only_for: &[" set ", " remove "],
    ..RULES
};

/// Tests over everything that can be asked, in every pair of positions.
const PAIRS: &[&str] = &["rules::authority::q_38_", "rules::decisions::p_031_"];

/// Tests over everything that can be asked, by every position.
const EVERY_ACT: &[&str] = &[
    "rules::authority::q_37_every",
    "rules::decisions::every_act",
    "rules::decisions::r_014_",
    "rules::precedence::",
    "rules::refusals::every",
    "rules::phases::r_057_",
    "rules::scripts::",
];

/// In the order they are tried: the first that notices a mutant ends its run.
/// The quick ones come first, those over every act and every pair apart.
const PLANS: [Plan; 9] = [
    Plan {
        skip: &[
            "rules::authority::q_38_",
            "rules::decisions::p_031_",
            "rules::authority::q_37_every",
            "rules::decisions::every_act",
            "rules::decisions::r_014_",
            "rules::precedence::",
            "rules::refusals::every",
            "rules::phases::r_057_",
            "rules::scripts::",
        ],
        ..RULES
    },
    Plan {
        name: "register",
        package: "sicbo-register",
        target: &["--test", "register"],
        target_name: "register",
        only: &["decide::"],
        ..BOOKS
    },
    Plan {
        name: "practice",
        package: "sicbo-practice",
        target: &["--lib"],
        target_name: "sicbo_practice",
        only: &[],
        ..BOOKS
    },
    Plan {
        name: "plan",
        package: "sicbo-plan",
        target: &["--lib"],
        target_name: "sicbo_plan",
        only: &[],
        ..BOOKS
    },
    Plan {
        name: "automatic dealer",
        package: "sicbo-plan",
        target: &["--test", "plan"],
        target_name: "plan",
        only: &["dealer::"],
        ..BOOKS
    },
    Plan {
        name: "table rules, every act",
        only: EVERY_ACT,
        first_for: &["authority:"],
        ..RULES
    },
    Plan {
        name: "settlement",
        package: "sicbo-rules",
        target: &["--test", "rules"],
        target_name: "rules",
        only: &["bets::", "pay_tables::", "naive::", "layouts::"],
        first_for: &["pay_table", "layout["],
        ..RULES
    },
    Plan {
        name: "table state",
        only: &["state::rounds::"],
        ..RULES
    },
    Plan {
        name: "table rules, every pair",
        only: PAIRS,
        only_for: &["authority", "person"],
        ..RULES
    },
];

/// Builds every suite.
pub(crate) fn build(not_proof: &[String]) -> Result<Vec<Suite>, String> {
    PLANS
        .iter()
        .map(|plan| {
            let program = built(plan.package, plan.target, plan.target_name)?;
            let mut arguments = vec!["--test-threads=1".to_owned()];
            arguments.extend(plan.only.iter().map(|start| (*start).to_owned()));
            let skipped = plan.skip.iter().map(|start| (*start).to_owned());
            for test in skipped.chain(not_proof.iter().cloned()) {
                arguments.extend(["--skip".to_owned(), test]);
            }
            let top = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
            Ok(Suite {
                name: plan.name,
                first_for: plan.first_for,
                only_for: plan.only_for,
                program,
                folder: top.with_file_name(plan.package),
                arguments,
            })
        })
        .collect()
}

/// The message is about a target of this package.
fn is_of(message: &serde_json::Value, package: &str) -> bool {
    message["manifest_path"]
        .as_str()
        .is_some_and(|path| path.ends_with(&format!("/{package}/Cargo.toml")))
}

fn built(package: &str, target: &[&str], name: &str) -> Result<PathBuf, String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        // As `make test` builds them, so that they are not built twice.
        .args(["test", "--no-run", "--quiet", "--workspace"])
        .args(["--features", "sicbo-house/mutants,sicbo-sim/mutants"])
        .args(["--message-format", "json"])
        .args(target)
        .env_remove("SICBO_MUTANT")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !output.status.success() {
        return Err(format!("the tests of {package} do not build"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    messages
        .filter(|message| message["target"]["name"] == name && is_of(message, package))
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or_else(|| format!("cargo names no test program {name} of {package}"))
}
