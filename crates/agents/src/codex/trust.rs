//! Which of Plimsoll's hooks the user has approved, according to Codex: `codex app-server`, request `hooks/list`, over
//! stdio with a time limit. Codex keeps an approval as a hash of the hook's definition; writing one would fake the user's
//! consent, so approvals are only read.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use contract::Sentence;
use serde_json::{Value, json};

use super::ID;
use crate::config::at;
use crate::{Installation, Machine, Trust, entries, messages, probe};

/// Codex's time to start and answer.
const LIMIT: Duration = Duration::from_secs(10);

/// The longest line of an answer.
const MAX_LINE: u64 = 16 * 1024 * 1024;

/// Codex's files that list hooks and their approvals.
const HOOK_FILES: [&str; 2] = ["config.toml", "hooks.json"];
/// Their largest size, in bytes.
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// Asks Codex in a temporary copy of its folder, because at its first start in a folder it fills it with databases and
/// skills. Approvals name the path of `hooks.json` and cover its contents, so the copy's approvals name the copy.
pub(super) fn trust(machine: &Machine<'_>, installation: &Installation) -> Trust {
    let Some(program) = installation.program.as_deref().filter(|_| machine.may_run) else {
        return Trust::Unknown(messages::nobody_to_ask());
    };
    let asked = temporary_copy(&installation.config_dir).and_then(|(scratch, codex_home)| {
        let home = scratch.path();
        let mut env: Vec<(OsString, OsString)> = machine
            .env
            .vars()
            .filter(|(name, _)| !name.to_string_lossy().starts_with("XDG_"))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        env.extend(["HOME", "USERPROFILE", "TMPDIR"].map(|name| (name.into(), home.into())));
        env.push(("CODEX_HOME".into(), codex_home.into()));
        hooks_list(program, home, &env, LIMIT)
    });
    match asked {
        Ok(answer) => trust_in_answer(&answer, &installation.config_dir),
        Err(reason) => Trust::Unknown(messages::not_asked(reason)),
    }
}

/// A home folder with a copy of the files that Codex reads about hooks, and Codex's folder in it. `config.toml` may have tokens.
fn temporary_copy(config_dir: &Path) -> Result<(tempfile::TempDir, PathBuf), Sentence> {
    let failed = |error: std::io::Error| Sentence::from(error.to_string());
    let scratch = home::private_temp_dir("plimsoll-look-").map_err(failed)?;
    // Codex writes the real path into approvals.
    let home = std::fs::canonicalize(scratch.path()).map_err(failed)?.join(".codex");
    std::fs::create_dir(&home).map_err(failed)?;
    let real = std::fs::canonicalize(config_dir).unwrap_or_else(|_| config_dir.to_owned());
    for name in HOOK_FILES {
        let from = config_dir.join(name);
        if std::fs::metadata(&from).is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_FILE) {
            let mut text = std::fs::read_to_string(&from).map_err(failed)?;
            if name == "config.toml" {
                for dir in [&real, config_dir] {
                    text = replace_folder(&text, dir, &home);
                }
            }
            std::fs::write(home.join(name), text).map_err(failed)?;
        }
    }
    Ok((scratch, home))
}

/// Approvals with Codex's folder replaced, both as plain text and as TOML escapes it.
fn replace_folder(text: &str, from: &Path, to: &Path) -> String {
    let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
    let escaped = |path: &str| path.replace('\\', "\\\\");
    text.replace(&format!("{}/hooks.json:", &*from), &format!("{}/hooks.json:", &*to))
        .replace(&format!("{from}\\hooks.json:"), &format!("{to}\\hooks.json:"))
        .replace(&format!("{}\\\\hooks.json:", escaped(&from)), &format!("{}\\\\hooks.json:", escaped(&to)))
}

/// The result of `hooks/list` for the folder `cwd`.
fn hooks_list(
    program: &Path,
    cwd: &Path,
    env: &[(OsString, OsString)],
    limit: Duration,
) -> Result<Value, Sentence> {
    let ends = Instant::now() + limit;
    let mut command = probe::command(program, env);
    // At its start, Codex would fetch plugins over the network.
    command.args(["app-server", "-c", "features.plugins=false"]).stdin(Stdio::piped()).current_dir(cwd);
    let mut child =
        command.spawn().map_err(|error| format!("{} did not start: {error}", program.display()))?;
    let answer = (|| {
        let mut stdin = child.stdin.take().ok_or("no stdin")?;
        let lines = lines(child.stdout.take().ok_or("no stdout")?);
        let mut ask = |message: Value| {
            writeln!(stdin, "{message}")
                .and_then(|()| stdin.flush())
                .map_err(|error| format!("Codex hung up: {error}"))
        };
        let client = json!({ "name": "plimsoll", "title": "Plimsoll", "version": env!("CARGO_PKG_VERSION") });
        ask(json!({ "id": 1, "method": "initialize", "params": { "clientInfo": client } }))?;
        answer_to(1, &lines, ends)?;
        ask(json!({ "method": "initialized" }))?;
        ask(json!({ "id": 2, "method": "hooks/list", "params": { "cwds": [cwd] } }))?;
        answer_to(2, &lines, ends)
    })();
    probe::kill(&mut child);
    answer
}

/// A stream's lines, from a thread that ends with the stream.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<Value> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut bounded = std::io::Read::take(&mut stream, MAX_LINE);
            match bounded.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if let Ok(message) = serde_json::from_slice(&line)
                && send.send(message).is_err()
            {
                break;
            }
        }
    });
    receive
}

/// The result with this id; the server's notifications and requests before it are skipped.
fn answer_to(id: u64, lines: &Receiver<Value>, ends: Instant) -> Result<Value, Sentence> {
    loop {
        let left = ends.saturating_duration_since(Instant::now());
        let mut message = lines.recv_timeout(left).map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => messages::no_answer_in_time(),
            mpsc::RecvTimeoutError::Disconnected => messages::no_answer_at_all(),
        })?;
        if message.get("id").and_then(Value::as_u64) != Some(id) || message.get("method").is_some() {
            continue;
        }
        if let Some(error) = message.get("error") {
            return Err(format!("Codex refused: {error}").into());
        }
        return Ok(message.get_mut("result").map(Value::take).unwrap_or_default());
    }
}

/// What the answer says about Plimsoll's hooks in `config_dir`.
fn trust_in_answer(answer: &Value, config_dir: &Path) -> Trust {
    let entries = at(answer, &["data"]).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let hooks: Vec<&Value> = entries
        .iter()
        .filter_map(|entry| entry.get("hooks")?.as_array())
        .flatten()
        .filter(|hook| entries::is_our_hook(hook, ID))
        .collect();
    let word = |hook: &Value, key: &str| hook.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    if hooks.is_empty() {
        let problem = entries
            .iter()
            .flat_map(|entry| ["errors", "warnings"].map(|key| entry.get(key).and_then(Value::as_array)))
            .flatten()
            .flatten()
            .find_map(|problem| {
                problem.as_str().map(str::to_owned).or_else(|| Some(word(problem, "message")))
            });
        return Trust::Unknown(match problem {
            Some(problem) => messages::no_hook_listed_because(Sentence::from(problem)),
            None => messages::no_hook_listed(config_dir),
        });
    }
    let off: Vec<String> = hooks
        .iter()
        .filter(|hook| hook.get("enabled") == Some(&Value::Bool(false)))
        .map(|hook| word(hook, "eventName"))
        .collect();
    let waiting: Vec<String> = hooks
        .iter()
        .filter(|hook| !matches!(word(hook, "trustStatus").as_str(), "trusted" | "managed"))
        .map(|hook| word(hook, "eventName"))
        .collect();
    if !waiting.is_empty() {
        // Their names help only where some of them are approved.
        return Trust::Untrusted(if waiting.len() == hooks.len() {
            messages::hooks_wait()
        } else {
            messages::some_hooks_wait(waiting.join(", "))
        });
    }
    if !off.is_empty() {
        return Trust::Untrusted(messages::hooks_off(off.join(", ")));
    }
    Trust::Trusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(event: &str, trust: &str, enabled: bool) -> Value {
        json!({ "key": "k", "eventName": event, "handlerType": "command", "enabled": enabled,
            "command": "\"$HOME/.plimsoll/bin/plimsoll\" hook codex", "sourcePath": "/h/.codex/hooks.json",
            "currentHash": "sha256:0", "trustStatus": trust })
    }

    #[test]
    fn the_answer_is_judged_by_our_hooks_only() {
        let foreign =
            json!({ "eventName": "stop", "command": "mine", "trustStatus": "untrusted", "enabled": true });
        let answer = |hooks: Vec<Value>| json!({ "data": [{ "cwd": "/h", "hooks": hooks, "errors": [], "warnings": [] }] });
        let dir = Path::new("/h/.codex");
        let trusted =
            answer(vec![foreign.clone(), hook("preToolUse", "trusted", true), hook("stop", "managed", true)]);
        assert_eq!(trust_in_answer(&trusted, dir), Trust::Trusted);
        for (hooks, wanted) in [
            (
                vec![hook("preToolUse", "untrusted", true), hook("stop", "trusted", true)],
                messages::some_hooks_wait("preToolUse"),
            ),
            (
                vec![
                    hook("preToolUse", "untrusted", true),
                    hook("stop", "trusted", true),
                    hook("sessionStart", "modified", true),
                ],
                messages::some_hooks_wait("preToolUse, sessionStart"),
            ),
            (vec![hook("preToolUse", "modified", true)], messages::hooks_wait()),
            (
                vec![hook("preToolUse", "untrusted", true), hook("stop", "modified", true)],
                messages::hooks_wait(),
            ),
            (vec![hook("preToolUse", "trusted", false)], messages::hooks_off("preToolUse")),
        ] {
            let Trust::Untrusted(text) = trust_in_answer(&answer(hooks), dir) else {
                panic!("not untrusted")
            };
            assert_eq!(text, wanted);
        }
        assert!(matches!(trust_in_answer(&answer(vec![foreign]), dir), Trust::Unknown(_)));
        assert!(matches!(trust_in_answer(&json!({ "data": 3 }), dir), Trust::Unknown(_)));
        let warned = json!({ "data": [{ "hooks": [], "warnings": ["failed to parse hooks config"] }] });
        assert_eq!(
            trust_in_answer(&warned, dir),
            Trust::Unknown(messages::no_hook_listed_because(Sentence::from("failed to parse hooks config")))
        );
    }

    #[test]
    fn approvals_name_the_copy() {
        let dir = tempfile::tempdir().unwrap();
        let real = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::write(
            real.join("config.toml"),
            format!(
                "[hooks.state.\"{}/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:0\"\n",
                real.display()
            ),
        )
        .unwrap();
        std::fs::write(real.join("hooks.json"), "{}").unwrap();
        std::fs::write(real.join("auth.json"), "secret").unwrap();
        let (scratch, home) = temporary_copy(&real).unwrap();
        // Nobody else may read its tokens.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(scratch.path().metadata().unwrap().permissions().mode() & 0o077, 0);
        }
        let text = std::fs::read_to_string(home.join("config.toml")).unwrap();
        assert!(text.contains(&format!("\"{}/hooks.json:stop:0:0\"", home.display())), "{text}");
        assert!(!text.contains(&real.display().to_string()), "{text}");
        assert!(home.join("hooks.json").is_file() && !home.join("auth.json").exists());
        let gone = scratch.path().to_owned();
        drop(scratch);
        assert!(!gone.exists());
        let windows = replace_folder(
            r#"["C:\\u\\.codex\\hooks.json:a"] 'C:\u\.codex\hooks.json:b'"#,
            Path::new(r"C:\u\.codex"),
            Path::new(r"D:\t"),
        );
        assert_eq!(windows, r#"["D:\\t\\hooks.json:a"] 'D:\t\hooks.json:b'"#);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_asked_over_stdio_with_a_limit() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let talks = write(
            "talks",
            "#!/bin/sh\nread a\necho banner\necho '{\"method\":\"note\",\"params\":{}}'\necho '{\"id\":1,\"result\":{}}'\n\
             read b\nread c\necho '{\"id\":2,\"result\":{\"data\":[]}}'\nread d\n",
        );
        let refuses =
            write("refuses", "#!/bin/sh\nread a\necho '{\"id\":1,\"error\":{\"message\":\"no\"}}'\nread b\n");
        let silent = write("silent", "#!/bin/sh\nwhile read a; do :; done\n");
        let ends = write("ends", "#!/bin/sh\nexit 0\n");
        let ask = |program: &Path, limit| hooks_list(program, dir.path(), &[], limit);
        let long = Duration::from_secs(30);
        assert_eq!(ask(&talks, long), Ok(json!({ "data": [] })));
        assert!(ask(&refuses, long).unwrap_err().text().contains("refused"));
        assert!(ask(&ends, long).is_err());
        assert!(ask(&silent, Duration::from_millis(50)).unwrap_err().text().contains("in time"));
        assert!(ask(&dir.path().join("none"), long).unwrap_err().text().contains("did not start"));
    }
}
