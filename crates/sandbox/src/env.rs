//! A child's environment: the parent's without the variables in [`crate::DENIED`], plus the few that make output plain and
//! immediate. Credentials and the real HOME pass unchanged.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::denied_env::is_denied;

/// Set for every child, whatever the parent has.
const FIXED: &[(&str, &str)] = &[
    ("NO_COLOR", "1"),
    ("PYTHONUNBUFFERED", "1"),
    ("PYTHONIOENCODING", "utf-8:replace"),
    ("PYTHONUTF8", "1"),
    // Pagers wait for input; `cat` doesn't.
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("AWS_PAGER", ""),
    // No one can answer a prompt here: fail instead of waiting for the time limit.
    ("GIT_TERMINAL_PROMPT", "0"),
    ("DOTNET_NOLOGO", "1"),
    ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
];

/// A child's variables. `parent` is this process's environment, `temp` the folder for TMPDIR (`None`: as in the parent),
/// `runtime_dir` the runtime's folder, which is appended to PATH if missing, so that `npm` is found beside the `node` that
/// was found.
pub fn child_env(
    parent: &[(OsString, OsString)],
    temp: Option<&Path>,
    runtime_dir: Option<&Path>,
) -> Vec<(OsString, OsString)> {
    let mut vars: BTreeMap<OsString, OsString> = parent
        .iter()
        .filter(|(name, _)| !name.to_str().is_some_and(is_denied))
        .filter(|(name, _)| !is_shell_function(name))
        .cloned()
        .collect();
    for (name, value) in FIXED {
        set(&mut vars, name, value.into());
    }
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
        remove(&mut vars, name);
    }
    if !cfg!(windows) {
        let locale = utf8_locale(&vars);
        set(&mut vars, "LANG", locale.clone());
        set(&mut vars, "LC_ALL", locale);
    }
    if let Some(temp) = temp {
        for name in ["TMPDIR", "TMP", "TEMP"] {
            set(&mut vars, name, temp.into());
        }
    }
    if let Some(dir) = runtime_dir {
        append_to_path(&mut vars, dir);
    }
    vars.into_iter().collect()
}

/// bash exports functions under names that aren't always valid Unicode; the prefix decides.
fn is_shell_function(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"BASH_FUNC_")
}

/// The user's own locale if it is UTF-8; otherwise one that every system has.
fn utf8_locale(vars: &BTreeMap<OsString, OsString>) -> OsString {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(|name| vars.get(OsStr::new(name)))
        .find(|value| {
            let value = value.to_string_lossy().to_ascii_lowercase();
            value.ends_with("utf-8") || value.ends_with("utf8")
        })
        .cloned()
        .unwrap_or_else(|| if cfg!(target_os = "macos") { "en_US.UTF-8" } else { "C.UTF-8" }.into())
}

fn append_to_path(vars: &mut BTreeMap<OsString, OsString>, dir: &Path) {
    let name =
        vars.keys().find(|name| name.eq_ignore_ascii_case("PATH")).cloned().unwrap_or_else(|| "PATH".into());
    let mut dirs: Vec<PathBuf> =
        vars.get(&name).map(|value| std::env::split_paths(value).collect()).unwrap_or_default();
    if dirs.iter().any(|d| d == dir) {
        return;
    }
    dirs.push(dir.to_path_buf());
    // A folder with the separator in its name can't be in PATH; then PATH stays unchanged.
    if let Ok(joined) = std::env::join_paths(dirs) {
        vars.insert(name, joined);
    }
}

/// Sets a variable, replacing other spellings where names are case-insensitive.
fn set(vars: &mut BTreeMap<OsString, OsString>, name: &str, value: OsString) {
    remove(vars, name);
    vars.insert(name.into(), value);
}

fn remove(vars: &mut BTreeMap<OsString, OsString>, name: &str) {
    if cfg!(windows) {
        vars.retain(|key, _| !key.eq_ignore_ascii_case(name));
    } else {
        vars.remove(OsStr::new(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect()
    }

    fn get(vars: &[(OsString, OsString)], name: &str) -> Option<String> {
        vars.iter().find(|(k, _)| k == name).map(|(_, v)| v.to_string_lossy().into_owned())
    }

    #[test]
    fn hooks_go_credentials_stay_and_output_is_plain() {
        let parent = env(&[
            ("HOME", "/home/dana"),
            ("GH_TOKEN", "t"),
            ("NODE_OPTIONS", "--require x"),
            ("FORCE_COLOR", "3"),
            ("PAGER", "less"),
            ("BASH_FUNC_ls%%", "() { rm x; }"),
        ]);
        let vars = child_env(&parent, Some(Path::new("/t")), None);
        assert_eq!(get(&vars, "HOME").as_deref(), Some("/home/dana"));
        assert_eq!(get(&vars, "GH_TOKEN").as_deref(), Some("t"));
        assert_eq!(get(&vars, "NODE_OPTIONS"), None);
        assert_eq!(get(&vars, "FORCE_COLOR"), None);
        assert_eq!(get(&vars, "BASH_FUNC_ls%%"), None);
        assert_eq!(get(&vars, "PAGER").as_deref(), Some("cat"));
        assert_eq!(get(&vars, "NO_COLOR").as_deref(), Some("1"));
        assert_eq!(get(&vars, "TMPDIR").as_deref(), Some("/t"));
    }

    #[cfg(unix)]
    #[test]
    fn a_utf8_locale_is_kept_and_any_other_replaced() {
        let kept = child_env(&env(&[("LANG", "de_DE.UTF-8")]), None, None);
        assert_eq!(get(&kept, "LC_ALL").as_deref(), Some("de_DE.UTF-8"));
        let replaced = child_env(&env(&[("LANG", "C")]), None, None);
        assert!(get(&replaced, "LC_ALL").is_some_and(|v| v.ends_with("UTF-8")));
    }

    #[cfg(unix)]
    #[test]
    fn the_runtimes_folder_is_appended_to_path_once() {
        let vars = child_env(&env(&[("PATH", "/usr/bin")]), None, Some(Path::new("/opt/n/bin")));
        assert_eq!(get(&vars, "PATH").as_deref(), Some("/usr/bin:/opt/n/bin"));
        let again = child_env(&vars, None, Some(Path::new("/opt/n/bin")));
        assert_eq!(get(&again, "PATH").as_deref(), Some("/usr/bin:/opt/n/bin"));
    }
}
