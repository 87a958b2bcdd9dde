//! Looks words up in the tables of words that are a text with one entry per line.
//!
//! A hook looks up a few words and ends, so a table is read as it is: building a map takes a hundred times as long.

/// The line that has this word between its separators, whatever the case of ASCII letters.
pub(crate) fn line_with(table: &'static str, separator: u8, word: &str) -> Option<&'static str> {
    let mut at = 0;
    for entry in table.as_bytes().split(|byte| *byte == separator || *byte == b'\n') {
        if entry.eq_ignore_ascii_case(word.as_bytes()) {
            let begin = table[..at].rfind('\n').map_or(0, |end| end + 1);
            return table[begin..].lines().next();
        }
        at += entry.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_word_leads_to_its_line() {
        const TABLE: &str = "go goes went\nC++ cpp\ngröße große\nundo";
        for (word, line) in [
            ("go", Some("go goes went")),
            ("went", Some("go goes went")),
            ("GOES", Some("go goes went")),
            ("c++", Some("C++ cpp")),
            ("große", Some("größe große")),
            ("undo", Some("undo")),
            ("wen", None),
            ("oes", None),
            ("go goes", None),
            ("went\nC++", None),
            ("walrus", None),
        ] {
            assert_eq!(line_with(TABLE, b' ', word), line, "{word}");
        }
        assert_eq!(line_with("", b' ', "go"), None);
    }
}
