//! What doctor finds and how it names that: a launcher that can't be started, and projects by their folders.

use crate::desk::Desk;

/// A copy of the home folder may take a program's right to be started away.
#[test]
fn the_doctor_finds_a_launcher_that_cant_be_started_and_connecting_mends_it() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let launcher = desk.plimsoll().join("bin/plimsoll");
    // Not the installed program itself, which other tests share.
    let copy = desk.write(".plimsoll/bin/versions/copy/plimsoll", "#!/bin/sh\n");
    std::fs::remove_file(&launcher).unwrap();
    std::os::unix::fs::symlink(copy, &launcher).unwrap();
    let told = desk.run(&["doctor"]).ended(1).out;
    assert!(told.contains("isn't a program that can be started"), "{told}");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    desk.run(&["doctor"]).ended(0);
}

/// The key of a knowledge base has a hash, and nobody knows a project by that.
#[test]
fn the_doctor_names_projects_by_their_folders() {
    let desk = Desk::new();
    let known =
        [("shop", "/w/shop"), ("tool", "/w/tool"), ("tools", "/v/tool"), ("old", ""), ("no-project", "")];
    for (name, root) in known {
        let id = if name == "no-project" { "0" } else { "a" };
        let folder = desk.plimsoll().join("projects").join(format!("{name}-{}", id.repeat(16)));
        desk.write(folder.join("knowledge.db"), &"this is no database at all, ".repeat(3));
        if !root.is_empty() {
            desk.write(folder.join("project"), root);
        }
    }
    let printed = desk.run(&["doctor"]).ended(1).out;
    for named in ["of shop", "of /w/tool", "of /v/tool", "of old-aaaaaaaaaaaaaaaa", "outside projects"] {
        assert!(printed.contains(&format!("[FAIL] knowledge {named}: ")), "{named} in\n{printed}");
    }
}

/// A name that two lines have tells nobody which one is meant.
#[test]
fn each_check_of_the_doctor_has_a_name_of_its_own() {
    let desk = Desk::new();
    desk.run(&["memory", "add", "Orders are priced in cents", "--type", "decision"]).ended(0);
    let told = desk.run(&["doctor", "--all", "--json"]).json();
    let checks = told.as_array().unwrap();
    let mut names: Vec<&str> = checks.iter().map(|check| check["name"]["text"].as_str().unwrap()).collect();
    assert!(names.contains(&"memories") && names.contains(&"memory.db"), "{names:?}");
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{names:?}");
}
