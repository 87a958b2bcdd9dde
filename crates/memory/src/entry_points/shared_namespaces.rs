//! The setting `memory.share`: the namespaces whose new memories are written into their project's repository, such as
//! `decisions, patterns`. None by default.

use contract::Sentence;
use home::Settings;
use serde_json::Value;

use crate::domain::Namespace;
use crate::store::messages;

/// The setting's namespaces; none if it can't be read, so that nothing is written unasked.
pub(super) fn configured(settings: &Settings) -> Vec<Namespace> {
    let written = settings.own("memory.share").and_then(Value::as_str).unwrap_or_default();
    namespaces(written).unwrap_or_else(|| {
        log::warn!("memory.share: {written:?}: {}", messages::namespaces(Namespace::names()));
        Vec::new()
    })
}

/// Whether this may be the setting's value; what is expected where it may not.
pub(super) fn accepts(written: &str) -> Result<(), Sentence> {
    namespaces(written).map(|_| ()).ok_or_else(|| messages::namespaces(Namespace::names()))
}

fn namespaces(written: &str) -> Option<Vec<Namespace>> {
    let named = written.split(',').map(str::trim).filter(|part| !part.is_empty());
    let all: Vec<Namespace> = named.map(Namespace::from_name).collect::<Option<_>>()?;
    // Only an empty value says that nothing is shared.
    (!all.is_empty() || written.trim().is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_are_named_and_anything_else_shares_nothing() {
        assert_eq!(namespaces(""), Some(Vec::new()));
        assert_eq!(namespaces("decisions"), Some(vec![Namespace::Decisions]));
        assert_eq!(
            namespaces(" decisions ,patterns,"),
            Some(vec![Namespace::Decisions, Namespace::Patterns])
        );
        for wrong in ["galaxy", "decisions patterns", "decisions=1", "*", "true", ",", " ,, "] {
            assert_eq!(namespaces(wrong), None, "{wrong}");
            assert!(accepts(wrong).unwrap_err().text().contains("decisions"), "{wrong}");
        }
    }
}
