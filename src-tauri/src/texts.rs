//! Texts outside the window: their language, and the desktop's own notifications.

use commands::texts::Texts;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_notification::NotificationExt;

use crate::shared::Shell;

/// The texts in the user's language, the same as the window's.
pub(crate) fn texts<R: Runtime>(app: &AppHandle<R>) -> Texts {
    Texts::for_locale("system", &locale(app))
}

/// The language in the settings, or the system's: `de`, `en-GB`.
pub(crate) fn locale<R: Runtime>(app: &AppHandle<R>) -> String {
    let settings = home::Settings::load(app.state::<Shell>().service.home()).unwrap_or_default();
    match settings.desktop.language.as_str() {
        "" | "system" => system_locale(),
        language => language.to_owned(),
    }
}

/// The system's language.
pub(crate) fn system_locale() -> String {
    sys_locale::get_locale().unwrap_or_else(|| "en".to_owned())
}

/// Shows a notification outside the window.
pub(crate) fn tell<R: Runtime>(app: &AppHandle<R>, title: &str, text: &str) {
    if let Err(error) = app.notification().builder().title(title).body(text).show() {
        log::warn!("a message could not be shown ({error}): {text}");
    }
}
