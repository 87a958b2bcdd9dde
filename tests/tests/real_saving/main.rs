//! The saving on the real agents: failing tests and a history reach the model shortened, with every failure and the exit code,
//! without another question to the user; the ledger agrees with the wire; and a resumed session gets its note.
//!
//! The programs are scripts that print the real ones' output (the captured cases of the filters); git is real.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;

use bench::{Bench, resume_note, without_frame};
use plimsoll_tests::{Cli, Run};
use serde_json::json;

/// The four commands, with and without Plimsoll, and the resumed session.
fn saved(bench: &Bench) {
    let cli = bench.cli;
    let commands: Vec<&str> = bench.cases.iter().map(|case| case.command.as_str()).collect();
    let without = bench.results(&bench.how, &commands);
    bench.connect();
    let with = bench.results(&bench.how, &commands);
    let rows = bench.ledger();
    assert_eq!(rows.len(), commands.len(), "a row for each: {rows:#?}\n{with:#?}");
    for ((case, row), (before, after)) in bench.cases.iter().zip(&rows).zip(without.iter().zip(&with)) {
        let what = format!("{} {}", cli.id(), case.command);
        let ((_, code_before), (inner, code)) = (without_frame(cli, before), without_frame(cli, after));
        // Where the agent alone shows a preview, Plimsoll's is at most as long, with no fewer facts.
        let preview = before.text.len() * 4 < case.text.len();
        for fact in case.keep.iter().filter(|fact| !preview || before.text.contains(fact.as_str())) {
            assert!(after.text.contains(fact), "{what} lost {fact:?}:\n{}", after.text);
        }
        assert!(after.text.len() <= before.text.len(), "{what} is longer than without:\n{}", after.text);
        assert!(after.text.len() * 2 < case.text.len() + 512, "{what} is long:\n{}", after.text);
        assert!(inner.contains("plimsoll://task/"), "{what} names no address:\n{}", after.text);
        assert_eq!(code, code_before, "{what}: another exit code:\n{}\n{}", before.text, after.text);
        assert!(code.is_none_or(|code| code == case.exit), "{what}: {code:?}");
        if cli != Cli::Gemini {
            assert_eq!(after.failed, before.failed, "{what}: another kind of result");
        }
        // Agents cut the last line end off, Gemini CLI white space at the beginning as well.
        let returned = row["returned_bytes"].as_u64().unwrap();
        let wire = inner.trim_end_matches('\n').len() as u64;
        let first = case.text.len() - case.text.trim_start().len();
        let cut = 1 + if cli == Cli::Gemini { first as u64 } else { 0 };
        assert!(
            (wire + 1..=wire + cut).contains(&returned),
            "{what}: {returned} in the ledger, {wire} on the wire"
        );
        assert_eq!(row["class"], "measured");
        eprintln!(
            "{what}: {} bytes, {} without us, {} on the wire",
            case.text.len(),
            before.text.len(),
            wire
        );
    }
    let (model, _) = bench.ask(&Run { resumes: true, ..bench.how.clone() }, Vec::new());
    let first = model.requests_with_tools().first().cloned().unwrap();
    let note = resume_note(&first).unwrap_or_else(|| panic!("no note: {}", first.text()));
    assert!(note.len() <= 2_000, "{} bytes: {note}", note.len());
    assert!(note.contains("Do what the script says."), "{note}");
    eprintln!("{note}");
}

#[test]
fn claude_code() {
    if let Some(bench) = Bench::new(Cli::Claude) {
        saved(&bench);
    }
}

#[test]
fn codex() {
    if let Some(bench) = Bench::new(Cli::Codex) {
        saved(&bench);
    }
}

/// Its policy checks the rewritten command, so the user's own rules must cover both.
#[test]
fn gemini_cli() {
    if let Some(bench) = Bench::new(Cli::Gemini) {
        bench.write(
            ".gemini/policies/shell.toml",
            "[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"allow\"\npriority = 100\n",
        );
        saved(&bench);
    }
}

/// Started so that it asks no one, and with no one there to change that, it needs no rule.
#[test]
fn gemini_cli_asking_nobody() {
    if let Some(bench) = Bench::new(Cli::Gemini) {
        saved(&bench);
    }
}

/// With only the command allowed, a failure's output is replaced, which arrives as an error, and a success is left as it is.
#[test]
fn gemini_cli_without_a_rule_for_plimsoll() {
    let Some(mut bench) = Bench::new(Cli::Gemini) else { return };
    bench.how.asks = true;
    let commands: Vec<&str> = bench.cases.iter().map(|case| case.command.as_str()).collect();
    let rule = json!({ "toolName": "run_shell_command", "commandPrefix": commands, "decision": "allow", "priority": 100 });
    let lines: Vec<String> =
        rule.as_object().unwrap().iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    bench.write(".gemini/policies/shell.toml", &format!("[[rule]]\n{}", lines.concat()));
    bench.connect();
    let commands: Vec<&str> = bench.cases.iter().map(|case| case.command.as_str()).collect();
    let results = bench.results(&bench.how, &commands);
    for (case, result) in bench.cases.iter().zip(&results) {
        let (inner, code) = without_frame(Cli::Gemini, result);
        assert_eq!(result.failed, case.exit != 0, "{}", result.text);
        assert_eq!(code, Some(case.exit), "{}", result.text);
        assert_eq!(inner.contains("plimsoll://task/"), case.exit != 0, "{}", result.text);
        for fact in &case.keep {
            assert!(inner.contains(fact), "{} lost {fact:?}:\n{}", case.command, result.text);
        }
    }
    for (row, result) in bench.ledger().iter().zip(&results) {
        let wire = without_frame(Cli::Gemini, result).0.trim_end_matches('\n').len() as u64;
        assert!(
            row["returned_bytes"].as_u64().is_some_and(|returned| (wire + 1..=wire + 5).contains(&returned))
        );
    }
}

#[test]
fn opencode() {
    if let Some(bench) = Bench::new(Cli::OpenCode) {
        saved(&bench);
    }
}

#[test]
fn copilot_cli() {
    if let Some(bench) = Bench::new(Cli::Copilot) {
        saved(&bench);
    }
}

/// The questions to the user stay the same: without a rule the command is refused as before, a rule that allows lets it run,
/// shortened, and one that denies applies.
#[test]
fn claude_code_asks_as_before() {
    let asks = |rules: &str, filtered: bool| {
        let Some(bench) = Bench::new(Cli::Claude) else { return };
        bench.write(".claude/settings.json", &format!("{{\"permissions\": {rules}}}\n"));
        let how = Run { asks: true, ..bench.how.clone() };
        let without = bench.results(&how, &["cargo test"]).remove(0);
        bench.connect();
        let with = bench.results(&how, &["cargo test"]).remove(0);
        assert_eq!(with.text.contains("plimsoll://task/"), filtered, "{rules}: {}", with.text);
        assert_eq!(with.text.contains("281 passed"), filtered, "{rules}: {}", with.text);
        assert_eq!(with.failed, without.failed, "{rules}");
        if rules == "{}" {
            assert_eq!(with, without, "refused in the same words");
        }
        println!("{rules}\n  without: {}\n  with: {}", short(&without.text), short(&with.text));
    };
    asks("{}", false);
    asks("{\"allow\": [\"Bash(cargo test:*)\"]}", true);
    asks("{\"deny\": [\"Bash(cargo test:*)\"]}", false);
}

/// The same for Codex and its exec policy, whose "allow" also means: outside the sandbox.
#[test]
fn codex_asks_as_before() {
    let asks = |decision: Option<&str>, filtered: bool, writes: bool| {
        let Some(bench) = Bench::new(Cli::Codex) else { return };
        if let Some(decision) = decision {
            let rule = format!("prefix_rule(pattern=[\"cargo\", \"test\"], decision=\"{decision}\")\n");
            bench.write(".codex/rules/default.rules", &rule);
        }
        // Like the real one it writes into the project.
        let program = bench.scratch.home.join("tools/cargo");
        let script = std::fs::read_to_string(&program).unwrap();
        let written = bench.scratch.project.join("target.made");
        // And it takes a while: Codex does not record every command that ends at once.
        let touch = format!("#!/bin/sh\nsleep 0.3\ntouch '{}' 2>/dev/null\n", written.display());
        std::fs::write(&program, script.replacen("#!/bin/sh\n", &touch, 1)).unwrap();
        let how = Run { asks: true, ..bench.how.clone() };
        let without = bench.results(&how, &["cargo test"]).remove(0);
        assert_eq!(written.exists(), writes, "{decision:?} without: {}", without.text);
        let _ = std::fs::remove_file(&written);
        bench.connect();
        let with = bench.results(&how, &["cargo test"]).remove(0);
        println!("{decision:?}\n  without: {}\n  with: {}", short(&without.text), short(&with.text));
        assert_eq!(written.exists(), writes, "{decision:?} with: {}", with.text);
        assert_eq!(with.text.contains("plimsoll://task/"), filtered, "{decision:?}: {}", with.text);
        assert_eq!(with.text.contains("281 passed"), filtered, "{decision:?}: {}", with.text);
    };
    asks(None, true, false);
    asks(Some("allow"), true, true);
    asks(Some("forbidden"), false, false);
    asks(Some("prompt"), false, false);
}

/// In Codex's sandbox, where no one is asked and nothing is rewritten: a replacement keeps the exit code and is made from the full
/// output; what Codex itself has only the ends of is left alone; and nothing is longer than Codex takes. The commands take a
/// while, because Codex doesn't record every one that ends at once in its sandbox.
#[test]
fn codex_replaces_the_whole_with_its_code() {
    let Some(bench) = Bench::new(Cli::Codex) else { return };
    let how = Run { asks: true, ..bench.how.clone() };
    let commands = [
        "sleep 0.3; cargo test",
        "sleep 0.3; seq 1 2500 | sed 's/^/served request /'; echo 'ERROR the disk is full'; seq 1 2000; exit 3",
        "seq 1 9000 | sed 's/^/served request number /'; exit 4",
        "echo short; exit 5",
    ];
    let without = bench.results(&how, &commands);
    bench.connect();
    let with = bench.results(&how, &commands);
    let codes = [bench.cases[0].exit, 3, 4, 5];
    for (number, (before, after)) in without.iter().zip(&with).enumerate() {
        let what = commands[number];
        let ((_, code_before), (inner, code)) =
            (without_frame(Cli::Codex, before), without_frame(Cli::Codex, after));
        assert_eq!(
            (code_before, code),
            (Some(codes[number]), Some(codes[number])),
            "{what}:\n{}",
            after.text
        );
        assert!(after.text.len() <= before.text.len(), "{what}: {}", after.text.len());
        assert!(number >= 2 || inner.len() <= 10_000, "{what}: {}", inner.len());
        assert!(!inner.contains("tokens truncated") || number == 2, "{what}: cut by Codex:\n{}", after.text);
        assert_eq!(after.text.contains("plimsoll://task/"), number < 2, "{what}:\n{}", after.text);
        println!("{what}: {} bytes without, {} with", before.text.len(), after.text.len());
    }
    assert!(
        !without[1].text.contains("ERROR the disk is full")
            && with[1].text.contains("ERROR the disk is full")
    );
    assert!(with[0].text.contains("281 passed"), "{}", with[0].text);
    let id = with[1].text.rsplit_once("plimsoll://task/").unwrap().1.trim_end().trim_end_matches(']');
    let whole = bench.scratch.plimsoll(&["read", &format!("plimsoll://task/{id}")]).unwrap();
    assert_eq!(whole.lines().count(), 4_501, "full is full");
}

fn short(text: &str) -> String {
    text.chars().take(240).collect::<String>().replace('\n', " | ")
}
