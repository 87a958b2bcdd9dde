//! All agents' own records of their sessions. Each agent's folder owns which files those are and how they are read
//! ([`Agent::transcripts`](crate::Agent::transcripts)).

use std::path::Path;

use home::Env;
use transcripts::{Format, ModelUsage, Source};

/// Every transcript on this computer written at or after `since_ms` (milliseconds since 1970), in a stable order: by agent
/// in display order, then by path. What can't be listed is left out.
pub fn transcript_sources(env: &Env, since_ms: i64) -> Vec<Source> {
    crate::all().iter().flat_map(|agent| agent_sources(*agent, env, since_ms)).collect()
}

fn agent_sources(agent: &dyn crate::Agent, env: &Env, since_ms: i64) -> Vec<Source> {
    let mut found = agent.transcripts(env);
    found.retain(|source| source.modified_ms >= since_ms);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|a, b| a.path == b.path);
    found
}

/// A session's usage per model, the most first; empty if the agent records none. `since_ms` is the session's first event,
/// in milliseconds since 1970: earlier records were copied from another session.
pub fn model_usage(env: &Env, agent: &str, session: &str, since_ms: i64) -> Vec<ModelUsage> {
    let Some(agent) = crate::by_id(agent) else { return Vec::new() };
    transcripts::model_usage(agent_sources(agent, env, since_ms), session, since_ms)
}

/// The prompts that the user typed, first to last, from the end of the agent's transcript; empty if it has no readable
/// transcript or doesn't tell the user's words from others'.
///
/// # Errors
/// If the file can't be read.
pub fn typed_prompts(agent: &str, transcript: &Path, most: u64) -> std::io::Result<Vec<String>> {
    let document = transcript.extension().is_some_and(|ending| ending == "json");
    let formats = crate::by_id(agent).map(crate::Agent::formats).unwrap_or_default();
    match formats.iter().find(|format| format.document == document) {
        Some(format) => transcripts::prompts(transcript, format, most),
        None => Ok(Vec::new()),
    }
}

/// Every line format that an agent writes or wrote.
pub fn transcript_formats() -> Vec<&'static Format> {
    crate::all().iter().flat_map(|agent| agent.formats()).copied().collect()
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use transcripts::{Scan, Totals};

    use super::*;

    #[test]
    fn a_session_is_summed_up_by_model() {
        let home = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("tests/transcripts/fixtures/home");
        let env = Env::for_test(&home);
        for (agent, session) in [
            ("claude-code", "fd0d8aa4-c7fb-404a-b51b-800d38797b7a"),
            ("codex", "01a201e7-8f9e-7db2-8bbb-87e91fb465e1"),
        ] {
            let used = model_usage(&env, agent, session, 0);
            assert!(!used.is_empty(), "{agent}");
            assert!(used.iter().all(|model| model.tokens.total() > 0 && model.responses > 0), "{used:?}");
            assert!(used[0].tokens.total() >= used[used.len() - 1].tokens.total());
        }
        let of = |session: &str| {
            let mut totals = Totals::new(TimeZone::UTC);
            Scan::of(transcript_sources(&env, 0), 0).sum_up(&mut totals);
            totals.by(|row| row.session.clone()).get(session).map(|spent| spent.responses)
        };
        let first = "dd50ecaf-3be7-49c8-b224-0fda425ae0ee";
        let all = model_usage(&env, "claude-code", first, 0);
        assert_eq!(Some(all.iter().map(|used| used.responses).sum::<u64>()), of(first));
        // Records from before the session began were copied into it.
        assert_eq!(model_usage(&env, "claude-code", first, i64::MAX), []);
        for (agent, session) in [("claude-code", ""), ("claude-code", "no-such"), ("cursor", "x"), ("", "")] {
            assert_eq!(model_usage(&env, agent, session, 0), [], "{agent} {session}");
        }
    }
}
