//! Which remote a project has, by the git config of its work tree: `origins/*.config`, each with the address that is
//! expected in its first line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use plimsoll_home::Project;

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn remote(root: &Path) -> Option<String> {
    Project::at(root).unwrap().remote
}

#[test]
fn every_config_gives_the_address_that_git_connects_to() {
    let cases = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/origins");
    let mut count = 0;
    for case in std::fs::read_dir(cases).unwrap().flatten() {
        let text = std::fs::read_to_string(case.path()).unwrap();
        let expected = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
        };
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join(".git/config"), &text);
        let project = Project::at(dir.path()).unwrap();
        let found = (project.remote, project.written_remote);
        assert_eq!(found, (expected("# origin:"), expected("# written:")), "{:?}", case.file_name());
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn a_worktree_has_its_repositorys_remote_and_a_submodule_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    let config = |name: &str| format!("[remote \"origin\"]\n\turl = https://example.org/acme/{name}\n");
    write(&at("shop/.git/config"), &config("shop"));
    write(&at("shop/.git/worktrees/next/commondir"), "../..\n");
    write(&at("next/.git"), &format!("gitdir: {}\n", at("shop/.git/worktrees/next").display()));
    write(&at("shop/.git/modules/parts/config"), &config("parts"));
    write(&at("shop/parts/.git"), "gitdir: ../.git/modules/parts\n");
    let address = |name: &str| Some(format!("https://example.org/acme/{name}"));
    assert_eq!(remote(&at("shop")), address("shop"));
    assert_eq!(remote(&at("next")), address("shop"));
    assert_eq!(remote(&at("shop/parts")), address("parts"));
    // A pointer to nothing has no remote, without an error.
    write(&at("lost/.git"), "gitdir: ../gone\n");
    assert_eq!(remote(&at("lost")), None);
}
