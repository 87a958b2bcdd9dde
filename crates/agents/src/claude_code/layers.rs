//! Claude Code's settings layers: user, project, local, command line, managed. Owns which of them Claude Code reads for a
//! project, in which order, and what each may allow or forbid. Read-only.
//!
//! Measured on 2.1.197 and 2.1.330: project and local settings come from the folder that Claude Code was started in (newer
//! versions take the local ones from the repository's root), never from a folder that a command changed to. Plimsoll also
//! applies what the folders between the two forbid, but not what they allow.

use std::path::{Path, PathBuf};

use contract::Sentence;
use home::{Env, Os};
use serde_json::Value;

use super::flags::Flags;
use super::policies::{self, PolicyLocation};
use crate::config::{self, Syntax};

/// Whose layer it is, which decides how much it may allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tier {
    /// The user's own.
    User,
    /// A project's: what it allows counts once the user trusts the project.
    Project,
    /// From folders around a project, or named on the command line instead of it: what they allow never counts.
    Around,
    /// From the command line.
    Flag,
    /// An organisation's.
    Managed,
}

/// One settings layer.
#[derive(Debug)]
pub(super) struct Layer {
    /// The file, or another origin.
    pub(super) source: PathBuf,
    /// Folders that patterns with a leading slash start from: the first for what it allows, all for what it forbids.
    pub(super) bases: Vec<PathBuf>,
    /// Whose it is.
    pub(super) tier: Tier,
    /// Whether another tier of managed settings overrides it.
    pub(super) overridden: bool,
    /// Its content, or why it can't be read.
    pub(super) settings: Result<Value, Sentence>,
}

/// The folder that Claude Code was started in: from its variable, from its process, or else from the caller.
pub(super) fn start(env: &Env, flags: &Flags, project: &Path) -> PathBuf {
    env_project(env).or_else(|| flags.cwd.clone()).unwrap_or_else(|| project.to_owned())
}

/// The project that Claude Code names in its children's environment.
pub(super) fn env_project(env: &Env) -> Option<PathBuf> {
    env.var("CLAUDE_PROJECT_DIR").map(|text| native(text, env.os()))
}

/// Git Bash's `/c/work` is `C:\work`.
fn native(text: &str, os: Os) -> PathBuf {
    let drive = text
        .strip_prefix('/')
        .and_then(|rest| rest.split_once('/'))
        .filter(|(drive, _)| drive.len() == 1 && drive.starts_with(|c: char| c.is_ascii_alphabetic()));
    match drive {
        Some((drive, rest)) if os == Os::Windows => {
            PathBuf::from(format!("{}:/{rest}", drive.to_uppercase()))
        }
        _ => PathBuf::from(text),
    }
}

/// The folders from `start` up to the repository's root, and `project` if it is one of the folders around it.
fn ancestor_folders(start: &Path, project: &Path) -> Vec<PathBuf> {
    let top = home::git_root(start);
    let top = match &top {
        Some(top) => Some(top.as_path()),
        None => start.starts_with(project).then_some(project),
    };
    let Some(top) = top else { return Vec::new() };
    let above = start.ancestors().skip(1).take_while(|folder| folder.starts_with(top));
    above.map(Path::to_owned).collect()
}

/// Every existing layer, weakest first.
pub(super) fn all(
    env: &Env,
    config_dir: &Path,
    root: &Path,
    project: Option<&Path>,
    flags: &Flags,
) -> Vec<Layer> {
    let start = project.map(|project| start(env, flags, project));
    let mut files: Vec<(PathBuf, PathBuf, Tier)> = Vec::new();
    if flags.reads("user") {
        files.push((config_dir.join("settings.json"), config_dir.into(), Tier::User));
    }
    if let (Some(start), Some(project)) = (&start, project) {
        let own = config_dir.join("settings.json");
        let around = ancestor_folders(start, project).into_iter().chain(flags.config_root.clone());
        let folders = std::iter::once((start.clone(), Tier::Project))
            .chain(around.map(|folder| (folder, Tier::Around)));
        for (folder, tier) in folders {
            for (name, source) in [("settings.json", "project"), ("settings.local.json", "local")] {
                let path = folder.join(".claude").join(name);
                // With the home folder as the project, its settings are the user's own.
                if flags.reads(source) && path != own {
                    files.push((path, folder.clone(), tier));
                }
            }
        }
    }
    let mut layers: Vec<Layer> = files
        .into_iter()
        .filter_map(|(path, base, tier)| {
            let settings = object(config::read(&path, Syntax::Strict))?;
            Some(Layer { source: path, bases: vec![base], tier, overridden: false, settings })
        })
        .collect();
    let base = start.unwrap_or_else(|| root.to_owned());
    if let Some(given) = &flags.settings {
        layers.push(Layer {
            source: given.source.clone(),
            bases: vec![given.base.clone(), base.clone()],
            tier: Tier::Flag,
            overridden: false,
            settings: given.settings.clone().map_err(Sentence::from),
        });
    }
    layers.extend(managed(env, config_dir, root, &base));
    if let Some(given) = &flags.managed {
        // A program that starts Claude Code may restrict it further, but allow nothing.
        layers.push(Layer {
            source: given.source.clone(),
            bases: vec![base],
            tier: Tier::Managed,
            overridden: true,
            settings: given.settings.clone().map_err(Sentence::from),
        });
    }
    layers
}

/// The managed layers. Claude Code reads the first tier that has any, or all tiers if one asks for it.
fn managed(env: &Env, config_dir: &Path, root: &Path, base: &Path) -> Vec<Layer> {
    let mut layers = Vec::new();
    let mut found = false;
    let mut merged = false;
    for tier in policies::tiers(env, config_dir, root) {
        let overridden = found && !merged;
        for place in tier {
            let read = match &place {
                PolicyLocation::File(path) => config::read(path, Syntax::Strict),
                PolicyLocation::PropertyList(path) => policies::property_list(path)
                    .map_err(Sentence::from)
                    .and_then(|bytes| bytes.map_or(Ok(None), |bytes| config::parse(&bytes, Syntax::Strict))),
                PolicyLocation::Registry(key) => policies::registry(env, key)
                    .map_or(Ok(None), |bytes| config::parse(&bytes, Syntax::Strict)),
            };
            let Some(settings) = object(read) else { continue };
            if let Ok(settings) = &settings {
                found |= settings.as_object().is_some_and(|keys| !keys.is_empty());
                merged |= settings.get("managedSourcesBehavior").and_then(Value::as_str) == Some("merge");
            }
            let bases = vec![base.to_owned(), root.to_owned()];
            layers.push(Layer {
                source: place.display_path(),
                bases,
                tier: Tier::Managed,
                overridden,
                settings,
            });
        }
    }
    layers
}

/// The settings if there are any; anything but an object is an error.
fn object(read: Result<Option<Value>, Sentence>) -> Option<Result<Value, Sentence>> {
    match read {
        Ok(None) => None,
        Ok(Some(settings)) if settings.is_object() => Some(Ok(settings)),
        Ok(Some(_)) => Some(Err("it isn't an object".to_owned().into())),
        Err(reason) => Some(Err(reason)),
    }
}

/// Whether a key is set to true.
pub(super) fn is_true(settings: &Value, key: &str) -> bool {
    settings.get(key) == Some(&Value::Bool(true))
}
