//! The setting `memory.keep`: how long each namespace's memories are kept, such as `progress=90d, context=1y`. Other
//! namespaces are kept until somebody deletes their memories.

use contract::Sentence;
use home::Settings;
use serde_json::Value;

use crate::domain::{DAY_MS, Namespace, period_ms};
use crate::store::messages;

/// Minimum period: anything shorter is probably a typing mistake.
const MIN_PERIOD_MS: i64 = DAY_MS;

/// The setting's periods in milliseconds.
///
/// # Errors
/// A sentence with the invalid part. Then nothing is deleted by age.
pub(super) fn configured_periods(settings: &Settings) -> Result<Vec<(Namespace, i64)>, String> {
    periods(settings.own("memory.keep").and_then(Value::as_str).unwrap_or_default())
}

/// Whether this may be the setting's value; what is expected where it may not.
pub(super) fn accepts(written: &str) -> Result<(), Sentence> {
    periods(written).map(|_| ()).map_err(|_| messages::periods(Namespace::names()))
}

fn periods(written: &str) -> Result<Vec<(Namespace, i64)>, String> {
    written.split(',').map(str::trim).filter(|part| !part.is_empty()).map(one).collect()
}

fn one(part: &str) -> Result<(Namespace, i64), String> {
    let wrong = |why: String| format!("memory.keep: \"{part}\": {why}");
    let (name, period) =
        part.split_once('=').ok_or_else(|| wrong("write namespace=period, such as progress=90d".into()))?;
    let namespace = Namespace::from_name(name).ok_or_else(|| {
        wrong(format!("there is no namespace {}; there are {}", name.trim(), Namespace::names()))
    })?;
    let period = period_ms(period, DAY_MS).map_err(|bad| wrong(bad.to_string()))?;
    if period < MIN_PERIOD_MS {
        return Err(wrong("a day (1d) is the shortest".into()));
    }
    Ok((namespace, period))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Result<Vec<(Namespace, i64)>, String> {
        let dir = tempfile::tempdir().unwrap();
        let home = home::Home::at(dir.path().join("plimsoll"));
        std::fs::create_dir_all(home.root()).unwrap();
        std::fs::write(home.settings_path(), format!("[memory]\nkeep = \"{written}\"\n")).unwrap();
        configured_periods(&Settings::load(&home).unwrap())
    }

    #[test]
    fn periods_by_namespace() {
        assert_eq!(read(""), Ok(vec![]));
        assert_eq!(
            read("progress=90d, tech_debt = 1y,"),
            Ok(vec![(Namespace::Progress, 90 * DAY_MS), (Namespace::TechDebt, 365 * DAY_MS)])
        );
        for (written, words) in [
            ("progress", "namespace=period"),
            ("progres=90d", "progress, apis"),
            ("progress=soon", "isn't a period"),
            ("progress=5m", "1d"),
            ("progress=0", "1d"),
        ] {
            let error = read(written).unwrap_err();
            assert!(error.contains(words) && error.contains("memory.keep"), "{error}");
            assert!(accepts(written).unwrap_err().text().contains("progress=90d"), "{written}");
        }
    }
}
