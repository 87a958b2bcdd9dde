//! What a file loses for its name beside the learned weights: one called `types` says what others do, an error's file is asked for by
//! what goes wrong, one for a platform (`term_windows.go`) by the platform's name, and a header only declares. Rules after the ranker, measured on all
//! questions of `bench code`; the weights know nothing about them. Pure.

use std::collections::HashSet;

use super::query::Query;
use super::reader::File;
use crate::words;

/// What a script's file of types loses, in scores of the second stage.
const OF_TYPES: f64 = 0.3;
/// What a file of errors loses where nobody asks what goes wrong.
const OF_ERRORS: f64 = 0.6;
/// What a file for one platform loses where the question doesn't name it.
const OF_PLATFORM: f64 = 0.4;
/// What a header of C or C++ loses whose functions are written out in a file of the same name.
const OF_HEADER: f64 = 0.3;
const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx"];
const SOURCES: &[&str] = &["c", "cc", "cpp", "cxx", "m", "mm"];
/// A shorter question names what it wants.
const LONG: usize = 3;

/// Words of questions about what goes wrong.
const WRONG: &[&str] = &[
    "abort",
    "catch",
    "caught",
    "crash",
    "denied",
    "error",
    "exceed",
    "exceeds",
    "exception",
    "fail",
    "failed",
    "failure",
    "fault",
    "forbidden",
    "illegal",
    "invalid",
    "malformed",
    "panic",
    "problem",
    "raise",
    "refuse",
    "reject",
    "rescue",
    "throw",
    "thrown",
    "unhandled",
    "warning",
    "wrong",
];

/// What ends the name of a file that is used on one platform only; each row is named by any of its words.
const PLATFORMS: &[&[&str]] = &[
    &["win", "win32", "windows"],
    &["bsd", "darwin", "freebsd", "linux", "macos", "posix", "solaris", "unix"],
    &["android"],
    &["ios"],
    &["wasm"],
];
/// The same, but only behind a dot: `tree_node.go` is about a node, and `file_browser.py` shows files.
const RUNTIMES: &[&[&str]] = &[&["browser"], &["node"]];

/// What a candidate's score loses for a question.
pub(super) fn loss(file: &File, query: &Query, sources: &HashSet<&str>) -> f64 {
    if query.names_only || query.names.len() + query.plain.len() < LONG {
        return 0.0;
    }
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    if is_of_types(&file.language, name) {
        return OF_TYPES;
    }
    if is_of_errors(name) && !asks_what_goes_wrong(query) {
        return OF_ERRORS;
    }
    if is_of_other_platform(name, query) {
        return OF_PLATFORM;
    }
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    if HEADERS.contains(&ending) && sources.contains(stem) { OF_HEADER } else { 0.0 }
}

/// The names, without endings, of the files in which C and C++ write functions out.
pub(super) fn sources(files: &[File]) -> HashSet<&str> {
    let names = files.iter().filter(|file| matches!(file.language.as_str(), "c" | "cpp" | "objc"));
    let names = names.map(|file| file.path.rsplit('/').next().unwrap_or(&file.path));
    names
        .filter_map(|name| name.rsplit_once('.'))
        .filter(|(_, end)| SOURCES.contains(end))
        .map(|(stem, _)| stem)
        .collect()
}

/// `types.ts`, `baseQueryTypes.ts`, `cart.types.ts`: in other languages what is called so has code.
fn is_of_types(language: &str, name: &str) -> bool {
    let stem = stem(name);
    matches!(language, "typescript" | "tsx" | "javascript")
        && (matches!(stem, "type" | "types" | "typings" | "Types")
            || ["Types", ".types", "-types", "_types"].iter().any(|end| stem.ends_with(end)))
}

/// A file's name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// `errors.go`, `RequestException.php`, `show_exceptions.rb`.
fn is_of_errors(name: &str) -> bool {
    let mut found = false;
    words::words(stem(name), &mut String::new(), |word| {
        found |= ["error", "exception"].iter().any(|one| word == words::stem(one));
    });
    found
}

/// `lock_windows.go`, `lock_other.go`, `polling-xhr.node.ts`, where the question doesn't name the platform. A file that is called
/// `windows.go` isn't one.
fn is_of_other_platform(name: &str, query: &Query) -> bool {
    let stem = stem(name);
    let Some((before, end)) = stem.rsplit_once(['.', '_', '-']).filter(|(before, _)| !before.is_empty())
    else {
        return false;
    };
    let end = end.to_ascii_lowercase();
    let row = |rows: &'static [&'static [&'static str]]| rows.iter().find(|row| row.contains(&end.as_str()));
    let runtime = || if stem[before.len()..].starts_with('.') { row(RUNTIMES) } else { None };
    let Some(platform) = row(PLATFORMS).or_else(runtime) else { return end == "other" };
    !query.names.iter().chain(&query.plain).any(|word| platform.contains(&word.as_str()))
}

fn asks_what_goes_wrong(query: &Query) -> bool {
    let stems = || WRONG.iter().map(|word| words::stem(word));
    query.words.iter().any(|word| stems().any(|wrong| wrong == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(path: &str, language: &str, question: &str) -> f64 {
        let file = File {
            id: 1,
            path: path.to_owned(),
            language: language.to_owned(),
            role: crate::role::Role::default(),
            lines: 1,
            importers: 0,
            imports: Vec::new(),
            imported_by: Vec::new(),
            passes_on: Vec::new(),
            fatal: false,
            size: 1,
            mtime_ns: 1,
        };
        loss(&file, &Query::parse(question), &HashSet::from(["dict"]))
    }

    #[test]
    fn files_of_types_come_later_in_questions_about_what_code_does() {
        let question = "how are plugins applied to each store";
        for (path, language, question, expected) in [
            ("src/types.ts", "typescript", question, OF_TYPES),
            ("src/query/baseQueryTypes.ts", "typescript", question, OF_TYPES),
            ("src/store.ts", "typescript", question, 0.0),
            ("src/store.types.ts", "typescript", question, OF_TYPES),
            ("src/prototypes.ts", "typescript", question, 0.0),
            ("api/types.go", "go", question, 0.0),
            ("src/types.ts", "typescript", "StoreState", 0.0),
            ("src/types.ts", "typescript", "store types", 0.0),
        ] {
            assert_eq!(lost(path, language, question).to_bits(), expected.to_bits(), "{path}: {question}");
        }
    }

    #[test]
    fn headers_come_behind_the_files_that_write_them_out() {
        let question = "how does a table grow when it's full";
        for (path, question, expected) in [
            ("include/dict.h", question, OF_HEADER),
            ("src/dict.hpp", question, OF_HEADER),
            ("src/dict.c", question, 0.0),
            ("src/only.h", question, 0.0),
            ("src/dict.h", "grow table", 0.0),
        ] {
            assert_eq!(lost(path, "c", question).to_bits(), expected.to_bits(), "{path}: {question}");
        }
    }

    #[test]
    fn files_of_errors_come_later_unless_something_goes_wrong() {
        let question = "send many requests with limited concurrency";
        for (path, question, expected) in [
            ("src/Exception/TooManyRedirectsException.php", question, OF_ERRORS),
            ("lib/show_exceptions.rb", question, OF_ERRORS),
            ("src/errors.php", question, OF_ERRORS),
            ("src/Pool.php", question, 0.0),
            ("src/mirror.rs", question, 0.0),
            ("src/errors.php", "what is thrown for a redirect loop", 0.0),
            ("src/errors.php", "which failures are tried again", 0.0),
            ("src/errors.php", "requests rejected for their size", 0.0),
        ] {
            assert_eq!(lost(path, "php", question).to_bits(), expected.to_bits(), "{path}: {question}");
        }
    }

    #[test]
    fn files_for_one_platform_come_later_unless_it_is_named() {
        let question = "how is a lock taken and refreshed";
        for (path, question, expected) in [
            ("src/lock_windows.go", question, OF_PLATFORM),
            ("src/env_posix.cc", question, OF_PLATFORM),
            ("src/polling-xhr.node.ts", question, OF_PLATFORM),
            ("src/wait.Windows.cs", question, OF_PLATFORM),
            ("src/lock.go", question, 0.0),
            ("src/lock_other.go", question, OF_PLATFORM),
            ("src/windows.go", question, 0.0),
            ("src/tree_node.go", question, 0.0),
            ("src/file-browser.ts", question, 0.0),
            ("src/_other.go", question, 0.0),
            ("src/mother.go", question, 0.0),
            ("src/lock_windows.go", "how is a lock taken on Windows", 0.0),
            ("src/lock_unix.go", "how is a lock taken on Linux", 0.0),
            ("src/lock_unix.go", "how is a lock taken on Windows", OF_PLATFORM),
            ("src/poll.node.ts", "how does polling over requests work in the browser", OF_PLATFORM),
            ("src/lock_windows.go", "lock_windows", 0.0),
        ] {
            assert_eq!(lost(path, "go", question).to_bits(), expected.to_bits(), "{path}: {question}");
        }
    }
}
