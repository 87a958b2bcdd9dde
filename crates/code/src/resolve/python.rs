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
        find(roots).or_else(|| {
            let first = inner.split('/').next().unwrap_or(inner);
            if is_python_module(first) { None } else { find(packages) }
        })
    }
}
