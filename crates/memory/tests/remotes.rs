//! Which remotes are one project: `remotes.txt`, and what a key never contains.

#![allow(clippy::unwrap_used, reason = "tests")]

use plimsoll_memory::domain::{former_keys, named_project, normalised_remote, project_key, redacted_key};

const CASES: &str = include_str!("remotes.txt");

/// Every key with one of its remotes.
fn cases() -> Vec<(&'static str, &'static str)> {
    let mut key = "";
    let mut out = Vec::new();
    for line in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("  ") {
            Some(remote) => out.push((key, remote)),
            None => key = line,
        }
    }
    out
}

#[test]
fn remotes_of_one_repository_have_one_key_and_others_another() {
    let all = cases();
    assert!(all.len() > 50, "{}", all.len());
    for (key, remote) in all {
        assert_eq!(normalised_remote(remote).as_deref().unwrap_or("-"), key, "{remote}");
    }
    assert_eq!(normalised_remote(""), None);
}

#[test]
fn a_key_is_its_own_remote_and_tells_no_credentials() {
    for (key, remote) in cases().into_iter().filter(|(key, _)| *key != "-") {
        assert_eq!(normalised_remote(&format!("https://{key}")).as_deref(), Some(key), "{remote}");
        assert_eq!(named_project(key), key, "an export names the key");
        for secret in ["secret", "token", "ana:", "p@ss", "@"] {
            assert!(!key.contains(secret), "{key}");
        }
    }
}

#[test]
fn a_mistyped_remotes_password_is_in_no_key() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join(".git")).unwrap();
    let mistyped: Vec<&str> =
        cases().into_iter().map(|(_, remote)| remote).filter(|remote| remote.contains('@')).collect();
    assert!(mistyped.len() > 20, "{}", mistyped.len());
    for remote in mistyped {
        let config = format!("[remote \"origin\"]\n\turl = {remote}\n");
        std::fs::write(dir.path().join(".git/config"), config).unwrap();
        let project = home::Project::at(dir.path()).unwrap();
        let mut keys = former_keys(&project);
        keys.extend([project_key(&project), named_project(remote)]);
        for key in keys {
            for secret in ["secret", "token", "sec/", "s/e", "ret@", "p@ss", "@"] {
                assert!(!key.contains(secret), "{key} of {remote}");
            }
        }
    }
    for key in ["github.com/acme/shop", "local/shop-0123456789abcdef", "shop"] {
        assert_eq!(named_project(key), key);
    }
}

#[test]
fn memories_of_an_earlier_version_are_found_by_its_key() {
    let dir = tempfile::tempdir().unwrap();
    let project = |config: &str| {
        std::fs::create_dir_all(dir.path().join(".git")).unwrap();
        std::fs::write(dir.path().join(".git/config"), config).unwrap();
        home::Project::at(dir.path()).unwrap()
    };
    let with = |remote: &str| format!("[remote \"origin\"]\n\turl = {remote}\n");
    for (remote, former) in [
        ("git@ssh.dev.azure.com:v3/Acme/web/shop", "ssh.dev.azure.com/v3/Acme/web/shop"),
        ("https://dev.azure.com/Acme/web/_git/shop", "dev.azure.com/Acme/web/_git/shop"),
        ("ssh://git@ssh.github.com:443/acme/shop.git", "ssh.github.com/acme/shop"),
    ] {
        assert_eq!(former_keys(&project(&with(remote))), [former], "{remote}");
    }
    for remote in ["https://github.com/Acme/Shop.git", "git@git.example.org:Team/App", "../app"] {
        assert!(former_keys(&project(&with(remote))).is_empty(), "{remote}");
    }
    assert!(former_keys(&project("")).is_empty());
    // What a mistyped remote had as its key is stored without what may be a password.
    for (remote, former) in [
        ("https://git.example.org/a/b@v1", "git.example.org/a/b@v1"),
        ("https://git.example.org/c/d@v1.git", "git.example.org/c/d@v1"),
        ("oauth2:token@gitlab.com:acme/shop.git", "oauth2/token@gitlab.com:acme/shop"),
        ("https://ana:sec/ret@github.com/acme/shop", "ana:sec/ret@github.com/acme/shop"),
        ("https://ana:sec/ret", "ana:sec/ret"),
    ] {
        let found = project(&with(remote));
        assert!(project_key(&found).starts_with("local/"), "{remote}");
        assert_eq!(former_keys(&found), [redacted_key(former).unwrap()], "{remote}");
    }
    for key in ["git.example.org/a/b@v1", "oauth2/token@gitlab.com:acme/shop"] {
        assert_eq!(Some(named_project(key)), redacted_key(key), "an export of an earlier version");
    }
    let short = project(
        "[url \"https://github.com/\"]\n\tinsteadOf = hub:\n[remote \"origin\"]\n\turl = hub:acme/shop\n",
    );
    assert_eq!(project_key(&short), "github.com/acme/shop");
    assert_eq!(former_keys(&short), ["hub/acme/shop"]);
    let mirror = project(
        "[url \"/srv/mirror/\"]\n\tinsteadOf = https://github.com/\n[remote \"origin\"]\n\turl = https://github.com/acme/shop\n",
    );
    assert_eq!(project_key(&mirror), "github.com/acme/shop");
    assert!(former_keys(&mirror).is_empty());
}

/// Agents make work trees for a branch each, and remove them.
#[test]
fn a_linked_work_tree_without_a_remote_is_its_repositorys() {
    let dir = tempfile::tempdir().unwrap();
    let (main, tree) = (dir.path().join("shop"), dir.path().join("shop-next"));
    let own = main.join(".git/worktrees/next");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::create_dir_all(&tree).unwrap();
    std::fs::write(own.join("commondir"), "../..\n").unwrap();
    std::fs::write(own.join("gitdir"), format!("{}\n", tree.join(".git").display())).unwrap();
    std::fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
    let (main, tree) = (home::Project::at(&main).unwrap(), home::Project::at(&tree).unwrap());
    assert_eq!(project_key(&tree), project_key(&main));
    assert!(project_key(&main).starts_with("local/shop-"));
    assert!(former_keys(&main).is_empty());
    // What was captured there under its own name is found in it as before.
    assert_eq!(former_keys(&tree), [format!("local/shop-next-{}", tree.id)]);
}
