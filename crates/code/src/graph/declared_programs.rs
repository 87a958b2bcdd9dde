//! The programs that a manifest declares: `bin` of npm and Composer, the scripts of a Python package. A manifest may
//! name a built file; its source counts. Reads nothing itself.

use serde_json::Value;

use crate::resolve::{folder, join, parse_lenient_json, script_source};

/// The manifests that declare programs.
pub(super) const NAMES: &[&str] =
    &["package.json", "composer.json", "pyproject.toml", "setup.cfg", "setup.py"];
/// The tables of `pyproject.toml` that declare programs.
const TABLES: &[&str] = &["[project.scripts]", "[project.gui-scripts]", "[tool.poetry.scripts]"];
/// Where the packages of a Python project are.
const PYTHON_ROOTS: &[&str] = &["src", "", "lib"];

/// The places of the entry files that the manifest at `path` declares; `place` gives a file's place.
pub(super) fn entry_files(path: &str, text: &str, place: &dyn Fn(&str) -> Option<usize>) -> Vec<usize> {
    let home = folder(path);
    let python = |targets: Vec<&str>| -> Vec<usize> {
        targets.into_iter().filter_map(|target| python_file(home, target, place)).collect()
    };
    match path.rsplit('/').next().unwrap_or(path) {
        "package.json" => bins(text).iter().filter_map(|file| script_source(place, home, file)).collect(),
        "composer.json" => bins(text).iter().filter_map(|file| place(&join(home, file))).collect(),
        "pyproject.toml" => python(in_tables(text)),
        "setup.cfg" => python(in_setup(text, |rest| {
            // The value goes on while its lines are indented.
            let lines = rest.split_inclusive('\n');
            let inside = lines.skip(1).take_while(|line| line.starts_with([' ', '\t', '\n', '\r']));
            rest.find('\n').map_or(0, |first| first + 1) + inside.map(str::len).sum::<usize>()
        })),
        "setup.py" => python(in_setup(text, in_python)),
        _ => Vec::new(),
    }
}

/// The files that `bin` names: one, several, or one for each command.
fn bins(json: &str) -> Vec<String> {
    let named = |value: &Value| value.as_str().map(str::to_owned);
    let json = parse_lenient_json(json);
    match json.as_ref().and_then(|json| json.get("bin")) {
        Some(Value::String(file)) => vec![file.clone()],
        Some(Value::Array(all)) => all.iter().filter_map(named).collect(),
        Some(Value::Object(all)) => all.values().filter_map(named).collect(),
        _ => Vec::new(),
    }
}

/// The `module:function` of each script in `pyproject.toml`.
fn in_tables(toml: &str) -> Vec<&str> {
    let mut inside = false;
    let mut out = Vec::new();
    for line in toml.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = TABLES.iter().any(|table| line.starts_with(table));
        } else if inside
            && let Some((name, value)) = line.split_once('=')
            && !name.starts_with('#')
        {
            // Poetry also writes `{ reference = "shop.cli:main", type = "console" }`.
            out.extend(value.split(['"', '\'']).find(|part| module(part).is_some()));
        }
    }
    out
}

/// The `module:function` of each script in the entry points of setuptools; `end` gives how much of the following text
/// belongs to them.
fn in_setup(text: &str, end: impl Fn(&str) -> usize) -> Vec<&str> {
    let mut out = Vec::new();
    for kind in ["console_scripts", "gui_scripts"] {
        let Some((_, rest)) = text.split_once(kind) else { continue };
        let scripts = rest.get(..end(rest)).unwrap_or_default();
        let each = scripts.split(['"', '\'', '\n']).filter_map(|one| one.split_once('='));
        out.extend(each.map(|(_, target)| target.trim()).filter(|target| module(target).is_some()));
    }
    out
}

/// How much of the text after the name of a kind of script belongs to it in Python: a list, whatever brackets its
/// strings contain, or a section of a longer string.
fn in_python(rest: &str) -> usize {
    let begin = rest.find(|c: char| !c.is_whitespace() && !matches!(c, '"' | '\'' | ':' | '='));
    match begin.map(|at| (at, rest.split_at(at).1)) {
        Some((0, section)) if section.starts_with(']') => section_end(section),
        Some((at, list)) if list.starts_with(['[', '(']) => at + list_end(list),
        _ => rest.find(']').unwrap_or(0),
    }
}

/// Where a section ends: before the next, or with the text.
fn section_end(section: &str) -> usize {
    let mut lines = section.match_indices('\n').map(|(at, _)| at);
    let next = lines.find(|at| section[at + 1..].trim_start_matches([' ', '\t', '\r']).starts_with('['));
    let text = ["\"\"\"", "'''"].iter().filter_map(|quotes| section.find(quotes)).min();
    next.into_iter().chain(text).min().unwrap_or(section.len())
}

/// The end of a Python list that begins here. Brackets in quotes or after `#` don't end it.
fn list_end(list: &str) -> usize {
    let mut depth = 0_usize;
    let mut closes = None::<char>;
    let mut chars = list.char_indices();
    while let Some((at, c)) = chars.next() {
        match (closes, c) {
            (Some(_), '\\') => _ = chars.next(),
            (Some(close), _) if c == close => closes = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => closes = Some(c),
            (None, '#') => closes = Some('\n'),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ']' | ')' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            (None, _) => {}
        }
    }
    list.len()
}

/// The module of `shop.cli:main`.
fn module(target: &str) -> Option<&str> {
    let (module, function) = target.split_once(':')?;
    let is_name = |part: &str| {
        part.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !part.starts_with(|c: char| c.is_ascii_digit())
    };
    let named = |path: &str| path.split('.').all(|part| !part.is_empty() && is_name(part));
    let function = function.split('[').next().unwrap_or(function).trim();
    (named(module) && named(function)).then_some(module)
}

fn python_file(home: &str, target: &str, place: &dyn Fn(&str) -> Option<usize>) -> Option<usize> {
    let module = module(target)?.replace('.', "/");
    let mut files = PYTHON_ROOTS.iter().flat_map(|root| {
        let inner = join(&join(home, root), &module);
        [format!("{inner}.py"), format!("{inner}/__init__.py")]
    });
    files.find_map(|file| place(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_of_many_blank_lines_takes_no_time() {
        let text = format!("[console_scripts]{}\n  shop = shop.cli:main\n", "\n".repeat(500_000));
        let began = std::time::Instant::now();
        assert_eq!(in_setup(&text, in_python), ["shop.cli:main"]);
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
    }

    #[test]
    fn each_kind_of_manifest_declares_its_programs() {
        let files = [
            "a/src/cli.ts",
            "a/src/serve/index.ts",
            "a/run.js",
            "shop",
            "src/shop/cli.py",
            "src/shop/__init__.py",
            "tools/web.py",
        ];
        let place = |path: &str| files.iter().position(|file| *file == path);
        for (path, text, expected) in [
            ("a/package.json", r#"{"bin": "./dist/cli.js"}"#, "a/src/cli.ts"),
            (
                "a/package.json",
                r#"{"bin": {"a": "run.js", "b": "dist/esm/serve/index.mjs"}}"#,
                "a/run.js a/src/serve/index.ts",
            ),
            ("a/package.json", r#"{"bin": {"a": 1, "b": "../../outside.js"}, "main": "run.js"}"#, ""),
            ("a/package.json", "{", ""),
            ("composer.json", r#"{"bin": ["shop", "gone"]}"#, "shop"),
            (
                "pyproject.toml",
                "[project]\nname = \"a:b\"\n\n[project.scripts] # two\nshop = \"shop.cli:main\"\n# old = \"shop:old\"\n[tool.x]\ny = \"shop:z\"\n",
                "src/shop/cli.py",
            ),
            (
                "pyproject.toml",
                "[tool.poetry.scripts]\n\"shop\" = { reference = \"shop:main\", type = \"console\" }\n",
                "src/shop/__init__.py",
            ),
            ("tools/pyproject.toml", "[project.gui-scripts]\nweb = 'web:app.run'\n", "tools/web.py"),
            (
                "setup.cfg",
                "[options.entry_points]\nconsole_scripts =\n    shop = shop.cli:main [web]\n\n[mypy]\nx = shop:y\n",
                "src/shop/cli.py",
            ),
            (
                "setup.py",
                "setup(entry_points={'console_scripts': ['shop=shop.cli:main', \"s = shop:main\"]})",
                "src/shop/cli.py src/shop/__init__.py",
            ),
            (
                "setup.py",
                "setup(entry_points={'console_scripts': ['shop=shop.cli:main [web]', 's = shop:main [a,b]'], 'x': ['z=shop.cli:z']})",
                "src/shop/cli.py src/shop/__init__.py",
            ),
            (
                "setup.py",
                "setup(entry_points=dict(\n  console_scripts=(  # ] isn't the end\n    \"shop=shop.cli:main [web]\",\n    \"s=shop:main\",\n  ),\n))\nold = ['x=shop.cli:x']",
                "src/shop/cli.py src/shop/__init__.py",
            ),
            (
                "setup.py",
                "setup(entry_points=\"\"\"\n  [console_scripts]\n  shop = shop.cli:main [web]\n  s = shop:main\n\n  [x.y]\n  z = shop.cli:z\n\"\"\")",
                "src/shop/cli.py src/shop/__init__.py",
            ),
            (
                "setup.py",
                "setup(entry_points={'console_scripts': ['shop=shop.cli:main [web]'",
                "src/shop/cli.py",
            ),
            ("setup.py", "setup(name='shop:cli')", ""),
            ("setup.cfg", "console_scripts", ""),
            ("Makefile", "bin: shop", ""),
        ] {
            let found: Vec<&str> = entry_files(path, text, &place).into_iter().map(|i| files[i]).collect();
            assert_eq!(found.join(" "), expected, "{path}: {text}");
        }
    }
}
