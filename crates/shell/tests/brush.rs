//! The grammar beside a parser that somebody else wrote: whatever `brush-parser` reads, this crate must name the same
//! commands. One that is missed is a hole in the permission rules.
//!
//! `PLIMSOLL_SHELL_CASES` says how many generated lines are compared.

use std::io::Cursor;

use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem as Item, CompoundCommand,
    CompoundList, ExtendedTestExpr, IoFileRedirectTarget, IoRedirect, Pipeline, RedirectList, SimpleCommand,
    Word,
};
use brush_parser::word::{ParameterExpr, WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions};
use plimsoll_shell::grammar::{self, Step};
use plimsoll_shell::{is_assignment, joined, line};
use proptest::prelude::*;

/// The commands that brush sees, each as the words it has, as they were written.
#[derive(Default)]
struct Seen {
    commands: Vec<Vec<String>>,
    /// A part that brush read only as far as a word, and couldn't take apart.
    unread: bool,
    /// More than simple commands in lists and pipelines.
    beyond: bool,
}

impl Seen {
    fn of(text: &str) -> Option<Seen> {
        let mut seen = Seen::default();
        seen.script(text).then_some(seen)
    }

    /// Whether brush could read it.
    fn script(&mut self, text: &str) -> bool {
        let mut parser = Parser::new(Cursor::new(text.as_bytes()), &ParserOptions::default());
        let Ok(program) = parser.parse_program() else { return false };
        program.complete_commands.iter().for_each(|list| self.list(list));
        true
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            for (_, pipeline) in &item.0 {
                self.pipeline(pipeline);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        self.beyond |= pipeline.bang;
        pipeline.seq.iter().for_each(|command| self.command(command));
    }

    fn command(&mut self, command: &Command) {
        self.beyond |= !matches!(command, Command::Simple(_));
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                self.redirects(redirects.as_ref());
            }
            Command::Function(function) => {
                self.compound(&function.body.0);
                self.redirects(function.body.1.as_ref());
            }
            Command::ExtendedTest(test, redirects) => {
                self.test(&test.expr);
                self.redirects(redirects.as_ref());
            }
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => self.word(&arithmetic.expr.value),
            CompoundCommand::ArithmeticForClause(clause) => {
                for part in [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten() {
                    self.word(&part.value);
                }
                self.list(&clause.body.list);
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(group) => self.list(&group.list),
            CompoundCommand::ForClause(clause) => {
                clause.values.iter().flatten().for_each(|word| self.word(&word.value));
                self.list(&clause.body.list);
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value.value);
                for case in &clause.cases {
                    case.patterns.iter().for_each(|word| self.word(&word.value));
                    case.cmd.iter().for_each(|list| self.list(list));
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for other in clause.elses.iter().flatten() {
                    other.condition.iter().for_each(|list| self.list(list));
                    self.list(&other.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body),
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr) {
        match test {
            ExtendedTestExpr::And(a, b) | ExtendedTestExpr::Or(a, b) => {
                self.test(a);
                self.test(b);
            }
            ExtendedTestExpr::Not(a) | ExtendedTestExpr::Parenthesized(a) => self.test(a),
            ExtendedTestExpr::UnaryTest(_, word) => self.word(&word.value),
            ExtendedTestExpr::BinaryTest(_, a, b) => {
                self.word(&a.value);
                self.word(&b.value);
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        let mut words: Vec<String> = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, &mut Vec::new());
        }
        if let Some(Word { value, .. }) = &simple.word_or_name {
            self.word(value);
            words.push(value.clone());
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut words);
        }
        if simple.word_or_name.is_some() {
            self.commands.push(words);
        }
    }

    fn item(&mut self, item: &Item, words: &mut Vec<String>) {
        match item {
            Item::IoRedirect(redirect) => self.redirect(redirect),
            Item::Word(word) => {
                self.word(&word.value);
                words.push(word.value.clone());
            }
            Item::AssignmentWord(assignment, word) => {
                self.assignment(assignment);
                self.beyond |= matches!(assignment.value, AssignmentValue::Array(_));
                words.push(word.value.clone());
            }
            Item::ProcessSubstitution(_, shell) => {
                self.beyond = true;
                self.list(&shell.list);
            }
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        if let AssignmentName::ArrayElementName(_, index) = &assignment.name {
            self.word(index);
        }
        match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(&word.value),
            AssignmentValue::Array(words) => {
                for (key, value) in words {
                    key.iter().for_each(|word| self.word(&word.value));
                    self.word(&value.value);
                }
            }
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>) {
        redirects.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(_, _, target) => match target {
                IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                    self.word(&word.value);
                }
                IoFileRedirectTarget::Fd(_) => {}
                IoFileRedirectTarget::ProcessSubstitution(_, shell) => {
                    self.beyond = true;
                    self.list(&shell.list);
                }
            },
            IoRedirect::HereDocument(_, document) => {
                self.beyond = true;
                if document.requires_expansion {
                    let pieces =
                        brush_parser::word::parse_heredoc(&document.doc.value, &ParserOptions::default());
                    self.unread |= pieces.is_err();
                    self.pieces(&pieces.unwrap_or_default());
                }
            }
            IoRedirect::HereString(_, word) => {
                self.beyond = true;
                self.word(&word.value);
            }
            IoRedirect::OutputAndError(word, _) => self.word(&word.value),
        }
    }

    /// What is substituted in a word.
    fn word(&mut self, word: &str) {
        let pieces = brush_parser::word::parse(word, &ParserOptions::default());
        self.unread |= pieces.is_err();
        self.pieces(&pieces.unwrap_or_default());
    }

    fn pieces(&mut self, pieces: &[WordPieceWithSource]) {
        for piece in pieces {
            match &piece.piece {
                WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                    self.pieces(inner);
                }
                WordPiece::CommandSubstitution(script) | WordPiece::BackquotedCommandSubstitution(script) => {
                    self.beyond |= matches!(piece.piece, WordPiece::BackquotedCommandSubstitution(_));
                    self.unread |= !self.script(script);
                }
                WordPiece::ArithmeticExpression(expression) => self.word(&expression.value),
                WordPiece::ParameterExpansion(
                    ParameterExpr::UseDefaultValues { default_value: Some(text), .. }
                    | ParameterExpr::AssignDefaultValues { default_value: Some(text), .. }
                    | ParameterExpr::IndicateErrorIfNullOrUnset { error_message: Some(text), .. }
                    | ParameterExpr::UseAlternativeValue { alternative_value: Some(text), .. }
                    | ParameterExpr::RemoveSmallestSuffixPattern { pattern: Some(text), .. }
                    | ParameterExpr::RemoveLargestSuffixPattern { pattern: Some(text), .. }
                    | ParameterExpr::RemoveSmallestPrefixPattern { pattern: Some(text), .. }
                    | ParameterExpr::RemoveLargestPrefixPattern { pattern: Some(text), .. },
                ) => self.word(text),
                _ => {}
            }
        }
    }
}

/// The commands that this crate sees, the same way.
fn ours(text: &str) -> Vec<Vec<String>> {
    let run = |step| match step {
        Step::Run(simple) if !simple.words.is_empty() => Some(simple),
        _ => None,
    };
    let words = |simple: grammar::Simple| simple.words.into_iter().map(|word| word.raw).collect();
    grammar::parse(text).steps.into_iter().filter_map(run).map(words).collect()
}

/// What begins something that is replaced by what commands print.
const SUBSTITUTIONS: [&str; 4] = ["$(", "<(", ">(", "`"];

/// Without how blanks were written, what a process substitution is to brush (no word), and `time`, which is a program
/// here with whatever follows.
fn comparable(words: &[String]) -> Vec<String> {
    let led = |word: &&String| {
        is_assignment(word) || ["time", "-p", "!", "{", "if", "while", "until"].contains(&word.as_str())
    };
    let timed = words.first().is_some_and(|first| first == "time");
    let words = if timed { words.iter().skip_while(led).collect() } else { words.iter().collect::<Vec<_>>() };
    let words = words.into_iter().filter(|word| !word.starts_with("<(") && !word.starts_with(">("));
    // What is substituted is compared by itself; brush has no more than its tokens, blanks and comments left out.
    let before = |word: &str| {
        SUBSTITUTIONS.iter().fold(word, |word, sign| word.split(sign).next().unwrap_or(word)).to_owned()
    };
    words.map(|word| before(&word.replace("\\\n", ""))).collect()
}

/// The program that brush sees and this crate doesn't. Backslashes aside: brush keeps those that backticks take away.
fn missed(text: &str) -> Option<String> {
    let program = |words: &Vec<String>| {
        comparable(words).first().map_or(String::new(), |first| first.replace('\\', ""))
    };
    let theirs = Seen::of(text)?;
    let mut left: Vec<String> = ours(text).iter().map(program).collect();
    theirs.commands.iter().map(program).find(|program| {
        let at = left.iter().position(|ours| ours == program);
        at.map(|at| left.swap_remove(at)).is_none()
    })
}

/// Where a plain line is read otherwise than brush reads it.
fn differs(text: &str) -> Option<String> {
    let theirs = Seen::of(text)?;
    let line = line::parse(text);
    if theirs.beyond || theirs.unread {
        return (theirs.beyond && !line.odd).then(|| "brush sees more than a plain line".to_owned());
    }
    if line.odd || text.contains("$(") {
        return None;
    }
    let raw: Vec<Vec<String>> = ours(text).iter().map(|words| comparable(words)).collect();
    let wanted: Vec<Vec<String>> = theirs.commands.iter().map(|words| comparable(words)).collect();
    (raw != wanted || line.commands.len() != wanted.len())
        .then(|| format!("brush: {wanted:?}\nhere: {raw:?}\n{line:?}"))
}

fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("lines.txt").lines()
}

#[test]
fn real_lines_have_the_same_commands() {
    let mut read = 0;
    for line in lines() {
        let text = match line {
            "python3 - <<'PY'" => format!("{line}\nimport os\nrm(x)\nPY\nls"),
            "cat <<EOF > conf.toml && echo written" => format!("{line}\na = $(id)\nrm y\nEOF\nls"),
            line => line.to_owned(),
        };
        read += usize::from(Seen::of(&text).is_some());
        assert_eq!(missed(&text), None, "{text}\n{:?}", ours(&text));
        assert_eq!(differs(&text), None, "{text}");
        assert!(!grammar::parse(&text).odd, "{text}");
    }
    assert!(read > 40, "brush reads {read}");
}

/// A quote of `$'…'` within `${…}` doesn't end it.
#[test]
fn a_quote_in_an_expansion_is_no_end() {
    let text = "if a\nthen echo ${y:-$(b $'\\'')}\nelse c\nfi";
    assert_eq!(missed(text), None);
    assert!(!grammar::parse(text).odd);
}

#[test]
fn the_text_of_a_here_document_is_no_command() {
    let found = ours("cat <<'X'; ls\nrm a\n$(rm b)\nX\nwc <<-Y\n\trm $(id)\n\tY\n");
    let programs: Vec<&str> = found.iter().filter_map(|words| words.first()).map(String::as_str).collect();
    assert_eq!(programs, ["cat", "ls", "wc", "id"]);
}

fn cases() -> u32 {
    std::env::var("PLIMSOLL_SHELL_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000)
}

/// A word, with what can be inside of one.
fn word() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-z0-9./_-]{1,6}",
        2 => "'[ -&(-~]{0,8}'",
        2 => "\"[a-z ;|&()<>#']{0,8}\"",
        1 => r"\\[ -~]",
        1 => "\\$[a-z]{1,3}",
        1 => "\\$\\{[a-z]{1,3}(:-[a-z]{0,3})?\\}",
        1 => "\\$\\(\\([0-9]( [+*] [0-9])?\\)\\)",
        1 => r"\$'[a-z ]{0,4}(\\n|\\t|\\')?'",
        1 => Just("*".to_owned()),
        1 => Just("~".to_owned()),
        1 => Just("=".to_owned()),
        1 => Just("{a,b}".to_owned()),
        1 => Just("#".to_owned()),
        1 => Just("\\\n".to_owned()),
    ];
    prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

fn redirection() -> impl Strategy<Value = String> {
    prop_oneof![
        (prop::sample::select(vec![">", ">>", "<", "2>", "&>", ">|", "<>", "3<", "<<<", ">&"]), "[a-z]{1,4}")
            .prop_map(|(sign, file)| format!("{sign} {file}")),
        prop::sample::select(vec!["2>&1", ">&2", "<&-", "2>/dev/null", ">x"]).prop_map(str::to_owned),
    ]
}

fn simple() -> impl Strategy<Value = String> {
    (
        prop::collection::vec("[A-Z]{1,2}(=|\\+=)[a-z0-9]{0,3}", 0..2),
        "[a-z]{3,6}x",
        prop::collection::vec(prop_oneof![5 => word(), 1 => redirection()], 0..4),
        prop::sample::select(vec![" ", "  ", "\t", " \\\n"]),
    )
        .prop_map(|(mut words, program, rest, blank)| {
            words.push(program);
            words.extend(rest);
            words.join(blank)
        })
}

/// Command lines with all that the grammar knows, nested.
fn command() -> impl Strategy<Value = String> {
    simple().prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let joint =
            prop::sample::select(vec![" && ", " || ", "; ", " | ", " & ", "\n", " |& ", "&&", " |\n", "\n# x\n"]);
        prop_oneof![
            4 => (inner.clone(), joint, inner.clone()).prop_map(|(a, joint, b)| format!("{a}{joint}{b}")),
            1 => inner.clone().prop_map(|a| format!("({a})")),
            1 => inner.clone().prop_map(|a| format!("{{ {a}\n}}")),
            1 => inner.clone().prop_map(|a| format!("! {a}")),
            1 => inner.clone().prop_map(|a| format!("time {a}")),
            1 => two.clone().prop_map(|(a, b)| format!("if {a}\nthen {b}\nfi")),
            1 => two.clone().prop_map(|(a, b)| format!("if {a}\nthen {b}\nelse {a}\nfi > out")),
            1 => two.clone().prop_map(|(a, b)| format!("while {a}\ndo {b}\ndone | catx")),
            1 => inner.clone().prop_map(|a| format!("for i in 1 $(lsx) 'b c'; do {a}\ndone")),
            1 => two.clone().prop_map(|(a, b)| format!("case $x in (a|b) {a}\n;; (*) {b}\n;; esac")),
            1 => inner.clone().prop_map(|a| format!("echox $({a}\n) b")),
            1 => inner.clone().prop_map(|a| format!("echox \"a $({a}\n)\" b")),
            1 => inner.clone().prop_map(|a| format!("A=$({a}\n) echox b")),
            1 => inner.clone().prop_map(|a| format!("diffx <({a}\n) b")),
            1 => inner.clone().prop_map(|a| format!("echox ${{y:-$({a}\n)}}")),
            1 => inner.clone().prop_map(|a| format!("f() {{ {a}\n}}\nf")),
            1 => inner.clone().prop_map(|a| format!("[[ -n $x && a == b ]] && {a}")),
            1 => inner.clone().prop_map(|a| format!("catx <<'END' | sortx\n{}\nEND\n", a.replace("END", "x"))),
            1 => inner.prop_map(|a| format!("catx <<END && wcx\nx $({a}\n)\nEND\n")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn no_command_is_missed(text in command()) {
        // Behind a process substitution, brush takes the text of a here-document for commands.
        prop_assume!(!(text.contains("<(") && text.contains("<<")));
        // What `time` leads and what is in `${ }` is told to be unreadable where it isn't read.
        let told = (text.contains("time ") || text.contains("${")) && grammar::parse(&text).odd;
        prop_assert!(told || missed(&text).is_none(), "{:?}\n{}\n{:?}", missed(&text), text, ours(&text));
    }

    #[test]
    fn plain_lines_are_read_alike(text in prop::collection::vec(simple(), 1..4).prop_map(|all| all.join(" && "))) {
        prop_assert_eq!(differs(&text), None, "{}", text);
    }

    #[test]
    fn nothing_is_missed_in_any_text(text in "[ab '\"\\\\|&;<>$`(){}#\n=-]{0,40}") {
        // A backslash in front of another one is gone before what is in backticks is read; to brush both are there.
        prop_assume!(!(text.contains('`') && text.contains("\\\\")));
        // Some tags of here-documents brush looks for without end.
        prop_assume!(!text.contains("<<"));
        prop_assert!(grammar::parse(&text).odd || missed(&text).is_none(), "{:?}\n{:?}", text, ours(&text));
    }

    #[test]
    fn quoting_round_trips(words in prop::collection::vec("[ -~\n\tä日]{0,12}", 1..5)) {
        let text = joined(&words);
        let line = line::parse(&text);
        prop_assert!(!line.odd, "{}", text);
        prop_assert_eq!(line.commands.iter().map(line::Simple::argv).collect::<Vec<_>>(), vec![words.clone()]);
        // Brush agrees that it's one command of that many words.
        if let Some(seen) = Seen::of(&text) {
            prop_assert_eq!(seen.commands.iter().map(Vec::len).collect::<Vec<_>>(), vec![words.len()]);
        }
    }
}
