//! A program's version according to its files: the package around it, the application it belongs to, or the folder that its
//! installer named after the version. Reads small regular files only.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::version::parse;

/// The name prefixes of agents' packages.
const PACKAGES: [&str; 6] = [
    "@anthropic-ai/claude-code",
    "@openai/codex",
    "@google/gemini-cli",
    "opencode-ai",
    "opencode-",
    "@github/copilot",
];

/// The largest package or application description, in bytes.
const MAX_DESCRIPTION: u64 = 1024 * 1024;
/// The largest script that only starts the real program, in bytes.
const MAX_SCRIPT: u64 = 64 * 1024;
/// How many folders up a program's package is searched for.
const MAX_PARENTS: usize = 6;

/// The program's version; `None` if its files don't tell.
pub(crate) fn version(program: &Path) -> Option<String> {
    let real = std::fs::canonicalize(program).ok()?;
    enclosing_version(&real)
        .or_else(|| version_in_path(program, &real))
        .or_else(|| script_target(&real).and_then(|real| enclosing_version(&real)))
}

/// The folder that an installer named after the version: `…/cursor-agent/versions/2026.09.18-1a2b3c4/cursor-agent`.
pub(crate) fn version_folder(program: &Path) -> Option<String> {
    let real = std::fs::canonicalize(program).ok()?;
    version_component(program, &real)
}

/// The version of the package or application around a file.
fn enclosing_version(file: &Path) -> Option<String> {
    for dir in file.ancestors().skip(1).take(MAX_PARENTS) {
        if dir.file_name().is_none_or(|name| name == "node_modules") {
            return None;
        }
        if let Some(version) = package_json_version(dir) {
            return Some(version);
        }
        let mut applications = vec![dir.to_path_buf(), dir.join("resources").join("app")];
        if dir.file_name().is_some_and(|name| name == "bin") {
            // On Windows an application may be in a folder named after its commit, beside `bin`.
            applications.extend(commits(dir.parent()?).map(|commit| commit.join("resources").join("app")));
        }
        if let Some(version) = applications.iter().find_map(|application| application_version(application)) {
            return Some(version);
        }
        if dir.file_name().is_some_and(|name| name == "Contents")
            && let Some(version) = bundle_version(&dir.join("Info.plist"))
        {
            return Some(version);
        }
    }
    None
}

/// The version in an agent's `package.json`. A user's project may have such a file too.
fn package_json_version(dir: &Path) -> Option<String> {
    let package = json(&dir.join("package.json"))?;
    let name = package.get("name")?.as_str()?;
    let rest = PACKAGES.iter().find_map(|known| name.strip_prefix(known))?;
    let mut version = parse(package.get("version")?.as_str()?)?;
    // `0.169.0-linux-x64` of `@openai/codex-linux-x64` is 0.169.0.
    if !version.pre.is_empty() && rest.trim_start_matches('-') == version.pre.as_str() {
        version.pre = semver::Prerelease::EMPTY;
    }
    Some(version.to_string())
}

/// The version in `product.json` or `package.json` of VS Code and programs built from it.
fn application_version(dir: &Path) -> Option<String> {
    let product = json(&dir.join("product.json"))?;
    product.get("applicationName")?;
    let version = |value: &Value| Some(parse(value.get("version")?.as_str()?)?.to_string());
    version(&product).or_else(|| version(&json(&dir.join("package.json"))?))
}

/// The version in a macOS application's `Info.plist`, if that is XML.
fn bundle_version(file: &Path) -> Option<String> {
    let text = String::from_utf8(read(file, MAX_DESCRIPTION)?).ok()?;
    let (_, rest) = text.split_once("<key>CFBundleShortVersionString</key>")?;
    let (_, rest) = rest.split_once("<string>")?;
    Some(parse(rest.split_once("</string>")?.0)?.to_string())
}

fn commits(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let is_commit = |path: &PathBuf| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.len() >= 7 && name.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten().take(200);
    entries.map(|entry| entry.path()).filter(move |path| is_commit(path))
}

/// The version in the path of the program itself.
fn version_in_path(program: &Path, real: &Path) -> Option<String> {
    let folder = version_component(program, real).or_else(|| {
        // `/nix/store/<hash>-claude-code-2.1.197/bin/claude`
        let name = real.strip_prefix("/nix/store").ok()?.components().next()?.as_os_str().to_str()?;
        let (before, version) = name.rsplit_once('-')?;
        before.contains(&stem(program)).then(|| version.to_owned())
    })?;
    Some(parse(&folder)?.to_string())
}

/// The path component that is a version by its position: below `versions`, in Homebrew's `Cellar` and `Caskroom`, in
/// Scoop's `apps`; and only in a folder named like the program, so that a Node or Python version isn't taken for it.
fn version_component(program: &Path, real: &Path) -> Option<String> {
    let stem = stem(program);
    let parts: Vec<&str> = real
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    parts.windows(3).rev().find_map(|part| {
        let &[first, second, version] = part else { return None };
        let product = if second == "versions" {
            first
        } else if matches!(first, "Cellar" | "Caskroom" | "apps") {
            second
        } else {
            return None;
        };
        let starts = version.starts_with(|c: char| c.is_ascii_digit());
        (product.contains(&stem) && starts && parse(version).is_some()).then(|| version.to_owned())
    })
}

/// `claude` of `claude.exe`.
fn stem(program: &Path) -> String {
    program.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The file below `node_modules` that a package manager's script starts.
fn script_target(script: &Path) -> Option<PathBuf> {
    let text = String::from_utf8(read(script, MAX_SCRIPT)?).ok()?;
    let dir = script.parent()?;
    text.match_indices("node_modules").find_map(|(at, _)| {
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ';');
        let start = text[..at].rfind(ends).map_or(0, |start| start + 1);
        let end = text[at..].find(ends).map_or(text.len(), |end| at + end);
        let named = text.get(start..end)?.replace('\\', "/");
        let below = ["$basedir/", "${basedir}/", "%dp0%/", "%~dp0/", "%~dp0", "$PSScriptRoot/"]
            .iter()
            .find_map(|here| named.strip_prefix(here))
            .unwrap_or(&named);
        std::fs::canonicalize(dir.join(below)).ok()
    })
}

fn json(path: &Path) -> Option<Value> {
    let bytes = read(path, MAX_DESCRIPTION)?;
    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes)).ok()
}

/// The bytes of a regular file up to this size.
fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    let meta = std::fs::metadata(path).ok()?;
    (meta.is_file() && meta.len() <= most).then(|| std::fs::read(path).ok())?
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    struct Files(tempfile::TempDir);

    #[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    impl Files {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn put(&self, path: &str, text: &str) -> PathBuf {
            let path = self.0.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        }

        fn link(&self, path: &str, to: &Path) -> PathBuf {
            let path = self.0.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(to, &path).unwrap();
            path
        }
    }

    #[test]
    fn the_version_is_read_from_the_package() {
        for (name, package, file, told) in [
            ("@google/gemini-cli", "0.61.0", "bundle/gemini.js", "0.61.0"),
            ("@openai/codex", "0.169.0", "bin/codex.js", "0.169.0"),
            ("@openai/codex-linux-x64", "0.169.0-linux-x64", "vendor/x/codex/codex", "0.169.0"),
            ("@anthropic-ai/claude-code-linux-x64", "2.1.330", "claude", "2.1.330"),
            ("opencode-linux-x64", "1.18.33", "bin/opencode", "1.18.33"),
            ("@github/copilot", "1.0.102-beta.1", "npm-loader.js", "1.0.102-beta.1"),
        ] {
            let files = Files::new();
            files.put(
                &format!("lib/node_modules/{name}/package.json"),
                &format!("{{\"name\":\"{name}\",\"version\":\"{package}\"}}"),
            );
            let program = files.put(&format!("lib/node_modules/{name}/{file}"), "#!/usr/bin/env node\n");
            assert_eq!(version(&files.link("bin/agent", &program)).as_deref(), Some(told), "{name}");
            // Scripts that npm and pnpm write for Windows and for shells.
            for (number, script) in [
                format!(
                    "@ECHO off\r\n\"%_prog%\"  \"%dp0%\\..\\lib\\node_modules\\{}\" %*\r\n",
                    format!("{name}/{file}").replace('/', "\\")
                ),
                format!("#!/bin/sh\nexec node  \"$basedir/../lib/node_modules/{name}/{file}\" \"$@\"\n"),
            ]
            .iter()
            .enumerate()
            {
                let script = files.put(&format!("shims/agent{number}.cmd"), script);
                assert_eq!(version(&script).as_deref(), Some(told), "{name}");
            }
        }
    }

    #[test]
    fn the_version_is_read_from_folders_and_applications() {
        let files = Files::new();
        let claude = files.put(".local/share/claude/versions/2.1.197", "");
        assert_eq!(version(&files.link(".local/bin/claude", &claude)).as_deref(), Some("2.1.197"));
        let brewed = files.put("brew/Cellar/gemini-cli/0.61.0/bin/gemini", "");
        assert_eq!(version(&files.link("brew/bin/gemini", &brewed)).as_deref(), Some("0.61.0"));
        let cask = files.put("brew/Caskroom/codex/0.155.1/codex-aarch64", "");
        assert_eq!(version(&files.link("brew/bin/codex", &cask)).as_deref(), Some("0.155.1"));
        let cursor = files.put(".local/share/cursor-agent/versions/2026.09.18-1a2b3c4/cursor-agent", "");
        let cursor = files.link(".local/bin/agent", &cursor);
        assert_eq!(version_folder(&cursor).as_deref(), Some("2026.09.18-1a2b3c4"));
        assert_eq!(version(&cursor).as_deref(), Some("2026.9.18"));

        files.put("usr/share/code/resources/app/product.json", "{\"applicationName\":\"code\"}");
        files.put("usr/share/code/resources/app/package.json", "{\"name\":\"Code\",\"version\":\"1.139.0\"}");
        let code = files.put("usr/share/code/bin/code", "");
        assert_eq!(version(&files.link("usr/bin/code", &code)).as_deref(), Some("1.139.0"));
        files.put(
            "win/4f2bce7719/resources/app/product.json",
            "{\"applicationName\":\"code\",\"version\":\"1.140.1\"}",
        );
        assert_eq!(version(&files.put("win/bin/code.cmd", "")).as_deref(), Some("1.140.1"));
        files.put(
            "Apps/Kiro.app/Contents/Info.plist",
            "<plist><dict><key>CFBundleShortVersionString</key>\n<string>0.9.4</string></dict></plist>",
        );
        assert_eq!(version(&files.put("Apps/Kiro.app/Contents/MacOS/kiro", "")).as_deref(), Some("0.9.4"));
    }

    #[test]
    fn another_packages_version_is_not_taken() {
        let files = Files::new();
        // A user's project, Node and Python versions, a package in a folder above another.
        files.put("shop/package.json", "{\"name\":\"shop\",\"version\":\"9.9.9\"}");
        assert_eq!(version(&files.put("shop/bin/claude", "#!/bin/sh\nexec other\n")), None);
        assert_eq!(version(&files.put(".nvm/versions/node/v22.3.0/bin/codex", "")), None);
        assert_eq!(version(&files.put(".pyenv/versions/3.12.1/bin/codex", "")), None);
        assert_eq!(version(&files.put("brew/Cellar/node/22.1.0/bin/gemini", "")), None);
        files.put(
            "node_modules/@openai/codex/package.json",
            "{\"name\":\"@openai/codex\",\"version\":\"1.0.0\"}",
        );
        let inner = files.put("node_modules/@openai/codex/node_modules/other/bin/claude", "");
        assert_eq!(version(&inner), None);
        // Damaged, of the wrong type, or missing.
        files.put("a/@google/gemini-cli/package.json", "{\"name\":\"@google/gemini-cli\",\"version\":7}");
        assert_eq!(version(&files.put("a/@google/gemini-cli/gemini.js", "")), None);
        files.put("b/package.json", "{ broken");
        assert_eq!(version(&files.put("b/claude", "")), None);
        assert_eq!(version(Path::new("/no/such/claude")), None);
    }
}
