//! Shared memories that replace each other: on the computer of who wrote them, of who read them, and on their branches.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use std::path::{Path, PathBuf};

use place::{NOW, Place, contents, noted, only_file};
use plimsoll_memory::actions::{
    ActionContext, Capture, Consolidate, Update, capture, consolidate, delete, get, read_shared, restore,
    share, unshare, update,
};
use plimsoll_memory::store::Actor;
use serde_json::{Value, json};

const OLD: &str = "Sessions live 10 minutes because of the SLA";
const NEW: &str = "Sessions live 45 minutes since the new contract";

/// The same project on another computer.
fn second(place: &Place) -> ActionContext {
    std::fs::create_dir_all(place.path("second")).unwrap();
    ActionContext { database: place.path("second/memory.db"), ..place.context() }
}

fn instead_of(context: &ActionContext, old: &str, content: &str) -> Value {
    let given = Capture {
        content: content.into(),
        namespace: "decisions".into(),
        supersedes: vec![old.into()],
        ..Capture::default()
    };
    capture(context, &given).unwrap()
}

fn id_of(reply: &Value) -> String {
    reply["id"].as_str().unwrap().to_owned()
}

fn in_use(context: &ActionContext) -> Vec<String> {
    read_shared(context).unwrap();
    contents(context, "status:active")
}

/// The file that was shared, by its reply.
fn file(place: &Place, reply: &Value) -> PathBuf {
    place.path("shop").join(reply["file"].as_str().unwrap())
}

/// A memory shared by one computer, and the other one that has read it.
fn shared() -> (Place, ActionContext, ActionContext, String) {
    let place = Place::new();
    let (one, two) = (place.context(), second(&place));
    let id = noted(&one, OLD, "decisions");
    share(&one, &id).unwrap();
    assert_eq!((in_use(&one), in_use(&two)), (vec![OLD.to_owned()], vec![OLD.to_owned()]));
    (place, one, two, id)
}

fn hide(path: &Path) -> PathBuf {
    let aside = path.with_extension("aside");
    std::fs::rename(path, &aside).unwrap();
    aside
}

#[test]
fn what_was_replaced_is_replaced_for_the_team() {
    let (place, one, two, id) = shared();
    let new = instead_of(&one, &id, NEW);
    // The file of the old one is named as long as nothing in the repository replaces it.
    let named = only_file(&place).file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(new["still_in_repository"], json!([format!(".plimsoll/memories/{named}")]));
    assert_eq!(in_use(&two), [OLD]);
    let new = file(&place, &share(&one, &id_of(&new)).unwrap());
    let written = std::fs::read_to_string(&new).unwrap();
    assert!(written.contains(&format!("supersedes: [\"{id}\"]\n")), "{written}");
    assert_eq!((in_use(&one), in_use(&two)), (vec![NEW.to_owned()], vec![NEW.to_owned()]));
    // Whoever comes later never has it.
    let third = ActionContext { database: place.path("third.db"), ..place.context() };
    assert_eq!(in_use(&third), [NEW]);
    assert_eq!(contents(&third, "status:any"), [NEW]);
    let again = read_shared(&two).unwrap();
    assert_eq!((&again["read"], &again["changed"], &again["gone"]), (&json!(2), &json!(0), &json!(0)));
    // On a branch without the new file the old one counts, but for who replaced it.
    for _ in 0..2 {
        let aside = hide(&new);
        assert_eq!((in_use(&one), in_use(&two)), (vec![NEW.to_owned()], vec![OLD.to_owned()]));
        std::fs::rename(aside, &new).unwrap();
        assert_eq!((in_use(&one), in_use(&two)), (vec![NEW.to_owned()], vec![NEW.to_owned()]));
    }
}

#[test]
fn what_a_colleague_replaces_is_replaced_for_its_author_and_back_on_another_branch() {
    let (place, one, two, id) = shared();
    // The id in the file finds it here, where it has another one.
    let theirs = get(&two, &id).unwrap();
    assert_ne!(theirs["id"], json!(id));
    assert_eq!(get(&two, &id[..8]).unwrap()["id"], theirs["id"]);
    assert_eq!(get(&two, &format!("subcog://project/decisions/{id}")).unwrap()["id"], theirs["id"]);
    assert!(get(&two, &format!("subcog://project/patterns/{id}")).is_err());
    let new = instead_of(&two, &id, NEW);
    let new = file(&place, &share(&two, &id_of(&new)).unwrap());
    let written = std::fs::read_to_string(&new).unwrap();
    assert!(written.contains(&format!("supersedes: [\"{id}\"]\n")), "the id in the file: {written}");
    assert_eq!((in_use(&one), in_use(&two)), (vec![NEW.to_owned()], vec![NEW.to_owned()]));
    assert_eq!(get(&one, &id).unwrap()["status"], "superseded");
    for _ in 0..2 {
        let aside = hide(&new);
        assert_eq!(in_use(&one), [OLD]);
        std::fs::rename(aside, &new).unwrap();
        assert_eq!(in_use(&one), [NEW]);
    }
    // A change of the new one keeps what it replaces, whoever makes it.
    let text = "Sessions live 60 minutes since the new contract";
    let mine = get(&one, &new_id(&written)).unwrap();
    let changed = update(&one, &id_of(&mine), &Update { content: Some(text.into()), ..Update::default() });
    assert!(changed.unwrap()["file"].is_string());
    let written = std::fs::read_to_string(&new).unwrap();
    assert!(written.contains("supersedes: ") && written.contains(text), "{written}");
    assert_eq!(in_use(&two), [text]);
}

fn new_id(written: &str) -> String {
    written.lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned()
}

/// The user deleted the new one, and that doesn't bring the old one back. But a file takes nothing away for good.
#[test]
fn what_a_file_replaced_comes_back_with_its_end_and_when_it_is_restored() {
    for is_restored in [false, true] {
        let (place, one, two, id) = shared();
        let new = file(&place, &share(&two, &id_of(&instead_of(&two, &id, NEW))).unwrap());
        assert_eq!(in_use(&one), [NEW]);
        let refused = restore(&one, &id).unwrap_err().message;
        assert!(refused.contains("was replaced by one that's in use"), "{refused}");
        let theirs = get(&one, &new_id(&std::fs::read_to_string(&new).unwrap())).unwrap();
        delete(&one, &id_of(&theirs), false).unwrap();
        assert_eq!(in_use(&one), Vec::<String>::new());
        if is_restored {
            assert_eq!(restore(&one, &id).unwrap()["status"], "active");
            assert_eq!(in_use(&one), [OLD]);
        }
        let aside = hide(&new);
        assert_eq!(in_use(&one), [OLD]);
        std::fs::rename(aside, &new).unwrap();
        assert_eq!(in_use(&one), [OLD], "what was deleted replaces nothing");
    }
}

#[test]
fn a_file_that_no_longer_names_it_replaces_it_no_longer() {
    let (place, one, two, id) = shared();
    let new = file(&place, &share(&two, &id_of(&instead_of(&two, &id, NEW))).unwrap());
    let text = std::fs::read_to_string(&new).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with("supersedes: ")).collect();
    for _ in 0..2 {
        assert_eq!(in_use(&one), [NEW]);
        // As on another branch, where the file is older.
        std::fs::write(&new, without.join("\n") + "\n").unwrap();
        assert_eq!(in_use(&one), [OLD, NEW]);
        std::fs::write(&new, &text).unwrap();
    }
    // What the user replaced meanwhile stays so.
    assert_eq!(in_use(&one), [NEW]);
    let mine = instead_of(&one, &id, "Sessions live until noon in the shop of the test");
    let last = "Sessions live until midnight in the shop of the test";
    instead_of(&one, &id_of(&mine), last);
    assert_eq!(in_use(&one), [NEW, last]);
    std::fs::write(&new, without.join("\n") + "\n").unwrap();
    assert_eq!(in_use(&one), [NEW, last]);
    hide(&new);
    assert_eq!(in_use(&one), [last]);
}

#[test]
fn ids_in_files_that_begin_alike_name_no_memory() {
    let place = Place::new();
    let one = place.context();
    for number in [1, 2] {
        let text =
            format!("---\nid: 0123456789abcdef{number}\nnamespace: decisions\n---\nThis is rule {number}\n");
        place.write(&format!("shop/.plimsoll/memories/{number}.md"), &text);
    }
    assert_eq!(in_use(&one), ["This is rule 1", "This is rule 2"]);
    let refused = delete(&one, "0123456789", false).unwrap_err().message;
    assert!(refused.contains("2 shared files"), "{refused}");
    delete(&one, "0123456789abcdef2", false).unwrap();
    assert_eq!(in_use(&one), ["This is rule 1"]);
    // One in use comes before those that aren't.
    assert_eq!(get(&one, "0123456789").unwrap()["content"], "This is rule 1");
}

#[test]
fn a_replacement_that_cannot_be_read_still_replaces() {
    let (place, one, two, id) = shared();
    let new = file(&place, &share(&one, &id_of(&instead_of(&one, &id, NEW))).unwrap());
    assert_eq!(in_use(&two), [NEW]);
    let text = std::fs::read_to_string(&new).unwrap();
    std::fs::write(&new, text.replace(NEW, "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x")).unwrap();
    assert_eq!(in_use(&two), [NEW], "its text from before");
    // Neither does an end bring back what was replaced.
    std::fs::write(&new, text.replace("created:", "expires: 2020-01-01T00:00:00Z\ncreated:")).unwrap();
    assert_eq!(in_use(&two), Vec::<String>::new());
    // In a loop, as a merge can make one, both count.
    std::fs::write(&new, &text).unwrap();
    let loop_of_two =
        format!("---\nid: {id}\nnamespace: decisions\nsupersedes: {}\n---\n{OLD}\n", new_id(&text));
    let old = place.path("shop/.plimsoll/memories");
    let old = std::fs::read_dir(old).unwrap().map(|entry| entry.unwrap().path()).find(|path| *path != new);
    std::fs::write(old.unwrap(), loop_of_two).unwrap();
    assert_eq!(in_use(&two), [OLD, NEW]);
}

#[test]
fn another_projects_files_replace_nothing_here() {
    let (place, one, _, id) = shared();
    let fork = format!("---\nid: 0123456789abcdef\nnamespace: decisions\nsupersedes: {id}\n---\n{NEW}\n");
    place.write("fork/.plimsoll/memories/x.md", &fork);
    let fork = ActionContext {
        root: Some(place.path("fork")),
        project: Some("github.com/evil/fork".into()),
        ..one.clone()
    };
    assert_eq!(in_use(&fork), [NEW]);
    assert_eq!(
        (in_use(&one), get(&one, &id).unwrap()["status"].clone()),
        (vec![OLD.to_owned()], json!("active"))
    );
    assert!(get(&one, "0123456789abcdef").is_err());
}

#[test]
fn what_is_restored_replaces_again_what_was_restored_meanwhile() {
    let place = Place::new();
    let one = place.context();
    let old = noted(&one, OLD, "decisions");
    let new = id_of(&instead_of(&one, &old, NEW));
    delete(&one, &new, false).unwrap();
    assert_eq!(restore(&one, &old).unwrap()["status"], "active");
    assert_eq!(restore(&one, &new).unwrap()["replaced_again"], json!([old]));
    assert_eq!(contents(&one, "status:active"), [NEW]);
    // Also where there was another one between them.
    let newest = id_of(&instead_of(&one, &new, "The newest of them"));
    delete(&one, &newest, false).unwrap();
    assert_eq!(restore(&one, &old).unwrap()["status"], "active");
    assert_eq!(restore(&one, &newest).unwrap()["replaced_again"], json!([old]));
    assert_eq!(contents(&one, "status:active"), ["The newest of them"]);
}

/// As after somebody copied a file to write another memory, and left its id.
#[test]
fn a_copy_of_a_file_with_another_text_takes_nothing_away() {
    let (place, one, two, id) = shared();
    let original = only_file(&place);
    let text = std::fs::read_to_string(&original).unwrap();
    std::fs::write(original.with_file_name("decisions-copy.md"), text.replace(OLD, NEW)).unwrap();
    let both = vec![OLD.to_owned(), NEW.to_owned()];
    assert_eq!((in_use(&one), in_use(&two)), (both.clone(), both.clone()));
    // Its id names neither of them, and more digits wouldn't either.
    for address in [&id[..], &id[..8]] {
        let refused = delete(&two, address, false).unwrap_err().message;
        assert!(refused.contains("2 shared files") && refused.contains("decisions-copy.md"), "{refused}");
    }
    // The only file with the id is the memory's, under another name and changed by others.
    let aside = hide(&original);
    assert_eq!((in_use(&one), in_use(&two)), (vec![NEW.to_owned()], vec![NEW.to_owned()]));
    std::fs::rename(aside, &original).unwrap();
    assert_eq!((in_use(&one), in_use(&two)), (both.clone(), both));
}

#[test]
fn deleting_names_the_file_that_still_shares_it() {
    let (place, one, two, id) = shared();
    let named = only_file(&place).file_name().unwrap().to_string_lossy().into_owned();
    let still = json!([format!(".plimsoll/memories/{named}")]);
    let theirs = id_of(&get(&two, &id).unwrap());
    for (context, id) in [(&two, &theirs), (&one, &id)] {
        let deleted = delete(context, id, false).unwrap();
        assert_eq!((&deleted["status"], &deleted["still_in_repository"]), (&json!("tombstoned"), &still));
    }
    let refused = unshare(&two, &theirs).unwrap_err().message;
    assert!(refused.contains(&named) && refused.contains("your team's"), "{refused}");
    let other = noted(&one, NEW, "decisions");
    assert!(delete(&one, &other, false).unwrap()["still_in_repository"].is_null());
    // What others keep in the repository isn't deleted for them.
    let third = ActionContext {
        database: place.path("third.db"),
        who: Actor { at_ms: NOW, ..Actor::default() },
        ..place.context()
    };
    assert_eq!(in_use(&third), [OLD]);
}

#[test]
fn what_is_merged_is_replaced_for_the_team_once_it_is_shared() {
    let place = Place::new();
    let (one, two) = (place.context(), second(&place));
    let whole = "Use PostgreSQL for the primary storage because of JSONB\nBackups run at 02:00";
    for text in ["Use PostgreSQL for primary storage because of JSONB", whole] {
        share(&one, &noted(&one, text, "decisions")).unwrap();
    }
    assert_eq!(in_use(&two).len(), 2);
    let given = Consolidate {
        namespace: "decisions".into(),
        strategy: Some("merge".into()),
        ..Consolidate::default()
    };
    let merged = consolidate(&one, &given).unwrap()["candidate_merges"][0].clone();
    assert_eq!(merged["still_in_repository"].as_array().unwrap().len(), 1, "{merged}");
    assert_eq!(in_use(&two).len(), 2);
    share(&one, &id_of(&merged)).unwrap();
    assert_eq!((in_use(&one), in_use(&two)), (vec![whole.to_owned()], vec![whole.to_owned()]));
}
