//! Reads and writes `settings.toml`. Reading never writes; writing keeps the user's comments and order, the link that
//! the file may be, its line ends and its byte order mark. Changes wait for one another.

use std::path::PathBuf;
use std::time::Duration;

use contract::{LowerError, Sentence};
use toml_edit::TableLike;

use crate::settings::Settings;
use crate::{FileLock, Home, HomeError, messages, write_private};

/// The size limit of the file; no user writes a larger one.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// How long a change waits for others; each takes milliseconds.
const WAIT: Duration = Duration::from_secs(10);

/// What some editors on Windows begin a file with.
const BYTE_ORDER_MARK: char = '\u{feff}';

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
    /// It is a link to a file that doesn't exist; writing would replace the link.
    Dangling(PathBuf),
    /// Others change it for too long, or the lock can't be taken.
    Unlocked(HomeError),
}

impl LowerError for SettingsError {
    fn message(&self) -> Sentence {
        match self {
            Self::Invalid { path, reason } => messages::bad_settings(path, Sentence::from(reason.as_str())),
            Self::Io { path, source } => crate::file_problem(path, source),
            Self::Dangling(path) => messages::dangling_settings(path),
            Self::Unlocked(error) => error.message(),
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
        let text = text.trim_start_matches(BYTE_ORDER_MARK);
        toml_edit::de::from_str(text).map_err(|error: toml_edit::de::Error| SettingsError::Invalid {
            path,
            reason: toml_problem(text, error.span(), error.message()),
        })
    }
}

/// Where a text stops being TOML or has a value of the wrong type, and why, in one line. The parser's own text draws the
/// place over several.
pub fn toml_problem(text: &str, place: Option<std::ops::Range<usize>>, why: &str) -> String {
    let why = without_type(why.trim().replace('\n', "; "));
    let Some(place) = place else { return why };
    let before = text.get(..place.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}: {why}")
}

/// The reason without the name that a kind of number has in Rust only.
fn without_type(why: String) -> String {
    let Some((before, kind)) = why.rsplit_once("expected ") else { return why };
    let number = match kind {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        _ => return why,
    };
    format!("{before}expected {number}")
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
    let _alone = lock(home)?;
    write_value(home, path, value.into())
}

/// Sets a value that depends on the present ones, such as a list with one more entry. Nobody else changes the file
/// between reading and writing.
///
/// # Errors
/// [`SettingsError`] like [`set_value`], and if the file doesn't load now.
pub fn update_value<V: Into<toml_edit::Value>>(
    home: &Home,
    path: &[&str],
    new: impl FnOnce(&Settings) -> V,
) -> Result<(), SettingsError> {
    let _alone = lock(home)?;
    let value = new(&Settings::load(home)?);
    write_value(home, path, value.into())
}

/// Replaces the file; the previous one is kept beside it with the extension `.before-import`.
///
/// # Errors
/// [`SettingsError`] if a file can't be read or written; the settings are unchanged then.
pub fn replace_settings(home: &Home, text: &str) -> Result<(), SettingsError> {
    let _alone = lock(home)?;
    let (path, target) = (home.settings_path(), target(home)?);
    match crate::read_regular(&path, MAX_BYTES) {
        Ok(before) => {
            let kept = path.with_extension("toml.before-import");
            write_private(&kept, &before).map_err(|source| SettingsError::Io { path: kept, source })?;
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(source) => return Err(SettingsError::Io { path, source }),
    }
    write_private(&target, text.as_bytes()).map_err(|source| SettingsError::Io { path, source })
}

fn lock(home: &Home) -> Result<FileLock, SettingsError> {
    crate::lock(home, "settings", WAIT).map_err(SettingsError::Unlocked)
}

/// The file that is written: what a link points to, because people keep their settings in a folder of their own.
fn target(home: &Home) -> Result<PathBuf, SettingsError> {
    let path = home.settings_path();
    match dunce::canonicalize(&path) {
        Ok(target) => Ok(target),
        Err(_) if !path.is_symlink() => Ok(path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(SettingsError::Dangling(path)),
        Err(source) => Err(SettingsError::Io { path, source }),
    }
}

fn write_value(home: &Home, path: &[&str], mut value: toml_edit::Value) -> Result<(), SettingsError> {
    let file = home.settings_path();
    let target = target(home)?;
    let written = match crate::read_regular_text(&file, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(SettingsError::Io { path: file, source }),
    };
    let invalid = |reason: String| SettingsError::Invalid { path: file.clone(), reason };
    let text = written.trim_start_matches(BYTE_ORDER_MARK);
    let mut document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| invalid(toml_problem(text, error.span(), error.message())))?;
    let Some((key, tables)) = path.split_last() else { return Err(invalid("no setting was named".into())) };
    let (mut table, mut inline): (&mut dyn TableLike, bool) = (document.as_table_mut(), false);
    for name in tables {
        let item = item_in(table, name, inline);
        // In braces there can be nothing but braces.
        inline |= item.is_inline_table();
        table = item.as_table_like_mut().ok_or_else(|| invalid(format!("`{name}` is not a table")))?;
    }
    match table.get_mut(key) {
        Some(there) => {
            if let Some(before) = there.as_value() {
                // The comment after the old value stays after the new one.
                *value.decor_mut() = before.decor().clone();
            }
            *there = toml_edit::value(value);
        }
        None => {
            table.insert(key, toml_edit::value(value));
        }
    }
    let mut changed = document.to_string();
    toml_edit::de::from_str::<Settings>(&changed)
        .map_err(|error| invalid(toml_problem(&changed, error.span(), error.message())))?;
    if text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r')) {
        changed = changed.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if written.starts_with(BYTE_ORDER_MARK) {
        changed.insert(0, BYTE_ORDER_MARK);
    }
    write_private(&target, changed.as_bytes())
        .map_err(|source| SettingsError::Io { path: file.clone(), source })
}

/// The table under this name in `table`; created if there is none.
fn item_in<'t>(table: &'t mut dyn TableLike, name: &str, inline: bool) -> &'t mut toml_edit::Item {
    table.entry(name).or_insert_with(|| match inline {
        true => toml_edit::value(toml_edit::InlineTable::new()),
        false => toml_edit::table(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_parse_is_one_line_with_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        for (text, place) in [
            ("# mine\n[hooks\n", "line 2, column "),
            ("[hooks]\nenabled = 5\n", "line 2, column 11: "),
            ("\u{feff}text about things\n", "line 1, column "),
            ("[sandbox]\ntimeout_ms = \"soon\"\n", ", expected a whole number of 0 or more"),
            ("[sandbox]\ntimeout_ms = -5\n", ", expected a whole number of 0 or more"),
        ] {
            std::fs::write(home.settings_path(), text).unwrap();
            for error in [
                Settings::load(&home).unwrap_err().to_string(),
                set_value(&home, &["hooks", "routing"], true).unwrap_err().to_string(),
            ] {
                assert!(error.contains(place) && !error.contains('\n') && !error.contains(" | "), "{error}");
            }
        }
    }

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
    fn a_table_in_braces_is_a_table() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let text = "# mine\nmemory = { enabled = true, vectors = { provider = \"off\" } } # all\n\n[hooks]\nenabled = true\n";
        std::fs::write(home.settings_path(), text).unwrap();
        set_value(&home, &["memory", "vectors", "provider"], "ollama").unwrap();
        set_value(&home, &["memory", "model", "name"], "m").unwrap();
        set_value(&home, &["memory", "enabled"], false).unwrap();
        set_value(&home, &["hooks", "routing"], false).unwrap();
        let written = std::fs::read_to_string(home.settings_path()).unwrap();
        assert!(
            written.starts_with("# mine\nmemory = { enabled = false, vectors = { provider = \"ollama\" }"),
            "{written}"
        );
        assert!(written.contains("model = { name = \"m\" }") && written.contains("} # all\n"), "{written}");
        let settings = Settings::load(&home).unwrap();
        assert_eq!(settings.of_systems["memory"]["vectors"]["provider"], "ollama");
        assert_eq!(settings.of_systems["memory"]["model"]["name"], "m");
        assert!(!settings.hooks.routing && settings.hooks.enabled);
        let refused = set_value(&home, &["memory", "enabled", "deep"], true).unwrap_err().to_string();
        assert!(refused.contains("`enabled` is not a table"), "{refused}");
        assert_eq!(std::fs::read_to_string(home.settings_path()).unwrap(), written);
    }

    #[test]
    fn a_file_that_does_not_parse_names_the_line() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        std::fs::write(home.settings_path(), "[hooks\n").unwrap();
        assert!(Settings::load(&home).unwrap_err().to_string().contains("line 1"));
    }

    #[test]
    fn line_ends_and_the_byte_order_mark_stay() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        std::fs::write(home.settings_path(), "\u{feff}# mine\r\n[hooks]\r\nenabled = true # yes\r\n")
            .unwrap();
        set_value(&home, &["hooks", "enabled"], false).unwrap();
        set_value(&home, &["mcp", "surface"], "full").unwrap();
        let text = std::fs::read_to_string(home.settings_path()).unwrap();
        let expected =
            "\u{feff}# mine\r\n[hooks]\r\nenabled = false # yes\r\n\r\n[mcp]\r\nsurface = \"full\"\r\n";
        assert_eq!(text, expected);
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_file_is_changed_where_it_is_and_a_dangling_link_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home"));
        let real = dir.path().join("dotfiles/plimsoll.toml");
        std::fs::create_dir_all(dir.path().join("dotfiles")).unwrap();
        std::fs::create_dir_all(home.root()).unwrap();
        std::os::unix::fs::symlink(&real, home.settings_path()).unwrap();
        for refused in [set_value(&home, &["hooks", "enabled"], false), replace_settings(&home, "")] {
            let error = refused.unwrap_err().to_string();
            assert!(error.contains("settings.toml") && error.contains("link"), "{error}");
        }
        assert!(!real.exists());
        std::fs::write(&real, "# mine\n[hooks]\nenabled = true\n").unwrap();
        set_value(&home, &["hooks", "enabled"], false).unwrap();
        assert!(home.settings_path().is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "# mine\n[hooks]\nenabled = false\n");
        replace_settings(&home, "# theirs\n").unwrap();
        assert!(home.settings_path().is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "# theirs\n");
        let kept = std::fs::read_to_string(home.root().join("settings.toml.before-import")).unwrap();
        assert!(kept.contains("enabled = false"), "{kept}");
    }

    #[test]
    fn concurrent_changes_are_all_kept() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let home = &home;
                scope.spawn(move || {
                    for round in 0..50 {
                        let name = format!("{thread}-{round}");
                        set_value(home, &["x", &name], round).unwrap();
                        update_value(home, &["filters", "off"], |now| {
                            let off = now.filters.off.iter().cloned().chain([name.clone()]);
                            off.collect::<toml_edit::Array>()
                        })
                        .unwrap();
                    }
                });
            }
        });
        let text = std::fs::read_to_string(home.settings_path()).unwrap();
        let off = Settings::load(&home).unwrap().filters.off;
        for name in (0..2).flat_map(|thread| (0..50).map(move |round| format!("{thread}-{round}"))) {
            assert!(text.contains(&format!("\n{name} = ")) && off.contains(&name), "{name} in\n{text}");
        }
    }
}
