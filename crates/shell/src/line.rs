//! Plain command lines: simple commands in lists and pipelines, with their assignments, words, offsets and output files.
//! Not a security boundary: a line that isn't plain is marked as odd, and callers must leave it alone.

use crate::grammar::{self, Redir, Step};

/// A word of a simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its text without quotes, with expansions as written.
    pub text: String,
    /// Its byte offset in the command line.
    pub at: usize,
}

/// A simple command of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simple {
    /// Names and values before the program.
    pub assigns: Vec<(String, String)>,
    /// Program and arguments.
    pub words: Vec<Word>,
    /// Whether its input is another command's output.
    pub piped_in: bool,
    /// Whether its output is another command's input.
    pub piped_out: bool,
    /// Whether its standard output goes to a file.
    pub to_file: bool,
    /// Whether its error output goes to a file, or nowhere.
    pub errors_to_file: bool,
    /// Whether its output or error output goes to a descriptor above the usual three (`>&3`), which may be a file.
    pub to_descriptor: bool,
    /// Whether it runs in the background.
    pub background: bool,
}

impl Simple {
    /// Program and arguments.
    #[must_use]
    pub fn argv(&self) -> Vec<String> {
        self.words.iter().map(|word| word.text.clone()).collect()
    }

    /// The program's byte offset in the command line.
    #[must_use]
    pub fn program_at(&self) -> Option<usize> {
        self.words.first().map(|word| word.at)
    }
}

/// A parsed command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its simple commands in order, including those in groups and loops but not those in substitutions.
    pub commands: Vec<Simple>,
    /// Whether it has something of unknown meaning: groups, loops, here-documents, substitutions outside of arguments, or
    /// something that a shell would reject.
    pub odd: bool,
}

/// Parses a command line.
#[must_use]
pub fn parse(text: &str) -> Line {
    let script = grammar::parse(text);
    let mut line = Line {
        commands: Vec::new(),
        odd: script.odd || script.unfinished || script.too_deep || script.intricate,
    };
    for step in &script.steps {
        let Step::Run(simple) = step else { continue };
        if simple.substituted {
            continue;
        }
        // The program, its environment and its output's target must be visible; an argument is only an argument, whatever it
        // contains.
        line.odd |= simple.words.first().is_none_or(grammar::Word::substitutes)
            || simple.assigns.iter().any(|(_, value)| value.substitutes())
            || simple.redirs.iter().any(|redir| redir.word.substitutes());
        let goes = |takes: fn(&Redir) -> bool| {
            simple.redirs.iter().any(|redir| takes(redir) && !is_printed(&redir.word.text()))
        };
        line.commands.push(Simple {
            assigns: simple.assigns.iter().map(|(name, value)| (name.clone(), value.text())).collect(),
            words: simple.words.iter().map(|word| Word { text: word.text(), at: word.at }).collect(),
            piped_in: simple.piped,
            piped_out: simple.piped_out,
            to_file: goes(|redir| redir.out),
            errors_to_file: goes(|redir| redir.errors),
            to_descriptor: simple.to_descriptor,
            background: simple.background,
        });
    }
    line
}

/// Whether output to this file is still shown.
fn is_printed(file: &str) -> bool {
    matches!(file, "/dev/stdout" | "/dev/stderr")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argvs(line: &str) -> Vec<Vec<String>> {
        parse(line).commands.iter().map(Simple::argv).collect()
    }

    #[test]
    fn takes_lines_apart() {
        for (line, commands) in [
            ("cargo test", vec![vec!["cargo", "test"]]),
            (
                "cd 'a b' && FOO=1 cargo test 2>&1 | tail -5",
                vec![vec!["cd", "a b"], vec!["cargo", "test"], vec!["tail", "-5"]],
            ),
            (
                "javac -d out $(find . -name '*.java' | sort) && echo \"on $(date +\"%F\")\" x",
                vec![
                    vec!["javac", "-d", "out", "$(find . -name '*.java' | sort)"],
                    vec!["echo", "on $(date +\"%F\")", "x"],
                ],
            ),
            ("make > /tmp/x 2>&1; echo \"done $?\"", vec![vec!["make"], vec!["echo", "done $?"]]),
            // A backslash in double quotes stays before a character that it doesn't escape, and a name can be appended to.
            (r#"grep "a\.b\"c" x"#, vec![vec!["grep", r#"a\.b"c"#, "x"]]),
            ("A+=1 make $'a\\tb'", vec![vec!["make", "a\tb"]]),
            ("'A=1' make", vec![vec!["A=1", "make"]]),
            ("make |\n tail", vec![vec!["make"], vec!["tail"]]),
            ("make 10>x a", vec![vec!["make", "a"]]),
        ] {
            assert_eq!(argvs(line), commands, "{line}");
            assert!(!parse(line).odd, "{line}");
        }
        for odd in [
            "for f in *; do cat $f; done",
            "x=$(date) make",
            "$(which make) all",
            "\"$(which make)\" all",
            "make >$(mktemp)",
            "make $(cat",
            "make \"$(cat\"",
            "make $(cat <<X\n)\nX\n)",
            "make $(ls # ) )",
            "make $(case a in a) echo b;; esac)",
            "make `date`",
            "make <(date)",
            "make <<< x",
            "make a=(b c)",
            "(cd a; make)",
            "{ make; }",
            "! make",
            "if make; then x; fi",
            "[[ -e x ]] && make",
            "f() { make; }",
            "((1))",
            "cat <<EOF\nx\nEOF",
            "'open",
            "A=1",
            "a |",
            "a >",
            "a )",
        ] {
            assert!(parse(odd).odd, "{odd}");
        }
        let line = parse("sleep 1 & make >out");
        assert!(line.commands[0].background && line.commands[1].to_file);
        let line = parse("a && b | c");
        let pipes: Vec<_> =
            line.commands.iter().map(|command| (command.piped_in, command.piped_out)).collect();
        assert_eq!(pipes, [(false, false), (false, true), (true, false)]);
        for (line, out, errors) in [
            ("make 2>err", false, true),
            ("make 2>/dev/null | tail", false, true),
            ("make >out 2>&1", true, false),
            ("make &>both", true, true),
            ("make >&both", true, true),
            ("make >1", true, false),
            ("make 2>&1", false, false),
            ("make >&2", false, false),
            ("make 2>/dev/stdout", false, false),
            ("make 3>out", false, false),
            ("make {fd}>out", false, false),
            ("make 3>&1-", false, false),
        ] {
            let command = &parse(line).commands[0];
            assert_eq!((command.to_file, command.errors_to_file), (out, errors), "{line}");
        }
        for (line, copied) in [
            ("make >&3", true),
            ("make 1>&3 2>&1", true),
            ("make 2>&1 >&12", true),
            ("make 2>&3", true),
            ("make >&3-", true),
            ("make 2>&1", false),
            ("make >&2", false),
            ("make >&-", false),
            ("make <&3", false),
            ("make 3>&1", false),
            ("make 4>&3", false),
        ] {
            assert_eq!(parse(line).commands[0].to_descriptor, copied, "{line}");
        }
        assert_eq!(parse("A=1  cargo test").commands[0].program_at(), Some(5));
        assert_eq!(parse("A='1 2' make").commands[0].assigns, [("A".to_owned(), "1 2".to_owned())]);
    }
}
