//! A reader that goes away early is silent and no failure.

use std::process::Stdio;

use crate::cli::binary::command;

#[test]
fn a_closed_pipe_is_silent() {
    for arguments in [
        &["odds", "rws-etg/b", "--json"][..],
        &["rules", "show", "rws-etg"],
        &["layout", "rws-etg/b"],
        &["layout", "rws-etg/b", "--svg", "-"],
        &["par", "rws-etg/b", "--html", "-"],
        &["rules", "list"],
        &["--help"],
        &[],
    ] {
        let mut child = command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The reading end is gone before the first byte.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_in_one_line() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = command()
        .args(["odds", "rws-etg/b", "--json"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.starts_with("sicbo: cannot write the output"),
        "{stderr}"
    );
    assert_eq!(stderr.lines().count(), 1);
}
