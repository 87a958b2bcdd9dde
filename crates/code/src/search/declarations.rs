//! What files that only declare lose beside the learned weights: one called `types` says what others do, and an error's file is asked
//! for by what goes wrong. Rules after the ranker, measured on all questions of `bench code`; the weights know nothing about them. Pure.

use super::query::Query;
use super::reader::File;
use crate::words;

/// What a script's file of types loses, in scores of the second stage.
const OF_TYPES: f64 = 0.3;
/// What a file of errors loses where nobody asks what goes wrong.
const OF_ERRORS: f64 = 0.6;
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

/// What a candidate's score loses for a question.
pub(super) fn loss(file: &File, query: &Query) -> f64 {
    if query.names_only || query.names.len() + query.plain.len() < LONG {
        return 0.0;
    }
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    if is_of_types(&file.language, name) {
        return OF_TYPES;
    }
    if is_of_errors(name) && !asks_what_goes_wrong(query) { OF_ERRORS } else { 0.0 }
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
        loss(&file, &Query::parse(question))
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
}
