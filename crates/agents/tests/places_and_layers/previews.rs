//! The entries as the user previews them before consenting.

use std::path::Path;

use home::{Env, Os};
use plimsoll_agents::{EntryContext, Parts, Role, Scope};

use crate::computer::agent;

/// The preview of an empty file, on Linux and on Windows.
#[test]
fn entries_of_current_versions() {
    for (system, os, launcher) in [
        ("linux", Os::Linux, "/home/ana/.plimsoll/bin/plimsoll"),
        ("windows", Os::Windows, r"C:\Users\ana b\.plimsoll\bin\plimsoll.exe"),
    ] {
        for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
            // Some agents choose between files by which exists, so the home is an empty folder.
            let empty = tempfile::tempdir().unwrap();
            let env = Env::for_test(empty.path()).with_os(os);
            let found = agent(id).assumed_installation(&env);
            let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
            let launcher = Path::new(launcher);
            let context =
                EntryContext { launcher, scope: &Scope::User, installation: &found, parts, env: &env };
            let text: String = agent(id)
                .files(&context)
                .iter()
                .filter(|file| file.role != Role::Plugin)
                .map(|file| {
                    let path = Path::new("/home/ana").join(file.path.strip_prefix(empty.path()).unwrap());
                    let path = path.display().to_string().replace('\\', "/");
                    let entry = edits::snippet(file.format, &file.edits);
                    format!("=== {path} ({:?})\n{}\n", file.role, entry.trim_end())
                })
                .collect();
            insta::assert_snapshot!(format!("{id}-{system}"), text);
        }
    }
}
