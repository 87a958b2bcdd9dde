//! `env`, whose `-S` splits a text into words.

use super::argv::{join, tail};
use super::{Field, Inner, InnerCommands};

pub(super) fn env(argv: &[Field], found: &mut InnerCommands) {
    let mut i = 1;
    while let Some(field) = argv.get(i) {
        let text = field.text.as_str();
        let split = match text {
            "-S" | "--split-string" => {
                i += 1;
                argv.get(i).map(|f| f.text.as_str())
            }
            _ if text.starts_with("--split-string=") => text.strip_prefix("--split-string="),
            // `-vS'…'`, `-iS …` and the attached form.
            _ if text.starts_with('-') && !text.starts_with("--") => match text.split_once('S') {
                Some((_, "")) => {
                    i += 1;
                    argv.get(i).map(|f| f.text.as_str())
                }
                Some((flags, rest)) if !flags.contains(['u', 'C']) => Some(rest),
                _ => None,
            },
            _ => None,
        };
        if let Some(split) = split {
            let rest = argv.get(i + 1..).unwrap_or_default();
            found.inner.push(Inner::Script(format!("{split} {}", join(rest)).trim().to_owned()));
            return;
        }
        match text {
            "-u" | "--unset" | "-C" | "--chdir" | "-P" => i += 2,
            "--" => i += 1,
            _ if text.starts_with('-') => i += 1,
            _ if text.contains('=') => i += 1,
            _ => break,
        }
    }
    found.inner = tail(argv, i);
}
