//! An event's session if its payload doesn't name one: from the agent's variable, else from the agent's process. An event
//! without a session would count for every other one too.

use home::Env;

use crate::Agent;

/// Programs between an agent and its hooks.
const INTERMEDIATE_PROGRAMS: [&str; 10] =
    ["sh", "bash", "dash", "zsh", "fish", "ksh", "cmd", "powershell", "pwsh", crate::SERVER_KEY];

/// The session of an event that doesn't name one.
pub fn session_id(agent: &dyn Agent, env: &Env) -> Option<String> {
    let told = agent.session_variables().iter().find_map(|name| env.var(name)).map(str::to_owned);
    told.or_else(|| from_process(env))
}

/// The nearest ancestor process that isn't a shell. It lives as long as the session; a hook's shell doesn't.
fn from_process(env: &Env) -> Option<String> {
    let agent = env.callers().iter().find(|caller| {
        let program = caller.words.first().map(String::as_str).unwrap_or_default();
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default().trim_start_matches('-');
        let name = name.strip_suffix(".exe").unwrap_or(name);
        !name.is_empty() && !INTERMEDIATE_PROGRAMS.iter().any(|between| name.eq_ignore_ascii_case(between))
    })?;
    (agent.pid > 0).then(|| format!("process-{}", agent.pid))
}

/// The UUID in a transcript's name: `/home/ana/.claude/projects/-w-shop/<id>.jsonl`.
pub(crate) fn in_transcript(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '\\']).next()?;
    let id = name.split_once('.').map_or(name, |(id, _)| id);
    let parts: Vec<&str> = id.split('-').collect();
    let lengths = parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]);
    (lengths && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_id;
    use home::Caller;

    fn caller(pid: u32, words: &[&str]) -> Caller {
        Caller { pid, words: words.iter().map(|&word| word.to_owned()).collect(), ..Caller::default() }
    }

    #[test]
    fn a_transcript_names_its_session_only_by_a_uuid() {
        let id = "7c1e8a52-0b1d-4c6e-9f3a-1234567890ab";
        for (path, wanted) in [
            (format!("/home/ana/.claude/projects/-w-shop/{id}.jsonl"), Some(id)),
            (format!("C:\\Users\\ana\\.claude\\projects\\x\\{id}.jsonl"), Some(id)),
            (format!("/x/{id}"), Some(id)),
            ("/x/agent-7c1e8a52.jsonl".to_owned(), None),
            ("/x/7c1e8a52-0b1d-4c6e-9f3a-1234567890ag.jsonl".to_owned(), None),
            (format!("/x/{id}0.jsonl"), None),
            (String::new(), None),
        ] {
            assert_eq!(in_transcript(&path), wanted, "{path}");
        }
    }

    #[test]
    fn the_variable_comes_first_then_the_agents_process_whatever_shells_are_between() {
        let env = Env::for_test("/home/ana").with_callers(vec![
            caller(12, &["/bin/sh", "-c", "…"]),
            caller(11, &["-zsh"]),
            caller(10, &["node", "/usr/bin/cursor-agent"]),
            caller(1, &["init"]),
        ]);
        let of = |id: &str, env: &Env| session_id(by_id(id)?, env);
        assert_eq!(of("cursor", &env).as_deref(), Some("process-10"));
        let told = env.clone().with("CURSOR_TRACE_ID", "t-1").with("CLAUDE_SESSION_ID", "s-1");
        assert_eq!(of("cursor", &told).as_deref(), Some("t-1"));
        assert_eq!(of("claude-code", &told).as_deref(), Some("s-1"));
        // Another agent's variables in the environment don't count for this one.
        assert_eq!(of("kiro", &told).as_deref(), Some("process-10"));
        assert_eq!(of("cursor", &Env::for_test("/home/ana")), None);
        let hidden = Env::for_test("/home/ana").with_callers(vec![Caller::default()]);
        assert_eq!(of("cursor", &hidden), None);
    }
}
