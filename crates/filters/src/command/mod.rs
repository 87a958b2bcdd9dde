//! Recognising commands: a command line as simple commands with their words and places, and which program really
//! runs behind `sudo`, `npx` or `python -m`. It is no security boundary (that is the room `rules`): what it cannot
//! read it calls odd, and nothing is done with odd commands. Owns taking lines apart; `program` looks through wrappers.

mod program;
mod substitution;

pub use program::{answers, base, unwrapped};

/// A word of a simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its text without quotes.
    pub text: String,
    /// Where it begins in the command line, in bytes.
    pub at: usize,
}

/// A simple command of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simple {
    /// Assignments, program and arguments.
    pub words: Vec<Word>,
    /// Its input is another command's output.
    pub piped_in: bool,
    /// Its output is another command's input.
    pub piped_out: bool,
    /// Its standard output goes into a file.
    pub to_file: bool,
    /// Its error output goes into a file, or nowhere.
    pub errors_to_file: bool,
    /// It runs in the background.
    pub background: bool,
}

/// A command line taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its simple commands, in order.
    pub commands: Vec<Simple>,
    /// It has something whose meaning cannot be told from here: subshells, loops, here-documents, substitutions anywhere
    /// but in arguments.
    pub odd: bool,
}

impl Simple {
    /// Program and arguments, without assignments before them.
    pub fn argv(&self) -> Vec<String> {
        self.program_words().iter().map(|word| word.text.clone()).collect()
    }

    fn program_words(&self) -> &[Word] {
        let skip = self.words.iter().take_while(|word| is_assignment(&word.text)).count();
        self.words.get(skip..).unwrap_or(&[])
    }

    /// Where the program stands in the command line, in bytes.
    pub fn program_at(&self) -> Option<usize> {
        self.program_words().first().map(|word| word.at)
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && name.bytes().next().is_some_and(|b| !b.is_ascii_digit())
    })
}

/// Words that begin something other than a simple command.
const KEYWORDS: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "select",
    "function", "{", "}", "!", "[[", "coproc",
];

/// Takes a command line apart.
#[must_use]
pub fn parse(line: &str) -> Line {
    let mut reader = Reader::default();
    let bytes = line.as_bytes();
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' => {
                reader.begin(at);
                let mut closed = false;
                for (_, c) in chars.by_ref() {
                    if c == '\'' {
                        closed = true;
                        break;
                    }
                    reader.word.push(c);
                }
                reader.line.odd |= !closed;
            }
            '"' => {
                reader.begin(at);
                let mut closed = false;
                while let Some((at, c)) = chars.next() {
                    match c {
                        '"' => {
                            closed = true;
                            break;
                        }
                        '\\' => reader.word.extend(chars.next().map(|(_, c)| c)),
                        '`' => reader.line.odd = true,
                        '$' if bytes.get(at + 1) == Some(&b'(') => {
                            let end = reader.substitution(line, at);
                            while chars.next_if(|(next, _)| *next < end).is_some() {}
                        }
                        c => reader.word.push(c),
                    }
                }
                reader.line.odd |= !closed;
            }
            '$' if bytes.get(at + 1) == Some(&b'(') => {
                reader.begin(at);
                let end = reader.substitution(line, at);
                while chars.next_if(|(next, _)| *next < end).is_some() {}
            }
            '\\' => match chars.next() {
                Some((_, '\n')) | None => {}
                Some((_, c)) => {
                    reader.begin(at);
                    reader.word.push(c);
                }
            },
            '#' if !reader.in_word => while chars.next_if(|&(_, c)| c != '\n').is_some() {},
            '`' | '(' | ')' => {
                reader.line.odd = true;
                reader.begin(at);
                reader.word.push(c);
            }
            '|' => {
                if chars.next_if(|&(_, c)| c == '|').is_some() {
                    reader.end_command(false, false);
                } else {
                    chars.next_if(|&(_, c)| c == '&');
                    reader.end_command(true, false);
                }
            }
            '&' if matches!(chars.peek(), Some((_, '>'))) => {
                chars.next();
                chars.next_if(|&(_, c)| c == '>');
                reader.end_word();
                reader.redirect = Some(Redirect { out: true, errors: true, copies: false });
            }
            '&' => {
                let and = chars.next_if(|&(_, c)| c == '&').is_some();
                reader.end_command(false, !and);
            }
            ';' | '\n' => reader.end_command(false, false),
            '<' => {
                if chars.next_if(|&(_, c)| c == '<' || c == '(').is_some() {
                    reader.line.odd = true;
                }
                reader.descriptor();
                chars.next_if(|&(_, c)| c == '&');
                reader.redirect = Some(Redirect::default());
            }
            '>' => {
                if chars.next_if(|&(_, c)| c == '(').is_some() {
                    reader.line.odd = true;
                }
                chars.next_if(|&(_, c)| c == '>' || c == '|');
                let descriptor = reader.descriptor();
                let copies = chars.next_if(|&(_, c)| c == '&').is_some();
                reader.redirect = Some(Redirect {
                    out: matches!(descriptor, None | Some('1')),
                    errors: descriptor == Some('2') || copies && descriptor.is_none(),
                    copies,
                });
            }
            c if c.is_whitespace() => reader.end_word(),
            c => {
                reader.begin(at);
                reader.word.push(c);
            }
        }
    }
    reader.end_command(false, false);
    if reader.waits_for_pipe {
        reader.line.odd = true;
    }
    reader.line
}

#[derive(Default)]
struct Reader {
    line: Line,
    command: Simple,
    word: String,
    at: usize,
    in_word: bool,
    /// The word has something in it that the shell puts another command's output in place of.
    substituted: bool,
    /// The next word is a redirection's target.
    redirect: Option<Redirect>,
    waits_for_pipe: bool,
}

/// What a redirection takes to its target.
#[derive(Clone, Copy, Default)]
struct Redirect {
    out: bool,
    errors: bool,
    /// `>&`: to a descriptor when a figure follows, to a file otherwise.
    copies: bool,
}

impl Reader {
    fn begin(&mut self, at: usize) {
        if !self.in_word {
            self.in_word = true;
            self.at = at;
        }
    }

    /// Takes `$(…)` as a part of the word, as it is written; where it ends.
    fn substitution(&mut self, line: &str, at: usize) -> usize {
        self.substituted = true;
        let end = substitution::end(&line[at..]).map(|length| at + length);
        self.line.odd |= end.is_none();
        let end = end.unwrap_or(line.len());
        self.word.push_str(&line[at..end]);
        end
    }

    /// The figure right before a redirection, if the word so far is one; otherwise the word ends.
    fn descriptor(&mut self) -> Option<char> {
        if self.in_word && self.word.len() == 1 && self.word.bytes().all(|b| b.is_ascii_digit()) {
            self.in_word = false;
            return std::mem::take(&mut self.word).chars().next();
        }
        self.end_word();
        None
    }

    fn end_word(&mut self) {
        if !std::mem::take(&mut self.in_word) {
            return;
        }
        let text = std::mem::take(&mut self.word);
        // Which program runs, what it is told by its environment and where its output goes must be seen; an argument
        // is no more than that, whatever stands in it.
        let argument = self.redirect.is_none() && !self.command.program_words().is_empty();
        self.line.odd |= std::mem::take(&mut self.substituted) && !argument;
        match self.redirect.take() {
            Some(redirect) => {
                let descriptor = redirect.copies && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                if !descriptor && text != "/dev/stdout" && text != "/dev/stderr" {
                    self.command.to_file |= redirect.out;
                    self.command.errors_to_file |= redirect.errors;
                }
            }
            None => self.command.words.push(Word { text, at: self.at }),
        }
    }

    fn end_command(&mut self, pipe: bool, background: bool) {
        self.end_word();
        if self.redirect.take().is_some() {
            self.line.odd = true;
        }
        let mut command = std::mem::take(&mut self.command);
        if command.words.is_empty() {
            self.line.odd |= pipe || background || command.to_file;
            return;
        }
        command.piped_in = std::mem::take(&mut self.waits_for_pipe);
        command.piped_out = pipe;
        command.background = background;
        self.waits_for_pipe = pipe;
        let first = command.program_words().first().map(|word| word.text.as_str());
        self.line.odd |= first.is_none_or(|first| KEYWORDS.contains(&first));
        self.line.commands.push(command);
    }
}

/// `argv` as a command line that [`parse`] takes apart into the same words.
#[must_use]
pub fn quoted(argv: &[String]) -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+:@%,=^~".contains(c))
    };
    let quote = |word: &String| {
        if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    argv.iter().map(quote).collect::<Vec<_>>().join(" ")
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
            "(cd a; make)",
            "cat <<EOF\nx\nEOF",
            "'open",
            "a |",
        ] {
            assert!(parse(odd).odd, "{odd}");
        }
        let line = parse("sleep 1 & make >out");
        assert!(line.commands[0].background && line.commands[1].to_file);
        for (line, out, errors) in [
            ("make 2>err", false, true),
            ("make 2>/dev/null | tail", false, true),
            ("make >out 2>&1", true, false),
            ("make &>both", true, true),
            ("make >&both", true, true),
            ("make 2>&1", false, false),
            ("make >&2", false, false),
            ("make 2>/dev/stdout", false, false),
            ("make 3>out", false, false),
        ] {
            let command = &parse(line).commands[0];
            assert_eq!((command.to_file, command.errors_to_file), (out, errors), "{line}");
        }
        assert_eq!(parse("A=1  cargo test").commands[0].program_at(), Some(5));
    }
}
