//! Commands that a shell is given in quotes: `bash -lc 'cd shop && cargo test'`. Owns finding them where such a shell is all
//! that a line starts.

use std::borrow::Cow;

use shell::{base, line};

use crate::command::unwrapped;

const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash"];
/// So many shells inside each other are looked through.
const DEEP: usize = 3;

/// The line that `command` really runs: that in quotes, if it only starts a shell for it, and otherwise itself.
pub(crate) fn inner(command: &str) -> Cow<'_, str> {
    let mut found = Cow::Borrowed(command);
    for _ in 0..DEEP {
        let Some(script) = script(&found) else { break };
        found = Cow::Owned(script);
    }
    found
}

/// The script of a line that starts a shell and nothing else.
fn script(command: &str) -> Option<String> {
    let outer = line::parse(command);
    let [simple] = outer.commands.as_slice() else { return None };
    if outer.odd || simple.to_file {
        return None;
    }
    let argv = simple.argv();
    let (program, rest) = unwrapped(&argv).split_first()?;
    if !SHELLS.contains(&base(program)) {
        return None;
    }
    let is_script = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    let at = rest.iter().position(is_script)?;
    // A word in front that's no option, nor the value of `-o`, names a file that the shell runs.
    let is_option = |at: usize| {
        let value =
            at.checked_sub(1).and_then(|before| rest.get(before)).is_some_and(|word| word.ends_with('o'));
        value || rest.get(at).is_some_and(|word| word.starts_with('-'))
    };
    let script = rest.get(at + 1).filter(|_| (0..at).all(is_option))?;
    let inner = line::parse(script);
    (!inner.odd && !inner.commands.is_empty()).then(|| script.clone())
}

#[cfg(test)]
mod tests {
    use super::inner;
    use crate::{FilterSet, shorten};

    #[test]
    fn the_commands_in_quotes_are_found() {
        for (command, wanted) in [
            ("bash -lc 'cd shop && cargo test'", "cd shop && cargo test"),
            ("timeout 60 bash -eo pipefail -c \"make all; make test\"", "make all; make test"),
            ("docker exec web sh -c 'bash -c \"pytest -q\"'", "pytest -q"),
            ("bash ci.sh -c 'make'", "bash ci.sh -c 'make'"),
            ("bash -c 'for a in *; do cat $a; done'", "bash -c 'for a in *; do cat $a; done'"),
            ("echo a; bash -c make", "echo a; bash -c make"),
            ("bash -c make > log", "bash -c make > log"),
            ("echo \"bash -c 'a; b && c'\"", "echo \"bash -c 'a; b && c'\""),
            ("bash -c", "bash -c"),
        ] {
            assert_eq!(inner(command), wanted);
        }
    }

    #[test]
    fn a_shell_prints_what_its_commands_print() {
        let set = FilterSet::builtin();
        let text: String = (0..300).map(|n| format!(" src/shop/cart/part{n:03}.rs | 3 +++\n")).collect();
        let text = format!("{text} 300 files changed, 900 insertions(+)\n");
        let alone = shorten(&set, "git diff --stat main", Some(0), &text).unwrap();
        for command in [
            "bash -lc 'git diff --stat main'",
            "sh -c 'cd shop && git diff --stat main'",
            "docker exec web git diff --stat",
        ] {
            let done = shorten(&set, command, Some(0), &text).unwrap();
            assert_eq!((done.filter.as_str(), &done.text), ("git-stat", &alone.text), "{command}");
        }
    }
}
