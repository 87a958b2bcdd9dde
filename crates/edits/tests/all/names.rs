//! Files whose names can't be written in JSON. Linux allows any byte in a name.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use crate::common::{Scratch, edits, format};
use plimsoll_edits::{Dialect, plan};

const STRICT: Dialect = Dialect::Json;
const TEXT: &[u8] = b"{\n  \"theme\": \"dark\"\n}\n";

/// A receipt is JSON and couldn't name such a file, so the edit could never be undone.
#[test]
fn a_file_that_no_receipt_could_name_is_left_alone() {
    let scratch = Scratch::new();
    let folder = scratch.folder.path().join("host").join(std::ffi::OsStr::from_bytes(b"ke\xffel"));
    fs::create_dir(&folder).unwrap();
    let file = folder.join("settings.json");
    fs::write(&file, TEXT).unwrap();
    let link = scratch.path("settings.json");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for path in [&file, &link] {
        let refusal = plan(path, format(STRICT), &edits(STRICT)).refusal.unwrap();
        assert_eq!(refusal.code(), "not_utf8_path");
        assert!(refusal.to_string().contains("rename the folder"), "{refusal}");
    }
    assert_eq!(fs::read(&file).unwrap(), TEXT);
}
