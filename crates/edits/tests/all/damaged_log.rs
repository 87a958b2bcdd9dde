//! A log of writes that can't be read: half a file after a power cut, or a later version's.

use crate::common::{NOW, Scratch, edits, format};
use plimsoll_edits::{Dialect, apply, plan};
use std::fs;
use std::path::PathBuf;

const STRICT: Dialect = Dialect::Json;

fn logs_folder(scratch: &Scratch) -> PathBuf {
    fs::read_dir(&scratch.store.backups).unwrap().next().unwrap().unwrap().path()
}

/// Nothing else knows what the file was before Plimsoll's first write.
#[test]
fn the_copies_that_a_damaged_log_may_name_stay() {
    for damage in ["", "{\"version\": 1, \"targ", "{\"version\": 9, \"target\": 7, \"receipts\": {}}"] {
        let scratch = Scratch::new();
        let original = b"{\n  \"theme\": \"dark\"\n}\n";
        let path = scratch.file("settings.json", original);
        scratch.apply(&plan(&path, format(STRICT), &edits(STRICT)));
        let folder = logs_folder(&scratch);
        fs::write(folder.join("manifest.json"), damage).unwrap();
        for round in 0..8 {
            fs::write(&path, format!("{{\"round\": {round}}}")).unwrap();
            apply(&plan(&path, format(STRICT), &edits(STRICT)), &scratch.store, NOW + round).unwrap();
        }
        let kept: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let is_kept = |bytes: &[u8]| kept.iter().any(|file| fs::read(file).unwrap() == bytes);
        assert!(is_kept(original), "{damage}: {kept:?}");
        assert!(is_kept(damage.as_bytes()), "{damage}: {kept:?}");
        assert!(scratch.store.receipt(&path).is_some(), "a new log was begun: {damage}");
    }
}
