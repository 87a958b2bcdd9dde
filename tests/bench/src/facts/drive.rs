//! One shell call through each way, as Claude Code makes it: the hook before it may rewrite the command, the command
//! runs, the hook after it may replace the output of one that succeeded, and the host shows what is short enough. For
//! a longer one it shows a preview and keeps a file, or, when the command failed, both ends and keeps nothing
//! (2.1.197 and 2.1.330).

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use plimsoll_tests::{Scratch, sidecar};
use serde_json::{Value, json};

use super::corpus::Scenario;
use crate::ours::script;

/// Above this many bytes Claude Code keeps an output in a file and shows a preview.
const HOST_SHOWS: usize = 30_000;
/// It shows this many characters of a failed command's output, from both ends, and keeps no file.
const HOST_SHOWS_FAILED: usize = 10_000;
/// How much of the beginning the preview shows.
const HOST_PREVIEW: usize = 2_000;
/// How much `head` and `tail` keep together.
const ENDS: usize = 8_192;

/// A tool that has a hook for Claude Code.
#[derive(Debug, Clone)]
pub(crate) struct Rival {
    pub(crate) name: String,
    /// Its hook before a command, for a shell.
    pub(crate) before: String,
    /// The folder of its program, for commands that it rewrites.
    pub(crate) bin: PathBuf,
}

/// How an output reaches the model.
#[derive(Debug)]
pub(crate) enum Way {
    /// Plimsoll's hooks.
    Plimsoll,
    /// Plimsoll's filters alone, without an address, a hook or a host.
    Filters,
    /// The host by itself.
    Host,
    /// The first and the last bytes.
    Ends,
    Rival(Rival),
}

/// What the model is shown.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) text: String,
    pub(crate) exit: Option<i32>,
    pub(crate) whole: bool,
    pub(crate) ms: f64,
}

impl Way {
    /// The tools that need no installation; Plimsoll is the first.
    pub(crate) fn ours() -> Vec<Self> {
        vec![Self::Plimsoll, Self::Filters, Self::Host, Self::Ends]
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Plimsoll => "plimsoll",
            Self::Filters => "filters alone",
            Self::Host => "Claude Code's own cut",
            Self::Ends => "head and tail, 8 KB",
            Self::Rival(rival) => &rival.name,
        }
    }
}

/// A scratch computer on which every scenario's programs print the captured output.
pub(crate) struct Bench {
    scratch: Scratch,
    set: filters::FilterSet,
}

impl Bench {
    pub(crate) fn new() -> Result<Self> {
        let scratch = Scratch::new()?;
        // As the installer leaves it: rewritten commands name the launcher.
        let launcher = launcher(&scratch);
        std::fs::create_dir_all(launcher.parent().context("a folder")?)?;
        std::fs::copy(sidecar(), &launcher).context("copying the sidecar")?;
        Ok(Self { scratch, set: crate::scenario::filter_set() })
    }

    pub(crate) fn model_text(&self, way: &Way, scenario: &Scenario) -> Result<Shown> {
        let raw = String::from_utf8_lossy(&scenario.raw).into_owned();
        let exit = Some(scenario.exit);
        let whole = |text: &str| text == raw;
        Ok(match way {
            Way::Host => {
                let kept = self.scratch.home.join("tool-results").join(format!("{}.txt", scenario.name));
                let text = host_preview(&raw, exit, &kept)?.unwrap_or_else(|| raw.clone());
                Shown { whole: whole(&text) || exit == Some(0), text, exit, ms: 0.0 }
            }
            Way::Ends => {
                let text = ends(&raw);
                Shown { whole: whole(&text), text, exit, ms: 0.0 }
            }
            Way::Filters => {
                let started = Instant::now();
                let left = filters::shorten(&self.set, &scenario.command, exit, &raw);
                let ms = started.elapsed().as_secs_f64() * 1000.0;
                let text =
                    left.map_or_else(|| raw.clone(), |left| left.with_address(Some(filters::check::ADDRESS)));
                Shown { text, exit, whole: true, ms }
            }
            Way::Plimsoll => {
                let hook = format!("'{}' hook claude-code", launcher(&self.scratch).display());
                self.play_call(scenario, &hook, Some(&hook), None)?
            }
            Way::Rival(rival) => self.play_call(scenario, &rival.before, None, Some(&rival.bin))?,
        })
    }

    /// The whole path of one call.
    fn play_call(
        &self,
        scenario: &Scenario,
        before: &str,
        after: Option<&str>,
        bin: Option<&Path>,
    ) -> Result<Shown> {
        let raw = String::from_utf8_lossy(&scenario.raw);
        let stand_ins = self.stand_ins(scenario)?;
        let folder = scenario.folder.as_deref().unwrap_or(&self.scratch.project);
        // Plimsoll's hook checks whether the program exists; the others' are scripts, which need the real `cat` and
        // `python3`.
        let shell = |line: &str, programs: bool| -> Result<Command> {
            let mut shell = self.scratch.command("bash");
            shell.args(["-c", line]).current_dir(folder).env("CLAUDECODE", "1").env("LC_ALL", "C.UTF-8");
            shell.env("CLAUDE_PROJECT_DIR", folder);
            let path = std::env::var_os("PATH").unwrap_or_default();
            let bin = bin.map(Path::to_path_buf);
            let programs = stand_ins.iter().filter(|_| programs).cloned();
            let dirs = programs.chain(bin).chain(std::env::split_paths(&path));
            shell.env("PATH", std::env::join_paths(dirs)?);
            Ok(shell)
        };
        let event = |name: &str, command: &str| {
            json!({"hook_event_name": name, "session_id": "facts", "cwd": folder, "tool_name": "Bash",
                "transcript_path": self.scratch.home.join(".claude/projects/shop/facts.jsonl"),
                "permission_mode": "bypassPermissions", "tool_use_id": scenario.name,
                "tool_input": {"command": command, "description": "Run it"}})
        };
        // The command alone, to know what a tool costs.
        let started = Instant::now();
        shell(&format!("({}) >/dev/null 2>&1", scenario.command), true)?.status().context("running bash")?;
        let alone = started.elapsed().as_secs_f64() * 1000.0;
        let started = Instant::now();
        let answer = run_hook(&mut shell(before, after.is_some())?, &event("PreToolUse", &scenario.command))?;
        let rewritten = answer["hookSpecificOutput"]["updatedInput"]["command"].as_str();
        let command = rewritten.unwrap_or(&scenario.command);
        let output = shell(&format!("exec 2>&1; {command}"), true)?.output().context("running bash")?;
        let exit = output.status.code();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let kept = self.scratch.home.join("tool-results").join(format!("{}.txt", scenario.name));
        let cut = host_preview(&printed, exit, &kept)?;
        let mut shown = cut.clone().unwrap_or_else(|| printed.clone());
        // No hook can replace the output of a failed command.
        if let (Some(after), Some(0)) = (after, exit) {
            let mut event = event("PostToolUse", command);
            // It hands the output on without the line ends around it.
            let held = printed[..last_cut_before(&printed, HOST_SHOWS)].trim_matches('\n');
            event["tool_response"] =
                json!({"stdout": held, "stderr": "", "interrupted": false, "isImage": false});
            if cut.is_some() {
                event["tool_response"]["persistedOutputPath"] = json!(kept);
                event["tool_response"]["persistedOutputSize"] = json!(printed.len());
            }
            let answer = run_hook(&mut shell(after, true)?, &event)?;
            if let Some(text) = answer["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str() {
                text.clone_into(&mut shown);
            }
        }
        let ms = (started.elapsed().as_secs_f64() * 1000.0 - alone).max(0.0);
        let whole = shown == raw || self.is_whole_retrievable(&shown, &raw);
        Ok(Shown { text: shown, exit, whole, ms })
    }

    /// Whether the text names the address of the whole, and the whole is there.
    fn is_whole_retrievable(&self, shown: &str, raw: &str) -> bool {
        // The output is kept without colours and secrets; its plain words are the same.
        let same = |text: &str| {
            let (text, raw) = (filters::normalise(text), filters::normalise(raw));
            text.contains(raw.trim_end()) || text.len() * 100 >= raw.len() * 95
        };
        let word =
            |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '[' | ']' | '(' | ')' | ';' | ',');
        shown.split(word).any(|word| {
            if word.starts_with("plimsoll://task/") {
                return self.scratch.plimsoll(&["read", word]).is_ok_and(|text| same(&text));
            }
            let path = match word.strip_prefix("~/") {
                Some(rest) => self.scratch.home.join(rest),
                None => PathBuf::from(word),
            };
            path.is_absolute()
                && std::fs::read(path).is_ok_and(|bytes| same(&String::from_utf8_lossy(&bytes)))
        })
    }

    /// A folder with programs that print the capture, for the words of the command that are programs; none where it
    /// really runs.
    fn stand_ins(&self, scenario: &Scenario) -> Result<Vec<PathBuf>> {
        if scenario.folder.is_some() {
            return Ok(Vec::new());
        }
        let bin = self.scratch.home.join("stand-ins").join(&scenario.name);
        std::fs::create_dir_all(&bin)?;
        let printed = bin.join("printed");
        std::fs::write(&printed, &scenario.raw)?;
        let text = format!("#!/bin/sh\n/bin/cat '{}'\nexit {}\n", printed.display(), scenario.exit);
        script(&bin.join(program(&scenario.command).context("a program")?), &text)?;
        Ok(vec![bin])
    }
}

/// Where the installer puts the program that hooks and rewritten commands name.
fn launcher(scratch: &Scratch) -> PathBuf {
    scratch.home.join(".plimsoll/bin").join(format!("plimsoll{}", std::env::consts::EXE_SUFFIX))
}

/// The program of a command line: the first word that isn't a variable.
fn program(command: &str) -> Option<&str> {
    let word = command.split_whitespace().find(|word| !word.contains('='))?;
    word.rsplit('/').next()
}

/// Sends an event to a hook. Anything but JSON counts as no answer, as it does for the host.
fn run_hook(hook: &mut Command, event: &Value) -> Result<Value> {
    hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = hook.spawn().context("starting the hook")?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that does not read closes its input.
        let _ = stdin.write_all(event.to_string().as_bytes());
    }
    let output = child.wait_with_output()?;
    Ok(serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}

/// The host's preview of an output that is too long for it; the host keeps the whole.
fn host_preview(text: &str, exit: Option<i32>, kept: &Path) -> Result<Option<String>> {
    let shown = host_shows(text, exit, kept);
    if shown.is_some() && exit == Some(0) {
        std::fs::create_dir_all(kept.parent().context("a folder")?)?;
        std::fs::write(kept, text)?;
    }
    Ok(shown)
}

/// The same without keeping anything.
pub(crate) fn host_shows(text: &str, exit: Option<i32>, kept: &Path) -> Option<String> {
    if exit != Some(0) {
        let count = text.chars().count();
        if count <= HOST_SHOWS_FAILED {
            return None;
        }
        let half = HOST_SHOWS_FAILED / 2;
        let head: String = text.chars().take(half).collect();
        let tail: String = text.chars().skip(count - half).collect();
        let left_out = count - HOST_SHOWS_FAILED;
        return Some(format!("{head}\n\n... [{left_out} characters truncated] ...\n\n{tail}"));
    }
    if text.len() <= HOST_SHOWS {
        return None;
    }
    let head: String = text.chars().take(HOST_PREVIEW).collect();
    let end = head.rfind('\n').filter(|end| *end > head.len() / 2).unwrap_or(head.len());
    Some(format!(
        "<persisted-output>\nOutput too large ({}KB). Full output saved to: {}\n\nPreview (first 2KB):\n{}\n...\n</persisted-output>",
        text.len() / 1024,
        kept.display(),
        &head[..end]
    ))
}

/// The last place up to `at` where a text can be cut.
fn last_cut_before(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Both ends of a text, on whole lines.
fn ends(text: &str) -> String {
    if text.len() <= ENDS {
        return text.to_owned();
    }
    let head = &text[..last_cut_before(text, ENDS / 2)];
    let tail = &text[last_cut_before(text, text.len() - ENDS / 2)..];
    let head = head.rfind('\n').map_or(head, |at| &head[..=at]);
    let tail = tail.find('\n').map_or(tail, |at| &tail[at + 1..]);
    format!("{head}…\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::{ends, last_cut_before, program};

    #[test]
    fn the_program_is_found_behind_variables_and_paths() {
        assert_eq!(program("CI=1 ./gradlew test"), Some("gradlew"));
        assert_eq!(program("npx jest"), Some("npx"));
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!([0, 1, 2, 9].map(|at| last_cut_before("ä", at)), [0, 0, 2, 2]);
    }

    #[test]
    fn both_ends_stay_on_whole_lines() {
        let text: String = (0..2000).map(|at| format!("line {at} …\n")).collect();
        let cut = ends(&text);
        assert!(cut.len() <= 8_200 && cut.starts_with("line 0 …\n") && cut.ends_with("line 1999 …\n"));
        assert!(cut.contains("…\nline "), "{cut}");
    }
}
