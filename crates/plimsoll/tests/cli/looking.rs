//! `read`, `projects`, `restore`, `sessions`, `activity`, `settings`, `changes`: looking through what was stored,
//! recorded and changed.

use crate::desk::Desk;

#[test]
fn what_was_purged_is_read_again_after_it_is_restored() {
    let desk = Desk::new();
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.run_in(&project, &["projects"]).ended(3);
    desk.run_in(&project, &["read", "notes"]).ended(3);
    desk.run_with_input(&project, &["index", "-", "--source", "notes"], "The anchor weighs two tonnes.\n")
        .ended(0);
    assert!(desk.run_in(&project, &["read", "notes"]).ended(0).out.contains("two tonnes"));
    let projects = desk.run_in(&project, &["projects", "--json"]).ended(0).json();
    assert_eq!((&projects[0]["name"], &projects[0]["sources"]), (&"shop".into(), &1.into()));

    let trash = desk.run_in(&project, &["purge", "--source", "notes", "--yes", "--json"]).ended(0).json();
    let file = trash["trash"].as_str().unwrap().to_owned();
    desk.run_in(&project, &["read", "notes"]).ended(3);
    assert!(desk.run_in(&project, &["restore"]).ended(0).out.contains("knowledge-"));
    desk.run_in(&project, &["restore", &file, "--dry-run"]).ended(0);
    desk.run_in(&project, &["read", "notes"]).ended(3);
    desk.run_in(&project, &["restore", &file]).ended(0);
    assert!(desk.run_in(&project, &["read", "notes"]).ended(0).out.contains("two tonnes"));
    desk.run_in(&project, &["restore", &file]).ended(3);
}

#[test]
fn nothing_recorded_is_said_and_makes_no_folder() {
    let desk = Desk::new();
    for words in
        [&["sessions"][..], &["activity"], &["stats", "--calls"], &["projects"], &["changes", "codex"]]
    {
        desk.run(words).ended(3);
    }
    desk.run(&["sessions", "no-such"]).ended(3);
    desk.run(&["sessions", "--delete"]).ended(2);
    desk.run(&["changes", "no-such-agent"]).ended(2);
    assert!(!desk.plimsoll().exists());
}

#[test]
fn settings_are_changed_one_by_one_and_carried_over() {
    let desk = Desk::new();
    let shown = desk.run(&["settings"]).ended(0).out;
    assert!(shown.contains("sandbox.timeout_ms = 120000"), "{shown}");
    desk.run(&["settings", "set", "sandbox.timeout_ms", "60000", "--dry-run"]).ended(0);
    assert!(!desk.plimsoll().exists());
    desk.run(&["settings", "set", "sandbox.timeout_ms", "60000"]).ended(0);
    let shown = desk.run(&["settings"]).ended(0).out;
    assert!(shown.contains("sandbox.timeout_ms = 60000   # changed"), "{shown}");
    let wrong = desk.run(&["settings", "set", "sandbox.timeout_ms", "soon"]).ended(2).err;
    assert!(wrong.contains("sandbox.timeout_ms") && wrong.contains("ms from"), "{wrong}");
    let file = desk.beside("files").join("mine.toml");
    desk.run(&["settings", "export", file.to_str().unwrap()]).ended(0);
    desk.run(&["settings", "set", "sandbox.timeout_ms", "90000"]).ended(0);
    desk.run(&["settings", "import", file.to_str().unwrap()]).ended(0);
    let shown = desk.run(&["settings", "--json"]).ended(0).json();
    let set =
        shown["settings"].as_array().unwrap().iter().find(|one| one["key"] == "sandbox.timeout_ms").unwrap();
    assert_eq!(set["value"], 60_000);
}

#[test]
fn changes_show_what_connecting_wrote() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.home().join(".claude")).unwrap();
    std::fs::write(desk.home().join(".claude.json"), "{\n  \"numStartups\": 3\n}\n").unwrap();
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let shown = desk.run(&["changes", "claude-code"]).ended(0).out;
    assert!(shown.contains("\"plimsoll\"") && shown.contains("since before Plimsoll"), "{shown}");
    let changes = desk.run(&["changes", "claude-code", "--json"]).ended(0).json();
    assert_eq!(changes[0]["changed_since"], false, "{changes:#}");
}
