//! Files in any of a command's words, for programs that no table covers.
//!
//! A word that is a path, an option's value, or follows `@` or `:` is taken for a file that is read. Only a rule about that
//! file ever notices. Programs that show no file contents are excluded, and so are paths that an option excludes
//! (`--exclude=.env`).

use super::expand::Field;

/// Programs that don't show the files in their arguments, or pass their words to another computer.
const NON_READERS: &[&str] = &[
    "[",
    "[[",
    "alias",
    "basename",
    "cd",
    "chattr",
    "chdir",
    "chflags",
    "chgrp",
    "chmod",
    "chown",
    "command",
    "cp",
    "declare",
    "df",
    "dir",
    "dirname",
    "du",
    "echo",
    "exa",
    "exit",
    "export",
    "eza",
    "false",
    "fd",
    "fdfind",
    "file",
    "find",
    "hash",
    "install",
    "kill",
    "link",
    "ln",
    "local",
    "locate",
    "ls",
    "lsattr",
    "lsd",
    "man",
    "mkdir",
    "mkfifo",
    "mktemp",
    "mv",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "readlink",
    "readonly",
    "realpath",
    "return",
    "rm",
    "rmdir",
    "rsync",
    "scp",
    "set",
    "sftp",
    "shift",
    "shopt",
    "shred",
    "sleep",
    "ssh",
    "stat",
    "test",
    "touch",
    "trap",
    "tree",
    "true",
    "truncate",
    "typeset",
    "unalias",
    "unlink",
    "unset",
    "wait",
    "which",
    "whereis",
    "write-output",
    "write-host",
    "test-path",
    "new-item",
    "remove-item",
];

/// Git subcommands that show a file's content.
const GIT_READERS: &[&str] = &[
    "am",
    "annotate",
    "apply",
    "archive",
    "blame",
    "cat-file",
    "checkout-index",
    "config",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "difftool",
    "fast-export",
    "format-patch",
    "grep",
    "hash-object",
    "log",
    "merge-file",
    "notes",
    "range-diff",
    "rev-list",
    "show",
    "stash",
    "tag",
    "whatchanged",
];

/// Options that exclude something; their value isn't a file that is read.
fn is_exclusion(option: &str) -> bool {
    let name = option.trim_start_matches('-');
    ["exclude", "ignore", "skip", "omit", "not", "filter", "message", "title", "body"]
        .iter()
        .any(|word| name.starts_with(word) && !name.ends_with("from"))
}

/// The files that the words of `name` may name.
pub(super) fn path_words(name: &str, args: &[Field]) -> Vec<Field> {
    match name {
        "git" => return git_words(args),
        "docker" | "podman" | "nerdctl" | "kubectl" if args.iter().any(|f| f.text == "exec") => {
            return Vec::new();
        }
        "file" | "du" if args.iter().any(|f| f.text.starts_with("-f") || f.text.starts_with("--files")) => {}
        _ if NON_READERS.contains(&name) => return Vec::new(),
        _ => {}
    }
    candidates(args)
}

fn git_words(args: &[Field]) -> Vec<Field> {
    let verb = args.iter().find(|f| GIT_READERS.contains(&f.text.as_str())).map(|f| f.text.as_str());
    let has = |options: &[&str]| args.iter().any(|f| options.iter().any(|o| f.text.starts_with(o)));
    let summary =
        has(&["--stat", "--name-only", "--name-status", "--shortstat", "--numstat", "--quiet", "--summary"]);
    match verb {
        None => Vec::new(),
        Some(_) if summary => Vec::new(),
        Some("log" | "rev-list" | "whatchanged") if !has(&["-p", "-u", "--patch", "-L"]) => Vec::new(),
        // The first word after `grep` is the pattern.
        Some("grep") => {
            let from = args.iter().position(|f| f.text == "grep").unwrap_or(0) + 1;
            let words = args.get(from..).unwrap_or_default();
            let given = words.iter().any(|f| f.text.starts_with("-e") || f.text.starts_with("-f"));
            let skip = words.iter().position(|f| !f.text.starts_with('-')).map_or(0, |at| at + 1);
            candidates(words.get(if given { 0 } else { skip }..).unwrap_or_default())
        }
        Some(_) => candidates(args),
    }
}

fn candidates(args: &[Field]) -> Vec<Field> {
    let mut found = Vec::new();
    let mut left_out = false;
    for field in args {
        let text = field.text.as_str();
        if std::mem::take(&mut left_out) {
            continue;
        }
        let option = text.len() > 1 && text.starts_with('-');
        if option && is_exclusion(text) {
            left_out = !text.contains('=');
            continue;
        }
        let too_much =
            text.len() > 4_096 || text.starts_with(":!") || text.starts_with(":^") || text.starts_with('!');
        if too_much || text.contains("://") && !text.contains("file:") {
            continue;
        }
        if !option {
            found.push(field.clone());
        } else if !text.starts_with("--") {
            // `-f.env`
            found.extend(text.get(2..).filter(|rest| !rest.is_empty()).map(|rest| field.with(rest)));
        }
        found.extend(
            text.rsplit(['=', '@', ':', ',', '<']).next().filter(|last| *last != text).map(|p| field.with(p)),
        );
        if let Some((_, value)) = text.split_once("source=").or_else(|| text.split_once("src=")) {
            found.push(field.with(value.split(',').next().unwrap_or(value)));
        }
        for mark in ['=', '@', ':', ',', '<'] {
            let pieces = text.split(mark);
            if text.contains(mark) {
                found.extend(
                    pieces
                        .filter(|piece| !piece.is_empty() && !piece.starts_with('-'))
                        .map(|p| field.with(p)),
                );
            }
        }
    }
    found.retain(|field| !field.text.contains(['\n', '\t']));
    found
}
