//! What is known about the client: which agent it is, its session, and the folders that it works in.

use std::path::PathBuf;

use agents::Agent;
use home::Env;
use serde_json::Value;

/// Overrides the project for every agent.
const PROJECT: &str = "PLIMSOLL_PROJECT";

/// The agent. The client's own name wins over the one on the command line, because several agents read each other's
/// configs.
pub(crate) fn agent(client: Option<&str>, named: Option<&'static dyn Agent>) -> Option<&'static dyn Agent> {
    client.and_then(agents::by_client_name).or(named)
}

/// The session ID in the environment.
pub(crate) fn session(env: &Env) -> Option<String> {
    let mut names = agents::all().iter().flat_map(|agent| agent.session_variables());
    names.find_map(|name| env.var(name)).map(str::to_owned)
}

/// The session ID in a call (`_meta` of Codex).
pub(crate) fn session_of_call(meta: &serde_json::Map<String, Value>) -> Option<String> {
    ["sessionId", "threadId"].iter().find_map(|key| meta.get(*key)?.as_str()).map(str::to_owned)
}

/// Folders that may be the project, best first.
pub(crate) fn project_candidates(roots: &[String], env: &Env) -> Vec<PathBuf> {
    let from_roots = roots.iter().filter_map(|uri| agents::path_of_file_url(uri));
    // Gemini CLI, Cursor and VS Code set Claude Code's variable, too.
    let of_agents = agents::all().iter().flat_map(|agent| agent.project_variables());
    let from_variables = std::iter::once(&PROJECT).chain(of_agents).filter_map(|name| env.path(name));
    from_roots.chain(from_variables).chain([env.cwd().to_owned()]).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn roots_come_before_variables_and_the_working_folder() {
        let env = Env::for_test("/home/dana").with("CLAUDE_PROJECT_DIR", "/proj/b").with_cwd("/proj/c");
        let roots =
            ["https://a.example".to_owned(), "file:///proj/a%20b".to_owned(), "file:///bad%2".to_owned()];
        let found = project_candidates(&roots, &env);
        assert_eq!(found, ["/proj/a b", "/proj/b", "/proj/c"].map(PathBuf::from));
    }
}
