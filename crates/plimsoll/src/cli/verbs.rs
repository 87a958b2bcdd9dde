//! The verbs of systems. A system describes its verbs as data; this file turns them into a parser, a help text and a
//! call.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory as _};
use contract::{Error, ErrorCode, Reply};
use serde_json::{Map, Value};
use service::Call;
use system::{ArgumentKind, CallContext, Progress, System, Verb, VerbArguments};

use super::Context;
use super::command_line::Cli;
use super::terminal::{CommandError, CommandResult, Exit};

/// The verb whose project the environment may name.
pub(super) const CODE: &str = "code";
/// Names the project that `code` looks at, wherever it's typed.
const CODE_ROOT: &str = "CODEBASE_ROOT";

/// The command line with the verbs of these systems.
pub(crate) fn parser(systems: &[&'static System]) -> Command {
    systems
        .iter()
        .flat_map(|system| system.verbs)
        .fold(Cli::command(), |line, verb| line.subcommand(subcommand(verb)))
}

fn subcommand(verb: &'static Verb) -> Command {
    let json = Arg::new("json").long("json").help("Print JSON").action(ArgAction::SetTrue);
    let arguments = verb.arguments.iter().map(|argument| {
        let name = argument.name.trim_start_matches("--");
        let arg = Arg::new(name).help(argument.about);
        match argument.kind {
            ArgumentKind::Nothing => arg.long(name).action(ArgAction::SetTrue),
            // A filter may begin with what isn't wanted (`--filter -tag:old`), and a text with a hyphen.
            ArgumentKind::Value => {
                // Named as in the other commands. The parser takes only static text; it is built once per start, so the
                // leak is small.
                let value: &'static str = Box::leak(name.to_uppercase().into_boxed_str());
                arg.long(name)
                    .value_name(value)
                    .action(ArgAction::Set)
                    .allow_hyphen_values(true)
                    .value_parser(value_or_missing)
            }
            ArgumentKind::Place => arg.required(true).action(ArgAction::Set),
            ArgumentKind::Places => arg.required(true).num_args(1..).action(ArgAction::Append),
        }
    });
    Command::new(verb.name).about(verb.about).args(arguments).arg(json)
}

/// A value, unless it's the next option: one word that begins with two hyphens. A text may begin with them.
fn value_or_missing(value: &str) -> Result<String, String> {
    if value.starts_with("--") && !value.contains(char::is_whitespace) {
        return Err("its value is missing: this is an option".into());
    }
    Ok(value.to_owned())
}

/// The typed words, with a forwarding form replaced by its verb: `code memory …` becomes `memory …`.
pub(super) fn forwarded(systems: &[&'static System], typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = typed.collect();
    let forwards = systems.iter().flat_map(|system| system.forwards);
    for ([first, second], verb) in forwards {
        if words.get(1).is_some_and(|word| word == first) && words.get(2).is_some_and(|word| word == second) {
            words.splice(1..=2, [OsString::from(verb)]);
            break;
        }
    }
    words
}

/// The typed system verb, if there is one.
pub(crate) fn typed_verb<'a>(
    systems: &[&'static System],
    matches: &'a ArgMatches,
) -> Option<(&'static Verb, &'a ArgMatches)> {
    let (name, matches) = matches.subcommand()?;
    let verb = systems.iter().flat_map(|system| system.verbs).find(|verb| verb.name == name)?;
    Some((verb, matches))
}

/// Runs a verb and prints its reply. With `of_code` it was typed behind `code`, as in `code memory list`.
pub(super) fn run(context: &Context, verb: &Verb, matches: &ArgMatches, of_code: bool) -> CommandResult {
    let mut values = Map::new();
    for argument in verb.arguments {
        let name = argument.name.trim_start_matches("--");
        let value = match argument.kind {
            ArgumentKind::Nothing => matches.get_flag(name).then_some(Value::Bool(true)),
            ArgumentKind::Value | ArgumentKind::Place => {
                matches.get_one::<String>(name).cloned().map(Value::from)
            }
            ArgumentKind::Places => matches
                .get_many::<String>(name)
                .map(|texts| texts.cloned().map(Value::from).collect::<Vec<_>>().into()),
        };
        if let Some(value) = value {
            values.insert(argument.name.to_owned(), value);
        }
    }
    if (of_code || verb.name == CODE)
        && let Some(folder) = context.service.env().path(CODE_ROOT)
    {
        context.service.set_project(std::slice::from_ref(&folder));
        if !context.service.has_project() {
            let message =
                format!("{CODE_ROOT}: {} isn't a project; name a folder with code", folder.display());
            return Err(CommandError::failed(message));
        }
    }
    let mut call = Call::from_user();
    let shown = context.terminal.waiting_progress();
    call.progress = Progress::new(move |_, _, words| shown.update(words));
    let at = CallContext { host: context.service.clone(), call };
    let work = (verb.run)(at, VerbArguments(values)).map_err(|error| with_help(error, verb))?;
    let reply = context.outcome(work)?.map_err(|error| with_help(error, verb))?;
    if matches.get_flag("json") {
        context.terminal.json(&reply.data)?;
    } else {
        context.terminal.line(reply.text.trim_end())?;
    }
    Ok(match reply {
        Reply { failed: true, .. } => Exit::Failed,
        Reply { nothing_found: true, .. } => Exit::Nothing,
        _ => Exit::Done,
    })
}

/// The error for mistyped input. Names the options as they are typed, and adds the command that explains the verb if the message
/// gives no advice or names the tool's actions, because a verb has other actions and other names for some.
fn with_help(error: Error, verb: &Verb) -> Error {
    if error.code != ErrorCode::InvalidArgument {
        return error;
    }
    let told = with_option(error.message.text(), verb);
    let name = verb.name;
    let is_action = told.strip_prefix(name).is_some_and(|rest| rest.starts_with(": action "));
    let helped = match told.split_once(" is unknown; allowed: ") {
        Some((action, _)) if is_action => format!("{action} is unknown; `plimsoll {name} --help` lists them"),
        _ if told.contains("; ") => told.clone(),
        _ => format!("{told}; `plimsoll {name} --help` shows what there is"),
    };
    Error { message: helped.into(), ..error }
}

/// The message with the option in place of the tool's parameter, which is named first, or as what an action doesn't use.
fn with_option(told: &str, verb: &Verb) -> String {
    const NOT_USED: &str = " doesn't use ";
    let Some(rest) = told.strip_prefix(verb.name).and_then(|rest| rest.strip_prefix(": ")) else {
        return told.to_owned();
    };
    // Not in what was typed, which is in quotes.
    let not_used = told.find(NOT_USED).filter(|at| !told[..*at].contains('"'));
    let start = not_used.map_or(told.len() - rest.len(), |at| at + NOT_USED.len());
    let end = told[start..].find([' ', ';']).map_or(told.len(), |length| start + length);
    let option = format!("--{}", told[start..end].replace('_', "-"));
    if verb.arguments.iter().any(|argument| argument.name == option) {
        format!("{}{option}{}", &told[..start], &told[end..])
    } else {
        told.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_without_advice_names_the_help_and_options_as_they_are_typed() {
        let code = service::SYSTEMS.iter().flat_map(|system| system.verbs).find(|verb| verb.name == CODE);
        for (error, told) in [
            (
                Error::invalid("query is missing"),
                "query is missing; `plimsoll code --help` shows what there is",
            ),
            (Error::invalid("no such id; give one"), "no such id; give one"),
            (
                Error::invalid("code: action \"dance\" is unknown; allowed: search, references"),
                "code: action \"dance\" is unknown; `plimsoll code --help` lists them",
            ),
            (
                Error::invalid("code: mode \"x\" is unknown; allowed: full"),
                "code: --mode \"x\" is unknown; allowed: full",
            ),
            (
                Error::invalid("code: query is missing"),
                "code: --query is missing; `plimsoll code --help` shows what there is",
            ),
            (
                Error::invalid("code: max_tokens must be a whole number, not \"x\""),
                "code: --max-tokens must be a whole number, not \"x\"; `plimsoll code --help` shows what there is",
            ),
            (
                Error::invalid("code: limit must be a whole number, not \" doesn't use é\""),
                "code: --limit must be a whole number, not \" doesn't use é\"; `plimsoll code --help` shows what there is",
            ),
            (
                Error::invalid("code: patterns doesn't use offset; search, card do"),
                "code: patterns doesn't use --offset; search, card do",
            ),
            (Error::new(ErrorCode::NotFound, "it is gone"), "it is gone"),
        ] {
            assert_eq!(with_help(error, code.unwrap()).message.text(), told);
        }
    }

    #[test]
    fn memories_of_the_code_are_memories() {
        for (typed, expected) in [
            ("plimsoll code memory list --json", "plimsoll memory list --json"),
            ("plimsoll code search memory", "plimsoll code search memory"),
            ("plimsoll memory list", "plimsoll memory list"),
            ("plimsoll code", "plimsoll code"),
        ] {
            let words = forwarded(service::SYSTEMS, typed.split(' ').map(OsString::from));
            let expected: Vec<OsString> = expected.split(' ').map(OsString::from).collect();
            assert_eq!(words, expected, "{typed}");
        }
    }

    #[test]
    fn a_value_may_begin_with_a_hyphen_and_isnt_the_next_argument() {
        let typed = |words: &[&str]| parser(service::SYSTEMS).try_get_matches_from(words);
        let matches = typed(&["plimsoll", "memory", "recall", "--filter", "-tag:old", "--json"]).unwrap();
        let (_, matches) = matches.subcommand().unwrap();
        assert_eq!(matches.get_one::<String>("filter").map(String::as_str), Some("-tag:old"));
        assert!(matches.get_flag("json"));
        let matches =
            typed(&["plimsoll", "memory", "update", "a", "--content", "--force is needed"]).unwrap();
        let (_, matches) = matches.subcommand().unwrap();
        assert_eq!(matches.get_one::<String>("content").map(String::as_str), Some("--force is needed"));
        let missing = typed(&["plimsoll", "memory", "recall", "--filter", "--json"]).unwrap_err();
        assert!(missing.to_string().contains("its value is missing"), "{missing}");
    }
}
