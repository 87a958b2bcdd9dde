//! The menu for every state, in both languages.

use std::path::PathBuf;

use contract::desktop::{AgentCounts, MemoryToday, Problem, Remedy, Sums};

use super::*;

const NOON: i64 = 12 * 3_600_000;

pub(crate) fn plain_overview() -> Overview {
    Overview { agents: AgentCounts::default(), ..overview() }
}

fn overview() -> Overview {
    Overview {
        version: "0.1.0".into(),
        home: PathBuf::from("/home/ana/.plimsoll"),
        first_run: false,
        agents: AgentCounts {
            connected: 6,
            found: 7,
            needs_you: vec!["Codex".into()],
            ..AgentCounts::default()
        },
        servers: Vec::new(),
        hooks_off: false,
        paused_until_ms: None,
        paused_projects: Vec::new(),
        project: Some(PathBuf::from("/home/ana/work/shop")),
        sources: 12,
        chunks: 120,
        memory: Some(MemoryToday { total: 126, given: 12, times: 5, bytes: 2_961, server: false }),
        today: Sums { raw_bytes: 2_050_000, net_bytes: 1_930_000, ..Sums::default() },
        problems: Vec::new(),
    }
}

/// The menu as text: groups are indented, `-` is a separator, disabled lines are in parentheses.
fn drawn(overview: Option<&Overview>, locale: &str) -> String {
    let texts = Texts::for_locale("system", locale);
    let shown = |line: &Line| if line.enabled { line.label.clone() } else { format!("({})", line.label) };
    let mut out = String::new();
    for entry in entries(overview, &texts, locale, NOON, &Zone::utc()) {
        match &entry {
            Entry::Rule => out.push_str("-\n"),
            Entry::Line(line) => out.push_str(&format!("{}\n", shown(line))),
            Entry::Group(line, inner) => {
                out.push_str(&format!("{} >\n", shown(line)));
                for line in inner {
                    out.push_str(&format!("    {}\n", shown(line)));
                }
            }
        }
    }
    out
}

fn label(overview: &Overview, id: Id) -> String {
    let texts = Texts::for_locale("en", "");
    let entries = entries(Some(overview), &texts, "en", NOON, &Zone::utc());
    let line = entries.iter().flat_map(Entry::lines).find(|line| line.id == id);
    line.map(|line| line.label.clone()).unwrap_or_default()
}

#[test]
fn the_whole_menu_in_both_languages() {
    insta::assert_snapshot!("english", drawn(Some(&overview()), "en-GB"));
    insta::assert_snapshot!("german", drawn(Some(&overview()), "de-AT"));
}

#[test]
fn memory_says_how_much_was_given_or_that_nothing_was() {
    let with = |memory| label(&Overview { memory, ..overview() }, Id::Memory);
    let given = |given, bytes| Some(MemoryToday { total: 9, given, times: given, bytes, server: false });
    assert_eq!(with(given(1, 240)), "1 memory given today · about 60 tokens");
    assert_eq!(with(given(12, 2_961)), "12 memories given today · about 740 tokens");
    assert_eq!(with(given(0, 0)), "No memory given yet today");
    assert_eq!(with(given(90, 61_737)), "90 memories given today · about 15,400 tokens");
    assert_eq!(with(None), "Memory is off");
}

#[test]
fn before_anything_could_be_read_the_menu_is_complete_and_claims_nothing() {
    insta::assert_snapshot!("nothing_read", drawn(None, "en"));
}

#[test]
fn kept_out_is_shown_only_when_something_was() {
    let with = |net_bytes, raw_bytes| Overview {
        today: Sums { net_bytes, raw_bytes, ..Sums::default() },
        ..overview()
    };
    assert_eq!(label(&with(1_930_000, 2_050_000), Id::Home), "1.93 MB kept out today · 94 %");
    assert_eq!(label(&with(1_930_000, 0), Id::Home), "1.93 MB kept out today");
    assert_eq!(label(&with(0, 0), Id::Home), "Nothing kept out yet today");
    assert_eq!(label(&with(-500, 100), Id::Home), "Nothing kept out yet today");
}

#[test]
fn a_record_that_cannot_be_read_is_reported_in_the_place_of_its_figure() {
    let problem = Problem { text: "plimsoll.db is damaged".into(), remedy: Remedy::StartFresh };
    let damaged = Overview { problems: vec![problem], today: Sums::default(), ..overview() };
    assert_eq!(label(&damaged, Id::Home), "Can’t read the record");
}

#[test]
fn agents_that_wait_for_someone_are_named() {
    let with = |connected, needs: &[&str]| Overview {
        agents: AgentCounts {
            connected,
            found: 9,
            needs_you: needs.iter().map(|name| (*name).to_owned()).collect(),
            ..AgentCounts::default()
        },
        ..overview()
    };
    assert_eq!(label(&with(0, &[]), Id::Agents), "No agent connected yet");
    assert_eq!(label(&with(1, &[]), Id::Agents), "1 agent connected");
    assert_eq!(label(&with(6, &["Codex"]), Id::Agents), "6 agents connected · Codex needs you");
    assert_eq!(label(&with(6, &["Codex", "Kiro"]), Id::Agents), "6 agents connected · 2 need you");
}

#[test]
fn a_pause_says_when_it_ends() {
    let until = |ms| Overview { paused_until_ms: Some(ms), ..overview() };
    let hour = 3_600_000;
    assert_eq!(label(&overview(), Id::Pause), "Pause");
    assert_eq!(label(&until(NOON + hour), Id::Pause), "Paused until 13:00");
    assert_eq!(label(&until(Zone::utc().tomorrow(NOON)), Id::Pause), "Paused until tomorrow");
    assert_eq!(label(&until(NOON + 49 * hour), Id::Pause), "Paused until 1970-01-03 13:00");
    assert_eq!(label(&Overview { hooks_off: true, ..overview() }, Id::Pause), "Hooks are switched off");
    assert!(drawn(Some(&overview()), "en").contains("(Resume now)"));
    assert!(drawn(Some(&until(NOON + hour)), "en").contains("    Resume now"));
    let here = Overview { paused_projects: vec!["/home/ana/work/shop".into()], ..overview() };
    assert_eq!(label(&here, Id::PauseProject), "Resume in shop");
}

#[test]
fn without_a_running_agent_there_is_no_this_project() {
    let nowhere = Overview { project: None, ..overview() };
    let menu = drawn(Some(&nowhere), "en");
    assert!(menu.contains("(In this project (no agent is running))"), "{menu}");
    assert!(menu.contains("(This project… (no agent is running))"), "{menu}");
}

#[test]
fn every_line_has_a_name_of_its_own() {
    for id in Id::ALL {
        assert_eq!(Id::from_name(&id.name()), Some(id));
    }
    let texts = Texts::for_locale("en", "");
    let entries = entries(None, &texts, "en", NOON, &Zone::utc());
    assert_eq!(entries.iter().flat_map(Entry::lines).count(), Id::ALL.len(), "each line is in the menu once");
    assert_eq!(Id::from_name("Nothing"), None);
}
