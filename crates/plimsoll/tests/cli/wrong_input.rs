//! What can't be understood or found: one line that names it and the way out, with nothing printed or changed.

use crate::desk::{Desk, finish};

const TYPED: &str = include_str!("wrong_input.txt");

/// The words of a line as a shell would split them; only `""` is special.
fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(|word| if word == "\"\"" { String::new() } else { word.to_owned() }).collect()
}

#[test]
fn each_wrong_input_is_answered_in_one_line_that_names_it() {
    let desk = Desk::new();
    desk.write("broken.toml", "# mine\ntext about things\n");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in TYPED.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        seen += 1;
        let (typed, told) = line.split_once('|').unwrap();
        let typed = words(typed);
        let ran = desk.run(&typed.iter().map(String::as_str).collect::<Vec<_>>());
        let err = ran.err.trim_end();
        let mut problems = Vec::new();
        if ran.code == 0 {
            problems.push("it ended as if it were done");
        }
        if err.lines().count() != 1 {
            problems.push("it isn't one line");
        }
        if !err.starts_with("plimsoll: ") || err.contains("error:") {
            problems.push("it doesn't begin with the program's name");
        }
        if err.ends_with('.') {
            problems.push("it ends in a full stop");
        }
        if !err.contains(told.trim()) {
            problems.push("it doesn't say what's wrong");
        }
        if !ran.out.is_empty() {
            problems.push("it prints something beside the error");
        }
        if !problems.is_empty() {
            wrong.push(format!(
                "plimsoll {} ({}): {}\n  wanted: {}\n  {err}\n  {}",
                typed.join(" "),
                ran.code,
                problems.join(", "),
                told.trim(),
                ran.out
            ));
        }
    }
    assert!(seen > 60, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_command_of_what_is_switched_off_says_how_it_is_switched_on() {
    let desk = Desk::new();
    desk.run(&["settings", "set", "memory.enabled", "false"]).ended(0);
    for typed in [&["memory", "status"][..], &["graph", "stats"], &["prompt", "list"], &["help", "memory"]] {
        let refused = desk.run(typed).ended(2).err;
        assert!(refused.contains("`plimsoll settings set memory.enabled true`"), "{typed:?}: {refused}");
        assert!(!refused.contains("did you mean"), "{refused}");
    }
    desk.run(&["settings", "set", "memory.enabled", "true"]).ended(0);
    assert_ne!(desk.run(&["memory", "status"]).code, 2);
}

/// Linux allows any byte in an argument.
#[cfg(unix)]
#[test]
fn an_argument_that_isnt_utf8_is_refused_in_one_line() {
    use std::os::unix::ffi::OsStrExt as _;
    let desk = Desk::new();
    let odd = std::ffi::OsStr::from_bytes(b"\xff");
    for before in [&["help"][..], &[], &["search"], &["memory", "add"], &["pause", "--for"]] {
        let ran = finish(desk.command(before).arg(odd)).ended(2);
        assert!(ran.err.starts_with("plimsoll: ") && ran.err.lines().count() == 1, "{before:?}: {}", ran.err);
    }
}

#[test]
fn hooks_that_are_switched_off_are_reported_with_the_command_that_switches_them_on() {
    let desk = Desk::new();
    desk.run(&["settings", "set", "hooks.enabled", "false"]).ended(0);
    for typed in ["doctor", "status"] {
        let told = desk.run(&[typed]).out;
        assert!(told.contains("`plimsoll settings set hooks.enabled true`"), "{typed}: {told}");
    }
}

#[test]
fn a_file_or_folder_that_isnt_there_wasnt_found_by_any_command() {
    let desk = Desk::new();
    for typed in [
        &["index", "/no/such"][..],
        &["memory", "import", "/no/such"],
        &["settings", "import", "/no/such"],
        &["settings", "import", "/no/such", "--dry-run"],
        &["filters", "explain", "ls", "--input", "/no/such"],
        &["filters", "trust", "/no/such"],
        &["pause", "--project", "/no/such"],
        &["resume", "--project", "/no/such"],
        &["sessions", "--unrecord", "/no/such"],
        &["search", "x", "--project", "/no/such"],
        &["purge", "--project", "/no/such"],
    ] {
        let refused = desk.run(typed).ended(3).err;
        assert!(refused.contains("there is no ") && refused.contains("such; check its name"), "{refused}");
    }
}

/// Every command in the help has a help text of its own, even those that only agents call.
#[test]
fn every_command_has_a_help() {
    let desk = Desk::new();
    let help = desk.run(&["--help"]).ended(0).out;
    let commands: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
        .map(|(name, _)| name)
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()) && *name != "help")
        .collect();
    assert!(commands.len() > 20 && commands.contains(&"mcp") && commands.contains(&"hook"), "{commands:?}");
    for name in commands {
        for option in ["--help", "-h"] {
            let told = desk.run(&[name, option]).ended(0).out.to_lowercase();
            assert!(told.contains(&format!("usage: plimsoll {name}")), "{name} {option}: {told}");
        }
    }
}
