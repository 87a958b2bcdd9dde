//! The person's deny rules, handed to the sandbox to be kept while a program runs: what stands behind a variable, a
//! script or a copy cannot be read from a command.
//!
//! Decides whether a run is confined at all (`[sandbox] enforce`), and by which rules. How that is done is the sandbox's
//! business, what a rule means that of `rules`.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use contract::{Error, ErrorCode};
use home::{Env, Settings};
use rules::{DenyMatcher, RuleSet};
use sandbox::Confine;
use sandbox::confine::{Access, Judge, NetworkAccess, Support, seatbelt, support};

use crate::{Call, Service};

/// What `[sandbox] enforce` and `network` say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// Rules are enforced where that works.
    pub(crate) wanted: bool,
    /// Where it does not work, nothing is run.
    pub(crate) insists: bool,
    pub(crate) reach: NetworkAccess,
}

impl Wishes {
    pub(crate) fn of(settings: &Settings) -> Wishes {
        let reach = match settings.sandbox.network.as_str() {
            "off" => NetworkAccess::Off,
            "public" => NetworkAccess::Public,
            _ => NetworkAccess::All,
        };
        let enforce = settings.sandbox.enforce.as_str();
        Wishes { wanted: enforce != "off", insists: enforce == "on", reach }
    }
}

/// The rules as they are asked while a program runs.
struct ByRules {
    /// The same rules, relative to each folder that a pattern may be relative to.
    anchored: Vec<DenyMatcher>,
}

impl ByRules {
    fn new(rules: &RuleSet, anchors: &[&Path], home: &Path) -> ByRules {
        let mut seen: Vec<&Path> = Vec::new();
        for anchor in anchors {
            if !seen.contains(anchor) {
                seen.push(anchor);
            }
        }
        ByRules { anchored: seen.iter().map(|anchor| DenyMatcher::new(rules, anchor, home)).collect() }
    }

    fn is_empty(&self) -> bool {
        self.anchored.iter().all(DenyMatcher::is_empty)
    }
}

impl Judge for ByRules {
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

/// The rules for a run; `None` where there is nothing to keep, or no means to.
///
/// # Errors
/// When the person wants no run that is not confined, and this computer cannot.
pub(crate) fn confine(
    wishes: Wishes,
    rules: &RuleSet,
    anchors: &[&Path],
    env: &Env,
) -> Result<Option<Confine>, Error> {
    if !wishes.wanted {
        return Ok(None);
    }
    let by_rules = ByRules::new(rules, anchors, env.home_dir());
    let nothing = by_rules.is_empty() && wishes.reach == NetworkAccess::All;
    if nothing && !wishes.insists {
        return Ok(None);
    }
    let able = match support() {
        Support::Yes(_) if cfg!(target_os = "macos") && wishes.reach == NetworkAccess::Public => {
            Support::No("seatbelt knows no ranges of addresses".into())
        }
        other => other,
    };
    match able {
        Support::Yes(_) if nothing => Ok(None),
        Support::Yes(_) => {
            let confine = Confine::new(Arc::new(by_rules), wishes.reach, path_of(env));
            Ok(Some(confine.required(wishes.insists || wishes.reach != NetworkAccess::All)))
        }
        // A network that was closed by hand stays closed.
        Support::No(why) if wishes.insists || wishes.reach != NetworkAccess::All => Err(Error::new(
            ErrorCode::Denied,
            format!(
                "nothing is run: [sandbox] enforce = \"on\" or network asks for confinement, which does not work here \
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
    /// The rules for what this call starts.
    ///
    /// # Errors
    /// See [`confine`].
    pub(crate) async fn confinement(&self, call: &Call) -> Result<Option<Confine>, Error> {
        let wishes = Wishes::of(self.settings());
        if !wishes.wanted {
            return Ok(None);
        }
        let rules = self.rules(call).await?;
        let (root, env) = (self.project().root, self.shared_env());
        confine(wishes, &rules, &[&root, env.cwd()], &env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_words_mean_what_they_say() {
        for (enforce, network, wanted) in [
            ("auto", "all", Wishes { wanted: true, insists: false, reach: NetworkAccess::All }),
            ("on", "off", Wishes { wanted: true, insists: true, reach: NetworkAccess::Off }),
            ("off", "public", Wishes { wanted: false, insists: false, reach: NetworkAccess::Public }),
            // A word that nobody knows is the default.
            ("maybe", "", Wishes { wanted: true, insists: false, reach: NetworkAccess::All }),
        ] {
            let mut settings = Settings::default();
            settings.sandbox.enforce = enforce.into();
            settings.sandbox.network = network.into();
            assert_eq!(Wishes::of(&settings), wanted, "{enforce} {network}");
        }
    }
}
