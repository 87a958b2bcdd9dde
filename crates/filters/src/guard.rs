//! Protects the lines that no rule may drop. Owns the judgement of a single line; every path that leaves lines out
//! asks here first.

use std::sync::LazyLock;

use text::Pattern;
use text::failures::{Mention, may_name_place, mention_and_words, passes};

/// `file.ext:12` or `file.ext(12`, anywhere; a bundler puts its own address in front.
static PLACE: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    compiled(
        r#"(?:^|[\s("'\[=,@>])(?:[A-Za-z]:|webpack(?:-internal)?://)?[\w./\\+@-]*\w\.[A-Za-z][A-Za-z0-9]{0,7}(?::\d+|\(\d+[,)])"#,
    )
});
/// Python's form of the same.
static PYTHON_PLACE: LazyLock<Option<Pattern>> = LazyLock::new(|| compiled(r#"^\s*File ".+", line \d+"#));
/// Places in code that isn't the user's.
static FOREIGN: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    compiled(
        r"node_modules[/\\]|site-packages[/\\]|dist-packages[/\\]|[/\\]\.cargo[/\\]registry[/\\]|/rustc/|/rust/deps/|\bnode:|[/\\]lib[/\\]python\d|[/\\]gems[/\\]|[/\\]vendor[/\\]|<frozen |\((?:native|internal)|[/\\]\.rustup[/\\]|[/\\]go[/\\]pkg[/\\]mod[/\\]|/usr/(?:local/)?(?:lib|share|include|go)/|/include/c\+\+/|/lib/gcc/|\bat (?:java|javax|jdk|sun|com\.sun|kotlin|scala|groovy|org\.(?:junit|apache\.maven|gradle|codehaus|scalatest|testng))[./]",
    )
});
static WARNINGS: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    compiled(r"(?i)\b[1-9][\d,]*\s+(?:\w+\s+)?warnings?\b|\bwarnings?(?:\(s\))?\s*[:=]\s*[1-9]")
});

fn compiled(pattern: &str) -> Option<Pattern> {
    Pattern::new(pattern).ok()
}

/// Whether `line` is about code that isn't the user's.
pub(crate) fn is_foreign(line: &str) -> bool {
    is(&FOREIGN, line)
}

fn is(pattern: &LazyLock<Option<Pattern>>, line: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(line))
}

/// Longest line judged whole; of a longer one the two ends are.
const LONG: usize = 64 * 1024;

/// Whether `line` states a failure, an error, a count of failures or warnings, or a place in the user's own files,
/// and therefore stays whatever a rule says. A test or step that passed may be dropped, whatever its name.
#[must_use]
pub fn must_stay(line: &str) -> bool {
    stays_and_counts(line).0
}

/// Whether `line` must stay, and whether it counts results.
pub(crate) fn stays_and_counts(line: &str) -> (bool, bool) {
    if line.len() > LONG {
        let (head, tail) =
            (line.floor_char_boundary(LONG / 2), line.ceil_char_boundary(line.len() - LONG / 2));
        return (must_stay(&line[..head]) || must_stay(&line[tail..]), false);
    }
    if line.trim().is_empty() {
        return (false, false);
    }
    if heads_rows(line) {
        return (false, true);
    }
    let (mention, worded) = mention_and_words(line);
    let stays = match mention {
        // Frames of other people's code name errors by their file names, and a place in one isn't the user's.
        Mention::Failure | Mention::Total { failed: true } => {
            !(is(&FOREIGN, line) && (line.trim_start().starts_with("at ") || line.contains(" at ")))
        }
        Mention::Doubtful => !is(&FOREIGN, line),
        Mention::Total { failed: false } => is(&WARNINGS, line),
        Mention::Nothing => {
            names_place(line) && !passes(line) && !is(&FOREIGN, line) || worded && is(&WARNINGS, line)
        }
    };
    (stays, matches!(mention, Mention::Total { .. }))
}

/// The count above a table of findings, each of which is a row below it: `FOUND 10 ERRORS AFFECTING 7 LINES`.
pub(crate) fn heads_rows(line: &str) -> bool {
    line.strip_prefix("FOUND ")
        .is_some_and(|rest| rest.contains(" AFFECTING ") && rest.trim_end().ends_with(['E', 'S']))
}

/// Whether `line` names a place in a file.
fn names_place(line: &str) -> bool {
    may_name_place(line) && is(&PLACE, line)
        || line.trim_start().starts_with("File \"") && is(&PYTHON_PLACE, line)
}

/// Whether `text` still contains `line`: the line itself, or one line with all its words.
#[must_use]
pub fn carries(text: &str, line: &str) -> bool {
    let line = line.trim();
    text.contains(line) || text.lines().any(|shown| has_words(shown, line))
}

/// Whether every word and figure of `line` is in `shown`.
pub(crate) fn has_words(shown: &str, line: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .all(|word| shown.contains(word))
}

#[cfg(test)]
mod tests {
    use super::must_stay;

    #[test]
    fn failures_and_places_stay() {
        for line in [
            "error[E0308]: mismatched types",
            "  --> src/lib.rs:3:5",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            "warning: `shop` (lib) generated 2 warnings",
            "FAIL src/cart.test.ts > total",
            "    at total (/home/ana/shop/src/cart.ts:12:7)",
            "  File \"/home/ana/shop/cart.py\", line 12, in total",
            "src/app.ts(3,7): error TS2322: Type 'string' is not assignable",
            "main.go:12:2: undefined: x",
            "      at Context.eval (webpack://shop/./cypress/e2e/cart.cy.ts:23:18)",
            "    at total (webpack-internal:///./src/cart.ts:12:7)",
            "✖ 2 problems (1 error, 1 warning)",
            "npm ERR! code ELIFECYCLE",
            "[INFO] BUILD FAILURE",
        ] {
            assert!(must_stay(line), "{line}");
        }
    }

    #[test]
    fn noise_may_be_removed() {
        for line in [
            "",
            "   Compiling thiserror v1.0.3",
            "test parse::error_is_reported ... ok",
            "  ✓ src/cart.test.ts (3 tests) 12ms",
            "    at Object.run (/home/ana/shop/node_modules/jest/index.js:33:2)",
            "    at run (webpack:///./node_modules/jest/index.js:33:2)",
            "test result: ok. 12 passed; 0 failed; 0 ignored",
            "Downloaded serde v1.0.0",
            "    2882:\tcall   2310 <error@plt>",
            "    2440:\tcall   2060 <abort@plt>",
            "added 120 packages in 3s",
        ] {
            assert!(!must_stay(line), "{line}");
        }
    }
}
