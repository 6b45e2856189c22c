//! A start on a disk without room says so in words an operator can act on, and
//! changes nothing.
//!
//! The disk is a small one in memory, which only the program sees: it is
//! mounted in a namespace of its own.

use std::process::{Command, Output};

use crate::common::house::{Site, TableSpec};
use crate::common::program::Program;

/// Mounts a disk of so many KiB over the house's folder, fills it, starts the
/// house, and says whether the data that lies there is what it was.
const ON_A_FULL_DISK: &str = r#"
folder=$1 size=$2
shift 2
trap 'rm -rf "$folder.kept"' EXIT
cp -a "$folder" "$folder.kept" || exit 70
mount -t tmpfs -o "size=${size}k" none "$folder" || exit 71
cp -a "$folder.kept/." "$folder" || exit 72
dd if=/dev/zero of="$folder/filler" bs=1k 2>/dev/null
# A lock, the memory that SQLite shares and an empty log are no data.
data() {
    find "$folder/data" -type f -size +0c ! -name lock ! -name '*-shm' -exec sha256sum {} + \
        2>/dev/null | sort
}
before=$(data)
timeout 60 "$@"
ended=$?
[ "$before" = "$(data)" ] && echo "nothing was changed"
exit $ended
"#;

fn site() -> Site {
    Site::of(vec![TableSpec::by_hand("mbs-etg", &[("rapid", 2)])])
}

fn start(site: &Site, size_kib: u32) -> Output {
    let house = Program::command(site.path());
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", ON_A_FULL_DISK, "sh"]);
    command
        .arg(site.path())
        .arg(size_kib.to_string())
        .arg(house.get_program())
        .args(house.get_args());
    for (name, value) in house.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.output().expect("unshare runs")
}

/// Whether this machine lets a program have a disk of its own.
fn has_disks() -> bool {
    let mount = "mount -t tmpfs -o size=64k none /mnt";
    let tried = Command::new("unshare")
        .args(["-rm", "sh", "-c", mount])
        .output();
    let has = tried.is_ok_and(|output| output.status.success());
    if !has {
        println!("this machine lets nobody mount a disk of their own: not tried");
    }
    has
}

/// It said that the disk is full, and what to do.
fn assert_said(output: &Output) {
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let status = output.status.code().expect("it ended by itself");
    assert!(!(70..=72).contains(&status), "no disk to try on: {said}");
    assert_ne!(status, 124, "it goes on as if nothing were wrong: {said}");
    assert_ne!(status, 0, "{said}");
    assert!(said.contains("is full: free some space"), "{said}");
    assert!(!said.contains("listening on"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_first_start_on_a_full_disk_says_so() {
    if !has_disks() {
        return;
    }
    let site = site();
    assert_said(&start(&site, 256));
}

#[test]
fn a_start_of_a_house_on_a_full_disk_says_so_and_changes_nothing() {
    if !has_disks() {
        return;
    }
    let site = site();
    site.start().stop();
    let output = start(&site, 65_536);
    assert_said(&output);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("nothing was changed"), "{said}");
    // With room it starts as before.
    site.start().stop();
}
