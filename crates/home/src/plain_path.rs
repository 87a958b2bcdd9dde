//! One path for a place: `.` and `..` are taken out, by the text alone or where the disk says that it's the same place.

use std::borrow::Cow;
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

/// The path under which a place is stored and looked up: without `.`, and without `..` where that's the same place; behind a link
/// it may not be.
pub fn one_path(path: &Path) -> PathBuf {
    let kept: PathBuf = path.components().collect();
    if !kept.components().any(|part| part == Component::ParentDir) {
        return kept;
    }
    let plain = without_dots(&kept);
    let is_same = |one: &Path, other: &Path| {
        dunce::canonicalize(one).is_ok_and(|one| dunce::canonicalize(other).is_ok_and(|other| one == other))
    };
    // The file may have been deleted since; then its folder decides.
    let is_same_in_folder = || {
        kept.file_name().is_some()
            && kept.file_name() == plain.file_name()
            && kept.parent().zip(plain.parent()).is_some_and(|(one, other)| is_same(one, other))
    };
    if is_same(&kept, &plain) || is_same_in_folder() { plain } else { kept }
}

/// A path as JSON and the settings file can contain it: whatever isn't UTF-8 becomes U+FFFD. Folders are compared with
/// those of the settings in this form; otherwise a pause would be written and never found.
pub fn as_text(path: &Path) -> Cow<'_, Path> {
    match path.to_string_lossy() {
        Cow::Borrowed(_) => Cow::Borrowed(path),
        Cow::Owned(text) => Cow::Owned(PathBuf::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn utf8_paths_stay_the_same_as_text() {
        use std::os::unix::ffi::OsStrExt as _;
        let odd = Path::new(std::ffi::OsStr::from_bytes(b"/ship/ke\xffel/a"));
        assert_eq!(&*as_text(odd), Path::new("/ship/ke\u{fffd}el/a"));
        assert!(matches!(as_text(Path::new("/ship/keel")), Cow::Borrowed(_)));
    }

    #[test]
    fn a_file_has_one_path_unless_it_goes_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(root.join("docs/deep")).unwrap();
        std::fs::create_dir_all(root.join("other/deep")).unwrap();
        std::fs::write(root.join("docs/mast.md"), "x").unwrap();
        for (path, plain) in [
            ("docs/mast.md", "docs/mast.md"),
            ("docs/./deep/../mast.md", "docs/mast.md"),
            ("docs/deep/..", "docs"),
            ("docs/deep/../gone.md", "docs/gone.md"),
        ] {
            assert_eq!(one_path(&root.join(path)), root.join(plain), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("other/deep"), root.join("docs/link")).unwrap();
            let path = root.join("docs/link/../mast.md");
            assert_eq!(one_path(&path), path);
        }
    }

    #[test]
    fn dots_are_resolved_without_the_file_system() {
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
