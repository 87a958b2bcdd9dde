//! What counts as a project: a folder with code, identified by its real path and its git remote. The root of the file
//! system, home folders and application folders are refused, because an agent started from an application's icon runs
//! there, and everything it stored would be mixed.

use std::path::{Path, PathBuf};

use crate::git_config::origin;
use crate::{Env, Home, HomeError, Os};

/// A project folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its real path, with symlinks resolved and without Windows' `\\?\`.
    pub root: PathBuf,
    /// The folder name, reduced to letters, digits, `-`, `_` and `.`, for file names.
    pub name: String,
    /// The first 16 hexadecimal digits of the real path's hash.
    pub id: String,
    /// The address of its remote `origin` without credentials, if there is one. `insteadOf` of its git config is applied.
    pub remote: Option<String>,
    /// As the config has it, if `insteadOf` makes that another address.
    pub written_remote: Option<String>,
}

impl Project {
    /// The project at exactly this folder.
    ///
    /// # Errors
    /// [`HomeError::NotAProject`] if the folder doesn't exist.
    pub fn at(path: &Path) -> Result<Self, HomeError> {
        let root = dunce::canonicalize(path).ok().filter(|root| root.is_dir()).ok_or_else(|| {
            HomeError::NotAProject { path: path.to_owned(), reason: crate::messages::no_such_folder() }
        })?;
        Ok(Self::of_real(root))
    }

    /// A stand-in for work outside any project, so that its knowledge is separate.
    pub fn none(home: &Home) -> Self {
        Self {
            root: home.root().to_owned(),
            name: "no-project".into(),
            id: "0".repeat(16),
            remote: None,
            written_remote: None,
        }
    }

    /// The first candidate that is a project. A folder inside a git work tree stands for the tree's root.
    pub fn find(candidates: &[PathBuf], env: &Env) -> Option<Self> {
        candidates.iter().find_map(|candidate| project_root(candidate, env)).map(Self::of_real)
    }

    fn of_real(root: PathBuf) -> Self {
        let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        let name: String = root
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
            .take(40)
            .collect();
        let name = if name.trim_matches(['.', '_']).is_empty() { "project".to_owned() } else { name };
        let (remote, written_remote) = match origin(&root) {
            Some(origin) => {
                (Some(without_credentials(&origin.url)), origin.written.as_deref().map(without_credentials))
            }
            None => (None, None),
        };
        Self { root, name, id: hash[..16].to_owned(), remote, written_remote }
    }
}

impl Home {
    /// The folder of one project's data.
    pub fn project(&self, project: &Project) -> PathBuf {
        self.projects_dir().join(format!("{}-{}", project.name, project.id))
    }

    /// The project's knowledge base.
    pub fn knowledge_db(&self, project: &Project) -> PathBuf {
        self.project(project).join("knowledge.db")
    }
}

/// Whether all of the user's files, or all of a disk's, are below a folder: the home folder or one above it, the root of a
/// system or of a drive.
pub fn has_everything_below(path: &Path, env: &Env) -> bool {
    let real = dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real.parent().is_none() || real_home(env).starts_with(real)
}

fn real_home(env: &Env) -> PathBuf {
    dunce::canonicalize(env.home_dir()).unwrap_or_else(|_| env.home_dir().to_owned())
}

/// Why a folder isn't a project, or `None` if it may be one.
pub fn refusal(path: &Path, env: &Env) -> Option<&'static str> {
    if path.parent().is_none() {
        return Some("it is the root of the file system");
    }
    let home = real_home(env);
    if home.starts_with(path) {
        return Some("it is the home folder or above it");
    }
    if path.starts_with(home.join(".plimsoll")) {
        return Some("it is Plimsoll's own folder");
    }
    let text = path.to_string_lossy();
    let app = match env.os() {
        Os::Mac => path.starts_with("/Applications") || path.starts_with("/System") || text.contains(".app/"),
        Os::Windows => {
            let lower = text.to_lowercase();
            ["\\program files", "\\windows\\", "\\appdata\\local\\programs\\"]
                .iter()
                .any(|part| lower.contains(part))
                || lower.ends_with("\\windows")
        }
        Os::Linux => {
            [
                "/usr", "/bin", "/sbin", "/lib", "/opt", "/snap", "/proc", "/sys", "/dev", "/boot", "/etc",
                "/run",
            ]
            .iter()
            .any(|dir| path.starts_with(dir))
                && !path.starts_with("/usr/src")
                && !path.starts_with("/usr/local/src")
                && !path.starts_with("/run/media")
        }
    };
    app.then_some("it belongs to the system or to an application")
}

/// The root of the project that a folder belongs to: the git work tree's, else the folder itself. `None` if it isn't there, or
/// can't be a project.
pub fn project_root(folder: &Path, env: &Env) -> Option<PathBuf> {
    let real = dunce::canonicalize(folder).ok().filter(|path| path.is_dir())?;
    let root = git_root(&real).filter(|root| refusal(root, env).is_none()).unwrap_or(real);
    refusal(&root, env).is_none().then_some(root)
}

/// The root of the git work tree that contains `path`.
pub fn git_root(path: &Path) -> Option<PathBuf> {
    // `.git` is a file in worktrees and submodules; both are projects of their own.
    path.ancestors().find(|dir| dir.join(".git").exists()).map(Path::to_owned)
}

fn without_credentials(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            if path.is_empty() { format!("{scheme}://{host}") } else { format!("{scheme}://{host}/{path}") }
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_root_and_system_folders_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let home = dunce::canonicalize(dir.path()).unwrap();
        let env = Env::for_test(&home);
        assert!(Project::find(std::slice::from_ref(&home), &env).is_none());
        assert!(Project::find(&[PathBuf::from("/")], &env).is_none());
        let above = home.parent().unwrap().to_owned();
        assert!(has_everything_below(&above, &env) && has_everything_below(&home, &env));
        assert!(has_everything_below(Path::new("/"), &env) && !has_everything_below(&home.join("w"), &env));
        assert!(Project::find(&[above], &env).is_none());
        let shop = home.join("w/shop");
        std::fs::create_dir_all(&shop).unwrap();
        let found = Project::find(&[home.clone(), shop.clone()], &env).unwrap();
        assert_eq!(found.root, shop);
        assert_eq!(found.name, "shop");
        assert_eq!(found.id.len(), 16);
    }

    #[test]
    fn a_folder_inside_a_git_tree_stands_for_the_tree() {
        let dir = tempfile::tempdir().unwrap();
        let home = dunce::canonicalize(dir.path()).unwrap();
        let repo = home.join("w/shop");
        std::fs::create_dir_all(repo.join("src/deep")).unwrap();
        std::fs::create_dir_all(repo.join(".git")).unwrap();
        std::fs::write(
            repo.join(".git/config"),
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://ana:secret@example.org/shop.git\n",
        )
        .unwrap();
        let found = Project::find(&[repo.join("src/deep")], &Env::for_test(&home)).unwrap();
        assert_eq!(found.root, repo);
        assert_eq!(found.remote.as_deref(), Some("https://example.org/shop.git"));
    }

    #[test]
    fn a_dotfiles_repository_in_the_home_folder_does_not_swallow_projects() {
        let dir = tempfile::tempdir().unwrap();
        let home = dunce::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(home.join(".git")).unwrap();
        let shop = home.join("shop");
        std::fs::create_dir_all(&shop).unwrap();
        let found = Project::find(std::slice::from_ref(&shop), &Env::for_test(&home)).unwrap();
        assert_eq!(found.root, shop);
    }
}
