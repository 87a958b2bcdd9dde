//! What an uninstall does where the log of an agent's file can't be read: the copies that only it names stay.

use std::path::{Path, PathBuf};

use crate::desk::Desk;

fn copies_of(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|end| end == "bak")).collect()
}

#[test]
fn an_uninstall_leaves_the_copies_whose_log_cannot_be_read() {
    let desk = Desk::new().installed();
    for agent in ["codex", "gemini-cli"] {
        desk.installs(agent);
    }
    desk.run(&["connect", "codex", "gemini-cli", "--yes"]).ended(0);
    let backups = desk.plimsoll().join("backups");
    let folders: Vec<_> = std::fs::read_dir(&backups).unwrap().map(|folder| folder.unwrap().path()).collect();
    let damaged = folders.iter().find(|folder| !copies_of(folder).is_empty()).unwrap();
    let before: Vec<_> = copies_of(damaged).iter().map(|copy| std::fs::read(copy).unwrap()).collect();
    std::fs::write(damaged.join("manifest.json"), "{").unwrap();
    let told = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
    let after: Vec<_> = copies_of(damaged).iter().map(|copy| std::fs::read(copy).unwrap()).collect();
    assert!(before.iter().all(|copy| after.contains(copy)), "{told}");
    assert!(told.contains("the log that says which can't be read"), "{told}");
    assert!(!told.contains("isn't Plimsoll's"), "{told}");
    // All else goes.
    let left: Vec<_> = std::fs::read_dir(&backups).unwrap().map(|folder| folder.unwrap().path()).collect();
    assert_eq!(left, [damaged.as_path()]);
    let left: Vec<_> =
        std::fs::read_dir(desk.plimsoll()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [backups]);
}

#[test]
fn a_folder_with_such_copies_is_plimsolls_after_an_uninstall() {
    let desk = Desk::new();
    desk.installs("codex");
    let folder = desk.home().join("moved");
    let run =
        |args: &[&str]| crate::desk::finish(desk.command(args).env("PLIMSOLL_HOME", &folder)).ended(0).out;
    run(&["connect", "codex", "--yes"]);
    let mut folders = std::fs::read_dir(folder.join("backups")).unwrap().map(|one| one.unwrap().path());
    let damaged = folders.find(|folder| !copies_of(folder).is_empty()).unwrap();
    std::fs::write(damaged.join("manifest.json"), "{").unwrap();
    let told = run(&["uninstall", "--all", "--yes"]);
    assert!(damaged.exists(), "{told}");
    // It isn't refused as somebody else's.
    run(&["connect", "codex", "--yes"]);
}
