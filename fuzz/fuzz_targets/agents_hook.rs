//! What any host writes to a hook: nobody's reader panics, what is answered is an answer in that agent's form, and an
//! answer that says nothing never stops the agent. The first byte chooses the event on the command line.
#![no_main]

use agents::{HookInput, HookOutput, Verdict};
use home::Env;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// Events in the spelling of every host; nameless first.
const EVENTS: &[&str] = &[
    "",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreCompact",
    "PostCompact",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PermissionRequest",
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "PreCompress",
    "preToolUse",
    "postToolUse",
    "sessionStart",
    "sessionEnd",
    "userPromptSubmitted",
    "agentStop",
    "beforeShellExecution",
    "afterShellExecution",
    "beforeReadFile",
    "afterFileEdit",
    "beforeMCPExecution",
    "beforeSubmitPrompt",
    "tool.execute.before",
    "tool.execute.after",
    "chat.message",
    "agentSpawn",
    "promptSubmit",
    "fileSave",
    "PreInvocation",
    "PostInvocation",
    "anything else",
];

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let Ok(payload) = serde_json::from_slice::<Value>(bytes) else { return };
    let event = EVENTS.get(usize::from(*choice) % EVENTS.len()).copied().filter(|name| !name.is_empty());
    let text = "\"quoted\" \u{1f600}\n".to_owned();
    let verdicts = [
        Verdict::Pass,
        Verdict::Deny { reason: text.clone() },
        Verdict::Ask { reason: text.clone() },
        Verdict::Rewrite { input: json!({ "command": text }) },
        Verdict::Replace { text: text.clone() },
        Verdict::Context { text },
    ];
    for env in [Env::for_test("/nowhere"), Env::for_test("/nowhere").with("CLAUDECODE", "1")] {
        let input = HookInput { payload: &payload, event, env: &env };
        for agent in agents::all() {
            let id = agent.id();
            let _ = agent.owns_payload(&input);
            calm(id, &agent.fail_open(event), true);
            let Some(read) = agent.parse_event(&input) else { continue };
            // The same payload is always the same event.
            assert_eq!(format!("{:?}", agent.parse_event(&input)), format!("{:?}", Some(&read)));
            for verdict in &verdicts {
                calm(id, &agent.render_verdict(&read, verdict), *verdict == Verdict::Pass);
            }
        }
    }
});

fn calm(id: &str, output: &HookOutput, says_nothing: bool) {
    if !output.stdout.is_empty() && id != "kiro" {
        let value: Value = serde_json::from_str(&output.stdout).expect("one JSON value");
        assert!(value.is_object(), "{id}: {value}");
    }
    assert!(
        output.exit == 0 || output.exit == 2 && id == "kiro" && !says_nothing,
        "{id}: exit {}",
        output.exit
    );
    // Antigravity wants a decision even where there is none.
    assert!(!says_nothing || id == "antigravity" || *output == HookOutput::silent(), "{id}: {output:?}");
}
