//! Output of any size costs bounded memory and bounded disk.

use std::process::Command;
use std::time::Duration;

use plimsoll_sandbox::{Cancel, DEFAULT_MAX_OUTPUT, Language, Status, WHOLE_BYTES};

use crate::scratch::{Room, block_on};

const LONG: Duration = Duration::from_secs(300);
/// Set for the measured copy of this program.
const MEASURED: &str = "PLIMSOLL_TEST_MEASURED";

/// Runs one test of this program alone in a process of its own.
fn in_own_process(test: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(MEASURED, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    printed
}

#[cfg(target_os = "linux")]
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn the_file_with_the_whole_output_is_free_of_secrets() {
    let room = Room::new();
    let code = "i=0; while [ $i -lt 9000 ]; do echo \"line $i hush-12345678\"; i=$((i+1)); done; printf end";
    let got = room.shell(code);
    let whole = std::fs::read_to_string(got.combined.spilled.unwrap()).unwrap();
    assert!(whole.starts_with("line 0 [redacted]\n") && whole.ends_with("line 8999 [redacted]\nend"));
    assert!(!whole.contains("hush"));
}

#[cfg(target_os = "linux")]
#[test]
fn two_gigabytes_are_cut_by_size_and_cost_little_memory() {
    if std::env::var_os(MEASURED).is_none() {
        in_own_process("limits::two_gigabytes_are_cut_by_size_and_cost_little_memory");
        return;
    }
    let room = Room::new();
    let code = "yes 'a line of a very long log' | head -c 2147483648; echo not reached >&2; echo x";
    let got = room.run(Language::Shell, code, None, LONG, Cancel::never());
    assert_eq!(got.status, Status::TooMuchOutput);
    assert_eq!(got.combined.bytes, DEFAULT_MAX_OUTPUT);
    assert!(got.stdout.text.len() < WHOLE_BYTES + 200);
    let file = got.combined.spilled.unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().len(), DEFAULT_MAX_OUTPUT);
    let peak = peak_memory_kib();
    assert!(peak < 40 * 1024, "{peak} KiB");
}

#[test]
fn a_long_output_is_in_a_private_file_whole_and_a_short_one_in_none() {
    let room = Room::new();
    let got = room.shell("i=0; while [ $i -lt 30000 ]; do echo \"line $i\"; i=$((i+1)); done; echo last >&2");
    let whole: String = (0..30_000).map(|i| format!("line {i}\n")).collect();
    assert_eq!((got.stdout.bytes, got.stdout.lines), (whole.len() as u64, 30_000));
    assert!(got.stdout.is_cut() && !got.stderr.is_cut());
    assert_eq!(got.stderr.spilled, None);
    let file = got.combined.spilled.unwrap();
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("last\n"));
    assert_eq!(kept.replace("last\n", ""), whole);
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(room.shell("echo short").combined.spilled, None);
}

#[test]
fn without_a_place_for_the_whole_output_the_run_goes_on() {
    let room = Room::new();
    std::fs::remove_dir(room.at("spill")).unwrap();
    std::fs::write(room.at("spill"), "a file where a folder should be").unwrap();
    let got = room.shell("head -c 300000 /dev/zero | tr '\\0' 'x'; echo; echo end");
    assert_eq!((got.status, got.combined.bytes), (Status::Exit(0), 300_005));
    assert_eq!(got.combined.spilled, None);
    assert!(got.stdout.text.ends_with("end\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_runs_leave_no_file_open_and_no_process() {
    if std::env::var_os(MEASURED).is_none() {
        in_own_process("limits::a_thousand_runs_leave_no_file_open_and_no_process");
        return;
    }
    let room = Room::new();
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    block_on(async {
        let run = || room.start(Language::Shell, "echo a", None, LONG, 1000, Cancel::never());
        run().await.unwrap();
        let before = open();
        for _ in 0..1000 {
            assert_eq!(run().await.unwrap().stdout.text, "a\n");
        }
        assert_eq!(open(), before);
    });
    assert!(room.temp_is_empty());
    // The guardian is the only child left.
    let children = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    assert!(children.split_ascii_whitespace().count() <= 1, "{children}");
}
