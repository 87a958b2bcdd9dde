//! Where the words of a query occur in a snippet, for highlighting only.

/// Longer words also match by prefix, because the index matches word stems.
const MIN_STEM: usize = 5;
/// At most this many matches are highlighted.
const MAX_HIGHLIGHTS: usize = 200;

/// Start and end of each match in UTF-16 units, in order and without overlap.
pub(super) fn of(snippet: &str, query: &str) -> Vec<(u32, u32)> {
    let words: Vec<String> = query
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(|word| stem(&word.to_lowercase()))
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut marks = Vec::new();
    let mut at = 0u32;
    let mut word = String::new();
    let mut begin = 0u32;
    // One step past the end closes the last word.
    for c in snippet.chars().chain(std::iter::once('\0')) {
        if c.is_alphanumeric() || c == '_' {
            if word.is_empty() {
                begin = at;
            }
            word.extend(c.to_lowercase());
        } else if !word.is_empty() {
            if words.iter().any(|query_word| matches(&word, query_word)) && marks.len() < MAX_HIGHLIGHTS {
                marks.push((begin, at));
            }
            word.clear();
        }
        at += u32::try_from(c.len_utf16()).unwrap_or(1);
    }
    marks
}

fn stem(word: &str) -> String {
    let letters = word.chars().count();
    let keep = if letters > MIN_STEM { letters - 2 } else { letters };
    word.chars().take(keep).collect()
}

/// Within identifiers, a word may be anywhere; short words match only at the start of a word.
fn matches(word: &str, query_word: &str) -> bool {
    word.starts_with(query_word) && (query_word.chars().count() > 2 || word == query_word)
        || query_word.chars().count() >= 4 && word.contains(query_word)
        || !query_word.is_ascii() && word.contains(query_word)
}

#[cfg(test)]
mod tests {
    use super::of;

    fn marked(snippet: &str, query: &str) -> Vec<String> {
        let units: Vec<u16> = snippet.encode_utf16().collect();
        of(snippet, query)
            .into_iter()
            .map(|(from, to)| String::from_utf16(&units[from as usize..to as usize]).unwrap())
            .collect()
    }

    #[test]
    fn words_their_forms_and_identifiers_are_marked() {
        assert_eq!(
            marked("The cleanup of effects; effect.", "effect cleanup"),
            ["cleanup", "effects", "effect"]
        );
        assert_eq!(marked("run useEffect() now", "effect"), ["useEffect"]);
        assert_eq!(marked("a cat is at it", "at"), ["at"]);
        assert_eq!(marked("😀 größe GRÖSSE Größe", "größe"), ["größe", "Größe"]);
        assert_eq!(marked("漢字の検索です", "検索"), ["漢字の検索です"]);
        assert!(of("", "x").is_empty());
        assert!(of("x", "").is_empty());
    }
}
