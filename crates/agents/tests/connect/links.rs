//! Links, permissions and write protection.
#![cfg(unix)]

use edits::Change;

use crate::files::{Style, render, users_value};
use crate::scratch::{Scratch, each, is_whole, write};

#[test]
fn links_stay_links() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    each(|scratch, file, what| {
        if is_whole(file) {
            return;
        }
        let Some(text) = render(&users_value(file), file.format.dialect, Style::Pretty) else { return };
        // A link into a folder of dotfiles.
        let real = scratch.dir.path().join("dotfiles").join("real");
        write(&real, text.as_bytes());
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::fs::create_dir_all(file.path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&real, &file.path).unwrap();
        let receipt = scratch.connect(file, what);
        assert!(file.path.symlink_metadata().unwrap().file_type().is_symlink(), "{what}: the link is gone");
        assert_ne!(
            std::fs::read(&real).unwrap(),
            text.as_bytes(),
            "{what}: the file behind the link is unchanged"
        );
        assert_eq!(real.metadata().unwrap().mode() & 0o777, 0o640, "{what}: other permissions");
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&real).unwrap(), text.as_bytes(), "{what}");
        std::fs::remove_file(&file.path).unwrap();

        // Two names of one file.
        let other = scratch.dir.path().join("dotfiles").join("other");
        write(&other, text.as_bytes());
        std::fs::hard_link(&other, &file.path).unwrap();
        let receipt = scratch.connect(file, what);
        assert_eq!(
            other.metadata().unwrap().ino(),
            file.path.metadata().unwrap().ino(),
            "{what}: torn apart"
        );
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&other).unwrap(), text.as_bytes(), "{what}");
        std::fs::remove_file(&file.path).unwrap();

        // A file that the user protects.
        write(&file.path, text.as_bytes());
        std::fs::set_permissions(&file.path, std::fs::Permissions::from_mode(0o444)).unwrap();
        let plan = Scratch::plan(file);
        assert_eq!(plan.change, Change::Refused, "{what}: read-only");
    });
}
