//! Rewritten command lines do what the originals did: the same exit code, files and pipes, the same folder and
//! variables afterwards; only less of the output is shown, and that is kept.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::desk::Desk;

/// Programs that print a captured run and exit like it.
fn programs(desk: &Desk) -> std::path::PathBuf {
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let capture = format!("{here}/../filters/builtin/cargo/cases/cargo-test-fail-all.txt");
    let bin = desk.beside("bin");
    let steps = "seq 1 1500 | sed 's/^/a step of something, number /'";
    let capture = format!("cat '{capture}'");
    let beside = format!("echo beside >&2; {steps}");
    for (program, prints, code) in [("cargo", &*capture, 101), ("npm", steps, 1), ("make", &*beside, 2)] {
        let script = format!("#!/bin/sh\necho \"$*|$VAR|$PWD\" >> \"$CALLS\"\n{prints}\nexit {code}\n");
        std::fs::write(bin.join(program), script).unwrap();
        std::fs::set_permissions(bin.join(program), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let launcher = desk.plimsoll().join("bin/plimsoll");
    std::fs::create_dir_all(launcher.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_plimsoll"), launcher).unwrap();
    bin
}

/// The hook's version of a line in a session that asks nobody.
fn rewritten(desk: &Desk, folder: &Path, path: &str, line: &str) -> Option<String> {
    let payload = json!({"hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": folder,
        "transcript_path": "/h/.claude/projects/p/s.jsonl", "permission_mode": "bypassPermissions",
        "tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": "t"});
    let mut command = desk.command(&["hook", "claude-code"]);
    command.env("PATH", path).env("CLAUDECODE", "1").current_dir(folder);
    let ran = crate::desk::with_input(&mut command, &payload.to_string()).ended(0);
    if ran.out.is_empty() {
        return None;
    }
    Some(ran.json()["hookSpecificOutput"]["updatedInput"]["command"].as_str()?.to_owned())
}

#[derive(Debug, PartialEq, Eq)]
struct Did {
    end: String,
    files: Vec<(String, String)>,
}

/// Runs a line in a fresh folder and returns its effects and its output.
fn did(desk: &Desk, name: &str, path: &str, line: &str) -> (Did, String) {
    let folder = desk.beside(name);
    std::fs::create_dir_all(folder.join("js")).unwrap();
    let script = format!("trap 'echo \"$? $VAR $PWD\" > \"$END\"' EXIT\n{line}");
    let mut command = Command::new("bash");
    command.args(["-c", &script]).current_dir(&folder).env_clear().env("PATH", path).env("HOME", desk.home());
    command.env("CALLS", folder.join("calls")).env("END", folder.join("end"));
    let output = command.output().unwrap();
    let seen = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).ok()?;
        Some((file.to_owned(), text.replace(&*folder.to_string_lossy(), ".")))
    };
    let end = seen("end").unwrap().1;
    let files = ["calls", "log", "js/log", "err"].into_iter().filter_map(seen).collect();
    let _ = std::fs::remove_dir_all(&folder);
    (Did { end, files }, String::from_utf8(output.stdout).unwrap())
}

#[test]
fn rewritten_lines_do_what_they_did() {
    let desk = Desk::new();
    let path = format!("{}:/usr/bin:/bin", programs(&desk).display());
    let folder = desk.beside("project");
    for line in [
        "cargo test",
        "cd js && cargo test",
        "cd js; VAR=1 npm test",
        "VAR=1 npm test",
        "npm --prefix js test",
        "make test 2>&1 | tee log",
        "cd js && make 'a b' 2>&1 | tee log",
        "set -o pipefail; make test 2>&1 | tee log",
        "make test 2>&1 | tee log; exit ${PIPESTATUS[0]}",
        "make test 2>err | tee log",
        "make test 2>&1 | tee log; echo \"${PIPESTATUS[*]}\" > err",
        "make test 2>&1 | tee log && cargo test || npm test",
        "make test 2>&1 | tee missing/log",
        "set -e; make test 2>&1 | tee log; cargo test; touch never",
    ] {
        let Some(new) = rewritten(&desk, &folder, &path, line) else { panic!("{line} runs as it is") };
        assert!(new.contains("plimsoll run "), "{new}");
        let ((alone, whole), (with, shown)) = (did(&desk, "a", &path, line), did(&desk, "b", &path, &new));
        assert_eq!(alone, with, "{line}\n{new}");
        // Output to both streams without a recognised format is passed on.
        if line.contains("missing") {
            assert_eq!(whole, shown, "{line}");
            continue;
        }
        assert!(shown.len() * 2 < whole.len(), "{line}: {} of {}\n{shown}", shown.len(), whole.len());
        // What is shown of each output names the full one.
        let kept: usize = shown
            .split("plimsoll://task/")
            .skip(1)
            .filter_map(|rest| rest.split(']').next())
            .map(|id| desk.run(&["read", &format!("plimsoll://task/{id}")]).ended(0).out.len())
            .sum();
        assert!(kept * 2 > whole.len(), "{line}: {kept} of {}\n{shown}", whole.len());
    }
}
