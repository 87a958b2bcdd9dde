//! Which remote a project has, by the git config of its work tree: `origins/*.config`, each with the address that is
//! expected in its first line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use plimsoll_home::{Project, main_checkout};

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

#[test]
fn a_linked_work_tree_is_known_by_its_repository() {
    let dir = tempfile::tempdir().unwrap();
    let real = dunce::canonicalize(dir.path()).unwrap();
    let at = |path: &str| real.join(path);
    let pointer = |to: &Path| format!("gitdir: {}\n", to.display());
    let link = |repository: &str, name: &str, tree: &str| {
        let own = at(repository).join("worktrees").join(name);
        write(&own.join("commondir"), "../..\n");
        write(&own.join("gitdir"), &format!("{}\n", at(tree).join(".git").display()));
        write(&at(tree).join(".git"), &pointer(&own));
    };
    link("shop/.git", "next", "next");
    link("bare.git", "main", "bare-main");
    assert_eq!(main_checkout(&at("next")), Some(at("shop")));
    assert_eq!(main_checkout(&at("bare-main")), Some(at("bare.git")));
    // The main checkout, a submodule, a copy of a work tree, and what only says that it is one.
    write(&at("shop/.git/modules/parts/config"), "");
    write(&at("shop/parts/.git"), "gitdir: ../.git/modules/parts\n");
    write(&at("copy/.git"), &pointer(&at("shop/.git/worktrees/next")));
    write(&at("forged/own/commondir"), &format!("{}\n", at("shop/.git").display()));
    write(&at("forged/own/gitdir"), &format!("{}\n", at("forged/.git").display()));
    write(&at("forged/.git"), "gitdir: own\n");
    for other in ["shop", "shop/parts", "copy", "forged", "nowhere"] {
        assert_eq!(main_checkout(&at(other)), None, "{other}");
    }
}
