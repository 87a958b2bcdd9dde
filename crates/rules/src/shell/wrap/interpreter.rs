//! Interpreters that take a program as an argument or from their input.

use super::{Field, Inner, InnerCommands};

/// Interpreters: name, language, options that carry a program.
const INTERPRETERS: &[(&str, &str, &[&str])] = &[
    ("python", "python", &["-c"]),
    ("pypy", "python", &["-c"]),
    ("node", "javascript", &["-e", "--eval", "-p", "--print", "-pe"]),
    ("nodejs", "javascript", &["-e", "--eval", "-p", "--print", "-pe"]),
    ("bun", "javascript", &["-e", "--eval", "-p", "--print"]),
    ("tsx", "javascript", &["-e", "--eval"]),
    ("ruby", "ruby", &["-e"]),
    ("perl", "perl", &["-e", "-E"]),
    ("php", "php", &["-r", "-B", "-R", "-E"]),
    ("rscript", "r", &["-e"]),
    ("r", "r", &["-e"]),
    ("elixir", "elixir", &["-e", "--eval"]),
    ("lua", "lua", &["-e"]),
    ("groovy", "groovy", &["-e"]),
    ("scala", "scala", &["-e"]),
    ("julia", "julia", &["-e", "-E"]),
    ("octave", "octave", &["--eval"]),
    ("raku", "raku", &["-e"]),
    ("guile", "scheme", &["-c"]),
    ("racket", "scheme", &["-e"]),
    ("sbcl", "lisp", &["--eval"]),
    ("ghc", "haskell", &["-e"]),
    ("swift", "swift", &["-e"]),
    ("ts-node", "javascript", &["-e", "--eval", "-p"]),
    ("osascript", "applescript", &["-e"]),
];

pub(super) fn interpreter(name: &str, argv: &[Field], found: &mut InnerCommands) {
    // `python3.12` is python.
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let Some((_, language, options)) = INTERPRETERS.iter().find(|(n, _, _)| *n == name || *n == stem) else {
        return;
    };
    let mut program = false;
    let mut value = false;
    for (i, field) in argv.iter().enumerate().skip(1) {
        let text = field.text.as_str();
        if std::mem::take(&mut value) {
            continue;
        }
        value = !options.contains(&text)
            && matches!(text, "-W" | "-X" | "-r" | "--require" | "--import" | "-d" | "-C");
        let code = if options.contains(&text) {
            argv.get(i + 1).map(|f| f.text.clone())
        } else if let Some((option, value)) = text.split_once('=')
            && options.contains(&option)
        {
            Some(value.to_owned())
        } else if text.starts_with('-') && !text.starts_with("--") {
            // `perl -ne '…'`, `python3 -Bc '…'`: the letter at the end; or the text attached to it.
            options.iter().filter(|o| o.len() == 2).find_map(|o| {
                let letter = o.trim_start_matches('-');
                let at = text.find(letter)?;
                let rest = text.get(at + 1..)?;
                if rest.is_empty() { argv.get(i + 1).map(|f| f.text.clone()) } else { Some(rest.to_owned()) }
            })
        } else {
            program |= text != "-";
            break;
        };
        if let Some(code) = code {
            program = true;
            found.inner.push(Inner::Code(language, code));
        }
    }
    if !program {
        found.stdin = Some(language);
    }
}
