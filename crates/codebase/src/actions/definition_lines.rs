//! Brings the file forward that defines a name which is asked for alone: in languages without a grammar, where the index knows no
//! definitions, and where only tests define it. Reads files by way of the caller.

use code::refs::Definition;
use code::role::Role;
use code::search::Answer;

use super::quoted::{ASIDE, FEW, LOOKED, MAX_READ, show_first};

/// The name that a question consists of.
pub(super) fn name_alone(asked: &str) -> Option<&str> {
    let name = asked.trim();
    let is_name =
        name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !name.contains(char::is_whitespace);
    is_name.then_some(name)
}

/// Moves the few answers whose lines define the name before all others, and shows the line there. Tests are looked at if nothing of
/// the product defines it, and the name is of several words: `login` asks for the product's, whatever a test calls so.
pub(super) fn bring_forward(name: &str, answers: &mut [Answer], read: &dyn Fn(&str) -> Option<String>) {
    let mut places = places_in(name, answers, may_define, read);
    if places.is_empty() && has_several_words(name) {
        places = places_in(name, answers, may_test, read);
    }
    if places.len() <= FEW {
        show_first(answers, places);
    }
}

/// Whether a name of several words is known, but only to be defined by tests.
pub(super) fn is_of_tests(name: &str, known: &[Definition], is_test: &dyn Fn(&str) -> bool) -> bool {
    !known.is_empty() && has_several_words(name) && known.iter().all(|one| is_test(&one.path))
}

/// Moves the few answers that have these definitions before all others.
pub(super) fn bring_known_forward(known: &[Definition], answers: &mut [Answer]) {
    let line_in = |one: &Answer| known.iter().find(|known| known.path == one.path).map(|known| known.line);
    let looked = answers.iter().enumerate().take(LOOKED);
    let places: Vec<(usize, u32)> = looked.filter_map(|(at, one)| Some((at, line_in(one)?))).collect();
    if places.len() <= FEW {
        show_first(answers, places);
    }
}

/// `put_away`, `putAway`, `CartTest`
fn has_several_words(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    let has_capital =
        || name.chars().zip(name.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    name.trim_end_matches('_').contains('_') || has_capital()
}

/// The answers that are looked at and whose lines define the name, each with that line.
fn places_in(
    name: &str,
    answers: &[Answer],
    is_looked_at: fn(&Answer) -> bool,
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<(usize, u32)> {
    let mut rest = MAX_READ;
    let mut places = Vec::new();
    for (at, one) in answers.iter().enumerate().take(LOOKED) {
        if rest == 0 || !is_looked_at(one) {
            continue;
        }
        let Some(text) = read(&one.path) else { continue };
        rest = rest.saturating_sub(text.len());
        places.extend(
            code::refs::line_that_defines(&one.language, &one.path, &text, name).map(|line| (at, line)),
        );
    }
    places
}

/// Whether it's code of the product that no grammar reads. Data and prose aren't read: they would take the room of code.
fn may_define(answer: &Answer) -> bool {
    code::refs::is_read_by_lines(&answer.language) && !ASIDE.iter().any(|role| answer.role.is(*role))
}

/// Whether it's a test that no grammar reads.
fn may_test(answer: &Answer) -> bool {
    let of_others = [Role::VENDORED, Role::GENERATED, Role::MINIFIED];
    code::refs::is_read_by_lines(&answer.language)
        && answer.role.is(Role::TEST)
        && !of_others.iter().any(|role| answer.role.is(*role))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(path: &str, score: f64) -> Answer {
        Answer {
            path: path.to_owned(),
            language: match path.rsplit_once('.') {
                Some((_, "ts")) => "typescript",
                Some((_, "json")) => "json",
                _ => "lua",
            }
            .to_owned(),
            role: if path.starts_with("test/") { Role::TEST } else { Role::default() },
            start_line: 1,
            end_line: 1,
            key: String::new(),
            symbol: None,
            kind: None,
            signature: None,
            score,
            cover: 1.0,
            cover_of_known: 1.0,
            importers: 0,
        }
    }

    fn places(answers: &[Answer]) -> String {
        assert!(answers.is_sorted_by(|a, b| a.score >= b.score), "{answers:?}");
        let places: Vec<String> =
            answers.iter().map(|one| format!("{}:{}", one.path, one.start_line)).collect();
        places.join(" ")
    }

    #[test]
    fn the_file_that_defines_a_name_comes_first() {
        let use_it = "local cart = require('cart')\nreturn cart.total()\n";
        let define = "local M = {}\n\nfunction M.total()\nend\n";
        let huge = "\"total\", ".repeat(MAX_READ / 8);
        for (files, expected) in [
            (&[("a.lua", use_it), ("b.lua", define)][..], "b.lua:3 a.lua:1"),
            // Many files define it: the ranking knows better.
            (
                &[
                    ("a.lua", use_it),
                    ("b.lua", define),
                    ("c.lua", define),
                    ("d.lua", define),
                    ("e.lua", define),
                ],
                "a.lua:1 b.lua:1 c.lua:1 d.lua:1 e.lua:1",
            ),
            (&[("a.lua", use_it), ("b.ts", define)], "a.lua:1 b.ts:1"),
            (&[("a.lua", use_it), ("test/b.lua", define)], "a.lua:1 test/b.lua:1"),
            // Data is as large as all that is read.
            (&[("a.json", huge.as_str()), ("b.lua", define)], "b.lua:3 a.json:1"),
        ] {
            let scores = [0.9, 0.8, 0.7, 0.6, 0.5];
            let mut answers: Vec<Answer> =
                files.iter().zip(scores).map(|((path, _), score)| answer(path, score)).collect();
            let read = |path: &str| files.iter().find(|one| one.0 == path).map(|one| one.1.to_owned());
            bring_forward("total", &mut answers, &read);
            assert_eq!(places(&answers), expected);
        }
    }

    #[test]
    fn what_only_a_test_defines_comes_first_by_a_name_of_several_words() {
        let use_it = "return cart.total()\n";
        let define = "local M = {}\n\nfunction M.full_total()\nend\n\nfunction M.total()\nend\n";
        for (name, expected) in [
            ("full_total", "test/b.lua:3 a.lua:1"),
            ("total", "a.lua:1 test/b.lua:1"),
            ("_total", "a.lua:1 test/b.lua:1"),
        ] {
            let mut answers = [answer("a.lua", 0.9), answer("test/b.lua", 0.8)];
            let read = |path: &str| Some(if path == "a.lua" { use_it } else { define }.to_owned());
            bring_forward(name, &mut answers, &read);
            assert_eq!(places(&answers), expected, "{name}");
        }
        let definition = |path: &str| Definition {
            path: path.to_owned(),
            line: 7,
            end_line: 9,
            kind: code::Kind::Function,
            container: String::new(),
            signature: String::new(),
        };
        for (name, defined, expected) in [
            ("fullTotal", &["test/b.ts"][..], true),
            ("total", &["test/b.ts"], false),
            ("fullTotal", &["a.ts", "test/b.ts"], false),
            ("fullTotal", &[], false),
        ] {
            let known: Vec<Definition> = defined.iter().copied().map(definition).collect();
            let is_test = |path: &str| path.starts_with("test/");
            assert_eq!(is_of_tests(name, &known, &is_test), expected, "{name} {defined:?}");
        }
        let mut answers = [answer("a.ts", 0.9), answer("test/b.ts", 0.8)];
        bring_known_forward(&[definition("test/b.ts"), definition("test/c.ts")], &mut answers);
        assert_eq!(places(&answers), "test/b.ts:7 a.ts:1");
    }

    #[test]
    fn a_question_of_several_words_is_no_name() {
        for (asked, expected) in [
            (" total ", Some("total")),
            ("Shop.Cart", Some("Shop.Cart")),
            ("the total", None),
            ("404", None),
            ("", None),
        ] {
            assert_eq!(name_alone(asked), expected, "{asked}");
        }
    }
}
