//! Reads and writes `settings.toml`. Reading never writes; writing keeps the user's comments and order.

use std::path::PathBuf;

use contract::{Sentence, Told, joined};

use crate::settings::Settings;
use crate::{Home, messages, write_private};

/// The size limit of the file; no user writes a larger one.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// An error of the settings file.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// It doesn't parse or has a value of the wrong type.
    Invalid {
        /// The file.
        path: PathBuf,
        /// The problem, with the line.
        reason: String,
    },
    /// It can't be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
}

impl Told for SettingsError {
    fn message(&self) -> Sentence {
        match self {
            Self::Invalid { path, reason } => messages::bad_settings(path, Sentence::from(reason.as_str())),
            Self::Io { path, source } => joined::about(path, source.message()),
        }
    }
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl Settings {
    /// Reads the settings; a missing file means all defaults.
    ///
    /// # Errors
    /// [`SettingsError`]; a caller that must continue uses the defaults and reports it.
    pub fn load(home: &Home) -> Result<Self, SettingsError> {
        let path = home.settings_path();
        let text = match crate::read_regular_text(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(SettingsError::Io { path, source }),
        };
        toml_edit::de::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| SettingsError::Invalid {
            path,
            reason: error.to_string().trim_end().replace('\n', " "),
        })
    }
}

/// Sets one value (`["hooks", "enabled"]`), keeping everything else in the file, including comments and order.
///
/// # Errors
/// [`SettingsError`] if the file doesn't parse or the result wouldn't load; nothing is written then.
pub fn set_value(
    home: &Home,
    path: &[&str],
    value: impl Into<toml_edit::Value>,
) -> Result<(), SettingsError> {
    let file = home.settings_path();
    let text = match crate::read_regular_text(&file, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(SettingsError::Io { path: file, source }),
    };
    let invalid = |reason: String| SettingsError::Invalid { path: file.clone(), reason };
    let mut document: toml_edit::DocumentMut = text
        .trim_start_matches('\u{feff}')
        .parse()
        .map_err(|error: toml_edit::TomlError| invalid(error.to_string()))?;
    let Some((key, tables)) = path.split_last() else { return Err(invalid("no setting was named".into())) };
    let mut table = document.as_table_mut();
    for name in tables {
        let item = table.entry(name).or_insert_with(toml_edit::table);
        table = item.as_table_mut().ok_or_else(|| invalid(format!("`{name}` is not a table")))?;
    }
    let mut value: toml_edit::Value = value.into();
    if let Some(before) = table.get(key).and_then(toml_edit::Item::as_value) {
        // The comment after the old value stays after the new one.
        *value.decor_mut() = before.decor().clone();
    }
    table[key] = toml_edit::value(value);
    let text = document.to_string();
    toml_edit::de::from_str::<Settings>(&text).map_err(|error| invalid(error.to_string()))?;
    write_private(&file, text.as_bytes()).map_err(|source| SettingsError::Io { path: file.clone(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_survive_a_change_and_wrong_kinds_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert_eq!(Settings::load(&home).unwrap(), Settings::default());
        std::fs::write(home.settings_path(), "# mine\n[hooks]\nenabled = true # yes\n").unwrap();
        set_value(&home, &["hooks", "paused_until_ms"], 42).unwrap();
        set_value(&home, &["mcp", "surface"], "full").unwrap();
        let text = std::fs::read_to_string(home.settings_path()).unwrap();
        assert!(text.starts_with("# mine\n[hooks]\nenabled = true # yes\n"), "{text}");
        let settings = Settings::load(&home).unwrap();
        assert_eq!(settings.hooks.paused_until_ms, 42);
        assert_eq!(settings.mcp.surface, "full");
        set_value(&home, &["hooks", "enabled"], false).unwrap();
        let text = std::fs::read_to_string(home.settings_path()).unwrap();
        assert!(text.starts_with("# mine\n[hooks]\nenabled = false # yes\n"), "{text}");
        let error = set_value(&home, &["hooks", "enabled"], "maybe").unwrap_err().to_string();
        assert!(error.contains("settings.toml"), "{error}");
        assert_eq!(std::fs::read_to_string(home.settings_path()).unwrap(), text);
    }

    #[test]
    fn a_file_that_does_not_parse_names_the_line() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        std::fs::write(home.settings_path(), "[hooks\n").unwrap();
        assert!(Settings::load(&home).unwrap_err().to_string().contains("line 1"));
    }
}
