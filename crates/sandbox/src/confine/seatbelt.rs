//! The rules as a seatbelt profile for macOS's `sandbox-exec`: everything is allowed except what is denied.
//!
//! A profile knows programs only by name and path: rules about arguments can't be expressed and are left to the command's
//! analysis. Nor can address ranges.

use std::fmt::Write as _;

use super::NetworkAccess;

/// The program that applies a profile; part of macOS.
pub const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// What is denied, as far as profiles can express it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Denied {
    /// Programs by name, with any arguments.
    pub programs: Vec<String>,
    /// Extended regular expressions over real paths that must not be read.
    pub reads: Vec<String>,
    /// The same for paths that must not be changed.
    pub writes: Vec<String>,
}

/// The text of a profile.
pub fn profile(denied: &Denied, reach: NetworkAccess) -> String {
    let mut text = String::from("(version 1)\n(allow default)\n");
    for name in &denied.programs {
        let _ = writeln!(text, "(deny process-exec* (regex #\"/{}$\"))", quoted(&escaped(name)));
    }
    for path in &denied.reads {
        let _ = writeln!(text, "(deny file-read-data (regex #\"{}\"))", quoted(path));
        // A file that can be moved can be read.
        let _ = writeln!(text, "(deny file-link file-write-unlink (regex #\"{}\"))", quoted(path));
    }
    for path in &denied.writes {
        let _ = writeln!(text, "(deny file-write* (regex #\"{}\"))", quoted(path));
    }
    if reach == NetworkAccess::Off {
        text.push_str(
            "(deny network*)\n(allow network* (local unix-socket))\n(allow network* (remote unix-socket))\n",
        );
    }
    text
}

/// A name as a regular expression that matches exactly it.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if "\\^$.|?*+()[]{}".contains(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// A quote would end the expression early; any character instead makes it match more, never less.
fn quoted(expression: &str) -> String {
    expression.replace(['"', '\n', '\r', '\0'], ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_allowed_but_what_is_denied() {
        let denied = Denied {
            programs: vec!["boom".into(), "g++".into()],
            reads: vec![r"^/p/(.*/)?\.env(/.*)?$".into()],
            writes: vec![r"^/p/src(/.*)?$".into()],
        };
        let wanted = [
            "(version 1)",
            "(allow default)",
            r##"(deny process-exec* (regex #"/boom$"))"##,
            r##"(deny process-exec* (regex #"/g\+\+$"))"##,
            r##"(deny file-read-data (regex #"^/p/(.*/)?\.env(/.*)?$"))"##,
            r##"(deny file-link file-write-unlink (regex #"^/p/(.*/)?\.env(/.*)?$"))"##,
            r##"(deny file-write* (regex #"^/p/src(/.*)?$"))"##,
        ];
        assert_eq!(profile(&denied, NetworkAccess::All).lines().collect::<Vec<_>>(), wanted);
        assert!(profile(&Denied::default(), NetworkAccess::Off).contains("(deny network*)"));
    }

    #[test]
    fn a_quote_in_a_rule_does_not_end_the_expression() {
        let denied = Denied { programs: vec!["a\"))(allow x".into()], ..Denied::default() };
        let text = profile(&denied, NetworkAccess::All);
        assert_eq!(text.matches('"').count(), 2, "{text}");
    }
}
