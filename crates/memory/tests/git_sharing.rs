//! Two computers share through git: one bare repository, two clones, a store of its own on each.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;
use std::process::{Command, Output};

use home::Project;
use plimsoll_memory::actions::{
    ActionContext, Capture, RecallArgs, Update, capture, delete, read_shared, recall_memories, share,
    shared_problems, unshare, update,
};
use plimsoll_memory::store::Actor;
use serde_json::json;

const NOW: i64 = 1_800_000_000_000;
const TEXT: &str = "The catalogue is searched with Meilisearch";
/// The address that both have; git gets to the bare repository by it.
const ADDRESS: &str = "https://git.example.org/acme/shop.git";

struct Team {
    dir: tempfile::TempDir,
}

impl Team {
    /// Ana and Bo with a clone each; `None` where there is no git.
    fn new() -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            skipped::without("git", "memories are shared through a real repository");
            return None;
        }
        let team = Self { dir: tempfile::tempdir().unwrap() };
        let bare = team.path("shop.git").display().to_string();
        team.run(".", &["init", "-q", "--bare", "-b", "main", &bare]);
        for name in ["ana", "bo"] {
            std::fs::create_dir_all(team.path(name)).unwrap();
            team.run(name, &["clone", "-q", &bare, "shop"]);
            team.git(name, &["config", &format!("url.{bare}.insteadOf"), ADDRESS]);
            team.git(name, &["remote", "set-url", "origin", ADDRESS]);
            if name == "ana" {
                team.git(name, &["symbolic-ref", "HEAD", "refs/heads/main"]);
                std::fs::write(team.path("ana/shop/README.md"), "A shop\n").unwrap();
                team.push(name, "begin");
            }
        }
        Some(team)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn run(&self, folder: &str, args: &[&str]) -> Output {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"])
            .args(args)
            .current_dir(self.path(folder))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(
            done.status.success() || args[0] == "pull",
            "git {args:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        done
    }

    fn git(&self, name: &str, args: &[&str]) -> Output {
        self.run(&format!("{name}/shop"), args)
    }

    fn push(&self, name: &str, message: &str) {
        self.git(name, &["add", "-A"]);
        self.git(name, &["commit", "-q", "-m", message]);
        self.git(name, &["push", "-q", "-u", "origin", "HEAD"]);
    }

    /// Whether everything could be merged.
    fn pull(&self, name: &str) -> bool {
        self.git(name, &["pull", "-q", "--no-rebase", "--no-edit"]).status.success()
    }

    fn at(&self, name: &str) -> ActionContext {
        let project = Project::at(&self.path(&format!("{name}/shop"))).unwrap();
        let who = Actor { at_ms: NOW, client: Some("codex".into()), session: Some(name.into()) };
        ActionContext::in_project(&self.path(&format!("{name}/memory.db")), Some(&project), who)
    }

    fn note(&self, name: &str, content: &str) -> String {
        let given = Capture { content: content.into(), namespace: "decisions".into(), ..Capture::default() };
        capture(&self.at(name), &given).unwrap()["id"].as_str().unwrap().to_owned()
    }

    /// What is recalled there after its files were read, in the order of the letters.
    fn recalled(&self, name: &str) -> Vec<String> {
        read_shared(&self.at(name)).unwrap();
        let asked = RecallArgs { detail: Some("everything".into()), ..RecallArgs::default() };
        let found = recall_memories(&self.at(name), &asked).unwrap();
        let all = found["results"].as_array().unwrap().iter();
        let mut texts: Vec<String> = all.map(|one| one["content"].as_str().unwrap().to_owned()).collect();
        texts.sort_unstable();
        texts
    }

    fn only_id(&self, name: &str) -> String {
        let found = recall_memories(&self.at(name), &RecallArgs::default()).unwrap();
        assert_eq!(found["total"], 1, "{found}");
        found["results"][0]["id"].as_str().unwrap().to_owned()
    }

    fn change(&self, name: &str, id: &str, content: &str) {
        let given = Update { content: Some(content.into()), ..Update::default() };
        let changed = update(&self.at(name), id, &given).unwrap();
        assert!(changed["file"].is_string(), "{changed}");
    }
}

/// Ana has shared a memory, and Bo has it.
fn shared() -> Option<(Team, String)> {
    let team = Team::new()?;
    let id = team.note("ana", TEXT);
    share(&team.at("ana"), &id).unwrap();
    team.push("ana", "share");
    assert!(team.pull("bo"));
    assert_eq!((team.recalled("ana"), team.recalled("bo")), (vec![TEXT.to_owned()], vec![TEXT.to_owned()]));
    Some((team, id))
}

#[test]
fn a_shared_memory_that_both_change_reaches_the_other() {
    let Some((team, id)) = shared() else { return };
    for name in ["ana", "bo"] {
        assert_eq!(team.at(name).project.as_deref(), Some("git.example.org/acme/shop"));
    }
    // Nothing is changed by looking.
    assert_eq!(read_shared(&team.at("bo")).unwrap()["changed"], 0);
    let solr = "The catalogue is searched with Solr";
    team.change("ana", &id, solr);
    team.push("ana", "change");
    assert!(team.pull("bo"));
    assert_eq!(team.recalled("bo"), [solr]);
    let typesense = "The catalogue is searched with Typesense";
    team.change("bo", &team.only_id("bo"), typesense);
    team.push("bo", "change");
    assert!(team.pull("ana"));
    assert_eq!(
        (team.recalled("ana"), team.recalled("bo")),
        (vec![typesense.to_owned()], vec![typesense.to_owned()])
    );
}

#[test]
fn a_conflict_is_named_and_harms_nothing() {
    let Some((team, id)) = shared() else { return };
    let (solr, typesense) =
        ("The catalogue is searched with Solr", "The catalogue is searched with Typesense");
    team.change("bo", &team.only_id("bo"), typesense);
    team.push("bo", "change");
    team.change("ana", &id, solr);
    team.git("ana", &["commit", "-q", "-a", "-m", "change"]);
    assert!(!team.pull("ana"));
    // What was there before the merge still counts.
    assert_eq!(team.recalled("ana"), [solr]);
    let problems = shared_problems(&team.at("ana"));
    assert!(problems.len() == 1 && problems[0].1.contains("merge"), "{problems:?}");
    // Neither sharing nor a change writes over both sides.
    let file = team.path("ana/shop").join(&problems[0].0);
    let both = std::fs::read_to_string(&file).unwrap();
    assert!(share(&team.at("ana"), &id).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), both);
    // Once it's resolved, both have what was agreed on.
    team.git("ana", &["checkout", "-q", "--theirs", &problems[0].0]);
    team.push("ana", "merge");
    assert!(team.pull("bo"));
    assert_eq!(
        (team.recalled("ana"), team.recalled("bo")),
        (vec![typesense.to_owned()], vec![typesense.to_owned()])
    );
    assert!(shared_problems(&team.at("ana")).is_empty());
}

#[test]
fn what_is_no_longer_shared_or_deleted_for_good_goes_everywhere() {
    let Some((team, id)) = shared() else { return };
    unshare(&team.at("ana"), &id).unwrap();
    team.push("ana", "unshare");
    assert!(team.pull("bo"));
    assert_eq!((team.recalled("ana"), team.recalled("bo")), (vec![TEXT.to_owned()], Vec::new()));
    share(&team.at("ana"), &id).unwrap();
    team.push("ana", "share");
    assert!(team.pull("bo"));
    assert_eq!(team.recalled("bo"), [TEXT]);
    let removed = delete(&team.at("ana"), &id, true).unwrap();
    assert_eq!(removed["status"], json!("purged"), "{removed}");
    team.push("ana", "delete");
    assert!(team.pull("bo"));
    assert_eq!((team.recalled("ana"), team.recalled("bo")), (Vec::new(), Vec::<String>::new()));
}

#[test]
fn a_branch_has_its_own_files() {
    let Some((team, _)) = shared() else { return };
    let other = "The search runs on two servers";
    team.git("ana", &["checkout", "-q", "-b", "next"]);
    let id = team.note("ana", other);
    share(&team.at("ana"), &id).unwrap();
    team.push("ana", "on a branch");
    team.git("bo", &["fetch", "-q"]);
    for _ in 0..2 {
        team.git("bo", &["checkout", "-q", "next"]);
        assert_eq!(team.recalled("bo"), [TEXT, other]);
        team.git("bo", &["checkout", "-q", "main"]);
        assert_eq!(team.recalled("bo"), [TEXT]);
    }
    // Who wrote it has it on every branch.
    team.git("ana", &["checkout", "-q", "main"]);
    assert_eq!(team.recalled("ana"), [TEXT, other]);
}
