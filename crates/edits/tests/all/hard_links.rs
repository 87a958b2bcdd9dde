//! Files with several names: each write reaches all of them, and they have one log.
#![cfg(unix)]

use std::fs;

use crate::common::{Scratch, edits, format};
use plimsoll_edits::{Dialect, plan, plan_removal};

const STRICT: Dialect = Dialect::Json;
const TEXT: &[u8] = b"{\n  \"theme\": \"dark\"\n}\n";

#[test]
fn a_hard_link_stays_one_file_and_permissions_stay() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", TEXT);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let receipt = scratch.apply(&plan(&file, format(STRICT), &edits(STRICT)));
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
    scratch.apply(&plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt)));

    let twin = scratch.path("twin.json");
    fs::hard_link(&file, &twin).unwrap();
    let planned = plan(&file, format(STRICT), &edits(STRICT));
    assert_eq!(planned.names, 2);
    let receipt = scratch.apply(&planned);
    assert_eq!(fs::read(&twin).unwrap(), planned.after);
    assert_eq!(fs::metadata(&twin).unwrap().ino(), fs::metadata(&file).unwrap().ino());
    scratch.apply(&plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt)));
    assert_eq!(fs::read(&twin).unwrap(), TEXT);
}

/// Two agents' files may be one file, and what the first agent's entries created goes with the second's.
#[test]
fn hard_links_to_one_file_have_one_log() {
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", TEXT);
    let twin = scratch.path("twin.json");
    fs::hard_link(&file, &twin).unwrap();
    scratch.apply(&plan(&file, format(STRICT), &edits(STRICT)));
    let receipt = scratch.store.receipt_for_removal(&twin);
    assert!(receipt.is_some());
    scratch.apply(&plan_removal(&twin, format(STRICT), &edits(STRICT), receipt.as_ref()));
    assert_eq!(fs::read(&file).unwrap(), TEXT);
    assert!(scratch.store.receipt(&file).is_none(), "the removal is in that log, too");
}

/// Deleted under one name, a file stays under the others, with the entry in it.
#[test]
fn a_created_file_with_another_name_is_emptied_instead_of_deleted() {
    let scratch = Scratch::new();
    let (file, twin) = (scratch.path("settings.json"), scratch.path("twin.json"));
    let receipt = scratch.apply(&plan(&file, format(STRICT), &edits(STRICT)));
    fs::hard_link(&file, &twin).unwrap();
    scratch.apply(&plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt)));
    for name in [file, twin] {
        let text = fs::read_to_string(name).unwrap();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            serde_json::json!({}),
            "{text}"
        );
    }
}

/// Written in place, longer and shorter than before, and each text whole.
#[test]
fn a_hard_link_is_whole_whatever_the_length() {
    let scratch = Scratch::new();
    for padding in [0, 1, 4_000, 70_000] {
        let name = format!("settings-{padding}.json");
        let text = format!("{{\n  \"theme\": \"{}\"\n}}\n", "d".repeat(padding));
        let file = scratch.file(&name, text.as_bytes());
        let twin = scratch.path(&format!("twin-{padding}.json"));
        fs::hard_link(&file, &twin).unwrap();
        let planned = plan(&file, format(STRICT), &edits(STRICT));
        let receipt = scratch.apply(&planned);
        assert_eq!(fs::read(&twin).unwrap(), planned.after);
        scratch.apply(&plan_removal(&file, format(STRICT), &edits(STRICT), Some(&receipt)));
        assert_eq!(fs::read_to_string(&twin).unwrap(), text);
    }
}
