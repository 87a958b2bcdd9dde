//! The user's own question in a prompt that is mostly pasted.

use super::subject::is_question;

/// The length from which a prompt has something pasted in it, in bytes.
const LONG: usize = 600;
/// The length of a question at most, in bytes.
const MAX_QUESTION: usize = 300;

/// The question in the last or the first line of a long prompt, apart from the rest by an empty line or the marks around
/// code.
pub(super) fn question_beside_paste(prompt: &str) -> Option<&str> {
    let prompt = prompt.trim();
    if prompt.len() < LONG {
        return None;
    }
    let (mut from_end, mut from_start) = (prompt.lines().rev(), prompt.lines());
    let last = own_question(from_end.next()?, from_end.next()?);
    last.or_else(|| own_question(from_start.next()?, from_start.next()?))
}

/// A line, if it's a question and the line beside it ends what was pasted.
fn own_question<'a>(line: &'a str, beside: &str) -> Option<&'a str> {
    let (line, beside) = (line.trim(), beside.trim());
    let is_apart = beside.is_empty() || beside.starts_with("```");
    let asks = is_question(line) || line.ends_with('?');
    (is_apart && asks && line.len() <= MAX_QUESTION).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_in_the_last_or_the_first_line() {
        let paste = "at line 17: unexpected token\n".repeat(40);
        let question = "who owns the checkout service?";
        for (prompt, expected) in [
            (format!("{paste}\n{question}\n"), Some(question)),
            (format!("{question}\r\n\r\n{paste}"), Some(question)),
            (format!("```\n{paste}```\n{question}"), Some(question)),
            (format!("do we know them?\n\n{paste}\n{question}"), Some(question)),
            // It's part of what was pasted, or there is none.
            (format!("{paste}{question}"), None),
            (format!("{paste}\nfix it, please"), None),
            (format!("{paste}\nwhy {}", "so ".repeat(200)), None),
            (question.to_owned(), None),
            ("x".repeat(1_000), None),
            (String::new(), None),
        ] {
            assert_eq!(question_beside_paste(&prompt), expected, "{prompt}");
        }
    }
}
