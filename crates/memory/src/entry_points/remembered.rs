//! Memories about a part of the code, in the kinds of the codebase specification.

use contract::Error;
use system::{CallContext, Remembered, Subject};

use super::conventions;
use super::run_action::context_with_rules;
use crate::actions;
use crate::domain::{STALE_BELOW, confidence, iso};
use crate::recall::{Detail, shortened};

pub(crate) fn remembered(
    at: &CallContext,
    subject: &Subject,
    limit: usize,
) -> Result<Vec<Remembered>, Error> {
    let own = || at.host.has_project().then(|| at.host.project());
    let context = context_with_rules(at, subject.project.clone().or_else(own).as_ref());
    actions::refresh_shared(&context);
    // A question right after a rename is about the file's new name.
    if let Err(failure) = actions::follow_renames_once(&context) {
        log::info!("what was renamed is followed later: {}", failure.message);
    }
    let namespaces = conventions::namespaces();
    let about = (subject.words.as_str(), subject.files.as_slice(), subject.symbols.as_slice());
    let found = actions::related(&context, &namespaces, about, limit)?;
    let now_ms = at.host.now_ms();
    Ok(found
        .into_iter()
        .filter_map(|memory| {
            let left = confidence(memory.namespace, now_ms.saturating_sub(memory.updated_ms));
            Some(Remembered {
                address: memory.urn(),
                kind: conventions::kind_of(memory.namespace)?,
                text: shortened(&memory.content, Detail::Medium, Some(&subject.words)).unwrap_or_default(),
                day: iso(memory.updated_ms)[..10].to_owned(),
                written_ms: memory.updated_ms,
                confidence: left,
                stale: left < STALE_BELOW,
                file: memory.file.clone(),
                symbol: memory.symbol().map(str::to_owned),
                gone: None,
            })
        })
        .collect())
}
