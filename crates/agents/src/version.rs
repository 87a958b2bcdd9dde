//! Agents' versions: asks a program if its files don't tell (`package`), and compares versions. Each agent's file knows
//! which version brought which feature.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use home::Env;
use semver::Version;

use crate::probe;

/// A program that takes longer for `--version` counts as one without a version.
const LIMIT: Duration = Duration::from_secs(5);

/// Variables that the program may see; any other could point it at the user's own files.
const SEEN: [&str; 8] = ["PATH", "PATHEXT", "SystemRoot", "SystemDrive", "ComSpec", "LANG", "LC_ALL", "TERM"];

/// Variables that programs write into.
const FOLDERS: [&str; 10] = [
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "TMPDIR",
    "TEMP",
    "TMP",
];

/// The version that `program --version` prints.
pub(crate) fn of(program: &Path, env: &Env) -> Option<String> {
    parse(&version_output(program, env)?).map(|version| version.to_string())
}

/// The output of `program --version`, in a temporary empty home folder. Even this makes programs write (Gemini CLI its list
/// of projects, with temporary files if it is killed; Copilot CLI unpacks itself), and detection must leave no trace.
pub(crate) fn version_output(program: &Path, env: &Env) -> Option<String> {
    let scratch = match home::private_temp_dir("plimsoll-look-") {
        Ok(scratch) => scratch,
        Err(error) => {
            log::info!("no version of {}: {error}", program.display());
            return None;
        }
    };
    let seen = |name: &str| SEEN.iter().any(|seen| seen.eq_ignore_ascii_case(name));
    let mut vars: Vec<(OsString, OsString)> = env
        .vars()
        .filter(|(name, _)| name.to_str().is_some_and(seen))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    vars.extend(FOLDERS.iter().map(|name| ((*name).into(), scratch.path().into())));
    match probe::query(program, &["--version"], &vars, LIMIT) {
        Ok(answer) => Some(String::from_utf8_lossy(&answer).into_owned()),
        Err(error) => {
            log::info!("no version: {error}");
            None
        }
    }
}

/// The first `1.2.3`-like word in a text (`codex-cli 0.155.1`, `v1.18.33`).
pub(crate) fn parse(text: &str) -> Option<Version> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '/' | '@'))
        .map(|word| word.trim_start_matches(['v', 'V']))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .find_map(|word| Version::parse(word).ok().or_else(|| lenient(word)))
}

/// Whether `found` is `wanted` or newer; `None` if the version is unknown.
pub(crate) fn at_least(found: Option<&str>, wanted: &str) -> Option<bool> {
    let found = parse(found?)?;
    let wanted = parse(wanted)?;
    Some((found.major, found.minor, found.patch) >= (wanted.major, wanted.minor, wanted.patch))
}

/// The last of the versions that Plimsoll was tested with, if the agent's is newer.
#[must_use]
pub fn last_tested_before(tested: &[&'static str], version: &str) -> Option<&'static str> {
    let last = tested.last().copied()?;
    let is_newer = at_least(Some(version), last)? && !at_least(Some(last), version)?;
    is_newer.then_some(last)
}

/// `2.1`, `1.2.3.4` and `2026.09.18-abc` aren't SemVer (leading zeros, other counts), but comparable.
fn lenient(word: &str) -> Option<Version> {
    let end = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
    let mut numbers = word[..end].split('.').filter(|part| !part.is_empty()).map(str::parse::<u64>);
    let major = numbers.next()?.ok()?;
    let minor = numbers.next()?.ok()?;
    let patch = numbers.next().and_then(Result::ok).unwrap_or(0);
    Some(Version::new(major, minor, patch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_version_in_what_programs_print() {
        for (printed, version) in [
            ("2.1.197 (Claude Code)\n", "2.1.197"),
            ("codex-cli 0.169.0", "0.169.0"),
            ("0.61.0", "0.61.0"),
            ("v1.18.33", "1.18.33"),
            ("1.139.0\nabcdef0123\nx64", "1.139.0"),
            ("2026.09.18-1a2b3c", "2026.9.18"),
            ("GitHub Copilot CLI 1.0.102.", "1.0.102"),
            ("kiro-cli 2.22", "2.22.0"),
        ] {
            assert_eq!(parse(printed).map(|v| v.to_string()).as_deref(), Some(version), "{printed:?}");
        }
        for printed in ["", "error: no such option", "9", "é…", "99999999999999999999.1.1"] {
            assert_eq!(parse(printed), None, "{printed:?}");
        }
    }

    #[test]
    fn a_version_newer_than_the_last_tested_one_is_reported() {
        let last = |id: &str, version: &str| last_tested_before(crate::by_id(id)?.tested_versions(), version);
        for (id, version, wanted) in [
            ("claude-code", "2.1.333", Some("2.1.332")),
            ("claude-code", "2.2.0-beta.1", Some("2.1.332")),
            ("claude-code", "2.1.332", None),
            ("claude-code", "2.1.200", None),
            ("codex", "0.172.0-alpha.4", Some("0.171.0")),
            ("codex", "nightly", None),
            ("cursor", "99.0.0", None),
            ("nobody", "99.0.0", None),
        ] {
            assert_eq!(last(id, version), wanted, "{id} {version}");
        }
    }

    #[test]
    fn the_tested_versions_are_those_that_the_readme_names() {
        let readme = include_str!("../../../README.md");
        for agent in crate::AGENTS {
            let begin = format!("| {} | ", agent.name());
            let row = readme.lines().find(|line| line.starts_with(&begin)).unwrap_or_default();
            for version in agent.tested_versions() {
                assert!(row.contains(version), "{version}: {row}");
            }
            assert_eq!(row.contains("the real CLI"), !agent.tested_versions().is_empty(), "{row}");
        }
    }

    #[test]
    fn compares_numbers_and_leaves_the_unknown_unknown() {
        assert_eq!(at_least(Some("2.1.139"), "2.1.139"), Some(true));
        assert_eq!(at_least(Some("2.1.99"), "2.1.139"), Some(false));
        assert_eq!(at_least(Some("0.145.0-alpha.3"), "0.145.0"), Some(true));
        assert_eq!(at_least(Some("nightly"), "0.145.0"), None);
        assert_eq!(at_least(None, "0.145.0"), None);
    }
}
