//! Quotations within a text, by their marks.

/// Marks that open a quotation, each with those that close it.
const MARKS: [(char, &[char]); 6] =
    [('"', &['"']), ('“', &['”']), ('„', &['“', '”']), ('«', &['»']), ('「', &['」']), ('『', &['』'])];
/// Those that only ever open one: in their languages no space is before it.
const UNSPACED: [char; 2] = ['「', '『'];

/// The quotations in a text with the places where they begin, each with its marks. What isn't closed is none, and a mark behind a
/// letter or digit opens none: `a 27" screen`.
pub(crate) fn quotations(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut unclosed) = (Vec::new(), Vec::new());
    let (mut before, mut end) = (' ', 0);
    for (at, c) in text.char_indices() {
        let opens =
            at >= end && (!before.is_alphanumeric() || UNSPACED.contains(&c)) && !unclosed.contains(&c);
        if opens && let Some((_, closing)) = MARKS.iter().find(|(mark, _)| *mark == c) {
            let inner = &text[at + c.len_utf8()..];
            match inner.find(*closing) {
                Some(length)
                    if length > 0
                        && (!inner.starts_with(char::is_whitespace) || is_french(c, &text[..at])) =>
                {
                    let last = inner[length..].chars().next().map_or(0, char::len_utf8);
                    end = at + c.len_utf8() + length + last;
                    found.push((at, &text[at..end]));
                }
                Some(_) => {}
                None => unclosed.push(c),
            }
        }
        before = c;
    }
    found
}

/// Whether a mark opens a French quotation, within which spaces are. In German it closes one: `»nie« und »immer«`.
fn is_french(mark: char, before: &str) -> bool {
    mark == '«' && before.matches('«').count() == before.matches('»').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_has_marks_around_it() {
        for (text, expected) in [
            ("put \"we share it. never!\" below", vec![(4, "\"we share it. never!\"")]),
            ("ändere „nie. immer.“ in “no. yes.”", vec![(8, "„nie. immer.“"), (29, "“no. yes.”")]),
            ("print(\"a\") and «b»", vec![(6, "\"a\""), (15, "«b»")]),
            ("a 27\" and a 32\" screen", vec![]),
            ("Marc dit « toujours. jamais » ici", vec![(9, "« toujours. jamais »")]),
            ("»nie.« und »immer.« hier", vec![]),
            ("田中さんが「今後は。必ず」と", vec![(15, "「今後は。必ず」")]),
            ("it's \"open", vec![]),
            ("so \" what \"", vec![]),
            ("\"\" \"", vec![]),
            ("„", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(quotations(text), expected, "{text}");
        }
    }
}
