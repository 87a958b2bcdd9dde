//! A computer with one project on it, on which the system is called by its table, as entry points do.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use contract::{Error, Reply};
use home::{Env, Home, Project, Settings};
use plimsoll_memory::SYSTEM;
use serde_json::{Map, Value};
use system::{Call, CallContext, Host, Readable, ReplyFuture, Sampling, VerbArguments, find_tool};

pub(crate) const NOW: i64 = 1_800_000_000_000;

pub(crate) struct Computer {
    pub(crate) home: Home,
    pub(crate) env: Env,
    pub(crate) settings: Settings,
    pub(crate) root: PathBuf,
    pub(crate) now_ms: i64,
    pub(crate) utc_offset_min: i32,
}

impl Host for Computer {
    fn home(&self) -> &Home {
        &self.home
    }
    fn env(&self) -> &Env {
        &self.env
    }
    fn now_ms(&self) -> i64 {
        self.now_ms
    }
    fn utc_offset_min(&self, _: i64) -> i32 {
        self.utc_offset_min
    }
    fn settings(&self) -> &Settings {
        &self.settings
    }
    fn project(&self) -> Project {
        Project::at(&self.root).unwrap()
    }
    fn has_project(&self) -> bool {
        true
    }
    fn guests(&self) -> Vec<&'static sessions::Guest> {
        Vec::new()
    }
    fn readable(self: Arc<Self>, _: Call) -> ReplyFuture<Readable> {
        Box::pin(async { Ok(Readable::everything()) })
    }
}

pub(crate) struct World {
    _dir: Option<tempfile::TempDir>,
    pub(crate) host: Arc<Computer>,
    runtime: tokio::runtime::Runtime,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::at(NOW, "")
    }

    pub(crate) fn at(now_ms: i64, settings: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let world = Self::in_folder(dir.path(), now_ms, settings);
        Self { _dir: Some(dir), ..world }
    }

    /// A computer whose files are in this folder, perhaps from an earlier process.
    pub(crate) fn in_folder(folder: &Path, now_ms: i64, settings: &str) -> Self {
        let user = std::fs::canonicalize(folder).unwrap();
        let root = user.join("shop");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(root.join("ARCHITECTURE.md"), "x").unwrap();
        let home = Home::at(user.join("plimsoll"));
        std::fs::create_dir_all(home.root()).unwrap();
        std::fs::write(home.settings_path(), settings).unwrap();
        let settings = Settings::load(&home).unwrap();
        let env = Env::for_test(&user).with_cwd(&root);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let computer = Computer { home, env, settings, root, now_ms, utc_offset_min: 0 };
        Self { host: Arc::new(computer), runtime, _dir: None }
    }

    pub(crate) fn place(&self) -> CallContext {
        CallContext {
            host: self.host.clone(),
            call: Call { agent: agents::by_id("codex"), ..Call::from_user() },
        }
    }

    /// The same computer with other settings.
    pub(crate) fn with_settings(self, settings: &str) -> Self {
        std::fs::write(self.host.home.settings_path(), settings).unwrap();
        let settings = Settings::load(&self.host.home).unwrap();
        let Computer { home, env, root, now_ms, utc_offset_min, .. } = &*self.host;
        let computer = Computer {
            home: home.clone(),
            env: env.clone(),
            settings,
            root: root.clone(),
            now_ms: *now_ms,
            utc_offset_min: *utc_offset_min,
        };
        Self { host: Arc::new(computer), ..self }
    }

    /// The same computer in another time zone.
    pub(crate) fn with_utc_offset(self, utc_offset_min: i32) -> Self {
        let Computer { home, env, settings, root, now_ms, .. } = &*self.host;
        let computer = Computer {
            home: home.clone(),
            env: env.clone(),
            settings: settings.clone(),
            root: root.clone(),
            now_ms: *now_ms,
            utc_offset_min,
        };
        Self { host: Arc::new(computer), ..self }
    }

    pub(crate) fn call(&self, name: &str, arguments: Value) -> Result<Reply, Error> {
        let arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
        let (_, job) = find_tool(&[&SYSTEM], name, arguments)?;
        self.runtime.block_on(job(self.place()))
    }

    pub(crate) fn data(&self, name: &str, arguments: Value) -> Value {
        let reply = self.call(name, arguments).unwrap();
        assert!(!reply.text.is_empty());
        reply.data
    }

    /// What the window is answered.
    pub(crate) fn window(&self, name: &str, args: Value) -> Value {
        let command = SYSTEM.commands.iter().find(|command| command.name == name).unwrap();
        let at = CallContext { host: self.host.clone(), call: Call::from_user() };
        self.runtime.block_on(command.run(at, args)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The same for an agent that lends its model.
    pub(crate) fn data_with(&self, sampling: Sampling, name: &str, arguments: Value) -> Value {
        let (_, job) = find_tool(&[&SYSTEM], name, arguments.as_object().unwrap().clone()).unwrap();
        let mut at = self.place();
        at.call.sampling = sampling;
        self.runtime.block_on(job(at)).unwrap().data
    }

    pub(crate) fn typed(&self, verb: &str, words: &[&str], named: Value) -> Result<Reply, Error> {
        let verb = SYSTEM.verbs.iter().find(|one| one.name == verb).unwrap();
        let mut typed = named.as_object().unwrap().clone();
        typed.insert("ACTION".into(), words.to_vec().into());
        let work = (verb.run)(
            CallContext { host: self.host.clone(), call: Call::from_user() },
            VerbArguments(typed),
        )?;
        self.runtime.block_on(work)
    }
}
