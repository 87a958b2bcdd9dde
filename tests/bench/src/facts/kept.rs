//! Decides whether a fact is in a text. The same for every tool: colours and the width of gaps don't count, and a
//! place in a file may be written in one piece or under a heading that names the file.

use anyhow::{Context, Result};
use regex::Regex;

/// Something that a developer needs from an output.
#[derive(Debug, Clone)]
pub(crate) enum Fact {
    /// These words, with gaps of any width.
    Words(String),
    /// A pattern, over the whole text.
    Pattern(Regex),
    /// A line of a file: `file:line`, or the number after the file's name, before another file is named.
    Place { file: String, line: String },
}

impl Fact {
    pub(crate) fn words(text: &str) -> Self {
        Self::Words(single_spaced(text))
    }

    pub(crate) fn pattern(text: &str) -> Result<Self> {
        Ok(Self::Pattern(Regex::new(text).with_context(|| format!("the pattern {text:?}"))?))
    }

    /// `src/a.js:3:9`, `src/a.js:3`, `src/a.c(3,9)`.
    pub(crate) fn place(text: &str) -> Result<Self> {
        let cut =
            text.find(['(', ':']).with_context(|| format!("the place {text:?} wants the form file:line"))?;
        let line = text[cut + 1..].trim_end_matches(')').replace(',', ":");
        Ok(Self::Place { file: text[..cut].to_owned(), line })
    }

    /// Its name in lists.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Pattern(pattern) => format!("/{pattern}/"),
            Self::Place { file, line } => format!("{file}:{line}"),
        }
    }
}

/// A text in which facts are looked for.
pub(crate) struct Text {
    plain: String,
    spaced: String,
}

impl Text {
    pub(crate) fn new(raw: &str) -> Self {
        let plain = filters::normalise(raw).into_owned();
        let spaced = single_spaced(&plain);
        Self { plain, spaced }
    }

    /// Whether the fact is in it; `files` are the files that its scenario's facts name.
    pub(crate) fn has(&self, fact: &Fact, files: &[String]) -> bool {
        match fact {
            Fact::Words(words) => self.spaced.contains(words.as_str()) || self.has_path(words),
            Fact::Pattern(pattern) => pattern.is_match(&self.plain),
            Fact::Place { file, line } => self.has_place(file, line, files),
        }
    }

    /// Whether the path that these words begin with is in it in two pieces: its folder first in a line, and behind or below
    /// it its name with the other words behind it.
    fn has_path(&self, words: &str) -> bool {
        let (path, behind) = words.split_once(' ').unwrap_or((words, ""));
        let Some((folder, name)) = path.rsplit_once('/') else { return false };
        let mut under = false;
        let mut below = "";
        for line in self.plain.lines() {
            if let Some(named) = line.strip_prefix(BELOW) {
                (below, under) = (named, false);
                continue;
            }
            if let Some(end) = end_of_name(line, path, below) {
                let rest: Vec<&str> = line[end..].trim_start_matches(':').split_whitespace().collect();
                if begins_with(&rest, behind) {
                    return true;
                }
            }
            let mut words = line.split_whitespace();
            let heading = words.clone().next().filter(|first| first.ends_with([':', '/']));
            if let Some(first) = heading {
                let rest = listed(first).strip_suffix(folder);
                under = rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
                words.next();
            } else if line.trim_end().ends_with([':', '/']) || line.trim().is_empty() {
                under = false;
            }
            let words: Vec<&str> = words.collect();
            let named = |at: usize| listed(words[at]) == name && begins_with(&words[at + 1..], behind);
            if under && (0..words.len()).any(named) {
                return true;
            }
        }
        false
    }

    fn has_place(&self, file: &str, line: &str, files: &[String]) -> bool {
        let mut under = false;
        let mut folder = "";
        for text in self.plain.lines() {
            if let Some(named) = text.strip_prefix(BELOW) {
                (folder, under) = (named, false);
            } else if let Some(end) = end_of_name(text, file, folder) {
                under = true;
                if has_line_number(&text[end..], line) {
                    return true;
                }
            } else if files.iter().any(|other| other != file && end_of_name(text, other, folder).is_some()) {
                under = false;
            } else if under && has_line_number(text, line) {
                return true;
            }
        }
        false
    }
}

/// Whether the first of these words are those that a fact has.
fn begins_with(words: &[&str], of: &str) -> bool {
    let mut words = words.iter();
    of.split_whitespace().all(|word| words.next() == Some(&word))
}

/// A word as it appears in a list.
fn listed(word: &str) -> &str {
    word.trim_end_matches([':', ',', '/'])
}

/// Plimsoll's text in front of the common folder of all files in a list; the list has their names relative to it.
const BELOW: &str = "files are below ";

/// Where the name of this file ends in a line; relative to the common `folder` it begins the line.
fn end_of_name(text: &str, file: &str, folder: &str) -> Option<usize> {
    if let Some(at) = find_file_name(text, file) {
        return Some(at + file.len());
    }
    let in_folder = |(at, _): (usize, &str)| {
        let before = folder.strip_suffix(&file[..=at])?;
        (before.is_empty() || before.ends_with('/')).then_some(&file[at + 1..])
    };
    let name = file.rmatch_indices('/').find_map(in_folder)?;
    (find_file_name(text, name) == Some(0)).then_some(name.len())
}

/// Where a line names this file, and not one whose path only ends or begins like it.
fn find_file_name(text: &str, file: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find(file).map(|at| at + from) {
        let before = text[..at].chars().next_back();
        let after = text[at + file.len()..].chars().next();
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if !before.is_some_and(inside) && !after.is_some_and(|c| inside(c) || c == '/') {
            return Some(at);
        }
        from = at + file.len();
    }
    None
}

/// Whether `line` (`3`, `3:9`) is a number of its own in the text. Tools also write `3,9` and `(3,9)`.
fn has_line_number(text: &str, line: &str) -> bool {
    let written = text.replace("), (", " ").replace(',', ":");
    let is_number = |c: char| c.is_ascii_digit();
    written.match_indices(line).any(|(at, _)| {
        let before = written[..at].chars().next_back();
        let after = written[at + line.len()..].chars().next();
        !before.is_some_and(|c| is_number(c) || c == '.') && !after.is_some_and(is_number)
    })
}

/// With each run of blanks as one, including line ends.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Fact, Text};

    fn has(text: &str, fact: &str, others: &[&str]) -> bool {
        let files: Vec<String> = others.iter().map(ToString::to_string).collect();
        Text::new(text).has(&Fact::place(fact).expect("a place"), &files)
    }

    #[test]
    fn a_place_is_found_in_one_piece_or_under_its_file() {
        assert!(has("src/a.js:3:9: no-undef", "src/a.js:3:9", &[]));
        assert!(has("src/a.ts(3,9): error TS1", "src/a.ts(3,9)", &[]));
        assert!(has("src/a.js\n  3:9  error  no-undef", "src/a.js:3:9", &["src/b.js"]));
        assert!(has("src/a.js: no-undef 3:9, 8:2, 11:4", "src/a.js:8:2", &[]));
        assert!(has("/home/dev/src/a.js\n  8:2 x", "src/a.js:8:2", &[]));
    }

    #[test]
    fn a_place_is_found_below_the_folder_of_all_files() {
        let text =
            "12 files\nfiles are below /home/dev/web/src/\na.js: no-undef 3:9, 8:2\nlib/a.js: no-undef 5:1\n";
        for fact in ["/home/dev/web/src/a.js:8:2", "src/a.js:3:9", "web/src/lib/a.js:5:1"] {
            assert!(has(text, fact, &["src/a.js", "src/lib/a.js"]), "{fact}");
        }
        for fact in ["lib/a.js:3:9", "b/src/a.js:3:9", "src/a.js:5:1", "src/lib/a.js:8:2"] {
            assert!(!has(text, fact, &["src/a.js", "src/lib/a.js"]), "{fact}");
        }
        let named = |path: &str| Text::new(text).has(&Fact::words(path), &[]);
        for path in ["web/src/a.js", "src/lib/a.js", "src/a.js no-undef"] {
            assert!(named(path), "{path}");
        }
        for path in ["web/a.js", "src/b.js", "src/lib/a.js no-var", "lib/src/a.js"] {
            assert!(!named(path), "{path}");
        }
    }

    #[test]
    fn a_place_is_not_found_under_another_file_or_in_another_number() {
        assert!(!has("src/a.js\n  1:1 x\nsrc/b.js\n  3:9 x", "src/a.js:3:9", &["src/a.js", "src/b.js"]));
        assert!(!has("src/a.js\n  13:9 x\n  3:95 x", "src/a.js:3:9", &[]));
        assert!(!has("src/a.js: 12 errors", "src/a.js:2", &[]));
        assert!(!has("src/aa.js:3:9", "a.js:3:9", &[]));
        assert!(!has("src/a.jsx:3:9", "src/a.js:3:9", &[]));
    }

    #[test]
    fn a_path_is_found_in_one_piece_or_with_its_folder() {
        let has = |text: &str, path: &str| Text::new(text).has(&Fact::words(path), &[]);
        for text in [
            "./src/a/b.rs",
            "src/a/: c.rs b.rs",
            "src/a:\nc.rs\nb.rs\n",
            "src/a/\n  c.rs, b.rs",
            "  /home/x/src/a/: b.rs",
        ] {
            assert!(has(text, "src/a/b.rs"), "{text}");
        }
        for text in [
            "src/b/: b.rs",
            "src/a/: c.rs\nsrc/b/: b.rs",
            "src/a:\nc.rs\n\nb.rs",
            "src/a b.rs",
            "lib/xsrc/a/: b.rs",
            "src/a/: xb.rs",
        ] {
            assert!(!has(text, "src/a/b.rs"), "{text}");
        }
        // What is behind the path is behind the name.
        let text = "src/a/:\n  c.rs | 4 ++\n  b.rs | 12 ++--\nREADME.md | 3";
        assert!(has(text, "src/a/b.rs | 12") && has(text, "src/a/c.rs | 4 ++"));
        for other in ["src/a/b.rs | 4", "src/a/b.rs | 1", "src/b/b.rs | 12", "src/a/README.md | 12"] {
            assert!(!has(text, other), "{other}");
        }
    }

    #[test]
    fn words_are_found_whatever_their_gaps() {
        let text = Text::new("\u{1b}[31mtotal\u{1b}[0m    12\n");
        assert!(text.has(&Fact::words("total 12"), &[]));
        assert!(!text.has(&Fact::words("total 13"), &[]));
        assert!(text.has(&Fact::pattern(r"(?m)^total\s+12$").expect("a pattern"), &[]));
    }
}
