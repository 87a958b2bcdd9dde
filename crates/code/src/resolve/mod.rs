//! Resolves an import to files of the index: relative paths, `tsconfig` paths, workspace packages, Cargo, Go, Python, Java and
//! C. An import of anything else resolves to nothing; nothing is guessed.

mod build_files;
mod dependencies;
mod manifests;
mod modules;
mod needs;
mod python;
mod scripts;
mod setuptools;
mod standard;

use std::collections::{BTreeSet, HashMap, HashSet};

pub use dependencies::needs_of;
use manifests::Manifests;
pub use manifests::parse_lenient_json;
pub use needs::Needs;
pub(crate) use scripts::script_source;

/// Whether a file says what names of other files mean.
pub(crate) fn is_manifest(path: &str) -> bool {
    manifests::is_name(path.rsplit('/').next().unwrap_or(path))
}

/// Whether imports of this language are followed to files; for the others, nothing is known about who needs whom.
pub fn follows(language: &str) -> bool {
    matches!(
        language,
        "typescript"
            | "tsx"
            | "javascript"
            | "svelte"
            | "vue"
            | "python"
            | "rust"
            | "go"
            | "java"
            | "kotlin"
            | "scala"
            | "csharp"
            | "swift"
            | "php"
            | "ruby"
            | "c"
            | "cpp"
            | "shell"
    )
}

/// Whether who needs whom says what matters in this language: within a module of Swift everything names everything.
pub(crate) fn is_linked(language: &str) -> bool {
    language != "swift"
}

/// Reads a file of the project, or gives nothing.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A project's files, indexed by the names that imports use.
#[derive(Debug)]
pub struct Resolver {
    paths: Vec<String>,
    languages: Vec<String>,
    by_path: HashMap<String, usize>,
    by_name: HashMap<String, Vec<usize>>,
    by_folder: HashMap<String, Vec<usize>>,
    /// What files of PHP declare.
    namespaces: HashMap<usize, HashSet<String>>,
    manifests: Manifests,
    needed_crates: Option<BTreeSet<String>>,
}

impl Resolver {
    /// Prepares these files (path, language); `read` is called for manifests only.
    pub fn new<'p>(files: impl Iterator<Item = (&'p str, &'p str)>, read: Read<'_>) -> Resolver {
        let mut paths = Vec::new();
        let mut languages = Vec::new();
        let mut by_path = HashMap::new();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_folder: HashMap<String, Vec<usize>> = HashMap::new();
        for (i, (path, language)) in files.enumerate() {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            by_path.insert(path.to_owned(), i);
            by_name.entry(name.to_owned()).or_default().push(i);
            by_folder.entry(folder.to_owned()).or_default().push(i);
            paths.push(path.to_owned());
            languages.push(language.to_owned());
        }
        let manifests = Manifests::read(&paths, &by_name, read);
        let crates = by_name.get("Cargo.toml").into_iter().flatten().map(|i| paths[*i].as_str());
        let needed_crates = dependencies::needed_crates(crates, read);
        let namespaces = HashMap::new();
        Resolver { paths, languages, by_path, by_name, by_folder, namespaces, manifests, needed_crates }
    }

    /// The same, knowing the namespaces that files declare, by their number. Without them no name in a namespace of PHP is found.
    pub(crate) fn with_namespaces(self, namespaces: HashMap<usize, HashSet<String>>) -> Resolver {
        Resolver { namespaces, ..self }
    }

    /// The names of the project's own crates, as code calls them.
    pub(crate) fn own_crates(&self) -> impl Iterator<Item = &str> {
        self.manifests.own_crates()
    }

    /// The crates that the project's manifests name as dependencies, as code calls them; `None` without any manifest.
    pub(crate) fn needed_crates(&self) -> Option<&BTreeSet<String>> {
        self.needed_crates.as_ref()
    }

    /// Adds to `out` the files that `target` with these imported names refers to in the file number `from`.
    pub fn resolve(&self, from: usize, target: &str, names: &[&str], out: &mut Vec<usize>) {
        let Some(path) = self.paths.get(from) else { return };
        match self.languages[from].as_str() {
            "typescript" | "tsx" | "javascript" | "svelte" | "vue" => out.extend(self.script(path, target)),
            "python" => self.python(path, target, names, out),
            "rust" => out.extend(self.rust(path, target)),
            "go" => self.go(target, out),
            "java" | "kotlin" | "scala" => self.java(path, target, out),
            "php" => out.extend(self.php(path, target)),
            "ruby" => out.extend(self.ruby(path, target)),
            "c" | "cpp" => out.extend(self.include(path, target)),
            "shell" => out.extend(self.by_path.get(&join(folder(path), target)).copied()),
            _ => {}
        }
    }

    /// The one file whose path ends in `/suffix`; where there are several, the one nearest to `near`.
    fn file_with_ending(&self, suffix: &str, near: &str) -> Option<usize> {
        let name = suffix.rsplit('/').next()?;
        let candidates = self.by_name.get(name)?;
        let fits =
            |path: &str| path == suffix || path.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('/'));
        self.nearest(candidates.iter().copied().filter(|i| fits(&self.paths[*i])), near)
    }

    /// The one of these files that shares most folders with `near`; of several the one with the shortest path.
    fn nearest(&self, files: impl Iterator<Item = usize>, near: &str) -> Option<usize> {
        files.max_by_key(|i| {
            (shared(&self.paths[*i], near), std::cmp::Reverse(self.paths[*i].len()), std::cmp::Reverse(*i))
        })
    }
}

/// How many leading folders two paths share.
fn shared(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `a/b` and `../c/./d` make `a/c/d`.
pub(crate) fn join(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_go_package_is_all_its_files() {
        let mut files: Vec<(String, &str)> = (0..70).map(|n| (format!("wide/f{n:02}.go"), "go")).collect();
        files.push(("wide/f_test.go".to_owned(), "go"));
        files.push(("main.go".to_owned(), "go"));
        files.push(("go.mod".to_owned(), ""));
        let named = files.iter().map(|(path, language)| (path.as_str(), *language));
        let resolver = Resolver::new(named, &|_| Some("module example.com/g\n".to_owned()));
        let mut out = Vec::new();
        resolver.resolve(71, "example.com/g/wide", &[], &mut out);
        assert_eq!(out, (0..70).collect::<Vec<_>>());
    }

    #[test]
    fn imports_resolve_to_files() {
        let files = [
            ("package.json", "json"),
            ("tsconfig.json", "json"),
            ("src/a.ts", "typescript"),
            ("src/b/index.ts", "typescript"),
            ("src/b/c.tsx", "tsx"),
            ("packages/core/package.json", "json"),
            ("packages/core/src/index.ts", "typescript"),
            ("py/pkg/__init__.py", "python"),
            ("py/pkg/mod.py", "python"),
            ("py/pkg/sub/x.py", "python"),
            ("rs/src/lib.rs", "rust"),
            ("rs/src/net/mod.rs", "rust"),
            ("rs/src/net/tcp.rs", "rust"),
            ("rs/src/io.rs", "rust"),
            ("rs/Cargo.toml", "toml"),
            ("rs2/src/lib.rs", "rust"),
            ("rs2/Cargo.toml", "toml"),
            ("go/go.mod", "go"),
            ("go/http/server.go", "go"),
            ("go/main.go", "go"),
            ("j/src/main/java/com/x/Foo.java", "java"),
            ("j/src/main/java/com/x/Bar.java", "java"),
            ("c/src/a.c", "c"),
            ("c/include/lib/a.h", "c"),
            ("rb/lib/app/base.rb", "ruby"),
            ("rb/lib/app.rb", "ruby"),
            ("web/package.json", "json"),
            ("web/src/lib/api.js", "javascript"),
            ("web/src/lib/index.js", "javascript"),
            ("web/src/routes/page.svelte", "svelte"),
            ("web/src/stores/cart.ts", "typescript"),
            ("src/lib/api.ts", "typescript"),
            ("site/tsconfig.json", "json"),
            ("site/src/lib/api.ts", "typescript"),
            ("site/src/page.ts", "typescript"),
            ("packages/core/src/client.ts", "typescript"),
            ("packages/core/extra/index.d.mts", "typescript"),
            ("packages/core/extra/index.js", "javascript"),
            ("packages/core/src/icons/star.ts", "typescript"),
            ("packages/ui/package.json", "json"),
            ("packages/ui/src/entry.ts", "typescript"),
            ("packages/ui/src/index.ts", "typescript"),
            ("packages/ui/test/fixtures/package.json", "json"),
            ("packages/ui/test/fixtures/index.ts", "typescript"),
            ("fixtures/rs/Cargo.toml", "toml"),
            ("fixtures/rs/src/lib.rs", "rust"),
            ("shop/src/shop/__init__.py", "python"),
            ("shop/src/shop/app.py", "python"),
            ("shop/src/shop/config.py", "python"),
            ("shop/src/shop/logging.py", "python"),
            ("shop/src/shop/json/__init__.py", "python"),
            ("shop/src/shop/core/log.py", "python"),
            ("shop/src/shop/core/calendar.py", "python"),
            ("flat/app/models.py", "python"),
            ("flat/run.py", "python"),
            ("flat/helpers.py", "python"),
            ("flat/queue.py", "python"),
            ("spaces/jobs/run.py", "python"),
            ("spaces/jobs/helpers.py", "python"),
            ("spaces/jobs/logging.py", "python"),
            ("spaces/tool/pyproject.toml", "toml"),
            ("spaces/tool/run.py", "python"),
            ("spaces/tool/logging.py", "python"),
            ("flat/tests/test_models.py", "python"),
            ("php/src/App.php", "php"),
            ("php/src/Http/Client.php", "php"),
            ("php/src/Errors/InvalidArgumentException.php", "php"),
            ("php/legacy/Client.php", "php"),
            ("rb/lib/app/logger.rb", "ruby"),
            ("rb/spec/spec_helper.rb", "ruby"),
            ("rb/spec/models/a_spec.rb", "ruby"),
            ("c/compat/time.h", "c"),
            ("c/util/search.h", "c"),
            ("c/util/list.h", "c"),
        ];
        let read = |path: &str| {
            Some(
                match path {
                    "tsconfig.json" => {
                        r#"{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}"#
                    }
                    "site/tsconfig.json" => {
                        r#"{"compilerOptions": {"paths": {"*": ["./src/*"], "@/*": ["./src/*"]}}}"#
                    }
                    "packages/core/package.json" => {
                        r#"{"name": "@x/core", "exports": {
                            ".": "./dist/index.js",
                            "./api": {"types": "./dist/esm/client.d.ts", "import": "./dist/esm/client.js"},
                            "./icons/*": "./dist/icons/*.mjs",
                            "./extra": {"types": "./extra/index.d.mts", "import": "./extra/index.js"}
                        }}"#
                    }
                    "packages/ui/package.json" => r#"{"name": "@x/ui", "main": "./lib/entry.js"}"#,
                    "packages/ui/test/fixtures/package.json" => r#"{"name": "@x/ui"}"#,
                    "fixtures/rs/Cargo.toml" => "[package]\nname = \"my-net\"\n",
                    "rs/Cargo.toml" => "[package]\nname = \"my-net\"\n",
                    "rs2/Cargo.toml" => {
                        "[package]\nname = \"two\"\n[dependencies]\nwire = { package = \"my-net\" }\n"
                    }
                    "go/go.mod" => "module example.com/g\n",
                    _ => "{}",
                }
                .to_owned(),
            )
        };
        let place = |path: &str| files.iter().position(|(p, _)| *p == path).unwrap();
        let namespaces = [
            ("php/src/App.php", "App"),
            ("php/src/Http/Client.php", "App\\Http"),
            ("php/src/Errors/InvalidArgumentException.php", "App\\Errors"),
        ];
        let namespaces = namespaces.map(|(path, name)| (place(path), HashSet::from([name.to_owned()])));
        let resolver = Resolver::new(files.into_iter(), &read).with_namespaces(namespaces.into());
        for (from, target, names, expected) in [
            ("src/a.ts", "./b", &[][..], "src/b/index.ts"),
            ("src/a.ts", "./b/c.js", &[], "src/b/c.tsx"),
            ("src/b/c.tsx", "../a", &[], "src/a.ts"),
            ("src/b/c.tsx", "@/a", &[], "src/a.ts"),
            ("src/a.ts", "@x/core", &[], "packages/core/src/index.ts"),
            ("src/a.ts", "react", &[], ""),
            ("web/src/routes/page.svelte", "$lib/api.js", &[], "web/src/lib/api.js"),
            ("web/src/routes/page.svelte", "$lib", &[], "web/src/lib/index.js"),
            ("web/src/routes/page.svelte", "$library", &[], ""),
            ("web/src/routes/page.svelte", "~/stores/cart", &[], "web/src/stores/cart.ts"),
            ("web/src/routes/page.svelte", "@/stores/none", &[], ""),
            ("py/pkg/sub/x.py", "pkg.mod", &[], "py/pkg/mod.py"),
            ("py/pkg/sub/x.py", "..mod", &["y"], "py/pkg/mod.py"),
            ("py/pkg/mod.py", "os", &[], ""),
            ("rs/src/lib.rs", "mod net", &[], "rs/src/net/mod.rs"),
            ("rs/src/io.rs", "crate::net::tcp::Stream", &[], "rs/src/net/tcp.rs"),
            ("rs/src/net/tcp.rs", "super::super::io::Read", &[], "rs/src/io.rs"),
            ("rs/src/io.rs", "my_net::net::tcp::Stream", &[], "rs/src/net/tcp.rs"),
            ("rs/src/io.rs", "std::io::Read", &[], ""),
            ("rs2/src/lib.rs", "wire::io::Read", &[], "rs/src/io.rs"),
            ("rs/src/io.rs", "wire::io::Read", &[], ""),
            ("go/main.go", "example.com/g/http", &[], "go/http/server.go"),
            ("go/main.go", "net/http", &[], ""),
            ("j/src/main/java/com/x/Foo.java", "com.x.Bar", &[], "j/src/main/java/com/x/Bar.java"),
            ("c/src/a.c", "lib/a.h", &[], "c/include/lib/a.h"),
            ("c/src/a.c", "stdio.h", &[], ""),
            ("rb/lib/app.rb", "app/base", &[], "rb/lib/app/base.rb"),
            ("rb/lib/app/base.rb", "./../app", &[], "rb/lib/app.rb"),
            ("rb/lib/app/base.rb", "logger", &[], ""),
            ("rb/lib/app/base.rb", "app/logger", &[], "rb/lib/app/logger.rb"),
            ("rb/spec/models/a_spec.rb", "spec_helper", &[], "rb/spec/spec_helper.rb"),
            ("rb/spec/models/a_spec.rb", "app", &[], "rb/lib/app.rb"),
            // The nearest alias, and in one file the longest.
            ("site/src/page.ts", "@/lib/api", &[], "site/src/lib/api.ts"),
            ("src/a.ts", "@/lib/api", &[], "src/lib/api.ts"),
            // What a manifest exports; a fixture of the same name isn't the package.
            ("src/a.ts", "@x/core/api", &[], "packages/core/src/client.ts"),
            ("src/a.ts", "@x/core/client", &[], "packages/core/src/client.ts"),
            ("src/a.ts", "@x/core/icons/star", &[], "packages/core/src/icons/star.ts"),
            ("src/a.ts", "@x/core/icons/moon", &[], ""),
            ("src/a.ts", "@x/core/extra", &[], "packages/core/extra/index.js"),
            ("src/a.ts", "@x/ui", &[], "packages/ui/src/entry.ts"),
            // Absolute imports of Python begin at a root, not in a package.
            ("shop/src/shop/app.py", "logging", &[], ""),
            ("shop/src/shop/app.py", "json", &["dumps"], ""),
            ("shop/src/shop/app.py", "calendar", &[], ""),
            ("shop/src/shop/core/log.py", "calendar", &[], ""),
            ("shop/src/shop/app.py", "shop.logging", &[], "shop/src/shop/logging.py"),
            ("shop/src/shop/core/log.py", "shop", &["config"], "shop/src/shop/config.py"),
            (
                "shop/src/shop/app.py",
                ".",
                &["json", "x"],
                "shop/src/shop/__init__.py shop/src/shop/json/__init__.py",
            ),
            ("shop/src/shop/app.py", "config", &["x"], "shop/src/shop/config.py"),
            ("flat/run.py", "helpers", &[], "flat/helpers.py"),
            ("flat/run.py", "queue", &["Queue"], "flat/queue.py"),
            // A folder without `__init__.py` may be a package: Python's own module is meant unless programs start there.
            ("spaces/jobs/run.py", "logging", &[], ""),
            ("spaces/jobs/run.py", "logging.handlers", &["Handler"], ""),
            ("spaces/jobs/run.py", "helpers", &[], "spaces/jobs/helpers.py"),
            ("spaces/jobs/run.py", ".", &["logging"], "spaces/jobs/logging.py"),
            ("spaces/tool/run.py", "logging", &[], "spaces/tool/logging.py"),
            ("flat/run.py", "app", &["models"], "flat/app/models.py"),
            ("flat/tests/test_models.py", "app", &["models"], "flat/app/models.py"),
            ("flat/tests/test_models.py", "app.models", &["User"], "flat/app/models.py"),
            ("flat/tests/test_models.py", "app", &["views"], ""),
            // Namespaces of PHP are whole.
            ("php/src/App.php", "App\\Http\\Client", &[], "php/src/Http/Client.php"),
            ("php/src/App.php", "\\app\\http\\Client", &[], "php/src/Http/Client.php"),
            ("php/src/App.php", "GuzzleHttp\\Client", &[], ""),
            ("php/src/App.php", "InvalidArgumentException", &[], ""),
            ("php/src/App.php", "Client", &[], "php/legacy/Client.php"),
            ("c/src/a.c", "<time.h>", &[], ""),
            ("c/src/a.c", "<lib/a.h>", &[], "c/include/lib/a.h"),
            ("c/src/a.c", "<list.h>", &[], "c/util/list.h"),
            ("c/src/a.c", "<search.h>", &[], ""),
            ("c/src/a.c", "search.h", &[], "c/util/search.h"),
        ] {
            let mut out = Vec::new();
            resolver.resolve(place(from), target, names, &mut out);
            let out: Vec<&str> = out.iter().map(|i| files[*i].0).collect();
            assert_eq!(out.join(" "), expected, "{from}: {target}");
        }
    }
}
