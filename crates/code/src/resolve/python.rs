//! What imports of Python mean: modules at a root, and those beside the importing file.

use super::standard::is_python_module;
use super::{Resolver, folder, join};

impl Resolver {
    pub(super) fn python(&self, from: &str, target: &str, names: &[&str], out: &mut Vec<usize>) {
        let dots = target.chars().take_while(|c| *c == '.').count();
        let inner = target[dots..].replace('.', "/");
        let base = if dots > 0 {
            let mut home = folder(from);
            for _ in 1..dots {
                home = folder(home);
            }
            Some(join(home, &inner))
        } else {
            self.python_absolute(from, &inner, names)
        };
        let Some(base) = base else { return };
        // `from package import module`
        let modules: Vec<usize> =
            names.iter().filter_map(|name| self.python_module(&join(&base, name))).collect();
        if modules.is_empty() || modules.len() < names.len() {
            out.extend(self.python_module(&base));
        }
        out.extend(modules);
    }

    /// The module or package at `path`.
    fn python_module(&self, path: &str) -> Option<usize> {
        let get = |path: &str| self.by_path.get(path).copied();
        get(&format!("{path}.py"))
            .or_else(|| get(&format!("{path}.pyi")))
            .or_else(|| get(&join(path, "__init__.py")))
    }

    /// Where the module is that an absolute import names: from the folder of the importing file upwards, as `sys.path` may begin
    /// anywhere there, and in `src`. It doesn't begin in a package, so the module `logging` of one isn't what its neighbours
    /// import by that name. Scripts in the folder of a package see what is beside them, except by the names of Python's own modules.
    /// By those nothing is found either where a folder without `__init__.py` may be a package all the same: `logging.py` is meant
    /// there only if the program was started in that folder, and that is taken to be so only where something says it.
    fn python_absolute(&self, from: &str, inner: &str, names: &[&str]) -> Option<String> {
        let mut homes = vec![folder(from)];
        while let Some(home) = homes.last().filter(|home| !home.is_empty()) {
            homes.push(folder(home));
        }
        // The nearest of the outermost folders that no package is around.
        let is_package = |home: &str| self.by_path.contains_key(&join(home, "__init__.py"));
        let roots = homes.iter().rposition(|home| is_package(home)).map_or(0, |at| at + 1);
        let (packages, roots) = homes.split_at(roots);
        // A package needs no file of its own if it has the modules that are named.
        let is_there = |path: &String| {
            self.python_module(path).is_some()
                || names.iter().any(|name| self.python_module(&join(path, name)).is_some())
        };
        let find = |homes: &[&str]| {
            homes.iter().find_map(|home| {
                [join(home, inner), join(home, &format!("src/{inner}"))].into_iter().find(is_there)
            })
        };
        if is_python_module(inner.split('/').next().unwrap_or(inner)) {
            let begun: Vec<&str> = roots.iter().copied().filter(|home| self.python_starts_in(home)).collect();
            return find(&begun);
        }
        find(roots).or_else(|| find(packages))
    }

    /// Whether programs are started in a folder, so that its modules come before Python's own: the project's, one with a
    /// manifest, a script or tests beside it, one whose name says so.
    fn python_starts_in(&self, home: &str) -> bool {
        const MARKS: &[&str] = &[
            "pyproject.toml",
            "setup.py",
            "setup.cfg",
            "requirements.txt",
            "Pipfile",
            "tox.ini",
            "manage.py",
            "__main__.py",
        ];
        const NAMES: &[&str] = &["src", "scripts", "bin"];
        home.is_empty()
            || home.rsplit('/').next().is_some_and(|last| NAMES.contains(&last))
            || MARKS.iter().any(|mark| self.by_path.contains_key(&join(home, mark)))
            || ["tests", "test"].iter().any(|tests| self.by_folder.contains_key(&join(home, tests)))
    }
}
