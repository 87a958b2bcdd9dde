//! Shells, including PowerShell, and programs that pass a text to one (`su -c`).

use super::argv::join;
use super::{Field, Inner, InnerCommands};

pub(super) const SHELLS: &[&str] =
    &["bash", "sh", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "bash5", "yash", "csh", "tcsh"];

pub(super) fn shell(argv: &[Field], found: &mut InnerCommands) {
    let mut command = false;
    let mut stdin = false;
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let text = field.text.as_str();
        match text {
            "--" => {
                i += 1;
                break;
            }
            "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => i += 2,
            "--command" => {
                command = true;
                i += 1;
            }
            "-" => i += 1,
            _ if text.starts_with("--") => i += 1,
            _ if text.starts_with(['-', '+']) => {
                command |= text.starts_with('-') && text.contains('c');
                stdin |= text.contains('s');
                i += 1;
            }
            _ => break,
        }
    }
    match argv.get(i) {
        Some(script) if command => found.inner.push(Inner::Script(script.text.clone())),
        Some(script) if !stdin && !super::is_stdin(&script.text) => {}
        _ => found.stdin = Some("shell"),
    }
}

/// `-c text` of programs that pass it to a shell.
pub(super) fn command_option(argv: &[Field], found: &mut InnerCommands) {
    for (i, field) in argv.iter().enumerate().skip(1) {
        let text = field.text.as_str();
        let value = match text {
            "-c" | "--command" => argv.get(i + 1).map(|f| f.text.clone()),
            _ if text.starts_with("--command=") => text.strip_prefix("--command=").map(str::to_owned),
            _ if text.starts_with('-') && !text.starts_with("--") && text.ends_with('c') => {
                argv.get(i + 1).map(|f| f.text.clone())
            }
            _ => None,
        };
        found.inner.extend(value.map(Inner::Script));
    }
}

pub(super) fn powershell(argv: &[Field], found: &mut InnerCommands) {
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let text = field.text.to_lowercase();
        let option = text.strip_prefix(['-', '/']).map(|o| o.trim_start_matches('-').to_owned());
        match option.as_deref() {
            Some(o) if !o.is_empty() && "command".starts_with(o) => {
                found.inner.extend(argv.get(i + 1..).map(|r| Inner::PowerShell(join(r))));
                return;
            }
            Some(o) if o == "ec" || (o.starts_with('e') && "encodedcommand".starts_with(o)) => {
                found.inner.push(Inner::Hidden("an encoded PowerShell command"));
                return;
            }
            Some(o) if !o.is_empty() && "file".starts_with(o) => return,
            Some(o)
                if ["executionpolicy", "ex", "ep", "version", "windowstyle", "workingdirectory", "wd"]
                    .contains(&o) =>
            {
                i += 2;
            }
            Some(_) => i += 1,
            None => {
                found.inner.extend(argv.get(i..).map(|r| Inner::PowerShell(join(r))));
                return;
            }
        }
    }
}
