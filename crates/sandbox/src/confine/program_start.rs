//! Decides about starting programs, including the interpreters of scripts.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::answer::{Answer, read_path, refused, resolve_path, uninspectable};
use super::notify::read_memory;
use super::resolved_path::{FileIdentity, ResolvedPath, file_identity};
use super::rules::Rules;

/// How many words of a command line are read, and their total length.
const MAX_WORDS: usize = 512;
const MAX_WORDS_BYTES: usize = 64 * 1024;
/// How deep scripts may name other scripts as their interpreters.
const MAX_SCRIPTS: usize = 5;

pub(super) fn start_program(
    rules: &Rules,
    pid: u32,
    dirfd: i32,
    path: u64,
    argv: u64,
    follow: bool,
) -> Answer {
    let Some(text) = read_path(pid, path) else { return uninspectable(rules, pid) };
    let Some(place) = resolve_path(rules, pid, dirfd, &text, follow)? else { return Ok(()) };
    let Some(found) = place.found else { return Ok(()) };
    if found.kind == FileType::Directory {
        return Ok(());
    }
    if rules.is_first(pid, &text) {
        return Ok(());
    }
    let given = String::from_utf8_lossy(&text).into_owned();
    let mut words = words(pid, argv);
    match words.first_mut() {
        // Multi-call programs act by the name they are started under; all others by their file.
        Some(first) if first.rsplit('/').next() != given.rsplit('/').next() => {
            let called = std::mem::replace(first, given.clone());
            if is_multi_call(&place.path) {
                *first = called;
            }
        }
        Some(first) => first.clone_from(&given),
        None => words.push(given.clone()),
    }
    check_start(rules, &place, found, &words, 0)
}

fn is_multi_call(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    matches!(name, "busybox" | "toybox" | "coreutils")
}

fn check_start(
    rules: &Rules,
    place: &ResolvedPath,
    found: FileIdentity,
    words: &[String],
    depth: usize,
) -> Answer {
    if let Some(why) = rules.judge.match_program(&place.path, words) {
        return refused(why);
    }
    if let Some(name) = rules.same_program(&place.path, &found) {
        return refused(format!("{} is the denied program {name} under another name", place.path.display()));
    }
    // The kernel starts a script's interpreter without a question.
    if depth < MAX_SCRIPTS
        && let Some((interpreter, option)) = interpreter(&place.path)
        && let Ok(real) = std::fs::canonicalize(&interpreter)
        && let Ok(stat) = rustix::fs::stat(&real)
    {
        let mut inner = vec![interpreter.to_string_lossy().into_owned()];
        inner.extend(option);
        inner.push(place.path.to_string_lossy().into_owned());
        inner.extend(words.iter().skip(1).cloned());
        let found = file_identity(&stat);
        return check_start(
            rules,
            &ResolvedPath { path: real, found: Some(found) },
            found,
            &inner,
            depth + 1,
        );
    }
    Ok(())
}

/// The interpreter and option after `#!`.
fn interpreter(path: &Path) -> Option<(PathBuf, Option<String>)> {
    let mut start = [0u8; 256];
    let length = File::open(path).ok()?.read(&mut start).ok()?;
    let line = start.get(..length)?.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let line = line.trim_ascii();
    let (program, option) = match line.iter().position(|byte| matches!(byte, b' ' | b'\t')) {
        Some(end) => (line.get(..end)?, Some(line.get(end..)?.trim_ascii())),
        None => (line, None),
    };
    let option = option.map(|option| String::from_utf8_lossy(option).into_owned());
    (!program.is_empty()).then(|| (PathBuf::from(OsStr::from_bytes(program)), option))
}

/// A command line's words, up to the limits.
fn words(pid: u32, argv: u64) -> Vec<String> {
    let mut all = Vec::new();
    let mut length = 0;
    for index in 0..MAX_WORDS as u64 {
        let mut pointer = [0u8; 8];
        if argv == 0 || read_memory(pid, argv.wrapping_add(index * 8), &mut pointer) != Some(8) {
            break;
        }
        let pointer = u64::from_ne_bytes(pointer);
        if pointer == 0 {
            break;
        }
        let word = read_path(pid, pointer).unwrap_or_default();
        length += word.len();
        all.push(String::from_utf8_lossy(&word).into_owned());
        if length > MAX_WORDS_BYTES {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interpreter_of_a_script_is_read_as_the_kernel_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        for (text, wanted) in [
            ("#!/bin/sh\nx", Some(("/bin/sh", None))),
            ("#! /usr/bin/env  boom -x\n", Some(("/usr/bin/env", Some("boom -x")))),
            ("boom", None),
            ("#!", None),
        ] {
            std::fs::write(&path, text).unwrap();
            let wanted = wanted.map(|(p, o)| (PathBuf::from(p), o.map(str::to_owned)));
            assert_eq!(interpreter(&path), wanted, "{text}");
        }
    }
}
