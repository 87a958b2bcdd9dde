//! A text from standard input, where a hyphen is typed in its place. Doesn't know what the text is for.

use std::io::Read;

use contract::Error;

/// The most that is read, in bytes; the store refuses a text that's too long by its length.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// The text without the end of its last line, which the program before `|` adds.
pub(super) fn text(input: impl Read, tool: &str) -> Result<String, Error> {
    let mut text = String::new();
    input.take(MAX_INPUT).read_to_string(&mut text).map_err(|error| {
        Error::invalid(format!("{tool}: standard input can't be read as text: {error}; give it UTF-8"))
    })?;
    let text = text.trim_end_matches(['\n', '\r']);
    if text.trim().is_empty() {
        return Err(Error::invalid(format!(
            "{tool}: standard input is empty; put a command before |, or write the text instead of the hyphen"
        )));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_is_taken_unchanged_and_refused_if_empty() {
        assert_eq!(text(&b"Use tabs\n\n  for Go\r\n"[..], "memory").unwrap(), "Use tabs\n\n  for Go");
        for (input, told) in
            [(&b" \n"[..], "is empty"), (&b""[..], "is empty"), (&b"\xff"[..], "give it UTF-8")]
        {
            let error = text(input, "memory").unwrap_err();
            assert!(error.message.text().contains(told), "{told}: {error}");
        }
    }
}
