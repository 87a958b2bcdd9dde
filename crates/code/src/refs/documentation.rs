//! Tells which lines of a text in a language without a grammar are documentation or a comment of several lines: its examples look
//! like definitions. Pure.

/// What documentation is written between.
enum Marks {
    /// `"""` before and behind it.
    Quotes,
    /// `=head1` before it, `=cut` behind it; behind `__END__` there is no code.
    Pod,
    /// These before and behind a comment. Only at the beginning of a line one opens: elsewhere it may be in a text.
    Block(&'static str, &'static str),
    None,
}

/// The lines of a text that are documentation. Asked in the order of places.
pub(super) struct Documentation<'t> {
    text: &'t str,
    marks: Marks,
    read: usize,
    inside: bool,
    ended: bool,
}

impl<'t> Documentation<'t> {
    pub(super) fn of(language: &str, text: &'t str) -> Documentation<'t> {
        let marks = match language {
            "cython" | "elixir" | "gdscript" | "julia" | "nim" | "starlark" => Marks::Quotes,
            "perl" => Marks::Pod,
            "d" | "dart" | "glsl" | "groovy" | "haxe" | "jsonnet" | "proto" | "solidity" | "terraform"
            | "verilog" => Marks::Block("/*", "*/"),
            "fsharp" | "ocaml" => Marks::Block("(*", "*)"),
            "elm" | "haskell" => Marks::Block("{-", "-}"),
            "lean" => Marks::Block("/-", "-/"),
            "lisp" => Marks::Block("#|", "|#"),
            "lua" => Marks::Block("--[[", "]]"),
            "powershell" => Marks::Block("<#", "#>"),
            _ => Marks::None,
        };
        Documentation { text, marks, read: 0, inside: false, ended: false }
    }

    /// Whether the line that begins at `place` is inside.
    pub(super) fn is_inside(&mut self, place: usize) -> bool {
        let text = self.text;
        if let Some(more) = text.get(self.read..place) {
            self.read = place;
            match self.marks {
                Marks::Quotes => self.inside ^= more.matches("\"\"\"").count() % 2 == 1,
                Marks::Pod => {
                    for line in more.lines() {
                        self.add_line_of_perl(line);
                    }
                }
                Marks::Block(open, close) => {
                    for line in more.lines() {
                        let opened = line.trim_start().strip_prefix(open);
                        // `(*)` of F# is an operator.
                        let opened = opened.filter(|rest| !self.inside && !rest.starts_with(')'));
                        self.inside =
                            (self.inside || opened.is_some()) && !opened.unwrap_or(line).contains(close);
                    }
                }
                Marks::None => {}
            }
        }
        self.inside || self.ended
    }

    fn add_line_of_perl(&mut self, line: &str) {
        self.ended |= matches!(line, "__END__" | "__DATA__");
        let command = line.strip_prefix('=').unwrap_or_default();
        if command.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.inside = !command.starts_with("cut");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Documentation;

    /// The lines that are documentation, by their numbers.
    fn inside(language: &str, text: &str) -> Vec<usize> {
        let mut documentation = Documentation::of(language, text);
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let numbered = (1usize..).zip(starts);
        numbered.filter(|(_, start)| documentation.is_inside(*start)).map(|(line, _)| line).collect()
    }

    #[test]
    fn examples_in_documentation_are_told_from_code() {
        for (language, text, expected) in [
            ("elixir", "a\n@doc \"\"\"\nb\n\"\"\"\nc", &[3, 4][..]),
            ("perl", "a\n\n=head1 NAME\n\nb\n\n=cut\n\nc\n", &[4, 5, 6, 7]),
            ("perl", "$x\n= 1;\n=begin\r\nb\r\n=cut\r\nc", &[4, 5]),
            ("perl", "a\n__END__\nb\n=head1 X\nc\n=cut\nd", &[3, 4, 5, 6, 7]),
            ("lua", "a\n=head1\nb", &[]),
            ("lua", "a\n--[[\nb\n]]\nc\n--[[ d ]]\ne", &[3, 4]),
            ("dart", "a\n  /** b\n   * c\n   */\nd('/*');\ne /* f\ng", &[3, 4]),
            ("ocaml", "(* a *)\nb\n(* c\n(* d\n*)\ne", &[4, 5]),
            ("fsharp", "xs\n(*) a\nb", &[]),
            ("haskell", "{- a -}\n{-\nb\n-}\nc", &[3, 4]),
            ("terraform", "/*\na", &[2]),
        ] {
            assert_eq!(inside(language, text), expected, "{language}: {text}");
        }
    }
}
