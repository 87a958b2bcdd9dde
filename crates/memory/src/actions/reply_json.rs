//! Replies as JSON, as the specification defines them. Extra fields appear only when they carry information: a
//! duplicate, a redacted secret, a next page.

use serde_json::{Map, Value, json};

use crate::domain::{Memory, STALE_BELOW, Trust, confidence, iso};
use crate::recall::{Components, Detail, HitPage, shortened};
use crate::store::{CaptureResult, HistoryEntry, Similar};

/// A score rounded to two digits: more would suggest a precision that nobody measured.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

pub(super) fn captured(captured: &CaptureResult, similar: &[Similar]) -> Value {
    let mut out = json!({"id": captured.memory.id, "urn": captured.memory.urn()});
    if captured.duplicate {
        out["duplicate"] = true.into();
    }
    if captured.redacted {
        out["redacted"] = true.into();
    }
    tell_trust(captured.memory.trust, &mut out);
    if !similar.is_empty() {
        let near = |one: &Similar| json!({"id": one.memory.id, "likeness": rounded(one.likeness)});
        out["similar"] = similar.iter().map(near).collect();
    }
    out
}

/// How hits are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct HitFormat<'a> {
    pub(super) detail: Detail,
    /// The question, whose words the shown part of a text has.
    pub(super) query: Option<&'a str>,
    pub(super) now_ms: i64,
    /// Whether to state each memory's confidence by age.
    pub(super) ages: bool,
    /// Whether to state each score's confidence and parts. An agent pays for every byte and seldom needs them.
    pub(super) explained: bool,
}

/// The parts of a score by name.
fn parts(of: &Components) -> Value {
    let parts = [
        ("bm25", of.bm25),
        ("coverage", of.coverage),
        ("context", of.context),
        ("session", of.session),
        ("vector", of.vector),
        ("recency", of.recency),
        ("weight", of.weight),
    ];
    Value::Object(parts.into_iter().map(|(name, part)| (name.to_owned(), rounded(part).into())).collect())
}

pub(super) fn hits(found: &HitPage, format: HitFormat<'_>) -> Value {
    let HitFormat { detail, query, now_ms, ages, explained } = format;
    let mut stale = 0_usize;
    let results: Vec<Value> = found
        .hits
        .iter()
        .map(|hit| {
            let memory = &hit.memory;
            let mut out = Map::new();
            out.insert("id".into(), memory.id.clone().into());
            out.insert("namespace".into(), memory.namespace.as_str().into());
            out.insert("tags".into(), memory.tags.clone().into());
            if let Some(content) = shortened(&memory.content, detail, query) {
                out.insert("content".into(), content.into());
            }
            if let Some(score) = hit.score {
                out.insert("score".into(), rounded(score).into());
            }
            if let (true, Some(sure), Some(components)) = (explained, hit.confidence(), &hit.components) {
                out.insert("confidence".into(), json!(sure));
                out.insert("components".into(), parts(components));
            }
            out.insert("uri".into(), memory.urn().into());
            if memory.status != crate::domain::Status::Active {
                out.insert("status".into(), memory.status.as_str().into());
            }
            if memory.trust == Trust::Untrusted {
                out.insert("trust".into(), memory.trust.as_str().into());
            }
            let left = confidence(memory.namespace, now_ms.saturating_sub(memory.updated_ms));
            let is_stale = left < STALE_BELOW;
            stale += usize::from(is_stale);
            if ages {
                out.insert("effectiveConfidence".into(), rounded(left).into());
            }
            if ages || is_stale {
                out.insert("stale".into(), is_stale.into());
            }
            Value::Object(out)
        })
        .collect();
    let mut out = json!({"results": results, "total": found.total});
    if stale > 0 {
        out["staleCount"] = stale.into();
        out["staleNote"] = "stale: so old that it may no longer be so; check it before you rely on it".into();
    }
    if let Some(next) = found.next {
        out["next_offset"] = next.into();
    }
    out
}

/// A page of a list, and where the next one begins; `None` after the last.
pub(super) fn page_of<T>(all: &[T], offset: Option<usize>, limit: usize) -> (&[T], Option<usize>) {
    let from = offset.unwrap_or(0).min(all.len());
    let to = from.saturating_add(limit).min(all.len());
    (&all[from..to], (to < all.len()).then_some(to))
}

pub(super) fn full_memory(memory: &Memory) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            out.insert(name.to_owned(), value);
        }
    };
    put("id", memory.id.clone().into());
    put("urn", memory.urn().into());
    put("namespace", memory.namespace.as_str().into());
    put("domain", memory.domain.as_str().into());
    put("content", memory.content.clone().into());
    put("tags", memory.tags.clone().into());
    put("status", memory.status.as_str().into());
    put("trust", memory.trust.as_str().into());
    put("version", memory.version.into());
    put("created_at", iso(memory.created_ms).into());
    put("updated_at", iso(memory.updated_ms).into());
    for (name, value) in [
        ("project", &memory.project),
        ("branch", &memory.branch),
        ("file", &memory.file),
        ("source", &memory.source),
        ("author", &memory.author),
        ("client", &memory.client),
        ("session", &memory.session),
    ] {
        put(name, value.clone().into());
    }
    put("expires_at", memory.expires_ms.map(iso).into());
    out
}

pub(super) fn history(memory: &Memory, steps: &[HistoryEntry]) -> Value {
    let steps: Vec<Value> = steps
        .iter()
        .map(|step| {
            let mut out = json!({
                "version": step.version, "action": step.what, "at": iso(step.who.at_ms),
                "content": step.content, "tags": step.tags,
            });
            if let Some(client) = &step.who.client {
                out["client"] = client.clone().into();
            }
            out
        })
        .collect();
    let mut out = json!({"id": memory.id, "history": steps});
    tell_trust(memory.trust, &mut out);
    out
}

/// Says that a text isn't to be trusted, wherever one is shown: whoever asked reads it.
pub(super) fn tell_trust(trust: Trust, out: &mut Value) {
    if trust == Trust::Untrusted {
        out["trust"] = trust.as_str().into();
    }
}
