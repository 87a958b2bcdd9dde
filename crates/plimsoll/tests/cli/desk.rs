//! A temporary computer: a home folder with agents' configs, and the binary to run there.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The nine agents.
pub(crate) const ALL: [&str; 9] = [
    "claude-code",
    "codex",
    "cursor",
    "vscode-copilot",
    "copilot-cli",
    "antigravity",
    "kiro",
    "opencode",
    "gemini-cli",
];

pub(crate) struct Desk {
    dir: tempfile::TempDir,
}

/// A run's output and exit code.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in:\n{}", self.out))
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("plimsoll-desk-").tempdir().unwrap();
        std::fs::create_dir(dir.path().join("home")).unwrap();
        Self { dir }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn plimsoll(&self) -> PathBuf {
        self.home().join(".plimsoll")
    }

    /// A folder beside the home folder.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    pub(crate) fn write(&self, path: impl AsRef<Path>, text: &str) -> PathBuf {
        let path = self.home().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, path: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.home().join(path)).unwrap()
    }

    /// Installs the binary where connecting would copy it, which saves that copy in each test.
    pub(crate) fn installed(self) -> Self {
        let folder = self.plimsoll().join("bin/versions").join(env!("CARGO_PKG_VERSION"));
        std::fs::create_dir_all(&folder).unwrap();
        let (from, to) = (Path::new(env!("CARGO_BIN_EXE_plimsoll")), folder.join("plimsoll"));
        if std::fs::hard_link(from, &to).is_err() {
            std::fs::copy(from, &to).unwrap();
        }
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .env("SHELL", "/bin/sh")
            .env("LANG", "C.UTF-8")
            .current_dir(self.home())
            .args(args)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        finish(&mut self.command(args))
    }

    pub(crate) fn run_in(&self, cwd: &Path, args: &[&str]) -> Ran {
        finish(self.command(args).current_dir(cwd))
    }

    pub(crate) fn run_with_input(&self, cwd: &Path, args: &[&str], input: &str) -> Ran {
        with_input(self.command(args).current_dir(cwd), input)
    }

    /// The files that connecting this agent would change, according to the sidecar itself.
    pub(crate) fn files_of(&self, agent: &str) -> Vec<PathBuf> {
        let printed = self.run(&["connect", "--print", agent, "--json"]).ended(0).json();
        printed.as_array().unwrap().iter().map(|file| PathBuf::from(file["path"].as_str().unwrap())).collect()
    }

    /// Makes an agent look installed, with the user's own configuration if a file may have one.
    pub(crate) fn installs(&self, agent: &str) {
        for path in self.files_of(agent) {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // Files with Plimsoll's name are its own.
            if name.starts_with("plimsoll") || path.exists() {
                continue;
            }
            let text = match path.extension().and_then(|extension| extension.to_str()) {
                Some("toml") => {
                    "# note to myself\r\nmodel = \"o9\"   # keep\r\n\r\n[profiles.x]\r\na = 1\r\n"
                }
                Some("jsonc") => "{\n\t// note to myself\n\t\"mine\": [1, 2,],\n}\n",
                Some("json") if name == "hooks.json" => continue,
                Some("json") => "{\n    \"mine\": {\"a\": [1, 2]},\n\n    \"z\": \"ü\"\n}",
                _ => "# My own\n\nwords without a final line end",
            };
            std::fs::write(&path, text).unwrap();
        }
        // These are detected by the product's folder, not by a config file.
        let more = match agent {
            "vscode-copilot" => ".config/Code/User",
            "kiro" => ".kiro/settings",
            _ => return,
        };
        std::fs::create_dir_all(self.home().join(more)).unwrap();
    }

    /// Every file and folder in the home folder with its bytes, except `skip` at the top level.
    pub(crate) fn tree(&self, skip: &[&str]) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut tree = BTreeMap::new();
        walk(&self.home(), &self.home(), skip, &mut tree);
        tree
    }

    /// The text without what differs from run to run.
    pub(crate) fn neutral(&self, text: &str) -> String {
        let home = self.home().display().to_string();
        text.replace(&home, "[home]").replace(env!("CARGO_PKG_VERSION"), "[version]")
    }
}

pub(crate) fn finish(command: &mut Command) -> Ran {
    ran(command.output().unwrap())
}

pub(crate) fn with_input(command: &mut Command, input: &str) -> Ran {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    ran(child.wait_with_output().unwrap())
}

fn ran(output: std::process::Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn walk(root: &Path, folder: &Path, skip: &[&str], tree: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_path_buf();
        if skip.iter().any(|skip| name == Path::new(skip)) {
            continue;
        }
        if path.is_dir() {
            tree.insert(name, None);
            walk(root, &path, skip, tree);
        } else {
            tree.insert(name, Some(std::fs::read(&path).unwrap()));
        }
    }
}

/// Reports which entries differ instead of printing every byte.
#[track_caller]
pub(crate) fn same(
    before: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    after: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    what: &str,
) {
    for (path, bytes) in before {
        match after.get(path) {
            None => panic!("{what}: {} is gone", path.display()),
            Some(now) if now != bytes => panic!(
                "{what}: {} changed\nbefore:\n{}\nafter:\n{}",
                path.display(),
                String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()),
                String::from_utf8_lossy(now.as_deref().unwrap_or_default())
            ),
            Some(_) => {}
        }
    }
    for path in after.keys() {
        assert!(before.contains_key(path), "{what}: {} is new", path.display());
    }
}
