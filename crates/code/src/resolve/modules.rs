//! Each language's rules for resolving an import.

use super::{Resolver, folder, join};

const SCRIPT_ENDINGS: &[&str] =
    &["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte"];
/// No package of Go has more files that count.
const MAX_PACKAGE: usize = 60;

impl Resolver {
    /// JavaScript and TypeScript.
    pub(super) fn script(&self, from: &str, target: &str) -> Option<usize> {
        let target = target.split(['?', '#']).next().filter(|t| !t.is_empty()).unwrap_or(target);
        if target.starts_with('.') {
            return self.script_file(&join(folder(from), target));
        }
        let aliases = self.manifests.aliases.iter();
        for (_, pattern, to) in
            aliases.filter(|(home, _, _)| home.is_empty() || from.starts_with(&format!("{home}/")))
        {
            let inner = match pattern.split_once('*') {
                Some((front, back)) => target
                    .strip_prefix(front)
                    .and_then(|rest| rest.strip_suffix(back))
                    .map(|rest| to.replace('*', rest)),
                None => (target == pattern).then(|| to.clone()),
            };
            if let Some(found) = inner.and_then(|path| self.script_file(&path)) {
                return Some(found);
            }
        }
        self.script_package(target).or_else(|| self.in_app(from, target))
    }

    /// A package of this project, or a file in one.
    fn script_package(&self, target: &str) -> Option<usize> {
        let mut name = target;
        loop {
            if let Some(home) = self.manifests.packages.get(name) {
                let rest = target[name.len()..].trim_start_matches('/');
                return if rest.is_empty() {
                    ["src/index", "src/main", "index", "lib/index", "src/mod"]
                        .iter()
                        .find_map(|entry| self.script_file(&join(home, entry)))
                } else {
                    [rest.to_owned(), format!("src/{rest}"), format!("lib/{rest}")]
                        .iter()
                        .find_map(|inner| self.script_file(&join(home, inner)))
                };
            }
            name = name.rsplit_once('/')?.0;
        }
    }

    /// A file of the app around `from`, by what frameworks call its folders without a word in a manifest: `$lib` of SvelteKit, `@/`
    /// and `~/` of Vue, Nuxt and others. No package can be called so.
    fn in_app(&self, from: &str, target: &str) -> Option<usize> {
        let (places, rest): (&[&str], &str) = if let Some(rest) = target.strip_prefix("$lib") {
            (&["src/lib"], rest)
        } else {
            let rest = ["@/", "~/", "~~/", "@@/"].iter().find_map(|mark| target.strip_prefix(mark))?;
            (&["src", "app", ""], rest)
        };
        if target.starts_with('$') && !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        let mut home = folder(from);
        loop {
            if self.by_path.contains_key(&join(home, "package.json")) {
                let inside = places.iter().map(|place| join(home, &format!("{place}/{rest}")));
                if let Some(found) = inside.into_iter().find_map(|path| self.script_file(&path)) {
                    return Some(found);
                }
            }
            if home.is_empty() {
                return None;
            }
            home = folder(home);
        }
    }

    fn script_file(&self, path: &str) -> Option<usize> {
        let get = |path: &str| self.by_path.get(path).copied();
        SCRIPT_ENDINGS
            .iter()
            .find_map(|ending| get(&format!("{path}{ending}")))
            .or_else(|| {
                // TypeScript names what it will be compiled to.
                let (stem, ending) = path.rsplit_once('.')?;
                let real: &[&str] = match ending {
                    "js" | "jsx" => &["ts", "tsx", "d.ts"],
                    "mjs" => &["mts"],
                    "cjs" => &["cts"],
                    _ => &[],
                };
                real.iter().find_map(|ending| get(&format!("{stem}.{ending}")))
            })
            .or_else(|| {
                SCRIPT_ENDINGS[1..].iter().find_map(|ending| get(&join(path, &format!("index{ending}"))))
            })
    }

    pub(super) fn python(&self, from: &str, target: &str, names: &[&str], out: &mut Vec<usize>) {
        let dots = target.chars().take_while(|c| *c == '.').count();
        let inner = target[dots..].replace('.', "/");
        let get = |path: &str| {
            let init = if path.is_empty() { "__init__.py".to_owned() } else { format!("{path}/__init__.py") };
            ["py", "pyi"]
                .iter()
                .find_map(|e| self.by_path.get(&format!("{path}.{e}")))
                .or_else(|| self.by_path.get(&init))
                .copied()
        };
        let mut base = None;
        if dots > 0 {
            let mut home = folder(from);
            for _ in 1..dots {
                home = folder(home);
            }
            base = Some(join(home, &inner));
        } else {
            // From the folder of the importing file upwards, as `sys.path` may begin anywhere there, and in `src`.
            let mut home = folder(from);
            loop {
                let candidates = [join(home, &inner), join(home, &format!("src/{inner}"))];
                if let Some(found) = candidates.into_iter().find(|path| get(path).is_some()) {
                    base = Some(found);
                    break;
                }
                if home.is_empty() {
                    break;
                }
                home = folder(home);
            }
        }
        let Some(base) = base else { return };
        // `from package import module`
        let modules: Vec<usize> = names.iter().filter_map(|name| get(&join(&base, name))).collect();
        if modules.is_empty() || modules.len() < names.len() {
            out.extend(get(&base));
        }
        out.extend(modules);
    }

    pub(super) fn rust(&self, from: &str, target: &str) -> Option<usize> {
        let home = folder(from);
        let name = from.rsplit('/').next().unwrap_or(from);
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        // Where this file's own children are.
        let own = if matches!(stem, "mod" | "lib" | "main") { home.to_owned() } else { join(home, stem) };
        if let Some(child) = target.strip_prefix("mod ") {
            return self.rust_module(&own, &[child]);
        }
        let mut parts: Vec<&str> =
            target.trim_start_matches("::").split("::").filter(|p| !p.is_empty()).collect();
        let first = *parts.first()?;
        match first {
            "crate" => {
                let root = self.crate_root(from)?;
                self.rust_module(&root, &parts[1..]).or_else(|| self.rust_own(&root))
            }
            "self" => self.rust_module(&own, &parts[1..]),
            "super" => {
                let mut at = own;
                while parts.first() == Some(&"super") {
                    parts.remove(0);
                    at = folder(&at).to_owned();
                }
                self.rust_module(&at, &parts).or_else(|| self.rust_own(&at))
            }
            _ => {
                // A module of this file comes before a crate of the same name.
                if let Some(child) = self.rust_module(&own, &[first]) {
                    return self.rust_module(&own, &parts).or(Some(child));
                }
                let renamed = self.manifests.renamed.iter();
                let real = renamed
                    .filter(|(home, ..)| home.is_empty() || from.starts_with(&format!("{home}/")))
                    .find(|(_, alias, _)| alias == first)
                    .map_or(first, |(.., package)| package.as_str());
                if let Some(home) = self.manifests.crates.get(real) {
                    let root = join(home, "src");
                    return self
                        .rust_module(&root, &parts[1..])
                        .or_else(|| self.by_path.get(&join(&root, "lib.rs")).copied());
                }
                None
            }
        }
    }

    /// The file of the module whose children are in `home`.
    fn rust_own(&self, home: &str) -> Option<usize> {
        let inside = ["lib.rs", "mod.rs", "main.rs"].into_iter().map(|name| join(home, name));
        inside.chain([format!("{home}.rs")]).find_map(|path| self.by_path.get(&path).copied())
    }

    /// The deepest module that a path names, below `home`.
    fn rust_module(&self, home: &str, parts: &[&str]) -> Option<usize> {
        (1..=parts.len()).rev().find_map(|n| {
            let path = join(home, &parts[..n].join("/"));
            let get = |path: String| self.by_path.get(&path).copied();
            get(format!("{path}.rs")).or_else(|| get(format!("{path}/mod.rs")))
        })
    }

    fn crate_root(&self, from: &str) -> Option<String> {
        let mut home = folder(from);
        loop {
            if ["lib.rs", "main.rs"].iter().any(|name| self.by_path.contains_key(&join(home, name))) {
                return Some(home.to_owned());
            }
            if home.is_empty() {
                return None;
            }
            home = folder(home);
        }
    }

    pub(super) fn go(&self, target: &str, out: &mut Vec<usize>) {
        for (module, home) in &self.manifests.go_modules {
            let Some(rest) = target.strip_prefix(module.as_str()) else { continue };
            if !rest.is_empty() && !rest.starts_with('/') {
                continue;
            }
            let folder = join(home, rest);
            let files = self.by_folder.get(&folder).into_iter().flatten().copied();
            let code = |i: &usize| self.paths[*i].ends_with(".go") && !self.paths[*i].ends_with("_test.go");
            out.extend(files.filter(code).take(MAX_PACKAGE));
            return;
        }
    }

    pub(super) fn java(&self, target: &str, out: &mut Vec<usize>) {
        let path = target.replace('.', "/");
        if let Some(package) = path.strip_suffix("/*").or_else(|| path.strip_suffix("/_")) {
            let home =
                self.by_folder.keys().filter(|f| *f == package || f.ends_with(&format!("/{package}"))).min();
            out.extend(home.and_then(|f| self.by_folder.get(f)).into_iter().flatten().take(MAX_PACKAGE));
            if home.is_none() {
                // All members of a class.
                let endings = ["java", "kt", "scala"].into_iter();
                out.extend(
                    endings.filter_map(|ending| self.ending(&format!("{package}.{ending}"), "")).take(1),
                );
            }
            return;
        }
        // A class, or a member of one.
        let outer = folder(&path);
        for path in [path.as_str(), outer].into_iter().filter(|p| p.contains('/')) {
            for ending in ["java", "kt", "scala"] {
                if let Some(found) = self.ending(&format!("{path}.{ending}"), "") {
                    out.push(found);
                    return;
                }
            }
        }
    }

    pub(super) fn php(&self, from: &str, target: &str) -> Option<usize> {
        let path = target.replace('\\', "/");
        if path.ends_with(".php") {
            return self.by_path.get(&join(folder(from), &path)).copied();
        }
        // The first part of a namespace denotes a folder of any name.
        let inner = path.trim_start_matches('/').split_once('/').map_or(path.as_str(), |(_, rest)| rest);
        self.ending(&format!("{inner}.php"), from)
    }

    pub(super) fn ruby(&self, from: &str, target: &str) -> Option<usize> {
        let name = if target.ends_with(".rb") { target.to_owned() } else { format!("{target}.rb") };
        if target.starts_with('.') {
            return self.by_path.get(&join(folder(from), &name)).copied();
        }
        let mut home = folder(from);
        loop {
            let here = [join(home, &name), join(home, &format!("lib/{name}"))];
            if let Some(found) = here.iter().find_map(|path| self.by_path.get(path)) {
                return Some(*found);
            }
            if home.is_empty() {
                return None;
            }
            home = folder(home);
        }
    }

    pub(super) fn include(&self, from: &str, target: &str) -> Option<usize> {
        self.by_path
            .get(&join(folder(from), target))
            .copied()
            .or_else(|| self.ending(target.trim_start_matches("./"), from))
    }
}
