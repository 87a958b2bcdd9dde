//! Brings the place of a message forward: who asks in the words of a text that code has between quotes, mostly an error, asks for
//! the place that says it. Reads files by way of the caller.

use std::cmp::Reverse;

use code::role::Role;
use code::search::Answer;

/// The number of answers that are looked through, for every page the same.
pub(super) const LOOKED: usize = 40;
/// A phrase, not a message, is in more files than these.
pub(super) const FEW: usize = 3;
/// Fewer words are in many texts.
const WORDS: usize = 3;
/// A file with less of the question doesn't have the message.
const COVER: f64 = 0.5;
/// The part of a question that is looked at, in bytes, as in a search.
const MAX_ASKED: usize = 2_000;
/// The most messages of one question.
const MESSAGES: usize = 8;
/// The bytes of files after which no further file is read.
pub(super) const MAX_READ: usize = 8 * 1024 * 1024;
/// Files of these roles repeat what the product says.
pub(super) const ASIDE: &[Role] =
    &[Role::TEST, Role::VENDORED, Role::GENERATED, Role::EXAMPLE, Role::DOCS, Role::MINIFIED];
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// What may be a message, the longest first: the whole question, and its parts around what a program filled in.
pub(super) fn messages(asked: &str) -> Vec<String> {
    let asked = &asked[..asked.floor_char_boundary(MAX_ASKED)];
    let parts = asked.split([':', '"', '\'', '`', '\n', '(', '{', '<']);
    let mut out: Vec<String> = Vec::new();
    for part in std::iter::once(asked).chain(parts) {
        let part = part.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if part.split_whitespace().count() >= WORDS && !out.contains(&part) {
            out.push(part);
        }
    }
    out.sort_by_key(|part| Reverse(part.len()));
    out.truncate(MESSAGES);
    out
}

/// Moves the few answers whose code has one of these messages between quotes before all others, and shows the line there.
pub(super) fn bring_forward(
    messages: &[String],
    answers: &mut [Answer],
    read: &dyn Fn(&str) -> Option<String>,
) {
    let mut rest = MAX_READ;
    let text = |one: &Answer| {
        let text = if rest > 0 && may_say(one) { read(&one.path) } else { None };
        rest = rest.saturating_sub(text.as_ref().map_or(0, String::len));
        text
    };
    let texts: Vec<Option<String>> = answers.iter().take(LOOKED).map(text).collect();
    let places_of = |message: &String| -> Vec<(usize, u32)> {
        let lines = texts.iter().enumerate();
        lines.filter_map(|(at, text)| Some((at, line_of(text.as_deref()?, message)?))).collect()
    };
    let Some(places) = messages.iter().map(places_of).find(|places| !places.is_empty()) else { return };
    if places.len() > FEW {
        return;
    }
    show_first(answers, places);
}

/// Moves the answers in these places, which are in order, before all others, and shows these lines there.
pub(super) fn show_first(answers: &mut [Answer], places: Vec<(usize, u32)>) {
    let best = answers.iter().map(|answer| answer.score).fold(0.0, f64::max);
    for (to, (at, line)) in places.into_iter().enumerate() {
        answers[to..=at].rotate_right(1);
        show(&mut answers[to], line, best);
    }
}

/// Whether it's code of the product that may have the message.
fn may_say(answer: &Answer) -> bool {
    let is_code = code::language::by_name(&answer.language).is_some_and(code::language::Language::is_program);
    is_code && answer.cover >= COVER && !ASIDE.iter().any(|role| answer.role.is(*role))
}

/// The first line that has the message behind a quote, outside of a comment's own lines.
fn line_of(text: &str, message: &str) -> Option<u32> {
    let says = |line: &str| {
        let begin = line.trim_start();
        if !line.contains(QUOTES)
            || ["//", "/*", "*", "# ", "#'", "--", ";;"].iter().any(|mark| begin.starts_with(mark))
        {
            return false;
        }
        let lower = line.to_lowercase();
        lower.find(QUOTES).is_some_and(|quote| lower[quote..].contains(message))
    };
    text.lines().zip(1u32..).find(|(line, _)| says(line)).map(|(_, number)| number)
}

fn show(answer: &mut Answer, line: u32, score: f64) {
    answer.score = score;
    if !(answer.start_line..=answer.end_line).contains(&line) {
        (answer.start_line, answer.end_line) = (line, line);
        (answer.symbol, answer.kind, answer.signature) = (None, None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(path: &str, role: Role, score: f64) -> Answer {
        Answer {
            path: path.to_owned(),
            language: "csharp".to_owned(),
            role,
            start_line: 1,
            end_line: 1,
            key: String::new(),
            symbol: Some("Shop".to_owned()),
            kind: None,
            signature: None,
            score,
            cover: 1.0,
            cover_of_known: 1.0,
            importers: 0,
        }
    }

    /// The paths with the lines that are shown, after the question.
    fn after(asked: &str, files: &[(&str, Role, &str)]) -> Vec<String> {
        let mut answers: Vec<Answer> = files
            .iter()
            .zip(0u32..)
            .map(|(one, at)| answer(one.0, one.1, 0.9 - f64::from(at) / 10.0))
            .collect();
        let read = |path: &str| files.iter().find(|one| one.0 == path).map(|one| one.2.to_owned());
        bring_forward(&messages(asked), &mut answers, &read);
        assert!(answers.is_sorted_by(|a, b| a.score >= b.score), "{answers:?}");
        answers.iter().map(|one| format!("{}:{}", one.path, one.start_line)).collect()
    }

    #[test]
    fn the_place_that_says_a_message_comes_first() {
        let own = Role::default();
        let files = [
            ("Matcher.cs", own, "// Failed to match a route\nclass Matcher {}\n"),
            ("MatcherTests.cs", Role::TEST, "Says(\"Failed to match a route for GET\");\n"),
            ("Route.cs", own, "class Route {}\n"),
            (
                "Error.cs",
                own,
                "class Error\n{\n    Error(string v) : base($\"Failed to match a route for {v}\") {}\n",
            ),
        ];
        let moved = ["Error.cs:3", "Matcher.cs:1", "MatcherTests.cs:1", "Route.cs:1"];
        let before = ["Matcher.cs:1", "MatcherTests.cs:1", "Route.cs:1", "Error.cs:1"];
        for (asked, expected) in [
            ("failed to match a route for", moved),
            ("\"Failed to match a route for\"", moved),
            ("Error: Failed to match a route for: GET /cart", moved),
            ("failed to match a cart", before),
            // Two words occur everywhere.
            ("Failed to", before),
        ] {
            assert_eq!(after(asked, &files), expected, "{asked}");
        }
    }

    #[test]
    fn a_message_is_found_in_a_language_without_a_grammar_and_not_in_data() {
        let asked = "either symbols or ignore_symbols, not both";
        let texts = [
            "-- \"Either symbols or ignore_symbols, not both\"\n",
            "msg = \"Either symbols or ignore_symbols, not both\"\n",
        ];
        for (language, expected) in [("lua", "b"), ("yaml", "a")] {
            let mut answers: Vec<Answer> = ["a", "b"].map(|path| answer(path, Role::default(), 0.5)).into();
            answers.iter_mut().for_each(|one| one.language = language.to_owned());
            let read = |path: &str| Some(texts[usize::from(path == "b")].to_owned());
            bring_forward(&messages(asked), &mut answers, &read);
            assert_eq!(answers[0].path, expected, "{language}");
        }
    }

    #[test]
    fn a_long_question_has_few_messages() {
        let asked: String = (0..40).map(|n| format!("this is part {n}: ")).collect();
        assert_eq!(messages(&asked).len(), MESSAGES);
        let asked = format!("{} and this is the end", "é".repeat(MAX_ASKED));
        assert!(messages(&asked).is_empty());
    }

    #[test]
    fn no_more_is_read_than_a_question_is_worth() {
        let mut answers: Vec<Answer> =
            (0..20).map(|n| answer(&format!("{n}.cs"), Role::default(), 0.5)).collect();
        let count = std::cell::Cell::new(0);
        let read = |_: &str| {
            count.set(count.get() + 1);
            Some("x".repeat(MAX_READ / 4))
        };
        bring_forward(&messages("this is not allowed"), &mut answers, &read);
        assert_eq!(count.get(), 4);
    }

    #[test]
    fn a_long_line_is_searched_once() {
        let line = format!("{}'", "a b c ".repeat(400_000));
        let start = std::time::Instant::now();
        assert_eq!(line_of(&line, "a b c"), None);
        assert_eq!(line_of(&format!("'{line}"), "a b c"), Some(1));
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
    }

    #[test]
    fn what_many_places_say_is_not_a_message() {
        let text = "throw new Error(\"this is not allowed\");\n";
        let files: Vec<(String, Role)> = (0..5).map(|n| (format!("{n}.cs"), Role::default())).collect();
        let mut all: Vec<(&str, Role, &str)> =
            files.iter().map(|(path, role)| (path.as_str(), *role, text)).collect();
        all[0].2 = "class Nothing {}\n";
        assert_eq!(after("this is not allowed", &all)[0], "0.cs:1");
        assert_eq!(after("this is not allowed", &all[..4])[0], "1.cs:1");
    }
}
