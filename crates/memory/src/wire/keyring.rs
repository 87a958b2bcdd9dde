//! The desktop's keyring (GNOME Keyring, KWallet, KeePassXC) through libsecret's program `secret-tool`, which uses
//! the Secret Service. Secrets are passed by standard input, never as an argument. Linux only: the equivalents on
//! macOS and Windows couldn't be tested and aren't used.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use home::{Env, Os};

/// Time limit for storing a key: the user may have to enter the keyring's password.
const TO_KEEP: Duration = Duration::from_secs(60);
/// Time limit for reading a key: the caller waits for the model.
const TO_FIND: Duration = Duration::from_secs(5);
/// Interval between checks whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);
/// Maximum size of an answer.
const MAX_BYTES: u64 = 8 << 10;

/// The keyring of the desktop session.
#[derive(Debug, Clone)]
pub(super) struct Keyring {
    /// Distinguishes the keys of several Plimsoll homes.
    home: PathBuf,
}

impl Keyring {
    /// The keyring for this home's keys.
    pub(super) fn of(home: &Path) -> Self {
        Self { home: home.to_owned() }
    }

    /// Why there is no keyring; `None` if there may be one.
    pub(super) fn unavailable_reason(env: &Env) -> Option<String> {
        if env.os() != Os::Linux {
            return Some("only that of a Linux desktop is used".into());
        }
        if env.var("DBUS_SESSION_BUS_ADDRESS").is_none_or(str::is_empty) {
            return Some("no desktop session runs here".into());
        }
        None
    }

    /// Stores a secret, replacing the old one, and checks that it is there.
    pub(super) fn set(&self, name: &str, secret: &str) -> Result<(), String> {
        let label = format!("Plimsoll: {name}");
        self.run(&["store", "--label", &label], name, Some(secret), TO_KEEP)?;
        match self.get(name) {
            Ok(Some(found)) if found == secret => Ok(()),
            Ok(_) => Err("it did not keep the key".into()),
            Err(reason) => Err(reason),
        }
    }

    /// A secret; `None` if it isn't there.
    pub(super) fn get(&self, name: &str) -> Result<Option<String>, String> {
        let found = self.run(&["lookup"], name, None, TO_FIND)?;
        Ok(found.filter(|text| !text.is_empty()))
    }

    /// Removes a secret.
    pub(super) fn forget(&self, name: &str) -> Result<(), String> {
        self.run(&["clear"], name, None, TO_FIND).map(|_| ())
    }

    /// The program's output; `None` if its exit code alone tells that nothing is there.
    fn run(
        &self,
        words: &[&str],
        name: &str,
        input: Option<&str>,
        within: Duration,
    ) -> Result<Option<String>, String> {
        let mut child = Command::new("secret-tool")
            .args(words)
            .args(["application", "plimsoll", "provider", name, "home"])
            .arg(&self.home)
            .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => {
                    "secret-tool is not installed (Debian: libsecret-tools)".into()
                }
                _ => format!("secret-tool can't be started: {error}"),
            })?;
        if let (Some(text), Some(mut pipe)) = (input, child.stdin.take()) {
            // A program that ends before reading everything says why.
            let _ = pipe.write_all(text.as_bytes());
        }
        let end = Instant::now() + within;
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < end => std::thread::sleep(PAUSE),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("it did not answer within {} s", within.as_secs()));
                }
            }
        };
        let (mut out, mut errors) = (String::new(), String::new());
        let read = |pipe: Option<&mut dyn std::io::Read>, into: &mut String| {
            pipe.is_none_or(|pipe| pipe.take(MAX_BYTES).read_to_string(into).is_ok())
        };
        let whole = read(child.stdout.as_mut().map(|pipe| pipe as _), &mut out)
            && read(child.stderr.as_mut().map(|pipe| pipe as _), &mut errors);
        if status.success() && whole {
            return Ok(Some(out));
        }
        let reason = errors.lines().map(str::trim).find(|line| line.starts_with("secret-tool:"));
        match reason.map(|line| line.trim_start_matches("secret-tool:").trim()) {
            Some(reason) => Err(reason.chars().take(200).collect()),
            // There is nothing to find or remove.
            None if input.is_none() && whole => Ok(None),
            None => Err(format!("secret-tool ended with {status}")),
        }
    }
}
