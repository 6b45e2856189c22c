//! Runs the suites against mutants, several at a time, each for a limited time.

use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::list::Mutant;
use crate::suites::Suite;

/// Longest time for one suite; without a mutant they take seconds.
const SUITE_TIMEOUT: Duration = Duration::from_secs(180);

/// Exit code of a test program whose mutant cannot be used: `sicbo_rules::mutant::UNUSABLE`.
const UNUSABLE: i32 = 97;

/// What became of a mutant.
pub(crate) enum Verdict {
    /// A test failed.
    Caught { suite: &'static str, test: String },
    /// Every test passed.
    NotCaught,
    /// A suite did not end in time and no test was named: a busy machine looks
    /// like that too, so it proves nothing.
    TimedOut { suite: &'static str },
    /// It could not be tried.
    Broken(String),
    /// The time for the whole list was over.
    NoTime,
}

/// A mutant and what became of it.
pub(crate) struct Outcome {
    pub(crate) mutant: Mutant,
    pub(crate) verdict: Verdict,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spec = &self.mutant.spec;
        match &self.verdict {
            Verdict::Caught { suite, test } => {
                write!(f, "caught      {spec:<72} {suite}: {test}")
            }
            Verdict::NotCaught => match &self.mutant.reason {
                Some(reason) => write!(f, "not caught  {spec:<72} reason: {reason}"),
                None => write!(f, "NOT CAUGHT  {spec}"),
            },
            Verdict::TimedOut { suite } => {
                write!(f, "TIMED OUT   {spec:<72} {suite} did not end in time")
            }
            Verdict::Broken(why) => write!(f, "BROKEN      {spec:<72} {why}"),
            Verdict::NoTime => write!(f, "NOT TRIED   {spec}"),
        }
    }
}

/// Tries every mutant; `tell` hears of each as it is done.
pub(crate) fn all(
    suites: &[Suite],
    mutants: &[Mutant],
    jobs: usize,
    until: Instant,
    tell: impl Fn(&Outcome) + Sync,
) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = mutants.get(at) else {
                        return;
                    };
                    let verdict = if Instant::now() < until {
                        verdict(suites, mutant)
                    } else {
                        Verdict::NoTime
                    };
                    let outcome = Outcome {
                        mutant: mutant.clone(),
                        verdict,
                    };
                    tell(&outcome);
                    done.lock().expect("no job panics").push((at, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no job panics");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The suites must pass as they are, or everything would look caught.
pub(crate) fn sound(suites: &[Suite]) -> Result<(), String> {
    for suite in suites {
        let ran = run(suite, None).map_err(|error| format!("{}: {error}", suite.name))?;
        if ran.timed_out {
            return Err(format!("{} does not end without any mutant", suite.name));
        }
        if !ran.passed {
            let test = ran.failed.unwrap_or_default();
            return Err(format!("{} fails without any mutant: {test}", suite.name));
        }
    }
    Ok(())
}

fn verdict(suites: &[Suite], mutant: &Mutant) -> Verdict {
    let has = |words: &[&str]| words.iter().any(|word| mutant.spec.contains(word));
    let fits = |suite: &&Suite| suite.only_for.is_empty() || has(suite.only_for);
    let likely = |suite: &&Suite| has(suite.first_for);
    let (first, then): (Vec<_>, Vec<_>) = suites.iter().filter(fits).partition(likely);
    let mut timed_out = None;
    for suite in first.into_iter().chain(then) {
        let ran = match run(suite, Some(&mutant.spec)) {
            Ok(ran) => ran,
            Err(error) => return Verdict::Broken(error),
        };
        if ran.unusable {
            return Verdict::Broken("the book cannot be read with it".to_owned());
        }
        if let Some(test) = ran.failed {
            return Verdict::Caught {
                suite: suite.name,
                test,
            };
        }
        // Another suite may still name a test.
        if ran.timed_out {
            timed_out.get_or_insert(suite.name);
            continue;
        }
        if !ran.passed {
            return Verdict::Broken(format!("{} ended without a verdict", suite.name));
        }
    }
    match timed_out {
        Some(suite) => Verdict::TimedOut { suite },
        None => Verdict::NotCaught,
    }
}

/// What one run of a suite said.
struct Ran {
    passed: bool,
    /// The first test that failed.
    failed: Option<String>,
    /// It was stopped at its time limit before it named a test.
    timed_out: bool,
    /// The mutant itself could not be used.
    unusable: bool,
}

fn run(suite: &Suite, mutant: Option<&str>) -> Result<Ran, String> {
    run_for(suite, mutant, SUITE_TIMEOUT)
}

fn run_for(suite: &Suite, mutant: Option<&str>, limit: Duration) -> Result<Ran, String> {
    let mut command = Command::new(&suite.program);
    command
        .args(&suite.arguments)
        .current_dir(&suite.folder)
        .env_remove("SICBO_MUTANT")
        .env("CARGO_MANIFEST_DIR", &suite.folder)
        .env("PROPTEST_FAILURE_PERSISTENCE", "off")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(mutant) = mutant {
        command.env("SICBO_MUTANT", mutant);
    }
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let stdout = child.stdout.take().ok_or("no output")?;
    let (send, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            if send
                .send(String::from_utf8_lossy(&line).into_owned())
                .is_err()
            {
                return;
            }
        }
    });
    let until = Instant::now() + limit;
    let (mut said, mut timed_out) = (Said::default(), false);
    // One name is enough: the rest need not run.
    while said.failed.is_none() && !timed_out {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => said.hear(&line),
            Err(mpsc::RecvTimeoutError::Timeout) => timed_out = true,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    if said.failed.is_some() || timed_out {
        // It may have ended by itself.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    drop(lines);
    let _ = reader.join();
    Ok(Ran {
        passed: status.success(),
        failed: said.failed,
        timed_out,
        unusable: status.code() == Some(UNUSABLE),
    })
}

/// What a test program has said so far.
#[derive(Default)]
struct Said {
    /// The first test that failed.
    failed: Option<String>,
}

impl Said {
    fn hear(&mut self, line: &str) {
        let verdict = line
            .strip_prefix("test ")
            .and_then(|rest| rest.split_once(" ... "));
        if let Some((name, "FAILED")) = verdict {
            let name = name.trim_end_matches(" - should panic");
            self.failed.get_or_insert_with(|| name.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Suite {
        Suite {
            name: "a shell",
            first_for: &[],
            only_for: &[],
            program: "/bin/sh".into(),
            folder: "/".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
        }
    }

    /// A machine too busy to finish a suite has caught nothing.
    #[test]
    fn a_suite_that_does_not_end_is_caught_only_by_a_named_test() {
        let for_ever = "exec tail -f /dev/null";
        let limit = Duration::from_millis(200);
        let ran = run_for(&shell(for_ever), None, limit).unwrap();
        assert!(ran.timed_out && ran.failed.is_none());

        let named = format!("echo 'test a::b ... FAILED'; {for_ever}");
        let ran = run_for(&shell(&named), None, SUITE_TIMEOUT).unwrap();
        assert!(!ran.timed_out);
        assert_eq!(ran.failed.as_deref(), Some("a::b"));
    }

    #[test]
    fn the_first_failed_test_is_named() {
        let mut said = Said::default();
        for line in [
            "running 3 tests",
            "test a::b ... ok",
            "test a::d ... ignored, slow",
        ] {
            said.hear(line);
        }
        assert_eq!(said.failed, None);
        said.hear("test a::c - should panic ... FAILED");
        said.hear("test a::e ... FAILED");
        assert_eq!(said.failed.as_deref(), Some("a::c"));
    }
}
