//! Runs checkers after edits, if the setting is on: a server polls each second for edits that hooks noted, and has a worker run the
//! checkers. Asks the editing agent's rules every time.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::Value;
use system::{Call, CallContext, Cancelled, Host};

use super::checkers::{Checker, find};
use super::kinds::{LANGUAGES, Language};
use super::results::{self, CheckRequest, Results};
use crate::index::{IndexLocation, Task, run};

/// The setting.
pub(crate) const SETTING: &str = "codebase.diagnostics";
/// The polling interval.
const PAUSE: Duration = Duration::from_secs(1);
/// An edit is rarely alone.
const QUIET_MS: i64 = 800;

/// Begins, where it's switched on.
pub(crate) fn watch_edits(host: &Arc<dyn Host>) {
    let is_on = host.settings().own(SETTING).and_then(Value::as_bool) == Some(true);
    // Nobody waits here where no server runs.
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
    if !is_on || !host.has_project() {
        return;
    }
    let (place, weak) = (IndexLocation::new(host.home(), &host.project()), Arc::downgrade(host));
    runtime.spawn(watch(place, weak));
}

async fn watch(place: IndexLocation, host: Weak<dyn Host>) {
    // What was seen to, so that nothing that fails is tried again and again.
    let mut seen = [0_i64; LANGUAGES.len()];
    let mut begun = Begun::default();
    loop {
        tokio::time::sleep(PAUSE).await;
        let Some(host) = host.upgrade() else { return };
        for (language, seen) in LANGUAGES.iter().zip(&mut seen) {
            let Some(wanted) =
                results::requested_check(&place.db, *language).filter(|wanted| wanted.at_ms > *seen)
            else {
                continue;
            };
            if host.now_ms().saturating_sub(wanted.at_ms) < QUIET_MS {
                continue;
            }
            *seen = wanted.at_ms;
            run_requested(&place, &host, *language, &wanted, &mut begun).await;
        }
    }
}

/// When each checker was started, by its key.
#[derive(Default)]
struct Begun(HashMap<String, i64>);

impl Begun {
    /// Whether a checker should be started for what is wanted since `at_ms`: no run that began later is stored or going on. One
    /// that checks two languages is wanted twice.
    fn is_due(&self, results: &Results, key: &str, at_ms: i64) -> bool {
        results.runs.get(key).is_none_or(|run| run.started_ms < at_ms)
            && self.0.get(key).is_none_or(|begun| *begun < at_ms)
    }
}

/// Starts what is wanted and not there yet.
async fn run_requested(
    place: &IndexLocation,
    host: &Arc<dyn Host>,
    language: Language,
    wanted: &CheckRequest,
    begun: &mut Begun,
) {
    let results = results::load(&place.db);
    let checkers: Vec<Checker> = checkers(place, host, language, &wanted.path)
        .into_iter()
        .filter(|one| begun.is_due(&results, &one.key(&place.root), wanted.at_ms))
        .collect();
    let call =
        Call { agent: agents::by_id(&wanted.agent), session: "after an edit".into(), ..Call::from_user() };
    // An unknown agent has no rules to ask.
    if call.agent.is_none() || checkers.is_empty() {
        return;
    }
    let mut allowed = Vec::new();
    for one in checkers {
        let at = CallContext { host: Arc::clone(host), call: call.clone() };
        match may_run(&at, place, &one).await {
            Ok(_) => allowed.push(one),
            Err(error) => log::info!("{} isn't run: {error}", one.short()),
        }
    }
    if let Some(words) = super::run::words(&allowed).filter(|words| !words.is_empty()) {
        let now = host.now_ms();
        begun.0.extend(allowed.iter().map(|one| (one.key(&place.root), now)));
        // It goes on by itself.
        run(place, Task::Check(words), Duration::ZERO, &Cancelled::never());
    }
}

fn checkers(place: &IndexLocation, host: &Arc<dyn Host>, language: Language, path: &str) -> Vec<Checker> {
    let env = host.env();
    let found = find(&place.root, &place.file(path), env.path_var().as_ref(), env.os());
    found.checkers.into_iter().filter(|one| one.kind.checks(language)).collect()
}

/// Whether the user's rules allow this checker, by its command line.
///
/// # Errors
/// When they forbid it, or want to be asked.
pub(crate) async fn may_run(
    at: &CallContext,
    place: &IndexLocation,
    checker: &Checker,
) -> Result<bool, contract::Error> {
    let line = checker.line(place);
    Arc::clone(&at.host).may_run(at.call.clone(), line, checker.folder.clone()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checker_of_two_languages_is_started_once_for_the_edits_of_both() {
        let (mut begun, mut results) = (Begun::default(), Results::default());
        assert!(begun.is_due(&results, "eslint ", 10), "of TypeScript");
        begun.0.insert("eslint ".into(), 20);
        assert!(!begun.is_due(&results, "eslint ", 12), "of JavaScript, a moment later");
        assert!(begun.is_due(&results, "tsc ", 12), "another one");
        assert!(begun.is_due(&results, "eslint ", 25), "an edit since it began");
        // Another server's run.
        results.runs.entry("eslint ".into()).or_default().started_ms = 30;
        assert!(!begun.is_due(&results, "eslint ", 25));
    }
}
