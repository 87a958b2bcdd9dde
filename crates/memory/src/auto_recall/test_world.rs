//! A project with a Plimsoll folder, for tests of what hooks add.

use std::path::{Path, PathBuf};

use agents::{Event, EventKind, ToolCall, ToolKind};
use home::{Home, Project, Settings};
use system::PendingEvent;

use super::tell;
use crate::domain::{Domain, Namespace, project_key};
use crate::store::{Actor, Draft, Secrets, SqliteStore, Store as _};

pub(super) const NOW: i64 = 1_800_000_000_000;

pub(super) struct World {
    pub(super) dir: tempfile::TempDir,
    pub(super) home: Home,
    pub(super) settings: Settings,
    /// Occurs in the path of a file that the agent's rules hide.
    pub(super) hidden: Option<&'static str>,
}

impl World {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("shop/.git")).unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        std::fs::create_dir_all(home.root()).unwrap();
        Self { dir, home, settings: Settings::default(), hidden: None }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.dir.path().join("shop")
    }

    pub(super) fn capture(&self, content: &str, change: impl Fn(&mut Draft)) {
        let project = Project::at(&self.root()).ok().map(|project| project_key(&project));
        let mut draft = Draft { project, ..Draft::new(content, Namespace::Decisions, Domain::Project) };
        change(&mut draft);
        let mut store = SqliteStore::open(&crate::paths::database(&self.home)).unwrap();
        store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(NOW - 1_000)).unwrap();
    }

    pub(super) fn tell(
        &self,
        root: &Path,
        session: &str,
        kind: EventKind,
        prompt: Option<&str>,
        subagent: bool,
    ) -> Option<String> {
        let event = Self::event(session, kind, prompt, subagent, None);
        self.send(root, &event)
    }

    fn event(
        session: &str,
        kind: EventKind,
        prompt: Option<&str>,
        subagent: bool,
        tool: Option<ToolKind>,
    ) -> Event {
        Event {
            agent: "codex",
            raw_name: "x".into(),
            kind,
            session: Some(session.into()),
            cwd: None,
            project: None,
            tool: tool.map(|kind| ToolCall {
                name: "x".into(),
                kind,
                input: serde_json::Value::Null,
                output: None,
                id: None,
            }),
            prompt: prompt.map(str::to_owned),
            subagent,
            transcript: None,
            model: None,
            permission_mode: None,
        }
    }

    fn send(&self, root: &Path, event: &Event) -> Option<String> {
        let hidden = self.hidden;
        let readable = move || {
            system::Readable::new(move |path| {
                hidden.is_none_or(|word| !path.to_string_lossy().contains(word))
            })
        };
        let told = tell(&PendingEvent {
            home: &self.home,
            event,
            settings: &self.settings,
            project: root,
            now_ms: NOW,
            search: "search",
            guests: &[],
            readable: system::ReadRules(&readable),
        });
        told.map(|told| told.text)
    }

    /// At a tool call of the main conversation, before it runs.
    pub(super) fn at_tool(&self, session: &str, tool: ToolKind) -> Option<String> {
        self.send(&self.root(), &Self::event(session, EventKind::PreTool, None, false, Some(tool)))
    }

    /// The same of a subagent.
    pub(super) fn at_tool_of_subagent(&self, session: &str, tool: ToolKind) -> Option<String> {
        self.send(&self.root(), &Self::event(session, EventKind::PreTool, None, true, Some(tool)))
    }

    pub(super) fn switch_off(&mut self) {
        std::fs::write(self.home.settings_path(), "[memory]\nautomatic = false\n").unwrap();
        self.settings = Settings::load(&self.home).unwrap();
    }

    pub(super) fn start(&self, session: &str) -> Option<String> {
        self.tell(
            &self.root(),
            session,
            EventKind::SessionStart { source: Some("startup".into()) },
            None,
            false,
        )
    }

    pub(super) fn prompt(&self, session: &str, prompt: &str) -> Option<String> {
        self.tell(&self.root(), session, EventKind::Prompt, Some(prompt), false)
    }
}
