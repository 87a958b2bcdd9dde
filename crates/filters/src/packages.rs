//! Added or removed packages, a line each: their names stay, joined in one line.

use std::collections::HashSet;

use crate::Left;

/// The words that such lines begin with.
const WORDS: [&str; 2] = ["Removing", "Adding"];
/// What uv prints before an added and before a removed package.
const ADDED: &str = " + ";
const REMOVED: &str = " - ";
/// What Poetry and Composer print before an installed package.
const INSTALLING: [&str; 2] = ["  - Installing ", "  • Installing "];
/// How the lines of a list of packages begin. Any other line is a total or a heading, and ends the list.
const ENTRIES: [&str; 9] =
    ["Removing ", "Adding ", "Updating ", "Downgrading ", "Unchanged ", "+ ", "- ", "~ ", "• "];
/// Fewer lines stay as they are.
const FEW: usize = 4;

/// The text with these lines joined where the first of each kind was, in each list on its own: two commands may print
/// one each.
pub(crate) fn joined(text: &str) -> Option<Left> {
    let (mut out, mut list) = (String::with_capacity(text.len()), String::new());
    for line in text.lines() {
        let is_entry = ENTRIES.iter().any(|begin| line.trim_start().starts_with(begin));
        if !is_entry && !list.is_empty() {
            out.push_str(&list_joined(&list));
            list.clear();
        }
        let to = if is_entry { &mut list } else { &mut out };
        to.push_str(line);
        to.push('\n');
    }
    out.push_str(&list_joined(&list));
    (out.len() < text.len()).then(|| (out, Vec::new()))
}

/// The same for a single list.
fn list_joined(list: &str) -> String {
    let mut out = list.to_owned();
    for word in WORDS {
        let names: Vec<&str> = out.lines().filter_map(|line| plain(line, word)).collect();
        if names.len() < FEW {
            continue;
        }
        let line = format!("{word} {}: {}\n", names.len(), names.join(", "));
        let mut joined = String::with_capacity(out.len());
        let mut printed = false;
        for one in out.lines() {
            if plain(one, word).is_none() {
                joined.push_str(one);
                joined.push('\n');
            } else if !printed {
                joined.push_str(&line);
                printed = true;
            }
        }
        out = joined;
    }
    if let Some(joined) = with_added_joined(&out) {
        out = joined;
    }
    for begin in INSTALLING {
        if let Some(joined) = in_one_line(&out, begin, |line| installed(line, begin)) {
            out = joined;
        }
    }
    out
}

/// Whether a line may be one of them.
pub(crate) fn may_begin(line: &str) -> bool {
    WORDS.iter().any(|word| plain(line, word).is_some())
        || signed(line, ADDED).is_some()
        || INSTALLING.iter().any(|begin| installed(line, begin).is_some())
}

/// The text with uv's lines about added packages joined. One that replaces a removed version stays beside the line about
/// that.
fn with_added_joined(text: &str) -> Option<String> {
    let name = |package: &str| package.split("==").next().map(str::to_owned);
    let removed: HashSet<String> =
        text.lines().filter_map(|line| signed(line, REMOVED)).filter_map(name).collect();
    let is_new = |package: &&str| name(package).is_some_and(|package| !removed.contains(&package));
    in_one_line(text, ADDED, |line| signed(line, ADDED).filter(is_new))
}

/// The text with the lines that have a `package` in one line, where the first was.
fn in_one_line<'t>(
    text: &'t str,
    begin: &str,
    package: impl Fn(&'t str) -> Option<&'t str>,
) -> Option<String> {
    let packages: Vec<&str> = text.lines().filter_map(&package).collect();
    if packages.len() < FEW {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut printed = false;
    for line in text.lines() {
        if package(line).is_none() {
            out.push_str(line);
            out.push('\n');
        } else if !std::mem::replace(&mut printed, true) {
            out.push_str(&format!("{begin}{}\n", packages.join(", ")));
        }
    }
    Some(out)
}

/// `  - Installing click (8.5.1)`, with no status after it: the package and its version.
fn installed<'t>(line: &'t str, begin: &str) -> Option<&'t str> {
    let package = line.strip_prefix(begin)?.strip_suffix(')')?;
    let (name, version) = package.split_once(" (")?;
    (!name.contains(' ') && !version.contains(['(', ')'])).then(|| &line[begin.len()..])
}

/// ` + click==8.5.1`, with no note after it: the package and its version.
fn signed<'t>(line: &'t str, sign: &str) -> Option<&'t str> {
    line.strip_prefix(sign).filter(|package| package.contains("==") && !package.contains(' '))
}

/// `    Removing defmt v1.1.0`, with no note after it except the compiler that it requires.
fn plain<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    let name = line.trim_start().strip_prefix(word)?.strip_prefix(' ')?;
    let mut words = name.splitn(3, ' ');
    let version = words.nth(1).is_some_and(|version| version.starts_with('v'));
    (version && words.next().is_none_or(|note| note.starts_with("(requires "))).then_some(name)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_beside_each_other_and_notes_keep_their_line() {
        let text = "    Locking 7 packages\n    Removing a v1.0.0\n    Adding n v2.0.0 (available: v3.0.0)\n    Removing b v1.0.0\n    Removing c v0.1.0\n    Removing d-e v0.1.0+x\n    Adding one v1.0.0\n";
        let (out, left_out) = super::joined(text).unwrap();
        assert_eq!(
            out,
            "    Locking 7 packages\nRemoving 4: a v1.0.0, b v1.0.0, c v0.1.0, d-e v0.1.0+x\n    Adding n v2.0.0 (available: v3.0.0)\n    Adding one v1.0.0\n"
        );
        assert!(left_out.is_empty());
    }

    #[test]
    fn added_packages_of_uv_are_beside_each_other_and_updates_keep_their_lines() {
        let text = "Installed 6 packages in 52ms\n + anyio==4.16.0\n - click==8.1.0\n + click==8.5.1\n + idna==3.20\n + jinja2==3.1.6\n + shop==1.0 (from file:///srv/shop)\n + werkzeug==3.1.9\n";
        let (out, _) = super::joined(text).unwrap();
        assert_eq!(
            out,
            "Installed 6 packages in 52ms\n + anyio==4.16.0, idna==3.20, jinja2==3.1.6, werkzeug==3.1.9\n - click==8.1.0\n + click==8.5.1\n + shop==1.0 (from file:///srv/shop)\n"
        );
        assert!(super::joined(" + anyio==4.16.0\n + idna==3.20\n").is_none());
    }

    #[test]
    fn packages_stay_below_the_total_of_their_own_list() {
        let list =
            |packages: [&str; 4]| format!("Installed 4 packages in 5ms\n + {}\n", packages.join("\n + "));
        let text = list(["anyio==4.16.0", "idna==3.20", "jinja2==3.1.6", "werkzeug==3.1.9"])
            + &list(["click==8.5.1", "ruff==0.14.6", "ty==0.0.1", "uvloop==0.22.1"]);
        let (out, _) = super::joined(&text).unwrap();
        assert_eq!(
            out,
            "Installed 4 packages in 5ms\n + anyio==4.16.0, idna==3.20, jinja2==3.1.6, werkzeug==3.1.9\nInstalled 4 packages in 5ms\n + click==8.5.1, ruff==0.14.6, ty==0.0.1, uvloop==0.22.1\n"
        );
    }

    #[test]
    fn installed_packages_are_beside_each_other_and_one_that_failed_keeps_its_line() {
        let text = "Package operations: 6 installs, 0 updates, 0 removals\n  - Installing click (8.5.1)\n  - Installing idna (3.20)\n  - Installing lxml (6.0): Failed\n  - Installing jinja2 (3.1.6)\n  - Updating flask (3.0.0 -> 3.1.3)\n  - Installing shop (1.4 a1b2c3d)\n";
        let (out, _) = super::joined(text).unwrap();
        assert_eq!(
            out,
            "Package operations: 6 installs, 0 updates, 0 removals\n  - Installing click (8.5.1), idna (3.20), jinja2 (3.1.6), shop (1.4 a1b2c3d)\n  - Installing lxml (6.0): Failed\n  - Updating flask (3.0.0 -> 3.1.3)\n"
        );
    }
}
