//! A message outside the window when an agent or the record begins to need somebody: once, and again only after it was well
//! in between. The person can switch it off. Owns what was told already; knows no toolkit.

use std::collections::BTreeSet;

use commands::texts::Texts;
use contract::desktop::{Overview, Remedy};
use home::Home;

/// What was told, kept so that the next start does not tell it again.
const FILE: &str = "told.json";

/// What is to be said now: a title and a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) title: String,
    pub(super) text: String,
}

/// What there is to tell beyond what was told, and what is told from now on. Who wants no messages gets none, nor later those
/// of before they wanted them again.
pub(super) fn news(
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

/// What was told so far; nothing when that cannot be read.
pub(super) fn told(home: &Home) -> BTreeSet<String> {
    let text = std::fs::read(home.cache_dir().join(FILE)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Remembers what was told, where there is a folder for it.
pub(super) fn remember(home: &Home, told: &BTreeSet<String>) {
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
    fn a_need_is_told_once_and_again_after_it_was_met() {
        let texts = Texts::for_locale("en", "");
        let mut overview = super::super::menu::plain_overview();
        let needs = Attention {
            id: "codex".into(),
            name: "Codex".into(),
            state: AgentState::NeedsYou,
            what: Some("approve the hooks with /hooks".into()),
        };
        overview.agents.attention = vec![needs.clone()];
        let (messages, told) = news(&overview, &BTreeSet::new(), true, &texts);
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].title, "Codex needs you");
        assert_eq!(messages[0].text, "approve the hooks with /hooks");
        assert!(news(&overview, &told, true, &texts).0.is_empty(), "it is told once");
        let (unwanted, silent) = news(&overview, &BTreeSet::new(), false, &texts);
        assert!(unwanted.is_empty(), "the setting is off");
        assert!(news(&overview, &silent, true, &texts).0.is_empty(), "and it is no news when it is on again");
        let partly = Attention { state: AgentState::Partly, what: None, ..needs.clone() };
        overview.agents.attention = vec![partly];
        assert_eq!(news(&overview, &told, true, &texts).0.len(), 1, "another need is another message");
        overview.agents.attention.clear();
        let (nothing, told) = news(&overview, &told, true, &texts);
        assert!(nothing.is_empty() && told.is_empty());
        overview.agents.attention = vec![needs];
        assert_eq!(news(&overview, &told, true, &texts).0.len(), 1, "it was met in between");
        overview.agents.attention.clear();
        let text = "plimsoll.db is damaged".into();
        overview.problems = vec![Problem { text, remedy: Remedy::StartFresh }];
        assert_eq!(news(&overview, &told, true, &texts).0[0].title, "Can’t read the record");
    }

    #[test]
    fn what_was_told_outlives_a_restart_and_makes_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        let set = BTreeSet::from(["agent codex NeedsYou".to_owned()]);
        remember(&home, &set);
        assert!(!home.root().exists());
        home.ensure().unwrap();
        remember(&home, &set);
        assert_eq!(told(&home), set);
    }
}
