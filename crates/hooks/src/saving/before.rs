//! Before a command runs: `cargo test` becomes `plimsoll run -- cargo test` where that is the only way to its output and
//! changes no question to the person.
//!
//! On Claude Code the output of a command that fails reaches no hook that could replace it, and is cut in its middle;
//! on Codex a rewrite counts only together with "allow". So a rewrite is sent where the session asks nobody, or where
//! the person's own rules allow the original command.
//!
//! In a pipe nobody but the last reader gets less: `make test | tee log` becomes `make test | plimsoll run … -- tee log`,
//! which writes what it wrote, ends as it ended, and shows less.
//!
//! The law: "allow" is only said of commands in the plain grammar of [`rules::plain`], and a command that is not plain is
//! never rewritten where a rule might speak about it: the words that we put before it hide it from the host's own rules.

use agents::{Agent, Event, Rewriting, ToolCall, Verdict};
use filters::command::unwrapped;
use rules::{Decision, Effect, Rule, RuleSet, Target, plain};
use serde_json::json;
use shell::line::{self, Simple};
use shell::{base, join_quoted};

use crate::facts::Facts;
use crate::saving::Saving;

/// Words of a shell itself, and programs that want a terminal or another user's rights: not ours to stand before.
const NOT_BEFORE: &[&str] =
    &["time", "exec", "command", "builtin", "eval", "source", ".", "sudo", "doas", "plimsoll", "coproc"];

/// The longest command that is repeated in what is put before the end of its pipe, in bytes.
const MAX_REPEATED: usize = 1_000;

/// The verdict that has a command run under `plimsoll run`, if that is right. `ruled` is what the person's rules say
/// about the original.
pub(crate) fn before(
    event: &Event,
    call: &ToolCall,
    command: &str,
    agent: &dyn Agent,
    facts: &Facts,
    ruled: &Decision,
) -> Option<Verdict> {
    let saving = facts.saving.as_ref().filter(|saving| saving.launches)?;
    if matches!(ruled, Decision::Deny(_) | Decision::Ask(_) | Decision::Unknown(_)) || facts.rules_unseen {
        return None;
    }
    if !agent.posix_shell(call, facts.os) {
        return None;
    }
    let asks = agent.rewriting(event);
    let allowed = facts.rules.allows_plain_command(command, &facts.cwd, &facts.home_dir);
    match (facts.settings.filters.rewrite.as_str(), asks) {
        ("never", _) | (_, Rewriting::Never) => return None,
        (_, Rewriting::Free) => {}
        // The host asks about what we rewrote it to, unless its rules allow that on their own.
        ("always", _) if !allowed && allows_us(&facts.rules) => return None,
        ("always", _) => {}
        (_, Rewriting::WhenAllowed | Rewriting::WhenBothAllowed) if allowed => {}
        _ => return None,
    }
    // Where a rule could speak, or the rewrite itself goes out as "allow", nothing is guessed.
    let guarded =
        agent.prefers_rewriting() || facts.rules.rules.iter().any(|rule| rule.effect != Effect::Allow);
    if guarded && plain::parse(command).is_none() {
        return None;
    }
    // What goes on in the background is read piece by piece, by other means.
    if call.input.get("run_in_background").and_then(serde_json::Value::as_bool) == Some(true) {
        return None;
    }
    let rewritten = rewritten(command, event, saving, agent)?;
    // Codex runs what its rules allow outside its sandbox, and Gemini CLI asks its policy about what it will run: there
    // an allowed command is rewritten only if the rules allow the rewritten one as well. A rule about our own program, which
    // denies or asks, is no reason to have a command denied that it was not meant for.
    match facts.rules.command(&rewritten, &facts.cwd, &facts.home_dir) {
        Decision::Deny(_) | Decision::Ask(_) => return None,
        Decision::Allow(_) => {}
        Decision::NoRule | Decision::Unknown(_) if allowed && agent.prefers_rewriting() => return None,
        Decision::NoRule | Decision::Unknown(_) => {}
    }
    let mut input = call.input.clone();
    *input.get_mut("command")? = json!(rewritten);
    // "allow" is only ever said where the rules have said it of the original.
    match asks {
        Rewriting::Free | Rewriting::WhenBothAllowed => Some(Verdict::Rewrite { input }),
        _ if allowed => Some(Verdict::RewriteAllowed { input }),
        _ => Some(Verdict::Rewrite { input }),
    }
}

/// Whether a rule of the person's allows our own command, whatever it is given to run.
fn allows_us(rules: &RuleSet) -> bool {
    let names_us = |rule: &Rule| rule.pattern.as_deref().is_some_and(|pattern| pattern.contains("plimsoll"));
    rules
        .rules
        .iter()
        .any(|rule| rule.effect == Effect::Allow && rule.target == Target::Shell && names_us(rule))
}

/// The command line with `plimsoll run … --` before each command that a filter by rules knows, or any filter where the
/// output could not be replaced as well afterwards; in a pipe before the one that hands on what such a command prints.
fn rewritten(line: &str, event: &Event, saving: &Saving, agent: &dyn Agent) -> Option<String> {
    let knows = |argv: &[String]| {
        saving.filters.knows_by_rules(argv) || agent.prefers_rewriting() && saving.filters.knows(argv)
    };
    let parsed = line::parse(line);
    if parsed.odd {
        return None;
    }
    let mut out = line.to_owned();
    let mut any = false;
    // From the end, so that the places of the earlier ones stay right.
    for (number, simple) in parsed.commands.iter().enumerate().rev() {
        let argv = simple.argv();
        let program = argv.first()?;
        if simple.piped_out
            || simple.to_file
            || simple.errors_to_file
            || simple.background
            || NOT_BEFORE.contains(&base(program))
            || !saving.runs(program)
        {
            continue;
        }
        let of = if simple.piped_in {
            let source = parsed.commands.get(..number).and_then(|before| source(before, &argv, agent));
            let Some(source) = source.filter(|source| knows(unwrapped(source))) else { continue };
            let of = join_quoted(&source);
            if of.len() > MAX_REPEATED {
                continue;
            }
            Some(of)
        } else if knows(unwrapped(&argv)) {
            None
        } else {
            continue;
        };
        out.insert_str(simple.program_at()?, &prefix(event, saving, of.as_deref()));
        any = true;
    }
    any.then_some(out)
}

/// The command whose output the last of a pipe's stages shows as it came, or a part of it: `before` are the commands
/// before that stage, which is `last`.
fn source(before: &[Simple], last: &[String], agent: &dyn Agent) -> Option<Vec<String>> {
    if !hands_on(last, agent) {
        return None;
    }
    for simple in before.iter().rev() {
        if simple.to_file {
            return None;
        }
        let argv = simple.argv();
        if !simple.piped_in {
            return Some(argv);
        }
        if !hands_on(&argv, agent) {
            return None;
        }
    }
    None
}

/// Whether a program hands on what it reads: `tee` and `cat` all of it. A part is left to the replacing of outputs where
/// that is as good: what is at a pipe's end seldom fails.
fn hands_on(argv: &[String], agent: &dyn Agent) -> bool {
    let Some((program, arguments)) = argv.split_first() else { return false };
    let option = |word: &String| word.starts_with(['-', '+']) && word.len() > 1;
    match program.as_str() {
        // What goes to a device may be seen, too.
        "tee" => arguments.iter().all(|word| option(word) || !word.starts_with("/dev/") && word != "-"),
        "cat" => arguments.is_empty(),
        "head" | "tail" => {
            let figure = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
            agent.prefers_rewriting() && arguments.iter().all(|word| option(word) || figure(word))
        }
        _ => false,
    }
}

/// What stands before a rewritten command; `of` is the command whose output it hands on.
fn prefix(event: &Event, saving: &Saving, of: Option<&str>) -> String {
    let of = of.map_or_else(String::new, |of| format!(" {OF} '{}'", of.replace('\'', QUOTE)));
    format!("{}{of} -- ", runner(event, saving))
}

/// The option that names the command whose output is handed on.
const OF: &str = "--output-of";
/// A simple quote within simple quotes.
const QUOTE: &str = r"'\''";

/// The words that every prefix of this session begins with.
fn runner(event: &Event, saving: &Saving) -> String {
    let session = event.session.as_deref().unwrap_or_default();
    let plain =
        !session.is_empty() && session.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    let session = if plain { format!(" --session {session}") } else { String::new() };
    format!("{} run --agent {}{session}", saving.launcher, event.agent)
}

/// The command line without what we have put into it.
pub(super) fn unwritten(line: &str, event: &Event, saving: &Saving) -> String {
    let runner = runner(event, saving);
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(&runner) {
        let Some(original) = after_prefix(after) else {
            out.push_str(&rest[..before.len() + runner.len()]);
            rest = after;
            continue;
        };
        out.push_str(before);
        rest = original;
    }
    out + rest
}

/// What follows the rest of a prefix.
fn after_prefix(after: &str) -> Option<&str> {
    let Some(mut quoted) = after.strip_prefix(&format!(" {OF} '")) else { return after.strip_prefix(" -- ") };
    loop {
        let end = quoted.find('\'')?;
        let (from_quote, beyond) = (quoted.get(end..)?, quoted.get(end + 1..)?);
        match from_quote.strip_prefix(QUOTE) {
            Some(more) => quoted = more,
            None => return beyond.strip_prefix(" -- "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_before_a_command_is_taken_off_again() {
        let saving = Saving { launcher: "/p/plimsoll".into(), ..Saving::default() };
        let input = json!({ "hook_event_name": "PreToolUse", "session_id": "s-1" });
        let env = home::Env::for_test(std::path::Path::new("/h"));
        let sent = agents::HookInput { payload: &input, event: None, env: &env };
        let event = agents::by_id("claude-code")
            .and_then(|agent| agent.parse_event(&sent))
            .unwrap_or_else(|| panic!());
        for of in [None, Some("make test"), Some("make 'a b' --x='c'"), Some("'"), Some("")] {
            let line = |before: &str| format!("cd x && {before}tee log; echo '{before}' run --agent");
            let prefix = prefix(&event, &saving, of);
            assert_eq!(unwritten(&line(&prefix), &event, &saving), line(""), "{prefix}");
        }
        let other = "/p/plimsoll run --agent claude-code --session s-1 --output-of 'open";
        assert_eq!(unwritten(other, &event, &saving), other);
    }
}
