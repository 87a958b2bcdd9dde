//! Classifies words: a program's name, an assignment.

/// The program's name without its folder, and without the `.exe` or `.cmd` it has on Windows.
///
/// ```
/// assert_eq!(plimsoll_shell::base("/usr/bin/git"), "git");
/// assert_eq!(plimsoll_shell::base(r"C:\Git\bin\git.EXE"), "git");
/// assert_eq!(plimsoll_shell::base(".exe"), ".exe");
/// ```
#[must_use]
pub fn base(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let stem = name.len().checked_sub(4).and_then(|at| name.split_at_checked(at));
    match stem {
        Some((stem, end))
            if !stem.is_empty() && [".exe", ".cmd"].iter().any(|known| end.eq_ignore_ascii_case(known)) =>
        {
            stem
        }
        _ => name,
    }
}

/// Whether a shell takes this unquoted word before a program for an assignment.
#[must_use]
pub fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| is_name(name.strip_suffix('+').unwrap_or(name)))
}

/// Whether this is a valid variable name.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::is_assignment;

    #[test]
    fn what_an_assignment_is() {
        for word in ["A=1", "_a1=", "A+=x", "A=b=c"] {
            assert!(is_assignment(word), "{word}");
        }
        for word in ["=x", "1A=x", "a-b=c", "--a=b", "A", "é=1", "+=1"] {
            assert!(!is_assignment(word), "{word}");
        }
    }
}
