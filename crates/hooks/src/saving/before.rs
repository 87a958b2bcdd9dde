//! Before a command runs: `cargo test` becomes `plimsoll run -- cargo test` where that is the only way to its output and
//! changes no question to the person.
//!
//! On Claude Code the output of a command that fails reaches no hook that could replace it, and is cut in its middle;
//! on Codex a rewrite counts only together with "allow". So a rewrite is sent where the session asks nobody, or where
//! the person's own rules allow the original command.
//!
//! The law: "allow" is only said of commands in the plain grammar of [`rules::plain`], and a command that is not plain is
//! never rewritten where a rule might speak about it: the words that we put before it hide it from the host's own rules.

use agents::{Agent, Event, Rewriting, ToolCall, Verdict};
use filters::command::{self, base, unwrapped};
use rules::{Decision, Effect, Rule, RuleSet, Target, plain};
use serde_json::json;

use crate::facts::Facts;
use crate::saving::Saving;

/// Words of a shell itself, and programs that want a terminal or another user's rights: not ours to stand before.
const NOT_BEFORE: &[&str] =
    &["time", "exec", "command", "builtin", "eval", "source", ".", "sudo", "doas", "plimsoll", "coproc"];

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
    let saving = facts.saving.as_ref()?;
    if matches!(ruled, Decision::Deny(_) | Decision::Ask(_) | Decision::Unknown(_)) || facts.rules_unseen {
        return None;
    }
    if !agent.posix_shell(call, facts.os) {
        return None;
    }
    let asks = agent.rewriting(event);
    let allowed = matches!(ruled, Decision::Allow(_))
        && facts.rules.plainly_allows(command, &facts.cwd, &facts.home_dir);
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
        agent.rewrites_rather() || facts.rules.rules.iter().any(|rule| rule.effect != Effect::Allow);
    if guarded && plain::parse(command).is_none() {
        return None;
    }
    // What goes on in the background is read piece by piece, by other means.
    if call.input.get("run_in_background").and_then(serde_json::Value::as_bool) == Some(true) {
        return None;
    }
    let rewritten = rewritten(command, event, saving, agent)?;
    // Codex runs what its rules allow outside its sandbox, and Gemini CLI asks its policy about what it will run: there
    // an allowed command is rewritten only if the rules allow the rewritten one as well.
    if allowed
        && agent.rewrites_rather()
        && !matches!(facts.rules.command(&rewritten, &facts.cwd, &facts.home_dir), Decision::Allow(_))
    {
        return None;
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
/// output could not be replaced as well afterwards.
fn rewritten(line: &str, event: &Event, saving: &Saving, agent: &dyn Agent) -> Option<String> {
    let knows = |argv: &[String]| {
        saving.filters.knows_by_rules(argv) || agent.rewrites_rather() && saving.filters.knows(argv)
    };
    let parsed = command::parse(line);
    if parsed.odd {
        return None;
    }
    let mut out = line.to_owned();
    let mut any = false;
    // From the end, so that the places of the earlier ones stay right.
    for simple in parsed.commands.iter().rev() {
        let argv = simple.argv();
        let first = argv.first().map(|program| base(program))?;
        if simple.piped_in
            || simple.piped_out
            || simple.to_file
            || simple.errors_to_file
            || simple.background
            || NOT_BEFORE.contains(&first)
        {
            continue;
        }
        if !knows(unwrapped(&argv)) || !saving.runs(argv.first()?) {
            continue;
        }
        let at = simple.program_at()?;
        out.insert_str(at, &prefix(event, saving));
        any = true;
    }
    any.then_some(out)
}

/// What stands before a rewritten command.
pub(super) fn prefix(event: &Event, saving: &Saving) -> String {
    let session = event.session.as_deref().unwrap_or_default();
    let plain =
        !session.is_empty() && session.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    let session = if plain { format!(" --session {session}") } else { String::new() };
    format!("{} run --agent {}{session} -- ", saving.launcher, event.agent)
}
