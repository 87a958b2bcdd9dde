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
    locale_of(&settings.desktop.language, system_locale())
}

/// The system's locale, unless the settings name another language: numbers are written as in the user's own region, as the
/// window does.
fn locale_of(setting: &str, system: String) -> String {
    let language = system.split(['-', '_', '.', '@']).next().unwrap_or_default();
    if matches!(setting, "" | "system") || language.eq_ignore_ascii_case(setting) {
        system
    } else {
        setting.to_owned()
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

#[cfg(test)]
mod tests {
    use super::locale_of;

    #[test]
    fn numbers_are_of_the_users_region_where_its_language_is_set() {
        for (setting, system, locale) in [
            ("system", "de-AT", "de-AT"),
            ("", "en-GB", "en-GB"),
            ("de", "de-AT", "de-AT"),
            ("de", "de_CH.UTF-8", "de_CH.UTF-8"),
            ("en", "de-AT", "en"),
            ("de", "en-GB", "de"),
            ("en", "C", "en"),
        ] {
            assert_eq!(locale_of(setting, system.to_owned()), locale, "{setting} {system}");
        }
    }
}
