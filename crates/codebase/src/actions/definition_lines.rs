//! Brings the file forward that defines a name which is asked for alone, in languages without a grammar, where the index knows no
//! definitions. Reads files by way of the caller.

use code::search::Answer;

use super::quoted::{ASIDE, FEW, LOOKED, MAX_READ, show_first};

/// The name that a question consists of.
pub(super) fn name_alone(asked: &str) -> Option<&str> {
    let name = asked.trim();
    let is_name =
        name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !name.contains(char::is_whitespace);
    is_name.then_some(name)
}

/// Moves the few answers whose lines define the name before all others, and shows the line there.
pub(super) fn bring_forward(name: &str, answers: &mut [Answer], read: &dyn Fn(&str) -> Option<String>) {
    let mut rest = MAX_READ;
    let mut places = Vec::new();
    for (at, one) in answers.iter().enumerate().take(LOOKED) {
        if rest == 0 || !may_define(one) {
            continue;
        }
        let Some(text) = read(&one.path) else { continue };
        rest = rest.saturating_sub(text.len());
        places.extend(
            code::refs::line_that_defines(&one.language, &one.path, &text, name).map(|line| (at, line)),
        );
    }
    if places.len() <= FEW {
        show_first(answers, places);
    }
}

/// Whether it's code of the product that no grammar reads. Data and prose aren't read: they would take the room of code.
fn may_define(answer: &Answer) -> bool {
    code::refs::is_read_by_lines(&answer.language) && !ASIDE.iter().any(|role| answer.role.is(*role))
}

#[cfg(test)]
mod tests {
    use code::role::Role;

    use super::*;

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
            let answer = |path: &str, score: f64| Answer {
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
                importers: 0,
            };
            let scores = [0.9, 0.8, 0.7, 0.6, 0.5];
            let mut answers: Vec<Answer> =
                files.iter().zip(scores).map(|((path, _), score)| answer(path, score)).collect();
            let read = |path: &str| files.iter().find(|one| one.0 == path).map(|one| one.1.to_owned());
            bring_forward("total", &mut answers, &read);
            let places: Vec<String> =
                answers.iter().map(|one| format!("{}:{}", one.path, one.start_line)).collect();
            assert_eq!(places.join(" "), expected);
            assert!(answers.is_sorted_by(|a, b| a.score >= b.score), "{answers:?}");
        }
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
