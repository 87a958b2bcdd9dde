//! What a person asks to be remembered in so many words ("remember that …", "from now on …", "we decided …") or corrects ("no, we
//! use …"): it is put into the review queue, word for word, and reaches no agent before the person kept it, or said it again in
//! another session where the setting says that this is enough. What a tool printed, a page said or an agent wrote proposes
//! nothing: only the person's own sentences are looked at, without code, quotations and questions. They are heard with the prompt,
//! and once more, for what was missed, when a conversation is compacted or ends: out of the agent's own transcript.
//!
//! Runs after the hook's answer is out; what fails is nothing to propose.

mod phrases;

use agents::{Event, EventKind};
use home::{Clock, Home, Project, Settings};
use serde_json::Value;
use system::without_secrets;

use crate::domain::{Domain, Namespace, Status, Trust, project_key};
use crate::session::notes;
use crate::store::{Draft, NewMemory, Secrets, SqliteStore, Store, Who};

/// One prompt proposes at most so many.
const MOST: usize = 3;
/// So many of a transcript, the last.
const MOST_HEARD: usize = 12;
/// So much of a transcript is read, from its end: what a hook has the time for.
const HEARD_BYTES: u64 = 1 << 20;

/// The sentences of a prompt that ask to be remembered, with what each is about.
fn stated(prompt: &str) -> Vec<(String, Namespace)> {
    let mut found: Vec<(String, Namespace)> = Vec::new();
    // Some command lines put a prompt into quotes.
    let whole = prompt.trim().strip_prefix('"').and_then(|prompt| prompt.strip_suffix('"'));
    for sentence in notes::own_sentences(whole.unwrap_or(prompt)) {
        let Some(namespace) = phrases::about(&sentence) else { continue };
        if !found.iter().any(|(known, _)| *known == sentence) {
            found.push((sentence, namespace));
        }
    }
    found.truncate(MOST);
    found
}

/// What the transcript of a conversation that is compacted or ends has of the same.
fn heard(event: &Event) -> Vec<(String, Namespace)> {
    let Some(transcript) = &event.transcript else { return Vec::new() };
    let prompts = match agents::typed_prompts(event.agent, transcript, HEARD_BYTES) {
        Ok(prompts) => prompts,
        Err(error) => {
            log::info!("{}: {error}", transcript.display());
            return Vec::new();
        }
    };
    let mut found: Vec<(String, Namespace)> = Vec::new();
    for prompt in prompts {
        let of_prompt = Event { prompt: Some(prompt), ..event.clone() };
        // Private spans and secrets first, as of a prompt.
        let own = without_secrets(&of_prompt).prompt.as_deref().map(stated).unwrap_or_default();
        found.retain(|(known, _)| !own.iter().any(|(sentence, _)| sentence == known));
        found.extend(own);
    }
    found.split_off(found.len().saturating_sub(MOST_HEARD))
}

/// Puts what a person asked to be remembered into the review queue.
pub(crate) fn after(home: &Home, event: &Event) {
    if event.subagent {
        return;
    }
    let (found, source) = match event.kind {
        EventKind::Prompt => {
            (without_secrets(event).prompt.as_deref().map(stated).unwrap_or_default(), Source::Prompt)
        }
        EventKind::PreCompact | EventKind::PostCompact | EventKind::SessionEnd if is_wanted(home) => {
            (heard(event), Source::Transcript)
        }
        _ => return,
    };
    if found.is_empty() || !is_wanted(home) {
        return;
    }
    if let Err(error) = propose(home, event, &found, source) {
        log::info!("nothing was proposed: {error}");
    }
}

fn is_wanted(home: &Home) -> bool {
    is_on(home, "memory.propose")
}

fn is_on(home: &Home, setting: &str) -> bool {
    Settings::load(home).unwrap_or_default().own(setting).and_then(Value::as_bool).unwrap_or(true)
}

/// Where a sentence was heard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Prompt,
    Transcript,
}

fn propose(
    home: &Home,
    event: &Event,
    found: &[(String, Namespace)],
    source: Source,
) -> crate::store::Result<()> {
    let root = event.project.as_ref().or(event.cwd.as_ref());
    let project = root.and_then(|root| Project::at(root).ok());
    let domain = if project.is_some() { Domain::Project } else { Domain::User };
    let who = Who {
        at_ms: Clock::system().now_ms(),
        client: Some(event.agent.to_owned()),
        session: event.session.clone(),
    };
    let confirms = is_on(home, "memory.confirm");
    let mut store = SqliteStore::open(&crate::place::database(home))?;
    for (sentence, namespace) in found {
        let draft = Draft {
            project: project.as_ref().map(project_key),
            source: Some(if source == Source::Prompt { "a prompt" } else { "a transcript" }.into()),
            client: who.client.clone(),
            session: who.session.clone(),
            trust: Trust::User,
            status: Status::Pending,
            ..Draft::new(sentence.as_str(), *namespace, domain)
        };
        let new = draft.check(Secrets::Redact)?;
        if is_new(&store, &new, source, confirms)? {
            store.capture(&new, &who)?;
        }
    }
    Ok(())
}

/// Whether a proposal says anything that is not known. A transcript may be a copy of an earlier session's, so that what stands in it
/// a second time was not said a second time; and what was dropped is not proposed again by reading it again.
fn is_new(
    store: &SqliteStore,
    new: &NewMemory,
    source: Source,
    confirms: bool,
) -> crate::store::Result<bool> {
    Ok(match store.status_of(new)? {
        None => true,
        Some(_) if source == Source::Transcript => false,
        Some(Status::Pending) => confirms,
        Some(_) => true,
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
