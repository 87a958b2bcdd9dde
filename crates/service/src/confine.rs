//! Turns the user's deny rules into what the sandbox enforces while a program runs, because a command line doesn't
//! show what a variable, a script or a copy resolves to.
//!
//! Decides whether a run is confined at all (`[sandbox] enforce`) and by which rules. The sandbox knows how to
//! confine, `rules` what a rule means.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use contract::{Error, ErrorCode};
use home::{Env, Settings};
use rules::{DenyMatcher, RuleSet};
use sandbox::Confine;
use sandbox::confine::{Access, Judge, NetworkAccess, Support, seatbelt, support};

use crate::{Call, Service};

/// The settings `[sandbox] enforce` and `network`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConfinePolicy {
    /// Enforce the rules wherever the system supports it.
    pub(crate) enabled: bool,
    /// Refuse to run where it doesn't.
    pub(crate) required: bool,
    pub(crate) network: NetworkAccess,
}

impl ConfinePolicy {
    pub(crate) fn of(settings: &Settings) -> ConfinePolicy {
        let network = match settings.sandbox.network.as_str() {
            "off" => NetworkAccess::Off,
            "public" => NetworkAccess::Public,
            _ => NetworkAccess::All,
        };
        let enforce = settings.sandbox.enforce.as_str();
        ConfinePolicy { enabled: enforce != "off", required: enforce == "on", network }
    }
}

/// Answers the sandbox's questions from a rule set.
struct RuleJudge {
    /// The same rules, relative to each folder that a pattern may be relative to.
    anchored: Vec<DenyMatcher>,
}

impl RuleJudge {
    fn new(rules: &RuleSet, anchors: &[&Path], home: &Path) -> RuleJudge {
        let mut seen: Vec<&Path> = Vec::new();
        for anchor in anchors {
            if !seen.contains(anchor) {
                seen.push(anchor);
            }
        }
        RuleJudge { anchored: seen.iter().map(|anchor| DenyMatcher::new(rules, anchor, home)).collect() }
    }

    fn is_empty(&self) -> bool {
        self.anchored.iter().all(DenyMatcher::is_empty)
    }
}

impl Judge for RuleJudge {
    fn match_program(&self, real: &Path, words: &[String]) -> Option<String> {
        let hit = self.anchored.first()?.match_program(real, words)?;
        Some(format!("starting `{}`: {hit}", words.join(" ").chars().take(120).collect::<String>()))
    }

    fn match_file(&self, real: &Path, access: Access) -> Option<String> {
        let hit = self.anchored.iter().find_map(|rules| match access {
            Access::Read => rules.match_read(real),
            Access::Write => rules.match_write(real),
        })?;
        let doing = if access == Access::Read { "reading" } else { "changing" };
        Some(format!("{doing} {}: {hit}", real.display()))
    }

    fn has_file_rules(&self) -> bool {
        self.anchored.iter().any(DenyMatcher::has_file_rules)
    }

    fn programs(&self) -> Vec<String> {
        self.anchored.first().map(DenyMatcher::programs).unwrap_or_default()
    }

    fn denied(&self) -> seatbelt::Denied {
        let mut denied = seatbelt::Denied { programs: self.programs(), ..seatbelt::Denied::default() };
        for rules in &self.anchored {
            let (reads, writes) = rules.path_expressions();
            denied.reads.extend(reads);
            denied.writes.extend(writes);
        }
        denied
    }
}

/// The confinement of a run; `None` if there is nothing to enforce or no way to enforce it.
///
/// # Errors
/// If the settings insist on confinement and this system doesn't support it.
pub(crate) fn confine(
    policy: ConfinePolicy,
    rules: &RuleSet,
    anchors: &[&Path],
    env: &Env,
) -> Result<Option<Confine>, Error> {
    if !policy.enabled {
        return Ok(None);
    }
    let judge = RuleJudge::new(rules, anchors, env.home_dir());
    let nothing = judge.is_empty() && policy.network == NetworkAccess::All;
    if nothing && !policy.required {
        return Ok(None);
    }
    let supported = match support() {
        Support::Yes(_) if cfg!(target_os = "macos") && policy.network == NetworkAccess::Public => {
            Support::No("seatbelt knows no ranges of addresses".into())
        }
        other => other,
    };
    match supported {
        Support::Yes(_) if nothing => Ok(None),
        Support::Yes(_) => {
            let confine = Confine::new(Arc::new(judge), policy.network, path_of(env));
            Ok(Some(confine.required(policy.required || policy.network != NetworkAccess::All)))
        }
        // If the user restricted the network, it stays restricted.
        Support::No(why) if policy.required || policy.network != NetworkAccess::All => Err(Error::new(
            ErrorCode::Denied,
            format!(
                "nothing is run: [sandbox] enforce = \"on\" or network asks for confinement, which doesn't work here \
                 ({why}); use your own tool, or let the user set enforce to \"auto\" and network to \"all\""
            ),
        )),
        Support::No(_) => Ok(None),
    }
}

fn path_of(env: &Env) -> Option<&OsStr> {
    env.vars().find(|(name, _)| name.eq_ignore_ascii_case("PATH")).map(|(_, value)| value)
}

impl Service {
    /// The confinement of the programs that this call starts.
    ///
    /// # Errors
    /// See [`confine`].
    pub(crate) async fn confinement(&self, call: &Call) -> Result<Option<Confine>, Error> {
        let policy = ConfinePolicy::of(self.settings());
        if !policy.enabled {
            return Ok(None);
        }
        let rules = self.rules(call).await?;
        let (root, env) = (self.project().root, self.shared_env());
        confine(policy, &rules, &[&root, env.cwd()], &env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_values_are_parsed() {
        for (enforce, network, wanted) in [
            ("auto", "all", ConfinePolicy { enabled: true, required: false, network: NetworkAccess::All }),
            ("on", "off", ConfinePolicy { enabled: true, required: true, network: NetworkAccess::Off }),
            (
                "off",
                "public",
                ConfinePolicy { enabled: false, required: false, network: NetworkAccess::Public },
            ),
            // An unknown word counts as the default.
            ("maybe", "", ConfinePolicy { enabled: true, required: false, network: NetworkAccess::All }),
        ] {
            let mut settings = Settings::default();
            settings.sandbox.enforce = enforce.into();
            settings.sandbox.network = network.into();
            assert_eq!(ConfinePolicy::of(&settings), wanted, "{enforce} {network}");
        }
    }
}
