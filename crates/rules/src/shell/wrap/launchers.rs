//! Programs that start another program somewhere after their own options, and options that contain a command.
//!
//! Their grammars aren't parsed: each of the first words that aren't options is tried as a program, and each text with a
//! blank as a script. It finds more than runs, which only matters if a rule covers it.

use super::launcher_tables::{
    COMMAND_OPTIONS, DATABASES, GIT_COMMAND_SETTINGS, LAUNCHERS, RUN_SUBCOMMANDS, SETTING_OPTIONS,
    SHELL_ESCAPERS,
};
use super::{Coverage, Field, Inner, InnerCommands};
use crate::shell::walk::variable_scripts;

/// How many words are tried as the program.
const MAX_CANDIDATES: usize = 4;

/// Adds what `argv` starts.
pub(super) fn launched_commands(name: &str, argv: &[Field], found: &mut InnerCommands) {
    let words = argv.get(1..).unwrap_or_default();
    if LAUNCHERS.contains(&name) || name.starts_with("ld-linux") {
        found.coverage = Coverage::ExactOnly;
        candidates(words, found);
    }
    for (names, verbs) in RUN_SUBCOMMANDS {
        if names.contains(&name)
            && let Some(at) = words.iter().position(|f| verbs.contains(&f.text.as_str()))
        {
            found.coverage = Coverage::ExactOnly;
            first_word(words.get(at + 1..).unwrap_or_default(), found);
        }
    }
    if matches!(name, "npx" | "pnpx" | "bunx" | "uvx") {
        found.coverage = Coverage::ExactOnly;
        first_word(words, found);
    }
    for (names, options) in COMMAND_OPTIONS {
        if names.contains(&name) {
            command_options(words, options, found);
        }
    }
    for (names, options, marks) in SETTING_OPTIONS {
        if names.contains(&name) {
            option_values(words, options).for_each(|value| setting(value, marks, found));
        }
    }
    if is_shell_escaper(name) {
        words.iter().for_each(|field| shell_escapes(&field.text, found));
    }
    if VARIABLE_SETTERS.contains(&name) {
        let set = words.iter().filter_map(|field| field.text.split_once('='));
        let set = set.filter(|(name, _)| !name.starts_with('-'));
        found.inner.extend(set.flat_map(|(name, value)| variable_scripts(name, value)).map(Inner::Script));
    }
    match name {
        "git" => git(words, found),
        "npm" | "pnpm" | "yarn" => npm_config(words, found),
        "ip" => {
            // `ip netns exec NAME command`
            let at = words.iter().position(|f| f.text == "exec");
            let rest = at.and_then(|at| words.get(at + 2..)).filter(|rest| !rest.is_empty());
            found.inner.extend(rest.map(|rest| Inner::Argv(rest.to_vec())));
        }
        "java" => {
            let runs = ["-XX:OnError=", "-XX:OnOutOfMemoryError="];
            let text = |field: &Field| runs.iter().find_map(|o| field.text.strip_prefix(*o).map(script));
            found.inner.extend(words.iter().filter_map(text));
        }
        "rpm" | "rpmbuild" | "rpmspec" => {
            // A macro's `%(command)`.
            let macros = words.iter().flat_map(|field| field.text.split("%(").skip(1));
            found.inner.extend(macros.map(|rest| script(rest.trim_end_matches(')'))));
        }
        "strace" | "ltrace" => {
            let outputs = option_values(words, &["-o", "--output"]).filter(|to| to.starts_with(['|', '!']));
            found.inner.extend(outputs.map(script));
        }
        "pee" => found.inner.extend(words.iter().map(|field| script(&field.text))),
        "cmake" => {
            // `cmake -E chdir folder command`, `cmake -E env NAME=value command`
            let verb = |verb| words.windows(2).position(|two| two[0].text == "-E" && two[1].text == verb);
            first_word(verb("chdir").and_then(|at| words.get(at + 3..)).unwrap_or_default(), found);
            let within = verb("env").and_then(|at| words.get(at + 2..)).unwrap_or_default();
            let set = within.iter().take_while(|word| word.text.contains('=')).count();
            first_word(&within[set..], found);
        }
        "make" | "gmake" => assigned_commands(words, found, is_program),
        "sed" | "gsed" => words.iter().for_each(|field| sed(&field.text, found)),
        "alias" => assigned_commands(words, found, |_| true),
        "hash" if option_value(words, "-p").is_some() => {
            found.inner.push(Inner::Unsure("a name is given to another program"));
        }
        "jobs" => found.inner.extend(
            words
                .iter()
                .position(|f| f.text == "-x")
                .and_then(|at| words.get(at + 1..))
                .map(|rest| Inner::Argv(rest.to_vec())),
        ),
        _ if DATABASES.contains(&name) => {
            found.inner.extend(words.iter().map(|f| Inner::Code("sql", f.text.clone())));
        }
        // These expand an argument's text again.
        "let" | "declare" | "typeset" | "local" | "export" | "readonly" | "test" | "[" | "[[" | "unset"
        | "read" => {
            reexpanded_texts(words, found);
        }
        "printf" if words.first().is_some_and(|f| f.text == "-v") => reexpanded_texts(words, found),
        "iex" | "invoke-expression" => found.inner.push(Inner::PowerShell(super::join(words))),
        _ => {}
    }
}

/// Commands that set variables for others.
const VARIABLE_SETTERS: &[&str] =
    &["env", "genv", "sudo", "doas", "export", "declare", "typeset", "readonly", "local"];

/// `tclsh8.6` is tclsh.
fn is_shell_escaper(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    SHELL_ESCAPERS.contains(&name) || SHELL_ESCAPERS.contains(&stem)
}

/// The scripts that the program would run if it read `text` as its input.
pub(crate) fn input_commands(name: &str, text: &str) -> Vec<String> {
    let mut found = super::no_commands();
    if is_shell_escaper(name) {
        text.lines().for_each(|line| shell_escapes(line, &mut found));
    } else if matches!(name, "sed" | "gsed") {
        sed(text, &mut found);
    } else if matches!(name, "make" | "gmake") {
        found.inner.extend(text.lines().filter_map(|l| l.strip_prefix('\t')).map(script));
    }
    let scripts = found.inner.into_iter().filter_map(|inner| match inner {
        Inner::Script(text) => Some(text),
        _ => None,
    });
    scripts.collect()
}

fn script(text: &str) -> Inner {
    Inner::Script(text.trim().trim_start_matches(['!', '|', '@', '-']).trim().to_owned())
}

fn option_value<'a>(words: &'a [Field], option: &str) -> Option<&'a Field> {
    words.iter().position(|f| f.text == option).and_then(|at| words.get(at + 1))
}

fn candidates(words: &[Field], found: &mut InnerCommands) {
    // The program follows `--`.
    if let Some(at) = words.iter().position(|f| f.text == "--") {
        found.inner.extend(
            words.get(at + 1..).filter(|rest| !rest.is_empty()).map(|rest| Inner::Argv(rest.to_vec())),
        );
    }
    let mut left = MAX_CANDIDATES;
    for (at, field) in words.iter().enumerate() {
        let text = field.text.as_str();
        if text == "--" {
            return;
        }
        if text.contains(char::is_whitespace) {
            found.inner.push(script(text));
        } else if let Some((_, value)) = text.split_once('=').filter(|_| text.starts_with('-')) {
            found.inner.push(script(value));
        } else if let Some((_, value)) =
            text.split_once(':').filter(|(kind, _)| kind.chars().all(|c| c.is_ascii_uppercase()))
        {
            // socat's EXEC:program.
            found.inner.push(script(value));
        }
        if !text.starts_with('-') && left > 0 {
            left -= 1;
            found.inner.push(Inner::Argv(words.get(at..).unwrap_or_default().to_vec()));
        }
    }
}

/// The program is the first word that isn't an option; a word after an option may be its value.
fn first_word(words: &[Field], found: &mut InnerCommands) {
    let mut behind_option = false;
    let mut left = MAX_CANDIDATES;
    for (at, field) in words.iter().enumerate() {
        let option = field.text.starts_with('-');
        if !option {
            found.inner.push(Inner::Argv(words.get(at..).unwrap_or_default().to_vec()));
            left -= 1;
            if !behind_option || left == 0 {
                return;
            }
        }
        behind_option = option && !field.text.contains('=') && field.text != "--";
    }
}

/// The values of `--name value`, `--name=value` and `-xvalue`, each with the word that has the option's name.
fn options_and_values<'w>(
    words: &'w [Field],
    options: &'w [&'w str],
) -> impl Iterator<Item = (&'w str, &'w str)> {
    words.iter().enumerate().filter_map(move |(at, field)| {
        let text = field.text.as_str();
        let value = if options.contains(&text) {
            words.get(at + 1).map(|f| f.text.as_str())
        } else if let Some((_, value)) = text.split_once('=').filter(|(option, _)| options.contains(option)) {
            Some(value)
        } else {
            let attached = options.iter().filter(|o| o.len() == 2).find_map(|o| text.strip_prefix(*o));
            attached.filter(|rest| !text.starts_with("--") && !rest.is_empty())
        };
        value.map(|value| (text, value))
    })
}

fn option_values<'w>(words: &'w [Field], options: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
    options_and_values(words, options).map(|(_, value)| value)
}

/// `NAME=command` of a name that has one of these marks; an empty one stands for every name.
fn setting(value: &str, marks: &[&str], found: &mut InnerCommands) {
    let Some((name, command)) = value.split_once('=') else { return };
    let name = name.to_ascii_lowercase();
    if marks.iter().any(|mark| name.contains(mark)) {
        found.inner.push(script(command));
        // A list of strings in TOML, and one in braces for apt.
        if command.contains(['[', '{', '"']) {
            found.inner.push(script(&command.replace(['[', ']', '{', '}', '"', ',', ';'], " ")));
        }
    }
}

fn command_options(words: &[Field], options: &[&str], found: &mut InnerCommands) {
    for (text, value) in options_and_values(words, options) {
        // `git -c` sets something, `git switch -c` names a branch.
        if text == "-c" && !value.contains('=') && options.contains(&"--extcmd") {
            continue;
        }
        found.inner.push(script(value));
        // `exec=x`, `core.pager=x`, `ProxyCommand=x`, `ctrl-a:execute(x)`.
        if let Some((_, rest)) = value.split_once(['=', ':', '(', ' ']) {
            found.inner.push(script(rest.trim_end_matches(')')));
        }
        // `config:tunnels:x=command`
        if let Some((_, rest)) = value.rsplit_once('=').filter(|(before, _)| before.contains(':')) {
            found.inner.push(script(rest));
        }
    }
}

/// The rest of a line after a shell escape in editors, debuggers and database clients.
fn shell_escapes(text: &str, found: &mut InnerCommands) {
    for mark in ["!", ".shell ", ".system ", "shell ", "system ", "spawn ", "exec ", "EXEC:", "SYSTEM:", "|"]
    {
        for (at, _) in text.match_indices(mark).take(4) {
            let rest = text.get(at + mark.len()..).filter(|rest| !rest.trim().is_empty());
            found.inner.extend(rest.map(script));
            // Tcl's `[exec command]`.
            let inside = rest.and_then(|rest| rest.split_once([']', '}'])).map(|(inside, _)| script(inside));
            found.inner.extend(inside);
        }
    }
    for open in ["system(", "syscmd(", "shell-command ", "call-process ", "os.system("] {
        if let Some((_, rest)) = text.split_once(open) {
            let inner = rest.split(')').next().unwrap_or(rest);
            found.inner.push(script(inner.trim_matches(['"', '\'', ' ', '`'])));
        }
    }
}

/// The values of `NAME=command` words, for the names that `runs` accepts.
fn assigned_commands(words: &[Field], found: &mut InnerCommands, runs: impl Fn(&str) -> bool) {
    let values = words.iter().filter_map(|f| f.text.split_once('=')).filter(|(name, _)| runs(name));
    found.inner.extend(values.map(|(_, value)| script(value)));
}

/// Whether a makefile's variable names a program.
fn is_program(name: &str) -> bool {
    const NAMES: &[&str] = &["PYTHON", "INSTALL", "MAKE", "CARGO", "NODE", "NPM", "GO", "PAGER", "EDITOR"];
    name.len() < 3 || NAMES.contains(&name) || ["SHELL", "CC", "CXX"].iter().any(|end| name.ends_with(end))
}

fn reexpanded_texts(words: &[Field], found: &mut InnerCommands) {
    let texts = words
        .iter()
        .filter(|f| !f.dynamic)
        .map(|f| f.text.as_str())
        .filter(|t| t.contains("$(") || t.contains('`'));
    found.inner.extend(texts.map(|text| Inner::Script(format!(": {text}"))));
}

fn git(words: &[Field], found: &mut InnerCommands) {
    let shells = words.iter().map(|f| f.text.as_str()).filter_map(|t| {
        t.strip_prefix('!')
            .or_else(|| t.strip_prefix("ext::"))
            .or_else(|| t.split_once("=!").map(|(_, rest)| rest))
    });
    found.inner.extend(shells.map(script));
    let at = |verb: &str| words.iter().position(|f| f.text == verb);
    if let Some(config) = at("config") {
        // `git config --global core.pager x`
        let mut rest =
            words.get(config + 1..).unwrap_or_default().iter().filter(|f| !f.text.starts_with('-'));
        if let (Some(name), Some(value)) = (rest.next(), rest.next()) {
            let name = name.text.to_ascii_lowercase();
            let last = name.rsplit('.').next().unwrap_or_default();
            if GIT_COMMAND_SETTINGS.iter().any(|mark| last.contains(mark)) {
                found.inner.push(script(&value.text));
            }
        }
    }
    if at("clone").is_some() {
        found.inner.extend(option_values(words, &["-u"]).map(script));
    }
    for (command, verb) in [("bisect", "run"), ("submodule", "foreach")] {
        if let (Some(from), Some(to)) = (at(command), at(verb))
            && from < to
        {
            candidates(words.get(to + 1..).unwrap_or_default(), found);
        }
    }
}

/// `npm config set script-shell x`
fn npm_config(words: &[Field], found: &mut InnerCommands) {
    const RUN: &[&str] = &["script-shell", "shell", "editor", "git", "viewer", "browser"];
    let Some(at) = words.windows(2).position(|two| two[0].text == "config" && two[1].text == "set") else {
        return;
    };
    let mut rest = words.get(at + 2..).unwrap_or_default().iter().map(|field| field.text.as_str());
    let first = rest.next().unwrap_or_default();
    let (name, value) = first.split_once('=').unwrap_or_else(|| (first, rest.next().unwrap_or_default()));
    if RUN.contains(&name) {
        found.inner.push(script(value));
    }
}

/// GNU sed's `e` command and the `e` flag of `s`.
fn sed(text: &str, found: &mut InnerCommands) {
    let text = text.strip_prefix("--expression=").or_else(|| text.strip_prefix("-e")).unwrap_or(text);
    for piece in text.split([';', '\n', '{', '}']) {
        let piece = piece.trim();
        let command = piece.trim_start_matches(|c: char| c.is_ascii_digit() || "$,!~+ ".contains(c));
        let command = match command.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
            Some((_, rest)) => rest.trim_start_matches(['I', 'M', '!', ' ']),
            None => command,
        };
        if let Some(rest) = command.strip_prefix('e') {
            match rest.trim() {
                "" => found.inner.push(Inner::Unsure("sed runs what it reads")),
                rest => found.inner.push(script(rest)),
            }
        } else if let Some(rest) = command.strip_prefix('s')
            && let Some(mark) = rest.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_whitespace())
        {
            let parts: Vec<&str> = rest.split(mark).collect();
            if let [_, _, replaced, flags] = parts.as_slice()
                && flags.contains('e')
            {
                found.inner.push(script(replaced));
            }
        }
    }
}
