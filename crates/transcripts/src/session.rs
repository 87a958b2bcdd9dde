//! What one session used, by its agent's own record. Owns which transcripts can be about a session; reads those only.

use std::path::Path;

use home::Env;
use jiff::tz::TimeZone;

use crate::places::{Kind, Source, sources};
use crate::record::{Agent, Tokens};
use crate::scan::Scan;
use crate::totals::Totals;

/// What a model was given and gave in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// The model; empty when it is not recorded.
    pub model: String,
    /// The tokens.
    pub tokens: Tokens,
    /// Responses of the model.
    pub responses: u64,
}

/// Per model what a session used, the most first; nothing where the agent records none. `since_ms` is the session's
/// first sign, in milliseconds since 1970: what was recorded before was copied from an earlier one.
pub fn used(env: &Env, agent: &str, session: &str, since_ms: i64) -> Vec<Used> {
    let Some(agent) = Agent::ALL.into_iter().find(|known| known.id() == agent) else { return Vec::new() };
    let mut about = sources(env, since_ms);
    about.retain(|source| source.agent == agent && may_hold(source, session));
    let mut totals = Totals::new(TimeZone::UTC);
    Scan::of(about, since_ms).sum_up(&mut totals);
    let mut models: Vec<Used> = Vec::new();
    for (row, spent) in totals.rows().into_iter().filter(|(row, _)| row.session == session) {
        match models.iter_mut().find(|used| used.model == row.model) {
            Some(used) => {
                used.tokens = used.tokens.plus(&spent.tokens);
                used.responses += spent.responses;
            }
            None => {
                models.push(Used { model: row.model, tokens: spent.tokens, responses: spent.responses });
            }
        }
    }
    models.sort_by_key(|used| std::cmp::Reverse(used.tokens.total()));
    models
}

/// Whether the session's records can be in this source: files are named by the session they hold, Gemini CLI's by the
/// beginning of its name; databases and telemetry hold many.
fn may_hold(source: &Source, session: &str) -> bool {
    if !matches!(source.kind, Kind::File(_)) || source.agent == Agent::CopilotCli {
        return true;
    }
    let part = match source.agent {
        Agent::GeminiCli => session.get(..8).unwrap_or(session),
        _ => session,
    };
    let holds = |name: &Path| name.to_string_lossy().contains(part);
    !part.is_empty() && source.path.iter().any(|name| holds(Path::new(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_summed_up_by_model() {
        let home =
            Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tests/fixtures/home");
        let env = Env::for_test(&home);
        for (agent, session) in [
            ("claude-code", "fd0d8aa4-c7fb-404a-b51b-800d38797b7a"),
            ("codex", "01a201e7-8f9e-7db2-8bbb-87e91fb465e1"),
        ] {
            let used = used(&env, agent, session, 0);
            assert!(!used.is_empty(), "{agent}");
            assert!(used.iter().all(|model| model.tokens.total() > 0 && model.responses > 0), "{used:?}");
            assert!(used[0].tokens.total() >= used[used.len() - 1].tokens.total());
        }
        let of = |session: &str| {
            let mut totals = Totals::new(TimeZone::UTC);
            Scan::new(&env, 0).sum_up(&mut totals);
            totals.by(|row| row.session.clone()).get(session).map(|spent| spent.responses)
        };
        let first = "dd50ecaf-3be7-49c8-b224-0fda425ae0ee";
        let all = used(&env, "claude-code", first, 0);
        assert_eq!(Some(all.iter().map(|used| used.responses).sum::<u64>()), of(first));
        // What was recorded before the session began was copied into it.
        assert_eq!(used(&env, "claude-code", first, i64::MAX), []);
        for (agent, session) in [("claude-code", ""), ("claude-code", "no-such"), ("cursor", "x"), ("", "")] {
            assert_eq!(used(&env, agent, session, 0), [], "{agent} {session}");
        }
    }
}
