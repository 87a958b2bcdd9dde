//! The [`Service`]: the state that all operations share. Everything is opened on first use, because a server without
//! calls must cost next to nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use contract::{Error, Reply};
use home::{Clock, Env, Home, Moment, Project, Settings};
use knowledge::Store;
use sandbox::Runtimes;
use serde_json::{Map, Value};
use sessions::{Guest, Sessions, SessionsError};
use system::{Call, CallContext, Host, ParsedCall, Readable, Remembered, ReplyFuture, Subject, System, Tool};

use crate::failure;
use crate::tool_list::ToolList;

/// All operations over one environment.
pub struct Service {
    env: Arc<Env>,
    clock: Clock,
    home: Home,
    project: RwLock<Option<Project>>,
    /// Whether none of the named folders exists.
    folder_gone: std::sync::atomic::AtomicBool,
    /// The folder from which the project was chosen: where the agent was started, possibly below the project's root.
    start: RwLock<Option<PathBuf>>,
    settings: OnceLock<Settings>,
    runtimes: OnceLock<Arc<Runtimes>>,
    child_env: OnceLock<Arc<Vec<(OsString, OsString)>>>,
    /// Notified after each call, and each other answer that needed memory.
    pub(crate) answered: tokio::sync::Notify,
    /// Locked while outputs are removed to fit the disk budget.
    pub(crate) budget_lock: Arc<tokio::sync::Mutex<()>>,
    pub(crate) knowledge: Arc<Mutex<Option<(PathBuf, Store)>>>,
    /// Locked while a folder is indexed.
    pub(crate) indexing: Arc<Mutex<()>>,
    pub(crate) sessions: Arc<Mutex<Option<Sessions>>>,
    /// When this process started, in milliseconds since 1970.
    pub(crate) started_ms: i64,
    /// The size of the tool list, and the sessions in which it is booked.
    pub(crate) tool_list: Mutex<Option<ToolList>>,
    /// The user's UTC offset at a moment, in minutes.
    utc_offset: fn(i64) -> i32,
    /// The systems to loop over.
    systems: &'static [&'static System],
    /// The sidecar's path, if this program isn't the sidecar.
    sidecar: OnceLock<PathBuf>,
}

impl Service {
    /// Creates a service over this environment. Opens and creates nothing else.
    ///
    /// # Errors
    /// If Plimsoll's folder can't be determined.
    pub fn new(env: Env, clock: Clock) -> Result<Self, Error> {
        let home = Home::resolve(&env).map_err(|error| failure::from_storage(&error))?;
        Ok(Self {
            env: Arc::new(env),
            clock,
            home,
            project: RwLock::new(None),
            folder_gone: std::sync::atomic::AtomicBool::new(false),
            start: RwLock::new(None),
            settings: OnceLock::new(),
            runtimes: OnceLock::new(),
            child_env: OnceLock::new(),
            answered: tokio::sync::Notify::new(),
            budget_lock: Arc::default(),
            knowledge: Arc::new(Mutex::new(None)),
            indexing: Arc::default(),
            sessions: Arc::new(Mutex::new(None)),
            started_ms: clock.now_ms(),
            tool_list: Mutex::new(None),
            utc_offset: |_| 0,
            systems: crate::SYSTEMS,
            sidecar: OnceLock::new(),
        })
    }

    /// Sets the user's UTC offset in minutes, given a time in milliseconds since 1970. Without it, days are UTC days.
    #[must_use]
    pub fn with_time_zone(mut self, utc_offset: fn(i64) -> i32) -> Self {
        self.utc_offset = utc_offset;
        self
    }

    /// Replaces the built-in systems.
    #[must_use]
    pub fn with_systems(mut self, systems: &'static [&'static System]) -> Self {
        self.systems = systems;
        self
    }

    /// All systems, enabled or not.
    pub fn systems(&self) -> &'static [&'static System] {
        self.systems
    }

    /// The enabled systems.
    pub fn systems_on(&self) -> impl Iterator<Item = &'static System> + use<'_> {
        system::enabled(self.systems, self.settings())
    }

    /// Starts the enabled systems' background work in a server.
    pub fn start_background_work(self: &Arc<Self>) {
        let host: Arc<dyn Host> = Arc::clone(self) as _;
        for system in self.systems_on() {
            (system.background)(&host);
        }
    }

    /// The systems enabled by the current settings file; for the window, which runs for days.
    pub fn systems_now(&self) -> Vec<&'static System> {
        let settings = Settings::load(&self.home).unwrap_or_default();
        system::enabled(self.systems, &settings).collect()
    }

    /// Opens the sessions' record with the tables of every system.
    pub(crate) fn open_record(&self) -> Result<Sessions, SessionsError> {
        Sessions::open(&self.home, &system::guests(self.systems))
    }

    /// Opens the record read-only; `None` if nothing was ever recorded.
    pub(crate) fn read_record(&self) -> Result<Option<Sessions>, SessionsError> {
        Sessions::open_read_only(&self.home, &system::guests(self.systems))
    }

    /// Runs a tool call and writes its ledger row.
    ///
    /// # Errors
    /// The tool's errors.
    pub async fn run_tool(
        self: Arc<Self>,
        call: Call,
        tool: &'static Tool,
        job: ParsedCall,
    ) -> Result<Reply, Error> {
        let started = std::time::Instant::now();
        let host: Arc<dyn Host> = Arc::clone(&self) as _;
        let done = job(CallContext { host, call: call.clone() }).await;
        if tool.writes_ledger { done } else { self.book(&call, tool.name, started, done).await }
    }

    /// The user's UTC offset at a time in milliseconds since 1970, in minutes.
    pub(crate) fn utc_offset_min(&self, at_ms: i64) -> i32 {
        (self.utc_offset)(at_ms)
    }

    /// The environment.
    pub fn env(&self) -> &Env {
        &self.env
    }

    pub(crate) fn shared_env(&self) -> Arc<Env> {
        Arc::clone(&self.env)
    }

    /// The time now, in milliseconds since 1970.
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The time now by both of the computer's clocks.
    pub fn moment(&self) -> Moment {
        self.clock.moment()
    }

    /// The clock.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Plimsoll's folder.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The settings; the defaults if the file can't be read, which is logged and reported by `doctor`.
    pub fn settings(&self) -> &Settings {
        self.settings.get_or_init(|| {
            Settings::load(&self.home).unwrap_or_else(|error| {
                log::warn!("{error}; the defaults are used");
                Settings::default()
            })
        })
    }

    /// Chooses the project among these folders, in order of preference.
    pub fn set_project(&self, candidates: &[PathBuf]) {
        let found = candidates.iter().find_map(|candidate| {
            let project = Project::find(std::slice::from_ref(candidate), &self.env)?;
            Some((project, candidate.clone()))
        });
        let (project, start) = found.unzip();
        *self.start.write().unwrap_or_else(PoisonError::into_inner) = start;
        let named = candidates.first();
        let gone = project.is_none() && (self.env.cwd_gone() || named.is_some_and(|folder| !folder.is_dir()));
        self.folder_gone.store(gone, std::sync::atomic::Ordering::Relaxed);
        if project.is_none() {
            log::info!("none of the folders given is a project; what is stored goes to a store of its own");
        }
        let project = project.unwrap_or_else(|| Project::none(&self.home));
        *self.project.write().unwrap_or_else(PoisonError::into_inner) = Some(project);
    }

    /// Where the agent was started, if that is in the project: its own rules are relative to this folder.
    pub(crate) fn start_dir(&self) -> PathBuf {
        let start = self.start.read().unwrap_or_else(PoisonError::into_inner).clone();
        let start = start.unwrap_or_else(|| self.env.cwd().to_owned());
        let root = self.project().root;
        let real = Project::at(&start).map_or(start, |project| project.root);
        if real.starts_with(&root) { real } else { root }
    }

    /// Whether [`Service::set_project`] was called.
    pub fn project_set(&self) -> bool {
        self.project.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The project; if none was chosen, that of the working folder.
    pub fn project(&self) -> Project {
        let chosen = self.project.read().unwrap_or_else(PoisonError::into_inner).clone();
        chosen
            .or_else(|| Project::find(&[self.env.cwd().to_owned()], &self.env))
            .unwrap_or_else(|| Project::none(&self.home))
    }

    /// Whether the folder to work in has been deleted, so that running elsewhere would be a guess.
    pub(crate) fn folder_gone(&self) -> bool {
        let named = self.folder_gone.load(std::sync::atomic::Ordering::Relaxed);
        let chosen = self.project.read().unwrap_or_else(PoisonError::into_inner).is_some();
        named || (!self.has_project() && !chosen && (self.env.cwd_gone() || !self.env.cwd().is_dir()))
    }

    /// Removes the folders of runs whose server was killed, without waiting. For the start of a server.
    pub fn sweep_runs(&self) {
        let root = sandbox::run_folder::root(&std::env::temp_dir());
        if root.exists() {
            tokio::task::spawn_blocking(move || {
                let swept = sandbox::run_folder::sweep(&root);
                log::info!("{swept} folders of runs were left and are removed");
            });
        }
    }

    /// Sets the path of the sidecar that came with this program. What only the sidecar can do is started from it.
    pub fn set_sidecar(&self, sidecar: PathBuf) {
        // The first call wins: it is the program's own host.
        let _ = self.sidecar.set(sidecar);
    }

    /// Whether there is a project; without one, sources go to a store of their own.
    pub fn has_project(&self) -> bool {
        self.project().root != self.home.root()
    }

    /// Resolves an agent's path: relative paths start in the project, `~` is the home folder.
    pub(crate) fn resolve_path(&self, path: &Path) -> PathBuf {
        if let Some(file) = path.to_str().and_then(|path| self.kept_output(path)) {
            return file;
        }
        if let Ok(rest) = path.strip_prefix("~") {
            return self.env.home_dir().join(rest);
        }
        self.work_dir().join(path)
    }

    /// The default folder for code: the project, or the home folder without one.
    pub(crate) fn work_dir(&self) -> PathBuf {
        if self.has_project() { self.project().root } else { self.env.home_dir().to_owned() }
    }

    /// Finds the language runtimes.
    pub fn runtimes(&self) -> Arc<Runtimes> {
        Arc::clone(self.runtimes.get_or_init(|| {
            let path =
                self.env.vars().find(|(name, _)| name.eq_ignore_ascii_case("PATH")).map(|(_, value)| value);
            let cache = self.home.check().is_ok().then(|| self.home.cache_dir().join("runtimes.json"));
            Arc::new(Runtimes::new(path, cache).with_home(self.env.home_dir()))
        }))
    }

    /// The environment for child processes. An agent among them isn't started by the plugin that started this server, so its
    /// own hooks must not step aside.
    pub(crate) fn child_env(&self) -> Arc<Vec<(OsString, OsString)>> {
        Arc::clone(self.child_env.get_or_init(|| {
            let told = self.env.vars().filter(|(name, value)| {
                **name != *agents::plugin::VARIABLE && !agents::is_placeholder(name, value)
            });
            Arc::new(told.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
        }))
    }
}

impl Host for Service {
    fn home(&self) -> &Home {
        self.home()
    }
    fn env(&self) -> &Env {
        self.env()
    }
    fn now_ms(&self) -> i64 {
        self.now_ms()
    }
    fn utc_offset_min(&self, at_ms: i64) -> i32 {
        self.utc_offset_min(at_ms)
    }
    fn settings(&self) -> &Settings {
        self.settings()
    }
    fn project(&self) -> Project {
        self.project()
    }
    fn has_project(&self) -> bool {
        self.has_project()
    }
    fn guests(&self) -> Vec<&'static Guest> {
        system::guests(self.systems)
    }
    fn sidecar(&self) -> Option<PathBuf> {
        self.sidecar.get().cloned()
    }
    fn may_run(self: Arc<Self>, call: Call, command: String, folder: PathBuf) -> ReplyFuture<bool> {
        Box::pin(async move { self.allows(&call, command, folder).await })
    }
    fn readable(self: Arc<Self>, call: Call) -> ReplyFuture<Readable> {
        Box::pin(async move {
            self.refuse_hidden_rules(&call).await?;
            let rules = self.rules(&call).await?;
            let (root, home) = (self.project().root, self.env().home_dir().to_owned());
            Ok(Readable::new(move |path| !rules.hides(path, &root, &home)))
        })
    }
    fn learn(self: Arc<Self>) -> u64 {
        let all = self.systems_on().filter_map(|system| system.learn);
        all.map(|learn| match learn(&*self) {
            Ok(taken) => taken.waiting,
            Err(error) => {
                log::info!("nothing is learned from the project's history: {error}");
                0
            }
        })
        .sum()
    }
    fn call_tool(self: Arc<Self>, call: Call, name: &'static str, given: Map<String, Value>) -> ReplyFuture {
        Box::pin(self.run_inner_tool(call, name, given))
    }
    fn remembered(self: Arc<Self>, call: &Call, subject: &Subject, limit: usize) -> Vec<Remembered> {
        let host: Arc<dyn Host> = Arc::clone(&self) as _;
        let at = CallContext { host, call: call.clone() };
        let all = self.systems_on().filter_map(|system| system.remember);
        all.flat_map(|remember| {
            remember(&at, subject, limit).unwrap_or_else(|error| {
                log::info!("what is remembered is left out: {error}");
                Vec::new()
            })
        })
        .collect()
    }
}

/// Prepares the memory of a process that runs long and works seldom. First of all: before other threads, and before a library
/// is loaded.
pub fn prepare_memory() {
    sandbox::memory::prepare();
}

/// Returns memory that an idle process doesn't need to the system. Takes some milliseconds.
pub fn give_back_memory() {
    sandbox::memory::give_back();
}

/// Makes a write beyond the limit of a file's size fail instead of ending this process.
pub fn survive_file_limit() {
    sandbox::file_limit::survive();
}

/// Resolves when the parent process has ended.
pub async fn parent_gone() {
    sandbox::lifetime::parent_gone().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_plimsoll_runs_are_not_the_plugins() {
        let dir = tempfile::tempdir().unwrap();
        let env = Env::for_test(dir.path()).with(agents::plugin::VARIABLE, "1").with("MINE", "x");
        let service = Service::new(env, Clock::fixed(5)).unwrap();
        assert!(agents::plugin::is_from_plugin(service.env()));
        let told = service.child_env();
        let has = |wanted: &str| told.iter().any(|(name, _)| name == wanted);
        assert!(has("MINE") && !has(agents::plugin::VARIABLE));
    }
}
