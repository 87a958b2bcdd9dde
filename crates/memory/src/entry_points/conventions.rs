//! Maps the codebase specification's conventions, decisions, gotchas and failures to memories: each is a namespace,
//! with the category as a tag and the reason below the text.

use contract::Error;
use system::Arguments;

use crate::domain::Namespace;

/// The specification's kinds and their namespaces.
const TYPES: &[(&str, &str)] = &[
    ("convention", "patterns"),
    ("decision", "decisions"),
    ("gotcha", "learnings"),
    ("failure", "blockers"),
];

/// The specification's tool that captures.
const REMEMBER: &str = "remember";

/// The namespaces of all kinds.
pub(super) fn namespaces() -> Vec<Namespace> {
    TYPES.iter().filter_map(|(_, namespace)| Namespace::from_name(namespace)).collect()
}

/// The kind of a namespace's memories.
pub(super) fn kind_of(namespace: Namespace) -> Option<&'static str> {
    TYPES.iter().find(|(_, name)| *name == namespace.as_str()).map(|(kind, _)| *kind)
}

/// Text, namespace and tags of a memory to capture, if the call uses these names.
pub(super) fn parse_capture(args: &mut Arguments) -> Result<Option<(String, String, Vec<String>)>, Error> {
    let Some(namespace) = args.choice("type", TYPES)? else {
        // The other form names a namespace and has its text in `content`.
        let is_meant = args.has("memory") || args.tool() == REMEMBER;
        if is_meant && !args.has("namespace") {
            let kinds: Vec<&str> = TYPES.iter().map(|(kind, _)| *kind).collect();
            let tool = args.tool();
            return Err(Error::invalid(format!("{tool}: type is missing; allowed: {}", kinds.join(", "))));
        }
        return Ok(None);
    };
    let mut content = match args.text("memory")? {
        Some(memory) => memory,
        None => {
            let text = if args.tool() == REMEMBER { "memory" } else { "content" };
            args.text("content")?.ok_or_else(|| args.missing(text))?
        }
    };
    if let Some(reason) = args.string("reason")?.filter(|reason| !reason.trim().is_empty()) {
        content.push_str("\nReason: ");
        content.push_str(reason.trim());
    }
    let tags = args.string("category")?.into_iter().collect();
    Ok(Some((content, namespace.to_owned(), tags)))
}

/// The namespace and the tag filter that a call asks for.
pub(super) fn parse_recall(args: &mut Arguments) -> Result<(Option<String>, Option<String>), Error> {
    let namespace = args.choice("type", TYPES)?.map(str::to_owned);
    let category = args.string("category")?.filter(|category| !category.trim().is_empty());
    Ok((namespace, category.map(|category| tag_filter(category.trim()))))
}

/// The filter for this tag. In quotes, because it may have blanks, and nothing in it is part of a filter.
fn tag_filter(tag: &str) -> String {
    format!("tag:\"{}\"", tag.replace('\\', "\\\\").replace('"', "\\\""))
}
