//! Compares the grammar with an independent parser: this crate must find every command that `brush-parser` finds. A missed one
//! is a hole in the permission rules.
//!
//! `PLIMSOLL_SHELL_CASES` sets how many generated lines are compared.

mod brush_commands;
mod generators;

use brush_commands::BrushCommands;
use generators::{command, simple_command};
use plimsoll_shell::grammar::{self, Step};
use plimsoll_shell::{is_assignment, join_quoted, line};
use proptest::prelude::*;

/// The commands that this crate finds, in the same form.
fn raw_commands(text: &str) -> Vec<Vec<String>> {
    let run = |step| match step {
        Step::Run(simple) if !simple.words.is_empty() => Some(simple),
        _ => None,
    };
    let words = |simple: grammar::Simple| simple.words.into_iter().map(|word| word.raw).collect();
    grammar::parse(text).steps.into_iter().filter_map(run).map(words).collect()
}

/// The signs that begin a substitution by a command's output.
const SUBSTITUTIONS: [&str; 4] = ["$(", "<(", ">(", "`"];

/// Words without line continuations, process substitutions (no words for brush), and `time`, which is a program here with
/// everything after it.
fn comparable(words: &[String]) -> Vec<String> {
    let led = |word: &&String| {
        is_assignment(word) || ["time", "-p", "!", "{", "if", "while", "until"].contains(&word.as_str())
    };
    let timed = words.first().is_some_and(|first| first == "time");
    let words = if timed { words.iter().skip_while(led).collect() } else { words.iter().collect::<Vec<_>>() };
    let words = words.into_iter().filter(|word| !word.starts_with("<(") && !word.starts_with(">("));
    // Substituted commands are compared separately; brush keeps only their tokens, without blanks and comments.
    let before = |word: &str| {
        SUBSTITUTIONS.iter().fold(word, |word, sign| word.split(sign).next().unwrap_or(word)).to_owned()
    };
    words.map(|word| before(&word.replace("\\\n", ""))).collect()
}

/// A program that brush finds and this crate doesn't. Ignores backslashes: brush keeps those that backticks remove.
fn missed_program(text: &str) -> Option<String> {
    let program = |words: &Vec<String>| {
        comparable(words).first().map_or(String::new(), |first| first.replace('\\', ""))
    };
    let theirs = BrushCommands::parse(text)?;
    let mut left: Vec<String> = raw_commands(text).iter().map(program).collect();
    theirs.commands.iter().map(program).find(|program| {
        let at = left.iter().position(|ours| ours == program);
        at.map(|at| left.swap_remove(at)).is_none()
    })
}

/// How the parse of a plain line differs from brush's.
fn difference(text: &str) -> Option<String> {
    let theirs = BrushCommands::parse(text)?;
    let line = line::parse(text);
    if theirs.beyond_simple || theirs.unread {
        return (theirs.beyond_simple && !line.odd).then(|| "brush sees more than a plain line".to_owned());
    }
    if line.odd || text.contains("$(") {
        return None;
    }
    let raw: Vec<Vec<String>> = raw_commands(text).iter().map(|words| comparable(words)).collect();
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
        read += usize::from(BrushCommands::parse(&text).is_some());
        assert_eq!(missed_program(&text), None, "{text}\n{:?}", raw_commands(&text));
        assert_eq!(difference(&text), None, "{text}");
        assert!(!grammar::parse(&text).odd, "{text}");
    }
    assert!(read > 40, "brush reads {read}");
}

/// A quote of `$'…'` within `${…}` doesn't end it.
#[test]
fn a_quote_in_an_expansion_is_no_end() {
    let text = "if a\nthen echo ${y:-$(b $'\\'')}\nelse c\nfi";
    assert_eq!(missed_program(text), None);
    assert!(!grammar::parse(text).odd);
}

#[test]
fn the_text_of_a_here_document_is_no_command() {
    let found = raw_commands("cat <<'X'; ls\nrm a\n$(rm b)\nX\nwc <<-Y\n\trm $(id)\n\tY\n");
    let programs: Vec<&str> = found.iter().filter_map(|words| words.first()).map(String::as_str).collect();
    assert_eq!(programs, ["cat", "ls", "wc", "id"]);
}

fn cases() -> u32 {
    std::env::var("PLIMSOLL_SHELL_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn no_command_is_missed(text in command()) {
        // After a process substitution, brush takes a here-document's text for commands.
        prop_assume!(!(text.contains("<(") && text.contains("<<")));
        // If what follows `time` or is in `${ }` wasn't parsed, the text is marked as odd.
        let reported = (text.contains("time ") || text.contains("${")) && grammar::parse(&text).odd;
        prop_assert!(reported || missed_program(&text).is_none(), "{:?}\n{}\n{:?}", missed_program(&text), text, raw_commands(&text));
    }

    #[test]
    fn plain_lines_are_read_alike(text in prop::collection::vec(simple_command(), 1..4).prop_map(|all| all.join(" && "))) {
        prop_assert_eq!(difference(&text), None, "{}", text);
    }

    #[test]
    fn nothing_is_missed_in_any_text(text in "[ab '\"\\\\|&;<>$`(){}#\n=-]{0,40}") {
        // In backticks, a backslash before another one is removed before parsing; brush keeps both.
        prop_assume!(!(text.contains('`') && text.contains("\\\\")));
        // For some here-document tags, brush searches forever.
        prop_assume!(!text.contains("<<"));
        prop_assert!(grammar::parse(&text).odd || missed_program(&text).is_none(), "{:?}\n{:?}", text, raw_commands(&text));
    }

    #[test]
    fn quoting_round_trips(words in prop::collection::vec("[ -~\n\tä日]{0,12}", 1..5)) {
        let text = join_quoted(&words);
        let line = line::parse(&text);
        prop_assert!(!line.odd, "{}", text);
        prop_assert_eq!(line.commands.iter().map(line::Simple::argv).collect::<Vec<_>>(), vec![words.clone()]);
        // Brush agrees that it's one command of that many words.
        if let Some(seen) = BrushCommands::parse(&text) {
            prop_assert_eq!(seen.commands.iter().map(Vec::len).collect::<Vec<_>>(), vec![words.len()]);
        }
    }
}
