//! The rules as a seatbelt profile, for `sandbox-exec` of macOS: everything is allowed except what is denied.
//!
//! Programs are known there by their names and places alone: rules about arguments cannot be said in a profile, and
//! stay with reading the command. Nor can ranges of addresses.

use std::fmt::Write as _;

use super::Reach;

/// The program that applies a profile; part of macOS.
pub const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// What is denied, as profiles can say it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Denied {
    /// Programs, by name, whatever their arguments are.
    pub programs: Vec<String>,
    /// Extended regular expressions of real paths that must not be read.
    pub reads: Vec<String>,
    /// The same for paths that must not be changed.
    pub writes: Vec<String>,
}

/// The text of a profile.
pub fn profile(denied: &Denied, reach: Reach) -> String {
    let mut text = String::from("(version 1)\n(allow default)\n");
    for name in &denied.programs {
        let _ = writeln!(text, "(deny process-exec* (regex #\"/{}$\"))", quoted(&escaped(name)));
    }
    for path in &denied.reads {
        let _ = writeln!(text, "(deny file-read-data (regex #\"{}\"))", quoted(path));
        // A file that moves is a file that can be read.
        let _ = writeln!(text, "(deny file-link file-write-unlink (regex #\"{}\"))", quoted(path));
    }
    for path in &denied.writes {
        let _ = writeln!(text, "(deny file-write* (regex #\"{}\"))", quoted(path));
    }
    if reach == Reach::Off {
        text.push_str(
            "(deny network*)\n(allow network* (local unix-socket))\n(allow network* (remote unix-socket))\n",
        );
    }
    text
}

/// A name as a regular expression that matches it alone.
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

/// A quote would end the expression early; any character in its place reaches further, never less far.
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
        assert_eq!(profile(&denied, Reach::All).lines().collect::<Vec<_>>(), wanted);
        assert!(profile(&Denied::default(), Reach::Off).contains("(deny network*)"));
    }

    #[test]
    fn a_quote_in_a_rule_ends_nothing() {
        let denied = Denied { programs: vec!["a\"))(allow x".into()], ..Denied::default() };
        let text = profile(&denied, Reach::All);
        assert_eq!(text.matches('"').count(), 2, "{text}");
    }
}
