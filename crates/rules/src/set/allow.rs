//! Where "allow" may be answered: plain commands whose every part the rules allow, and nothing that an agent asks about
//! whatever its rules say.

use std::path::{Component, Path};

use super::RuleSet;
use crate::absolute_path::absolute_path;
use crate::plain::{self, Part};
use crate::rule::Decision;

/// Variables that may precede a command that the agent's rules allow (Claude Code 2.1.197 lists them): `CI=1 x` is then
/// allowed where `x` is.
const HARMLESS_VARIABLES: &[&str] = &[
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "GOARCH",
    "GOOS",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_TIME",
    "LINES",
    "NODE_ENV",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "TERM",
    "TZ",
];

impl RuleSet {
    /// Whether a command may be answered with "allow": it is [plain](crate::plain), the rules allow every part, and it leaves
    /// the folder `cwd` neither by `cd` nor by a path. Agents ask about some plain commands whatever their rules say (two
    /// folder changes, `git` or `tee` after one); these aren't allowed either.
    #[must_use]
    pub fn allows_plain_command(&self, command: &str, cwd: &Path, home: &Path) -> bool {
        let Some(parts) = plain::parse(command) else { return false };
        // After a pipe, some shells change the folder for what follows and others don't.
        if parts.windows(2).any(|two| two[1].piped && changes_folder(&two[0])) {
            return false;
        }
        let moves = parts.iter().filter(|part| changes_folder(part)).count();
        let asked_after_a_move = parts.iter().any(|part| matches!(program(part), "git" | "tee"));
        if moves > 1
            || (moves == 1 && asked_after_a_move)
            || parts.iter().any(|part| !stays_inside(part, cwd, home))
        {
            return false;
        }
        let moved = parts.iter().find(|part| changes_folder(part)).and_then(|part| part.words.get(1));
        let folder = moved.map_or_else(|| cwd.to_path_buf(), |to| cwd.join(to));
        if parts.iter().any(|part| !writes_inside(part, cwd)) {
            return false;
        }
        match (self.command(command, cwd, home), parts.as_slice()) {
            (Decision::Allow(_), _) => true,
            // The folder change alone is what no rule covers.
            (Decision::NoRule, [first, _, ..]) if self.allows_cd_inside && changes_folder(first) => {
                let below = is_below(&folder, cwd);
                let rest = rest_after(command, first).filter(|_| below);
                rest.is_some_and(|rest| matches!(self.command(rest, &folder, home), Decision::Allow(_)))
            }
            _ => false,
        }
    }
}

/// Whether a folder exists and, with links resolved, is `cwd` or below it.
fn is_below(folder: &Path, cwd: &Path) -> bool {
    let (Ok(folder), Ok(cwd)) = (folder.canonicalize(), cwd.canonicalize()) else { return false };
    folder.is_dir() && folder.starts_with(cwd)
}

/// What follows the first part of a plain command.
fn rest_after<'c>(command: &'c str, first: &Part) -> Option<&'c str> {
    let joints = command.match_indices("&&");
    joints.map(|(at, joint)| command.split_at(at + joint.len())).find_map(|(before, rest)| {
        let before = plain::parse(before.strip_suffix("&&")?)?;
        (before.as_slice() == std::slice::from_ref(first)).then_some(rest)
    })
}

/// Whether the part's output goes only into files in the folder: an agent checks where `tee` writes, and asks about its own
/// settings and about links, whatever its rules say.
fn writes_inside(part: &Part, cwd: &Path) -> bool {
    if program(part) != "tee" {
        return true;
    }
    part.words.iter().skip(1).filter(|word| !word.starts_with('-')).all(|word| {
        let name = !word.contains(['/', ':']) && !word.starts_with('.');
        name && !cwd.join(word).symlink_metadata().is_ok_and(|file| !file.is_file())
    })
}

fn program(part: &Part) -> &str {
    part.words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word))
}

fn changes_folder(part: &Part) -> bool {
    matches!(program(part), "cd" | "pushd" | "popd" | "chdir" | "z")
}

/// Whether the part names nothing outside of `cwd` and sets only harmless variables.
fn stays_inside(part: &Part, cwd: &Path, home: &Path) -> bool {
    let named = part.assigns.iter().all(|(name, _)| HARMLESS_VARIABLES.contains(&name.as_str()));
    let moved = match part.words.as_slice() {
        [first, target] if first == "cd" => !target.starts_with('-') && is_inside(target, cwd, home),
        _ => !changes_folder(part),
    };
    // The program itself may be anywhere: the rule that allows it names it.
    named
        && moved
        && part.words.iter().skip(1).all(|word| spellings(word).all(|path| is_inside(path, cwd, home)))
}

/// The paths that a word may contain: itself, `--name=path`, `NAME=path`, `-Cpath`.
fn spellings(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value);
    let attached =
        word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    [Some(word), value, attached].into_iter().flatten()
}

fn is_inside(word: &str, cwd: &Path, home: &Path) -> bool {
    let path = Path::new(word);
    let climbs = path.components().any(|part| part == Component::ParentDir);
    !climbs && !word.starts_with('~') && (!path.has_root() || absolute_path(word, cwd, home).starts_with(cwd))
}
