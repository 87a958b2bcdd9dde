//! Protects texts that are valid JSON. Gemini CLI parses a tool's text, adds the result as structured content, and
//! then rejects the whole result if that isn't an object: `45`, `[1,2]`, `true` and `"a"` never arrive. A line before
//! the value makes it plain text again. Objects arrive unchanged (all measured on 0.61.0).

/// The line before such a text.
const PREFIX: &str = "Output:\n";

/// The text in a form that survives a client's JSON parser.
pub(crate) fn guard_json(text: String) -> String {
    if is_value(&text) { format!("{PREFIX}{text}") } else { text }
}

/// Whether a JSON parser could take the text for anything but an object. Counts texts that only look like a list or a
/// string: an extra line does no harm.
fn is_value(text: &str) -> bool {
    // JSON's white space only.
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let enclosed =
        |first: char, last: char| text.len() > 1 && text.starts_with(first) && text.ends_with(last);
    matches!(text, "true" | "false" | "null") || enclosed('[', ']') || enclosed('"', '"') || is_number(text)
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (number, exponent) =
        text.split_once(['e', 'E']).map_or((text, None), |(number, rest)| (number, Some(rest)));
    let (whole, fraction) =
        number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    digits(whole.strip_prefix('-').unwrap_or(whole))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_but_an_object_gets_a_line_before_it() {
        for text in [
            "45",
            "-1.5e+3",
            " 0\n",
            "1E9",
            "1e999",
            "12345678901234567890123",
            "true",
            "false",
            "null",
            "[]",
            "[1,2]",
            "[\n  {\"a\": 1}\n]\n",
            "\"\"",
            "\"a b\"",
            "\"\\ud800\"",
            "\t[[[]]]\r\n",
        ] {
            assert_eq!(guard_json(text.to_owned()), format!("Output:\n{text}"), "{text}");
        }
        for text in [
            "",
            "{}",
            "{\"a\": [1]}",
            "45 files",
            "1.2.3",
            "v1",
            "- 1",
            "1 2",
            "True",
            "None",
            "nulls",
            "[1,2] and more",
            "the list: [1]",
            "45\n46",
            "e5",
            "1e",
            ".5",
            "5.",
            "\u{a0}45",
            "--5",
            "\"",
            "[",
        ] {
            assert_eq!(guard_json(text.to_owned()), text);
        }
    }

    #[test]
    fn text_that_stays_unchanged_never_parses_as_a_plain_value() {
        for text in ["45", "[1]", "null", "\"x\"", "{\"a\":1}", "4 5", "nope"] {
            let kept = guard_json(text.to_owned());
            let value = serde_json::from_str::<serde_json::Value>(&kept);
            assert!(value.is_err() || value.is_ok_and(|value| value.is_object()), "{kept}");
        }
    }
}
