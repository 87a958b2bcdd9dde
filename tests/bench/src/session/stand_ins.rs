//! Programs that print the real ones' captured output; for other arguments the real program runs.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::ours::script;

/// Agents run some programs for themselves, so an output is printed as often as it is asked for; where there are several for
/// the same words, one after the other, and then the last.
const STAND_IN: &str = r#"#!/bin/sh
# Prints the captured output for these words; the real program otherwise. What it uses itself may be a stand-in, too.
PATH=$(rest=$PATH; PATH=/usr/bin:/bin; printf '%s' "$rest" | sed "s|$(dirname "$0"):||g")
name=$(basename "$0")
key=$(printf '%s' "$name${1+ $*}" | tr -c 'A-Za-z0-9' '_')
folder='FOLDER'
n=$(cat "$folder/$key.n" 2>/dev/null || echo 0)
[ ! -f "$folder/$key.$((n + 1)).txt" ] || n=$((n + 1))
if [ -f "$folder/$key.$n.txt" ]; then
  echo "$n" > "$folder/$key.n"
  cat "$folder/$key.$n.txt"
  exit "$(cat "$folder/$key.$n.exit")"
fi
exec "$name" "$@"
"#;

/// The folder of the programs, and their outputs.
pub(super) struct StandIns {
    bin: PathBuf,
    printed: PathBuf,
}

impl StandIns {
    pub(super) fn new(bin: PathBuf, printed: PathBuf) -> Result<Self> {
        std::fs::create_dir_all(&bin)?;
        std::fs::create_dir_all(&printed)?;
        Ok(Self { bin, printed })
    }

    pub(super) fn add(&self, command: &str, raw: &[u8], exit: i32) -> Result<()> {
        let command = command.split(['|', '&']).next().unwrap_or(command).trim();
        let words: String = command.chars().filter(|c| !matches!(c, '\'' | '"')).collect();
        let program = words.split_whitespace().next().context("a program")?;
        let path = self.bin.join(program);
        // Of a path, the program there would be replaced.
        ensure!(!program.contains('/'), "{program} is a path; name the program alone: {command}");
        // Written through the link, it would replace the installed program for every later run.
        ensure!(!path.is_symlink(), "{program} is a program that the agent needs itself: {command}");
        let key: String =
            words.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b) } else { '_' }).collect();
        let file = |number: usize, ending: &str| self.printed.join(format!("{key}.{number}.{ending}"));
        let number = (1..).find(|number| !file(*number, "txt").exists()).context("a number")?;
        std::fs::write(file(number, "txt"), raw)?;
        std::fs::write(file(number, "exit"), exit.to_string())?;
        let folder = self.printed.to_str().context("the scratch folder is no Unicode")?;
        script(&path, &STAND_IN.replace("FOLDER", folder))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use plimsoll_tests::Scratch;

    use super::StandIns;

    #[test]
    fn a_program_prints_its_output_with_and_without_arguments() {
        let scratch = Scratch::new().unwrap();
        let bin = scratch.home.join("stand-ins");
        let stand_ins = StandIns::new(bin.clone(), scratch.home.join("printed")).unwrap();
        let calls: [(&[&str], &str, i32); 2] =
            [(&[], "plimsoll-sample", 3), (&["-q", "a b"], "plimsoll-sample -q 'a b'", 4)];
        for (_, command, exit) in calls {
            stand_ins.add(command, command.as_bytes(), exit).unwrap();
        }
        for (arguments, printed, exit) in calls {
            let mut program = std::process::Command::new(bin.join("plimsoll-sample"));
            let output = program.args(arguments).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), printed);
            assert_eq!(output.status.code(), Some(exit), "{printed}");
        }
    }

    #[test]
    fn what_a_stand_in_uses_itself_may_be_one() {
        let scratch = Scratch::new().unwrap();
        let bin = scratch.home.join("stand-ins");
        let stand_ins = StandIns::new(bin.clone(), scratch.home.join("printed")).unwrap();
        for program in ["sed", "dirname", "basename", "tr", "cat"] {
            stand_ins.add(&format!("{program} captured.txt"), program.as_bytes(), 0).unwrap();
        }
        let path = std::env::var("PATH").unwrap();
        let printed = |program: &str, argument: &str| {
            let mut command = std::process::Command::new("timeout");
            command.arg("20").arg(bin.join(program)).arg(argument);
            let output = command.env("PATH", format!("{}:{path}", bin.display())).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        for program in ["sed", "dirname", "basename", "tr", "cat"] {
            assert_eq!(printed(program, "captured.txt"), program);
        }
        assert_eq!(printed("basename", "/a/real.txt"), "real.txt\n");
    }

    #[test]
    fn a_program_that_the_agent_needs_is_not_replaced() {
        let scratch = Scratch::new().unwrap();
        let bin = scratch.home.join("stand-ins");
        let stand_ins = StandIns::new(bin.clone(), scratch.home.join("printed")).unwrap();
        let installed = scratch.home.join("node");
        std::fs::write(&installed, "the real one").unwrap();
        std::os::unix::fs::symlink(&installed, bin.join("node")).unwrap();
        let refused = stand_ins.add("node scripts/check.mjs", b"", 1).unwrap_err().to_string();
        assert!(refused.contains("node is a program that the agent needs itself"), "{refused}");
        let refused = stand_ins.add(&format!("{} a.mjs", installed.display()), b"", 1).unwrap_err();
        assert!(refused.to_string().contains("name the program alone"), "{refused}");
        assert_eq!(std::fs::read_to_string(&installed).unwrap(), "the real one");
    }
}
