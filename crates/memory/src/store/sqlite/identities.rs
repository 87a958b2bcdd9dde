//! Which work trees were seen as which project, and which keys are one project.

use std::path::PathBuf;

use rusqlite::{CachedStatement, Connection};

use super::SqliteStore;
use crate::domain::is_shared_project;
use crate::store::Result;
use crate::work_tree::{KeyPair, SeenTree, WorkTree, same_project};

impl SqliteStore {
    /// The records of this work tree's path, and of its folder elsewhere.
    ///
    /// # Errors
    /// If the database fails.
    pub fn seen_trees(&self, tree: &WorkTree) -> Result<Vec<SeenTree>> {
        // A path that isn't text can't be told from another one like it.
        let Some(root) = tree.root.to_str() else { return Ok(Vec::new()) };
        self.look(|db| {
            let select = "SELECT root, project, folder, git FROM trees WHERE root = ?1 OR folder = ?2";
            let Some(mut select) = prepare_if_there(db, select)? else { return Ok(Vec::new()) };
            select
                .query_map((root, &tree.folder), |r| {
                    Ok(SeenTree {
                        root: PathBuf::from(r.get::<_, String>(0)?),
                        key: r.get(1)?,
                        folder: r.get(2)?,
                        git: r.get(3)?,
                    })
                })?
                .collect()
        })
    }

    /// The keys that are one project, and those that the user separated.
    ///
    /// # Errors
    /// If the database fails.
    pub fn key_pairs(&self) -> Result<Vec<KeyPair>> {
        self.look(|db| {
            let select = "SELECT one, other, apart, folder FROM same_projects";
            let Some(mut select) = prepare_if_there(db, select)? else { return Ok(Vec::new()) };
            select
                .query_map([], |r| {
                    Ok(KeyPair { keys: [r.get(0)?, r.get(1)?], apart: r.get(2)?, folder: r.get(3)? })
                })?
                .collect()
        })
    }

    /// Records a work tree as it is now. If it had another key before, both are one project from now on, unless the user
    /// separated them.
    ///
    /// # Errors
    /// If the database fails.
    pub fn record_tree(&mut self, tree: &WorkTree, at_ms: i64) -> Result<()> {
        let Some(root) = tree.root.to_str() else { return Ok(()) };
        let seen = self.seen_trees(tree)?;
        if tree.is_recorded(&seen) {
            return Ok(());
        }
        let before = tree.predecessor(&seen).cloned();
        let pairs = self.key_pairs()?;
        Ok(home::write(&mut self.db, |db| {
            if let Some(before) = &before {
                // Projects that the user separated stay separate.
                let apart = pairs.iter().any(|pair| pair.apart && pair.is_of(&tree.key, &before.key));
                for other in same_project(&before.key, Some(tree.folder.as_str()), &pairs)
                    .into_iter()
                    .filter(|_| !apart)
                {
                    put(
                        db,
                        (tree.key.as_str(), other.as_str()),
                        false,
                        (tree.folder.as_str(), at_ms),
                        "DO NOTHING",
                    )?;
                }
                if before.root != tree.root {
                    db.execute("DELETE FROM trees WHERE root = ?1", [before.root.to_str()])?;
                }
            }
            for pair in pairs.iter().filter(|pair| !is_shared_project(&tree.key) && !pair.apart) {
                leave_to_moved(db, tree, root, pair, at_ms)?;
            }
            db.execute(
                "INSERT OR REPLACE INTO trees(root, folder, git, project) VALUES(?1, ?2, ?3, ?4)",
                (root, &tree.folder, &tree.git, &tree.key),
            )
            .map(|_| ())
        })?)
    }

    /// Makes a key the same project as another, or separates it from that and from every key that is.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_same_project(&mut self, key: &str, others: &[String], apart: bool, at_ms: i64) -> Result<()> {
        Ok(home::write(&mut self.db, |db| {
            others.iter().try_for_each(|other| {
                put(
                    db,
                    (key, other.as_str()),
                    apart,
                    ("", at_ms),
                    "DO UPDATE SET apart = excluded.apart, folder = excluded.folder, at_ms = excluded.at_ms",
                )
            })
        })?)
    }
}

/// What was stored under the first key gets the second: memories, prompts and entities with their names, and what was
/// removed for good doesn't come back. A prompt or an entity that the second has as well stays where it is.
const MOVE_STEPS: &[&str] = &[
    "UPDATE memories SET project = ?2 WHERE domain = 'project' AND project = ?1",
    "UPDATE prompts SET project = ?2 WHERE project = ?1
        AND kind || '/' || name NOT IN (SELECT kind || '/' || name FROM prompts WHERE project = ?2)",
    "UPDATE OR IGNORE entities SET project = ?2 WHERE project = ?1",
    "UPDATE OR IGNORE names SET project = ?2 WHERE project = ?1
        AND entity IN (SELECT row FROM entities WHERE project = ?2)",
    "DELETE FROM names WHERE project = ?1 AND entity IN (SELECT row FROM entities WHERE project = ?2)",
    "INSERT OR IGNORE INTO purged SELECT ?2, id, hash FROM purged WHERE project = ?1",
];

/// A local key is a path. If another folder is there now, what the one before had goes with it where it moved. If that has
/// or had a remote, it gets a key of its own, which is still the remote's project: otherwise each clone got what is captured
/// in the new folder, and what others save under the remote took the place of its prompts.
fn leave_to_moved(
    db: &Connection,
    tree: &WorkTree,
    root: &str,
    pair: &KeyPair,
    at_ms: i64,
) -> rusqlite::Result<()> {
    let [one, other] = &pair.keys;
    let moved_to = if *one == tree.key { other } else { one };
    if !pair.keys.contains(&tree.key) || pair.folder.is_empty() || pair.folder == tree.folder {
        return Ok(());
    }
    let is_elsewhere: bool = db.query_row(
        "SELECT EXISTS (SELECT 1 FROM trees WHERE folder = ?1 AND project = ?2 AND root <> ?3)",
        (&pair.folder, moved_to, root),
        |r| r.get(0),
    )?;
    // The name that's shown of a key ends at its last hyphen.
    let own_key = format!("{}.{}", tree.key, pair.folder.replace('-', "."));
    let new_key = if is_shared_project(moved_to) {
        &own_key
    } else if is_elsewhere {
        moved_to
    } else {
        return Ok(());
    };
    for step in MOVE_STEPS {
        db.execute(step, (&tree.key, new_key))?;
    }
    db.execute("DELETE FROM same_projects WHERE one = ?1 AND other = ?2", (one, other))?;
    let mut is_own_used = *new_key == own_key;
    if !is_own_used && has_more(db, &tree.key)? {
        // If it was saved again under the other key, that one stays, and this becomes its earlier version.
        for step in MOVE_STEPS {
            db.execute(step, (&tree.key, &own_key))?;
        }
        is_own_used = true;
    }
    if is_own_used {
        put(db, (own_key.as_str(), moved_to.as_str()), false, (pair.folder.as_str(), at_ms), "DO NOTHING")?;
    }
    Ok(())
}

/// Whether prompts or entities are still under a key.
fn has_more(db: &Connection, key: &str) -> rusqlite::Result<bool> {
    db.query_row(
        "SELECT EXISTS (SELECT 1 FROM prompts WHERE project = ?1) OR EXISTS (SELECT 1 FROM entities WHERE project = ?1)",
        [key],
        |r| r.get(0),
    )
}

fn put(
    db: &Connection,
    (one, other): (&str, &str),
    apart: bool,
    (folder, at_ms): (&str, i64),
    conflict: &str,
) -> rusqlite::Result<()> {
    if one == other {
        return Ok(());
    }
    let (first, second) = if one < other { (one, other) } else { (other, one) };
    db.execute(
        &format!(
            "INSERT INTO same_projects(one, other, apart, folder, at_ms) VALUES(?1, ?2, ?3, ?4, ?5)
             ON CONFLICT(one, other) {conflict}"
        ),
        (first, second, apart, folder, at_ms),
    )
    .map(|_| ())
}

/// The statement, unless its table is missing: a reader may come before the first writer.
fn prepare_if_there<'db>(db: &'db Connection, sql: &str) -> rusqlite::Result<Option<CachedStatement<'db>>> {
    match db.prepare_cached(sql) {
        Ok(statement) => Ok(Some(statement)),
        Err(error) if error.to_string().contains("no such table") => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Record, RecordKind};
    use crate::prompts::{Kind, Saved};
    use crate::query::{ProjectKeys, Scope};
    use crate::store::{Checked, Secrets, Store as _};

    const LOCAL: &str = "local/shop-1";
    const REMOTE: &str = "example.org/acme/shop";

    fn tree(root: &str, key: &str, folder: &str) -> WorkTree {
        WorkTree { root: root.into(), key: key.into(), former: Vec::new(), folder: folder.into(), git: None }
    }

    #[test]
    fn what_others_save_leaves_what_a_folder_had_before_its_remote() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        let saved = Saved {
            kind: Kind::Prompt,
            domain: Domain::Project,
            name: "t".into(),
            version: 0,
            description: None,
            content: "one".into(),
            variables: Vec::new(),
            tags: Vec::new(),
            format: None,
            created_ms: 1,
        };
        let saved = Checked::new(saved, Secrets::Redact).unwrap();
        store.record_tree(&tree("/a", LOCAL, "f1"), 1).unwrap();
        store.save_prompt(&Scope::Project(LOCAL.into()), &saved).unwrap();
        // It gets a remote, is at another path, and another folder is where it was.
        store.record_tree(&tree("/a", REMOTE, "f1"), 2).unwrap();
        store.record_tree(&tree("/b", REMOTE, "f1"), 3).unwrap();
        store.record_tree(&tree("/a", LOCAL, "f2"), 4).unwrap();
        let record = Record {
            place: REMOTE.into(),
            kind: RecordKind::Prompt,
            key: "prompt/t/5/1".into(),
            body: Some(r#"{"content":"two","created_ms":5}"#.into()),
            at_ms: 5,
        };
        store.put_records(&[record]).unwrap();
        let versions = |scope: &Scope| -> Vec<String> {
            let all = store.prompt_versions(scope, (Kind::Prompt, "t"), Domain::Project).unwrap();
            all.into_iter().map(|one| one.content).collect()
        };
        let keys = same_project(REMOTE, Some("f1"), &store.key_pairs().unwrap());
        let keys = ProjectKeys::new(REMOTE, keys.into_iter().collect());
        assert_eq!(versions(&Scope::Project(keys)), ["two", "one"]);
        assert!(versions(&Scope::Project(LOCAL.into())).is_empty());
    }
}
