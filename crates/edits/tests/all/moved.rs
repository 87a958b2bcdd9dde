//! A folder that was moved or renamed: what Plimsoll knows of a file goes with its folder.

use crate::common::{Scratch, edits, format};
use plimsoll_edits::{Dialect, FilePlan, plan, plan_removal};
use std::fs;
use std::path::{Path, PathBuf};

const STRICT: Dialect = Dialect::Json;

/// Connects a file in a folder that may have been there, with what Plimsoll makes for it.
fn connected(scratch: &Scratch) -> PathBuf {
    let file = scratch.path("shop/agent/servers.json");
    let mut planned = plan(&file, format(STRICT), &edits(STRICT));
    planned.allow_folders = true;
    scratch.apply(&planned);
    file
}

fn removal(scratch: &Scratch, file: &Path) -> FilePlan {
    let receipt = scratch.store.receipt_for_removal(file);
    plan_removal(file, format(STRICT), &edits(STRICT), receipt.as_ref())
}

#[test]
fn a_file_of_plimsolls_goes_with_what_was_made_for_it() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("shop")).unwrap();
    connected(&scratch);
    fs::rename(scratch.path("shop"), scratch.path("store")).unwrap();
    scratch.apply(&removal(&scratch, &scratch.path("store/agent/servers.json")));
    assert!(scratch.path("store").exists() && !scratch.path("store/agent").exists());
}

#[test]
fn a_file_that_was_there_before_is_as_it_was() {
    const MINE: &str = "{ \"mine\" : [1,2] }";
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("shop/agent")).unwrap();
    scratch.file("shop/agent/servers.json", MINE.as_bytes());
    connected(&scratch);
    fs::create_dir(scratch.path("work")).unwrap();
    fs::rename(scratch.path("shop"), scratch.path("work/shop")).unwrap();
    let moved = scratch.path("work/shop/agent/servers.json");
    scratch.apply(&removal(&scratch, &moved));
    assert_eq!(fs::read_to_string(moved).unwrap(), MINE);
}

#[test]
fn a_copy_and_what_somebody_wrote_since_are_theirs() {
    let scratch = Scratch::new();
    let file = connected(&scratch);
    fs::create_dir_all(scratch.path("store/agent")).unwrap();
    let copy = scratch.path("store/agent/servers.json");
    fs::copy(&file, &copy).unwrap();
    assert_eq!(scratch.store.receipt_for_removal(&copy), None, "the folder is where it was");
    fs::remove_dir_all(scratch.path("shop")).unwrap();
    assert!(scratch.store.receipt_for_removal(&copy).is_some());
    let text = fs::read_to_string(&copy).unwrap();
    fs::write(&copy, text + "\n").unwrap();
    assert_eq!(scratch.store.receipt_for_removal(&copy), None, "somebody wrote");
}
