//! Decides about opening, changing, renaming and moving files.

use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::Access;
use super::answer::{Answer, Refused, read_path, refused, resolve_path, uninspectable};
use super::resolved_path::{ResolvedPath, Unresolved, resolve_in, same_root};
use super::rules::Rules;

/// How many files of a folder are checked before it may be moved.
const MAX_MOVED_FILES: usize = 20_000;

pub(super) fn open(rules: &Rules, pid: u32, dirfd: i32, from: u64, flags: i32) -> Answer {
    open_in_root(rules, pid, dirfd, from, flags, false)
}

pub(super) fn open_in_root(
    rules: &Rules,
    pid: u32,
    dirfd: i32,
    from: u64,
    flags: i32,
    in_root: bool,
) -> Answer {
    if flags & libc::O_PATH != 0 {
        // Nothing can be read through it until it is opened again through /proc.
        return Ok(());
    }
    let Some(text) = read_path(pid, from) else { return uninspectable(rules, pid) };
    let found = if in_root && same_root(pid) {
        match resolve_in(pid, dirfd, &text) {
            Ok(place) => Some(place),
            Err(Unresolved::Missing) => None,
            Err(Unresolved::Hidden) => return uninspectable(rules, pid),
        }
    } else {
        resolve_path(rules, pid, dirfd, &text, flags & libc::O_NOFOLLOW == 0)?
    };
    let Some(place) = found else { return Ok(()) };
    let mode = flags & libc::O_ACCMODE;
    if flags & libc::O_TMPFILE == libc::O_TMPFILE {
        return Ok(());
    }
    if mode != libc::O_WRONLY {
        check_read(rules, &place)?;
    }
    let changes = mode != libc::O_RDONLY || flags & (libc::O_TRUNC | libc::O_CREAT) != 0;
    // O_CREAT on an existing file changes nothing.
    let only_made = mode == libc::O_RDONLY && flags & libc::O_TRUNC == 0 && place.found.is_some();
    if changes && !only_made {
        check_write(rules, &place.path)?;
    }
    Ok(())
}

/// Whether a file's content may be read. Listing a folder is allowed.
fn check_read(rules: &Rules, place: &ResolvedPath) -> Answer {
    let Some(found) = place.found else { return Ok(()) };
    if matches!(found.kind, FileType::Directory | FileType::Symlink) {
        return Ok(());
    }
    if let Some(name) = rules.program_file(&found) {
        return refused(format!("reading {}, which is the denied program {name}", place.path.display()));
    }
    match rules.match_file(&place.path, Access::Read) {
        Some(why) => refused(why),
        None => Ok(()),
    }
}

fn check_write(rules: &Rules, path: &Path) -> Answer {
    match rules.match_file(path, Access::Write) {
        Some(why) => refused(why),
        None => Ok(()),
    }
}

/// Creates or removes a name.
pub(super) fn change_name(rules: &Rules, pid: u32, dirfd: i32, from: u64, follow: bool) -> Answer {
    let Some(text) = read_path(pid, from) else { return uninspectable(rules, pid) };
    match resolve_path(rules, pid, dirfd, &text, follow)? {
        Some(place) => check_write(rules, &place.path),
        None => Ok(()),
    }
}

/// Gives a file another name, which must not give access to anything denied.
pub(super) fn rename_or_link(
    rules: &Rules,
    pid: u32,
    old: (i32, u64),
    new: (i32, u64),
    follow: bool,
) -> Answer {
    let (Some(from), Some(to)) = (read_path(pid, old.1), read_path(pid, new.1)) else {
        return uninspectable(rules, pid);
    };
    let (Some(from), Some(to)) =
        (resolve_path(rules, pid, old.0, &from, follow)?, resolve_path(rules, pid, new.0, &to, false)?)
    else {
        return Ok(());
    };
    check_write(rules, &from.path)?;
    check_write(rules, &to.path)?;
    if from.found.is_some_and(|found| found.kind == FileType::Directory) {
        return if rules.judge.has_file_rules() { move_folder(rules, &from.path, &to.path) } else { Ok(()) };
    }
    // A file that stays denied under its new name may be moved.
    if rules.match_file(&to.path, Access::Read).is_some() {
        return Ok(());
    }
    check_read(rules, &from)
}

/// Moves a folder, whose denied files must stay denied. One that is too large to check must be copied instead, which the
/// error "another device" makes `mv` do.
fn move_folder(rules: &Rules, from: &Path, to: &Path) -> Answer {
    let elsewhere = || Err(Refused { errno: libc::EXDEV, why: None });
    let mut seen = 0;
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(from.join(&folder)) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MAX_MOVED_FILES {
                return elsewhere();
            }
            let below = folder.join(entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(below);
                continue;
            }
            for access in [Access::Read, Access::Write] {
                if rules.match_file(&from.join(&below), access).is_some()
                    && rules.match_file(&to.join(&below), access).is_none()
                {
                    return elsewhere();
                }
            }
        }
    }
    Ok(())
}
