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
