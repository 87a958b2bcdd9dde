//! Notifies outside the window when an agent or the record begins to need attention: once, and again only after it
//! was fine in between. The user can switch it off. Owns what has been notified; doesn't know any toolkit.

use std::collections::BTreeSet;

use commands::texts::Texts;
use contract::desktop::{Overview, Remedy};
use home::Home;

/// The file of past notifications, so that the next start doesn't repeat them.
const FILE: &str = "told.json";

/// The notification to show: a title and a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) title: String,
    pub(super) text: String,
}

/// The new notifications, and the new state. A user who switched notifications off gets none, and on switching them on
/// again gets none of the missed ones.
pub(super) fn new_notifications(
    overview: &Overview,
    told: &BTreeSet<String>,
    wanted: bool,
    texts: &Texts,
) -> (Vec<Message>, BTreeSet<String>) {
    let mut now = BTreeSet::new();
    let mut messages = Vec::new();
    for agent in &overview.agents.attention {
        let name = format!("agent {} {:?}", agent.id, agent.state);
        if wanted && !told.contains(&name) {
            messages.push(Message {
                title: texts.fill("tray.needs.title", &[("agent", &agent.name)]),
                text: agent.what.as_ref().map(|what| texts.say(what)).unwrap_or_default(),
            });
        }
        now.insert(name);
    }
    for problem in overview.problems.iter().filter(|problem| problem.remedy == Remedy::StartFresh) {
        let name = "record".to_owned();
        if wanted && !told.contains(&name) {
            let title = texts.get("tray.kept.unknown").to_owned();
            messages.push(Message { title, text: texts.say(&problem.text) });
        }
        now.insert(name);
    }
    (messages, now)
}

/// Past notifications; none if the file can't be read.
pub(super) fn read_notified(home: &Home) -> BTreeSet<String> {
    let text = std::fs::read(home.cache_dir().join(FILE)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Saves the past notifications, if there is a folder for them.
pub(super) fn save_notified(home: &Home, told: &BTreeSet<String>) {
    if !home.root().is_dir() {
        return;
    }
    let text = serde_json::to_vec(told).unwrap_or_default();
    let written = home::private_dir(&home.cache_dir())
        .and_then(|()| home::write_private(&home.cache_dir().join(FILE), &text));
    if let Err(error) = written {
        log::info!("what was told is not remembered: {error}");
    }
}

#[cfg(test)]
mod tests {
    use contract::AgentState;
    use contract::desktop::{Attention, Problem};

    use super::*;

    #[test]
    fn an_agent_that_waits_is_notified_once_and_again_after_an_answer() {
        let texts = Texts::for_locale("en", "");
        let mut overview = super::super::menu::plain_overview();
        let needs = Attention {
            id: "codex".into(),
            name: "Codex".into(),
            state: AgentState::NeedsYou,
            what: Some("approve the hooks with /hooks".into()),
        };
        overview.agents.attention = vec![needs.clone()];
        let (messages, told) = new_notifications(&overview, &BTreeSet::new(), true, &texts);
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].title, "Codex needs you");
        assert_eq!(messages[0].text, "approve the hooks with /hooks");
        assert!(new_notifications(&overview, &told, true, &texts).0.is_empty(), "it is told once");
        let (unwanted, silent) = new_notifications(&overview, &BTreeSet::new(), false, &texts);
        assert!(unwanted.is_empty(), "the setting is off");
        assert!(
            new_notifications(&overview, &silent, true, &texts).0.is_empty(),
            "and it is no news when it is on again"
        );
        let partly = Attention { state: AgentState::Partly, what: None, ..needs.clone() };
        overview.agents.attention = vec![partly];
        assert_eq!(
            new_notifications(&overview, &told, true, &texts).0.len(),
            1,
            "another need is another message"
        );
        overview.agents.attention.clear();
        let (nothing, told) = new_notifications(&overview, &told, true, &texts);
        assert!(nothing.is_empty() && told.is_empty());
        overview.agents.attention = vec![needs];
        assert_eq!(new_notifications(&overview, &told, true, &texts).0.len(), 1, "it was met in between");
        overview.agents.attention.clear();
        let text = "plimsoll.db is damaged".into();
        overview.problems = vec![Problem { text, remedy: Remedy::StartFresh }];
        assert_eq!(new_notifications(&overview, &told, true, &texts).0[0].title, "Can’t read the record");
    }

    #[test]
    fn sent_notifications_survive_a_restart_and_make_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        let set = BTreeSet::from(["agent codex NeedsYou".to_owned()]);
        save_notified(&home, &set);
        assert!(!home.root().exists());
        home.ensure().unwrap();
        save_notified(&home, &set);
        assert_eq!(read_notified(&home), set);
    }
}
