//! The command lines that agents run as Plimsoll's hooks, one form per shell, and how to recognise them.
//!
//! The law: *a registered command fails open on its own*. If the launcher runs and exits successfully, its answer is
//! printed; otherwise the agent's "go on" is, which is nothing for most. Some agents deny every call when a hook's command
//! is missing, can't be executed, fails or is killed (measured on Copilot CLI 1.0.102 and Gemini CLI 0.61.0), and an open
//! session keeps its commands when Plimsoll is moved or uninstalled.
//!
//! Two agents get a bare command: Claude Code and Codex go on by themselves. Codex ties approvals to the command's text,
//! so another form would make everyone approve again, and Claude Code starts the command without a shell.

use std::path::Path;

use home::{Env, Os};

use crate::SERVER_KEY;

/// A hook's command and how the agent reads its result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HookLine<'a> {
    /// The launcher.
    pub(crate) launcher: &'a Path,
    /// The agent's name in Plimsoll's arguments.
    pub(crate) agent: &'a str,
    /// The event, for agents whose payload doesn't name it.
    pub(crate) event: Option<&'a str>,
    /// What this agent takes for "go on".
    pub(crate) go_on: &'a str,
    /// The exit code of a denial, with its reason on stderr. It counts only with a reason.
    pub(crate) denies_by: Option<u8>,
}

impl<'a> HookLine<'a> {
    /// For an agent that takes no output for "go on" and reads denials from stdout.
    pub(crate) fn silent(launcher: &'a Path, agent: &'a str, event: Option<&'a str>) -> Self {
        Self { launcher, agent, event, go_on: "", denies_by: None }
    }

    /// The words after the launcher.
    fn arguments(&self) -> String {
        let words = ["hook", self.agent].into_iter().chain(self.event);
        words.collect::<Vec<_>>().join(" ")
    }

    /// For POSIX systems, whatever the agent's shell: `/bin/sh` with a single-quoted script and the launcher as its `$0`,
    /// which every shell, including fish, and every word splitter parses alike.
    ///
    /// The script captures the answer and prints it once the launcher has ended, so that no partial output gets out. Errors of
    /// the launcher and the shell are discarded, and nothing that outlives the shell keeps one of the agent's pipes open: an
    /// agent that kills a hanging hook doesn't have to wait.
    pub(crate) fn posix(&self) -> String {
        let arguments = self.arguments();
        let script = match self.denies_by {
            Some(code) => format!(
                "exec 3>&2 2>/dev/null;a=$(\"$0\" {arguments} 3>&-);c=$?;\
                 [ $c = {code} ]&&[ \"$a\" ]&&{{ printf %s \"$a\">&3;exit {code};}};[ $c = 0 ]&&printf %s \"$a\";exit 0"
            ),
            None if self.go_on.is_empty() => {
                format!("exec 2>/dev/null;a=$(\"$0\" {arguments})&&printf %s \"$a\";exit 0")
            }
            None => {
                let go_on = self.go_on.replace('"', "\\\"");
                format!(
                    "exec 2>/dev/null;a=$(\"$0\" {arguments})&&[ \"$a\" ]||a=\"{go_on}\";printf %s \"$a\";exit 0"
                )
            }
        };
        format!("/bin/sh -c '{script}' {}", simply_quoted(&path_text(self.launcher)))
    }

    /// For PowerShell, where agents take no output for "go on". The answer goes out as bytes, untouched by PowerShell's
    /// encoding, in one write once it is complete.
    pub(crate) fn powershell(&self) -> String {
        let launcher = path_text(self.launcher).replace('\'', "''");
        format!("try{{& '{launcher}' {}}}catch{{}};exit 0", self.arguments())
    }

    /// For the shell that most agents use on this system: `sh`, or PowerShell on Windows.
    pub(crate) fn native(&self, env: &Env) -> String {
        if env.os() == Os::Windows { self.powershell() } else { self.posix() }
    }

    /// For agents whose shell on Windows is unknown: there the bare command, which every shell understands.
    pub(crate) fn posix_or_bare(&self, env: &Env) -> String {
        if env.os() == Os::Windows {
            let words = ["hook", self.agent].into_iter().chain(self.event);
            bare(env, self.launcher, &words.map(str::to_owned).collect::<Vec<_>>())
        } else {
            self.posix()
        }
    }
}

/// A path as entries contain it.
pub(crate) fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn simply_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The bare launcher for POSIX shells, and for Git Bash where agents use that on Windows: forward slashes, quoted only
/// where needed, because PowerShell, the fallback there, treats a quoted word as a string.
pub(crate) fn bare(env: &Env, launcher: &Path, args: &[String]) -> String {
    let mut program = path_text(launcher);
    if env.os() == Os::Windows {
        program = program.replace('\\', "/");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c) || !c.is_ascii();
    if !program.chars().all(plain) {
        program = if env.os() == Os::Windows { format!("\"{program}\"") } else { simply_quoted(&program) };
    }
    std::iter::once(program.as_str()).chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// The words that start Plimsoll's launcher in a command text of any past form, or the text's own words.
pub(crate) fn launcher_words(text: &str) -> Vec<String> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix("try{").and_then(|rest| rest.strip_suffix("}catch{};exit 0")) {
        return words(inner);
    }
    let all = words(text);
    let [shell, flag, script, launcher] = &all[..] else { return all };
    if shell != "/bin/sh" || flag != "-c" {
        return all;
    }
    let Some(call) = call_in(script) else { return all };
    let arguments = call.split_whitespace().filter(|word| *word != "3>&-");
    std::iter::once(launcher.clone()).chain(arguments.map(str::to_owned)).collect()
}

/// The words with which a command text begins by starting Plimsoll's launcher, whatever it does besides, or the text's own words.
/// A word may end in a sign that the text goes on with.
pub(crate) fn leading_words(text: &str) -> Vec<String> {
    let text = text.trim();
    let all = words(text.strip_prefix("try{").unwrap_or(text));
    if let [shell, flag, script, launcher, ..] = &all[..]
        && shell == "/bin/sh"
        && flag == "-c"
        && let Some((_, call)) = script.split_once("\"$0\" ")
    {
        return std::iter::once(launcher.as_str())
            .chain(call.split_whitespace())
            .map(str::to_owned)
            .collect();
    }
    all
}

/// The launcher's arguments in a script of [`HookLine::posix`]. A script that does anything else, too, was changed by the
/// user and is theirs.
fn call_in(script: &str) -> Option<&str> {
    const PRINT: &str = "printf %s \"$a\";exit 0";
    let script = script.strip_prefix("exec ")?;
    let script = script.strip_prefix("3>&2 ").unwrap_or(script);
    let (call, rest) = script.strip_prefix("2>/dev/null;a=$(\"$0\" ")?.split_once(')')?;
    let rest = rest.strip_suffix(PRINT)?;
    let goes_on = || rest.strip_prefix("&&[ \"$a\" ]||a=\"")?.strip_suffix("\";");
    let denies = || {
        let (code, rest) = rest.strip_prefix(";c=$?;[ $c = ")?.split_once(' ')?;
        let wanted = format!("]&&[ \"$a\" ]&&{{ printf %s \"$a\">&3;exit {code};}};[ $c = 0 ]&&");
        (rest == wanted).then_some(rest)
    };
    (rest == "&&" || goes_on().is_some() || denies().is_some()).then_some(call)
}

/// Splits a command text at blanks outside quotes; strips a leading `&`, `cmd /c` and quotes. Enough to recognise every
/// form that Plimsoll has written. The end of a line, which ends a command, is a word of its own.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\\') if chars.peek() == Some(&'\'') => word.extend(chars.next()),
            (None, '"' | '\'') => quote = Some(c),
            (None, _) if c.is_whitespace() => {
                words.push(std::mem::take(&mut word));
                if c == '\n' {
                    words.push("\n".to_owned());
                }
            }
            _ => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    if words.first().is_some_and(|word| word == "&") {
        words.remove(0);
    }
    if words.len() > 2 && words[0].eq_ignore_ascii_case("cmd") && words[1].eq_ignore_ascii_case("/c") {
        words.drain(..2);
    }
    words
}

/// Whether a command is Plimsoll's launcher: the file is called `plimsoll`, with or without `.exe`.
pub(crate) fn is_launcher(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    name == SERVER_KEY || name.eq_ignore_ascii_case("plimsoll.exe")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line<'a>(launcher: &'a str, go_on: &'a str, denies_by: Option<u8>) -> HookLine<'a> {
        HookLine { launcher: Path::new(launcher), agent: "x", event: Some("PreToolUse"), go_on, denies_by }
    }

    #[test]
    fn commands_are_quoted_for_their_shell() {
        let linux = Env::for_test("/h").with_os(Os::Linux);
        let windows = Env::for_test("/h").with_os(Os::Windows);
        let args = ["hook".to_owned(), "x".to_owned()];
        for (env, launcher, wanted) in [
            (&linux, "/h/.plimsoll/bin/plimsoll", "/h/.plimsoll/bin/plimsoll hook x"),
            (&linux, "/h/a b/$x/plimsoll", "'/h/a b/$x/plimsoll' hook x"),
            (&linux, "/h/it's/plimsoll", r"'/h/it'\''s/plimsoll' hook x"),
            (&linux, "/h/ünï/plimsoll", "/h/ünï/plimsoll hook x"),
            (&windows, r"C:\Users\ana\plimsoll.exe", "C:/Users/ana/plimsoll.exe hook x"),
            (&windows, r"C:\Users\a b\plimsoll.exe", "\"C:/Users/a b/plimsoll.exe\" hook x"),
        ] {
            let command = bare(env, Path::new(launcher), &args);
            assert_eq!(command, wanted);
            assert_eq!(launcher_words(&command)[1..], args, "{command}");
        }
        assert_eq!(
            line(r"C:\it's\plimsoll.exe", "", None).powershell(),
            r"try{& 'C:\it''s\plimsoll.exe' hook x PreToolUse}catch{};exit 0"
        );
    }

    #[test]
    fn every_form_is_recognised_whatever_the_folder_is_called() {
        for launcher in ["/h/plimsoll", "/h/it's/a \"b\" $c/plimsoll", r"C:\Users\O'Neil & co\plimsoll.exe"] {
            for (go_on, denies_by) in [("", None), ("{\"decision\":\"allow\"}", None), ("", Some(2))] {
                let line = line(launcher, go_on, denies_by);
                for text in [line.posix(), line.powershell()] {
                    let words = launcher_words(&text);
                    assert!(is_launcher(&words[0]), "{text}: {words:?}");
                    assert_eq!(words[1..], ["hook", "x", "PreToolUse"], "{text}");
                }
            }
        }
        for other in [
            "/bin/sh -c 'a=$(\"$0\" hook x)' /opt/other/tool",
            "/bin/sh -c 'echo hi' '/h/plimsoll'",
            "try{& 'C:\\other.exe' hook x}catch{};exit 0",
        ] {
            let words = launcher_words(other);
            assert!(!(is_launcher(&words[0]) && words.get(1).is_some_and(|word| word == "hook")), "{other}");
        }
    }
}
