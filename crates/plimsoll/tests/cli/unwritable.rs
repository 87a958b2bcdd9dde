//! Where nothing can be written, as on a full disk, what is stored can be read.
#![cfg(unix)]

use crate::desk::Desk;

#[test]
fn what_is_stored_is_read_where_nothing_can_be_written() {
    let desk = Desk::new();
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.run_with_input(&project, &["index", "-", "--source", "notes"], "The anchor is heavy.\n").ended(0);
    desk.run_in(&project, &["memory", "add", "Use tabs", "--namespace", "decisions"]).ended(0);
    let folders = std::fs::read_dir(desk.plimsoll().join("projects")).unwrap().flatten();
    let knowledge = folders.map(|folder| folder.path().join("knowledge.db")).find(|path| path.exists());
    // SQLite can't make its log where a link to nowhere has its name, which stops root as well.
    for database in [knowledge.unwrap(), desk.plimsoll().join("memory.db")] {
        let mut log = database.into_os_string();
        log.push("-wal");
        std::os::unix::fs::symlink("no-such-folder/log", log).unwrap();
    }
    for (args, told) in [
        (&["sources"][..], "notes"),
        (&["search", "anchor"], "The anchor is heavy"),
        (&["stats"], "1 source"),
        (&["memory", "list"], "Use tabs"),
        (&["memory", "search", "tabs"], "Use tabs"),
        (&["memory", "export"], "Use tabs"),
    ] {
        let ran = desk.run_in(&project, args);
        assert!(ran.code == 0 && ran.out.contains(told), "{args:?} ({}): {}{}", ran.code, ran.out, ran.err);
    }
    // What would write is refused, and nothing is lost.
    for args in [
        &["purge", "--source", "notes", "--yes"][..],
        &["index", "notes.md"],
        &["memory", "add", "Use spaces", "--namespace", "decisions"],
    ] {
        std::fs::write(project.join("notes.md"), "# Notes\n\nThe keel.\n").unwrap();
        let ran = desk.run_in(&project, args).ended(1);
        assert!(ran.err.contains(".db"), "{args:?}: {}", ran.err);
    }
    let found = desk.run_in(&project, &["search", "anchor"]).ended(0).out;
    assert!(found.contains("The anchor is heavy"), "{found}");
}
