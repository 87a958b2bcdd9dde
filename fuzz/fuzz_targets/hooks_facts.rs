//! What any host writes to a hook, as facts and as the note made of them: nothing panics, the same
//! event teaches the same, and the note keeps to its bytes and looks like a record. The first byte chooses the event on
//! the command line.
#![no_main]

use agents::HookInput;
use home::Env;
use libfuzzer_sys::fuzz_target;
use memory::{MAX_NOTE, RecordedFact};
use serde_json::Value;

const EVENTS: [Option<&str>; 5] =
    [None, Some("PostToolUse"), Some("PostToolUseFailure"), Some("postToolUse"), Some("userPromptSubmitted")];

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let Ok(payload) = serde_json::from_slice::<Value>(bytes) else { return };
    let event = EVENTS[usize::from(*choice) % EVENTS.len()];
    let env = Env::for_test("/nowhere");
    let input = HookInput { payload: &payload, event, env: &env };
    for agent in agents::all() {
        let Some(event) = agent.parse_event(&input) else { continue };
        let facts = memory::extract::facts(&event);
        assert_eq!(facts, memory::extract::facts(&event));
        let recorded: Vec<RecordedFact> = facts
            .into_iter()
            .zip(1_i64..)
            .map(|(fact, id)| {
                assert!((1..=4).contains(&fact.priority));
                RecordedFact {
                    id,
                    session: "s".into(),
                    agent: agent.id().into(),
                    project: "/w".into(),
                    fact,
                    times: 3,
                    first_ms: 0,
                    at_ms: id,
                }
            })
            .collect();
        let note = memory::resume(&recorded, &agent.tool_name("search"), 1_800_000_000_000);
        assert!(note.len() <= MAX_NOTE && !note.contains(['<', '`', '\r']), "{note}");
    }
});
