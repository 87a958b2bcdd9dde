//! Every line of `notes/cases.jsonl`: what each agent sends is read by that agent's own dialect and teaches what the
//! line says. And no event, whatever is in it, makes anything panic or slow.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::HookInput;
use home::Env;
use plimsoll_memory::extract::facts;
use plimsoll_memory::{Category, Fact};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    agent: String,
    event: Option<String>,
    payload: Value,
    /// Which categories are compared; all when empty.
    #[serde(default)]
    only: Vec<Category>,
    #[serde(default)]
    tools: bool,
    facts: Vec<String>,
}

fn summary(fact: &Fact) -> String {
    let state = serde_json::to_value(fact.state).unwrap();
    let mut text =
        format!("{} {} {}: {}", fact.category.name(), fact.priority, state.as_str().unwrap(), fact.text);
    if !fact.detail.is_empty() || !fact.subject.is_empty() {
        text = format!("{text} | {}", fact.detail).trim_end().to_owned();
    }
    if fact.subject.is_empty() { text } else { format!("{text} | {}", fact.subject) }
}

fn read(agent: &str, event: Option<&str>, payload: &Value) -> Option<Vec<Fact>> {
    let env = Env::for_test("/home/ana");
    let event = agents::by_id(agent).unwrap().parse_event(&HookInput { payload, event, env: &env })?;
    Some(facts(&event))
}

#[test]
fn the_cases() {
    let mut wrong = Vec::new();
    let mut number = 0;
    for line in include_str!("notes/cases.jsonl").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        number += 1;
        let mut case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if case.agent != "opencode" && case.agent != "copilot-cli" {
            case.payload["session_id"] = json!("s-1");
            case.payload["cwd"] = json!("/w/shop");
        }
        let found: Vec<String> = read(&case.agent, case.event.as_deref(), &case.payload)
            .unwrap_or_else(|| panic!("{}: no event", case.name))
            .iter()
            .filter(|fact| case.tools || fact.category != Category::Tool)
            .filter(|fact| case.only.is_empty() || case.only.contains(&fact.category))
            .map(|fact| if cfg!(windows) { summary(fact).replace('\\', "/") } else { summary(fact) })
            .collect();
        if found != case.facts {
            wrong.push(format!("{}\n  wanted {:#?}\n  found {found:#?}", case.name, case.facts));
        }
    }
    assert!(number > 45);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_ends_of_a_huge_output_are_examined() {
    let output = format!("error: first\n{}\nerror: last\n", "x".repeat(40_000_000));
    let payload = json!({"session_id": "s", "cwd": "/w", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": {"command": "make"}, "error": output});
    let found = read("claude-code", None, &payload).unwrap();
    assert_eq!(found.iter().find(|fact| fact.category == Category::Error).unwrap().detail, "error: first");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_prompt_is_read(prompt in "\\PC{0,300}") {
        read("codex", None, &json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": prompt}));
    }

    #[test]
    fn any_command_and_output_are_read(command in "[ -~\n'\"|&;<>$`ä日]{0,200}", output in "\\PC{0,200}", ended in any::<bool>()) {
        let name = if ended { "PostToolUse" } else { "PostToolUseFailure" };
        let payload = json!({"session_id": "s", "hook_event_name": name, "tool_name": "Bash",
            "tool_input": {"command": command}, "error": output, "tool_response": {"stdout": output, "stderr": ""}});
        for fact in read("claude-code", None, &payload).unwrap() {
            prop_assert!((1..=4).contains(&fact.priority) && !fact.text.is_empty(), "{fact:?}");
        }
    }

    #[test]
    fn private_text_is_in_no_fact(before in "[a-z .]{0,30}", secret in "[A-Z]{8,12}", after in "[a-z .]{0,30}") {
        let text = format!("{before} never <private>{secret}</private> {after}");
        let prompt = json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": text});
        let failed = json!({"session_id": "s", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": {"command": text}, "error": format!("error: {text}")});
        let listed = json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "TodoWrite",
            "tool_input": {"todos": [{"content": text, "status": "pending"}]}, "tool_response": {}});
        for payload in [prompt, failed, listed] {
            for fact in read("claude-code", None, &payload).unwrap() {
                prop_assert!(!format!("{fact:?}").contains(&secret), "{fact:?}");
            }
        }
    }
}
