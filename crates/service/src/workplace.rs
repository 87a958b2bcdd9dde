//! The service itself: what all operations share, opened when it is first needed and not before, because a
//! server that nobody has asked anything must cost next to nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use contract::{Error, Reply};
use home::{Clock, Env, Home, Project, Settings};
use knowledge::Store;
use sandbox::Runtimes;
use sessions::{Guest, Sessions, SessionsError};
use system::{At, Call, Host, Job, Readable, System, Tool, Work};

use crate::failure;
use crate::listed::ToolList;

/// The operations, over one environment.
pub struct Service {
    env: Arc<Env>,
    clock: Clock,
    home: Home,
    project: RwLock<Option<Project>>,
    /// None of the folders that were named is there.
    folder_gone: std::sync::atomic::AtomicBool,
    /// The folder that stands for the project: where the agent was started, which may lie inside it.
    start: RwLock<Option<PathBuf>>,
    settings: OnceLock<Settings>,
    runtimes: OnceLock<Arc<Runtimes>>,
    child_env: OnceLock<Arc<Vec<(OsString, OsString)>>>,
    /// A call has ended.
    pub(crate) worked: tokio::sync::Notify,
    /// Held by whoever removes what does not fit the budget.
    pub(crate) making_room: Arc<tokio::sync::Mutex<()>>,
    pub(crate) knowledge: Arc<Mutex<Option<(PathBuf, Store)>>>,
    pub(crate) sessions: Arc<Mutex<Option<Sessions>>>,
    /// When this process started, in milliseconds since 1970.
    pub(crate) started_ms: i64,
    /// What our tool list costs, and in which sessions that is in the ledger.
    pub(crate) tool_list: Mutex<Option<ToolList>>,
    /// How far east of Greenwich the person's clock is at a moment, in minutes.
    zone: fn(i64) -> i32,
    /// What there is to loop over.
    systems: &'static [&'static System],
    /// Where the sidecar is, in a program that isn't it.
    sidecar: OnceLock<PathBuf>,
}

impl Service {
    /// A service over this environment. Opens and creates nothing.
    ///
    /// # Errors
    /// When the Plimsoll folder cannot be told.
    pub fn new(env: Env, clock: Clock) -> Result<Self, Error> {
        let home = Home::resolve(&env).map_err(|error| failure::of_storage(&error))?;
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
            worked: tokio::sync::Notify::new(),
            making_room: Arc::default(),
            knowledge: Arc::new(Mutex::new(None)),
            sessions: Arc::new(Mutex::new(None)),
            started_ms: clock.now_ms(),
            tool_list: Mutex::new(None),
            zone: |_| 0,
            systems: crate::SYSTEMS,
            sidecar: OnceLock::new(),
        })
    }

    /// The same where the person's clock is ahead of UTC by what `zone` says, in minutes, of a moment in
    /// milliseconds since 1970. Without it, days are those of UTC.
    #[must_use]
    pub fn in_zone(mut self, zone: fn(i64) -> i32) -> Self {
        self.zone = zone;
        self
    }

    /// The same with other systems than those that are built in.
    #[must_use]
    pub fn with_systems(mut self, systems: &'static [&'static System]) -> Self {
        self.systems = systems;
        self
    }

    /// Every system, on or off.
    pub fn systems(&self) -> &'static [&'static System] {
        self.systems
    }

    /// The systems that are on.
    pub fn systems_on(&self) -> impl Iterator<Item = &'static System> + use<'_> {
        system::on(self.systems, self.settings())
    }

    /// Lets the systems that are on do what they do in a server beside answering.
    pub fn attend(self: &Arc<Self>) {
        let host: Arc<dyn Host> = Arc::clone(self) as _;
        for system in self.systems_on() {
            (system.attend)(&host);
        }
    }

    /// The systems that are on by what the file says now; for a window, which lives for days.
    pub fn systems_now(&self) -> Vec<&'static System> {
        let settings = Settings::load(&self.home).unwrap_or_default();
        system::on(self.systems, &settings).collect()
    }

    /// Opens the record of sessions with the tables of every system in it.
    pub(crate) fn open_record(&self) -> Result<Sessions, SessionsError> {
        Sessions::open(&self.home, &system::guests(self.systems))
    }

    /// The same for reading; `None` when nothing was ever recorded.
    pub(crate) fn read_record(&self) -> Result<Option<Sessions>, SessionsError> {
        Sessions::open_read_only(&self.home, &system::guests(self.systems))
    }

    /// Carries out a call of a tool and books it.
    ///
    /// # Errors
    /// The tool's own.
    pub async fn carry_out(
        self: Arc<Self>,
        call: Call,
        tool: &'static Tool,
        job: Job,
    ) -> Result<Reply, Error> {
        let started = std::time::Instant::now();
        let host: Arc<dyn Host> = Arc::clone(&self) as _;
        let done = job(At { host, call: call.clone() }).await;
        if tool.books { done } else { self.account(&call, tool.name, started, done).await }
    }

    /// How far the person's clock is ahead of UTC now, in minutes.
    pub(crate) fn utc_offset_min(&self) -> i32 {
        (self.zone)(self.now_ms())
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

    /// The clock.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The Plimsoll folder.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The settings; the defaults when the file cannot be read, which is logged and shown by `doctor`.
    pub fn settings(&self) -> &Settings {
        self.settings.get_or_init(|| {
            Settings::load(&self.home).unwrap_or_else(|error| {
                log::warn!("{error}; the defaults are used");
                Settings::default()
            })
        })
    }

    /// Chooses the project among these folders, best first.
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

    /// Where the agent was started: its own rules for a folder are those of this one.
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

    /// The project; the working folder's when none was chosen.
    pub fn project(&self) -> Project {
        let chosen = self.project.read().unwrap_or_else(PoisonError::into_inner).clone();
        chosen
            .or_else(|| Project::find(&[self.env.cwd().to_owned()], &self.env))
            .unwrap_or_else(|| Project::none(&self.home))
    }

    /// Whether the folder in which this was to work has been deleted, so that running elsewhere instead would be a guess.
    pub(crate) fn folder_gone(&self) -> bool {
        let named = self.folder_gone.load(std::sync::atomic::Ordering::Relaxed);
        let chosen = self.project.read().unwrap_or_else(PoisonError::into_inner).is_some();
        named || (!self.has_project() && !chosen && (self.env.cwd_gone() || !self.env.cwd().is_dir()))
    }

    /// Removes the folders of runs whose server was killed; for a server that starts, and waits for nothing.
    pub fn sweep_runs(&self) {
        let root = sandbox::run_folder::root(&std::env::temp_dir());
        if root.exists() {
            tokio::task::spawn_blocking(move || {
                let swept = sandbox::run_folder::sweep(&root);
                log::info!("{swept} folders of runs were left and are removed");
            });
        }
    }

    /// The sidecar that came with this program, which is another one: what only the sidecar can do is started from it.
    pub fn beside(&self, sidecar: PathBuf) {
        // Whoever says it first is the program's own host.
        let _ = self.sidecar.set(sidecar);
    }

    /// Whether a project is known; without one, what is stored is kept apart from every project.
    pub fn has_project(&self) -> bool {
        self.project().root != self.home.root()
    }

    /// Where a path given by an agent is: relative ones start in the project, `~` is the home folder.
    pub(crate) fn locate(&self, path: &Path) -> PathBuf {
        if let Some(file) = path.to_str().and_then(|path| self.kept_output(path)) {
            return file;
        }
        if let Ok(rest) = path.strip_prefix("~") {
            return self.env.home_dir().join(rest);
        }
        self.work_dir().join(path)
    }

    /// Where code runs unless told otherwise: the project, or without one the home folder.
    pub(crate) fn work_dir(&self) -> PathBuf {
        if self.has_project() { self.project().root } else { self.env.home_dir().to_owned() }
    }

    /// The finder of languages' runtimes.
    pub fn runtimes(&self) -> Arc<Runtimes> {
        Arc::clone(self.runtimes.get_or_init(|| {
            let path =
                self.env.vars().find(|(name, _)| name.eq_ignore_ascii_case("PATH")).map(|(_, value)| value);
            Arc::new(Runtimes::new(path, Some(self.home.cache_dir().join("runtimes.json"))))
        }))
    }

    /// Our own environment, for children.
    pub(crate) fn child_env(&self) -> Arc<Vec<(OsString, OsString)>> {
        Arc::clone(self.child_env.get_or_init(|| {
            let told = self.env.vars().filter(|(name, value)| !agents::is_placeholder(name, value));
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
    fn may_run(self: Arc<Self>, call: Call, command: String, folder: PathBuf) -> Work<bool> {
        Box::pin(async move { self.allows(&call, command, folder).await })
    }
    fn readable(self: Arc<Self>, call: Call) -> Work<Readable> {
        Box::pin(async move {
            self.rules_seen(&call).await?;
            let rules = self.rules(&call).await?;
            let (root, home) = (self.project().root, self.env().home_dir().to_owned());
            Ok(Readable::new(move |path| !rules.hides(path, &root, &home)))
        })
    }
}

/// For the start of a server, which lives long and works seldom.
pub fn sparing() {
    sandbox::memory::configure_allocator();
}

/// Resolves when the process that started us has ended.
pub async fn parent_gone() {
    sandbox::lifetime::parent_gone().await;
}
