//! What a person asks to be remembered in so many words ("remember that …", "from now on …", "we decided …"): it is put into
//! the review queue, word for word, and reaches no agent before the person kept it. What a tool printed, a page said or an agent
//! wrote proposes nothing: only the person's own sentences are looked at, without code, quotations and questions.
//!
//! Runs after the hook's answer is out; what fails is nothing to propose.

use agents::{Event, EventKind};
use home::{Clock, Home, Project, Settings};
use serde_json::Value;
use system::writable;

use crate::domain::{Domain, Namespace, Status, Trust, project_key};
use crate::session::notes;
use crate::store::{Draft, Secrets, SqliteStore, Store, Who};

/// One prompt proposes at most so many.
const MOST: usize = 3;

/// Words at the beginning of a clause, and what a sentence with them is about.
const PHRASES: &[(&str, Namespace)] = &[
    ("we decided", Namespace::Decisions),
    ("we've decided", Namespace::Decisions),
    ("we have decided", Namespace::Decisions),
    ("i decided", Namespace::Decisions),
    ("i've decided", Namespace::Decisions),
    ("it was decided", Namespace::Decisions),
    ("we agreed", Namespace::Decisions),
    ("wir haben entschieden", Namespace::Decisions),
    ("wir haben uns entschieden", Namespace::Decisions),
    ("wir haben beschlossen", Namespace::Decisions),
    ("from now on", Namespace::Patterns),
    ("from here on", Namespace::Patterns),
    ("going forward", Namespace::Patterns),
    ("our convention is", Namespace::Patterns),
    ("ab jetzt", Namespace::Patterns),
    ("ab sofort", Namespace::Patterns),
    ("von jetzt an", Namespace::Patterns),
    ("remember that", Namespace::Context),
    ("remember:", Namespace::Context),
    ("remember this", Namespace::Context),
    ("keep in mind that", Namespace::Context),
    ("for the record", Namespace::Context),
    ("merk dir", Namespace::Context),
    ("merke dir", Namespace::Context),
    ("denk daran, dass", Namespace::Context),
];

/// The sentences of a prompt that ask to be remembered, with what each is about.
fn stated(prompt: &str) -> Vec<(String, Namespace)> {
    let named = |sentence: &str| {
        PHRASES.iter().find(|(words, _)| notes::says(sentence, words)).map(|(_, namespace)| *namespace)
    };
    let mut found: Vec<(String, Namespace)> = Vec::new();
    // Some command lines put a prompt into quotes.
    let whole = prompt.trim().strip_prefix('"').and_then(|prompt| prompt.strip_suffix('"'));
    for sentence in notes::own_sentences(whole.unwrap_or(prompt)) {
        let Some(namespace) = named(&sentence) else { continue };
        if !found.iter().any(|(known, _)| *known == sentence) {
            found.push((sentence, namespace));
        }
    }
    found.truncate(MOST);
    found
}

/// Puts what a prompt asks to be remembered into the review queue.
pub(crate) fn after(home: &Home, event: &Event) {
    if event.kind != EventKind::Prompt || event.subagent {
        return;
    }
    let event = writable(event);
    let found = event.prompt.as_deref().map(stated).unwrap_or_default();
    if found.is_empty() || !is_wanted(home) {
        return;
    }
    if let Err(error) = propose(home, &event, &found) {
        log::info!("nothing was proposed: {error}");
    }
}

fn is_wanted(home: &Home) -> bool {
    let settings = Settings::load(home).unwrap_or_default();
    settings.own("memory.propose").and_then(Value::as_bool).unwrap_or(true)
}

fn propose(home: &Home, event: &Event, found: &[(String, Namespace)]) -> crate::store::Result<()> {
    let root = event.project.as_ref().or(event.cwd.as_ref());
    let project = root.and_then(|root| Project::at(root).ok());
    let domain = if project.is_some() { Domain::Project } else { Domain::User };
    let who = Who {
        at_ms: Clock::system().now_ms(),
        client: Some(event.agent.to_owned()),
        session: event.session.clone(),
    };
    let mut store = SqliteStore::open(&crate::place::database(home))?;
    for (sentence, namespace) in found {
        let draft = Draft {
            project: project.as_ref().map(project_key),
            source: Some("a prompt".into()),
            client: who.client.clone(),
            session: who.session.clone(),
            trust: Trust::User,
            status: Status::Pending,
            ..Draft::new(sentence.as_str(), *namespace, domain)
        };
        store.capture(&draft.check(Secrets::Redact)?, &who)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Filter, Scope, Selection};
    use crate::store::Page;

    #[test]
    fn only_what_is_said_in_so_many_words_is_proposed() {
        for (prompt, expected) in [
            ("Remember that invoices are numbered by billing.", vec![Namespace::Context]),
            ("\"Remember that invoices are numbered by billing.\"", vec![Namespace::Context]),
            ("Fix the parser. From now on we use tabs, please.", vec![Namespace::Patterns]),
            ("ok, we decided to stay with SQLite because it needs no server", vec![Namespace::Decisions]),
            ("Merk dir: der Server heißt Reiher und steht im Keller.", vec![Namespace::Context]),
            ("Wir haben beschlossen, bei Rust zu bleiben.", vec![Namespace::Decisions]),
            (
                "we decided on A for the shop. From now on B is gone from it.",
                vec![Namespace::Decisions, Namespace::Patterns],
            ),
        ] {
            let found: Vec<Namespace> = stated(prompt).into_iter().map(|(_, namespace)| namespace).collect();
            assert_eq!(found, expected, "{prompt}");
        }
        for prompt in [
            "Do you remember that function in the parser?",
            "What did we decide about the database?",
            "I can't remember that name any more",
            "The log says: `we decided to abort`",
            "> we decided to drop the table\nwhat does this mail mean",
            "```\n# remember that x must be 3\n```\nexplain it",
            "Add a remember-that button to the toolbar of the shop",
            "/compact",
            "",
        ] {
            assert_eq!(stated(prompt), [], "{prompt}");
        }
    }

    fn event(prompt: &str, root: &std::path::Path, subagent: bool) -> Event {
        Event {
            agent: "codex",
            raw_name: "x".into(),
            kind: EventKind::Prompt,
            session: Some("s".into()),
            cwd: Some(root.to_owned()),
            project: None,
            tool: None,
            prompt: Some(prompt.into()),
            subagent,
            transcript: None,
            model: None,
            permission_mode: None,
        }
    }

    #[test]
    fn what_is_proposed_waits_and_is_proposed_once() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("shop");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        std::fs::create_dir_all(home.root()).unwrap();
        let database = crate::place::database(&home);
        after(&home, &event("Rename the parser.", &root, false));
        after(&home, &event("Remember that tides are in metres.", &root, true));
        assert!(!database.exists());
        let token = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        for prompt in [
            "Remember that tides are in metres.",
            "Remember that tides are in metres.",
            &format!("Remember that the token is {token}."),
            "Remember that <private>the safe is 1234</private> is nobody's business.",
        ] {
            after(&home, &event(prompt, &root, false));
        }
        let store = SqliteStore::open_read_only(&database).unwrap().unwrap();
        let scope = Scope::Project(project_key(&Project::at(&root).unwrap()));
        let list = |filter: &str| {
            let filter = Filter::parse(filter, 0).unwrap();
            let selection = Selection { scope: scope.clone(), filter, now_ms: 0 };
            store.list(&selection, Page { offset: 0, limit: 9 }).unwrap().memories
        };
        assert_eq!(list("").len(), 0);
        let waiting = list("status:pending");
        let texts: Vec<&str> = waiting.iter().map(|one| one.content.as_str()).collect();
        assert_eq!(texts.iter().filter(|text| text.contains("tides")).count(), 1, "{texts:?}");
        assert!(texts.iter().all(|text| !text.contains(token) && !text.contains("1234")), "{texts:?}");
        assert!(waiting.iter().all(|one| one.trust == Trust::User && one.client.as_deref() == Some("codex")));
        // Switched off, nothing waits.
        std::fs::write(home.settings_path(), "[memory]\npropose = false\n").unwrap();
        let before = list("status:pending").len();
        after(&home, &event("Remember that ebb comes first.", &root, false));
        assert_eq!(list("status:pending").len(), before);
    }
}
