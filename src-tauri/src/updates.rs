//! Looks for a newer version on request. If the system's packages bring updates, or no release server is configured
//! for the app, it only says so; otherwise it asks before installing anything. Never looks on its own.

use std::path::Path;

use commands::texts::Texts;
use contract::Sentence;
use service::upgrade::messages;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons};
use tauri_plugin_updater::UpdaterExt;

use crate::shared::Shell;
use crate::texts::{tell, texts};

/// Whether updates come with the system's packages.
pub(crate) fn packaged() -> bool {
    let here = std::env::current_exe().unwrap_or_default();
    cfg!(target_os = "linux") && std::env::var_os("APPIMAGE").is_none() && of_system(&here)
}

fn of_system(program: &Path) -> bool {
    ["/usr", "/opt", "/app", "/snap", "/nix"].iter().any(|dir| program.starts_with(dir))
        && !program.starts_with("/usr/local")
}

/// Looks, and tells the user the result.
pub(crate) async fn look<R: Runtime>(app: AppHandle<R>) {
    let configured = app.config().plugins.0.contains_key("updater");
    let printed = if configured && !packaged() { offer(&app).await } else { ask_release_server(&app).await };
    if let Some(printed) = printed {
        let texts = texts(&app);
        tell(&app, texts.get("tray.updates.title"), &texts.say(&printed));
    }
}

/// The answer of the settings' release server; `None` if none is set.
async fn ask_release_server<R: Runtime>(app: &AppHandle<R>) -> Option<Sentence> {
    let service = std::sync::Arc::clone(&app.state::<Shell>().service);
    Some(match service::upgrade::upgrade(&service, true, false).await {
        Ok(report) => report.text,
        Err(error) => error.message,
    })
}

/// Asks whether to install the newer app, if there is one. `None` if the dialog already told everything.
async fn offer<R: Runtime>(app: &AppHandle<R>) -> Option<Sentence> {
    let found = match app.updater() {
        Ok(updater) => updater.check().await,
        Err(error) => Err(error),
    };
    let update = match found {
        Ok(Some(update)) => update,
        Ok(None) => return Some(messages::newest(env!("CARGO_PKG_VERSION"))),
        Err(error) => return Some(messages::not_asked(Sentence::from(error.to_string()))),
    };
    let (question, install, cancel) = question(&texts(app), &update.current_version, &update.version);
    let asking = app.clone();
    let agreed = tauri::async_runtime::spawn_blocking(move || {
        asking
            .dialog()
            .message(question)
            .title("Plimsoll")
            .buttons(MessageDialogButtons::OkCancelCustom(install, cancel))
            .blocking_show()
    });
    if !agreed.await.unwrap_or(false) {
        return None;
    }
    match update.download_and_install(|_, _| {}, || {}).await {
        Ok(()) => app.restart(),
        Err(error) => Some(messages::not_installed(Sentence::from(error.to_string()))),
    }
}

/// The question before a newer version is installed, and the labels of its two buttons.
fn question(texts: &Texts, current: &str, offered: &str) -> (String, String, String) {
    (
        texts.fill("tray.updates.ask", &[("current", current), ("version", offered)]),
        texts.get("tray.updates.install").to_owned(),
        texts.get("action.cancel").to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_is_asked_about_in_the_users_language() {
        let ask = |language: &str| question(&Texts::for_locale(language, ""), "1.2.0", "1.3.0");
        for language in ["en", "de"] {
            let (asked, install, cancel) = ask(language);
            assert!(asked.contains("1.2.0") && asked.contains("1.3.0"), "{asked}");
            assert!(!asked.contains('{') && !asked.contains("tray."), "{asked}");
            assert!(!install.contains("tray.") && !cancel.contains("action."), "{install} {cancel}");
        }
        assert_ne!(ask("en"), ask("de"));
    }

    #[test]
    fn what_the_system_installed_the_system_updates() {
        assert!(of_system(Path::new("/usr/bin/plimsoll-desktop")));
        assert!(of_system(Path::new("/opt/plimsoll/plimsoll-desktop")));
        assert!(!of_system(Path::new("/usr/local/bin/plimsoll-desktop")));
        assert!(!of_system(Path::new("/home/ana/Apps/plimsoll-desktop")));
    }
}
