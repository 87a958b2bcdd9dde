//! The list of agents, how to look one up, and the rules of an agent for a start folder.

use std::path::Path;
use std::sync::OnceLock;

use home::Env;
use rules::{Effect, Precedence, RuleSet};

use crate::plugin::PluginFile;
use crate::{
    Agent, antigravity, claude_code, codex, copilot_cli, cursor, gemini_cli, kiro, opencode, vscode,
};

/// Every agent, in display order.
pub static AGENTS: &[&dyn Agent] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &cursor::Cursor,
    &vscode::VsCode,
    &copilot_cli::CopilotCli,
    &antigravity::Antigravity,
    &kiro::Kiro,
    &opencode::OpenCode,
    &gemini_cli::GeminiCli,
];

/// A test's list with an agent of its own.
static TEST_AGENTS: OnceLock<&[&dyn Agent]> = OnceLock::new();

/// Every agent of this process.
pub fn all() -> &'static [&'static dyn Agent] {
    TEST_AGENTS.get().copied().unwrap_or(AGENTS)
}

/// Every file of the agents' plugins at version `version`.
pub fn plugin_files(version: &str) -> Vec<PluginFile> {
    all().iter().flat_map(|agent| agent.plugin_files(version)).collect()
}

/// Replaces [`AGENTS`] for a test that adds an agent, in the whole process. Only the first call counts.
pub fn override_for_test(agents: &'static [&'static dyn Agent]) {
    let _ = TEST_AGENTS.set(agents);
}

/// The agent with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Agent> {
    all().iter().copied().find(|agent| agent.id() == id)
}

/// The agent whose MCP client introduces itself with `name` (prefix, any case).
pub fn by_client_name(name: &str) -> Option<&'static dyn Agent> {
    let name = name.to_lowercase();
    all().iter().copied().find(|agent| agent.client_names().iter().any(|known| name.starts_with(known)))
}

/// The user's rules for an agent started in `start`: those of that folder, and what else the repository's root forbids.
/// An agent reads one or the other; what either forbids is left to the agent's own tools.
pub fn rules_from(agent: &dyn Agent, env: &Env, start: &Path) -> RuleSet {
    let mut set = agent.rules(env, start);
    let root = home::git_root(start).filter(|root| root != start);
    let Some(root) = root.filter(|_| set.precedence == Precedence::Strictest) else { return set };
    let RuleSet { rules, broken, .. } = agent.rules(env, &root);
    for rule in rules.into_iter().filter(|rule| rule.effect != Effect::Allow) {
        if !set.rules.contains(&rule) {
            set.rules.push(rule);
        }
    }
    for layer in broken {
        if !set.broken.contains(&layer) {
            set.broken.push(layer);
        }
    }
    set
}
