//! Plimsoll's status on one screen. Read-only, and read at the moment of the call.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use contract::{AgentReport, AgentState, Amount, Error, ErrorCode, Reply, ServerReport, StatusReport, count};
use home::{DbError, Moment, PausedProject, Settings};
use serde_json::json;
use sessions::heartbeats;
use system::Database;

use crate::age::DAY_MS;
use crate::setup::{self, Computer};
use crate::{Service, failure};

/// The default duration of a pause in one project.
pub(crate) const PROJECT_PAUSE_MS: i64 = 3_600_000;

const WEEK_MS: i64 = 7 * DAY_MS;

/// A running server, as reports name it.
pub(crate) fn server(beat: heartbeats::Heartbeat) -> ServerReport {
    let project = home::as_text(&beat.project).into_owned();
    ServerReport { pid: beat.pid, agent: beat.agent, project, started_ms: beat.started_ms }
}

/// Whether an agent waits for the user: for a consent, or for something to approve or repair.
pub fn needs_user(agent: &AgentReport) -> bool {
    matches!(agent.state, AgentState::NeedsYou | AgentState::Partly | AgentState::Unreadable)
}

/// Collects everything that is useful to know at a glance.
pub fn status(service: &Service, computer: &Computer) -> StatusReport {
    let mut problems = Vec::new();
    let settings = Settings::load(service.home()).unwrap_or_else(|error| {
        problems.push(error.to_string());
        Settings::default()
    });
    let now = service.now_ms();
    let week = match service.read_record() {
        Ok(Some(sessions)) => match sessions.stats(now.saturating_sub(WEEK_MS)) {
            Ok(stats) => (stats.totals.calls > 0).then_some(stats.totals.net_bytes),
            Err(error) => {
                problems.push(error.to_string());
                None
            }
        },
        Ok(None) => None,
        Err(error) => {
            problems.push(error.to_string());
            None
        }
    };
    let databases = service.systems_on().flat_map(|system| (system.databases)(service.home()));
    problems.extend(databases.filter_map(|database| problem_of(&database)));
    let launcher = service.home().launcher();
    StatusReport {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        home: home::as_text(service.home().root()).into_owned(),
        launcher: std::fs::canonicalize(launcher).ok().map(|program| home::as_text(&program).into_owned()),
        agents: setup::survey(service, computer)
            .into_iter()
            .map(|surveyed| surveyed.report)
            .filter(|report| report.state != AgentState::NotInstalled)
            .collect(),
        servers: heartbeats::all(service.home(), now).into_iter().map(server).collect(),
        hooks_off: !settings.hooks.enabled,
        paused_until_ms: settings.hooks.paused_until(service.moment()),
        paused_projects: settings
            .hooks
            .paused_at(service.moment())
            .map(|paused| paused.folder.clone())
            .collect(),
        week_net_bytes: week,
        problems,
    }
}

/// Why a database can't be used, as far as its beginning or a command that came upon it shows; `doctor` reads the whole file.
fn problem_of(Database { path, newest, .. }: &Database) -> Option<String> {
    let opened = home::open_db_read_only(path, *newest);
    match opened.and_then(|db| db.map(|db| db.has_tables()).transpose()) {
        Err(error @ (DbError::Damaged { .. } | DbError::NewerSchema { .. })) => Some(error.to_string()),
        // The mark stays where a damaged file was moved away, as its error says.
        Ok(Some(_)) if home::is_marked_damaged(path) => {
            let reason = "a command couldn't read the whole file".to_owned();
            Some(DbError::Damaged { path: path.clone(), reason }.to_string())
        }
        _ => None,
    }
}

/// A moment as the settings file has it.
fn moment_value(moment: Moment) -> toml_edit::InlineTable {
    let mut table = toml_edit::InlineTable::new();
    table.insert("ms", moment.ms.into());
    table.insert("up_ms", moment.up_ms.into());
    table
}

impl Service {
    /// Pauses hooks everywhere until `until_ms` (milliseconds since 1970); 0 ends a pause.
    ///
    /// # Errors
    /// If the settings file doesn't parse or can't be written.
    pub fn pause_until(&self, until_ms: i64) -> Result<(), Error> {
        if until_ms == 0 && !self.home().settings_path().exists() {
            return Ok(());
        }
        if until_ms > 0 {
            // First: an earlier pause that still lasts only becomes shorter by it.
            self.set(&["hooks", "paused_since"], moment_value(self.moment()))?;
        }
        self.set(&["hooks", "paused_until_ms"], until_ms)
    }

    /// Pauses hooks in one project until `until_ms` (milliseconds since 1970); 0 ends a pause. `folder` is its real
    /// path.
    ///
    /// # Errors
    /// If the settings file doesn't parse or can't be written.
    pub fn pause_project(&self, folder: &Path, until_ms: i64) -> Result<(), Error> {
        let folder: &Path = &home::as_text(folder);
        let now = self.moment();
        let wanted = |settings: &Settings| {
            // Expired pauses are removed too.
            let paused = settings.hooks.paused_at(now).filter(|known| known.folder != folder).cloned();
            let new =
                (until_ms > 0).then(|| PausedProject { folder: folder.to_owned(), until_ms, since: now });
            paused.chain(new).collect::<Vec<_>>()
        };
        let settings = Settings::load(self.home()).map_err(|error| failure::from_storage(&error))?;
        if wanted(&settings) == settings.hooks.paused_projects {
            return Ok(());
        }
        let written = |paused: &PausedProject| -> toml_edit::Value {
            let folder = paused.folder.display().to_string();
            if paused.until_ms == 0 {
                return folder.into();
            }
            let mut table = toml_edit::InlineTable::new();
            table.insert("folder", folder.into());
            table.insert("until_ms", paused.until_ms.into());
            if paused.since.ms > 0 {
                table.insert("since", moment_value(paused.since).into());
            }
            table.into()
        };
        self.update(&["hooks", "paused_projects"], |now| wanted(now).iter().map(written).collect())
    }

    /// Sets whether sessions in one project are recorded. `folder` is its real path. Existing records stay.
    ///
    /// # Errors
    /// If the settings file doesn't parse or can't be written.
    pub fn record_project(&self, folder: &Path, recorded: bool) -> Result<(), Error> {
        let folder: &Path = &home::as_text(folder);
        let wanted = |settings: &Settings| {
            let others =
                settings.sessions.unrecorded_projects.iter().filter(|known| *known != folder).cloned();
            others.chain((!recorded).then(|| folder.to_owned())).collect::<Vec<PathBuf>>()
        };
        let settings = Settings::load(self.home()).map_err(|error| failure::from_storage(&error))?;
        if wanted(&settings) == settings.sessions.unrecorded_projects {
            return Ok(());
        }
        self.update(&["sessions", "unrecorded_projects"], |now| {
            wanted(now).iter().map(|path| path.display().to_string()).collect()
        })
    }

    /// Sets a list that depends on the present one, which another process may be changing.
    fn update(&self, path: &[&str], new: impl FnOnce(&Settings) -> toml_edit::Array) -> Result<(), Error> {
        self.home().ensure().map_err(|error| failure::from_storage(&error))?;
        home::update_value(self.home(), path, new).map_err(|error| failure::from_storage(&error))
    }

    fn set(&self, path: &[&str], value: impl Into<toml_edit::Value>) -> Result<(), Error> {
        self.home().ensure().map_err(|error| failure::from_storage(&error))?;
        home::set_value(self.home(), path, value).map_err(|error| failure::from_storage(&error))
    }

    /// The searchable sources of this project, newest first.
    ///
    /// # Errors
    /// If the knowledge base can't be read.
    pub async fn list_sources(&self, offset: usize, limit: usize) -> Result<Reply, Error> {
        let found = self.with_existing_knowledge(move |store| store.sources(offset, limit)).await?;
        let Some(found) = found.filter(|found| found.total > 0) else {
            return Ok(Reply::plain(
                "Nothing is stored for this project yet; `plimsoll index PATH` stores something.",
            )
            .with_data(json!({"sources": [], "total": 0})));
        };
        let mut text = String::new();
        if found.sources.is_empty() {
            let _ = writeln!(text, "--offset is past the last one: {} in all.", count(found.total, "source"));
        }
        for source in &found.sources {
            let _ = writeln!(
                text,
                "{:>5}  {:<6} {:>14} {:>9}  {}",
                source.id,
                source.kind.as_str(),
                count(source.chunks, "chunk"),
                Amount::bytes(source.bytes),
                text::one_line(&source.label)
            );
        }
        let shown = offset + found.sources.len();
        if (shown as u64) < found.total {
            let _ = writeln!(text, "({} more: --offset {shown})", found.total - shown as u64);
        }
        let data = serde_json::to_value(&found)
            .map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?;
        Ok(Reply::plain(text.trim_end()).with_data(data))
    }
}
