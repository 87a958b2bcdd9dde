//! Rewrites a command before it runs: `cargo test` becomes `plimsoll run -- cargo test` if that is the only access to
//! its output and changes no question to the user.
//!
//! On Claude Code, a failing command's output reaches no hook that could replace it, and is cut in its middle; on
//! Codex, a rewrite counts only together with "allow". So a rewrite is sent if the session asks nobody, or if the
//! user's own rules allow the original command.
//!
//! In a pipe only the last reader gets less: `make test | tee log` becomes `make test | plimsoll run … -- tee log`,
//! which writes the same, ends the same, and shows less.
//!
//! The law: "allow" is only given to commands in the plain grammar of [`rules::plain`], and a command that isn't
//! plain is never rewritten if a rule might match it, because the prefix hides it from the host's own rules. Nor is a line
//! that changes what its own later commands are or where Plimsoll is (`shell_state`).

use agents::{Agent, Event, OutputKind, Rewriting, ToolCall, Verdict};
use filters::command::unwrapped;
use rules::{Decision, Effect, Rule, RuleSet, Target, plain};
use serde_json::json;
use shell::line::{self, Line, Simple};
use shell::{base, join_quoted};

use crate::shortening::Shortening;
use crate::shortening::little::{prints_little, source_bytes};
use crate::shortening::shell_state::changes_what_follows;
use crate::situation::Situation;

/// Shell keywords, and programs that need a terminal or another user's rights. These are never prefixed.
const NOT_PREFIXED: &[&str] =
    &["time", "exec", "command", "builtin", "eval", "source", ".", "sudo", "doas", "plimsoll", "coproc"];

/// The longest command that the prefix at the end of its pipe repeats, in bytes.
const MAX_REPEATED: usize = 1_000;

/// The verdict that runs a command under `plimsoll run`, if that is right. `ruled` is the decision of the user's
/// rules about the original.
pub(crate) fn rewrite(
    event: &Event,
    call: &ToolCall,
    command: &str,
    agent: &dyn Agent,
    situation: &Situation,
    ruled: &Decision,
) -> Option<Verdict> {
    let shortening = situation.shortening.as_ref().filter(|shortening| shortening.can_launch)?;
    if matches!(ruled, Decision::Deny(_) | Decision::Ask(_) | Decision::Unknown(_)) || situation.rules_unseen
    {
        return None;
    }
    // What that hook makes of the command would be lost if this answer came later.
    if situation.rules.commands_replaced {
        return None;
    }
    if !agent.posix_shell(call, situation.os) || agent.streams_output(call) {
        return None;
    }
    let asks = agent.rewriting(event);
    let allowed = situation.rules.allows_plain_command(command, &situation.cwd, &situation.home_dir);
    match (situation.settings.filters.rewrite.as_str(), asks) {
        ("never", _) | (_, Rewriting::Never) => return None,
        (_, Rewriting::Free) => {}
        // The host asks about the rewritten command unless its rules allow that on their own.
        ("always", _) if !allowed && allows_plimsoll(&situation.rules) => return None,
        ("always", _) => {}
        (_, Rewriting::WhenAllowed | Rewriting::WhenBothAllowed) if allowed => {}
        _ => return None,
    }
    // If a rule could match, or the rewrite itself is sent as "allow", nothing is guessed.
    let guarded =
        agent.rewriting_approves() || situation.rules.rules.iter().any(|rule| rule.effect != Effect::Allow);
    if guarded && plain::parse(command).is_none() {
        return None;
    }
    if call.is_background() {
        return None;
    }
    let size = |file: &str| (situation.file_size)(&situation.cwd.join(file));
    let rewritten = rewrite_line(command, event, shortening, agent, &size)?;
    // Codex runs what its rules allow outside its sandbox, and Gemini CLI, where it asks, asks its policy about what it
    // will run: there an allowed command is rewritten only if the rules allow the rewritten one too. A rule that denies
    // or asks about `plimsoll` isn't a reason to deny a command that it wasn't meant for.
    let both = agent.rewriting_approves() || asks == Rewriting::WhenBothAllowed;
    match situation.rules.command(&rewritten, &situation.cwd, &situation.home_dir) {
        Decision::Deny(_) | Decision::Ask(_) => return None,
        Decision::Allow(_) => {}
        Decision::NoRule | Decision::Unknown(_) if allowed && both => return None,
        Decision::NoRule | Decision::Unknown(_) => {}
    }
    let mut input = call.input.clone();
    // An agent that sends words expects words.
    *input.get_mut("command").filter(|command| command.is_string())? = json!(rewritten);
    // "allow" is only given if the rules gave it to the original.
    match asks {
        Rewriting::Free | Rewriting::WhenBothAllowed => Some(Verdict::Rewrite { input }),
        _ if allowed => Some(Verdict::RewriteAllowed { input }),
        _ => Some(Verdict::Rewrite { input }),
    }
}

/// Whether one of the user's rules allows `plimsoll`, whatever it runs.
fn allows_plimsoll(rules: &RuleSet) -> bool {
    let names_plimsoll =
        |rule: &Rule| rule.pattern.as_deref().is_some_and(|pattern| pattern.contains("plimsoll"));
    rules
        .rules
        .iter()
        .any(|rule| rule.effect == Effect::Allow && rule.target == Target::Shell && names_plimsoll(rule))
}

/// The command line with `plimsoll run … --` before each command that a rule-based filter knows, that starts other
/// tools, or that fails whenever it has something to say, or that any filter knows if the output couldn't be replaced as well
/// afterwards; in a pipe, before the stage that passes such a command's output
/// on. Where the model is told about that, what prints little, or source that the agent shows whole, runs as it is: it would
/// only become longer. `size` is a file's size, by its name in the folder in which the line starts.
fn rewrite_line(
    line: &str,
    event: &Event,
    shortening: &Shortening,
    agent: &dyn Agent,
    size: &dyn Fn(&str) -> Option<u64>,
) -> Option<String> {
    let parsed = line::parse(line);
    if parsed.odd || changes_what_follows(&parsed) {
        return None;
    }
    let limits = agent.output_limits(OutputKind::Shell { failed: false });
    let is_whole = |bytes: u64| limits.visible_bytes_of(bytes) == bytes;
    let knows = |argv: &[String]| {
        let stays = |argv: &[String]| {
            prints_little(argv)
                || !moves(&parsed)
                    && !shortening.filters.can_stream(argv)
                    && source_bytes(argv, size).is_some_and(is_whole)
        };
        let pays = !(agent.tells_of_rewriting() && stays(argv));
        pays && (shortening.filters.can_stream(argv)
            || shortening.filters.fails_with_output(argv)
            || agent.prefers_rewriting() && shortening.filters.knows(argv))
    };
    let mut out = line.to_owned();
    let mut any = false;
    // From the end, so that earlier positions stay valid.
    for (number, simple) in parsed.commands.iter().enumerate().rev() {
        let argv = simple.argv();
        let program = argv.first()?;
        if simple.piped_out
            || simple.to_file
            || simple.errors_to_file
            || simple.to_descriptor
            || simple.background
            || NOT_PREFIXED.contains(&base(program))
            || !shortening.is_program(program)
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
        out.insert_str(simple.program_at()?, &prefix(event, shortening, of.as_deref()));
        any = true;
    }
    any.then_some(out)
}

/// Whether the line changes the folder, so that a name in it may be another file's.
fn moves(line: &Line) -> bool {
    line.commands.iter().any(|simple| {
        simple.argv().first().is_some_and(|program| matches!(program.as_str(), "cd" | "pushd" | "popd"))
    })
}

/// The command whose output a pipe's last stage shows unchanged or in part. `before` are the commands before that
/// stage, which is `last`.
fn source(before: &[Simple], last: &[String], agent: &dyn Agent) -> Option<Vec<String>> {
    if !passes_on(last, agent) {
        return None;
    }
    for simple in before.iter().rev() {
        if simple.to_file || simple.to_descriptor {
            return None;
        }
        let argv = simple.argv();
        if !simple.piped_in {
            return Some(argv);
        }
        if !passes_on(&argv, agent) {
            return None;
        }
    }
    None
}

/// Whether a program passes its input on: `tee` and `cat` pass everything. A part is left to the replacement of outputs
/// if that is as good: the end of a pipe seldom fails.
fn passes_on(argv: &[String], agent: &dyn Agent) -> bool {
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

/// The prefix of a rewritten command; `of` is the command whose output it passes on.
fn prefix(event: &Event, shortening: &Shortening, of: Option<&str>) -> String {
    let of = of.map_or_else(String::new, |of| format!(" {OUTPUT_OF} '{}'", of.replace('\'', QUOTE)));
    format!("{}{of} -- ", runner(event, shortening))
}

/// The option that names the command whose output is passed on.
const OUTPUT_OF: &str = "--output-of";
/// A single quote within single quotes.
const QUOTE: &str = r"'\''";

/// The words that every prefix in this session begins with.
fn runner(event: &Event, shortening: &Shortening) -> String {
    let session = event.session.as_deref().unwrap_or_default();
    let plain =
        !session.is_empty() && session.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    let session = if plain { format!(" --session {session}") } else { String::new() };
    format!("{} run --agent {}{session}", shortening.launcher, event.agent)
}

/// The command line without the prefixes.
pub(super) fn strip_prefixes(line: &str, event: &Event, shortening: &Shortening) -> String {
    let runner = runner(event, shortening);
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
    let Some(mut quoted) = after.strip_prefix(&format!(" {OUTPUT_OF} '")) else {
        return after.strip_prefix(" -- ");
    };
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

    fn before_a_tool() -> Event {
        let input = json!({ "hook_event_name": "PreToolUse", "session_id": "s-1" });
        let env = home::Env::for_test(std::path::Path::new("/h"));
        let sent = agents::HookInput { payload: &input, event: None, env: &env };
        let agent = agents::by_id("claude-code");
        agent.and_then(|agent| agent.parse_event(&sent)).unwrap_or_else(|| panic!())
    }

    /// Gemini CLI tells its model of each rewritten command, in more bytes than these print.
    #[cfg(unix)]
    #[test]
    fn what_prints_little_runs_as_it_is_where_the_model_is_told() {
        let Ok(folder) = tempfile::tempdir() else { panic!("no folder") };
        for program in ["git", "sed", "ls", "cargo", "go", "cat", "head", "tee"] {
            assert!(std::fs::write(folder.path().join(program), "").is_ok());
        }
        let path = Some(folder.path().as_os_str().to_owned());
        let shortening = Shortening { launcher: "/p/plimsoll".into(), path, ..Shortening::default() };
        let event = before_a_tool();
        let rewritten = |id: &str, line: &str| {
            let agent = agents::by_id(id).unwrap_or_else(|| panic!("{id}"));
            let size = |file: &str| match file {
                "a.ts" | "b.ts" | "a.csv" => Some(20_000_u64),
                "big.ts" => Some(60_000),
                _ => None,
            };
            rewrite_line(line, &event, &shortening, agent, &size)
        };
        for line in [
            "sed -i s/a/b/ a.ts",
            "sed -n 1,90p a.ts",
            "sed -n 1,400p a.ts",
            "ls -la",
            "git commit -am x",
            "cat a.ts",
            "cat -n a.ts",
            "head -n 900 a.ts",
            "cat a.ts | tee copy.ts",
        ] {
            assert_eq!(rewritten("gemini-cli", line), None, "{line}");
            assert!(rewritten("codex", line).is_some(), "{line}");
        }
        for line in [
            "git status",
            "git log",
            "ls -R src",
            "sed -n 1,400p big.ts",
            "cat big.ts",
            // Together they are longer than what Gemini CLI shows.
            "cat a.ts b.ts",
            // Rows are shown by their columns.
            "cat a.csv",
            // Nobody knows yet which files these are.
            "cat *.ts",
            "cat missing.ts",
            "cat",
            "cd api && cat a.ts",
            "cargo test",
            "go tool cover -func=c.out",
        ] {
            assert!(rewritten("gemini-cli", line).is_some(), "{line}");
        }
        let line = "git commit -am x && cargo test";
        let wanted = format!("git commit -am x && {}cargo test", prefix(&event, &shortening, None));
        assert_eq!(rewritten("gemini-cli", line), Some(wanted));
    }

    #[test]
    fn the_prefix_of_a_command_is_removed_again() {
        let shortening = Shortening { launcher: "/p/plimsoll".into(), ..Shortening::default() };
        let event = before_a_tool();
        for of in [None, Some("make test"), Some("make 'a b' --x='c'"), Some("'"), Some("")] {
            let line = |before: &str| format!("cd x && {before}tee log; echo '{before}' run --agent");
            let prefix = prefix(&event, &shortening, of);
            assert_eq!(strip_prefixes(&line(&prefix), &event, &shortening), line(""), "{prefix}");
        }
        let other = "/p/plimsoll run --agent claude-code --session s-1 --output-of 'open";
        assert_eq!(strip_prefixes(other, &event, &shortening), other);
    }
}
