//! Finds the agent that a user means by its id, its product name, or an alias. Only letters and digits count, in any case.
//! An ambiguous name returns every match; an unknown one returns similar names.

use crate::{Agent, all};

/// The agents that a name matches.
#[derive(Clone)]
pub enum NameMatch {
    /// One agent.
    One(&'static dyn Agent),
    /// Several agents have this name.
    Several(Vec<&'static dyn Agent>),
    /// None has it; these are similar, the closest first.
    None(Vec<&'static dyn Agent>),
}

/// The agents that users call `name`.
pub fn by_name(name: &str) -> NameMatch {
    let wanted = bare(name);
    let called = |agent: &&'static dyn Agent| names(*agent).contains(&wanted);
    let mut meant: Vec<&'static dyn Agent> = all().iter().copied().filter(called).collect();
    match (meant.pop(), meant.is_empty()) {
        (Some(only), true) => NameMatch::One(only),
        (Some(last), false) => {
            meant.push(last);
            NameMatch::Several(meant)
        }
        (None, _) => NameMatch::None(similar(&wanted)),
    }
}

/// The most suggestions for an unknown name.
const MAX_SUGGESTIONS: usize = 3;

fn similar(wanted: &str) -> Vec<&'static dyn Agent> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let allowed = wanted.chars().count().div_ceil(4);
    let distance = |agent: &'static dyn Agent| {
        let each = names(agent).into_iter().filter_map(|known| {
            // The start of a name, or a name with something after it.
            let part = wanted.len() > 2 && (known.starts_with(wanted) || wanted.contains(known.as_str()));
            if part {
                Some(0)
            } else {
                Some(strsim::damerau_levenshtein(&known, wanted)).filter(|d| *d <= allowed)
            }
        });
        each.min()
    };
    let mut near: Vec<_> = all().iter().filter_map(|agent| Some((distance(*agent)?, *agent))).collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(MAX_SUGGESTIONS).map(|(_, agent)| agent).collect()
}

fn names(agent: &'static dyn Agent) -> Vec<String> {
    [agent.id(), agent.name()].iter().chain(agent.aliases()).map(|name| bare(name)).collect()
}

/// Letters and digits in lower case.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(agents: &[&'static dyn Agent]) -> Vec<&'static str> {
        agents.iter().map(|agent| agent.id()).collect()
    }

    #[test]
    fn everyday_names_mean_one_agent() {
        for (names, id) in [
            (&["claude", "Claude Code", "claude_code", "CLAUDE-CODE", "claudecode"][..], "claude-code"),
            (&["codex", "Codex CLI", "openai-codex", "@openai/codex"], "codex"),
            (&["cursor", "Cursor", "cursor-agent"], "cursor"),
            (
                &["vscode", "code", "vs-code", "VS Code", "VS Code (Copilot)", "code-insiders", "vscodium"],
                "vscode-copilot",
            ),
            (&["copilot", "Copilot CLI", "copilot-cli"], "copilot-cli"),
            (&["antigravity", "agy"], "antigravity"),
            (&["kiro", "kiro-cli", "Kiro"], "kiro"),
            (&["opencode", "open-code", "OpenCode"], "opencode"),
            (&["gemini", "gemini-cli", "Gemini CLI"], "gemini-cli"),
        ] {
            for name in names {
                match by_name(name) {
                    NameMatch::One(agent) => assert_eq!(agent.id(), id, "{name}"),
                    NameMatch::Several(several) => panic!("{name}: {:?}", ids(&several)),
                    NameMatch::None(near) => panic!("{name} means nobody, near {:?}", ids(&near)),
                }
            }
        }
    }

    #[test]
    fn a_name_of_several_names_them_all() {
        for (name, wanted) in [
            ("github-copilot", &["vscode-copilot", "copilot-cli"][..]),
            ("GitHub Copilot", &["vscode-copilot", "copilot-cli"]),
            ("google", &["antigravity", "gemini-cli"]),
        ] {
            let NameMatch::Several(several) = by_name(name) else { panic!("{name}") };
            assert_eq!(ids(&several), wanted, "{name}");
        }
    }

    #[test]
    fn unknown_names_are_answered_with_what_looks_like_them() {
        for (name, first) in [
            ("cluade", Some("claude-code")),
            ("claud", Some("claude-code")),
            ("claude-desktop", Some("claude-code")),
            ("gemni", Some("gemini-cli")),
            ("copliot", Some("copilot-cli")),
            ("vscod", Some("vscode-copilot")),
            ("opencoed", Some("opencode")),
            ("emacs", None),
            ("heron", None),
            ("", None),
            ("--", None),
            ("…", None),
        ] {
            let NameMatch::None(near) = by_name(name) else { panic!("{name} means somebody") };
            assert_eq!(ids(&near).first().copied(), first, "{name}: {:?}", ids(&near));
        }
    }

    #[test]
    fn no_two_agents_have_a_name_by_accident() {
        for agent in all() {
            for name in [agent.id(), agent.name()] {
                assert!(matches!(by_name(name), NameMatch::One(one) if one.id() == agent.id()), "{name}");
            }
        }
    }
}
