//! Matches the file rules against the files that a command names.

use std::path::Path;

use super::command_rules::CommandRules;
use super::verdict::{Verdict, hit};
use crate::paths::{FileRef, PathPattern};
use crate::rule::{Effect, Precedence, Rule, Target};
use crate::shell::PathMention;

/// The most file names that one unquoted `*` expands to.
const MAX_GLOB: usize = 2_000;

impl CommandRules<'_> {
    pub(super) fn judge_files(&self, places: &[PathMention], target: Target, verdict: &mut Verdict) {
        let rules: Vec<&(&Rule, PathPattern)> =
            self.files.iter().filter(|(r, _)| r.target == target).collect();
        for place in places {
            if place.redirected && target == Target::Edit && !self.is_harmless_target(place) {
                verdict.unmatched = true;
            }
            if rules.is_empty() {
                continue;
            }
            for text in expand_glob(place, self.home) {
                let file = FileRef::new(&text, &place.dir, self.home);
                let mut best: Option<&Rule> = None;
                for (rule, pattern) in &rules {
                    let matched = match pattern {
                        PathPattern::Unreadable => rule.effect != Effect::Allow,
                        _ => pattern.matches(&file, rule.effect),
                    };
                    let better = match self.set.precedence {
                        Precedence::LastMatch => true,
                        Precedence::Strictest => best.is_none_or(|b| rule.effect < b.effect),
                    };
                    if matched && better {
                        best = Some(*rule);
                    }
                }
                if let Some(rule) = best.filter(|r| r.effect != Effect::Allow) {
                    verdict.add(Some((rule.effect, hit(rule, &text))));
                }
            }
        }
    }

    /// Whether output may go there without a rule: into the session's folder, or nowhere.
    fn is_harmless_target(&self, place: &PathMention) -> bool {
        let text = place.text.as_str();
        if matches!(text, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "NUL") {
            return true;
        }
        let path = crate::absolute_path::absolute_path(text, &place.dir, self.home);
        !text.contains(['$', '`']) && path.starts_with(self.cwd)
    }
}

/// The files that a path names; a glob expands to existing files.
fn expand_glob(place: &PathMention, home: &Path) -> Vec<String> {
    if !place.glob {
        return vec![place.text.clone()];
    }
    let path = crate::absolute_path::absolute_path(&place.text, &place.dir, home);
    let mut found = vec![std::path::PathBuf::new()];
    for part in path.components() {
        let name = part.as_os_str().to_string_lossy();
        if !name.contains(['*', '?', '[']) {
            found.iter_mut().for_each(|p| p.push(part));
            continue;
        }
        let Ok(glob) = globset::GlobBuilder::new(&name).build().map(|g| g.compile_matcher()) else {
            return vec![place.text.clone()];
        };
        let hidden = name.starts_with('.');
        let mut next = Vec::new();
        for folder in &found {
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let shown = name.to_string_lossy();
                if shown.starts_with('.') == hidden && glob.is_match(shown.as_ref()) {
                    next.push(folder.join(&name));
                }
                if next.len() >= MAX_GLOB {
                    break;
                }
            }
        }
        found = next;
    }
    let mut all: Vec<String> = found.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    // The pattern itself stays: without a match, the shell passes it on as it is.
    all.push(place.text.clone());
    all
}
