//! The options of `rg`, `grep`, `git grep`, `ag` and `ack`, as far as they say how to read what is printed.

/// Their long options that take a value.
pub(super) const WITH_VALUE: &[&str] = &[
    "--glob",
    "--iglob",
    "--type",
    "--type-not",
    "--after-context",
    "--before-context",
    "--context",
    "--max-count",
    "--max-depth",
    "--include",
    "--exclude",
    "--exclude-dir",
    "--color",
    "--sort",
    "--threads",
    "--max-columns",
    "--encoding",
];
/// With these the output is not the hits.
pub(super) const OTHER_WAY: &[&str] = &[
    "--invert-match",
    "--files-without-match",
    "--quiet",
    "--files",
    "--count",
    "--count-matches",
    "--file",
    "--replace",
    "--json",
];
/// With these more lines are printed than hits.
pub(super) const CONTEXT: &[&str] = &[
    "--after-context",
    "--before-context",
    "--context",
    "--function-context",
    "--show-function",
    "--passthru",
];
/// With these only some files are searched.
pub(super) const FILES: &[&str] = &["--glob", "--iglob", "--include", "--type"];

/// The meaning of a short option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Short {
    /// Its value is the pattern.
    Pattern,
    /// It has a value: which files, or something else.
    Files,
    Value,
    /// The value is a number of lines around each hit.
    Context,
    /// Also prints lines that aren't hits.
    Around,
    /// The output is not the hits.
    OtherWay,
    /// Without effect here.
    Plain,
}

/// The meaning of a letter for a program.
pub(super) fn short(program: &str, letter: char) -> Short {
    match (program, letter) {
        (_, 'e') => Short::Pattern,
        (_, 'A' | 'B' | 'C') => Short::Context,
        (_, 'v' | 'L' | 'c' | 'f') | ("rg", 'r') | ("ag" | "ack", 'g') => Short::OtherWay,
        ("rg" | "git" | "grep" | "egrep" | "ack", 'q') => Short::OtherWay,
        ("rg", 'g' | 't') => Short::Files,
        (_, 'm') | ("rg", 'T' | 'd' | 'j' | 'M' | 'E') | ("grep" | "egrep", 'd' | 'D') | ("ag", 'G') => {
            Short::Value
        }
        ("git", 'W' | 'p') | (_, '0'..='9') => Short::Around,
        _ => Short::Plain,
    }
}
