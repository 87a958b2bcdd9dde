//! A memory's title: its own first line or sentence, never generated.

/// Maximum length of a line that is used whole, in characters.
const MAX_LINE: usize = 80;
/// Minimum length of a sentence that is used as the title, in characters.
const MIN_SENTENCE: usize = 12;
/// Where longer titles are cut.
const CUT: usize = 72;

/// A text's title and the text below it: the rest if the title is a line of its own, else the full text.
pub(super) fn title_and_body(content: &str) -> (String, &str) {
    let text = content.trim();
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let plain = line.trim().trim_start_matches(['#', '>', '-', '*', ' ']).trim_end_matches(['*', ' ']);
    let plain = if plain.is_empty() { line.trim() } else { plain };
    if plain.chars().count() <= MAX_LINE {
        let plain = if plain.ends_with("..") { plain } else { plain.strip_suffix('.').unwrap_or(plain) };
        return (plain.to_owned(), rest.trim());
    }
    let ends = [". ", "; ", ": ", "? ", "! ", " – ", " — ", "。"];
    let end = ends
        .iter()
        .filter_map(|end| plain.find(end).map(|at| at + if *end == "? " || *end == "! " { 1 } else { 0 }))
        .filter(|at| (MIN_SENTENCE..=MAX_LINE).contains(&plain[..*at].chars().count()))
        .min();
    if let Some(end) = end {
        return (plain[..end].to_owned(), text);
    }
    let cut: String = plain.chars().take(CUT).collect();
    let whole = cut.rfind(char::is_whitespace).filter(|at| *at > CUT / 2).unwrap_or(cut.len());
    (format!("{}…", cut[..whole].trim_end()), text)
}

#[cfg(test)]
mod tests {
    use super::title_and_body;

    #[test]
    fn a_title_is_the_first_line_or_sentence_and_the_rest_loses_nothing() {
        let long = "We keep sessions in PostgreSQL; Redis would be one more thing to run for two hundred users, and nobody asked.";
        for (content, title, body) in [
            (
                "Sessions stay in PostgreSQL\n\nRedis is one more thing.",
                "Sessions stay in PostgreSQL",
                "Redis is one more thing.",
            ),
            ("# Cache headers, not a cache\nMeasured.", "Cache headers, not a cache", "Measured."),
            ("Use tabs.", "Use tabs", ""),
            ("Wait...", "Wait...", ""),
            ("**Never** force-push", "Never** force-push", ""),
            (long, "We keep sessions in PostgreSQL", long),
            ("", "", ""),
            ("---", "---", ""),
        ] {
            assert_eq!(title_and_body(content), (title.to_owned(), body), "{content}");
        }
        let wide = "字".repeat(300);
        let (title, body) = title_and_body(&wide);
        assert_eq!((title.chars().count(), body), (73, wide.as_str()));
    }
}
