//! Errors in a filter. Owns messages that help its author.

use text::PatternError;

/// An error in a filter.
#[derive(Debug, thiserror::Error)]
pub enum FilterError {
    /// It isn't TOML, or has a key or value that no filter has.
    #[error("{file}: {reason}; see \"Adding a filter\" in CONTRIBUTING.md for the form")]
    Invalid {
        /// The file.
        file: String,
        /// The parser's words, with line and column.
        reason: String,
    },
    /// A pattern does not compile.
    #[error("{file}: the pattern {pattern:?} isn't a regular expression: {reason}")]
    Pattern {
        /// The file.
        file: String,
        /// The pattern.
        pattern: String,
        /// Why.
        reason: String,
    },
    /// A file that a case names is missing.
    #[error("{file}: {missing} cannot be read ({reason}); a case names it")]
    Missing {
        /// The file.
        file: String,
        /// The file that is missing.
        missing: String,
        /// The system's words.
        reason: String,
    },
}

/// The error of one of several patterns, or of all of them together.
pub(crate) fn wrong(file: &str, patterns: &[String], error: PatternError) -> FilterError {
    let one = match (error.one, patterns) {
        (Some(at), _) => patterns.get(at),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    FilterError::Pattern {
        file: file.to_owned(),
        pattern: one.map_or("all patterns together", String::as_str).to_owned(),
        reason: error.reason,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::FilterError;

    #[test]
    fn the_document_has_the_heading_that_the_error_names() {
        let error = FilterError::Invalid { file: "a.toml".to_owned(), reason: "odd".to_owned() }.to_string();
        let heading = format!("## {}", error.split('"').nth(1).unwrap());
        let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
        let document = std::fs::read_to_string(Path::new(&folder).join("../../CONTRIBUTING.md")).unwrap();
        assert!(document.lines().any(|line| line == heading), "{heading}");
    }
}
