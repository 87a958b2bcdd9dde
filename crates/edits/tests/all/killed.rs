//! A process that is killed between a folder and the file that it's for: the folder is Plimsoll's all the same.

use crate::common::{Scratch, format, server};
use plimsoll_edits::{Change, Dialect, plan, plan_removal};
use std::fs;
use std::path::PathBuf;

const STRICT: Dialect = Dialect::Json;

/// What such a process leaves: its record and the folders.
fn killed(scratch: &Scratch) -> PathBuf {
    let file = scratch.path("agent/deep/hooks.json");
    let mut planned = plan(&file, format(STRICT), &[server(true)]);
    planned.allow_folders = true;
    scratch.apply(&planned);
    fs::remove_file(&file).unwrap();
    file
}

#[test]
fn connecting_again_knows_the_folders_and_disconnecting_takes_them_along() {
    let scratch = Scratch::new();
    let file = killed(&scratch);
    let planned = plan(&file, format(STRICT), &[server(true)]);
    assert!(planned.creates_folders.is_empty(), "they are there");
    let receipt = scratch.apply(&planned);
    let removal = plan_removal(&file, format(STRICT), &[server(true)], Some(&receipt));
    assert_eq!(removal.change, Change::Delete);
    scratch.apply(&removal);
    assert!(!scratch.path("agent").exists());
}

#[test]
fn without_connecting_again_only_the_empty_ones_go() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("mine")).unwrap();
    let mut planned = plan(&scratch.path("mine/hooks.json"), format(STRICT), &[server(true)]);
    planned.allow_folders = true;
    scratch.apply(&planned);
    fs::remove_file(scratch.path("mine/hooks.json")).unwrap();
    killed(&scratch);
    fs::write(scratch.path("agent/note"), "x").unwrap();
    scratch.store.remove_abandoned_folders();
    assert!(!scratch.path("agent/deep").exists());
    assert!(scratch.path("agent/note").exists(), "somebody else's");
    assert!(scratch.path("mine").exists(), "it was there before");
}
