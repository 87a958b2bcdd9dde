//! One question of the kernel, put into the words of the rules: which program with which words, which file to which end.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::notify::{Question, peek};
use super::place::{Found, Lost, Place, resolve, resolve_in, same_root};
use super::rules::Rules;
use super::{Access, Reach};

/// Of `openat2`: absolute paths start at the folder that is given.
const RESOLVE_IN_ROOT: u64 = 0x10;
/// The longest path there is.
const PATH_MAX: usize = 4096;
/// Words of a command line that are looked at, and their length together.
const MOST_WORDS: usize = 512;
const MOST_TEXT: usize = 64 * 1024;
/// A script may name an interpreter that is a script.
const MOST_SCRIPTS: usize = 5;
/// Files of a folder that are looked at before it may be moved.
const MOST_MOVED: usize = 20_000;

/// The answer: go on, or this error number and what is to be noted.
pub(super) type Answer = Result<(), Refused>;

/// A refusal.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) errno: i32,
    pub(super) why: Option<String>,
}

fn refused(why: String) -> Answer {
    Err(Refused { errno: libc::EACCES, why: Some(why) })
}

/// Judges one question.
pub(super) fn judge(rules: &Rules, question: &Question) -> Answer {
    let a = &question.args;
    let pid = question.pid;
    let at = |index: usize| a[index] as u32 as i32;
    match question.call {
        libc::SYS_execve => start(rules, pid, libc::AT_FDCWD, a[0], a[1], true),
        libc::SYS_execveat => start(rules, pid, at(0), a[1], a[2], at(4) & libc::AT_SYMLINK_NOFOLLOW == 0),
        libc::SYS_openat => open(rules, pid, at(0), a[1], at(2)),
        libc::SYS_openat2 => {
            let number = |from: u64| {
                let mut bytes = [0u8; 8];
                (peek(pid, from, &mut bytes) == Some(8)).then_some(u64::from_ne_bytes(bytes))
            };
            // struct open_how: flags, mode, resolve.
            let flags = number(a[2]).unwrap_or(0) as u32 as i32;
            let in_root = number(a[2].wrapping_add(16)).unwrap_or(0) & RESOLVE_IN_ROOT != 0;
            open_within(rules, pid, at(0), a[1], flags, in_root)
        }
        libc::SYS_truncate => touch(rules, pid, libc::AT_FDCWD, a[0], true),
        libc::SYS_unlinkat => touch(rules, pid, at(0), a[1], false),
        libc::SYS_mknodat => touch(rules, pid, at(0), a[1], false),
        libc::SYS_symlinkat => touch(rules, pid, at(1), a[2], false),
        libc::SYS_renameat2 => shift(rules, pid, (at(0), a[1]), (at(2), a[3]), false),
        libc::SYS_linkat => {
            let follow = at(4) & libc::AT_SYMLINK_FOLLOW != 0;
            shift(rules, pid, (at(0), a[1]), (at(2), a[3]), follow)
        }
        libc::SYS_connect => connect(rules, pid, a[1], a[2]),
        libc::SYS_sendto => connect(rules, pid, a[4], a[5]),
        #[cfg(target_arch = "x86_64")]
        call => older(rules, question, call),
        #[cfg(not(target_arch = "x86_64"))]
        _ => shift(rules, pid, (at(0), a[1]), (at(2), a[3]), false),
    }
}

/// The calls that only older processors' systems have.
#[cfg(target_arch = "x86_64")]
fn older(rules: &Rules, question: &Question, call: i64) -> Answer {
    const HERE: i32 = libc::AT_FDCWD;
    let (a, pid) = (&question.args, question.pid);
    match call {
        libc::SYS_open => open(rules, pid, HERE, a[0], a[1] as u32 as i32),
        libc::SYS_creat => open(rules, pid, HERE, a[0], libc::O_CREAT | libc::O_WRONLY),
        libc::SYS_unlink | libc::SYS_mknod => touch(rules, pid, HERE, a[0], false),
        libc::SYS_symlink => touch(rules, pid, HERE, a[1], false),
        libc::SYS_rename | libc::SYS_link => shift(rules, pid, (HERE, a[0]), (HERE, a[1]), false),
        libc::SYS_renameat => {
            shift(rules, pid, (a[0] as u32 as i32, a[1]), (a[2] as u32 as i32, a[3]), false)
        }
        _ => Ok(()),
    }
}

/// A path argument. `None` when it cannot be read there: the call will fail the same way, unless we may not look.
fn text(pid: u32, from: u64) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    let mut at = from;
    while all.len() < PATH_MAX {
        // Not over the end of a page: the next one may not be there.
        let room = 4096 - usize::try_from(at % 4096).unwrap_or(0);
        let mut piece = [0u8; 4096];
        let got = peek(pid, at, piece.get_mut(..room.min(256))?)?;
        let piece = piece.get(..got)?;
        if let Some(end) = memchr::memchr(0, piece) {
            all.extend_from_slice(piece.get(..end)?);
            return Some(all);
        }
        all.extend_from_slice(piece);
        at += got as u64;
    }
    None
}

/// What to do when the asking process cannot be looked into: one that is gone does not care, one that hides is refused.
fn unseen(rules: &Rules, pid: u32) -> Answer {
    match std::fs::metadata(format!("/proc/{pid}")) {
        Ok(_) if rules.lenient => Ok(()),
        Ok(_) => Err(Refused { errno: libc::EACCES, why: None }),
        Err(_) => Ok(()),
    }
}

/// Follows a path; `Ok(None)` means that the kernel will say itself what is wrong with it.
fn place(rules: &Rules, pid: u32, dirfd: i32, text: &[u8], follow: bool) -> Result<Option<Place>, Refused> {
    if !same_root(pid) {
        // Its links lead elsewhere than ours.
        return unseen(rules, pid).map(|()| None);
    }
    match resolve(pid, dirfd, text, follow) {
        Ok(place) => Ok(Some(place)),
        Err(Lost::Nowhere) => Ok(None),
        Err(Lost::Hidden) => unseen(rules, pid).map(|()| None),
    }
}

fn open(rules: &Rules, pid: u32, dirfd: i32, from: u64, flags: i32) -> Answer {
    open_within(rules, pid, dirfd, from, flags, false)
}

fn open_within(rules: &Rules, pid: u32, dirfd: i32, from: u64, flags: i32, in_root: bool) -> Answer {
    if flags & libc::O_PATH != 0 {
        // Nothing can be read through it until it is opened again by its name under /proc.
        return Ok(());
    }
    let Some(text) = text(pid, from) else { return unseen(rules, pid) };
    let found = if in_root && same_root(pid) {
        match resolve_in(pid, dirfd, &text) {
            Ok(place) => Some(place),
            Err(Lost::Nowhere) => None,
            Err(Lost::Hidden) => return unseen(rules, pid),
        }
    } else {
        place(rules, pid, dirfd, &text, flags & libc::O_NOFOLLOW == 0)?
    };
    let Some(place) = found else { return Ok(()) };
    let mode = flags & libc::O_ACCMODE;
    if flags & libc::O_TMPFILE == libc::O_TMPFILE {
        return Ok(());
    }
    if mode != libc::O_WRONLY {
        reads(rules, &place)?;
    }
    let changes = mode != libc::O_RDONLY || flags & (libc::O_TRUNC | libc::O_CREAT) != 0;
    // O_CREAT on what is there already changes nothing by itself.
    let only_made = mode == libc::O_RDONLY && flags & libc::O_TRUNC == 0 && place.found.is_some();
    if changes && !only_made {
        writes(rules, &place.path)?;
    }
    Ok(())
}

/// Whether a file's content may be read. A folder may be listed.
fn reads(rules: &Rules, place: &Place) -> Answer {
    let Some(found) = place.found else { return Ok(()) };
    if matches!(found.kind, FileType::Directory | FileType::Symlink) {
        return Ok(());
    }
    if let Some(name) = rules.program_file(&found) {
        return refused(format!("reading {}, which is the denied program {name}", place.path.display()));
    }
    match rules.opened(&place.path, Access::Read) {
        Some(why) => refused(why),
        None => Ok(()),
    }
}

fn writes(rules: &Rules, path: &Path) -> Answer {
    match rules.opened(path, Access::Write) {
        Some(why) => refused(why),
        None => Ok(()),
    }
}

/// Making or removing a name.
fn touch(rules: &Rules, pid: u32, dirfd: i32, from: u64, follow: bool) -> Answer {
    let Some(text) = text(pid, from) else { return unseen(rules, pid) };
    match place(rules, pid, dirfd, &text, follow)? {
        Some(place) => writes(rules, &place.path),
        None => Ok(()),
    }
}

/// A file gets another name: nothing denied may be reached by it.
fn shift(rules: &Rules, pid: u32, old: (i32, u64), new: (i32, u64), follow: bool) -> Answer {
    let (Some(from), Some(to)) = (text(pid, old.1), text(pid, new.1)) else { return unseen(rules, pid) };
    let (Some(from), Some(to)) =
        (place(rules, pid, old.0, &from, follow)?, place(rules, pid, new.0, &to, false)?)
    else {
        return Ok(());
    };
    writes(rules, &from.path)?;
    writes(rules, &to.path)?;
    if from.found.is_some_and(|found| found.kind == FileType::Directory) {
        return if rules.judge.has_file_rules() { carries(rules, &from.path, &to.path) } else { Ok(()) };
    }
    // A file that stays denied under its new name may move.
    if rules.opened(&to.path, Access::Read).is_some() {
        return Ok(());
    }
    reads(rules, &from)
}

/// A folder moves: what is denied in it must stay so. One that is too large to look through is to be copied instead,
/// which "another device" makes `mv` do.
fn carries(rules: &Rules, from: &Path, to: &Path) -> Answer {
    let elsewhere = || Err(Refused { errno: libc::EXDEV, why: None });
    let mut seen = 0;
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(from.join(&folder)) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MOST_MOVED {
                return elsewhere();
            }
            let below = folder.join(entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(below);
                continue;
            }
            for access in [Access::Read, Access::Write] {
                if rules.opened(&from.join(&below), access).is_some()
                    && rules.opened(&to.join(&below), access).is_none()
                {
                    return elsewhere();
                }
            }
        }
    }
    Ok(())
}

fn start(rules: &Rules, pid: u32, dirfd: i32, path: u64, argv: u64, follow: bool) -> Answer {
    let Some(text) = text(pid, path) else { return unseen(rules, pid) };
    let Some(place) = place(rules, pid, dirfd, &text, follow)? else { return Ok(()) };
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
        // busybox and its like go by the name that they are called by; everybody else by their file.
        Some(first) if first.rsplit('/').next() != given.rsplit('/').next() => {
            let called = std::mem::replace(first, given.clone());
            if is_many_in_one(&place.path) {
                *first = called;
            }
        }
        Some(first) => first.clone_from(&given),
        None => words.push(given.clone()),
    }
    starts(rules, &place, found, &words, 0)
}

fn is_many_in_one(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    matches!(name, "busybox" | "toybox" | "coreutils")
}

fn starts(rules: &Rules, place: &Place, found: Found, words: &[String], depth: usize) -> Answer {
    if let Some(why) = rules.judge.match_program(&place.path, words) {
        return refused(why);
    }
    if let Some(name) = rules.same_program(&place.path, &found) {
        return refused(format!("{} is the denied program {name} under another name", place.path.display()));
    }
    // The kernel starts a script's interpreter without asking.
    if depth < MOST_SCRIPTS
        && let Some((interpreter, option)) = interpreter(&place.path)
        && let Ok(real) = std::fs::canonicalize(&interpreter)
        && let Ok(stat) = rustix::fs::stat(&real)
    {
        let mut inner = vec![interpreter.to_string_lossy().into_owned()];
        inner.extend(option);
        inner.push(place.path.to_string_lossy().into_owned());
        inner.extend(words.iter().skip(1).cloned());
        let found = super::place::found(&stat);
        return starts(rules, &Place { path: real, found: Some(found) }, found, &inner, depth + 1);
    }
    Ok(())
}

/// What stands behind `#!`.
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

/// The words of a command line, as many as are looked at.
fn words(pid: u32, argv: u64) -> Vec<String> {
    let mut all = Vec::new();
    let mut length = 0;
    for index in 0..MOST_WORDS as u64 {
        let mut pointer = [0u8; 8];
        if argv == 0 || peek(pid, argv.wrapping_add(index * 8), &mut pointer) != Some(8) {
            break;
        }
        let pointer = u64::from_ne_bytes(pointer);
        if pointer == 0 {
            break;
        }
        let word = text(pid, pointer).unwrap_or_default();
        length += word.len();
        all.push(String::from_utf8_lossy(&word).into_owned());
        if length > MOST_TEXT {
            break;
        }
    }
    all
}

/// A peer is named.
fn connect(rules: &Rules, pid: u32, address: u64, length: u64) -> Answer {
    if rules.reach == Reach::All {
        return Ok(());
    }
    let mut bytes = [0u8; 28];
    let length = usize::try_from(length).unwrap_or(0).min(bytes.len());
    let Some(got) =
        bytes.get_mut(..length).filter(|room| !room.is_empty()).and_then(|room| peek(pid, address, room))
    else {
        return unseen(rules, pid);
    };
    let Some((ip, port)) = bytes.get(..got).and_then(peer) else { return Ok(()) };
    // Names are resolved by a server that often lies in the private network.
    if port == 53 || !is_private(ip) {
        return Ok(());
    }
    refused(format!("{ip} is an address of a private network, which `sandbox.network` keeps out of reach"))
}

fn peer(bytes: &[u8]) -> Option<(IpAddr, u16)> {
    let family = i32::from(u16::from_ne_bytes([*bytes.first()?, *bytes.get(1)?]));
    let port = u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]);
    match family {
        libc::AF_INET => {
            let ip: [u8; 4] = bytes.get(4..8)?.try_into().ok()?;
            Some((IpAddr::V4(Ipv4Addr::from(ip)), port))
        }
        libc::AF_INET6 => {
            let ip: [u8; 16] = bytes.get(8..24)?.try_into().ok()?;
            let ip = Ipv6Addr::from(ip);
            Some((ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4), port))
        }
        _ => None,
    }
}

/// Networks at home and at work, and the addresses by which cloud machines are told about themselves.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            ip.is_private() || ip.is_link_local() || (a == 100 && (64..128).contains(&b))
        }
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_networks_are_known_in_both_families() {
        for ip in
            ["10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "fd00::1", "fe80::1"]
        {
            assert!(is_private(ip.parse().unwrap()), "{ip}");
        }
        for ip in ["127.0.0.1", "::1", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1"] {
            assert!(!is_private(ip.parse().unwrap()), "{ip}");
        }
        let mut mapped = [0u8; 28];
        mapped[..2].copy_from_slice(&(libc::AF_INET6 as u16).to_ne_bytes());
        mapped[8..24].copy_from_slice(&"::ffff:10.0.0.1".parse::<Ipv6Addr>().unwrap().octets());
        assert!(is_private(peer(&mapped).unwrap().0));
    }

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
