//! `plimsoll code` on the command line, and what its worker survives: being killed, a crash on a file, two at once, a
//! branch switch during a run.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::desk::Desk;

/// A project with many small files that import one another.
pub(super) fn project(desk: &Desk, files: usize) -> PathBuf {
    let root = desk.beside("ship");
    for n in 0..files {
        write(&root, n, 0);
    }
    root
}

fn write(root: &Path, n: usize, version: usize) {
    let next = n + 1;
    let (path, text) = match n % 3 {
        0 => (
            format!("src/part{n}.ts"),
            format!(
                "import {{ part{next} }} from './part{next}';\n\nexport function part{n}(value: number) {{\n  return part{next} + value + {version};\n}}\n\nexport class Holder{n} {{\n  hold{version}() {{ return part{n}({version}); }}\n}}\n"
            ),
        ),
        1 => (
            format!("py/part{n}.py"),
            format!(
                "import logging\n\n\ndef part{n}(value):\n    \"\"\"Gives part {version}.\"\"\"\n    return value + {version}\n\n\nclass Holder{n}:\n    def hold{version}(self):\n        return part{n}({version})\n"
            ),
        ),
        _ => (
            format!("rs/part{n}.rs"),
            format!(
                "/// Part {version}.\npub fn part{n}(value: u32) -> u32 {{\n    value + {version}\n}}\n\npub struct Holder{n};\n\nimpl Holder{n} {{\n    pub fn hold{version}(&self) -> u32 {{\n        part{n}({version})\n    }}\n}}\n"
            ),
        ),
    };
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

pub(super) fn code(desk: &Desk, root: &Path, args: &[&str]) -> Value {
    let args: Vec<&str> = ["code"].iter().chain(args).chain(&["--json"]).copied().collect();
    let ran = desk.run_in(root, &args);
    // 3: nothing was found.
    assert!(matches!(ran.code, 0 | 3), "{args:?}: {}{}", ran.out, ran.err);
    ran.json()
}

/// Everything that can be queried, for comparing two indexes of the same files.
fn everything(desk: &Desk, root: &Path) -> Vec<Value> {
    code(desk, root, &["search", "part7"]);
    let mut status = code(desk, root, &["status"]);
    for own in ["lastIndexed", "rootPath"] {
        status.as_object_mut().unwrap().remove(own);
    }
    status["stats"].as_object_mut().unwrap().remove("database_bytes");
    let asked: &[&[&str]] = &[
        &["search", "part7", "--limit", "20"],
        &["search", "hold the value", "--limit", "20"],
        &["refs", "part4", "--limit", "50"],
        &["map"],
        &["patterns"],
        &["cycles"],
    ];
    std::iter::once(status).chain(asked.iter().map(|words| code(desk, root, words))).collect()
}

fn worker(desk: &Desk, root: &Path) -> Child {
    let mut command: Command = desk.command(&["code-worker", "update", root.to_str().unwrap()]);
    command.current_dir(root).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

pub(super) fn index(desk: &Desk) -> PathBuf {
    let projects = std::fs::read_dir(desk.plimsoll().join("projects")).unwrap();
    let mut dbs = projects
        .map(|entry| entry.unwrap().path().join("code.db"))
        .filter(|db| db.parent().unwrap().is_dir());
    dbs.next().unwrap()
}

#[test]
fn what_is_typed_works_while_the_system_is_off() {
    let desk = Desk::new();
    let root = project(&desk, 9);
    let printed = desk.run_in(&root, &["code", "search", "part4"]).ended(0);
    assert!(printed.out.contains("py/part4.py:"), "{}", printed.out);
    let found = code(&desk, &root, &["search", "--query", "part4", "--lang", "py", "--intent", "edit"]);
    assert!(found["results"][0]["file"].as_str().unwrap().starts_with("py/part4.py:"), "{found}");
    assert!(found["preflight"]["ready"].is_boolean(), "{found}");
    let found = code(&desk, &root, &["refs", "--symbol", "part4", "--limit", "10"]);
    assert_eq!(found["definitions"][0]["file"], "py/part4.py");
    assert_eq!(
        code(&desk, &root, &["patterns", "--category", "logging"])["patterns"]["logging"]["primary"]["name"],
        "logging"
    );
    assert_eq!(code(&desk, &root, &["cycles", "--scope", "src"])["count"], 0);
    assert_eq!(code(&desk, &root, &["reindex", "--incremental", "--reason", "why not"])["unchanged"], 9);
    assert_eq!(code(&desk, &root, &["reindex", "--all"])["changed"], 9);
    assert_eq!(code(&desk, &root, &["status"])["stats"]["files"], 9);
    assert_eq!(code(&desk, &root, &["metadata"])["statistics"]["files"], 9);
    let refused = desk.run_in(&root, &["code", "dance"]).ended(2);
    assert!(refused.err.contains("`plimsoll code --help` lists them"), "{}", refused.err);
    let refused = desk.run_in(&desk.home(), &["code", "search", "x"]);
    assert!(refused.code != 0 && refused.err.contains("isn't a project"), "{refused:?}");
}

#[test]
fn circles_of_a_folder_and_a_one_letter_name_are_found() {
    let desk = Desk::new();
    let root = project(&desk, 3);
    for (path, text) in [
        ("a/x.ts", "import { y } from '../b/y';\nexport const x = () => y();\n"),
        ("b/y.ts", "import { x } from '../a/x';\nexport const y = () => x();\n"),
        ("b/t.ts", "export function t() {\n  return 1;\n}\n"),
    ] {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    for (folder, count) in [("a", 1), ("b", 1), ("src", 0)] {
        let told = code(&desk, &root, &["cycles", folder]);
        assert_eq!(told["count"], count, "{folder}");
        let shown = told["cycles"].to_string();
        assert!(count == 0 || shown.contains(&format!("\"{folder}/")), "{folder}: {shown}");
    }
    let card = code(&desk, &root, &["card", "t"]);
    assert_eq!(card["preflight"]["ready"], true, "{card}");
}

#[test]
fn purge_deletes_the_index_and_the_next_search_builds_it_again() {
    let desk = Desk::new();
    let root = project(&desk, 6);
    code(&desk, &root, &["search", "part4"]);
    assert!(index(&desk).exists());
    desk.run_in(&root, &["purge", "--project", "--yes"]).ended(0);
    assert!(!index(&desk).exists());
    assert!(
        code(&desk, &root, &["search", "part4"])["results"][0]["file"]
            .as_str()
            .unwrap()
            .starts_with("py/part4.py")
    );
}

#[test]
fn a_worker_that_is_killed_a_hundred_times_loses_nothing() {
    let desk = Desk::new();
    let root = project(&desk, 150);
    let (mut hit, mut round) = (0, 0);
    while hit < 100 {
        round += 1;
        assert!(round < 1_000, "only {hit} of {round} were hit while they wrote");
        for n in 0..30 {
            write(&root, (round * 7 + n) % 150, round);
        }
        let mut worker = worker(&desk, &root);
        let began = Instant::now();
        // It is reading and writing as long as its journal exists.
        let journal = loop {
            let journal = desk.plimsoll().join("projects").is_dir().then(|| index_folder(&desk)).flatten();
            if let Some(journal) =
                journal.map(|folder| folder.join("code.reading")).filter(|path| path.exists())
            {
                break Some(journal);
            }
            if worker.try_wait().unwrap().is_some() {
                break None;
            }
            assert!(began.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_micros(200));
        };
        std::thread::sleep(Duration::from_micros((round as u64 * 7_919) % 9_000));
        worker.kill().unwrap();
        worker.wait().unwrap();
        hit += usize::from(journal.is_some_and(|journal| journal.exists()));
    }
    let survived = everything(&desk, &root);
    let other = Desk::new();
    let copy = other.beside("ship");
    copy_all(&root, &copy);
    assert_eq!(survived, everything(&other, &copy));
}

fn index_folder(desk: &Desk) -> Option<PathBuf> {
    std::fs::read_dir(desk.plimsoll().join("projects")).ok()?.find_map(|entry| Some(entry.ok()?.path()))
}

fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            let _ = std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_branch_that_is_switched_under_the_worker_is_what_the_next_answer_says() {
    let desk = Desk::new();
    let root = project(&desk, 300);
    let mut first = worker(&desk, &root);
    std::thread::sleep(Duration::from_millis(40));
    for n in 0..300 {
        if n % 2 == 0 {
            write(&root, n, 77);
        }
    }
    std::fs::remove_file(root.join("py/part100.py")).unwrap();
    let found = code(&desk, &root, &["refs", "hold77", "--limit", "1000"]);
    assert_eq!(found["definitions"].as_array().unwrap().len(), 149, "{found}");
    assert_eq!(code(&desk, &root, &["status"])["stats"]["files"], 299);
    first.wait().unwrap();
    assert_eq!(code(&desk, &root, &["status"])["stats"]["files"], 299);
}

#[test]
fn workers_at_once_wait_for_one_another() {
    let desk = Desk::new();
    let root = project(&desk, 60);
    let mut all: Vec<Child> = (0..4).map(|_| worker(&desk, &root)).collect();
    for one in &mut all {
        assert!(one.wait().unwrap().success());
    }
    assert_eq!(code(&desk, &root, &["status"])["stats"]["files"], 60);
}

#[test]
fn a_damaged_index_is_made_again() {
    let desk = Desk::new();
    let root = project(&desk, 12);
    code(&desk, &root, &["search", "part4"]);
    let path = index(&desk);
    let mut bytes = std::fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[length / 4..length / 2].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let found = code(&desk, &root, &["search", "part4"]);
    assert!(found["results"][0]["file"].as_str().unwrap().starts_with("py/part4.py"), "{found}");
    assert_eq!(code(&desk, &root, &["status"])["stats"]["files"], 12);
}

#[test]
fn a_deleted_worktree_is_an_error_that_names_it() {
    let desk = Desk::new();
    let root = project(&desk, 3);
    code(&desk, &root, &["search", "part1"]);
    std::fs::remove_dir_all(&root).unwrap();
    let ended = desk.command(&["code-worker", "update", root.to_str().unwrap()]).output().unwrap();
    let printed = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success() && printed.contains("ship"), "{printed}");
}

#[test]
fn the_terminal_and_the_agent_get_the_same_data() {
    let desk = Desk::new();
    let root = project(&desk, 6);
    let answer = code(&desk, &root, &["search", "part4", "--limit", "2"]);
    assert_eq!(answer["status"], json!("success"));
    assert_eq!(answer["index"], json!({"status": "ready", "confidence": "high"}));
    let small = code(&desk, &root, &["search", "part value hold", "--limit", "50", "--max-tokens", "120"]);
    assert!(small.to_string().len() <= 480, "{small}");
}

/// This project's running worker.
#[cfg(target_os = "linux")]
fn running(root: &Path, not: &[u32]) -> Option<u32> {
    let root = root.to_str().unwrap();
    std::fs::read_dir("/proc").unwrap().find_map(|entry| {
        let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
        (line.contains("code-worker") && line.contains(root) && !not.contains(&pid)).then_some(pid)
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_takes_the_worker_down_is_left_to_its_lines_until_it_changes() {
    let desk = Desk::new();
    let root = project(&desk, 600);
    let mut asker = desk
        .command(&["code", "search", "part4", "--json"])
        .current_dir(&root)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The first time several files are suspects; they are then read one by one until the culprit is found.
    let convicted = || {
        let fallen =
            std::fs::read_to_string(index_folder(&desk).unwrap().join("code.fallen")).unwrap_or_default();
        fallen.contains("\"convicted\":[{")
    };
    let written = || std::fs::metadata(index_folder(&desk)?.join("code.reading")).ok()?.modified().ok();
    let mut ended = Vec::new();
    let mut left_behind = None;
    loop {
        assert!(ended.len() < 11, "nobody is convicted");
        let began = Instant::now();
        let pid = loop {
            assert!(
                began.elapsed() < Duration::from_secs(60) && asker.try_wait().unwrap().is_none(),
                "no worker"
            );
            // A leftover of the last run doesn't mean that this one is indexing.
            let reads = || {
                written().filter(|at| Some(*at) != left_behind)?;
                let journal = std::fs::read(index_folder(&desk)?.join("code.reading")).ok()?;
                journal.iter().any(|byte| *byte != 0).then_some(())
            };
            if let Some(pid) = running(&root, &ended).filter(|_| reads().is_some()) {
                break pid;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        if convicted() {
            break;
        }
        // Like a grammar with a failing assertion; paused for a moment, to see what it leaves behind.
        let send = |signal: &str| Command::new("kill").args([signal, &pid.to_string()]).status().unwrap();
        send("-STOP");
        std::thread::sleep(Duration::from_millis(20));
        left_behind = written();
        send("-ABRT");
        send("-CONT");
        ended.push(pid);
    }
    let output = asker.wait_with_output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["index"]["status"], "ready", "{found}");
    let fatal = |status: &Value| -> u64 {
        let languages = status["languages"].as_object().unwrap();
        languages.values().filter_map(|ways| ways["fatal"].as_u64()).sum()
    };
    let status = code(&desk, &root, &["status"]);
    assert_eq!((status["stats"]["files"].as_u64(), fatal(&status)), (Some(600), 1), "{status}");
    for n in 0..600 {
        write(&root, n, 5);
    }
    code(&desk, &root, &["search", "hold5"]);
    assert_eq!(fatal(&code(&desk, &root, &["status"])), 0, "it changed, and is read as all others");
}

#[test]
fn a_large_file_that_is_read_whole_gets_its_outline_and_nothing_else_does() {
    let desk = Desk::new();
    let root = project(&desk, 6);
    let long: String = (0..900)
        .map(|n| format!("def step_{n}(value):\n    return value * {n} + some_constant_of_a_long_name\n\n"))
        .collect();
    std::fs::write(root.join("py/long.py"), format!("class Pipeline:\n    pass\n\n{long}")).unwrap();
    desk.write(".plimsoll/settings.toml", "[codebase]\nenabled = true\n");
    let told = |file: &str, limit: Option<u32>| {
        let mut input = json!({"file_path": root.join(file)});
        if let Some(limit) = limit {
            input["limit"] = limit.into();
        }
        let event = json!({
            "session_id": "s1", "transcript_path": "/dev/null", "cwd": root, "hook_event_name": "PostToolUse", "tool_name": "Read",
            "tool_input": input, "tool_response": {"type": "text", "file": {"filePath": root.join(file), "content": "class Pipeline:"}},
        });
        desk.run_with_input(&root, &["hook", "claude-code"], &event.to_string()).ended(0).out
    };
    assert!(!told("py/long.py", None).contains("function step_"), "there is no index");
    code(&desk, &root, &["reindex"]);
    // A hook has little time, and on a busy computer it says nothing rather than answering late.
    let last_answer = || {
        (0..40)
            .map(|_| told("py/long.py", None))
            .find(|printed| printed.contains("function step_"))
            .unwrap_or_default()
    };
    let printed = last_answer();
    assert!(
        printed.contains("1 class Pipeline")
            && (800..900).any(|n| printed.contains(&format!(" function step_{n}\\n")))
            && printed.contains("more"),
        "{printed}"
    );
    assert!(!told("py/long.py", None).contains("function step_"), "once a session");
    assert!(!told("py/long.py", Some(20)).contains("function step_"), "a part was asked for");
    assert!(!told("py/part1.py", None).contains("part1"), "it is small");
    std::fs::write(root.join("py/long.py"), format!("# changed\n{long}")).unwrap();
    assert!(!told("py/long.py", None).contains("function step_"), "it changed since");
    code(&desk, &root, &["reindex"]);
    assert!(last_answer().contains("function step_"));
    desk.write(".plimsoll/settings.toml", "[codebase]\nenabled = true\nautomatic = false\n");
    assert!(!told("py/long.py", None).contains("function step_"), "it is switched off");
}
