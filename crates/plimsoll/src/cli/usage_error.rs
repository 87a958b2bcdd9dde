//! The message for a command line that can't be understood: in one line, what is wrong, what was probably meant, and
//! which help explains it. Knows no command but those of a system that's switched off.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use system::System;

/// The message without `plimsoll: `; `None` for what isn't an error, like help. `all` are the systems, on and off.
pub(super) fn message(error: &clap::Error, all: &[&'static System]) -> Option<String> {
    if !error.use_stderr() {
        return None;
    }
    let context = ErrorContext(error);
    let named = plain(&context.text(ContextKind::InvalidArg).unwrap_or_default());
    let given = context.text(ContextKind::InvalidValue).unwrap_or_default();
    let what = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = context.text(ContextKind::InvalidSubcommand).unwrap_or_default();
            // Behind another command the word is that command's own.
            let off = if context.command() == "plimsoll" { switched_off(&word, all) } else { None };
            if off.is_some() {
                return off;
            }
            let meant = natural(&word).map(str::to_owned).or_else(|| context.nearest(&word));
            format!(
                "there is no command `{word}`{}",
                meant.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
            )
        }
        ErrorKind::UnknownArgument if named.starts_with('-') => {
            let meant = context.text(ContextKind::SuggestedArg).map(|near| format!("; did you mean {near}?"));
            format!("there is no option `{named}` here{}", meant.unwrap_or_default())
        }
        ErrorKind::UnknownArgument | ErrorKind::TooManyValues => {
            let word = if given.is_empty() { named } else { given };
            let quotes = if context.command() == EXPLAIN { ": put the command line in quotes" } else { "" };
            format!("the argument `{word}` isn't expected{quotes}")
        }
        // A list in place of a value: it is missing.
        ErrorKind::InvalidValue if given.is_empty() => format!("{named} needs a value{}", context.choices()),
        ErrorKind::InvalidValue => format!("`{given}` isn't possible for {named}{}", context.choices()),
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(|why| {
                // The standard library's message about a number tells nobody what to type.
                if why.is::<std::num::ParseIntError>() {
                    "a whole number is needed".to_owned()
                } else {
                    why.to_string()
                }
            });
            format!(
                "`{given}` isn't possible for {named}{}",
                why.map(|why| format!(": {why}")).unwrap_or_default()
            )
        }
        ErrorKind::MissingRequiredArgument => context.missing(),
        ErrorKind::InvalidUtf8 => "an argument isn't UTF-8".to_owned(),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "a command is missing".to_owned()
        }
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues | ErrorKind::NoEquals => {
            format!("{named} needs a value")
        }
        ErrorKind::ArgumentConflict => match context.text(ContextKind::PriorArg).map(|other| plain(&other)) {
            Some(other) if other == named => format!("{named} can be given once"),
            Some(other) => format!("{named} and {other} can't be combined"),
            None => format!("{named} can't be combined with what else is given"),
        },
        _ => first_line(&error.render().to_string()),
    };
    let end = if what.ends_with('?') { "" } else { ";" };
    Some(format!("{what}{end} `{} --help` shows what there is", context.command()))
}

/// A system's command is unknown while the system is off.
fn switched_off(word: &str, all: &[&'static System]) -> Option<String> {
    let system = all.iter().find(|system| system.verbs.iter().any(|verb| verb.name == word))?;
    let key = system.switch?.key;
    Some(format!("`{word}` is switched off; `plimsoll settings set {key} true` switches it on"))
}

/// The command that takes a whole command line as one argument.
const EXPLAIN: &str = "plimsoll filters explain";

/// Names that the window and other programs use for commands that have another name here.
const NATURAL: &[(&str, &str)] = &[
    ("trash", "restore"),
    ("undo", "restore"),
    ("home", "status"),
    ("knowledge", "sources"),
    ("list", "sources"),
    ("add", "index"),
    ("delete", "purge"),
    ("log", "activity"),
    ("logs", "activity"),
    ("history", "sessions"),
    ("remember", "memory add"),
    ("recall", "memory recall"),
    ("config", "settings"),
    ("install", "setup"),
    ("init", "setup"),
    ("update", "upgrade"),
    ("remove", "uninstall"),
    ("check", "doctor"),
    ("version", "--version"),
];

fn natural(word: &str) -> Option<&'static str> {
    NATURAL.iter().find(|(natural, _)| natural.eq_ignore_ascii_case(word)).map(|(_, command)| *command)
}

/// `<ACTION>...` or `[AGENT]...` as the help calls it; what an option takes stays: `--for <DURATION>`.
fn plain(name: &str) -> String {
    if name.starts_with(['<', '[']) {
        name.trim_matches(['<', '>', '[', ']', '.']).to_owned()
    } else {
        name.to_owned()
    }
}

/// The parser's own words where it has a kind of error that isn't known here.
fn first_line(rendered: &str) -> String {
    rendered.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// The parser's details of an error.
struct ErrorContext<'a>(&'a clap::Error);

impl ErrorContext<'_> {
    /// Words of a kind, joined; `None` if there are none.
    fn text(&self, kind: ContextKind) -> Option<String> {
        match self.0.get(kind)? {
            ContextValue::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            ContextValue::Strings(all) => Some(all.join(" or ")).filter(|text| !text.is_empty()),
            ContextValue::StyledStr(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Which arguments are missing.
    fn missing(&self) -> String {
        let names: Vec<String> = match self.0.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(all)) => all.iter().map(|name| plain(name)).collect(),
            _ => vec![plain(&self.text(ContextKind::InvalidArg).unwrap_or_default())],
        };
        match names.split_last() {
            Some((last, before)) if !before.is_empty() => {
                format!("{} and {last} are missing", before.join(", "))
            }
            _ => format!("{} is missing", names.concat()),
        }
    }

    /// The command that was probably meant: the last is the most alike, and nobody mistypes the first letter.
    fn nearest(&self, word: &str) -> Option<String> {
        let near = match self.0.get(ContextKind::SuggestedSubcommand)? {
            ContextValue::String(near) => near.clone(),
            ContextValue::Strings(all) => all.last()?.clone(),
            _ => return None,
        };
        let first = |text: &str| text.chars().next().map(|letter| letter.to_ascii_lowercase());
        (first(&near) == first(word)).then_some(near)
    }

    /// The values that are possible, nearest first.
    fn choices(&self) -> String {
        let near = self.text(ContextKind::SuggestedValue).map(|near| format!("; did you mean {near}?"));
        let all = match self.0.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(all)) if !all.is_empty() => {
                format!("; it is one of {}", all.join(", "))
            }
            _ => String::new(),
        };
        format!("{all}{}", near.unwrap_or_default())
    }

    /// The command that was typed so far: of `Usage: plimsoll memory [OPTIONS] <ACTION>...` the first two words.
    fn command(&self) -> String {
        let usage = self.text(ContextKind::Usage).unwrap_or_default();
        let words = usage.split_whitespace().skip_while(|word| *word != "plimsoll");
        let words: Vec<&str> =
            words.take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).collect();
        if words.len() > 1 {
            return words.join(" ");
        }
        // The parser doesn't tell the position of a wrong value.
        let typed = std::env::args_os().nth(1).and_then(|word| word.into_string().ok());
        let typed = typed.filter(|_| self.0.get(ContextKind::InvalidSubcommand).is_none());
        match typed.filter(|word| word.chars().all(|c| c.is_ascii_lowercase())) {
            Some(word) if !word.is_empty() => format!("plimsoll {word}"),
            _ => "plimsoll".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::message;

    #[test]
    fn only_the_first_word_is_a_command_that_is_switched_off() {
        let filters = Command::new("filters").subcommand(Command::new("list"));
        let parser = Command::new("plimsoll").subcommand(filters);
        for (words, expected) in [
            (&["plimsoll", "memory"][..], "`memory` is switched off; "),
            (
                &["plimsoll", "filters", "memory"][..],
                "there is no command `memory`; `plimsoll filters --help`",
            ),
            (&["plimsoll", "nothing"][..], "there is no command `nothing`; `plimsoll --help`"),
        ] {
            let error = parser.clone().try_get_matches_from(words).unwrap_err();
            let answer = message(&error, service::SYSTEMS).unwrap();
            assert!(answer.starts_with(expected), "{answer}");
        }
    }
}
