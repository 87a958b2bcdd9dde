//! The settings screen: which settings there are, how each is edited, and changing one without touching the rest of
//! the file.

use std::path::Path;

use contract::desktop::{SettingKind, SettingView, SettingsView};
use contract::{Error, ErrorCode, LowerError, Sentence};
use home::Settings;
use serde_json::Value;
use system::{Setting, System, ValueKind};

use super::Desktop;
use crate::{failure, messages, upgrade};

/// The size limit of a settings file; no user writes a larger one.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The settings that belong to no system.
static SETTINGS: &[Setting] = &[
    Setting::new("mcp.surface", ValueKind::Choice(&["compact", "full"])),
    Setting::new("mcp.tools", ValueKind::Choice(&["auto", "all", "core"])),
    Setting::new("hooks.enabled", ValueKind::Switch),
    Setting::new("hooks.routing", ValueKind::Switch),
    Setting::new("hooks.session_start", ValueKind::Switch),
    Setting::new("sessions.record", ValueKind::Switch),
    Setting::new("retention.session_days", ValueKind::Number(1, 3_650, "days")),
    Setting::new("retention.output_days", ValueKind::Number(1, 3_650, "days")),
    Setting::new("retention.kept_bytes", ValueKind::Number(64_000_000, 2_000_000_000_000, "bytes")),
    Setting::new("retention.trash_days", ValueKind::Number(0, 365, "days")),
    Setting::new("upgrade.manifest_url", ValueKind::Text),
    Setting::new("upgrade.public_key", ValueKind::Text),
    Setting::new("desktop.theme", ValueKind::Choice(&["system", "light", "dark"])),
    Setting::new("desktop.language", ValueKind::Choice(&["system", "en", "de"])),
    Setting::new("desktop.zoom", ValueKind::Number(50, 200, "percent")),
    Setting::new("desktop.notify", ValueKind::Switch),
    Setting::new("desktop.setup_done", ValueKind::Switch),
    Setting::new("desktop.tray_missing_told", ValueKind::Switch),
];

/// The order of the file's tables in the window; those of systems come before `LAST_TABLES`.
const TABLES: [&str; 6] = ["mcp", "sandbox", "network", "hooks", "filters", "sessions"];
const LAST_TABLES: [&str; 3] = ["retention", "upgrade", "desktop"];

/// Every setting that a front end can change, in display order.
fn all_settings(systems: &[&'static System]) -> Vec<Setting> {
    let of_systems = systems.iter().flat_map(|system| system.settings);
    let mut all: Vec<Setting> = SETTINGS.iter().chain(of_systems).copied().collect();
    all.sort_by_key(|setting| {
        let table = setting.key.split('.').next().unwrap_or_default();
        let known = |tables: &[&str]| tables.iter().position(|name| *name == table);
        match (known(&TABLES), known(&LAST_TABLES)) {
            (Some(at), _) => at,
            (None, None) => TABLES.len(),
            (None, Some(at)) => TABLES.len() + 1 + at,
        }
    });
    all
}

impl Desktop {
    /// All settings with their values.
    pub fn settings(&self) -> SettingsView {
        let (settings, problem) = match Settings::load(self.service.home()) {
            Ok(settings) => (settings, None),
            Err(error) => (Settings::default(), Some(error.message())),
        };
        let now = serde_json::to_value(settings).unwrap_or_default();
        let default = serde_json::to_value(Settings::default()).unwrap_or_default();
        SettingsView {
            path: home::as_text(&self.service.home().settings_path()).into_owned(),
            settings: all_settings(self.service.systems())
                .into_iter()
                .map(|setting| {
                    let default = setting.default.map_or_else(|| at(&default, setting.key), Value::from);
                    // A system's own table has no value unless the file has one.
                    let value = match at(&now, setting.key) {
                        Value::Null => default.clone(),
                        value => value,
                    };
                    SettingView {
                        key: setting.key.to_owned(),
                        kind: setting_kind(setting.kind),
                        value,
                        default,
                    }
                })
                .collect(),
            problem,
        }
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// If there is no such setting, the value is invalid, or the file can't be written; nothing has changed then.
    pub fn set_setting(&self, key: &str, value: &Value) -> Result<SettingsView, Error> {
        let value = self.check_setting(key, value)?;
        let path: Vec<&str> = key.split('.').collect();
        self.service.home().ensure().map_err(|error| failure::from_storage(&error))?;
        home::set_value(self.service.home(), &path, value).map_err(|error| failure::from_storage(&error))?;
        Ok(self.settings())
    }

    /// The setting as it would be with this value. Changes nothing.
    ///
    /// # Errors
    /// If there is no such setting, or the value is invalid.
    pub fn preview_setting(&self, key: &str, value: &Value) -> Result<SettingView, Error> {
        let value = self.check_setting(key, value)?;
        let now = self.settings().settings.into_iter().find(|setting| setting.key == key);
        let setting = now.ok_or_else(|| Error::invalid(messages::no_such_setting(key)))?;
        Ok(SettingView { value: as_json(&value), ..setting })
    }

    /// The value as the file will have it. Changes nothing.
    ///
    /// # Errors
    /// If there is no such setting, or the value is invalid.
    pub fn check_setting(&self, key: &str, value: &Value) -> Result<toml_edit::Value, Error> {
        let offered = all_settings(self.service.systems());
        let known = offered.iter().find(|setting| setting.key == key).ok_or_else(|| {
            let within = |other: &&str| other.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
            let inside: Vec<&str> = offered.iter().map(|setting| setting.key).filter(within).collect();
            Error::invalid(if let Some(command) = own_command(key) {
                messages::setting_has_command(key, command)
            } else if is_written_by_hand(key) {
                messages::setting_in_file(key, &self.service.home().settings_path())
            } else if inside.is_empty() {
                messages::no_such_setting(key)
            } else {
                messages::setting_has_parts(key, inside.join(", "))
            })
        })?;
        self.check_value(known, value, true)
    }

    fn check_value(&self, setting: &Setting, value: &Value, typed: bool) -> Result<toml_edit::Value, Error> {
        let value = parse_value(setting, value, typed)?;
        if let Some(text) = value.as_str() {
            self.accepts(setting.key, text)?;
        }
        Ok(value)
    }

    /// Whether a text may be this setting's value, as the system says that it belongs to.
    fn accepts(&self, key: &str, text: &str) -> Result<(), Error> {
        if key == "upgrade.manifest_url" && !text.is_empty() {
            upgrade::address(text).map_err(|error| Error::invalid(error.message))?;
        }
        for system in self.service.systems() {
            (system.accepts)(key, text).map_err(|expected| {
                Error::invalid(messages::value_wrong(key, expected, format!("{text:?}")))
            })?;
        }
        Ok(())
    }

    /// Copies the settings file; writes an empty one if there is none. The copy is private, and a file that is there already
    /// stays unless `replace`.
    ///
    /// # Errors
    /// If a file can't be read or written; nothing has changed then.
    pub fn export_settings(&self, to: &Path, replace: bool) -> Result<(), Error> {
        let from = self.service.home().settings_path();
        let text = match home::read_regular(&from, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                b"# Plimsoll's settings; all defaults.\n".to_vec()
            }
            Err(error) => return Err(failure::from_file(&from, &error)),
        };
        home::write_chosen(to, &text, replace).map_err(|error| {
            // The file needn't be there, but its folder must.
            failure::from_file(to.parent().filter(|folder| !folder.exists()).unwrap_or(to), &error)
        })
    }

    /// Imports a settings file; the previous one is kept beside it with the extension `.before-import`.
    ///
    /// # Errors
    /// If it isn't a settings file, or a file can't be read or written; nothing has changed then.
    pub fn import_settings(&self, from: &Path) -> Result<SettingsView, Error> {
        let text = self.check_import(from)?;
        let home = self.service.home();
        home.ensure().map_err(|error| failure::from_storage(&error))?;
        home::replace_settings(home, &text).map_err(|error| failure::from_storage(&error))?;
        Ok(self.settings())
    }

    /// The text of a settings file that can be imported: each of its values could be set. Changes nothing.
    ///
    /// # Errors
    /// If the file can't be read, isn't a settings file, or has a value that its setting doesn't take.
    pub fn check_import(&self, from: &Path) -> Result<String, Error> {
        let text = home::read_regular_text(from, MAX_BYTES).map_err(|error| {
            let code = if home::is_missing(&error) { ErrorCode::NotFound } else { ErrorCode::Storage };
            Error::new(code, home::file_problem(from, &error))
        })?;
        let document = text.trim_start_matches('\u{feff}');
        let refused = |reason: Sentence| Error::invalid(messages::no_settings_in(from, reason));
        let parsed = toml_edit::de::from_str::<Settings>(document)
            .and_then(|_| toml_edit::de::from_str::<Value>(document))
            .map_err(|error| {
                refused(Sentence::from(home::toml_problem(document, error.span(), error.message())))
            })?;
        for setting in all_settings(self.service.systems()) {
            let value = at(&parsed, setting.key);
            if !value.is_null() {
                self.check_value(&setting, &value, false)?;
            }
        }
        Ok(text)
    }
}

/// The command that sets what isn't one of the settings: a secret, which isn't typed where others can read it, an address
/// that is checked first, or a moment.
fn own_command(key: &str) -> Option<&'static str> {
    match key.split_once('.') {
        Some(("hooks", "paused_until_ms" | "paused_since")) => Some("plimsoll pause"),
        Some(("filters", "trusted")) => Some("plimsoll filters trust"),
        _ => crate::SYSTEMS.iter().find_map(|system| (system.command_for)(key)),
    }
}

/// The lists and tables of the file, which don't fit into a line of a terminal.
fn is_written_by_hand(key: &str) -> bool {
    let settings = serde_json::to_value(Settings::default()).unwrap_or_default();
    let composite =
        |value: &Value| value.is_array() || value.as_object().is_some_and(serde_json::Map::is_empty);
    // The second is a table of the user's own names: `prices.opus`.
    let table = key.rsplit_once('.').map(|(table, _)| at(&settings, table));
    composite(&at(&settings, key)) || table.is_some_and(|table| table.is_object() && composite(&table))
}

fn at(settings: &Value, key: &str) -> Value {
    key.split('.').fold(settings, |value, name| &value[name]).clone()
}

/// A value of the file: each setting is a text, a whole number or a switch.
fn as_json(value: &toml_edit::Value) -> Value {
    let number = || value.as_integer().map(Value::from);
    let switch = || value.as_bool().map(Value::from);
    value.as_str().map(Value::from).or_else(number).or_else(switch).unwrap_or_default()
}

fn setting_kind(kind: ValueKind) -> SettingKind {
    match kind {
        ValueKind::Switch => SettingKind::Switch,
        ValueKind::Number(min, max, unit) => SettingKind::Number { min, max, unit: unit.to_owned() },
        ValueKind::Choice(words) => {
            SettingKind::Choice { of: words.iter().map(|word| (*word).to_owned()).collect() }
        }
        ValueKind::Text => SettingKind::Text,
    }
}

/// The value in the form that's written, if it's valid. A terminal passes everything as text (`typed`); in a file a
/// number in quotes would be read as none.
fn parse_value(setting: &Setting, value: &Value, typed: bool) -> Result<toml_edit::Value, Error> {
    let text = value.as_str();
    let typed = text.filter(|_| typed);
    let wrong = |expected: Sentence| {
        Err(Error::invalid(messages::value_wrong(setting.key, expected, value.to_string())))
    };
    match setting.kind {
        ValueKind::Switch => match (value.as_bool(), typed) {
            (Some(on), _) => Ok(on.into()),
            (None, Some("true" | "on" | "yes")) => Ok(true.into()),
            (None, Some("false" | "off" | "no")) => Ok(false.into()),
            _ => wrong(messages::true_or_false()),
        },
        ValueKind::Number(min, max, unit) => {
            let number = value.as_u64().or_else(|| typed.and_then(|text| text.trim().parse().ok()));
            let number = number.filter(|number| (min..=max).contains(number));
            match number.and_then(|number| i64::try_from(number).ok()) {
                Some(number) => Ok(number.into()),
                None => wrong(messages::number_between(Sentence::from(unit), min, max)),
            }
        }
        ValueKind::Choice(words) => match text.filter(|word| words.contains(word)) {
            Some(word) => Ok(word.into()),
            None => wrong(messages::one_of(words.join(", "))),
        },
        ValueKind::Text => match text {
            Some(text) => Ok(text.trim().into()),
            None => wrong(messages::text()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Service;
    use serde_json::json;
    use std::sync::Arc;

    fn desktop(dir: &Path) -> Desktop {
        let env = home::Env::for_test(dir);
        Desktop::new(Arc::new(Service::new(env, home::Clock::fixed(0)).unwrap()))
    }

    #[test]
    fn every_setting_is_in_the_file_and_its_default_fits_its_own_rule() {
        let dir = tempfile::tempdir().unwrap();
        for setting in desktop(dir.path()).settings().settings {
            assert!(!setting.default.is_null(), "{} is no setting of the file", setting.key);
            let offered = all_settings(crate::SYSTEMS);
            let known = offered.iter().find(|known| known.key == setting.key).unwrap();
            assert!(parse_value(known, &setting.default, false).is_ok(), "{}", setting.key);
        }
    }

    #[test]
    fn a_value_that_does_not_fit_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let desktop = desktop(dir.path());
        for (key, value) in [
            ("sandbox.timeout_ms", json!(5)),
            ("sandbox.timeout_ms", json!(-5)),
            ("hooks.enabled", json!("maybe")),
            ("desktop.theme", json!("pink")),
            ("no.such", json!(true)),
            ("memory.keep", json!("nonsense=zzz")),
        ] {
            let error = desktop.set_setting(key, &value).unwrap_err();
            assert!(error.message.text().contains(key), "{error}");
        }
        let address = desktop.set_setting("upgrade.manifest_url", &json!("ftp://x")).unwrap_err();
        assert!(address.message.text().contains("https://"), "{address}");
        for (key, named) in [
            ("prices", "settings.toml"),
            ("prices.opus", "settings.toml"),
            ("filters.off", "settings.toml"),
            ("hooks.paused_projects", "settings.toml"),
            ("memory.vectors", "memory.vectors.provider"),
            ("memory.org", "`plimsoll memory org set ADDRESS`"),
            ("memory.org.url", "`plimsoll memory org set ADDRESS`"),
            ("memory.vectors.key", "`plimsoll memory key set PROVIDER`"),
            ("memory.model.api_key", "`plimsoll memory key set PROVIDER`"),
            ("hooks.paused_until_ms", "`plimsoll pause`"),
            ("filters.trusted", "`plimsoll filters trust`"),
            ("desktop", "desktop.theme"),
            ("hooks.none", "`plimsoll settings` lists them"),
        ] {
            let refused = desktop.set_setting(key, &json!("{}")).unwrap_err();
            let told = refused.message.text();
            assert!(told.contains(&format!("`{key}`")) && told.contains(named), "{told}");
        }
        assert!(!desktop.settings().path.exists());
        desktop.set_setting("memory.keep", &json!("progress=90d")).unwrap();
        desktop.set_setting("memory.keep", &json!("")).unwrap();
        desktop.set_setting("upgrade.manifest_url", &json!("")).unwrap();
        let view = desktop.set_setting("sandbox.timeout_ms", &json!("60000")).unwrap();
        let set = view.settings.iter().find(|setting| setting.key == "sandbox.timeout_ms").unwrap();
        assert_eq!((&set.value, &set.default), (&json!(60_000), &json!(120_000)));
    }

    #[test]
    fn settings_travel_and_a_wrong_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let desktop = desktop(dir.path());
        desktop.set_setting("desktop.theme", &json!("dark")).unwrap();
        let file = dir.path().join("settings-export.toml");
        desktop.export_settings(&file, false).unwrap();
        let before = std::fs::read(&file).unwrap();
        let refused = desktop.export_settings(&file, false).unwrap_err();
        assert!(refused.message.text().contains("settings-export.toml"), "{refused}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
        desktop.export_settings(&file, true).unwrap();
        desktop.set_setting("desktop.theme", &json!("light")).unwrap();
        let view = desktop.import_settings(&file).unwrap();
        assert!(
            view.settings
                .iter()
                .any(|setting| setting.key == "desktop.theme" && setting.value == json!("dark"))
        );
        std::fs::write(&file, "[hooks]\nenabled = 7\n").unwrap();
        let before = std::fs::read(desktop.settings().path).unwrap();
        assert!(desktop.import_settings(&file).unwrap_err().message.text().contains("settings-export.toml"));
        for (key, table) in [
            ("retention.session_days", "[retention]\nsession_days = 0\n"),
            ("desktop.zoom", "[desktop]\nzoom = 5\n"),
            ("memory.enabled", "[memory]\nenabled = \"no\"\n"),
            ("memory.vectors.provider", "[memory.vectors]\nprovider = \"bogus\"\n"),
            ("memory.keep", "[memory]\nkeep = \"nonsense=zzz\"\n"),
        ] {
            std::fs::write(&file, table).unwrap();
            for refused in
                [desktop.import_settings(&file).map(|_| ()), desktop.check_import(&file).map(|_| ())]
            {
                let error = refused.unwrap_err();
                assert!(error.message.text().contains(key), "{error}");
            }
        }
        assert_eq!(std::fs::read(desktop.settings().path).unwrap(), before);
    }
}
