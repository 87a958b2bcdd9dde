//! Whether a Gemini CLI call may be a subagent's. Its hooks can't tell: a subagent's calls carry the main conversation's
//! session and transcript (measured on 0.61.0). The conversation files can: a subagent's is in a folder named after the
//! session, beside the main one, and is the one being written while the subagent runs; the main one is written again
//! after the subagent ends, before the next call.

use std::path::{Component, Path};
use std::time::SystemTime;

use crate::Event;

/// Conversations that are checked; with more, the answer is "maybe".
const MAX_CONVERSATIONS: usize = 2_000;

/// Whether the call may be a subagent's: one of their conversations is newer than the main one, or nothing can be
/// determined.
pub(super) fn may_be_subagent(event: &Event) -> bool {
    let (Some(transcript), Some(session)) = (event.transcript.as_deref(), event.session.as_deref()) else {
        return true;
    };
    let Some(main) = last_written(transcript) else { return true };
    let mut parts = Path::new(session).components();
    let (Some(Component::Normal(folder)), None) = (parts.next(), parts.next()) else { return true };
    let Ok(subagents) = std::fs::read_dir(transcript.with_file_name(folder)) else { return false };
    let mut seen = 0;
    for subagent in subagents.flatten() {
        seen += 1;
        if seen > MAX_CONVERSATIONS || last_written(&subagent.path()).is_none_or(|at| at >= main) {
            return true;
        }
    }
    false
}

/// When a conversation was last written.
fn last_written(path: &Path) -> Option<SystemTime> {
    // Older versions keep subagents' conversations elsewhere, in files that end in `.json`.
    let lines = path.extension().is_some_and(|ending| ending == "jsonl");
    std::fs::metadata(path).ok().filter(|meta| lines && meta.is_file())?.modified().ok()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::{EventKind, payload};

    fn event(transcript: Option<PathBuf>, session: &str) -> Event {
        let value = serde_json::json!({"session_id": session});
        Event {
            transcript,
            ..payload::snake_case_event("gemini-cli", "BeforeTool", EventKind::PreTool, &value)
        }
    }

    #[test]
    fn the_conversation_written_last_decides_whose_call_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let main = dir.path().join("session-2026-11-23T00-12-9ef6e571.jsonl");
        let sub = dir.path().join("9ef6e571-05ca");
        let at = |path: &Path, seconds: u64| {
            let file = File::options().create(true).append(true).open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        };
        let asked = |session: &str| may_be_subagent(&event(Some(main.clone()), session));
        assert!(asked("9ef6e571-05ca"), "nothing is kept, so nothing can be told");
        at(&main, 100);
        assert!(!asked("9ef6e571-05ca"), "there was no subagent yet");
        std::fs::create_dir(&sub).unwrap();
        assert!(!asked("9ef6e571-05ca"));
        at(&sub.join("one.jsonl"), 101);
        assert!(asked("9ef6e571-05ca"), "a subagent is at work");
        at(&main, 102);
        assert!(!asked("9ef6e571-05ca"), "it has ended");
        at(&sub.join("two.jsonl"), 102);
        assert!(asked("9ef6e571-05ca"), "at the same moment nobody knows");
        assert!(!asked("another-session"));
        for odd in ["../9ef6e571-05ca", "/", "", ".."] {
            assert!(asked(odd), "{odd}");
        }
        assert!(may_be_subagent(&event(None, "9ef6e571-05ca")));
        let old = dir.path().join("session-2026-01-01.json");
        at(&old, 300);
        assert!(may_be_subagent(&event(Some(old), "9ef6e571-05ca")));
    }
}
