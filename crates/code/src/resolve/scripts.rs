//! What imports of JavaScript and TypeScript mean: files beside, aliases, packages of the project and what their
//! manifests export.

use super::{Resolver, folder, join};

const SCRIPT_ENDINGS: &[&str] =
    &["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte"];
/// How what is built from a source ends.
const BUILT_ENDINGS: &[&str] = &[".d.ts", ".d.mts", ".d.cts", ".mjs", ".cjs", ".js"];

impl Resolver {
    /// JavaScript and TypeScript.
    pub(super) fn script(&self, from: &str, target: &str) -> Option<usize> {
        // `./a.svg?raw` asks a bundler for something; `#a` is a name.
        let asks = target.char_indices().skip(1).find(|(_, c)| matches!(c, '?' | '#'));
        let target = &target[..asks.map_or(target.len(), |(at, _)| at)];
        if target.starts_with('.') {
            return self.script_file(&join(folder(from), target));
        }
        let aliases = self.manifests.aliases.iter();
        for (_, pattern, to) in
            aliases.filter(|(home, _, _)| home.is_empty() || from.starts_with(&format!("{home}/")))
        {
            if let Some(found) = fill_in(pattern, to, target).and_then(|path| self.script_file(&path)) {
                return Some(found);
            }
        }
        self.inner_name(from, target)
            .or_else(|| self.script_package(target))
            .or_else(|| self.in_app(from, target))
    }

    /// What the package around `from` calls one of its own files in its manifest: `#cart`.
    fn inner_name(&self, from: &str, target: &str) -> Option<usize> {
        if !target.starts_with('#') {
            return None;
        }
        let around = |home: &str| home.is_empty() || from.starts_with(&format!("{home}/"));
        let all = self.manifests.inner_names.iter().filter(|(home, ..)| around(home));
        all.filter_map(|(home, pattern, file)| Some((home, fill_in(pattern, file, target)?)))
            .find_map(|(home, file)| self.script_source(home, &file))
    }

    /// A package of this project, or a file in one: by what its manifest exports, else where it usually is.
    fn script_package(&self, target: &str) -> Option<usize> {
        let mut name = target;
        loop {
            if let Some(package) = self.manifests.packages.get(name) {
                let rest = target[name.len()..].trim_start_matches('/');
                let home = &package.home;
                if let Some(found) =
                    package.files_for(rest).iter().find_map(|path| self.script_source(home, path))
                {
                    return Some(found);
                }
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

    fn script_source(&self, home: &str, path: &str) -> Option<usize> {
        script_source(&|path: &str| self.by_path.get(path).copied(), home, path)
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
        script_file(&|path: &str| self.by_path.get(path).copied(), path)
    }
}

/// What `to` is where `target` fits the pattern: both may have a `*`.
fn fill_in(pattern: &str, to: &str, target: &str) -> Option<String> {
    match pattern.split_once('*') {
        Some((front, back)) => {
            let part = target.strip_prefix(front)?.strip_suffix(back)?;
            Some(to.replace('*', part))
        }
        None => (target == pattern).then(|| to.to_owned()),
    }
}

/// The file that a manifest names or, where that is built and so isn't in the index, its source: `dist/esm/a.js` is made from
/// `src/a.ts`. `place` tells where a file is.
pub(crate) fn script_source(place: &dyn Fn(&str) -> Option<usize>, home: &str, path: &str) -> Option<usize> {
    let path = path.trim_start_matches("./");
    if let Some(found) = script_file(place, &join(home, path)) {
        return Some(found);
    }
    let mut stem = BUILT_ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path);
    while let Some((_, inner)) = stem.split_once('/') {
        let sources = [join(home, &format!("src/{inner}")), join(home, inner)];
        if let Some(found) = sources.iter().find_map(|path| script_file(place, path)) {
            return Some(found);
        }
        stem = inner;
    }
    None
}

fn script_file(place: &dyn Fn(&str) -> Option<usize>, path: &str) -> Option<usize> {
    SCRIPT_ENDINGS
        .iter()
        .find_map(|ending| place(&format!("{path}{ending}")))
        .or_else(|| {
            // TypeScript names what it will be compiled to.
            let (stem, ending) = path.rsplit_once('.')?;
            let real: &[&str] = match ending {
                "js" | "jsx" => &["ts", "tsx", "d.ts"],
                "mjs" => &["mts"],
                "cjs" => &["cts"],
                _ => &[],
            };
            real.iter().find_map(|ending| place(&format!("{stem}.{ending}")))
        })
        .or_else(|| {
            SCRIPT_ENDINGS[1..].iter().find_map(|ending| place(&join(path, &format!("index{ending}"))))
        })
}

#[cfg(test)]
mod tests {
    use super::Resolver;

    #[test]
    fn many_package_names_do_not_slow_other_imports() {
        let mut files: Vec<String> = (0..400).map(|n| format!("packages/p{n}/package.json")).collect();
        files.push("packages/p0/src/index.ts".to_owned());
        let names: Vec<String> = (0..10).map(|n| format!("\"#part{n}/*\": \"./src/{n}/*.js\"")).collect();
        let manifest = format!("{{\"imports\": {{{}}}}}", names.join(", "));
        let read = |_: &str| Some(manifest.clone());
        let resolver = Resolver::new(files.iter().map(|path| (path.as_str(), "typescript")), &read);
        let began = std::time::Instant::now();
        let mut found = Vec::new();
        for _ in 0..20_000 {
            resolver.resolve(files.len() - 1, "react", &[], &mut found);
        }
        assert!(found.is_empty());
        assert!(began.elapsed() < std::time::Duration::from_secs(4), "{:?}", began.elapsed());
    }

    #[test]
    fn package_names_and_config_paths_resolve_to_files() {
        let files = [
            ("package.json", "json"),
            ("ui/package.json", "json"),
            ("ui/src/entry.ts", "typescript"),
            ("ui/src/parts/knob.ts", "typescript"),
            ("ui/src/index.ts", "typescript"),
            ("web/package.json", "json"),
            ("web/tsconfig.json", "json"),
            ("web/tsconfig.app.json", "json"),
            ("web/tsconfig.spec.json", "json"),
            ("web/src/main.ts", "typescript"),
            ("web/src/shop/cart.ts", "typescript"),
            ("web/mocks/cart.ts", "typescript"),
            ("src/log.ts", "typescript"),
        ];
        let read = |path: &str| {
            let text = match path {
                "package.json" => r##"{"imports": {"#log": "./src/log.js", "#other": "other-package"}}"##,
                "ui/package.json" => {
                    r##"{"name": "@x/ui", "imports": {
                        "#entry": "./lib/entry.js",
                        "#parts/*": {"types": "./dist/parts/*.d.ts", "default": "./dist/parts/*.js"}
                    }}"##
                }
                "web/tsconfig.json" => r#"{"files": [], "references": [{"path": "./tsconfig.app.json"}]}"#,
                "web/tsconfig.app.json" => r#"{"compilerOptions": {"paths": {"shop/*": ["./src/shop/*"]}}}"#,
                "web/tsconfig.spec.json" => {
                    r#"{"compilerOptions": {"paths": {"shop/cart": ["./mocks/cart.ts"]}}}"#
                }
                _ => "{}",
            };
            Some(text.to_owned())
        };
        let resolver = Resolver::new(files.into_iter(), &read);
        let place = |path: &str| files.iter().position(|(p, _)| *p == path).unwrap();
        for (from, target, expected) in [
            ("ui/src/index.ts", "#entry", "ui/src/entry.ts"),
            ("ui/src/index.ts", "#parts/knob", "ui/src/parts/knob.ts"),
            ("ui/src/index.ts", "#parts/knob?raw", "ui/src/parts/knob.ts"),
            ("ui/src/index.ts", "#log", "src/log.ts"),
            ("ui/src/index.ts", "#other", ""),
            ("web/src/main.ts", "#entry", ""),
            ("web/src/main.ts", "shop/cart", "web/src/shop/cart.ts"),
            ("ui/src/index.ts", "shop/cart", ""),
            ("web/src/main.ts", "./shop/cart.ts#part", "web/src/shop/cart.ts"),
        ] {
            let mut found = Vec::new();
            resolver.resolve(place(from), target, &[], &mut found);
            let named: Vec<&str> = found.iter().map(|i| files[*i].0).collect();
            assert_eq!(named.join(" "), expected, "{from}: {target}");
        }
        for (path, expected) in [
            ("web/tsconfig.app.json", true),
            ("tsconfig.json", true),
            ("tsconfig.spec.json", false),
            ("tsconfig.app.ts", false),
            ("mytsconfig.app.json", false),
        ] {
            assert_eq!(super::super::is_manifest(path), expected, "{path}");
        }
    }
}
