//! Folders besides PATH in which runtimes are usually installed. Programs started from a desktop often get a PATH with only
//! the system's folders.

use std::path::PathBuf;

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
