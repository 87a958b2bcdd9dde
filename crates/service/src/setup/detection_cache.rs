//! Caches what the last full survey learned: the login shell's PATH, and the versions that programs reported. A quick
//! survey uses them, so that it judges by the same versions without starting a program. A version is valid while its
//! program is the same file. Losing the cache costs only the next full survey.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use agents::{Installation, LoginShell};
use contract::{AgentReport, Sentence};
use home::Home;
use serde::{Deserialize, Serialize};

/// The cached data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DetectionCache {
    /// The login shell's PATH and overrides; nothing else of its environment, which may contain secrets.
    login: BTreeMap<String, String>,
    programs: BTreeMap<PathBuf, ProgramVersion>,
    /// What agents are waiting for, by ID.
    waiting: BTreeMap<String, CachedNeeds>,
}

/// What an agent waited for when its program was asked. Valid until one of the agent's files changes: approvals are
/// stored there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CachedNeeds {
    files: Vec<(PathBuf, Option<(u64, u64)>)>,
    needs: Vec<Sentence>,
}

impl CachedNeeds {
    /// The needs in this report, with the current state of its files.
    fn of(report: &AgentReport) -> Self {
        Self { files: stamps(report), needs: report.needs.clone() }
    }
}

fn stamps(report: &AgentReport) -> Vec<(PathBuf, Option<(u64, u64)>)> {
    report.files.iter().map(|file| (file.path.clone(), stamp(&file.path))).collect()
}

/// The version that a program reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ProgramVersion {
    version: String,
    bytes: u64,
    modified_ms: u64,
}

impl DetectionCache {
    /// Reads the cache; empty if there is none or it can't be read.
    pub(super) fn read(home: &Home) -> Self {
        let text = std::fs::read(path(home)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Whether the cache is empty.
    pub(super) fn is_empty(home: &Home) -> bool {
        Self::read(home) == Self::default()
    }

    /// The cached login shell.
    pub(super) fn login(&self) -> LoginShell {
        LoginShell::from_variables(self.login.clone())
    }

    /// The versions of programs that are still the same files.
    pub(super) fn versions(&self) -> BTreeMap<PathBuf, String> {
        let same = |(program, told): (&PathBuf, &ProgramVersion)| {
            (stamp(program)? == (told.bytes, told.modified_ms))
                .then(|| (program.clone(), told.version.clone()))
        };
        self.programs.iter().filter_map(same).collect()
    }

    /// What an agent waits for, if its files haven't changed since.
    pub(super) fn needs(&self, report: &AgentReport) -> Vec<Sentence> {
        let cached = self.waiting.get(&report.id).filter(|cached| cached.files == stamps(report));
        cached.map(|cached| cached.needs.clone()).unwrap_or_default()
    }

    /// Saves what agents wait for, from the reports of a full survey.
    pub(super) fn save_needs<'a>(home: &Home, reports: impl Iterator<Item = &'a AgentReport>) {
        let waiting = reports.filter(|report| !report.needs.is_empty());
        let waiting = waiting.map(|report| (report.id.clone(), CachedNeeds::of(report))).collect();
        Self { waiting, ..Self::read(home) }.save(home);
    }

    /// Saves a full survey, but only if Plimsoll's folder exists: a survey doesn't create it.
    pub(super) fn save_survey<'a>(
        home: &Home,
        login: &LoginShell,
        found: impl Iterator<Item = &'a Installation>,
    ) {
        let programs = found.filter_map(|found| {
            let (program, version) = (found.program.clone()?, found.version.clone()?);
            let (bytes, modified_ms) = stamp(&program)?;
            Some((program, ProgramVersion { version, bytes, modified_ms }))
        });
        let waiting = Self::read(home).waiting;
        Self { login: login.cacheable(), programs: programs.collect(), waiting }.save(home);
    }

    fn save(&self, home: &Home) {
        if !home.root().is_dir() || *self == Self::read(home) {
            return;
        }
        let written = home::private_dir(&home.cache_dir())
            .and_then(|()| home::write_private(&path(home), &serde_json::to_vec(self).unwrap_or_default()));
        if let Err(error) = written {
            log::info!("{}: {error}", path(home).display());
        }
    }
}

fn path(home: &Home) -> PathBuf {
    home.cache_dir().join("computer.json")
}

/// Size and modification time of the file at a path.
fn stamp(program: &Path) -> Option<(u64, u64)> {
    let seen = std::fs::metadata(program).ok()?;
    let modified = seen.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((seen.len(), u64::try_from(modified.as_millis()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_applies_until_its_program_is_another_file() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        let program = dir.path().join("agent");
        std::fs::write(&program, "one").unwrap();
        let mut found = Installation::assumed("codex", dir.path().to_owned());
        found.program = Some(program.clone());
        found.version = Some("1.2.3".to_owned());
        let login = LoginShell::parse(b"PATH=/a:/b\0SECRET=x\0CODEX_HOME=/c\0");

        DetectionCache::save_survey(&home, &login, [&found].into_iter());
        assert!(!home.root().exists(), "looking made a folder");
        home.ensure().unwrap();
        DetectionCache::save_survey(&home, &login, [&found].into_iter());
        let text = std::fs::read_to_string(path(&home)).unwrap();
        assert!(text.contains("CODEX_HOME") && !text.contains("SECRET"), "{text}");
        let cached = DetectionCache::read(&home);
        assert_eq!(cached.versions().get(&program).map(String::as_str), Some("1.2.3"));
        assert_eq!(cached.login().path(), login.path());

        std::fs::write(&program, "another").unwrap();
        assert!(cached.versions().is_empty());
        std::fs::write(path(&home), "no json").unwrap();
        assert_eq!(DetectionCache::read(&home), DetectionCache::default());
    }

    #[test]
    fn what_an_agent_waits_for_applies_until_its_files_are_others() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        let file = dir.path().join("config.toml");
        std::fs::write(&file, "one").unwrap();
        let report = AgentReport {
            id: "codex".into(),
            name: "Codex".into(),
            state: contract::AgentState::NeedsYou,
            project: None,
            version: None,
            products: Vec::new(),
            found: Vec::new(),
            gains: [true; 3],
            works: [true, false, false],
            files: vec![contract::FileReport {
                path: file.clone(),
                roles: Vec::new(),
                state: contract::FileState::Ours,
                reason: None,
            }],
            needs: vec!["approve the hooks".into()],
            warnings: Vec::new(),
        };
        DetectionCache::save_needs(&home, [&report].into_iter());
        assert_eq!(DetectionCache::read(&home).needs(&report), report.needs);
        let other = AgentReport { id: "kiro".into(), ..report.clone() };
        assert!(DetectionCache::read(&home).needs(&other).is_empty());
        std::fs::write(&file, "approved").unwrap();
        assert!(DetectionCache::read(&home).needs(&report).is_empty(), "an approval is written into a file");
        DetectionCache::save_needs(&home, std::iter::empty());
        assert!(DetectionCache::read(&home).waiting.is_empty());
    }
}
