//! The tray's menu as data: its lines never change, and their labels follow from the overview. Pure; the toolkit is
//! in [`super`].

use commands::texts::Texts;
use contract::desktop::{Overview, Remedy};

use super::numbers::{self, Zone};

/// A line of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Id {
    Home,
    Agents,
    Memory,
    Open,
    Pause,
    PauseHour,
    PauseTomorrow,
    PauseProject,
    Resume,
    Search,
    Purge,
    PurgeProject,
    PurgeEverything,
    Doctor,
    Settings,
    Updates,
    Quit,
}

impl Id {
    /// Every line.
    const ALL: [Self; 17] = [
        Self::Home,
        Self::Agents,
        Self::Memory,
        Self::Open,
        Self::Pause,
        Self::PauseHour,
        Self::PauseTomorrow,
        Self::PauseProject,
        Self::Resume,
        Self::Search,
        Self::Purge,
        Self::PurgeProject,
        Self::PurgeEverything,
        Self::Doctor,
        Self::Settings,
        Self::Updates,
        Self::Quit,
    ];

    /// Its name for the toolkit.
    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }

    /// The line with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }
}

/// A line with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Which line.
    pub(crate) id: Id,
    /// Its label.
    pub(crate) label: String,
    /// Whether it can be chosen.
    pub(crate) enabled: bool,
}

/// An entry of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A line.
    Line(Line),
    /// A line with a submenu.
    Group(Line, Vec<Line>),
    /// A separator.
    Rule,
}

impl Entry {
    /// Its lines, a group's own first.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Line> {
        let (own, inner): (Option<&Line>, &[Line]) = match self {
            Self::Line(line) => (Some(line), &[]),
            Self::Group(line, inner) => (Some(line), inner),
            Self::Rule => (None, &[]),
        };
        own.into_iter().chain(inner)
    }
}

/// The complete menu. Without an overview nothing could be read yet, and the figures say so.
pub(crate) fn entries(
    overview: Option<&Overview>,
    texts: &Texts,
    locale: &str,
    now_ms: i64,
    zone: &Zone,
) -> Vec<Entry> {
    let line = |id: Id, label: String| Line { id, label, enabled: true };
    let plain = |id: Id, key: &str| Entry::Line(line(id, texts.get(key).to_owned()));
    let project = overview.and_then(|overview| overview.project.as_deref());
    let name = project.map(|folder| folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy());
    let of_project = |id: Id, key: &str, none: &str| match &name {
        Some(name) => line(id, texts.fill(key, &[("project", name)])),
        None => Line { id, label: texts.get(none).to_owned(), enabled: false },
    };
    let paused_here = overview
        .zip(project)
        .is_some_and(|(overview, project)| overview.paused_projects.iter().any(|paused| paused == project));
    let paused = overview.is_some_and(|overview| overview.paused_until_ms.is_some());
    vec![
        Entry::Line(line(Id::Home, kept_today(overview, texts, locale))),
        Entry::Line(line(Id::Agents, agents(overview, texts))),
        Entry::Line(memory(overview, texts, locale)),
        Entry::Rule,
        plain(Id::Open, "tray.open"),
        Entry::Group(
            line(Id::Pause, pause(overview, texts, now_ms, zone)),
            vec![
                line(Id::PauseHour, texts.get("tray.pause.hour").to_owned()),
                line(Id::PauseTomorrow, texts.get("tray.pause.tomorrow").to_owned()),
                of_project(
                    Id::PauseProject,
                    if paused_here { "tray.resume.project" } else { "tray.pause.project" },
                    "tray.pause.project.none",
                ),
                Line { enabled: paused, ..line(Id::Resume, texts.get("tray.resume").to_owned()) },
            ],
        ),
        plain(Id::Search, "tray.search"),
        Entry::Group(
            line(Id::Purge, texts.get("tray.purge").to_owned()),
            vec![
                of_project(Id::PurgeProject, "tray.purge.project", "tray.purge.project.none"),
                line(Id::PurgeEverything, texts.get("tray.purge.everything").to_owned()),
            ],
        ),
        plain(Id::Doctor, "tray.doctor"),
        Entry::Rule,
        plain(Id::Settings, "tray.settings"),
        plain(Id::Updates, "tray.updates"),
        plain(Id::Quit, "tray.quit"),
    ]
}

fn kept_today(overview: Option<&Overview>, texts: &Texts, locale: &str) -> String {
    let Some(overview) = overview else { return texts.get("tray.kept.unknown").to_owned() };
    if overview.problems.iter().any(|problem| problem.remedy == Remedy::StartFresh) {
        return texts.get("tray.kept.unknown").to_owned();
    }
    let sums = &overview.today;
    if sums.net_bytes <= 0 {
        return texts.get("tray.kept.nothing").to_owned();
    }
    let size = numbers::size(sums.net_bytes, locale);
    match numbers::share(sums.net_bytes, sums.raw_bytes) {
        Some(share) => texts.fill("tray.kept", &[("size", &size), ("share", &share.to_string())]),
        None => texts.fill("tray.kept.only", &[("size", &size)]),
    }
}

fn agents(overview: Option<&Overview>, texts: &Texts) -> String {
    let Some(overview) = overview else { return texts.get("tray.agents.none").to_owned() };
    let connected = match overview.agents.connected {
        0 => texts.get("tray.agents.none").to_owned(),
        1 => texts.get("tray.agents.one").to_owned(),
        count => texts.fill("tray.agents.many", &[("count", &count.to_string())]),
    };
    match overview.agents.needs_you.as_slice() {
        [] => connected,
        [agent] => texts.fill("tray.agents.needs", &[("connected", &connected), ("agent", agent)]),
        several => texts.fill(
            "tray.agents.needs.many",
            &[("connected", &connected), ("count", &several.len().to_string())],
        ),
    }
}

/// What agents were given from memory, and its size.
fn memory(overview: Option<&Overview>, texts: &Texts, locale: &str) -> Line {
    let line = |label: String| Line { id: Id::Memory, label, enabled: true };
    let Some(overview) = overview else { return line(texts.get("nav.memory").to_owned()) };
    match overview.memory {
        None => Line { enabled: false, ..line(texts.get("tray.memory.off").to_owned()) },
        Some(today) if today.given == 0 => line(texts.get("tray.memory.nothing").to_owned()),
        Some(today) => {
            let count = numbers::count(today.given, locale);
            let tokens = numbers::count(tokens(today.bytes), locale);
            let key = if today.given == 1 { "tray.memory.one" } else { "tray.memory.many" };
            line(texts.fill(key, &[("count", &count), ("tokens", &tokens)]))
        }
    }
}

/// Roughly the number of tokens, four bytes each, to three digits: the same estimate as the window's.
fn tokens(bytes: u64) -> u64 {
    let raw = bytes.saturating_add(2) / 4;
    let mut step = 1;
    while raw / step >= 1_000 {
        step *= 10;
    }
    (raw + step / 2) / step * step
}

fn pause(overview: Option<&Overview>, texts: &Texts, now_ms: i64, zone: &Zone) -> String {
    match overview {
        Some(overview) if overview.hooks_off => texts.get("tray.paused.off").to_owned(),
        Some(Overview { paused_until_ms: Some(until), .. }) if *until == zone.tomorrow(now_ms) => {
            texts.get("tray.paused.tomorrow").to_owned()
        }
        Some(Overview { paused_until_ms: Some(until), .. }) => {
            texts.fill("tray.paused", &[("time", &zone.time(*until, now_ms))])
        }
        _ => texts.get("tray.pause").to_owned(),
    }
}

#[cfg(test)]
#[path = "menu_tests.rs"]
mod tests;
#[cfg(test)]
pub(super) use tests::plain_overview;
