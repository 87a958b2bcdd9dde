//! What the window asks of memories, command by command over a real database: what one writes another shows, from the project
//! that is looked at and from no other, and looking makes nothing.

#![allow(clippy::unwrap_used, reason = "tests")]

mod memories;
mod prompts;
mod sources;
mod team;

use std::path::PathBuf;
use std::sync::Arc;

use contract::Error;
use home::{Env, Home, Project, Settings};
use plimsoll_memory::SYSTEM;
use plimsoll_memory::domain::project_key;
use serde_json::{Value, json};
use system::{Call, CallContext, Host};

const NOW: i64 = 1_800_000_000_000;

struct Computer {
    home: Home,
    env: Env,
    settings: Settings,
    root: PathBuf,
}

impl Host for Computer {
    fn home(&self) -> &Home {
        &self.home
    }
    fn env(&self) -> &Env {
        &self.env
    }
    fn now_ms(&self) -> i64 {
        NOW
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
}

struct World {
    _dir: tempfile::TempDir,
    host: Arc<Computer>,
    runtime: tokio::runtime::Runtime,
    key: String,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = dunce::canonicalize(dir.path()).unwrap();
        let root = user.join("shop");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let home = Home::at(user.join("plimsoll"));
        std::fs::create_dir_all(home.root()).unwrap();
        let env = Env::for_test(&user).with_cwd(&root);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let key = project_key(&Project::at(&root).unwrap());
        let settings = Settings::default();
        Self { host: Arc::new(Computer { home, env, settings, root }), runtime, key, _dir: dir }
    }

    fn ask(&self, name: &str, args: Value) -> Result<Value, Error> {
        let command = SYSTEM.commands.iter().find(|command| command.name == name).unwrap();
        let at = CallContext { host: self.host.clone(), call: Call::from_user() };
        self.runtime.block_on(command.run(at, args))
    }

    fn done(&self, name: &str, args: Value) -> Value {
        self.ask(name, args).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, content: &str, namespace: &str, scope: &str) -> String {
        let args = json!({"project": self.key, "content": content, "namespace": namespace, "scope": scope, "tags": []});
        self.done("memory_capture", args)["id"].as_str().unwrap().to_owned()
    }

    fn titles(&self, asked: Value) -> Vec<String> {
        let mut args = json!({"project": self.key, "limit": 20});
        args.as_object_mut().unwrap().extend(asked.as_object().unwrap().clone());
        let page = self.done("memories", args);
        let rows = page["rows"].as_array().unwrap();
        rows.iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
    }
}
