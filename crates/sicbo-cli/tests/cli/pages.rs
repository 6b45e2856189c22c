//! Man pages, completions and the version, from the real binary.

use std::process::Command;

use sha2::{Digest as _, Sha256};

use crate::cli::binary::{folder, good};
use crate::cli::journal::text;

#[test]
fn every_command_has_a_man_page_and_three_shells_complete_it() {
    let at = folder("pages");
    let _ = std::fs::remove_dir_all(&at);
    good(&["pages", text(&at)]);
    for page in ["sicbo", "sicbo-serve", "sicbo-doctor", "sicbo-key-rotate"] {
        let page = std::fs::read_to_string(at.join(format!("man/{page}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains(".SH NAME"), "{page}");
    }
    for (shell, words) in [
        ("sicbo.bash", "doctor"),
        ("_sicbo", "--config"),
        ("sicbo.fish", "serve"),
    ] {
        let script = std::fs::read_to_string(at.join(shell)).unwrap();
        assert!(script.contains(words), "{shell}");
    }
    let sound = Command::new("bash")
        .arg("-n")
        .arg(at.join("sicbo.bash"))
        .status();
    assert!(sound.unwrap().success());
    // The same again: nothing of a moment is in them.
    let page = at.join("man/sicbo-serve.1");
    let before = std::fs::read(&page).unwrap();
    good(&["pages", text(&at)]);
    assert_eq!(std::fs::read(&page).unwrap(), before);
}

#[test]
fn s_16_the_version_names_commit_program_and_rule_books() {
    let said = good(&["--version"]);
    let program = std::fs::read(env!("CARGO_BIN_EXE_sicbo")).unwrap();
    let digest: String = Sha256::digest(program)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(
        said.starts_with(&format!("sicbo {}\ncommit ", env!("CARGO_PKG_VERSION"))),
        "{said}"
    );
    assert!(
        said.contains(&format!("\nprogram sha256 {digest}\n")),
        "{said}"
    );
    assert!(said.contains("\nrule books sha256 "), "{said}");
    assert_eq!(good(&["-V"]).lines().count(), 1);
}
