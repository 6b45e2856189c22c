//! The tests that are run against every mutant, built once with the switches.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// One test program, and which of its tests are run.
pub(crate) struct Suite {
    /// What it is called in the output.
    pub(crate) name: &'static str,
    /// It is about odds.
    pub(crate) odds: bool,
    /// The built program.
    pub(crate) program: PathBuf,
    /// Where it runs: the folder of its crate, as cargo does it.
    pub(crate) folder: PathBuf,
    /// What is passed to it.
    pub(crate) arguments: Vec<String>,
}

/// A suite before it is built: its name, what cargo builds, the target's name,
/// and the modules to run, all when empty.
type Plan = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
);

/// In the order they are tried: the first that notices a mutant ends its run.
const PLANS: [Plan; 4] = [
    (
        "table rules",
        "sicbo-table",
        &["--test", "rules"],
        "rules",
        &[],
    ),
    (
        "register and practice",
        "sicbo-house",
        &["--lib"],
        "sicbo_house",
        &["register::decide::", "dealer::", "practice::", "plan::"],
    ),
    (
        "settlement",
        "sicbo-rules",
        &["--test", "rules"],
        "rules",
        &["bets::", "pay_tables::", "naive::"],
    ),
    (
        "table state",
        "sicbo-table",
        &["--test", "state"],
        "state",
        &["rounds::"],
    ),
];

/// Builds every suite.
pub(crate) fn build(not_proof: &[String]) -> Result<Vec<Suite>, String> {
    PLANS
        .iter()
        .map(|(name, package, target, target_name, modules)| {
            let program = built(package, target, target_name)?;
            let mut arguments = vec!["--test-threads=1".to_owned()];
            arguments.extend(modules.iter().map(|module| (*module).to_owned()));
            for test in not_proof {
                arguments.extend(["--skip".to_owned(), test.clone()]);
            }
            let top = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
            Ok(Suite {
                name,
                odds: *package == "sicbo-rules",
                program,
                folder: top.with_file_name(package),
                arguments,
            })
        })
        .collect()
}

fn built(package: &str, target: &[&str], name: &str) -> Result<PathBuf, String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["test", "--no-run", "--quiet", "--features", "mutants"])
        .args(["--message-format", "json", "-p", package])
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
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or_else(|| format!("cargo names no test program {name} of {package}"))
}
