//! Proposes memories from what the user asks to remember ("remember that …", "from now on …", "we decided …"), decides
//! with a reason ("let's use X instead of Y"), rules ("never log customers' addresses") or corrects ("no, we use …"). A
//! proposal goes into the review queue word for word. It reaches no agent until the user keeps it, or repeats it in
//! another session if the setting allows that. Only the user's own sentences count, without code, quotations and
//! questions; tool output, pages and agents propose nothing. What a later sentence of the same conversation takes back
//! is withdrawn. Prompts are read as they are sent, and the agent's own transcript when a conversation is compacted or
//! ends, for what was missed.
//!
//! Runs after the hook has answered; an error means no proposal.

mod calendar_signs;
mod choice_signs;
mod choices;
mod clauses;
mod consequences;
mod corrections;
mod fact_limits;
mod fact_signs;
mod fact_subjects;
mod facts;
mod fault_signs;
mod limits;
mod occasions;
mod order_signs;
mod orders_once;
mod others_texts;
mod people;
mod phrases;
mod plain_secrets;
mod pointing;
mod practice_signs;
mod practices;
mod profile;
mod reversal;
mod screen_wishes;
mod seen_states;
mod signs;
mod speakers_moment;
mod standing;
mod standing_signs;
mod statement;
mod task_bounds;
mod versions;
mod way_signs;
mod ways;

use std::path::Path;

use agents::{Event, EventKind};
use home::{Clock, Home, Project, Settings};
use serde_json::Value;
use system::without_secrets;

use crate::domain::{Domain, Namespace, Status, Trust, project_key};
use crate::query::Scope;
use crate::session::extract;
use crate::store::{Actor, Draft, NewMemory, Secrets, SqliteStore, Store};
use crate::work_tree::{WorkTree, keys_here};

use statement::Plainness;

/// Maximum number of proposals per prompt.
const MAX_PER_PROMPT: usize = 3;
/// Maximum number of sentences in one prompt that only their form makes a rule or decision; more are a document.
const MAX_MEANT: usize = 4;
/// Maximum number of proposals per transcript, the last ones.
const MAX_PER_TRANSCRIPT: usize = 12;
/// The length from which a prompt may have something pasted in it, in bytes. Who pastes a text twice asks for nothing in it.
const MIN_PASTED: usize = 600;
/// How the mark begins that a secret is replaced by.
const REDACTION: &str = "[redacted:";
/// How much of a transcript's end is read: as much as a hook has time for.
const TRANSCRIPT_BYTES: u64 = 1 << 20;

/// The sentences of a prompt that ask to be remembered, with their namespaces.
fn prompt_statements(prompt: &str) -> Vec<(String, Namespace)> {
    let mut found: Vec<(String, Namespace)> = Vec::new();
    // Some command lines quote a prompt.
    let whole = prompt.trim().strip_prefix('"').and_then(|prompt| prompt.strip_suffix('"'));
    let own = whole.unwrap_or(prompt);
    if is_command(own) {
        return found;
    }
    let mut sentences = extract::own_sentences(own);
    let end = sentences.iter().position(others_texts::begins_text).unwrap_or(sentences.len());
    sentences.truncate(end);
    let handed_over = sentences.iter().position(others_texts::hands_over).unwrap_or(sentences.len());
    let mut all: Vec<(String, (Namespace, Plainness))> = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        if let Some(about) = statement::about(sentence) {
            let is_task = || sentences.get(at + 1).is_some_and(task_bounds::is_taken_up);
            if about.1 == Plainness::Said || at < handed_over && !is_task() {
                all.push((sentence.text.clone(), about));
            }
        } else if let Some(before) = at.checked_sub(1).and_then(|before| sentences.get(before))
            && let Some(namespace) = statement::namespace_of_previous(before, sentence)
        {
            all.push((before.text.clone(), (namespace, Plainness::Said)));
        }
    }
    let meant = all.iter().filter(|(_, (_, plainness))| *plainness == Plainness::Meant).count();
    for (sentence, (namespace, plainness)) in all {
        let is_pasted = meant > MAX_MEANT && plainness == Plainness::Meant;
        if !is_pasted && !found.iter().any(|(known, _)| *known == sentence) {
            found.push((sentence, namespace));
        }
    }
    found.truncate(MAX_PER_PROMPT);
    found
}

/// Whether a prompt is a command to the agent's program: what follows `/compact` concerns this conversation.
fn is_command(prompt: &str) -> bool {
    let first = prompt.split_whitespace().next().unwrap_or_default();
    first.strip_prefix('/').is_some_and(|name| !name.is_empty() && !name.contains(['/', '.']))
}

/// The sentences of a prompt that take back an earlier one.
fn prompt_reversals(prompt: &str) -> Vec<String> {
    let sentences = extract::own_sentences(prompt).into_iter().filter(|sentence| !sentence.asks);
    sentences.map(|sentence| sentence.text).filter(|text| reversal::takes_back(text)).collect()
}

/// The findings in an event.
#[derive(Default)]
struct Found {
    statements: Vec<(String, Namespace)>,
    /// Sentences that take back one from before this event.
    reversals: Vec<String>,
    /// Sentences that appeared and were taken back within this event.
    withdrawn: Vec<String>,
}

impl Found {
    /// Whether this is taken back.
    fn takes_back(&self, known: &str) -> bool {
        let is_withdrawn = |text: &String| text == known;
        let is_back = |back: &String| back != known && reversal::is_about_same(back, known);
        self.withdrawn.iter().any(is_withdrawn) || self.reversals.iter().any(is_back)
    }
}

/// The same from the transcript of a conversation that is compacted or ends.
fn in_transcript(event: &Event) -> Found {
    let Some(transcript) = &event.transcript else { return Found::default() };
    let prompts = match agents::typed_prompts(event.agent, transcript, TRANSCRIPT_BYTES) {
        Ok(prompts) => prompts,
        Err(error) => {
            log::info!("{}: {error}", transcript.display());
            return Found::default();
        }
    };
    let mut found = Found::default();
    for prompt in prompts {
        let own = in_prompt(&Event { prompt: Some(prompt), ..event.clone() });
        let (back, left): (Vec<_>, Vec<_>) =
            found.statements.into_iter().partition(|(known, _)| own.takes_back(known));
        let again = |known: &String| own.statements.iter().any(|(sentence, _)| sentence == known);
        found.withdrawn.extend(back.into_iter().map(|(known, _)| known));
        found.withdrawn.retain(|known| !again(known));
        found.statements = left;
        found.statements.retain(|(known, _)| !again(known));
        found.statements.extend(own.statements);
    }
    let most = found.statements.len().saturating_sub(MAX_PER_TRANSCRIPT);
    Found { statements: found.statements.split_off(most), ..found }
}

/// A prompt's text without private spans and secrets.
fn in_prompt(event: &Event) -> Found {
    let own = without_secrets(event);
    // A sentence that tells a password in plain words is left out as a whole.
    let tells_none = |(sentence, _): &(String, Namespace)| !sentence.contains(text::TYPED_PASSWORD);
    own.prompt.as_deref().map_or_else(Found::default, |prompt| Found {
        statements: prompt_statements(prompt).into_iter().filter(tells_none).collect(),
        reversals: prompt_reversals(prompt),
        withdrawn: Vec::new(),
    })
}

/// Adds what the user asked to remember to the review queue of the project in a folder.
pub(crate) fn propose(home: &Home, event: &Event, root: Option<&Path>) {
    if event.subagent {
        return;
    }
    let (mut found, source) = match event.kind {
        EventKind::Prompt => (in_prompt(event), Source::Prompt),
        EventKind::PreCompact | EventKind::PostCompact | EventKind::SessionEnd if is_wanted(home) => {
            (in_transcript(event), Source::Transcript)
        }
        _ => return,
    };
    // The secret itself was taken out before sentences were told apart: part of one wouldn't be recognised.
    if !found.statements.is_empty() && refuses_secrets(home) {
        found.statements.retain(|(sentence, _)| !sentence.contains(REDACTION));
    }
    // Where nothing was ever proposed, nothing is taken back.
    let has_back =
        (!found.reversals.is_empty() || !found.withdrawn.is_empty()) && crate::paths::database(home).exists();
    if found.statements.is_empty() && !has_back || !is_wanted(home) {
        return;
    }
    if let Err(error) = store_proposals(home, event, root, &found, source) {
        log::info!("nothing was proposed: {error}");
    }
}

fn is_wanted(home: &Home) -> bool {
    is_on(home, "memory.propose")
}

/// Whether a text with a secret isn't stored without it either.
fn refuses_secrets(home: &Home) -> bool {
    let settings = Settings::load(home).unwrap_or_default();
    settings.own("memory.secrets").and_then(Value::as_str) == Some("refuse")
}

fn is_on(home: &Home, setting: &str) -> bool {
    Settings::load(home).unwrap_or_default().own(setting).and_then(Value::as_bool).unwrap_or(true)
}

/// Where a sentence was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Prompt,
    Transcript,
}

fn store_proposals(
    home: &Home,
    event: &Event,
    root: Option<&Path>,
    found: &Found,
    source: Source,
) -> crate::store::Result<()> {
    let project = root.and_then(|root| Project::at(root).ok());
    let domain = if project.is_some() { Domain::Project } else { Domain::User };
    let who = Actor {
        at_ms: Clock::system().now_ms(),
        client: Some(event.agent.to_owned()),
        session: event.session.clone(),
    };
    let is_short = event.prompt.as_ref().is_some_and(|prompt| prompt.len() < MIN_PASTED);
    let confirms = is_short && is_on(home, "memory.confirm");
    let mut store = SqliteStore::open_for_hook(&crate::paths::database(home))?;
    if let Some(tree) = project.as_ref().and_then(WorkTree::of)
        && let Err(error) = store.record_tree(&tree, who.at_ms)
    {
        log::info!("{} isn't recorded: {error}", tree.root.display());
    }
    if !found.reversals.is_empty() || !found.withdrawn.is_empty() {
        let keys = project.as_ref().map(|project| keys_here(&store, project));
        let scope = keys.map_or(Scope::Outside, Scope::Project);
        reversal::withdraw(&mut store, scope, &who, |known| found.takes_back(known))?;
    }
    for (sentence, namespace) in &found.statements {
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

/// Whether a proposal is new. A transcript may be a copy of an earlier session's, so a second occurrence isn't a
/// repetition; and rereading doesn't propose what was dropped.
fn is_new(
    store: &SqliteStore,
    new: &NewMemory,
    source: Source,
    confirms: bool,
) -> crate::store::Result<bool> {
    Ok(match store.with_same_text(new)?.map(|(_, status)| status) {
        None => true,
        Some(_) if source == Source::Transcript => false,
        Some(Status::Pending) => confirms,
        Some(_) => true,
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

#[cfg(test)]
#[path = "statement_tests.rs"]
mod statement_tests;

#[cfg(test)]
mod file_tests;
