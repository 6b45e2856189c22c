//! What is written about the program is what the program does.
//!
//! `SICBO_BLESS=1` writes the generated parts anew instead of comparing them
//! (`make docs`).

use std::path::Path;

use crate::cli::binary::{command, folder, good, root};

/// Compares a generated file with what is committed, or writes it.
pub(crate) fn fresh(path: &Path, generated: &str) {
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, generated).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == generated,
        "{} is stale: run `make docs` and commit what changed",
        path.display()
    );
}

#[test]
fn the_command_line_reference_is_fresh() {
    let reference = good(&["reference"]);
    for command in [
        "rules check",
        "odds",
        "compare",
        "settle",
        "layout",
        "par",
        "simulate",
        "strategy",
        "dist",
        "exposure",
        "what-if",
        "mix",
        "fair",
        "bench settle",
        "bench simulate",
        "bench table",
        "bench fair",
        "bench journal",
        "bench cluster",
        "bench serve",
        "init",
        "check",
        "doctor",
        "verify",
        "replay",
        "export",
        "pages",
        "report",
        "bundle",
        "backup",
        "archive",
        "attest",
        "key export",
        "witness serve",
        "witness key",
        "witness log",
        "witness latest",
    ] {
        assert!(
            reference.contains(&format!("## `sicbo {command}`")),
            "{command}"
        );
    }
    fresh(&root().join("docs/cli.md"), &reference);
}

#[test]
fn the_pictures_are_fresh() {
    for (file, arguments) in [
        ("rws-etg-b.svg", &["layout", "rws-etg/b", "--svg", "-"][..]),
        (
            "quang-nam-table-a.svg",
            &["layout", "quang-nam-table/a", "--svg", "-"],
        ),
        (
            "rws-etg-c-lit.svg",
            &["layout", "rws-etg/c", "--dice", "2,3,5", "--svg", "-"],
        ),
    ] {
        fresh(&root().join("docs/pictures").join(file), &good(arguments));
    }
}

/// Runs every `$ sicbo …` line of a page's console blocks and compares what
/// follows it with what it prints; `| head -N` means what it says.
#[cfg(unix)]
fn shows_real_output(page: &str) -> String {
    // Examples may write files: they run in a folder of their own that sees the documents.
    let here = folder(&page.replace('/', "-"));
    let _ = std::fs::remove_file(here.join("docs"));
    std::os::unix::fs::symlink(root().join("docs"), here.join("docs")).unwrap();
    let path = root().join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut renewed = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        renewed.push('\n');
        let Some(call) = line.strip_prefix("$ sicbo ") else {
            continue;
        };
        let mut shown = Vec::new();
        while let Some(next) = lines.next_if(|next| *next != "```" && !next.starts_with("$ ")) {
            shown.push(next);
        }
        let (call, pipe) = call
            .split_once(" | ")
            .map_or((call, None), |(c, p)| (c, Some(p)));
        let arguments: Vec<&str> = call.split_whitespace().collect();
        let output = command()
            .args(&arguments)
            .current_dir(&here)
            .output()
            .unwrap();
        let mut printed = String::from_utf8(output.stdout).unwrap();
        printed.push_str(&String::from_utf8(output.stderr).unwrap());
        let mut real: Vec<String> = printed.lines().map(str::to_owned).collect();
        if let Some(count) = pipe.and_then(|pipe| pipe.strip_prefix("head -")) {
            real.truncate(count.parse().unwrap());
        }
        // Measurements differ from run to run; only their form is compared.
        if call.starts_with("bench") && !shown.is_empty() {
            assert_eq!(real.len(), shown.len(), "{call}");
            real = shown.iter().map(|line| (*line).to_owned()).collect();
        }
        if std::env::var_os("SICBO_BLESS").is_none() {
            assert_eq!(
                shown, real,
                "{page}: `sicbo {call}` prints something else; run `make docs`"
            );
        }
        for line in real {
            renewed.push_str(&line);
            renewed.push('\n');
        }
    }
    fresh(&path, &renewed);
    text
}

#[cfg(unix)]
#[test]
fn the_readme_shows_real_output_and_is_read_in_three_minutes() {
    let readme = shows_real_output("README.md");
    assert!(readme.contains("$ sicbo settle"), "an example of a round");
    let lines = readme.lines().count();
    assert!(lines <= 200, "the README has {lines} lines of at most 200");
}

#[cfg(unix)]
#[test]
fn the_tour_of_the_command_line_shows_real_output() {
    let tour = shows_real_output("docs/command-line.md");
    for command in [
        "rules list",
        "rules show",
        "rules check",
        "rules diff",
        "odds",
        "compare",
        "settle",
        "layout",
        "par",
        "what-if",
        "check",
        "bench settle",
    ] {
        assert!(
            tour.contains(&format!("$ sicbo {command}")),
            "no example of {command}"
        );
    }
}

/// Links between the documents lead somewhere.
#[test]
fn links_in_the_documents_lead_somewhere() {
    if std::env::var_os("SICBO_BLESS").is_some() {
        return;
    }
    let mut files = vec![
        root().join("README.md"),
        root().join("ARCHITECTURE.md"),
        root().join("CHANGELOG.md"),
        root().join("CONTRIBUTING.md"),
        root().join("STYLE.md"),
    ];
    for folder in ["docs", "docs/decisions"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let path = file.parent().unwrap().join(target);
            assert!(path.exists(), "{}: {target}", file.display());
        }
    }
}
