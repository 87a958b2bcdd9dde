//! Where a project's folder is recorded: in a file beside its knowledge base, so that the project has a name even after its
//! folder is gone. Doesn't know what is stored there.

use std::path::PathBuf;

use home::{Home, Project};

/// The key of what was stored outside every project.
pub(crate) const NO_PROJECT: &str = "no-project-0000000000000000";
/// The file beside a knowledge base that records the project's folder.
const ROOT_FILE: &str = "project";

/// Records where a project is. If the file can't be written, only the name in the window is lost.
pub(crate) fn remember(home: &Home, project: &Project) {
    let path = home.project(project).join(ROOT_FILE);
    let root = project.root.display().to_string();
    if std::fs::read_to_string(&path).is_ok_and(|known| known == root) {
        return;
    }
    if let Err(error) = home::write_private(&path, root.as_bytes()) {
        log::info!("{}: {error}", path.display());
    }
}

/// The recorded folder of the project with this key; older versions recorded none.
pub(crate) fn recorded(home: &Home, key: &str) -> Option<PathBuf> {
    let path = home.projects_dir().join(key).join(ROOT_FILE);
    std::fs::read_to_string(path).ok().map(PathBuf::from)
}
