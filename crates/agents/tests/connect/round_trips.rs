//! Files that are missing, empty, in every style, or huge: they are restored byte for byte.

use edits::Dialect;
use serde_json::json;

use crate::files::{self, Style, TargetFile, render, users_value};
use crate::laws::{refused, round_trip};
use crate::scratch::{Scratch, each, is_whole, write};

#[test]
fn absent_files_and_folders_are_created_and_removed() {
    each(|scratch, file, what| {
        for with_folder in [false, true] {
            if with_folder {
                std::fs::create_dir_all(file.path.parent().unwrap()).unwrap();
            }
            let receipt = scratch.connect(file, what);
            assert!(file.path.is_file());
            scratch.disconnect(file, Some(&receipt), what);
            assert!(!file.path.exists(), "{what}: a file that we made is still there");
            assert_eq!(
                file.path.parent().unwrap().exists(),
                with_folder || in_home(scratch, file),
                "{what}: folder"
            );
        }
    });
}

fn in_home(scratch: &Scratch, file: &TargetFile) -> bool {
    file.path.parent() == Some(files::home(scratch.dir.path()).as_path())
}

#[test]
fn a_file_without_content_is_like_an_empty_one() {
    each(|scratch, file, what| {
        write(&file.path, b"");
        let receipt = scratch.connect(file, what);
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&file.path).unwrap(), b"", "{what}");
    });
}

#[test]
fn every_formatting_of_a_file_survives() {
    each(|scratch, file, what| {
        if is_whole(file) {
            return;
        }
        let value = users_value(file);
        for style in Style::ALL {
            let what = format!("{what}, {style:?}");
            let Some(text) = render(&value, file.format.dialect, style) else { continue };
            if style.accepted_by(file.format) {
                round_trip(scratch, file, text.as_bytes(), &what);
            } else {
                refused(scratch, file, text.as_bytes(), &what);
            }
        }
        if let Some(minimal) = render(&json!({}), file.format.dialect, Style::Pretty) {
            round_trip(scratch, file, minimal.as_bytes(), &format!("{what}, minimal"));
        }
    });
}

#[test]
fn a_byte_order_mark_stays_where_the_host_takes_it() {
    each(|scratch, file, what| {
        if is_whole(file) || file.format.dialect == Dialect::Markdown {
            return;
        }
        let Some(text) = render(&users_value(file), file.format.dialect, Style::Pretty) else { return };
        let bytes = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        write(&file.path, &bytes);
        let receipt = scratch.connect(file, what);
        let between = std::fs::read(&file.path).unwrap();
        assert_eq!(between.starts_with(b"\xef\xbb\xbf"), file.format.bom_ok, "{what}");
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&file.path).unwrap(), bytes, "{what}");
    });
}

/// Eight megabytes for one file of each dialect, with one edit: the time grows with both, and the code is the same for
/// every agent. The others get a quarter of a megabyte and all of their edits.
#[test]
fn a_huge_file_is_a_file() {
    let mut seen = Vec::new();
    each(|scratch, file, what| {
        if is_whole(file) {
            return;
        }
        let first = !seen.contains(&file.format.dialect);
        seen.push(file.format.dialect);
        let size = if first { 8 * 1024 * 1024 } else { 256 * 1024 };
        let count = if first { 1 } else { file.edits.len() };
        let edits = file.edits[..count].to_vec();
        let file = &TargetFile { path: file.path.clone(), format: file.format, edits };
        let mut value = users_value(file);
        value["padding"] = json!("größe ".repeat(size / "größe ".len() + 1));
        let Some(text) = render(&value, file.format.dialect, Style::Pretty) else { return };
        assert!(text.len() >= size);
        write(&file.path, text.as_bytes());
        let receipt = scratch.connect(file, what);
        scratch.disconnect(file, Some(&receipt), what);
        assert!(std::fs::read(&file.path).unwrap() == text.as_bytes(), "{what}: other bytes came back");
    });
}
