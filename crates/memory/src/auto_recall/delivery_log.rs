//! The log of memories given to agents unasked, with time and reason: one line per delivery, in a file of its own. A
//! hook only appends; prompts in it have no private spans and secrets.

use std::path::{Path, PathBuf};

use home::Home;
use serde::{Deserialize, Serialize};
use system::DataScope;

use crate::domain::DAY_MS;

/// Maximum length of the prompt in a line, in characters.
const MAX_PROMPT_CHARS: usize = 160;
/// Older lines are neither shown nor kept.
const KEPT_MS: i64 = 90 * DAY_MS;
/// A larger file is shortened to its end.
const MAX_FILE: u64 = 2_000_000;

/// A delivery of memories.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Delivery {
    /// When (ms since the epoch).
    pub(crate) at_ms: i64,
    /// The agent.
    pub(crate) agent: String,
    /// The session.
    pub(crate) session: String,
    /// The project's folder.
    pub(crate) project: String,
    /// The prompt, or the file or command of a tool call; `None` at the start of a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) asked: Option<String>,
    /// Whether it was given at a tool call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) at_tool: bool,
    /// The memories, each with its size in bytes.
    pub(crate) memories: Vec<(String, u64)>,
    /// The total size in bytes.
    pub(crate) bytes: u64,
}

/// The part of a prompt that is logged.
pub(super) fn logged_prompt(prompt: &str) -> String {
    let plain: Vec<&str> = prompt.split_whitespace().collect();
    let plain = plain.join(" ");
    if plain.chars().count() <= MAX_PROMPT_CHARS {
        return plain;
    }
    plain.chars().take(MAX_PROMPT_CHARS).chain(['…']).collect()
}

fn path(home: &Home) -> PathBuf {
    home.root().join("memory.given")
}

/// Appends a line. If that fails, the delivery isn't shown later.
pub(super) fn append(home: &Home, line: &Delivery) {
    let written = || -> std::io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        home::append_private(&path(home), text.as_bytes())
    };
    if let Err(error) = written() {
        log::info!("what was given can't be written down: {error}");
    }
}

/// The deliveries since a moment, latest first. Unreadable lines are skipped.
pub(crate) fn since(home: &Home, since_ms: i64) -> Vec<Delivery> {
    let mut lines = read(&path(home));
    lines.retain(|line| line.at_ms >= since_ms);
    lines.sort_by_key(|line| std::cmp::Reverse(line.at_ms));
    lines
}

fn read(path: &Path) -> Vec<Delivery> {
    let text = home::read_regular_text(path, 2 * MAX_FILE).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Forgets the deliveries of an agent, project or session.
pub(crate) fn forget(home: &Home, whose: &DataScope) {
    keep(home, |line| match whose {
        DataScope::All => false,
        DataScope::Project(root) => !Path::new(&line.project).starts_with(root),
        DataScope::Session(session) => line.session != *session,
    });
}

/// Removes expired lines.
pub(crate) fn retain(home: &Home, now_ms: i64) {
    keep(home, |line| line.at_ms >= now_ms.saturating_sub(KEPT_MS));
}

fn keep(home: &Home, wanted: impl Fn(&Delivery) -> bool) {
    let path = path(home);
    let Ok(size) = std::fs::metadata(&path).map(|meta| meta.len()) else { return };
    let all = read(&path);
    let mut left: Vec<String> =
        all.iter().filter(|line| wanted(line)).filter_map(|line| serde_json::to_string(line).ok()).collect();
    if left.len() == all.len() && size <= MAX_FILE {
        return;
    }
    let mut bytes = left.iter().map(|line| line.len() as u64 + 1).sum::<u64>();
    while bytes > MAX_FILE / 2 {
        let half = left.len().div_ceil(2);
        bytes -= left.drain(..half).map(|line| line.len() as u64 + 1).sum::<u64>();
    }
    let mut text = left.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    let done = if text.is_empty() {
        std::fs::remove_file(&path)
    } else {
        home::write_private(&path, text.as_bytes()).map_err(std::io::Error::other)
    };
    if let Err(error) = done {
        log::warn!("{}: {error}", path.display());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn line(session: &str, project: &str, at_ms: i64) -> Delivery {
        Delivery {
            at_ms,
            agent: "codex".into(),
            session: session.into(),
            project: project.into(),
            ..Delivery::default()
        }
    }

    #[test]
    fn given_memories_are_read_back_and_forgotten_by_session_project_and_age() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::resolve(&home::Env::for_test(dir.path())).unwrap();
        home.ensure().unwrap();
        assert_eq!(since(&home, 0), []);
        for (session, project, at_ms) in
            [("a", "/w/shop", 10), ("b", "/w/shop/api", 20), ("c", "/w/app", 30), ("c", "/w/app", 40)]
        {
            append(&home, &line(session, project, at_ms));
        }
        let times = |home: &Home| since(home, 0).iter().map(|line| line.at_ms).collect::<Vec<_>>();
        assert_eq!(times(&home), [40, 30, 20, 10]);
        assert_eq!(since(&home, 30).len(), 2);
        forget(&home, &DataScope::Session("a".into()));
        assert_eq!(times(&home), [40, 30, 20]);
        forget(&home, &DataScope::Project("/w/shop".into()));
        assert_eq!(times(&home), [40, 30]);
        retain(&home, KEPT_MS + 35);
        assert_eq!(times(&home), [40]);
        std::fs::OpenOptions::new().append(true).open(path(&home)).unwrap().write_all(b"half a li").unwrap();
        assert_eq!(times(&home), [40]);
        forget(&home, &DataScope::All);
        assert!(!path(&home).exists());
    }

    #[test]
    fn a_long_file_keeps_its_end() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::resolve(&home::Env::for_test(dir.path())).unwrap();
        home.ensure().unwrap();
        let wide = serde_json::to_string(&line(&"s".repeat(900), "/w", 7)).unwrap() + "\n";
        std::fs::write(path(&home), wide.repeat(2_200)).unwrap();
        append(&home, &line("last", "/w", 8));
        retain(&home, 9);
        let left = since(&home, 0);
        assert_eq!(left[0].session, "last");
        assert!((400..1_200).contains(&left.len()), "{}", left.len());
    }

    #[test]
    fn a_prompt_is_one_line_of_so_many_letters() {
        assert_eq!(logged_prompt("can we\n put a cache?"), "can we put a cache?");
        assert_eq!(logged_prompt(&"字".repeat(500)).chars().count(), 161);
    }
}
