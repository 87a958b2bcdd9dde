//! A project's memories follow it when its remote is renamed, its folder moves or becomes a repository; another
//! repository never gets them.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};

use home::{Home, Project};
use plimsoll_memory::SYSTEM;
use plimsoll_memory::actions::{
    ActionContext, Capture, EntityArgs, PromptArgs, RecallArgs, capture, create_entity, delete,
    delete_entity, delete_prompt, get, get_entity, get_prompt, identity, join, recall_memories, save_prompt,
    separate, status,
};
use plimsoll_memory::prompts::Kind;
use plimsoll_memory::store::{Actor, MIGRATIONS, SqliteStore};
use plimsoll_memory::work_tree::WorkTree;
use serde_json::{Value, json};
use system::DataScope;

const NOW: i64 = 1_800_000_000_000;
const OLD: &str = "github.com/acme/shop";
const NEW: &str = "github.com/acme/store";

struct Computer {
    dir: tempfile::TempDir,
}

impl Computer {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A repository, or an existing one with another remote.
    fn repository(&self, name: &str, key: &str) {
        self.write(&format!("{name}/.git/HEAD"), "ref: refs/heads/main\n");
        self.write(
            &format!("{name}/.git/config"),
            &format!("[remote \"origin\"]\n\turl = https://{key}.git\n"),
        );
    }

    fn at(&self, name: &str) -> ActionContext {
        let project = Project::at(&self.path(name)).unwrap();
        let who = Actor { at_ms: NOW, client: Some("codex".into()), session: Some("s1".into()) };
        ActionContext::in_project(&self.path("memory.db"), Some(&project), who)
    }

    fn note(&self, name: &str, content: &str) -> String {
        let given = Capture { content: content.into(), namespace: "decisions".into(), ..Capture::default() };
        capture(&self.at(name), &given).unwrap()["id"].as_str().unwrap().to_owned()
    }

    /// What is recalled there, in the order of the letters; a search finds what a list has.
    fn recalled(&self, name: &str) -> Vec<String> {
        let context = self.at(name);
        let asked = |query: Option<&str>| {
            let asked = RecallArgs { query: query.map(str::to_owned), ..RecallArgs::default() };
            let found = recall_memories(&context, &asked).unwrap();
            let content = |one: &Value| one["content"].as_str().unwrap().to_owned();
            let mut all: Vec<String> = found["results"].as_array().unwrap().iter().map(content).collect();
            all.sort_unstable();
            all
        };
        let listed = asked(None);
        assert_eq!(asked(Some("walrus")), listed, "{name}");
        listed
    }

    fn project_of(&self, name: &str, id: &str) -> Value {
        get(&self.at(name), id).unwrap()["project"].clone()
    }
}

const FIRST: &str = "the first walrus";
const SECOND: &str = "the second walrus";

#[test]
fn the_memories_of_a_renamed_remote_follow_and_both_names_find_them() {
    let computer = Computer::new();
    computer.repository("shop", OLD);
    let first = computer.note("shop", FIRST);
    assert_eq!(status(&computer.at("shop")).unwrap()["identity"], Value::Null);
    computer.repository("shop", NEW);
    assert_eq!(computer.recalled("shop"), [FIRST]);
    let told = status(&computer.at("shop")).unwrap()["identity"].clone();
    assert_eq!(told["also"], json!([OLD]), "{told}");
    assert!(told["undo"].as_str().unwrap().ends_with(&format!("identity separate {OLD}")), "{told}");
    // What is new has the new name, and nothing was moved.
    let second = computer.note("shop", SECOND);
    assert_eq!(computer.project_of("shop", &first), OLD);
    assert_eq!(computer.project_of("shop", &second), NEW);
    // Another clone of either name, and a worktree.
    computer.repository("clone", NEW);
    computer.repository("older", OLD);
    computer.write("shop/.git/worktrees/next/commondir", "../..\n");
    let pointer = format!("gitdir: {}\n", computer.path("shop/.git/worktrees/next").display());
    computer.write("next/.git", &pointer);
    for name in ["shop", "clone", "older", "next"] {
        assert_eq!(computer.recalled(name), [FIRST, SECOND], "{name}");
    }
    // It can be changed from there.
    delete(&computer.at("clone"), &first, false).unwrap();
    assert_eq!(computer.recalled("older"), [SECOND]);
}

/// An `@` in a path may be the end of a password, so such a remote no longer names a shared project.
#[test]
fn memories_of_a_remote_with_an_at_sign_are_still_found() {
    let computer = Computer::new();
    computer.repository("shop", "git.example.org/a/b@v1");
    computer.repository("other", "git.example.org/c/d@v1");
    let database = computer.path("memory.db");
    let older = home::open_db(&database, &MIGRATIONS[..8]).unwrap();
    older
        .execute_batch(&format!(
            "INSERT INTO memories(id, namespace, domain, status, project, created_ms, trust, version, updated_ms, hash, content)
             VALUES ('aaaaaaaa', 'decisions', 'project', 'active', 'git.example.org/a/b@v1', {NOW}, 'user', 1, {NOW}, x'00', '{FIRST}'),
                    ('bbbbbbbb', 'decisions', 'project', 'active', 'git.example.org/c/d@v1', {NOW}, 'user', 1, {NOW}, x'01', '{SECOND}');"
        ))
        .unwrap();
    drop(older);
    drop(SqliteStore::open(&database).unwrap());
    assert_eq!(computer.recalled("shop"), [FIRST]);
    assert_eq!(computer.recalled("other"), [SECOND]);
    let told = status(&computer.at("shop")).unwrap()["identity"].to_string();
    assert!(!told.contains('@'), "{told}");
}

#[test]
fn names_are_separated_and_joined_as_the_user_says() {
    let computer = Computer::new();
    computer.repository("shop", OLD);
    computer.note("shop", FIRST);
    computer.repository("shop", NEW);
    computer.note("shop", SECOND);
    let listed = identity(&computer.at("shop")).unwrap();
    assert_eq!(
        (&listed["project_id"], &listed["also"][0]["project"]),
        (&json!(NEW), &json!(OLD)),
        "{listed}"
    );
    assert_eq!((&listed["memories"], &listed["also"][0]["memories"]), (&json!(1), &json!(1)), "{listed}");
    separate(&computer.at("shop"), OLD).unwrap();
    computer.repository("older", OLD);
    assert_eq!(
        (computer.recalled("shop"), computer.recalled("older")),
        (vec![SECOND.to_owned()], vec![FIRST.to_owned()])
    );
    // Back and forth again: what was separated stays apart.
    computer.repository("shop", OLD);
    computer.note("shop", "a third walrus");
    computer.repository("shop", NEW);
    computer.note("shop", "a fourth walrus");
    assert_eq!(computer.recalled("shop"), ["a fourth walrus", SECOND]);
    assert!(separate(&computer.at("shop"), OLD).is_err());
    join(&computer.at("shop"), OLD).unwrap();
    assert_eq!(computer.recalled("shop").len(), 4);
    assert_eq!(computer.recalled("older").len(), 4);
    let unknown = join(&computer.at("shop"), "github.com/acme/none").unwrap_err().message;
    assert!(unknown.contains(OLD), "{unknown}");
}

#[test]
fn a_third_name_keeps_both_and_each_is_separated_alone() {
    let computer = Computer::new();
    let third = "gitlab.com/acme/store";
    computer.repository("shop", OLD);
    computer.note("shop", "walrus one");
    computer.repository("shop", NEW);
    computer.note("shop", "walrus two");
    computer.repository("shop", third);
    assert_eq!(computer.recalled("shop"), ["walrus one", "walrus two"]);
    computer.note("shop", "walrus three");
    separate(&computer.at("shop"), NEW).unwrap();
    assert_eq!(computer.recalled("shop"), ["walrus one", "walrus three"]);
    computer.repository("clone", NEW);
    assert_eq!(computer.recalled("clone"), ["walrus two"]);
}

#[test]
fn a_folder_that_moves_or_becomes_a_repository_keeps_its_memories() {
    let computer = Computer::new();
    computer.write("shop/a.txt", "a");
    computer.note("shop", FIRST);
    std::fs::rename(computer.path("shop"), computer.path("moved")).unwrap();
    assert_eq!(computer.recalled("moved"), [FIRST]);
    computer.note("moved", SECOND);
    // Another folder that uses the path from before is another project.
    computer.write("shop/a.txt", "a");
    assert!(!computer.recalled("shop").contains(&SECOND.to_owned()));
    computer.note("shop", "a walrus of another shop");
    assert_eq!(computer.recalled("shop"), ["a walrus of another shop"]);
    computer.write("moved/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(computer.recalled("moved"), [FIRST, SECOND]);
    // Its first remote.
    computer.repository("moved", NEW);
    assert_eq!(computer.recalled("moved"), [FIRST, SECOND]);
    computer.note("moved", "a third walrus");
    computer.repository("clone", NEW);
    assert_eq!(computer.recalled("clone").len(), 3);
}

fn prompt() -> PromptArgs {
    PromptArgs {
        name: "release".into(),
        content: Some("Release {{version}}".into()),
        domain: Some("project".into()),
        ..PromptArgs::default()
    }
}

fn entity() -> EntityArgs {
    EntityArgs {
        name: Some("Zebulonia".into()),
        entity_type: Some("Technology".into()),
        ..EntityArgs::default()
    }
}

/// Whether the prompt and the entity are there.
fn has_both(context: &ActionContext) -> (bool, bool) {
    (get_prompt(context, Kind::Prompt, &prompt()).is_ok(), get_entity(context, &entity()).is_ok())
}

#[test]
fn memories_under_an_earlier_name_can_be_deleted() {
    let computer = Computer::new();
    computer.repository("shop", OLD);
    save_prompt(&computer.at("shop"), Kind::Prompt, &prompt()).unwrap();
    create_entity(&computer.at("shop"), &entity()).unwrap();
    computer.repository("shop", NEW);
    assert_eq!(has_both(&computer.at("shop")), (true, true));
    delete_prompt(&computer.at("shop"), Kind::Prompt, &prompt()).unwrap();
    delete_entity(&computer.at("shop"), &entity()).unwrap();
    assert_eq!(has_both(&computer.at("shop")), (false, false));
}

#[test]
fn prompts_and_entities_go_with_a_folder_that_moves() {
    let computer = Computer::new();
    computer.write("shop/a.txt", "a");
    save_prompt(&computer.at("shop"), Kind::Prompt, &prompt()).unwrap();
    create_entity(&computer.at("shop"), &entity()).unwrap();
    std::fs::rename(computer.path("shop"), computer.path("moved")).unwrap();
    assert_eq!(has_both(&computer.at("moved")), (true, true));
    computer.note("moved", FIRST);
    // Another folder is at its path now.
    computer.write("shop/a.txt", "a");
    computer.note("shop", SECOND);
    assert_eq!(has_both(&computer.at("moved")), (true, true));
    assert_eq!(has_both(&computer.at("shop")), (false, false));
}

#[test]
fn prompts_saved_after_a_move_follow_the_folder_too() {
    let computer = Computer::new();
    computer.write("shop/a.txt", "a");
    let save = |name: &str, content: &str| {
        let given = PromptArgs { content: Some(content.into()), ..prompt() };
        save_prompt(&computer.at(name), Kind::Prompt, &given).unwrap()["version"].clone()
    };
    let first = save("shop", "one");
    std::fs::rename(computer.path("shop"), computer.path("moved")).unwrap();
    assert_eq!([first, save("moved", "two")], [1, 2]);
    // Another folder is at its path now.
    computer.write("shop/a.txt", "a");
    assert_eq!([save("shop", "another one"), save("moved", "three")], [1, 3]);
}

/// What a folder had before its first remote is the remote's; what a later folder at its path has isn't.
#[test]
fn a_new_folder_at_an_old_path_shares_nothing_with_clones() {
    let computer = Computer::new();
    computer.write("shop/a.txt", "a");
    computer.note("shop", FIRST);
    save_prompt(&computer.at("shop"), Kind::Prompt, &prompt()).unwrap();
    computer.repository("shop", NEW);
    computer.note("shop", SECOND);
    computer.repository("clone", NEW);
    assert_eq!(computer.recalled("clone"), [FIRST, SECOND]);
    std::fs::remove_dir_all(computer.path("shop")).unwrap();
    computer.write("shop/a.txt", "a");
    computer.note("shop", "a walrus of another shop");
    assert_eq!(computer.recalled("shop"), ["a walrus of another shop"]);
    assert_eq!(computer.recalled("clone"), [FIRST, SECOND]);
    assert_eq!((has_both(&computer.at("clone")).0, has_both(&computer.at("shop")).0), (true, false));
}

/// A folder is recorded before its project has any memory.
#[test]
fn a_purge_leaves_no_trace_of_a_project_without_memories() {
    let computer = Computer::new();
    computer.repository("shop", OLD);
    save_prompt(&computer.at("shop"), Kind::Prompt, &prompt()).unwrap();
    let tree = WorkTree::of(&Project::at(&computer.path("shop")).unwrap()).unwrap();
    let seen = || {
        let store = SqliteStore::open(&computer.path("memory.db")).unwrap();
        store.seen_trees(&tree).unwrap().len()
    };
    assert_eq!(seen(), 1);
    let home = Home::at(computer.dir.path().to_owned());
    let purge = SYSTEM.purge.unwrap();
    (purge.delete)(&home, &DataScope::Project(computer.path("shop"))).unwrap();
    assert_eq!(seen(), 0);
}

#[test]
fn another_repository_never_gets_them() {
    let computer = Computer::new();
    computer.repository("shop", OLD);
    computer.note("shop", FIRST);
    let none = |name: &str| assert!(computer.recalled(name).is_empty(), "{name}");
    // A fork beside it, and a copy of its folder with another remote.
    computer.repository("fork", "github.com/ana/shop");
    none("fork");
    copy(&computer.path("shop"), &computer.path("copy"));
    computer.repository("copy", "github.com/bo/shop");
    none("copy");
    // Another repository in the same folder.
    std::fs::remove_dir_all(computer.path("shop/.git")).unwrap();
    computer.repository("shop", "github.com/acme/other");
    none("shop");
    // Another folder at its path.
    std::fs::remove_dir_all(computer.path("shop")).unwrap();
    computer.repository("shop", "github.com/acme/another");
    none("shop");
    computer.note("shop", SECOND);
    computer.repository("back", OLD);
    assert_eq!(computer.recalled("back"), [FIRST]);
}

#[test]
fn a_copy_without_a_remote_is_a_separate_project() {
    let computer = Computer::new();
    computer.write("shop/.git/HEAD", "ref: refs/heads/main\n");
    computer.note("shop", FIRST);
    copy(&computer.path("shop"), &computer.path("copy"));
    assert!(computer.recalled("copy").is_empty());
    std::fs::remove_dir_all(computer.path("shop")).unwrap();
    assert!(computer.recalled("copy").is_empty());
}

#[test]
fn recognising_a_project_writes_nothing() {
    let computer = Computer::new();
    computer.repository("shop", OLD);
    computer.note("shop", FIRST);
    computer.repository("shop", NEW);
    let before = std::fs::read(computer.path("memory.db")).unwrap();
    for _ in 0..2 {
        assert_eq!(computer.recalled("shop"), [FIRST]);
        status(&computer.at("shop")).unwrap();
        identity(&computer.at("shop")).unwrap();
    }
    assert_eq!(std::fs::read(computer.path("memory.db")).unwrap(), before);
}

#[test]
fn memories_under_another_form_of_the_remote_are_found() {
    let computer = Computer::new();
    computer.repository("shop", OLD);
    let before = "ssh.dev.azure.com/v3/Acme/web/shop";
    let filed = ActionContext { project: Some(before.into()), ..computer.at("shop") };
    let given = Capture { content: FIRST.into(), namespace: "decisions".into(), ..Capture::default() };
    capture(&filed, &given).unwrap();
    computer
        .write("web/.git/config", "[remote \"origin\"]\n\turl = git@ssh.dev.azure.com:v3/Acme/web/shop\n");
    assert_eq!(computer.recalled("web"), [FIRST]);
    separate(&computer.at("web"), before).unwrap();
    assert!(computer.recalled("web").is_empty());
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
