//! Matches files: gitignore patterns with Claude Code's four anchors, and other agents' simpler forms.
//!
//! A pattern is tried on the path as written (absolute, without `.` and `..`) and on the real path.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use crate::absolute_path::absolute_path;
use crate::pattern::{Wild, regex};
use crate::rule::{Effect, Rule, Syntax};

/// One file, in the forms that a pattern is tried on.
#[derive(Debug, Clone)]
pub(crate) struct FileRef {
    /// As written, for replies.
    pub(crate) shown: String,
    /// Absolute, with `/` between parts, without reading the disk.
    lexical: String,
    /// The real path, if it differs.
    real: Option<String>,
    is_dir: bool,
}

impl FileRef {
    /// `text` relative to `dir`; `~` is `home`. Resolves links.
    pub(crate) fn new(text: &str, dir: &Path, home: &Path) -> FileRef {
        let path = absolute_path(text, dir, home);
        let found = real_path(&path);
        let lexical = posix(&path);
        let real = Some(posix(&found)).filter(|r| *r != lexical);
        let is_dir = text.ends_with('/') || found.is_dir();
        FileRef { shown: text.to_owned(), lexical, real, is_dir }
    }

    /// A file by its real path, without reading the disk.
    pub(crate) fn from_real_path(real: &Path) -> FileRef {
        let lexical = posix(real);
        FileRef { shown: lexical.clone(), lexical, real: None, is_dir: false }
    }

    fn forms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.lexical.as_str()).chain(self.real.as_deref())
    }
}

/// The real path; for a missing file, through its nearest existing parent.
fn real_path(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    let mut here = path;
    // No real file has a path with thousands of parts.
    for _ in 0..256 {
        if let Ok(found) = std::fs::canonicalize(here) {
            return missing.iter().rev().fold(found, |p, part| p.join(part));
        }
        match (here.parent(), here.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name.to_owned());
                here = parent;
            }
            _ => break,
        }
    }
    path.to_path_buf()
}

/// A path with `/` between its parts; `C:\x` becomes `/c/x`, as Claude Code writes it.
pub(crate) fn posix(path: &Path) -> String {
    let text = path.to_string_lossy();
    if !cfg!(windows) {
        return text.into_owned();
    }
    let text = text.strip_prefix(r"\\?\").unwrap_or(&text).replace('\\', "/");
    match text.split_once(':') {
        Some((drive, rest)) if drive.len() == 1 => format!("/{}{rest}", drive.to_lowercase()),
        _ => text,
    }
}

/// A file rule's pattern, compiled.
#[derive(Debug)]
pub(crate) enum PathPattern {
    All,
    Git(GitPattern),
    /// Whole-text wildcard, tried on the path in several spellings.
    Wild {
        wild: Wild,
        roots: Vec<String>,
        by_name: bool,
        fold: bool,
    },
    Folder(Vec<String>),
    Regex(Box<regex::Regex>, Vec<String>),
    Unreadable,
    Never,
}

/// One gitignore pattern below its anchor.
#[derive(Debug)]
pub(crate) struct GitPattern {
    /// The anchor as written, and its real path. No trailing slash; empty for the root.
    anchors: Vec<String>,
    glob: GlobMatcher,
    fold: bool,
}

fn spellings(path: &Path, fold: bool) -> Vec<String> {
    let mut all = vec![posix(path), posix(&real_path(path))];
    all.dedup();
    for text in &mut all {
        let trimmed = text.trim_end_matches('/').to_owned();
        *text = if fold { trimmed.to_lowercase() } else { trimmed };
    }
    all
}

fn all_spellings(paths: &[&Path], fold: bool) -> Vec<String> {
    let mut all: Vec<String> = paths.iter().flat_map(|path| spellings(path, fold)).collect();
    all.sort();
    all.dedup();
    all
}

fn build(pattern: &str, fold: bool) -> Option<GlobMatcher> {
    let glob = |p: &str| {
        GlobBuilder::new(p).literal_separator(true).backslash_escape(true).case_insensitive(fold).build()
    };
    // An invalid glob (`a[b`) is literal.
    let escaped: String = pattern
        .chars()
        .flat_map(|c| "\\[]{}".contains(c).then_some('\\').into_iter().chain(Some(c)))
        .collect();
    glob(pattern).or_else(|_| glob(&escaped)).ok().map(|g| g.compile_matcher())
}

impl PathPattern {
    /// The pattern of `rule`; a relative one counts from each of the folders `from`.
    pub(crate) fn anchored(rule: &Rule, from: &[&Path], home: &Path, fold: bool) -> PathPattern {
        let Some(pattern) = rule.pattern.as_deref() else { return PathPattern::All };
        let pattern = pattern.trim();
        match rule.syntax {
            Syntax::ClaudeCode => PathPattern::git(rule, pattern, from, home, fold),
            Syntax::Glob => {
                let expanded = expand_home(pattern, home);
                let short = expanded.strip_prefix("./").unwrap_or(&expanded);
                let text = if fold { short.to_lowercase() } else { short.to_owned() };
                let mut roots = all_spellings(from, fold);
                roots.extend(spellings(&rule.base, fold));
                let by_name = rule.effect != Effect::Allow && !text.contains('/');
                PathPattern::Wild { wild: Wild::new(&text, true), roots, by_name, fold }
            }
            Syntax::Prefix => {
                let pattern = expand_home(pattern, home);
                let folders: Vec<PathBuf> =
                    from.iter().map(|dir| absolute_path(&pattern, dir, home)).collect();
                let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
                PathPattern::Folder(all_spellings(&folders, fold))
            }
            Syntax::Regex => match regex(pattern, fold) {
                Ok(regex) => PathPattern::Regex(Box::new(regex), all_spellings(from, false)),
                Err(_) => PathPattern::Unreadable,
            },
        }
    }

    fn git(rule: &Rule, pattern: &str, from: &[&Path], home: &Path, fold: bool) -> PathPattern {
        if pattern.starts_with('!') {
            return PathPattern::Never;
        }
        let windows_drive = cfg!(windows) && pattern.get(1..2) == Some(":");
        let converted;
        let pattern = if cfg!(windows) {
            converted = if windows_drive {
                format!("/{}", posix(Path::new(pattern)))
            } else {
                pattern.replace('\\', "/")
            };
            converted.as_str()
        } else {
            pattern
        };
        let one = |anchor| vec![anchor];
        let (anchors, rest) = if let Some(rest) = pattern.strip_prefix("//") {
            (Vec::new(), format!("/{rest}"))
        } else if pattern == "~" {
            (one(home), "/**".to_owned())
        } else if let Some(rest) = pattern.strip_prefix("~/") {
            (one(home), format!("/{rest}"))
        } else if pattern.starts_with('/') {
            (one(rule.base.as_path()), pattern.to_owned())
        } else if let Some(rest) = pattern.strip_prefix("./") {
            // For an allow, `./x` is that one file; otherwise it matches as widely as a bare name.
            (from.to_vec(), if rule.effect == Effect::Allow { format!("/{rest}") } else { rest.to_owned() })
        } else {
            (from.to_vec(), pattern.to_owned())
        };
        let anchors = if anchors.is_empty() { vec![String::new()] } else { all_spellings(&anchors, fold) };
        let below = rest.trim_end_matches('/');
        let glob = match below.strip_prefix('/') {
            Some(anchored) => anchored.trim_start_matches('/').to_owned(),
            // Measured on Claude Code 2.1.197 and 2.1.330: a deny or ask matches at any depth, with or without a slash inside.
            None if below.starts_with("**/") => below.to_owned(),
            None if below.contains('/') && rule.effect == Effect::Allow => below.to_owned(),
            None => format!("**/{below}"),
        };
        match build(&glob, fold) {
            Some(glob) => PathPattern::Git(GitPattern { anchors, glob, fold }),
            None => PathPattern::Unreadable,
        }
    }

    /// The pattern as extended regular expressions over whole paths; empty for forms that have none.
    pub(crate) fn expressions(&self) -> Vec<String> {
        match self {
            PathPattern::Git(git) => {
                let below = expression_of(git.glob.glob().glob());
                git.anchors.iter().map(|anchor| format!("^{}/{below}(/.*)?$", literal(anchor))).collect()
            }
            PathPattern::Folder(folders) => {
                folders.iter().map(|folder| format!("^{}(/.*)?$", literal(folder))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the pattern matches the file: an allow must match all its forms, any other rule one of them.
    pub(crate) fn matches(&self, file: &FileRef, effect: Effect) -> bool {
        if effect == Effect::Allow {
            return file.forms().all(|form| self.matches_form(form, false));
        }
        file.forms().any(|form| self.matches_form(form, file.is_dir))
    }

    /// `inside`: the form is a folder, and the question is about anything in it.
    fn matches_form(&self, form: &str, inside: bool) -> bool {
        match self {
            PathPattern::All => true,
            PathPattern::Never | PathPattern::Unreadable => false,
            PathPattern::Git(git) => git.matches(form) || (inside && git.matches(&any_child(form))),
            PathPattern::Wild { wild, roots, by_name, fold } => {
                let folded;
                let form = if *fold {
                    folded = form.to_lowercase();
                    folded.as_str()
                } else {
                    form
                };
                let try_one = |form: &str| {
                    wild.matches(form)
                        || roots.iter().any(|root| below(form, root).is_some_and(|rel| wild.matches(rel)))
                        || (*by_name && form.rsplit('/').next().is_some_and(|name| wild.matches(name)))
                };
                try_one(form) || (inside && try_one(&any_child(form)))
            }
            PathPattern::Folder(folders) => folders.iter().any(|folder| below(form, folder).is_some()),
            PathPattern::Regex(regex, roots) => {
                regex.is_match(form)
                    || roots.iter().any(|root| below(form, root).is_some_and(|rel| regex.is_match(rel)))
            }
        }
    }
}

/// An expression that matches exactly this text.
fn literal(text: &str) -> String {
    text.chars()
        .flat_map(|c| "\\^$.|?*+()[]{}".contains(c).then_some('\\').into_iter().chain(Some(c)))
        .collect()
}

/// A gitignore pattern as an extended regular expression.
fn expression_of(glob: &str) -> String {
    let mut text = String::new();
    let mut rest = glob;
    let mut braces = 0;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**/") {
            text.push_str("(.*/)?");
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix("**") {
            text.push_str(".*");
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '*' => text.push_str("[^/]*"),
            '?' => text.push_str("[^/]"),
            '[' | ']' => text.push(c),
            '{' => {
                braces += 1;
                text.push('(');
            }
            '}' => {
                braces -= 1;
                text.push(')');
            }
            ',' if braces > 0 => text.push('|'),
            '\\' => {
                let next = rest.chars().next().unwrap_or('\\');
                rest = rest.get(next.len_utf8()..).unwrap_or_default();
                text.push_str(&literal(&next.to_string()));
            }
            other => text.push_str(&literal(&other.to_string())),
        }
    }
    text
}

/// A name in the folder that only wildcards such as `*` match.
fn any_child(form: &str) -> String {
    format!("{}/\u{1}", form.trim_end_matches('/'))
}

fn expand_home(pattern: &str, home: &Path) -> String {
    for prefix in ["~/", "$HOME/", "${HOME}/"] {
        if let Some(rest) = pattern.strip_prefix(prefix) {
            return format!("{}/{rest}", posix(home).trim_end_matches('/'));
        }
    }
    pattern.to_owned()
}

/// The part of `path` below `root` (the whole path for the file-system root), empty for `root` itself.
fn below<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    match path.strip_prefix(root)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    }
}

impl GitPattern {
    fn matches(&self, form: &str) -> bool {
        let folded;
        let form = if self.fold {
            folded = form.to_lowercase();
            folded.as_str()
        } else {
            form
        };
        self.anchors.iter().filter_map(|anchor| below(form, anchor)).any(|rel| {
            !rel.is_empty()
                && (self.glob.is_match(rel)
                    // A pattern that matches a folder matches everything in it.
                    || rel.match_indices('/').any(|(at, _)| rel.get(..at).is_some_and(|r| self.glob.is_match(r))))
        })
    }
}
