//! The window shows every setting that a front end can change under a name of its own, in both languages, and not under
//! its key in the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use contract::desktop::{SettingKind, SettingView};
use home::{Clock, Env};
use service::Service;
use service::desktop::Desktop;

/// What the program notes for itself, which the window doesn't show (`OWN` in `sections.ts`).
const NOT_SHOWN: [&str; 2] = ["desktop.setup_done", "desktop.tray_missing_told"];

const CATALOGUES: [(&str, &str); 2] = [
    ("English", include_str!("../../../ui/src/i18n/en.json")),
    ("German", include_str!("../../../ui/src/i18n/de.json")),
];

/// The keys of the texts that a setting needs: its name, and the names of its choices or what it does.
fn needed(setting: &SettingView) -> Vec<String> {
    let name = format!("settings.key.{}", setting.key);
    let mut keys = match &setting.kind {
        SettingKind::Choice { of } => {
            of.iter().map(|choice| format!("settings.choice.{}.{choice}", setting.key)).collect()
        }
        _ => vec![format!("{name}.text")],
    };
    keys.push(name);
    keys
}

#[test]
fn every_setting_has_a_name_a_hint_and_names_of_its_choices() {
    let dir = tempfile::tempdir().unwrap();
    let service = Service::new(Env::for_test(dir.path()), Clock::fixed(1_700_000_000_000)).unwrap();
    let settings = Desktop::new(Arc::new(service)).settings().settings;
    assert!(
        settings.iter().any(|setting| setting.key == "memory.share"),
        "the settings of systems are missing"
    );
    let shown: Vec<_> =
        settings.iter().filter(|setting| !NOT_SHOWN.contains(&setting.key.as_str())).collect();
    assert_eq!(shown.len() + NOT_SHOWN.len(), settings.len());
    for (language, text) in CATALOGUES {
        let texts: BTreeMap<String, String> = serde_json::from_str(text).unwrap();
        let missing: Vec<_> = shown
            .iter()
            .flat_map(|setting| needed(setting))
            .filter(|key| texts.get(key).is_none_or(|text| text.trim().is_empty()))
            .collect();
        assert!(missing.is_empty(), "{language}: {missing:#?}");
    }
}
