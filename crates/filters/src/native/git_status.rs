//! `git status` in its long form: branch, sections and files; the advice in brackets is dropped.

pub(crate) fn git_status(text: &str) -> Option<String> {
    let mut known = false;
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim();
        known |= trimmed.starts_with("On branch ")
            || trimmed.starts_with("HEAD detached")
            || trimmed.contains("in progress");
        let advice = trimmed.starts_with("(use \"git ")
            || trimmed.starts_with("(commit or discard")
            || trimmed.starts_with("(fix conflicts and")
            || trimmed.starts_with("(all conflicts fixed");
        if advice || trimmed.is_empty() {
            continue;
        }
        // Files are indented by a tab; the column between state and name needs no width.
        if let Some(file) = line.strip_prefix('\t') {
            let mut words = file.splitn(2, ":   ");
            let (first, rest) = (words.next().unwrap_or_default(), words.next());
            out.push_str("  ");
            out.push_str(first);
            if let Some(rest) = rest {
                out.push_str(": ");
                out.push_str(rest.trim_start());
            }
        } else if line.starts_with(' ') {
            // The subject of a commit in a rebase may have such words, too.
            out.push_str(trimmed);
        } else {
            // `no changes added to commit (use "git add" and/or "git commit -a")`
            out.push_str(trimmed.split_once(" (use \"git ").map_or(trimmed, |(state, _)| state));
        }
        out.push('\n');
    }
    known.then_some(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn advice_is_dropped_and_files_stay() {
        let text = "On branch main\nChanges not staged for commit:\n  (use \"git add <file>...\" to update what will be committed)\n\tmodified:   src/a b.rs\n\nUntracked files:\n  (use \"git add <file>...\" to include)\n\tnew.txt\n\nno changes added to commit (use \"git add\" and/or \"git commit -a\")\n";
        assert_eq!(
            super::git_status(text).unwrap(),
            "On branch main\nChanges not staged for commit:\n  modified: src/a b.rs\nUntracked files:\n  new.txt\nno changes added to commit\n"
        );
        let rebase = "interactive rebase in progress; onto 0123456\nLast command done (1 command done):\n   pick 89abcde Explain the hint (use \"git add\") in full\n  (use \"git rebase --edit-todo\" to view and edit)\nnothing to commit, working tree clean\n";
        assert_eq!(
            super::git_status(rebase).unwrap(),
            "interactive rebase in progress; onto 0123456\nLast command done (1 command done):\npick 89abcde Explain the hint (use \"git add\") in full\nnothing to commit, working tree clean\n"
        );
    }
}
