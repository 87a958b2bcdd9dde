//! Shared by the crate's tests: a scratch folder for runs, and this process's own environment.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plimsoll_sandbox::{Cancel, DEFAULT_MAX_OUTPUT, Language, Outcome, Redact, Run, Runtimes, run};

/// A test's folders, removed with it.
pub(crate) struct Room {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) runtimes: Runtimes,
}

impl Room {
    pub(crate) fn new() -> Room {
        let dir = tempfile::tempdir().unwrap();
        for name in ["project", "temp", "spill"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        let path = std::env::var_os("PATH");
        let runtimes = Runtimes::new(path.as_deref(), Some(dir.path().join("versions.json")));
        Room { dir, env: std::env::vars_os().collect(), runtimes }
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn shell(&self, code: &str) -> Outcome {
        self.run(Language::Shell, code, None, Duration::from_secs(60), Cancel::never())
    }

    pub(crate) fn run(
        &self,
        language: Language,
        code: &str,
        file: Option<&Path>,
        timeout: Duration,
        cancel: Cancel,
    ) -> Outcome {
        block_on(async {
            self.start(language, code, file, timeout, DEFAULT_MAX_OUTPUT, cancel).await.unwrap()
        })
    }

    pub(crate) async fn start(
        &self,
        language: Language,
        code: &str,
        file: Option<&Path>,
        timeout: Duration,
        max_output: u64,
        cancel: Cancel,
    ) -> Result<Outcome, plimsoll_sandbox::SandboxError> {
        self.start_within(language, code, file, timeout, max_output, cancel, None).await
    }

    #[expect(clippy::too_many_arguments, reason = "what a run can be given")]
    pub(crate) async fn start_within(
        &self,
        language: Language,
        code: &str,
        file: Option<&Path>,
        timeout: Duration,
        max_output: u64,
        cancel: Cancel,
        confine: Option<&plimsoll_sandbox::Confine>,
    ) -> Result<Outcome, plimsoll_sandbox::SandboxError> {
        let (cwd, spill, temp_root) = (self.at("project"), self.at("spill"), self.at("temp"));
        let it = Run {
            language,
            code,
            cwd: &cwd,
            file,
            timeout,
            env: &self.env,
            spill: &spill,
            redact: HIDE,
            temp_root: &temp_root,
            max_output,
            confine,
        };
        run(&it, &self.runtimes, cancel).await
    }

    /// Nothing of a run is left in the temporary folder.
    pub(crate) fn temp_is_empty(&self) -> bool {
        std::fs::read_dir(self.at("temp")).unwrap().next().is_none()
    }
}

/// Hides the only secret in these tests, which is in one line.
pub(crate) const HIDE: Redact = Redact { after: hide, undecided: <[u8]>::len, open_table: |_| None };

fn hide(text: &str, from: usize) -> Cow<'_, str> {
    let text = &text[from..];
    if text.contains("hush-12345678") {
        text.replace("hush-12345678", "[redacted]").into()
    } else {
        text.into()
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
