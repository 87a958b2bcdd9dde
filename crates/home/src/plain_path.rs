//! What a path means by its text alone: `.` and `..` are taken out without looking at the disk.

use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..`; a link isn't followed, so a `..` behind one may go elsewhere than the system would.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_out_by_the_text_alone() {
        for (path, plain) in [
            ("/shop/src/app.rs", "/shop/src/app.rs"),
            ("/shop/./src/../src/app.rs", "/shop/src/app.rs"),
            ("/shop/../../etc", "/etc"),
            ("./src/./app.rs", "src/app.rs"),
            ("src/..", ""),
        ] {
            assert_eq!(without_dots(Path::new(path)), Path::new(plain), "{path}");
        }
    }
}
