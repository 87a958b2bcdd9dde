//! `--json`: whatever a command does or would do, a script gets one document of JSON and never a sentence.

use crate::desk::Desk;

pub(crate) const FILTER: &str = r#"name = "theirs"
about = "All stays."
commands = ["frobnicate"]
source = "frobnicate 1.0"

[[rule]]
lines = ["^x$"]
do = "keep"
"#;

#[test]
fn json_output_contains_nothing_but_json() {
    let desk = Desk::new();
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::create_dir_all(project.join(".plimsoll/filters")).unwrap();
    std::fs::write(project.join(".plimsoll/filters/theirs.toml"), FILTER).unwrap();
    std::fs::write(project.join("mast.md"), "# Mast\n\nThe mast carries the sails.\n").unwrap();
    let noted = serde_json::json!({"session_id": "s-1", "cwd": project, "hook_event_name": "Stop",
        "transcript_path": desk.home().join(".claude/projects/x/s-1.jsonl")});
    // A hook on a busy computer may run out of time and record nothing.
    for _ in 0..10 {
        desk.run_with_input(&project, &["hook", "claude-code"], &noted.to_string());
        if desk.run(&["sessions", "s-1"]).code == 0 {
            break;
        }
    }
    let run = |typed: &str, ends: i32| {
        let words: Vec<&str> = typed.split(' ').chain(["--json"]).collect();
        let ran = desk.run_in(&project, &words);
        assert_eq!(ran.code, ends, "{typed}: {}{}", ran.out, ran.err);
        if ends == 4 {
            assert_eq!(ran.out, "", "{typed}");
        } else {
            ran.json();
        }
    };
    for (typed, ends) in [
        ("index mast.md --dry-run", 0),
        ("index mast.md no-such.md --dry-run", 3),
        ("index mast.md", 0),
        ("purge --source mast.md --dry-run", 0),
        ("purge --source mast.md", 4),
        ("purge --project --keep-records --dry-run", 0),
        ("purge --everything --dry-run", 0),
        ("purge --source mast.md --yes", 0),
        ("filters off ls --dry-run", 0),
        ("filters off ls", 0),
        ("filters on ls", 0),
        ("filters trust", 4),
        ("filters trust --dry-run", 0),
        ("filters trust --yes", 0),
        ("filters untrust --dry-run", 0),
        ("filters untrust", 0),
        ("settings get hooks.enabled", 0),
        ("settings set hooks.enabled off --dry-run", 0),
        ("settings set hooks.enabled on", 0),
        ("settings export theirs.toml --dry-run", 0),
        ("settings export theirs.toml", 0),
        ("settings import theirs.toml --dry-run", 0),
        ("settings import theirs.toml", 0),
        ("pause --dry-run", 0),
        ("pause --project --dry-run", 0),
        ("pause --for 2h", 0),
        ("resume --dry-run", 0),
        ("resume --project", 0),
        ("resume", 0),
        ("sessions --unrecord --dry-run", 0),
        ("sessions --unrecord", 0),
        ("sessions --record", 0),
        ("sessions s-1 --delete --dry-run", 0),
        ("sessions s-1 --delete", 4),
        ("sessions s-1 --delete --yes", 0),
    ] {
        run(typed, ends);
    }
    let trash = desk.run_in(&project, &["restore", "--json"]).ended(0).json();
    let file = trash[0]["trash"].as_str().unwrap();
    run(&format!("restore {file} --dry-run"), 0);
    run(&format!("restore {file}"), 0);
    let back = desk.run_in(&project, &["search", "sails"]).ended(0);
    assert!(back.out.contains("carries the sails"), "{}", back.out);
    // What was done before something failed is told as well.
    std::fs::write(project.join("hull.md"), "# Hull\n\nThe load line.\n").unwrap();
    let half = desk.run_in(&project, &["index", "hull.md", "no-such.md", "--json"]).ended(3);
    assert_eq!(half.json().as_array().unwrap().len(), 1, "{}", half.out);
}

/// A script gets the setting's or pause's value in its own type.
#[test]
fn settings_and_pauses_are_printed_as_typed_values() {
    let desk = Desk::new();
    let told = |args: &[&str]| desk.run(&[args, &["--json"]].concat()).ended(0).json();
    let would = told(&["settings", "set", "hooks.enabled", "off", "--dry-run"]);
    assert_eq!(would["value"], false, "{would}");
    assert_eq!(would["dry_run"], true, "{would}");
    assert_eq!(told(&["settings", "get", "hooks.enabled"])["value"], true);
    let would = told(&["settings", "set", "desktop.zoom", "150", "--dry-run"]);
    assert_eq!(would["value"], 150, "{would}");
    assert_eq!(told(&["settings", "set", "desktop.theme", "dark"])["value"], "dark");
    let paused = told(&["pause", "--for", "2h"]);
    assert!(paused["paused_until_ms"].is_i64() && paused["project"].is_null(), "{paused}");
    assert_eq!(told(&["status"])["paused_until_ms"], paused["paused_until_ms"]);
    assert!(told(&["resume"])["paused_until_ms"].is_null());
    assert!(told(&["status"])["paused_until_ms"].is_null());
}

/// JSON ends as the sentence does.
#[test]
fn settings_that_cant_be_read_end_alike_with_and_without_json() {
    let desk = Desk::new();
    desk.write(".plimsoll/settings.toml", "[hooks\n");
    for typed in [&["settings"][..], &["settings", "get", "hooks.enabled"]] {
        desk.run(typed).ended(1);
        desk.run(&[typed, &["--json"]].concat()).ended(1).json();
    }
}

#[test]
fn a_script_tells_what_would_be_removed_from_what_was() {
    let desk = Desk::new();
    desk.run(&["settings", "set", "desktop.theme", "dark"]).ended(0);
    for (typed, ends, dry_run) in [("--dry-run", 0, true), ("--keep-data", 4, true), ("--yes", 0, false)] {
        let told = desk.run(&["uninstall", "--all", typed, "--json"]).ended(ends).json();
        assert_eq!(told["dry_run"], dry_run, "{typed}: {told}");
    }
}

/// A dry run refuses what the command itself would refuse.
#[test]
fn a_dry_run_ends_as_the_command_would() {
    let desk = Desk::new();
    desk.write("mast.md", "# Mast\n");
    for typed in [&["filters", "off", "nope"][..], &["filters", "on", "nope"], &["index", "no-such.md"]] {
        desk.run(typed).ended(3);
        desk.run(&[typed, &["--dry-run"]].concat()).ended(3);
    }
    desk.run(&["index", "mast.md", "--dry-run"]).ended(0);
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".plimsoll/filters")).unwrap();
    let filter = project.join(".plimsoll/filters/theirs.toml");
    std::fs::write(&filter, "name = 1").unwrap();
    desk.run_in(&project, &["filters", "trust", ".", "--yes"]).ended(1);
    desk.run_in(&project, &["filters", "trust", ".", "--dry-run"]).ended(1);
    std::fs::write(&filter, FILTER).unwrap();
    let settings = || std::fs::read_to_string(desk.plimsoll().join("settings.toml")).unwrap_or_default();
    let before = settings();
    let told = desk.run_in(&project, &["filters", "trust", ".", "--dry-run"]).ended(0).out;
    assert!(
        told.contains("frobnicate") && told.contains("would use"),
        "what would be trusted is shown: {told}"
    );
    assert_eq!(settings(), before);
    desk.run_in(&project, &["filters", "trust", ".", "--yes"]).ended(0);
    let trusted = settings();
    assert!(trusted.contains("hash"), "{trusted}");
    let told = desk.run_in(&project, &["filters", "untrust", ".", "--dry-run"]).ended(0).out;
    assert!(told.contains("would no longer use"), "{told}");
    assert_eq!(settings(), trusted);
    desk.write(".plimsoll/trash/knowledge-5.db", &"no database at all. ".repeat(99));
    desk.run(&["restore", "knowledge-5.db"]).ended(1);
    desk.run(&["restore", "knowledge-5.db", "--dry-run"]).ended(1);
}

/// A source's name may have any character, and none of them ends the sentence that asks about it.
#[test]
fn a_name_with_a_semicolon_is_printed_whole() {
    let desk = Desk::new();
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.run_with_input(&project, &["index", "-", "--source", "a; b"], "The anchor.\n").ended(0);
    let told = desk.run_in(&project, &["purge", "--source", "a; b", "--dry-run"]).ended(0).out;
    assert!(told.contains("a; b") && told.contains("would remove 1 source with 1 chunk"), "{told}");
    let told = desk.run_in(&project, &["purge", "--source", "a; b"]).ended(4).err;
    assert!(told.contains("would remove 1 source with 1 chunk") && told.contains("--yes"), "{told}");
    assert!(!told.contains("confirm true"), "{told}");
}
