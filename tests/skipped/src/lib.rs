//! How a test that can't run here reports that.
//!
//! Some tests need things that not every computer has: the real agents, a root user who may mount, a kernel that lets
//! a process leave the network. Such a test calls [`without`] and returns. That prints a line, adds it to the list
//! that `cargo xtask test` shows last, and **fails** if the runner has ensured that the thing is there.
//!
//! Owns the two variables between the runner and the tests. Doesn't know which things exist.

use std::io::Write;

/// Comma-separated names of what the runner has ensured: lacking one of them is a failure.
pub const INSIST: &str = "PLIMSOLL_TEST_INSIST";

/// The file to which each skipped test adds its line: `need<TAB>test<TAB>why`.
pub const LIST: &str = "PLIMSOLL_TEST_SKIPPED";

/// Reports that the running test is skipped, because `need` (one word: `agents`, `mount`, `strace`) is missing.
///
/// # Panics
/// If the runner requires it.
pub fn without(need: &str, why: &str) {
    let insisted = std::env::var(INSIST).unwrap_or_default();
    assert!(
        !insisted.split(',').any(|name| name.trim() == need),
        "this test needs {need}, and the runner has made sure of it: {why}"
    );
    let thread = std::thread::current();
    let test = std::env::var("NEXTEST_TEST_NAME").ok();
    let test = test.as_deref().or(thread.name()).unwrap_or("a test");
    let line = format!("{need}\t{test}\t{why}\n");
    let mut stderr = std::io::stderr();
    let _ = writeln!(stderr, "skipped: {why}");
    let Some(list) = std::env::var_os(LIST) else { return };
    // One write of one line: other tests append at the same time.
    let written = std::fs::File::options()
        .append(true)
        .create(true)
        .open(&list)
        .and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = written {
        panic!("the list of skipped tests, {}, cannot be written: {error}", list.display());
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_skip_adds_a_line_and_a_required_test_fails() {
        // Each in a process of its own, because variables belong to the whole process.
        let dir = std::env::temp_dir().join(format!("plimsoll-skipped-{}", std::process::id()));
        let run = |insist: &str| {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", "tests::skips", "--ignored"]);
            child.env(super::INSIST, insist).env(super::LIST, &dir).env_remove("NEXTEST_TEST_NAME");
            child.output().unwrap().status.success()
        };
        assert!(run("agents, strace"));
        assert!(!run("agents, mount"));
        let list = std::fs::read_to_string(&dir).unwrap();
        std::fs::remove_file(&dir).unwrap();
        assert_eq!(list, "mount\ttests::skips\tonly root may mount\n");
    }

    #[test]
    #[ignore = "run by the test above"]
    fn skips() {
        super::without("mount", "only root may mount");
    }
}
