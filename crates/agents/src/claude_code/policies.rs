//! An organisation's settings: from its console, from system policies, from files. Owns their locations and which tier
//! wins. Read-only.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use home::{Env, Os};

use super::managed_dirs;

/// Where managed settings come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PolicyLocation {
    /// A file of JSON.
    File(PathBuf),
    /// A macOS property list.
    PropertyList(PathBuf),
    /// A value in the Windows registry, by its key.
    Registry(&'static str),
}

impl PolicyLocation {
    /// The location as someone would look for it.
    pub(super) fn display_path(&self) -> PathBuf {
        match self {
            Self::File(path) | Self::PropertyList(path) => path.clone(),
            Self::Registry(key) => PathBuf::from(key),
        }
    }
}

/// Every location of managed settings in tiers, strongest first. Claude Code takes the first tier that has settings, or
/// all tiers if one asks for it.
pub(super) fn tiers(env: &Env, config_dir: &Path, root: &Path) -> Vec<Vec<PolicyLocation>> {
    let os = env.os();
    let file = |path: PathBuf| PolicyLocation::File(path);
    let mut tiers: Vec<Vec<PolicyLocation>> = vec![
        // The settings last received from an organisation's console, and the file's name in earlier versions.
        vec![
            file(config_dir.join("remote-settings.json")),
            file(config_dir.join("remote-managed-settings.json")),
        ],
    ];
    match os {
        Os::Mac => {
            let managed = root.join("Library/Managed Preferences");
            let name = "com.anthropic.claudecode.plist";
            let mut lists = Vec::new();
            if let Some(user) = env.var("USER").filter(|user| !user.contains(['/', '.'])) {
                lists.push(PolicyLocation::PropertyList(managed.join(user).join(name)));
            }
            lists.push(PolicyLocation::PropertyList(managed.join(name)));
            tiers.push(lists);
        }
        Os::Windows => tiers.push(vec![PolicyLocation::Registry(r"HKLM\SOFTWARE\Policies\ClaudeCode")]),
        Os::Linux => {}
    }
    let mut dirs = managed_dirs(os, root);
    if os == Os::Linux && env.var("WSL_DISTRO_NAME").is_some() {
        dirs.push(root.join("mnt/c/Program Files/ClaudeCode"));
    }
    let mut files = Vec::new();
    for dir in dirs {
        files.push(file(dir.join("managed-settings.json")));
        let mut parts: Vec<_> = std::fs::read_dir(dir.join("managed-settings.d"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
            .collect();
        parts.sort();
        files.extend(parts.into_iter().map(PolicyLocation::File));
    }
    tiers.push(files);
    if os == Os::Windows {
        tiers.push(vec![PolicyLocation::Registry(r"HKCU\SOFTWARE\Policies\ClaudeCode")]);
    }
    tiers
}

/// The JSON in a property list; `Ok(None)` without the file.
///
/// # Errors
/// Why it can't be read, without the file's name.
pub(super) fn property_list(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match path.metadata() {
        Ok(meta) if meta.is_file() => {}
        Ok(_) => return Err("it isn't a regular file".to_owned()),
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error.to_string()),
    }
    let mut tool = Command::new("/usr/bin/plutil");
    tool.args(["-convert", "json", "-o", "-", "--"]).arg(path);
    let output = tool.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let output = output.map_err(|error| format!("plutil: {error}"))?;
    if output.status.success() { Ok(Some(output.stdout)) } else { Err("plutil can't read it".to_owned()) }
}

/// The JSON in the value `Settings` of a registry key; `None` without one, or off Windows.
pub(super) fn registry(env: &Env, key: &str) -> Option<Vec<u8>> {
    if !cfg!(windows) {
        return None;
    }
    let system = env.path("SystemRoot").unwrap_or_else(|| PathBuf::from(r"C:\Windows"));
    let mut tool = Command::new(system.join("System32").join("reg.exe"));
    tool.args(["query", key, "/v", "Settings"]).stdin(Stdio::null()).stderr(Stdio::null());
    let output = tool.output().ok().filter(|output| output.status.success())?;
    settings_value(&String::from_utf8_lossy(&output.stdout)).map(String::into_bytes)
}

/// The value in the output of `reg query`: `    Settings    REG_SZ    {…}`.
fn settings_value(printed: &str) -> Option<String> {
    printed.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix("Settings")?.trim_start();
        let kind = ["REG_SZ", "REG_EXPAND_SZ"].iter().find_map(|kind| rest.strip_prefix(kind))?;
        Some(kind.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_policies_above_its_files() {
        let shown = |os: Os| -> Vec<Vec<String>> {
            let env = Env::for_test("/h").with_os(os).with("USER", "ana");
            let tiers = tiers(&env, Path::new("/h/.claude"), Path::new("/r"));
            let text = |place: &PolicyLocation| place.display_path().to_string_lossy().replace('\\', "/");
            tiers.iter().map(|tier| tier.iter().map(text).collect()).collect()
        };
        let remote = ["/h/.claude/remote-settings.json", "/h/.claude/remote-managed-settings.json"];
        assert_eq!(shown(Os::Linux), [remote.to_vec(), vec!["/r/etc/claude-code/managed-settings.json"]]);
        let mac = shown(Os::Mac);
        assert_eq!(
            mac[1],
            [
                "/r/Library/Managed Preferences/ana/com.anthropic.claudecode.plist",
                "/r/Library/Managed Preferences/com.anthropic.claudecode.plist"
            ]
        );
        assert_eq!(mac[2], ["/r/Library/Application Support/ClaudeCode/managed-settings.json"]);
        let windows = shown(Os::Windows);
        assert_eq!(windows[1], ["HKLM/SOFTWARE/Policies/ClaudeCode"]);
        assert_eq!(windows[3], ["HKCU/SOFTWARE/Policies/ClaudeCode"]);
    }

    #[test]
    fn the_value_is_taken_out_of_what_the_system_prints() {
        let printed = "\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\ClaudeCode\r\n    Settings    REG_SZ    {\"permissions\": {\"deny\": [\"Bash(a  b)\"]}}\r\n\r\n";
        assert_eq!(settings_value(printed).unwrap(), r#"{"permissions": {"deny": ["Bash(a  b)"]}}"#);
        assert_eq!(settings_value("ERROR: not found"), None);
    }

    #[cfg(not(target_os = "macos"))]
    #[test]
    fn an_unreadable_policy_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("a.plist");
        assert_eq!(property_list(&list), Ok(None));
        std::fs::write(&list, "bplist00").unwrap();
        assert!(property_list(&list).is_err());
    }
}
