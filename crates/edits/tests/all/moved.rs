//! A folder that was moved or renamed: what Plimsoll knows of a file goes with its folder, and the copies with theirs.

use crate::common::{NOW, Scratch, edits, format, hook};
use plimsoll_edits::{Dialect, Edit, FilePlan, Store, plan, plan_removal};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

const STRICT: Dialect = Dialect::Json;

/// Connects a file in a folder that may have been there, with what Plimsoll makes for it.
fn connected(scratch: &Scratch) -> PathBuf {
    let file = scratch.path("shop/agent/servers.json");
    let mut planned = plan(&file, format(STRICT), &edits(STRICT));
    planned.allow_folders = true;
    scratch.apply(&planned);
    set_time(&file, NOW);
    file
}

/// Gives a file the time of a write.
fn set_time(file: &Path, at_ms: i64) {
    let at = UNIX_EPOCH + Duration::from_millis(u64::try_from(at_ms).unwrap());
    fs::File::options().write(true).open(file).unwrap().set_modified(at).unwrap();
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

/// Another write there, such as a newer version's, carries on what the first ones knew.
#[test]
fn what_is_known_of_a_file_that_was_moved_survives_the_next_write() {
    const MINE: &[u8] = b"{ \"mine\" : [1,2] }";
    for original in [None, Some(MINE)] {
        let scratch = Scratch::new();
        fs::create_dir(scratch.path("shop")).unwrap();
        if let Some(bytes) = original {
            fs::create_dir(scratch.path("shop/agent")).unwrap();
            scratch.file("shop/agent/servers.json", bytes);
        }
        connected(&scratch);
        fs::rename(scratch.path("shop"), scratch.path("store")).unwrap();
        let moved = scratch.path("store/agent/servers.json");
        let more: Vec<Edit> = edits(STRICT).into_iter().chain([hook("Stop")]).collect();
        scratch.apply(&plan(&moved, format(STRICT), &more));
        let first = scratch.store.first_original(&moved).unwrap();
        let kept = first.backup.map(|copy| fs::read(copy).unwrap());
        assert_eq!(kept.as_deref(), original, "what it was before Plimsoll");
        let receipt = scratch.store.receipt_for_removal(&moved);
        scratch.apply(&plan_removal(&moved, format(STRICT), &more, receipt.as_ref()));
        assert_eq!(fs::read(&moved).ok().as_deref(), original);
        assert_eq!(scratch.path("store/agent").exists(), original.is_some());
    }
}

/// The log of the moved file names copies that are kept under its old name.
#[test]
fn another_file_in_the_old_place_takes_no_copy_from_the_one_that_was_moved() {
    // A log that can't be read may name any copy.
    for is_readable in [true, false] {
        takes_no_copy(is_readable);
    }
}

fn takes_no_copy(is_readable: bool) {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("shop/agent")).unwrap();
    let old = scratch.file("shop/agent/servers.json", b"{ \"mine\" : [1,2] }");
    connected(&scratch);
    scratch.apply(&removal(&scratch, &old));
    // By meaning alone, an empty object would stay.
    fs::write(&old, b"").unwrap();
    connected(&scratch);
    fs::rename(scratch.path("shop"), scratch.path("store")).unwrap();
    let moved = scratch.path("store/agent/servers.json");
    let more: Vec<Edit> = edits(STRICT).into_iter().chain([hook("Stop")]).collect();
    scratch.apply(&plan(&moved, format(STRICT), &more));
    let log = log_of(&scratch, &moved);
    let known = fs::read(&log).unwrap();
    if !is_readable {
        fs::write(&log, "{").unwrap();
    }
    fs::create_dir_all(scratch.path("shop/agent")).unwrap();
    for _ in 0..4 {
        fs::write(&old, b"{ \"other\" : 1 }").unwrap();
        connected(&scratch);
        scratch.apply(&removal(&scratch, &old));
    }
    fs::write(&log, known).unwrap();
    let receipt = scratch.store.receipt_for_removal(&moved);
    scratch.apply(&plan_removal(&moved, format(STRICT), &more, receipt.as_ref()));
    assert!(fs::read(&moved).unwrap().is_empty(), "the log could be read: {is_readable}");
}

/// The log of a file's writes.
fn log_of(scratch: &Scratch, file: &Path) -> PathBuf {
    let folders = fs::read_dir(&scratch.store.backups).unwrap().map(|folder| folder.unwrap().path());
    let mut logs = folders.map(|folder| folder.join("manifest.json")).filter(|log| log.is_file());
    let names = |log: &PathBuf| fs::read_to_string(log).unwrap().contains(&*file.to_string_lossy());
    logs.find(names).unwrap()
}

/// As with another `PLIMSOLL_HOME`, or a home folder that has another name on this computer.
#[test]
fn a_copy_is_found_and_kept_where_the_folder_for_copies_is_now() {
    let mut scratch = Scratch::new();
    // By meaning alone, an empty object would stay.
    let file = scratch.file("servers.json", b"");
    scratch.apply(&plan(&file, format(STRICT), &edits(STRICT)));
    let own = scratch.folder.path().join("moved");
    fs::rename(scratch.folder.path().join("own"), &own).unwrap();
    scratch.store = Store { backups: own.join("backups"), locks: own.join("locks") };
    let more: Vec<Edit> = edits(STRICT).into_iter().chain([hook("Stop")]).collect();
    scratch.apply(&plan(&file, format(STRICT), &more));
    let copy = scratch.store.first_original(&file).unwrap().backup.unwrap();
    assert!(copy.starts_with(&own) && fs::read(&copy).unwrap().is_empty(), "{}", copy.display());
    let receipt = scratch.store.receipt_for_removal(&file);
    scratch.apply(&plan_removal(&file, format(STRICT), &more, receipt.as_ref()));
    assert!(fs::read(&file).unwrap().is_empty());
}

#[test]
fn a_copy_another_checkout_and_what_somebody_wrote_since_are_theirs() {
    let scratch = Scratch::new();
    let file = connected(&scratch);
    fs::create_dir_all(scratch.path("store/agent")).unwrap();
    let other = scratch.path("store/agent/servers.json");
    fs::copy(&file, &other).unwrap();
    set_time(&other, NOW);
    assert_eq!(scratch.store.receipt_for_removal(&other), None, "the folder is where it was");
    fs::remove_dir_all(scratch.path("shop")).unwrap();
    for at_ms in [NOW - 3_600_000, NOW + 3_600_000] {
        set_time(&other, at_ms);
        assert_eq!(scratch.store.receipt_for_removal(&other), None, "its time is another");
    }
    set_time(&other, NOW + 5);
    assert!(scratch.store.receipt_for_removal(&other).is_some());
    let text = fs::read_to_string(&other).unwrap();
    fs::write(&other, text + "\n").unwrap();
    set_time(&other, NOW + 5);
    assert_eq!(scratch.store.receipt_for_removal(&other), None, "somebody wrote");
}
