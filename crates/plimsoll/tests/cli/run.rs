//! `plimsoll run`: the command's exit code, signals and bytes, its shortened output, and the full output kept.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};

use crate::desk::Desk;

fn run(desk: &Desk, words: &[&str]) -> std::process::Output {
    desk.command(&["run"]).args(words).output().unwrap()
}

/// A program named `cargo` that prints a captured test run and exits like it.
fn fake_cargo(desk: &Desk) -> String {
    // Build output outlives clones: use this run's folder, not that of the last build.
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let text = format!("{here}/../filters/builtin/cargo/cases/cargo-test-fail-all.txt");
    let program = desk.home().join("cargo");
    std::fs::write(&program, format!("#!/bin/sh\ncat '{text}'\nexit 101\n")).unwrap();
    assert!(Command::new("chmod").arg("755").arg(&program).status().unwrap().success());
    program.to_string_lossy().into_owned()
}

#[test]
fn a_failing_test_run_is_shortened_and_keeps_its_code() {
    let desk = Desk::new();
    let cargo = fake_cargo(&desk);
    let whole = Command::new(&cargo).output().unwrap();
    let ran = run(&desk, &["--agent", "claude-code", "--session", "s-1", "--", &cargo, "test"]);
    assert_eq!(ran.status.code(), Some(101));
    let shown = String::from_utf8(ran.stdout).unwrap();
    assert!(shown.len() * 2 < whole.stdout.len(), "{} of {}", shown.len(), whole.stdout.len());
    for line in String::from_utf8_lossy(&whole.stdout).lines().filter(|line| line.contains("panicked at")) {
        // The thread has the test's name, which is told once.
        let (thread, place) = line.split_once("panicked at").unwrap();
        let name = thread.split('\'').nth(1).unwrap();
        assert!(shown.contains(place) && (name == "main" || shown.contains(name)), "{line}");
    }
    let id = shown.rsplit_once("plimsoll://task/").unwrap().1.trim_end().trim_end_matches(']').to_owned();
    let kept = std::fs::read(desk.home().join(".plimsoll/tasks").join(id).join("output.log")).unwrap();
    assert_eq!(String::from_utf8_lossy(&kept), String::from_utf8_lossy(&whole.stdout));
    let stats = desk.run(&["stats", "--json"]).ended(0);
    assert!(stats.out.contains("cargo-test"), "{}", stats.out);
}

#[test]
fn what_is_not_shortened_comes_through_byte_for_byte() {
    let desk = Desk::new();
    let bytes = r"printf 'a\033[31mb\r\n\377\000c'; printf 'err' >&2; exit 3";
    let ran = run(&desk, &["--", "sh", "-c", bytes]);
    assert_eq!(ran.status.code(), Some(3));
    assert_eq!(ran.stdout, b"a\x1b[31mb\r\n\xff\0c");
    assert_eq!(ran.stderr, b"err");
}

#[test]
fn exit_codes_and_signals_are_the_commands_own() {
    let desk = Desk::new();
    assert_eq!(run(&desk, &["--", "no-such-program"]).status.code(), Some(127));
    let folder = desk.home().to_string_lossy().into_owned();
    assert_eq!(run(&desk, &["--", &folder]).status.code(), Some(126));
    assert_eq!(run(&desk, &["--", "sh", "-c", "kill -9 $$"]).status.code(), Some(137));
    assert_eq!(run(&desk, &[]).status.code(), Some(2));
    assert_eq!(run(&desk, &["--nonsense"]).status.code(), Some(2));
}

/// A command isn't held back because Plimsoll can't find its own folder.
#[test]
fn without_a_usable_home_the_command_runs_as_it_is() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let words: Vec<&str> = ["--agent", "claude-code", "--session", "s-1", "--"]
            .into_iter()
            .chain(words.iter().copied())
            .collect();
        desk.command(&["run"]).args(words).env("HOME", "not/absolute").output().unwrap()
    };
    let ran = run(&["sh", "-c", "echo out; echo err >&2; echo \"$HOME\"; exit 3"]);
    assert_eq!(ran.status.code(), Some(3));
    assert_eq!(ran.stdout, b"out\nnot/absolute\n");
    assert_eq!(ran.stderr, b"err\n");
    let ran = run(&["no-such-program"]);
    assert_eq!(
        (ran.status.code(), ran.stderr.as_slice()),
        (Some(127), &b"no-such-program: command not found\n"[..])
    );
    assert_eq!(run(&["sh", "-c", "kill -TERM $$"]).status.signal(), Some(15));
}

/// A command isn't held back because Plimsoll may open too few files for its own part.
#[test]
fn with_few_open_files_the_command_runs_as_it_is() {
    let desk = Desk::new();
    // A shell itself redirects nothing where it may open only ten files.
    let inner = desk.command(&["run", "--", "sh", "-c", "echo out; exit 3"]);
    for files in 4..=24 {
        let ran = Command::new("/bin/sh")
            .args(["-c", "ulimit -n \"$0\" && exec \"$@\"", &files.to_string()])
            .arg(inner.get_program())
            .args(inner.get_args())
            .env_clear()
            .envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .current_dir(desk.home())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(3), "{files} files: {told}");
        assert_eq!((ran.stdout.as_slice(), &*told), (&b"out\n"[..], ""), "{files} files");
    }
}

#[test]
fn a_signal_reaches_the_command_and_what_it_printed_is_shown() {
    use std::io::{BufRead as _, Read as _};
    let desk = Desk::new();
    let script = "trap 'echo caught; exit 7' TERM; echo ready >&2; while :; do sleep 0.05; done";
    let mut child = desk
        .command(&["run", "--", "sh", "-c", script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Buffered output is printed at the end, so the child itself must show that it is alive.
    let pid = child.id();
    let started = std::time::Instant::now();
    while !std::path::Path::new(&format!("/proc/{pid}/task/{pid}/children")).exists()
        || std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default().is_empty()
    {
        assert!(started.elapsed().as_secs() < 30, "the command never started");
        std::thread::yield_now();
    }
    // The trap is set once the shell sleeps in its loop.
    while !has_grandchild(pid) {
        assert!(started.elapsed().as_secs() < 30, "the loop never began");
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-TERM", &pid.to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let mut err = String::new();
    std::io::BufReader::new(child.stderr.take().unwrap()).read_line(&mut err).unwrap();
    assert_eq!((status.code(), status.signal()), (Some(7), None));
    assert_eq!((out.as_str(), err.as_str()), ("caught\n", "ready\n"));
}

#[test]
fn a_nohup_process_outlives_its_terminal() {
    let desk = Desk::new();
    // The outer shell only lends its environment; the inner one starts with the signal ignored, as under `nohup`.
    let script = r#"trap '' HUP; exec "$0" run -- sh -c 'kill -HUP $$ $PPID; echo still here'"#;
    let ran = run(&desk, &["--", "sh", "-c", script, env!("CARGO_BIN_EXE_plimsoll")]);
    assert_eq!((ran.status.code(), ran.stdout.as_slice()), (Some(0), b"still here\n".as_slice()));
}

fn has_grandchild(pid: u32) -> bool {
    let children =
        |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    children(&pid.to_string()).split_whitespace().any(|child| !children(child).is_empty())
}

#[test]
fn a_flood_is_bounded_and_its_one_error_is_shown() {
    let desk = Desk::new();
    let script = "i=0; yes 'information about nothing in particular' | head -n 130000; \
                  echo 'ERROR the disk is full'; yes 'more information about nothing' | head -n 130000";
    let ran = run(&desk, &["--", "sh", "-c", script]);
    assert_eq!(ran.status.code(), Some(0));
    let shown = String::from_utf8(ran.stdout).unwrap();
    assert!(shown.contains("ERROR the disk is full"), "{}", &shown[..2_000]);
    assert!(shown.len() < 100_000, "{}", shown.len());
}

#[test]
fn an_output_the_agent_would_cut_is_shortened_by_relevance() {
    let desk = Desk::new();
    let script = "i=0; while [ $i -lt 400 ]; do echo \"step $i of the build went through well enough\"; \
                  [ $i = 200 ] && echo 'src/cart.c:12:7: error: the total is wrong'; i=$((i+1)); done; exit 2";
    let ran = run(&desk, &["--agent", "claude-code", "--", "sh", "-c", script]);
    assert_eq!(ran.status.code(), Some(2));
    let shown = String::from_utf8(ran.stdout).unwrap();
    assert!(shown.len() <= 10_000, "{}", shown.len());
    // Lines that differ only in their number are merged, with every number.
    for wanted in [
        "step … of the build",
        " 0 1 2 3 ",
        " 398 399\n",
        "src/cart.c:12:7: error: the total is wrong",
        "plimsoll://task/",
    ] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}

#[test]
fn the_whole_of_what_was_shortened_is_read_by_its_address() {
    let desk = Desk::new();
    let shown = run(&desk, &["--agent", "claude-code", "--", "sh", "-c", "seq 1 200000; exit 3"]).stdout;
    let shown = String::from_utf8(shown).unwrap();
    let id = shown.rsplit_once("plimsoll://task/").unwrap().1.trim_end().trim_end_matches(']');
    let whole = desk.run(&["read", &format!("plimsoll://task/{id}")]).ended(0).out;
    assert!(whole.lines().eq((1..=200_000).map(|n: u32| n.to_string())), "{} lines", whole.lines().count());
    let rows = desk.run(&["activity", "--json"]).ended(0).json();
    assert_eq!(rows["rows"][0]["full_output"], format!("plimsoll://task/{id}"));
    assert!(desk.run(&["read", "plimsoll://task/tNotThere"]).ended(3).err.contains("30 days"));
}

/// A filter of a project's own.
const OWN: &str =
    "name = \"theirs\"\nabout = \"Noise goes.\"\ncommands = [\"frobnicate\"]\nsource = \"frobnicate 1.0\"\n
[[rule]]\nlines = [\"^noise \"]\ndo = \"drop\"\nas = \"noise\"\n";

/// What hooks and `filters explain` apply is what a command in a subfolder gets; what isn't used is named with the reason.
#[test]
fn a_projects_own_filters_count_in_its_subfolders_until_they_change() {
    let desk = Desk::new();
    let project = desk.beside("shop");
    let sub = project.join("src/deep");
    for folder in [&project.join(".git"), &sub, &project.join(".plimsoll/filters")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let file = project.join(".plimsoll/filters/theirs.toml");
    std::fs::write(&file, OWN).unwrap();
    let tool = project.join("frobnicate");
    let lines = "1 2 3 4 5 6 7 8 9 10 11 12";
    let script = format!(
        "for i in {lines}; do echo \"noise number $i that nobody wants to read\"; done; echo keep me"
    );
    std::fs::write(&tool, format!("#!/bin/sh\n{script}\n")).unwrap();
    assert!(Command::new("chmod").arg("755").arg(&tool).status().unwrap().success());
    let tool = tool.to_string_lossy().into_owned();
    let ran = || desk.run_in(&sub, &["run", "--", &tool]).ended(0).out;
    let told = |args: &[&str]| desk.run_in(&sub, args).ended(0).out;
    let shortened = "keep me\n[left out: 12 noise; ";

    for asked in [&["filters", "list"][..], &["filters", "explain", "frobnicate"]] {
        assert!(
            told(asked).contains("shop/.plimsoll/filters aren't used until you trust them; "),
            "{asked:?}"
        );
    }
    assert!(!told(&["doctor"]).contains("filters"));
    assert!(!ran().contains("left out: 12 noise"));

    desk.run_in(&sub, &["filters", "trust", "--yes"]).ended(0);
    assert!(ran().starts_with(shortened), "{}", ran());
    assert!(told(&["filters", "list", "--json"]).contains("\"unused\": null"));

    std::fs::write(&file, format!("{OWN}# pulled\n")).unwrap();
    for asked in [&["filters", "list"][..], &["filters", "explain", "frobnicate"], &["doctor"]] {
        assert!(
            told(asked).contains("have changed since you trusted them, so they aren't used; "),
            "{asked:?}"
        );
    }
    assert!(!ran().contains("left out: 12 noise"));

    desk.run_in(&sub, &["filters", "trust", "--yes"]).ended(0);
    assert!(ran().starts_with(shortened), "{}", ran());
    // Switched off in a project, they are in its folders, too.
    let root = std::fs::canonicalize(&project).unwrap();
    let settings = desk.read(".plimsoll/settings.toml");
    let off = format!("off_projects = [{:?}]", root.display().to_string());
    let settings = match settings.split_once("[filters]\n") {
        Some((before, after)) => format!("{before}[filters]\n{off}\n{after}"),
        None => format!("[filters]\n{off}\n\n{settings}"),
    };
    desk.write(".plimsoll/settings.toml", &settings);
    assert!(ran().starts_with("noise number 1 "), "{}", ran());
}
