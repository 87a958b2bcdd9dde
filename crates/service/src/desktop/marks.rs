//! Where the words of a query stand in a snippet, so that the window can mark them. For display only.

/// Words longer than this also match by their beginning, as the index matches word stems.
const STEM: usize = 5;
/// Marks beyond this many are left out.
const MOST: usize = 200;

/// Begin and end of each match, in UTF-16 units, in order and without overlap.
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
            if words.iter().any(|wanted| matches(&word, wanted)) && marks.len() < MOST {
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
    let keep = if letters > STEM { letters - 2 } else { letters };
    word.chars().take(keep).collect()
}

/// Inside identifiers a word may stand anywhere; short ones only begin a word.
fn matches(word: &str, wanted: &str) -> bool {
    word.starts_with(wanted) && (wanted.chars().count() > 2 || word == wanted)
        || wanted.chars().count() >= 4 && word.contains(wanted)
        || !wanted.is_ascii() && word.contains(wanted)
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
