//! Skipped tests: which ones may be skipped, and the summary in the last lines of a run. The other side is the crate
//! `skipped`, which tests call.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::place::Place;
use crate::steps::say;

/// What `cargo xtask test` has just installed on Linux x64. A test that lacks one of these fails.
///
/// Not among them, because no installation provides either: `mount` and `unshare` (the kernel and the user's rights
/// decide), `strace` where tracing is forbidden, PowerShell.
const INSTALLED: &str = "agents,protocol,postgres,pgbouncer,keyring,desktop,webdriver,node,script,git,cargo,npm,pytest,shell:bash,shell:sh,\
    runtime:javascript,runtime:typescript,runtime:python,runtime:shell,runtime:ruby,runtime:go,runtime:rust,\
    runtime:php,runtime:perl,runtime:r,runtime:elixir,runtime:csharp";

/// The list that tests write while they run.
pub(crate) struct Skips {
    list: PathBuf,
    insist: &'static str,
}

impl Skips {
    /// An empty list.
    pub(crate) fn new(place: &Place) -> Result<Self> {
        let list = place.cache.join("skipped-tests");
        std::fs::write(&list, "")?;
        let insist = if cfg!(all(target_os = "linux", target_arch = "x86_64")) { INSTALLED } else { "" };
        Ok(Self { list, insist })
    }

    /// Tells the tests of a run where the list is and what must not be lacking.
    pub(crate) fn set_environment(&self, run: &mut Command) {
        run.env("PLIMSOLL_TEST_SKIPPED", &self.list).env("PLIMSOLL_TEST_INSIST", self.insist);
    }

    /// The last lines of a run: how many tests were skipped, which, and why.
    pub(crate) fn print_summary(&self) {
        let text = std::fs::read_to_string(&self.list).unwrap_or_default();
        for line in summary(&text) {
            say(&line);
        }
    }
}

fn summary(list: &str) -> Vec<String> {
    let mut needs: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for line in list.lines() {
        let mut cells = line.splitn(3, '\t');
        let (Some(need), Some(test), Some(why)) = (cells.next(), cells.next(), cells.next()) else {
            continue;
        };
        let tests = needs.entry((need, why)).or_default();
        if !tests.contains(&test) {
            tests.push(test);
        }
    }
    if needs.is_empty() {
        return vec!["no test was skipped".to_owned()];
    }
    let count: usize = needs.values().map(Vec::len).sum();
    let mut lines = vec![format!("{count} tests were skipped:")];
    for ((need, why), tests) in needs {
        lines.push(format!("   {need}: {why}"));
        lines.extend(tests.into_iter().map(|test| format!("      {test}")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn the_last_lines_name_each_skipped_test_once() {
        assert_eq!(summary(""), ["no test was skipped"]);
        let list = "mount\ta::b\tonly root may\nstrace\tc\tno\nmount\ta::b\tonly root may\nnonsense\n";
        let expected =
            ["2 tests were skipped:", "   mount: only root may", "      a::b", "   strace: no", "      c"];
        assert_eq!(summary(list), expected);
    }
}
