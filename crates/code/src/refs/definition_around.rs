//! Finds the innermost definition around each place of a name. The places are asked for from the first to the last, so that each
//! definition is looked at where it begins and where it ends, and not for every place. Pure.

use std::cmp::Reverse;

use crate::symbols::Symbol;

/// The definitions around a place that goes on through a text.
pub(super) struct DefinitionsAround<'s> {
    symbols: &'s [Symbol],
    /// All of them by where they begin, outer ones first.
    order: Vec<usize>,
    /// How many of these begin in front of the place or at it.
    begun: usize,
    /// Those of them that haven't ended.
    open: Vec<usize>,
}

impl<'s> DefinitionsAround<'s> {
    pub(super) fn of(symbols: &'s [Symbol]) -> DefinitionsAround<'s> {
        let mut order: Vec<usize> = (0..symbols.len()).collect();
        order.sort_by_key(|i| (symbols[*i].start, Reverse(symbols[*i].end)));
        DefinitionsAround { symbols, order, begun: 0, open: Vec::new() }
    }

    /// The innermost definition around a place, other than the one whose name it is, by its number. No place before it may have
    /// been asked for after it.
    pub(super) fn innermost(&mut self, at: usize, name: &str, line: u32) -> Option<usize> {
        let symbols = self.symbols;
        while let Some(next) = self.order.get(self.begun).filter(|next| symbols[**next].start <= at) {
            self.open.push(*next);
            self.begun += 1;
        }
        self.open.retain(|i| at < symbols[*i].end);
        let is_own = |i: &usize| symbols[*i].name == name && symbols[*i].line == line;
        self.open.iter().rev().find(|i| !is_own(i)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::text_matches::Lines;
    use super::*;
    use crate::{language, parse, symbols};

    /// As the list of all definitions gives it.
    fn searched(symbols: &[Symbol], at: usize, name: &str, line: u32) -> Option<usize> {
        let all = symbols.iter().enumerate();
        let around = all.filter(|(_, s)| s.start <= at && at < s.end && !(s.name == name && s.line == line));
        around.max_by_key(|(_, s)| (s.start, Reverse(s.end))).map(|(i, _)| i)
    }

    #[test]
    fn the_innermost_is_found_by_looking_at_each_definition_a_few_times() {
        let count = 2_000;
        let one = |i: usize| {
            format!(
                "class C{i} {{\n  total() {{\n    function inner() {{ return total; }}\n    total();\n  }}\n  rest() {{ total(); }}\n}}\n"
            )
        };
        let text: String = (0..count).map(one).collect();
        let grammar = language::by_name("typescript").and_then(language::Language::grammar).unwrap();
        let tree = parse::parse(grammar, &text, parse::MAX_STEPS).unwrap();
        let outline = symbols::outline(grammar, "typescript", &tree, &text, "a.ts");
        let mut around = DefinitionsAround::of(&outline.symbols);
        let lines = Lines::of(&text);
        let (mut places, mut looked) = (0, 0);
        for (at, _) in text.match_indices("total") {
            let (line, _) = lines.place(at);
            let begun = around.begun;
            let found = around.innermost(at, "total", line);
            places += 1;
            looked += around.begun - begun + around.open.len();
            if places % 97 == 0 {
                assert_eq!(found, searched(&outline.symbols, at, "total", line), "{at}");
            }
            assert!(found.is_some());
        }
        assert_eq!(places, 4 * count);
        assert!(looked < 10 * places, "{looked}");
    }
}
