//! Runs checkers after edits, if the setting is on: a server polls each second for edits that hooks noted, and has a worker run the
//! checkers. Asks the editing agent's rules every time.

use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::Value;
use system::{Call, CallContext, Cancelled, Host};

use super::checkers::{Checker, LANGUAGES, Language, find};
use super::results::{self, CheckRequest};
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
            run_requested(&place, &host, *language, &wanted).await;
        }
    }
}

/// Starts what is wanted and not there yet.
async fn run_requested(
    place: &IndexLocation,
    host: &Arc<dyn Host>,
    language: Language,
    wanted: &CheckRequest,
) {
    let results = results::load(&place.db);
    let checkers: Vec<Checker> = checkers(place, host, language, &wanted.path)
        .into_iter()
        .filter(|one| {
            let done = results.runs.get(&one.key(&place.root));
            done.is_none_or(|run| run.started_ms < wanted.at_ms)
        })
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
        // It goes on by itself.
        run(place, Task::Check(words), Duration::ZERO, &Cancelled::never());
    }
}

fn checkers(place: &IndexLocation, host: &Arc<dyn Host>, language: Language, path: &str) -> Vec<Checker> {
    let env = host.env();
    let found = find(&place.root, &place.file(path), env.path_var().as_ref(), env.os());
    found.checkers.into_iter().filter(|one| one.kind.language() == language).collect()
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
