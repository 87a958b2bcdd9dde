//! Proposes memories from the commits of the last months whose subject names their kind, as *conventional commits* do
//! (`fix(cache): …`, `refactor!: …`, `Revert "…"`). Commit authors write for a history, not for agents, and may be
//! anybody: everything waits for review with the repository's trust.

use std::path::Path;

use super::import::Reader;
use crate::actions::failure::Failure;
use crate::actions::git::git;
use crate::domain::{Namespace, Status, Trust};

/// How far back commits are read.
const SINCE: &str = "--since=90.days";
/// Maximum number of commits read.
const MAX_COMMITS: &str = "--max-count=2000";
/// Maximum number of commits taken, the newest.
const MAX_TAKEN: usize = 200;
/// Shorter subjects say nothing.
const MIN_SUBJECT: usize = 10;
/// Maximum length of an explanation, in characters.
const MAX_BODY: usize = 600;

/// Separates the fields of a commit: the one character that git allows in none.
const FIELD: char = '\0';
/// The number of fields of a commit, including its files.
const FIELDS: usize = 5;

impl Reader<'_> {
    /// Reads the commits of the work tree at `root`.
    pub(super) fn commits(&mut self, root: &Path) -> Result<(), Failure> {
        let mut args = vec!["log", "--no-merges", "--no-renames", "--name-only", "--relative", "--no-color"];
        args.extend([SINCE, MAX_COMMITS, "--format=%x00%H%x00%cI%x00%s%x00%b%x00", "--", "."]);
        let begun = git(root, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_some();
        if !begun && git(root, &["rev-parse", "--git-dir"]).is_some() {
            return Ok(());
        }
        let Some(text) = git(root, &args) else {
            return Err(Failure::unusable(format!(
                "git lists no commits of {}: git is missing, this isn't a repository, or it took too long",
                root.display()
            )));
        };
        let fields: Vec<&str> = text.split(FIELD).skip(1).collect();
        let commits = fields.chunks(FIELDS).filter_map(Commit::parse);
        for (namespace, commit) in commits.filter_map(|one| Some((one.namespace()?, one))).take(MAX_TAKEN) {
            let mut draft = self.draft(commit.content(), self.namespace.unwrap_or(namespace));
            (draft.status, draft.trust, draft.client) = (Status::Pending, Trust::Repository, None);
            draft.source = Some(format!("commit {}", &commit.hash[..commit.hash.len().min(12)]));
            draft.tags = commit.scope().map(str::to_lowercase).into_iter().collect();
            // A commit that touches a single file is about that file.
            if let [file] = commit.files.as_slice()
                // Git quotes names that it can't print.
                && !file.starts_with('"')
            {
                draft.file = Some((*file).to_owned());
            }
            self.push(draft, Some(commit.at));
        }
        Ok(())
    }
}

/// A commit as git prints it.
#[derive(Debug, PartialEq, Eq)]
struct Commit<'t> {
    hash: &'t str,
    at: &'t str,
    subject: &'t str,
    body: &'t str,
    files: Vec<&'t str>,
}

impl<'t> Commit<'t> {
    fn parse(fields: &[&'t str]) -> Option<Self> {
        let [hash, at, subject, body, files] = fields else { return None };
        let files = files.lines().filter(|line| !line.is_empty()).collect();
        Some(Self { hash: hash.trim(), at, subject: subject.trim(), body: body.trim(), files })
    }

    /// The text before and after the subject's colon.
    fn split_subject(&self) -> Option<(&'t str, &'t str)> {
        let (kind, rest) = self.subject.split_once(": ")?;
        let word = kind.split(['(', '!']).next().unwrap_or(kind);
        let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic());
        let closed = kind.contains('(') == kind.trim_end_matches('!').ends_with(')');
        (plain && closed).then_some((kind, rest.trim()))
    }

    /// The scope in the subject's parentheses.
    fn scope(&self) -> Option<&'t str> {
        let (kind, _) = self.split_subject()?;
        let (_, scope) = kind.split_once('(')?;
        Some(scope.trim_end_matches('!').trim_end_matches(')').trim()).filter(|scope| !scope.is_empty())
    }

    /// The namespace for the commit's kind; `None` for kinds that only describe work.
    fn namespace(&self) -> Option<Namespace> {
        if let Some(reverted) = self.subject.strip_prefix("Revert \"") {
            return (reverted.len() > MIN_SUBJECT).then_some(Namespace::Learnings);
        }
        let (kind, rest) = self.split_subject()?;
        if rest.chars().count() < MIN_SUBJECT {
            return None;
        }
        let breaks = kind.ends_with('!') || self.body.contains("BREAKING CHANGE");
        match kind.split(['(', '!']).next().unwrap_or(kind).to_ascii_lowercase().as_str() {
            "refactor" | "migrate" => Some(Namespace::Decisions),
            _ if breaks => Some(Namespace::Decisions),
            "fix" | "revert" | "hotfix" => Some(Namespace::Learnings),
            _ => None,
        }
    }

    /// The subject and the explanation, without trailers.
    fn content(&self) -> String {
        let mut lines: Vec<&str> = self.body.lines().map(str::trim_end).collect();
        while lines.last().is_some_and(|line| line.is_empty() || is_trailer(line)) {
            lines.pop();
        }
        let why = lines.join("\n");
        let why = why.trim();
        if why.is_empty() {
            return self.subject.to_owned();
        }
        let cut: String = why.chars().take(MAX_BODY).collect();
        let more = if cut.len() < why.len() { " […]" } else { "" };
        format!("{}\n\n{}{more}", self.subject, cut.trim_end())
    }
}

/// `Signed-off-by: …`, `Co-authored-by: …`, `Fixes: #3`.
fn is_trailer(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(key, _)| {
        key.starts_with(char::is_uppercase)
            && key.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
            && key != "BREAKING"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit<'t>(subject: &'t str, body: &'t str) -> Commit<'t> {
        Commit { hash: "0123456789abcdef", at: "2026-03-01T10:00:00Z", subject, body, files: Vec::new() }
    }

    #[test]
    fn subjects_that_name_their_kind_are_taken() {
        for (subject, body, namespace, scope) in [
            ("fix(cache): evict before the limit is reached", "", Some(Namespace::Learnings), Some("cache")),
            ("Fix: evict before the limit is reached", "", Some(Namespace::Learnings), None),
            ("refactor!: sessions live in PostgreSQL", "", Some(Namespace::Decisions), None),
            ("feat(api)!: pages instead of cursors", "", Some(Namespace::Decisions), Some("api")),
            (
                "feat: pages instead of cursors",
                "BREAKING CHANGE: `next` is gone",
                Some(Namespace::Decisions),
                None,
            ),
            ("feat: pages instead of cursors", "", None, None),
            ("Revert \"feat: pages instead of cursors\"", "", Some(Namespace::Learnings), None),
            ("fix: typo", "", None, None),
            ("Fix the eviction of the cache", "", None, None),
            ("docs: fix: the description of pages", "", None, None),
            ("fix the: eviction of the cache", "", None, None),
            ("fix(cache: eviction of the cache", "", None, None),
            ("", "", None, None),
        ] {
            let commit = commit(subject, body);
            assert_eq!((commit.namespace(), commit.scope()), (namespace, scope), "{subject}");
        }
    }

    #[test]
    fn explanations_are_taken_and_trailers_are_not() {
        let content_of = |body| commit("fix: x", body).content();
        assert_eq!(content_of(""), "fix: x");
        assert_eq!(
            content_of("Two locks met.\n\nSigned-off-by: a\nCo-authored-by: b"),
            "fix: x\n\nTwo locks met."
        );
        assert_eq!(content_of("BREAKING: see there"), "fix: x\n\nBREAKING: see there");
        assert_eq!(content_of(&"ü".repeat(700)), format!("fix: x\n\n{} […]", "ü".repeat(600)));
    }
}
