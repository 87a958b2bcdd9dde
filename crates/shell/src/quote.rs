//! Turns words into a text that a shell, and [`crate::line::parse`], parse as the same words.

/// Words that begin something other than a command.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "select",
    "function", "time", "coproc", "begin", "end",
];

/// Quotes a word for every shell: unchanged if nothing in it is special, otherwise in single quotes.
///
/// ```
/// assert_eq!(plimsoll_shell::quote("src/a-b.rs"), "src/a-b.rs");
/// assert_eq!(plimsoll_shell::quote("it's"), r"'it'\''s'");
/// ```
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,".contains(c);
    // After a name, `=` is an assignment, and in zsh it is special before one; after an option it is neither.
    let in_option = |c: char| plain(c) || c == '=' && word.starts_with('-');
    let means_itself = !word.is_empty() && word.chars().all(in_option) && !RESERVED.contains(&word);
    if means_itself { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Words as a command line that [`crate::line::parse`] splits into the same words.
#[must_use]
pub fn join_quoted<W: AsRef<str>>(words: &[W]) -> String {
    words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::join_quoted;
    use crate::line;

    #[test]
    fn words_come_back() {
        for words in [
            vec!["make", "all"],
            vec!["A=1", "x"],
            vec!["~", "^a", "=ls"],
            vec!["if", "time", "{", "}", "!", "[["],
            vec!["", "a b", "it's", "$(x)", "`y`", "#", "\n", "\\", "*", "日本", "--a=b"],
        ] {
            let line = line::parse(&join_quoted(&words));
            assert!(!line.odd, "{words:?}");
            let [command] = line.commands.as_slice() else { panic!("{words:?}: {line:?}") };
            assert_eq!(command.argv(), words);
        }
    }
}
