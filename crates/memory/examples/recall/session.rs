//! The cost of unrequested texts in one session: at its start and for forty prompts, through the system's own handler,
//! as a hook calls it.

use agents::{Event, EventKind};
use home::{Home, Project, Settings};
use plimsoll_memory::SYSTEM;
use plimsoll_memory::domain::project_key;
use plimsoll_memory::store::SqliteStore;
use serde_json::{Value, json};
use system::{PendingEvent, ReadRules, Readable};

/// The number of prompts.
const PROMPTS: usize = 40;
/// A token is counted as so many bytes, as the limits are.
const BYTES_PER_TOKEN: usize = 3;

/// `fill` captures the memories of the project with this key, `prompts` ask for them. Of these, forty are taken from all
/// over, and each of the forty asks for something known: more than a real session does.
pub(crate) fn measure(fill: impl FnOnce(&mut SqliteStore, &str), prompts: &[&str], now_ms: i64) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("shop");
    std::fs::create_dir_all(root.join(".git")).unwrap();
    let home = Home::at(dir.path().join("plimsoll"));
    std::fs::create_dir_all(home.root()).unwrap();
    let project = project_key(&Project::at(&root).unwrap());
    let mut store = SqliteStore::open(&home.root().join("memory.db")).unwrap();
    fill(&mut store, &project);
    drop(store);
    let settings = Settings::default();
    let handlers = SYSTEM.event_handlers.unwrap();
    let tell = |kind: EventKind, prompt: Option<&str>| {
        let event = Event {
            agent: "codex",
            raw_name: "bench".into(),
            kind,
            session: Some("bench".into()),
            cwd: None,
            project: None,
            tool: None,
            prompt: prompt.map(str::to_owned),
            subagent: false,
            transcript: None,
            model: None,
            permission_mode: None,
        };
        (handlers.context)(&PendingEvent {
            home: &home,
            event: &event,
            settings: &settings,
            project: &root,
            now_ms,
            search: "search",
            guests: &[],
            readable: ReadRules(&Readable::everything),
        })
    };
    let mut texts: Vec<_> =
        tell(EventKind::SessionStart { source: Some("startup".into()) }, None).into_iter().collect();
    let step = (prompts.len() / PROMPTS).max(1);
    for prompt in prompts.iter().step_by(step).take(PROMPTS) {
        texts.extend(tell(EventKind::Prompt, Some(*prompt)));
    }
    let bytes: usize = texts.iter().map(|told| told.text.len()).sum();
    json!({
        "prompts": PROMPTS.min(prompts.len()),
        "texts": texts.len(),
        "with_reason": texts.iter().filter(|told| !told.reason.is_empty()).count(),
        "bytes": bytes,
        "tokens": bytes.div_ceil(BYTES_PER_TOKEN),
    })
}
