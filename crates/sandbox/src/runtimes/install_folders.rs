//! Folders besides PATH in which runtimes are usually installed. Programs started from a desktop often get a PATH with only
//! the system's folders.

use std::path::{Path, PathBuf};

/// The system-wide folders.
pub(super) fn system_folders() -> Vec<PathBuf> {
    let dirs: &[&str] = if cfg!(windows) {
        &[
            r"C:\Program Files\Git\bin",
            r"C:\Program Files\Git\usr\bin",
            r"C:\Program Files (x86)\Git\bin",
            r"C:\Program Files\nodejs",
            r"C:\Program Files\Go\bin",
            r"C:\Program Files\dotnet",
            r"C:\Program Files\PowerShell\7",
            r"C:\Strawberry\perl\bin",
            r"C:\Windows\System32\WindowsPowerShell\v1.0",
            r"C:\Windows\Microsoft.NET\Framework64\v4.0.30319",
        ]
    } else {
        &[
            "/usr/local/bin",
            "/opt/homebrew/bin",
            "/home/linuxbrew/.linuxbrew/bin",
            "/usr/bin",
            "/bin",
            "/usr/local/go/bin",
            "/usr/local/share/dotnet",
            "/usr/share/dotnet",
            "/opt/local/bin",
            "/snap/bin",
            "/run/current-system/sw/bin",
            "/Library/Frameworks/Mono.framework/Versions/Current/Commands",
            "/Library/Frameworks/R.framework/Resources/bin",
        ]
    };
    dirs.iter().map(PathBuf::from).collect()
}

/// The folders below the user's home: installers' own, version managers' shims and, for nvm, its newest Node.
pub(super) fn home_folders(home: &Path) -> Vec<PathBuf> {
    let below: &[&str] = if cfg!(windows) {
        &[
            r".bun\bin",
            r".deno\bin",
            r".cargo\bin",
            r"scoop\shims",
            r"AppData\Local\Programs\Git\bin",
            r"AppData\Local\Microsoft\WinGet\Links",
            r"AppData\Local\Programs\Python\Launcher",
            r".dotnet\tools",
        ]
    } else {
        &[
            ".local/bin",
            ".bun/bin",
            ".deno/bin",
            ".cargo/bin",
            ".volta/bin",
            ".local/share/mise/shims",
            ".asdf/shims",
            ".pyenv/shims",
            ".rbenv/shims",
            ".local/share/fnm/aliases/default/bin",
            ".nix-profile/bin",
            "go/bin",
            ".dotnet",
            ".dotnet/tools",
        ]
    };
    let mut dirs: Vec<PathBuf> = below.iter().map(|dir| home.join(dir)).collect();
    dirs.extend(newest_nvm_node(&home.join(".nvm/versions/node")));
    dirs
}

fn newest_nvm_node(versions: &Path) -> Option<PathBuf> {
    std::fs::read_dir(versions)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let version = super::versions::major_minor(entry.file_name().to_str()?)?;
            Some((version, entry.path().join("bin")))
        })
        .max()
        .map(|(_, dir)| dir)
}
