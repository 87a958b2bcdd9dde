//! The sidecar that came with this program. Connecting installs it behind the stable launcher once the user agrees;
//! from then on a newer one is installed when the program starts. A version that agents run is never overwritten:
//! versions are side by side.

use std::path::{Path, PathBuf};

use semver::Version;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_shell::ShellExt;

use crate::shared::Shell;

/// The sidecar beside this program, where packages put it.
pub(crate) fn bundled() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let sidecar = program.parent()?.join(home::binary_name(home::Os::current()));
    sidecar.is_file().then_some(sidecar)
}

/// Installs the sidecar behind the launcher if the launcher points to an older version.
pub(crate) async fn update_launcher<R: Runtime>(app: AppHandle<R>) {
    let service = std::sync::Arc::clone(&app.state::<Shell>().service);
    let launcher = service.home().launcher();
    let Some(sidecar) = bundled().filter(|_| launcher.exists()) else { return };
    let Some(ours) = version(&app, &sidecar).await else {
        log::warn!("{} does not say its version; the launcher is left as it is", sidecar.display());
        return;
    };
    // A version that no longer runs is replaced.
    let theirs = version(&app, &launcher).await;
    if theirs.as_ref().is_some_and(|theirs| *theirs >= ours) {
        return;
    }
    let home = service.home().clone();
    let named = ours.to_string();
    let done =
        tauri::async_runtime::spawn_blocking(move || home::launcher::install(&home, &sidecar, &named)).await;
    match done {
        Ok(Ok(installed)) => log::info!("{} is now {ours}", installed.launcher.display()),
        Ok(Err(error)) => log::error!("the sidecar {ours} could not be put in place: {error}"),
        Err(error) => log::error!("the sidecar {ours} could not be put in place: {error}"),
    }
}

async fn version<R: Runtime>(app: &AppHandle<R>, program: &Path) -> Option<Version> {
    let output = app.shell().command(program).arg("--version").output().await.ok()?;
    parse(&String::from_utf8_lossy(&output.stdout)).filter(|_| output.status.success())
}

/// Parses the version in `plimsoll 1.2.3`.
fn parse(printed: &str) -> Option<Version> {
    Version::parse(printed.trim().strip_prefix("plimsoll ")?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_the_sidecar_says_and_from_nothing_else() {
        assert_eq!(parse("plimsoll 0.1.0\n"), Some(Version::new(0, 1, 0)));
        for printed in ["", "plimsoll", "plimsoll one", "other 1.0.0", "0.1.0"] {
            assert_eq!(parse(printed), None, "{printed:?}");
        }
    }
}
